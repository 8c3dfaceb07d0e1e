//! The result of a contest in words: the first sentence says which agent is stronger, by how much, and how
//! sure that is.

use super::view::{Pair, View};
use crate::contest::{ContestScore, PairDecision, PairTest};
use crate::lookup::chosen_agent::rules_words;
use crate::output::export::Exportable;
use crate::output::style::Style;
use rendering::tables::{Cell, Table};
use stats::{Estimate, elo};
use text::{Scale, counted, counted_verb};

impl Exportable for View {
    fn title(&self) -> String {
        let labels: Vec<&str> = self.contestants.iter().map(|contestant| contestant.label.as_str()).collect();
        format!("{}, compared", labels.join(", "))
    }

    fn text(&self, style: Style) -> String {
        let Style { bold, dim, plain, .. } = style;
        let words = self.summary();
        let (first, rest) = words.split_once('\n').unwrap_or((&words, ""));
        let mut text = format!("{bold}{first}{plain}\n{rest}\n");
        for table in self.tables().iter().skip(1) {
            text += &format!("{bold}{}{plain}\n{}", table.title, table.terminal());
            text += &format!("{dim}{}{plain}\n\n", table.caption);
        }
        text + &format!("{dim}{}{plain}\n", self.footing())
    }

    /// The result, then the figures that support it.
    fn summary(&self) -> String {
        let found = match &self.pairs[..] {
            [only] => self.of_two(only),
            _ => self.of_several(),
        };
        match self.names(|place| !self.contestants[place].repeatable) {
            fickle if fickle.is_empty() => found,
            fickle => {
                let fickle = listed(&fickle);
                format!("{found}Not repeatable, so another contest plays different games: {fickle}.\n")
            }
        }
    }

    /// Every pair first; with more than two agents also their ratings, and the matrix.
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.pairs_table()];
        if self.contestants.len() > 2 {
            tables.extend([self.ratings_table(), self.matrix()]);
        }
        tables
    }
}

impl View {
    /// A contestant with its letter.
    fn name(&self, place: usize) -> String {
        format!("{} ({})", self.contestants[place].label, letter(place))
    }

    fn names(&self, is_named: impl Fn(usize) -> bool) -> Vec<String> {
        (0..self.contestants.len()).filter(|&place| is_named(place)).map(|place| self.name(place)).collect()
    }

    fn of_two(&self, pair: &Pair) -> String {
        let mut text = format!("{}\n", self.sentence(pair));
        if let (PairTest::OneSided(test), Some(decision)) = (&self.test, pair.score.decision) {
            text += &format!("{}\n", decided(decision, &[self.name(0), self.name(1)], test.elos()));
        }
        let tally = pair.score.tally;
        let (lost, won, tied, seeds) = (tally.losses, tally.wins, tally.ties, tally.pairs());
        text += &format!("A won {lost}, B won {won} and {tied} tied of {}.\n", counted(seeds, "seed"));
        if pair.same_scores {
            text += "Both have the same score on every seed: they may well be the same games.\n";
        }
        let points = |estimate| Cell::Estimate(estimate, Scale::Points).text();
        for (place, contestant) in self.contestants.iter().enumerate() {
            let mean = contestant.mean.map(points).unwrap_or_default();
            text += &format!("{}  mean score {mean}  {}\n", letter(place), contestant.setting);
        }
        if let Some(scores) = &pair.scores {
            let superiority = Cell::Estimate(scores.superiority, Scale::Share).text();
            let correlation = scores.correlation.map(|found| format!("; correlation {:.2}", found.point));
            let correlation = correlation.unwrap_or_default();
            let mean = points(scores.mean);
            text += &format!("B minus A: {mean} points; P(B > A) {superiority}{correlation}\n");
        }
        text
    }

