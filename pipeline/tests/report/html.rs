//! The page's text: escaped, well formed, the same every time, and with no way out to a network.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{DefaultEmitter, Token, Tokenizer};
use rendering::report::{Claim, Experiment, Page, PageError, PageReplay, Paper, ReportError, render};
use rendering::tables::Cell;

use crate::sample::{HOSTILE, bare, note_id, page};

/// A start tag.
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// What a browser without scripts reads, to which `noscript` is an element like others.
pub(crate) fn tokens(html: &str) -> Vec<Token> {
    let html = html.replace("<noscript", "<div").replace("</noscript", "</div");
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true); // inside scripts and styles nothing is markup
    Tokenizer::new_with_emitter(&html, emitter).map(|token| token.expect("no I/O")).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn elements(html: &str) -> Vec<Element> {
    let start = |token| match token {
        Token::StartTag(tag) => Some(Element {
            name: text(&tag.name),
            attributes: tag.attributes.iter().map(|(name, value)| (text(name), text(value))).collect(),
        }),
        _ => None,
    };
    tokens(html).into_iter().filter_map(start).collect()
}

pub(crate) fn rendered() -> String {
    render(&page()).expect("a page")
}

#[test]
fn a_page_is_the_same_bytes_every_time_and_texts_are_texts_wherever_they_stand() {
    let html = rendered();
    assert!(html == rendered());
    assert!(!html.contains("<script>alert") && !html.contains("<b>bold") && !html.contains("undefined</"));
    let scripts = elements(&html).iter().filter(|element| element.name == "script").count();
    assert_eq!(scripts, 8, "the theme, the games and six scripts");
    let shown = tokens(&html).into_iter().filter(|token| match token {
        Token::String(shown) => text(&shown.value).contains(HOSTILE),
        _ => false,
    });
    let texts = shown.count();
    // Lead, remarks, captions, summary, rules, notes, findings, nine claims twice and figures.
    assert!(texts > 30, "the text stands in {texts} places");
    let alt = elements(&html).iter().filter(|element| element.get("alt") == Some(HOSTILE)).count();
    assert_eq!(alt, 2);
}

#[test]
fn no_text_turns_the_words_around_it_or_hides() {
    let mut page = page();
    page.lead = "a\u{202e}b\u{1b}[2Jc\u{200b}d".to_owned();
    page.papers[0].citation.authors[0] = "\u{2066}A\u{7f}".to_owned();
    let html = render(&page).expect("a page");
    assert!(html.contains("a\u{fffd}b\u{fffd}[2Jc\u{fffd}d") && html.contains("\u{fffd}A\u{fffd}"));
    assert!(
        html.chars().all(|letter| engine::abi::host::is_plain(letter) || letter == '\n' || letter == '\t')
    );
}

#[test]
fn the_games_cannot_end_their_own_element() {
    let mut page = page();
    let key = "sample/</script><b>";
    page.papers[0].experiments[0].key = key.to_owned();
    page.replays.truncate(1);
    page.replays[0].experiment = key.to_owned();
    let Paper { id, citation, experiments, .. } = page.papers.remove(0);
    page.papers.insert(0, Paper { id, citation, experiments, ..Paper::default() });
    page.provenance.clear();
    page.cross.rows.clear();
    let html = render(&page).expect("a page");
    let start = html.find("id=\"replay-data\"").expect("the games");
    let data = &html[html[start..].find('>').expect("its end") + start + 1..];
    let data = &data[..data.find("</script>").expect("an end tag")];
    let games: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(games[0]["experiment"], key);
}

#[test]
fn tags_are_balanced_and_nothing_is_an_error_to_a_tokenizer() {
    const VOID: [&str; 5] = ["meta", "link", "input", "img", "br"];
    let bare = render(&bare()).expect("a page");
    assert!(bare.contains("There are no games on this page."));
    for html in [rendered(), bare] {
        let mut open: Vec<String> = Vec::new();
        for token in tokens(&html) {
            match token {
                Token::StartTag(tag) if tag.self_closing || VOID.contains(&text(&tag.name).as_str()) => {}
                Token::StartTag(tag) => open.push(text(&tag.name)),
                Token::EndTag(tag) => assert_eq!(open.pop(), Some(text(&tag.name)), "within {open:?}"),
                Token::Error(error) => panic!("{error:?} within {open:?}"),
                _ => {}
            }
        }
        assert_eq!(open, Vec::<String>::new());
    }
}

/// A page with far more experiments, claims and rows than can be read; a finding names the last claim, and
/// the last but one is another reading of the one before it.
fn long_page() -> Page {
    let mut page = page();
    let paper = &mut page.papers[0];
    let numbers = || (0..MANY).map(|number| format!("sample/many-{number}"));
    let (experiment, claim, row) = (&paper.experiments[0], &paper.claims[0], &paper.tables[0].rows[0]);
    let experiments: Vec<_> = numbers().map(|key| Experiment { key, ..experiment.clone() }).collect();
    let claims: Vec<_> = numbers()
        .enumerate()
        .map(|(number, key)| Claim {
            id: format!("many-{number}"),
            audit: false,
            experiments: vec![key],
            ..claim.clone()
        })
        .collect();
    let row: Vec<Cell> = row.iter().map(|cell| Cell::Text(cell.text())).collect();
    let rows: Vec<_> = numbers().map(|_| row.clone()).collect();
    paper.experiments.extend(experiments);
    paper.claims.extend(claims);
    let last = paper.claims.len() - 1;
    paper.claims[last].reading_of = Some(format!("many-{}", MANY - 3));
    paper.findings[0].needs[0].claim = paper.claims[last].id.clone();
    paper.tables[0].rows.extend(rows);
    paper.rules[1].experiments.extend(numbers());
    page.provenance[0].experiments.extend(numbers());
    let replay = page.replays[0].clone();
    page.replays.extend(numbers().map(|experiment| PageReplay { experiment, ..replay.clone() }));
    page
}

