//! `cargo xtask exercise`: adds the op `array.cumsum`, as `docs/tutorial/adding-an-operation.md` describes, to a copy
//! of the sources in `target/exercise`, and runs all tests there. With `--check`, as in continuous integration, the
//! Rust code of the copy is only checked by the compiler: it generates no code, and C++ is not compiled. This copy also
//! contains the faults of `cargo xtask faults`, so that a fault that does not compile is found before a long run.

use crate::copy::{self, Files};
use crate::error::{Context, Error};
use crate::tree::{self, read};
use crate::{faults, patch, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The patch, from `git diff`.
const PATCH: &str = "test/exercises/cumsum.patch";

/// The packages that the patch changes.
const CHANGED: [&str; 4] = ["mlopt-dialects", "mlopt-passes", "mlopt-lowering", "mlopt-cli"];

/// The version of our packages, in manifest and lock file, and that of the copy in [`check`].
const VERSION: &str = "version = \"0.1.0\"";
const OTHER_VERSION: &str = "version = \"0.1.0-exercise\"";

/// The start of the table of lints in the manifest.
const LINTS: &str = "[workspace.lints.rust]\n";

/// Runs every test on the copy. `MALLOC_PERTURB_` is that of `cargo xtask check`.
pub fn run() -> Result<(), Error> {
    let copy = copied(patched()?)?;
    let command = || {
        let mut command = tree::cargo();
        command.env_remove("CARGO_TARGET_DIR");
        command
    };
    // Tests of xtask itself read the repository of the copy, which has none.
    let tests = ["test", "--release", "--workspace", "--exclude", "xtask"];
    cargo(&copy, command().args(tests).env("MALLOC_PERTURB_", "165"))?;
    cargo(&copy, command().args(["run", "--release", "--quiet", "--package", "xtask", "--", "docs", "--check"]))
}

/// Compiles the packages that the patch changes, with all faults, as far as their metadata. The target folder is that
/// of the repository, so that dependencies are compiled once. Another version keeps the packages apart from those of
/// the repository. Metadata need no C++, which the build scripts of the copy do not compile.
pub fn check() -> Result<(), Error> {
    let mut files = patched()?;
    faults::plant(&mut files)?;
    change(&mut files, "Cargo.toml", |text| {
        let text = text.replacen(VERSION, OTHER_VERSION, 1);
        // A fault is an expression in parentheses.
        text.replacen(LINTS, &format!("{LINTS}unused_parens = \"allow\"\n"), 1)
    })?;
    let is_ours = |package: &str| !package.contains("\nsource = ");
    let versioned = |package: &str| match is_ours(package) {
        true => package.replacen(VERSION, OTHER_VERSION, 1),
        false => package.to_string(),
    };
    change(&mut files, "Cargo.lock", |text| text.split("\n\n").map(versioned).collect::<Vec<_>>().join("\n\n"))?;
    for script in ["dialects/build.rs", "dialects/mlir/build.rs"] {
        change(&mut files, script, |text| text.replacen("build.compile(", "let _ = (&mut build, ", 1))?;
    }
    let copy = copied(files)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut command = tree::cargo();
    command.args(["check", "--release", "--locked"]).args(CHANGED.iter().flat_map(|name| ["--package", *name]));
    cargo(&copy, command.env("CARGO_TARGET_DIR", target))
}

/// Changes the text of a file, which must contain what `text` replaces.
fn change(files: &mut Files, name: &str, text: impl Fn(&str) -> String) -> Result<(), Error> {
    let bytes = files.get_mut(name).context(format_args!("no file {name}"))?;
    let new = text(&String::from_utf8_lossy(bytes)).into_bytes();
    if *bytes == new {
        return Err(Error::Program(format!("{name}: a text that `exercise --check` replaces is missing")));
    }
    *bytes = new;
    Ok(())
}

/// Writes the copy.
fn copied(files: Files) -> Result<PathBuf, Error> {
    let copy = root().join("target/exercise");
    copy::write(&copy, &files)?;
    Ok(copy)
}

fn patched() -> Result<Files, Error> {
    let text = read(&root().join(PATCH))?;
    let mut files = copy::sources()?;
    for change in patch::read(&text)? {
        change.apply(&mut files).context(format_args!("{PATCH} does not apply"))?;
    }
    Ok(files)
}

fn cargo(copy: &Path, command: &mut Command) -> Result<(), Error> {
    let arguments: Vec<_> = command.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
    let text = format!("cargo {}", arguments.join(" "));
    println!("$ {text}    (in {})", copy.display());
    let status = command.current_dir(copy).status().context(&text)?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::Program(format!("`{text}` did not succeed in {}", copy.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Change;

    const PAGE: &str = "docs/tutorial/adding-an-operation.md";

    fn changes() -> Vec<Change> {
        patch::read(&read(&root().join(PATCH)).unwrap()).unwrap()
    }

    #[test]
    fn the_patch_applies() {
        patched().unwrap();
        // The command of the page, which is stricter.
        let applied = Command::new("git").args(["apply", "--check", PATCH]).current_dir(root()).status();
        assert!(applied.unwrap().success(), "{PATCH}: `git apply` fails; write it again as docs/tutorial says");
    }

    /// Returns the fenced blocks of the page in one of these languages.
    fn blocks(page: &str, languages: &[&str]) -> Vec<Vec<String>> {
        let mut found = vec![];
        let mut lines = page.lines();
        while let Some(language) = lines.by_ref().find_map(|line| line.strip_prefix("```")) {
            let block = lines.by_ref().take_while(|line| !line.starts_with("```"));
            let block = block.map(|line| line.trim().to_string()).collect();
            if languages.contains(&language) {
                found.push(block);
            }
        }
        found
    }

    #[test]
    fn the_tutorial_shows_lines_of_the_patch() {
        let page = read(&root().join(PAGE)).unwrap();
        let trimmed = |lines: &[String]| lines.iter().map(|line| line.trim().to_string()).collect::<Vec<_>>();
        let added: Vec<Vec<String>> =
            changes().iter().flat_map(|change| change.added().map(trimmed).collect::<Vec<_>>()).collect();
        let shown = blocks(&page, &["rust", "tablegen"]);
        assert!(shown.len() > 6, "only {} blocks", shown.len());
        for block in shown {
            let is_added = added.iter().any(|lines| lines.windows(block.len()).any(|part| part == block));
            assert!(is_added, "{PATCH} does not add these lines of {PAGE}:\n{}", block.join("\n"));
        }
    }

    #[test]
    fn the_tutorial_lists_the_files_of_the_patch() {
        let page = read(&root().join(PAGE)).unwrap();
        let is_row = |cells: &Vec<&str>| cells.get(2).is_some_and(|count| count.trim().parse::<usize>().is_ok());
        let rows = page.lines().map(|line| line.split('|').take(3).collect::<Vec<_>>()).filter(is_row);
        let mut listed: Vec<String> = rows.map(|cells| cells.join("|")).collect();
        let expected = changes().into_iter().map(|change| {
            let count: usize = change.added().map(<[String]>::len).sum();
            format!("| `{}` | {count} ", change.file)
        });
        let mut expected: Vec<String> = expected.collect();
        expected.sort();
        listed.sort();
        assert_eq!(listed, expected, "the table of {PAGE} is not that of {PATCH}");
    }
}
