//! `cargo xtask install --prefix DIR`: installs the C library, its headers, its description for `pkg-config`, and the
//! command line.
//!
//! ```text
//! DIR/bin/mlopt
//! DIR/include/mlopt.h  mlopt.hpp
//! DIR/lib/libmlopt.so.0  libmlopt.so -> libmlopt.so.0  libmlopt.a  pkgconfig/mlopt.pc
//! ```

use crate::error::{Context, Error};
use crate::root;
use crate::tree::read;
use std::fs;
use std::path::{Path, PathBuf};

/// The libraries of the system that a program needs if it is linked with `libmlopt.a`: those that the compiler of Rust
/// lists with `--print native-static-libs`.
const PRIVATE: &str = "-lstdc++ -lrt -ldl -lm -lz -lzstd -lffi -ltinfo -lgcc_s -lutil -lpthread -lc";

/// Builds everything and installs it.
pub fn run(prefix: &Path) -> Result<(), Error> {
    crate::cargo(&["build", "--release", "--package", "mlopt-capi", "--package", "mlopt-cli"])?;
    let built = root().join("target/release");
    copy(&built.join("mlopt"), &prefix.join("bin/mlopt"))?;
    libraries(prefix, &built)
}

/// Installs the library and its headers from the folder of a build.
pub fn libraries(prefix: &Path, built: &Path) -> Result<(), Error> {
    fs::create_dir_all(prefix).context(prefix.display())?;
    let prefix = prefix.canonicalize().context(prefix.display())?;
    let capi = root().join("tools/capi");
    copy(&library(built, "libmlopt_c.so")?, &prefix.join("lib/libmlopt.so.0"))?;
    copy(&library(built, "libmlopt_c.a")?, &prefix.join("lib/libmlopt.a"))?;
    let link = prefix.join("lib/libmlopt.so");
    let _absent = fs::remove_file(&link);
    std::os::unix::fs::symlink("libmlopt.so.0", &link).context(link.display())?;
    for header in ["mlopt.h", "mlopt.hpp"] {
        copy(&capi.join("include").join(header), &prefix.join("include").join(header))?;
    }
    let template = read(&capi.join("mlopt.pc.in"))?;
    let text = description(&template, &prefix.display().to_string());
    let file = prefix.join("lib/pkgconfig/mlopt.pc");
    fs::create_dir_all(prefix.join("lib/pkgconfig")).context(file.display())?;
    fs::write(&file, text).context(file.display())?;
    println!("installed in {}", prefix.display());
    Ok(())
}

/// Returns the description for `pkg-config`.
fn description(template: &str, prefix: &str) -> String {
    let values = [("@PREFIX@", prefix), ("@VERSION@", env!("CARGO_PKG_VERSION")), ("@PRIVATE@", PRIVATE)];
    values.iter().fold(template.to_string(), |text, (name, value)| text.replace(name, value))
}

/// Returns a library in the folder of a build. Cargo leaves the libraries of tests in `deps`.
fn library(built: &Path, name: &str) -> Result<PathBuf, Error> {
    let found = [built.join(name), built.join("deps").join(name)].into_iter().filter(|path| path.exists());
    // The newer one.
    let newest = found.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
    newest.context(format_args!("{}: expected {name}, found none", built.display()))
}

/// Copies a file over another one, which a process may have open.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to.parent().unwrap_or(to)).context(to.display())?;
    let _absent = fs::remove_file(to);
    fs::copy(from, to).context(format_args!("{} to {}", from.display(), to.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_complete() {
        let template = read(&root().join("tools/capi/mlopt.pc.in")).unwrap();
        let text = description(&template, "/opt/mlopt");
        assert!(text.starts_with("prefix=/opt/mlopt\n"), "{text}");
        assert!(!text.contains('@'), "{text}");
    }
}
