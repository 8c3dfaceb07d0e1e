//! The test vectors of the README against the code that reads and writes files of weights.

use engine::Board;
use tuples::{CellValues, Network, Sampling, Tuple, Weights, weights};

const README: &str = include_str!("../README.md");

/// The cells of the rows of a table, from the one whose first column is called `first`.
fn table(first: &str) -> Vec<Vec<&'static str>> {
    let head = format!("| {first} |");
    let rows = README.lines().skip_while(|line| !line.starts_with(&head)).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

fn network(tuples: &[&str], sampling: Sampling, values: CellValues) -> Network {
    let tuples: Vec<Tuple> = tuples.iter().map(|tuple| tuple.parse().unwrap()).collect();
    Network::new(tuples, sampling, values)
}

/// The file of a network whose numbers are those that the README gives.
fn file(network: &Network) -> Vec<u8> {
    let number = |(table, index): (usize, usize)| ((31 * index + 7 * table) % 2003) as f32 - 1001.0;
    let tables = network.tuples().map(Tuple::table_len).enumerate();
    let numbers: Vec<f32> = tables
        .flat_map(|(table, len)| (0..len).map(move |index| number((table, index))))
        .map(|number| number * 0.5)
        .collect();
    weights::encode(network, 0.5, numbers.into_iter())
}

#[test]
fn every_vector_holds() {
    let boards: Vec<Board> = ["- A: `", "- B: `", "- C: `"]
        .map(|start| README.lines().find_map(|line| line.strip_prefix(start)?.strip_suffix('`')).unwrap())
        .iter()
        .map(|board| board.parse().unwrap())
        .collect();
    let rows = table("ranks");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let values = if row[0] == "15" { CellValues::Fifteen } else { CellValues::Sixteen };
        let sampling = match row[1] {
            "0" => Sampling::Single,
            "1" => Sampling::Symmetric,
            _ => Sampling::Distinct,
        };
        let network = network(&["0123", "4567", "0145", "015"], sampling, values);
        assert_eq!(network.lookups().to_string(), row[2], "{row:?}");
        let file = file(&network);
        let weights = Weights::parse(&file[..]).unwrap();
        let found: Vec<String> =
            boards.iter().map(|board| format!("{:.1}", weights.value(**board))).collect();
        assert_eq!(found, row[3..], "{row:?}");
    }
}

#[test]
fn of_images_with_the_same_cells_the_first_in_the_readmes_order_counts() {
    let rows = table("tuple");
    assert_eq!(rows.len(), 4);
    for row in rows {
        let tuple = row[0].trim_matches('`');
        let images: Vec<&str> = row[1].trim_matches('`').split(' ').collect();
        let network = network(&[tuple], Sampling::Distinct, CellValues::Sixteen);
        // Sixteen cells of sixteen ranks: the index says which cells were read, and in which order.
        let numbered = *Board::from_packed(0xfedc_ba98_7654_3210);
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        network.visit(numbered, |index| found.push(index));
        for image in images {
            let reversed: String = image.chars().rev().collect();
            expected.push(usize::from_str_radix(&reversed, 16).unwrap());
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{tuple}");
    }
}
