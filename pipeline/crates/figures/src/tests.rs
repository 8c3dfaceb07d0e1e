//! Every kind of figure with as many rows and as long names as it must stand: the same bytes each time, text
//! inside of the figure and apart from other text, files that others can read.

use std::collections::BTreeSet;
use std::io::Cursor;

use resvg::usvg::roxmltree::Document;

use metrics::Variant;
use stats::{Estimate, Method, Rank, Ruling};
use text::Scale;

use super::axis::Axis;
use super::layout::Frame;
use super::numbers::{decimal, percent, seconds, steps, thousands, ticks};
use super::palette::Indexed;
use super::*;

const AGENTS: usize = 15;

pub(super) fn figure() -> Figure {
    let source = |number: usize| FigureSource {
        experiment: format!("paper/experiment-{number} <&\""),
        identity: format!("{number:064x}"),
        digest: format!("{:064x}", number + 1000),
    };
    Figure {
        id: "a-figure".into(),
        title: "A title that needs a second line: ".repeat(4).trim_end().into(),
        description: "A description with <signs> & \"quotes\".".into(),
        sources: (0..3).map(source).collect(),
    }
}

fn label(row: usize) -> String {
    ["expectimax-final-moves", "mdp-25-as-released", "antagonistic-initial-corner", "a"][row % 4].to_owned()
        + &"-b".repeat(row % 3)
}

/// A ramp: nothing that looks like a result.
fn ramp(row: usize) -> Vec<u64> {
    (0..400).map(|game| 4 * (game * 7 % 400 + 100) * (row as u64 + 1)).collect()
}

fn around(point: f64) -> Estimate {
    Estimate { point, low: point * 0.9, high: point * 1.1, n: 1000, method: Method::SkewT }
}

fn density(row: usize) -> Vec<(f64, f64)> {
    (0..=20_i32)
        .map(|step| (f64::from(step) * 100.0 * (row + 1) as f64, f64::from(10 - (step - 10).abs())))
        .collect()
}

fn share(row: usize, rank: u32) -> Estimate {
    let point = 1.0 / f64::from(1 + rank.abs_diff(8 + row as u32 % 5));
    Estimate { point, low: point * 0.8, high: (point * 1.2).min(1.0), n: 1000, method: Method::SkewT }
}

fn form(row: usize) -> Option<Variant> {
    [None, Some(Variant::AsReleased), Some(Variant::AsWritten)][row % 3]
}

fn scores(rows: usize) -> Scores {
    let row = |row: usize| ScoreRow {
        label: label(row),
        variant: form(row),
        scores: ramp(row),
        density: density(row),
        median: 900.0 * (row + 1) as f64,
        mean: around(1000.0 * (row + 1) as f64),
        published: row.is_multiple_of(2).then_some(1100.0 * (row + 1) as f64),
    };
    Scores { rows: (0..rows).map(row).collect() }
}

fn ecdf(rows: usize) -> Ecdf {
    let series = (0..rows).map(|row| EcdfSeries { label: label(row), scores: ramp(row) }).collect();
    Ecdf { series, axis: "score", tail: Tail::UpTo }
}

fn tiles(rows: usize) -> Tiles {
    let shares = |row: usize| (5..=13).map(|rank| (1 << rank, share(row, rank))).collect();
    let row = |row: usize| TileRow { label: label(row), variant: form(row), n: 1000, shares: shares(row) };
    Tiles { rows: (0..rows).map(row).collect() }
}

fn profiles(rows: usize) -> Ecdf {
    Ecdf { tail: Tail::Above, ..ecdf(rows) }
}

fn pairs(rows: usize) -> Pairs {
    let chance = |row: usize, column: usize| {
        let point = ((row * 7 + column * 3) % 11) as f64 / 10.0;
        let (low, high) = ((point - 0.1).max(0.0), (point + 0.1).min(1.0));
        (row != column).then_some(Estimate { point, low, high, n: 40, method: Method::BrunnerMunzel })
    };
    let chances = |row: usize| (0..rows).map(|column| chance(row, column)).collect();
    Pairs { labels: (0..rows).map(label).collect(), chances: (0..rows).map(chances).collect() }
}

