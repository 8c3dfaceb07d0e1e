//! What the pipeline costs beside the games themselves, against what it promises.
//!
//! The real binary plays, and CPU time is counted, its workers' included: unlike wall time it hardly depends
//! on what else the machine does. A short run is taken off a long one, so that beginnings and ends do not
//! count; of several rounds the best counts. The program fails where it misses a target. Without `--bench`,
//! as under `cargo test`, it only looks whether all of it runs. `cargo bench -p pipeline --bench overhead --
//! --million` also plays, verifies and tops up a million games.

#[path = "../common/mod.rs"]
mod common;
mod subject;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use engine::agent::{Agent as _, Budget, Host, Position};
use engine::{AgentSeed, Game, Rules, TileSeed};
use random::{Params, Random};
use records::GameRecord;
use records::provenance::cpu_name;
use rustix::time::{ClockId, clock_gettime};

use common::{Cost, exit, is_bench};
use subject::Subject;

/// The master seed of all games here.
const SEED: u64 = 2048;
const ROUNDS: u32 = 3;
const CHEAP_GAMES: u64 = 20_000;
const COSTLY_GAMES: u64 = 200;
const MANY_GAMES: u64 = 1_000_000;

/// What the pipeline may add to a move and to a game, in nanoseconds.
const MOST_NS_A_MOVE: f64 = 150.0;
const MOST_NS_A_GAME: f64 = 20_000.0;
/// What it may add to moves of 100 microseconds.
const MOST_SHARE: f64 = 0.01;
const LEAST_SPEEDUP: f64 = 1.8;
const LEAST_MOVES_VERIFIED: f64 = 10e6;
const MOST_MEMORY_MB: f64 = 300.0;
/// The processors that two busy threads get on a machine that has nothing else to do.
const ENOUGH_PROCESSORS: f64 = 1.95;

fn main() -> ExitCode {
    let subject = Subject::new();
    if !is_bench() {
        subject.play("random", 5, 1);
        subject.play("spin", 1, 2);
        subject.verify();
        return ExitCode::SUCCESS;
    }
    println!("{}", cpu_name());
    let mut targets = Targets::default();
    let loop_ns = cheap_moves(&subject, &mut targets);
    costly_moves(&subject, loop_ns, &mut targets);
    if std::env::args().any(|argument| argument == "--million") {
        many_games(&subject, &mut targets);
    }
    exit(targets.missed == 0)
}

/// The random agent, whose moves cost next to nothing, and the verification of its records. Returns the
/// nanoseconds that a move takes in a worker, from one to the next.
fn cheap_moves(subject: &Subject, targets: &mut Targets) -> f64 {
    let measure = |games| {
        let played = subject.play("random", games, 1);
        [played, subject.verify()]
    };
    let [mut short, mut long] = [measure(1), measure(CHEAP_GAMES)];
    let mut games_ns = thread_cpu_ns(play_directly);
    for _ in 1..ROUNDS {
        short = best(short, measure(1));
        long = best(long, measure(CHEAP_GAMES));
        games_ns = games_ns.min(thread_cpu_ns(play_directly));
    }
    let records = subject.records("random");
    let (games, moves) = (records.len() as f64, count_moves(&records));
    let worker_ns = subject.within_games_ns("random");
    let [run, verify] = [0, 1].map(|step| long[step].beyond(short[step]).cpu.as_nanos() as f64);
    println!("{games} games of {:.0} moves by the random agent, CPU time in µs a game:", moves / games);
    println!("{:8.2}  the games themselves, played in a loop", games_ns / games / 1e3);
    println!("{:8.2}  the run, all processes", run / games / 1e3);
    println!("{:8.2}    the games in the worker, through the boundary", worker_ns / games / 1e3);
    let (cost, limit) = (run - games_ns, MOST_NS_A_MOVE * moves + MOST_NS_A_GAME * games);
    targets.compare(
        cost <= limit,
        &format!(
            "the pipeline adds {:.1} µs to a game, at most {:.1} ({MOST_NS_A_MOVE} ns a move and {} µs a game)",
            cost / games / 1e3,
            limit / games / 1e3,
            MOST_NS_A_GAME / 1e3
        ),
    );
    let verified = moves / (verify / 1e9);
    targets.compare(
        verified >= LEAST_MOVES_VERIFIED,
        &format!(
            "verify replays {:.1} million moves a second and core, at least {}",
            verified / 1e6,
            LEAST_MOVES_VERIFIED / 1e6
        ),
    );
    worker_ns / moves
}

