//! A test that runs a part of `cargo xtask fuzz`: mutants of the project's text files must end in a result or a
//! diagnostic.

use std::path::Path;
use std::process::Command;

#[test]
fn mutants_end_in_a_diagnostic() {
    let count = std::env::var("MLOPT_CASES").unwrap_or("150".into());
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "--package", "xtask", "--", "fuzz", "--seed", "0", "--count", &count])
        .args(["--mlopt", env!("CARGO_BIN_EXE_mlopt")])
        .current_dir(project)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
