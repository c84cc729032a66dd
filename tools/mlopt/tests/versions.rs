//! Tests of functions that Rust calls with data of several types: which versions are compiled, which one is selected,
//! and whether the results agree with the evaluator.

use mlopt::functions::abstracts::Abstract;
use mlopt::functions::versions::{Report, Versions};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::value::{Array, Data};
use mlopt_frontend::functions::{Request, import_text};
use mlopt_runtime::failure::Failure;

const NORM: &str = "(def main (x) (sqrt (dot x x)))";

fn versions(text: &str) -> Versions {
    Versions::of_notation("f.lambda", text).unwrap_or_else(|e| panic!("{}", said(e)))
}

fn said(failure: Failure) -> String {
    match failure {
        Failure::Reported => panic!("it was printed"),
        Failure::Error { place, text } => format!("{place}: {text}"),
    }
}

/// Returns the result of the evaluator for arguments of these types.
fn evaluated(text: &str, types: &[(&str, &str)], arguments: &[Value]) -> String {
    mlopt::register_passes();
    let types = types.iter().map(|(name, ty)| (name.to_string(), ty.to_string())).collect();
    let module = import_text("f.lambda", text, &Request { entry: Some("main".into()), types }).unwrap();
    let program = Program::parse(module.as_bytes(), "f.lambda").unwrap();
    program.run_pipeline("builtin.module(lambda-specialise)").unwrap();
    Evaluator::new(program.module()).call("main", arguments).unwrap_or_else(|e| panic!("{e}")).to_string()
}

fn call(versions: &mut Versions, arguments: &[Value]) -> String {
    versions.call("main", arguments).unwrap_or_else(|e| panic!("{}", said(e))).to_string()
}

fn refused(versions: &mut Versions, arguments: &[Value]) -> String {
    said(versions.call("main", arguments).expect_err("it should be refused"))
}

fn vector(n: usize) -> Value {
    Value::vector(&(0..n).map(|k| k as f64 + 0.5).collect::<Vec<_>>())
}

fn matrix(n: usize, m: usize) -> Value {
    Value::array(Array::new(vec![n, m], Data::F64((0..n * m).map(|k| k as f64 - 1.5).collect())))
}

/// Returns the types of each version of the only function that was called, and the number of its calls.
fn made(versions: &Versions) -> Vec<(String, usize)> {
    let report: Vec<Report> = versions.report();
    assert_eq!(report.len(), 1);
    let types = |types: &[Abstract]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    report[0].versions.iter().map(|v| (types(&v.types), v.calls)).collect()
}

fn expect_made(versions: &Versions, expected: &[(&str, usize)]) {
    let expected: Vec<(String, usize)> = expected.iter().map(|(ty, calls)| (ty.to_string(), *calls)).collect();
    assert_eq!(made(versions), expected);
}

#[test]
fn growing_vectors_are_compiled_twice() {
    let mut norm = versions(NORM);
    for n in 3..20 {
        let wanted = evaluated(NORM, &[("x", "tensor<?xf64>")], &[vector(n)]);
        assert_eq!(call(&mut norm, &[vector(n)]), wanted, "{n}");
    }
    expect_made(&norm, &[("tensor<3xf64>", 1), ("tensor<?xf64>", 16)]);
    // The exact version is called if it matches.
    call(&mut norm, &[vector(3)]);
    call(&mut norm, &[vector(4)]);
    expect_made(&norm, &[("tensor<3xf64>", 2), ("tensor<?xf64>", 17)]);
    assert!(!norm.report()[0].versions[0].is_joined && norm.report()[0].versions[1].is_joined);
}

#[test]
fn sizes_that_stay_are_kept() {
    let text = "(def main (a x) (mv a x))";
    let types = [("a", "tensor<?x?xf64>"), ("x", "tensor<?xf64>")];
    let mut product = versions(text);
    for (n, m) in [(2, 3), (4, 3), (5, 3), (5, 6), (2, 3), (7, 3), (1, 1)] {
        let arguments = [matrix(n, m), vector(m)];
        assert_eq!(call(&mut product, &arguments), evaluated(text, &types, &arguments), "{n} × {m}");
    }
    let expected = [
        ("tensor<2x3xf64>, tensor<3xf64>", 2),
        ("tensor<?x3xf64>, tensor<3xf64>", 3),
        ("tensor<?x?xf64>, tensor<?xf64>", 2),
    ];
    expect_made(&product, &expected);
}

