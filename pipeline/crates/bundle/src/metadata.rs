//! How a bundle is cited: `CITATION.cff` of the repository with commit and day, and the same for Zenodo.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{BundleError, Statement};
use manifest::Paper;

/// What the repository's `CITATION.cff` says.
pub(super) struct CitationFile {
    text: String,
    /// What this program needs of it.
    pub(super) fields: CitationFields,
}

/// The fields of a `CITATION.cff` that this program needs.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct CitationFields {
    pub(super) title: String,
    pub(super) authors: Vec<Author>,
    pub(super) license: String,
    #[serde(default)]
    pub(super) keywords: Vec<String>,
    pub(super) version: Option<String>,
    commit: Option<String>,
    date_released: Option<String>,
    pub(super) repository_code: Option<String>,
}

/// An author: a person, or a group with one name.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Author {
    name: Option<String>,
    given_names: Option<String>,
    family_names: Option<String>,
    pub(super) orcid: Option<String>,
}

impl Author {
    /// Whether this is a person, not a group.
    pub(super) const fn is_person(&self) -> bool {
        self.name.is_none()
    }

    /// The name in the order of libraries: family name first.
    fn sorting_name(&self) -> String {
        self.joined([&self.family_names, &self.given_names], ", ")
    }

    /// The name in the order of speech.
    pub(super) fn full_name(&self) -> String {
        self.joined([&self.given_names, &self.family_names], " ")
    }

    fn joined(&self, names: [&Option<String>; 2], between: &str) -> String {
        let person: Vec<&str> = names.into_iter().filter_map(|name| name.as_deref()).collect();
        self.name.clone().unwrap_or_else(|| person.join(between))
    }
}

impl CitationFile {
    pub(super) fn read(file: &Path) -> Result<Self, BundleError> {
        let text = fs::read_to_string(file).map_err(BundleError::io(file, "read how to cite the results"))?;
        let fields = serde_yaml_ng::from_str(&text)
            .map_err(|error| BundleError::form(file, format!("not a citation file: {error}")))?;
        Ok(Self { text, fields })
    }

    /// The file for a bundle: as it is, with the commit and the day where it does not name them.
    pub(super) fn of_bundle(&self, statement: &Statement) -> String {
        let mut text = format!("{}\n", self.text.trim_end());
        if self.fields.commit.is_none() {
            text.push_str(&format!("commit: {}\n", statement.commit));
        }
        if self.fields.date_released.is_none() {
            text.push_str(&format!("date-released: \"{}\"\n", statement.day()));
        }
        text
    }

    /// The version, with the commit.
    pub(super) fn version(&self, statement: &Statement) -> String {
        let commit = statement.name.trim_start_matches("retile-");
        match &self.fields.version {
            Some(version) => format!("{version}+{commit}"),
            None => commit.to_owned(),
        }
    }

    /// What there is, in a few sentences.
    pub(super) fn description(statement: &Statement) -> String {
        let what = format!(
            "{} that test published claims about programs that play 2048: every game as a record that can \
             be replayed without its program, with the manifests, the verdicts, tables, figures and report made from them, and the \
             source, at commit {}.",
            statement.extent(),
            statement.commit
        );
        [vec![what], statement.warnings()].concat().join(" ")
    }

    /// The metadata that Zenodo reads.
    pub(super) fn zenodo(&self, statement: &Statement, papers: &[Paper]) -> Value {
        let creators: Vec<Value> = self.fields.authors.iter().map(creator).collect();
        let mut metadata = json!({
            "title": self.fields.title,
            "description": Self::description(statement),
            "upload_type": "dataset",
            "access_right": "open",
            "license": self.fields.license,
            "version": self.version(statement),
            "publication_date": statement.day(),
            "creators": creators,
            "keywords": self.fields.keywords,
        });
        let related: Vec<Value> = papers.iter().filter_map(related).collect();
        if !related.is_empty() {
            metadata["related_identifiers"] = related.into();
        }
        metadata
    }
}

fn creator(author: &Author) -> Value {
    let mut creator = json!({"name": author.sorting_name()});
    if let Some(orcid) = &author.orcid {
        creator["orcid"] = orcid.trim_start_matches("https://orcid.org/").into();
    }
    creator
}

/// A paper whose claims are tested.
fn related(paper: &Paper) -> Option<Value> {
    let identifier = paper.citation.doi.as_ref().or(paper.citation.url.as_ref())?;
    Some(json!({"identifier": identifier, "relation": "references"}))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "cff-version: 1.2.0\nmessage: m\ntitle: T\nauthors:\n  - name: A group\n  - given-names: Ada\n    \
                        family-names: L\n    orcid: https://orcid.org/0000-0000-0000-0001\nlicense: MIT\nversion: 1.0.0\n";

    fn citation(text: &str) -> CitationFile {
        CitationFile { text: text.to_owned(), fields: serde_yaml_ng::from_str(text).unwrap() }
    }

    fn statement() -> Statement {
        Statement::new("0123456789abcdef0123456789abcdef01234567", 86_400, Vec::new(), Vec::new())
    }

    #[test]
    fn commit_and_day_are_added_once() {
        let text = citation(TEXT).of_bundle(&statement());
        assert!(text.starts_with(TEXT), "{text}");
        assert!(
            text.ends_with(
                "commit: 0123456789abcdef0123456789abcdef01234567\ndate-released: \"1970-01-02\"\n"
            )
        );
        assert_eq!(citation(&text).of_bundle(&statement()), text);
    }

    #[test]
    fn zenodo_gets_names_in_its_order() {
        let metadata = citation(TEXT).zenodo(&statement(), &[]);
        assert_eq!(metadata["creators"][0], json!({"name": "A group"}));
        assert_eq!(metadata["creators"][1], json!({"name": "L, Ada", "orcid": "0000-0000-0000-0001"}));
        assert_eq!(
            (&metadata["version"], &metadata["publication_date"]),
            (&json!("1.0.0+0123456789ab"), &json!("1970-01-02"))
        );
    }
}
