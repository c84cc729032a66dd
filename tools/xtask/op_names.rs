//! `cargo xtask check ops`: counts the names of ops in string literals, outside of tests, examples and generated code.
//!
//! Code should compare and create ops by `Kind` and by their types, so that a name that does not exist does not
//! compile. `op_names.txt` contains the number of remaining literals in each crate; these numbers may only decrease.

use crate::error::Error;
use crate::layout::{Count, compare, end_of_item, is_test};
use crate::root;
use crate::tree::{members, relative, rust_files, tokens, trees};
use mlopt_ops_generator::{Config, inputs, op_names};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Crates that are about names: the generator and its tests, and this one.
const EXEMPT: &[&str] = &["dialects/ops/generator", "tools/xtask"];

/// Prints the counts.
///
/// # Errors
/// The counts above their bounds.
pub fn check() -> Result<(), Error> {
    compare(&counts(&names())?, "op_names.txt")
}

/// Returns the names of all ops with generated types.
fn names() -> HashSet<String> {
    let llvm = PathBuf::from(env!("MLIR_SYS_190_PREFIX"));
    let dialects = root().join("dialects");
    let config = Config {
        llvm: &llvm,
        includes: &[dialects.join("mlir"), dialects.clone()],
        enum_names: inputs::ENUM_NAMES,
        readable_enums: inputs::READABLE_ENUMS,
    };
    let all = inputs::ours(&dialects).into_iter().chain(inputs::upstream(&llvm));
    all.flat_map(|dialect| op_names(&config, &dialect)).collect()
}

fn counts(names: &HashSet<String>) -> Result<Vec<Count>, Error> {
    let mut counts = vec![];
    for member in members()?.into_iter().filter(|member| !EXEMPT.contains(&member.as_str())) {
        let files = rust_files(&root().join(&member))?;
        let (mut found, mut most) = (0, (0, String::new()));
        for file in files.iter().filter(|file| !is_of_tests(relative(file))) {
            let here = literals(tokens(file)?, names);
            found += here;
            if here > most.0 {
                most = (here, relative(file).display().to_string());
            }
        }
        let examples = if found == 0 { String::new() } else { format!("{} in {}", most.0, most.1) };
        counts.push(Count { name: format!("op names in {member}"), found, examples });
    }
    Ok(counts)
}

fn is_of_tests(file: &Path) -> bool {
    let mut names = file.iter().map(|name| name.to_string_lossy());
    names.any(|name| matches!(&*name, "test" | "tests" | "tests.rs" | "testing" | "testkit" | "examples"))
}

/// Counts the string literals in code that are names of ops. Items under `#[cfg(test)]` do not count.
fn literals(tokens: TokenStream, names: &HashSet<String>) -> usize {
    let code = trees(tokens);
    let (mut at, mut found) = (0, 0);
    while at < code.len() {
        if is_test(&code, at) {
            at = end_of_item(&code, at);
            continue;
        }
        match &code[at] {
            TokenTree::Group(group) => found += literals(group.stream(), names),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
                found += usize::from(inner.is_some_and(|t| names.contains(t)));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_code_count_and_those_of_tests_do_not() {
        let names = HashSet::from(["array.sum".to_string()]);
        let code = "/// Not \"array.sum\".\n fn f() { g(\"array.sum\", \"array.sums\", \"@array.sum\") }
                    #[cfg(test)] mod tests { const X: &str = \"array.sum\"; } const Y: &str = \"array.sum\";";
        assert_eq!(literals(code.parse().unwrap(), &names), 2);
    }
}
