//! A forger of sealed files: changes columns, metadata or the footer of a Parquet file, and seals the result
//! as the program would.

use crate::common::prelude::*;

use platform::hash::sha256;
use polars::prelude::{
    Column, DataFrame, IntoColumn as _, NamedFrom, ParquetCompression, ParquetWriter, Series,
    StatisticsOptions, df,
};
use polars_parquet_format::thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol};
use polars_parquet_format::{FileMetaData, KeyValue};
use records::{RecordDigest, RecordsSummary, SealedTable};

const BYTES: &str = "retile.sealed_bytes";
const SEAL: &str = "retile.seal";
const WHOLE: &str = "retile.whole_seal";

/// A sealed file, taken apart.
pub(crate) struct ForgedFile {
    /// Its row groups.
    pub(crate) groups: Vec<DataFrame>,
    /// Its metadata, without the seals.
    pub(crate) metadata: BTreeMap<String, String>,
    path: PathBuf,
}

/// The change made before the file is sealed again.
pub(crate) type Change = fn(&mut ForgedFile);

impl ForgedFile {
    /// Takes a valid file apart.
    pub(crate) fn of(path: &Path) -> Self {
        let SealedTable { frame, mut metadata, .. } = SealedTable::read(&confined(path)).unwrap().unwrap();
        metadata.retain(|key, _| ![BYTES, SEAL, WHOLE].contains(&key.as_str()));
        Self { groups: vec![frame], metadata, path: path.to_owned() }
    }

    /// Replaces a valid file with a changed one.
    pub(crate) fn rewrite(path: &Path, change: impl FnOnce(&mut Self)) {
        let mut forged = Self::of(path);
        change(&mut forged);
        forged.write(path);
    }

    /// Replaces the column of the same name, or appends a new one.
    pub(crate) fn set(&mut self, column: impl Into<Column>) {
        self.groups[0].with_column(column.into()).unwrap();
    }

    /// Changes the JSON that the file says of itself.
    pub(crate) fn header(&mut self, change: impl FnOnce(&mut Value)) {
        let mut header: Value = serde_json::from_str(&self.metadata["retile.header"]).unwrap();
        change(&mut header);
        let identity = identity_of(&header);
        self.metadata.insert("retile.identity".to_owned(), identity);
        self.metadata.insert("retile.header".to_owned(), header.to_string());
    }

    /// Changes the games of a records file, with a digest that matches them.
    pub(crate) fn games(&mut self, change: impl FnOnce(&mut Vec<GameRecord>)) {
        let mut games = records(&self.path);
        change(&mut games);
        let mut digest = RecordDigest::default();
        games.iter().for_each(|game| digest.add(game));
        self.metadata.insert("retile.digest".to_owned(), digest.finish());
        self.groups = vec![frame_of(&games)];
    }

    /// Writes the file with valid seals.
    pub(crate) fn write(&self, path: &Path) {
        self.write_with(path, |_| ());
    }

    /// The same with another footer.
    pub(crate) fn write_with(&self, path: &Path, change: impl FnOnce(&mut FileMetaData)) {
        let (data, mut footer) = self.parquet();
        change(&mut footer);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, sealed(&data, footer, &self.metadata)).unwrap();
    }

    /// The same without seals and metadata, as the first timing files were.
    pub(crate) fn write_unsealed(&self, path: &Path, change: impl FnOnce(&mut FileMetaData)) {
        let (data, mut footer) = self.parquet();
        change(&mut footer);
        footer.key_value_metadata = None;
        fs::write(path, file_of(&data, &footer)).unwrap();
    }

    /// The bytes of the row groups, and a footer.
    fn parquet(&self) -> (Vec<u8>, FileMetaData) {
        let mut bytes = Vec::new();
        let mut writer = ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Zstd(None))
            .with_statistics(StatisticsOptions::empty())
            .set_parallel(false)
            .batched(self.groups[0].schema())
            .unwrap();
        self.groups.iter().for_each(|group| writer.write_batch(group).unwrap());
        writer.finish().unwrap();
        drop(writer);
        let (data, footer) = apart(&bytes);
        (data.to_vec(), footer)
    }
}

