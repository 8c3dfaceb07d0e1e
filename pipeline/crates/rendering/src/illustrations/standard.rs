//! The figures that every paper gets: the distributions of its scores and tiles, and the numbers that it
//! publishes; and those of a comparison.

use std::collections::BTreeSet;

use super::{PaperFigures, PlannedFigure, Shown, can_be_drawn};
use crate::comparison::{Entry, entries};
use figures::{
    ClaimRow, Claims, EcdfKeys, FigureKind, MaxTilesKeys, Pairs, ProfilesKeys, RankRow, Ranks, ScoresKeys,
};
use manifest::{ClaimKind, Experiment, Published, Set, Variant};
use stats::{Estimate, Sample, superiority};
use text::{counted, thousands};
use verdict::evidence::Games;
use verdict::{Grounds, Verdict};

/// The most rows that a figure can show.
const MOST_ROWS: usize = 15;
/// The most claims in a figure.
const MOST_CLAIMS: usize = 48;
/// The most pages of a figure: nobody reads more, and the tables have every experiment and every claim.
const MOST_PAGES: usize = 10;

impl<'a> PaperFigures<'a> {
    /// The figures that the paper gets whether or not its manifest asks for any.
    pub(super) fn standard(self) -> Vec<PlannedFigure<'a>> {
        let mut shown: Vec<Shown<'a>> = self
            .input
            .played(self.paper)
            .filter(|(experiment, games)| experiment.set == Set::Default && can_be_drawn(games))
            .collect();
        // The best first, whatever the order of the manifest.
        shown.sort_by(|(_, one), (_, other)| mean_score(other).total_cmp(&mean_score(one)));
        let mut figures = Vec::new();
        if self.paper.comparison {
            figures.extend(self.ranking());
        }
        for (place, rows) in pages(&shown, MOST_ROWS, "experiment") {
            let experiments = || rows.iter().map(|(experiment, _)| experiment.id.clone()).collect();
            let scores = FigureKind::Scores(ScoresKeys { experiments: experiments() });
            figures.extend(self.of_kind(&place.id("scores"), place.title("Distribution of scores"), &scores));
            // Further pages say with curves what the violins beside them say. A comparison shows how often
            // each method does better than a score; a paper's own figure is the distribution.
            if place.page == 0 && self.paper.comparison {
                let kind = FigureKind::Profiles(ProfilesKeys { experiments: experiments() });
                figures.extend(self.of_kind("profiles", "Performance profiles".to_owned(), &kind));
            } else if place.page == 0 {
                let kind = FigureKind::Ecdf(EcdfKeys { experiments: experiments() });
                figures.extend(self.of_kind("ecdf", "Share of games up to a score".to_owned(), &kind));
            }
            let tiles = FigureKind::MaxTiles(MaxTilesKeys { experiments: experiments() });
            figures.extend(self.of_kind(
                &place.id("max-tiles"),
                place.title("Largest tile at the end"),
                &tiles,
            ));
        }
        if self.input.with_games(self.paper).next().is_some() {
            figures.extend(self.claims());
        }
        figures
    }

    /// How the methods of a comparison stand to each other: their ranks, and the chance of each against each.
    fn ranking(self) -> Vec<PlannedFigure<'a>> {
        let entries: Vec<Entry<'a>> = entries(self.input, self.paper).into_iter().take(MOST_ROWS).collect();
        if entries.len() < 2 {
            return Vec::new();
        }
        let shown: Vec<Shown<'a>> = entries.iter().map(|entry| (entry.experiment, entry.games)).collect();
        let row = |entry: &Entry<'a>| RankRow {
            label: entry.experiment.method().to_owned(),
            n: entry.scores.n(),
            rank: entry.rank,
        };
        let rows: Vec<RankRow> = entries.iter().map(row).collect();
        let text = |row: &RankRow| format!("{} {} to {}", row.label, row.rank.best, row.rank.worst);
        let description = format!("Ranks: {}.", rows.iter().map(text).collect::<Vec<_>>().join("; "));
        let chances = |one: &Entry<'a>| {
            let chance = |other: &Entry<'a>| {
                (one.experiment.id != other.experiment.id).then(|| superiority(&one.scores, &other.scores))
            };
            entries.iter().map(chance).collect()
        };
        let pairs = Pairs {
            labels: rows.iter().map(|row| row.label.clone()).collect(),
            chances: entries.iter().map(chances).collect(),
        };
        let told = format!(
            "For each pair of {} the probability that a game of the one scores more than a game of the other.",
            counted(rows.len() as u64, "method")
        );
        vec![
            self.plan("ranks", "Ranks".to_owned(), description, &shown, Box::new(Ranks { rows })),
            self.plan("pairs", "Probability of improvement".to_owned(), told, &shown, Box::new(pairs)),
        ]
    }

    /// The experiments that verdicts are about, of those with games.
    fn judged(self, verdicts: &[&Verdict<'_>]) -> Vec<Shown<'a>> {
        let judged: BTreeSet<&str> =
            verdicts.iter().flat_map(|verdict| verdict.claim.experiments()).collect();
        let is_judged = |(experiment, _): &Shown<'a>| judged.contains(experiment.id.as_str());
        self.input.with_games(self.paper).filter(is_judged).collect()
    }

    /// The numeric claims, as many figures as they fill. A statement comes once for each form of the method:
    /// its other readings have the same published number, and the table has them.
    fn claims(self) -> Vec<PlannedFigure<'a>> {
        let mut told = BTreeSet::new();
        let mut tested: Vec<(&Verdict<'_>, ClaimRow)> = self
            .input
            .of_paper(self.paper)
            .filter(|verdict| {
                !verdict.claim.audit && told.insert((verdict.claim.statement(), forms(verdict)))
            })
            .filter_map(|verdict| Some((verdict, claim_row(verdict)?)))
            .collect();
        // Whatever is not drawn needs no label of its own.
        let drawn = tested.len().min(MOST_PAGES * MOST_CLAIMS);
        tell_apart(&mut tested[..drawn]);
        let page = |(place, rows): (PageOfFigure, &[(&Verdict<'_>, ClaimRow)])| {
            let verdicts: Vec<&Verdict<'_>> = rows.iter().map(|(verdict, _)| *verdict).collect();
            let numbers = counted(rows.len() as u64, "published number");
            let description = format!("{numbers}, each against what our games predict for it.");
            let rows = rows.iter().map(|(_, row)| row.clone()).collect();
            self.plan(
                &place.id("claims"),
                place.title("Published numbers against ours"),
                description,
                &self.judged(&verdicts),
                Box::new(Claims { rows }),
            )
        };
        pages(&tested, MOST_CLAIMS, "number").map(page).collect()
    }
}

fn mean_score(games: &Games) -> f64 {
    Sample::new(games.scores()).map_or(0.0, |scores| scores.mean())
}

/// The forms of a method that a claim is tested by, as their names.
fn forms(verdict: &Verdict<'_>) -> Vec<&'static str> {
    let experiments = verdict.claim.experiments().into_iter();
    let variants = experiments.filter_map(|id| verdict.paper.experiment(id)?.variant);
    variants.map(Variant::words).collect()
}

/// The rows of a figure, page by page, as far as they are drawn.
fn pages<'r, T>(
    rows: &'r [T],
    on_a_page: usize,
    row: &'static str,
) -> impl Iterator<Item = (PageOfFigure, &'r [T])> {
    let pages = rows.len().div_ceil(on_a_page).min(MOST_PAGES);
    let drawn = pages * on_a_page;
    let cut = (drawn < rows.len()).then_some(Cut { drawn, all: rows.len(), row });
    let chunks = rows.chunks(on_a_page).take(pages).enumerate();
    chunks.map(move |(page, rows)| (PageOfFigure { page, pages, cut }, rows))
}

/// One of the pages that a figure takes.
#[derive(Clone, Copy)]
struct PageOfFigure {
    page: usize,
    pages: usize,
    /// Where the pages do not have all rows.
    cut: Option<Cut>,
}

/// How many rows are drawn of how many, and what a row is.
#[derive(Clone, Copy)]
struct Cut {
    drawn: usize,
    all: usize,
    row: &'static str,
}

impl PageOfFigure {
    fn id(self, name: &str) -> String {
        if self.page == 0 { name.to_owned() } else { format!("{name}-{}", self.page + 1) }
    }

    fn title(self, name: &str) -> String {
        let Self { page, pages, cut } = self;
        match cut {
            None if pages == 1 => name.to_owned(),
            None => format!("{name} ({} of {pages})", page + 1),
            Some(Cut { drawn, all, row }) => {
                let (drawn, all) = (thousands(drawn as f64), counted(all as u64, row));
                format!("{name} ({} of {pages}, for the first {drawn} of {all})", page + 1)
            }
        }
    }
}

fn full_label(experiment: &Experiment) -> String {
    match experiment.variant {
        Some(variant) => format!("{}, {}", experiment.method(), variant.words()),
        None => experiment.method().to_owned(),
    }
}

/// Says of a claim whose label another has already whose number it is, or else what it is called.
fn tell_apart(rows: &mut [(&Verdict<'_>, ClaimRow)]) {
    let mut seen = BTreeSet::new();
    for (verdict, row) in rows {
        if !seen.insert(row.label.clone()) {
            row.label = match printed_for(verdict) {
                Some(method) => format!("{}, printed for {method}", row.label),
                None => format!("{} ({})", row.label, verdict.claim.id),
            };
        }
    }
}

/// The method whose number a claim holds against that of another, where it is such a reading.
fn printed_for<'v>(verdict: &Verdict<'v>) -> Option<&'v str> {
    let first = verdict.claim.reading_of.as_ref()?;
    let first = verdict.paper.claims.iter().find(|claim| claim.id == *first)?;
    let (ClaimKind::Numeric { experiment: own, .. }, ClaimKind::Numeric { experiment, .. }) =
        (&verdict.claim.kind, &first.kind)
    else {
        return None;
    };
    // The paper prints one number for all budgets, which stand behind a comma.
    let method = |id: &str| verdict.paper.experiment(id)?.method().split(',').next();
    method(experiment).filter(|printed| Some(*printed) != method(own))
}

/// A numeric claim, as a row of its figure.
fn claim_row(verdict: &Verdict<'_>) -> Option<ClaimRow> {
    let ClaimKind::Numeric { metric, experiment, published, n, .. } = &verdict.claim.kind else {
        return None;
    };
    let ours = match &verdict.grounds {
        Grounds::Numeric { ours, prediction, .. } => {
            Some(Estimate { low: prediction.low, high: prediction.high, n: prediction.n, ..*ours })
        }
        _ => None,
    };
    let about = verdict.paper.experiment(experiment).map_or_else(|| experiment.clone(), full_label);
    Some(ClaimRow {
        label: format!("{about}: {}", metric.words()),
        scale: metric.scale(),
        published: match *published {
            Published::Number(number) => [number, number],
            Published::Range(low, high) => [low, high],
        },
        ours,
        published_n: Some(n.games()),
        ruling: verdict.ruling,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(rows: usize) -> Vec<(String, String, usize)> {
        let rows = vec![(); rows];
        let told = |(place, rows): (PageOfFigure, &[()])| (place.id("x"), place.title("X"), rows.len());
        pages(&rows, 15, "experiment").map(told).collect()
    }

    #[test]
    fn a_figure_has_as_many_pages_as_its_rows_fill() {
        let page = |id: &str, title: &str, rows| (id.to_owned(), title.to_owned(), rows);
        assert!(titles(0).is_empty());
        assert_eq!(titles(15), [page("x", "X", 15)]);
        assert_eq!(titles(16), [page("x", "X (1 of 2)", 15), page("x-2", "X (2 of 2)", 1)]);
        let all = titles(150);
        assert_eq!((all.len(), &all[9]), (10, &page("x-10", "X (10 of 10)", 15)));
    }

    #[test]
    fn a_figure_says_where_it_does_not_show_everything() {
        let cut = titles(10_000);
        assert_eq!(cut.len(), 10);
        assert!(cut.iter().all(|(_, title, rows)| {
            *rows == 15 && title.ends_with(" of 10, for the first 150 of 10,000 experiments)")
        }));
        assert_eq!(titles(151)[9].1, "X (10 of 10, for the first 150 of 151 experiments)");
    }
}
