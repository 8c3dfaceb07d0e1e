//! `pipeline games`: the games of an experiment.

use platform::{ConfinedPath, plain};
use std::cmp::Reverse;
use std::path::Path;

use serde_json::{Value, json};

use super::context::Context;
use super::{Failure, print_json, print_text};
use crate::cli::{self, GamesOrder, Places};
use crate::output::table;
use crate::plan::Selection;
use jobs::Key;
use records::{GameRecord, Layout, RecordsReader};

pub(crate) fn games(arguments: &cli::GamesArgs) -> Result<(), Failure> {
    let mut records = read(&arguments.experiment, &arguments.places)?;
    match arguments.sort {
        GamesOrder::Game => {}
        GamesOrder::Score => records.sort_by_key(|record| Reverse(record.score)),
        GamesOrder::Moves => records.sort_by_key(|record| Reverse(record.moves)),
        GamesOrder::MaxTile => records.sort_by_key(|record| Reverse(record.max_tile)),
    }
    records.truncate(arguments.limit.unwrap_or(usize::MAX));
    if arguments.json {
        return print_json(&records.iter().map(as_json).collect::<Vec<_>>());
    }
    let header = ["game", "score", "max tile", "moves", "ending", "final board"];
    print_text(&table(&header, records.iter().map(row)))
}

/// A game for scripts. Seeds are text, since numbers of 64 bits lose digits if JSON is read as JavaScript
/// does.
fn as_json(record: &GameRecord) -> Value {
    let mut game = json!(record);
    game["tile_seed"] = format!("{:016x}", record.tile_seed).into();
    game["agent_seed"] = format!("{:016x}", record.agent_seed).into();
    game
}

fn row(record: &GameRecord) -> Vec<String> {
    vec![
        record.game.to_string(),
        record.score.to_string(),
        record.max_tile.to_string(),
        record.moves.to_string(),
        record.ending.to_string(),
        plain::line(&record.final_board),
    ]
}

fn read(experiment: &str, places: &Places) -> Result<Vec<GameRecord>, Failure> {
    let mut reader = RecordsReader::open(&records_file(experiment, places)?)?;
    Ok(reader.games().collect::<Result<_, _>>()?)
}

/// The records file that a name means: a file, or an experiment of the results folder.
pub(super) fn records_file(name: &str, places: &Places) -> Result<ConfinedPath, Failure> {
    if Path::new(name).extension().is_some_and(|extension| extension == "parquet") {
        return Ok(ConfinedPath::file(Path::new(name)));
    }
    let (paper, experiment) = name.split_once('/').ok_or_else(|| {
        Failure::usage(format!(
            "`{name}` is not an experiment: write PAPER/EXPERIMENT, or name a records file"
        ))
    })?;
    let key = Key::new(paper, experiment);
    let file = Layout::new(&places.out).records(&key, None);
    if file.exists() {
        return Ok(file);
    }
    // An experiment may share the records of another one with the same identity.
    let selection = Selection { names: vec![name.to_owned()], with_extra: true, ..Selection::default() };
    let plan = Context::load(places, &[])?.plan(&selection)?;
    let shared = plan.jobs.into_iter().map(|planned| planned.path).find(|path| path.exists());
    shared.ok_or_else(|| {
        Failure::usage(format!(
            "{}: there are no records; run `pipeline run {name}` to make them",
            file.display()
        ))
    })
}
