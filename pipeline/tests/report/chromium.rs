//! Headless Chromium, where it is there.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use html5gum::Token;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::skip;
use crate::html::tokens;
use crate::sample::{DRAWING, FIGURES};

/// Counts the texts of each sheet of a PDF of Chromium: a sheet names the object with its drawing.
const SHEETS: &str = r#"
import json, re, sys, zlib
pdf = open(sys.argv[1], "rb").read()
objects = dict((int(number), body) for number, body in re.findall(rb"(\d+) 0 obj\s(.*?)endobj", pdf, re.S))
sheets = [body for body in objects.values() if re.search(rb"/Type /Page\b", body)]
def texts(sheet):
    content = objects[int(re.search(rb"/Contents (\d+) 0 R", sheet).group(1))]
    stream = zlib.decompress(re.search(rb"stream\r?\n(.*?)endstream", content, re.S).group(1))
    return len(re.findall(rb"\bBT\b", stream))
print(json.dumps([texts(sheet) for sheet in sheets]))
"#;

/// A browser's command.
pub(crate) struct Chromium(&'static str);

impl Chromium {
    /// The browser; none, with a word about it, on a machine without it.
    pub(crate) fn find() -> Option<Self> {
        let runs = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs);
        if found.is_none() {
            skip("there is no Chromium; as root on Debian, pipeline/tests/install-chromium gets it");
        }
        found.map(Self)
    }

    /// Opens a page and reads the JSON that its scripts leave in the element `result`.
    pub(crate) fn result(&self, page: &str, window: &str, flags: &[&str]) -> Value {
        let dump = ["--dump-dom", "--timeout=120000"];
        let folder = folder_with(page);
        let output = self.open(&folder.path().join("report/index.html"), window, &[&dump, flags].concat());
        let dom = String::from_utf8(output.stdout).expect("UTF-8");
        let text = element_text(&dom, "result");
        serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{error}: the page leaves {text:?}\n{}", tail(&output.stderr)))
    }

    /// Prints a page, and counts the texts on each sheet. Skips without Python.
    pub(crate) fn printed(&self, page: &str) -> Option<Vec<usize>> {
        let folder = folder_with(page);
        self.printed_file(&folder.path().join("report/index.html"))
    }

    /// The same for a page in its folder.
    pub(crate) fn printed_file(&self, page: &Path) -> Option<Vec<usize>> {
        let folder: TempDir = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("page.pdf");
        let print = format!("--print-to-pdf={}", file.display());
        let output =
            self.open(page, "1280,900", &[&print, "--no-pdf-header-footer", "--virtual-time-budget=5000"]);
        assert!(file.exists(), "{}", tail(&output.stderr));
        let Ok(counted) = Command::new("python3").arg("-c").arg(SHEETS).arg(&file).output() else {
            skip("there is no python3 to unpack a PDF with");
            return None;
        };
        assert!(counted.status.success(), "{}", tail(&counted.stderr));
        Some(serde_json::from_slice(&counted.stdout).expect("a list of numbers"))
    }

    fn open(&self, page: &Path, window: &str, flags: &[&str]) -> Output {
        let folder: TempDir = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(self.0);
        // No sandbox: tests run as root in containers, and the page is our own.
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
        command.args(["--hide-scrollbars", "--disable-dev-shm-usage"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.arg(format!("--window-size={window}")).args(flags);
        command.arg(format!("file://{}", page.display()));
        let output = command.output().expect("Chromium runs");
        assert!(output.status.success(), "{}", tail(&output.stderr));
        output
    }
}

/// A folder with a page and the figures of the sample, as a results folder has them.
fn folder_with(page: &str) -> TempDir {
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    let write = |name: String, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    };
    write("report/index.html".to_owned(), page);
    FIGURES.iter().for_each(|id| write(format!("figures/{id}.svg"), DRAWING));
    folder
}

/// The text of the element with an id.
fn element_text(html: &str, id: &str) -> String {
    let mut inside = tokens(html).into_iter().skip_while(|token| match token {
        Token::StartTag(tag) => tag.attributes.get(&b"id"[..]).is_none_or(|value| value.0 != id.as_bytes()),
        _ => true,
    });
    match inside.nth(1) {
        Some(Token::String(text)) => String::from_utf8(text.value.0).expect("UTF-8"),
        _ => String::new(),
    }
}

/// The end of what a program complained about.
fn tail(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let from = text.len().saturating_sub(2000);
    text.chars().skip(from).collect()
}
