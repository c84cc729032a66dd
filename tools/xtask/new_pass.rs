//! `cargo xtask new pass FOLDER/NAME`: creates the files of a pass that does nothing yet, and adds the pass to
//! `passes/lib.rs`.

use crate::error::{Context, Error};
use crate::root;
use std::fs;

pub fn write(path: &str) -> Result<(), Error> {
    let Some((folder, name)) = path.split_once('/') else {
        return Err(Error::Unexpected(format!("expected FOLDER/NAME, as `arrays/drop-dead-builds`, found `{path}`")));
    };
    let passes = root().join("passes");
    let read = |file: &str| fs::read_to_string(passes.join(file)).context(format_args!("passes/{file}"));
    let (lib, parent) = ("lib.rs".to_string(), format!("{folder}/mod.rs"));
    let files = files(folder, name)?;
    let stem = name.replace('-', "_");
    let changed = [
        (parent.clone(), with_module(&stem, &read(&parent)?)?),
        (lib.clone(), with_pass(folder, &stem, &read(&lib)?)?),
    ];
    for (file, _) in &files {
        if passes.join(file).exists() {
            return Err(Error::Unexpected(format!("passes/{file} exists already")));
        }
    }
    for (file, text) in files.iter().chain(&changed) {
        fs::write(passes.join(file), text).context(format_args!("passes/{file}"))?;
        println!("wrote passes/{file}");
    }
    crate::cargo(&["fmt", "--package", "mlopt-passes"])
}

/// Returns the pass and its test.
fn files(folder: &str, name: &str) -> Result<[(String, String); 2], Error> {
    let parts: Vec<&str> = name.split('-').collect();
    let lower = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    if !parts.iter().all(lower) {
        let expected = "a pass name in lower case with dashes, as `drop-dead-builds`";
        return Err(Error::Unexpected(format!("expected {expected}, found `{name}`")));
    }
    let stem = name.replace('-', "_");
    let file = |extension: &str| format!("{folder}/{stem}.{extension}");
    Ok([(file("rs"), RUST.replace("NAME", name)), (file("mlir"), MLIR.replace("NAME", name))])
}

/// Returns `lib.rs` with the pass in its list.
fn with_pass(folder: &str, stem: &str, lib: &str) -> Result<String, Error> {
    let start = "pub const PASSES: &[Pass] = &[";
    let list = lib.find(start).context("passes/lib.rs: expected `pub const PASSES`, found none")? + start.len();
    let end = lib[list..].find("];").context("passes/lib.rs: expected `];` after `pub const PASSES`, found none")?;
    let end = list + end;
    let old = lib[list..end].trim().trim_end_matches(',');
    let comma = if old.is_empty() { "" } else { ", " };
    Ok(format!("{}{old}{comma}{folder}::{stem}::PASS{}", &lib[..list], &lib[end..]))
}

/// Returns the file of a folder with an additional module.
fn with_module(stem: &str, parent: &str) -> Result<String, Error> {
    let module = format!("pub mod {stem};");
    let mut lines: Vec<&str> = parent.lines().collect();
    let modules = |line: &&str| line.starts_with("pub mod ") || line.starts_with("mod ");
    let place = lines
        .iter()
        .position(|line| modules(line) && line.trim_start_matches("pub ") > module.trim_start_matches("pub "))
        .or_else(|| lines.iter().rposition(modules).map(|last| last + 1))
        .context("expected a `mod` line in the file of the folder, found none")?;
    lines.insert(place, &module);
    Ok(lines.join("\n") + "\n")
}

/// The files of a new pass. `NAME` is the name of the pass.
const RUST: &str = include_str!("new_pass.rs.in");
const MLIR: &str = include_str!("new_pass.mlir.in");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_listed_in_order() {
        let parent = "//! Doc.\n\npub mod alpha;\npub mod omega;\n\nuse x;\n";
        let expected = "//! Doc.\n\npub mod alpha;\npub mod drop_dead;\npub mod omega;\n\nuse x;\n";
        assert_eq!(with_module("drop_dead", parent).unwrap(), expected);
        let lib = "pub const PASSES: &[Pass] = &[arrays::alpha::PASS];\n";
        let expected = "pub const PASSES: &[Pass] = &[arrays::alpha::PASS, ad::drop_dead::PASS];\n";
        assert_eq!(with_pass("ad", "drop_dead", lib).unwrap(), expected);
    }

    #[test]
    fn the_real_list_takes_a_pass() {
        let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
        let (lib, parent) = (read("passes/lib.rs"), read("passes/arrays/mod.rs"));
        assert!(with_pass("arrays", "zz_last", &lib).unwrap().contains("arrays::zz_last::PASS"));
        assert!(with_module("zz_last", &parent).unwrap().contains("pub mod zz_last;"));
    }

    #[test]
    fn a_name_that_is_no_flag_is_rejected() {
        for name in ["", "Upper", "two--dashes", "under_score", "-x", "../etc"] {
            assert!(files("arrays", name).is_err(), "{name} was accepted");
        }
    }
}
