//! The method of Nelder and Mead: a minimum of a smooth function of a few numbers, without its slope.

/// Where a function is smallest near a start, after at most this many evaluations.
pub(crate) fn minimise(
    start: &[f64],
    step: f64,
    evaluations: usize,
    function: impl Fn(&[f64]) -> f64,
) -> (Vec<f64>, f64) {
    let mut simplex = Simplex::around(start, step, &function);
    let mut spent = start.len() + 1;
    while spent < evaluations && !simplex.is_small() {
        spent += simplex.step(&function);
    }
    simplex.corners.swap_remove(0)
}

/// How near the worst corner must be to the best one for the search to end.
const TOLERANCE: f64 = 1e-7;

/// One corner more than there are numbers, with the function's values, the smallest first.
struct Simplex {
    corners: Vec<(Vec<f64>, f64)>,
}

impl Simplex {
    fn around(start: &[f64], step: f64, function: &impl Fn(&[f64]) -> f64) -> Self {
        let corner = |moved: Option<usize>| {
            let mut corner = start.to_vec();
            if let Some(moved) = moved {
                corner[moved] += step;
            }
            let value = function(&corner);
            (corner, value)
        };
        let mut simplex =
            Self { corners: std::iter::once(None).chain((0..start.len()).map(Some)).map(corner).collect() };
        simplex.sort();
        simplex
    }

    fn sort(&mut self) {
        self.corners.sort_by(|a, b| a.1.total_cmp(&b.1));
    }

    fn is_small(&self) -> bool {
        let worst = self.corners.len() - 1;
        (self.corners[worst].1 - self.corners[0].1).abs() < TOLERANCE
    }

    /// Moves the worst corner, or all but the best. Gives the number of evaluations.
    fn step(&mut self, function: &impl Fn(&[f64]) -> f64) -> usize {
        let worst = self.corners.len() - 1;
        let centre = self.centre();
        let along = |factor: f64| {
            let corner: Vec<f64> = centre
                .iter()
                .zip(&self.corners[worst].0)
                .map(|(&centre, &x)| centre + factor * (centre - x))
                .collect();
            let value = function(&corner);
            (corner, value)
        };
        let reflected = along(1.0);
        let (moved, spent) = if reflected.1 < self.corners[0].1 {
            let expanded = along(2.0);
            (Some(if expanded.1 < reflected.1 { expanded } else { reflected }), 2)
        } else if reflected.1 < self.corners[worst - 1].1 {
            (Some(reflected), 1)
        } else {
            let contracted = along(if reflected.1 < self.corners[worst].1 { 0.5 } else { -0.5 });
            let is_better = contracted.1 < self.corners[worst].1.min(reflected.1);
            (is_better.then_some(contracted), 2)
        };
        let spent = match moved {
            Some(moved) => {
                self.corners[worst] = moved;
                spent
            }
            None => spent + self.shrink(function),
        };
        self.sort();
        spent
    }

    /// The middle of all corners but the worst.
    fn centre(&self) -> Vec<f64> {
        let others = self.corners.len() - 1;
        (0..others)
            .map(|number| {
                self.corners[..others].iter().map(|(corner, _)| corner[number]).sum::<f64>() / others as f64
            })
            .collect()
    }

    /// Draws all corners halfway to the best.
    fn shrink(&mut self, function: &impl Fn(&[f64]) -> f64) -> usize {
        let best = self.corners[0].0.clone();
        for (corner, value) in &mut self.corners[1..] {
            for (x, best) in corner.iter_mut().zip(&best) {
                *x = f64::midpoint(*x, *best);
            }
            *value = function(corner);
        }
        best.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_rosenbrocks_valley_is_found() {
        let valley = |x: &[f64]| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2);
        let (minimum, value) = minimise(&[-1.2, 1.0], 0.5, 1000, valley);
        assert!(
            value < 1e-5 && (minimum[0] - 1.0).abs() < 0.01 && (minimum[1] - 1.0).abs() < 0.01,
            "{minimum:?}"
        );
    }

    #[test]
    fn it_ends_when_its_evaluations_are_spent() {
        let calls = std::cell::Cell::new(0);
        let _ = minimise(&[5.0, 5.0, 5.0], 1.0, 30, |x| {
            calls.set(calls.get() + 1);
            x.iter().map(|x| x * x).sum()
        });
        assert!(calls.get() <= 30 + 5, "{}", calls.get());
    }
}
