//! Compiled code in files.
//!
//! An entry is a file with the name of its key, a hash of everything that determines the code: the program without
//! locations, the passes, the processor with its features, and the build of the compiler. It begins with a hash of the
//! rest, so a damaged entry is not used. Entries are written to temporary files and renamed, so that other processes
//! see either the whole entry or none.
//!
//! Error messages of compiled code contain positions. The entry of code with such messages also contains a hash of the
//! program with locations, and serves only programs with the same locations.

use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::ir::Op;
use mlopt_lowering::native::Target;
use mlopt_runtime::code::Object;
use object::read::{Object as _, ReadCache};
use rustix::process::geteuid;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

/// The default limit of the bytes of all entries.
const LIMIT: u64 = 1 << 30;
/// The age from which temporary files are those of processes that ended.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// The extension of entries, with the version of their format.
const EXTENSION: &str = "mlopt-1";
const TEMPORARY: &str = "mlopt-tmp";

type Hash = [u8; 32];

/// A folder of compiled code, for sessions of this and other processes, now and later. Copies share their counts.
///
/// Only the owner of the folder may have access to it, because its code is executed.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("mlopt-cache-{}", std::process::id()));
/// let cache = mlopt::Cache::open(&folder)?;
/// let first = mlopt::Session::with_cache(cache.clone()).compile("f.mlir", "func.func @f() { return }")?;
/// let second = mlopt::Session::with_cache(cache.clone()).compile("f.mlir", "func.func @f() { return }")?;
/// assert_eq!(cache.hits(), 1);
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl Cache {
    /// Opens a folder, and creates it if it does not exist.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("mlopt-open-{}", std::process::id()));
    /// let cache = mlopt::Cache::open(&folder)?;
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// assert!(mlopt::Cache::open("/proc/mlopt").is_err());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The folder cannot be created, belongs to another user, or others have access to it.
    pub fn open(folder: impl AsRef<Path>) -> Result<Cache> {
        let folder = folder.as_ref();
        let failed = |text: String| Error::at(ErrorKind::File, &folder.display().to_string(), text);
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
        Ok(Cache { folder: folder.to_path_buf(), limit: LIMIT, counts: Arc::default() })
    }

    /// Opens the folder of this user: `$MLOPT_CACHE_DIR`, or `mlopt` in `$XDG_CACHE_HOME` or `~/.cache`.
    ///
    /// ```no_run
    /// let session = mlopt::Session::with_cache(mlopt::Cache::of_user()?);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Cache::open`]; none of the variables is set, nor is `$HOME`.
    pub fn of_user() -> Result<Cache> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // The specification of XDG_CACHE_HOME ignores relative paths.
        let xdg = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let folder = variable("MLOPT_CACHE_DIR")
            .or_else(|| Some(xdg.or_else(|| Some(variable("HOME")?.join(".cache")))?.join("mlopt")));
        match folder {
            Some(folder) => Cache::open(folder),
            None => Err(Error::new(ErrorKind::File, "expected a folder in $MLOPT_CACHE_DIR, found none, and no $HOME")),
        }
    }

    /// Returns the cache with another limit of the bytes of all entries; initially 1 GiB. After an entry is added, the
    /// entries that have not been used for the longest time are removed.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("mlopt-limit-{}", std::process::id()));
    /// let cache = mlopt::Cache::open(&folder)?.with_limit(64 << 20);
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn with_limit(mut self, bytes: u64) -> Cache {
        self.limit = bytes;
        self
    }

    /// Returns the number of programs whose code was found.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("mlopt-hits-{}", std::process::id()));
    /// assert_eq!(mlopt::Cache::open(&folder)?.hits(), 0);
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn hits(&self) -> u64 {
        self.counts.hits.load(Ordering::Relaxed)
    }

    /// Returns the number of programs that were compiled because their code was not found, or was damaged.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("mlopt-misses-{}", std::process::id()));
    /// assert_eq!(mlopt::Cache::open(&folder)?.misses(), 0);
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn misses(&self) -> u64 {
        self.counts.misses.load(Ordering::Relaxed)
    }

    /// Returns the entry of a key, if it exists and is not damaged.
    pub(crate) fn load(&self, key: &Key) -> Option<Object> {
        let path = self.path(key);
        let object = fs::read(&path).ok().and_then(|bytes| decoded(&bytes, key));
        let count = if object.is_some() { &self.counts.hits } else { &self.counts.misses };
        count.fetch_add(1, Ordering::Relaxed);
        // The time of the last use. Without it, the entry may be removed too early.
        let _ignored = object.as_ref().map(|_| File::open(&path).and_then(|f| f.set_modified(SystemTime::now())));
        object
    }

    /// Adds an entry. Errors are ignored: the program is compiled again.
    pub(crate) fn store(&self, key: &Key, object: &Object) {
        let _ignored = self.write(key, &encoded(object, key)).map(|()| self.evict());
    }

    fn write(&self, key: &Key, bytes: &[u8]) -> std::io::Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = self.folder.join(format!("{}-{number}.{TEMPORARY}", std::process::id()));
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

    fn path(&self, key: &Key) -> PathBuf {
        let name: String = key.code.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.{EXTENSION}"))
    }
}

/// What determines compiled code.
pub(crate) struct Key {
    code: Hash,
    /// The hash of the program with locations.
    places: Hash,
}

impl Key {
    /// Returns the key of a program before the passes. Returns `None` if the build of the compiler is not known.
    pub(crate) fn of(module: Op, passes: &str, target: &Target) -> Option<Key> {
        let parts = [
            module.generic_text(false).as_bytes(),
            passes.as_bytes(),
            target.description().as_bytes(),
            env!("CARGO_PKG_VERSION").as_bytes(),
            build()?,
        ]
        .map(|part| <Hash>::from(Sha256::digest(part)));
        let places = Sha256::digest(module.generic_text(true)).into();
        Some(Key { code: Sha256::digest(parts.concat()).into(), places })
    }
}

/// Returns the bytes of an entry: a hash of the rest, the hash of the locations, and the code.
fn encoded(object: &Object, key: &Key) -> Vec<u8> {
    let places = if object.has_places() { key.places } else { [0; 32] };
    let rest = [&places[..], &object.to_bytes()].concat();
    [&Sha256::digest(&rest)[..], &rest].concat()
}

/// Returns the code of an entry. Returns `None` if it is damaged, or contains other locations.
fn decoded(bytes: &[u8], key: &Key) -> Option<Object> {
    let (hash, rest) = bytes.split_first_chunk::<32>()?;
    let (places, code) = rest.split_first_chunk::<32>()?;
    let is_for_key = *places == [0; 32] || *places == key.places;
    if !is_for_key || <Hash>::from(Sha256::digest(rest)) != *hash {
        return None;
    }
    Object::from_bytes(code)
}

/// Returns the identity of the program or library that contains the compiler: the build id of the linker, or the name,
/// size and time of the file. Returns `None` if the file has been replaced since it was loaded.
fn build() -> Option<&'static [u8]> {
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
}
