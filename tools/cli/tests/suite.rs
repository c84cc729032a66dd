//! A test that runs all textual tests with the `mlopt` that cargo has built.

use std::path::Path;
use std::process::Command;

#[test]
fn all_text_tests_pass() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let status = Command::new(env!("CARGO_BIN_EXE_mlopt")).arg("test").current_dir(project).status().unwrap();
    assert!(status.success(), "mlopt test: {status}");
}
