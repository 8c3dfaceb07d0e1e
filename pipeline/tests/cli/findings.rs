//! Findings, and the verdicts that they rest on: in everything that is drawn, and in the README.

use crate::common::prelude::*;

use manifest::{Paper, load_folder};

/// A paper with two interpretations: its order holds, its number does not.
fn manifest(of_far_off: &str) -> String {
    let number =
        |id: &str, experiment: &str, more: &str| mean_score(id, experiment, 9000, &format!("n = 50\n{more}"));
    let account = "[account]\ntext = \"An order was claimed and a number, and only the order holds.\"\n\
                   needs = { lower = [\"far-off\"], confirmed = [\"order\"] }\n";
    [
        experiment("weak", "random", 40, "method = \"Random\""),
        experiment("strong", "score-greedy", 40, "method = \"Greedy\""),
        interpretation("plain", "Played plainly"),
        interpretation("greedy", "Played greedily"),
        number("far-off", "weak", "under = [\"plain\"]"),
        number("far-off-greedy", "strong", "under = [\"greedy\"]\nreading_of = \"far-off\""),
        order("strong", "weak"),
        untestable("feeling"),
        finding("Greedy play is better than chance.", "confirmed = [\"order\"]"),
        finding("No player scores 9,000.", &format!("{of_far_off} = [\"far-off\"]")),
        account.to_owned(),
    ]
    .concat()
}

#[test]
fn findings_open_the_report_and_one_no_longer_carried_fails_everything_that_shows_it() {
    let lab = Lab::with(&manifest("lower"));
    lab.succeed("reproduce p");
    let page = lab.read("results/report/index.html");
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
    assert_has(
        &lab.read("results/tables/findings.md"),
        &[
            "- No player scores 9,000. *Rests on `far-off` lower.*",
            "only the order holds. *Rests on `far-off` lower, `order` confirmed.*",
        ],
    );
    let table = one_line(&lab.read("results/tables/interpretations.md"));
    assert_has(&table, &["| p | Played plainly | best | 2 | 1 |"]);
    lab.succeed("claims").assert_prints(&[
        "- Greedy play is better than chance.\n- No player scores 9,000.\n",
        "p/feeling: Cannot be tested. Nobody was asked.",
    ]);
    lab.succeed("claims --gate results/claims.json");
    lab.paper("p", &manifest("consistent"));
    let problem = "p: finding 2 needs claim `far-off` to be consistent, but it is lower";
    lab.run("render").assert_fails(1, &[problem]);
    lab.run("reproduce p").assert_fails(1, &[problem]);
    lab.run("claims --gate results/claims.json").assert_fails(1, &[problem]);
    lab.succeed("claims")
        .assert_prints(&["- No player scores 9,000. (no longer carried)\n    p: finding 2 needs"]);
    assert!(
        lab.read("results/tables/findings.md").contains("- **No longer carried.** No player scores 9,000.")
    );
    assert!(
        lab.read("results/report/index.html").contains("no longer carried"),
        "it has been drawn all the same"
    );
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
    assert!(lab.read("results/tables/findings.md").contains("- **Open.** No player scores 9,000."));
    // A smoke reproduction plays too little to find anything.
    lab.succeed("reproduce --smoke p");
}

#[test]
fn a_diff_reports_findings_and_takes_stored_verdicts_and_findings_of_other_papers_stay() {
    let lab = Lab::with(&manifest("lower"));
    lab.succeed("reproduce p");
    for name in ["before", "after", "older"] {
        for part in ["paper-configs", "results"] {
            lab.make_folder(&format!("{name}/{part}"));
            copy_folder(&lab.path(part), &lab.path(name).join(part));
        }
    }
    lab.succeed("diff before after");
    lab.replace("after/paper-configs/p.toml", "{ lower = [\"far-off\"] }", "{ higher = [\"far-off\"] }");
    let words = "p: \"No player scores 9,000.\": carried → no longer carried";
    lab.run("diff before after").assert_finds(&[words]);

    // Manifests that this program cannot read, and verdicts in the words of their time.
    let (manifest, claims) = ("older/paper-configs/p.toml", "older/results/claims.json");
    lab.replace(manifest, "id = \"weak\"", "id = \"weak\"\ninterpretations = []");
    let mut stored = lab.json(claims);
    stored["form"] = 2.into();
    let order =
        stored["claims"].as_array_mut().unwrap().iter_mut().find(|claim| claim["claim"]["id"] == "order");
    let order = order.and_then(Value::as_object_mut).unwrap();
    assert_eq!(order.remove("verdict"), Some("confirmed".into()));
    order.insert("finding".to_owned(), "undecided".into());
    lab.write(claims, stored.to_string());
    lab.run("diff older before").assert_finds(&[
        "older: verdicts as stored, since this program cannot read the manifests",
        "p/order: undecided → confirmed",
    ]);
    lab.remove(claims);
    lab.run("diff older before").assert_prints(&["not compared: older: ", "`interpretations` is unknown"]);
    let own = lab.read("paper-configs/p.toml");
    lab.write("mine.toml", own);
    lab.remove("paper-configs/p.toml");
    lab.succeed("reproduce mine.toml");
    let stored = lab.json("results/claims.json");
    assert_eq!(texts(&stored["findings"], "paper"), ["mine"; 3]);
    assert_eq!(texts(&stored["kept_findings"], "paper"), ["p"; 3]);
}

/// A text with every run of blanks and line breaks as one blank: where a line is broken says nothing.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The findings that a README does not have under "Findings", word for word.
fn missing<'a>(readme: &str, papers: &'a [Paper]) -> Vec<&'a str> {
    let section = readme.split("\n## Findings\n").nth(1).expect("README.md has findings");
    let section = one_line(section.split("\n## ").next().unwrap_or_default());
    let texts = papers.iter().flat_map(|paper| &paper.findings).map(|finding| finding.text.as_str());
    texts.filter(|text| !section.contains(&one_line(text))).collect()
}

#[test]
fn the_readme_has_every_finding_of_the_manifests() {
    let papers = load_folder(&root().join("paper-configs")).unwrap();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert_eq!(missing(&readme, &papers), Vec::<&str>::new(), "copy each finding into README.md");
}

#[test]
fn a_finding_that_the_readme_rewords_is_missed() {
    let lab = Lab::with(&manifest("lower"));
    let papers = load_folder(&lab.path("paper-configs")).unwrap();
    let readme = |text: &str| {
        format!(
            "# R\n\nNo player scores 9,000.\n\n## Findings\n\n{text}\n\n## Next\n\nNo player scores 9,000.\n"
        )
    };
    let both = "- Greedy play is\n  better than chance.\n- No player scores 9,000.";
    assert_eq!(missing(&readme(both), &papers), Vec::<&str>::new());
    assert_eq!(missing(&readme("Greedy play is better than chance."), &papers), ["No player scores 9,000."]);
    assert_eq!(missing(&readme("Nothing."), &papers).len(), 2);
}
