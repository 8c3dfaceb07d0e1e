//! Studies: read to their values, with the experiments that they stand for.

mod agents;
mod claims;
mod methods;
mod rejections;

use search::{Dimension, Nsga, Range, Scale, Seeds, TrialEvaluation};

use super::*;

/// The example's study, so that keys that other entries have too can be replaced.
fn study_keys() -> &'static str {
    &EXAMPLE[EXAMPLE.find("[[study]]").unwrap()..]
}

/// The example with one piece of its study replaced.
fn with(old: &str, new: &str) -> String {
    let keys = study_keys();
    assert_eq!(keys.matches(old).count(), 1, "{old:?} stands once in the study");
    EXAMPLE.replace(keys, &keys.replace(old, new))
}

const METHOD: &str = "{ kind = \"nsga\", population = 8, generations = 3, mutation_index = 10 }";
const WINNERS: &str = "{ best = 2, games = 200, seed = \"0x1000\" }";
const OBJECTIVES: &str = "objectives = [\"score\", \"cost\"]\n";

/// The example with another method, for its first objective alone where that takes only one.
fn with_method(method: &str, objectives: &str) -> String {
    with(METHOD, method).replace(OBJECTIVES, objectives)
}

#[track_caller]
fn said(text: &str) -> Vec<String> {
    let error = read(text).expect_err(text).to_string();
    let problem = |line: &str| line.strip_prefix(FILE).unwrap_or(line).to_owned();
    error.lines().map(problem).collect()
}

#[test]
fn a_study_is_read_with_all_its_keys() {
    let paper = read(EXAMPLE).unwrap();
    let dimension = |name: &str, range| Dimension { name: name.to_owned(), range };
    let space = vec![
        dimension("depth", Range::Integer { from: 1, to: 9, scale: Scale::Linear }),
        dimension("tie", Range::Choice { count: 2 }),
        dimension("top", Range::Real { from: 0.001, to: 1.0, scale: Scale::Logarithmic, digits: 3 }),
    ];
    let expected = Study {
        id: "tuned".into(),
        name: Some("MDP, tuned".into()),
        agent: "mdp".into(),
        params: object(json!({"memo": false})),
        files: BTreeMap::new(),
        budget: Budget::Plies(2),
        rules: Rules { four: Odds::new(1, 5).unwrap(), ..paper_rules() },
        seed: 500,
        space: search::Space::new(space).unwrap(),
        choices: [("tie".to_owned(), vec![json!("first"), json!("last")])].into(),
        objectives: vec![Objective::Score, Objective::Cost],
        evaluation: TrialEvaluation { games: 9, seeds: Seeds::Common },
        method: SearchMethod::Nsga(Nsga { mutation_index: 10.0, ..Nsga::usual(8, 3) }),
        winners: Winners { best: 2, games: 200, seed: 4096 },
        set: Set::Default,
        note: Some("The ranges are ours.".into()),
        conditional_on: vec![note_id("D-2"), note_id("D-1")],
        move_limit_ms: 4000,
        fault_share: Odds::new(1, 8).unwrap(),
        variant: Some(Variant::AsWritten),
    };
    assert_eq!(paper.studies, [expected]);
    assert_eq!(paper.study("tuned"), paper.studies.first());
}

#[test]
fn a_study_has_defaults_for_what_no_search_needs() {
    let text = format!(
        "{}[[study]]\nid = \"s\"\nagent = \"mdp\"\ngames = 1\nmethod = {{ kind = \"sobol\", points = 4, batch = 2 }}\n\
         winners = {{ best = 4, games = 1, seed = 1 }}\nspace = {{ depth = {{ from = 1, to = 9, integer = true }} }}\n",
        &EXAMPLE[..EXAMPLE.find("[[study]]").unwrap()]
    );
    let study = read(&text).unwrap().studies.remove(0);
    assert_eq!((study.name(), study.seed, study.set), ("s", 2048, Set::Default));
    assert_eq!(study.objectives, [Objective::Score]);
    assert_eq!(study.evaluation, TrialEvaluation { games: 1, seeds: Seeds::Fresh });
    assert_eq!((study.budget, study.move_limit_ms), (Budget::None, DEFAULT_MOVE_LIMIT_MS));
    assert_eq!((study.fault_share, study.variant), (DEFAULT_FAULT_SHARE, None));
}

#[test]
fn winners_are_experiments_of_their_own_role_on_games_of_their_own() {
    let paper = read(EXAMPLE).unwrap();
    let ids: Vec<&str> = paper.experiments.iter().map(|experiment| experiment.id.as_str()).collect();
    assert_eq!(ids, ["pure", "mdp-25", "tuned-best-1", "tuned-best-2", "tuned-default"]);
    let study = paper.study("tuned").unwrap();
    let second = paper.experiment("tuned-best-2").unwrap();
    let expected = Experiment {
        id: "tuned-best-2".into(),
        agent: "mdp".into(),
        params: object(json!({"memo": false})),
        files: BTreeMap::new(),
        budget: Budget::Plies(2),
        games: 200,
        seed: 4096,
        rules: study.rules.clone(),
        set: Set::Default,
        note: None,
        conditional_on: study.conditional_on.clone(),
        move_limit_ms: 4000,
        fault_share: study.fault_share,
        variant: Some(Variant::AsWritten),
        method: Some("MDP, tuned, best 2".into()),
        role: Role::Winner,
        acknowledged_faults: 0,
        compared: false,
        winner: Some(Winner { study: "tuned".into(), place: 2 }),
    };
    assert_eq!(*second, expected);
    let default = paper.experiment("tuned-default").unwrap();
    assert_eq!(
        (default.role, &default.winner, default.method()),
        (Role::Winner, &None, "MDP, tuned, default")
    );
    for experiment in [second, default] {
        assert_eq!(paper.study_of(experiment), Some(study));
    }
    assert_eq!(paper.study_of(paper.experiment("pure").unwrap()), None);
}

#[test]
fn a_point_becomes_parameters_of_the_kinds_that_its_space_has() {
    let study = read(EXAMPLE).unwrap().studies.remove(0);
    let params = study.params_at(&study.space.point(&[1.0, 1.0, 0.0]));
    assert_eq!(Value::Object(params), json!({"memo": false, "depth": 9, "tie": "last", "top": 0.001}));
}

#[test]
fn the_study_and_the_claim_of_the_documentation_are_read() {
    let page = include_str!("../../../../../docs/studies.md");
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let [study, claim] = blocks.as_slice() else { panic!("{} blocks", blocks.len()) };
    let ids = ["bayes-1", "bayes-2", "bayes-3", "nsga-1", "nsga-2", "nsga-3"];
    let studies = ids.map(|id| study.replace("\"tuned\"", &format!("\"{id}\""))).concat();
    let text = format!("[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n{study}{studies}{claim}");
    let paper = read(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(paper.claims[0].studies(), ids);
    let tuned = paper.study("tuned").unwrap();
    assert_eq!((tuned.winners.best, tuned.space.len(), tuned.method.facts().most_trials), (5, 4, 64));
}
