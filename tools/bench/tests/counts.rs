//! Speed without a clock: no program executes more instructions than `counts.txt` records, by more than 3 %.

use std::process::Command;

/// The output of the program, which says what is not compared, is printed with that of the tests.
#[test]
fn no_count_has_grown() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mlopt-bench"));
    let status = command.args(["--check", "counts"]).status().expect("the program starts");
    assert!(status.success(), "see above; `cargo xtask bless counts` writes the counts of this code");
}
