//! What the games of a trial came to in one objective: each by itself, or all together where a method asks
//! for no more than means.

/// The losses of some games in one objective, the lower the better.
#[derive(Clone, Debug, PartialEq)]
pub enum Losses {
    /// Of each game.
    Each(Vec<f64>),
    /// Of all of them.
    Together(Sums),
}

/// How many numbers there are, and their sums. Whole numbers are added exactly, so that their order makes no
/// difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// How many.
    pub count: usize,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Sums {
    pub(crate) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The squared standard error of the mean; 0 for a single number, whose spread nothing tells.
    fn variance_of_mean(self) -> f64 {
        let count = self.count as f64;
        let deviations = (self.squares - self.sum * self.sum / count).max(0.0);
        if self.count < 2 { 0.0 } else { deviations / (count - 1.0) / count }
    }
}

impl Losses {
    /// How many games there were.
    pub fn count(&self) -> usize {
        self.sums().count
    }

    /// The loss of each game, where it is known.
    pub fn each(&self) -> Option<&[f64]> {
        match self {
            Self::Each(losses) => Some(losses),
            Self::Together(_) => None,
        }
    }

    /// The sums over all games.
    pub(crate) fn sums(&self) -> Sums {
        match self {
            Self::Each(losses) => losses.iter().fold(Sums::default(), |sums, &loss| Sums {
                count: sums.count + 1,
                sum: sums.sum + loss,
                squares: sums.squares + loss * loss,
            }),
            Self::Together(sums) => *sums,
        }
    }

    pub(crate) fn mean(&self) -> f64 {
        match self {
            Self::Each(losses) => mean(losses),
            Self::Together(sums) => sums.sum / sums.count as f64,
        }
    }

    /// The squared standard error of the mean; 0 for a single game.
    pub(crate) fn variance_of_mean(&self) -> f64 {
        match self {
            Self::Each(losses) => variance_of_mean(losses),
            Self::Together(sums) => sums.variance_of_mean(),
        }
    }

    /// Counts further games.
    pub(crate) fn extend(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Each(mine), Self::Each(theirs)) => mine.extend(theirs),
            (mine, theirs) => {
                let mut sums = mine.sums();
                sums.add(theirs.sums());
                *self = Self::Together(sums);
            }
        }
    }
}

impl From<Vec<f64>> for Losses {
    fn from(losses: Vec<f64>) -> Self {
        Self::Each(losses)
    }
}

/// The mean of some numbers, added in their order.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The squared standard error of the mean of some numbers; 0 for a single one.
pub(crate) fn variance_of_mean(values: &[f64]) -> f64 {
    let (mean, count) = (mean(values), values.len() as f64);
    let sum: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    if values.len() < 2 { 0.0 } else { sum / (count - 1.0) / count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_together_say_of_their_mean_what_each_of_them_says() {
        let each = Losses::Each(vec![-1024.0, -512.0, -2048.0, -512.0]);
        let together = Losses::Together(each.sums());
        assert_eq!((together.count(), together.mean()), (4, -1024.0));
        assert_eq!(together.mean().to_bits(), each.mean().to_bits());
        assert_eq!(together.variance_of_mean(), each.variance_of_mean());
        assert_eq!((each.each().map(<[f64]>::len), together.each()), (Some(4), None));
        assert_eq!(Losses::Together(Losses::Each(vec![-7.0]).sums()).variance_of_mean(), 0.0);
    }

    #[test]
    fn further_games_are_counted_whichever_way_they_are_known() {
        let [first, second] = [vec![1.0, 2.0], vec![6.0]].map(Losses::Each);
        let together = |losses: &Losses| Losses::Together(losses.sums());
        for (mut mine, theirs) in [
            (first.clone(), second.clone()),
            (together(&first), second.clone()),
            (first.clone(), together(&second)),
            (together(&first), together(&second)),
        ] {
            mine.extend(&theirs);
            assert_eq!(mine.sums(), Sums { count: 3, sum: 9.0, squares: 41.0 });
            assert_eq!((mine.mean(), mine.variance_of_mean()), (3.0, 7.0 / 3.0));
        }
    }
}
