//! From claims as written to checked ones: each kind has the keys that it needs, and no others.

use std::fmt::Display;

use serde_json::{Map, Value, json};

use super::check::{Names, check_id, check_plain, note_ids};
use super::error::known;
use super::interpretation::check_under;
use super::limits::{LARGEST_NUMBER, MOST_PUBLISHED_GAMES};
use super::place::{Checked, Place, Refused, all};
use super::raw_claim::{Kind, RawClaim, RawMetric, RawPublished, args_schema};
use super::{
    Check, Chosen, Claim, ClaimKind, Metric, Published, PublishedN, Stated, StudyMetric, Wins, params, words,
};
use surroundings::plain::line;

pub(super) fn claim(place: &Place<'_>, mut raw: RawClaim, names: &Names) -> Checked<Claim> {
    let conditional_on = note_ids(place, "conditional_on", &raw.conditional_on, names);
    let under = raw.under.as_ref().map_or(Ok(()), |under| check_under(place, under, names));
    let checker = Checker { place, kind: raw.kind, names };
    let checked = all([
        check_id(place, "id", &raw.id),
        place.filled("text", &raw.text),
        place.named("place", &raw.place),
        checker.check_keys(&raw),
    ]);
    let kind = match raw.kind {
        Kind::Numeric => checker.numeric(&mut raw),
        Kind::Ordinal => checker.ordinal(&mut raw),
        Kind::Arithmetic => checker.arithmetic(&mut raw),
        Kind::Untestable => checker.untestable(&mut raw),
    };
    let ((), (), conditional_on, kind) = (checked?, under?, conditional_on?, kind?);
    let (under, reading_of, audit) = (raw.under, raw.reading_of, raw.audit.unwrap_or(false));
    Ok(Claim { id: raw.id, text: raw.text, place: raw.place, conditional_on, under, reading_of, audit, kind })
}

struct Checker<'a> {
    place: &'a Place<'a>,
    kind: Kind,
    names: &'a Names,
}

