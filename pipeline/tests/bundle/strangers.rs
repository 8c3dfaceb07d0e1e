//! A stranger's bundle, with checksums that fit: it runs nothing, opens nothing outside of itself, and promises nothing that it lacks.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use surroundings::confined::ConfinedPath;

use crate::common::git;
use crate::common::lab::{Lab, Ran};
use crate::forge::{mend_checksums, opened, pack};

/// Every command that reads a bundle.
fn commands(bundle: &str) -> [Vec<&str>; 4] {
    [
        vec!["verify", bundle],
        vec!["reproduce", "--from", bundle],
        vec!["diff", bundle, "results"],
        vec!["unbundle", bundle, "unbundled"],
    ]
}

/// Asserts that each command says that the bundle is damaged, with exit code 1; words are in either stream.
#[track_caller]
fn assert_damaged(lab: &Lab, bundle: &str, words: &[&str]) {
    let is_folder = lab.path(bundle).is_dir();
    for arguments in commands(bundle).iter().take(if is_folder { 3 } else { 4 }) {
        let ran = lab.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        for word in words {
            assert!(said.contains(word), "{arguments:?}: no `{word}` in {said}");
        }
    }
    assert!(!lab.path("unbundled").exists());
}

/// A script that leaves a mark when it is started.
fn trap(lab: &Lab, name: &str) -> String {
    let (script, mark) = (lab.path(&format!("{name}.sh")), lab.path(&format!("{name}.mark")));
    fs::write(&script, format!("#!/bin/sh\n: > {}\n", mark.display())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script.display().to_string()
}

#[test]
fn a_repository_in_a_bundle_is_refused_and_its_monitor_never_started() {
    let (lab, _) = opened();
    let script = trap(&lab, "monitor");
    for place in ["open", "open/paper-configs", "open/source"] {
        let folder = lab.path(place);
        git(&folder, &["init", "--quiet"]);
        git(&folder, &["commit", "--quiet", "--allow-empty", "--message", "x"]);
        git(&folder, &["config", "core.fsmonitor", &script]);
        mend_checksums(&lab.path("open"));
        pack(&lab.path("open"), "retile-x", &lab.path("evil.tar.zst"));
        assert_damaged(&lab, "open", &[".git", "hidden"]);
        assert_damaged(&lab, "evil.tar.zst", &[".git/", "hidden"]);
        assert!(!lab.path("monitor.mark").exists(), "{place}");
        // The trap is a live one.
        git(&folder, &["status"]);
        assert!(lab.path("monitor.mark").exists());
        fs::remove_file(lab.path("monitor.mark")).unwrap();
        fs::remove_dir_all(folder.join(".git")).unwrap();
    }
}

#[test]
fn playing_a_bundle_again_needs_no_git_wherever_it_lies() {
    let (lab, file) = opened();
    let script = trap(&lab, "git");
    fs::create_dir(lab.path("bin")).unwrap();
    symlink(&script, lab.path("bin/git")).unwrap();
    let path = format!("{}:{}", lab.path("bin").display(), std::env::var("PATH").unwrap());
    let run =
        |arguments: &[&str]| -> Ran { lab.command(arguments).env("PATH", &path).output().unwrap().into() };
    for bundle in ["open", file.to_str().unwrap()] {
        assert_eq!(run(&["reproduce", "--from", bundle, "--quiet"]).code, Some(0));
        assert_eq!(run(&["verify", bundle]).code, Some(0));
        assert_eq!(run(&["diff", bundle, "results"]).code, Some(0));
    }
    assert!(!lab.path("git.mark").exists());
    run(&["run", "--fresh", "--quiet"]);
    assert!(lab.path("git.mark").exists(), "a run of one's own asks git");
}

#[test]
fn hidden_files_and_others_that_no_bundle_has_are_refused() {
    let (lab, _) = opened();
    for name in
        [".cargo/config.toml", "source/.cargo/config.toml", "source/.envrc", "results/run.sh", "Makefile"]
    {
        let path = lab.path("open").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "x").unwrap();
        mend_checksums(&lab.path("open"));
        pack(&lab.path("open"), "retile-x", &lab.path("evil.tar.zst"));
        let part = name.split('/').find(|part| part.starts_with('.')).unwrap_or(name);
        assert_damaged(&lab, "open", &[part]);
        assert_damaged(&lab, "evil.tar.zst", &[name, "refused"]);
        fs::remove_file(&path).unwrap();
        let _ = fs::remove_dir(path.parent().unwrap());
    }
}

