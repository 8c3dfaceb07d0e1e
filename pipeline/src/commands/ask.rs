//! `pipeline ask`: the move that an agent would make on a board.

use std::io::Read as _;

use engine::agent::Decision;
use engine::{AgentSeed, Board, Direction, Merging, Slides};
use serde_json::{Value, json};

use super::{Failure, print_result};
use crate::cli;
use crate::lookup::chosen_agent::{ChosenAgent, MOVE_LIMIT};
use crate::lookup::finder::Finder;
use crate::output::style::Style;
use crate::output::table;
use crate::starts::{self, StartBoard};
use workers::Question;

pub(crate) fn ask(arguments: &cli::AskArgs) -> Result<(), Failure> {
    let boards = boards(arguments)?;
    let mut finder = Finder::new(&arguments.places)?;
    let chosen = finder.choose(&arguments.agent, &arguments.setting)?;
    let seed = arguments.setting.seed.unwrap_or_else(|| chosen.seed());
    let mut worker = chosen.start(&finder.launcher)?;
    let mut answers = Vec::new();
    for start in boards {
        worker.new_game(AgentSeed::derive(seed, 0), MOVE_LIMIT)?;
        let question = Question {
            board: start.board.packed(),
            score: arguments.score,
            move_number: arguments.move_number,
        };
        let answer = worker.choose_move(question, MOVE_LIMIT)?;
        answers.push(BoardAnswer { chosen: &chosen, name: start.name, board: start.board, answer });
    }
    worker.finish();
    print(arguments, &answers)?;
    answers.iter().try_for_each(BoardAnswer::require_legal)
}

