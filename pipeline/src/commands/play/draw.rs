//! What the screen shows: the board in colours, the score, the agent's advice, the keys.

use std::io::{self, Write as _};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{self, BeginSynchronizedUpdate, EndSynchronizedUpdate};
use engine::agent::Decision;
use engine::board::tile;
use engine::{Direction, Ending};

use super::Session;
use crate::commands::ask::{self, name, number};

/// The width of a cell; a 65536 has five digits.
const CELL: usize = 8;
/// The rows above the board.
const HEAD: usize = 4;
/// The column of the advice, to the right of the board.
const SIDE: usize = 2 + 4 * (CELL + 1) + 3;
const KEYS: &str =
    "arrows move   space agent plays or pauses   n one move   + - speed   u back   r next game   q quit";

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";

/// A line of the screen: texts, each with the codes that set it off.
type ScreenLine = Vec<(String, String)>;

fn line(code: &str, text: String) -> ScreenLine {
    vec![(code.to_owned(), text)]
}

/// Draws the whole screen, each line cut at the edge.
pub(super) fn draw(session: &Session) -> io::Result<()> {
    let (columns, rows) = terminal::size()?;
    let [columns, rows] = [columns, rows].map(usize::from);
    let shown = |line: &ScreenLine| {
        let mut room = columns;
        let parts = line.iter().map(|(code, text)| {
            let text: String = platform::plain::line(text).chars().take(room).collect();
            room -= text.chars().count();
            format!("{code}{text}\x1b[0m")
        });
        parts.collect::<String>()
    };
    let lines: Vec<String> = screen(session, columns, rows).iter().take(rows).map(shown).collect();
    // In raw mode a new line does not return to the left; what was behind a line is wiped.
    let text = lines.join("\x1b[K\r\n") + "\x1b[K\x1b[J";
    let mut out = io::stdout();
    queue!(out, BeginSynchronizedUpdate, MoveTo(0, 0), Print(text), EndSynchronizedUpdate)?;
    out.flush()
}

fn screen(session: &Session, columns: usize, rows: usize) -> Vec<ScreenLine> {
    let shape = Shape::fitting(columns, rows);
    let mut board = board(session, shape);
    if shape.has_side {
        for (place, part) in advice(session).into_iter().enumerate() {
            board.resize(board.len().max(place + 1), Vec::new());
            let width: usize = board[place].iter().map(|(_, text)| text.chars().count()).sum();
            board[place].extend([(String::new(), " ".repeat(SIDE - width)), part]);
        }
    }
    let below = session.table.advice().filter(|_| !shape.has_side);
    let below = below
        .map(|answer| format!("{} {}  {}", arrow(answer.direction), name(answer.direction), figures(answer)));
    let note = session.table.complaint().map(str::to_owned).or(below).unwrap_or_default();
    let mut lines = head(session);
    lines.extend(board);
    lines.extend([Vec::new(), line(BOLD, format!("  {note}"))]);
    lines.extend(keys(columns).into_iter().map(|keys| line(DIM, format!("  {keys}"))));
    lines
}

/// The size of the board on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// The rows of a cell.
    cell: usize,
    /// The rows between two cells.
    gap: usize,
    /// Whether there is room beside the board.
    has_side: bool,
}

impl Shape {
    fn fitting(columns: usize, rows: usize) -> Self {
        let (cell, gap) = match rows.saturating_sub(HEAD + 4) {
            15.. => (3, 1),
            12.. => (3, 0),
            7.. => (1, 1),
            _ => (1, 0),
        };
        Self { cell, gap, has_side: columns >= SIDE + 26 }
    }
}

fn head(session: &Session) -> Vec<ScreenLine> {
    let game = session.table.game();
    let state = match (game.ending(), session.advisor.is_some(), session.runs) {
        (Some(ending), ..) => format!("over: {}", how(ending)),
        (None, false, _) => "your move".to_owned(),
        (None, true, true) => format!("agent plays, {} moves per second", session.speed),
        (None, true, false) => "paused: your move, or space".to_owned(),
    };
    let last = session.table.last_move().map_or(" ", arrow);
    let (score, largest, moves) = (game.score(), tile(game.max_rank()), game.moves());
    vec![
        line(DIM, format!("  {}, seed {}, game {}", session.title, session.seed, session.game)),
        line(BOLD, format!("  score {score:<8} tile {largest:<6} move {moves} {last}")),
        line("", format!("  {state}")),
        Vec::new(),
    ]
}

