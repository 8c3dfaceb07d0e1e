//! What is refused of a study while it is read.

use super::super::super::limits::{MOST_DIGITS, MOST_STUDIES};
use super::*;

#[test]
fn no_experiment_can_be_written_as_a_winner() {
    let error = message("games = 100", "games = 100\nrole = \"winner\"");
    assert_eq!(
        error,
        format!("{FILE}:27: experiment `pure`: `role` is `winner`; write `play` or `measurement`")
    );
    let role = schema()["$defs"]["Role"].to_string();
    assert!(!role.contains("\"winner\""), "{role}");
}

#[test]
fn ids_of_studies_are_their_own_and_leave_room_for_their_winners() {
    let renamed = |id: &str| with("id = \"tuned\"", &format!("id = \"{id}\""));
    let pure = said(&renamed("pure"));
    assert_eq!(pure.len(), 1, "{pure:?}");
    assert!(pure[0].ends_with(": study `pure`: `id` is given twice: rename one"), "{pure:?}");
    let form = said(&renamed("Tuned"));
    assert!(
        form[0].ends_with("`id` is `Tuned`: write 1 to 64 lower-case letters, digits, - and _"),
        "{form:?}"
    );
    read(&renamed(&"x".repeat(56))).unwrap();
    let long = said(&renamed(&"x".repeat(57)));
    assert_eq!(long.len(), 1, "{long:?}");
    assert!(long[0].contains("`id` is too long: its winners are played as experiments such as"), "{long:?}");
    for taken in ["tuned-best-2", "tuned-default"] {
        let text = EXAMPLE.replace("id = \"pure\"\nagent", &format!("id = \"{taken}\"\nagent"));
        let expected = format!(
            "study `tuned`: `id` stands for experiment `{taken}` too, and that id is taken: rename one"
        );
        assert!(said(&text).iter().any(|line| line.ends_with(&expected)), "{:?}", said(&text));
    }
    let text = EXAMPLE.replace("id = \"pure\"\nagent", "id = \"tuned-best-3\"\nagent");
    assert!(!said(&text).iter().any(|line| line.contains("is taken")), "there are two winners");
}

#[test]
fn unknown_and_missing_keys_of_studies_are_refused() {
    study_refused(
        "sede",
        "seed = 500",
        "sede = 500",
        "unknown key `sede`; known: `id`, `name`, `agent`, `params`, `files`, `budget`, `rules`, `seed`, `space`, `objectives`, \
         `games`, `seeds`, `method`, `winners`, `set`, `note`, `conditional_on`, `move_limit_ms`, `fault_share`, `variant`",
    );
    for (line, key) in [
        ("agent = \"mdp\"\n", "agent"),
        ("games = 9\n", "games"),
        (&format!("method = {METHOD}\n"), "method"),
        (&format!("winners = {WINNERS}\n"), "winners"),
    ] {
        study_refused("[[study]]", line, "", &format!("`{key}` is missing: add it"));
    }
    let missing = "`winners`: `best` is missing: add it";
    study_refused("winners", WINNERS, "{ games = 200, seed = 1 }", missing);
    study_refused("winners", WINNERS, "{ games = 200, best = 1 }", "`winners`: `seed` is missing: add it");
    let unknown = "`winners`: unknown key `bst`; known: `best`, `games`, `seed`";
    study_refused("winners", "best = 2", "bst = 2", unknown);
}

#[test]
fn values_that_no_study_can_have_are_refused() {
    let clock = "`budget` is 50000000 ns: a study must reproduce, so give plies, nodes or playouts";
    study_refused("budget", "{ plies = 2 }", "{ time-ns = 50000000 }", clock);
    study_refused(
        "budget",
        "{ plies = 2 }",
        "{ plies = 0 }",
        "`budget` is 0 plies: give at least 1, or leave it out",
    );
    study_refused("games", "games = 9\n", "games = 0\n", "`games` is 0: ask for at least 1");
    study_refused("games", "games = 9\n", "games = 10001\n", "`games` is 10001: ask for at most 10000");
    study_refused("seeds", "\"common\"", "\"shared\"", "`seeds` is `shared`; write `fresh` or `common`");
    study_refused("name", "\"MDP, tuned\"", "\"\"", "`name` is empty: fill it in");
    study_refused("move", "4000", "0", "`move_limit_ms` is 0: allow at least 1");
    study_refused(
        "cond",
        "\"D-2\", \"D-1\"",
        "\"D-9\"",
        "`conditional_on` names note `D-9`, which does not exist; known: D-1, D-2",
    );
    let (both, start) = ("[\"score\", \"cost\"]", "objectives");
    study_refused(start, both, "[]", "`objectives` is empty: name `score`, `cost` or both");
    study_refused(start, both, "[\"cost\", \"cost\"]", "`objectives` names one twice: remove it");
    study_refused(start, both, "[\"time\"]", "`objectives` is `time`; write `score` or `cost`");
    read(&with(both, "[\"cost\"]")).unwrap();
}

