//! Boundary cases of loops, their derivatives and their lists, where off-by-one errors occur. Small programs have the
//! same results before and after simplification, and as compiled code.

use mlopt::functions::run::machine;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_dialects::value::{Array, Data};
use mlopt_frontend::functions::import;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::FUNCTIONS_PLAIN;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_runtime::code::Compiled;

const PIPELINES: [&str; 3] = [
    "lambda-specialise,lambda-simplify",
    "lambda-specialise,j-transform",
    "lambda-specialise,lambda-simplify,j-transform,lambda-simplify",
];

fn parse(types: &[&str], term: &str) -> Program {
    mlopt::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let module = import("simplified", "f", &types, &read_one(term).unwrap()).unwrap();
    Program::parse(module.as_bytes(), "simplified").unwrap()
}

fn evaluated(program: &Program, inputs: &[Value]) -> Value {
    let value = Evaluator::new(program.module()).call("f", inputs);
    value.unwrap_or_else(|e| panic!("{e}\n{}", program.module()))
}

/// Compares two values up to the last digit, in which library functions may differ.
fn is_close(found: &Value, wanted: &Value) -> bool {
    let all = |x: &[&Value], y: &[&Value]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| is_close(x, y));
    match (found, wanted) {
        (Value::Tuple(x), Value::Tuple(y)) => all(&x.iter().collect::<Vec<_>>(), &y.iter().collect::<Vec<_>>()),
        (Value::List(x), Value::List(y)) => all(&x.iter().collect::<Vec<_>>(), &y.iter().collect::<Vec<_>>()),
        _ => match (found.as_f64(), wanted.as_f64()) {
            (Some(x), Some(y)) => (x - y).abs() <= 1e-12 * y.abs().max(1.0),
            _ => found.to_string() == wanted.to_string(),
        },
    }
}

/// Checks that the program has the same results after each pipeline, and as compiled code, for all of these arguments.
#[track_caller]
fn agree(types: &[&str], term: &str, inputs: &[Vec<Value>]) {
    let program = parse(types, term);
    let wanted: Vec<Value> = inputs.iter().map(|given| evaluated(&program, given)).collect();
    for pipeline in PIPELINES {
        let program = parse(types, term);
        program.run_pipeline(&format!("builtin.module({pipeline})")).unwrap_or_else(|_| panic!("{pipeline}: {term}"));
        for (given, wanted) in inputs.iter().zip(&wanted) {
            let found = evaluated(&program, given);
            assert!(is_close(&found, wanted), "{pipeline}: {found} is not {wanted}: {term}\n{}", program.module());
        }
    }
    let target = Target::host().unwrap();
    target.describe(program.module());
    program.run_pipeline(&pipeline_text(FUNCTIONS_PLAIN)).unwrap_or_else(|_| panic!("{term}"));
    let code = Compiled::new(program.module(), &target).unwrap();
    for (given, wanted) in inputs.iter().zip(&wanted) {
        let found = &machine(program.module(), &code, "f", given).unwrap_or_else(|e| panic!("{e}: {term}"))[0].0;
        assert!(is_close(found, wanted), "machine code: {found} is not {wanted}: {term}");
    }
}

/// Returns a number together with a number of repetitions.
fn counts() -> Vec<Vec<Value>> {
    (-2..6).map(|n| vec![Value::f64(1.5), Value::i64(n)]).collect()
}

#[test]
fn loops_that_count() {
    // Counting below a number and up to it. The counter is read after the loop, also if there was no iteration.
    let reaches = "(lam (x n) (while ((i 0) (a x)) (not (i< n i)) (next (i+ i 1) (* a (+ x (itof i)))) (tuple i a)))";
    agree(&["f64", "i64"], reaches, &counts());
    let below = "(lam (x n) (while ((i 1) (a x)) (i< i n) (next (i+ i 1) (* a (+ x (itof i)))) (tuple a i)))";
    agree(&["f64", "i64"], below, &counts());
    // Counting down to a number in the condition.
    let down = "(lam (x n) (while ((i n) (a x)) (i< 2 i) (next (i- i 1) (+ (* a 0.5) (itof i))) (tuple i a)))";
    agree(&["f64", "i64"], down, &counts());
    let down = "(lam (x n) (while ((a x) (i n)) (not (i< i 0)) (next (+ (* a 0.5) (itof i)) (i- i 1)) (tuple i a)))";
    agree(&["f64", "i64"], down, &counts());
}

