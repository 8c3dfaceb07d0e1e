//! The little linear algebra that a Gaussian process needs, in plain `f64` and a fixed order of additions.

/// A lower triangular matrix, row after row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lower(Vec<Vec<f64>>);

impl Lower {
    /// The factor of a symmetric matrix by Cholesky, of which the lower half is given; none if it is not
    /// positive definite.
    pub(crate) fn factor(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        for row in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(row);
            let current = &mut rest[0];
            for column in 0..row {
                let sum = dot(&current[..column], &done[column][..column]);
                current[column] = (current[column] - sum) / done[column][column];
            }
            let pivot = current[row] - dot(&current[..row], &current[..row]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            current[row] = pivot.sqrt();
        }
        Some(Self(rows))
    }

    /// The solution `x` of `L x = right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = Vec::with_capacity(right.len());
        for (row, &value) in self.0.iter().zip(right) {
            let known = solution.len();
            solution.push((value - dot(&row[..known], &solution)) / row[known]);
        }
        solution
    }

    /// The solution `x` of `L^T x = right`.
    pub(crate) fn solve_transposed(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = right.to_vec();
        for row in (0..solution.len()).rev() {
            solution[row] /= self.0[row][row];
            let value = solution[row];
            for (target, factor) in solution[..row].iter_mut().zip(&self.0[row]) {
                *target -= value * factor;
            }
        }
        solution
    }

    /// The logarithm of the determinant of the matrix that was factored.
    pub(crate) fn log_determinant(&self) -> f64 {
        2.0 * self.0.iter().enumerate().map(|(row, values)| libm::log(values[row])).sum::<f64>()
    }
}

/// The sum of products of as many numbers: those at every fourth place in order, then these four sums, then
/// what is left over. The order is fixed, so the sum is the same everywhere; and no addition waits for the
/// one before it, so it is quick.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    let mut sums = [0.0; 4];
    let (fours, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours.zip(others) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_solves_the_system_that_it_came_from() {
        let matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.5], [0.6, 1.5, 3.0]];
        let lower = Lower::factor(vec![vec![4.0], vec![2.0, 5.0], vec![0.6, 1.5, 3.0]]).unwrap();
        let solution = lower.solve_transposed(&lower.solve(&[1.0, 2.0, 3.0]));
        for (row, expected) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            assert!((dot(row, &solution) - expected).abs() < 1e-12);
        }
        // 4 (15 - 2.25) - 2 (6 - 0.9) + 0.6 (3 - 3).
        assert!((lower.log_determinant() - libm::log(40.8)).abs() < 1e-12);
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert_eq!(Lower::factor(vec![vec![1.0], vec![2.0, 1.0]]), None);
        assert_eq!(Lower::factor(vec![vec![f64::NAN]]), None);
    }
}
