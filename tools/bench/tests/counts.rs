//! Tests of speed, measured in instructions instead of time: no program executes more instructions than `counts.txt`
//! records plus 3 %, and the work of the compiler does not grow quadratically with the size of a program.

use std::process::Command;

/// Checks all counts. The output of the program lists the counts that are not compared, and is printed with that of the
/// tests.
#[test]
fn no_count_has_grown() {
    assert!(passes("counts"), "see above; `cargo xtask bless counts` writes the counts of this code");
}

#[test]
fn work_grows_with_programs() {
    assert!(passes("growth"), "see above: something is quadratic");
}

fn passes(name: &str) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mlopt-bench"));
    command.args(["--check", name]).status().expect("the program starts").success()
}
