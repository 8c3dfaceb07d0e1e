//! Text from outside, made fit to be shown. A manifest, a plugin, a program, a record or git may hold
//! anything: sequences that move a terminal's cursor, marks that turn the reading direction round, a name of
//! ten thousand characters.
//!
//! What becomes part of a message or a cell goes through [`line()`] where it enters; whatever is printed goes
//! through [`screen()`] or [`json()`] at last, so that nothing that was overlooked reaches a terminal.

use std::borrow::Cow;
use std::path::Path;

use engine::abi::host::is_plain;

/// The most characters of foreign text in a message.
const LONGEST_LINE: usize = 300;

/// The most characters of a foreign text of several lines.
const LONGEST_PARAGRAPH: usize = 2000;

/// The codes by which our own output sets words off. No more than colour and weight can come of one.
const STYLES: [&str; 6] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[1;31m"];

/// A foreign text as part of a line: what does not show as itself is replaced, and no more is kept than can
/// be read.
pub fn line(text: &str) -> String {
    shortened(text, LONGEST_LINE)
}

/// The same with another greatest length, in characters.
pub fn shortened(text: &str, longest: usize) -> String {
    let mut line: String = text.chars().take(longest).map(shown).collect();
    if text.chars().nth(longest).is_some() {
        line.push('…');
    }
    line
}

/// A letter, or what stands for it if it does not show as itself.
fn shown(letter: char) -> char {
    if is_plain(letter) { letter } else { char::REPLACEMENT_CHARACTER }
}

/// A file's name for a message, of any length. A line break in it would look like another message.
pub fn path(path: &Path) -> String {
    shortened(&path.to_string_lossy(), usize::MAX)
}

/// A text of several lines on one, as it is where a manifest wraps its sentences: what parts its words is one
/// space.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A foreign text of several lines, such as a report of an error: as [`line()`], with its line breaks, and
/// longer.
pub fn paragraph(whole: &str) -> String {
    let mut shown: String = text(whole).chars().take(LONGEST_PARAGRAPH).collect();
    if whole.chars().nth(LONGEST_PARAGRAPH).is_some() {
        shown.push('…');
    }
    shown
}

/// A whole text for a terminal or a file: beside plain characters it keeps line breaks and tabs.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| is_plain(letter) || matches!(letter, '\n' | '\t')) {
        return Cow::Borrowed(text);
    }
    let keep = |letter| if matches!(letter, '\n' | '\t') { letter } else { shown(letter) };
    Cow::Owned(text.chars().map(keep).collect())
}

/// A whole text for a screen that shows our own styles, which it keeps too.
pub fn screen(whole: &str) -> Cow<'_, str> {
    if !whole.contains('\x1b') {
        return text(whole);
    }
    let mut parts = whole.split('\x1b');
    let mut shown = text(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        match STYLES.iter().find(|style| part.starts_with(&style[1..])) {
            Some(_) => shown.push('\x1b'),
            None => shown.push(char::REPLACEMENT_CHARACTER),
        }
        shown.push_str(&text(part));
    }
    Cow::Owned(shown)
}

/// JSON with everything that does not show as itself written as an escape, which means the same.
pub fn json(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| is_plain(letter) || letter == '\n') {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_plain(letter) || letter == '\n' {
            escaped.push(letter);
        } else {
            let mut units = [0; 2];
            letter
                .encode_utf16(&mut units)
                .iter()
                .for_each(|unit| escaped.push_str(&format!("\\u{unit:04x}")));
        }
    }
    Cow::Owned(escaped)
}

