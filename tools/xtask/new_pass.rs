//! `cargo xtask new pass NAME`: the files of a pass that does nothing yet, with its place in `passes/lib.rs`.

use crate::root;
use std::fs;

pub fn write(name: &str) -> Result<(), String> {
    let folder = root().join("passes");
    let lib = folder.join("lib.rs");
    let files = files(name)?;
    let listed = listed(name, &fs::read_to_string(&lib).map_err(|e| format!("{}: {e}", lib.display()))?)?;
    for (file, _) in &files {
        if folder.join(file).exists() {
            return Err(format!("passes/{file} exists already"));
        }
    }
    for (file, text) in files.iter().chain([&("lib.rs".to_owned(), listed)]) {
        fs::write(folder.join(file), text).map_err(|e| format!("passes/{file}: {e}"))?;
        println!("wrote passes/{file}");
    }
    crate::cargo(&["fmt", "--package", "mlopt-passes"])
}

/// The pass and its test.
fn files(name: &str) -> Result<[(String, String); 2], String> {
    let parts: Vec<&str> = name.split('-').collect();
    let lower = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    if !parts.iter().all(lower) {
        return Err(format!("expected a pass name in lower case with dashes, as `drop-dead-builds`, found `{name}`"));
    }
    let stem = name.replace('-', "_");
    Ok([(format!("{stem}.rs"), RUST.replace("NAME", name)), (format!("{stem}.mlir"), MLIR.replace("NAME", name))])
}

/// `lib.rs` with the pass in its two lists.
fn listed(name: &str, lib: &str) -> Result<String, String> {
    let stem = name.replace('-', "_");
    let start = "pub const PASSES: &[Pass] = &[";
    let list = lib.find(start).ok_or("passes/lib.rs: expected `pub const PASSES`, found none")? + start.len();
    let end =
        list + lib[list..].find("];").ok_or("passes/lib.rs: expected `];` after `pub const PASSES`, found none")?;
    let old = lib[list..end].trim().trim_end_matches(',');
    let comma = if old.is_empty() { "" } else { ", " };
    let with_pass = format!("{}{old}{comma}{stem}::PASS{}", &lib[..list], &lib[end..]);

    let module = format!("pub mod {stem};");
    let mut lines: Vec<&str> = with_pass.lines().collect();
    let modules = |line: &&str| line.starts_with("pub mod ") || line.starts_with("mod ");
    let place = lines
        .iter()
        .position(|line| modules(line) && line.trim_start_matches("pub ") > module.trim_start_matches("pub "))
        .or_else(|| lines.iter().rposition(modules).map(|last| last + 1))
        .or_else(|| lines.iter().position(|line| line.starts_with("use ")))
        .ok_or("passes/lib.rs: expected a `mod` or `use` line, found none")?;
    lines.insert(place, &module);
    Ok(lines.join("\n") + "\n")
}

const RUST: &str = r#"//! One sentence: what a program gains.
//!
//! Needs: what must hold of the input. Leaves: what is not touched.
//! ```mlir before
//! func.func @f(%x: f64) -> f64 {
//!   return %x : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64) -> f64 {
//!   return %x : f64
//! }
//! ```

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ir::Op;

/// `--NAME`.
pub const PASS: Pass = Pass {
    name: "NAME",
    description: "One sentence, as in the first line above",
    anchor: "func.func",
    options: &[],
    dialects: &[],
    run: |function, _| run(function),
};

fn run(_function: Op) -> Result<(), Reported> {
    Ok(())
}
"#;

const MLIR: &str = "\
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(NAME))' | FileCheck %s
// One sentence: what is seen, and why.
// CHECK-LABEL: func.func @shown
// CHECK-NEXT:    return
func.func @shown(%x: f64) -> f64 {
  return %x : f64
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_listed_in_order() {
        let lib = "//! Doc.\n\npub mod alpha;\npub mod omega;\n\nuse x;\n\npub const PASSES: &[Pass] = &[alpha::PASS, omega::PASS];\n";
        let expected = "//! Doc.\n\npub mod alpha;\npub mod drop_dead;\npub mod omega;\n\nuse x;\n\npub const PASSES: &[Pass] = &[alpha::PASS, omega::PASS, drop_dead::PASS];\n";
        assert_eq!(listed("drop-dead", lib).unwrap(), expected);
    }

    #[test]
    fn the_first_pass_opens_both_lists() {
        let lib = "use x;\npub const PASSES: &[Pass] = &[\n];\n";
        assert_eq!(listed("a", lib).unwrap(), "pub mod a;\nuse x;\npub const PASSES: &[Pass] = &[a::PASS];\n");
    }

    #[test]
    fn the_real_list_takes_a_pass() {
        let lib = fs::read_to_string(root().join("passes/lib.rs")).unwrap();
        let with_pass = listed("zz-last", &lib).unwrap();
        assert!(with_pass.contains("pub mod zz_last;") && with_pass.contains("zz_last::PASS"), "{with_pass}");
    }

    #[test]
    fn a_name_that_is_no_flag_is_rejected() {
        for name in ["", "Upper", "two--dashes", "under_score", "-x", "../etc"] {
            assert!(files(name).is_err(), "{name} was accepted");
        }
    }
}
