//! Fills the templates with a page.

use std::collections::BTreeMap;

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value, context};

use super::bounds::{self, readable};
use super::claim::{Badge, CLAIM_KINDS, Claim};
use super::page::{Page, Paper};
use super::replay::Pick;
use verdict::Ruling;

/// A template or an asset, by the name of its file.
macro_rules! files {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!($folder, "/", $name)))),+]
    };
}

const TEMPLATES: &[(&str, &str)] = files!("templates":
    "page.html", "macros.html", "contents.html", "findings.html", "summary.html", "comparison.html", "paper.html",
    "interpretations.html", "claims.html", "figure.html", "job.html", "studies.html", "trainings.html", "experiments.html", "player.html", "reproduce.html", "provenance.html",
);
const ASSETS: &[(&str, &str)] = files!("assets": "report.css", "theme.js", "replay.js", "player.js", "tables.js", "claims.js", "copy.js", "page.js");

pub(super) fn render(whole: &Page) -> Result<String, minijinja::Error> {
    let environment = environment()?;
    let template = environment.get_template("page.html")?;
    let page = readable(whole);
    let (all, tally, replayed) = (bounds::whole(whole), tally(whole), replayed(&page));
    let html = template.render(context! { page, all, tally, replayed })?;
    // A slash needs no escape where every bracket has one, and the page has thousands. What reads so in a
    // text of ours begins with `&amp;`.
    Ok(html.replace("&#x2f;", "/"))
}

fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("grouped", grouped);
    environment.add_filter("tenths", |number: f64| format!("{number:.1}"));
    environment.add_filter("counted", |count: u64, noun: &str| text::counted(count, noun));
    environment.add_function("asset", asset);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

/// An asset's text. Ours, not the config's: it goes into the page as it is.
fn asset(name: &str) -> Result<Value, minijinja::Error> {
    let found = ASSETS.iter().find(|(known, _)| *known == name);
    let (_, text) =
        found.ok_or_else(|| minijinja::Error::new(ErrorKind::TemplateNotFound, name.to_owned()))?;
    Ok(Value::from_safe_string(text.trim_end().to_owned()))
}

/// A count with its thousands apart.
fn grouped(number: u64) -> String {
    text::thousands(number as f64)
}

/// How often each verdict and each kind of claim comes, also by the paper's id. Checks of ours are no claims.
fn tally(page: &Page) -> Value {
    let claimed = |paper: &&Paper| paper.claims.iter().any(|claim| !claim.audit);
    let all = || page.papers.iter().flat_map(|paper| &paper.claims);
    let of_kind = |kind| all().filter(|claim| !claim.audit && claim.kind == kind).count();
    let of_paper = |paper: &Paper| {
        let claims = paper.claims.iter().filter(|claim| !claim.audit).count();
        (paper.id.clone(), context! { claims, verdicts => verdicts(&paper.claims) })
    };
    let audits = all().filter(|claim| claim.audit).count();
    context! {
        claims => all().count() - audits,
        audits,
        claiming => page.papers.iter().filter(claimed).count(),
        kinds => CLAIM_KINDS.map(|kind| context! { kind, count => of_kind(kind) }),
        verdicts => verdicts(all()),
        of => page.papers.iter().map(of_paper).collect::<BTreeMap<_, _>>(),
    }
}

/// Every verdict with its number of claims, also those that no claim has.
fn verdicts<'a>(claims: impl IntoIterator<Item = &'a Claim> + Clone) -> [Value; 9] {
    let has = |claim: &&Claim, ruling| !claim.audit && claim.verdict == ruling;
    let count = |ruling| claims.clone().into_iter().filter(|claim| has(claim, ruling)).count();
    Ruling::ALL.map(|ruling| context! { verdict => Badge::of(ruling), count => count(ruling) })
}

/// The picks that can be replayed, by the experiment's key.
fn replayed(page: &Page) -> BTreeMap<&str, Vec<Pick>> {
    let mut picks: BTreeMap<&str, Vec<Pick>> = BTreeMap::new();
    for replay in &page.replays {
        picks.entry(&replay.experiment).or_default().push(replay.pick);
    }
    picks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 7, 999, 1000, 53_232, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "53,232", "1,000,000"]);
    }

    #[test]
    fn no_asset_ends_its_own_element() {
        for (name, text) in ASSETS {
            assert!(!text.contains("</script") && !text.contains("</style"), "{name}");
        }
    }
}
