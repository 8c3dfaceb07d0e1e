//! Plans without a worker: under a wall-clock budget there is nothing to sign, so that no agent is asked.

mod files;

use std::fs;
use std::time::Duration;

use engine::Ending;
use engine::agent::Capabilities;
use fixtures::record;

use super::*;
use crate::journal::Journal;
use crate::test_setup::{agent as agent_info, broken_launcher};
use manifest::Paper;
use records::store::write_timing;
use records::{GameTiming, Header, Provenance, Shard};
use trainings::Artefacts;
use workers::{BrokenPlugin, Fault, Played};

const CLOCK: &str = "budget.time-ns = 1000";

/// A folder with manifests, the agents that they may name, and results.
struct Lab {
    folder: tempfile::TempDir,
    papers: Vec<Paper>,
    catalogue: Catalogue,
    layout: Layout,
}

impl Lab {
    /// A laboratory with these papers, each given by its id and its experiments.
    fn with(papers: &[(&str, &[String])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (id, experiments) in papers {
            let head = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n";
            fs::write(folder.path().join(format!("{id}.toml")), head.to_owned() + &experiments.concat())
                .unwrap();
        }
        let papers = manifest::load_folder(folder.path()).unwrap();
        let catalogue =
            Catalogue { plugins: vec![plugin("one.so", "one"), plugin("two.so", "two")], broken: Vec::new() };
        let layout = Layout::new(folder.path().join("results"));
        Self { folder, papers, catalogue, layout }
    }

    fn plan(&self, selection: &Selection) -> Result<Plan, PlanError> {
        self.with_planner(|planner| planner.plan(selection))
    }

    /// The experiments that wait for another job, in words.
    fn blocked(&self) -> Vec<String> {
        let sentence = |blocked: &Blocked| Blocked::sentence(&[blocked]);
        self.with_planner(|planner| {
            planner.blocked(&Selection::default()).into_iter().map(sentence).collect()
        })
    }

    fn with_planner<T>(&self, ask: impl FnOnce(&Planner<'_>) -> T) -> T {
        let Self { papers, catalogue, layout, .. } = self;
        let project = Project::resolve(papers.clone(), layout, |agent| training_info(catalogue, agent));
        let (project, launcher, artefacts) = (&project, &broken_launcher(), &self.artefacts());
        ask(&Planner { project, catalogue, launcher, layout, artefacts, on_planned: &|| () })
    }

    fn artefacts(&self) -> Artefacts {
        Artefacts::new(self.folder.path().join("artefacts"))
    }

    /// The only experiment of a plan, which is not signed, as it would be under a counted budget.
    fn only(&self, selection: &Selection) -> PlannedExperiment {
        let mut plan = self.plan(selection).unwrap();
        assert_eq!(plan.jobs.len(), 1);
        plan.jobs.remove(0)
    }

    /// The same, with these signatures, and what is stored of it.
    fn signed(&self, selection: &Selection, first: &str, second: Option<&str>) -> PlannedExperiment {
        let mut planned = self.only(selection);
        planned.identity.signature = Some(first.to_owned());
        planned.second_signature = second.map(str::to_owned);
        planned.look_up(&self.layout, selection, &Leftovers::below(&self.layout.all_records())).unwrap();
        planned
    }

    /// Stores games of an experiment as a run would that a plugin file of this hash played.
    fn store(&self, planned: &PlannedExperiment, plugin: &str, games: &[u64], shard: Option<Shard>) {
        let header = Header {
            experiment: planned.key.to_string(),
            second_signature: planned.second_signature.clone(),
            provenance: vec![Provenance::now(None).by_plugin(plugin)],
            shard,
            ..fixtures::header(planned.identity.clone(), "cpu")
        };
        let file = self.layout.records(&planned.key, shard);
        fixtures::write(&file, &header, games.iter().map(|&game| record(game, "")));
    }

    /// Leaves games in a journal, each of which took as many nanoseconds as its number.
    fn journal(&self, planned: &PlannedExperiment, games: &[u64], is_fresh: bool) {
        let path = self.layout.journal(&planned.key, None, is_fresh);
        let (mut journal, _) = Journal::open(&path, &planned.title(None)).unwrap();
        games.iter().for_each(|&game| {
            let played = Played { record: record(game, ""), timing: timing(game, game), complaint: None };
            journal.append(&played).unwrap();
        });
    }
}

fn plugin(file: &str, agent: &str) -> Arc<PluginEntry> {
    let schema = json!({"type": "object", "properties": {"depth": {"type": "integer", "default": 3}}});
    let agent = agent_info(agent, Capabilities::NO_BUDGET.with(Capabilities::TIME), schema);
    let (file, sha256) = (file.into(), format!("sha of {file}"));
    Arc::new(PluginEntry { file, sha256, agents: vec![agent], ..PluginEntry::default() })
}

/// What a game took on a machine that did much else at the time.
const fn timing(game: u64, cpu_ns: u64) -> GameTiming {
    GameTiming { game, cpu_ns, wall_ns: 1_000_000 }
}

fn experiment(id: &str, agent: &str, games: u64, more: &str) -> String {
    format!("[[experiment]]\nid = \"{id}\"\nagent = \"{agent}\"\ngames = {games}\n{more}\n")
}

/// A laboratory with the experiment `p/e` alone.
fn lab_of_one(games: u64) -> Lab {
    Lab::with(&[("p", &[experiment("e", "one", games, CLOCK)])])
}

fn selection(names: &[&str], with_extra: bool) -> Selection {
    Selection { names: names.iter().map(ToString::to_string).collect(), with_extra, ..Selection::default() }
}

fn games(games: u64) -> Selection {
    Selection { games: Some(games), ..Selection::default() }
}

fn keys(plan: &Plan) -> Vec<String> {
    plan.jobs.iter().map(|planned| planned.key.to_string()).collect()
}

#[test]
fn papers_and_experiments_are_chosen_by_name_and_extras_where_they_are_asked_for() {
    let seeded = |id: &str, seed: u64, more: &str| {
        experiment(id, "one", 1, &format!("seed = {seed}\n{more}\n{CLOCK}"))
    };
    let lab = Lab::with(&[
        ("a", &[seeded("x", 1, ""), seeded("y", 2, "set = \"extra\"")]),
        ("b", &[seeded("z", 3, "")]),
    ]);
    let chosen = |names: &[&str], extra: bool| keys(&lab.plan(&selection(names, extra)).unwrap());
    assert_eq!(chosen(&[], false), ["a/x", "b/z"]);
    assert_eq!(chosen(&[], true), ["a/x", "a/y", "b/z"]);
    assert_eq!(chosen(&["a"], false), ["a/x"]);
    assert_eq!(chosen(&["a"], true), ["a/x", "a/y"]);
    assert_eq!(chosen(&["a/y"], false), ["a/y"], "who names it asks for it");
    assert_eq!(chosen(&["b", "a/y"], false), ["a/y", "b/z"], "in the manifests' order");
    let refused = |name: &str| lab.plan(&selection(&["b", name], false)).unwrap_err().to_string();
    assert_eq!(refused("c"), "no paper or job is called `c`; known: a, b");
    assert_eq!(refused("a/w"), "no paper or job is called `a/w`; known: a/x, a/y");
    assert_eq!(refused("c/x"), "no paper or job is called `c/x`; known: a, b");
}

#[test]
fn experiments_of_one_identity_are_planned_once_for_the_most_games() {
    let deep = format!("params = {{ depth = 4 }}\n{CLOCK}");
    let lab = Lab::with(&[
        ("a", &[experiment("few", "one", 3, CLOCK), experiment("deep", "one", 2, &deep)]),
        // The default, said out loud, is the same experiment.
        ("b", &[experiment("many", "one", 5, &format!("params = {{ depth = 3 }}\n{CLOCK}"))]),
        ("c", &[experiment("other", "two", 4, CLOCK)]),
    ]);
    let told = |names: &[&str]| {
        let plan = lab.plan(&selection(names, false)).unwrap();
        let told = |planned: &PlannedExperiment| {
            let also: Vec<String> = planned.also_for.iter().map(ToString::to_string).collect();
            (planned.key.to_string(), also.join(" "), planned.games, planned.to_play)
        };
        plan.jobs.iter().map(told).collect::<Vec<_>>()
    };
    let row = |key: &str, also: &str, games| (key.to_owned(), also.to_owned(), games, games);
    assert_eq!(told(&[]), [row("a/few", "b/many", 5), row("a/deep", "", 2), row("c/other", "", 4)]);
    assert_eq!(told(&["b"]), [row("a/few", "b/many", 5)], "alone it is kept where it is kept together");
    let planned = lab.plan(&games(7)).unwrap().jobs.remove(0);
    assert_eq!((planned.games, planned.experiment.games), (7, 7), "another number is asked for");
}

#[test]
fn an_agent_is_asked_for_its_decisions_unless_the_clock_limits_it() {
    let lab = lab_of_one(1);
    let planned = lab.only(&Selection::default());
    assert!(!planned.repeats() && planned.second_signature.is_none());
    assert!(lab.signed(&Selection::default(), "s", None).repeats());
    let counted = Lab::with(&[("p", &[experiment("e", "one", 1, "")])]);
    let refused = counted.plan(&Selection::default()).unwrap_err();
    let PlanError::Agent { source: WorkerError::NotStarted(_), subject, .. } = &refused else {
        panic!("{refused}");
    };
    assert_eq!(*subject, Subject::Entry("experiment", "e".to_owned()));
}

#[test]
fn what_an_agent_did_concerns_its_experiment_alone_and_what_the_machine_did_all() {
    let failed = |source| PlanError::Agent {
        file: "p.toml".into(),
        subject: Subject::Entry("experiment", "e".to_owned()),
        source,
    };
    let down = Fault { ending: Ending::AgentCrash, reason: "crashed".to_owned() };
    assert!(failed(WorkerError::Failed("gave up".to_owned())).is_of_one());
    assert!(failed(WorkerError::Faulted(down)).is_of_one());
    assert!(!failed(WorkerError::Refused("no such budget".to_owned())).is_of_one());
    assert!(!failed(broken_launcher().start().err().unwrap().into()).is_of_one());
    assert!(!PlanError::Unknown { name: "x".to_owned(), known: String::new() }.is_of_one());
}

#[test]
fn an_agent_that_is_missing_or_in_two_plugins_is_told_with_the_reason() {
    let mut lab =
        Lab::with(&[("p", &[experiment("e", "one", 1, CLOCK), experiment("f", "absent", 1, CLOCK)])]);
    let refused = |lab: &Lab, name: &str| lab.plan(&selection(&[name], false)).unwrap_err();
    let unplanned = |lab: &Lab| lab.plan(&selection(&["p/f"], false)).unwrap().blocked.remove(0);
    let told = unplanned(&lab);
    assert_eq!(
        (told.key.to_string(), told.missing.clone()),
        ("p/f".to_owned(), Some(Missing::Agent("absent".to_owned())))
    );
    assert!(told.reason.contains("`agent` is `absent`, which no plugin offers"), "{told:?}");
    let reason = "libabsent.so: is no plugin".to_owned();
    lab.catalogue.broken.push(BrokenPlugin { file: "libabsent.so".into(), reason });
    let told = unplanned(&lab);
    assert!(told.reason.contains("libabsent.so: is no plugin"), "what is broken may hold it: {told:?}");
    lab.papers[0].experiments[0].params.insert("width".to_owned(), json!(1));
    assert!(matches!(refused(&lab, "p/e"), PlanError::Manifest(_)), "its agent is there");
    lab.papers[0].experiments[0].params.clear();
    lab.catalogue.plugins.push(plugin("copy.so", "two"));
    assert!(lab.plan(&selection(&["p/e"], false)).is_ok(), "another agent's clash is none of its");
    lab.catalogue.plugins.push(plugin("copy.so", "one"));
    let told = refused(&lab, "p/e").to_string();
    assert_eq!(told, "agent `one` is in two plugins, one.so and copy.so: remove one of them");
}

#[test]
fn stored_games_are_all_some_or_anothers() {
    let lab = lab_of_one(4);
    let any = Selection::default();
    let planned = lab.only(&any);
    assert_eq!((&planned.status, planned.to_play), (&Status::Missing, 4));
    assert_eq!(planned.path, lab.layout.records(&planned.key, None));
    lab.store(&planned, "sha of one.so", &[0, 1, 2], None);
    let told = |selection: &Selection| {
        let planned = lab.only(selection);
        (planned.status, planned.to_play)
    };
    assert_eq!(told(&any), (Status::Partial { done: 3, of: 4 }, 1));
    assert_eq!(told(&games(3)), (Status::Complete { rows: 3 }, 0));
    assert_eq!(told(&games(2)), (Status::Complete { rows: 3 }, 0), "more than are wanted are all");
    assert_eq!(told(&Selection { is_fresh: true, ..games(3) }), (Status::Complete { rows: 3 }, 3));
    let signed = lab.signed(&any, "s", None);
    let Status::Stale { differences } = &signed.status else { panic!("{:?}", signed.status) };
    assert_eq!(differences.iter().map(|one| one.component.as_str()).collect::<Vec<_>>(), ["signature"]);
    assert_eq!(signed.to_play, 4, "games of another player are none of these");
}

#[test]
fn each_part_of_the_games_is_counted_by_itself() {
    let lab = lab_of_one(5);
    let part = |part| Selection { shard: Some(Shard { part, of: 2, games: 0 }), ..Selection::default() };
    let planned = lab.only(&part(2));
    let shard = Shard { part: 2, of: 2, games: 5 };
    assert_eq!(planned.path, lab.layout.records(&planned.key, Some(shard)));
    assert_eq!(planned.wanted_games().collect::<Vec<_>>(), [1, 3]);
    let whole = lab.only(&Selection::default());
    assert_eq!(whole.wanted_games().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let rest = PlannedExperiment { first: 2, ..planned.clone() };
    assert_eq!(rest.wanted_games().collect::<Vec<_>>(), [3], "what is stored elsewhere is not wanted");
    lab.store(&planned, "sha of one.so", &[1, 3], Some(shard));
    let told = |selection: &Selection| (lab.only(selection).status, lab.only(selection).to_play);
    assert_eq!(told(&part(2)), (Status::Complete { rows: 2 }, 0));
    assert_eq!(told(&part(1)), (Status::Missing, 3));
    assert_eq!(told(&Selection::default()), (Status::Missing, 5));
}

#[test]
fn games_of_a_journal_count_unless_they_are_in_the_records() {
    let lab = lab_of_one(6);
    let any = Selection::default();
    let planned = lab.only(&any);
    let told = |selection: &Selection| {
        let planned = lab.only(selection);
        (planned.journalled, planned.to_play)
    };
    lab.journal(&planned, &[0, 2, 5], false);
    assert_eq!(told(&any), (3, 3));
    assert_eq!(told(&games(5)), (2, 3), "game 5 is not wanted");
    lab.store(&planned, "sha of one.so", &[0, 1], None);
    assert_eq!(told(&any), (2, 2), "game 0 is in the records");
    let fresh = Selection { is_fresh: true, ..Selection::default() };
    assert_eq!(told(&fresh), (0, 6), "fresh games have a journal of their own");
    lab.journal(&planned, &[1], true);
    assert_eq!(told(&fresh), (1, 5));
    assert_eq!(told(&any), (2, 2));
    assert_eq!(lab.signed(&any, "s", None).journalled, 0, "the journal is another identity's");
}

#[test]
fn a_game_takes_the_cpu_time_that_those_before_it_took_on_average() {
    let lab = lab_of_one(9);
    let any = Selection::default();
    let planned = lab.only(&any);
    assert_eq!(planned.time_per_game, None);
    write_timing(&lab.layout.timing(&planned.key, None), &[timing(0, 70), timing(1, 71)]).unwrap();
    assert_eq!(lab.only(&any).time_per_game, Some(Duration::from_nanos(70)));
    lab.journal(&planned, &[8], false);
    assert_eq!(lab.only(&any).time_per_game, Some(Duration::from_nanos(149 / 3)), "those of the journal too");
    let unknown = GameTiming { game: 1, cpu_ns: 0, wall_ns: 91 };
    write_timing(&lab.layout.timing(&planned.key, None), &[timing(0, 70), unknown]).unwrap();
    assert_eq!(
        lab.only(&any).time_per_game,
        Some(Duration::from_nanos((70 + 91 + 8) / 3)),
        "wall time where there is no other"
    );
}

#[test]
fn records_of_another_file_or_without_a_second_signature_are_noticed() {
    let lab = lab_of_one(1);
    let any = Selection::default();
    let told = |second| {
        let planned = lab.signed(&any, "s", second);
        (planned.is_of_other_plugin, planned.lacks_second_signature)
    };
    assert_eq!(told(Some("t")), (false, false), "nothing is stored");
    lab.store(&lab.signed(&any, "s", None), "sha of one.so", &[0], None);
    assert_eq!(told(Some("t")), (false, true));
    assert_eq!(told(None), (false, false), "there is none to add");
    lab.store(&lab.signed(&any, "s", Some("t")), "sha of another.so", &[0], None);
    assert_eq!(told(Some("t")), (true, false));
    assert!(matches!(lab.signed(&any, "s", Some("u")).status, Status::Stale { .. }));
    assert_eq!(told(Some("u")), (false, false), "what is stale is played again anyway");
}
