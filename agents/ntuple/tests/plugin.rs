//! The agent and its training through the boundary, as a host sees them.

use engine::Rules;
use engine::abi::host::{CreateError, File, Files, LoadedTraining, Plugin, Silent};
use engine::conformance::{self, Options};
use engine::training::Trained;

const TINY: &str = r#"{"tuples": "012 0145", "restarts": "200:10:30", "step": 1.0}"#;

fn training(params: &str, seed: u64) -> LoadedTraining {
    ntuple::plugin()
        .train(0, &Rules::default(), params, seed, Silent)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn learn(training: &mut LoadedTraining, games: u32) {
    for _ in 0..games {
        training.next_game().unwrap();
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

fn artefact(training: &mut LoadedTraining) -> Vec<u8> {
    written(|bytes| training.artefact(bytes).unwrap())
}

fn lent(bytes: Vec<u8>) -> Plugin {
    let file = File { path: "weights".into(), bytes: bytes.leak(), sha256: "0".repeat(64) };
    ntuple::plugin().with_files(Files::from_iter([("weights".to_owned(), file)]))
}

#[test]
fn what_is_trained_behind_the_boundary_plays_and_conforms() {
    let mut training = training(TINY, 7);
    let games: Vec<Trained> = (0..60).map(|_| training.next_game().unwrap()).collect();
    assert!(games.iter().all(|game| game.score > 0 && game.max_rank >= 4 && game.moves > 20), "{games:?}");
    let plugin = lent(artefact(&mut training));
    let agent = plugin.agent("ntuple").unwrap();
    assert_eq!(agent.files, ["weights"]);
    assert_eq!(agent.training.as_ref().unwrap().default_params()["lambda"], 0.5);
    let options = Options { moves: 40, ..Options::default() };
    let report = conformance::check(&plugin, agent, &options);
    assert!(report.passed(), "{report}");
}

#[test]
fn a_checkpoint_is_gone_on_from_to_the_same_bytes() {
    let mut whole = training(TINY, 7);
    let mut stopped = training(TINY, 7);
    learn(&mut whole, 40);
    learn(&mut stopped, 25);
    let checkpoint = written(|bytes| stopped.save(bytes).unwrap());
    let mut resumed = training(TINY, 7);
    resumed.load(&mut &checkpoint[..]).unwrap();
    learn(&mut resumed, 15);
    assert_eq!(artefact(&mut resumed), artefact(&mut whole));
    assert_eq!(written(|bytes| resumed.save(bytes).unwrap()), written(|bytes| whole.save(bytes).unwrap()));
    for (other, why) in
        [(training(TINY, 8), "another seed"), (training("{\"tuples\": \"012\"}", 7), "another network")]
    {
        let mut other = other;
        assert!(other.load(&mut &checkpoint[..]).is_err(), "{why}");
    }
    assert!(training(TINY, 7).load(&mut &checkpoint[..checkpoint.len() - 1]).is_err(), "a torn end");
}

#[test]
fn a_full_disk_and_an_unreadable_one_are_told() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no space left"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl std::io::Read for Full {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let mut training = training(TINY, 7);
    assert_eq!(training.save(&mut Full).unwrap_err().to_string(), "no space left");
    assert_eq!(training.artefact(&mut Full).unwrap_err().to_string(), "no space left");
    assert_eq!(training.load(&mut Full).unwrap_err().to_string(), "the disk is gone");
}

#[test]
fn without_its_file_or_with_another_there_is_no_agent() {
    let made = |plugin: &Plugin| plugin.create(0, &Rules::default(), "{}", Silent).map(drop);
    assert_eq!(made(&ntuple::plugin()), Err(CreateError::NoFile { role: "weights".to_owned() }));
    let whole = artefact(&mut training(TINY, 7));
    assert_eq!(made(&lent(whole.clone())), Ok(()));
    for damaged in [whole[..whole.len() - 2].to_vec(), b"RTLTUPLE".to_vec(), Vec::new()] {
        let refused = made(&lent(damaged)).unwrap_err();
        assert!(matches!(&refused, CreateError::Failed(text) if text.contains("`weights`")), "{refused}");
    }
}

#[test]
fn a_training_refuses_what_it_cannot_do() {
    let refused = |rules: &Rules, params: &str| {
        ntuple::plugin().train(0, rules, params, 1, Silent).map(drop).unwrap_err()
    };
    let stops = Rules { stop_at: Some(2048.try_into().unwrap()), ..Rules::default() };
    assert!(matches!(refused(&stops, "{}"), CreateError::BadRules(_)));
    assert!(
        matches!(refused(&Rules::default(), r#"{"alpha": 2}"#), CreateError::BadParams(text) if text.contains("alpha"))
    );
    assert!(
        matches!(refused(&Rules::default(), r#"{"beta": 2}"#), CreateError::BadParams(text) if text.contains("`beta`"))
    );
}
