//! What is refused while a manifest is read.

use super::*;

#[test]
fn text_that_is_no_toml_is_refused_with_line_and_column() {
    refused_at("26:9", "games = 100", "games = = 100", "not TOML: extra `=`, expected nothing");
    let error = read(&EXAMPLE.replace("games = 100", "games = = 100")).unwrap_err();
    // With its causes, it is told no more than once.
    assert_eq!(platform::errors::chain(&error), error.to_string());
}

#[test]
fn unknown_keys_are_refused_with_those_that_there_are() {
    refused_at(
        "1",
        "summary =",
        "sumary =",
        "the paper: unknown key `sumary`; known: `citation`, `summary`, `rules`, `experiment`, `study`, `training`, `claim`, `note`, \
         `interpretation`, `finding`, `account`, `exhibit`, `figure`, `comparison`",
    );
    refused_at(
        "9",
        "doi =",
        "isbn =",
        "the paper: unknown key `isbn`; known: `title`, `authors`, `year`, `venue`, `url`, `doi`, \
         `unpublished_sha256`",
    );
    refused_at(
        "26",
        "games = 100",
        "gmaes = 100",
        "experiment `pure`: unknown key `gmaes`; known: `id`, `agent`, `params`, `files`, `budget`, `games`, `seed`, \
         `rules`, `set`, `note`, `conditional_on`, `move_limit_ms`, `fault_share`, `variant`, `method`, `role`, \
         `acknowledged_faults`, `compared`",
    );
    refused_at(
        "35",
        "merging =",
        "mergeing =",
        "experiment `mdp-25`: `rules`: unknown key `mergeing`; known: `four`, `merging`, `start`, `stop_at`, \
         `spawn`",
    );
    refused_at(
        "53",
        "unit =",
        "units =",
        "claim `mean`: unknown key `units`; known: `id`, `kind`, `text`, `place`, `conditional_on`, `under`, `reading_of`, `audit`, \
         `metric`, `experiment`, `reference`, `published`, `chosen`, `unit`, `n`, `assumed_n`, `rounding`, `better`, `worse`, \
         `better_studies`, `worse_studies`, `wins`, `check`, `args`, `reason`",
    );
    refused_at(
        "17",
        "text = \"The number of games is not said: 100.\"",
        "body = \"\"",
        "note `D-1`: unknown key `body`; known: `id` or `text`",
    );
}

#[test]
fn missing_keys_are_refused_where_their_table_begins() {
    refused_at("23", "games = 100\n", "", "experiment `pure`: `games` is missing: add it");
    refused("id = \"pure\"\n", "", "experiment `#1`: `id` is missing: add it");
    refused_at("67", "place = \"Figure 2\"\n", "", "claim `speed`: `place` is missing: add it");
    refused_at("3", "title = \"An Example\"\n", "", "the paper: `citation`: `title` is missing: add it");
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    let experiment = |place: &str, old: &str, new: &str, problem: &str| {
        refused_at(place, old, new, &format!("experiment {problem}"));
    };
    experiment("26", "games = 100", "games = \"many\"", "`pure`: `games` is \"many\"; write a whole number");
    experiment("26", "games = 100", "games = -1", "`pure`: `games` is -1; write a whole number, 0 or more");
    let seed = "seed = \"0xffffffffffffffff\"";
    let seeds = "write a whole number, 0 or more, or hexadecimal text such as \"0xffffffffffffffff\"";
    for (wrong, said) in [
        ("-1", "-1"),
        ("\"0x10000000000000000\"", "\"0x10000000000000000\""),
        ("\"0x\"", "\"0x\""),
        ("\"0x+1\"", "\"0x+1\""),
        ("\"12\"", "\"12\""),
    ] {
        let problem = format!("`mdp-25`: `seed` is {said}; {seeds}");
        experiment("34", seed, &format!("seed = {wrong}"), &problem);
    }
    let odds = "odds are a ratio from 0 to 1 such as \"1/10\"";
    experiment(
        "40",
        "fault_share = \"1/20\"",
        "fault_share = \"2/1\"",
        &format!("`mdp-25`: `fault_share`: {odds}"),
    );
    let sets = "`mdp-25`: `set` is `all`; write `default` or `extra`";
    experiment("36", "set = \"extra\"", "set = \"all\"", sets);
    let budgets = "is `rollouts`; write `none`, `plies`, `nodes`, `playouts`, `time-ns`";
    let budget = "{ playouts = 1000 }";
    experiment("32", budget, "{ rollouts = 1000 }", &format!("`mdp-25`: `budget` {budgets}"));
    let two = "`mdp-25`: `budget` has several keys; write one";
    experiment("32", budget, "{ playouts = 1, plies = 1 }", two);
    let year = "the paper: `citation.year` is \"2023\"; write a whole number";
    refused_at("6", "year = 2023", "year = \"2023\"", year);
}

