//! From records to what people look at: verdicts, tables, figures and the report, by the real program.

use crate::common::prelude::*;

use records::SealedTable;

/// Two agents of different strength, a variant of one, and a claim of each kind.
fn lab() -> Lab {
    let sum = "text = \"One of three.\"\nplace = \"Text\"\ncheck = \"binomial-point\"\n\
               args = { n = 3, k = 1, p = 0.6 }\npublished = \"0.375\"";
    let paper = [
        experiment("weak", "random", 40, "method = \"Random\"\nvariant = \"as-written\""),
        experiment("strong", "score-greedy", 40, "method = \"Greedy\""),
        mean_score("average", "weak", 1100, "assumed_n = 50"),
        mean_score("far-off", "weak", 9000, "assumed_n = 50"),
        order("strong", "weak"),
        claim("sum", "arithmetic", sum),
        "[[exhibit]]\nplace = \"Table 1\"\ntext = \"Means.\"\nshown_by = [\"tables/p-results.md\"]\n"
            .to_owned(),
    ];
    Lab::with(&paper.concat())
}

/// The same, reproduced.
fn reproduced() -> Lab {
    copy_of("rendered", || {
        let lab = lab();
        lab.succeed("reproduce p");
        lab
    })
}

#[test]
fn the_report_counts_its_papers_and_one_game_is_in_the_tables_and_in_no_figure() {
    let lab = reproduced();
    let page = lab.read("results/report/index.html");
    let said = |page: &str, words: &str| {
        assert!(page.contains(words), "no `{words}` in {}", &page[..20_000.min(page.len())])
    };
    said(&page, "One paper says how well its programs play 2048. Here every program plays again");
    said(
        &page,
        "4 claims from 1 paper, tested against 80 recorded games\nof 2 experiments:\n2 numeric, 1 ordinal, 1 arithmetic.",
    );
    let silent = Lab::with(&experiment("r", "random", 1, ""));
    silent.succeed("reproduce p");
    let page = silent.read("results/report/index.html");
    said(&page, "Programs play 2048, and every game is kept as a record that anyone can replay.");
    said(&page, "0 claims from 0 papers, tested against 1 recorded game\nof 1 experiment.");
    assert_lacks(&page, &["Five papers"]);
    assert!(silent.read("results/tables/p-experiments.md").contains("| r "));
    assert!(!silent.exists("results/figures/p-scores.svg"));
    assert!(silent.exists("results/report/index.html"));
}

#[test]
fn rendering_twice_gives_the_same_bytes_and_names_a_records_file_that_is_missing_or_changed() {
    let lab = reproduced();
    let first = result_files(&lab);
    let assert_same_again = || {
        lab.succeed("render");
        let again = result_files(&lab);
        assert!(again.keys().eq(first.keys()), "{:?}", again.keys());
        first.iter().for_each(|(name, bytes)| assert!(again[name] == *bytes, "{name} differs"));
    };
    assert_same_again();
    // Only from what is stored: without tables and figures they come out the same.
    ["results/tables", "results/figures", "results/report"].iter().for_each(|folder| lab.remove(folder));
    assert_same_again();
    let file = lab.records_file("p/weak");
    let bytes = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    lab.run("render").assert_fails(4, &["records/p/weak.parquet"]);
    fs::write(&file, flip(&bytes, 200)).unwrap();
    lab.run("render").assert_fails(1, &["records/p/weak.parquet"]);
    // Other records than the index names.
    fs::copy(lab.records_file("p/strong"), &file).unwrap();
    lab.run("render").assert_fails(1, &["records/p/weak.parquet", "differs from the one in the index"]);
    fs::write(&file, bytes).unwrap();
    lab.succeed("render");
    lab.write("results/figures/p-gone.svg", "<svg/>");
    lab.write("results/figures/notes.txt", "mine");
    lab.succeed("render");
    assert!(!lab.exists("results/figures/p-gone.svg") && lab.exists("results/figures/notes.txt"));
}

