//! `pipeline ask`: the move that an agent would make on a board.

use std::io::Read as _;

use engine::{AgentSeed, Board, Direction, Merging, Slides};
use serde_json::{Value, json};

use super::chosen_agent::{ChosenAgent, Finder, MOVE_LIMIT};
use super::style::Style;
use super::{Failure, print_json, print_text};
use crate::cli;
use workers::worker::protocol::{Answer, Question};

pub(crate) fn ask(arguments: &cli::Ask) -> Result<(), Failure> {
    let board = read_board(&arguments.board)?;
    let mut finder = Finder::new(&arguments.loading)?;
    let chosen = finder.choose(&arguments.agent, &arguments.setting)?;
    let mut worker = chosen.start(&finder.launcher)?;
    worker.new_game(AgentSeed::derive(arguments.setting.seed, 0), MOVE_LIMIT)?;
    let question =
        Question { board: board.packed(), score: arguments.score, move_number: arguments.move_number };
    let answer = worker.choose_move(question, MOVE_LIMIT)?;
    worker.finish();
    let told = Told { chosen: &chosen, board, answer };
    if arguments.json {
        print_json(&told.json())?;
    } else {
        print_text(&told.text(Style::of_stdout()))?;
    }
    if board.legal_moves().contains(answer.direction) {
        return Ok(());
    }
    let legal: String = board.legal_moves().iter().map(Direction::letter).collect();
    Err(Failure::agent(format!(
        "agent `{}` chose {}, which is illegal here; legal: {legal}",
        chosen.agent.id,
        answer.direction.letter()
    )))
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

/// What an agent was asked, and what it answered.
struct Told<'a> {
    chosen: &'a ChosenAgent,
    board: Board,
    answer: Answer,
}

impl Told<'_> {
    fn json(&self) -> Value {
        let Self { chosen, board, answer } = self;
        let moves = Direction::ALL.map(|direction| {
            json!({
                "direction": direction,
                "legal": board.legal_moves().contains(direction),
                "reward": reward(*board, direction, chosen.rules.merging),
                "value": answer.move_values[direction as usize],
                "nodes": answer.move_nodes[direction as usize],
            })
        });
        json!({
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
        })
    }

    fn text(&self, style: Style) -> String {
        let Self { chosen, board, answer } = self;
        let Style { bold, dim, plain, .. } = style;
        let mut text = format!("{board:#}\n\n{dim}{}{plain}\n", chosen.describe());
        text.push_str(&format!("{bold}{}{plain}{}\n\n", name(answer.direction), figures(answer)));
        let has_values = answer.move_values.iter().any(Option::is_some);
        let has_nodes = answer.move_nodes.iter().any(|&nodes| nodes > 0);
        text.push_str(&format!("  {dim}{:<6}{:>8}", "move", "reward"));
        text.push_str(if has_values { "           value" } else { "" });
        text.push_str(if has_nodes { "         nodes" } else { "" });
        text.push_str(&format!("{plain}\n"));
        for direction in Direction::ALL {
            let is_chosen = direction == answer.direction;
            let (mark, weight) = if is_chosen { ("*", bold) } else { (" ", "") };
            let reward = reward(*board, direction, chosen.rules.merging);
            let reward = reward.map_or_else(|| "illegal".to_owned(), |reward| reward.to_string());
            let mut row = format!("{mark} {:<6}{reward:>8}", name(direction));
            if has_values {
                let value = answer.move_values[direction as usize];
                row.push_str(&format!("{:>16}", value.map_or_else(|| "-".to_owned(), number)));
            }
            if has_nodes {
                row.push_str(&format!("{:>14}", answer.move_nodes[direction as usize]));
            }
            text.push_str(&format!("{weight}{row}{}\n", if is_chosen { plain } else { "" }));
        }
        text
    }
}

/// What the agent says of its decision, as far as it says anything.
fn figures(answer: &Answer) -> String {
    let mut text = String::new();
    if let Some(value) = answer.value {
        text.push_str(&format!(", value {}", number(value)));
    }
    for (what, amount) in
        [("depth", u64::from(answer.depth)), ("nodes", answer.nodes), ("spent", answer.spent)]
    {
        if amount > 0 {
            text.push_str(&format!(", {what} {amount}"));
        }
    }
    text
}

/// The points that a slide brings; none where it is illegal.
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