#[test]
fn wrong_rules_are_refused() {
    let four = "[rules]\nfour = \"1/4\"";
    let odds = "the paper: `rules.four`: odds are a ratio from 0 to 1 such as \"1/10\"";
    refused_at("12", four, "[rules]\nfour = \"5/4\"", odds);
    refused_at(
        "13",
        "stop_at = 2048",
        "stop_at = 2047",
        "the paper: `rules.stop_at`: a game stops at a tile from 8 to 32768, a power of two, or at \"none\"",
    );
    let merging = "experiment `mdp-25`: `rules.merging` is `twice`; write `once` or `cascading`";
    refused_at("35", "\"cascading\"", "\"twice\"", merging);
    refused(
        "empty = 16, two = 4, four = 2, eight = 1",
        "empty = 0, two = 0, four = 0, eight = 0",
        "experiment `mdp-25`: `rules`: the weights of a scatter must add up to a number from 1 to 4294967295",
    );
    refused(
        "stop_at = \"none\"",
        "stop_at = 8",
        "experiment `mdp-25`: `rules`: the start can hold the tile 8, but the game stops at 8: raise `stop_at`",
    );
    let board = "start.board = \"2048 . . . / . . . . / . . . . / . . . .\"";
    refused(
        "stop_at = 2048",
        &format!("stop_at = 2048\n{board}"),
        "the paper: `rules`: the start can hold the tile 2048, but the game stops at 2048: raise `stop_at`",
    );
}

#[test]
fn counts_of_zero_are_refused() {
    refused("games = 100", "games = 0", "experiment `pure`: `games` is 0: ask for at least 1");
    refused(
        "move_limit_ms = 5000",
        "move_limit_ms = 0",
        "experiment `mdp-25`: `move_limit_ms` is 0: allow at least 1",
    );
    refused(
        "{ playouts = 1000 }",
        "{ playouts = 0 }",
        "experiment `mdp-25`: `budget` is 0 playouts: give at least 1, or leave it out",
    );
    claim_refused("win", "n = 10", "n = 0", "`n` is 0: a number comes from at least 1 game");
    claim_refused(
        "mean",
        "assumed_n = 100",
        "assumed_n = 0",
        "`assumed_n` is 0: a number comes from at least 1 game",
    );
}

#[test]
fn ids_of_the_wrong_form_are_refused() {
    let form = "write 1 to 64 lower-case letters, digits, - and _";
    for wrong in ["Pure", "pure/2", "", "a b", "é", &"x".repeat(65)] {
        let id = format!("id = \"{wrong}\"");
        refused("id = \"pure\"", &id, &format!("experiment `{wrong}`: `id` is `{wrong}`: {form}"));
        refused("id = \"win\"", &id, &format!("claim `{wrong}`: `id` is `{wrong}`: {form}"));
    }
    refused("\"pure-mcts\"", "\"MCTS\"", &format!("experiment `pure`: `agent` is `MCTS`: {form}"));
    for wrong in ["D1", "d-1", "D-", "-1", "D-01", "D-1-2", "D-x"] {
        refused(
            "id = \"D-1\"",
            &format!("id = \"{wrong}\""),
            &format!(
                "note `{wrong}`: `id` has the wrong form: write capital letters, a hyphen and a number, such as `D-1`"
            ),
        );
    }
}

#[test]
fn ids_that_are_given_twice_are_refused() {
    refused("id = \"mdp-25\"", "id = \"pure\"", "experiment `pure`: `id` is given twice: rename one");
    refused("id = \"win\"", "id = \"mean\"", "claim `mean`: `id` is given twice: rename one");
    refused("id = \"D-2\"", "id = \"D-1\"", "note `D-1`: `id` is given twice: rename one");
}

