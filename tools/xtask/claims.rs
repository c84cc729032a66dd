//! `cargo xtask check claims`: checks the statements of `docs/ARCHITECTURE.md` about `unsafe`, dependencies between
//! crates, oracles and continuous integration.
//!
//! The document is the specification: the check reads the permitted places of `unsafe` and the order of the crates from
//! it. Dependencies between crates are read from `cargo metadata`, and `unsafe` is found as a token, so neither depends
//! on how the code is formatted.

use crate::error::{Context, Error, no_findings};
use crate::root;
use crate::tree::{cargo, members, read, relative, rust_files, tokens, trees};
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The begin of the sentence that lists the permitted places of `unsafe`.
const UNSAFE_CLAIM: &str = "`unsafe` occurs in";
/// The begin of the sentence that lists the top folders, each of which uses only those before it.
const ORDER_CLAIM: &str = "Dependencies point one way:";
/// The crate that may not depend on another crate of ours.
const BOTTOM: &str = "dialects/mlir";
/// The level of the oracles, which use nothing above it.
const ORACLES: &str = "dialects";
/// Commands of continuous integration, and what each checks.
const CI: &[(&str, &str)] = &[
    ("cargo fmt --all --check", "formatting"),
    ("cargo clippy --release --workspace --all-targets -- --deny warnings", "lints"),
    ("cargo test --release --workspace", "tests"),
];

/// Checks all claims and prints what was compared.
///
/// # Errors
/// The claims that do not hold.
pub fn check() -> Result<(), Error> {
    let document = read(&root().join("docs/ARCHITECTURE.md"))?;
    let (places, files) = (claimed(&document, UNSAFE_CLAIM)?, sources()?);
    let (order, crates) = (claimed(&document, ORDER_CLAIM)?, crates()?);
    let oracles = oracles()?;
    let mut wrong = misplaced_unsafe(&places, &files);
    wrong.extend(missing_lints(&read(&root().join("Cargo.toml"))?, &manifests()?));
    wrong.extend(upward_dependencies(&order, &crates));
    wrong.extend(dependent_oracles(&oracles, &crates));
    wrong.extend(disabled_tests(&files_of_crates_with(WITHOUT_TESTS)?));
    wrong.extend(disabled_examples(&files_of_crates_with(WITHOUT_EXAMPLES)?));
    wrong.extend(missing_commands(&read(&root().join(".ci/run"))?, &read(&root().join("Makefile"))?));
    let with_unsafe = files.iter().filter(|(_, found)| found.code).count();
    println!("files with unsafe code: {with_unsafe} of {}, in {}", files.len(), places.join(", "));
    println!("crates: {}, in the order {}", crates.len(), order.join(" <- "));
    println!("oracles: {}", oracles.join(", "));
    no_findings(wrong)
}

/// Returns the code spans of the sentence of the document that begins with `claim`, without the first one if `claim`
/// contains it.
fn claimed(document: &str, claim: &str) -> Result<Vec<String>, Error> {
    let sentence = document.split_once(claim);
    let (_, rest) = sentence.context(format_args!("ARCHITECTURE.md: expected a sentence `{claim} …`"))?;
    let end = rest.match_indices(['.', ';', ':']).map(|(at, _)| at).find(|&at| {
        let inside_code = rest[..at].matches('`').count() % 2 == 1;
        !inside_code
    });
    let sentence = &rest[..end.unwrap_or(rest.len())];
    Ok(sentence.split('`').skip(1).step_by(2).map(|span| span.trim_end_matches('/').to_string()).collect())
}

/// The occurrences of `unsafe` in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Unsafe {
    /// The keyword.
    code: bool,
    /// An `allow` of the lint.
    allowed: bool,
}

fn unsafe_in(tokens: TokenStream) -> Unsafe {
    let mut found = Unsafe::default();
    let code = trees(tokens);
    for (at, tree) in code.iter().enumerate() {
        match tree {
            TokenTree::Ident(name) if name == "unsafe" => found.code = true,
            TokenTree::Group(group) => {
                let inner = unsafe_in(group.stream());
                let is_allow = at > 0 && matches!(&code[at - 1], TokenTree::Ident(name) if name == "allow");
                found.code |= inner.code;
                found.allowed |= inner.allowed || is_allow && group.stream().to_string().contains("unsafe_code");
            }
            _ => {}
        }
    }
    found
}

