//! The four directions of a slide, and sets of them.

use serde::{Deserialize, Serialize};

/// A direction in which the player can slide the tiles. The numbers are part of the ABI and of the records.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Towards row 0.
    Up = 0,
    /// Towards column 3.
    Right = 1,
    /// Towards row 3.
    Down = 2,
    /// Towards column 0.
    Left = 3,
}

impl Direction {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// The letter that stands for this direction in a record: `U`, `R`, `D` or `L`.
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Left => 'L',
        }
    }

    /// The direction that a record's letter stands for.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'U' => Some(Self::Up),
            'R' => Some(Self::Right),
            'D' => Some(Self::Down),
            'L' => Some(Self::Left),
            _ => None,
        }
    }

    /// Whether the tiles move along columns.
    pub const fn is_vertical(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }
}

/// A set of directions; bit `d` stands for the direction with number `d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// No direction.
    pub const NONE: Self = Self(0);

    /// The set whose members are the low four bits of `mask`.
    pub const fn from_mask(mask: u8) -> Self {
        Self(mask & 0b1111)
    }

    /// The set as four bits.
    pub const fn mask(self) -> u8 {
        self.0
    }

    /// Whether `direction` is a member.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction as u8) != 0
    }

    /// How many members the set has.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no member.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.contains(direction))
    }

    /// `wanted` if it is a member, or else the next member in the order of numbers, in which up follows left
    /// again. None of an empty set.
    pub fn at_or_after(self, wanted: Direction) -> Option<Direction> {
        let mut turns = Direction::ALL;
        turns.rotate_left(wanted as usize);
        turns.into_iter().find(|&direction| self.contains(direction))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        Self(directions.into_iter().fold(0, |mask, direction| mask | 1 << direction as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_round_trip() {
        for direction in Direction::ALL {
            assert_eq!(Direction::from_letter(direction.letter()), Some(direction));
            assert_eq!(Direction::ALL[direction as usize], direction);
        }
        assert_eq!(Direction::from_letter('u'), None);
    }

    #[test]
    fn a_set_lists_its_members_in_order() {
        let set: Directions = [Direction::Left, Direction::Right].into_iter().collect();
        assert_eq!(set.mask(), 0b1010);
        assert_eq!(set.iter().collect::<Vec<_>>(), [Direction::Right, Direction::Left]);
        assert_eq!(Directions::from_mask(0xf0), Directions::NONE);
    }

    #[test]
    fn the_next_member_is_the_wanted_one_itself_or_comes_after_it_in_a_circle() {
        let set: Directions = [Direction::Right, Direction::Down].into_iter().collect();
        let next = Direction::ALL.map(|wanted| set.at_or_after(wanted));
        let [right, down] = [Direction::Right, Direction::Down].map(Some);
        assert_eq!(next, [right, right, down, right]);
        assert_eq!(Directions::NONE.at_or_after(Direction::Up), None);
    }
}
