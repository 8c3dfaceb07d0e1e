use super::*;
use crate::board::Board;