    /// Which of two is stronger, by how much, with its interval.
    fn sentence(&self, pair: &Pair) -> String {
        let [first, second] = [pair.score.first, pair.score.second].map(|place| self.name(place));
        let elo = lead(&pair.elo);
        let leads = match (&self.test, pair.score.decision) {
            (PairTest::TwoSided(_), Some(PairDecision::SecondStronger)) => Some(true),
            (PairTest::TwoSided(_), Some(PairDecision::FirstStronger)) => Some(false),
            (PairTest::OneSided(_), _) if pair.elo.low > 0.0 => Some(true),
            (PairTest::OneSided(_), _) if pair.elo.high < 0.0 => Some(false),
            _ => None,
        };
        match (leads, pair.score.decision) {
            (Some(true), _) => format!("{second} is stronger than {first}, by {elo}."),
            (Some(false), _) => {
                format!("{first} is stronger than {second}, by {}.", lead(&turned(&pair.elo)))
            }
            (None, Some(PairDecision::NoDifference)) => {
                let worth = self.worth();
                format!(
                    "There is no difference worth {worth} Elo between {first} and {second}: B over A is {elo}."
                )
            }
            (None, Some(_)) => {
                format!("These games do not tell {first} and {second} apart: B over A is {elo}.")
            }
            (None, None) => {
                let (seeds, remedy) = (counted(self.seeds, "seed"), self.remedy());
                format!("Undecided after {seeds} between {first} and {second}: B over A is {elo}; {remedy}.")
            }
        }
    }

    /// What to do about a contest that is not decided.
    fn remedy(&self) -> &'static str {
        if self.seeds < self.limit {
            "the same command goes on"
        } else {
            "a higher --limit goes on from here"
        }
    }

    fn worth(&self) -> f64 {
        match &self.test {
            PairTest::TwoSided(test) => test.worth(),
            PairTest::OneSided(_) => 0.0,
        }
    }

    fn of_several(&self) -> String {
        let leaders = self.names(|place| self.contestants[place].best_place == 1);
        let mut text = match &leaders[..] {
            [only] => format!("{only} is stronger than all others.\n"),
            _ => {
                let leaders = listed(&leaders);
                format!("{leaders} lead: these games do not tell which of them is the strongest.\n")
            }
        };
        let open = self.pairs.iter().filter(|pair| pair.score.decision.is_none()).count() as u64;
        if open > 0 {
            let (pairs, seeds) = (counted_verb(open, "pair", ["is", "are"]), counted(self.seeds, "seed"));
            text += &format!("{pairs} undecided after {seeds}: {}.\n", self.remedy());
        }
        let (worth, tests) = (self.worth(), counted(self.pairs.len() as u64, "test"));
        text + &format!(
            "A difference matters from {worth} Elo; the errors are those of all {tests} together.\n"
        )
    }

    /// Seeds, starts, rules and records behind the figures.
    fn footing(&self) -> String {
        let (seeds, rules) = (counted(self.seeds, "seed"), rules_words(&self.rules));
        let starts = match self.starts.len() as u64 {
            0 => String::new(),
            count => format!(" from {} by turns", counted(count, "board")),
        };
        let records = self.records.iter().map(|records| format!("\nrecords: {}", records.display()));
        format!(
            "{seeds}{starts}, master seed {}, {rules}.\nThe test chose when to stop, so intervals are a little too \
             narrow.{}",
            self.seed,
            records.collect::<String>()
        )
    }
}

/// The score in a line.
pub(super) fn progress(score: &ContestScore) -> String {
    if let [only] = &score.pairs[..] {
        let (won, lost, tied) = (only.tally.losses, only.tally.wins, only.tally.ties);
        let lead = lead(&elo(only.tally)).replace("95 % interval ", "");
        return format!("A won {won}, B won {lost}, {tied} tied; B over A {lead}");
    }
    let open = score.pairs.iter().filter(|pair| pair.decision.is_none());
    let open: Vec<String> = open.map(|pair| letter(pair.first) + &letter(pair.second)).collect();
    let (decided, all) = (score.pairs.len() - open.len(), counted(score.pairs.len() as u64, "pair"));
    match open.len() {
        0 => format!("all of {all} decided"),
        1..=8 => format!("{decided} of {all} decided; open: {}", open.join(" ")),
        _ => format!("{decided} of {all} decided"),
    }
}