#[test]
fn notes_that_do_not_exist_are_refused() {
    refused(
        "[\"D-1\", \"D-2\"]",
        "[\"D-1\", \"D-3\"]",
        "experiment `mdp-25`: `conditional_on` names note `D-3`, which does not exist; known: D-1, D-2",
    );
    refused(
        "conditional_on = [\"D-1\"]",
        "conditional_on = [\"X-1\"]",
        "claim `mean`: `conditional_on` names note `X-1`, which does not exist; known: D-1, D-2",
    );
    refused(
        "[\"D-1\", \"D-2\"]",
        "[\"D-1\", \"D-1\"]",
        "experiment `mdp-25`: `conditional_on` names note `D-1` twice: remove one",
    );
}

#[test]
fn only_addresses_of_the_web_are_taken() {
    const URL: &str = "https://example.org/paper";
    assert!(read(&EXAMPLE.replace(URL, "http://example.org")).is_ok());
    for wrong in
        ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "HTTPS:x", "//x", " https://x", "x"]
    {
        let problem = format!("the paper: `citation.url` is `{wrong}`: start it with https:// or http://");
        refused_at("8", URL, wrong, &problem);
    }
}

#[test]
fn an_unpublished_text_is_known_by_a_hash_and_has_no_doi() {
    const DOI: &str = "doi = \"10.1000/example\"";
    const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let key = |hash: &str| format!("unpublished_sha256 = \"{hash}\"");
    let form = "the paper: `citation.unpublished_sha256` is no SHA-256: write 64 lower-case hexadecimal digits, as `sha256sum` prints \
                them";
    refused_at("9", DOI, &key(&HASH[1..]), form);
    refused_at("9", DOI, &key(&HASH.to_uppercase()), form);
    refused_at("9", DOI, &key(&HASH.replace('e', "g")), form);
    let both = "the paper: `citation.unpublished_sha256` stands beside `doi`, which only published texts have: remove one";
    refused_at("10", DOI, &format!("{DOI}\n{}", key(HASH)), both);
    let citation = read(&EXAMPLE.replace(DOI, &key(HASH))).unwrap().citation;
    let words = format!("Unpublished; the text that was read has the SHA-256 {HASH}");
    assert_eq!(citation.unpublished(), Some(words));
}

#[test]
fn empty_texts_are_refused() {
    refused("\"An Example\"", "\" \"", "the paper: `citation.title` is empty: fill it in");
    refused(
        "[\"A. Author\", \"B. Author\"]",
        "[]",
        "the paper: `citation.authors` is empty: name at least one",
    );
    refused("\"The seed is not said.\"", "\"\"", "note `D-2`: `text` is empty: fill it in");
    refused("\"The best quarter.\"", "\"\"", "experiment `mdp-25`: `note` is empty: fill it in");
    refused("\"Figure 2\"", "\"\"", "claim `speed`: `place` is empty: fill it in");
}

#[test]
fn what_json_cannot_say_is_refused_in_parameters() {
    refused(
        "top = 0.25",
        "top = nan",
        "experiment `mdp-25`: `params` has nan or inf as `top`: write a finite number",
    );
    refused(
        "[500, 250]",
        "[500, inf]",
        "experiment `mdp-25`: `params` has nan or inf as `tables`: write a finite number",
    );
    refused(
        "top = 0.25",
        "top = 2026-01-01",
        "experiment `mdp-25`: `params` has a date as `top`: write it as text",
    );
}

#[test]
fn claims_on_experiments_that_do_not_exist_are_refused() {
    let problem = "which is not an experiment of this paper; known: pure, mdp-25, tuned-best-1, \
         tuned-best-2, tuned-default";
    let (pure, lost) = ("experiment = \"pure\"", "experiment = \"lost\"");
    claim_refused("mean", pure, lost, &format!("`experiment` is `lost`, {problem}"));
    let (pure, lost) = ("reference = \"pure\"", "reference = \"lost\"");
    claim_refused("speed", pure, lost, &format!("`reference` is `lost`, {problem}"));
    let (mdp, lost) = ("better = \"mdp-25\"", "better = \"lost\"");
    claim_refused("beats", mdp, lost, &format!("`better` is `lost`, {problem}"));
    let (pure, lost) = ("worse = \"pure\"", "worse = \"lost\"");
    claim_refused("beats", pure, lost, &format!("`worse` is `lost`, {problem}"));
}

