//! From claims as written to checked ones: each kind has the keys that it needs, and no others.

use std::fmt::Display;

use serde_json::json;

use super::check::{PaperNames, check_named, check_notes};
use super::error::known;
use super::field_checks::{Checked, wrong, wrong_within};
use super::raw_claim::{RawClaim, RawClaimKind, RawMetric, RawPublished};
use super::{Check, Chosen, Claim, ClaimKind, Metric, Published, PublishedN, StatedValue, StudyMetric, Wins};
use platform::plain::line;

pub(super) fn claim(mut raw: RawClaim, names: &PaperNames) -> Checked<Claim> {
    check_notes("conditional_on", &raw.conditional_on, names)?;
    let checker = Checker { kind: raw.kind, names };
    checker.check_keys(&raw)?;
    let under = raw.under.as_deref().unwrap_or_default();
    check_named("under", "interpretation", under, &names.interpretations)?;
    let kind = match raw.kind {
        RawClaimKind::Numeric => checker.numeric(&mut raw),
        RawClaimKind::Ordinal => checker.ordinal(&mut raw),
        RawClaimKind::Arithmetic => checker.arithmetic(&mut raw),
        RawClaimKind::Untestable => checker.untestable(&mut raw),
    }?;
    let (under, reading_of, audit) = (raw.under, raw.reading_of, raw.audit.unwrap_or(false));
    let RawClaim { id, text, place, conditional_on, .. } = raw;
    Ok(Claim { id, text, place, conditional_on, under, reading_of, audit, kind })
}

struct Checker<'a> {
    kind: RawClaimKind,
    names: &'a PaperNames,
}

