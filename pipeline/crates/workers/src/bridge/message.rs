//! What a bridge and its program say to each other. `docs/bridge.md` is the same for people.

use std::borrow::Cow;
use std::collections::BTreeMap;

use engine::abi::host::{AgentInfo, Files};
use engine::agent::{
    Budget, Capabilities, Decision, Level, MoveValues, Position, SlidPosition, TileDecision,
};
use engine::board::{Grid, rank_of_tile, tile};
use engine::{Direction, Placement, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The version of the protocol. It changes when a program that kept to the old one would no longer work.
pub(super) const PROTOCOL: u32 = 1;

/// What a program is told.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Told<'a> {
    Hello {
        protocol: u32,
    },
    Setup {
        rules: &'a Rules,
        params: &'a Map<String, Value>,
        /// The paths of the files that it needs, by role.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        files: BTreeMap<&'a str, Cow<'a, str>>,
    },
    NewGame {
        seed: String,
    },
    Position(ToldPosition),
    Afterstate(ToldAfterstate),
    Quit,
}

/// A board that awaits a move.
#[derive(Debug, Serialize)]
pub(super) struct ToldPosition {
    /// The tiles row by row, 0 where a cell is empty.
    board: [[u32; 4]; 4],
    /// The letters of the legal directions.
    legal: &'static str,
    score: u64,
    #[serde(rename = "move")]
    move_number: u64,
    budget: Budget,
}

/// A board that has slid and awaits a tile, of programs that place tiles only.
#[derive(Debug, Serialize)]
pub(super) struct ToldAfterstate {
    board: [[u32; 4]; 4],
    score: u64,
    #[serde(rename = "move")]
    move_number: u64,
    budget: Budget,
}

/// The tiles row by row.
fn tiles(grid: Grid) -> [[u32; 4]; 4] {
    let ranks = grid.ranks();
    std::array::from_fn(|row| std::array::from_fn(|column| tile(ranks[4 * row + column])))
}

impl<'a> Told<'a> {
    pub(super) fn setup(rules: &'a Rules, params: &'a Map<String, Value>, files: &'a Files) -> Self {
        let paths = files.iter().map(|(role, file)| (role.as_str(), file.path.to_string_lossy()));
        Self::Setup { rules, params, files: paths.collect() }
    }
}

impl Told<'_> {
    pub(super) fn afterstate(slid: &SlidPosition) -> Self {
        Self::Afterstate(ToldAfterstate {
            board: tiles(*slid.afterstate),
            score: slid.score,
            move_number: slid.move_number,
            budget: slid.budget,
        })
    }

    pub(super) fn position(position: &Position) -> Self {
        Self::Position(ToldPosition {
            board: tiles(*position.board),
            legal: LETTERS[usize::from(position.legal.mask())],
            score: position.score,
            move_number: position.move_number,
            budget: position.budget,
        })
    }
}

/// The letters of every set of directions, by its mask.
const LETTERS: [&str; 16] =
    ["", "U", "R", "UR", "D", "UD", "RD", "URD", "L", "UL", "RL", "URL", "DL", "UDL", "RDL", "URDL"];

/// What a program says.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum Said {
    Hello(Box<Hello>),
    Ready {},
    Refused { what: Asked, reason: String },
    Move(Move),
    Tile(Tile),
    Log { line: String, level: Option<LogLevel> },
    Error { reason: String },
}

/// What a program refuses.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Asked {
    Rules,
    Params,
}

/// How serious a line of log is.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Debug => Self::Debug,
            LogLevel::Info => Self::Info,
            LogLevel::Warn => Self::Warn,
            LogLevel::Error => Self::Error,
        }
    }
}

/// Who a program is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hello {
    protocol: u32,
    id: String,
    version: String,
    name: Option<String>,
    #[serde(default)]
    paper: String,
    #[serde(default)]
    licence: String,
    #[serde(default = "no_budget")]
    budgets: Vec<BudgetKind>,
    /// Whether it may spend more than its budget.
    #[serde(default)]
    overruns: bool,
    /// Whether it places the tiles of adversarial games.
    #[serde(default)]
    places_tiles: bool,
    /// Its parameters: for each a JSON schema with its default.
    #[serde(default)]
    params: Map<String, Value>,
    /// The roles of the files that it needs.
    #[serde(default)]
    files: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BudgetKind {
    None,
    Plies,
    Nodes,
    Playouts,
    TimeNs,
}

fn no_budget() -> Vec<BudgetKind> {
    vec![BudgetKind::None]
}

/// A program that speaks another protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it speaks protocol {protocol}, but this host speaks protocol {PROTOCOL}")]
pub(super) struct OtherProtocol {
    protocol: u32,
}