#[test]
fn claims_that_compare_an_experiment_with_itself_are_refused() {
    let (pure, same) = ("worse = \"pure\"", "worse = \"mdp-25\"");
    claim_refused("beats", pure, same, "`worse` is `mdp-25`, as `better` is: name another one");
    let (pure, same) = ("reference = \"pure\"", "reference = \"mdp-25\"");
    claim_refused("speed", pure, same, "`reference` is `mdp-25`, as `experiment` is: name another one");
}

#[test]
fn claims_need_the_keys_of_their_kind() {
    let numeric = "is missing: a numeric claim needs it";
    claim_refused("mean", "metric = \"score.mean\"\n", "", &format!("`metric` {numeric}"));
    claim_refused("mean", "experiment = \"pure\"\n", "", &format!("`experiment` {numeric}"));
    claim_refused("mean", "published = 31011\n", "", &format!("`published` {numeric}"));
    claim_refused(
        "mean",
        "assumed_n = 100\n",
        "",
        "`n` is missing: give the number of games behind the published value, or `assumed_n` where the paper does not say \
         it",
    );
    claim_refused(
        "speed",
        "reference = \"pure\"\n",
        "",
        "`reference` is missing: `cpu-per-move.ratio` needs the experiment that it divides by",
    );
    let (mean, ratio) = ("metric = \"score.mean\"", "metric = \"score.ratio\"");
    claim_refused(
        "beats",
        mean,
        ratio,
        "`metric` is `score.ratio`, a number: an order compares `score.mean`",
    );
    claim_refused("beats", "better = \"mdp-25\"\n", "", "`better` is missing: an ordinal claim needs it");
    claim_refused("beats", "worse = \"pure\"", "", "`worse` is missing: an ordinal claim needs it");
    let check = "check = \"binomial-point\"\n";
    claim_refused("one-of-three", check, "", "`check` is missing: an arithmetic claim needs it");
}

#[test]
fn claims_with_keys_of_another_kind_are_refused() {
    let ordinal = "does not belong to an ordinal claim: remove it";
    for (key, value) in [
        ("published", "1"),
        ("experiment", "\"pure\""),
        ("n", "1"),
        ("assumed_n", "1"),
        ("rounding", "1"),
        ("unit", "\"points\""),
        ("reference", "\"pure\""),
        ("check", "\"node-table\""),
        ("args", "{}"),
    ] {
        let with = format!("worse = \"pure\"\n{key} = {value}");
        claim_refused("beats", "worse = \"pure\"", &with, &format!("`{key}` {ordinal}"));
    }
    let with = "n = 10\nwins = \"lower\"";
    claim_refused("win", "n = 10", with, "`wins` does not belong to a numeric claim: remove it");
    let (without, with) =
        ("check = \"binomial-point\"", "check = \"binomial-point\"\nmetric = \"score.mean\"");
    claim_refused(
        "one-of-three",
        without,
        with,
        "`metric` does not belong to an arithmetic claim: remove it",
    );
    let with = "n = 10\nreference = \"mdp-25\"";
    claim_refused("win", "n = 10", with, "`reference` does not belong to `reach.2048`: remove it");
    let with = "n = 10\nassumed_n = 10";
    let both = "`assumed_n` is given beside `n`: keep `n` if the paper says it, else `assumed_n`";
    claim_refused("win", "n = 10", with, both);
}

#[test]
fn published_values_that_the_metric_cannot_have_are_refused() {
    let (range, share) = ("[0.75, 0.85]", "`reach.2048` is a share: write one from 0 to 1");
    claim_refused("win", range, "77", &format!("`published` is 77: {share}"));
    claim_refused("win", range, "[0.5, 1.5]", &format!("`published` is 1.5: {share}"));
    let empty = "write the lower end first, or one number";
    claim_refused(
        "win",
        range,
        "[0.85, 0.75]",
        &format!("`published` is the empty range [0.85, 0.75]: {empty}"),
    );
    claim_refused("win", range, "[0.5, 0.5]", &format!("`published` is the empty range [0.5, 0.5]: {empty}"));
    claim_refused("mean", "31011\n", "-1\n", "`published` is -1: write a number, 0 or more");
    claim_refused("mean", "31011\n", "nan\n", "`published` is NaN: write a number, 0 or more");
    claim_refused("win", range, "[nan, 0.5]", "`published` is NaN: write a number, 0 or more");
    let words = "`published` is the text \"many\": write a number or a range [low, high]";
    claim_refused("mean", "31011\n", "\"many\"\n", words);
    let rounding = "write the step of the last printed digit, such as 0.01, or 0 for exact";
    claim_refused("mean", "rounding = 1.0", "rounding = -1.0", &format!("`rounding` is -1: {rounding}"));
    let list = "`published` is a range: an arithmetic claim takes a number or text";
    claim_refused("one-of-three", "\"0.375\"", "[0.3, 0.4]", list);
    refused_at(
        "64",
        "published = [0.75, 0.85]",
        "published = [0.75]",
        "claim `win`: `published`: write a number, a range [low, high] or text",
    );
}

