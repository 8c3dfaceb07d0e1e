//! `ro-crate-metadata.json`: a bundle described for machines, as an RO-Crate 1.1 under the Process Run Crate
//! profile 0.5.
//!
//! Every job is an action: an agent made records, trials or weights from a manifest. Ids come from names and
//! hashes, so that the same bundle has the same ids.

use jobs::{Canonical as _, Provenance};
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::contents::{ARTEFACTS, BundledJob, CONFIGS, RESULTS, SOURCE};
use super::metadata::{Author, CitationFile};
use super::{BundleError, CHECKSUMS, Contents, Statement};
use manifest::Paper;
use platform::hash::sha256;
use project::kinds;
use text::{capitalised, counted};

/// The file's name, which the standard fixes.
pub(super) const METADATA: &str = "ro-crate-metadata.json";
const SPECIFICATION: &str = "https://w3id.org/ro/crate/1.1";
const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";
/// The program that drives the agents.
const PIPELINE: &str = "#pipeline";

/// What is described.
pub(super) struct CrateInput<'a> {
    pub(super) statement: &'a Statement,
    pub(super) citation: &'a CitationFile,
    pub(super) papers: &'a [Paper],
    pub(super) jobs: &'a [BundledJob],
}

impl CrateInput<'_> {
    /// The whole file.
    pub(super) fn metadata(&self, contents: &Contents) -> Result<Value, BundleError> {
        let files = files(contents)?;
        let actions: Vec<Value> = self.jobs.iter().map(|job| self.action(job, contents)).collect();
        let license = &self.citation.fields.license;
        let mut graph = vec![
            json!({
                "@id": METADATA,
                "@type": "CreativeWork",
                "about": id("./"),
                "conformsTo": id(SPECIFICATION),
            }),
            self.root(&files, &actions),
            json!({"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}),
            json!({
                "@id": self.license_url(),
                "@type": "CreativeWork",
                "name": license,
                "description": format!("The licence {license}"),
            }),
            json!({
                "@id": format!("{SOURCE}/"),
                "@type": "Dataset",
                "name": "Source",
                "description": "The repository at the commit, without its results",
                "version": self.statement.commit,
            }),
        ];
        graph.extend(self.citation.fields.authors.iter().map(author));
        graph.push(json!({
            "@id": PIPELINE,
            "@type": "SoftwareApplication",
            "name": "Retile",
            "description": "Runs the experiments of manifests on agent plugins",
            "softwareVersion": self.statement.pipeline,
            "url": self.address(),
        }));
        graph.extend(self.agents());
        graph.extend(self.papers.iter().map(article));
        graph.extend(actions);
        graph.extend(files);
        Ok(json!({"@context": format!("{SPECIFICATION}/context"), "@graph": graph}))
    }

    fn root(&self, files: &[Value], actions: &[Value]) -> Value {
        let fields = &self.citation.fields;
        let parts: Vec<Value> = files.iter().map(reference).chain([id(&format!("{SOURCE}/"))]).collect();
        json!({
            "@id": "./",
            "@type": "Dataset",
            "name": fields.title,
            "description": CitationFile::description(self.statement),
            "datePublished": self.statement.time(),
            "version": self.citation.version(self.statement),
            "identifier": self.statement.name,
            "license": id(&self.license_url()),
            "author": compact(fields.authors.iter().map(|author| id(&author_id(author)))),
            "keywords": fields.keywords.join(", "),
            "conformsTo": id(PROFILE),
            "citation": compact(self.papers.iter().map(|paper| id(&article_id(paper)))),
            "hasPart": parts,
            "mentions": compact(actions.iter().map(reference)),
        })
    }

    fn license_url(&self) -> String {
        format!("https://spdx.org/licenses/{}", self.citation.fields.license)
    }

    /// The address of the program; without one, that of what the bundle says of it.
    fn address(&self) -> String {
        self.citation.fields.repository_code.clone().unwrap_or_else(|| format!("{SOURCE}/README.md"))
    }

    /// The agents that played, each version once.
    fn agents(&self) -> Vec<Value> {
        let mut agents = BTreeMap::new();
        for (agent, agent_version) in self.jobs.iter().map(|job| job.stored.agent()) {
            let described = json!({
                "@id": agent_id((agent, agent_version)),
                "@type": "SoftwareApplication",
                "name": agent,
                "description": format!("The agent `{agent}`, a plugin of Retile"),
                "softwareVersion": agent_version,
                "softwareRequirements": id(PIPELINE),
                "url": self.address(),
            });
            agents.insert((agent, agent_version), described);
        }
        agents.into_values().collect()
    }

    /// A job: which agent made what from which manifest, and when.
    fn action(&self, job: &BundledJob, contents: &Contents) -> Value {
        let BundledJob { words, key, stored, .. } = job;
        let (agent, hash) = (stored.agent(), stored.identity.hash());
        let (rows, name) = (counted(stored.rows, words.row), words.key_at(&job.file));
        let given =
            stored.artefact.as_ref().map_or_else(String::new, |sha256| format!(", artefact {sha256}"));
        let loaded =
            job.loaded().filter_map(|(_, sha256)| in_bundle(&format!("{ARTEFACTS}/{sha256}"), contents));
        // Times that were not measured have no file.
        let results = [words.folder, "timing"].into_iter().filter_map(|folder| {
            in_bundle(&format!("{RESULTS}/{folder}/{}.parquet", name.as_ref()?), contents)
        });
        let artefact = stored.artefact.as_ref();
        let artefact = artefact.and_then(|sha256| in_bundle(&format!("{ARTEFACTS}/{sha256}"), contents));
        let manifest = id(&format!("{CONFIGS}/{}.toml", key.paper));
        let mut described = json!({
            "@id": format!("#{}-{}", words.command, short_hash(&format!("{key}\n{hash}"))),
            "@type": "CreateAction",
            "name": format!("{key}: {rows} of {}", agent.0),
            "description": format!("Identity {hash}, digest {}{given}{}", stored.digest, played_on(&stored.provenance)),
            "actionStatus": "http://schema.org/CompletedActionStatus",
            "agent": self.citation.fields.authors.first().map(|author| id(&author_id(author))),
            "instrument": id(&agent_id(agent)),
            "object": compact(std::iter::once(manifest).chain(loaded)),
            "result": compact(results.chain(artefact)),
        });
        if let Some(last) = stored.provenance.last() {
            // Validators know only offsets, not the letter Z.
            described["endTime"] = last.date.replace('Z', "+00:00").into();
        }
        described
    }
}

/// A file, if it is in the bundle.
fn in_bundle(name: &str, contents: &Contents) -> Option<Value> {
    contents.has(name).then(|| id(name))
}

/// The kinds of machines that something was played on, in words that can follow others.
fn played_on(provenance: &[Provenance]) -> String {
    let machines: BTreeSet<String> = provenance.iter().map(Provenance::machine).collect();
    match machines.is_empty() {
        true => String::new(),
        false => format!("; played on {}", machines.into_iter().collect::<Vec<_>>().join("; ")),
    }
}

fn author(author: &Author) -> Value {
    let kind = if author.is_person() { "Person" } else { "Organization" };
    json!({"@id": author_id(author), "@type": kind, "name": author.full_name()})
}

fn author_id(author: &Author) -> String {
    author.orcid.clone().unwrap_or_else(|| format!("#author-{}", short_hash(&author.full_name())))
}

fn agent_id((agent, version): (&str, &str)) -> String {
    format!("#agent-{}", short_hash(&format!("{agent}\n{version}")))
}

fn article_id(paper: &Paper) -> String {
    let doi = paper.citation.doi.as_ref().map(|doi| format!("https://doi.org/{doi}"));
    doi.or_else(|| paper.citation.url.clone()).unwrap_or_else(|| format!("#paper-{}", paper.id))
}

fn article(paper: &Paper) -> Value {
    let citation = &paper.citation;
    let mut article = json!({
        "@id": article_id(paper),
        "@type": if paper.comparison { "CreativeWork" } else { "ScholarlyArticle" },
        "name": citation.title,
        "description": format!("By {}", citation.authors.join(", ")),
    });
    if let Some(year) = citation.year {
        article["datePublished"] = year.to_string().into();
    }
    article
}

/// The files, but for the source, which is described as a whole. The checksums are made last and of these.
fn files(contents: &Contents) -> Result<Vec<Value>, BundleError> {
    let mut files = Vec::new();
    for (name, item) in contents.iter() {
        if !name.starts_with(&format!("{SOURCE}/")) {
            let (size, _) = item.open()?;
            let mut file = file(name);
            file["contentSize"] = size.to_string().into();
            files.push(file);
        }
    }
    files.push(file(CHECKSUMS));
    Ok(files)
}

fn file(name: &str) -> Value {
    let mut file = json!({"@id": name, "@type": "File", "name": name, "encodingFormat": format_of(name)});
    if let Some(description) = description_of(name) {
        file["description"] = description.into();
    }
    file
}

fn format_of(name: &str) -> &'static str {
    if name.starts_with(&format!("{ARTEFACTS}/")) {
        return "application/zstd";
    }
    match name.rsplit('.').next() {
        Some("parquet") => "application/vnd.apache.parquet",
        Some("json") => "application/json",
        Some("toml") => "application/toml",
        Some("md") => "text/markdown",
        Some("csv") => "text/csv",
        Some("tex") => "application/x-tex",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("html") => "text/html",
        Some("cff") => "application/yaml",
        _ => "text/plain",
    }
}

