//! The games that the page replays: the best of each experiment that plays, and the median and the worst of
//! those that are compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::comparison::entries;
use crate::report::{PageReplay, Pick};
use crate::tables::ReportInput;
use jobs::Key;
use platform::threads;
use records::{GameRecord, Layout, RecordsReader, StoreError};
use verdict::evidence::Games;

/// The games of all experiments with records of their own.
pub(super) fn replays(
    input: ReportInput<'_>,
    papers: &[&manifest::Paper],
    layout: &Layout,
) -> Result<Vec<PageReplay>, StoreError> {
    let mut wanted: Vec<(Key, &Games)> = Vec::new();
    for paper in papers {
        for (experiment, games) in input.played(paper) {
            let key = Key::new(&paper.id, &experiment.id);
            if key == games.records {
                wanted.push((key, games));
            }
        }
    }
    let comparison = input.papers.iter().filter(|paper| paper.comparison);
    let compared: BTreeSet<&Key> =
        comparison.flat_map(|paper| entries(input, paper)).map(|entry| &entry.games.records).collect();
    let found = threads::map(&wanted, |(key, games)| {
        let mut picks = picks(games);
        picks.retain(|(pick, _)| *pick == Pick::Best || compared.contains(key));
        of_experiment(key, games, &picks, layout)
    });
    found.into_iter().collect::<Result<Vec<_>, _>>().map(|replays| replays.concat())
}

fn of_experiment(
    key: &Key,
    games: &Games,
    picks: &[(Pick, u64)],
    layout: &Layout,
) -> Result<Vec<PageReplay>, StoreError> {
    let mut records: BTreeMap<u64, GameRecord> = BTreeMap::new();
    for record in RecordsReader::open(&layout.records(key, None))?.games() {
        let record = record?;
        if picks.iter().any(|(_, game)| *game == record.game) {
            records.insert(record.game, record);
        }
    }
    let replay = |&(pick, game): &(Pick, u64)| {
        let record = records.get(&game)?;
        Some(PageReplay {
            experiment: key.to_string(),
            pick,
            game,
            rules: games.identity.rules.clone(),
            seed: games.identity.master_seed().ok()?,
            tile_seed: record.tile_seed,
            directions: record.directions.clone(),
            score: record.score,
            moves: record.moves,
            max_tile: record.max_tile,
            final_board: record.final_board.clone(),
            ending: record.ending,
            spawns: record.spawns.clone(),
        })
    };
    Ok(picks.iter().filter_map(replay).collect())
}

/// The games by score, of equals the one with the lower number.
fn picks(games: &Games) -> Vec<(Pick, u64)> {
    let mut order: Vec<(u32, u64)> =
        games.outcomes.iter().map(|outcome| (outcome.score, outcome.game)).collect();
    order.sort_by_key(|&(score, game)| (std::cmp::Reverse(score), game));
    let at = |index: usize| order.get(index).map(|&(_, game)| game);
    let last = order.len().saturating_sub(1);
    [(Pick::Best, at(0)), (Pick::Median, at(last / 2)), (Pick::Worst, at(last))]
        .into_iter()
        .filter_map(|(pick, game)| Some((pick, game?)))
        .collect()
}
