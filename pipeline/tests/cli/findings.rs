//! What is found, and the verdicts that carry it: in everything that is drawn, by the real program, and in the README.

use crate::common::prelude::*;

use manifest::{Paper, load_folder};

/// A paper under two interpretations, whose findings rest on an order that holds and on a number that does not.
fn manifest(of_far_off: &str) -> String {
    let mut text = experiment("weak", "random", 40, "method = \"Random\"");
    text += &experiment("strong", "score-greedy", 40, "method = \"Greedy\"");
    for (id, name) in [("plain", "Played plainly"), ("greedy", "Played greedily")] {
        text += &format!(
            "[[interpretation]]\nid = \"{id}\"\nname = \"{name}\"\ntext = \"The number is of this player.\"\n"
        );
    }
    let number = |id: &str, experiment: &str, keys: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\nkind = \"numeric\"\ntext = \"It scores 9,000.\"\nplace = \"Table 1\"\nmetric = \"score.mean\"\n\
             experiment = \"{experiment}\"\npublished = 9000\nn = 50\n{keys}\n"
        )
    };
    text += &number("far-off", "weak", "under = [\"plain\"]");
    text += &number("far-off-greedy", "strong", "under = [\"greedy\"]\nreading_of = \"far-off\"");
    text += "[[claim]]\nid = \"order\"\nkind = \"ordinal\"\ntext = \"Greedy beats random.\"\nplace = \"Text\"\n\
             metric = \"score.mean\"\nbetter = \"strong\"\nworse = \"weak\"\n";
    text += "[[claim]]\nid = \"feeling\"\nkind = \"untestable\"\ntext = \"It is fun.\"\nplace = \"Text\"\n\
             reason = \"Nobody was asked.\"\n";
    text +=
        "[[finding]]\ntext = \"Greedy play is better than chance.\"\nneeds = { confirmed = [\"order\"] }\n";
    text += &format!(
        "[[finding]]\ntext = \"No player scores 9,000.\"\nneeds = {{ {of_far_off} = [\"far-off\"] }}\n"
    );
    text + "[account]\ntext = \"An order was claimed and a number, and only the order holds.\"\n\
            needs = { lower = [\"far-off\"], confirmed = [\"order\"] }\n"
}

fn read(lab: &Lab, name: &str) -> String {
    fs::read_to_string(lab.path("results").join(name)).unwrap()
}

#[test]
fn findings_open_the_report_the_section_and_a_page_of_their_own() {
    let lab = Lab::with(&manifest("lower"));
    lab.succeed("reproduce p");
    let page = read(&lab, "report/index.html");
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("no `{words}` in the report"));
    let (first, second) = ("Greedy play is better than chance.", "No player scores 9,000.");
    // The first finding of a paper is on the first screen, the others in its section.
    assert!(
        place(first) < place("<section id=\"summary\">") && place("<section id=\"summary\">") < place(second)
    );
    let section = &page[place("<section id=\"paper-p\"")..];
    let at = |words: &str| section.find(words).unwrap_or_else(|| panic!("no `{words}` in the section"));
    let table = at("<h3>Published and reproduced</h3>");
    assert!(at("only the order holds.") < at(first) && at(first) < at(second) && at(second) < table);
    assert!(table < at("What cannot be tested") && at("What cannot be tested") < at("Interpretations"));
    assert_has(section, &["Played plainly", "Cannot be tested. Nobody was asked."]);
    let findings = read(&lab, "tables/findings.md");
    assert_has(
        &findings,
        &[
            "- No player scores 9,000. *Rests on `far-off` lower.*",
            "only the order holds. *Rests on `far-off` lower, `order` confirmed.*",
        ],
    );
    let table = one_line(&read(&lab, "tables/interpretations.md"));
    assert_has(&table, &["| p | Played plainly | best | 2 | 1 |"]);
    lab.succeed("claims").assert_prints(&[
        "- Greedy play is better than chance.\n- No player scores 9,000.\n",
        "p/feeling: Cannot be tested. Nobody was asked.",
    ]);
}

#[test]
fn a_verdict_that_no_longer_carries_its_finding_fails_everything_that_shows_it() {
    let lab = Lab::with(&manifest("lower"));
    lab.succeed("reproduce p");
    lab.succeed("claims --gate results/claims.json");
    lab.paper("p", &manifest("consistent"));
    let problem = "p: finding 2 needs claim `far-off` to be consistent, but it is lower";
    lab.run("render").assert_fails(1, &[problem]);
    lab.run("reproduce p").assert_fails(1, &[problem]);
    lab.run("claims --gate results/claims.json").assert_fails(1, &[problem]);
    lab.succeed("claims")
        .assert_prints(&["- No player scores 9,000. (no longer carried)\n    p: finding 2 needs"]);
    assert!(read(&lab, "tables/findings.md").contains("- **No longer carried.** No player scores 9,000."));
    assert!(read(&lab, "report/index.html").contains("no longer carried"), "it has been drawn all the same");
    let json = lab.run("render --json");
    assert_eq!((json.code, &json.json()["fallen_findings"][0]), (Some(1), &problem.into()));
    // What was drawn is as whole as any other.
    lab.succeed("verify");
}