fn ranks(rows: usize) -> Ranks {
    let row = |row: usize| RankRow {
        label: label(row),
        n: 1000,
        rank: Rank { rank: row + 1, best: row / 2 + 1, worst: (row + 3).min(rows) },
    };
    Ranks { rows: (0..rows).map(row).collect() }
}

fn averages() -> Bars {
    let bar = |row: usize| Bar {
        label: label(row),
        value: around(1000.0 * (row + 1) as f64),
        published: Some(5000.0),
    };
    let group = |number: usize| {
        (format!("a long name for the heuristics of group {number}"), (0..5).map(bar).collect())
    };
    let groups = (0..3).map(group).collect();
    Bars { groups, axis: "average points", scale: Scale::Points, counted: "games" }
}

fn cost() -> TimeCosts {
    let point = |row: usize| CostPoint {
        label: format!("{}-{row}", label(row)),
        seconds_per_move: 1e-6 * (1 + row * row * row) as f64,
        score: around(2000.0 * (1 + row * 5 % 7) as f64),
    };
    TimeCosts { points: (0..AGENTS).map(point).collect() }
}

fn nodes() -> NodeCounts {
    let counts = |from: f64| (0..15).map(move |x| (f64::from(x), from + f64::from(x)));
    let search = |name: &str, from: f64| {
        (name.to_owned(), counts(from).map(|(x, nodes)| (x, around(nodes))).collect::<Vec<_>>())
    };
    let mut searches = vec![search("plain", 200.0), search("memoised", 20.0)];
    searches[1].1.remove(3);
    NodeCounts { axis: "empty cells".into(), published: counts(100.0).collect(), searches }
}

fn ratios() -> Bars {
    let bar = |row: usize| Bar {
        label: format!("{} with a rather long name of what was timed", label(row)),
        value: around(2.0 + row as f64),
        published: (row == 1).then_some(14.25),
    };
    let groups = vec![(String::new(), (0..4).map(bar).collect())];
    Bars { groups, axis: "time of the one / time of the other", scale: Scale::Ratio, counted: "trials" }
}

fn claims() -> Claims {
    let verdicts = [Ruling::Consistent, Ruling::Higher, Ruling::Lower, Ruling::Untestable];
    let units = [Scale::Points, Scale::Share, Scale::Ratio, Scale::Points];
    let row = |row: usize| ClaimRow {
        label: format!("{}: {}", label(row), "what is claimed in some words ".repeat(1 + row % 4)),
        scale: units[row / 4 % 4],
        published: match row as f64 * 1000.0 {
            low if row % 5 == 4 => [low, low * 1.2],
            number => [number, number],
        },
        ours: (row % 4 != 3).then(|| around(900.0 * row as f64 + 1.0)),
        published_n: row.is_multiple_of(2).then_some(100),
        ruling: verdicts[row % 4],
    };
    Claims { rows: (0..50).map(row).collect() }
}

fn all() -> Vec<(&'static str, Drawing)> {
    let kinds: Vec<(&str, Box<dyn Chart>)> = vec![
        ("one violin", Box::new(scores(1))),
        ("violins", Box::new(scores(AGENTS))),
        ("two curves", Box::new(ecdf(2))),
        ("curves", Box::new(ecdf(AGENTS))),
        ("few tiles", Box::new(tiles(4))),
        ("tiles", Box::new(tiles(AGENTS))),
        ("profiles", Box::new(profiles(AGENTS))),
        ("one profile", Box::new(profiles(1))),
        ("pairs", Box::new(pairs(AGENTS))),
        ("two pairs", Box::new(pairs(2))),
        ("ranks", Box::new(ranks(AGENTS))),
        ("averages", Box::new(averages())),
        ("cost", Box::new(cost())),
        ("nodes", Box::new(nodes())),
        ("ratios", Box::new(ratios())),
        ("claims", Box::new(claims())),
    ];
    let kinds = kinds.into_iter().chain(study_tests::kinds());
    kinds.map(|(name, kind)| (name, kind.draw(&figure()).unwrap())).collect()
}

