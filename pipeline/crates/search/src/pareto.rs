//! Points that no other beats in every objective, and how much of the space below a reference they reach.

use std::cmp::Ordering;

/// Whether one is nowhere worse than the other and somewhere better; lower is better.
pub fn dominates(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b) && a.iter().zip(b).any(|(a, b)| a < b)
}

/// The numbers of those that no other dominates, in their order.
pub fn front(losses: &[&[f64]]) -> Vec<usize> {
    let mut front: Vec<usize> = Vec::new();
    for number in best_objective_first(losses) {
        if !front.iter().any(|&other| dominates(losses[other], losses[number])) {
            front.push(number);
        }
    }
    front.sort_unstable();
    front
}

/// The numbers of all by their first objective, then the second, and so on: nobody comes before one that
/// dominates it.
fn best_objective_first(losses: &[&[f64]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..losses.len()).collect();
    let compare = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).fold(Ordering::Equal, Ordering::then)
    };
    order.sort_by(|&a, &b| compare(losses[a], losses[b]));
    order
}

/// The area that two losses reach below a reference: what is dominated by at least one of them and dominates
/// the reference.
pub fn hypervolume(losses: &[[f64; 2]], reference: [f64; 2]) -> f64 {
    let mut inside: Vec<[f64; 2]> =
        losses.iter().copied().filter(|loss| loss[0] < reference[0] && loss[1] < reference[1]).collect();
    inside.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut ceiling = reference[1];
    let mut area = 0.0;
    for [x, y] in inside {
        if y < ceiling {
            area += (reference[0] - x) * (ceiling - y);
            ceiling = y;
        }
    }
    area
}

/// The numbers of this many losses of the front, spread along it: both ends of the first objective, and then
/// always the one that is farthest from all that were chosen, where the front is as wide in every objective.
/// They come in the order of the first objective.
pub fn spread(losses: &[&[f64]], count: usize) -> Vec<usize> {
    let mut open = front(losses);
    // Equal ones are the same place on the front: the first of them stands for all.
    open.sort_by(|&a, &b| losses[a][0].total_cmp(&losses[b][0]).then(a.cmp(&b)));
    open.dedup_by(|a, b| losses[*a] == losses[*b]);
    let scaled = scaled(losses, &open);
    let gap = |a: usize, b: usize| -> f64 {
        scaled[a].iter().zip(&scaled[b]).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < count.min(open.len()) {
        let next = match chosen.len() {
            0 => 0,
            1 => open.len() - 1,
            _ => {
                let room = |&candidate: &usize| {
                    chosen.iter().map(|&other| gap(candidate, other)).fold(f64::INFINITY, f64::min)
                };
                let candidates = (0..open.len()).filter(|candidate| !chosen.contains(candidate));
                // The first of several that are as far.
                candidates.rev().max_by(|a, b| room(a).total_cmp(&room(b))).unwrap_or(0)
            }
        };
        chosen.push(next);
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|place| open[place]).collect()
}

/// The smallest of some numbers, and how much the largest is above it; 1 if all are equal.
pub(crate) fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    (low, if high > low { high - low } else { 1.0 })
}

/// The losses of some, each objective from 0 to 1 over these.
fn scaled(losses: &[&[f64]], numbers: &[usize]) -> Vec<Vec<f64>> {
    let objectives = numbers.first().map_or(0, |&number| losses[number].len());
    let range = |objective: usize| span(numbers.iter().map(|&number| losses[number][objective]));
    let ranges: Vec<(f64, f64)> = (0..objectives).map(range).collect();
    let scale = |&number: &usize| {
        losses[number].iter().zip(&ranges).map(|(loss, (low, width))| (loss - low) / width).collect()
    };
    numbers.iter().map(scale).collect()
}

/// The numbers of all, front after front, the lonelier first within one.
pub(crate) fn best_first(losses: &[&[f64]]) -> Vec<usize> {
    let ranks = ranks(losses);
    let gaps = crowding(losses, &ranks);
    let mut order: Vec<usize> = (0..losses.len()).collect();
    order.sort_by(|&a, &b| ranks[a].cmp(&ranks[b]).then(gaps[b].total_cmp(&gaps[a])));
    order
}