/// Returns each Rust file of the workspace, by its path from the root, with its occurrences of `unsafe`.
fn sources() -> Result<Vec<(String, Unsafe)>, Error> {
    let mut found = vec![];
    for member in members()? {
        for file in rust_files(&root().join(member))? {
            found.push((relative(&file).display().to_string(), unsafe_in(tokens(&file)?)));
        }
    }
    Ok(found)
}

fn is_in(file: &str, place: &str) -> bool {
    Path::new(file).starts_with(place)
}

/// Describes the files with `unsafe` outside the permitted places, and the places that have none.
fn misplaced_unsafe(places: &[String], files: &[(String, Unsafe)]) -> Vec<String> {
    let outside = files
        .iter()
        .filter(|(file, found)| (found.code || found.allowed) && !places.iter().any(|place| is_in(file, place)))
        .map(|(file, _)| format!("`unsafe` in {file}; expected only in {}", places.join(", ")));
    let is_used = |place: &&String| files.iter().any(|(file, found)| found.code && is_in(file, place));
    let idle = places.iter().filter(|place| !is_used(place));
    outside.chain(idle.map(|place| format!("ARCHITECTURE.md permits `unsafe` in {place}, which has none"))).collect()
}

/// Returns the manifest of each crate, with its path.
fn manifests() -> Result<Vec<(String, String)>, Error> {
    let manifest = |member: String| {
        let path = format!("{member}/Cargo.toml");
        Ok((path.clone(), read(&root().join(path))?))
    };
    members()?.into_iter().map(manifest).collect()
}

/// Describes the lints about `unsafe` that the workspace does not deny, and the crates that do not use its lints. With
/// these lints, Clippy rejects blocks without `SAFETY`.
fn missing_lints(workspace: &str, manifests: &[(String, String)]) -> Vec<String> {
    let lints = ["unsafe_code = \"deny\"", "undocumented_unsafe_blocks = \"deny\""];
    let absent = lints.iter().filter(|lint| !workspace.lines().any(|line| line.trim() == **lint));
    let apart = manifests.iter().filter(|(_, text)| !text.contains("[lints]\nworkspace = true"));
    absent
        .map(|lint| format!("Cargo.toml: expected `{lint}`"))
        .chain(apart.map(|(path, _)| format!("{path}: expected `[lints]` with `workspace = true`")))
        .collect()
}

/// The lines of the manifest of a library that is not compiled a second time for unit tests. Its tests are in `tests/`.
const WITHOUT_TESTS: &str = "[lib]\npath = \"lib.rs\"\ntest = false\n";

/// The line of the manifest of a library without Rust code in its documentation comments.
const WITHOUT_EXAMPLES: &str = "\ndoctest = false\n";

/// Returns each Rust file of the crates with these lines in their manifests, by its path from the root, with its text.
fn files_of_crates_with(lines: &str) -> Result<Vec<(String, String)>, Error> {
    let mut found = vec![];
    for (manifest, _) in manifests()?.iter().filter(|(_, text)| text.contains(lines)) {
        for file in rust_files(&root().join(manifest.trim_end_matches("Cargo.toml")))? {
            found.push((relative(&file).display().to_string(), read(&file)?));
        }
    }
    Ok(found)
}

/// Describes the files with unit tests, which would never run.
fn disabled_tests(files: &[(String, String)]) -> Vec<String> {
    let with = files.iter().filter(|(_, text)| text.contains("#[cfg(test)]"));
    with.map(|(file, _)| format!("{file}: its crate has `test = false`; expected its tests in `tests/`")).collect()
}