impl Hello {
    /// The descriptor that a plugin would have.
    pub(super) fn describe(self) -> Result<AgentInfo, OtherProtocol> {
        if self.protocol != PROTOCOL {
            return Err(OtherProtocol { protocol: self.protocol });
        }
        let capability = |kind: BudgetKind| match kind {
            BudgetKind::None => Capabilities::NO_BUDGET,
            BudgetKind::Plies => Capabilities::PLIES,
            BudgetKind::Nodes => Capabilities::NODES,
            BudgetKind::Playouts => Capabilities::PLAYOUTS,
            BudgetKind::TimeNs => Capabilities::TIME,
        };
        let if_so = |is_so: bool, capability| if is_so { capability } else { Capabilities::from_bits(0) };
        let beside =
            if_so(self.overruns, Capabilities::OVERRUNS) | if_so(self.places_tiles, Capabilities::SPAWNER);
        Ok(AgentInfo {
            index: 0,
            name: self.name.unwrap_or_else(|| self.id.clone()),
            id: self.id,
            version: self.version,
            paper: self.paper,
            licence: self.licence,
            capabilities: self.budgets.into_iter().map(capability).fold(beside, Capabilities::with),
            params_schema: json!({
                "type": "object",
                "properties": self.params,
                "additionalProperties": false,
            }),
            files: self.files,
            training: None,
        })
    }
}

/// A move, and what it cost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    direction: char,
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    spent: u64,
    #[serde(default)]
    depth: u32,
    value: Option<f64>,
    /// What it thinks of each move, by its letter.
    #[serde(default)]
    values: BTreeMap<char, f64>,
}

/// A letter that names no direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not one of the directions U, R, D and L")]
pub(super) struct NoDirection(char);

impl Move {
    pub(super) fn decision(&self) -> Result<Decision, NoDirection> {
        let direction = |letter| Direction::from_letter(letter).ok_or(NoDirection(letter));
        self.values.keys().try_for_each(|&letter| direction(letter).map(drop))?;
        Ok(Decision {
            direction: direction(self.direction)?,
            nodes: self.nodes,
            spent: self.spent,
            depth: self.depth,
            value: self.value,
        })
    }

    pub(super) fn values(&self) -> Option<MoveValues> {
        let value = Direction::ALL.map(|direction| self.values.get(&direction.letter()).copied());
        (!self.values.is_empty()).then_some(MoveValues { value, nodes: [0; 4] })
    }
}

/// A tile that a program places, and what it cost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tile {
    cell: u32,
    tile: u32,
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    spent: u64,
}

/// A tile that no game knows, or a cell that no board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a {tile} in cell {cell}: a placed tile is a 2 or a 4, a cell is 0 to 15")]
pub(super) struct NoTile {
    cell: u32,
    tile: u32,
}

impl Tile {
    pub(super) fn decision(&self) -> Result<TileDecision, NoTile> {
        let placed = rank_of_tile(self.tile).and_then(|rank| Placement::new(self.cell, rank.into()));
        let placed = placed.ok_or(NoTile { cell: self.cell, tile: self.tile })?;
        Ok(TileDecision { tile: placed, nodes: self.nodes, spent: self.spent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Board;

    #[test]
    fn a_position_is_told_in_tiles_and_letters() {
        let board: Board = "2 2 4 8 / . . . . / . . . . / . . . 32768".parse().unwrap();
        let position = Position { budget: Budget::Plies(3), ..Position::of_board(board).unwrap() };
        assert_eq!(
            serde_json::to_string(&Told::position(&position)).unwrap(),
            r#"{"type":"position","board":[[2,2,4,8],[0,0,0,0],[0,0,0,0],[0,0,0,32768]],"legal":"URDL","score":0,"move":0,"budget":{"plies":3}}"#
        );
        for mask in 0..16 {
            let letters: String = engine::Directions::from_mask(mask).iter().map(Direction::letter).collect();
            assert_eq!(LETTERS[usize::from(mask)], letters);
        }
    }

    #[test]
    fn a_slid_board_is_told_in_tiles_and_answered_by_one() {
        let slid = SlidPosition {
            afterstate: "4 . . . / . . . . / . . . . / . . . .".parse().unwrap(),
            score: 4,
            move_number: 9,
            budget: Budget::None,
        };
        assert_eq!(
            serde_json::to_string(&Told::afterstate(&slid)).unwrap(),
            r#"{"type":"afterstate","board":[[4,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]],"score":4,"move":9,"budget":"none"}"#
        );
        let answer = |text: &str| match serde_json::from_str::<Said>(text) {
            Ok(Said::Tile(tile)) => tile.decision().map(|placed| placed.tile.to_string()).ok(),
            _ => None,
        };
        assert_eq!(answer(r#"{"type":"tile","cell":15,"tile":4}"#).as_deref(), Some("f4"));
        for wrong in [
            r#"{"type":"tile","cell":16,"tile":4}"#,
            r#"{"type":"tile","cell":1,"tile":8}"#,
            r#"{"type":"tile","cell":1,"tile":3}"#,
            r#"{"type":"tile","cell":1,"rank":1}"#,
        ] {
            assert_eq!(answer(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_answer_with_something_unknown_in_it_is_none() {
        let read = |text: &str| serde_json::from_str::<Said>(text);
        assert!(matches!(read(r#"{"type":"move","direction":"U"}"#), Ok(Said::Move(_))));
        for wrong in [
            r#"{"type":"move","direction":"U","certainty":1}"#,
            r#"{"type":"move"}"#,
            r#"{"type":"moves","direction":"U"}"#,
            r#"{"direction":"U"}"#,
            r#"{"type":"hello","protocol":1,"id":"a","version":"1","budget":["none"]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let Ok(Said::Move(wrong)) = read(r#"{"type":"move","direction":"X"}"#) else {
            panic!("it is a move")
        };
        assert!(wrong.decision().is_err());
    }
}
