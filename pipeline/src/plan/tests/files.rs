//! Files of agents: which content an experiment is planned with, and what is said where it is not there.

use engine::abi::host::{AgentInfo, TrainingInfo};
use jobs::Canonical as _;
use platform::ConfinedPath;
use trainings::{ArtefactOf, Cost, Curve, GamesOfARow, TrainingHeader, TrainingIdentity};

use super::*;

const TRAINING: &str = "[[training]]\nid = \"t\"\nagent = \"learner\"\ngames = 5\n";

/// A plugin whose agent learns its weights.
fn learner() -> Arc<PluginEntry> {
    let entry = plugin("learner.so", "learner");
    let training = TrainingInfo {
        role: "weights".to_owned(),
        version: "1.0.0".to_owned(),
        params_schema: json!({"properties": {"alpha": {"default": 1}}}),
    };
    let agent =
        AgentInfo { files: vec!["weights".to_owned()], training: Some(training), ..entry.agents[0].clone() };
    Arc::new(PluginEntry { agents: vec![agent], ..(*entry).clone() })
}

/// A laboratory with a training, and experiments with these files.
fn lab(files: &[(&str, &str)], training: &str) -> Lab {
    let with = |(id, source): &(&str, &str)| {
        experiment(id, "learner", 3, &format!("{CLOCK}\nfiles.weights = \"{source}\""))
    };
    let mut entries: Vec<String> = files.iter().map(with).collect();
    entries.push(experiment("plain", "one", 3, CLOCK));
    entries.push(training.to_owned());
    let mut lab = Lab::with(&[("p", &entries)]);
    lab.catalogue.plugins.push(learner());
    lab
}

impl Lab {
    /// Keeps content among the artefacts, and says under which hash.
    fn keep(&self, content: &str) -> String {
        let raw = self.folder.path().join("raw");
        fs::write(&raw, content).unwrap();
        self.artefacts().pack(&ConfinedPath::file(&raw)).unwrap().sha256
    }

    /// Stores the training as one that gave this file.
    fn train(&self, sha256: &str) {
        let (paper, info) = (&self.papers[0], &learner().agents[0].training.clone().unwrap());
        let training = paper.training("t").unwrap();
        let header = TrainingHeader {
            training: "p/t".to_owned(),
            identity: TrainingIdentity::new(training, info, None),
            manifest: json!(training),
            artefact: ArtefactOf {
                role: "weights".to_owned(),
                sha256: sha256.to_owned(),
                raw_bytes: 1,
                packed_bytes: 1,
            },
            cost: Cost { games: 5, moves: 50, cpu_ns: 1 },
            provenance: Vec::new(),
        };
        let mut curve = Curve::default();
        curve.add(GamesOfARow { games: 5, moves: 50, score_sum: 400, reached: [0; 4] });
        let key = Key::new("p", "t");
        trainings::store::write(&self.layout.training(&key), &header, &curve).unwrap();
    }

    fn planned(&self) -> Plan {
        self.plan(&Selection::default()).unwrap()
    }
}

#[test]
fn a_files_hash_is_part_of_the_identity_and_its_content_is_lent() {
    let lab = lab(&[("learned", "t")], TRAINING);
    let sha256 = lab.keep("weights");
    lab.train(&sha256);
    let plan = lab.planned();
    assert_eq!((plan.jobs.len(), plan.blocked.len()), (2, 0));
    let planned = &plan.jobs[0];
    assert_eq!(planned.identity.files, [("weights".to_owned(), sha256.clone())].into());
    assert_eq!(planned.files["weights"].sha256, sha256);
    assert_eq!(fs::read_to_string(planned.files["weights"].path.path()).unwrap(), "weights");
    let plain = &plan.jobs[1];
    assert!(plain.identity.files.is_empty() && plain.files.is_empty());
    assert!(!plain.identity.canonical().contains("files"), "old identities stand");
}