#[test]
fn winners_are_few_and_play_games_that_the_search_never_saw() {
    let winners = |new: &str, problem: &str| study_refused("winners", WINNERS, new, problem);
    winners("{ best = 0, games = 200, seed = 1 }", "`winners.best` is 0: ask for at least 1");
    winners("{ best = 101, games = 200, seed = 1 }", "`winners.best` is 101: ask for at most 100");
    winners("{ best = 2, games = 0, seed = 1 }", "`winners.games` is 0: ask for at least 1");
    winners(
        "{ best = 2, games = 200, seed = 500 }",
        "`winners.seed` is the study's own: give another one, so that the winners are played on games that the search never saw",
    );
    winners(
        "{ best = 33, games = 200, seed = 1 }",
        "`winners.best` is 33, and the method tries at most 32 points: ask for at most 32",
    );
    let text = with("top = {", "a_top = {")
        .replace("a_top = { from = 0.001, to = 1, scale = \"logarithmic\", digits = 3 }\n", "");
    let text = text.replace(WINNERS, "{ best = 19, games = 1, seed = 1 }");
    let problem = "`winners.best` is 19, and the space has only 18 points: ask for at most 18";
    refused_on("winners", &text, problem);
}

#[test]
fn parameters_with_nothing_to_search_are_refused_each_on_its_line() {
    const TOP: &str = "top = { from = 0.001, to = 1, scale = \"logarithmic\", digits = 3 }";
    let top = |new: &str, problem: &str| {
        study_refused("top", TOP, &format!("top = {{ {new} }}"), &format!("`space` has `top` {problem}"));
    };
    top("from = 1, to = 1, digits = 0", "from 1 to 1: write finite numbers, `from` below `to`");
    top("from = 2, to = 1, integer = true", "from 2 to 1: write finite numbers, `from` below `to`");
    top("from = nan, to = 1, digits = 0", "from NaN to 1: write finite numbers, `from` below `to`");
    top("from = 0, to = inf, digits = 0", "from 0 to inf: write finite numbers, `from` below `to`");
    let log = "scale = \"logarithmic\"";
    let above = "on a logarithmic scale: begin above 0, or remove `scale`";
    top(&format!("from = 0, to = 1, digits = 1, {log}"), &format!("from 0 to 1 {above}"));
    top(&format!("from = -1, to = 5, integer = true, {log}"), &format!("from -1 to 5 {above}"));
    top("from = 0, to = 1, digits = 13", "with 13 digits: give at most 12");
    top(
        "from = 0.25, to = 1, digits = 1",
        "from 0.25 to 1 with 1 digit, to which its ends cannot be rounded: give more digits",
    );
    top(
        "from = 0, to = 1e6, digits = 12",
        "from 0 to 1000000 with 12 digits, more than a number holds: give a smaller range, or fewer digits",
    );
    let decimals =
        "without `digits`: give the decimals that it is rounded to before it is played, or `integer = true`";
    top("from = 250, to = 750", decimals);
    top(
        "from = 1, to = 2, integer = true, digits = 1",
        "with `integer` and `digits`: whole numbers have no decimals; remove `digits`",
    );
    let whole = "write a whole number from -2147483648 to 2147483647, or `digits` in the place of `integer`";
    top("from = 0.5, to = 2, integer = true", &format!("with `from` 0.5: {whole}"));
    top("from = 0, to = 2147483648, integer = true", &format!("with `to` 2147483648: {whole}"));
    top("", "without a range: give `from` and `to`, or `choices`");
    top("to = 1, digits = 1", "without `from`: give the smallest number");
    top("from = 1, digits = 1", "without `to`: give the largest number");
    top("choices = [1]", "with fewer than two choices: give more, or move it to `params`");
    top("choices = [1, 2, 1]", "with the choice 1 twice: remove one");
    top("choices = [1, 2], from = 1", "with `choices` and `from`: keep one of them");
    let many: Vec<String> = (0..1001).map(|number| number.to_string()).collect();
    top(&format!("choices = [{}]", many.join(", ")), "with 1001 choices: give at most 1000");
    study_refused(
        "top",
        TOP,
        "top = { choices = [1, nan] }",
        "`space` has nan or inf as `top`: write a finite number",
    );
    study_refused(
        "top",
        TOP,
        "top = { form = 1 }",
        "`space.top`: unknown key `form`; known: `from`, `to`, `integer`, `scale`, `digits`, `choices`",
    );
    study_refused("top", TOP, "top = { from = \"low\" }", "`space.top.from` is \"low\"; write a number");
    study_refused("top", TOP, "top = 1", "`space.top` is 1; write a table");
    study_refused(
        "memo",
        TOP,
        "memo = { choices = [true, false] }",
        "`space` has `memo` and so does `params`: a parameter is searched or stays as it is; remove one",
    );
}

