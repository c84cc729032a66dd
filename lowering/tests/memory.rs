//! The program that `tools/valgrind.sh` runs: a thousand calls of compiled code with changing sizes, on a target that
//! valgrind supports.
//!
//! Every buffer is a heap block of exactly its size, and scratch memory is not initialised, so valgrind detects each
//! access outside an array and each use of an element that was never written. Without valgrind the test still checks
//! that calls are reproducible.

use crate::common::*;
use mlopt_dialects::value::Array;
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;
use mlopt_runtime::code::Compiled;

const CALLS: usize = 1000;

/// Elementwise code, guarded and reversed reads, sums, rows, triangles, carried arrays, scratch memory that is reused.
const PROGRAM: &str = include_str!("../../test/machine_code/many_calls.mlir");

#[test]
fn a_thousand_calls_with_changing_sizes() {
    let context = context();
    let module = parse(&context, PROGRAM);
    let target = Target::named("x86-64-v3", "").unwrap();
    target.describe(module_op(&module));
    lower(module_op(&module)).unwrap();
    let mut previous: Option<Compiled> = None;
    let mut calls = 0;
    for round in 0..4 {
        // Code is also created and freed repeatedly.
        let compiled = Compiled::new(module_op(&module), &target).unwrap();
        drop(previous.take());
        for n in 0..CALLS / 20 / 2 {
            let n = (n * 7 + round) % 37;
            let args = [array(n as u64, &[n]), array(n as u64 + 1, &[n, 3]), Array::index((n % 5) as i64)];
            for name in ["elementwise", "reads", "matrices", "loops", "triangle"] {
                let f = compiled.function(name).unwrap();
                let first = f.call(&args).unwrap();
                let second = f.call(&args).unwrap();
                assert_eq!(format!("{first:?}"), format!("{second:?}"), "@{name} at n = {n}");
                calls += 2;
            }
        }
        previous = Some(compiled);
    }
    assert!(calls >= CALLS, "{calls} calls");
}