#[test]
fn unknown_kinds_metrics_and_checks_are_refused_with_those_that_there_are() {
    refused_at(
        "100",
        "kind = \"arithmetic\"",
        "kind = \"logical\"",
        "claim `one-of-three`: `kind` is `logical`; write `numeric`, `ordinal`, `arithmetic`, `untestable`",
    );
    let unknown = metrics::UnknownMetricError("reach.2000".into());
    let metric = format!("claim `win`: `metric`: {unknown}");
    refused_at("62", "metric = \"reach.2048\"", "metric = \"reach.2000\"", &metric);
    let check = message("check = \"binomial-point\"", "check = \"addition\"");
    let known = "claim `one-of-three`: `check` is `addition`; write `grim-average`, ";
    assert!(check.contains(known), "{check}");
}

#[test]
fn a_check_takes_its_own_arguments_and_no_others() {
    let with = |args: &str| message("args = { n = 3, k = 1, p = 0.6 }", args);
    let missing = with("args = { n = 3, k = 1 }");
    assert!(missing.contains("`args` of `binomial-point`: `p` is missing: add it"), "{missing}");
    let unknown = with("args = { n = 3, k = 1, p = 0.6, q = 0.4 }");
    assert!(unknown.contains("`args` of `binomial-point`: `q` is unknown; known: k, n, p"), "{unknown}");
    let wrong = with("args = { n = \"three\", k = 1, p = 0.6 }");
    assert!(
        wrong.contains("`args` of `binomial-point`: `n` is \"three\", must be a whole number"),
        "{wrong}"
    );
}

#[test]
fn arguments_that_leave_a_check_without_an_answer_are_refused() {
    let check = "check = \"binomial-point\"\nargs = { n = 3, k = 1, p = 0.6 }";
    for (name, args, problem) in [
        ("binomial-point", "n = 0, k = 0, p = 0.6", "`n` is 0, must be at least 1"),
        ("binomial-tail", "n = 1001, k = 0, p = 0.6", "`n` is 1001, must be at most 1000"),
        ("binomial-tail", "n = 3, k = 4, p = 0.6", "`k` is 4, but there are only 3 trials: write at most 3"),
        ("binomial-point", "n = 3, k = 1, p = 1.5", "`p` is 1.5, must be at most 1"),
        ("binomial-tail", "n = 3, k = 1, p = -0.1", "`p` is -0.1, must be at least 0"),
        ("grim-average", "mean = \"2.5\", n = 0, divisor = 4", "`n` is 0, must be at least 1"),
        ("grim-average", "mean = \"2.5\", n = 9, divisor = 0", "`divisor` is 0, must be at least 1"),
        ("smallest-common-n", "means = [], divisor = 4", "`means` is [], must be a list of at least 1"),
        ("smallest-common-n", "means = [\"2.5\"], divisor = 0", "`divisor` is 0, must be at least 1"),
        ("states-per-move", "empty_cells = []", "`empty_cells` is [], must be a list of at least 1"),
        ("states-per-move", "empty_cells = [17]", "`empty_cells[0]` is 17, must be at most 16"),
        (
            "states-per-move",
            "empty_cells = [1, 2, 3, 4, 5]",
            "`empty_cells` is [1,2,3,4,5], must be a list of at most 4",
        ),
        ("states-formula", "empty_cells = [8], m = 17, c = 1", "`m` is 17, must be at most 16"),
        ("weighted-mean", "values = [1, 2], weights = [2, -1]", "`weights[1]` is -1, must be at least 0"),
        ("node-table", "empty = [], depth = []", "`empty` is [], must be a list of at least 1"),
        ("node-table", "empty = [17], depth = [3]", "`empty[0]` is 17, must be at most 16"),
        ("node-table", "empty = [14], depth = [21]", "`depth[0]` is 21, must be at most 20"),
        (
            "state-bound",
            "bound = 1, cells = 0, states_per_cell = 11, terminal_tiles = 1",
            "`cells` is 0, must be at least 1",
        ),
        (
            "state-bound",
            "bound = 1, cells = 16, states_per_cell = 4294967295, terminal_tiles = 1",
            "`states_per_cell` is 4294967295, must be at most 18",
        ),
        (
            "rounding-of-difference",
            "minuend = \"2.5\", subtrahend = \"1\", step = 0",
            "`step` is 0, must be at least 1",
        ),
        ("tiles-of-exponents", "exponents = []", "`exponents` is [], must be a list of at least 1"),
        ("tiles-of-exponents", "exponents = [2, 18]", "`exponents[1]` is 18, must be at most 17"),
    ] {
        let given = format!("check = \"{name}\"\nargs = {{ {args} }}");
        claim_refused("one-of-three", check, &given, &format!("`args` of `{name}`: {problem}"));
    }
}

