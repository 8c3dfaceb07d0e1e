//! `pipeline play`: a game in the terminal, played by an agent, by a person, or by both in turn.

mod advisor;
mod draw;
mod takeback_game;

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use engine::{AgentSeed, Direction, TileSeed};

use super::Failure;
use crate::cli;
use crate::lookup::finder::Finder;
use crate::output::screen::Screen;
use advisor::Advisor;
use takeback_game::TakebackGame;

/// The time between two looks for the agent's answer.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long to wait for an answer before the screen says that the agent is thinking.
const AT_ONCE: Duration = Duration::from_millis(15);
/// How many moves a second the agent can be asked for.
const SPEEDS: [u16; 10] = [1, 2, 4, 8, 16, 32, 64, 125, 250, 1000];

pub(crate) fn play(arguments: &cli::PlayArgs) -> Result<(), Failure> {
    if !Screen::is_there() {
        let remedy =
            "run it in a terminal; `pipeline eval` plays without one, `pipeline ask` gives single moves";
        return Err(Failure::usage(format!(
            "a game needs a terminal to be shown in and keys to be read from: {remedy}"
        )));
    }
    let mut finder = Finder::new(&arguments.places)?;
    let (title, rules, advisor, seed) = match &arguments.agent {
        Some(name) => {
            let chosen = finder.choose(name, &arguments.setting)?;
            let worker = chosen.start(&finder.launcher)?;
            (chosen.describe(), chosen.rules.clone(), Some(Advisor::start(worker)), chosen.seed())
        }
        None => {
            let rules = finder.rules(engine::Rules::default(), &arguments.setting.rules)?;
            ("you play".to_owned(), rules, None, manifest::DEFAULT_SEED)
        }
    };
    let seed = arguments.setting.seed.unwrap_or(seed);
    if !rules.spawn.is_random() {
        let remedy = "leave out `spawn=adversarial`; `pipeline eval` plays such games";
        return Err(Failure::usage(format!("in the terminal chance spawns the tiles: {remedy}")));
    }
    let mut session = Session {
        title,
        table: TakebackGame::new(&rules, TileSeed::derive(seed, arguments.game)),
        rules,
        advisor,
        seed,
        game: arguments.game,
        runs: arguments.agent.is_some() && !arguments.advise,
        speed: arguments.speed,
        next_move: Instant::now(),
    };
    let screen = Screen::take().map_err(Failure::io)?;
    let outcome = session.run();
    drop(screen);
    outcome.map_err(Failure::io)
}

/// A game and who is at it.
struct Session {
    title: String,
    rules: engine::Rules,
    table: TakebackGame,
    advisor: Option<Advisor>,
    seed: u64,
    game: u64,
    /// Whether the agent plays by itself.
    runs: bool,
    /// How many moves a second it makes then.
    speed: u16,
    /// Not before this moment does it make the next.
    next_move: Instant,
}

impl Session {
    fn run(&mut self) -> io::Result<()> {
        self.begin();
        loop {
            self.consult();
            // Most agents answer at once: then the screen need not say that they think.
            self.hear(AT_ONCE);
            draw::draw(self)?;
            loop {
                if poll(self.patience())? {
                    match read()? {
                        Event::Key(key) if key.kind != KeyEventKind::Release => {
                            if !self.press(key) {
                                return Ok(());
                            }
                        }
                        Event::Resize(..) => {}
                        _ => continue,
                    }
                    break;
                }
                if self.hear(Duration::ZERO) | self.tick() {
                    break;
                }
            }
        }
    }

    /// How long to wait for a key before looking at agent and clock again.
    fn patience(&self) -> Duration {
        let is_waiting = self.advisor.as_ref().is_some_and(Advisor::is_thinking);
        let until_move = self.next_move.saturating_duration_since(Instant::now());
        match (self.runs, is_waiting) {
            (_, true) => POLL_INTERVAL.min(until_move.max(Duration::from_millis(1))),
            (true, false) => until_move,
            (false, false) => Duration::from_secs(3600),
        }
    }

    fn begin(&mut self) {
        self.table = TakebackGame::new(&self.rules, TileSeed::derive(self.seed, self.game));
        if let Some(advisor) = &mut self.advisor {
            advisor.begin(AgentSeed::derive(self.seed, self.game));
        }
    }

    /// Asks the agent about a position that it has not been asked about.
    fn consult(&mut self) {
        if let Some(advisor) = &mut self.advisor
            && self.table.wants_advice()
        {
            advisor.ask(self.table.question());
        }
    }

    /// Takes the agent's answer, if it has come, and says whether it has.
    fn hear(&mut self, patience: Duration) -> bool {
        let heard = self.advisor.as_mut().and_then(|advisor| advisor.hear(patience));
        heard.is_some_and(|(question, answer)| {
            self.table.advise(question, answer);
            true
        })
    }

    /// Plays the agent's move where its time has come, and says whether it did.
    fn tick(&mut self) -> bool {
        self.runs && Instant::now() >= self.next_move && self.follow()
    }

    fn follow(&mut self) -> bool {
        let Some(direction) = self.table.advice().map(|answer| answer.direction) else { return false };
        self.next_move = Instant::now() + Duration::from_secs(1) / u32::from(self.speed);
        if !self.table.play(direction) {
            self.table
                .complain(format!("the agent chose {}, which is illegal here", super::ask::name(direction)));
            self.runs = false;
        }
        true
    }

    /// Acts on a key, and returns whether to go on.
    fn press(&mut self, key: KeyEvent) -> bool {
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => return false,
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Up | KeyCode::Char('w' | 'k') => self.steer(Direction::Up),
            KeyCode::Right | KeyCode::Char('d' | 'l') => self.steer(Direction::Right),
            KeyCode::Down | KeyCode::Char('s' | 'j') => self.steer(Direction::Down),
            KeyCode::Left | KeyCode::Char('a' | 'h') => self.steer(Direction::Left),
            KeyCode::Char(' ' | 'p') => self.runs = !self.runs && self.advisor.is_some(),
            KeyCode::Char('n') | KeyCode::Enter => {
                self.runs = false;
                self.follow();
            }
            KeyCode::Char('u') | KeyCode::Backspace => {
                self.runs = false;
                self.table.take_back();
            }
            KeyCode::Char('+' | '=') => {
                self.speed = SPEEDS.into_iter().find(|&s| s > self.speed).unwrap_or(1000)
            }
            KeyCode::Char('-' | '_') => {
                self.speed = SPEEDS.into_iter().rfind(|&s| s < self.speed).unwrap_or(1)
            }
            KeyCode::Char('r') => {
                self.game += 1;
                self.begin();
            }
            _ => {}
        }
        true
    }

    /// The person takes over.
    fn steer(&mut self, direction: Direction) {
        self.runs = false;
        self.table.play(direction);
    }
}