#[test]
fn a_bundle_is_unpacked_under_no_other_name_than_ours() {
    let (lab, _) = opened();
    for name in [".git", ".cargo", "results", "retile-", "plugins"] {
        pack(&lab.path("open"), name, &lab.path("evil.tar.zst"));
        assert_damaged(&lab, "evil.tar.zst", &["refused", "named like a bundle"]);
    }
    assert!(!lab.path(".cargo").exists());
}

#[test]
fn checksums_of_files_outside_are_never_computed() {
    let (lab, _) = opened();
    let sums = fs::read_to_string(lab.path("open/SHA256SUMS")).unwrap();
    let line = sums.lines().count() + 1;
    let zeros = "0".repeat(64);
    for name in ["/dev/zero", "../plugins/x", "/etc/hostname", "results/../../x", "SHA256SUMS", "nowhere.txt"]
    {
        fs::write(lab.path("open/SHA256SUMS"), format!("{sums}{zeros}  {name}\n")).unwrap();
        pack(&lab.path("open"), "retile-x", &lab.path("evil.tar.zst"));
        let words = [&*format!("SHA256SUMS: line {line}: `{name}`")];
        assert_damaged(&lab, "open", &words);
        assert_damaged(&lab, "evil.tar.zst", &words);
    }
    let first = sums.lines().next().unwrap();
    fs::write(lab.path("open/SHA256SUMS"), format!("{sums}{first}\n")).unwrap();
    assert_damaged(&lab, "open", &[&format!("SHA256SUMS: line {line}: "), "is there twice"]);
    fs::write(lab.path("open/SHA256SUMS"), format!("{sums}{zeros}  results/tables/none.md\n")).unwrap();
    assert_damaged(&lab, "open", &["results/tables/none.md: it is missing"]);
}

#[test]
fn links_pipes_and_loops_in_an_unpacked_bundle_are_told_of_and_not_opened() {
    let (lab, _) = opened();
    let open = lab.path("open");
    let pipe = |name: &str| {
        assert!(Command::new("mkfifo").arg(open.join(name)).status().unwrap().success());
    };
    for name in ["paper-configs/q.toml", "results/records/p/x.parquet", "CITATION.cff", "results/index.json"]
    {
        let kept = fs::read(open.join(name)).ok();
        let _ = fs::remove_file(open.join(name));
        pipe(name);
        assert_damaged(&lab, "open", &[name, "a link, a pipe or a device"]);
        fs::remove_file(open.join(name)).unwrap();
        symlink("/dev/zero", open.join(name)).unwrap();
        assert_damaged(&lab, "open", &[name, "a link, a pipe or a device"]);
        fs::remove_file(open.join(name)).unwrap();
        kept.iter().for_each(|bytes| fs::write(open.join(name), bytes).unwrap());
    }
    symlink("..", open.join("source/loop")).unwrap();
    assert_damaged(&lab, "open", &["source/loop", "a link, a pipe or a device"]);
    fs::remove_file(open.join("source/loop")).unwrap();
    // A pipe by itself, or in the place of a checksum, keeps nobody waiting.
    pipe("../b.tar.zst");
    for arguments in [["verify", "b.tar.zst"], ["unbundle", "b.tar.zst"], ["diff", "b.tar.zst"]] {
        assert!(matches!(lab.run(&arguments).code, Some(1 | 2)), "{arguments:?}");
    }
    lab.run(&["reproduce", "--from", "b.tar.zst"]).assert_fails(2, &["cannot be a bundle"]);
    lab.succeed(&["verify", "open"]);
}

