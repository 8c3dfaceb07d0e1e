//! A repository whose config would start programs: none of them is started by what we ask git for.

use crate::common::prelude::*;

/// A repository with traps, each of which leaves a mark under its name.
struct HostileRepository {
    lab: Lab,
    traps: tempfile::TempDir,
}

impl HostileRepository {
    fn new() -> Self {
        let lab = repository();
        let traps = tempfile::tempdir().unwrap();
        fs::create_dir(traps.path().join("marks")).unwrap();
        let hostile = Self { lab, traps };
        hostile.lab.write(".gitattributes", "* filter=evil diff=evil\n");
        commit(&hostile.lab);
        hostile.lab.write(".git/info/attributes", "*.cff filter=e.v=il\n");
        for (key, trap) in [
            ("core.fsmonitor", "monitor"),
            ("core.pager", "pager"),
            ("core.sshCommand", "fetch"),
            ("diff.external", "diff"),
            ("diff.evil.command", "diff"),
            ("diff.evil.textconv", "textconv"),
            ("filter.evil.clean", "clean"),
            ("filter.evil.smudge", "smudge"),
            ("filter.e.v=il.process", "process"),
            ("gpg.program", "gpg"),
        ] {
            hostile.set(key, &hostile.trap(trap));
        }
        for (key, value) in [
            ("filter.evil.required", "true"),
            ("log.showSignature", "true"),
            ("protocol.allow", "always"),
            ("protocol.ssh.allow", "always"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", "ssh://nowhere.invalid/x"),
        ] {
            hostile.set(key, value);
        }
        for hook in ["post-index-change", "post-checkout", "reference-transaction"] {
            let place = hostile.lab.path(format!(".git/hooks/{hook}"));
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::copy(hostile.trap("hook"), place).unwrap();
        }
        hostile
    }

    fn set(&self, key: &str, value: &str) {
        git(&self.lab.path(""), &["config", key, value]);
    }

    /// A program that leaves a mark and, if it is a filter, hands its input on.
    fn trap(&self, name: &str) -> String {
        let file = self.traps.path().join(name);
        let then = if matches!(name, "clean" | "smudge") { "exec cat" } else { "exit 1" };
        fs::write(&file, format!("#!/bin/sh\n: > {}\n{then}\n", self.mark(name).display())).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file.display().to_string()
    }

    fn mark(&self, name: &str) -> PathBuf {
        self.traps.path().join("marks").join(name)
    }

    /// The traps that were sprung, which are set again.
    fn sprung(&self) -> Vec<String> {
        let marks = fs::read_dir(self.traps.path().join("marks")).unwrap();
        let mut names: Vec<String> = marks
            .map(|mark| {
                let mark = mark.unwrap();
                fs::remove_file(mark.path()).unwrap();
                mark.file_name().into_string().unwrap()
            })
            .collect();
        names.sort();
        names
    }

    /// Makes git look at the contents of files again: they are as they were, and newer.
    fn touch(&self) {
        for name in ["CITATION.cff", "tools/run", "paper-configs/p.toml"] {
            let bytes = fs::read(self.lab.path(name)).unwrap();
            std::thread::sleep(Duration::from_millis(20));
            fs::write(self.lab.path(name), bytes).unwrap();
        }
    }

    /// What git by itself would have started.
    fn plain_git(&self, arguments: &str) -> Vec<String> {
        let folder = self.lab.path("");
        let output = Command::new("git").arg("-C").arg(folder).args(arguments.split(' ')).output().unwrap();
        assert!(self.traps.path().exists(), "{output:?}");
        self.sprung()
    }
}

#[test]
fn nothing_that_a_repository_names_is_started_nor_a_missing_object_fetched() {
    let hostile = HostileRepository::new();
    let lab = &hostile.lab;
    hostile.touch();
    let file = bundle(lab, "bundles", "");
    assert_eq!(hostile.sprung(), [""; 0], "bundle");
    lab.succeed(&format!("diff {file} HEAD")).assert_prints(&["identical"]);
    lab.succeed("diff HEAD");
    assert_eq!(hostile.sprung(), [""; 0], "diff");
    hostile.touch();
    lab.succeed("run --fresh --quiet");
    let header = &summary(&lab.records_file("p/r")).header;
    assert_eq!(header.provenance.last().unwrap().dirty, Some(false), "{header:?}");
    lab.succeed("eval random --games 2");
    assert_eq!(hostile.sprung(), [""; 0], "run");
    // The traps are live ones.
    hostile.touch();
    for (arguments, traps) in [
        ("status", &["clean", "monitor", "process"][..]),
        ("read-tree HEAD", &["hook"]),
        ("checkout-index --all --prefix=x/", &["smudge"]),
        ("-c core.fsmonitor=false diff HEAD~ HEAD", &["diff"]),
        ("cat-file -p 0123456789012345678901234567890123456789", &["fetch"]),
    ] {
        let sprung = hostile.plain_git(arguments);
        assert!(traps.iter().all(|trap| sprung.iter().any(|name| name == trap)), "{arguments:?}: {sprung:?}");
    }
    let object = git(&lab.path(""), &["rev-parse", "HEAD:paper-configs/p.toml"]);
    fs::remove_file(lab.path(format!(".git/objects/{}/{}", &object[..2], &object[2..]))).unwrap();
    hostile.sprung();
    lab.run("diff HEAD").assert_fails(2, &["p.toml"]);
    assert_eq!(hostile.sprung(), [""; 0]);
    assert_eq!(hostile.plain_git(&format!("cat-file -p {object}")), ["fetch"]);
}

#[test]
fn a_repository_within_a_repository_is_not_worked_in() {
    let hostile = HostileRepository::new();
    let lab = &hostile.lab;
    // If a file is as young as the index, git filters its contents again, and this filter would end it.
    lab.remove(".git/info/attributes");
    let inner = lab.path("inner");
    fs::create_dir(&inner).unwrap();
    git(&inner, &["init", "--quiet"]);
    fs::write(inner.join("file"), "x").unwrap();
    git(&inner, &["add", "file"]);
    git(&inner, &["commit", "--quiet", "--message", "x"]);
    git(&inner, &["config", "core.fsmonitor", &hostile.trap("inner")]);
    let entry = format!("160000,{},inner", git(&inner, &["rev-parse", "HEAD"]));
    git(&lab.path(""), &["update-index", "--add", "--cacheinfo", &entry]);
    hostile.sprung();
    lab.succeed("run --fresh --quiet");
    lab.run("bundle --to bundles").assert_fails(1, &["inner", "--allow-dirty"]);
    assert_eq!(hostile.sprung(), [""; 0]);
    assert!(hostile.plain_git("status").contains(&"inner".to_owned()));
}

#[test]
fn a_link_in_a_revision_is_not_followed() {
    let lab = Lab::with(&experiment("r", "random", 2, ""));
    lab.succeed("reproduce --quiet");
    fs::remove_file(lab.records_file("p/r")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", lab.records_file("p/r")).unwrap();
    git(&lab.path(""), &["init", "--quiet"]);
    commit(&lab);
    lab.run("diff HEAD HEAD").assert_fails(2, &["p/r.parquet", "is a link"]);
}

#[test]
fn hidden_files_of_a_repository_are_left_out_and_listed() {
    let lab = repository();
    lab.make_folder(".cargo");
    lab.write(".cargo/config.toml", "[alias]\n");
    lab.write(".editorconfig", "root = true\n");
    commit(&lab);
    lab.succeed("bundle --to bundles").assert_prints(&["left out: .cargo/config.toml, .editorconfig."]);
    let file = bundle(&lab, "bundles", "");
    lab.succeed(&format!("unbundle {file} open"));
    assert!(lab.path("open/source/.gitignore").is_file());
    assert!(!lab.exists("open/source/.cargo") && !lab.exists("open/source/.editorconfig"));
    lab.succeed(&format!("verify {file}")).assert_prints(&["left out: .cargo/config.toml"]);
}
