//! `claims.csv`: every claim of all papers in a row of numbers, for programs that compute with verdicts. It
//! is what `claims.json` says, laid flat, so it has the verdicts on papers that were not loaded too.

use serde_json::Value;

use crate::table::{csv_line as line, csv_literal as literal};

/// The columns, and where in a verdict of `claims.json` each is found, as JSON pointers, of which the first
/// that leads to something counts.
const COLUMNS: [(&str, &[&str]); 40] = [
    ("paper", &["/paper"]),
    ("claim", &["/claim/id"]),
    ("kind", &["/claim/kind"]),
    ("audit", &["/claim/audit"]),
    ("place", &["/claim/place"]),
    ("text", &["/claim/text"]),
    ("under", &["/claim/under"]),
    ("reading_of", &["/claim/reading_of"]),
    ("conditional_on", &["/claim/conditional_on"]),
    ("metric", &["/claim/metric"]),
    ("experiment", &["/claim/experiment", "/claim/better"]),
    ("other_experiment", &["/claim/reference", "/claim/worse"]),
    ("published", &["/claim/published"]),
    ("published_low", &["/claim/published/0"]),
    ("published_high", &["/claim/published/1"]),
    ("unit", &["/claim/unit"]),
    ("published_games", &["/claim/n/known", "/claim/n/assumed"]),
    ("published_games_assumed", &["/claim/n/assumed"]),
    ("verdict", &["/verdict", "/finding"]),
    ("rests_on_timing", &["/rests_on_timing"]),
    ("ours", &["/grounds/ours/point", "/grounds/better/point", "/grounds/value"]),
    ("ours_low", &["/grounds/ours/low", "/grounds/better/low"]),
    ("ours_high", &["/grounds/ours/high", "/grounds/better/high"]),
    ("ours_games", &["/grounds/ours/n", "/grounds/better/n"]),
    ("other", &["/grounds/worse/point"]),
    ("other_low", &["/grounds/worse/low"]),
    ("other_high", &["/grounds/worse/high"]),
    ("other_games", &["/grounds/worse/n"]),
    ("lead", &["/grounds/lead/point"]),
    ("lead_low", &["/grounds/lead/low"]),
    ("lead_high", &["/grounds/lead/high"]),
    ("expected_low", &["/grounds/prediction/low"]),
    ("expected_high", &["/grounds/prediction/high"]),
    ("p_value", &["/grounds/prediction/p_value"]),
    ("effect", &["/grounds/effect"]),
    ("effect_scale", &["/grounds/effect"]),
    ("visible_below", &["/grounds/prediction/visible/below"]),
    ("visible_above", &["/grounds/prediction/visible/above"]),
    ("visible_lead", &["/grounds/visible"]),
    ("games_to_decide", &["/grounds/games_to_decide"]),
];

/// The table of the verdicts in the text of a `claims.json`, those that were kept behind the others; none
/// where it is no such text.
pub fn all_claims(claims: &Value) -> Option<String> {
    let of = |key: &str| claims.get(key).and_then(Value::as_array);
    let verdicts = of("claims")?.iter().chain(of("kept").into_iter().flatten());
    let mut text = line(&COLUMNS.map(|(name, _)| name.to_owned()));
    for verdict in verdicts {
        text.push_str(&line(&COLUMNS.map(|(name, places)| field(name, places, verdict))));
    }
    Some(text)
}

fn field(name: &str, places: &[&str], verdict: &Value) -> String {
    let found = places.iter().filter_map(|place| verdict.pointer(place)).find(|value| !value.is_null());
    match (name, found) {
        ("audit", found) => found.and_then(Value::as_bool).unwrap_or_default().to_string(),
        ("published_games_assumed", found) => match verdict.pointer("/claim/n") {
            Some(_) => found.is_some().to_string(),
            None => String::new(),
        },
        // A range has the two columns behind this one.
        ("published", Some(Value::Array(_))) | (_, None) => String::new(),
        ("effect", Some(effect)) => inner(effect).map(|(_, value)| plain(value)).unwrap_or_default(),
        ("effect_scale", Some(effect)) => inner(effect).map(|(scale, _)| scale.clone()).unwrap_or_default(),
        (_, Some(value)) => plain(value),
    }
}

