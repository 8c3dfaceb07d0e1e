//! `pipeline replay`: step through a stored game.

use std::io::{self, Write as _};
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{Clear, ClearType};
use crossterm::{cursor, queue};
use engine::{Direction, Game, Rules, TileSeed};

use super::games::records_file;
use super::{Failure, print_text};
use crate::cli;
use crate::output::screen::Screen;
use records::{GameRecord, PlacedTiles, RecordsReader};
use text::counted;

/// How long a board stays while the game plays by itself.
const PAUSE: Duration = Duration::from_millis(150);

pub(crate) fn replay(arguments: &cli::ReplayArgs) -> Result<(), Failure> {
    let file = records_file(&arguments.experiment, &arguments.places)?;
    let mut reader = RecordsReader::open(&file)?;
    let identity = reader.summary.header.identity.clone();
    let mut found = None;
    for record in reader.games() {
        let record = record?;
        if record.game == arguments.game {
            found = Some(record);
            break;
        }
    }
    let games = reader.summary.games;
    let record = found.ok_or_else(|| {
        let text = format!(
            "{}: there is no game {}; it has {}",
            file.display(),
            arguments.game,
            counted(games, "game")
        );
        Failure::usage(text)
    })?;
    let boards = Boards::of(&record, &identity.rules)?;
    match arguments.at_move {
        Some(number) => print_text(&boards.text(boards.check(number)?)),
        None if Screen::is_there() => boards.step().map_err(Failure::io),
        None => print_text(&(0..boards.states.len()).map(|at| boards.text(at) + "\n").collect::<String>()),
    }
}

/// Every board of a game.
struct Boards {
    record: GameRecord,
    /// The board and the score before the first move, and after each.
    states: Vec<(String, u32)>,
}

impl Boards {
    fn of(record: &GameRecord, rules: &Rules) -> Result<Self, Failure> {
        let wrong =
            |number: usize| Failure::check(format!("game {}: move {number} cannot be played", record.game));
        let mut game = Game::new(rules, TileSeed(record.tile_seed));
        let mut tiles = PlacedTiles::of(record.spawns.as_deref());
        let mut states = vec![(format!("{:#}", game.ranks()), 0)];
        for (number, letter) in (1..).zip(record.directions.chars()) {
            let direction = Direction::from_letter(letter).ok_or_else(|| wrong(number))?;
            game.play_with(direction, |_| tiles.pop()).map_err(|_| wrong(number))?;
            states.push((format!("{:#}", game.ranks()), game.score()));
        }
        Ok(Self { record: record.clone(), states })
    }

    fn last(&self) -> usize {
        self.states.len() - 1
    }

    fn check(&self, number: u32) -> Result<usize, Failure> {
        let number = number as usize;
        if number <= self.last() {
            return Ok(number);
        }
        let moves = counted(self.last() as u64, "move");
        Err(Failure::usage(format!("game {} has {moves}, not {number}", self.record.game)))
    }

    fn text(&self, at: usize) -> String {
        let (board, score) = &self.states[at];
        let moved = match at.checked_sub(1) {
            Some(index) => format!(", {}", &self.record.directions[index..=index]),
            None => String::new(),
        };
        let ending = if at == self.last() { format!("  {}", self.record.ending) } else { String::new() };
        format!(
            "game {} move {at}/{}{moved}  score {score}{ending}\n{board}\n",
            self.record.game,
            self.last()
        )
    }

    /// Steps through the game as keys ask for.
    fn step(&self) -> io::Result<()> {
        let _screen = Screen::take()?;
        let (mut at, mut plays) = (0, false);
        loop {
            self.draw(at)?;
            if plays && !poll(PAUSE)? {
                plays = at < self.last();
                at = (at + 1).min(self.last());
                continue;
            }
            let Event::Key(key) = read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            plays = false;
            match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(()),
                KeyCode::Char('q') | KeyCode::Esc => return Ok(()),
                KeyCode::Right | KeyCode::Char(' ' | 'l') | KeyCode::Enter => at = (at + 1).min(self.last()),
                KeyCode::Left | KeyCode::Char('h') | KeyCode::Backspace => at = at.saturating_sub(1),
                KeyCode::Home => at = 0,
                KeyCode::End => at = self.last(),
                KeyCode::Char('p') => plays = true,
                _ => {}
            }
        }
    }

    fn draw(&self, at: usize) -> io::Result<()> {
        let mut out = io::stdout();
        queue!(out, cursor::MoveTo(0, 0), Clear(ClearType::All))?;
        let keys = "right or space: forward   left: back   Home and End: jump   p: play or pause   q: quit";
        // In raw mode a new line does not return to the left.
        write!(out, "{}\r\n{keys}\r\n", self.text(at).replace('\n', "\r\n"))?;
        out.flush()
    }
}