/// The board; the middle row of a cell has the number.
fn board(session: &Session, shape: Shape) -> Vec<ScreenLine> {
    let is_coloured = platform::console::is_coloured(&io::stdout());
    let cell = |rank: u8, is_middle: bool| {
        let number = match (rank, is_middle) {
            (0, true) if !is_coloured => ".".to_owned(),
            (0, _) | (_, false) => String::new(),
            (rank, true) => tile(rank).to_string(),
        };
        let code = if is_coloured { colours(rank) } else { String::new() };
        [(code, format!("{number:^CELL$}")), (String::new(), " ".to_owned())]
    };
    let mut lines = Vec::new();
    for ranks in session.table.game().ranks().0.chunks(4) {
        for row in 0..shape.cell {
            let cells = ranks.iter().flat_map(|&rank| cell(rank, row == shape.cell / 2));
            lines.push(line("", "  ".to_owned()).into_iter().chain(cells).collect());
        }
        lines.extend(vec![Vec::new(); shape.gap]);
    }
    lines.truncate(lines.len() - shape.gap);
    lines
}

/// The agent's advice, a line each.
fn advice(session: &Session) -> ScreenLine {
    if session.advisor.is_none() || session.table.game().ending().is_some() {
        return Vec::new();
    }
    let dim = |text: &str| (DIM.to_owned(), text.to_owned());
    let Some(answer) = session.table.advice() else {
        return vec![dim(if session.table.is_awaited() { "the agent is thinking …" } else { "no advice" })];
    };
    let legal = session.table.game().legal_moves();
    let moves = Direction::ALL.map(|direction| {
        let value = match answer.values.unwrap_or_default().value[direction as usize] {
            _ if !legal.contains(direction) => "illegal".to_owned(),
            value => value.map(number).unwrap_or_default(),
        };
        let (mark, code) = if direction == answer.direction { (arrow(direction), BOLD) } else { (" ", "") };
        (code.to_owned(), format!("{mark} {:<6}{value:>14}", name(direction)))
    });
    let title = [dim("the agent's advice"), dim("")];
    title.into_iter().chain(moves).chain([dim(""), dim(&figures(answer))]).collect()
}

/// The keys, on as many lines as they need.
fn keys(columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for key in KEYS.split("   ") {
        match lines.last_mut() {
            Some(last) if last.is_empty() => key.clone_into(last),
            Some(last) if last.len() + 3 + key.len() <= columns.max(20) - 2 => *last += &format!("   {key}"),
            _ => lines.push(key.to_owned()),
        }
    }
    lines
}

fn figures(answer: &Decision) -> String {
    ask::figures(answer).trim_start_matches(", ").replace(", ", "  ")
}

const fn arrow(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "↑",
        Direction::Right => "→",
        Direction::Down => "↓",
        Direction::Left => "←",
    }
}

fn how(ending: Ending) -> String {
    match ending {
        Ending::NoMoves => "no move is left".to_owned(),
        Ending::StoppedAtTile => "the tile that ends the game was made".to_owned(),
        Ending::TileCap => "65536 is made".to_owned(),
        other => other.to_string(),
    }
}

/// The code for the background and the number of a tile, in the 256 colours that every terminal has: from
/// paper over orange and red to gold, then green and blue for tiles that few games reach.
fn colours(rank: u8) -> String {
    const BACK: [u8; 17] = [237, 255, 223, 216, 209, 203, 196, 229, 228, 227, 221, 220, 118, 40, 45, 33, 129];
    let front = if matches!(rank, 4..=6 | 15..) { 231 } else { 235 };
    format!("\x1b[48;5;{}m\x1b[38;5;{front}m{BOLD}", BACK[usize::from(rank.min(16))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_fits_every_terminal_that_has_room_for_it() {
        for rows in 14..60 {
            let shape = Shape::fitting(80, rows);
            assert!(HEAD + 4 * shape.cell + 3 * shape.gap + 3 <= rows, "{rows} rows: {shape:?}");
        }
        assert_eq!(Shape::fitting(80, 24), Shape { cell: 3, gap: 1, has_side: true });
        assert!(!Shape::fitting(50, 24).has_side);
    }
}
