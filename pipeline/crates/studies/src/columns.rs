//! The columns of a study's file.
//!
//! One a parameter, named `param.<name>`: a number, or the text of a choice. What each game came to stands as
//! numbers with spaces between them, so that any reader of Parquet can have it; where a study keeps the sums
//! of scores alone, these are columns of numbers.

use std::str::FromStr;

use engine::Ending;
use manifest::{Objective, Study};
use polars::error::PolarsResult;
use polars::prelude::DataFrame;
use records::Cells;
use records::store::column;
use search::{Dimension, Origin, Point, Range};

use jobs::StoreError;

use crate::scores::keeps_each;
use crate::{Effort, STUDY, Scores, TrialOutcome, TrialRow};
use platform::ConfinedPath;

/// The name of an origin in a file.
pub(crate) const fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Sample => "sample",
        Origin::Crossover => "crossover",
        Origin::Kept => "kept",
        Origin::Acquisition => "acquisition",
        Origin::Surrogate => "surrogate",
    }
}

fn origin(name: &str) -> Option<Origin> {
    const ALL: [Origin; 5] =
        [Origin::Sample, Origin::Crossover, Origin::Kept, Origin::Acquisition, Origin::Surrogate];
    ALL.into_iter().find(|&origin| origin_name(origin) == name)
}

/// Scores or their sums, moves and nodes, each as numbers with spaces between them.
pub(crate) fn texts(scores: &Scores, efforts: &[Effort]) -> [String; 3] {
    let text = |numbers: &mut dyn Iterator<Item = u64>| {
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        numbers.join(" ")
    };
    let scores = match scores {
        Scores::Each(scores) => text(&mut scores.iter().map(|&score| score.into())),
        Scores::Together { sum, squares, .. } => text(&mut [*sum, *squares].into_iter()),
    };
    [
        scores,
        text(&mut efforts.iter().map(|effort| effort.moves)),
        text(&mut efforts.iter().map(|effort| effort.nodes)),
    ]
}

/// The mean score, its interval and the mean cost of a row, in this order.
const MEANS: [&str; 4] = ["mean_score", "mean_score_low", "mean_score_high", "mean_cost"];

/// They are there to be looked at, and rounded to save room: what is exact are the games.
fn means(row: &TrialRow) -> [Option<f64>; 4] {
    let score = row.score();
    let score = score.as_ref();
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    [
        score.map(|score| rounded(score.point)),
        score.map(|score| score.low.round()),
        score.map(|score| score.high.round()),
        row.mean_cost().map(rounded),
    ]
}

/// The frame of a study's rows.
pub(crate) fn frame(study: &Study, rows: &[TrialRow]) -> PolarsResult<DataFrame> {
    let u32s = |name, value: fn(&TrialRow) -> u64| {
        column(name, rows.iter().map(|row| value(row) as u32).collect::<Vec<u32>>())
    };
    let texts = |name: &str, value: &dyn Fn(&TrialRow) -> String| {
        column(name, rows.iter().map(value).collect::<Vec<String>>())
    };
    let mut columns = vec![
        u32s("trial", |row| row.trial),
        u32s("batch", |row| row.batch.into()),
        texts("origin", &|row| origin_name(row.origin).to_owned()),
    ];
    for (gene, dimension) in study.space.dimensions().iter().enumerate() {
        let value = |row: &TrialRow| row.point.values()[gene];
        let name = param_name(dimension);
        columns.push(match study.choices.get(&dimension.name) {
            Some(choices) => texts(&name, &|row| choices[value(row) as usize].to_string()),
            None => column(&name, rows.iter().map(value).collect::<Vec<f64>>()),
        });
    }
    columns.push(column("first_game", rows.iter().map(|row| row.games.start).collect::<Vec<u64>>()));
    columns.push(u32s("games", |row| row.games.end - row.games.start));
    let means: Vec<[Option<f64>; 4]> = rows.iter().map(means).collect();
    for (place, name) in MEANS.into_iter().enumerate() {
        columns.push(column(name, means.iter().map(|means| means[place]).collect::<Vec<Option<f64>>>()));
    }
    let games: Vec<[String; 3]> = rows.iter().map(games_texts).collect();
    let of_games =
        |place: usize| column(GAMES[place], games.iter().map(|games| &*games[place]).collect::<Vec<&str>>());
    if keeps_each(study) {
        columns.push(of_games(0));
    } else {
        let sums = |row: &TrialRow| match row.scores() {
            Some(Scores::Together { sum, squares, .. }) => [Some(*sum), Some(*squares)],
            _ => [None, None],
        };
        let sums: Vec<[Option<u64>; 2]> = rows.iter().map(sums).collect();
        for (place, name) in SUMS.into_iter().enumerate() {
            columns.push(column(name, sums.iter().map(|sums| sums[place]).collect::<Vec<Option<u64>>>()));
        }
    }
    columns.extend([of_games(1), of_games(2)]);
    columns.push(texts("digest", &|row| outcome_texts(&row.outcome).0));
    columns.push(texts("fault", &|row| outcome_texts(&row.outcome).1));
    DataFrame::new(rows.len(), columns)
}

fn games_texts(row: &TrialRow) -> [String; 3] {
    match &row.outcome {
        TrialOutcome::Played { scores, efforts, .. } => texts(scores, efforts),
        TrialOutcome::Faulted { .. } => Default::default(),
    }
}

