//! What each step of a game through the pipeline costs: a missed limit shows where to look.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use engine::Rules;
use pipeline::journal::{Journal, Title};
use platform::confined::ConfinedPath;
use records::digest::RecordDigest;
use records::record::{GameRecord, GameTiming};
use records::store::RecordsWriter;
use workers::frame::{self, FrameReader, Incoming};
use workers::worker::protocol::{Played, Reply};

use crate::SEED;
use crate::common::Lab;
use crate::machine::thread_cpu_ns;

/// A step and its CPU time in nanoseconds, over all games.
pub(crate) type Part = (&'static str, f64);

/// Measures every step that can be taken by itself.
pub(crate) fn measure(records: &[GameRecord], lab: &Lab) -> Vec<Part> {
    let played: Vec<Played> = records.iter().map(as_played).collect();
    let journal = lab.path("parts.journal");
    let parts = vec![
        ("the frame, written to a pipe and read", thread_cpu_ns(|| frames(&played))),
        ("the replay check", thread_cpu_ns(|| replays(records))),
        ("the journal, written", thread_cpu_ns(|| write_journal(&journal, &played))),
        ("the journal, read back", thread_cpu_ns(|| read_journal(&journal))),
        ("the digest", thread_cpu_ns(|| digest(records))),
        ("the records file, digest included", thread_cpu_ns(|| write_records(records, lab))),
    ];
    fs::remove_file(journal).expect("the journal was there");
    parts
}

fn as_played(record: &GameRecord) -> Played {
    let timing = GameTiming { game: record.game, cpu_ns: 12_345, wall_ns: 12_345 };
    Played { record: record.clone(), timing, complaint: None }
}

fn frames(played: &[Played]) {
    let (read, mut write) = std::io::pipe().expect("a pipe");
    let mut reader = FrameReader::new(read);
    for game in played {
        frame::write(&mut write, &Reply::Played(Box::new(game.clone()))).expect("room in the pipe");
        let received = reader.receive::<Reply>(None).expect("a frame");
        assert!(matches!(black_box(received), Incoming::Message(Reply::Played(_))));
    }
}

fn replays(records: &[GameRecord]) {
    let rules = Rules::default();
    records.iter().for_each(|record| record.replay_alone(&rules, SEED).expect("a true record"));
}

fn title() -> Title {
    Title::new("benchmark".to_owned(), None, None)
}

fn write_journal(path: &Path, played: &[Played]) {
    let (mut journal, _) = Journal::open(&ConfinedPath::file(path), &title()).expect("a new journal");
    played.iter().for_each(|game| journal.append(game).expect("room on the disk"));
}

fn read_journal(path: &Path) {
    let (journal, _) = Journal::open(&ConfinedPath::file(path), &title()).expect("the journal");
    for game in journal.games() {
        black_box(journal.read(game).expect("the game"));
    }
}

fn digest(records: &[GameRecord]) {
    let mut digest = RecordDigest::default();
    records.iter().for_each(|record| digest.add(record));
    black_box(digest.finish());
}

fn write_records(records: &[GameRecord], lab: &Lab) {
    let header = lab.header("bench/random");
    let mut writer =
        RecordsWriter::create(&ConfinedPath::file(&lab.path("parts.parquet"))).expect("a new file");
    records.iter().for_each(|record| writer.push(record).expect("room on the disk"));
    writer.finish(&header).expect("room on the disk");
}