/// A foreign text as part of Markdown: it says what it says, and is neither a link, nor HTML, nor the end of
/// a cell.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let before_word =
            letters.peek().is_some_and(|next| next.is_ascii_alphabetic() || "#/!?".contains(*next));
        match letter {
            '<' if before_word => escaped.push_str("&lt;"),
            '&' if before_word => escaped.push_str("&amp;"),
            // Brackets alone are intervals; a link has a parenthesis behind them.
            '(' if escaped.ends_with(']') => escaped.push_str("\\("),
            '\\' | '|' | '`' | '*' | '~' => escaped.extend(['\\', letter]),
            '\n' | '\t' => escaped.push(' '),
            letter => escaped.push(shown(letter)),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: [&str; 9] = [
        "\x1b[2J\x1b[1;1H",
        "\x1b]0;title\x07",
        "\u{9b}31m",
        "a\rb",
        "\u{202e}gpj.exe",
        "\u{2066}\u{2069}",
        "zero\u{200b}width\u{feff}",
        "para\u{2029}graph\u{2028}",
        "del\x7f\x08\0",
    ];

    fn is_harmless(text: &str) -> bool {
        text.chars().all(|letter| is_plain(letter) || letter == '\n' || letter == '\t')
    }

    #[test]
    fn nothing_that_commands_a_terminal_is_left_in_any_form() {
        for hostile in HOSTILE {
            for shown in [
                line(hostile),
                paragraph(hostile),
                text(hostile).into_owned(),
                screen(hostile).into_owned(),
                json(hostile).into_owned(),
                markdown(hostile),
            ] {
                assert!(is_harmless(&shown), "{hostile:?} became {shown:?}");
            }
        }
        let whole = "ünïcödé, 日本語 and 2 × 3 − 1 ± ½ … stay as they are";
        assert_eq!((line(whole), text(whole)), (whole.to_owned(), Cow::Borrowed(whole)));
    }

    #[test]
    fn lines_end_after_300_characters_and_paragraphs_after_2000() {
        let long = "é".repeat(10_000);
        assert_eq!(line(&long).chars().count(), 301);
        assert_eq!(paragraph(&long).chars().count(), 2001);
        assert_eq!(line(&long[..600]), long[..600]);
        assert_eq!(path(Path::new(&long)), long);
        assert_eq!(path(Path::new("a\nb")), "a\u{fffd}b");
        assert_eq!((line("a\nb"), paragraph("a\nb")), ("a\u{fffd}b".to_owned(), "a\nb".to_owned()));
    }

    #[test]
    fn sentences_that_are_wrapped_come_back_on_one_line() {
        assert_eq!(unwrapped("  The mean\n    is 3. \n\tAnd more.\n"), "The mean is 3. And more.");
    }

    #[test]
    fn a_screen_keeps_our_own_styles_and_no_other_sequence() {
        let ours = "\x1b[1mbold\x1b[0m and \x1b[1;31mred\x1b[0m\n";
        assert_eq!(screen(ours), ours);
        assert_eq!(screen("\x1b[5mblinks\x1b[0m"), "\u{fffd}[5mblinks\x1b[0m");
        assert_eq!(text("\x1b[1mbold"), "\u{fffd}[1mbold");
    }

    #[test]
    fn json_means_the_same_after_it_was_made_plain() {
        for hostile in HOSTILE.into_iter().chain(["\u{e0041}", "a\"\\b"]) {
            let value = serde_json::json!({"key": hostile});
            let shown = serde_json::to_string_pretty(&value).unwrap();
            let back: serde_json::Value = serde_json::from_str(&json(&shown)).unwrap();
            assert_eq!(back, value);
        }
    }

    #[test]
    fn markdown_says_what_it_says_and_does_nothing() {
        assert_eq!(markdown("a | b\nc"), "a \\| b c");
        assert_eq!(markdown("[click](http://x)"), "[click]\\(http://x)");
        assert_eq!(markdown("<img src=x></p><!--"), "&lt;img src=x>&lt;/p>&lt;!--");
        assert_eq!(markdown("P(X <= 3) & more"), "P(X <= 3) & more");
        assert_eq!(markdown("`2*8` \\ &lt;"), "\\`2\\*8\\` \\\\ &amp;lt;");
        assert_eq!(markdown("1,024 [1,000, 1,048] _x_"), "1,024 [1,000, 1,048] _x_");
    }
}
