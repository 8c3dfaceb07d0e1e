//! A paper's own table again: a row for every method, and for every metric the published number beside ours, as written and as
//! released where those differ.

use super::{Cell, Material, Table};
use crate::format::{Scale, metric_name};
use crate::manifest::{ClaimKind, Experiment, Metric, Paper, Published, Variant};
use crate::verdict::{Grounds, Verdict, published_text};

/// The table; none where the paper publishes no number that games can have.
pub(super) fn table(material: Material<'_>, paper: &Paper) -> Option<Table> {
    let entries: Vec<Entry<'_>> =
        material.of_paper(paper).filter_map(|verdict| Entry::of(paper, verdict)).collect();
    let mut metrics: Vec<Metric> = Vec::new();
    let mut methods: Vec<&str> = Vec::new();
    let mut variants: Vec<Option<Variant>> = Vec::new();
    for entry in &entries {
        push_new(&mut metrics, entry.metric);
        push_new(&mut methods, entry.experiment.method());
        push_new(&mut variants, entry.experiment.variant);
    }
    if entries.is_empty() {
        return None;
    }
    variants.sort_by_key(|variant| variant.map(|variant| variant as u8));
    let mut header = vec!["Method".to_owned()];
    for &metric in &metrics {
        let name = heading(metric);
        header.push(format!("{name}, published"));
        header.extend(variants.iter().map(|variant| format!("{name}, {}", variant_name(*variant))));
    }
    let row = |method: &&str| {
        let mut row = vec![Cell::Text((*method).to_owned())];
        for &metric in &metrics {
            let of = |entry: &&Entry<'_>| entry.metric == metric && entry.experiment.method() == *method;
            row.push(entries.iter().find(of).map_or(Cell::Empty, Entry::published));
            row.extend(variants.iter().map(|&variant| {
                let mut found = entries.iter().filter(of).filter(|entry| entry.experiment.variant == variant);
                found.next().map_or(Cell::Empty, Entry::ours)
            }));
        }
        row
    };
    Some(Table {
        id: format!("{}-results", paper.id),
        title: format!("{}: published and reproduced", paper.citation.title),
        caption: "Brackets hold 95 % intervals: of means, medians and deviations where the true value lies, of rates by Wilson, of \
                  the highest and lowest where that of as many other games would lie."
            .to_owned(),
        header,
        rows: methods.iter().map(row).collect(),
    })
}

/// What a numeric claim puts into the table.
struct Entry<'a> {
    metric: Metric,
    experiment: &'a Experiment,
    published: Published,
    verdict: &'a Verdict<'a>,
}

impl<'a> Entry<'a> {
    fn of(paper: &'a Paper, verdict: &'a Verdict<'a>) -> Option<Self> {
        match &verdict.claim.kind {
            ClaimKind::Numeric { metric, experiment, published, .. } if !metric.is_ratio() => Some(Self {
                metric: *metric,
                experiment: paper.experiment(experiment)?,
                published: *published,
                verdict,
            }),
            _ => None,
        }
    }

    fn published(&self) -> Cell {
        let text = published_text(Scale::of(self.metric), self.published);
        let (Published::Number(value) | Published::Range(value, _)) = self.published;
        Cell::Published(text, value)
    }

    fn ours(&self) -> Cell {
        match &self.verdict.grounds {
            Grounds::Numeric { ours, .. } => Cell::Estimate(*ours, Scale::of(self.metric)),
            _ => Cell::Text("not played".to_owned()),
        }
    }
}

fn push_new<T: PartialEq>(seen: &mut Vec<T>, value: T) {
    if !seen.contains(&value) {
        seen.push(value);
    }
}

/// A metric over a column.
fn heading(metric: Metric) -> String {
    match metric {
        Metric::Share { .. } | Metric::Summary { .. } | Metric::CpuPerMoveRatio => {
            let name = metric_name(metric);
            let mut letters = name.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

/// A variant over a column.
pub(super) const fn variant_name(variant: Option<Variant>) -> &'static str {
    match variant {
        None => "reproduced",
        Some(Variant::AsWritten) => "as written",
        Some(Variant::AsReleased) => "as released",
    }
}