/// The rank of each: 0 for the front, 1 for the front of what is left without it, and so on. It is one more
/// than the highest rank of those that dominate it.
fn ranks(losses: &[&[f64]]) -> Vec<usize> {
    let mut ranks = vec![0; losses.len()];
    let order = best_objective_first(losses);
    for (place, &number) in order.iter().enumerate() {
        let above = order[..place].iter().filter(|&&other| dominates(losses[other], losses[number]));
        ranks[number] = above.map(|&other| ranks[other] + 1).max().unwrap_or(0);
    }
    ranks
}

/// How lonely each is among those of its rank: the gaps to its neighbours, over all objectives; infinite at
/// the ends.
fn crowding(losses: &[&[f64]], ranks: &[usize]) -> Vec<f64> {
    let mut gaps = vec![0.0; losses.len()];
    let objectives = losses.first().map_or(0, |losses| losses.len());
    let mut fronts = vec![Vec::new(); ranks.iter().max().map_or(0, |most| most + 1)];
    ranks.iter().enumerate().for_each(|(number, &rank)| fronts[rank].push(number));
    for front in &fronts {
        (0..objectives).for_each(|objective| add_gaps(&mut gaps, front, |number| losses[number][objective]));
    }
    gaps
}

/// Adds to each of a front the gap to its neighbours by one objective, as a share of the whole front.
fn add_gaps(gaps: &mut [f64], front: &[usize], loss: impl Fn(usize) -> f64) {
    let mut members = front.to_vec();
    members.sort_by(|&a, &b| loss(a).total_cmp(&loss(b)));
    let (Some(&first), Some(&last)) = (members.first(), members.last()) else { return };
    let width = loss(last) - loss(first);
    gaps[first] = f64::INFINITY;
    gaps[last] = f64::INFINITY;
    for three in members.windows(3) {
        if width > 0.0 {
            gaps[three[1]] += (loss(three[2]) - loss(three[0])) / width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_is_what_nothing_dominates() {
        let losses = [[1.0, 4.0], [2.0, 2.0], [3.0, 3.0], [4.0, 1.0], [2.0, 2.0]];
        let losses = losses.each_ref().map(|loss| &loss[..]);
        assert_eq!(front(&losses), [0, 1, 3, 4], "equal ones do not dominate each other");
        assert_eq!(ranks(&losses), [0, 0, 1, 0, 0]);
    }

    #[test]
    fn the_hypervolume_is_the_union_of_rectangles() {
        let reference = [4.0, 4.0];
        assert_eq!(hypervolume(&[[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]], reference), 3.0 + 2.0 + 1.0);
        assert_eq!(hypervolume(&[[2.0, 2.0], [3.0, 3.0]], reference), 4.0, "what is dominated adds nothing");
        assert_eq!(hypervolume(&[[5.0, 0.0]], reference), 0.0, "what is beyond the reference neither");
    }

    #[test]
    fn the_ends_are_lonely_and_the_crowded_are_not() {
        let losses = [[0.0, 10.0], [1.0, 5.0], [1.5, 4.5], [2.0, 4.0], [10.0, 0.0]];
        let losses = losses.each_ref().map(|loss| &loss[..]);
        let gaps = crowding(&losses, &ranks(&losses));
        assert!(gaps[0].is_infinite() && gaps[4].is_infinite());
        assert!(gaps[2] < gaps[1] && gaps[2] < gaps[3]);
    }

    #[test]
    fn points_of_a_front_are_spread_with_both_ends_in() {
        let losses =
            [[9.0, 0.0], [0.0, 8.0], [0.1, 7.9], [4.4, 4.0], [5.0, 5.0], [0.2, 7.8], [8.8, 0.1], [0.0, 8.0]];
        let losses = losses.each_ref().map(|loss| &loss[..]);
        assert_eq!(spread(&losses, 3), [1, 3, 0], "the ends and the middle, in order");
        assert_eq!(spread(&losses, 2), [1, 0]);
        assert_eq!(spread(&losses, 1), [1], "the best in the first objective");
        assert_eq!(spread(&losses, 20), [1, 2, 5, 3, 6, 0], "neither the dominated one nor a twin");
        assert_eq!(spread(&[], 3), Vec::<usize>::new());
    }
}
