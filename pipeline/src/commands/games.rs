//! `pipeline games`: the games of an experiment.

use platform::confined::ConfinedPath;
use std::cmp::Reverse;
use std::path::Path;

use engine::Ending;
use serde::Serialize;

use super::context::Context;
use super::{Failure, print_json, print_text};
use crate::cli::{self, GamesOrder, Places};
use crate::output::table::table;
use crate::plan::Selection;
use jobs::Key;
use platform::plain;
use records::layout::Layout;
use records::record::GameRecord;
use records::store::RecordsReader;

pub(crate) fn games(arguments: &cli::Games) -> Result<(), Failure> {
    let mut records = read(&arguments.experiment, &arguments.places)?;
    match arguments.sort {
        GamesOrder::Game => {}
        GamesOrder::Score => records.sort_by_key(|record| Reverse(record.score)),
        GamesOrder::Moves => records.sort_by_key(|record| Reverse(record.moves)),
        GamesOrder::MaxTile => records.sort_by_key(|record| Reverse(record.max_tile)),
    }
    records.truncate(arguments.limit.unwrap_or(usize::MAX));
    if arguments.json {
        return print_json(&records.iter().map(View::of).collect::<Vec<_>>());
    }
    let rows: Vec<Vec<String>> = records.iter().map(row).collect();
    print_text(&table(&["game", "score", "max tile", "moves", "ending", "final board"], &rows))
}

/// A game for scripts. Seeds are text, since numbers of 64 bits lose digits where JSON is read as JavaScript
/// does.
#[derive(Serialize)]
struct View<'a> {
    game: u64,
    tile_seed: String,
    agent_seed: String,
    score: u32,
    max_tile: u32,
    moves: u32,
    directions: &'a str,
    final_board: &'a str,
    nodes: u64,
    ending: Ending,
    #[serde(skip_serializing_if = "Option::is_none")]
    spawns: Option<&'a str>,
}

impl<'a> View<'a> {
    fn of(record: &'a GameRecord) -> Self {
        let GameRecord { directions, final_board, .. } = record;
        Self {
            game: record.game,
            tile_seed: format!("{:016x}", record.tile_seed),
            agent_seed: format!("{:016x}", record.agent_seed),
            score: record.score,
            max_tile: record.max_tile,
            moves: record.moves,
            directions,
            final_board,
            nodes: record.nodes,
            ending: record.ending,
            spawns: record.spawns.as_deref(),
        }
    }
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
