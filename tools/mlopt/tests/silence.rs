//! Nothing is written to the standard output or the error stream, whatever fails.

use std::process::Command;

const VARIABLE: &str = "MLOPT_TEST_SILENCE";

#[test]
fn nothing_is_printed() {
    if std::env::var_os(VARIABLE).is_some() {
        return failures();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(["--exact", "silence::nothing_is_printed", "--nocapture"]).env(VARIABLE, "1").output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let said = String::from_utf8_lossy(&output.stdout);
    // Only the test harness itself.
    assert!(said.lines().all(|line| ["", "running", "test"].contains(&line.split(' ').next().unwrap())), "{said}");
}

fn failures() {
    use mlopt::{Pipeline, Session, Target};
    use mlopt_dialects::bridge::Pass;
    let session = Session::new();
    for text in ["func.func @f(", "?", "func.func @f() { return 1 }", "\"array.sum\"() : () -> ()"] {
        assert!(session.parse("f.mlir", text).is_err());
    }
    assert!(session.parse("f.lambda", "(def f (x) (g x))").is_err());
    assert!(session.parse("f.terms", "(def f ((x f64)) (+ x true))").is_err());
    let panics =
        Pass { name: "panics", description: "", anchor: "", options: &[], dialects: &[], run: |_, _| panic!("a bug") };
    session.register_pass(&panics).unwrap();
    for text in [
        "builtin.module(unknown)",
        "builtin.module(cse",
        "builtin.module(differentiate{memory-budget=x})",
        "builtin.module(differentiate{report=x})",
        "builtin.module(panics)",
    ] {
        let mut module = session.parse("f.mlir", "func.func @f() { return }").unwrap();
        assert!(module.run(&Pipeline::parse(text)).is_err());
    }
    assert!(Target::named("8086", "").is_err());
    assert!(Target::named("native", "+nothing").is_err());
    let module = session.parse("f.mlir", "func.func @f() { return }").unwrap();
    assert!(module.compile(&Pipeline::of(&["cse"]), &Target::host()).is_err());
    assert!(session.compile("f.mlir", "func.func @f() { return }").unwrap().function("g").is_err());
}