/// Describes the files with blocks of Rust in documentation comments, which would never run.
fn disabled_examples(files: &[(String, String)]) -> Vec<String> {
    let with = files.iter().filter(|(_, text)| {
        let comments = text.lines().map(str::trim_start);
        let comments = comments.filter_map(|line| line.strip_prefix("///").or_else(|| line.strip_prefix("//!")));
        let fences = comments.filter_map(|line| line.trim().strip_prefix("```"));
        // Every second fence ends a block.
        fences.step_by(2).any(|language| language.is_empty() || language.starts_with("rust"))
    });
    with.map(|(file, _)| format!("{file}: its crate has `doctest = false`; expected a language other than Rust"))
        .collect()
}

/// A crate of the workspace.
#[derive(Clone, Debug)]
struct Crate {
    folder: String,
    /// The folders of the crates of ours that it uses, except in tests: a test may run what a crate above makes.
    uses: Vec<String>,
}

fn crates() -> Result<Vec<Crate>, Error> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let output = command.output().context("cargo metadata")?;
    if !output.status.success() {
        return Err(Error::Program(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr))));
    }
    let metadata = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    parse_crates(&metadata, &root().display().to_string())
}

/// Reads the output of `cargo metadata`. A path is shown from `root`.
fn parse_crates(metadata: &Value, root: &str) -> Result<Vec<Crate>, Error> {
    let folder = |path: &Value| {
        let path = path.as_str()?.strip_prefix(root)?.trim_start_matches('/');
        Some(path.trim_end_matches("/Cargo.toml").to_string())
    };
    let of = |package: &Value| {
        let uses = package["dependencies"].as_array()?.iter().filter(|d| d["kind"] != "dev");
        Some(Crate {
            folder: folder(&package["manifest_path"])?,
            uses: uses.filter_map(|d| folder(&d["path"])).collect(),
        })
    };
    let packages = metadata["packages"].as_array().context("cargo metadata: expected `packages`")?;
    packages.iter().map(|p| of(p).context(format_args!("cargo metadata: unexpected package {p}"))).collect()
}

/// Describes the dependencies that point upwards.
fn upward_dependencies(order: &[String], crates: &[Crate]) -> Vec<String> {
    let level = |folder: &str| order.iter().position(|top| is_in(folder, top));
    let mut wrong = vec![];
    for Crate { folder, uses } in crates {
        let Some(own) = level(folder) else {
            wrong.push(format!("{folder} is in none of {}", order.join(", ")));
            continue;
        };
        let above = uses.iter().filter(|used| level(used).is_none_or(|l| l > own) || folder == BOTTOM);
        wrong.extend(above.map(|used| format!("{folder} depends on {used}, which is above it")));
    }
    wrong
}

/// Returns the folders and files of evaluators and interpreters: the oracles with which compiled code is compared.
fn oracles() -> Result<Vec<String>, Error> {
    let files = rust_files(&root().join(ORACLES))?;
    let names = |file: &Path| {
        let path = relative(file).display().to_string();
        let parts: Vec<&str> = path.split('/').collect();
        let at = parts.iter().position(|part| matches!(*part, "eval" | "eval.rs" | "interpret" | "interpret.rs"))?;
        (parts.get(1) != Some(&"tests")).then(|| parts[..=at].join("/"))
    };
    let found: BTreeSet<String> = files.iter().filter_map(|file| names(file)).collect();
    if found.is_empty() {
        return Err(Error::Unexpected("no oracle was found".into()));
    }
    Ok(found.into_iter().collect())
}

/// Describes the oracles whose crate depends, directly or not, on a crate outside their level: on a pass or a lowering.
fn dependent_oracles(oracles: &[String], crates: &[Crate]) -> Vec<String> {
    let mut wrong = vec![];
    for oracle in oracles {
        let owner = crates.iter().filter(|c| is_in(oracle, &c.folder)).max_by_key(|c| c.folder.len());
        let Some(owner) = owner else {
            wrong.push(format!("the oracle {oracle} is in no crate"));
            continue;
        };
        let (mut seen, mut todo) = (BTreeSet::new(), vec![&owner.folder]);
        while let Some(folder) = todo.pop() {
            if !is_in(folder, ORACLES) {
                wrong.push(format!("the oracle {oracle} depends on {folder}"));
            }
            let uses = crates.iter().filter(|c| c.folder == *folder).flat_map(|c| &c.uses);
            todo.extend(uses.filter(|used| seen.insert(*used)));
        }
    }
    wrong
}

