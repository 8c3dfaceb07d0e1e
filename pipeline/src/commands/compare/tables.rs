//! The tables of a contest: every two agents, and of more than two their ratings and who scores higher than whom.

use super::view::{Pair, View};
use super::words::letter;
use crate::contest::PairDecision;
use rendering::tables::{Cell, Table};
use text::{Scale, percent};

impl View {
    pub(super) fn pairs_table(&self) -> Table {
        let header = [
            "A",
            "B",
            "seeds",
            "A won",
            "tied",
            "B won",
            "Elo of B over A",
            "P(B > A)",
            "B minus A",
            "decision",
        ];
        let row = |pair: &Pair| {
            let label = |place: usize| Cell::Text(self.contestants[place].label.clone());
            let tally = pair.tally;
            let scores = pair.scores.as_ref();
            vec![
                label(pair.first),
                label(pair.second),
                Cell::Count(tally.pairs()),
                Cell::Count(tally.losses),
                Cell::Count(tally.ties),
                Cell::Count(tally.wins),
                Cell::Estimate(pair.elo, Scale::Points),
                scores.map_or(Cell::Empty, |scores| Cell::Estimate(scores.superiority, Scale::Share)),
                scores.map_or(Cell::Empty, |scores| Cell::Estimate(scores.mean, Scale::Points)),
                Cell::Text(decision(pair.decision).to_owned()),
            ]
        };
        let rows = self.pairs.iter().map(row).collect();
        table(
            "pairs",
            "Every two agents",
            "Intervals of 95 %, a little too narrow: the test chose when to stop.",
            &header,
            rows,
        )
    }

    /// The strongest first.
    pub(super) fn ratings_table(&self) -> Table {
        let header = ["place", "", "agent", "Elo", "mean score"];
        let mut order: Vec<usize> = (0..self.contestants.len()).collect();
        let rating = |place: usize| self.contestants[place].rating.map_or(0.0, |rating| rating.point);
        order.sort_by(|&one, &other| rating(other).total_cmp(&rating(one)));
        let row = |place: usize| {
            let of = &self.contestants[place];
            let places = match (of.best_place, of.worst_place) {
                (best, worst) if best == worst => best.to_string(),
                (best, worst) => format!("{best} to {worst}"),
            };
            vec![
                Cell::Text(places),
                Cell::Text(letter(place)),
                Cell::Text(of.label.clone()),
                of.rating.map_or(Cell::Empty, |rating| Cell::Estimate(rating, Scale::Points)),
                of.mean.map_or(Cell::Empty, |mean| Cell::Estimate(mean, Scale::Points)),
            ]
        };
        let caption = "Elo by Bradley and Terry's model, the average being 0; a place is a range where tests leave it open.";
        table("ratings", "Ratings", caption, &header, order.into_iter().map(row).collect())
    }

    /// The probability that a game of the row's agent scores higher than one of the column's.
    pub(super) fn matrix(&self) -> Table {
        let count = self.contestants.len();
        let letters: Vec<String> = (0..count).map(letter).collect();
        let header: Vec<&str> = ["", "agent"].into_iter().chain(letters.iter().map(String::as_str)).collect();
        let row = |one: usize| {
            let mut row = vec![Cell::Text(letter(one)), Cell::Text(self.contestants[one].label.clone())];
            row.extend((0..count).map(|other| self.cell(one, other)));
            row
        };
        let caption =
            "P(row scores more than column), ties half; > stronger, < weaker, = no difference that matters.";
        table("superiority", "Probability of improvement", caption, &header, (0..count).map(row).collect())
    }

    fn cell(&self, one: usize, other: usize) -> Cell {
        let is_it = |pair: &&Pair| [pair.first, pair.second] == [one.min(other), one.max(other)];
        let Some(pair) = self.pairs.iter().find(is_it).filter(|_| one != other) else { return Cell::Empty };
        let Some(scores) = &pair.scores else { return Cell::Empty };
        let second = scores.superiority.point;
        let share = if one == pair.second { second } else { 1.0 - second };
        let mark = match (pair.winner(), pair.decision) {
            (Some(winner), _) if winner == one => " >",
            (Some(_), _) => " <",
            (None, Some(_)) => " =",
            (None, None) => "",
        };
        Cell::Text(format!("{} %{mark}", percent(share)))
    }
}

const fn decision(decision: Option<PairDecision>) -> &'static str {
    match decision {
        Some(PairDecision::FirstStronger) => "A is stronger",
        Some(PairDecision::SecondStronger) => "B is stronger",
        Some(PairDecision::NoDifference) => "no difference that matters",
        Some(PairDecision::SecondNotStronger) => "B is not stronger",
        None => "undecided",
    }
}

fn table(id: &str, title: &str, caption: &str, header: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    let header = header.iter().map(|&heading| heading.to_owned()).collect();
    Table { id: id.to_owned(), title: title.to_owned(), caption: caption.to_owned(), header, rows }
}
