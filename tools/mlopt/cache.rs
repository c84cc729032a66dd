//! The cache of compiled code.
//!
//! The key of an entry is a hash of the program without locations, the passes, the processor with its features, and the
//! build of the compiler. Error messages of compiled code contain positions: the entry of code with such messages also
//! contains a hash of the program with locations, and serves only programs with the same locations.

use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::ir::Op;
use mlopt_lowering::native::Target;
use mlopt_runtime::code::Object;
use mlopt_runtime::code::folder::{Folder, FolderError, Hash, build, hash};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
    folder: Folder,
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
        let failed = |e: FolderError| Error::at(ErrorKind::File, &e.folder.display().to_string(), e.text);
        Ok(Cache { folder: Folder::open(folder.as_ref()).map_err(failed)?, counts: Arc::default() })
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
        match Folder::of_user() {
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
        self.folder = self.folder.with_limit(bytes);
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

    /// Returns the entry of a key, if it exists, is not damaged, and has the locations of the program if it needs them.
    pub(crate) fn load(&self, key: &Key) -> Option<Object> {
        let object = self.folder.load(&key.code).and_then(|entry| {
            let (places, code) = entry.split_first_chunk::<32>()?;
            let is_for_key = *places == [0; 32] || *places == key.places;
            if is_for_key { Object::from_bytes(code) } else { None }
        });
        let count = if object.is_some() { &self.counts.hits } else { &self.counts.misses };
        count.fetch_add(1, Ordering::Relaxed);
        object
    }

    /// Adds an entry.
    pub(crate) fn store(&self, key: &Key, object: &Object) {
        let places = if object.has_places() { key.places } else { [0; 32] };
        self.folder.store(&key.code, &[&places[..], &object.to_bytes()].concat());
    }
}

/// The hashes of everything that determines compiled code.
pub(crate) struct Key {
    code: Hash,
    /// The hash of the program with locations.
    places: Hash,
}

impl Key {
    /// Returns the key of a program before the passes. Returns `None` if the build of the compiler is not known.
    pub(crate) fn of(module: Op, passes: &str, target: &Target) -> Option<Key> {
        let [text, target] = [module.generic_text(false), target.description()];
        let version = env!("CARGO_PKG_VERSION");
        let code = hash(&[text.as_bytes(), passes.as_bytes(), target.as_bytes(), version.as_bytes(), build()?]);
        Some(Key { code, places: hash(&[module.generic_text(true).as_bytes()]) })
    }
}
