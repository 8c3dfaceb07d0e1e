//! Finding agents by what a command line calls them: an id, a file, `FILE:ID` or an experiment, with settings
//! behind commas.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::Rules;
use engine::abi::host::AgentInfo;
use engine::agent::Budget;

use crate::cli::{Places, Setting};
use crate::context::launcher;
use crate::failure::Failure;
use crate::lookup::chosen_agent::ChosenAgent;
use crate::naming::{AgentSettings, AgentSpec, RuleText, no_budget, perhaps};
use crate::plan::AgentFiles;
use jobs::{Blocked, Key};
use manifest::{Experiment, FileSource, Paper, Role, Set};
use platform::ConfinedPath;
use platform::hash::file_sha256;
use platform::plain::line;
use project::Project;
use records::Layout;
use trainings::{Artefacts, StoredTrainings};
use workers::plugin::is_file_name;
use workers::{AgentFile, Catalogue, Files, Launcher, PluginEntry};

/// Where a message sends the user for files.
const LIST: &str = "`pipeline artefacts` lists what there is";

/// Finds agents. Folders and manifests are looked through at the first name that needs it.
pub(crate) struct Finder {
    pub(crate) launcher: Launcher,
    places: Places,
    artefacts: Artefacts,
    found: Option<Catalogue>,
    /// The papers as the manifests have them.
    papers: Option<Vec<Paper>>,
}

/// What a name stands for.
pub(crate) struct NamedAgent {
    pub(crate) plugin: Arc<PluginEntry>,
    pub(crate) agent: AgentInfo,
    pub(crate) experiment: Option<Experiment>,
}

impl Finder {
    pub(crate) fn new(places: &Places) -> Result<Self, Failure> {
        Ok(Self {
            launcher: launcher(places.loading.memory)?,
            artefacts: Artefacts::new(&places.loading.artefacts),
            places: places.clone(),
            found: None,
            papers: None,
        })
    }

    /// The agent that a text names, with the settings behind it, options for it, and the rules that it or its
    /// experiment plays by.
    pub(crate) fn choose(&mut self, text: &str, setting: &Setting) -> Result<ChosenAgent, Failure> {
        let spec = spec(text)?;
        let NamedAgent { plugin, agent, experiment } = self.find(&spec.name)?;
        let settings = AgentSettings::of(experiment.as_ref());
        let settings = settings.read(&agent, &setting.params, setting.budget, &spec.settings);
        let AgentSettings { params, budget, files } = settings.map_err(Failure::usage)?;
        let files = self.files(&agent, &files, experiment.as_ref())?;
        let (budget, budget_of) = match budget {
            Some(budget) => (budget, None),
            None => self.default_budget(&agent)?,
        };
        let base = experiment.as_ref().map(|experiment| experiment.rules.clone()).unwrap_or_default();
        let rules = self.rules(base, &setting.rules)?;
        let label = spec.to_string();
        Ok(ChosenAgent { label, plugin, agent, params, files, budget, budget_of, rules, experiment })
    }

    /// Rules with those of a command line laid over them.
    pub(crate) fn rules(&mut self, base: Rules, given: &[RuleText]) -> Result<Rules, Failure> {
        let wrong = |problem: String| Failure::usage(format!("--rules: {problem}"));
        let mut rules = base;
        for text in given {
            rules = match text {
                RuleText::Of(name) => self.rules_of(name)?,
                RuleText::Set(name, value) => RuleText::lay(name, value, &rules).map_err(wrong)?,
            };
        }
        rules.validate().map_err(|error| wrong(error.to_string()))?;
        Ok(rules)
    }

    fn rules_of(&mut self, name: &str) -> Result<Rules, Failure> {
        if name.contains('/') {
            return Ok(self.experiment(name)?.rules);
        }
        let papers = self.papers()?;
        let paper = papers.iter().find(|paper| paper.id == name);
        paper.map(|paper| paper.rules.clone()).ok_or_else(|| {
            let near = perhaps(name, papers.iter().map(|paper| paper.id.as_str()));
            Failure::usage(format!(
                "--rules: `{name}` is neither NAME=VALUE nor a paper or experiment.{near}"
            ))
        })
    }

