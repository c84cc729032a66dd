//! `cargo xtask check layout`: checks that the folders of a crate depend on each other without cycles, and that lines
//! have at most 120 columns.
//!
//! A dependency is a path in the code of one module that refers to another: in a `use`, or written in full
//! (`crate::a::b`, `super::c`, `child::d`). Code in `#[cfg(test)]` is exempt. `layout.txt` contains the counts that are
//! not 0 yet; they may only decrease.

use crate::error::{Context, Error, no_findings};
use crate::root;
use crate::tree::{members, read, rust_files, tokens, trees};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// A module, by its names from the root of its crate.
type Module = Vec<String>;

/// The modules that each module refers to.
type Dependences = BTreeMap<Module, BTreeSet<Module>>;

/// The maximum length of a line, in columns.
const COLUMNS: usize = 120;

/// A number that `layout.txt` bounds.
#[derive(Debug, PartialEq)]
pub struct Count {
    /// The name in `layout.txt`, such as `cycles passes`.
    pub name: String,
    pub found: usize,
    /// The counted items, for messages.
    pub examples: String,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.found)?;
        if self.examples.is_empty() { Ok(()) } else { write!(f, " ({})", self.examples) }
    }
}

/// Prints the counts and compares them with their bounds.
///
/// # Errors
/// The counts that exceed their bounds.
pub fn check() -> Result<(), Error> {
    compare(&counts()?, "layout.txt")
}

/// Prints counts and compares them with their bounds in a file of this folder.
pub fn compare(counts: &[Count], file: &str) -> Result<(), Error> {
    counts.iter().for_each(|count| println!("{count}"));
    let bounds = bounds(&read(&root().join("tools/xtask").join(file))?)?;
    no_findings(above(counts, &bounds))
}

/// Describes the counts that exceed their bounds; a count without a bound must be 0.
fn above(counts: &[Count], bounds: &BTreeMap<String, usize>) -> Vec<String> {
    let bound = |count: &Count| bounds.get(&count.name).copied().unwrap_or(0);
    let wrong = counts.iter().filter(|count| count.found > bound(count));
    wrong.map(|count| format!("expected at most {}, found {count}", bound(count))).collect()
}

/// Parses `NAME NUMBER` in each line that is neither empty nor a comment.
fn bounds(text: &str) -> Result<BTreeMap<String, usize>, Error> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let bound = |line: &str| {
        let (name, number) = line.rsplit_once(' ')?;
        Some((name.trim().to_string(), number.parse().ok()?))
    };
    lines.map(|line| bound(line).context(format_args!("expected `NAME NUMBER`, found `{line}`"))).collect()
}

fn counts() -> Result<Vec<Count>, Error> {
    let mut counts = vec![];
    let mut long = BTreeMap::new();
    for member in members()? {
        let files = rust_files(&root().join(&member))?;
        for file in &files {
            let lines = read(file)?.lines().filter(|line| line.chars().count() > COLUMNS).count();
            if lines > 0 {
                *long.entry(member.clone()).or_insert(0) += lines;
            }
        }
        let all = dependences(&root().join(&member), &files)?;
        let cycles = in_cycles(&between(&all, &[]));
        counts.push(Count { name: format!("cycles {member}"), found: cycles.len(), examples: cycles.join(", ") });
        let tops: BTreeSet<&String> = all.keys().filter_map(|module| module.first()).collect();
        let below: Vec<String> = tops
            .into_iter()
            .flat_map(|top| {
                in_cycles(&between(&all, std::slice::from_ref(top))).into_iter().map(move |m| format!("{top}/{m}"))
            })
            .collect();
        let name = format!("cycles within folders of {member}");
        counts.push(Count { name, found: below.len(), examples: below.join(", ") });
    }
    let examples = long.iter().map(|(member, lines)| format!("{member} {lines}")).collect::<Vec<_>>().join(", ");
    counts.push(Count { name: "lines over 120 columns".into(), found: long.values().sum(), examples });
    Ok(counts)
}

/// Returns the modules that each module of a crate refers to.
fn dependences(folder: &Path, files: &[PathBuf]) -> Result<Dependences, Error> {
    let mut sources: BTreeMap<Module, TokenStream> = BTreeMap::new();
    for file in files {
        let Some(module) = module(file.strip_prefix(folder).unwrap_or(file)) else { continue };
        sources.insert(module, tokens(file)?);
    }
    let tests: BTreeSet<Module> = sources.iter().flat_map(|(module, tokens)| test_modules(module, tokens)).collect();
    sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    let known: BTreeSet<Module> = sources.keys().cloned().collect();
    let mut all = Dependences::new();
    for (module, tokens) in sources {
        let mut scan = Scan { known: &known, found: BTreeSet::new() };
        scan.code(&trees(tokens), &module);
        scan.found.remove(&module);
        all.insert(module, scan.found);
    }
    Ok(all)
}

