//! The columns of a study's file.
//!
//! One a parameter, named `param.<name>`: a number, or the text of a choice. What each game came to stands as
//! numbers with spaces between them, so that any reader of Parquet can have it; where a study keeps the sums
//! of scores alone, these are columns of numbers.

use std::str::FromStr;

use engine::Ending;
use manifest::{Objective, Study};
use polars::error::PolarsResult;
use polars::prelude::{
    Column, DataFrame, Float64Chunked, IntoColumn, NamedFrom as _, Series, StringChunked, UInt32Chunked,
    UInt64Chunked,
};
use search::{Dimension, Origin, Point, Range};

use jobs::StoreError;

use crate::STUDY;
use crate::row::{Effort, TrialOutcome, TrialRow};
use crate::scores::{Scores, keeps_each};
use platform::confined::ConfinedPath;

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
    let u32s = |name: &str, value: fn(&TrialRow) -> u64| {
        let values: Vec<u32> = rows.iter().map(|row| value(row) as u32).collect();
        Series::new(name.into(), values).into_column()
    };
    let u64s = |name: &str, value: fn(&TrialRow) -> u64| {
        let values: Vec<u64> = rows.iter().map(value).collect();
        Series::new(name.into(), values).into_column()
    };
    let mut columns = vec![
        u32s("trial", |row| row.trial),
        u32s("batch", |row| row.batch.into()),
        strings("origin", rows.iter().map(|row| origin_name(row.origin).to_owned())),
    ];
    let dimensions = study.space.dimensions().iter().enumerate();
    columns.extend(dimensions.map(|(gene, dimension)| param_column(study, dimension, gene, rows)));
    columns.push(u64s("first_game", |row| row.games.start));
    columns.push(u32s("games", |row| row.games.end - row.games.start));
    let means: Vec<[Option<f64>; 4]> = rows.iter().map(means).collect();
    for (place, name) in MEANS.into_iter().enumerate() {
        let values: Vec<Option<f64>> = means.iter().map(|means| means[place]).collect();
        columns.push(Series::new(name.into(), values).into_column());
    }
    let texts: Vec<[String; 3]> = rows.iter().map(games_texts).collect();
    if !keeps_each(study) {
        columns.extend(SUMS.into_iter().enumerate().map(|(place, name)| sums(name, place, rows)));
    }
    for (place, name) in GAMES.into_iter().enumerate().filter(|&(place, _)| place > 0 || keeps_each(study)) {
        columns.push(strings(name, texts.iter().map(|texts| texts[place].clone())));
    }
    columns.push(strings("digest", rows.iter().map(|row| outcome_texts(&row.outcome).0)));
    columns.push(strings("fault", rows.iter().map(|row| outcome_texts(&row.outcome).1)));
    DataFrame::new(rows.len(), columns)
}

fn games_texts(row: &TrialRow) -> [String; 3] {
    match &row.outcome {
        TrialOutcome::Played { scores, efforts, .. } => texts(scores, efforts),
        TrialOutcome::Faulted { .. } => Default::default(),
    }
}

/// The columns of what each game came to.
const GAMES: [&str; 3] = ["scores", "moves", "nodes"];

/// The columns that stand for that of the scores where only their sums are kept.
const SUMS: [&str; 2] = ["score_sum", "score_squares"];

fn sums(name: &str, place: usize, rows: &[TrialRow]) -> Column {
    let value = |row: &TrialRow| match row.scores()? {
        Scores::Together { sum, squares, .. } => Some([*sum, *squares][place]),
        Scores::Each(_) => None,
    };
    Series::new(name.into(), rows.iter().map(value).collect::<Vec<Option<u64>>>()).into_column()
}

/// The digest of the games, and the fault: one of them is empty.
fn outcome_texts(outcome: &TrialOutcome) -> (String, String) {
    match outcome {
        TrialOutcome::Played { digest, .. } => (digest.clone(), String::new()),
        TrialOutcome::Faulted { game, ending, reason } => {
            (String::new(), format!("{game} {ending} {reason}"))
        }
    }
}

fn strings(name: &str, values: impl Iterator<Item = String>) -> Column {
    let values: Vec<String> = values.collect();
    Series::new(name.into(), values).into_column()
}

fn param_name(dimension: &Dimension) -> String {
    format!("param.{}", dimension.name)
}

fn param_column(study: &Study, dimension: &Dimension, gene: usize, rows: &[TrialRow]) -> Column {
    let values = rows.iter().map(|row| row.point.values()[gene]);
    let name = param_name(dimension);
    match study.choices.get(&dimension.name) {
        Some(choices) => strings(&name, values.map(|value| choices[value as usize].to_string())),
        None => Series::new(name.as_str().into(), values.collect::<Vec<f64>>()).into_column(),
    }
}

/// The rows of a frame.
pub(crate) fn rows(
    path: &ConfinedPath,
    study: &Study,
    frame: &DataFrame,
) -> Result<Vec<TrialRow>, StoreError> {
    let columns =
        Columns::of(study, frame).map_err(|error| StoreError::form(path, &STUDY, error.to_string()))?;
    let mut batch = 0;
    (0..frame.height())
        .map(|at| {
            let wrong = || StoreError::form(path, &STUDY, format!("row {at} is no trial of this study"));
            let row = columns.row(study, at).ok_or_else(wrong)?;
            let comes_next = row.batch == batch || (at > 0 && Some(row.batch) == batch.checked_add(1));
            if row.trial != at as u64 || !comes_next {
                let found = format!("row {at} is trial {} of batch {}", row.trial, row.batch);
                return Err(StoreError::form(path, &STUDY, found));
            }
            batch = row.batch;
            columns.check_means(path, at, &row).map(|()| row)
        })
        .collect()
}

