//! What a contest came to, in words: the first sentence says which agent is stronger, by how much, and how sure that is.

use super::view::{Pair, View};
use crate::contest::{Judge, PairDecision};
use crate::lookup::chosen_agent::rules_words;
use crate::output::export::Exportable;
use crate::output::style::Style;
use rendering::tables::{Cell, Table};
use stats::Estimate;
use text::{Scale, counted};

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
        if self.pairs.len() > 1 {
            for table in self.tables().iter().skip(1) {
                text.push_str(&format!("{bold}{}{plain}\n{}", table.title, table.terminal()));
                text.push_str(&format!("{dim}{}{plain}\n\n", table.caption));
            }
        }
        text.push_str(&format!("{dim}{}{plain}\n", self.footing()));
        text
    }

    /// The result, then the figures that it rests on.
    fn summary(&self) -> String {
        let found = match &self.pairs[..] {
            [only] => self.of_two(only),
            _ => self.of_several(),
        };
        found + &self.not_repeatable()
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
    /// The contestants whose games no other contest repeats, if any.
    fn not_repeatable(&self) -> String {
        let fickle = (0..self.contestants.len()).filter(|&place| !self.contestants[place].repeatable);
        let names: Vec<String> = fickle.map(|place| self.name(place)).collect();
        match names.is_empty() {
            true => String::new(),
            false => {
                format!("Not repeatable, so another contest plays different games: {}.\n", listed(&names))
            }
        }
    }

    /// A contestant with its letter.
    fn name(&self, place: usize) -> String {
        format!("{} ({})", self.contestants[place].label, letter(place))
    }

    fn of_two(&self, pair: &Pair) -> String {
        let mut text = format!("{}\n", self.sentence(pair));
        if let (Judge::OneSided(_), Some(decision)) = (&self.test, pair.decision) {
            text.push_str(&format!("{}\n", self.one_sided(decision)));
        }
        let tally = pair.tally;
        text.push_str(&format!(
            "A won {}, B won {} and {} tied of {}.\n",
            tally.losses,
            tally.wins,
            tally.ties,
            counted(tally.pairs(), "seed")
        ));
        if pair.same_scores {
            text.push_str("Both have the same score on every seed: they may well be the same games.\n");
        }
        for (place, contestant) in self.contestants.iter().enumerate() {
            let mean =
                contestant.mean.map(|mean| Cell::Estimate(mean, Scale::Points).text()).unwrap_or_default();
            text.push_str(&format!("{}  mean score {mean}  {}\n", letter(place), contestant.setting));
        }
        if let Some(scores) = &pair.scores {
            let mean = Cell::Estimate(scores.mean, Scale::Points).text();
            let superiority = Cell::Estimate(scores.superiority, Scale::Share).text();
            let correlation = scores.correlation.map(|found| format!("; correlation {:.2}", found.point));
            text.push_str(&format!(
                "B minus A: {mean} points; P(B > A) {superiority}{}\n",
                correlation.unwrap_or_default()
            ));
        }
        text
    }

    /// Which of two is stronger, by how much, with its interval.
    fn sentence(&self, pair: &Pair) -> String {
        let (first, second) = (self.name(pair.first), self.name(pair.second));
        let is_one_sided = matches!(self.test, Judge::OneSided(_));
        let leads = match pair.decision {
            Some(PairDecision::FirstStronger) => Some(false),
            Some(PairDecision::SecondStronger) if !is_one_sided => Some(true),
            _ if is_one_sided && pair.elo.low > 0.0 => Some(true),
            _ if is_one_sided && pair.elo.high < 0.0 => Some(false),
            _ => None,
        };
        match (leads, pair.decision) {
            (Some(true), _) => format!("{second} is stronger than {first}, by {}.", lead(&pair.elo)),
            (Some(false), _) => {
                format!("{first} is stronger than {second}, by {}.", lead(&turned(&pair.elo)))
            }
            (None, Some(PairDecision::NoDifference)) => format!(
                "There is no difference worth {} Elo between {first} and {second}: B over A is {}.",
                self.worth(),
                lead(&pair.elo)
            ),
            (None, Some(_)) => {
                format!(
                    "These games do not tell {first} and {second} apart: B over A is {}.",
                    lead(&pair.elo)
                )
            }
            (None, None) => format!(
                "Undecided after {} between {first} and {second}: B over A is {}; {}.",
                counted(self.seeds, "seed"),
                lead(&pair.elo),
                self.remedy()
            ),
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
            Judge::TwoSided(test) => test.worth(),
            Judge::OneSided(_) => 0.0,
        }
    }

    /// A one-sided decision. One for elo1 says no more than that the difference is above elo0, and one for elo0 that it is below elo1.
    fn one_sided(&self, decision: PairDecision) -> String {
        let Judge::OneSided(test) = &self.test else { return String::new() };
        let (elo0, elo1) = test.elos();
        decided(decision, &[self.name(0), self.name(1)], elo0, elo1)
    }

    fn of_several(&self) -> String {
        let leaders: Vec<usize> =
            (0..self.contestants.len()).filter(|&place| self.contestants[place].best_place == 1).collect();
        let names: Vec<String> = leaders.iter().map(|&place| self.name(place)).collect();
        let mut text = match &names[..] {
            [only] => format!("{only} is stronger than all others.\n"),
            _ => {
                format!("{} lead: these games do not tell which of them is the strongest.\n", listed(&names))
            }
        };
        let open = self.pairs.iter().filter(|pair| pair.decision.is_none()).count() as u64;
        if open > 0 {
            let (pairs, seeds) = (counted(open, "pair"), counted(self.seeds, "seed"));
            let verb = if open == 1 { "is" } else { "are" };
            text.push_str(&format!("{pairs} {verb} undecided after {seeds}: {}.\n", self.remedy()));
        }
        text.push_str(&format!(
            "A difference matters from {} Elo; the errors are those of all {} together.\n",
            self.worth(),
            counted(self.pairs.len() as u64, "test")
        ));
        text
    }

    /// What the figures rest on.
    fn footing(&self) -> String {
        let rules = rules_words(&self.rules);
        let starts = match self.starts.len() as u64 {
            0 => String::new(),
            count => format!(" from {} by turns", counted(count, "board")),
        };
        let mut text = format!(
            "{}{starts}, master seed {}, {rules}.\nThe test chose when to stop, so intervals are a little too narrow.",
            counted(self.seeds, "seed"),
            self.seed
        );
        for records in &self.records {
            text.push_str(&format!("\nrecords: {}", records.display()));
        }
        text
    }
}

