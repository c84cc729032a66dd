//! Tests that `infer-structure` preserves values, and of the work that it saves, counted by the evaluator.

use crate::measure::after;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::lambda::structure::{DIAGONAL, GENERAL, Structure};
use mlopt_dialects::value::{Array, Data};

const N: usize = 48;

/// Returns `@f` with the body `body`, whose arguments are matrices with these bands and a vector.
fn program(bands: &[[i64; 2]], body: &str) -> Program {
    let matrix =
        |(k, [l, u]): (usize, &[i64; 2])| format!("%m{k}: tensor<{N}x{N}xf64, #lambda.matrix<bands = [{l}, {u}]>>");
    let mut header: Vec<String> = bands.iter().enumerate().map(matrix).collect();
    header.push(format!("%v: tensor<{N}xf64>"));
    let text = format!("func.func @f({}) -> !lambda.any {{\n{body}\n  return %z : !lambda.any\n}}", header.join(", "));
    let matrix = |[l, u]: &[i64; 2]| format!("tensor<{N}x{N}xf64, #lambda.matrix<bands = [{l}, {u}]>>");
    let mut text = text.replace("V", &format!("tensor<{N}xf64>")).replace("ANY", "!lambda.any");
    for (k, bands) in bands.iter().enumerate() {
        text = text.replace(&format!("M{k}"), &matrix(bands));
    }
    after(&text, &["builtin.module(lambda-specialise)"])
}

fn matrix([lower, upper]: [i64; 2], k: usize) -> Array {
    let inside = |band: i64, off: i64| band < 0 || off < band;
    let element = |at: usize| {
        let (i, j) = ((at / N) as i64, (at % N) as i64);
        if inside(lower, i - j) && inside(upper, j - i) { ((at * 37 + k * 11) % 17) as f64 / 4.0 - 2.1 } else { 0.0 }
    };
    Array::new(vec![N, N], Data::F64((0..N * N).map(element).collect()))
}

/// Returns the work before and after, and checks that the value is the same.
#[track_caller]
fn work(bands: &[[i64; 2]], body: &str) -> (f64, f64) {
    let mut arguments: Vec<Array> = bands.iter().enumerate().map(|(k, b)| matrix(*b, k)).collect();
    arguments.push(Array::vector(&(0..N).map(|i| (i % 7) as f64 - 2.5).collect::<Vec<_>>()));
    let program = program(bands, body);
    let run = || {
        let mut evaluator = Evaluator::new(program.module());
        let values = evaluator.call("f", &arguments).expect("the program runs");
        (values[0].to_f64(), evaluator.work() as f64)
    };
    let (wanted, before) = run();
    program.run_pipeline("builtin.module(infer-structure)").expect("the pass runs");
    assert!(!program.module().to_string().contains("#lambda.matrix"), "what was known is dropped from types");
    let (found, after) = run();
    for (f, w) in found.iter().zip(&wanted) {
        assert!((f - w).abs() <= 1e-12 * w.abs().max(1.0), "{f} is not {w}");
    }
    (before, after)
}

#[test]
fn a_diagonal_matrix_times_a_vector_is_elementwise() {
    let (before, after) = work(&[[1, 1]], "  %z = lambda.prim \"mv\"(%m0, %v) : (M0, V) -> ANY");
    // n·n products and the same number of sums, against n products.
    assert!(before > 2.0 * (N * N) as f64 && after < 8.0 * N as f64, "{before} {after}");
}

#[test]
fn triangular_products_go_over_half_a_row() {
    let mv = "  %z = lambda.prim \"mv\"(%m0, %v) : (M0, V) -> ANY";
    let (dense, _) = work(&[[-1, -1]], mv);
    let (before, after) = work(&[[1, -1]], mv);
    assert_eq!(before, dense);
    // The loop also counts indices: five operations per element, where a row in bulk has three.
    let triangle = (N * (N + 1) / 2) as f64;
    assert!(after < 8.0 * triangle, "{after} {triangle}");
    let (_, banded) = work(&[[2, 2]], mv);
    assert!(banded < 30.0 * N as f64, "{banded}");
}

#[test]
fn products_of_triangular_matrices_touch_a_sixth() {
    let mm = "  %z = lambda.prim \"mm\"(%m0, %m1) : (M0, M1) -> ANY";
    let (before, dense) = work(&[[-1, -1], [-1, -1]], mm);
    assert_eq!(before, dense);
    let (_, half) = work(&[[1, -1], [-1, -1]], mm);
    let (_, sixth) = work(&[[1, -1], [1, -1]], mm);
    assert!(sixth < 0.5 * half, "{sixth} {half}");
    let (_, diagonal) = work(&[[1, 1], [-1, -1]], mm);
    assert!(diagonal < 0.1 * before, "{diagonal} {before}");
    let (_, diagonal) = work(&[[-1, -1], [1, 1]], mm);
    assert!(diagonal < 0.1 * before, "{diagonal} {before}");
    let (_, bands) = work(&[[2, 2], [3, 1]], mm);
    assert!(bands < 0.2 * before, "{bands} {before}");
}

#[test]
fn structures_are_as_the_specification_has_them() {
    let known = Structure::banded;
    assert_eq!(known(1, 1), DIAGONAL);
    assert_eq!(known(2, 3).product(known(2, -1)).bands(), [3, -1]);
    assert_eq!(known(-1, 1).inverse().bands(), [-1, 1]);
    assert_eq!(known(2, 2).inverse(), GENERAL);
    assert_eq!(known(1, -1).transpose().bands(), [-1, 1]);
    assert_eq!(known(1, 1).with_element(2, 0).bands(), [3, 1]);
    assert!(known(1, 1).with_element(2, 2).symmetric && !known(1, 1).with_element(2, 0).symmetric);
    assert_eq!(known(3, 12).within(&[Some(4), Some(4)]).bands(), [3, -1]);
    let exact = Structure::of(&Array::new(vec![2, 2], Data::F64(vec![1.0, 0.0, 5.0, 0.0])));
    assert_eq!(exact.bands(), [2, 1]);
    assert!(known(1, 1).claims_more_than(exact) && !known(2, 1).claims_more_than(exact));
    assert!(!GENERAL.claims_more_than(exact));
}
