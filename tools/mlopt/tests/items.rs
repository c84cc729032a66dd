//! The size of the public interface.

use std::path::{Path, PathBuf};

/// The maximum number of public types, traits and functions outside of types: what the index of the documentation
/// lists. Methods are not counted; builders have one for each op, which are generated.
const MOST: usize = 80;

/// Files without public items.
const PRIVATE: &[&str] = &["build.rs", "stack.rs", "draft.rs", "rules.rs"];

/// Returns the sources of the crate.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|e| e == "rs") && !PRIVATE.iter().any(|p| file.ends_with(p)))
        .collect()
}

#[test]
fn the_interface_is_small_and_has_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut items, mut methods) = (vec![], 0);
    for file in [sources(folder), sources(&folder.join("builder"))].concat() {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut comment = String::new();
        let mut is_hidden = false;
        for line in text.lines() {
            is_hidden |= line.starts_with("mod sealed");
            is_hidden &= line != "}";
            let code = line.trim_start();
            if code.starts_with("///") {
                comment += code;
            } else if !code.starts_with("#[") {
                let is_item = ["pub fn ", "pub unsafe fn ", "pub struct ", "pub enum ", "pub trait ", "pub type "];
                if !is_hidden && is_item.iter().any(|begin| code.starts_with(begin)) {
                    assert!(comment.contains("```"), "{}: `{code}` has no example", file.display());
                    match line.starts_with("pub ") {
                        true => items.push(code.to_string()),
                        false => methods += 1,
                    }
                }
                comment.clear();
            }
        }
    }
    assert!(items.len() <= MOST, "{} items: {items:#?}", items.len());
    assert!(items.len() > 20 && methods > 80, "items were not found: {items:#?} and {methods} methods");
}
