//! Section 3.2: how many random games a state gets for 1 to 15 empty cells, and how many of them count.

use ripstein2023::theta::{GamesFrom, GamesTable, MOST_EMPTY, Theta};

fn by_empty_cells(theta: Theta) -> [(Vec<u32>, Vec<u32>); 2] {
    let table: GamesTable = theta.table().unwrap();
    [0, 1].map(|tile| {
        let games = (1..=MOST_EMPTY as u32).map(|empty| table.at(empty)[tile]);
        games.map(|games| (games.played, games.kept)).unzip()
    })
}

#[test]
fn the_tables_are_the_default() {
    let [twos, fours] = by_empty_cells(Theta::default());
    assert_eq!(twos.0, [500, 250, 125, 54, 36, 18, 18, 18, 9, 9, 9, 9, 9, 9, 9]);
    assert_eq!(fours.0, [80, 40, 20, 7, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]);
    assert_eq!((&twos.1, &fours.1), (&twos.0, &fours.0), "all of them count");
}

#[test]
fn the_later_theta_floors_and_leaves_fewer_than_three_for_a_four() {
    let [twos, fours] = by_empty_cells(Theta { games_from: GamesFrom::Theta, ..Theta::default() });
    // 18 * 7 / 9 is 14; the division by a quotient gives a little less.
    assert_eq!(twos.0, [500, 250, 166, 54, 43, 36, 18, 15, 13, 9, 9, 9, 9, 9, 9]);
    assert_eq!(fours.0, [80, 40, 27, 9, 7, 6, 3, 3, 3, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn other_thetas_scale_within_their_ranges() {
    let theta = Theta {
        games_from: GamesFrom::Theta,
        theta1: 300,
        theta2: 60,
        theta3: 28,
        theta4: 20,
        theta5: 4.0,
        ..Theta::default()
    };
    let [twos, fours] = by_empty_cells(theta);
    assert_eq!(twos.0[..9], [300, 150, 100, 60, 48, 40, 28, 24, 21]);
    assert_eq!(twos.0[9..], [20; 6], "the paper's example: 20 for any of 10 to 15");
    assert_eq!(fours.0, [75, 38, 25, 15, 12, 10, 7, 6, 6, 5, 5, 5, 5, 5, 5]);
}

#[test]
fn the_share_kept_is_rounded_up_and_at_least_one() {
    let kept = |top| by_empty_cells(Theta { top, ..Theta::default() }).map(|(_, kept)| kept);
    let [twos, fours] = kept(0.25);
    assert_eq!(twos, [125, 63, 32, 14, 9, 5, 5, 5, 3, 3, 3, 3, 3, 3, 3]);
    assert_eq!(fours, [20, 10, 5, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    let [twos, fours] = kept(0.5);
    assert_eq!((twos[4], twos[8], fours[3], fours[5]), (18, 5, 4, 2));
    let [twos, fours] = kept(1e-9);
    assert_eq!((twos, fours), (vec![1; 15], vec![1; 15]));
}