impl Checker<'_> {
    /// Checks that no key is given that belongs to another kind of claim.
    fn check_keys(&self, raw: &RawClaim) -> Checked {
        use RawClaimKind::{Arithmetic, Numeric, Ordinal, Untestable};
        let keys: [(&str, bool, &[RawClaimKind]); 20] = [
            ("under", raw.under.is_some(), &[Numeric, Ordinal]),
            ("reading_of", raw.reading_of.is_some(), &[Numeric, Ordinal]),
            ("audit", raw.audit.is_some(), &[Numeric, Ordinal, Arithmetic]),
            ("metric", raw.metric.is_some(), &[Numeric, Ordinal]),
            ("experiment", raw.experiment.is_some(), &[Numeric]),
            ("reference", raw.reference.is_some(), &[Numeric]),
            ("published", raw.published.is_some(), &[Numeric, Arithmetic]),
            ("chosen", raw.chosen.is_some(), &[Numeric]),
            ("unit", raw.unit.is_some(), &[Numeric]),
            ("n", raw.n.is_some(), &[Numeric]),
            ("assumed_n", raw.assumed_n.is_some(), &[Numeric]),
            ("rounding", raw.rounding.is_some(), &[Numeric]),
            ("better", raw.better.is_some(), &[Ordinal]),
            ("worse", raw.worse.is_some(), &[Ordinal]),
            ("better_studies", raw.better_studies.is_some(), &[Ordinal]),
            ("worse_studies", raw.worse_studies.is_some(), &[Ordinal]),
            ("wins", raw.wins.is_some(), &[Ordinal]),
            ("check", raw.check.is_some(), &[Arithmetic]),
            ("args", raw.args.is_some(), &[Arithmetic]),
            ("reason", raw.reason.is_some(), &[Untestable]),
        ];
        match keys.into_iter().find(|(_, given, kinds)| *given && !kinds.contains(&self.kind)) {
            Some((key, ..)) => Err(wrong(key, format!("does not belong to {}: remove it", self.kind))),
            None => Ok(()),
        }
    }

    fn numeric(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let metric = self.metric(raw.metric)?;
        let experiment = self.experiment("experiment", raw.experiment.take())?;
        let reference = self.reference(metric, &experiment, raw.reference.take())?;
        let published = self.published(metric, self.needed("published", raw.published.take())?)?;
        let chosen = self.chosen(raw.chosen, published)?;
        let n = self.published_n(raw.n, raw.assumed_n)?;
        let rounding = raw.rounding.unwrap_or(0.0);
        let unit = raw.unit.take();
        Ok(ClaimKind::Numeric { metric, experiment, reference, published, chosen, unit, n, rounding })
    }

    /// The experiment that a ratio divides by; other metrics have none.
    fn reference(
        &self,
        metric: Metric,
        experiment: &str,
        reference: Option<String>,
    ) -> Checked<Option<String>> {
        match reference {
            None if !metric.is_ratio() => Ok(None),
            None => Err(wrong(
                "reference",
                format!("is missing: `{metric}` needs the experiment that it divides by"),
            )),
            Some(_) if !metric.is_ratio() => {
                Err(wrong("reference", format!("does not belong to `{metric}`: remove it")))
            }
            Some(reference) if reference == experiment => {
                Err(wrong("reference", format!("is `{reference}`, as `experiment` is: name another one")))
            }
            Some(reference) => self.experiment("reference", Some(reference)).map(Some),
        }
    }

    /// A number, or a range of numbers, that the metric can have.
    fn published(&self, metric: Metric, published: RawPublished) -> Checked<Published> {
        let refuse = |problem: String| wrong("published", problem);
        let check = |value: f64| {
            if value < 0.0 {
                return Err(refuse(format!("is {value}: write a number, 0 or more")));
            }
            if metric.is_rate() && value > 1.0 {
                return Err(refuse(format!("is {value}: `{metric}` is a share: write one from 0 to 1")));
            }
            Ok(())
        };
        match published {
            RawPublished::Number(value) => check(value).map(|()| Published::Number(value)),
            RawPublished::Range([low, high]) if low >= high => {
                let problem = "write the lower end first, or one number";
                Err(refuse(format!("is the empty range [{low}, {high}]: {problem}")))
            }
            RawPublished::Range([low, high]) => {
                check(low)?;
                check(high)?;
                Ok(Published::Range(low, high))
            }
            RawPublished::Text(text) => {
                let text = line(&text);
                Err(refuse(format!("is the text \"{text}\": write a number or a range [low, high]")))
            }
        }
    }

    /// Which end of a range is our own choice; a number is the paper's.
    fn chosen(&self, chosen: Option<Chosen>, published: Published) -> Checked<Option<Chosen>> {
        match (chosen, published) {
            (Some(_), Published::Number(_)) => {
                let problem = "stands beside a number: write `published` as a range [low, high], one end of which is chosen";
                Err(wrong("chosen", problem))
            }
            _ => Ok(chosen),
        }
    }

    fn published_n(&self, n: Option<u64>, assumed_n: Option<u64>) -> Checked<PublishedN> {
        match (n, assumed_n) {
            (Some(n), None) => Ok(PublishedN::Known(n)),
            (None, Some(n)) => Ok(PublishedN::Assumed(n)),
            (Some(_), Some(_)) => Err(wrong(
                "assumed_n",
                "is given beside `n`: keep `n` if the paper says it, else `assumed_n`",
            )),
            (None, None) => Err(wrong(
                "n",
                "is missing: give the number of games behind the published value, or `assumed_n` where the paper does \
                 not say it",
            )),
        }
    }

    /// What a claim measures of experiments.
    fn metric(&self, metric: Option<RawMetric>) -> Checked<Metric> {
        match self.needed("metric", metric)? {
            RawMetric::Games(metric) => Ok(metric),
            RawMetric::Studies(metric) => {
                let problem = format!(
                    "is `{}`, which studies have: name them in `better_studies` and `worse_studies`, or write a \
                     metric of games such as `score.mean`",
                    metric.name()
                );
                Err(wrong("metric", problem))
            }
        }
    }

    fn ordinal(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        if raw.better_studies.is_some() || raw.worse_studies.is_some() {
            return self.ordinal_of_studies(raw);
        }
        let metric = self.metric(raw.metric)?;
        let better = self.experiment("better", raw.better.take())?;
        let worse = self.experiment("worse", raw.worse.take())?;
        if let Metric::Ratio(quantity) = metric {
            let problem = format!("is `{metric}`, a number: an order compares `{quantity}.mean`");
            return Err(wrong("metric", problem));
        }
        if better == worse {
            return Err(wrong("worse", format!("is `{worse}`, as `better` is: name another one")));
        }
        Ok(ClaimKind::Ordinal {
            metric,
            better,
            worse,
            wins: raw.wins.unwrap_or_else(|| Wins::default_for(metric)),
        })
    }

    /// One way to search against another: as many studies of each, in pairs by their place.
    fn ordinal_of_studies(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let beside =
            [("better", raw.better.is_some()), ("worse", raw.worse.is_some()), ("wins", raw.wins.is_some())];
        if let Some((key, _)) = beside.into_iter().find(|(_, is_given)| *is_given) {
            let problem = "is given beside studies, which are compared with each other: remove it";
            return Err(wrong(key, problem));
        }
        let metric = match self.needed("metric", raw.metric)? {
            RawMetric::Studies(metric) => metric,
            RawMetric::Games(metric) => {
                let known = known(StudyMetric::ALL.into_iter().map(StudyMetric::name));
                let problem = format!("is `{metric}`, which studies do not have; known: {known}");
                return Err(wrong("metric", problem));
            }
        };
        let better = self.studies("better_studies", raw.better_studies.take())?;
        let worse = self.studies("worse_studies", raw.worse_studies.take())?;
        if better.len() != worse.len() {
            let (one, other) = (better.len(), worse.len());
            let problem = format!("has {other} entries and `better_studies` {one}: give one for each");
            return Err(wrong("worse_studies", problem));
        }
        if let Some(both) = better.iter().find(|id| worse.contains(id)) {
            let problem = format!("names study `{both}`, as `better_studies` does: name another one");
            return Err(wrong("worse_studies", problem));
        }
        Ok(ClaimKind::OrdinalOfStudies { metric, better, worse })
    }

    /// The studies that a key names, at least two of them, which must exist and be named once: one alone
    /// shows no spread.
    fn studies(&self, key: &'static str, ids: Option<Vec<String>>) -> Checked<Vec<String>> {
        let ids = self.needed(key, ids)?;
        check_named(key, "study", &ids, &self.names.studies)?;
        Ok(ids)
    }

    fn arithmetic(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let check = self.check(raw)?;
        let published = self.stated(self.needed("published", raw.published.take())?)?;
        Ok(ClaimKind::Arithmetic { check, published })
    }

    fn stated(&self, published: RawPublished) -> Checked<StatedValue> {
        match published {
            RawPublished::Number(value) => Ok(StatedValue::Number(value)),
            RawPublished::Text(text) => Ok(StatedValue::Text(text)),
            RawPublished::Range(_) => {
                Err(wrong("published", format!("is a range: {} takes a number or text", self.kind)))
            }
        }
    }

    /// The computation that `check` names, with the fields that `args` gives.
    fn check(&self, raw: &mut RawClaim) -> Checked<Check> {
        let name = self.needed("check", raw.check.take())?;
        let args = self.needed("args", raw.args.take())?;
        let wrong_arg = |argument: &str, problem: &dyn Display| {
            wrong_within("args", &format!("args.{argument}"), format!("of `{name}`: {problem}"))
        };
        let check = serde_json::from_value::<Check>(json!({"check": name, "args": args}))
            .map_err(|error| wrong_arg("", &error))?;
        check.validate().map_err(|problem| wrong_arg(problem.argument, &problem))?;
        Ok(check)
    }

    fn untestable(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let reason = self.needed("reason", raw.reason.take())?;
        Ok(ClaimKind::Untestable { reason })
    }

    fn needed<T>(&self, key: &'static str, value: Option<T>) -> Checked<T> {
        value.ok_or_else(|| wrong(key, format!("is missing: {} needs it", self.kind)))
    }

    /// The experiment that a key names, which must exist.
    fn experiment(&self, key: &'static str, id: Option<String>) -> Checked<String> {
        let id = self.needed(key, id)?;
        if self.names.experiment_set.contains(&id) {
            return Ok(id);
        }
        let known = known(self.names.experiments.iter().map(String::as_str));
        let id = line(&id);
        Err(wrong(key, format!("is `{id}`, which is not an experiment of this paper; known: {known}")))
    }
}