/// The columns of each game's score, moves and nodes.
const GAMES: [&str; 3] = ["scores", "moves", "nodes"];

/// The columns in the place of the scores if only their sums are kept.
const SUMS: [&str; 2] = ["score_sum", "score_squares"];

/// The digest of the games, and the fault: one of them is empty.
fn outcome_texts(outcome: &TrialOutcome) -> (String, String) {
    match outcome {
        TrialOutcome::Played { digest, .. } => (digest.clone(), String::new()),
        TrialOutcome::Faulted { game, ending, reason } => {
            (String::new(), format!("{game} {ending} {reason}"))
        }
    }
}

fn param_name(dimension: &Dimension) -> String {
    format!("param.{}", dimension.name)
}

/// The rows of a frame.
pub(crate) fn rows(
    path: &ConfinedPath,
    study: &Study,
    frame: &DataFrame,
) -> Result<Vec<TrialRow>, StoreError> {
    let params = study.space.dimensions().iter().map(param_name).collect();
    let (reader, mut batch) = (RowReader { study, params, cells: Cells::new(frame) }, 0);
    (0..frame.height())
        .map(|at| {
            let wrong = || StoreError::form(path, &STUDY, format!("row {at} is no trial of this study"));
            let row = reader.row(at).ok_or_else(wrong)?;
            let comes_next = row.batch == batch || (at > 0 && Some(row.batch) == batch.checked_add(1));
            if row.trial != at as u64 || !comes_next {
                let found = format!("row {at} is trial {} of batch {}", row.trial, row.batch);
                return Err(StoreError::form(path, &STUDY, found));
            }
            batch = row.batch;
            let mut means = MEANS.into_iter().zip(means(&row));
            let is_wrong = |&(column, right): &(&str, Option<f64>)| {
                reader.cells.f64(column, at).map(f64::to_bits) != right.map(f64::to_bits)
            };
            match means.find(is_wrong) {
                None => Ok(row),
                Some((column, _)) => {
                    let reason = format!("trial {at}: {column} does not follow from its games");
                    Err(StoreError::content(path, &STUDY, reason))
                }
            }
        })
        .collect()
}

/// Reads trials. Each part is `None` if something is missing in it or does not belong to the study.
struct RowReader<'a> {
    study: &'a Study,
    /// The names of the parameters' columns.
    params: Vec<String>,
    cells: Cells<'a>,
}

impl RowReader<'_> {
    fn row(&self, at: usize) -> Option<TrialRow> {
        let Self { study, params, cells } = self;
        let first = cells.u64("first_game", at)?;
        let games = first..first.checked_add(cells.u32("games", at)?.into())?;
        let value = |(dimension, param): (&Dimension, &String)| match dimension.range {
            Range::Choice { .. } => choice(study, dimension, cells.text(param, at)?),
            Range::Real { .. } | Range::Integer { .. } => cells.f64(param, at),
        };
        let values = study.space.dimensions().iter().zip(params).map(value).collect::<Option<_>>()?;
        Some(TrialRow {
            trial: cells.u32("trial", at)?.into(),
            batch: cells.u32("batch", at)?,
            origin: origin(cells.text("origin", at)?)?,
            point: Point::stored(&study.space, values)?,
            outcome: self.outcome(at, games.end - games.start)?,
            games,
        })
    }

    fn outcome(&self, at: usize, count: u64) -> Option<TrialOutcome> {
        let text = |column| self.cells.text(column, at);
        let (digest, fault) = (text("digest")?, text("fault")?);
        if !fault.is_empty() {
            let mut parts = fault.splitn(3, ' ');
            let (game, ending, reason) = (parts.next()?, parts.next()?, parts.next()?);
            let (game, ending) = (game.parse().ok()?, ending.parse::<Ending>().ok()?);
            return Some(TrialOutcome::Faulted { game, ending, reason: reason.to_owned() });
        }
        let scores = if keeps_each(self.study) {
            let scores: Vec<u32> = numbers(text(GAMES[0])?)?;
            Some(Scores::Each(scores)).filter(|scores| scores.count() == count)?
        } else {
            let [sum, squares] = SUMS.map(|column| self.cells.u64(column, at));
            Scores::Together { games: count, sum: sum?, squares: squares? }
        };
        let (moves, nodes) = (numbers::<u64>(text(GAMES[1])?)?, numbers::<u64>(text(GAMES[2])?)?);
        let efforts_kept = if self.study.objectives.contains(&Objective::Cost) { count } else { 1 };
        let fits = [moves.len(), nodes.len()].iter().all(|&length| length as u64 == efforts_kept);
        let efforts = moves.into_iter().zip(nodes).map(|(moves, nodes)| Effort { moves, nodes }).collect();
        fits.then(|| TrialOutcome::Played { scores, efforts, digest: digest.to_owned() })
    }
}

/// Numbers with spaces between them.
fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(' ').map(|number| number.parse().ok()).collect()
}

/// The number of a choice, by its text.
fn choice(study: &Study, dimension: &Dimension, text: &str) -> Option<f64> {
    let choices = study.choices.get(&dimension.name)?;
    let mut texts = choices.iter().map(ToString::to_string);
    texts.position(|choice| choice == text).map(|place| place as f64)
}
