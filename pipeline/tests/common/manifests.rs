//! Parts of manifests in TOML.

/// An experiment: its id, its agent, its games, and further lines.
pub(crate) fn experiment(id: &str, agent: &str, games: u64, more: &str) -> String {
    format!("[[experiment]]\nid = \"{id}\"\nagent = \"{agent}\"\ngames = {games}\n{more}\n")
}

/// A claim: its id, its kind, and further lines.
pub(crate) fn claim(id: &str, kind: &str, more: &str) -> String {
    format!("[[claim]]\nid = \"{id}\"\nkind = \"{kind}\"\n{more}\n")
}

/// A claim that the mean score of one experiment is higher than that of another.
pub(crate) fn order(better: &str, worse: &str) -> String {
    let experiments = format!("better = \"{better}\"\nworse = \"{worse}\"");
    let text = "text = \"Greedy beats random.\"\nplace = \"Text\"\nmetric = \"score.mean\"";
    claim("order", "ordinal", &format!("{text}\n{experiments}"))
}

/// A claim on the mean score of an experiment.
pub(crate) fn mean_score(id: &str, experiment: &str, published: u32, more: &str) -> String {
    let text = format!("text = \"It scores {published}.\"\nplace = \"Table 1\"\nmetric = \"score.mean\"");
    claim(id, "numeric", &format!("{text}\nexperiment = \"{experiment}\"\npublished = {published}\n{more}"))
}

/// A claim that nothing can test.
pub(crate) fn untestable(id: &str) -> String {
    claim(id, "untestable", "text = \"It is fun.\"\nplace = \"Text\"\nreason = \"Nobody was asked.\"")
}

pub(crate) fn interpretation(id: &str, name: &str) -> String {
    format!(
        "[[interpretation]]\nid = \"{id}\"\nname = \"{name}\"\ntext = \"The number is of this player.\"\n"
    )
}

/// A finding, and the verdicts that it needs.
pub(crate) fn finding(text: &str, needs: &str) -> String {
    format!("[[finding]]\ntext = \"{text}\"\nneeds = {{ {needs} }}\n")
}

/// A study of the skill of agent `tuned`: its id, and its method among further lines.
pub(crate) fn study(id: &str, how: &str) -> String {
    study_of(id, how, "skill = { from = 0, to = 1, digits = 2 }")
}

/// The same over another space.
pub(crate) fn study_of(id: &str, how: &str, space: &str) -> String {
    let head = format!("[[study]]\nid = \"{id}\"\nagent = \"tuned\"\nseed = 7\n");
    format!("{head}winners = {{ best = 2, games = 5, seed = 9 }}\n{how}\n[study.space]\n{space}\n")
}

/// A genetic search of 18 trials of 3 games.
pub(crate) const GENETIC: &str = "games = 3\nseeds = \"fresh\"\n\
    method = { kind = \"genetic\", population = 6, iterations = 3, mutation_probability = 0.1, crossover_probability = 0.5 }";

/// Eight trials of 3 games. A forged one leaves the others as they are: the method learns nothing from them.
pub(crate) const SOBOL: &str =
    "games = 3\nseeds = \"fresh\"\nmethod = { kind = \"sobol\", points = 8, batch = 4 }";

/// A training of a small network, which takes a second or less.
pub(crate) fn training(id: &str, games: u64, more: &str) -> String {
    let params = "params = { tuples = \"0123 0145\", step = 1.0 }";
    format!("[[training]]\nid = \"{id}\"\nagent = \"ntuple\"\ngames = {games}\n{params}\n{more}\n")
}

/// A training that takes long enough to be stopped in: some seconds.
pub(crate) const LONG_TRAINING: &str = r#"
[[training]]
id = "long"
agent = "szubert-ntuple"
games = 6000
curve_every = 1000
"#;
