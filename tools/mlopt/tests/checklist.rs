//! Test of that item of the checklist in `test/lambda/checklist.test` that compares sizes of transformed programs.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;

/// The passes that expand derivatives.
const DERIVATIVES: &str = "builtin.module(lambda-specialise,lambda-simplify,j-transform,lambda-simplify)";

/// B.10.8. Derivatives of higher order do not grow as they would without simplification between levels.
#[test]
fn b10_08_higher_orders_do_not_explode() {
    mlopt::register_passes();
    let size = |function: &str, order: usize| {
        let derivative = (0..order).fold(function.to_string(), |f, _| format!("(grad {f})"));
        let term = read_one(&format!("(lam (p) ({derivative} p))")).unwrap();
        let module = import("checklist", "f", &["f64".to_string()], &term).unwrap();
        let program = Program::parse(module.as_bytes(), "checklist").unwrap();
        program.run_pipeline(DERIVATIVES).unwrap();
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