impl Checker<'_> {
    /// Checks that no key is given that belongs to another kind of claim.
    fn check_keys(&self, raw: &RawClaim) -> Checked {
        use Kind::{Arithmetic, Numeric, Ordinal, Untestable};
        let keys: [(&str, bool, &[Kind]); 20] = [
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
        let strange = keys.into_iter().filter(|(_, given, kinds)| *given && !kinds.contains(&self.kind));
        all(strange.map(|(key, ..)| {
            Err(self.place.wrong(key, format!("does not belong to {}: remove it", self.kind)))
        }))
    }

    fn numeric(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let metric = self.metric(raw.metric);
        let experiment = self.experiment("experiment", raw.experiment.take());
        let reference = raw.reference.take();
        let reference = metric
            .and_then(|metric| self.reference(metric, experiment.as_deref().unwrap_or_default(), reference));
        let published = self.needed("published", raw.published.take());
        let published = published.and_then(|published| self.published(metric.ok(), published));
        let unit = self.place.named_if_given("unit", raw.unit.as_deref());
        let rounding = self.rounding(raw.rounding.unwrap_or(0.0));
        let n = self.published_n(raw.n, raw.assumed_n);
        let chosen = published.and_then(|published| self.chosen(raw.chosen, published));
        Ok(ClaimKind::Numeric {
            metric: metric?,
            experiment: experiment?,
            reference: reference?,
            published: published?,
            chosen: chosen?,
            unit: unit.map(|()| raw.unit.take())?,
            n: n?,
            rounding: rounding?,
        })
    }

    fn rounding(&self, rounding: f64) -> Checked<f64> {
        if !rounding.is_finite() || rounding < 0.0 {
            let problem = format!(
                "is {rounding}: write the step of the last printed digit, such as 0.01, or 0 for exact"
            );
            return Err(self.place.wrong("rounding", problem));
        }
        self.not_too_large("rounding", rounding).map(|()| rounding)
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
            None => Err(self.place.wrong(
                "reference",
                format!("is missing: `{metric}` needs the experiment that it divides by"),
            )),
            Some(_) if !metric.is_ratio() => {
                Err(self.place.wrong("reference", format!("does not belong to `{metric}`: remove it")))
            }
            Some(reference) if reference == experiment => Err(self
                .place
                .wrong("reference", format!("is `{reference}`, as `experiment` is: name another one"))),
            Some(reference) => self.experiment("reference", Some(reference)).map(Some),
        }
    }

    /// A number, or a range of numbers, that the metric can have.
    fn published(&self, metric: Option<Metric>, published: RawPublished) -> Checked<Published> {
        let wrong = |problem: String| self.place.wrong("published", problem);
        let check = |value: f64| {
            if !value.is_finite() || value < 0.0 {
                return Err(wrong(format!("is {value}: write a number, 0 or more")));
            }
            if let Some(rate) = metric.filter(|metric| metric.is_rate() && value > 1.0) {
                return Err(wrong(format!("is {value}: `{rate}` is a share: write one from 0 to 1")));
            }
            self.not_too_large("published", value).map(|()| value)
        };
        match published {
            RawPublished::Number(value) => Ok(Published::Number(check(value)?)),
            RawPublished::Range([low, high]) if low >= high => Err(wrong(format!(
                "is the empty range [{low}, {high}]: write the lower end first, or one number"
            ))),
            RawPublished::Range(ends) => {
                let [low, high] = ends.map(check);
                Ok(Published::Range(low?, high?))
            }
            RawPublished::Text(text) => {
                let text = line(&text);
                Err(wrong(format!("is the text \"{text}\": write a number or a range [low, high]")))
            }
        }
    }

    /// Which end of a range is our own choice; a number is the paper's.
    fn chosen(&self, chosen: Option<Chosen>, published: Published) -> Checked<Option<Chosen>> {
        match (chosen, published) {
            (Some(_), Published::Number(_)) => {
                let problem = "stands beside a number: write `published` as a range [low, high], one end of which is chosen";
                Err(self.place.wrong("chosen", problem))
            }
            _ => Ok(chosen),
        }
    }

    fn published_n(&self, n: Option<u64>, assumed_n: Option<u64>) -> Checked<PublishedN> {
        let zero = |key| Err(self.place.wrong(key, "is 0: a number comes from at least 1 game"));
        match (n, assumed_n) {
            (Some(0), _) => zero("n"),
            (_, Some(0)) => zero("assumed_n"),
            (Some(n), None) => self.games("n", n).map(PublishedN::Known),
            (None, Some(n)) => self.games("assumed_n", n).map(PublishedN::Assumed),
            (Some(_), Some(_)) => Err(self
                .place
                .wrong("assumed_n", "is given beside `n`: keep `n` if the paper says it, else `assumed_n`")),
            (None, None) => Err(self.place.wrong(
                "n",
                "is missing: give the number of games behind the published value, or `assumed_n` where the paper does \
                 not say it",
            )),
        }
    }

    /// A number of games that a paper may have played.
    fn games(&self, key: &'static str, n: u64) -> Checked<u64> {
        self.place.at_most(key, n, MOST_PUBLISHED_GAMES, "write").map(|()| n)
    }

    fn not_too_large(&self, key: &'static str, value: f64) -> Checked {
        if value.abs() <= LARGEST_NUMBER {
            return Ok(());
        }
        Err(self.place.wrong(key, format!("is {value}: write at most {LARGEST_NUMBER}")))
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
                Err(self.place.wrong("metric", problem))
            }
        }
    }

    fn ordinal(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        if raw.better_studies.is_some() || raw.worse_studies.is_some() {
            return self.ordinal_of_studies(raw);
        }
        let metric = self.metric(raw.metric);
        let better = self.experiment("better", raw.better.take());
        let worse = self.experiment("worse", raw.worse.take());
        let (metric, better, worse) = (metric?, better?, worse?);
        if let Metric::Ratio(quantity) = metric {
            let problem = format!("is `{metric}`, a number: an order compares `{quantity}.mean`");
            return Err(self.place.wrong("metric", problem));
        }
        if better == worse {
            return Err(self.place.wrong("worse", format!("is `{worse}`, as `better` is: name another one")));
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
        let beside = all(beside.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| {
            Err(self
                .place
                .wrong(key, "is given beside studies, which are compared with each other: remove it"))
        }));
        let metric = match self.needed("metric", raw.metric)? {
            RawMetric::Studies(metric) => Ok(metric),
            RawMetric::Games(metric) => {
                let known = known(StudyMetric::ALL.into_iter().map(StudyMetric::name));
                Err(self
                    .place
                    .wrong("metric", format!("is `{metric}`, which studies do not have; known: {known}")))
            }
        };
        let better = self.studies("better_studies", raw.better_studies.take());
        let worse = self.studies("worse_studies", raw.worse_studies.take());
        let (better, worse) = (better?, worse?);
        if better.len() != worse.len() {
            let (one, other) = (better.len(), worse.len());
            let problem = format!("has {other} entries and `better_studies` {one}: give one for each");
            return Err(self.place.wrong("worse_studies", problem));
        }
        if let Some(both) = better.iter().find(|id| worse.contains(id)) {
            let problem = format!("names study `{both}`, as `better_studies` does: name another one");
            return Err(self.place.wrong("worse_studies", problem));
        }
        beside?;
        Ok(ClaimKind::OrdinalOfStudies { metric: metric?, better, worse })
    }

    /// The studies that a key names, at least two of them, which must exist and be named once: one alone shows no spread.
    fn studies(&self, key: &'static str, ids: Option<Vec<String>>) -> Checked<Vec<String>> {
        let ids = self.needed(key, ids)?;
        if ids.len() < 2 {
            return Err(self
                .place
                .wrong(key, "names fewer than two studies: chance cannot be told from one"));
        }
        self.place.few(key, ids.len())?;
        all(ids.iter().enumerate().map(|(before, id)| {
            if !self.names.studies.contains(id) {
                let (id, known) = (line(id), known(self.names.studies.iter().map(String::as_str)));
                return Err(self
                    .place
                    .wrong(key, format!("names study `{id}`, which does not exist; known: {known}")));
            }
            if ids[..before].contains(id) {
                return Err(self.place.wrong(key, format!("names study `{id}` twice: remove one")));
            }
            Ok(())
        }))?;
        Ok(ids)
    }

    fn arithmetic(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let check = self.check(raw);
        let published = self.needed("published", raw.published.take());
        let published = published.and_then(|published| self.stated(published));
        Ok(ClaimKind::Arithmetic { check: check?, published: published? })
    }

    fn stated(&self, published: RawPublished) -> Checked<Stated> {
        match published {
            RawPublished::Number(value) if value.is_finite() => {
                self.not_too_large("published", value).map(|()| Stated::Number(value))
            }
            RawPublished::Number(value) => {
                Err(self.place.wrong("published", format!("is {value}: write a finite number")))
            }
            RawPublished::Text(text) => self.place.named("published", &text).map(|()| Stated::Text(text)),
            RawPublished::Range(_) => Err(self
                .place
                .wrong("published", format!("is a range: {} takes a number or text", self.kind))),
        }
    }

    /// The computation that `check` names, with the fields that `args` gives.
    fn check(&self, raw: &mut RawClaim) -> Checked<Check> {
        let name = self.needed("check", raw.check.take());
        let args = self.needed("args", raw.args.take());
        let (name, args) = (line(&name?), args?);
        check_plain(self.place, "args", "args", &args)?;
        let lists = args.values().filter_map(Value::as_array);
        all(lists.map(|list| self.place.few("args", list.len())))?;
        let check = serde_json::from_value::<Check>(json!({"check": name, "args": args}))
            .map_err(|error| self.wrong_args(&name, &args, &error.to_string()))?;
        let problems = check.problems();
        all(problems.iter().map(|problem| Err(self.wrong_arg(&name, problem.argument(), problem))))?;
        Ok(check)
    }

    fn untestable(&self, raw: &mut RawClaim) -> Checked<ClaimKind> {
        let reason = self.needed("reason", raw.reason.take())?;
        self.place.filled("reason", &reason)?;
        Ok(ClaimKind::Untestable { reason })
    }

    /// Says all that is wrong with arguments that do not make a computation: serde's `message` is about the first of them.
    fn wrong_args(&self, name: &str, args: &Map<String, Value>, message: &str) -> Refused {
        let Some((root, schema)) = args_schema(name) else {
            let problem = words::problem(Some("check"), message);
            return self.place.wrong("check", problem.trim_start_matches("`check` "));
        };
        let found = params::check(root, schema, &Value::Object(args.clone()), "");
        for wrong in &found {
            self.wrong_arg(name, wrong.name(), wrong);
        }
        if found.is_empty() { self.wrong_arg(name, "", words::problem(None, message)) } else { Refused }
    }

    fn wrong_arg(&self, name: &str, argument: &str, problem: impl Display) -> Refused {
        self.place.wrong_within("args", &format!("args.{argument}"), format!("of `{name}`: {problem}"))
    }

    fn needed<T>(&self, key: &'static str, value: Option<T>) -> Checked<T> {
        value.ok_or_else(|| self.place.wrong(key, format!("is missing: {} needs it", self.kind)))
    }

    /// The experiment that a key names, which must exist.
    fn experiment(&self, key: &'static str, id: Option<String>) -> Checked<String> {
        let id = self.needed(key, id)?;
        if self.names.experiment_set.contains(&id) {
            return Ok(id);
        }
        let known = known(self.names.experiments.iter().map(String::as_str));
        let id = line(&id);
        Err(self
            .place
            .wrong(key, format!("is `{id}`, which is not an experiment of this paper; known: {known}")))
    }
}
