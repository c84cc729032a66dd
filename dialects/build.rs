//! Compiles the C++ of all dialects into one archive. Every folder with a file `NAME/NAME.td` is a dialect: TableGen
//! generates C++ from that file, which is compiled together with `NAME.cpp`.
//!
//! This script names no dialect, so that a new dialect changes only its own folder and `lib.rs`. A static object in
//! `NAME.cpp` registers the dialect. No other code refers to that object, so the archive is linked as a whole.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

include!("mlir/cpp.rs");

/// The generated files: the `mlir-tblgen` action, and the suffix of the file that the dialect's header and source
/// include.
const ACTIONS: &[(&str, &str)] = &[
    ("-gen-dialect-decls", "Dialect.h.inc"),
    ("-gen-dialect-defs", "Dialect.cpp.inc"),
    ("-gen-enum-decls", "Enums.h.inc"),
    ("-gen-enum-defs", "Enums.cpp.inc"),
    ("-gen-attrdef-decls", "Attrs.h.inc"),
    ("-gen-attrdef-defs", "Attrs.cpp.inc"),
    ("-gen-typedef-decls", "Types.h.inc"),
    ("-gen-typedef-defs", "Types.cpp.inc"),
    ("-gen-op-decls", "Ops.h.inc"),
    ("-gen-op-defs", "Ops.cpp.inc"),
];

/// The functions that TableGen generates in the source of every dialect.
const STATIC_FUNCTIONS: [&str; 4] =
    ["generatedAttributeParser", "generatedAttributePrinter", "generatedTypeParser", "generatedTypePrinter"];

fn main() -> Result<(), Box<dyn Error>> {
    let llvm =
        env::var("MLIR_SYS_190_PREFIX").map_err(|_| "MLIR_SYS_190_PREFIX must be set, see .cargo/config.toml")?;
    let llvm = PathBuf::from(llvm);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // `cc` disables cargo's own change detection, so every input is listed.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=mlir/cpp.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_190_PREFIX");

    let folders = files(&here)?;
    let folders = folders.iter().filter_map(|path| path.file_name()?.to_str());
    let dialects: Vec<&str> = folders.filter(|name| here.join(name).join(format!("{name}.td")).exists()).collect();

    // The documentation of each op in the .td files, for `docs.rs`.
    let mut documentation = String::new();
    for name in &dialects {
        let td = here.join(name).join(format!("{name}.td"));
        println!("cargo:rerun-if-changed={}", td.display());
        println!("cargo:rerun-if-changed={}", here.join(name).join(format!("{name}.cpp")).display());
        for (action, suffix) in ACTIONS {
            tblgen(&llvm, &here, &td, name, action, &out.join(format!("{name}{suffix}")))?;
        }
        let page = out.join(format!("{name}Ops.md"));
        tblgen(&llvm, &here, &td, name, "-gen-op-doc", &page)?;
        documentation += &fs::read_to_string(page)?;
    }
    fs::write(out.join("Ops.md"), documentation)?;

    // Clippy has its own build of the workspace, which is never linked.
    if env::var_os("CLIPPY_ARGS").is_some() {
        return Ok(());
    }
    let mut build = cpp(&[&llvm.join("include"), &here.join("mlir"), &here, &out]);
    build.link_lib_modifier("+whole-archive");
    // One file, so that the headers of MLIR are read once. TableGen gives functions of all dialects the same names.
    let mut all = String::new();
    for name in &dialects {
        for function in STATIC_FUNCTIONS {
            all += &format!("#undef {function}\n#define {function} {name}_{function}\n");
        }
        all += &format!("#include \"{name}/{name}.cpp\"\n");
    }
    let file = out.join("dialects.cpp");
    fs::write(&file, all)?;
    build.file(file);
    // The headers and TableGen files that the dialects include.
    let is_included = |path: &PathBuf| path.extension().is_some_and(|e| e == "h" || e == "td");
    for file in files(&here.join("mlir/bridge"))?.into_iter().filter(is_included) {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    build.compile("mlopt_dialects");
    Ok(())
}

fn tblgen(llvm: &Path, here: &Path, td: &Path, dialect: &str, action: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let selects_dialect = !action.contains("-op-d") && !action.contains("-enum-") || action == "-gen-op-doc";
    let mut command = Command::new(llvm.join("bin/mlir-tblgen"));
    command
        .arg(action)
        .arg("-I")
        .arg(llvm.join("include"))
        .arg("-I")
        .arg(here.join("mlir"))
        .arg("-I")
        .arg(here)
        .arg(td)
        .arg("-o")
        .arg(out);
    if selects_dialect {
        let flag = match action {
            a if a.contains("dialect") || a.contains("doc") => format!("-dialect={dialect}"),
            a if a.contains("attrdef") => format!("-attrdefs-dialect={dialect}"),
            _ => format!("-typedefs-dialect={dialect}"),
        };
        command.arg(flag);
    }
    let status = command.status().map_err(|_| "mlir-tblgen is part of libmlir-19-dev / mlir-19-tools")?;
    if status.success() { Ok(()) } else { Err(format!("mlir-tblgen {action} failed on {}", td.display()).into()) }
}

/// Returns the files and folders in a folder, sorted.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}
