//! The folder of a training under way: its latest checkpoint, and how far it had come then.
//!
//! The two files belong together, and bear the number of games in their names. A pair is whole before the one before it goes.

use std::io;

use super::Standing;
use surroundings::atomic;
use surroundings::confined::ConfinedPath;

/// The most bytes of what is written down of a training's standing: a hundred thousand rows.
const LARGEST: u64 = 64 << 20;

/// The folder of a training under way. It is named by the training's identity, so that no other one finds a checkpoint in it.
pub(super) struct Workplace {
    folder: ConfinedPath,
}

/// A checkpoint, and how far the training had come.
pub(super) struct Saved {
    pub(super) checkpoint: ConfinedPath,
    pub(super) standing: Standing,
}

impl Workplace {
    pub(super) fn open(folder: &ConfinedPath) -> io::Result<Self> {
        folder.make_folder()?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The file that the artefact is written to, before it goes to the store.
    pub(super) fn artefact(&self) -> ConfinedPath {
        self.folder.join("artefact.tmp")
    }

    /// The file that a checkpoint is written to, before it is one.
    pub(super) fn unfinished(&self) -> ConfinedPath {
        self.folder.join("checkpoint.tmp")
    }

    /// Whatever was saved last and is whole.
    pub(super) fn saved(&self) -> io::Result<Option<Saved>> {
        let mut games = self.pairs()?;
        games.sort_unstable();
        Ok(games.into_iter().rev().find_map(|games| {
            let bytes = self.standing(games).read(LARGEST).ok()?;
            let standing = Standing::read(std::str::from_utf8(&bytes).ok()?)?;
            let checkpoint = self.checkpoint(games);
            (checkpoint.is_file() && standing.total().games == games)
                .then_some(Saved { checkpoint, standing })
        }))
    }

    /// Keeps the checkpoint that was written to [`Workplace::unfinished`], and none of those before it.
    pub(super) fn keep(&self, standing: &Standing) -> io::Result<()> {
        let games = standing.total().games;
        self.unfinished().rename(&self.checkpoint(games))?;
        atomic::write_json(&self.standing(games), standing).map_err(io::Error::other)?;
        for other in self.pairs()?.into_iter().filter(|other| *other != games) {
            self.standing(other).remove()?;
            let _ = self.checkpoint(other).remove();
        }
        Ok(())
    }

    /// Removes everything: the training is over.
    pub(super) fn clear(self) -> io::Result<()> {
        self.folder.remove_all()
    }

    fn checkpoint(&self, games: u64) -> ConfinedPath {
        self.folder.join(format!("checkpoint-{games}"))
    }

    fn standing(&self, games: u64) -> ConfinedPath {
        self.folder.join(format!("standing-{games}.json"))
    }

    /// The numbers of games in the names of what was written down.
    fn pairs(&self) -> io::Result<Vec<u64>> {
        let mut pairs = Vec::new();
        for entry in self.folder.list()? {
            let name =
                entry.path.name().and_then(|name| name.strip_prefix("standing-")?.strip_suffix(".json"));
            pairs.extend(name.and_then(|games| games.parse::<u64>().ok()));
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use surroundings::confined::ConfinedPath;
    use workers::worker::protocol::Learned;

    #[test]
    fn the_latest_whole_pair_is_gone_on_from_and_the_others_go() {
        let folder = tempfile::tempdir().unwrap();
        let place = Workplace::open(&ConfinedPath::file(&folder.path().join("t"))).unwrap();
        assert!(place.saved().unwrap().is_none());
        let mut standing = Standing::default();
        for games in [3, 4] {
            standing.add(Learned { games, ..Learned::default() }, 5);
            fs::write(place.unfinished().path(), format!("after {games} more")).unwrap();
            place.keep(&standing).unwrap();
        }
        let saved = place.saved().unwrap().unwrap();
        assert_eq!(
            (saved.standing, fs::read_to_string(saved.checkpoint.path()).unwrap()),
            (standing, "after 4 more".to_owned())
        );
        assert_eq!(fs::read_dir(folder.path().join("t")).unwrap().count(), 2);
        fs::write(place.standing(9).path(), "{").unwrap();
        assert_eq!(place.saved().unwrap().unwrap().standing.total().games, 7, "a torn one is passed over");
        fs::remove_file(saved.checkpoint.path()).unwrap();
        assert!(place.saved().unwrap().is_none(), "half of a pair is none");
        place.clear().unwrap();
        assert!(!folder.path().join("t").exists());
    }
}