/// The scale of an effect, and its number.
fn inner(effect: &Value) -> Option<(&String, &Value)> {
    let (scale, value) = effect.as_object()?.iter().next()?;
    Some((scale, value.get("point").unwrap_or(value)))
}

/// A value without quotation marks and brackets: what a spreadsheet takes for a number, a word or a text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => literal(&platform::plain::unwrapped(text)),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The fields of a verdict by column, as one row of the table has them.
    fn row(verdict: Value) -> impl Fn(&str) -> String {
        let text = all_claims(&json!({"claims": [verdict]})).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let (head, fields) = (lines.next().unwrap(), lines.next().unwrap());
        assert_eq!(head.len(), fields.len());
        move |name| fields[head.iter().position(|column| column == name).unwrap()].clone()
    }

    #[test]
    fn numbers_have_columns_of_their_own() {
        let of = row(json!({
            "paper": "p", "verdict": "lower", "rests_on_timing": false,
            "claim": {"id": "c", "kind": "numeric", "metric": "score.mean", "experiment": "e", "published": 9.5,
                "n": {"assumed": 10}, "reference": null},
            "grounds": {"kind": "numeric", "ours": {"point": 7.25, "low": null, "high": 8.0, "n": 40},
                "effect": {"ratio": 0.75}, "prediction": {"p_value": 0.01, "visible": {"above": null, "below": 2.0}}}
        }));
        let told = [
            "published",
            "published_games",
            "published_games_assumed",
            "ours",
            "ours_low",
            "ours_high",
            "ours_games",
        ];
        assert_eq!(told.map(&of), ["9.5", "10", "true", "7.25", "", "8.0", "40"]);
        assert_eq!(
            ["effect", "effect_scale", "p_value", "visible_below", "visible_above"].map(&of),
            ["0.75", "ratio", "0.01", "2.0", ""]
        );
        assert_eq!(["audit", "experiment", "other_experiment", "lead"].map(of), ["false", "e", "", ""]);
    }

    #[test]
    fn a_range_and_an_order_find_their_places() {
        let range = row(
            json!({"paper": "p", "claim": {"published": [0.75, 0.85], "n": {"known": 3}, "under": ["a", "b"]}}),
        );
        assert_eq!(
            ["published", "published_low", "published_high", "under"].map(&range),
            ["", "0.75", "0.85", "a b"]
        );
        assert_eq!(range("published_games_assumed"), "false");
        let order = row(json!({"paper": "p", "finding": "confirmed", "claim": {"better": "x", "worse": "y"},
            "grounds": {"better": {"point": 5}, "worse": {"point": 3, "n": 7}, "lead": {"point": 2},
                "effect": {"superiority": {"point": 0.8, "low": 0.6}}, "games_to_decide": [220, 230]}}));
        assert_eq!(
            ["experiment", "other_experiment", "ours", "other", "other_games", "lead"].map(&order),
            ["x", "y", "5", "3", "7", "2"]
        );
        assert_eq!(
            ["effect", "effect_scale", "games_to_decide", "verdict"].map(order),
            ["0.8", "superiority", "220 230", "confirmed"]
        );
    }

    #[test]
    fn verdicts_that_were_kept_are_rows_too() {
        let text = all_claims(&json!({"claims": [{"paper": "p"}], "kept": [{"paper": "q"}]})).unwrap();
        assert_eq!(text.lines().skip(1).map(|line| &line[..2]).collect::<Vec<_>>(), ["p,", "q,"]);
        assert_eq!(all_claims(&json!({"rows": []})), None);
    }
}
