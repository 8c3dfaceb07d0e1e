//! The messages between the bridge and its program, as `docs/bridge.md` describes them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use engine::abi::host::{AgentInfo, HostFiles};
use engine::agent::{
    Budget, Capabilities, Decision, Level, MoveValues, Position, SlidPosition, TileDecision,
};
use engine::board::{Grid, rank_of_tile, tile};
use engine::{Direction, Placement, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The version of the protocol. It changes when programs for the old one would no longer work.
pub(super) const PROTOCOL: u32 = 1;

/// A message to a program.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum HostMessage<'a> {
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
    Position(BoardMessage),
    /// Only for programs that place tiles.
    Afterstate(BoardMessage),
    Quit,
}

/// A board that awaits a move or a tile.
#[derive(Debug, Serialize)]
pub(super) struct BoardMessage {
    /// The tiles row by row, 0 for an empty cell.
    board: [[u32; 4]; 4],
    /// The letters of the legal directions of a board that awaits a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<&'static str>,
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

impl<'a> HostMessage<'a> {
    pub(super) fn setup(rules: &'a Rules, params: &'a Map<String, Value>, files: &'a HostFiles) -> Self {
        let paths = files.iter().map(|(role, file)| (role.as_str(), file.path.to_string_lossy()));
        Self::Setup { rules, params, files: paths.collect() }
    }

    pub(super) fn position(position: &Position) -> Self {
        let Position { score, move_number, budget, .. } = *position;
        let legal = Some(LETTERS[usize::from(position.legal.mask())]);
        Self::Position(BoardMessage { board: tiles(*position.board), legal, score, move_number, budget })
    }

    pub(super) fn afterstate(slid: &SlidPosition) -> Self {
        let SlidPosition { score, move_number, budget, .. } = *slid;
        let board = tiles(*slid.afterstate);
        Self::Afterstate(BoardMessage { board, legal: None, score, move_number, budget })
    }
}

/// The letters of every set of directions, by its mask.
const LETTERS: [&str; 16] =
    ["", "U", "R", "UR", "D", "UD", "RD", "URD", "L", "UL", "RL", "URL", "DL", "UDL", "RDL", "URDL"];

/// A message from a program.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum ProgramMessage {
    Hello(Box<Hello>),
    Ready {},
    Refused { what: RefusedPart, reason: String },
    Move(Move),
    Tile(Tile),
    Log { line: String, level: Option<Level> },
    Error { reason: String },
}

/// The part of a setup that a program refuses.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RefusedPart {
    Rules,
    Params,
}

/// A program's description of itself.
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
    /// Whether it may exceed its budget.
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

/// A kind of budget, by its code in the ABI.
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

impl Hello {
    /// The descriptor that a plugin would have.
    pub(super) fn describe(self) -> Result<AgentInfo, String> {
        let protocol = self.protocol;
        if protocol != PROTOCOL {
            return Err(format!("it speaks protocol {protocol}, but this host speaks protocol {PROTOCOL}"));
        }
        let capability = |kind: BudgetKind| Capabilities::from_bits(1 << kind as u64);
        let flag = |is_set: bool, flag| if is_set { flag } else { Capabilities::from_bits(0) };
        let flags =
            flag(self.overruns, Capabilities::OVERRUNS).with(flag(self.places_tiles, Capabilities::SPAWNER));
        Ok(AgentInfo {
            index: 0,
            name: self.name.unwrap_or_else(|| self.id.clone()),
            id: self.id,
            version: self.version,
            paper: self.paper,
            licence: self.licence,
            capabilities: self.budgets.into_iter().map(capability).fold(flags, Capabilities::with),
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

/// A move and its cost.
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
    /// Its value of each move, by the move's letter.
    #[serde(default)]
    values: BTreeMap<char, f64>,
}

impl Move {
    pub(super) fn decision(&self) -> Result<Decision, String> {
        let unknown = |letter| format!("`{letter}` is not one of the directions U, R, D and L");
        let direction = |letter| Direction::from_letter(letter).ok_or_else(|| unknown(letter));
        self.values.keys().try_for_each(|&letter| direction(letter).map(drop))?;
        Ok(Decision {
            direction: direction(self.direction)?,
            nodes: self.nodes,
            spent: self.spent,
            depth: self.depth,
            value: self.value,
            values: None,
        })
    }

    pub(super) fn values(&self) -> Option<MoveValues> {
        let value = Direction::ALL.map(|direction| self.values.get(&direction.letter()).copied());
        (!self.values.is_empty()).then_some(MoveValues { value, nodes: [0; 4] })
    }
}

/// A tile that a program places, and its cost.
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

impl Tile {
    pub(super) fn decision(&self) -> Result<TileDecision, String> {
        let Self { cell, tile, nodes, spent } = *self;
        let placed = rank_of_tile(tile).and_then(|rank| Placement::new(cell, rank.into()));
        let unknown = || format!("a {tile} in cell {cell}: a placed tile is a 2 or a 4, a cell is 0 to 15");
        Ok(TileDecision { tile: placed.ok_or_else(unknown)?, nodes, spent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Board;

    #[test]
    fn a_position_is_sent_in_tiles_and_letters() {
        let board: Board = "2 2 4 8 / . . . . / . . . . / . . . 32768".parse().unwrap();
        let position = Position { budget: Budget::Plies(3), ..Position::of_board(board).unwrap() };
        assert_eq!(
            serde_json::to_string(&HostMessage::position(&position)).unwrap(),
            r#"{"type":"position","board":[[2,2,4,8],[0,0,0,0],[0,0,0,0],[0,0,0,32768]],"legal":"URDL","score":0,"move":0,"budget":{"plies":3}}"#
        );
        for mask in 0..16 {
            let letters: String = engine::Directions::from_mask(mask).iter().map(Direction::letter).collect();
            assert_eq!(LETTERS[usize::from(mask)], letters);
        }
    }

    #[test]
    fn an_afterstate_is_sent_in_tiles_and_answered_by_one() {
        let slid = SlidPosition {
            afterstate: "4 . . . / . . . . / . . . . / . . . .".parse().unwrap(),
            score: 4,
            move_number: 9,
            budget: Budget::None,
        };
        assert_eq!(
            serde_json::to_string(&HostMessage::afterstate(&slid)).unwrap(),
            r#"{"type":"afterstate","board":[[4,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]],"score":4,"move":9,"budget":"none"}"#
        );
        let answer = |text: &str| match serde_json::from_str::<ProgramMessage>(text) {
            Ok(ProgramMessage::Tile(tile)) => tile.decision().map(|placed| placed.tile.to_string()).ok(),
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
    fn an_answer_with_unknown_fields_is_refused() {
        let read = |text: &str| serde_json::from_str::<ProgramMessage>(text);
        assert!(matches!(read(r#"{"type":"move","direction":"U"}"#), Ok(ProgramMessage::Move(_))));
        for wrong in [
            r#"{"type":"move","direction":"U","certainty":1}"#,
            r#"{"type":"move"}"#,
            r#"{"type":"moves","direction":"U"}"#,
            r#"{"direction":"U"}"#,
            r#"{"type":"hello","protocol":1,"id":"a","version":"1","budget":["none"]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let Ok(ProgramMessage::Move(wrong)) = read(r#"{"type":"move","direction":"X"}"#) else {
            panic!("it is a move")
        };
        assert!(wrong.decision().is_err());
    }
}