#[test]
fn the_same_input_gives_the_same_svg_and_png() {
    for ((name, first), (_, second)) in all().into_iter().zip(all()) {
        assert!(first.svg == second.svg, "{name}");
        assert!(name != "ratios" || first.png().unwrap() == second.png().unwrap());
    }
}

#[test]
fn text_is_inside_of_every_figure_whole_and_apart_from_other_text() {
    for (name, drawing) in all() {
        let (width, height) = drawing.size();
        let texts = &drawing.texts;
        for (index, one) in texts.iter().enumerate() {
            assert!(Frame::new(0.0, 0.0, width, height).holds(&one.frame), "{name}: {one:?}");
            assert!(!one.text.contains('…'), "{name}: {one:?} is shortened");
            let covered = texts[index + 1..].iter().find(|other| one.frame.overlap(&other.frame) >= 0.5);
            assert!(covered.is_none(), "{name}: {one:?} {covered:?}");
        }
    }
}

#[test]
fn every_svg_is_xml_with_title_description_sources_and_all_that_it_refers_to() {
    for (name, drawing) in all() {
        let document = Document::parse(&drawing.svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let named =
            |tag: &'static str| document.descendants().filter(move |node| node.tag_name().name() == tag);
        let text = |tag| named(tag).next().and_then(|node| node.text());
        assert_eq!(text("title"), Some(figure().title.as_str()), "{name}");
        assert_eq!(text("desc"), Some(figure().description.as_str()), "{name}");
        let found: Vec<_> = named("source").collect();
        assert_eq!(found.len(), 3, "{name}");
        for (node, source) in found.iter().zip(figure().sources) {
            assert_eq!(node.attribute("experiment"), Some(source.experiment.as_str()));
            assert_eq!(node.attribute("identity"), Some(&source.identity[..16]));
            assert_eq!(node.attribute("digest"), Some(&source.digest[..16]));
        }
        let ids: BTreeSet<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        for target in named("use").map(|node| node.attribute("href").unwrap()) {
            assert!(ids.contains(target.trim_start_matches('#')), "{name}: {target}");
        }
    }
}

#[test]
fn the_png_has_the_right_size_and_names_the_experiments() {
    let drawing = ratios().draw(&figure()).unwrap();
    let png = drawing.png().unwrap();
    let mut reader = png::Decoder::new(Cursor::new(&png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let info = reader.info();
    assert_eq!((info.width, info.height), (792, (drawing.size().1 * 1.1).round() as u32));
    let texts = &info.compressed_latin1_text;
    let source = texts.iter().find(|text| text.keyword == "Source").unwrap().get_text().unwrap();
    for wanted in figure().sources {
        let told = [&wanted.identity[..16], &wanted.digest[..16]];
        assert!(told.iter().all(|told| source.contains(told)), "{source}");
    }
    assert!(pixels.iter().any(|pixel| *pixel != pixels[0]));
}

#[test]
fn tiles_are_labelled_with_powers_of_two() {
    let labels: Vec<_> = Axis::tiles(8..=15).ticks.into_iter().map(|(_, label)| label).collect();
    assert_eq!(labels, ["256", "512", "1024", "2048", "4096", "8192", "16384", "32768"]);
    let drawing = tiles(4).draw(&figure()).unwrap();
    let numbers: Vec<u32> = drawing.texts.iter().filter_map(|text| text.text.parse().ok()).collect();
    assert!(numbers.contains(&512) && numbers.contains(&1024) && numbers.contains(&2048), "{numbers:?}");
    assert!(numbers.iter().all(|number| number.is_power_of_two()), "{numbers:?}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    assert!(matches!(scores(0).draw(&figure()), Err(FigureError::Empty(_))));
    assert!(matches!(ecdf(0).draw(&figure()), Err(FigureError::Empty(_))));
    let mut no_tile = tiles(2);
    no_tile.rows[0].shares[0].0 = 3000;
    let mut not_finite = scores(3);
    not_finite.rows[1].mean.high = f64::NAN;
    for wrong in [&no_tile as &dyn Chart, &not_finite] {
        let error = wrong.draw(&figure()).unwrap_err();
        assert!(matches!(error, FigureError::NoPlace(_)) && error.to_string().contains("a-figure"));
    }
}

/// How far a published range is drawn from an estimate of 10 with this interval.
fn between(low: f64, high: f64, published: [f64; 2]) -> f64 {
    let ours = Some(Estimate { point: 10.0, low, high, n: 1, method: Method::SkewT });
    ClaimRow { published, ours, ..claims().rows.remove(0) }.distance().unwrap()
}

fn distance(low: f64, high: f64, published: f64) -> f64 {
    between(low, high, [published, published])
}

#[test]
fn a_side_of_an_interval_is_one_half_width_and_one_without_an_end_is_measured_by_the_other() {
    let distances = [8.0, 10.0, 13.0, 16.0].map(|published| distance(8.0, 16.0, published));
    assert_eq!(distances, [-1.0, 0.0, 0.5, 1.0]);
    assert_eq!([13.0, 9.0].map(|published| distance(8.0, f64::INFINITY, published)), [1.5, -0.5]);
    assert_eq!(distance(f64::NEG_INFINITY, f64::INFINITY, 13.0), 0.0);
    // A range is as far as its nearest point.
    let ranges = [[4.0, 6.0], [4.0, 13.0], [13.0, 22.0]].map(|range| between(8.0, 16.0, range));
    assert_eq!(ranges, [-2.0, 0.0, 0.5]);
}

#[test]
fn a_legend_names_the_forms_where_there_are_several() {
    let legend = |rows: usize| -> Vec<String> {
        let texts = scores(rows).draw(&figure()).unwrap().texts.into_iter().map(|text| text.text);
        texts.filter(|text| text.starts_with("density")).collect()
    };
    assert_eq!(legend(1), ["density and some of the games"]);
    let forms = ["as written", "as released", "neither"];
    assert_eq!(legend(3), forms.map(|form| format!("density and some of the games, {form}")));
}

#[test]
fn numbers_are_set_as_readers_expect_them() {
    assert_eq!(["0", "999", "1,000", "−12,345,678"], [0.0, 999.0, 1000.0, -12_345_678.0].map(thousands));
    assert_eq!(["1,234.50", "−0.25", "0.00"], [1234.5, -0.25, -0.001].map(|number| decimal(number, 2)));
    assert_eq!(["0 %", "95 %", "95.5 %", "100 %"], [0.0, 0.95, 0.955, 1.0].map(percent));
    assert_eq!(["100 ns", "2 µs", "50 ms", "1 s"], [1e-7, 2e-6, 0.05, 1.0].map(seconds));
}

#[test]
fn ticks_are_round_and_enclose_the_data() {
    assert_eq!(ticks(0.0, 69_984.0, 6), [0.0, 20_000.0, 40_000.0, 60_000.0, 80_000.0]);
    let numbers = |low, high| steps(low, high).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(numbers(300.0, 1500.0), [200.0, 500.0, 1000.0, 2000.0]);
    assert_eq!(numbers(100.0, 100.0), [100.0, 200.0]);
}

#[test]
fn the_font_kerns_and_has_the_signs_of_the_figures() {
    let width = |text: &str| font::Weight::Regular.width(text, 100.0);
    assert!(width("AV") < width("A") + width("V"));
    for weight in [font::Weight::Regular, font::Weight::Semibold] {
        for sign in "µ×−–…%[],.'/:=αβθ≤≥’ áéöüßł".chars() {
            assert_ne!(weight.shape(&sign.to_string()).glyphs[0].0, 0, "{sign}");
        }
    }
}

#[test]
fn an_image_of_few_colours_keeps_them_all() {
    let rgba: Vec<u8> = (0..200_u8).flat_map(|value| [value, 255 - value, 7, 255]).collect();
    let image = Indexed::new(&rgba, &[], palette::COLORS);
    let palette = image.palette();
    for (pixel, place) in rgba.chunks_exact(4).zip(&image.pixels) {
        assert_eq!(&pixel[..3], &palette[usize::from(*place) * 3..][..3]);
    }
}
