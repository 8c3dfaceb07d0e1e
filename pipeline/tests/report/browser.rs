//! The page in headless Chromium: a script uses it as a reader would, and collects errors.

use std::path::Path;

use rendering::report::render;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::html::rendered;
use crate::sample::page;

const DRIVER: &str = include_str!("driver.js");
/// Before anything else in the page: what goes wrong in it is kept.
const RECORDER: &str = "<script>window.problems = [];\
    addEventListener('error', (event) => problems.push(event.message ?? 'an element failed to load'), true);\
    addEventListener('unhandledrejection', (event) => problems.push(String(event.reason)));\
    addEventListener('securitypolicyviolation', (event) => problems.push('blocked: ' + event.blockedURI));\
    for (const level of ['error', 'warn']) console[level] = (...texts) => problems.push(texts.join(' '));</script>";

/// A copy of the page that drives itself, and leaves what it saw in the element `result`.
fn driven(html: &str) -> String {
    let html = html.replacen("<head>", &format!("<head>{RECORDER}"), 1);
    html.replacen("</body>", &format!("<script>{DRIVER}</script></body>"), 1)
}

#[test]
fn a_reader_can_use_everything_without_an_error() {
    let Some(chromium) = Chromium::find() else { return };
    // Blink's name for a reader who prefers dark.
    let dark = ["--blink-settings=preferredColorScheme=0"];
    for (window, flags) in [("1280,900", &[][..]), ("918,900", &[]), ("390,844", &dark)] {
        let seen = chromium.result(&driven(&rendered()), window, flags);
        assert_eq!(seen["problems"], json!([]), "{window}");
        let failed: Vec<&Value> =
            seen["checks"].as_array().expect("checks").iter().filter(|check| check["ok"] != true).collect();
        assert_eq!(failed, Vec::<&Value>::new(), "{window}");
        assert!(
            seen["checks"].as_array().expect("checks").len() > 55,
            "{window}: the driver came to its end"
        );
    }
}

#[test]
fn a_game_that_does_not_arrive_is_shown_with_the_difference() {
    let Some(chromium) = Chromium::find() else { return };
    let mut page = page();
    page.featured = None;
    page.replays[0].score += 4;
    let html = render(&page).expect("a page");
    let script = "for (const part of ['last', 'all']) document.querySelector(`[data-part=${part}]`).click();\
        const texts = ['arrival', 'all-result'].map((part) => document.querySelector(`[data-part=${part}]`).textContent);\
        const result = document.createElement('pre');\
        result.id = 'result';\
        result.textContent = JSON.stringify(texts);\
        document.body.replaceChildren(result);";
    let html = html.replacen("</body>", &format!("<script>{{{script}}}</script></body>"), 1);
    let seen = chromium.result(&html, "1280,900", &[]);
    let (score, recorded) = (page.replays[0].score - 4, page.replays[0].score);
    assert_eq!(seen[0], format!("✗ Differs from the record. score: replayed {score}, recorded {recorded}."));
    assert_eq!(seen[1], format!("✗ 1 of {} games differ: sample/rules-1 best.", page.replays.len()));
}

#[test]
fn paper_leaves_out_what_is_folded_and_every_sheet_has_its_header() {
    let Some(chromium) = Chromium::find() else { return };
    let mut page = page();
    let few = chromium.printed(&render(&page).expect("a page"));
    let claims = page.papers[0].claims.clone();
    let more = claims.iter().cycle().take(300).enumerate().map(|(index, claim)| rendering::report::Claim {
        id: format!("more-{index}"),
        reading_of: Some("claim-0".to_owned()),
        ..claim.clone()
    });
    page.papers[0].claims.extend(more);
    let Some((many, few)) = chromium.printed(&render(&page).expect("a page")).zip(few) else { return };
    assert_eq!(many.len(), few.len(), "300 other readings take no sheet");
    assert!(few.len() <= 4, "{} sheets", few.len());
    // Sheets without anything on them but the header: nothing else can set a text there.
    let style = "<style>main, header, nav, svg { display: none !important; } .blank { break-after: page; height: 1cm; }</style>";
    let blank = "<div class=\"blank\"></div>".repeat(3);
    let html = rendered().replacen("</head>", &format!("{style}</head>"), 1);
    let html = html.replacen("</body>", &format!("{blank}</body>"), 1);
    let Some(texts) = chromium.printed(&html) else { return };
    assert!(
        texts.len() >= 3 && texts.iter().all(|texts| *texts >= 2),
        "title and number on each sheet: {texts:?}"
    );
    // The report of this repository has at most as many sheets as anyone would print.
    let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/report/index.html");
    let Ok(report) = report.canonicalize() else { return };
    let Some(texts) = chromium.printed_file(&report) else { return };
    assert!(texts.len() <= 40, "{} sheets", texts.len());
    assert!(texts.iter().all(|texts| *texts >= 2), "{texts:?}");
}