    /// What a name stands for. A file that is there is one, whatever experiment is called so.
    pub(crate) fn find(&mut self, name: &str) -> Result<NamedAgent, Failure> {
        if self.is_experiment(name) {
            let experiment = self.experiment(name)?;
            let (plugin, agent) = self.by_id(&experiment.agent)?;
            return Ok(NamedAgent { plugin, agent, experiment: Some(experiment) });
        }
        let (plugin, agent) = match file_and_id(name) {
            Some((file, id)) => self.in_file(&file, id)?,
            None => self.by_id(name)?,
        };
        Ok(NamedAgent { plugin, agent, experiment: None })
    }

    /// Whether a name can only be an experiment's: a file of that name goes before it.
    pub(crate) fn is_experiment(&self, name: &str) -> bool {
        name.parse::<Key>().is_ok() && !Path::new(name).exists() && self.places.configs.is_dir()
    }

    /// The agent that a name stands for, without settings.
    pub(crate) fn agent(&mut self, name: &str) -> Result<(Arc<PluginEntry>, AgentInfo), Failure> {
        let spec = spec(name)?;
        let NamedAgent { plugin, agent, .. } = self.find(&spec.name)?;
        Ok((plugin, agent))
    }

    /// The papers as the manifests have them; none if there is no folder of them.
    pub(crate) fn papers(&mut self) -> Result<&[Paper], Failure> {
        if self.papers.is_none() {
            let is_there = self.places.configs.is_dir();
            self.papers =
                Some(if is_there { manifest::load_folder(&self.places.configs)? } else { Vec::new() });
        }
        Ok(self.papers.as_deref().unwrap_or_default())
    }

    /// The experiment with this name, as `PAPER/EXPERIMENT`; with the parameters that its study has found, if
    /// it plays a winner.
    fn experiment(&mut self, name: &str) -> Result<Experiment, Failure> {
        let key: Key = name.parse().map_err(|error| Failure::usage(format!("{error}")))?;
        let (configs, results) = (self.places.configs.display().to_string(), Layout::new(&self.places.out));
        let papers = self.papers()?;
        let Some(paper) = papers.iter().find(|paper| paper.id == key.paper) else {
            let ids: Vec<&str> = papers.iter().map(|paper| paper.id.as_str()).collect();
            let known = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
            let near = perhaps(&key.paper, ids);
            return Err(Failure::usage(format!(
                "`{name}` is neither a file nor an experiment.{near} Papers in {configs}: {known}"
            )));
        };
        let Some(experiment) = paper.experiment(&key.id) else {
            let near = perhaps(&key.id, paper.experiments.iter().map(|known| known.id.as_str()));
            let remedy = match paper.study(&key.id) {
                Some(_) => {
                    "That is a study: its winners are experiments once `pipeline study` has run it".to_owned()
                }
                None => format!("`pipeline explain {}` lists those that it has", paper.id),
            };
            let text = format!("paper `{}` has no experiment `{}`.{near} {remedy}", paper.id, key.id);
            return Err(Failure::usage(text));
        };
        if experiment.winner.is_none() {
            return Ok(experiment.clone());
        }
        let project = Project::resolve(papers.to_vec(), &results, |_| None);
        match (project.blocked(&key), project.experiment(&key)) {
            (Some(blocked), _) if blocked.kind.kind == "study" => {
                Err(Failure::usage(Blocked::sentence(&[blocked])))
            }
            (_, Some((_, resolved))) => Ok(resolved.clone()),
            (_, None) => Err(Failure::usage(format!("there is no experiment {key}"))),
        }
    }

    /// The budget of an agent that is given none: that of the first experiment that uses it, those of the
    /// default set first; none for an agent that needs none.
    fn default_budget(&mut self, agent: &AgentInfo) -> Result<(Budget, Option<Key>), Failure> {
        if agent.capabilities.takes(Budget::None) {
            return Ok((Budget::None, None));
        }
        first_use(self.papers()?, agent)
            .map(|(key, budget)| (budget, Some(key)))
            .ok_or_else(|| Failure::usage(no_budget(agent)))
    }

