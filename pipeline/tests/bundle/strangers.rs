//! A stranger's bundle with valid checksums: it runs nothing and opens nothing outside of itself.

use crate::common::prelude::*;

use crate::forge::{mend_and_pack, mend_checksums, opened, pack};

/// Every command that reads a bundle.
fn commands(bundle: &str) -> [String; 4] {
    ["verify BUNDLE", "reproduce --from BUNDLE", "diff BUNDLE results", "unbundle BUNDLE unbundled"]
        .map(|command| command.replace("BUNDLE", bundle))
}

/// Asserts that each command says that the bundle is damaged, with exit code 1; words are in either stream.
#[track_caller]
fn assert_damaged(lab: &Lab, bundle: &str, words: &[&str]) {
    let count = if lab.path(bundle).is_dir() { 3 } else { 4 };
    for arguments in commands(bundle).iter().take(count) {
        println!("{arguments:?}");
        assert_has(&lab.run(arguments).assert_code(1).output(), words);
    }
    assert!(!lab.exists("unbundled"));
}

/// Asserts the same of the unpacked bundle, and of the archive that a stranger packs of it.
#[track_caller]
fn assert_both_damaged(lab: &Lab, words: &[&str], packed: &[&str]) {
    pack(lab, "retile-x");
    assert_damaged(lab, "open", words);
    assert_damaged(lab, "evil.tar.zst", packed);
}

/// A script that leaves a mark when it is started.
fn trap(lab: &Lab, name: &str) -> PathBuf {
    let mark = lab.path(format!("{name}.mark"));
    lab.script(&format!("{name}.sh"), &format!(": > {}", mark.display()))
}

#[test]
fn playing_a_bundle_again_needs_no_git_and_a_repository_in_it_is_refused() {
    let lab = opened();
    let script = trap(&lab, "git");
    lab.make_folder("bin");
    lab.link(&script, "bin/git");
    let path = lab.search_path("bin");
    for bundle in ["open", "b.tar.zst"] {
        for arguments in &commands(bundle)[..3] {
            lab.run_with("PATH", &path, arguments).assert_code(0);
        }
    }
    assert!(!lab.exists("git.mark"));
    lab.run_with("PATH", &path, "run --fresh --quiet");
    assert!(lab.exists("git.mark"), "a run of one's own asks git");
    let script = trap(&lab, "monitor");
    for place in ["open", "open/paper-configs", "open/source"] {
        let folder = lab.path(place);
        git(&folder, &["init", "--quiet"]);
        git(&folder, &["commit", "--quiet", "--allow-empty", "--message", "x"]);
        git(&folder, &["config", "core.fsmonitor", script.to_str().unwrap()]);
        mend_checksums(&lab);
        assert_both_damaged(&lab, &[".git", "hidden"], &[".git/", "hidden"]);
        assert!(!lab.exists("monitor.mark"), "{place}");
        // The trap is a live one.
        git(&folder, &["status"]);
        assert!(lab.exists("monitor.mark"));
        lab.remove("monitor.mark");
        fs::remove_dir_all(folder.join(".git")).unwrap();
    }
}

#[test]
fn files_that_no_bundle_has_other_names_and_a_missing_statement_are_refused() {
    let lab = opened();
    for name in
        [".cargo/config.toml", "source/.cargo/config.toml", "source/.envrc", "results/run.sh", "Makefile"]
    {
        let path = lab.path("open").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "x").unwrap();
        mend_checksums(&lab);
        let part = name.split('/').find(|part| part.starts_with('.')).unwrap_or(name);
        assert_both_damaged(&lab, &[part], &[name, "refused"]);
        fs::remove_file(&path).unwrap();
        let _ = fs::remove_dir(path.parent().unwrap());
    }
    for name in [".git", ".cargo", "results", "retile-", "plugins"] {
        pack(&lab, name);
        assert_damaged(&lab, "evil.tar.zst", &["refused", "named like a bundle"]);
    }
    assert!(!lab.exists(".cargo"));
    lab.remove("open/bundle.json");
    mend_and_pack(&lab);
    assert_damaged(&lab, "evil.tar.zst", &["bundle.json: it is missing"]);
    lab.run("reproduce --from open").assert_fails(2, &["not an unpacked bundle"]);
}