fn print(arguments: &cli::AskArgs, answers: &[BoardAnswer<'_>]) -> Result<(), Failure> {
    let style = Style::of_stdout();
    match answers {
        [only] if arguments.starts.is_none() => {
            print_result(arguments.json, &only.json(), || only.text(style))
        }
        _ => {
            let json: Vec<Value> = answers.iter().map(BoardAnswer::json).collect();
            print_result(arguments.json, &json, || listed(answers, style))
        }
    }
}

/// The answers on several boards, one a line.
fn listed(answers: &[BoardAnswer<'_>], style: Style) -> String {
    let Style { dim, plain, .. } = style;
    let rows = answers.iter().map(|on| {
        let figures = figures(&on.answer).trim_start_matches(", ").to_owned();
        vec![on.name.clone(), on.board.to_string(), name(on.answer.direction).to_owned(), figures]
    });
    let agent = answers.first().map(|first| first.chosen.describe()).unwrap_or_default();
    format!("{dim}{agent}{plain}\n{}", table(&["name", "board", "move", "figures"], rows))
}

/// The boards that are asked about, each with its name.
fn boards(arguments: &cli::AskArgs) -> Result<Vec<StartBoard>, Failure> {
    match (&arguments.starts, &arguments.board) {
        (Some(file), _) => starts::read(file).map_err(Failure::usage),
        (None, Some(board)) => Ok(vec![StartBoard { name: String::new(), board: read_board(board)? }]),
        (None, None) => unreachable!("the command line needs one of them"),
    }
}

/// The most bytes of standard input that are looked at for a board.
const LONGEST_BOARD: u64 = 64 * 1024;

fn read_board(text: &str) -> Result<Board, Failure> {
    let mut read = String::new();
    let text = if text == "-" {
        std::io::stdin().take(LONGEST_BOARD).read_to_string(&mut read).map_err(Failure::io)?;
        &read
    } else {
        text
    };
    let board: Board = text.parse().map_err(|error| Failure::usage(format!("BOARD: {error}")))?;
    if board.legal_moves().is_empty() {
        return Err(Failure::usage("BOARD: no move is legal: the game is over"));
    }
    Ok(board)
}

/// A board, and the agent's answer.
struct BoardAnswer<'a> {
    chosen: &'a ChosenAgent,
    /// The name of the board, if it has one.
    name: String,
    board: Board,
    answer: Decision,
}

impl BoardAnswer<'_> {
    /// Fails if the move is illegal.
    fn require_legal(&self) -> Result<(), Failure> {
        let Self { chosen, name, board, answer } = self;
        let legal = board.legal_moves();
        if legal.contains(answer.direction) {
            return Ok(());
        }
        let legal: String = legal.iter().map(Direction::letter).collect();
        let place = if name.is_empty() { "here".to_owned() } else { format!("on `{name}`") };
        Err(Failure::agent(format!(
            "agent `{}` chose {}, which is illegal {place}; legal: {legal}",
            chosen.agent.id,
            answer.direction.letter()
        )))
    }

    fn json(&self) -> Value {
        let Self { chosen, name, board, answer } = self;
        let values = answer.values.unwrap_or_default();
        let moves = Direction::ALL.map(|direction| {
            json!({
                "direction": direction,
                "legal": board.legal_moves().contains(direction),
                "reward": reward(*board, direction, chosen.rules.merging),
                "value": values.value[direction as usize],
                "nodes": values.nodes[direction as usize],
            })
        });
        let mut view = json!({
            "agent": chosen.agent.id,
            "version": chosen.agent.version,
            "params": chosen.params,
            "budget": chosen.budget,
            "rules": chosen.rules,
            "board": board.to_string(),
            "direction": answer.direction,
            "value": answer.value,
            "depth": answer.depth,
            "nodes": answer.nodes,
            "spent": answer.spent,
            "moves": moves,
        });
        if !name.is_empty() {
            view["name"] = name.clone().into();
        }
        view
    }

    fn text(&self, style: Style) -> String {
        let Self { chosen, board, answer, .. } = self;
        let Style { bold, dim, plain, .. } = style;
        let (agent, figures) = (chosen.describe(), figures(answer));
        let values = answer.values.unwrap_or_default();
        let has_values = values.value.iter().any(Option::is_some);
        let has_nodes = values.nodes.iter().any(|&nodes| nodes > 0);
        let wanted = [true, true, has_values, has_nodes];
        let shown = |cells: [String; 4]| {
            let cells = cells.into_iter().zip(wanted).filter(|(_, is_wanted)| *is_wanted);
            cells.map(|(cell, _)| cell).collect::<Vec<String>>()
        };
        let header = shown(["* move", "reward", "value", "nodes"].map(str::to_owned));
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let rows = Direction::ALL.map(|direction| {
            let mark = if direction == answer.direction { "*" } else { " " };
            let reward = self::reward(*board, direction, chosen.rules.merging);
            let reward = reward.map_or_else(|| "illegal".to_owned(), |reward| reward.to_string());
            let value = values.value[direction as usize].map_or_else(|| "-".to_owned(), number);
            let nodes = values.nodes[direction as usize].to_string();
            shown([format!("{mark} {}", name(direction)), reward, value, nodes])
        });
        let chosen_name = name(answer.direction);
        let mut text = format!("{board:#}\n\n{dim}{agent}{plain}\n{bold}{chosen_name}{plain}{figures}\n\n");
        for line in table(&header, rows).replace("* move", "  move").lines() {
            let on = if line.starts_with('*') { bold } else { "" };
            let off = if on.is_empty() { "" } else { plain };
            text += &format!("{on}{line}{off}\n");
        }
        text
    }
}

/// The figures that the agent gives with its decision, each behind a comma.
pub(super) fn figures(answer: &Decision) -> String {
    let amounts = [("depth", u64::from(answer.depth)), ("nodes", answer.nodes), ("spent", answer.spent)];
    let amounts = amounts.into_iter().filter(|&(_, amount)| amount > 0);
    let value = answer.value.map(|value| format!(", value {}", number(value)));
    value.into_iter().chain(amounts.map(|(what, amount)| format!(", {what} {amount}"))).collect()
}

/// The points that a slide brings; `None` if it is illegal.
fn reward(board: Board, direction: Direction, merging: Merging) -> Option<u32> {
    Slides::of(merging).slide(board, direction).map(|slide| slide.reward)
}

/// A direction's name.
pub(super) const fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Right => "right",
        Direction::Down => "down",
        Direction::Left => "left",
    }
}

/// A value for people: agents think in any unit, so neither digits nor exponents may run away.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e9).contains(&size) { format!("{value:.3e}") } else { format!("{value:.3}") }
}