#[test]
fn the_gate_names_verdicts_that_differ_and_a_changed_catalogue_or_table_is_found() {
    let lab = reproduced();
    lab.succeed("claims --gate results/claims.json");
    let verdict = |verdict: &str| format!("\"verdict\":\"{verdict}\"");
    let gate = lab.read("results/claims.json");
    lab.write("before.json", gate.replacen(&verdict("confirmed"), &verdict("undecided"), 1));
    lab.run("claims --gate before.json").assert_fails(1, &["p/order: undecided before, confirmed now"]);
    lab.run("claims --gate absent.json").assert_fails(2, &["absent.json"]);
    lab.run("claims q").assert_fails(2, &["no paper is called `q`"]);
    let json = lab.json_of("claims");
    assert_eq!(json["claims"][0]["verdict"], "consistent");
    assert_eq!(json["claims"][3]["grounds"]["value"], "0.288");
    let catalogue = confined(lab.path("results/catalogue.parquet"));
    lab.replace("results/claims.csv", "1100", "1200");
    lab.succeed("render");
    assert_lacks(&lab.read("results/claims.csv"), &["1200"]);
    let table = SealedTable::read(&catalogue).unwrap().unwrap();
    SealedTable::write(&catalogue, &table.frame.slice(1, 1), Vec::new()).unwrap();
    lab.replace("results/index.json", "\"games\": 40", "\"games\": 41");
    lab.replace("results/claims.csv", "1100", "1200");
    lab.run("verify").assert_fails(1, &["problems were found"]).assert_prints(&[
        "catalogue.parquet: its row `p/strong` differs from the index",
        "claims.csv: it differs from claims.json",
    ]);
}

#[test]
fn a_named_manifest_is_judged_and_drawn_and_exhibits_that_nothing_shows_are_refused() {
    let lab = lab();
    let own = lab.read("paper-configs/p.toml");
    lab.write("mine.toml", own.replace("seed = 2048", "seed = 1").replace("tables/p-", "tables/mine-"));
    lab.succeed("reproduce mine.toml");
    assert!(lab.exists("results/tables/mine-results.md"));
    assert!(lab.read("results/claims.json").contains("\"paper\":\"mine\""));
    lab.replace("paper-configs/p.toml", "tables/p-results.md", "tables/p-other.md");
    lab.run("reproduce p").assert_fails(2, &["exhibit `Table 1`", "tables/p-other.md"]);
}

#[test]
fn a_ratio_is_named_by_its_faster_form_in_the_order_of_the_figure() {
    let ratio = |id: &str, reference: &str| {
        let metric = "metric = \"cpu-per-move.ratio\"\npublished = 2.0\nunit = \"times\"\nn = 1";
        let experiments = format!("experiment = \"slow\"\nreference = \"{reference}\"");
        claim(id, "numeric", &format!("text = \"Faster.\"\nplace = \"Text\"\n{metric}\n{experiments}"))
    };
    let mut text = experiment("slow", "random", 5, "method = \"Slow\"");
    text += &experiment("fast", "fixed-cycle", 5, "method = \"Fast\"");
    text += &experiment("middling", "score-greedy", 5, "method = \"Middling\"");
    text += &(ratio("to-fast", "fast") + &ratio("to-middling", "middling"));
    text += "[[figure]]\nid = \"speed\"\ntitle = \"Speed\"\nkind = \"ratios\"\nclaims = [\"to-middling\", \"to-fast\"]\n";
    let lab = Lab::with(&text);
    lab.succeed("reproduce");
    let figure = lab.read("results/figures/p-speed.svg");
    let (_, described) = figure.split_once("How many times as fast, by CPU time: Middling ").expect(&figure);
    assert!(described.split_once("</desc>").unwrap().0.contains("; Fast "), "{described}");
}

