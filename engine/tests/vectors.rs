//! The tables of `engine/README.md` say what the engine does: seeds, generator outputs and whole games.

use engine::{AgentSeed, Board, Direction, Game, Placement, Rng, Rules, Slide, TileSeed};

const PAGE: &str = include_str!("../README.md");

/// The rows of the table with this header, each as its cells without back-quotes.
fn table(header: &str) -> Vec<Vec<String>> {
    let start = PAGE.lines().position(|line| line.starts_with(header)).expect("the page has the table");
    let rows = PAGE.lines().skip(start + 2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split(" | ");
        cells.map(|cell| cell.trim().trim_matches('|').replace('`', "")).collect()
    })
    .collect()
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim(), 16).expect("a hexadecimal number")
}

#[test]
fn seeds_are_derived_as_the_page_says() {
    let rows = table("| master seed |");
    assert_eq!(rows.len(), 4);
    for row in rows {
        let (master, game) = (row[0].trim().parse().unwrap(), row[1].trim().parse().unwrap());
        assert_eq!(TileSeed::derive(master, game).0, hex(&row[2]));
        assert_eq!(AgentSeed::derive(master, game).0, hex(&row[3]));
    }
}

#[test]
fn the_generator_gives_the_outputs_of_the_page() {
    let rows = table("| seed | first");
    assert_eq!(rows.len(), 3);
    for row in rows {
        let seed = row[0].trim().parse().unwrap_or_else(|_| hex(&row[0]));
        let mut rng = Rng::from_seed(seed);
        let outputs: Vec<u64> = row[1].split_whitespace().map(hex).collect();
        assert_eq!(outputs, [rng.next_u64(), rng.next_u64(), rng.next_u64()]);
    }
}

const PREFERENCE: [Direction; 4] = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];

#[test]
fn the_adversarial_game_of_the_page_ends_as_it_says() {
    let rules: Rules = serde_json::from_str(r#"{"spawn": "adversarial"}"#).unwrap();
    let mut game = Game::new(&rules, TileSeed::derive(2048, 0));
    let mut spawns = String::new();
    while let Some(&direction) = PREFERENCE.iter().find(|&&direction| game.legal_moves().contains(direction))
    {
        let rank = if game.moves() % 10 == 9 { 2 } else { 1 };
        let place = |slide: &Slide| {
            let cell = slide.afterstate.empty_cells().last().ok_or("an empty cell")?;
            Placement::new(cell as u32, rank).ok_or("a tile")
        };
        spawns.extend(game.play_with(direction, place).unwrap().map(|tile| tile.to_string()));
    }
    let text = PAGE.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = |what: &str| assert!(text.contains(what), "{what}");
    says(&format!("its `spawns` begin with `{}`", &spawns[..30]));
    says(&format!(
        "after {} moves it ends by `{}` with {} points on `{}`",
        game.moves(),
        game.ending().unwrap(),
        game.score(),
        game.ranks()
    ));
}

#[test]
fn the_games_of_the_page_end_as_it_says() {
    let rows = table("| rules | start board");
    assert_eq!(rows.len(), 9);
    for row in rows {
        let rules: Rules = serde_json::from_str(&row[0]).expect("rules as JSON");
        rules.validate().expect("the rules make a game");
        let mut game = Game::new(&rules, TileSeed::derive(2048, 0));
        assert_eq!(game.board(), row[1].parse::<Board>().unwrap());
        while let Some(&direction) =
            PREFERENCE.iter().find(|&&direction| game.legal_moves().contains(direction))
        {
            game.play(direction).unwrap();
        }
        let seen = [
            game.moves().to_string(),
            game.score().to_string(),
            game.ranks().to_string(),
            game.ending().unwrap().to_string(),
        ];
        assert_eq!(seen[..], row[2..], "{}", row[0]);
    }
}