#[test]
fn a_finding_whose_games_are_not_played_is_open_and_nothing_fails() {
    let lab = Lab::with(&manifest("consistent"));
    lab.succeed("run p/strong");
    let rendered = lab.succeed("render");
    let words = "p: finding 2 needs claim `far-off` to be consistent, but it is untestable";
    rendered.assert_prints(&["Findings that are open", words]);
    assert!(read(&lab, "tables/findings.md").contains("- **Open.** No player scores 9,000."));
    // A smoke reproduction plays too little to find anything.
    lab.succeed("reproduce --smoke p");
}

#[test]
fn findings_of_papers_that_are_not_named_stay() {
    let lab = Lab::with(&manifest("lower"));
    lab.succeed("reproduce p");
    let own = lab.read("paper-configs/p.toml");
    lab.write("mine.toml", own);
    fs::remove_file(lab.path("paper-configs/p.toml")).unwrap();
    lab.succeed("reproduce mine.toml");
    let stored: serde_json::Value = serde_json::from_str(&read(&lab, "claims.json")).unwrap();
    let papers = |key: &str| -> Vec<String> {
        stored[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|each| each["paper"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        (papers("findings"), papers("kept_findings")),
        (vec!["mine".to_owned(); 3], vec!["p".to_owned(); 3])
    );
}

/// A folder with results and manifests, as `diff` takes it.
fn side(lab: &Lab, name: &str) {
    let copied = std::process::Command::new("cp")
        .args(["-r", "paper-configs", "results"])
        .arg(name)
        .current_dir(lab.path("."))
        .status();
    assert!(copied.unwrap().success());
}

#[test]
fn a_diff_tells_of_findings_and_takes_stored_verdicts_where_manifests_are_of_another_time() {
    let lab = Lab::with(&manifest("lower"));
    lab.succeed("reproduce p");
    for name in ["before", "after", "older"] {
        fs::create_dir(lab.path(name)).unwrap();
        side(&lab, name);
    }
    lab.succeed("diff before after");
    let after = lab.path("after/paper-configs/p.toml");
    fs::write(
        &after,
        fs::read_to_string(&after)
            .unwrap()
            .replace("{ lower = [\"far-off\"] }", "{ higher = [\"far-off\"] }"),
    )
    .unwrap();
    let told = lab.run("diff before after");
    let words = "p: \"No player scores 9,000.\": carried → no longer carried";
    told.assert_finds(&[words]);

    // Manifests that this program cannot read, and verdicts in the words of their time.
    let (manifest, claims) = (lab.path("older/paper-configs/p.toml"), lab.path("older/results/claims.json"));
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replacen("[[experiment]]", "[[experiment]]\ninterpretations = []", 1)).unwrap();
    let mut stored: Value = serde_json::from_str(&fs::read_to_string(&claims).unwrap()).unwrap();
    stored["form"] = 2.into();
    let order =
        stored["claims"].as_array_mut().unwrap().iter_mut().find(|claim| claim["claim"]["id"] == "order");
    let order = order.and_then(Value::as_object_mut).unwrap();
    assert_eq!(order.remove("verdict"), Some("confirmed".into()));
    order.insert("finding".to_owned(), "undecided".into());
    fs::write(&claims, stored.to_string()).unwrap();
    let told = lab.run("diff older before");
    for words in [
        "older: verdicts as stored, since this program cannot read the manifests",
        "p/order: undecided → confirmed",
    ] {
        told.assert_finds(&[words]);
    }
    fs::remove_file(&claims).unwrap();
    lab.run("diff older before").assert_prints(&["not compared: older: ", "`interpretations` is unknown"]);
}

/// A text with every run of blanks and line breaks as one blank: where a line is broken says nothing.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The findings that a README does not have under "What came out", word for word.
fn missing<'a>(readme: &str, papers: &'a [Paper]) -> Vec<&'a str> {
    let section = readme.split("\n## What came out\n").nth(1).expect("README.md says what came out");
    let section = one_line(section.split("\n## ").next().unwrap_or_default());
    let texts = papers.iter().flat_map(|paper| &paper.findings).map(|finding| finding.text.as_str());
    texts.filter(|text| !section.contains(&one_line(text))).collect()
}

#[test]
fn the_readme_says_what_came_out_in_the_words_of_the_manifests() {
    let papers = load_folder(&root().join("paper-configs")).unwrap();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert_eq!(missing(&readme, &papers), Vec::<&str>::new(), "copy each finding into README.md");
}

#[test]
fn a_finding_that_the_readme_words_otherwise_is_missed() {
    let lab = Lab::with(&manifest("lower"));
    let papers = load_folder(&lab.path("paper-configs")).unwrap();
    let readme = |text: &str| {
        format!(
            "# R\n\nNo player scores 9,000.\n\n## What came out\n\n{text}\n\n## Next\n\nNo player scores 9,000.\n"
        )
    };
    let both = "- Greedy play is\n  better than chance.\n- No player scores 9,000.";
    assert_eq!(missing(&readme(both), &papers), Vec::<&str>::new());
    assert_eq!(missing(&readme("Greedy play is better than chance."), &papers), ["No player scores 9,000."]);
    assert_eq!(missing(&readme("Nothing."), &papers).len(), 2);
}