const MANY: usize = 2000;

#[test]
fn of_thousands_the_page_shows_the_first_and_says_where_all_are() {
    let page = long_page();
    let paper = &page.papers[0];
    let (experiments, claims) = (paper.experiments.len(), paper.claims.len());
    let html = render(&page).expect("a page");
    let count = |prefix: &str| {
        let starts = |element: &&Element| element.get("id").is_some_and(|id| id.starts_with(prefix));
        elements(&html).iter().filter(starts).count()
    };
    // Claims of findings are shown too, with the claim that they reread and the experiments of both.
    assert_eq!(count("claim-sample/"), 502);
    assert_eq!(count("experiment-sample/"), 502);
    let shown = format!("502 of 2,{:03} claims are shown here; ", claims - 2000);
    let has_link = |to: &str| elements(&html).iter().any(|element| element.get("href") == Some(to));
    assert!(html.contains(&shown) && has_link("../tables/sample-claims.md"), "{shown}");
    let shown = format!("502 of 2,{:03} experiments are shown here; ", experiments - 2000);
    assert!(html.contains(&shown) && has_link("../catalogue.parquet"), "{shown}");
    let rows = paper.tables[0].rows.len();
    let shown = format!("These are the first 500 of 2,{:03} rows; tables", rows - 2000);
    assert!(html.contains(&shown), "{shown}");
    assert!(html.contains(" and others that this page does not list</dd>"));
    assert!(html.contains(" experiments that this page does not list."), "the rules");
    let counted =
        format!("2,{:03} claims", claims - 2000 - paper.claims.iter().filter(|claim| claim.audit).count());
    assert!(html.contains(&format!("{counted} from ")), "the counts are of all claims: {counted}");
    assert!(!rendered().contains(" shown here; "));
}

#[test]
fn ids_are_unique_and_every_reference_has_its_target() {
    for html in [rendered(), render(&bare()).expect("a page"), render(&long_page()).expect("a page")] {
        let elements = elements(&html);
        let all: Vec<&str> = elements.iter().filter_map(|element| element.get("id")).collect();
        let ids: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(ids.len(), all.len(), "{all:?}");
        let anchors = elements.iter().filter_map(|element| element.get("href")?.strip_prefix('#'));
        let names = ["for", "aria-describedby", "data-filter"];
        let named = elements.iter().flat_map(|element| names.iter().filter_map(|name| element.get(name)));
        for target in anchors.chain(named) {
            assert!(ids.contains(target), "#{target}");
        }
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let html = rendered();
    for element in elements(&html) {
        for name in ["src", "srcset", "poster", "action", "formaction", "data", "background", "ping"] {
            if let Some(address) = element.get(name) {
                let is_figure = element.name == "img" && address.starts_with("../figures/");
                assert!(is_figure, "<{} {name}={address}>", element.name);
            }
        }
        match (element.name.as_str(), element.get("href")) {
            (_, None) | ("link", Some("data:,")) => {}
            ("a", Some(to)) => {
                assert!(to.starts_with('#') || to.starts_with("https://") || to.starts_with("../"), "{to}")
            }
            (name, Some(to)) => panic!("<{name} href={to}>"),
        }
        assert!(element.get("style").is_none(), "style stands in the style sheet");
        assert!(
            !element.attributes.keys().any(|name| name.starts_with("on")),
            "handlers stand in the scripts"
        );
    }
    let css = include_str!("../../crates/rendering/src/report/assets/report.css");
    assert!(!css.contains("url(") && !css.contains("@import"));
    assert!(html.contains("default-src 'none'"), "the browser is told to load nothing else");
}

/// The error of a page after a change.
fn error(change: impl FnOnce(&mut Page)) -> String {
    let mut page = page();
    change(&mut page);
    match render(&page) {
        Err(ReportError::Page(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_that_contradicts_itself_is_refused_with_the_reason() {
    type Change = fn(&mut Page);
    let cases: [(Change, &str); 3] = [
        (|page| page.papers[0].claims[3].experiments.push("a/b".to_owned()), "experiment-a/b"),
        (|page| page.papers[0].claims[3].conditional_on.push(note_id("D-9")), "note-sample/D-9"),
        (|page| page.papers[0].findings[1].needs[0].claim = "claim-99".to_owned(), "claim-sample/claim-99"),
    ];
    for (change, id) in cases {
        assert_eq!(error(change), format!("the page links to `{id}`, which it does not have"));
    }
    let twice = error(|page| page.papers[0].claims[1].id = "claim-0".to_owned());
    assert_eq!(twice, PageError::Twice("claim-sample/claim-0".to_owned()).to_string());
    let address = error(|page| page.papers[0].citation.url = Some("javascript:alert(1)".to_owned()));
    assert!(address.contains("`javascript:alert(1)`"), "{address}");
}