#[test]
fn experiments_of_one_agent_with_other_files_are_others_and_with_the_same_content_one() {
    let one = {
        let lab = lab(&[], "");
        (lab.keep("one"), lab.keep("other"))
    };
    let lab = lab(&[("learned", "t"), ("by-hash", &one.0), ("other", &one.1)], TRAINING);
    assert_eq!((lab.keep("one"), lab.keep("other")), one);
    lab.train(&one.0);
    let plan = lab.planned();
    let keys: Vec<String> = plan.jobs.iter().map(|planned| planned.key.to_string()).collect();
    assert_eq!(keys, ["p/learned", "p/other", "p/plain"]);
    assert_eq!(plan.jobs[0].also_for[0].to_string(), "p/by-hash");
    let differences = plan.jobs[0].identity.differences(&plan.jobs[1].identity);
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].component, "files.weights");
}

#[test]
fn a_hash_that_the_manifest_gives_needs_no_stored_training() {
    let sha256 = lab(&[], "").keep("weights");
    let lab = lab(&[("learned", "t")], &format!("{TRAINING}sha256 = \"{sha256}\"\n"));
    lab.keep("weights");
    assert_eq!(lab.planned().jobs[0].identity.files["weights"], sha256);
}

/// What is said of the experiments that cannot be planned, with the folder's own name left out.
fn told(lab: &Lab) -> Vec<(Option<Missing>, String)> {
    let plan = lab.planned();
    assert_eq!(plan.jobs.len(), 1, "the others go on");
    let folder = format!("{}/", lab.folder.path().display());
    let told = |one: &BlockedJob| (one.missing.clone(), one.reason.replace(&folder, ""));
    plan.blocked.iter().map(told).collect()
}

#[test]
fn what_is_missing_or_damaged_costs_its_experiment_alone_and_is_told_with_hash_and_command() {
    let (sha256, other) = {
        let lab = lab(&[], "");
        (lab.keep("weights"), lab.keep("other"))
    };
    let lab = lab(&[("learned", "t"), ("by-hash", &other)], TRAINING);
    lab.train(&sha256);
    let missing = Some(Missing::File("weights".to_owned()));
    let of_training = format!(
        "p.toml: experiment `learned`: file `weights` with the SHA-256 {sha256}: artefacts/{sha256}: there is no such file; \
         restore it, or make it with `pipeline train p/t`"
    );
    let of_hash = format!(
        "p.toml: experiment `by-hash`: file `weights` with the SHA-256 {other}: artefacts/{other}: there is no such file; \
         restore it, or name the folder that has it with --artefacts; `pipeline artefacts` lists what there is"
    );
    assert_eq!(told(&lab), [(missing.clone(), of_training), (missing.clone(), of_hash)]);
    lab.keep("weights");
    lab.keep("other");
    let path = lab.artefacts().path(&sha256);
    let whole = fs::read(path.path()).unwrap();
    fs::write(path.path(), &whole[..whole.len() - 1]).unwrap();
    fs::copy(path.path(), lab.artefacts().path(&other).path()).unwrap();
    let damaged = told(&lab);
    assert!(damaged[0].1.contains(&format!("artefacts/{sha256}: it cannot be unpacked")), "{damaged:?}");
    assert!(damaged[0].1.ends_with("or make it again with `pipeline train p/t`"), "{damaged:?}");
    assert_eq!(damaged[1].0, missing);
}

#[test]
fn an_experiment_waits_for_a_training_that_has_not_run_or_is_stale() {
    let lab = lab(&[("learned", "t")], TRAINING);
    let waiting = |lab: &Lab| {
        let (plan, blocked) = (lab.planned(), lab.blocked());
        assert_eq!((keys(&plan), plan.blocked.len()), (vec!["p/plain".to_owned()], 0));
        blocked
    };
    assert_eq!(waiting(&lab), ["p/learned waits for training p/t; run `pipeline train p/t`"]);
    lab.train(&"aa".repeat(32));
    let mut changed = lab;
    changed.papers[0].trainings[0].seed += 1;
    let stale =
        "p/learned waits for training p/t: training p/t is stale, seed changed; run `pipeline train p/t`";
    assert_eq!(waiting(&changed), [stale]);
}
