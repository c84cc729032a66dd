//! Compiled code in files of a folder, for other processes, now and later.
//!
//! An entry is a file whose name is a hash of everything that determines the code. It begins with a hash of the rest,
//! so a damaged entry is not used. Entries are written to temporary files and renamed, so that other processes see
//! either the whole entry or none. Only the owner of the folder may have access to it, because its code is executed.

use object::read::{Object as _, ReadCache};
use rustix::process::geteuid;
use sha2::{Digest, Sha256};
use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// The default limit of the bytes of all entries.
const LIMIT: u64 = 1 << 30;
/// The age from which temporary files are those of processes that ended.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// The extension of entries, with the version of their format.
const EXTENSION: &str = "mlopt-2";
const TEMPORARY: &str = "mlopt-tmp";

pub type Hash = [u8; 32];

/// Returns the hash of a list of texts.
pub fn hash(parts: &[&[u8]]) -> Hash {
    let parts: Vec<Hash> = parts.iter().map(|part| Sha256::digest(part).into()).collect();
    Sha256::digest(parts.concat()).into()
}

/// The reason why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct FolderError {
    pub folder: PathBuf,
    pub text: String,
}

/// A folder of entries.
#[derive(Clone, Debug)]
pub struct Folder {
    folder: PathBuf,
    limit: u64,
}

impl Folder {
    /// Opens a folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// The folder cannot be created, belongs to another user, or others have access to it.
    pub fn open(folder: &Path) -> Result<Folder, FolderError> {
        let failed = |text: String| FolderError { folder: folder.to_path_buf(), text };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|e| failed(format!("the folder of the cache cannot be created: {e}")))?;
        let found = fs::metadata(folder).map_err(|e| failed(e.to_string()))?;
        let (owner, user) = (found.uid(), geteuid().as_raw());
        if owner != user {
            return Err(failed(format!("the folder of the cache must belong to user {user}, found {owner}")));
        }
        if found.mode() & 0o077 != 0 {
            let mode = found.mode() & 0o777;
            return Err(failed(format!("the folder of the cache must have mode 700, found {mode:o}")));
        }
        Ok(Folder { folder: folder.to_path_buf(), limit: LIMIT })
    }

    /// Returns the path of the folder of this user: `$MLOPT_CACHE_DIR`, or `mlopt` in `$XDG_CACHE_HOME` or `~/.cache`.
    /// Returns `None` if none of the variables is set, nor is `$HOME`.
    pub fn of_user() -> Option<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // The specification of XDG_CACHE_HOME ignores relative paths.
        let xdg = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        variable("MLOPT_CACHE_DIR")
            .or_else(|| Some(xdg.or_else(|| Some(variable("HOME")?.join(".cache")))?.join("mlopt")))
    }

    /// Returns the folder with another limit of the bytes of all entries; initially 1 GiB. After an entry is added, the
    /// entries that have not been used for the longest time are removed.
    pub fn with_limit(mut self, bytes: u64) -> Folder {
        self.limit = bytes;
        self
    }

    /// Returns the entry of a key, if it exists and is not damaged.
    pub fn load(&self, key: &Hash) -> Option<Vec<u8>> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let (expected, entry) = bytes.split_first_chunk::<32>()?;
        if <Hash>::from(Sha256::digest(entry)) != *expected {
            return None;
        }
        // The time of the last use. Without it, the entry may be removed too early.
        let _ignored = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(entry.to_vec())
    }

    /// Adds an entry. Errors are ignored: the program is compiled again.
    pub fn store(&self, key: &Hash, entry: &[u8]) {
        let bytes = [&Sha256::digest(entry)[..], entry].concat();
        let _ignored = self.write(key, &bytes).map(|()| self.evict());
    }

    fn write(&self, key: &Hash, bytes: &[u8]) -> std::io::Result<()> {
        // Processes in different containers may have the same number.
        let number = RandomState::new().build_hasher().finish();
        let temporary = self.folder.join(format!("{number:016x}.{TEMPORARY}"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        let written = file.write_all(bytes).and_then(|()| fs::rename(&temporary, self.path(key)));
        if written.is_err() {
            let _ignored = fs::remove_file(&temporary);
        }
        written
    }

    /// Removes the entries that have not been used for the longest time, and abandoned temporary files.
    fn evict(&self) {
        let is = |path: &Path, extension| path.extension().is_some_and(|e| e == extension);
        let mut entries = vec![];
        for file in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = file.path();
            let Ok((data, used)) = file.metadata().and_then(|data| Ok((data.len(), data.modified()?))) else {
                continue;
            };
            if is(&path, TEMPORARY) && used.elapsed().is_ok_and(|age| age > ABANDONED) {
                let _ignored = fs::remove_file(&path);
            } else if is(&path, EXTENSION) {
                entries.push((used, data, path));
            }
        }
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        entries.sort();
        for (_, bytes, path) in entries {
            if total <= self.limit {
                break;
            }
            // Another process may have removed it.
            let _ignored = fs::remove_file(path);
            total -= bytes;
        }
    }

    fn path(&self, key: &Hash) -> PathBuf {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.{EXTENSION}"))
    }
}

/// Returns the identity of the program or library that contains the compiler: the build id of the linker, or the name,
/// size and time of the file. Returns `None` if the file has been replaced since it was loaded.
pub fn build() -> Option<&'static [u8]> {
    static BUILD: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let found = BUILD.get_or_init(|| {
        let path = loaded_from(build as *const () as usize)?;
        let file = File::open(&path).ok()?;
        let data = file.metadata().ok()?;
        let cache = ReadCache::new(&file);
        let id = object::File::parse(&cache).ok().and_then(|file| Some(file.build_id().ok()??.to_vec()));
        let (size, time) = (data.len(), (data.mtime(), data.mtime_nsec()));
        Some(id.unwrap_or_else(|| format!("{}, {size} bytes, {time:?}", path.display()).into_bytes()))
    });
    found.as_deref()
}

/// Returns the file from which the code at an address was loaded.
fn loaded_from(address: usize) -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let contains = |line: &&str| {
        let range = line.split(' ').next()?.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        Some((number(range.0)?..number(range.1)?).contains(&address))
    };
    let line = maps.lines().find(|line| contains(line) == Some(true))?;
    let path = &line[line.find('/')?..];
    (!path.ends_with(" (deleted)")).then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_is_that_of_this_program() {
        let path = loaded_from(build as *const () as usize).unwrap();
        assert_eq!(path, std::env::current_exe().unwrap());
        assert_eq!(build(), build());
        assert!(build().is_some());
    }

    #[test]
    fn files_of_a_process_with_the_same_number_are_left_alone() {
        let path = std::env::temp_dir().join(format!("mlopt-folder-{}", std::process::id()));
        let folder = Folder::open(&path).unwrap();
        let other = |k: usize| path.join(format!("{}-{k}.{TEMPORARY}", std::process::id()));
        (0..8).for_each(|k| fs::write(other(k), "another process").unwrap());
        let keys = [[1; 32], [2; 32]];
        keys.iter().for_each(|key| folder.store(key, b"entry"));
        assert!(keys.iter().all(|key| folder.load(key).as_deref() == Some(b"entry")));
        assert!((0..8).all(|k| fs::read(other(k)).unwrap() == b"another process"));
        fs::remove_dir_all(path).unwrap();
    }
}
