//! What the screen shows: the board in colours, the score, the agent's advice, the keys.

use std::io::{self, Write as _};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::style::{
    Attribute, Color, Print, ResetColor, SetAttribute, SetBackgroundColor, SetForegroundColor,
};
use crossterm::terminal::{self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use engine::board::tile;
use engine::{Direction, Ending};

use super::Session;
use crate::commands::ask::{self, name, number};
use workers::worker::protocol::Answer;

/// How wide a cell is; a 65536 has five digits.
const CELL: u16 = 8;
/// The columns between two cells.
const GAP: u16 = 1;
/// Where the board begins from the left.
const MARGIN: u16 = 2;
/// The rows above the board.
const HEAD: u16 = 4;
/// Where the advice begins, to the right of the board.
const SIDE: u16 = MARGIN + 4 * (CELL + GAP) + 3;
const KEYS: &str =
    "arrows move   space agent plays or pauses   n one move   + - speed   u back   r next game   q quit";

/// Wipes the screen, after which everything is drawn anew.
pub(super) fn clear() -> io::Result<()> {
    queue!(io::stdout(), Clear(ClearType::All))
}

/// Draws all that there is to see.
pub(super) fn draw(session: &Session) -> io::Result<()> {
    let (columns, rows) = terminal::size()?;
    let shape = Shape::fitting(columns, rows);
    let pen = Pen { columns, rows, is_coloured: platform::console::is_coloured(&std::io::stdout()) };
    queue!(io::stdout(), BeginSynchronizedUpdate)?;
    pen.head(session)?;
    pen.board(session, shape)?;
    if shape.has_side {
        pen.advice(session)?;
    }
    pen.foot(session, HEAD + shape.height(), shape.has_side)?;
    queue!(io::stdout(), EndSynchronizedUpdate)?;
    io::stdout().flush()
}

/// How large the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// The rows of a cell.
    cell: u16,
    /// The rows between two cells.
    gap: u16,
    /// Whether there is room beside the board.
    has_side: bool,
}

impl Shape {
    fn fitting(columns: u16, rows: u16) -> Self {
        let has_side = columns >= SIDE + 26;
        let room = rows.saturating_sub(HEAD + 4);
        let (cell, gap) = match room {
            15.. => (3, 1),
            12.. => (3, 0),
            7.. => (1, 1),
            _ => (1, 0),
        };
        Self { cell, gap, has_side }
    }

    fn height(self) -> u16 {
        4 * self.cell + 3 * self.gap
    }
}

struct Pen {
    columns: u16,
    rows: u16,
    is_coloured: bool,
}

impl Pen {
    /// Writes a line from a column on, cut at the edge of the screen, and wipes what was behind it.
    fn line(&self, column: u16, row: u16, text: &str, attribute: Attribute) -> io::Result<()> {
        if row >= self.rows {
            return Ok(());
        }
        let room = usize::from(self.columns.saturating_sub(column));
        let shown: String = platform::plain::line(text).chars().take(room).collect();
        let mut out = io::stdout();
        queue!(out, MoveTo(column, row), SetAttribute(attribute), Print(shown))?;
        queue!(out, SetAttribute(Attribute::Reset), Clear(ClearType::UntilNewLine))
    }

    fn head(&self, session: &Session) -> io::Result<()> {
        let game = session.table.game();
        let state = match (game.ending(), session.advisor.is_some(), session.runs) {
            (Some(ending), ..) => format!("over: {}", how(ending)),
            (None, false, _) => "your move".to_owned(),
            (None, true, true) => format!("agent plays, {} moves per second", session.speed),
            (None, true, false) => "paused: your move, or space".to_owned(),
        };
        let title = format!("  {}, seed {}, game {}", session.title, session.seed, session.game);
        self.line(0, 0, &title, Attribute::Dim)?;
        let last = session.table.last_move().map_or(" ", arrow);
        let (score, largest, moves) = (game.score(), tile(game.max_rank()), game.moves());
        let score = format!("  score {score:<8} tile {largest:<6} move {moves} {last}");
        self.line(0, 1, &score, Attribute::Bold)?;
        self.line(0, 2, &format!("  {state}"), Attribute::Reset)?;
        self.line(0, 3, "", Attribute::Reset)
    }

    fn board(&self, session: &Session, shape: Shape) -> io::Result<()> {
        let ranks = session.table.game().ranks().0;
        for row in 0..4_u16 {
            let top = HEAD + row * (shape.cell + shape.gap);
            for line in 0..shape.cell {
                self.line(0, top + line, "", Attribute::Reset)?;
                for column in 0..4_u16 {
                    let rank = ranks[usize::from(4 * row + column)];
                    let left = MARGIN + column * (CELL + GAP);
                    self.cell(left, top + line, rank, line == shape.cell / 2)?;
                }
            }
            for line in 0..shape.gap {
                self.line(0, top + shape.cell + line, "", Attribute::Reset)?;
            }
        }
        Ok(())
    }