/// Checks that `@` is resolved by rank: a dot product, or a product of matrices.
#[test]
fn other_types_have_versions_of_their_own() {
    let text = "(def main (x y) (@ x y))";
    let mut product = versions(text);
    assert_eq!(
        call(&mut product, &[vector(3), vector(3)]),
        evaluated(text, &[("x", "tensor<3xf64>"), ("y", "tensor<3xf64>")], &[vector(3), vector(3)])
    );
    let matrices = [matrix(2, 3), matrix(3, 2)];
    let types = [("x", "tensor<2x3xf64>"), ("y", "tensor<3x2xf64>")];
    assert_eq!(call(&mut product, &matrices), evaluated(text, &types, &matrices));
    call(&mut product, &[matrix(2, 3), vector(3)]);
    let expected = [
        ("tensor<3xf64>, tensor<3xf64>", 1),
        ("tensor<2x3xf64>, tensor<3x2xf64>", 1),
        ("tensor<2x3xf64>, tensor<3xf64>", 1),
    ];
    expect_made(&product, &expected);

    let mut pair = versions("(def main (p) (tuple p p))");
    let single = Value::array(Array::new(vec![2], Data::F32(vec![1.0, 2.0])));
    for p in [vector(2), single, Value::f64(1.5), Value::i64(2), Value::Unit] {
        assert_eq!(call(&mut pair, std::slice::from_ref(&p)), Value::tuple(vec![p.clone(), p]).to_string());
    }
    assert_eq!(made(&pair).len(), 5);
}

#[test]
fn structure_counts() {
    let text = "(def main (p) (walk (lam (x) (* x x)) p))";
    let record = |name: &str, n| Value::record(name, vec![("u", vector(n)), ("v", Value::f64(2.0))]);
    let mut squares = versions(text);
    for p in [record("P", 2), record("Q", 2), record("P", 3), record("P", 4), record("Q", 2)] {
        let Value::Record(names, _) = &p else { unreachable!() };
        let ty = format!("!lambda.record<\"{}\", u: tensor<?xf64>, v: f64>", names.record);
        assert_eq!(call(&mut squares, std::slice::from_ref(&p)), evaluated(text, &[("p", ty.as_str())], &[p]));
    }
    let calls: Vec<usize> = made(&squares).into_iter().map(|(_, calls)| calls).collect();
    assert_eq!(calls, [1, 2, 2]);

    let lengths = "(def main (l) (fold (lam (s x) (+ s (sum x))) 0.0 l))";
    let mut total = versions(lengths);
    assert!(refused(&mut total, &[Value::list(vec![])]).contains("cannot-infer: argument 0 of `@main`"));
    let list = Value::list(vec![vector(2), vector(2)]);
    assert_eq!(call(&mut total, &[list]), "4.0");
    // Lengths of lists are not part of types; an empty list is accepted by the existing version.
    assert_eq!(call(&mut total, &[Value::list(vec![])]), "0.0");
    assert_eq!(call(&mut total, &[Value::list(vec![vector(1), vector(2), vector(3)])]), "7.0");
    expect_made(&total, &[("!lambda.list<tensor<2xf64>>", 2), ("!lambda.list<tensor<?xf64>>", 1)]);
}

/// Checks that new ranks have dynamic sizes immediately after the maximum number of exact versions.
#[test]
fn many_exact_versions_make_joins_eager() {
    let text = "(def main (x) (+ x x))";
    let mut twice = versions(text).with_most_exact(2);
    for x in
        [vector(2), matrix(2, 2), Value::array(Array::new(vec![1, 1, 2], Data::F64(vec![1.0, 2.0]))), Value::f64(1.0)]
    {
        call(&mut twice, &[x]);
    }
    let expected = [("tensor<2xf64>", 1), ("tensor<2x2xf64>", 1), ("tensor<?x?x?xf64>", 1), ("f64", 1)];
    expect_made(&twice, &expected);
    let mut eager = versions(text).with_most_exact(0);
    (2..5).for_each(|n| {
        assert_eq!(call(&mut eager, &[vector(n)]), evaluated(text, &[("x", "tensor<?xf64>")], &[vector(n)]))
    });
    expect_made(&eager, &[("tensor<?xf64>", 3)]);
}