#[test]
fn recursion_that_carries_what_is_costly() {
    // The sine precedes the test whether the recursion continues, so it is that of the new arguments.
    let sine = "(lam (x n) (letrec ((go (lam (a k) (let ((y (sin a))) (if (i< k 1) (+ y a) (go (+ y 0.5) (i- k 1)))))))
        (go x n)))";
    agree(&["f64", "i64"], sine, &counts());
    let decides = "(lam (x n) (letrec ((go (lam (a k) (let ((y (exp a))) (if (and (< y 40.0) (i< 0 k))
        (go (* y 0.75) (i- k 1)) (- y a)))))) (go x n)))";
    agree(&["f64", "i64"], decides, &counts());
}

#[test]
fn derivatives_of_loops() {
    // Each iteration has its own number, and keeps values that the next one changes.
    let index = "(for i n ((a x)) (next (* (sin a) (itof (i+ i 1)))) a)";
    let both = "(for i n ((a x) (b 0.5)) (next (+ (* a b) x) (+ a (* b (itof i)))) (* a b))";
    let last = "(while ((k n) (a x)) (i< 0 k) (next (i- k 1) (* (cos a) (+ a (itof k)))) a)";
    for body in [index, both, last] {
        agree(&["f64", "i64"], &format!("(lam (x n) ((grad 0 2 (lam (x n) {body})) x n))"), &counts());
    }
}

#[test]
fn lists_of_loops() {
    // The last element that was consed is first, it is removed again, and the length is correct.
    let grown = "(lam (x n) (for i n ((l (list x))) (next (cons (+ (itof i) (head l)) l)) (tuple l (length l) \
                 (sum (toarray l)))))";
    agree(&["f64", "i64"], grown, &counts());
    let taken =
        "(lam (x n) (for i n ((l (list x 2.0 3.0 4.0 5.0 6.0))) (next (tail l)) (tuple (head l) l (length l))))";
    agree(&["f64", "i64"], taken, &counts());
    let given = "(lam (l) (tuple (head (tail l)) (length (tail l)) (maplist (lam (y) (+ y (head l))) l)))";
    let l = Value::list([1.0, 2.0, 4.0].map(Value::f64).to_vec());
    agree(&["list<f64>"], given, &[vec![l]]);
}

/// Checks the value of a counter after zero iterations, where its step becomes known to be one only in a copy.
#[test]
fn counters_that_are_read() {
    let counted =
        "(lam (n m) (let ((f (lam (n by) (while ((i 0) (s 0.5)) (i< i n) (next (i+ i by) (+ s 1.0)) (tuple i s)))))
        (tuple (f n 1) (f m 1))))";
    let pairs = [(3, -3), (-3, 3), (0, 1), (-1, -1)];
    agree(&["i64", "i64"], counted, &pairs.map(|(n, m)| vec![Value::i64(n), Value::i64(m)]));
    let after = "(lam (x n) ((vgrad 0 2 (lam (x n) (get 1 (fold (lam (t by) (while ((i (get 0 t)) (s (get 1 t))) \
          (i< i n) (next (i+ i by) (+ s x))
        (tuple 0 (* s (itof (i+ i 1)))))) (tuple 0 x) (list 1 1))))) x n))";
    agree(&["f64", "i64"], after, &[-3, -1, 0, 2].map(|n| vec![Value::f64(0.5), Value::i64(n)]));
}

/// Checks two loops over one array, one of which writes to the same position in every iteration: the other reads the
/// original array.
#[test]
fn an_array_is_read_as_it_was() {
    let matrix = (0..9).map(|k| 1.0 + k as f64).collect::<Vec<_>>();
    let matrix = Value::array(Array::new(vec![3, 3], Data::F64(matrix)));
    let given = |q| vec![matrix.clone(), Value::vector(&[10.0, 20.0, 30.0]), Value::i64(q)];
    let two = "(lam (x a q) (let ((z (for i 3 ((z (fill 0.0 a))) (next (aset z i (* (aget x i 2) (aget a q)))) z))
        (b (for i 3 ((b a)) (next (aset b q (aget x i 1))) b))) (tuple (sum z) (aget z 1) (sum b))))";
    agree(&["array<3x3xf64>", "array<3xf64>", "i64"], two, &[given(0), given(1), given(2)]);
    let sum = "(lam (x a q) (let ((s (for i 3 ((s 0.0)) (next (+ s (* (aget x i 0) (aget a q)))) s))
        (b (for i 3 ((b a)) (next (aset b q (aget x i 1))) b))) (tuple s (sum b))))";
    agree(&["array<3x3xf64>", "array<3xf64>", "i64"], sum, &[given(0), given(2)]);
}
