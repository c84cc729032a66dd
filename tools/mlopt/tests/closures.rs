//! Tests of the code that closure conversion generates: one branch for each function, and loops in place of tail calls.
//! The tests of its values are in `test/lambda/closures.test`.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;

const PLAIN: &str = "lambda-specialise,j-transform,closure-convert";
const SIMPLIFIED: &str = "lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert";

/// Returns the imported program after a pipeline.
fn parse(types: &[&str], term: &str, pipeline: &str) -> Program {
    mlopt::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let module = import("closures", "f", &types, &read_one(term).unwrap()).unwrap();
    let program = Program::parse(module.as_bytes(), "closures").unwrap();
    program.run_pipeline(&format!("builtin.module({pipeline})")).unwrap_or_else(|_| panic!("{pipeline}: {term}"));
    program
}

/// Returns the maximum depth of calls.
fn depth(program: &Program, inputs: &[Value]) -> usize {
    let mut evaluator = Evaluator::new(program.module());
    evaluator.call("f", inputs).unwrap_or_else(|e| panic!("{e}\n{}", program.module()));
    evaluator.depth()
}

#[test]
fn many_functions_of_one_type_are_called_in_one_place() {
    // Ten functions, selected and called at four places: the ten branches exist once.
    let all: Vec<String> = (0..10).map(|k| format!("(lam (y) (+ (* x y) {k}.5))")).collect();
    let pick = |k: &str| {
        format!("((head {}) {k})", (0..3).fold("l".to_string(), |l, _| format!("(if (< x {k}) {l} (tail {l}))")))
    };
    let term = format!(
        "(lam (x) (let ((l (list {}))) (+ (+ {} {}) (+ {} {}))))",
        all.join(" "),
        pick("0.1"),
        pick("0.2"),
        pick("0.3"),
        pick("0.4")
    );
    let program = parse(&["f64"], &term, PLAIN);
    let ops = program.module().nested_ops();
    assert_eq!(ops.iter().filter(|op| op.name() == "lambda.case").count(), 1, "{}", program.module());
}

/// Three mutually tail-recursive functions with different arguments, called from nested conditionals.
const MACHINE: &str = "(lam (x n) (letrec (
    (idle (lam (k a) (if (i< k 1) (* a x) (if (i= (imod k 3) 0) (work (i- k 1) a 0.5)
        (idle (i- k 1) (* 0.5 (+ a 1.0)))))))
    (work (lam (k a b) (if (i< k 1) (+ a b) (if (< a 0.75) (rest (i- k 1)) (work (i- k 1) (* a 0.75) (* b 0.5))))))
    (rest (lam (k) (if (i< k 1) 0.125 (idle (i- k 1) x)))))
  (idle n x)))";

#[test]
fn functions_that_call_each_other_last_are_a_loop() {
    let program = parse(&["f64", "i64"], MACHINE, SIMPLIFIED);
    let module = program.module();
    let calls = module.nested_ops().into_iter().filter(|op| op.name() == "func.call").count();
    assert_eq!(calls, 4, "one call from outside, and one from each function into the loop:\n{module}");
    assert_eq!(module.nested_ops().iter().filter(|op| op.name() == "lambda.while").count(), 1, "{module}");
    let calls = |n: i64| depth(&program, &[Value::f64(0.875), Value::i64(n)]);
    assert_eq!(calls(100), calls(10_000));
}

#[test]
fn converting_twice_changes_nothing() {
    let factorial =
        "(lam (n) (letrec ((fact (lam (k c) (if (i< k 1) (c 1.0) (fact (i- k 1) (lam (r) (c (* r (itof k)))))))))
        (fact n (lam (r) r))))";
    let once = parse(&["i64"], factorial, "lambda-specialise,closure-convert");
    let text = once.module().to_string();
    once.run_pipeline("builtin.module(closure-convert)").unwrap();
    assert_eq!(once.module().to_string(), text);
}
