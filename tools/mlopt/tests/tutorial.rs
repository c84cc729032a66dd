//! Documents whose code is that of an example: docs/tutorial/a-language-of-your-own.md,
//! docs/tutorial/arrays-in-rust-programs.md and docs/linking.md.

use std::path::Path;

#[allow(dead_code)]
#[path = "../examples/calc/main.rs"]
mod calc;
#[allow(dead_code)]
#[path = "../examples/decay.rs"]
mod decay;
#[path = "../examples/linking.rs"]
mod linking;

/// Returns the blocks of a page in a language.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let begin = format!("```{language}\n");
    page.split(&begin[..]).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect()
}

/// Checks that a program contains the lines of each block of Rust of a page.
fn check(page: &str, program: &str) {
    // Indentation, the distance of comments and empty lines do not matter.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let unindented = |text: &str| {
        let lines = text.lines().map(words).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    let program = unindented(program);
    let rust = blocks(page, "rust");
    assert!(!rust.is_empty());
    for block in rust {
        assert!(program.contains(&unindented(block)), "the program does not contain\n{block}");
    }
}

fn page(name: &str) -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::read_to_string(docs.join(name)).unwrap()
}

#[test]
fn the_language_of_the_tutorial() {
    let page = page("tutorial/a-language-of-your-own.md");
    check(&page, include_str!("../examples/calc/main.rs"));
    let said = calc::run().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(blocks(&page, "text"), [said]);
}

#[test]
fn the_fit_of_the_tutorial() {
    let page = page("tutorial/arrays-in-rust-programs.md");
    check(&page, include_str!("../examples/decay.rs"));
    assert_eq!(blocks(&page, "lambda decay.lambda"), [decay::DECAY]);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("decay-{}", std::process::id()));
    let said = decay::run(&folder).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(blocks(&page, "text").last(), Some(&&said[..]));
}

#[test]
fn the_programs_of_the_page_on_linking() {
    check(&page("linking.md"), include_str!("../examples/linking.rs"));
    linking::main().unwrap_or_else(|error| panic!("{error}"));
}
