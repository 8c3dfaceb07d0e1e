//! The files of a new agent. They stand in `pipeline/templates` and are part of this program, so that it
//! needs no source tree.

use crate::cli::Language;

macro_rules! template {
    ($file:literal) => {
        include_str!(concat!("../../../templates/", $file))
    };
}

const HEADER: &str = include_str!("../../../../engine/include/agent2048.h");
/// The agent in Rust.
pub(super) const RUST_SOURCE: &str = template!("rust/lib.rs");
const RUSTFMT: &str = include_str!("../../../../rustfmt.toml");
const CONFIG: TemplateFile = piece("@NAME@.toml", template!("config.toml"));

/// The files of a language, and what to do with them.
pub(super) struct Template {
    pub(super) files: Vec<TemplateFile>,
    /// The command that builds and tries the agent, in its folder or at the root of the work tree.
    pub(super) next: &'static str,
}

/// One file, with placeholders in its name and its text.
pub(super) struct TemplateFile {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) is_executable: bool,
}

const fn piece(name: &'static str, text: &'static str) -> TemplateFile {
    TemplateFile { name, text, is_executable: false }
}

impl Template {
    pub(super) fn of(language: Language, is_in_workspace: bool) -> Self {
        match language {
            Language::C => Self::native(
                piece("@NAME@.c", template!("c/agent.c")),
                template!("c/Makefile"),
                piece("test_@NAME@.c", template!("c/test.c")),
                template!("c/README.md"),
            ),
            Language::Cpp => Self::native(
                piece("@NAME@.cpp", template!("cpp/agent.cpp")),
                template!("cpp/Makefile"),
                piece("test_@NAME@.cpp", template!("cpp/test.cpp")),
                template!("cpp/README.md"),
            ),
            Language::Python => Self {
                files: vec![
                    TemplateFile { is_executable: true, ..piece("@IDENT@.py", template!("python/agent.py")) },
                    piece("@NAME@.agent", template!("python/agent.agent")),
                    piece("test_@IDENT@.py", template!("python/test.py")),
                    CONFIG,
                    piece("README.md", template!("python/README.md")),
                ],
                next: "python3 -m unittest && @PIPELINE@ eval ./@NAME@.agent",
            },
            Language::Rust => Self::rust(is_in_workspace),
        }
    }

    fn native(
        source: TemplateFile,
        makefile: &'static str,
        test: TemplateFile,
        readme: &'static str,
    ) -> Self {
        let (header, makefile) = (piece("agent2048.h", HEADER), piece("Makefile", makefile));
        let files = vec![source, header, makefile, test, CONFIG, piece("README.md", readme)];
        Self { files, next: "make && @PIPELINE@ eval ./lib@NAME@@SUFFIX@" }
    }

    fn rust(is_in_workspace: bool) -> Self {
        let (cargo, readme, next) = if is_in_workspace {
            (
                template!("rust/Cargo.workspace.toml"),
                template!("rust/README.workspace.md"),
                "cargo build --release && cargo run --release -- eval @NAME@",
            )
        } else {
            (
                template!("rust/Cargo.toml"),
                template!("rust/README.md"),
                "cargo build --release --target-dir target && @PIPELINE@ eval target/release/lib@IDENT@@SUFFIX@",
            )
        };
        let mut files = vec![
            piece("Cargo.toml", cargo),
            piece("src/lib.rs", RUST_SOURCE),
            piece("tests/conformance.rs", template!("rust/conformance.rs")),
            CONFIG,
            piece("README.md", readme),
        ];
        if !is_in_workspace {
            files.push(piece("rustfmt.toml", RUSTFMT));
        }
        Self { files, next }
    }
}

/// The agent's type, as a crate in Rust calls it.
pub(super) fn type_name(name: &str) -> String {
    let words = name.split(['-', '_']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// What stands for the placeholders.
pub(super) struct Placeholders {
    pairs: [(&'static str, String); 5],
}

impl Placeholders {
    pub(super) fn of(name: &str, engine: Option<&str>) -> Self {
        Self {
            pairs: [
                ("@NAME@", name.to_owned()),
                ("@IDENT@", name.replace('-', "_")),
                ("@TYPE@", type_name(name)),
                ("@ENGINE@", engine.unwrap_or_default().to_owned()),
                ("@SUFFIX@", std::env::consts::DLL_SUFFIX.to_owned()),
            ],
        }
    }

    /// A text with its placeholders filled in.
    pub(super) fn fill(&self, text: &str) -> String {
        self.pairs.iter().fold(text.to_owned(), |text, (placeholder, name)| text.replace(placeholder, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_placeholder_is_left() {
        let names = Placeholders::of("two-words", Some("path = \"x\""));
        assert_eq!(names.fill("@TYPE@ @IDENT@"), "TwoWords two_words");
        for language in [Language::Rust, Language::C, Language::Cpp, Language::Python] {
            for piece in Template::of(language, false).files {
                let text = names.fill(piece.name) + &names.fill(piece.text);
                assert!(!text.contains("@NAME") && !text.contains("@ENGINE"), "{}", piece.name);
            }
        }
    }
}