/// The hash of the identity in a header.
fn identity_of(header: &Value) -> String {
    sha256(serde_json_canonicalizer::to_string(&header["identity"]).unwrap())
}

/// The row groups and the footer of a Parquet file.
fn apart(bytes: &[u8]) -> (&[u8], FileMetaData) {
    let (rest, end) = bytes.split_at(bytes.len() - 8);
    let length = u32::from_le_bytes(end[..4].try_into().unwrap()) as usize;
    let (data, footer) = rest.split_at(rest.len() - length);
    let mut protocol = TCompactInputProtocol::new(footer, usize::MAX);
    (data, FileMetaData::read_from_in_protocol(&mut protocol).unwrap())
}

/// A Parquet file of row groups and a footer.
fn file_of(data: &[u8], footer: &FileMetaData) -> Vec<u8> {
    let mut encoded = Vec::new();
    footer.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut encoded)).unwrap();
    let length = (encoded.len() as u32).to_le_bytes();
    [data, &encoded, &length, b"PAR1"].concat()
}

/// A Parquet file with both seals.
fn sealed(data: &[u8], mut footer: FileMetaData, metadata: &BTreeMap<String, String>) -> Vec<u8> {
    let mut entries: Vec<(&str, String)> =
        metadata.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    entries.push((BYTES, data.len().to_string()));
    let mut covered = data.to_vec();
    for text in entries.iter().flat_map(|(key, value)| [*key, value]) {
        covered.extend((text.len() as u64).to_le_bytes());
        covered.extend(text.as_bytes());
    }
    entries.push((SEAL, sha256(&covered)));
    let zeros = "0".repeat(64);
    entries.push((WHOLE, zeros.clone()));
    let pair = |(key, value): (&str, String)| KeyValue { key: key.to_owned(), value: Some(value) };
    footer.key_value_metadata = Some(entries.into_iter().map(pair).collect());
    let mut file = file_of(data, &footer);
    let digest = sha256(&file);
    let place = file.windows(64).rposition(|window| window == zeros.as_bytes()).unwrap();
    file[place..place + 64].copy_from_slice(digest.as_bytes());
    file
}

fn frame_of(games: &[GameRecord]) -> DataFrame {
    fn all<'a, T>(games: &'a [GameRecord], of: fn(&'a GameRecord) -> T) -> Vec<T> {
        games.iter().map(of).collect()
    }
    df!(
        "game" => all(games, |game| game.game),
        "tile_seed" => all(games, |game| game.tile_seed),
        "agent_seed" => all(games, |game| game.agent_seed),
        "score" => all(games, |game| game.score),
        "max_tile" => all(games, |game| game.max_tile),
        "moves" => all(games, |game| game.moves),
        "directions" => all(games, |game| &*game.directions),
        "final_board" => all(games, |game| &*game.final_board),
        "nodes" => all(games, |game| game.nodes),
        "ending" => all(games, |game| game.ending.name()),
    )
    .unwrap()
}

/// A column of these values.
pub(crate) fn column<T, Phantom: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, Phantom>,
{
    Series::new(name.into(), values).into_column()
}

/// Makes the index agree with an experiment's forged file, and removes the list of hashes.
pub(crate) fn mend_index(lab: &Lab, key: &str) {
    let mut index = lab.json("results/index.json");
    if let Ok(Some(stored)) = RecordsSummary::read(&confined(lab.records_file(key))) {
        let entry = &mut index["experiments"][key];
        entry["identity"] = stored.identity.into();
        entry["digest"] = stored.digest.into();
        entry["games"] = stored.games.into();
    }
    lab.write("results/index.json", index.to_string());
    let _ = fs::remove_file(lab.path("results/SHA256SUMS"));
}