/// A decision of a one-sided test.
fn decided(decision: PairDecision, [first, second]: &[String; 2], elo0: f64, elo1: f64) -> String {
    let is_stronger = decision == PairDecision::SecondStronger;
    match is_stronger {
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
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
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
    lead_within(elo, "95 % interval ")
}

/// The same where a line has to be short.
pub(super) fn brief_lead(elo: &Estimate) -> String {
    lead_within(elo, "")
}

fn lead_within(elo: &Estimate, interval: &str) -> String {
    let text = |value: f64| text::thousands(value.round());
    match (elo.low.is_finite(), elo.high.is_finite()) {
        _ if elo.n == 0 => "unknown".to_owned(),
        (true, true) => {
            format!("{} Elo ({interval}{} to {})", text(elo.point), text(elo.low), text(elo.high))
        }
        (true, false) => format!("{} Elo or more (all seeds won)", text(elo.low)),
        (false, true) => format!("{} Elo or less (all seeds lost)", text(elo.high)),
        (false, false) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Tally, elo};

    #[test]
    fn a_one_sided_decision_says_no_more_than_the_hypotheses_do() {
        let names = ["old (A)".to_owned(), "new (B)".to_owned()];
        let words = |is_stronger: bool, elo0, elo1| {
            let decision =
                if is_stronger { PairDecision::SecondStronger } else { PairDecision::SecondNotStronger };
            decided(decision, &names, elo0, elo1)
        };
        for (is_stronger, elo0, elo1, said) in [
            (true, 0.0, 10.0, "new (B) is stronger than old (A): 10 Elo rather than 0."),
            (true, -10.0, 0.0, "new (B) is not weaker than old (A) by 10 Elo: 0 rather than -10."),
            (false, 0.0, 10.0, "new (B) is not stronger than old (A) by 10 Elo: 0 rather than 10."),
            (false, -10.0, 0.0, "new (B) is weaker than old (A): -10 Elo rather than 0."),
        ] {
            assert_eq!(words(is_stronger, elo0, elo1), said);
        }
    }

    #[test]
    fn a_lead_is_told_with_its_interval_or_its_one_end() {
        let words = |losses, ties, wins| lead(&elo(Tally { losses, ties, wins }));
        assert_eq!(words(0, 0, 0), "unknown");
        assert!(words(67, 0, 18).starts_with("−228 Elo (95 % interval −3"), "{}", words(67, 0, 18));
        let brief = brief_lead(&elo(Tally { losses: 67, ties: 0, wins: 18 }));
        assert_eq!(brief, words(67, 0, 18).replace("95 % interval ", ""));
        assert!(words(0, 0, 20).ends_with(" Elo or more (all seeds won)"), "{}", words(0, 0, 20));
        assert!(
            words(20, 0, 0).starts_with('−') && words(20, 0, 0).contains("or less"),
            "{}",
            words(20, 0, 0)
        );
        assert_eq!([letter(0), letter(25), letter(26)], ["A", "Z", "#27"]);
    }
}