#[test]
fn checksums_of_files_outside_are_never_computed() {
    let lab = opened();
    let sums = lab.read("open/SHA256SUMS");
    let line = sums.lines().count() + 1;
    let zeros = "0".repeat(64);
    for name in ["/dev/zero", "../plugins/x", "/etc/hostname", "results/../../x", "SHA256SUMS", "nowhere.txt"]
    {
        lab.write("open/SHA256SUMS", format!("{sums}{zeros}  {name}\n"));
        let words = [&*format!("SHA256SUMS: line {line}: `{name}`")];
        assert_both_damaged(&lab, &words, &words);
    }
    let first = sums.lines().next().unwrap();
    lab.write("open/SHA256SUMS", format!("{sums}{first}\n"));
    assert_damaged(&lab, "open", &[&format!("SHA256SUMS: line {line}: "), "is there twice"]);
    lab.write("open/SHA256SUMS", format!("{sums}{zeros}  results/tables/none.md\n"));
    assert_damaged(&lab, "open", &["results/tables/none.md: it is missing"]);
}

#[test]
fn links_pipes_and_loops_in_an_unpacked_bundle_are_reported_and_not_opened() {
    let lab = opened();
    let open = lab.path("open");
    let odd = "a link, a pipe or a device";
    for name in ["paper-configs/q.toml", "results/records/p/x.parquet", "CITATION.cff", "results/index.json"]
    {
        let kept = fs::read(open.join(name)).ok();
        let _ = fs::remove_file(open.join(name));
        lab.named_pipe(&format!("open/{name}"));
        assert_damaged(&lab, "open", &[name, odd]);
        fs::remove_file(open.join(name)).unwrap();
        symlink("/dev/zero", open.join(name)).unwrap();
        assert_damaged(&lab, "open", &[name, odd]);
        fs::remove_file(open.join(name)).unwrap();
        kept.iter().for_each(|bytes| fs::write(open.join(name), bytes).unwrap());
    }
    symlink("..", open.join("source/loop")).unwrap();
    assert_damaged(&lab, "open", &["source/loop", odd]);
    fs::remove_file(open.join("source/loop")).unwrap();
    // A pipe by itself, or in the place of a checksum, keeps nobody waiting.
    lab.named_pipe("pipe.tar.zst");
    for arguments in ["verify pipe.tar.zst", "unbundle pipe.tar.zst", "diff pipe.tar.zst"] {
        assert!(matches!(lab.run(arguments).code, Some(1 | 2)), "{arguments}");
    }
    lab.run("reproduce --from pipe.tar.zst").assert_fails(2, &["cannot be a bundle"]);
    lab.succeed("verify open");
}

#[test]
fn an_index_promises_no_more_games_than_there_are_and_names_no_file_outside() {
    let lab = opened();
    let index = lab.read("open/results/index.json");
    let held = "`games` is 3000000000, but results/records/p/c.parquet holds 5";
    let outside = "\"records\": \"../../../results/records/p/c\"";
    for (old, new, words) in [
        ("\"games\": 5", "\"games\": 3000000000", held),
        ("\"records\": \"p/c\"", outside, "does not name a job"),
        ("\"p/c\": {", "\"p/../c\": {", "does not name an experiment"),
    ] {
        assert_has(&index, &[old]);
        lab.write("open/results/index.json", index.replacen(old, new, 1));
        mend_checksums(&lab);
        assert_damaged(&lab, "open", &["results/index.json", words]);
    }
    lab.write("open/results/index.json", index);
    lab.replace("open/bundle.json", "\"games\": 10", "\"games\": 9000000000");
    mend_checksums(&lab);
    lab.run("verify open").assert_finds(&["bundle.json: `games` is 9000000000"]);
}

/// Changes the statement of the unpacked bundle, and has checksums fit.
fn state(lab: &Lab, key: &str, value: &str) {
    let mut statement = lab.json("open/bundle.json");
    statement[key] = serde_json::from_str(value).unwrap();
    lab.write("open/bundle.json", format!("{statement:#}\n"));
    mend_checksums(lab);
}

/// Packs the unpacked bundle as `pipeline bundle` does, with a change before compression.
fn repack(lab: &Lab, target: &Path, change: impl Fn(&mut Vec<u8>)) {
    let statement = lab.json("open/bundle.json");
    let bundle = bundle::OpenBundle::open(&lab.path("open")).unwrap();
    let contents = bundle::Contents::of_bundle(&bundle).unwrap();
    let (name, epoch) = (statement["name"].as_str().unwrap(), statement["epoch"].as_u64().unwrap());
    bundle::archive::pack(&contents, name, epoch, target).unwrap();
    let mut plain = zstd::decode_all(fs::File::open(target).unwrap()).unwrap();
    change(&mut plain);
    // Another level stands for another version: the same archive in other bytes.
    fs::write(target, zstd::encode_all(&*plain, 1).unwrap()).unwrap();
}

