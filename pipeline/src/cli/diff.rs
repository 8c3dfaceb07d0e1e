//! What `pipeline diff` can be asked.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct Diff {
    /// The earlier results: a revision, a folder or a bundle [default: HEAD]
    #[arg(value_name = "A")]
    pub before: Option<String>,
    /// The later results: a revision, a folder or a bundle [default: the work tree]
    #[arg(value_name = "B")]
    pub after: Option<String>,
    /// When to exit with 1
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = FailOn::Change)]
    pub fail_on: FailOn,
    /// Also draw the scores of changed experiments, before and after, into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// Print it as Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: ResultsPlaces,
}

/// Where results and manifests are.
#[derive(Clone, Debug, Args)]
pub struct ResultsPlaces {
    /// The folder with the papers' manifests
    #[arg(long, value_name = "DIR", default_value = "paper-configs")]
    pub configs: PathBuf,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

/// When a diff is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// An experiment or a verdict changed.
    Change,
    /// A mean score is worse beyond its interval.
    Loss,
}

/// How a diff is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffForm {
    /// For the terminal.
    Text,
    /// For a pull request.
    Markdown,
    /// For scripts.
    Json,
}

impl Diff {
    /// How it is to be printed.
    #[must_use]
    pub const fn form(&self) -> DiffForm {
        match (self.json, self.markdown) {
            (true, _) => DiffForm::Json,
            (_, true) => DiffForm::Markdown,
            _ => DiffForm::Text,
        }
    }
}
