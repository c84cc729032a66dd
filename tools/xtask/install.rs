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
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The libraries of the system that a program needs if it is linked with `libmlopt.a`: those that the compiler of Rust
/// lists with `--print native-static-libs`.
const PRIVATE: &str = "-lstdc++ -lrt -ldl -lm -lz -lzstd -lffi -ltinfo -lgcc_s -lutil -lpthread -lc";

/// The object with the dialects, which register themselves when it is loaded: no other object refers to it.
const DIALECTS: &str = "-Wl,--undefined=_ZN5mlopt5array12ArrayDialect10initializeEv";

/// The options with which the shared library is linked, besides the version script.
const SHARED: &[&str] = &[
    "-shared",
    // Programs that were linked with this version of the interface find the library by this name.
    "-Wl,-soname,libmlopt.so.0",
    // As for the executable: what no function of the interface uses is dropped, and relative relocations are small.
    "-Wl,--gc-sections",
    "-Wl,-z,pack-relative-relocs",
    // A part of the keys of the cache of compiled code.
    "-Wl,--build-id",
    // Calls inside the library are not redirected to symbols of the program.
    "-Wl,-Bsymbolic",
];

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
    let archive = library(built, "libmlopt_c")?;
    copy(&archive, &prefix.join("lib/libmlopt.a"))?;
    link(&archive, &read(&capi.join("include/mlopt.h"))?, &prefix.join("lib/libmlopt.so.0"))?;
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

/// Links the shared library, which exports the functions of the header. `rustc` passes a version script without a name
/// of a version to the linker, which accepts no second one, so that the static library is linked here.
fn link(archive: &Path, header: &str, library: &Path) -> Result<(), Error> {
    let functions = functions(header);
    let script = library.with_extension("map");
    fs::write(&script, version_script(header, &functions)?).context(script.display())?;
    let _absent = fs::remove_file(library);
    let mut linker = Command::new("cc");
    linker.args(SHARED).arg(format!("-Wl,--version-script={}", script.display()));
    // The linker of the Rust toolchain takes a second, that of Debian 12 several.
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = String::from_utf8_lossy(&sysroot.context("rustc")?.stdout).trim().to_string();
    let lld = Path::new(&sysroot).join("lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld");
    if lld.exists() {
        linker.arg(format!("-B{}", lld.display())).arg("-fuse-ld=lld");
    }
    // As a whole: dialects are registered by objects to which no other code refers.
    linker.arg("-Wl,--whole-archive").arg(archive).arg("-Wl,--no-whole-archive");
    linker.arg("-o").arg(library).args(PRIVATE.split(' '));
    let output = linker.output().context("cc")?;
    let _absent = fs::remove_file(&script);
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Program(format!("cc: {}", String::from_utf8_lossy(&output.stderr)))),
    }
}

/// Returns the functions that a header declares, sorted.
fn functions(header: &str) -> BTreeSet<&str> {
    let words = header.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("mlopt_"));
    words.filter(|word| header.contains(&format!("{word}("))).collect()
}

/// Returns the version script of the shared library: the functions of the header have the version of its interface,
/// and nothing else is exported.
fn version_script(header: &str, functions: &BTreeSet<&str>) -> Result<String, Error> {
    let version = header.lines().find_map(|line| line.strip_prefix("#define MLOPT_ABI_VERSION "));
    let version = version.context("mlopt.h: expected `#define MLOPT_ABI_VERSION`, found none")?;
    let exported: String = functions.iter().map(|function| format!("    {function};\n")).collect();
    Ok(format!("MLOPT_{version} {{\n  global:\n{exported}  local: *;\n}};\n"))
}

/// Returns the description for `pkg-config`.
fn description(template: &str, prefix: &str) -> String {
    let all = format!("{DIALECTS} ${{libdir}}/libmlopt.a {PRIVATE}");
    let values =
        [("@PREFIX@", prefix), ("@VERSION@", env!("CARGO_PKG_VERSION")), ("@PRIVATE@", PRIVATE), ("@STATIC@", &all)];
    values.iter().fold(template.to_string(), |text, (name, value)| text.replace(name, value))
}

/// Returns the newest static library of a crate in the folder of a build. `cargo test` leaves those of libraries only
/// in `deps`, with a hash in their names.
fn library(built: &Path, stem: &str) -> Result<PathBuf, Error> {
    let is_of_crate = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".a"));
        name.and_then(|name| name.strip_prefix(stem)).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let folders = [built.to_path_buf(), built.join("deps")];
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let found = files.map(|file| file.path()).filter(|path| is_of_crate(path));
    let newest = found.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
    newest.context(format_args!("{}: expected {stem}.a, found none", built.display()))
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
    fn the_newest_library_is_found() {
        let built = std::env::temp_dir().join(format!("mlopt_install_{}", std::process::id()));
        fs::create_dir_all(built.join("deps")).unwrap();
        let write = |name: &str, seconds: u64| {
            let file = fs::File::create(built.join(name)).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
        };
        let found = || library(&built, "libx").map(|path| path.strip_prefix(&built).unwrap().display().to_string());
        write("deps/libx-0123.rlib", 9);
        write("deps/liby-0123.a", 9);
        write("deps/libx_y-0123.a", 9);
        assert_eq!(found().unwrap_err().to_string(), format!("{}: expected libx.a, found none", built.display()));
        write("deps/libx-4567.a", 2);
        write("deps/libx-0123.a", 1);
        assert_eq!(found().unwrap(), "deps/libx-4567.a");
        write("libx.a", 3);
        assert_eq!(found().unwrap(), "libx.a");
        fs::remove_dir_all(&built).unwrap();
    }

    #[test]
    fn the_version_script_lists_the_functions_of_the_header() {
        let header = "/* Frees what `mlopt_new` returns. */\n#define MLOPT_ABI_VERSION 7\nstruct mlopt_code;\n\
                      void mlopt_free(struct mlopt_code *code);\n";
        let script = version_script(header, &functions(header)).unwrap();
        assert_eq!(script, "MLOPT_7 {\n  global:\n    mlopt_free;\n  local: *;\n};\n");
    }

    #[test]
    fn the_description_is_complete() {
        let template = read(&root().join("tools/capi/mlopt.pc.in")).unwrap();
        let text = description(&template, "/opt/mlopt");
        assert!(text.starts_with("prefix=/opt/mlopt\n"), "{text}");
        assert!(!text.contains('@'), "{text}");
    }
}