#[test]
fn an_index_promises_no_more_games_than_there_are_and_names_no_file_outside() {
    let (lab, _) = opened();
    let path = lab.path("open/results/index.json");
    let index = fs::read_to_string(&path).unwrap();
    let cases = [
        (
            "\"games\": 5",
            "\"games\": 3000000000",
            "`games` is 3000000000, but results/records/p/c.parquet holds 5",
        ),
        (
            "\"records\": \"p/c\"",
            "\"records\": \"../../../results/records/p/c\"",
            "does not name an experiment",
        ),
        ("\"p/c\": {", "\"p/../c\": {", "does not name an experiment"),
    ];
    for (old, new, words) in cases {
        assert!(index.contains(old), "{old}: {index}");
        fs::write(&path, index.replacen(old, new, 1)).unwrap();
        mend_checksums(&lab.path("open"));
        for arguments in &commands("open")[..3] {
            let ran = lab.run(arguments);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(ran.code == Some(1) && said.contains("results/index.json"), "{arguments:?}: {said}");
            assert!(said.contains(words), "{arguments:?}: no `{words}` in {said}");
        }
    }
    fs::write(&path, index).unwrap();
    let statement = fs::read_to_string(lab.path("open/bundle.json")).unwrap();
    fs::write(lab.path("open/bundle.json"), statement.replace("\"games\": 10", "\"games\": 9000000000"))
        .unwrap();
    mend_checksums(&lab.path("open"));
    let ran = lab.run(&["verify", "open"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("bundle.json: `games` is 9000000000"), "{ran:?}");
}

/// Changes the statement of the unpacked bundle, and has checksums fit.
fn state(lab: &Lab, key: &str, value: &str) {
    let path = lab.path("open/bundle.json");
    let mut statement: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    statement[key] = serde_json::from_str(value).unwrap();
    fs::write(&path, format!("{statement:#}\n")).unwrap();
    mend_checksums(&lab.path("open"));
}

/// Packs the unpacked bundle as `pipeline bundle` would, except that `change` is done to the archive before it is compressed.
fn repack(lab: &Lab, target: &Path, change: impl Fn(&mut Vec<u8>)) {
    let statement: serde_json::Value =
        serde_json::from_slice(&fs::read(lab.path("open/bundle.json")).unwrap()).unwrap();
    let folder = lab.path("open");
    let files = bundle::files(&ConfinedPath::root(&folder)).unwrap();
    let contents = bundle::Contents::of_folder(&ConfinedPath::root(&folder), &files).unwrap();
    let (name, epoch) = (statement["name"].as_str().unwrap(), statement["epoch"].as_u64().unwrap());
    bundle::archive::pack(&contents, name, epoch, target).unwrap();
    let mut plain = zstd::decode_all(fs::File::open(target).unwrap()).unwrap();
    change(&mut plain);
    // Another level stands for another version: the same archive in other bytes.
    fs::write(target, zstd::encode_all(&*plain, 1).unwrap()).unwrap();
}

#[test]
fn what_another_zstd_compressed_is_compared_without_compression_and_that_is_said() {
    let (lab, _) = opened();
    let target = lab.path("other.tar.zst");
    // By our own version the bytes would have to be the same.
    repack(&lab, &target, |_| {});
    let ran = lab.run(&["verify", "other.tar.zst"]);
    assert!(
        ran.code == Some(1) && ran.stdout.contains("differs from what `pipeline bundle` makes"),
        "{ran:?}"
    );

    state(&lab, "zstd", "\"9.9.9\"");
    repack(&lab, &target, |_| {});
    let ran = lab.succeed(&["verify", "other.tar.zst"]);
    let end: Vec<&str> = ran.stdout.lines().rev().take(3).collect();
    assert_eq!(end[0], "All as stored.");
    assert!(
        end[1].starts_with("NOT compared: the compressed bytes") && end[1].contains("zstd 9.9.9"),
        "{ran:?}"
    );
    assert!(end[2].contains("the same archive without compression"), "{ran:?}");
    let json = lab.succeed(&["verify", "other.tar.zst", "--json"]).json();
    assert_eq!((&json["is_as_packed"], &json["is_same_tar"]), (&serde_json::Value::Null, &true.into()));
    assert!(json["not_compared"].as_str().is_some_and(|reason| reason.contains("9.9.9")), "{json}");

    // A byte of a header that no reader looks at: the name of the owner's group, with a checksum that fits.
    repack(&lab, &target, |plain| {
        plain[297] = b'x';
        let sum: u32 = plain[..512]
            .iter()
            .enumerate()
            .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { byte.into() })
            .sum();
        plain[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    });
    let ran = lab.run(&["verify", "other.tar.zst"]);
    assert!(
        ran.code == Some(1) && ran.stdout.contains("differs from what `pipeline bundle` makes"),
        "{ran:?}"
    );
    assert_eq!(lab.run(&["verify", "other.tar.zst", "--json"]).json()["is_same_tar"], false);
}

#[test]
fn what_a_bundle_says_of_itself_cannot_write_to_the_terminal() {
    let (lab, _) = opened();
    state(&lab, "dirty", r#"["a\u001b[2Jb\u009bc\nd"]"#);
    let ran = lab.run(&["verify", "open"]);
    assert!(ran.stdout.contains("--allow-dirty"), "{ran:?}");
    assert!(!ran.stdout.contains(['\u{1b}', '\u{9b}']), "{ran:?}");
    assert!(ran.stdout.lines().any(|line| line.contains("[2Jb") && line.contains('d')), "{ran:?}");
    state(&lab, "dirty", "[]");
    for (key, value) in [
        ("commit", r#""\u001b[2J""#),
        ("name", r#""../x""#),
        ("zstd", r#""\u001b""#),
        ("epoch", "18446744073709551615"),
    ] {
        let kept = fs::read(lab.path("open/bundle.json")).unwrap();
        state(&lab, key, value);
        let ran = lab.run(&["verify", "open"]);
        assert!(ran.code == Some(1) && ran.stdout.contains(&format!("bundle.json: its `{key}`")), "{ran:?}");
        assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
        fs::write(lab.path("open/bundle.json"), kept).unwrap();
    }
    let sums = fs::read_to_string(lab.path("open/SHA256SUMS")).unwrap();
    fs::write(lab.path("open/SHA256SUMS"), format!("{sums}\u{1b}]0;x\u{7}\n")).unwrap();
    for arguments in &commands("open")[..3] {
        let ran = lab.run(arguments);
        assert!(ran.code == Some(1) && !format!("{ran:?}").contains("\\u{1b}"), "{ran:?}");
    }
}

#[test]
fn a_bundle_that_says_nothing_of_itself_is_refused() {
    let (lab, _) = opened();
    fs::remove_file(lab.path("open/bundle.json")).unwrap();
    mend_checksums(&lab.path("open"));
    pack(&lab.path("open"), "retile-x", &lab.path("evil.tar.zst"));
    assert_damaged(&lab, "evil.tar.zst", &["bundle.json: it is missing"]);
    lab.run(&["reproduce", "--from", "open"]).assert_fails(2, &["not an unpacked bundle"]);
}

#[test]
fn no_text_of_a_bundle_is_read_beyond_its_limit() {
    let (lab, _) = opened();
    for name in ["bundle.json", "SHA256SUMS", "results/index.json"] {
        let path = lab.path("open").join(name);
        let kept = fs::read(&path).unwrap();
        fs::File::create(&path).unwrap().set_len((64 << 20) + 1).unwrap();
        if name != "SHA256SUMS" {
            mend_checksums(&lab.path("open"));
        }
        pack(&lab.path("open"), "retile-x", &lab.path("evil.tar.zst"));
        assert!(fs::metadata(lab.path("evil.tar.zst")).unwrap().len() < 1 << 20);
        let words = [name, "it has more than 64 MiB"];
        assert_damaged(&lab, "open", &words);
        let unread = if name == "results/index.json" { 3 } else { 4 };
        for arguments in commands("evil.tar.zst").iter().take(unread) {
            let ran = lab.run(arguments);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(
                ran.code == Some(1) && words.iter().all(|word| said.contains(word)),
                "{arguments:?}: {ran:?}"
            );
        }
        fs::write(&path, kept).unwrap();
    }
}

#[test]
fn exit_codes_are_the_same_in_every_command_that_reads_bundles() {
    let (lab, file) = opened();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(lab.path("damaged.tar.zst"), bytes).unwrap();
    assert_damaged(&lab, "damaged.tar.zst", &[]);
    fs::write(lab.path("text.tar.zst"), "no archive").unwrap();
    assert_damaged(&lab, "text.tar.zst", &["not a bundle"]);
    fs::write(lab.path("open/paper-configs/p.toml"), "=").unwrap();
    assert_damaged(&lab, "open", &["paper-configs/p.toml"]);
    mend_checksums(&lab.path("open"));
    lab.run(&["reproduce", "--from", "open"]).assert_fails(1, &["damaged", "p.toml"]);
    for arguments in commands("missing.tar.zst") {
        lab.run(&arguments).assert_fails(2, &["missing.tar.zst"]);
    }
    lab.run(&["reproduce", "--from", "tools"]).assert_fails(2, &["not an unpacked bundle"]);
    lab.run(&["unbundle", "open"]).assert_fails(2, &["cannot be a bundle"]);
}
