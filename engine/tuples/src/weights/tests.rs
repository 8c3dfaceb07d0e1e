use engine::Board;

use super::*;

fn network() -> Network {
    let tuples = ["01", "0145", "c"].map(|tuple| tuple.parse().unwrap());
    Network::new(tuples.to_vec(), Sampling::Symmetric, CellValues::Fifteen)
}

fn file() -> Vec<u8> {
    let network = network();
    encode(&network, 0.5, (0..network.weights()).map(|index| index as f32 / 4.0 - 1000.0))
}

fn error(file: &[u8]) -> String {
    Weights::parse(file).err().map_or_else(String::new, |error| error.to_string())
}

#[test]
fn what_was_written_is_read() {
    let file = file();
    let weights = Weights::parse(&file[..]).unwrap();
    assert_eq!((weights.network(), weights.step()), (&network(), 0.5));
    let board: Board = "2 4 8 16 / 32 . . 64 / . 128 . . / 4 . 2 2".parse().unwrap();
    let rounded = |index| f32::from(quantised(index as f32 / 4.0 - 1000.0, 0.5)) * 0.5;
    assert_eq!(weights.value(*board), f64::from(network().sum(*board, rounded)));
    assert_eq!(encode(&network(), 0.5, (0..network().weights()).map(rounded)), file, "rounding is done once");
}

#[test]
fn weights_are_rounded_to_the_nearest_step_and_stop_at_the_ends() {
    let numbers = [0.0, 3.9, 4.0, -4.0, -12.1, 1e9, -1e9, f32::NAN].map(|weight| quantised(weight, 8.0));
    assert_eq!(numbers, [0, 0, 1, -1, -2, i16::MAX, i16::MIN, 0]);
}

#[test]
fn the_layout_is_the_documented_one() {
    let file = file();
    assert_eq!(file[..8], *b"RTLTUPLE");
    let numbers: Vec<u32> =
        file[8..32].chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(numbers, [1, 15, 1, 0.5_f32.to_bits(), 3, 0]);
    assert_eq!(file[32..40], [2, 0, 1, 255, 255, 255, 255, 255]);
    assert_eq!(file[40..48], [4, 0, 1, 4, 5, 255, 255, 255]);
    assert_eq!(file[48..56], [1, 12, 255, 255, 255, 255, 255, 255]);
    assert_eq!(file[56..64], [0; 8]);
    assert_eq!(file[64..66], (-2000_i16).to_le_bytes());
    assert_eq!(file.len(), 64 + 2 * (256 + 65536 + 16));
}

#[test]
fn no_file_is_read_whose_header_is_damaged_or_whose_end_is_missing() {
    let whole = file();
    for (byte, bit) in (0..64).flat_map(|byte| (0..8).map(move |bit| (byte, bit))) {
        let mut damaged = whole.clone();
        damaged[byte] ^= 1 << bit;
        match Weights::parse(&damaged[..]) {
            Err(_) => {}
            // A header can become another that is as good: another step, other cells, another sampling.
            Ok(weights) => assert!((weights.network(), weights.step()) != (&network(), 0.5), "{byte}.{bit}"),
        }
    }
    for length in [0, 7, 8, 20, 31, 32, 40, 55, 63, 64, 66, whole.len() - 1] {
        assert!(Weights::parse(&whole[..length]).is_err(), "{length} bytes");
    }
    assert!(Weights::parse([&whole[..], &[0]].concat()).is_err());
}

#[test]
fn errors_name_the_field_and_the_remedy() {
    let changed = |place: usize, number: u32| {
        let mut file = file();
        file[place..place + 4].copy_from_slice(&number.to_le_bytes());
        error(&file)
    };
    assert_eq!(error(b"no weights"), "not a file of weights: it does not begin with RTLTUPLE");
    assert!(changed(8, 2).contains("has version 2; this program reads version 1"));
    assert!(changed(12, 17).contains("ranks a cell tells apart is 17, must be 15 or 16"));
    assert!(changed(16, 3).contains("images is 3, must be 0, 1 or 2"));
    assert!(changed(20, 0).contains("step is 0, must be a positive number"));
    assert!(changed(20, f32::NAN.to_bits()).contains("step is NaN"));
    assert!(changed(24, 0).contains("number of tuples is 0, must be from 1 to 64"));
    assert!(changed(24, u32::MAX).contains("number of tuples"));
    assert!(changed(28, 1).contains("number at byte 28 is 1, must be zero"));
    assert!(changed(32, 0).contains("tuple 0 must be 1 to 7 rising cells"));
    assert!(changed(56, 1).contains("zeros before its tables"));
    assert!(error(&file()[..40]).contains("ends within its header"));
    assert!(error(&file()[..100]).contains("has 100 bytes, its tables need 131680"));
}
