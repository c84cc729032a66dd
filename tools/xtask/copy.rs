//! Copies of the sources, for the commands `faults` and `exercise`. They change the copy and never the repository.

use crate::error::{Context, Error};
use crate::{root, tree};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The contents of files, by their names from the root of the repository.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Returns the names of the files that git tracks. A copy is in a folder that git ignores: all of its files count,
/// except build outputs.
pub fn tracked() -> Result<Vec<String>, Error> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().context("git")?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    if listed.is_empty() {
        let name = |path: PathBuf| Some(path.strip_prefix(root()).ok()?.to_string_lossy().into_owned());
        return Ok(tree::files(&root(), |folder| folder.ends_with("target"))?.into_iter().filter_map(name).collect());
    }
    Ok(listed.split('\0').filter(|name| !name.is_empty()).map(str::to_string).collect())
}

/// Returns every file that git tracks and that exists.
pub fn sources() -> Result<Files, Error> {
    let read = |name: String| fs::read(root().join(&name)).ok().map(|bytes| (name, bytes));
    Ok(tracked()?.into_iter().filter_map(read).collect())
}

/// Writes the files that differ: an equal file keeps its time, so that little is rebuilt. Removes all others, except
/// build outputs.
pub fn write(copy: &Path, files: &Files) -> Result<(), Error> {
    for old in tree::files(copy, |folder| folder.ends_with("target"))? {
        let name = old.strip_prefix(copy).unwrap_or(&old).to_string_lossy().into_owned();
        if !files.contains_key(&name) {
            fs::remove_file(&old).context(old.display())?;
        }
    }
    for (name, bytes) in files {
        let to = copy.join(name);
        if !fs::read(&to).is_ok_and(|old| old == *bytes) {
            let made = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&to, bytes));
            made.context(to.display())?;
        }
        // Tests run scripts. A file that the patch of an exercise adds has no original.
        if let Ok(original) = fs::metadata(root().join(name)) {
            let mut allowed = original.permissions();
            allowed.set_mode(allowed.mode() | 0o200);
            fs::set_permissions(&to, allowed).context(to.display())?;
        }
    }
    Ok(())
}
