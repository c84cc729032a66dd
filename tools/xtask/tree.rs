//! The files of the repository, and the programs that commands start.

use crate::error::{Context, Error};
use proc_macro2::{TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("tools/xtask is in the repository")
}

/// Returns a path from the root of the repository.
pub fn relative(path: &Path) -> &Path {
    path.strip_prefix(root()).unwrap_or(path)
}

pub fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).context(path.display())
}

/// Returns the last part of a path.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the files and folders in a folder, in order; none if it does not exist.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if !folder.exists() {
        return Ok(vec![]);
    }
    let entries = fs::read_dir(folder).context(folder.display())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the files below a folder, in order, except those in folders that `is_skipped` chooses.
pub fn files(folder: &Path, is_skipped: impl Fn(&Path) -> bool + Copy) -> Result<Vec<PathBuf>, Error> {
    let mut found = vec![];
    for path in entries(folder)? {
        match path.is_dir() {
            false => found.push(path),
            true if is_skipped(&path) => {}
            true => found.extend(files(&path, is_skipped)?),
        }
    }
    Ok(found)
}

/// Returns the Rust files below a folder, except those of nested crates.
pub fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = files(folder, |path| path.join("Cargo.toml").exists())?;
    found.retain(|path| path.extension().is_some_and(|e| e == "rs"));
    Ok(found)
}

/// Returns the folders of the workspace's crates.
pub fn members() -> Result<Vec<String>, Error> {
    let manifest = read(&root().join("Cargo.toml"))?;
    let list = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.context("Cargo.toml: expected `members = [`")?;
    Ok(list.split('"').skip(1).step_by(2).map(str::to_string).collect())
}

/// Returns the tokens of a Rust file.
pub fn tokens(file: &Path) -> Result<TokenStream, Error> {
    read(file)?.parse::<TokenStream>().context(file.display())
}

pub fn trees(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

/// Returns a command that starts cargo.
pub fn cargo() -> Command {
    Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}
