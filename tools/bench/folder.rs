//! Folders for temporary files.

use crate::error::{Context, Error};
use std::path::PathBuf;

/// A folder for temporary files, removed when dropped.
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    pub fn new(name: &str) -> Result<Folder, Error> {
        let path = std::env::temp_dir().join(format!("mlopt-bench-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).context(path.display())?;
        Ok(Folder { path })
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
        let path = self.path.join(name);
        std::fs::write(&path, bytes).context(path.display())?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
