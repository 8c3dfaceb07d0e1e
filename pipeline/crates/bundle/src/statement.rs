//! `bundle.json`: what a bundle states about itself, including its warnings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::places::is_bundle_name;
use super::{BundleError, OpenBundle};
use platform::{clock, plain};
use records::Index;
use text::counted;

/// The file's name.
pub const STATEMENT: &str = "bundle.json";
/// The version of its form.
const FORM: u32 = 1;

/// The statement of a bundle about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    form: u32,
    /// The bundle's name, which its folder has too.
    pub name: String,
    /// The commit that it was made from.
    pub commit: String,
    /// The time of all its files, in seconds since 1970.
    pub epoch: u64,
    /// The version of the pipeline that made it.
    pub pipeline: String,
    /// The version of zstd that compressed it: only the same one gives the same bytes again.
    pub zstd: String,
    /// How many experiments there are.
    pub experiments: u64,
    /// How many games.
    pub games: u64,
    /// How many studies.
    #[serde(default, skip_serializing_if = "is_none")]
    pub studies: u64,
    /// How many trials of theirs.
    #[serde(default, skip_serializing_if = "is_none")]
    pub trials: u64,
    /// How many trainings.
    #[serde(default, skip_serializing_if = "is_none")]
    pub trainings: u64,
    /// How many artefacts, which agents need or trainings gave.
    #[serde(default, skip_serializing_if = "is_none")]
    pub artefacts: u64,
    /// The SHA-256 of those that are too large for it, or were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artefacts_left_out: Vec<String>,
    /// The files that differed from the commit; none in a bundle that was made without `--allow-dirty`.
    pub dirty: Vec<String>,
    /// Records that are missing or not of this commit's agents; none in a bundle that was made without
    /// `--allow-stale`.
    pub not_current: Vec<String>,
    /// Files of the commit that have no place in a bundle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Statement {
    /// A statement about a bundle of this commit and time.
    pub fn new(commit: &str, epoch: u64, dirty: Vec<String>, not_current: Vec<String>) -> Self {
        let short = commit.get(..12).unwrap_or(commit);
        let name = format!("retile-{short}{}", if dirty.is_empty() { "" } else { "-dirty" });
        Self {
            form: FORM,
            name,
            commit: commit.to_owned(),
            epoch,
            pipeline: env!("CARGO_PKG_VERSION").to_owned(),
            zstd: zstd_version(),
            dirty,
            not_current,
            ..Self::default()
        }
    }

    /// Sets the numbers of jobs and of their rows, given the kind and the rows of each.
    pub(super) fn count(&mut self, index: &Index, jobs: impl Iterator<Item = (&'static str, u64)>) {
        self.experiments = index.experiments.len() as u64;
        // Experiments that share records are counted once.
        let entries = index.experiments.values();
        let games: BTreeMap<_, _> = entries.map(|entry| (&entry.records, entry.games)).collect();
        self.games = games.values().fold(0, |sum, games| sum.saturating_add(*games));
        (self.studies, self.trials, self.trainings) = (0, 0, 0);
        for (kind, rows) in jobs {
            self.trainings += u64::from(kind == "training");
            if kind == "study" {
                (self.studies, self.trials) = (self.studies + 1, self.trials + rows);
            }
        }
    }

    /// All numbers, by name.
    pub(super) fn numbers(&self) -> [(&'static str, u64); 6] {
        [
            ("experiments", self.experiments),
            ("games", self.games),
            ("studies", self.studies),
            ("trials", self.trials),
            ("trainings", self.trainings),
            ("artefacts", self.artefacts),
        ]
    }

    /// Reads the statement of a bundle.
    pub(super) fn read(bundle: &OpenBundle) -> Result<Self, BundleError> {
        let path = bundle.folder.join(STATEMENT);
        let bytes = bundle.read_text(STATEMENT)?;
        let statement: Self = serde_json::from_slice(&bytes).map_err(|error| {
            let reason = plain::line(&error.to_string());
            BundleError::form(path.path(), format!("not the statement of a bundle: {reason}"))
        })?;
        if statement.form != FORM {
            let reason = format!("it has form {}, but this program reads form {FORM}", statement.form);
            return Err(BundleError::form(path.path(), reason));
        }
        match statement.wrong() {
            None => Ok(statement),
            Some(key) => {
                Err(BundleError::form(path.path(), format!("its `{key}` is not one that a bundle can have")))
            }
        }
    }

    /// The key of a value that no bundle of ours has.
    fn wrong(&self) -> Option<&'static str> {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_version = |text: &str| {
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b".+-".contains(&byte);
            (1..=64).contains(&text.len()) && text.bytes().all(is_part)
        };
        let right = [
            ("name", is_bundle_name(&self.name)),
            ("commit", (40..=64).contains(&self.commit.len()) && is_hex(&self.commit)),
            ("epoch", self.epoch <= clock::LAST_SECOND),
            ("pipeline", is_version(&self.pipeline)),
            ("zstd", is_version(&self.zstd)),
        ];
        right.into_iter().find_map(|(key, is_right)| (!is_right).then_some(key))
    }

    /// How much there is: games, and trials where there are studies.
    pub fn extent(&self) -> String {
        let games = format!("{} of {}", counted(self.games, "game"), counted(self.experiments, "experiment"));
        match self.studies {
            0 => games,
            studies => {
                format!("{games}, and {} of {}", counted(self.trials, "trial"), counted(studies, "study"))
            }
        }
    }

    /// The day of the bundle, as in 2026-01-31.
    pub fn day(&self) -> String {
        self.time()[..10].to_owned()
    }

    /// The time of the bundle, in UTC.
    pub fn time(&self) -> String {
        clock::date(self.epoch)
    }

    /// Warnings for everybody who relies on the bundle, in sentences.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = [
            (&self.dirty, ", ", "It was made with --allow-dirty: these files differ from the commit"),
            (
                &self.not_current,
                "; ",
                "It was made with --allow-stale: these records are missing, or are not known to be those of the \
                 commit's agents",
            ),
            (
                &self.left_out,
                ", ",
                "These files of the commit are hidden, or have no place in a bundle, and are left out",
            ),
        ];
        let warnings = warnings.into_iter().filter(|(names, ..)| !names.is_empty());
        warnings.map(|(names, between, text)| format!("{text}: {}.", listed(names, between))).collect()
    }
}

/// The most parts of a list that are shown.
const MOST_SHOWN: usize = 50;

/// A list as a text, each part fit for a terminal.
fn listed(parts: &[String], between: &str) -> String {
    let more = parts.len().saturating_sub(MOST_SHOWN);
    let rest = (more > 0).then(|| format!("and {more} more, which {STATEMENT} lists"));
    let shown: Vec<String> =
        parts.iter().take(MOST_SHOWN).map(|part| plain::line(part)).chain(rest).collect();
    shown.join(between)
}

/// Whether a number is left out: bundles without studies or trainings state none.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The version of zstd in this program.
pub(super) fn zstd_version() -> String {
    zstd::zstd_safe::version_string().to_owned()
}