/// The same games without a pipeline.
fn play_directly() {
    let rules = Rules::default();
    let mut agent = Random::create(&rules, Params {}, Host::silent()).expect("any rules will do");
    for number in 0..CHEAP_GAMES {
        let mut game = Game::new(&rules, TileSeed::derive(SEED, number));
        agent.new_game(AgentSeed::derive(SEED, number));
        while game.ending().is_none() {
            let decision = agent.choose_move(&Position::of_game(&game, Budget::None)).expect("a move");
            game.play(decision.direction).expect("it is legal");
        }
        black_box(game.score());
    }
}

/// An agent that takes 100 microseconds a move: what the pipeline adds, and how much faster two jobs are than
/// one.
///
/// What it adds outside of games is what the processes take beyond the time that the workers note for the
/// games; what it adds within them is at most `loop_ns` a move, all that a move of the random agent takes.
fn costly_moves(subject: &Subject, loop_ns: f64, targets: &mut Targets) {
    let (mut outside, mut wall) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
    let mut processors = processors_for_two();
    for _ in 0..ROUNDS {
        for (place, jobs) in [1, 2].into_iter().enumerate() {
            let [short, long] = [1, COSTLY_GAMES].map(|games| {
                let cost = subject.play("spin", games, jobs);
                (cost, cost.cpu.as_nanos() as f64 - subject.within_games_ns("spin"))
            });
            wall[place] = wall[place].min(long.0.beyond(short.0).wall.as_secs_f64());
            outside[0] = outside[0].min(short.1);
            outside[1] = outside[1].min(long.1);
        }
        processors = processors.min(processors_for_two());
    }
    let moves = count_moves(&subject.records("spin"));
    let share = (outside[1] - outside[0] + loop_ns * moves) / subject.within_games_ns("spin");
    println!("two busy threads got {processors:.2} processors");
    let is_idle = processors >= ENOUGH_PROCESSORS;
    let (percent, most) = (100.0 * share, 100.0 * MOST_SHARE);
    let text = format!("the pipeline adds {percent:.2} % to moves of 100 µs, at most {most} %");
    // Others only add to it: they empty the caches between two games.
    targets.compare_if(share <= MOST_SHARE || is_idle, share <= MOST_SHARE, &text);
    let speedup = wall[0] / wall[1];
    let text = format!("two jobs are {speedup:.2} times as fast as one, at least {LEAST_SPEEDUP}");
    targets.compare_if(is_idle, speedup >= LEAST_SPEEDUP, &text);
}

/// A million games, verified, and a few more: how much memory the largest process takes.
fn many_games(subject: &Subject, targets: &mut Targets) {
    let mut step = |what: &str, cost: Cost| {
        let (cpu, wall, memory) = (cost.cpu.as_secs_f64(), cost.wall.as_secs_f64(), cost.peak_mb);
        let text =
            format!("{what} took {memory:.0} MB, at most {MOST_MEMORY_MB}; CPU {cpu:.1} s, wall {wall:.1} s");
        targets.compare(memory <= MOST_MEMORY_MB, &text);
    };
    step("playing a million games", subject.play("random", MANY_GAMES, 2));
    step("verifying them", subject.verify());
    step("topping up by ten games", subject.top_up("random", MANY_GAMES + 10, 2));
}

fn best([played, verified]: [Cost; 2], [played_again, verified_again]: [Cost; 2]) -> [Cost; 2] {
    [played.min(played_again), verified.min(verified_again)]
}

fn count_moves(records: &[GameRecord]) -> f64 {
    records.iter().map(|record| f64::from(record.moves)).sum()
}

/// The targets so far.
#[derive(Default)]
struct Targets {
    missed: u32,
}

impl Targets {
    fn compare(&mut self, is_met: bool, text: &str) {
        println!("{}: {text}", if is_met { "met" } else { "MISSED" });
        self.missed += u32::from(!is_met);
    }

    fn compare_if(&mut self, is_meaningful: bool, is_met: bool, text: &str) {
        if is_meaningful {
            self.compare(is_met, text);
        } else {
            println!("not meaningful on a busy machine: {text}");
        }
    }
}

/// The CPU time of this thread over some work, in nanoseconds.
fn thread_cpu_ns(work: impl FnOnce()) -> f64 {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    };
    let begun = now();
    work();
    now() - begun
}

/// How many processors two busy threads get together: 2 on an idle machine, less on a busy one.
fn processors_for_two() -> f64 {
    let begun = Instant::now();
    let spin = || thread_cpu_ns(|| while begun.elapsed() < Duration::from_millis(300) {});
    let cpu_ns: f64 = std::thread::scope(|scope| {
        let threads = [scope.spawn(spin), scope.spawn(spin)];
        threads.map(|thread| thread.join().expect("a loop does not panic")).iter().sum()
    });
    cpu_ns / begun.elapsed().as_nanos() as f64
}
