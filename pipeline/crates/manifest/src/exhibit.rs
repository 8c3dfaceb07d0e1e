//! Exhibits: the tables and figures of a paper, and what shows the same here; and the figures that a manifest asks for beside those
//! that every paper gets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::{Names, check_id};
use super::error::known;
use super::field_checks::{Checked, few, filled, named, wrong};
use super::limits::{self, LARGEST_NUMBER};
use platform::plain::line;

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
    /// ratios: the numeric claims, from top to bottom; a row has the name of what each divides by.
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

pub(super) fn exhibit(exhibit: Exhibit) -> Checked<Exhibit> {
    named("place", &exhibit.place)?;
    filled("text", &exhibit.text)?;
    few("shown_by", exhibit.shown_by.len())?;
    exhibit.shown_by.iter().try_for_each(|shown| named("shown_by", shown))?;
    match (&exhibit.cannot, exhibit.shown_by.is_empty()) {
        (Some(reason), true) => filled("cannot", reason)?,
        (None, false) => {}
        (Some(_), false) => {
            return Err(wrong("cannot", "is given together with `shown_by`: keep the one that is true"));
        }
        (None, true) => {
            let problem = "is missing: name the files that show the same, or say in `cannot` why none does";
            return Err(wrong("shown_by", problem));
        }
    }
    Ok(exhibit)
}

pub(super) fn figure(raw: RawFigure, names: &Names) -> Checked<FigureSpec> {
    let checker = Checker { names };
    check_id("id", &raw.id)?;
    named("title", &raw.title)?;
    let kind = match raw.kind {
        Kind::Scores => {
            checker.experiments(raw.experiments).map(|experiments| FigureKind::Scores { experiments })
        }
        Kind::Pareto => {
            checker.experiments(raw.experiments).map(|experiments| FigureKind::Pareto { experiments })
        }
        Kind::Averages => checker.groups(raw.groups).map(|groups| FigureKind::Averages { groups }),
        Kind::Ratios => checker.claims(raw.claims).map(|claims| FigureKind::Ratios { claims }),
        Kind::Nodes => checker.nodes(raw.axis, raw.x, raw.published, raw.groups),
    };
    Ok(FigureSpec { id: raw.id, title: raw.title, kind: kind? })
}

/// The most groups of a figure of nodes: beside what is published, more could not be told apart.
pub const MOST_SEARCHES: usize = 2;

struct Checker<'a> {
    names: &'a Names,
}

impl Checker<'_> {
    fn needed<T>(&self, key: &'static str, value: Option<T>) -> Checked<T> {
        value.ok_or_else(|| wrong(key, "is missing: a figure of this kind needs it"))
    }

    fn known(&self, key: &'static str, names: &[String], there: &[String]) -> Checked {
        if names.is_empty() {
            return Err(wrong(key, "is empty: name at least one"));
        }
        few(key, names.len())?;
        let Some(name) = names.iter().find(|name| !there.contains(name)) else { return Ok(()) };
        let (name, known) = (line(name), known(there.iter().map(String::as_str)));
        Err(wrong(key, format!("has `{name}`, which this paper does not have; known: {known}")))
    }

    fn experiments(&self, names: Option<Vec<String>>) -> Checked<Vec<String>> {
        let names = self.needed("experiments", names)?;
        self.known("experiments", &names, &self.names.experiments)?;
        Ok(names)
    }

    fn claims(&self, names: Option<Vec<String>>) -> Checked<Vec<String>> {
        let names = self.needed("claims", names)?;
        self.known("claims", &names, &self.names.claims)?;
        Ok(names)
    }

    fn groups(&self, groups: Option<Vec<Group>>) -> Checked<Vec<Group>> {
        let groups = self.needed("groups", groups)?;
        if groups.is_empty() {
            return Err(wrong("groups", "is empty: name at least one"));
        }
        few("groups", groups.len())?;
        groups.iter().try_for_each(|group| {
            named("groups", &group.name)?;
            self.known("groups", &group.experiments, &self.names.experiments)
        })?;
        Ok(groups)
    }

    fn nodes(
        &self,
        axis: Option<String>,
        x: Option<Vec<f64>>,
        published: Option<Vec<f64>>,
        groups: Option<Vec<Group>>,
    ) -> Checked<FigureKind> {
        let axis = self.needed("axis", axis)?;
        named("axis", &axis)?;
        let (x, published) = (self.numbers("x", x)?, self.numbers("published", published)?);
        let groups = self.few_groups(self.groups(groups)?)?;
        let is_even =
            published.len() == x.len() && groups.iter().all(|group| group.experiments.len() == x.len());
        if !is_even {
            let problem = "must have as many numbers as `published` has, and as each group has experiments";
            return Err(wrong("x", problem));
        }
        Ok(FigureKind::Nodes { axis, x, published, groups })
    }

    fn numbers(&self, key: &'static str, numbers: Option<Vec<f64>>) -> Checked<Vec<f64>> {
        let numbers = self.needed(key, numbers)?;
        let is_number = |value: &f64| value.is_finite() && value.abs() <= LARGEST_NUMBER;
        if let Some(number) = numbers.iter().find(|value| !is_number(value)) {
            let problem = format!("has {number}: write finite numbers up to {LARGEST_NUMBER}");
            return Err(wrong(key, problem));
        }
        Ok(numbers)
    }

    fn few_groups(&self, groups: Vec<Group>) -> Checked<Vec<Group>> {
        if groups.len() <= MOST_SEARCHES {
            return Ok(groups);
        }
        let problem =
            format!("has {} groups: this kind of figure shows at most {MOST_SEARCHES}", groups.len());
        Err(wrong("groups", problem))
    }
}
