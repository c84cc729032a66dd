//! The size of the public interface.

use std::path::Path;

/// The maximum number of public items, types, functions and traits, besides `Element` and `Pass` of other crates.
const MOST: usize = 80;

#[test]
fn the_interface_is_small_and_has_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut items = vec![];
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "rs")
            || file.ends_with("build.rs")
            || file.ends_with("stack.rs")
        {
            continue;
        }
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
                    items.push(code.to_string());
                }
                comment.clear();
            }
        }
    }
    assert!(items.len() <= MOST, "{} items: {items:#?}", items.len());
    assert!(items.len() > MOST / 2, "most items were not found: {items:#?}");
}
