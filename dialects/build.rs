//! Compiles the C++ of all dialects into one archive. Every folder with a file `NAME/NAME.td` is a dialect: TableGen
//! generates C++ from that file, which is compiled together with `NAME.cpp`.
//!
//! This script names no dialect, so that a new dialect changes only its own folder and `lib.rs`. A static object in
//! `NAME.cpp` registers the dialect. No other code refers to that object, so the archive is linked as a whole.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

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

fn main() {
    let llvm =
        PathBuf::from(env::var("MLIR_SYS_190_PREFIX").expect("MLIR_SYS_190_PREFIX is set in .cargo/config.toml"));
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    // `cc` disables cargo's own change detection, so every input is listed.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_190_PREFIX");

    let mut dialects: Vec<String> = fs::read_dir(&here)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name()?.to_str()?.to_owned();
            path.join(format!("{name}.td")).exists().then_some(name)
        })
        .collect();
    dialects.sort();

    for name in &dialects {
        let td = here.join(name).join(format!("{name}.td"));
        println!("cargo:rerun-if-changed={}", td.display());
        println!("cargo:rerun-if-changed={}", here.join(name).join(format!("{name}.cpp")).display());
        for (action, suffix) in ACTIONS {
            tblgen(&llvm, &here, &td, name, action, &out.join(format!("{name}{suffix}")));
        }
    }
    // The documentation of each op in the .td files, for `docs.rs`.
    let documentation: String = dialects
        .iter()
        .map(|name| {
            let page = out.join(format!("{name}Ops.md"));
            tblgen(&llvm, &here, &here.join(name).join(format!("{name}.td")), name, "-gen-op-doc", &page);
            fs::read_to_string(page).unwrap()
        })
        .collect();
    fs::write(out.join("Ops.md"), documentation).unwrap();

    // Clippy has its own build of the workspace, which is never linked.
    if env::var_os("CLIPPY_ARGS").is_some() {
        return;
    }
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        // Debian's LLVM has no RTTI.
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-Wno-unused-parameter")
        .flag("-Wno-comment")
        .warnings(false)
        .define("NDEBUG", None)
        .opt_level(1)
        .debug(false)
        .include(llvm.join("include"))
        .include(here.join("mlir"))
        .include(&here)
        .include(&out)
        .link_lib_modifier("+whole-archive");
    for name in &dialects {
        build.file(here.join(name).join(format!("{name}.cpp")));
    }
    for file in headers(&here.join("mlir/bridge")) {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    build.compile("mlopt_dialects");
}

fn tblgen(llvm: &Path, here: &Path, td: &Path, dialect: &str, action: &str, out: &Path) {
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
    let status = command.status().expect("mlir-tblgen is part of libmlir-19-dev / mlir-19-tools");
    assert!(status.success(), "mlir-tblgen {action} failed on {}", td.display());
}

/// Returns the headers and TableGen files that the dialects include.
fn headers(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|e| e == "h" || e == "td")).collect()
}
