//! Tests of the stack of the evaluator of functions: its depth and its limit, which the text tests in
//! `test/lambda/eval` cannot observe.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};

const RECURSION: &str = include_str!("../../test/lambda/eval/recursion.mlir");

fn program() -> Program {
    Program::parse(RECURSION.as_bytes(), "recursion.mlir").expect("the test's program parses")
}

#[test]
fn the_limit_of_frames_is_an_option() {
    let program = program();
    let mut evaluator = Evaluator::new(program.module()).with_frames(5000);
    let error = evaluator.call("endless", &[Value::i64(1)]).unwrap_err();
    assert_eq!(error.code, "stack-overflow");
    assert!(error.to_string().contains("more than 5000 deep"), "{error}");
}

fn depth_of_tail_calls(n: i64) -> usize {
    let program = program();
    let mut evaluator = Evaluator::new(program.module());
    let value = evaluator.call("tail", &[Value::i64(n)]).unwrap();
    assert_eq!(value.as_i64(), Some(n));
    evaluator.depth()
}

#[test]
fn calls_in_tail_position_take_no_stack() {
    assert_eq!(depth_of_tail_calls(10), depth_of_tail_calls(300_000));
}

/// The specification requires ten million calls.
#[test]
fn ten_million_calls_in_tail_position() {
    assert!(depth_of_tail_calls(10_000_000) < 10);
}