    /// The files that an agent loads: what the command line gives, or what the experiment that is named
    /// says, or else the first that uses the agent.
    pub(crate) fn files(
        &mut self,
        agent: &AgentInfo,
        given: &BTreeMap<String, String>,
        experiment: Option<&Experiment>,
    ) -> Result<Files, Failure> {
        if agent.files.is_empty() {
            return Ok(Files::new());
        }
        let wrong = |problem: String| Failure::usage(format!("agent `{}`: {problem}", agent.id));
        let usual = match experiment {
            Some(experiment) => experiment.files.clone(),
            None => first_files(self.papers()?, agent),
        };
        let (mut files, mut sources) = (Files::new(), BTreeMap::new());
        for role in &agent.files {
            match (given.get(role), usual.get(role)) {
                (Some(text), _) if Path::new(text).is_file() => {
                    let file = own_file(Path::new(text))
                        .map_err(|error| wrong(format!("file `{role}`: {text}: {error}")))?;
                    files.insert(role.clone(), file);
                }
                (Some(text), _) => {
                    let text = line(text);
                    let source = text.parse::<FileSource>().map_err(|_| {
                        wrong(format!("file `{role}`: `{text}` is neither a file nor PAPER/TRAINING nor a SHA-256; {LIST}"))
                    })?;
                    sources.insert(role.clone(), source);
                }
                (None, Some(source)) => drop(sources.insert(role.clone(), source.clone())),
                (None, None) => {
                    let id = &agent.id;
                    return Err(wrong(format!(
                        "it needs a file in the role `{role}`, and no experiment says which: write {id},{role}=FILE, \
                         PAPER/TRAINING or a SHA-256; {LIST}"
                    )));
                }
            }
        }
        let results = Layout::new(&self.places.out);
        let trainings = &StoredTrainings::read(self.papers()?, &results);
        let found = AgentFiles { trainings, artefacts: &self.artefacts };
        files.extend(found.find(&Catalogue::default(), &sources).map_err(|error| wrong(error.to_string()))?);
        Ok(files)
    }

    fn in_file(&self, file: &Path, id: Option<&str>) -> Result<(Arc<PluginEntry>, AgentInfo), Failure> {
        let path = file
            .canonicalize()
            .map_err(|error| Failure::usage(format!("{}: {error}; check the path", file.display())))?;
        let catalogue = Catalogue::of_files(&self.launcher, vec![path])?;
        if let Some(broken) = catalogue.broken.first() {
            return Err(Failure::usage(broken.reason.clone()));
        }
        let Some(plugin) = catalogue.plugins.into_iter().next() else { unreachable!("it is not broken") };
        let ids: Vec<&str> = plugin.agents.iter().map(|agent| agent.id.as_str()).collect();
        let chosen = match (id, &plugin.agents[..]) {
            (None, [only]) => Some(only.clone()),
            (None, _) => None,
            (Some(id), agents) => agents.iter().find(|agent| agent.id == id).cloned(),
        };
        let agent = chosen.ok_or_else(|| {
            let file = file.display();
            let wrong = id.map_or("offers several agents".to_owned(), |id| format!("has no agent `{id}`"));
            Failure::usage(format!("{file}: {wrong}; write {file}:ID with one of: {}", ids.join(", ")))
        })?;
        Ok((plugin, agent))
    }

    /// All agents of the folders where agents are looked for.
    pub(crate) fn catalogue(&mut self) -> Result<&Catalogue, Failure> {
        if self.found.is_none() {
            self.found = Some(Catalogue::discover(&self.launcher, &self.places.loading.plugins)?);
        }
        let Some(catalogue) = &self.found else { unreachable!("it was looked for") };
        Ok(catalogue)
    }

