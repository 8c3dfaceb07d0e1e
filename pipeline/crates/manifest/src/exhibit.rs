//! Exhibits: the tables and figures of a paper, and what shows the same here; and the figures that a manifest asks for beside those
//! that every paper gets.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::{Names, check_id};
use super::error::{Place, known};
use super::limits::{self, LARGEST_NUMBER};
use super::{ManifestError, Subject};
use surroundings::plain::line;

/// A table or a figure of the paper itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exhibit {
    /// Where it is in the paper, such as "Table 1".
    #[schemars(length(max = limits::LONGEST_NAME))]
    pub place: String,
    /// What it shows.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub text: String,
    /// The files below the results folder that show the same.
    #[serde(default)]
    pub shown_by: Vec<String>,
    /// Why nothing can, where nothing does.
    #[schemars(length(max = limits::LONGEST_TEXT))]
    pub cannot: Option<String>,
}

/// A figure that a manifest asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureSpec {
    /// What its files are called, after the paper.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub kind: FigureKind,
}

/// What a figure shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FigureKind {
    /// The distributions of the scores.
    Scores {
        /// Of these experiments.
        experiments: Vec<String>,
    },
    /// The mean scores of groups of experiments, side by side.
    Averages {
        /// The groups.
        groups: Vec<Group>,
    },
    /// The nodes expanded for a move, against a number.
    Nodes {
        /// The number's name.
        axis: String,
        /// The number, one for each experiment of a group.
        x: Vec<f64>,
        /// What the paper gives there.
        published: Vec<f64>,
        /// What was measured.
        groups: Vec<Group>,
    },
    /// Ratios of CPU times, as published and as measured.
    Ratios {
        /// The numeric claims about them.
        claims: Vec<String>,
    },
    /// The mean score against the CPU time of a move.
    Pareto {
        /// Of these experiments.
        experiments: Vec<String>,
    },
}

/// Experiments that belong together in a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What they have in common.
    #[schemars(length(max = limits::LONGEST_NAME))]
    pub name: String,
    /// The experiments.
    pub experiments: Vec<String>,
}

/// A figure as it is written. Which keys it needs depends on its kind.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Figure")]
pub(super) struct RawFigure {
    /// What its files are called, after the paper: lower-case letters, digits, - and _.
    id: String,
    /// Its title.
    #[schemars(length(max = limits::LONGEST_NAME))]
    title: String,
    /// What it shows.
    kind: Kind,
    /// scores, pareto: the experiments.
    experiments: Option<Vec<String>>,
    /// averages, nodes: groups of experiments.
    groups: Option<Vec<Group>>,
    /// nodes: the name of the number on the axis.
    #[schemars(length(max = limits::LONGEST_NAME))]
    axis: Option<String>,
    /// nodes: the number, one for each experiment of a group.
    x: Option<Vec<f64>>,
    /// nodes: what the paper gives there.
    published: Option<Vec<f64>>,
    /// ratios: the numeric claims.
    claims: Option<Vec<String>>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "FigureKind")]
enum Kind {
    Scores,
    Averages,
    Nodes,
    Ratios,
    Pareto,
}

pub(super) fn exhibit(file: &Path, exhibit: Exhibit) -> Result<Exhibit, ManifestError> {
    let place = Place { file, subject: Subject::Exhibit(exhibit.place.clone()) };
    place.named("place", &exhibit.place)?;
    place.few("shown_by", exhibit.shown_by.len())?;
    exhibit.shown_by.iter().try_for_each(|shown| place.named("shown_by", shown))?;
    place.filled("text", &exhibit.text)?;
    match (&exhibit.cannot, exhibit.shown_by.is_empty()) {
        (Some(reason), true) => place.filled("cannot", reason)?,
        (None, false) => {}
        (Some(_), false) => {
            return Err(place.wrong("cannot", "stands beside `shown_by`: keep the one that is true"));
        }
        (None, true) => {
            let problem = "is missing: name the files that show the same, or say in `cannot` why none does";
            return Err(place.wrong("shown_by", problem));
        }
    }
    Ok(exhibit)
}