/// Returns the module of a file of a crate; `None` for build scripts and integration tests.
fn module(file: &Path) -> Option<Module> {
    let file = file.with_extension("");
    let mut names: Module = file.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tests", ..] | ["build"] => return None,
        ["lib" | "main"] => names.clear(),
        [.., "mod"] => _ = names.pop(),
        _ => {}
    }
    Some(names)
}

fn ident(tree: Option<&TokenTree>) -> Option<String> {
    match tree {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

fn is_path_separator(code: &[TokenTree], at: usize) -> bool {
    is_punct(code.get(at), ':') && is_punct(code.get(at + 1), ':')
}

fn group(tree: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Checks whether the code at `at` is `#[cfg(test)]`.
pub fn is_test(code: &[TokenTree], at: usize) -> bool {
    is_punct(code.get(at), '#')
        && group(code.get(at + 1), Delimiter::Bracket)
            .is_some_and(|g| g.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// Returns the end of the item whose attributes begin at `at`.
pub fn end_of_item(code: &[TokenTree], mut at: usize) -> usize {
    while is_punct(code.get(at), '#') {
        at += 2;
    }
    let is_use = code[at..].iter().take(3).any(|tree| ident(Some(tree)).as_deref() == Some("use"));
    while at < code.len() {
        at += 1;
        if is_punct(code.get(at - 1), ';') || !is_use && group(code.get(at - 1), Delimiter::Brace).is_some() {
            break;
        }
    }
    at
}

/// Returns the test modules of `module` that have their own files.
fn test_modules(module: &[String], tokens: &TokenStream) -> Vec<Module> {
    let code = trees(tokens.clone());
    let tests = (0..code.len()).filter(|&at| is_test(&code, at)).filter_map(|at| {
        let item = &code[at..end_of_item(&code, at)];
        let name = item.iter().position(|tree| ident(Some(tree)).as_deref() == Some("mod"))? + 1;
        let name = ident(item.get(name)).filter(|_| is_punct(item.get(name + 1), ';'))?;
        Some([module, &[name]].concat())
    });
    tests.collect()
}

/// A scan for the modules that code refers to.
struct Scan<'k> {
    known: &'k BTreeSet<Module>,
    found: BTreeSet<Module>,
}

impl Scan<'_> {
    fn code(&mut self, code: &[TokenTree], scope: &[String]) {
        let mut at = 0;
        while at < code.len() {
            if is_test(code, at) {
                at = end_of_item(code, at);
                continue;
            }
            match ident(code.get(at)).as_deref() {
                Some("mod") if group(code.get(at + 2), Delimiter::Brace).is_some() => {
                    let inner = group(code.get(at + 2), Delimiter::Brace).expect("just seen");
                    let name = ident(code.get(at + 1)).unwrap_or_default();
                    self.code(&trees(inner.stream()), &[scope, &[name]].concat());
                    at += 3;
                }
                Some("use") => {
                    let end = at + code[at..].iter().position(|tree| is_punct(Some(tree), ';')).unwrap_or(1);
                    self.imports(&code[at + 1..end], scope, &[]);
                    at = end;
                }
                Some(name) if is_path_separator(code, at + 1) && !(at > 0 && is_punct(code.get(at - 1), ':')) => {
                    let mut path = vec![name.to_string()];
                    at += 1;
                    while is_path_separator(code, at) {
                        let Some(next) = ident(code.get(at + 2)) else { break };
                        path.push(next);
                        at += 3;
                    }
                    self.path(&path, scope);
                }
                _ => {
                    if let Some(TokenTree::Group(group)) = code.get(at) {
                        self.code(&trees(group.stream()), scope);
                    }
                    at += 1;
                }
            }
        }
    }

    /// Processes the trees of a `use`, separated by commas.
    fn imports(&mut self, trees_of_use: &[TokenTree], scope: &[String], before: &[String]) {
        for tree in trees_of_use.split(|tree| is_punct(Some(tree), ',')) {
            let mut path = before.to_vec();
            let mut inner = None;
            for part in tree {
                match part {
                    TokenTree::Ident(name) if name == "as" => break,
                    TokenTree::Ident(name) => path.push(name.to_string()),
                    TokenTree::Group(group) => inner = Some(group.stream()),
                    _ => {}
                }
            }
            match inner {
                Some(inner) => self.imports(&trees(inner), scope, &path),
                None => self.path(&path, scope),
            }
        }
    }

    /// Records the module that a path refers to, if it is in this crate.
    fn path(&mut self, path: &[String], scope: &[String]) {
        let Some(first) = path.first() else { return };
        let ups = path.iter().take_while(|name| *name == "super").count();
        let target: Module = match first.as_str() {
            "crate" => path[1..].to_vec(),
            "self" => [scope, &path[1..]].concat(),
            "super" => [&scope[..scope.len().saturating_sub(ups)], &path[ups..]].concat(),
            _ => {
                let child = [scope, std::slice::from_ref(first)].concat();
                if !self.known.contains(&child) {
                    return;
                }
                [scope, path].concat()
            }
        };
        let into = (0..=target.len()).rev().map(|n| &target[..n]).find(|module| self.known.contains(*module));
        self.found.extend(into.map(<[String]>::to_vec));
    }
}

/// Returns the dependencies between the children of the module `folder`.
fn between(all: &Dependences, folder: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let child = |module: &Module| module.strip_prefix(folder).and_then(|rest| rest.first().cloned());
    let mut children: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, named) in all {
        let Some(from) = child(module) else { continue };
        let to = named.iter().filter_map(child).filter(|to| *to != from);
        children.entry(from.clone()).or_default().extend(to);
    }
    children
}

/// Returns the nodes that are on a cycle.
fn in_cycles(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let returns = |start: &&String| {
        let mut seen = BTreeSet::new();
        let mut todo = vec![*start];
        while let Some(node) = todo.pop() {
            todo.extend(graph.get(node).into_iter().flatten().filter(|next| seen.insert(*next)));
        }
        seen.contains(*start)
    };
    graph.keys().filter(returns).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_count_is_above_its_bound() {
        check().unwrap();
    }

    fn found(code: &str, scope: &str, known: &[&str]) -> Vec<String> {
        let module = |text: &str| text.split('/').filter(|n| !n.is_empty()).map(str::to_string).collect::<Module>();
        let known = known.iter().map(|text| module(text)).collect();
        let mut scan = Scan { known: &known, found: BTreeSet::new() };
        scan.code(&trees(code.parse().unwrap()), &module(scope));
        scan.found.into_iter().map(|module| module.join("/")).collect()
    }

    #[test]
    fn paths_lead_into_modules() {
        let known = ["a", "a/x", "b", "b/y", "c"];
        assert_eq!(found("use crate::{a::{x::T, U as V}, c};", "b/y", &known), ["a", "a/x", "c"]);
        assert_eq!(
            found("use super::Thing; fn f() -> crate::c::T { vec![crate::a::x::g()] }", "b/y", &known),
            ["a/x", "b", "c"]
        );
        assert_eq!(found("fn f() { y::g(); other::h(); let _s = \"crate::a\"; } // crate::c", "b", &known), ["b/y"]);
        assert_eq!(found("mod inner { use super::super::c::T; }", "b", &known), ["c"]);
    }

    #[test]
    fn tests_may_look_anywhere() {
        let known = ["a", "b"];
        assert_eq!(found("#[cfg(test)] mod tests { use crate::a::T; } fn f() {}", "b", &known), Vec::<String>::new());
        assert_eq!(found("#[cfg(test)] use crate::{a::T}; use crate::a::U;", "b", &known), ["a"]);
        let code = "#[cfg(test)] mod testing; mod code;".parse().unwrap();
        assert_eq!(test_modules(&[], &code), [["testing"]]);
    }

    #[test]
    fn cycles_are_found() {
        let graph = |edges: &[(&str, &str)]| {
            let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (from, to) in edges {
                graph.entry(from.to_string()).or_default().insert(to.to_string());
                graph.entry(to.to_string()).or_default();
            }
            graph
        };
        assert_eq!(in_cycles(&graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")])), ["b", "c"]);
        assert!(in_cycles(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    }

    #[test]
    fn bounds_are_read_and_may_only_fall() {
        let bounds = bounds("# comment\n\ncycles a 2\nlines over 120 columns 7\n").unwrap();
        let count = |name: &str, found| Count { name: name.into(), found, examples: String::new() };
        assert!(above(&[count("cycles a", 2), count("lines over 120 columns", 3)], &bounds).is_empty());
        assert_eq!(above(&[count("cycles b", 1)], &bounds), ["expected at most 0, found cycles b: 1"]);
    }
}
