//! Detection of the features that a `REQUIRES:` line can name. `test/lit.cfg.py` contains the same list.

use super::script::Error;
use crate::toolchain;
use std::path::Path;

/// Checks whether the machine has a feature. An unknown name is an error that lists the known ones, so that a typo does
/// not skip a test.
pub fn available(name: &str) -> Result<bool, Error> {
    match name {
        "gpu" => Ok(Path::new("/dev/nvidiactl").exists()),
        "valgrind" | "python3" | "clang-19" => Ok(toolchain::on_path(name).is_some()),
        "ptxas" => Ok(toolchain::ptxas().is_some()),
        _ => Err(Error::Feature(name.to_owned())),
    }
}

/// Returns the features that are not available.
pub fn missing(requires: &[String], available: impl Fn(&str) -> Result<bool, Error>) -> Result<Vec<&str>, Error> {
    let mut missing = Vec::new();
    for feature in requires {
        if !available(feature)? {
            missing.push(feature.as_str());
        }
    }
    Ok(missing)
}