struct Columns<'a> {
    trial: &'a UInt32Chunked,
    batch: &'a UInt32Chunked,
    origin: &'a StringChunked,
    params: Vec<Param<'a>>,
    first_game: &'a UInt64Chunked,
    games: &'a UInt32Chunked,
    means: Vec<&'a Float64Chunked>,
    scores: ScoreColumns<'a>,
    moves: &'a StringChunked,
    nodes: &'a StringChunked,
    digest: &'a StringChunked,
    fault: &'a StringChunked,
}

/// Where the scores of a trial's games stand.
enum ScoreColumns<'a> {
    Each(&'a StringChunked),
    Together { sum: &'a UInt64Chunked, squares: &'a UInt64Chunked },
}

enum Param<'a> {
    Number(&'a Float64Chunked),
    Choice(&'a StringChunked),
}

impl<'a> Columns<'a> {
    fn of(study: &Study, frame: &'a DataFrame) -> PolarsResult<Self> {
        let param = |dimension: &Dimension| {
            let column = frame.column(&param_name(dimension))?;
            Ok(match dimension.range {
                Range::Choice { .. } => Param::Choice(column.str()?),
                Range::Real { .. } | Range::Integer { .. } => Param::Number(column.f64()?),
            })
        };
        Ok(Self {
            trial: frame.column("trial")?.u32()?,
            batch: frame.column("batch")?.u32()?,
            origin: frame.column("origin")?.str()?,
            params: study.space.dimensions().iter().map(param).collect::<PolarsResult<_>>()?,
            first_game: frame.column("first_game")?.u64()?,
            games: frame.column("games")?.u32()?,
            means: MEANS.iter().map(|name| frame.column(name)?.f64()).collect::<PolarsResult<_>>()?,
            scores: ScoreColumns::of(study, frame)?,
            moves: frame.column("moves")?.str()?,
            nodes: frame.column("nodes")?.str()?,
            digest: frame.column("digest")?.str()?,
            fault: frame.column("fault")?.str()?,
        })
    }

    /// The trial in a row, unless something is missing in it or is none of the study's.
    fn row(&self, study: &Study, at: usize) -> Option<TrialRow> {
        let first = self.first_game.get(at)?;
        let games = first..first.checked_add(self.games.get(at)?.into())?;
        let params = study.space.dimensions().iter().zip(&self.params);
        let values = params.map(|(dimension, param)| match param {
            Param::Number(numbers) => numbers.get(at),
            Param::Choice(texts) => choice(study, dimension, texts.get(at)?),
        });
        Some(TrialRow {
            trial: self.trial.get(at)?.into(),
            batch: self.batch.get(at)?,
            origin: origin(self.origin.get(at)?)?,
            point: Point::stored(&study.space, values.collect::<Option<_>>()?)?,
            outcome: self.outcome(study, at, games.end - games.start)?,
            games,
        })
    }

    fn outcome(&self, study: &Study, at: usize, count: u64) -> Option<TrialOutcome> {
        let (digest, fault) = (self.digest.get(at)?, self.fault.get(at)?);
        if !fault.is_empty() {
            let mut parts = fault.splitn(3, ' ');
            let (game, ending, reason) = (parts.next()?, parts.next()?, parts.next()?);
            let (game, ending) = (game.parse().ok()?, ending.parse::<Ending>().ok()?);
            return Some(TrialOutcome::Faulted { game, ending, reason: reason.to_owned() });
        }
        let (moves, nodes) = (numbers::<u64>(self.moves.get(at)?)?, numbers::<u64>(self.nodes.get(at)?)?);
        let efforts_kept = if study.objectives.contains(&Objective::Cost) { count } else { 1 };
        let fits = [moves.len(), nodes.len()].iter().all(|&length| length as u64 == efforts_kept);
        let efforts = moves.into_iter().zip(nodes).map(|(moves, nodes)| Effort { moves, nodes }).collect();
        let scores = self.scores.get(at, count)?;
        fits.then(|| TrialOutcome::Played { scores, efforts, digest: digest.to_owned() })
    }

    fn check_means(&self, path: &ConfinedPath, at: usize, row: &TrialRow) -> Result<(), StoreError> {
        let stored = self.means.iter().map(|column| column.get(at));
        let wrong = stored
            .zip(means(row))
            .zip(MEANS)
            .find(|((stored, right), _)| stored.map(f64::to_bits) != right.map(f64::to_bits));
        match wrong {
            Some((_, column)) => {
                let reason = format!("trial {}: {column} does not follow from its games", row.trial);
                Err(StoreError::content(path, &STUDY, reason))
            }
            None => Ok(()),
        }
    }
}

impl<'a> ScoreColumns<'a> {
    fn of(study: &Study, frame: &'a DataFrame) -> PolarsResult<Self> {
        if keeps_each(study) {
            return Ok(Self::Each(frame.column(GAMES[0])?.str()?));
        }
        let [sum, squares] = SUMS.map(|name| frame.column(name)?.u64());
        Ok(Self::Together { sum: sum?, squares: squares? })
    }

    /// The scores of so many games in a row.
    fn get(&self, at: usize, games: u64) -> Option<Scores> {
        match self {
            Self::Each(texts) => {
                let scores = numbers(texts.get(at)?)?;
                (scores.len() as u64 == games).then_some(Scores::Each(scores))
            }
            Self::Together { sum, squares } => {
                Some(Scores::Together { games, sum: sum.get(at)?, squares: squares.get(at)? })
            }
        }
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