#[test]
fn spaces_are_not_empty_and_not_too_large() {
    let head = |space: &str| {
        let keys = study_keys();
        let from = keys.find("[study.space]").unwrap();
        EXAMPLE.replace(keys, &format!("{}[study.space]\n{space}", &keys[..from]))
    };
    refused_on("[study.space]", &head(""), "`space` is empty: name at least one parameter to search");
    let many =
        |count: usize| (0..count).map(|n| format!("p{n} = {{ choices = [0, 1] }}\n")).collect::<String>();
    refused_on("[study.space]", &head(&many(51)), "`space` has 51 entries: write at most 50");
    read(&head(&many(50))).unwrap();
    let missing = head("").replace("[study.space]\n", "");
    refused_on("[[study]]", &missing, "`space` is missing: add it");
}

#[test]
fn a_problem_of_a_study_is_shown_at_the_line_of_its_key() {
    for (start, old, new, problem) in [
        ("agent", "agent = \"mdp\"", "agent = \"MDP\"", "`agent` is `MDP`: "),
        ("seed", "seed = 500", "seed = -1", "`seed` is -1; "),
        (
            "method",
            "generations = 3, mutation_index = 10",
            "",
            "`method` of kind `nsga`: `generations` is missing: add it",
        ),
        ("method", "generations = 3", "generations = 3, n = 3", "`method` of kind `nsga`: `n` is unknown; "),
        ("winners", "best = 2", "best = \"two\"", "`winners.best` is \"two\"; write a whole number"),
        ("top", "digits = 3", "digits = \"many\"", "`space.top.digits` is \"many\"; write a whole number"),
        ("depth", "to = 9, integer = true", "to = 1, integer = true", "`space` has `depth` from 1 to 1: "),
        ("tie", "[\"first\", \"last\"]", "[\"first\"]", "`space` has `tie` with fewer than two choices: "),
    ] {
        let text = with(old, new);
        let before = text[..text.find("[[study]]").unwrap()].lines().count();
        let within = text[text.find("[[study]]").unwrap()..].lines().position(|line| line.starts_with(start));
        let problems = said(&text);
        let expected = format!(":{}: study `tuned`: {problem}", before + within.unwrap() + 1);
        assert!(problems.len() == 1 && problems[0].starts_with(&expected), "{problems:?} is not {expected}");
    }
}

#[test]
fn too_many_studies_are_refused_before_they_are_read() {
    let studies: String = (0..=MOST_STUDIES).map(|_| "[[study]]\n").collect();
    let error = said(&format!("{EXAMPLE}\n{studies}"));
    assert!(error[0].ends_with("the paper: `study` has 1002 entries: write at most 1000"), "{error:?}");
}

#[test]
fn what_search_takes_of_digits_is_what_manifests_take() {
    let space = |digits| {
        let range = Range::Real { from: 0.0, to: 1.0, scale: Scale::Linear, digits };
        search::Space::new(vec![Dimension { name: "x".to_owned(), range }])
    };
    assert!(space(MOST_DIGITS).is_ok() && space(MOST_DIGITS + 1).is_err());
}
