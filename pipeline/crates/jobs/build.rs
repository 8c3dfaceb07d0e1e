//! Tells the program which compiler built it, for the provenance of records.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=RETILE_RUSTC={}", version.as_deref().unwrap_or("unknown").trim());
    println!("cargo::rerun-if-changed=build.rs");
}