#[test]
fn a_bundle_of_another_zstd_version_is_compared_without_compression() {
    let lab = opened();
    let target = lab.path("other.tar.zst");
    // By our own version the bytes would have to be the same.
    repack(&lab, &target, |_| {});
    let differs = ["differs from what `pipeline bundle` makes"];
    lab.run("verify other.tar.zst").assert_finds(&differs);

    state(&lab, "zstd", "\"9.9.9\"");
    repack(&lab, &target, |_| {});
    let verified = lab.succeed("verify other.tar.zst").stdout;
    let end: Vec<&str> = verified.lines().rev().take(3).collect();
    assert_eq!(end[0], "All as stored.");
    assert!(end[1].starts_with("NOT compared: the compressed bytes"), "{verified}");
    assert_has(end[1], &["zstd 9.9.9"]);
    assert_has(end[2], &["the same archive without compression"]);
    let json = lab.json_of("verify other.tar.zst");
    assert_eq!((&json["is_as_packed"], &json["is_same_tar"]), (&Value::Null, &json!(true)));
    assert!(json["not_compared"].as_str().is_some_and(|reason| reason.contains("9.9.9")), "{json}");

    // A byte of a header that no reader looks at: the name of the owner's group, with a checksum that fits.
    repack(&lab, &target, |plain| {
        plain[297] = b'x';
        plain[148..156].fill(b' ');
        let sum: u32 = plain[..512].iter().map(|&byte| u32::from(byte)).sum();
        plain[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    });
    lab.run("verify other.tar.zst").assert_finds(&differs);
    assert_eq!(lab.run("verify other.tar.zst --json").json()["is_same_tar"], false);
}

#[test]
fn texts_of_a_bundle_cannot_control_the_terminal() {
    let lab = opened();
    state(&lab, "dirty", r#"["a\u001b[2Jb\u009bc\nd"]"#);
    let ran = lab.run("verify open");
    ran.assert_prints(&["--allow-dirty"]).assert_omits(&["\u{1b}", "\u{9b}"]);
    assert!(ran.stdout.lines().any(|line| line.contains("[2Jb") && line.contains('d')), "{ran:?}");
    state(&lab, "dirty", "[]");
    for (key, value) in [
        ("commit", r#""\u001b[2J""#),
        ("name", r#""../x""#),
        ("zstd", r#""\u001b""#),
        ("epoch", "18446744073709551615"),
    ] {
        let kept = lab.bytes("open/bundle.json");
        state(&lab, key, value);
        lab.run("verify open")
            .assert_finds(&[&format!("bundle.json: its `{key}`")])
            .assert_omits(&["\u{1b}"]);
        lab.write("open/bundle.json", kept);
    }
    let sums = lab.read("open/SHA256SUMS");
    lab.write("open/SHA256SUMS", format!("{sums}\u{1b}]0;x\u{7}\n"));
    for arguments in &commands("open")[..3] {
        lab.run(arguments).assert_code(1).assert_omits(&["\u{1b}"]);
    }
}

#[test]
fn no_text_of_a_bundle_is_read_beyond_its_limit() {
    let lab = opened();
    for name in ["bundle.json", "SHA256SUMS", "results/index.json"] {
        let path = lab.path("open").join(name);
        let kept = fs::read(&path).unwrap();
        fs::File::create(&path).unwrap().set_len((64 << 20) + 1).unwrap();
        if name != "SHA256SUMS" {
            mend_checksums(&lab);
        }
        pack(&lab, "retile-x");
        assert!(fs::metadata(lab.path("evil.tar.zst")).unwrap().len() < 1 << 20);
        let words = [name, "it has more than 64 MiB"];
        assert_damaged(&lab, "open", &words);
        let unread = if name == "results/index.json" { 3 } else { 4 };
        for arguments in commands("evil.tar.zst").iter().take(unread) {
            assert_has(&lab.run(arguments).assert_code(1).output(), &words);
        }
        fs::write(&path, kept).unwrap();
    }
}

#[test]
fn exit_codes_are_the_same_in_every_command_that_reads_bundles() {
    let lab = opened();
    let bytes = lab.bytes("b.tar.zst");
    lab.write("damaged.tar.zst", flip(&bytes, bytes.len() / 2));
    assert_damaged(&lab, "damaged.tar.zst", &[]);
    lab.write("text.tar.zst", "no archive");
    assert_damaged(&lab, "text.tar.zst", &["not a bundle"]);
    lab.write("open/paper-configs/p.toml", "=");
    assert_damaged(&lab, "open", &["paper-configs/p.toml"]);
    mend_checksums(&lab);
    lab.run("reproduce --from open").assert_fails(1, &["damaged", "p.toml"]);
    for arguments in commands("missing.tar.zst") {
        lab.run(&arguments).assert_fails(2, &["missing.tar.zst"]);
    }
    lab.run("reproduce --from tools").assert_fails(2, &["not an unpacked bundle"]);
    lab.run("unbundle open").assert_fails(2, &["cannot be a bundle"]);
}
