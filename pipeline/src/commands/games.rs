//! `pipeline games`: the games of an experiment.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::table::table;
use super::{Failure, print_json, print_text};
use crate::cli::{self, GamesOrder};
use crate::layout::{Key, Layout};
use crate::record::GameRecord;
use crate::store::RecordsReader;

pub(crate) fn games(arguments: &cli::Games) -> Result<(), Failure> {
    let mut records = read(&arguments.experiment, &arguments.out)?;
    match arguments.sort {
        GamesOrder::Game => {}
        GamesOrder::Score => records.sort_by_key(|record| Reverse(record.score)),
        GamesOrder::Moves => records.sort_by_key(|record| Reverse(record.moves)),
        GamesOrder::MaxTile => records.sort_by_key(|record| Reverse(record.max_tile)),
    }
    records.truncate(arguments.limit.unwrap_or(usize::MAX));
    if arguments.json {
        return print_json(&records);
    }
    let rows: Vec<Vec<String>> = records.iter().map(row).collect();
    print_text(&table(&["game", "score", "max tile", "moves", "ending", "final board"], &rows))
}

fn row(record: &GameRecord) -> Vec<String> {
    vec![
        record.game.to_string(),
        record.score.to_string(),
        record.max_tile.to_string(),
        record.moves.to_string(),
        record.ending.to_string(),
        record.final_board.clone(),
    ]
}

fn read(experiment: &str, out: &Path) -> Result<Vec<GameRecord>, Failure> {
    let mut reader = RecordsReader::open(&records_file(experiment, out)?)?;
    Ok(reader.games().collect::<Result<_, _>>()?)
}

/// The records file that a name means: a file, or an experiment of the results folder.
pub(super) fn records_file(name: &str, out: &Path) -> Result<PathBuf, Failure> {
    if Path::new(name).extension().is_some_and(|extension| extension == "parquet") {
        return Ok(PathBuf::from(name));
    }
    let (paper, experiment) = name.split_once('/').ok_or_else(|| {
        Failure::usage(format!("`{name}` is no experiment: write PAPER/EXPERIMENT, or a records file"))
    })?;
    let key = Key { paper: paper.to_owned(), experiment: experiment.to_owned() };
    let file = Layout::new(out).records(&key, None);
    if file.exists() {
        return Ok(file);
    }
    Err(Failure::usage(format!("{}: there are no records; `pipeline run {name}` makes them", file.display())))
}
