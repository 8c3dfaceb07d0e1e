//! A suite of start positions: a text file with one board a line, from which games begin.
//!
//! A start is a rule of the game, as in a manifest: the games from each board have an identity of their own,
//! and their records replay like any others.

use std::path::Path;

use engine::{Board, Rules, Start};
use platform::open::read_named_text;
use platform::plain::line;

/// The most boards of a suite.
pub const MOST_STARTS: usize = 256;
/// The most bytes of its file.
const LARGEST_SUITE: u64 = 1 << 20;
/// The most letters of a board's name.
const LONGEST_NAME: usize = 64;

/// A board that games begin on, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartBoard {
    /// Its name, or `line N`.
    pub name: String,
    /// The board.
    pub board: Board,
}

/// Reads a suite.
pub fn read(file: &Path) -> Result<Vec<StartBoard>, String> {
    let name = file.display();
    let text = read_named_text(file, LARGEST_SUITE)
        .map_err(|error| format!("{name}: cannot be read: {error}; check the path"))?;
    let mut starts: Vec<StartBoard> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let wrong = |problem: String| format!("{name}:{number}: {problem}");
        let text = text.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        let start = start(text, number).map_err(wrong)?;
        if let Some(same) = starts.iter().find(|known| known.board == start.board || known.name == start.name)
        {
            let what = if same.board == start.board { "board" } else { "name" };
            return Err(wrong(format!("the same {what} as that of `{}`", same.name)));
        }
        starts.push(start);
    }
    match starts.len() {
        0 => Err(format!(
            "{name}: there is no board in it; write one a line, as `NAME: 2 . . . / . . . . / . . . . / . . . 4`"
        )),
        found if found > MOST_STARTS => {
            Err(format!("{name}: {found} boards are more than the {MOST_STARTS} that a suite may have"))
        }
        _ => Ok(starts),
    }
}

fn start(text: &str, number: usize) -> Result<StartBoard, String> {
    let (name, board) = match text.split_once(':') {
        Some((name, board)) => (name.trim().to_owned(), board),
        None => (format!("line {number}"), text),
    };
    if name.is_empty() || name.chars().count() > LONGEST_NAME || line(&name) != name {
        return Err(format!("a name has 1 to {LONGEST_NAME} printable letters, before the colon"));
    }
    let board: Board = board.parse().map_err(|error| format!("{error}"))?;
    if board.legal_moves().is_empty() {
        return Err("no move is legal: the game is over".to_owned());
    }
    Ok(StartBoard { name, board })
}

impl StartBoard {
    /// Rules under which every game begins on this board.
    pub fn rules(&self, over: &Rules) -> Rules {
        Rules { start: Start::Board(self.board), ..over.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(text: &str) -> Result<Vec<StartBoard>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("s.txt");
        std::fs::write(&file, text).unwrap();
        read(&file)
    }

    #[test]
    fn boards_are_read_with_and_without_names() {
        let found = suite(
            "# a comment\n\nopening: 2 . . . / . . . . / . . . . / . . . 4  # from a game\n4 . . . / . . . . / . . . . / . . . 4\n",
        );
        let names: Vec<String> = found.unwrap().into_iter().map(|start| start.name).collect();
        assert_eq!(names, ["opening", "line 4"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let board = "2 . . . / . . . . / . . . . / . . . 4";
        for (text, words) in [
            ("\n2 2 / 4\n".to_owned(), &["s.txt:2: ", "4 rows"][..]),
            ("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2".to_owned(), &["s.txt:1: ", "over"]),
            (format!("a: {board}\nb: {board}"), &["s.txt:2: the same board as that of `a`"]),
            (format!("a: {board}\na: 4 . . . / . . . . / . . . . / . . . 4"), &["the same name"]),
            (format!(": {board}"), &["a name has 1 to 64"]),
            ("# nothing\n".to_owned(), &["there is no board in it"]),
        ] {
            let told = suite(&text).unwrap_err();
            assert!(words.iter().all(|word| told.contains(word)), "{told}");
        }
        assert!(read(Path::new("/no/such")).unwrap_err().contains("check the path"));
    }

    #[test]
    fn a_start_is_a_rule_and_leaves_the_others_as_they_are() {
        let rules = Rules { stop_at: Some(2048.try_into().unwrap()), ..Rules::default() };
        let start = &suite("2 . . . / . . . . / . . . . / . . . 4").unwrap()[0];
        let with = start.rules(&rules);
        assert_eq!((with.start, with.stop_at), (Start::Board(start.board), rules.stop_at));
    }
}
