//! Tests of the output of `tools/setup.sh` on simulated machines.

use crate::root;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A machine with only these programs on its PATH: the named real ones, and scripts.
struct Machine {
    bin: PathBuf,
}

impl Machine {
    fn new(name: &str, scripts: &[(&str, &str)]) -> Machine {
        let bin = std::env::temp_dir().join(format!("mlopt-setup-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&bin);
        fs::create_dir_all(&bin).unwrap();
        for tool in ["awk", "bash", "cat", "dirname", "env", "head", "sed", "sort"] {
            let real = ["/usr/bin", "/bin"].iter().map(|d| Path::new(d).join(tool)).find(|p| p.exists()).unwrap();
            symlink(real, bin.join(tool)).unwrap();
        }
        let usual = [
            ("uname", "echo Linux x86_64"),
            ("cargo", ""),
            ("rustc", "echo rustc 1.95.0"),
            ("id", "echo 0"),
            ("ptxas", ""),
        ];
        for (tool, script) in usual.iter().filter(|(t, _)| scripts.iter().all(|(s, _)| s != t)).chain(scripts) {
            let path = bin.join(tool);
            fs::write(&path, format!("#!/usr/bin/env bash\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Machine { bin }
    }

    /// Returns the exit status and the whole output.
    fn setup(&self, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
        let output = Command::new(self.bin.join("bash"))
            .arg(root().join("tools/setup.sh"))
            .args(arguments)
            .env_clear()
            .env("PATH", &self.bin)
            .env("HOME", "/nonexistent")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap(), text)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.bin);
    }
}

/// A dpkg-query of a machine that has everything but `valgrind`.
const NO_VALGRIND: &str = r#"[ "${@: -1}" = valgrind ] || printf installed"#;

#[test]
fn without_apt_it_says_what_to_install_and_which_variables_to_set() {
    let (status, text) = Machine::new("no-apt", &[]).setup(&[], &[]);
    assert_eq!(status, 1, "{text}");
    for part in ["LLVM and MLIR 19.1", "valgrind", "MLIR_SYS_190_PREFIX", "LLVM_SYS_191_PREFIX", "LIBCLANG_PATH"] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn every_variable_that_it_names_is_in_the_cargo_configuration() {
    let (_, text) = Machine::new("variables", &[]).setup(&[], &[]);
    let config = fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    let variables = ["MLIR_SYS_190_PREFIX", "TABLEGEN_190_PREFIX", "LLVM_SYS_191_PREFIX", "LIBCLANG_PATH"];
    for variable in variables {
        assert!(text.contains(variable) && config.contains(variable), "{variable}");
    }
}

#[test]
fn an_old_or_missing_rust_is_named_with_the_repair() {
    let (status, text) = Machine::new("old", &[("rustc", "echo rustc 1.91.1")]).setup(&[], &[]);
    assert!(status == 1 && text.contains("found 1.91.1") && text.contains("rustup update stable"), "{text}");
    let machine = Machine::new("none", &[]);
    fs::remove_file(machine.bin.join("cargo")).unwrap();
    let (status, text) = machine.setup(&[], &[]);
    assert!(status == 1 && text.contains("https://rustup.rs"), "{text}");
}

#[test]
fn missing_rustfmt_and_clippy_are_installed_with_rustup() {
    let cargo = ("cargo", r#"[ "$1" != clippy ]"#);
    let (status, text) = Machine::new("no-clippy", &[cargo]).setup(&["--check"], &[]);
    assert!(status == 1 && text.contains("not installed: clippy; run `rustup component add clippy`"), "{text}");
    let machine = Machine::new("rustup", &[cargo, ("rustup", r#"[ "$*" = "component add clippy" ]"#)]);
    let (_, text) = machine.setup(&[], &[]);
    assert!(text.contains("installed with rustup: clippy"), "{text}");
    let (_, text) = Machine::new("no-rustup", &[("cargo", "exit 1")]).setup(&[], &[]);
    assert!(text.contains("no rustfmt clippy: `make format` and `make lint` need"), "{text}");
}

#[test]
fn a_missing_package_is_installed_and_named() {
    let marker = std::env::temp_dir().join(format!("mlopt-setup-{}-marker", std::process::id()));
    let _ = fs::remove_file(&marker);
    let query = format!("[ -e {} ] && printf installed || {{ {NO_VALGRIND}; }}", marker.display());
    let apt = format!("echo apt-get \"$@\"; [ \"$1\" = update ] || : >{}", marker.display());
    let machine = Machine::new("missing", &[("dpkg-query", &query), ("apt-get", &apt)]);
    let (status, text) = machine.setup(&["--check"], &[]);
    assert!(status == 1 && text.contains("not installed: valgrind"), "{text}");
    let (status, text) = machine.setup(&[], &[]);
    assert!(status == 0 && text.contains("installing with apt-get: valgrind"), "{text}");
    assert!(text.contains("apt-get install -y -qq --no-install-recommends valgrind"), "{text}");
    // The second time there is nothing to do, and apt is not called.
    let (status, text) = machine.setup(&[], &[]);
    assert_eq!((status, text.trim()), (0, "setup: everything is installed"));
    fs::remove_file(marker).unwrap();
}

#[test]
fn who_is_not_root_needs_sudo() {
    let scripts = [("dpkg-query", NO_VALGRIND), ("apt-get", "exit 1"), ("id", "echo 1000")];
    let (status, text) = Machine::new("user", &scripts).setup(&[], &[]);
    assert!(status == 1 && text.contains("run as root: apt-get install valgrind"), "{text}");
    let sudo = [scripts[0], scripts[1], scripts[2], ("sudo", "echo sudo \"$@\"; exit 1")];
    let (status, text) = Machine::new("sudo", &sudo).setup(&[], &[]);
    assert!(
        status == 1 && text.contains("sudo apt-get update") && text.contains("could not install: valgrind"),
        "{text}"
    );
}

#[test]
fn an_llvm_named_by_the_variables_must_be_19() {
    let machine = Machine::new("own", &[]);
    let (status, text) = machine.setup(&[], &[("MLIR_SYS_190_PREFIX", "/nonexistent")]);
    assert!(status == 1 && text.contains("/nonexistent/bin/llvm-config is not that of LLVM 19.1"), "{text}");
}

#[test]
fn other_machines_are_refused() {
    let (status, text) = Machine::new("arm", &[("uname", "echo Linux aarch64")]).setup(&[], &[]);
    assert!(status == 1 && text.contains("not supported: this is Linux"), "{text}");
}