    /// One row of a cell; the middle one bears the number.
    fn cell(&self, column: u16, row: u16, rank: u8, is_middle: bool) -> io::Result<()> {
        if row >= self.rows || column + CELL > self.columns {
            return Ok(());
        }
        let number = match (rank, is_middle, self.is_coloured) {
            (0, true, false) => ".".to_owned(),
            (0, ..) | (_, false, _) => String::new(),
            (rank, true, _) => tile(rank).to_string(),
        };
        let text = format!("{number:^width$}", width = usize::from(CELL));
        let mut out = io::stdout();
        queue!(out, MoveTo(column, row))?;
        if self.is_coloured {
            let (back, front) = colours(rank);
            queue!(out, SetBackgroundColor(back), SetForegroundColor(front), SetAttribute(Attribute::Bold))?;
        }
        queue!(out, Print(text), ResetColor, SetAttribute(Attribute::Reset))
    }

    fn advice(&self, session: &Session) -> io::Result<()> {
        if session.advisor.is_none() || session.table.game().ending().is_some() {
            return Ok(());
        }
        let advice = session.table.advice();
        let title = match advice {
            Some(_) => "the agent's advice",
            None if session.table.is_awaited() => "the agent is thinking …",
            None => "no advice",
        };
        self.line(SIDE, HEAD, title, Attribute::Dim)?;
        let Some(answer) = advice else { return Ok(()) };
        let legal = session.table.game().legal_moves();
        for (place, direction) in (0..).zip(Direction::ALL) {
            let is_chosen = direction == answer.direction;
            let value = match answer.move_values[direction as usize] {
                _ if !legal.contains(direction) => "illegal".to_owned(),
                Some(value) => number(value),
                None => String::new(),
            };
            let mark = if is_chosen { arrow(direction) } else { " " };
            let text = format!("{mark} {:<6}{value:>14}", name(direction));
            let attribute = if is_chosen { Attribute::Bold } else { Attribute::Reset };
            self.line(SIDE, HEAD + 2 + place, &text, attribute)?;
        }
        self.line(SIDE, HEAD + 7, &figures(answer), Attribute::Dim)
    }

    fn foot(&self, session: &Session, row: u16, has_side: bool) -> io::Result<()> {
        self.line(0, row, "", Attribute::Reset)?;
        let advice = session.table.advice().filter(|_| !has_side);
        let text = match (session.table.complaint(), advice) {
            (Some(complaint), _) => complaint.to_owned(),
            (None, Some(answer)) => {
                format!("{} {}  {}", arrow(answer.direction), name(answer.direction), figures(answer))
            }
            (None, None) => String::new(),
        };
        self.line(0, row + 1, &format!("  {text}"), Attribute::Bold)?;
        // If the keys do not fit into a line, they continue on the next.
        let room = usize::from(self.columns.max(20)) - 2;
        let mut lines = vec![String::new()];
        for key in KEYS.split("   ") {
            match lines.last_mut() {
                Some(last) if last.is_empty() => key.clone_into(last),
                Some(last) if last.chars().count() + 3 + key.len() <= room => *last += &format!("   {key}"),
                _ => lines.push(key.to_owned()),
            }
        }
        for (place, line) in (0..).zip(lines) {
            self.line(0, row + 2 + place, &format!("  {line}"), Attribute::Dim)?;
        }
        Ok(())
    }
}

fn figures(answer: &Answer) -> String {
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

/// Background and number of a tile, in the 256 colours that every terminal has: from paper over orange and
/// red to gold, then green and blue for what few games see.
fn colours(rank: u8) -> (Color, Color) {
    const BACK: [u8; 17] = [237, 255, 223, 216, 209, 203, 196, 229, 228, 227, 221, 220, 118, 40, 45, 33, 129];
    let front = if matches!(rank, 4..=6 | 15..) { 231 } else { 235 };
    (Color::AnsiValue(BACK[usize::from(rank.min(16))]), Color::AnsiValue(front))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_fits_every_terminal_that_has_room_for_it() {
        for rows in 14..60 {
            let shape = Shape::fitting(80, rows);
            assert!(HEAD + shape.height() + 3 <= rows, "{rows} rows: {shape:?}");
        }
        assert_eq!(Shape::fitting(80, 24), Shape { cell: 3, gap: 1, has_side: true });
        assert!(!Shape::fitting(50, 24).has_side);
    }
}