fn description_of(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('/').collect();
    let kind = parts.get(1).and_then(|part| kinds().into_iter().find(|kind| kind.words().folder == *part));
    if let (Some(&RESULTS), Some(kind)) = (parts.first(), kind) {
        return Some(capitalised(kind.words().file));
    }
    let description = match parts[..] {
        [CONFIGS, ..] => "A paper's manifest: rules, experiments, claims",
        [ARTEFACTS, _] => {
            "Weights or a table that an agent needs, under the SHA-256 of its content, packed by zstd"
        }
        [RESULTS, "timing", ..] => "The time of every game of an experiment, or of every trial of a study",
        [RESULTS, "tables", ..] => "A table, made from the records",
        [RESULTS, "figures", ..] => "A figure, made from the records",
        [RESULTS, "report", ..] => "The report on all papers",
        [RESULTS, "claims.json"] => "The verdicts on all claims",
        [RESULTS, "claims.csv"] => "The verdicts on all claims in a table of numbers",
        [RESULTS, "catalogue.parquet"] => {
            "Every experiment in a row: what it plays, its records, what they come to"
        }
        [RESULTS, "index.json"] => "Which records belong to which experiment",
        [RESULTS, CHECKSUMS] => "The SHA-256 of every other file of the results",
        [CHECKSUMS] => "The SHA-256 of every other file",
        ["README.md"] => "How to check this bundle, and what is where",
        _ => return None,
    };
    Some(description.to_owned())
}

fn id(id: &str) -> Value {
    json!({"@id": id})
}

/// One value as it is, several as a list: the compact form that the standard asks for.
fn compact(values: impl Iterator<Item = Value>) -> Value {
    let mut values: Vec<Value> = values.collect();
    if values.len() == 1 { values.swap_remove(0) } else { values.into() }
}

fn reference(entity: &Value) -> Value {
    json!({"@id": entity["@id"]})
}

fn short_hash(text: &str) -> String {
    sha256(text)[..32].to_owned()
}
