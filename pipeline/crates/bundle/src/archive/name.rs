//! Names of files in a bundle: which ones are safe to write below a folder, on any system.

/// The longest name that a plain `ustar` header may have to hold.
const LONGEST: usize = 255;

/// Why a name is not allowed; none where it is.
pub fn objection(name: &str) -> Option<&'static str> {
    let is_absolute = name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
    let mut parts = name.split('/');
    match () {
        () if name.is_empty() => Some("has no name"),
        () if name.len() > LONGEST => Some("has too long a name"),
        () if name.chars().any(|letter| letter.is_control() || letter == '\\') => {
            Some("has a control character or a backslash in its name")
        }
        () if name.chars().any(is_misleading) => {
            Some("has a character in its name that makes it look like another")
        }
        () if is_absolute => Some("is an absolute path"),
        () if parts.any(|part| part.is_empty() || part == "." || part == "..") => {
            Some("leaves its folder, or has an empty part")
        }
        () => None,
    }
}

/// Marks of direction, and letters without width: with them a name can look like another.
const fn is_misleading(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_names_are_allowed() {
        for name in ["a", "a/b.txt", ".zenodo.json", "source/.ci/run", "a..b/c"] {
            assert_eq!(objection(name), None, "{name}");
        }
        let long = "x".repeat(256);
        for name in [
            "",
            "/a",
            "../a",
            "a/../b",
            "a//b",
            "a/",
            "./a",
            "a\\b",
            "C:/a",
            "a\nb",
            "a/\0",
            "a\u{202e}b",
            &long,
        ] {
            assert!(objection(name).is_some(), "{name}");
        }
    }
}