/// Checks a rejected join: rows of a list become a matrix only if their length is known.
#[test]
fn a_refused_join_leaves_exact_versions() {
    let text = "(def main (x) (for i 2 ((l (cons x (nil)))) (next (cons x l)) (toarray l)))";
    let mut rows = versions(text);
    for n in [2, 3, 4, 3, 5, 6] {
        let row: Vec<String> = (0..n).map(|k| format!("{:?}", k as f64 + 0.5)).collect();
        let row = format!("[{}]", row.join(", "));
        assert_eq!(call(&mut rows, &[vector(n)]), format!("[{row}, {row}, {row}]"));
    }
    let exact = |n: usize| format!("tensor<{n}xf64>");
    let calls = [(2, 1), (3, 2), (4, 1), (5, 1), (6, 1)];
    assert_eq!(made(&rows), calls.map(|(n, calls)| (exact(n), calls)));
    let report = rows.report();
    // It is tried once.
    assert_eq!(report[0].refused.len(), 1);
    let why = &report[0].refused[0].why;
    assert!(why.starts_with("f.lambda:1:") && why.contains("not supported: 'lambda.to_array'"), "{why}");
}

/// Checks programs whose results would be wrong if sizes were not compared.
#[test]
fn sizes_that_do_not_fit_stop_a_join() {
    let programs = [
        "(def main (x y) (dot x y))",
        "(def main (x y) (dot (+ x y) y))",
        "(def main (x y) (+ y x))",
        "(def main (x y) ((grad (lam (x) (dot (+ x y) y))) x))",
        "(def main (x y) (mv (outer x x) y))",
        "(def main (x y) (map (lam (a) (+ a (dot x y))) x))",
        "(def main (x y) (letrec ((go (lam (k) (if (i< k 1) 0.0 (+ 1.0 (+ (sum (+ x y)) (go (i- k 1)))))))) (go 3)))",
    ];
    for text in programs {
        let mut f = versions(text);
        for n in [2, 4, 5] {
            let types = [("x", "tensor<?xf64>"), ("y", "tensor<?xf64>")];
            let arguments = [vector(n), vector(n)];
            assert_eq!(call(&mut f, &arguments), evaluated(text, &types, &arguments), "{text}");
        }
        for (n, m) in [(3, 4), (4, 3), (1, 2)] {
            let message = refused(&mut f, &[vector(n), vector(m)]);
            assert!(message.starts_with("f.lambda:1:") && message.contains(": shape-mismatch: "), "{text}: {message}");
        }
        assert_eq!(made(&f).len(), 2, "{text}");
        assert_eq!(call(&mut f, &[vector(2), vector(2)]), call(&mut f, &[vector(2), vector(2)]));
    }
}

/// Checks that no join is compiled in which nothing would compare the sizes.
#[test]
fn elements_are_put_together_where_sizes_are_known() {
    let text = "(def main (x y) (map2 (lam (a b) (* a b)) x y))";
    let mut products = versions(text);
    for n in [2, 3, 4] {
        let arguments = [vector(n), vector(n)];
        let types = [("x", "tensor<?xf64>"), ("y", "tensor<?xf64>")];
        assert_eq!(call(&mut products, &arguments), evaluated(text, &types, &arguments));
    }
    let message = refused(&mut products, &[vector(3), vector(4)]);
    assert!(message.contains("shape-mismatch"), "{message}");
    assert_eq!(made(&products).len(), 3);
    let mut squares = versions("(def main (x) (map2 (lam (a b) (* a b)) x x))");
    for n in [2, 3, 4] {
        call(&mut squares, &[vector(n)]);
    }
    expect_made(&squares, &[("tensor<2xf64>", 1), ("tensor<?xf64>", 2)]);
}