pub(super) fn figure(file: &Path, raw: RawFigure, names: &Names) -> Result<FigureSpec, ManifestError> {
    let checker = Checker { place: Place { file, subject: Subject::Figure(raw.id.clone()) }, names };
    check_id(&checker.place, "id", &raw.id)?;
    checker.place.named("title", &raw.title)?;
    let kind = match raw.kind {
        Kind::Scores => FigureKind::Scores { experiments: checker.experiments(raw.experiments)? },
        Kind::Pareto => FigureKind::Pareto { experiments: checker.experiments(raw.experiments)? },
        Kind::Averages => FigureKind::Averages { groups: checker.groups(raw.groups)? },
        Kind::Ratios => FigureKind::Ratios { claims: checker.claims(raw.claims)? },
        Kind::Nodes => checker.nodes(raw.axis, raw.x, raw.published, raw.groups)?,
    };
    Ok(FigureSpec { id: raw.id, title: raw.title, kind })
}

/// The most groups of a figure of nodes: beside what is published, more could not be told apart.
pub const MOST_SEARCHES: usize = 2;

struct Checker<'a> {
    place: Place<'a>,
    names: &'a Names,
}

impl Checker<'_> {
    fn needed<T>(&self, key: &'static str, value: Option<T>) -> Result<T, ManifestError> {
        value.ok_or_else(|| self.place.wrong(key, "is missing: a figure of this kind needs it"))
    }

    fn known(&self, key: &'static str, names: &[String], there: &[String]) -> Result<(), ManifestError> {
        if names.is_empty() {
            return Err(self.place.wrong(key, "is empty: name at least one"));
        }
        self.place.few(key, names.len())?;
        match names.iter().find(|name| !there.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let name = line(name);
                let known = known(there.iter().map(String::as_str));
                Err(self
                    .place
                    .wrong(key, format!("has `{name}`, which this paper does not have; known: {known}")))
            }
        }
    }

    fn experiments(&self, names: Option<Vec<String>>) -> Result<Vec<String>, ManifestError> {
        let names = self.needed("experiments", names)?;
        self.known("experiments", &names, &self.names.experiments)?;
        Ok(names)
    }

    fn claims(&self, names: Option<Vec<String>>) -> Result<Vec<String>, ManifestError> {
        let names = self.needed("claims", names)?;
        self.known("claims", &names, &self.names.claims)?;
        Ok(names)
    }

    fn groups(&self, groups: Option<Vec<Group>>) -> Result<Vec<Group>, ManifestError> {
        let groups = self.needed("groups", groups)?;
        if groups.is_empty() {
            return Err(self.place.wrong("groups", "is empty: name at least one"));
        }
        self.place.few("groups", groups.len())?;
        for group in &groups {
            self.place.named("groups", &group.name)?;
            self.known("groups", &group.experiments, &self.names.experiments)?;
        }
        Ok(groups)
    }

    fn nodes(
        &self,
        axis: Option<String>,
        x: Option<Vec<f64>>,
        published: Option<Vec<f64>>,
        groups: Option<Vec<Group>>,
    ) -> Result<FigureKind, ManifestError> {
        let (axis, x) = (self.needed("axis", axis)?, self.needed("x", x)?);
        let (published, groups) = (self.needed("published", published)?, self.groups(groups)?);
        self.place.named("axis", &axis)?;
        let is_number = |value: &f64| value.is_finite() && value.abs() <= LARGEST_NUMBER;
        for (key, numbers) in [("x", &x), ("published", &published)] {
            if let Some(wrong) = numbers.iter().find(|value| !is_number(value)) {
                let problem = format!("has {wrong}: write finite numbers up to {LARGEST_NUMBER}");
                return Err(self.place.wrong(key, problem));
            }
        }
        if groups.len() > MOST_SEARCHES {
            let problem =
                format!("has {} groups: this kind of figure shows at most {MOST_SEARCHES}", groups.len());
            return Err(self.place.wrong("groups", problem));
        }
        let is_even =
            published.len() == x.len() && groups.iter().all(|group| group.experiments.len() == x.len());
        if !is_even {
            let problem = "does not have as many numbers as `published` and each group's experiments: give one for each";
            return Err(self.place.wrong("x", problem));
        }
        Ok(FigureKind::Nodes { axis, x, published, groups })
    }
}
