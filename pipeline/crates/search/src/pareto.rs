//! Points that no other beats in every objective, and how much of the space below a reference they reach.

/// Whether one is nowhere worse than the other and somewhere better; lower is better.
#[must_use]
pub fn dominates(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b) && a.iter().zip(b).any(|(a, b)| a < b)
}

/// The numbers of those that no other dominates, in their order.
#[must_use]
pub fn front(losses: &[&[f64]]) -> Vec<usize> {
    let is_beaten = |mine: &[f64]| losses.iter().any(|other| dominates(other, mine));
    (0..losses.len()).filter(|&number| !is_beaten(losses[number])).collect()
}

/// The area that two losses reach below a reference: what is dominated by at least one of them and dominates the reference.
#[must_use]
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

/// The numbers of all, front after front, the lonelier first within one.
pub(crate) fn best_first(losses: &[&[f64]]) -> Vec<usize> {
    let ranks = ranks(losses);
    let gaps = crowding(losses, &ranks);
    let mut order: Vec<usize> = (0..losses.len()).collect();
    order.sort_by(|&a, &b| ranks[a].cmp(&ranks[b]).then(gaps[b].total_cmp(&gaps[a])));
    order
}

/// The rank of each: 0 for the front, 1 for the front of what is left without it, and so on.
fn ranks(losses: &[&[f64]]) -> Vec<usize> {
    let mut ranks = vec![usize::MAX; losses.len()];
    for rank in 0.. {
        let open: Vec<usize> = (0..losses.len()).filter(|&number| ranks[number] == usize::MAX).collect();
        if open.is_empty() {
            break;
        }
        let left: Vec<&[f64]> = open.iter().map(|&number| losses[number]).collect();
        for number in front(&left) {
            ranks[open[number]] = rank;
        }
    }
    ranks
}

/// How lonely each is among those of its rank: the gaps to its neighbours, over all objectives; infinite at the ends.
fn crowding(losses: &[&[f64]], ranks: &[usize]) -> Vec<f64> {
    let mut gaps = vec![0.0; losses.len()];
    let objectives = losses.first().map_or(0, |losses| losses.len());
    for rank in 0..=ranks.iter().copied().max().unwrap_or(0) {
        for objective in 0..objectives {
            let mut members: Vec<usize> = (0..losses.len()).filter(|&number| ranks[number] == rank).collect();
            members.sort_by(|&a, &b| losses[a][objective].total_cmp(&losses[b][objective]));
            let (Some(&first), Some(&last)) = (members.first(), members.last()) else { continue };
            let width = losses[last][objective] - losses[first][objective];
            gaps[first] = f64::INFINITY;
            gaps[last] = f64::INFINITY;
            for three in members.windows(3) {
                if width > 0.0 {
                    gaps[three[1]] += (losses[three[2]][objective] - losses[three[0]][objective]) / width;
                }
            }
        }
    }
    gaps
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
}
