//! Footers and pages that ask for more than there is: they are refused before polars acts on them.

use crate::common::prelude::*;

use polars_parquet_format::{ColumnMetaData, CompressionCodec, FileMetaData, Type};
use records::store::{read_timing_file, write_timing};
use records::{GameTiming, RecordsReader, SealedTable, StoreError};

use crate::forge::{Change, ForgedFile};

fn column(footer: &mut FileMetaData, number: usize) -> &mut ColumnMetaData {
    footer.row_groups[0].columns[number].meta_data.as_mut().unwrap()
}

fn begin(column: &mut ColumnMetaData, offset: i64) {
    (column.dictionary_page_offset, column.data_page_offset) = (None, offset);
}

fn rows(footer: &mut FileMetaData, rows: i64) {
    (footer.num_rows, footer.row_groups[0].num_rows) = (rows, rows);
}

/// Everything that can be read from a file.
fn read(path: &Path) -> Result<Vec<GameRecord>, StoreError> {
    let mut reader = RecordsReader::open(&confined(path))?;
    reader.outcomes()?;
    reader.games().collect()
}

#[test]
fn false_promises_are_harmless_or_refused_as_are_small_files_of_gigabytes() {
    let lab = Lab::with(&experiment("r", "random", 5, ""));
    lab.succeed("run --quiet");
    let (file, forged) = (lab.records_file("p/r"), lab.path("forged.parquet"));
    let changes: [fn(&mut FileMetaData); 20] = [
        |footer| rows(footer, 1 << 60),
        |footer| rows(footer, 1 << 30),
        |footer| rows(footer, 60_000),
        |footer| rows(footer, -1),
        |footer| begin(column(footer, 3), -1),
        |footer| begin(column(footer, 3), i64::MIN),
        |footer| column(footer, 3).dictionary_page_offset = Some(-1),
        |footer| column(footer, 3).total_compressed_size = -1,
        |footer| column(footer, 3).total_compressed_size = i64::MAX,
        |footer| column(footer, 3).total_compressed_size = 0,
        |footer| column(footer, 3).num_values = i64::MAX,
        |footer| column(footer, 3).codec = CompressionCodec::GZIP,
        |footer| column(footer, 3).codec = CompressionCodec(99),
        |footer| column(footer, 3).type_ = Type::DOUBLE,
        |footer| drop(footer.row_groups[0].columns.pop()),
        |footer| footer.row_groups[0].columns.clear(),
        |footer| footer.schema.clear(),
        |footer| footer.schema[0].num_children = Some(i32::MAX),
        |footer| footer.schema[1].name = "\x1b[2J\nFORGED".repeat(1000),
        |footer| footer.created_by = Some("x".repeat(65 << 20)),
    ];
    let mut refused = 0;
    for (number, change) in changes.into_iter().enumerate() {
        ForgedFile::of(&file).write_with(&forged, change);
        match read(&forged) {
            Ok(games) => assert_eq!(games, lab.records("p/r"), "{number}"),
            Err(error) => {
                let told = error.to_string();
                assert!(told.contains("forged.parquet") && told.len() < 1000, "{number}: {told}");
                assert!(told.chars().all(engine::abi::host::is_plain), "{number}: {told}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 16, "{refused}");
    ForgedFile::of(&file).write_with(&forged, |_| ());
    assert_eq!(read(&forged).unwrap(), lab.records("p/r"));
    let bombs: [(Change, &str); 4] = [
        // One text shared by thousands of games.
        (
            |file| {
                file.games(|games| {
                    games[0].directions = "U".repeat(1 << 18);
                    *games = vec![games[0].clone(); 4096];
                });
            },
            "the texts of a row group have",
        ),
        (|file| file.games(|games| games[0].directions = "U".repeat(65 << 20)), "a row group unpacks to"),
        (|file| file.games(|games| *games = vec![games[0].clone(); 1 << 17]), "its row groups do not fit it"),
        (
            |file| {
                file.games(|games| *games = vec![games[0].clone(); 60_000]);
                file.groups = vec![file.groups[0].clone(); 170];
            },
            "its row groups do not fit it",
        ),
    ];
    for (forge, words) in bombs {
        let mut bomb = ForgedFile::of(&file);
        forge(&mut bomb);
        bomb.write(&forged);
        let bytes = std::fs::metadata(&forged).unwrap().len();
        let told = read(&forged).expect_err(words).to_string();
        assert!(bytes < 4 << 20 && told.contains(words), "{bytes} bytes: {told}");
    }
}

#[test]
fn a_table_with_a_forged_footer_is_refused_too() {
    let folder = tempfile::tempdir().unwrap();
    let (good, forged) = (folder.path().join("good.parquet"), folder.path().join("forged.parquet"));
    write_timing(&confined(&good), &[GameTiming { game: 0, cpu_ns: 1, wall_ns: 2 }]).unwrap();
    let changes: [fn(&mut FileMetaData); 4] = [
        |footer| rows(footer, 1 << 60),
        |footer| column(footer, 0).dictionary_page_offset = Some(-1),
        |footer| column(footer, 0).total_compressed_size = i64::MAX,
        |footer| footer.created_by = Some("x".repeat(65 << 20)),
    ];
    ForgedFile::of(&good).write_unsealed(&forged, |_| ());
    assert!(SealedTable::read(&confined(&forged)).is_ok());
    ForgedFile::of(&good).write_unsealed(&forged, |footer| rows(footer, 1 << 30));
    let told = SealedTable::read(&confined(&forged)).unwrap_err().to_string();
    assert_has(&told, &["its row groups do not fit it"]);
    for (number, change) in changes.into_iter().enumerate() {
        ForgedFile::of(&good).write_with(&forged, change);
        assert!(
            SealedTable::read(&confined(&forged)).is_err() && read_timing_file(&confined(&forged)).is_err(),
            "{number}"
        );
    }
}
