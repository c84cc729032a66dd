//! Tests for those items of the checklist in `test/lambda/checklist.test` that are about the transformed program or its
//! output.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;

/// The passes that expand derivatives.
const DERIVATIVES: &str = "lambda-specialise,lambda-simplify,j-transform,lambda-simplify";

/// Returns the program of a term with these types of inputs.
fn parse(types: &[&str], text: &str) -> Program {
    mlopt::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let module = import("checklist", "f", &types, &read_one(text).unwrap()).unwrap();
    Program::parse(module.as_bytes(), "checklist").unwrap()
}

/// Returns the program after these passes.
fn after(types: &[&str], text: &str, passes: &str) -> Program {
    let program = parse(types, text);
    let (ran, said) =
        captured(program.module().context(), || program.run_pipeline(&format!("builtin.module({passes})")));
    ran.unwrap_or_else(|_| panic!("{passes}: {}", said.join("\n")));
    program
}

/// G.1.6. Tail calls become loops before J, so that 100,000 of them need no stack.
#[test]
fn g1_06_tail_calls_are_loops_before_they_are_differentiated() {
    let own = "(lam (x n) ((grad 0 2 (lam (x n) (letrec ((go (lam (k a) (if (i= k 0) a (go (i- k 1) (* x a)))))) \
               (go n 1.0)))) x n))";
    let module = after(&["f64", "i64"], own, DERIVATIVES).module().to_string();
    assert!(!module.contains("lambda.letrec") && !module.contains("lambda.apply"), "{module}");
}

/// B.10.8. Derivatives of higher order do not grow as they would without simplification between levels.
#[test]
fn b10_08_higher_orders_do_not_explode() {
    let size = |function: &str, order: usize| {
        let derivative = (0..order).fold(function.to_string(), |f, _| format!("(grad {f})"));
        let program = after(&["f64"], &format!("(lam (p) ({derivative} p))"), DERIVATIVES);
        let ops = program.module().nested_ops();
        let left = ops.iter().find(|op| op.name().starts_with("lambda."));
        assert!(left.is_none(), "order {order}: {}", program.module());
        ops.len()
    };
    for function in ["(lam (x) (* x (* x (* x x))))", "(lam (x) (sin (* x x)))", "(lam (x) (tanh (exp x)))"] {
        let sizes: Vec<usize> = (1..=5).map(|k| size(function, k)).collect();
        assert!(sizes.windows(2).all(|w| w[1] <= 3 * w[0]), "{function}: {sizes:?}");
    }
    // The fourth derivative of x⁵ + 2x is a polynomial: no calls, no conditionals, few operations.
    assert!(size("(lam (x) (+ (* x (* x (* x (* x x)))) (* 2.0 x)))", 4) < 80);
}

/// B.10.10. Types are inferred once: no later pass leaves an open type or needs inference.
#[test]
fn b10_10_types_are_inferred_once() {
    let programs = [
        "(lam (x n) ((grad 0 2 (lam (x n) (letrec ((go (lam (k) (if (i= k 0) 1.0 (* x (go (i- k 1))))))) \
         (go n)))) x n))",
        "(lam (x n) ((grad 0 2 (lam (x n) (for i n ((y x)) (next (if (< y 1.0) (* y y) (sin y))) y))) x n))",
        "(lam (x n) (let ((id (lam (a) a)) (t (tuple (id x) (id n)))) \
         ((grad (grad (lam (y) (* (get 0 t) (* y (* y y)))))) (id x))))",
    ];
    for text in programs {
        let program = after(&["f64", "i64"], text, "lambda-specialise");
        for pass in ["lambda-simplify", "j-transform", "lambda-simplify", "closure-convert"] {
            let module = program.module().to_string();
            assert!(!module.contains("lambda.any"), "before {pass}:\n{module}");
            program.run_pipeline(&format!("builtin.module({pass})")).unwrap();
        }
        let module = program.module().to_string();
        assert!(!module.contains("lambda.any"), "{module}");
        program.run_pipeline("builtin.module(lambda-specialise)").unwrap();
        assert_eq!(program.module().to_string(), module);
    }
}

/// B.10.11. Effects whose results are unused still happen, in the order of the text.
#[test]
fn b10_11_effects_are_not_dropped() {
    let text = "(lam (x) (let ((say (lam (y) (do (print y) y))) (a (say x)) (b (say (* 2.0 x)))) (do (print 7.0) \
                (for i 2 ((k 0)) (next (do (print (itof i)) k)) k) x)))";
    for passes in [
        "",
        "lambda-specialise",
        DERIVATIVES,
        "lambda-specialise,lambda-simplify,canonicalize,cse,closure-convert,lambda-simplify",
    ] {
        let program = if passes.is_empty() { parse(&["f64"], text) } else { after(&["f64"], text, passes) };
        let mut evaluator = Evaluator::new(program.module());
        let found = evaluator.call("f", &[Value::f64(1.5)]).unwrap();
        assert_eq!(found.as_f64(), Some(1.5));
        assert_eq!(evaluator.output(), "1.5\n3.0\n7.0\n0.0\n1.0\n", "{passes}");
    }
}
