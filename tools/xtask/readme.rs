//! Tests of README.md, on which `tools/fresh-debian.sh` relies, and of the links of all pages.

use crate::root;
use crate::tree::{files, name, read};
use std::path::PathBuf;

#[test]
fn the_set_up_block_is_two_targets_of_the_makefile() {
    let [readme, makefile] = ["README.md", "Makefile"].map(|file| read(&root().join(file)).unwrap());
    let block = readme.split_once("```sh setup\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let commands: Vec<&str> = block.lines().collect();
    assert_eq!(commands, ["make demo", "make test"]);
    for command in commands {
        let target = command.trim_start_matches("make ");
        assert!(makefile.contains(&format!("\n{target}: setup\n")), "{target} does not set up first");
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut broken = vec![];
    let mut links = 0;
    for page in pages() {
        let text = read(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || path.contains("://") || path.contains(char::is_whitespace);
            links += !elsewhere as usize;
            if !elsewhere && !page.with_file_name(path).exists() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(links > 20, "only {links} links were found");
}

#[test]
fn merges_are_finished() {
    let marked = |page: &PathBuf| {
        let text = read(page).unwrap();
        text.lines().any(|line| ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.trim_start().starts_with(mark)))
    };
    let unfinished: Vec<PathBuf> = pages().into_iter().filter(marked).collect();
    assert!(unfinished.is_empty(), "conflict markers in {unfinished:?}");
}

/// Returns every page of the repository.
fn pages() -> Vec<PathBuf> {
    let mut found = files(&root(), |folder| name(folder).starts_with('.') || folder.ends_with("target")).unwrap();
    found.retain(|path| path.extension().is_some_and(|e| e == "md"));
    found
}