    fn by_id(&mut self, id: &str) -> Result<(Arc<PluginEntry>, AgentInfo), Failure> {
        let catalogue = self.catalogue()?;
        if let Some((_, one, other)) = catalogue.clashes().into_iter().find(|(clash, ..)| clash == id) {
            let (one, other) = (one.display(), other.display());
            return Err(Failure::usage(format!(
                "agent `{id}` is in two plugins, {one} and {other}: name one of the files instead"
            )));
        }
        let found = catalogue.find(id).map(|(plugin, agent)| (plugin.clone(), agent.clone()));
        found.ok_or_else(|| unknown(catalogue, id))
    }
}

/// An id that no agent has.
fn unknown(catalogue: &Catalogue, id: &str) -> Failure {
    let mut known: Vec<String> = catalogue.agents().into_iter().map(|agent| agent.id).collect();
    known.sort();
    let near = perhaps(id, known.iter().map(String::as_str));
    let broken = catalogue.broken.iter().map(|plugin| format!("\n{}", plugin.reason));
    Failure::usage(format!(
        "no agent is called `{id}`.{near} Known: {}. Name a file by its path: ./{id}{}",
        known.join(", "),
        broken.collect::<String>()
    ))
}

/// The text of an agent with its settings.
pub(crate) fn spec(text: &str) -> Result<AgentSpec, Failure> {
    text.parse().map_err(|error: String| Failure::usage(error))
}

/// Whether a paper is the one that an agent cites.
fn is_of(agent: &AgentInfo, paper: &Paper) -> bool {
    agent.paper.to_lowercase().contains(&paper.citation.title.to_lowercase())
}

/// The paper that an agent cites, or else the first that uses it; a comparison only where no other does.
pub(crate) fn paper_of<'a>(agent: &AgentInfo, papers: &'a [Paper]) -> Option<&'a Paper> {
    let uses = |paper: &&Paper| paper.experiments.iter().any(|experiment| experiment.agent == agent.id);
    papers.iter().filter(uses).min_by_key(|paper| (!is_of(agent, paper), paper.comparison))
}

/// The experiments that use an agent, in order of preference: of the paper that it cites before others, of
/// the default sets before the extra ones, and those that show play before those that only measure.
fn uses<'a>(papers: &'a [Paper], agent: &AgentInfo) -> Vec<(&'a Paper, &'a Experiment)> {
    let all = papers.iter().flat_map(|paper| paper.experiments.iter().map(move |used| (paper, used)));
    let mut uses: Vec<_> = all.filter(|(_, used)| used.agent == agent.id).collect();
    let rank = |(paper, used): &(&Paper, &Experiment)| {
        (!is_of(agent, paper), used.set == Set::Extra, used.role != Role::Play)
    };
    uses.sort_by_key(rank);
    uses
}

/// The first experiment that uses an agent with a budget that it takes.
pub(crate) fn first_use(papers: &[Paper], agent: &AgentInfo) -> Option<(Key, Budget)> {
    let mut uses = uses(papers, agent).into_iter();
    let (paper, used) = uses.find(|(_, used)| agent.capabilities.takes(used.budget))?;
    Some((Key::new(&paper.id, &used.id), used.budget))
}

/// The files of the first experiment that uses an agent with files, if there is one.
fn first_files(papers: &[Paper], agent: &AgentInfo) -> BTreeMap<String, FileSource> {
    let used = uses(papers, agent).into_iter().find(|(_, used)| !used.files.is_empty());
    used.map(|(_, used)| used.files.clone()).unwrap_or_default()
}

/// A file of the user's own, with its hash.
fn own_file(path: &Path) -> io::Result<AgentFile> {
    let path = path.canonicalize()?;
    Ok(AgentFile { sha256: file_sha256(&path)?, path: ConfinedPath::file(&path) })
}

/// The file that a text names, and the id behind the colon; `None` if it names no file.
fn file_and_id(name: &str) -> Option<(PathBuf, Option<&str>)> {
    match name.rsplit_once(':') {
        Some((file, id)) if is_file_name(file) && !id.contains('/') => Some((file.into(), Some(id))),
        _ => is_file_name(name).then(|| (name.into(), None)),
    }
}