#[test]
fn exhibits_and_figures_must_be_whole() {
    let shown = "shown_by = [\"tables/x-results.md\"]";
    refused(
        shown,
        "",
        "exhibit `Table 1`: `shown_by` is missing: name the files that show the same, or say in `cannot` why none does",
    );
    refused(
        shown,
        &format!("{shown}\ncannot = \"lost\""),
        "exhibit `Table 1`: `cannot` is given together with `shown_by`: keep the one that is true",
    );
    refused(
        "kind = \"averages\"",
        "kind = \"pareto\"",
        "figure `by-share`: `experiments` is missing: a figure of this kind needs it",
    );
    refused(
        "x = [1, 4]",
        "x = [1]",
        "figure `nodes`: `x` must have as many numbers as `published` has, and as each group has experiments",
    );
    refused(
        "{ name = \"All\", experiments = [\"pure\", \"mdp-25\"] }",
        "{ name = \"All\", experiments = [\"mdp\"] }",
        "figure `by-share`: `groups` has `mdp`, which this paper does not have; known: pure, mdp-25, tuned-best-1, \
         tuned-best-2, tuned-default",
    );
    let group = "{ name = \"Measured\", experiments = [\"pure\", \"mdp-25\"] }";
    refused(
        group,
        &[group; 3].join(", "),
        "figure `nodes`: `groups` has 3 groups: this kind of figure shows at most 2",
    );
}

#[test]
fn the_first_problem_of_every_entry_is_shown_with_its_line() {
    let text = EXAMPLE
        .replace("year = 2023", "year = \"2023\"")
        .replace("games = 100", "games = 0")
        .replace("games = 50", "games = \"many\"")
        .replace("text = \"It takes five times as long.\"\n", "")
        .replace(
            "metric = \"reach.2048\"\nexperiment = \"pure\"",
            "metric = \"reach.2048\"\nexperiment = \"lost\"",
        )
        .replace("axis =", "axes =")
        .replace("The seed is not said.", "");
    let error = read(&text).unwrap_err();
    let expected = [
        "6: the paper: `citation.year` is \"2023\"; write a whole number",
        "21: note `D-2`: `text` is empty: fill it in",
        "26: experiment `pure`: `games` is 0: ask for at least 1",
        "33: experiment `mdp-25`: `games` is \"many\"; write a whole number",
        "63: claim `win`: `experiment` is `lost`, which is not an experiment of this paper; known: pure, mdp-25, tuned-best-1, \
         tuned-best-2, tuned-default",
        "67: claim `speed`: `text` is missing: add it",
        "121: figure `nodes`: unknown key `axes`; known: `id`, `title`, `kind`, `experiments`, `groups`, `axis`, `x`, \
         `published`, `claims`",
    ];
    assert_eq!(error.to_string(), expected.map(|line| format!("{FILE}:{line}")).join("\n"));
    // With its causes, nothing is told twice.
    assert_eq!(platform::errors::chain(&error), error.to_string());
}

