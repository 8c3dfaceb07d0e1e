//! Metrics as texts, and what they are on games made for tests.

use engine::Ending;
use engine::agent::Budget;
use platform::ConfinedPath;
use records::{GameTiming, Identity, Outcome};

use super::*;

pub(crate) fn outcome(board: &str, score: u32) -> Outcome {
    let max_tile = board.split_whitespace().filter_map(|cell| cell.parse().ok()).max().unwrap_or(0);
    let final_board = board.to_owned();
    Outcome { game: 0, score, max_tile, moves: 10, final_board, nodes: 25, ending: Ending::NoMoves }
}

pub(crate) fn games(outcomes: Vec<Outcome>, timings: Vec<GameTiming>) -> Games {
    let params = serde_json::Map::new();
    let identity = Identity::new(engine::Rules::default(), ("random", "1"), params, Budget::None, 1, None);
    let (records, digest) = ("p/e".parse().unwrap(), String::new());
    let (file, second_signature, provenance) = (ConfinedPath::root(""), None, Vec::new());
    let hashes = FileHashes::default();
    Games { records, file, identity, second_signature, digest, provenance, outcomes, timings, hashes }
}

fn quantities() -> impl Iterator<Item = Quantity> + Clone {
    let value = Quantity::BoardValue(BoardValue::parse("tile-sum+2*corner-lag").unwrap());
    Quantity::all_named().chain([value])
}

#[test]
fn every_metric_is_read_back_from_its_text() {
    let mut events: Vec<Event> = (1..=16).flat_map(|rank| Event::all_named(1 << rank)).collect();
    events.extend(quantities().map(|quantity| Event::AtLeast(quantity, 2048)));
    let mut metrics = vec![Metric::CpuPerMoveRatio];
    metrics.extend(quantities().map(Metric::Ratio));
    metrics.extend(SpecialMetric::all(4096).map(|(metric, tile)| Metric::Special(metric, tile)));
    for given in [Given::Always, Given::Reached(4096), Given::NotReached(2)] {
        metrics.extend(events.iter().map(|&event| Metric::Share { event, given }));
        for quantity in quantities() {
            let of = |statistic| Metric::Summary { quantity, statistic, given };
            metrics.extend(Statistic::ALL.map(of));
        }
    }
    for metric in metrics {
        assert_eq!(metric.to_string().parse(), Ok(metric));
    }
}

#[test]
fn texts_are_read_as_the_metric_that_they_name() {
    let (quantity, statistic) = (Quantity::SCORE, Statistic::Median);
    let median = Metric::Summary { quantity, statistic, given: Given::NotReached(4096) };
    let board_value = Quantity::BoardValue(BoardValue::parse("tile-sum+100*corner-best").unwrap());
    let at_least = Metric::Share { event: Event::AtLeast(board_value, 2048), given: Given::Always };
    for (text, metric) in [
        ("tile-sum.mean", Metric::summary(Quantity::TILE_SUM, Statistic::Mean)),
        ("tile-sum.max", Metric::summary(Quantity::TILE_SUM, Statistic::Maximum)),
        ("reach.2048", Metric::reach(2048)),
        ("score.median.if-not-reach-4096", median),
        ("tile-sum+100*corner-best.at-least.2048", at_least),
    ] {
        assert_eq!(text.parse(), Ok(metric));
    }
    for (text, words) in [
        ("score-below.60000.if-reach-4096", "share below 60,000 points of games that reach 4096"),
        ("tile-sum+10*corner-rank.min", "lowest board value (tile-sum + 10 × corner-rank)"),
        ("tile-sum.at-least.2048", "share whose sum of tiles is at least 2,048"),
        (
            "max-tile-in-center.if-not-reach-2048",
            "share with the largest tile in the center of games that do not reach 2048",
        ),
        ("merges.mean", "mean number of merges in 1,000 moves"),
    ] {
        assert_eq!(text.parse::<Metric>().unwrap().words(), words);
    }
}

#[test]
fn limits_leave_room_for_every_game() {
    let high = |text: &str| text.parse::<Metric>().unwrap().limits().1;
    assert_eq!((high("reach.2048"), high("max-tile.max")), (1.0, 65_536.0));
    // A board with one tile of each rank from 2 to 16, made of spawned 2s alone.
    let tiles = (2..=16_u32).map(|rank| f64::from(1_u32 << rank));
    let score: f64 = (2..=16_u32).map(|rank| f64::from((rank - 1) << rank)).sum();
    assert!(tiles.sum::<f64>() < high("tile-sum.mean") && score < high("score.mean"), "{score}");
    assert_eq!(high("score.sd") * 2.0, high("score.max"));
}

#[test]
fn shares_are_rates_and_gains_are_not() {
    let rates = ["reach.2048", "greedy-moves.mean", "score.explained-by.4096", "max-tile-in-corner"];
    for (texts, is_rate) in
        [(rates, true), (["random-gain.mean", "score.mean", "nodes.ratio", "nodes.sd"], false)]
    {
        for text in texts {
            assert_eq!(text.parse::<Metric>().unwrap().is_rate(), is_rate, "{text}");
        }
    }
}