#[test]
fn errors_leave_the_versions_as_they_are() {
    let mut f = versions("(def main (x y) (dot x y))\n(def other ((v array<3xf64>)) (sum v))");
    let message = refused(&mut f, &[vector(2), vector(3)]);
    assert!(message.starts_with("f.lambda:1:17: ") && message.contains("shape-mismatch"), "{message}");
    let message = refused(&mut f, &[Value::f64(1.0), vector(3)]);
    assert!(message.starts_with("f.lambda:1:17: ") && message.contains("mismatch"), "{message}");
    assert!(f.report().is_empty());
    call(&mut f, &[vector(2), vector(2)]);
    let message = refused(&mut f, &[Value::bool(true), vector(3)]);
    assert!(message.contains("mismatch"), "{message}");
    let message = refused(&mut f, &[vector(2)]);
    assert_eq!(message, "f.lambda:1:6: arity-mismatch: `@main` takes 2 arguments, found 1");
    let message = said(f.call("mian", &[]).unwrap_err());
    assert_eq!(message, "f.lambda: no function `@mian`; did you mean `main`?");
    let message = said(f.call("other", &[vector(2)]).unwrap_err());
    let expected = "f.lambda:2:6: type-mismatch: argument 0 of `@other`: expected tensor<3xf64>, found tensor<2xf64>";
    assert_eq!(message, expected);
    call(&mut f, &[vector(2), vector(2)]);
    expect_made(&f, &[("tensor<2xf64>, tensor<2xf64>", 2)]);
    let failed = |text: &str| said(Versions::of_notation("g.lambda", text).err().expect("it is wrong"));
    assert!(failed("(def main (x) (+ x").starts_with("g.lambda:1:"));
    assert!(failed("(def main (x) (foo x))").contains("unknown function or form `foo`"));
    let message = said(Versions::of_mlir("g.mlir", "func.func @f() {\n  bar\n}").err().expect("it is wrong"));
    assert!(message.contains(":2:3: "), "{message}");
}

/// Checks that declared types of parameters are kept, and that functions may call themselves with other sizes.
#[test]
fn parameters_with_types_and_recursion() {
    let text = "(def main (x (n i64) (y array<?xf64>)) (if (i< n 1) (sum x) (+ (sum y) (main (+ x x) (i- n 1) y))))";
    let mut f = versions(text);
    for n in [2, 3, 4] {
        let arguments = [vector(n), Value::i64(2), vector(n + 1)];
        let wanted = 4.0 * (n * n) as f64 / 2.0 + 2.0 * ((n + 1) * (n + 1)) as f64 / 2.0;
        assert_eq!(call(&mut f, &arguments), format!("{wanted:?}"));
    }
    expect_made(&f, &[("tensor<2xf64>, i64, tensor<?xf64>", 1), ("tensor<?xf64>, i64, tensor<?xf64>", 2)]);
    let pairs = "(def main (p n) (if (i< n 1) 0.0 (+ (sum (get 0 p)) (main (tuple (get 1 p) (get 0 p)) (i- n 1)))))";
    let mut swapped = versions(pairs);
    let p = Value::tuple(vec![vector(2), vector(3)]);
    assert_eq!(call(&mut swapped, &[p, Value::i64(2)]), "6.5");
}

#[test]
fn functions_of_mlir_and_with_effects() {
    let text = "func.func private @twice(%x: !lambda.any) -> !lambda.any {
      %y = lambda.prim \"+\"(%x, %x) : (!lambda.any, !lambda.any) -> !lambda.any
      return %y : !lambda.any
    }
    func.func @both(%x: f64) -> (f64, f64) {
      return %x, %x : f64, f64
    }";
    let mut module = Versions::of_mlir("f.mlir", text).unwrap_or_else(|e| panic!("{}", said(e)));
    assert_eq!(module.call("@twice", &[vector(2)]).unwrap().to_string(), "[1.0, 3.0]");
    assert_eq!(module.call("both", &[Value::f64(1.0)]).unwrap().to_string(), "(1.0, 1.0)");
    assert_eq!(module.report().len(), 2);
    let mut printing = versions("(def main (x) (do (print x) (* x 2.0)))");
    assert_eq!(call(&mut printing, &[Value::f64(1.5)]), "3.0");
}

/// Checks that a call of an existing version compiles nothing.
#[test]
fn later_calls_are_cheap() {
    let mut norm = versions(NORM);
    for _ in 0..101 {
        call(&mut norm, &[vector(3)]);
    }
    expect_made(&norm, &[("tensor<3xf64>", 101)]);
}