/// Returns the recipe lines that `make` runs for these targets, those of their prerequisites first.
fn recipes(makefile: &str, targets: &[&str]) -> Vec<String> {
    let mut lines = vec![];
    for target in targets {
        let mut rest = makefile.lines().skip_while(|line| !line.starts_with(&format!("{target}:")));
        let Some((_, before)) = rest.next().and_then(|line| line.split_once(':')) else { continue };
        lines.extend(recipes(makefile, &before.split_whitespace().collect::<Vec<_>>()));
        lines.extend(rest.map_while(|line| line.strip_prefix('\t')).map(str::to_string));
    }
    lines
}

/// Describes the checks that continuous integration does not run.
fn missing_commands(ci: &str, makefile: &str) -> Vec<String> {
    let words = ci.lines().filter_map(|line| line.trim().strip_prefix("make ")).flat_map(str::split_whitespace);
    let targets: Vec<&str> = words.take_while(|word| word.chars().all(|c| c.is_ascii_lowercase())).collect();
    let lines = recipes(makefile, &targets);
    let absent = CI.iter().filter(|(command, _)| !lines.iter().any(|line| line.ends_with(command)));
    absent.map(|(command, what)| format!(".ci/run does not check {what}: expected `{command}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_of_the_architecture_hold() {
        check().unwrap();
    }

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn claims_are_read_from_the_document() {
        let document = "A. `unsafe` occurs in `a/b/` (memory) and\n`c.rs`, and nowhere else. `d` too.";
        assert_eq!(claimed(document, UNSAFE_CLAIM).unwrap(), texts(&["a/b", "c.rs"]));
        assert!(claimed(document, ORDER_CLAIM).is_err());
    }

    #[test]
    fn unsafe_code_outside_its_places_is_found() {
        let found = |code: &str| unsafe_in(code.parse().unwrap());
        let (keyword, none) = (Unsafe { code: true, allowed: false }, Unsafe::default());
        assert_eq!(found("fn f() { g(unsafe { h() }) }"), keyword);
        assert_eq!(found("#![forbid(unsafe_code)] // unsafe\nconst X: &str = \"unsafe\";"), none);
        assert_eq!(found("#[allow(unsafe_code)] mod m {}"), Unsafe { code: false, allowed: true });
        let files = |code| [("a/x.rs".to_string(), keyword), ("b/y.rs".to_string(), code)];
        assert_eq!(misplaced_unsafe(&texts(&["a"]), &files(none)), Vec::<String>::new());
        assert_eq!(misplaced_unsafe(&texts(&["a"]), &files(keyword)), ["`unsafe` in b/y.rs; expected only in a"]);
        let idle = misplaced_unsafe(&texts(&["a", "b"]), &files(none));
        assert_eq!(idle, ["ARCHITECTURE.md permits `unsafe` in b, which has none"]);
    }

    #[test]
    fn missing_lints_are_found() {
        let workspace = "unsafe_code = \"deny\"\nundocumented_unsafe_blocks = \"deny\"\n";
        let manifest = |text: &str| [("a/Cargo.toml".to_string(), text.to_string())];
        assert!(missing_lints(workspace, &manifest("[lints]\nworkspace = true\n")).is_empty());
        assert_eq!(missing_lints(workspace, &manifest("[lints]\n")).len(), 1);
        assert_eq!(missing_lints("undocumented_unsafe_blocks = \"warn\"", &[]).len(), 2);
    }

    type Uses<'a> = &'a [(&'a str, Option<&'a str>)];

    /// Crates of a workspace in `/w`, as cargo shows them: a folder, and the dependencies with their kinds.
    fn workspace(packages: &[(&str, Uses)]) -> Vec<Crate> {
        let package = |(folder, uses): &(&str, Uses)| {
            let uses = uses.iter().map(|(used, kind)| serde_json::json!({"path": format!("/w/{used}"), "kind": kind}));
            let external = serde_json::json!({"name": "egg", "kind": null});
            let uses: Vec<Value> = uses.chain([external]).collect();
            serde_json::json!({"manifest_path": format!("/w/{folder}/Cargo.toml"), "dependencies": uses})
        };
        let metadata = serde_json::json!({"packages": packages.iter().map(package).collect::<Vec<_>>()});
        parse_crates(&metadata, "/w").unwrap()
    }

    #[test]
    fn upward_dependencies_are_found() {
        let order = texts(&["dialects", "passes", "tools"]);
        let good = workspace(&[
            ("dialects/mlir", &[]),
            ("dialects", &[("dialects/mlir", None), ("tools/run", Some("dev"))]),
            ("tools/run", &[("dialects", None), ("passes", Some("build"))]),
        ]);
        assert_eq!(upward_dependencies(&order, &good), Vec::<String>::new());
        let bad = workspace(&[
            ("dialects/mlir", &[("dialects/ops", None)]),
            ("passes", &[("tools/run", Some("build"))]),
            ("other", &[]),
        ]);
        assert_eq!(
            upward_dependencies(&order, &bad),
            [
                "dialects/mlir depends on dialects/ops, which is above it",
                "passes depends on tools/run, which is above it",
                "other is in none of dialects, passes, tools",
            ]
        );
    }

    #[test]
    fn oracles_that_depend_on_passes_are_found() {
        let oracle = texts(&["dialects/interpret"]);
        let good =
            workspace(&[("dialects", &[("dialects/ops", None), ("passes", Some("dev"))]), ("dialects/ops", &[])]);
        assert_eq!(dependent_oracles(&oracle, &good), Vec::<String>::new());
        let bad = workspace(&[("dialects", &[("dialects/ops", None)]), ("dialects/ops", &[("passes", None)])]);
        assert_eq!(dependent_oracles(&oracle, &bad), ["the oracle dialects/interpret depends on passes"]);
        let moved = workspace(&[("tools/cli", &[])]);
        assert_eq!(dependent_oracles(&oracle, &moved), ["the oracle dialects/interpret is in no crate"]);
    }

    #[test]
    fn unit_tests_that_do_not_run_are_found() {
        let files = [("a.rs", "#[test]\nfn f() {}\n"), ("b.rs", "#[cfg(test)]\nmod tests {}\n")];
        let files = files.map(|(file, text)| (file.to_string(), text.to_string()));
        assert_eq!(disabled_tests(&files), ["b.rs: its crate has `test = false`; expected its tests in `tests/`"]);
        let without_tests = files_of_crates_with(WITHOUT_TESTS).unwrap();
        assert!(without_tests.iter().any(|(file, _)| file == "passes/lib.rs"));
    }

    #[test]
    fn examples_that_do_not_run_are_found() {
        let good = "/// ```text\n/// a\n/// ```\n/// ```mlir before\n/// ```\nfn f() {}\n";
        let files = [("a.rs", good), ("b.rs", "//! ```text\n//! ```\n    /// ```\n    /// f()\n    /// ```\n")];
        let files = files.map(|(file, text)| (file.to_string(), text.to_string()));
        let found = disabled_examples(&files);
        assert_eq!(found, ["b.rs: its crate has `doctest = false`; expected a language other than Rust"]);
        assert!(files_of_crates_with(WITHOUT_EXAMPLES).unwrap().iter().any(|(file, _)| file == "tools/runtime/lib.rs"));
    }

    #[test]
    fn checks_that_ci_lacks_are_found() {
        let makefile = "all: lint\n\ttrue\n\nlint: format\n\tcargo clippy --release --workspace --all-targets \
                        -- --deny warnings\n\nformat:\n\tcargo fmt --all --check\n\n\
                        test:\n\tX=1 cargo test --release --workspace\n";
        assert_eq!(missing_commands("set -e\nmake all test 2>&1 | tee log\n", makefile), Vec::<String>::new());
        let missing = missing_commands("make format test || status=$?", makefile);
        assert_eq!(missing.len(), 1, "{missing:?}");
        assert!(missing[0].contains("cargo clippy"), "{missing:?}");
        assert_eq!(missing_commands("cargo build", makefile).len(), 3);
    }
}
