//! The features that a `REQUIRES:` line can name. `test/lit.cfg.py` contains the same list.

use super::script::Error;
use crate::toolchain;
use std::path::Path;

/// Checks whether the machine has a feature. An unknown name is an error that lists the known ones, so that a typo does
/// not skip a test.
pub fn available(name: &str) -> Result<bool, Error> {
    match name {
        "gpu" => Ok(Path::new("/dev/nvidiactl").exists()),
        "valgrind" | "python3" | "clang-19" => Ok(on_path(name)),
        "ptxas" => Ok(toolchain::ptxas().is_some()),
        _ => Err(Error::Feature(name.to_owned())),
    }
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