#[test]
fn other_texts_are_refused_with_all_that_is_allowed() {
    let wrong = "/score/score.average/points.mean/Score.mean/score.mean /reach/reach.2047/reach.0/reach.+2048/\
                 reach.131072/cpu-per-move/cpu-per-move.mean/cpu-per-move.ratio.if-reach-2048/\
                 score.mean.if-reach-2000/score.mean.if-reach/score-below.6e4/max-tile-between-corners.mean/\
                 max-tile-in-center./score.at-least/score.at-least./score.at-least.2e3/points.at-least.2048/\
                 reach.at-least.2048/tile-sum+corner.mean/corner-rank+tile-sum.mean/greedy-moves/\
                 greedy-moves.mean.if-reach-2048/score.explained-by.3000/reach.ratio";
    for text in wrong.split('/') {
        let error = text.parse::<Metric>().unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "`{text}` is not a metric: write a quantity (`{}`, or a sum of `tile-sum`, `corner-rank`, \
                 `corner-best`, `corner-lag` in this order with weights, such as `tile-sum+10*corner-rank`) with \
                 `.mean`, `.sd`, `.population-sd`, `.median`, `.min`, `.max` or `.at-least.NUMBER`; or `reach.TILE`, \
                 `score-below.NUMBER`, `max-tile-in-corner`, `max-tile-between-corners`, `max-tile-in-center`; all of \
                 these also with `.if-reach-TILE` or `.if-not-reach-TILE`; or `greedy-moves.mean`, \
                 `random-gain.mean`, `score.explained-by.TILE`; or a quantity with `.ratio`, or \
                 `cpu-per-move.ratio`. A tile is a power of two from 2 to 65536",
                Quantity::names("`, `")
            )
        );
    }
}

#[test]
fn quantities_are_taken_from_the_last_board_and_the_moves() {
    let games = games(Vec::new(), Vec::new());
    let outcome = outcome("2 4 . . / . 65536 . . / . . . . / . . . 8", 100);
    let unmoved = Outcome { moves: 0, ..outcome.clone() };
    for (quantity, outcome, value) in [
        (Quantity::SCORE, &outcome, Some(100.0)),
        (Quantity::TILE_SUM, &outcome, Some(65550.0)),
        (Quantity::MAX_TILE, &outcome, Some(65536.0)),
        (Quantity::NODES, &outcome, Some(2.5)),
        (Quantity::NODES, &unmoved, None),
    ] {
        assert_eq!(quantity.value(&games, outcome), value, "{quantity}");
    }
}

#[test]
fn events_happen_from_their_number_on() {
    let games = games(Vec::new(), Vec::new());
    let outcome = outcome("1024 512 . . / . . . . / . . . . / . . . .", 60_000);
    for (text, happens) in [
        ("tile-sum.at-least.1536", true),
        ("tile-sum.at-least.1537", false),
        ("score.at-least.60000", true),
        ("score.at-least.60001", false),
        ("score-below.60000", false),
        ("score-below.60001", true),
        ("reach.1024", true),
        ("reach.2048", false),
    ] {
        assert_eq!(Event::parse(text).unwrap().happens(&games, &outcome), happens, "{text}");
    }
}

#[test]
fn games_without_a_known_time_or_a_move_have_no_time_per_move() {
    let board = "2 . . . / . . . . / . . . . / . . . .";
    let outcomes = (0..3).map(|game| Outcome { game, ..outcome(board, 0) }).collect();
    let timing = |(game, cpu_ns)| GameTiming { game, cpu_ns, wall_ns: 1 };
    let mut games = games(outcomes, [(0, 500), (1, 0), (2, 700)].map(timing).to_vec());
    assert_eq!(games.cpu_ns_per_move(), [50.0, 70.0]);
    games.outcomes[2].moves = 0;
    assert_eq!(games.cpu_ns_per_move(), [50.0]);
}

/// Every game either reaches a tile or does not: the two conditions share all games between them.
#[test]
fn games_that_do_not_reach_a_tile_are_the_rest_of_those_that_do() {
    let tiles = [2_u32, 1024, 2048, 2048, 4096];
    let outcomes = (0..).zip(tiles).map(|(score, tile)| outcome(&format!("{tile} . . ."), score)).collect();
    let games = games(outcomes, Vec::new());
    let scores = |given| games.values(Quantity::SCORE, given);
    assert_eq!(scores(Given::Reached(2048)), [2.0, 3.0, 4.0]);
    assert_eq!(scores(Given::NotReached(2048)), [0.0, 1.0]);
    for rank in 1..=16 {
        let tile = 1 << rank;
        let mut both = scores(Given::Reached(tile));
        both.extend(scores(Given::NotReached(tile)));
        both.sort_by(f64::total_cmp);
        assert_eq!(both, scores(Given::Always), "{tile}");
    }
    let below = |given| games.count(Event::parse("score-below.3").unwrap(), given);
    assert_eq!((below(Given::Reached(2048)), below(Given::NotReached(2048))), ((1, 3), (2, 2)));
    assert_eq!(games.count(Event::reach(2048), Given::NotReached(2048)), (0, 2));
}