/// A decision of a one-sided test. One for elo1 says no more than that the difference is above elo0, and one
/// for elo0 that it is below elo1.
fn decided(decision: PairDecision, [first, second]: &[String; 2], (elo0, elo1): (f64, f64)) -> String {
    match decision == PairDecision::SecondStronger {
        true if elo0 >= 0.0 => format!("{second} is stronger than {first}: {elo1} Elo rather than {elo0}."),
        true => format!("{second} is not weaker than {first} by {} Elo: {elo1} rather than {elo0}.", -elo0),
        false if elo1 > 0.0 => {
            format!("{second} is not stronger than {first} by {elo1} Elo: {elo0} rather than {elo1}.")
        }
        false => format!("{second} is weaker than {first}: {elo0} Elo rather than {elo1}."),
    }
}

/// Names in a sentence: `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., second, last] => [first, &[format!("{second} and {last}")]].concat().join(", "),
        _ => names.concat(),
    }
}

/// The letter of a contestant: A, B, … Z, then its number.
pub(super) fn letter(place: usize) -> String {
    match u8::try_from(place) {
        Ok(place) if place < 26 => char::from(b'A' + place).to_string(),
        _ => format!("#{}", place + 1),
    }
}

fn turned(elo: &Estimate) -> Estimate {
    Estimate { point: -elo.point, low: -elo.high, high: -elo.low, ..*elo }
}

/// A lead in Elo with its interval.
fn lead(elo: &Estimate) -> String {
    let [point, low, high] = [elo.point, elo.low, elo.high].map(|value| text::thousands(value.round()));
    match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) if elo.n > 0 => format!("{point} Elo (95 % interval {low} to {high})"),
        (true, false) if elo.n > 0 => format!("{low} Elo or more (all seeds won)"),
        (false, true) if elo.n > 0 => format!("{high} Elo or less (all seeds lost)"),
        _ => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Tally;

    #[test]
    fn a_one_sided_decision_says_no_more_than_the_hypotheses_do() {
        let names = ["old (A)".to_owned(), "new (B)".to_owned()];
        let words = |is_stronger: bool, elo0, elo1| {
            let decision =
                if is_stronger { PairDecision::SecondStronger } else { PairDecision::SecondNotStronger };
            decided(decision, &names, (elo0, elo1))
        };
        for (is_stronger, elo0, elo1, expected) in [
            (true, 0.0, 10.0, "new (B) is stronger than old (A): 10 Elo rather than 0."),
            (true, -10.0, 0.0, "new (B) is not weaker than old (A) by 10 Elo: 0 rather than -10."),
            (false, 0.0, 10.0, "new (B) is not stronger than old (A) by 10 Elo: 0 rather than 10."),
            (false, -10.0, 0.0, "new (B) is weaker than old (A): -10 Elo rather than 0."),
        ] {
            assert_eq!(words(is_stronger, elo0, elo1), expected);
        }
    }

    #[test]
    fn a_lead_is_shown_with_its_interval_or_its_one_end() {
        let words = |losses, ties, wins| lead(&elo(Tally { losses, ties, wins }));
        assert_eq!(words(0, 0, 0), "unknown");
        assert!(words(67, 0, 18).starts_with("−228 Elo (95 % interval −3"), "{}", words(67, 0, 18));
        assert!(words(0, 0, 20).ends_with(" Elo or more (all seeds won)"), "{}", words(0, 0, 20));
        assert!(
            words(20, 0, 0).starts_with('−') && words(20, 0, 0).contains("or less"),
            "{}",
            words(20, 0, 0)
        );
        assert_eq!([letter(0), letter(25), letter(26)], ["A", "Z", "#27"]);
    }
}
