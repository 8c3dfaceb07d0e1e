//! A fourth kind of job, all in this file: openings, the sums of the tiles that games start with. It has a
//! list in manifests, an identity, rows with a journal, a sealed file, a cheap and an expensive check.

use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use engine::{Game, Rules, TileSeed};
use jobs::{
    Canonical, CheckedJob, FirstDifference, Key, Provenance, Status, StoreError, StoredContext,
    StoredIdentity, StoredJob, StoredKind, Words,
};
use manifest::{OtherJob, Paper, Set};
use pipeline::job::{Amount, Job, Outline};
use pipeline::journal::{EntryJournal, JournalEntry, Title};
use pipeline::kinds::{JobPlan, Kind, RunContext};
use pipeline::plan::{Listed, PlanError, Planner, Selection};
use pipeline::recompute::{Recomputation, Sampling};
use pipeline::run::{JobResult, RunError, RunReport};
use platform::ConfinedPath;
use polars::prelude::{DataFrame, DataType, df};
use records::{GameTiming, JobFooter, JobHeader, JobTable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) static OPENING: Words = Words {
    kind: "opening",
    kinds: "openings",
    row: "sum",
    stored: "sums",
    file: "the sums of an opening",
    folder: "openings",
    command: "run",
    checked: "the sums are those of two tiles",
};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "set": { "enum": ["default", "extra"] },
            "games": { "type": "integer", "minimum": 1, "maximum": 100_000 },
            "seed": { "type": "integer", "minimum": 0 },
        },
        "required": ["id", "games", "seed"],
        "additionalProperties": false,
    })
});

/// Makes the kind known to manifests and commands.
pub(crate) fn register() {
    pipeline::kinds::register(&Openings, &SCHEMA);
}

/// All that determines the sums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Identity {
    #[serde(default)]
    rules: Rules,
    seed: u64,
    games: u64,
}

impl Canonical for Identity {}

impl Identity {
    fn of(entry: &OtherJob) -> Self {
        serde_json::from_value(Value::Object(entry.keys.clone())).expect("the schema has checked it")
    }

    /// The row of a game: the sum of its first tiles.
    fn sum(&self, game: u64) -> u32 {
        Game::new(&self.rules, TileSeed::derive(self.seed, game)).board().tile_sum()
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    opening: String,
    identity: Identity,
    provenance: Vec<Provenance>,
}

impl JobHeader for Header {
    const WORDS: &'static Words = &OPENING;
    const FORM_KEY: &'static str = "retile.opening_form";

    fn identity_hash(&self) -> String {
        self.identity.hash()
    }
}

/// A row in the journal.
#[derive(Serialize, Deserialize)]
struct Row {
    game: u64,
    sum: u32,
}

impl JournalEntry for Row {
    fn timing(&self) -> GameTiming {
        GameTiming { game: self.game, cpu_ns: 0, wall_ns: 0 }
    }

    fn timing_in(text: &[u8]) -> Option<GameTiming> {
        Some(serde_json::from_slice::<Self>(text).ok()?.timing())
    }
}

/// A planned opening.
struct Opening {
    key: Key,
    set: Set,
    identity: Identity,
    path: ConfinedPath,
    journal: ConfinedPath,
    journalled: u64,
    status: Status,
}

impl Opening {
    fn title(&self, origin: Option<Provenance>) -> Title {
        Title::new(self.identity.hash(), None, origin)
    }

    /// Adds the missing rows to the journal, then writes the file.
    fn run(&self, context: &RunContext<'_>) -> Result<JobResult, RunError> {
        let origin = context.options.origin.clone();
        let title = self.title(Some(origin.clone()));
        let (mut journal, _) = EntryJournal::<Row>::open(&self.journal, &title)?;
        let pause =
            std::env::var("PAUSE_MS").ok().and_then(|pause| pause.parse().ok()).map(Duration::from_millis);
        let mut result = JobResult { job: self.key.to_string(), ..JobResult::default() };
        for game in 0..self.identity.games {
            if context.options.stop.load(Ordering::Relaxed) {
                return Ok(result);
            }
            if !journal.contains(game) {
                journal.append(&Row { game, sum: self.identity.sum(game) })?;
                result.played += 1;
                pause.into_iter().for_each(sleep);
            }
        }
        let rows = (0..self.identity.games).map(|game| journal.read(game).map(|row| row.sum));
        let sums = rows.collect::<Result<Vec<u32>, _>>()?;
        let header = Header {
            opening: self.key.to_string(),
            identity: self.identity.clone(),
            provenance: journal.origins().cloned().collect(),
        };
        let digest = digest(&sums);
        let frame = df!("sum" => &sums).map_err(StoreError::parquet(&self.path, "build the columns"))?;
        JobTable::write(&self.path, &header, &digest, &frame)?;
        journal.remove()?;
        result.file = Some(self.path.path().to_owned());
        result.digest = Some(digest);
        Ok(result)
    }
}

impl Job for Opening {
    fn outline(&self) -> Outline<'_> {
        let Self { key, set, path, status, .. } = self;
        Outline { words: &OPENING, key, set: *set, plugin: None, path, status }
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
    }

    fn amount(&self) -> Amount {
        let wanted = self.identity.games;
        let done = self.status.rows() + self.journalled;
        let to_play = Some(wanted - done);
        Amount { wanted: Some(wanted), done, journalled: self.journalled, to_play, time_per_row: None }
    }
}

/// The kind.
struct Openings;

