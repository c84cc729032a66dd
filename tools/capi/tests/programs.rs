//! Programs in other languages, built against an installation.

use crate::{built, crate_folder};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Runs a command and returns what it prints.
pub fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{stdout}{stderr}");
    stdout.into_owned()
}

/// Returns the folder of an installation, which is made once.
pub fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prefix");
        let mut install = Command::new(env!("CARGO"));
        install.args(["run", "--quiet", "--release", "--package", "xtask", "--", "install", "--libraries", "--prefix"]);
        run(install.arg(&prefix).arg("--built").arg(built()).current_dir(crate_folder()));
        prefix
    })
}

/// Builds a program with `pkg-config` under a name of its own, and returns it.
fn program(name: &str, compiler: &str, options: &[&str], source: &str) -> PathBuf {
    let mut config = Command::new("pkg-config");
    config.args(["--cflags", "--libs", "mlopt"]).env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    let flags = run(&mut config);
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut build = Command::new(compiler);
    build.args(options).args(["-Wall", "-Wextra", "-Werror"]).arg(crate_folder().join("examples").join(source));
    run(build.args(flags.split_whitespace()).arg("-o").arg(&program));
    program
}

/// Returns the command that runs a program with the installed library.
fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", prefix().join("lib"));
    command
}

#[test]
fn a_program_in_c() {
    let dot = program("in_c", "cc", &["-std=c99"], "dot.c");
    let expected = "bad.mlir at line 1, column 13\n4 5 6\ndone\n";
    assert_eq!(run(&mut command(&dot)), expected);
    // Nothing is written to the error stream: it may be closed, and a file opened in its place stays empty.
    let script = "exec 2>&- && exec \"$0\"";
    let mut closed = Command::new("sh");
    closed.args(["-c", script]).arg(&dot).env("LD_LIBRARY_PATH", prefix().join("lib"));
    assert_eq!(run(&mut closed), expected);
}

#[test]
fn a_program_with_the_static_library() {
    let mut config = Command::new("pkg-config");
    config.args(["--variable=static", "mlopt"]).env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    let flags = run(&mut config);
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in_c_static");
    let mut build = Command::new("cc");
    build.arg(crate_folder().join("examples/dot.c")).arg("-I").arg(prefix().join("include"));
    run(build.args(flags.split_whitespace()).arg("-Wl,--gc-sections").arg("-o").arg(&program));
    // Without the folder of the shared library.
    assert_eq!(run(&mut Command::new(&program)), "bad.mlir at line 1, column 13\n4 5 6\ndone\n");
    std::fs::remove_file(program).unwrap();
}

#[test]
fn a_program_in_cpp() {
    let dot = program("in_cpp", "c++", &["-std=c++17"], "dot.cpp");
    let expected = "bad.mlir at line 1, column 13\nslope(2) = 12\n30000\nmodule {\n  func.func private @f()\n}\n";
    assert_eq!(run(&mut command(&dot)), expected);
}

/// Runs the commands of docs/tutorial/arrays-in-c-programs.md with the files of the page, and compares their output.
#[test]
fn the_programs_of_the_tutorial() {
    let page = crate_folder().join("../../docs/tutorial/arrays-in-c-programs.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tutorial");
    std::fs::create_dir_all(&folder).unwrap();
    let mut commands = 0;
    // Every second part is a fenced block.
    for block in page.split("\n```").skip(1).step_by(2) {
        let (info, text) = block.split_once('\n').unwrap();
        if let Some((_, name)) = info.split_once(' ') {
            std::fs::write(folder.join(name), format!("{text}\n")).unwrap();
        } else if text.starts_with("$ ") {
            for step in format!("\n{text}\n").split("\n$ ").skip(1) {
                let (command, expected) = step.split_once('\n').unwrap_or((step, ""));
                let mut shell = Command::new("sh");
                shell.args(["-c", command]).current_dir(&folder).env("LD_LIBRARY_PATH", prefix().join("lib"));
                let Output { stdout, stderr, .. } =
                    shell.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig")).output().unwrap();
                let found = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
                assert_eq!(found.trim_end(), expected.trim_end(), "{command}");
                commands += 1;
            }
        }
    }
    assert_eq!(commands, 8);
}

#[test]
fn results_need_memory_that_may_be_written() {
    program("const", "c++", &["-std=c++17"], "../tests/const.cpp");
}

#[test]
fn a_program_in_python() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let mut python = Command::new("python3");
    python.arg(crate_folder().join("examples/dot.py")).arg(prefix().join("lib/libmlopt.so"));
    let slope = 2f64.sin() + 2.0 * 2f64.cos();
    let said = run(&mut python);
    assert!(said.starts_with(&format!("{slope:.6}\nbad.lambda:1:")), "{said}");
}

/// Runs a program under valgrind, which must find no error and no lost memory. MLIR and LLVM keep what they have
/// registered until the process ends, so that memory which is still referred to is not lost. The limit of memory makes
/// the compiler take smaller stacks, whose bytes valgrind marks one by one.
fn valgrind(program: &Path) -> String {
    let mut valgrind = Command::new("sh");
    valgrind.args(["-c", "ulimit -v 4000000; exec valgrind \"$@\"", "sh"]);
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"]);
    let suppressed = crate_folder().join("valgrind.supp");
    valgrind.arg("--errors-for-leak-kinds=definite").arg(format!("--suppressions={}", suppressed.display()));
    run(valgrind.arg(program).env("LD_LIBRARY_PATH", prefix().join("lib")))
}

#[test]
fn a_program_in_c_under_valgrind() {
    let dot = program("c_under_valgrind", "cc", &["-std=c99", "-g"], "dot.c");
    assert!(valgrind(&dot).ends_with("done\n"));
}

#[test]
fn a_program_in_cpp_under_valgrind() {
    let dot = program("cpp_under_valgrind", "c++", &["-std=c++17", "-g"], "dot.cpp");
    assert!(valgrind(&dot).ends_with("func.func private @f()\n}\n"));
}
