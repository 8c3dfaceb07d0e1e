//! The agent and its training through the boundary, as a host sees them.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, with_weights};
use engine::Rules;
use engine::abi::host::{CreateError, LoadedTraining, Plugin, Silent};
use engine::training::Trained;
use serde_json::json;

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

#[test]
fn what_is_trained_behind_the_boundary_plays_and_conforms() {
    let mut training = training(TINY, 7);
    let games: Vec<Trained> = (0..60).map(|_| training.next_game().unwrap()).collect();
    assert!(games.iter().all(|game| game.score > 0 && game.max_rank >= 4 && game.moves > 20), "{games:?}");
    let plugin = with_weights(ntuple::plugin(), artefact(&mut training));
    let agent = plugin.agent("ntuple").unwrap();
    assert_eq!(agent.files, ["weights"]);
    assert_eq!(agent.training.as_ref().unwrap().default_params()["lambda"], 0.5);
    assert_conforms(&plugin, "ntuple", &json!({}), 40, None);
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
    for (params, seed) in [(TINY, 8), (r#"{"tuples": "012"}"#, 7)] {
        assert!(training(params, seed).load(&mut &checkpoint[..]).is_err(), "{params}, seed {seed}");
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
    let loaded = |bytes| made(&with_weights(ntuple::plugin(), bytes));
    assert_eq!(loaded(whole.clone()), Ok(()));
    for damaged in [whole[..whole.len() - 2].to_vec(), b"RTLTUPLE".to_vec(), Vec::new()] {
        let refused = loaded(damaged).unwrap_err();
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
    for (name, value) in [("alpha", 2), ("beta", 2), ("step", 0)] {
        let error = refused(&Rules::default(), &json!({name: value}).to_string());
        let name = format!("`{name}`");
        assert!(matches!(&error, CreateError::BadParams(text) if text.contains(&name)), "{error}");
    }
}
