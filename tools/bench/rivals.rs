//! The C programs with which we compare.

use std::path::PathBuf;
use std::process::Command;

/// The functions of a C file, compiled by the C compiler of this machine.
pub struct Rivals {
    pub library: libloading::Library,
    file: PathBuf,
}

impl Rivals {
    /// # Errors
    /// There is no C compiler, or it rejects the source.
    pub fn new(source: &str) -> Result<Rivals, String> {
        let stem = std::env::temp_dir().join(format!("mlopt-bench-rivals-{}", std::process::id()));
        let (text, file) = (stem.with_extension("c"), stem.with_extension("so"));
        std::fs::write(&text, source).map_err(|e| e.to_string())?;
        let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let flags = ["-O3", "-march=native", "-ffp-contract=fast", "-fPIC", "-shared", "-o"];
        let status = Command::new(&cc).args(flags).arg(&file).arg(&text).arg("-lm").status();
        let _ = std::fs::remove_file(&text);
        match status {
            Ok(s) if s.success() => {}
            Ok(s) => return Err(format!("{cc}: {s}")),
            Err(e) => return Err(format!("{cc}: {e}")),
        }
        #[allow(unsafe_code)]
        // SAFETY: the library has no constructors.
        let library = unsafe { libloading::Library::new(&file) }.map_err(|e| e.to_string())?;
        Ok(Rivals { library, file })
    }
}

impl Drop for Rivals {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}
