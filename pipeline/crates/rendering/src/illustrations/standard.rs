//! The figures that every paper gets: the distributions of its scores and tiles, and the numbers that it
//! publishes; and those of a comparison.

use std::collections::BTreeSet;

use super::{ExperimentGames, FigurePage, MOST_PAGES, PaperFigures, PlannedFigure, can_be_drawn, pages};
use crate::comparison::{ComparedMethod, entries};
use crate::report::compose::forms;
use figures::{
    ClaimRow, Claims, EcdfKeys, FigureKind, MaxTilesKeys, Pairs, ProfilesKeys, RankRow, Ranks, ScoresKeys,
};
use manifest::{ClaimKind, Experiment, Published, Set, Variant};
use stats::{Estimate, Sample, superiority};
use text::counted;
use verdict::evidence::Games;
use verdict::{Grounds, Verdict};

/// The most rows that a figure can show.
const MOST_ROWS: usize = 15;
/// The most claims in a figure.
const MOST_CLAIMS: usize = 48;

impl<'a> PaperFigures<'a> {
    /// The figures that the paper gets whether or not its manifest asks for any.
    pub(super) fn standard(self) -> Vec<PlannedFigure<'a>> {
        let mut shown: Vec<ExperimentGames<'a>> = self
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
        for page in pages(&shown, MOST_ROWS, "experiment") {
            let experiments = || page.rows.iter().map(|(experiment, _)| experiment.id.clone()).collect();
            let scores = FigureKind::Scores(ScoresKeys { experiments: experiments() });
            figures.extend(self.of_kind(&page.id("scores"), page.title("Distribution of scores"), &scores));
            // Further pages say with curves what the violins beside them say. A comparison shows how often
            // each method does better than a score; a paper's own figure is the distribution.
            if page.number == 0 && self.paper.comparison {
                let kind = FigureKind::Profiles(ProfilesKeys { experiments: experiments() });
                figures.extend(self.of_kind("profiles", "Performance profiles".to_owned(), &kind));
            } else if page.number == 0 {
                let kind = FigureKind::Ecdf(EcdfKeys { experiments: experiments() });
                figures.extend(self.of_kind("ecdf", "Share of games up to a score".to_owned(), &kind));
            }
            let tiles = FigureKind::MaxTiles(MaxTilesKeys { experiments: experiments() });
            let title = page.title("Largest tile at the end");
            figures.extend(self.of_kind(&page.id("max-tiles"), title, &tiles));
        }
        if self.input.with_games(self.paper).next().is_some() {
            figures.extend(self.claims());
        }
        figures
    }

    /// How the methods of a comparison stand to each other: their ranks, and the chance of each against each.
    fn ranking(self) -> Vec<PlannedFigure<'a>> {
        let entries: Vec<ComparedMethod<'a>> =
            entries(self.input, self.paper).into_iter().take(MOST_ROWS).collect();
        if entries.len() < 2 {
            return Vec::new();
        }
        let shown: Vec<ExperimentGames<'a>> =
            entries.iter().map(|entry| (entry.experiment, entry.games)).collect();
        let row = |entry: &ComparedMethod<'a>| RankRow {
            label: entry.experiment.method().to_owned(),
            n: entry.scores.n(),
            rank: entry.rank,
        };
        let rows: Vec<RankRow> = entries.iter().map(row).collect();
        let text = |row: &RankRow| format!("{} {} to {}", row.label, row.rank.best, row.rank.worst);
        let description = format!("Ranks: {}.", rows.iter().map(text).collect::<Vec<_>>().join("; "));
        let chances = |one: &ComparedMethod<'a>| {
            let chance = |other: &ComparedMethod<'a>| {
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
    fn judged(self, verdicts: &[&Verdict<'_>]) -> Vec<ExperimentGames<'a>> {
        let judged: BTreeSet<&str> =
            verdicts.iter().flat_map(|verdict| verdict.claim.experiments()).collect();
        let is_judged = |(experiment, _): &ExperimentGames<'a>| judged.contains(experiment.id.as_str());
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
                !verdict.claim.audit
                    && told.insert((
                        verdict.claim.statement(),
                        forms(verdict).into_iter().map(Variant::words).collect::<Vec<_>>(),
                    ))
            })
            .filter_map(|verdict| Some((verdict, claim_row(verdict)?)))
            .collect();
        // Whatever is not drawn needs no label of its own.
        let drawn = tested.len().min(MOST_PAGES * MOST_CLAIMS);
        tell_apart(&mut tested[..drawn]);
        let figure = |page: FigurePage<'_, (&Verdict<'_>, ClaimRow)>| {
            let (verdicts, rows): (Vec<&Verdict<'_>>, Vec<ClaimRow>) = page.rows.iter().cloned().unzip();
            let numbers = counted(rows.len() as u64, "published number");
            let description = format!("{numbers}, each against what our games predict for it.");
            let (id, title) = (page.id("claims"), page.title("Published numbers against ours"));
            self.plan(&id, title, description, &self.judged(&verdicts), Box::new(Claims { rows }))
        };
        pages(&tested, MOST_CLAIMS, "number").map(figure).collect()
    }
}

fn mean_score(games: &Games) -> f64 {
    Sample::new(games.scores()).map_or(0.0, |scores| scores.mean())
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
