//! Studies and trainings: impossible values are refused, and no hash in a file leads out of the artefacts
//! folder.

use crate::common::prelude::*;

use platform::hash::sha256;
use studies::{Effort, Scores, TrialOutcome, TrialRow, store};

use crate::forge::{Change, ForgedFile, column};
use crate::records::{FORGED, assert_sober};

const fn together(sum: u64, squares: u64) -> Scores {
    Scores::Together { games: 3, sum, squares }
}

fn scored(rows: &mut [TrialRow], with: &Scores) {
    for row in rows {
        if let TrialOutcome::Played { scores, .. } = &mut row.outcome {
            scores.clone_from(with);
        }
    }
}

#[test]
fn trials_that_no_games_could_give_are_refused_and_nothing_breaks_on_them() {
    let lab = Lab::with(&(study("summed", GENETIC) + &study("each", SOBOL)));
    lab.build_plugin(TUNED, "tuned-forged", &[]);
    lab.succeed("reproduce --quiet");
    let paper = manifest::load(&lab.path("paper-configs/p.toml")).unwrap();
    type Case = (&'static str, fn(&mut Vec<TrialRow>), &'static str);
    let cannot_be = "no games can have these scores or this many moves";
    let cases: [Case; 9] = [
        ("summed", |rows| scored(&mut rows[17..], &together(u64::MAX, u64::MAX)), cannot_be),
        ("summed", |rows| scored(&mut rows[17..], &together(9000, 0)), cannot_be),
        ("each", |rows| scored(rows, &Scores::Each(vec![u32::MAX; 3])), cannot_be),
        (
            "each",
            |rows| {
                if let TrialOutcome::Played { efforts, .. } = &mut rows[7].outcome {
                    *efforts = vec![Effort { moves: u64::MAX, nodes: u64::MAX }];
                }
            },
            cannot_be,
        ),
        ("each", |rows| rows[7].batch = u32::MAX, "row 7 is trial 7 of batch 4294967295"),
        ("each", |rows| rows[7].games = u64::MAX - 3..u64::MAX, "its range of games is not what"),
        ("each", |rows| rows.clear(), "it ends after 0 trials"),
        (
            "each",
            |rows| {
                if let TrialOutcome::Played { digest, .. } = &mut rows[7].outcome {
                    FORGED.clone_into(digest);
                }
            },
            "its digest is not one of games",
        ),
        (
            "each",
            |rows| {
                let reason = FORGED.to_owned();
                rows[7].outcome = TrialOutcome::Faulted { game: 99, ending: Ending::AgentCrash, reason };
            },
            "the game that faulted is not one of its games",
        ),
    ];
    for (id, forge, words) in cases {
        let study = paper.study(id).unwrap();
        let file = lab.path(format!("results/studies/p/{id}.parquet"));
        let good = fs::read(&file).unwrap();
        let stored = store::read(&confined(&file), study).unwrap().unwrap();
        let mut rows = stored.rows;
        forge(&mut rows);
        store::write(&confined(&file), study, &stored.header, &rows).unwrap();
        lab.run("verify").assert_finds(&[words]);
        assert_sober(&lab, &["verify", "render", "study", "plan"]);
        fs::write(&file, good).unwrap();
    }
}

#[test]
fn a_forged_curve_is_noticed_and_its_artefact_is_a_hash_or_nothing() {
    let lab = Lab::with(&(experiment("r", "random", 2, "") + &training("tiny", 100, "curve_every = 20")));
    lab.succeed("train --quiet");
    lab.succeed("reproduce --quiet");
    let file = lab.path("results/trainings/p/tiny.parquet");
    let good = fs::read(&file).unwrap();
    let cases: [(Change, &str); 9] = [
        (
            |file| file.set(column("score_sum", vec![u64::MAX - 3; 5])),
            "its games have more points than is possible",
        ),
        (|file| file.set(column("games", vec![100_u64, 80, 60, 40, 20])), "its games do not follow"),
        (|file| file.set(column("games_in_row", vec![u64::MAX; 5])), "its games do not follow"),
        (|file| file.set(column("moves", vec![u64::MAX; 5])), "its moves are not more than those before it"),
        (|file| file.set(column("games", vec![None::<u64>; 5])), "row 1 has no number `games`"),
        (
            |file| file.header(|header| header["training"] = "../x\x1b\nFORGED".into()),
            "this file belongs to training",
        ),
        (
            |file| file.header(|header| header["artefact"]["sha256"] = "../secret".into()),
            "which is not a SHA-256",
        ),
        (
            |file| file.header(|header| header["artefact"]["sha256"] = "/\x1b\nFORGED".into()),
            "which is not a SHA-256",
        ),
        (|file| drop(file.metadata.insert("retile.training_form".into(), FORGED.into())), "reads form 1"),
    ];
    for (forge, words) in cases {
        fs::write(&file, &good).unwrap();
        ForgedFile::rewrite(&file, |forged| {
            forge(forged);
            forged.metadata.insert("retile.digest".to_owned(), sha256(lines(forged)));
        });
        lab.run("verify").assert_finds(&[words]);
        assert_sober(&lab, &["verify", "render", "train", "artefacts", "merge results --out out"]);
    }
}

/// The rows of a curve, as its digest uses them.
fn lines(curve: &ForgedFile) -> String {
    let frame = &curve.groups[0];
    let value = |name: &str, row: usize| {
        let column = frame.column(name).unwrap().u64().unwrap();
        column.get(row).unwrap_or_default().to_string()
    };
    let names = frame.get_column_names();
    let line = |row: usize| names.iter().map(|name| value(name, row)).collect::<Vec<_>>().join("\t") + "\n";
    (0..frame.height()).map(line).collect()
}