impl Kind for Openings {
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        let openings = paper.other_jobs.iter().filter(|job| job.kind == OPENING.kind);
        openings.map(|job| Listed { id: &job.id, set: job.set, with: None }).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        let mut plan = JobPlan::default();
        for paper in &planner.project.papers {
            for listed in self.listed(paper).into_iter().filter(|listed| selection.takes(paper, *listed)) {
                let key = Key::new(&paper.id, listed.id);
                let entry = StoredContext::of(std::slice::from_ref(paper)).entry(&OPENING, &key);
                let identity = Identity::of(entry.expect("the paper lists it"));
                let path = OPENING.path(planner.layout.root(), &key);
                let status = match self.read(&path)? {
                    None => Status::Missing,
                    Some(stored) => {
                        Status::of(stored.rows, identity.games, stored.identity.differences(&identity))
                    }
                };
                let journal = path.with_extension("journal");
                let title = Title::new(identity.hash(), None, None);
                let journalled = EntryJournal::<Row>::peek(&journal, &title)?.len() as u64;
                let opening = Opening { key, set: listed.set, identity, path, journal, journalled, status };
                plan.jobs.push(Box::new(opening));
            }
        }
        Ok(plan)
    }

    fn run(&self, jobs: &[&dyn Job], context: &RunContext<'_>) -> Result<RunReport, RunError> {
        let mut report = RunReport::new(&OPENING);
        for opening in <dyn Job>::all_of::<Opening>(jobs) {
            if context.options.is_fresh || !opening.status.is_complete() {
                report.jobs.push(opening.run(context)?);
            }
        }
        report.interrupted = report.jobs.iter().any(JobResult::is_cut_short);
        Ok(report)
    }

    fn recompute(
        &self,
        jobs: &[&dyn Job],
        _context: &RunContext<'_>,
        sample: Sampling,
    ) -> Result<Recomputation, RunError> {
        let (mut recomputation, mut rows) = (Recomputation::default(), 0);
        for Opening { key, identity, path, .. } in <dyn Job>::all_of::<Opening>(jobs) {
            let Some((_, sums, _)) = read(path)? else { continue };
            for (game, stored) in (0_u64..).zip(sums).take(sample.games as usize) {
                let now = identity.sum(game);
                rows += 1;
                if now != stored {
                    recomputation.differences.push(format!("{key}: sum {game} is {now}, {stored} is stored"));
                }
            }
        }
        recomputation.shown = Some(format!("Added {} again.", text::counted(rows, "sum")));
        Ok(recomputation)
    }
}

impl StoredKind for Openings {
    fn words(&self) -> &'static Words {
        &OPENING
    }

    fn read(&self, path: &ConfinedPath) -> Result<Option<StoredJob>, StoreError> {
        Ok(read(path)?.map(|(stored, ..)| stored))
    }

    fn check(
        &self,
        path: &ConfinedPath,
        _context: &StoredContext<'_>,
    ) -> Result<Option<CheckedJob>, StoreError> {
        let Some((stored, sums, sha256)) = read(path)? else { return Ok(None) };
        OPENING.require_name(path, &stored.key)?;
        let mut checked = CheckedJob::new(path, stored, &sha256, true);
        for (game, sum) in sums.iter().enumerate().filter(|(_, sum)| ![4, 6, 8].contains(*sum)) {
            checked.add_problem(format!("sum {game} is {sum}, which no two tiles give"));
        }
        checked.fields.insert("sums".to_owned(), json!(sums.len()));
        Ok(Some(checked))
    }

    fn summary(&self, checked: &[CheckedJob]) -> String {
        let sums = checked.iter().map(|opening| opening.count("sums")).sum();
        format!("Checked {}.", text::counted(sums, "sum"))
    }

    fn first_difference(
        &self,
        (before, _): (&ConfinedPath, &StoredContext<'_>),
        (after, _): (&ConfinedPath, &StoredContext<'_>),
    ) -> Result<Option<FirstDifference>, StoreError> {
        let (Some((_, before, _)), Some((_, after, _))) = (read(before)?, read(after)?) else {
            return Ok(None);
        };
        let mut both = before.iter().zip(&after).enumerate();
        Ok(both.find(|(_, (before, after))| before != after).map(|(game, (before, after))| FirstDifference {
            text: format!("sum {game} is {before} before, {after} after"),
            value: json!(game),
        }))
    }
}

fn digest(sums: &[u32]) -> String {
    platform::hash::sha256(sums.iter().map(|sum| format!("{sum} ")).collect::<String>())
}

/// What a file says of itself, its sums, and its SHA-256; `None` if there is no file.
fn read(path: &ConfinedPath) -> Result<Option<(StoredJob, Vec<u32>, String)>, StoreError> {
    let Some(JobTable { footer, frame, sha256 }) = JobTable::<Header>::read(path)? else { return Ok(None) };
    let sums = sums(&frame).map_err(StoreError::parquet(path, "read the columns"))?;
    let JobFooter { header, digest: stated, .. } = footer;
    if digest(&sums) != stated {
        return Err(StoreError::form(path, &OPENING, "its rows do not match its digest"));
    }
    let Header { opening, identity, provenance } = header;
    let stored = StoredJob {
        key: opening,
        identity: identity.stored(),
        second_signature: None,
        digest: stated,
        rows: sums.len() as u64,
        shard: None,
        artefact: None,
        provenance,
    };
    Ok(Some((stored, sums, sha256)))
}

fn sums(frame: &DataFrame) -> polars::prelude::PolarsResult<Vec<u32>> {
    let column = frame.column("sum")?.cast(&DataType::UInt32)?;
    Ok(column.u32()?.into_no_null_iter().collect())
}