#[test]
fn experiments_that_ask_for_it_join_the_comparison_under_its_rules() {
    let lab = Lab::new();
    lab.write(
        "paper-configs/all.toml",
        format!(
            "comparison = true\n[citation]\ntitle = \"All\"\nauthors = [\"A\"]\n{}",
            experiment("cycle", "fixed-cycle", 5, "method = \"Cycle\"")
        ),
    );
    let guests = [
        experiment("guest", "random", 5, "method = \"Guest\"\ncompared = true"),
        experiment("shy", "random", 5, "method = \"Shy\"\nseed = 1"),
        experiment("foreign", "random", 5, "method = \"Foreign\"\ncompared = true\nrules.four = \"1/4\""),
    ];
    lab.paper("mine", &guests.concat());
    let ran = lab.succeed("reproduce");
    let table = lab.read("results/tables/all.md");
    assert_has(&table, &["Cycle", "Guest"]);
    assert_lacks(&table, &["Shy", "Foreign"]);
    assert_has(&table, &["| Settings", "| Rank from | Rank to |"]);
    let page = lab.read("results/report/index.html").replace("&#x2f;", "/");
    for command in ["pipeline eval all/cycle", "pipeline eval mine/guest"] {
        assert!(page.contains(command), "a row of the comparison offers `{command}`");
    }
    for figure in ["ranks", "pairs", "profiles"] {
        assert!(lab.path(format!("results/figures/all-{figure}.svg")).exists(), "{figure}");
    }
    ran.assert_prints(&["Guest"]);
}

#[test]
fn a_reproduction_ends_with_verdicts_tables_figures_a_report_and_a_catalogue_that_agree() {
    let lab = lab();
    lab.paper("q", &experiment("same", "random", 40, "method = \"The same games\""));
    lab.succeed("reproduce").assert_prints(&["4 claims: 1 consistent, 1 confirmed, 1 lower, 1 wrong."]);
    let path = confined(lab.path("results/catalogue.parquet"));
    let table = SealedTable::read(&path).unwrap().unwrap();
    let texts = |name: &str| -> Vec<String> {
        let column = table.frame.column(name).unwrap().str().unwrap();
        column.iter().map(|text| text.unwrap_or("-").to_owned()).collect()
    };
    assert_eq!(texts("experiment"), ["weak", "strong", "same"]);
    assert_eq!(texts("form"), ["as-written", "-", "-"]);
    assert_eq!(
        texts("records"),
        ["records/p/weak.parquet", "records/p/strong.parquet", "records/p/weak.parquet"],
        "an experiment that shares its games names the file of the other paper"
    );
    assert!(table.metadata["retile.timing"].contains("cpu_ns_per_move"));
    let claims = lab.read("results/claims.csv");
    assert_has(&claims, &["\np,average,numeric,false,Table 1,"]);
    lab.succeed("verify");
    // Rendering one paper keeps the rows of the other.
    lab.succeed("render q");
    let kept = SealedTable::read(&path).unwrap().unwrap();
    assert_eq!(kept.frame.height(), 3);
    assert_eq!(lab.read("results/claims.csv").lines().count(), claims.lines().count());
    lab.succeed("verify");
    let row = "| Random | Mean score | 1,100 (n = 50, assumed) |";
    let identity = lab.header("p/weak").identity.hash();
    for (file, words) in [
        ("tables/p-results.md", &[row, "As written", "(n = 40)"][..]),
        ("tables/p-results.csv", &["As written low"]),
        ("tables/p-results.tex", &["\\toprule", "95 \\%"]),
        ("tables/README.md", &["[tables/p-results.md](../tables/p-results.md)"]),
        ("figures/p-scores.svg", &[&identity[..16]]),
    ] {
        assert_has(&lab.read(&format!("results/{file}")), words);
    }
    assert!(lab.bytes("results/figures/p-scores.png").starts_with(b"\x89PNG"));
    let page = lab.read("results/report/index.html");
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"), "{}", &page[..80]);
    assert!(page.contains("p&#x2f;strong") || page.contains("p/strong"));
}
