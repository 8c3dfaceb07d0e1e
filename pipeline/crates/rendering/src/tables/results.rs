//! A paper's own numbers again: a row for every method and metric, with the published number beside ours, as
//! written and as released where those differ.

use std::collections::BTreeMap;

use super::{Cell, ReportInput, Table};
use crate::table::games;
use jobs::Key;
use manifest::{ClaimKind, Experiment, Metric, Paper, Published, PublishedN, Quantity, Statistic, Variant};
use text::capitalised;
use verdict::{Grounds, Verdict, published_text, stale_note};

const CAPTION: &str = "Brackets show 95 % intervals: for means, medians and deviations, of the true value; for rates, by Wilson; for the highest and lowest, \
     of the value in as many new games. n: the number of games behind a value; for a published one it may be assumed.";

const MEDIAN_TILE: &str = " A median largest tile that is not a tile is the mean of the two middle ones.";

/// The table; none if the paper publishes no number that games can have.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let entries: Vec<PublishedNumber<'_>> =
        input.of_paper(paper).filter_map(|verdict| PublishedNumber::of(paper, verdict)).collect();
    let mut numbers: Vec<(&str, Metric)> = Vec::new();
    let mut of_number: BTreeMap<(&str, Metric), Vec<&PublishedNumber<'_>>> = BTreeMap::new();
    let mut variants: Vec<Option<Variant>> = Vec::new();
    for entry in &entries {
        let others = of_number.entry(entry.number()).or_default();
        if others.is_empty() {
            numbers.push(entry.number());
        }
        others.push(entry);
        if !variants.contains(&entry.experiment.variant) {
            variants.push(entry.experiment.variant);
        }
    }
    // All of a method together, in the order in which methods first come.
    let mut methods: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, (method, _)) in numbers.iter().enumerate() {
        methods.entry(method).or_insert(place);
    }
    numbers.sort_by_key(|(method, _)| methods.get(method));
    variants.sort_by_key(|variant| variant.map(|variant| variant as u8));
    let median_tile = Metric::summary(Quantity::MAX_TILE, Statistic::Median);
    let has_median_tile = numbers.iter().any(|(_, metric)| *metric == median_tile);
    let mut header = ["Method", "Number", "Published"].map(str::to_owned).to_vec();
    header.extend(variants.iter().map(|variant| capitalised(variant.map_or("reproduced", Variant::words))));
    let row = |&(method, metric): &(&str, Metric)| {
        let found = of_number.get(&(method, metric)).map(Vec::as_slice).unwrap_or_default();
        let mut row = vec![Cell::Text(method.to_owned()), Cell::Text(capitalised(&metric.words()))];
        row.push(found.first().map_or(Cell::Empty, |entry| entry.published()));
        row.extend(variants.iter().map(|&variant| {
            let ours = found.iter().find(|entry| entry.experiment.variant == variant);
            ours.map_or(Cell::Empty, |entry| entry.ours(input))
        }));
        row
    };
    let caption = CAPTION.to_owned() + if has_median_tile { MEDIAN_TILE } else { "" };
    let rows = numbers.iter().map(row).collect();
    let table = Table { header, rows, ..Table::default() };
    table.of_paper(paper, "results", "published and reproduced", caption)
}

/// What a numeric claim puts into the table.
struct PublishedNumber<'a> {
    metric: Metric,
    experiment: &'a Experiment,
    published: Published,
    n: PublishedN,
    verdict: &'a Verdict<'a>,
}

impl<'a> PublishedNumber<'a> {
    fn of(paper: &'a Paper, verdict: &'a Verdict<'a>) -> Option<Self> {
        match &verdict.claim.kind {
            _ if verdict.claim.audit => None,
            ClaimKind::Numeric { metric, experiment, published, n, .. } if !metric.is_ratio() => Some(Self {
                metric: *metric,
                experiment: paper.experiment(experiment)?,
                published: *published,
                n: *n,
                verdict,
            }),
            _ => None,
        }
    }

    /// Whose number it is, and which.
    fn number(&self) -> (&'a str, Metric) {
        (self.experiment.method(), self.metric)
    }

    fn published(&self) -> Cell {
        let number = published_text(self.metric.scale(), self.published);
        let text = match self.n {
            PublishedN::Known(n) => format!("{number} ({})", games(n)),
            PublishedN::Assumed(n) => format!("{number} ({}, assumed)", games(n)),
        };
        let (Published::Number(value) | Published::Range(value, _)) = self.published;
        Cell::Published(text, value)
    }

    fn ours(&self, input: ReportInput<'_>) -> Cell {
        match &self.verdict.grounds {
            Grounds::Numeric { ours, .. } => Cell::Counted(*ours, self.metric.scale()),
            _ => Cell::Text(self.why_none(input).to_owned()),
        }
    }

    /// Why there is no number of ours.
    fn why_none(&self, input: ReportInput<'_>) -> &'static str {
        let paper = self.verdict.paper.id.clone();
        let key = Key::new(&paper, &self.experiment.id);
        match input.evidence.games(&key) {
            None => "not played",
            Some(games) if stale_note(self.experiment, games).is_some() => "stale",
            Some(_) => "untestable",
        }
    }
}