#[test]
fn a_problem_is_shown_at_the_line_of_its_key() {
    let args = "`args` of `binomial-point`";
    for (old, new, line, problem) in [
        ("title = \"An Example\"", "title = \" \"", "title", "`citation.title` is empty: fill it in"),
        ("[\"A. Author\", \"B. Author\"]", "[]", "authors", "`citation.authors` is empty: name at least one"),
        ("games = 100", "gmaes = 100", "gmaes", "unknown key `gmaes`; known: "),
        ("games = 100", "games = 100\nmethod = \"\"", "method = \"\"", "`method` is empty: fill it in"),
        ("games = 50", "games = 0", "games = 0", "`games` is 0: ask for at least 1"),
        ("top = 0.25", "top = nan", "params", "`params` has nan or inf as `top`: write a finite number"),
        (
            "playouts = 1000",
            "playouts = 0",
            "budget",
            "`budget` is 0 playouts: give at least 1, or leave it out",
        ),
        (
            "= [\"D-1\", \"D-2\"]",
            "= [\"D-8\"]",
            "conditional_on = [\"D-8",
            "`conditional_on` names note `D-8`, ",
        ),
        (
            "move_limit_ms = 5000",
            "move_limit_ms = \"long\"",
            "move",
            "`move_limit_ms` is \"long\"; write a whole number",
        ),
        (
            "metric = \"reach.2048\"",
            "metric = \"win\"",
            "metric = \"win\"",
            "`metric`: `win` is not a metric: ",
        ),
        ("[0.75, 0.85]", "[-1, -2]", "published = [-1", "`published` is the empty range [-1, -2]: "),
        ("0.85]\nn = 10", "0.85]\nn = 0", "n = 0", "`n` is 0: a number comes from at least 1 game"),
        (
            "0.85]\nn = 10",
            "0.85]\nn = 10\nbetter = \"pure\"",
            "better",
            "`better` does not belong to a numeric claim: remove it",
        ),
        ("n = 3, k = 1, p = 0.6", "n = 3, p = 0.6", "args", &format!("{args}: `k` is missing: add it")),
        (
            "n = 3, k = 1, p",
            "n = \"three\", k = 1, p",
            "args",
            &format!("{args}: `n` is \"three\", must be a whole number"),
        ),
        ("p = 0.6", "p = 0.6, q = 1", "args", &format!("{args}: `q` is unknown; known: ")),
    ] {
        let message = message(old, new);
        let text = EXAMPLE.replace(old, new);
        let line = text.lines().position(|text| text.starts_with(line)).unwrap() + 1;
        let (_, shown) =
            message.split_once(&format!("{FILE}:{line}: ")).unwrap_or_else(|| panic!("{message}"));
        let (_, shown) = shown.split_once(": ").unwrap_or_default();
        assert!(shown.starts_with(problem), "{message}");
    }
}

#[test]
fn no_more_than_twenty_problems_are_shown() {
    let broken: String = (1..=25).map(|n| format!("[[note]]\nid = \"X-{n}\"\ntext = {n}\n")).collect();
    let error = read(&format!("{EXAMPLE}\n{broken}")).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 21, "{error}");
    assert!(lines[0].ends_with(": note `X-1`: `text` is 1; write text in quotes"), "{error}");
    assert!(lines[19].ends_with(": note `X-20`: `text` is 20; write text in quotes"), "{error}");
    assert_eq!(lines[20], "and 5 more");
}

#[test]
fn lists_that_are_no_lists_and_entries_that_are_no_tables_are_refused() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n";
    assert_eq!(
        error(&format!("note = 5\n{citation}")),
        format!("{FILE}:1: the paper: `note` is 5; write a list")
    );
    assert_eq!(
        error(&format!("note = [5]\n{citation}")),
        format!("{FILE}:1: note `#1`: found 5 where a table is expected")
    );
    assert_eq!(error("summary = \"S\""), format!("{FILE}:1: the paper: `citation` is missing: add it"));
}

#[test]
fn rules_that_are_wrong_are_not_held_against_experiments() {
    let text = EXAMPLE.replace("four = \"1/4\"", "four = 4").replace("games = 100", "games = 0");
    let error = read(&text).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 2, "{error}");
    assert!(lines[0].starts_with(&format!("{FILE}:12: the paper: `rules.four`")), "{error}");
    assert_eq!(lines[1], format!("{FILE}:26: experiment `pure`: `games` is 0: ask for at least 1"));
}
