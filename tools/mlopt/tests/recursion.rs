//! Programs with recursion, lists and functions as data, as compiled code: results, stops, deep recursion.

use mlopt::functions::run::{Stop, machine};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_dialects::value::{Array, Data};
use mlopt_frontend::functions::import;
use mlopt_lowering::native::{Error, Target};
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use mlopt_runtime::code::Compiled;

fn parse(types: &[&str], term: &str) -> Program {
    mlopt::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let module = import("recursion", "f", &types, &read_one(term).unwrap()).unwrap();
    Program::parse(module.as_bytes(), "recursion").unwrap()
}

/// Returns the result of compiled code after these passes.
fn compiled(types: &[&str], term: &str, passes: &[&str], inputs: &[Value]) -> Result<Value, Stop> {
    let program = parse(types, term);
    let target = Target::host().unwrap();
    target.describe(program.module());
    program.run_pipeline(&pipeline_text(passes)).unwrap_or_else(|_| panic!("{term}"));
    let code = Compiled::new(program.module(), &target).unwrap();
    assert!(code.program("f").is_some(), "not a program of data: {term}");
    machine(program.module(), &code, "f", inputs).map(|mut results| results.remove(0).0)
}

/// Checks that compiled code agrees with the evaluator.
fn agree(types: &[&str], term: &str, inputs: &[Value]) {
    let wanted =
        Evaluator::new(parse(types, term).module()).call("f", inputs).unwrap_or_else(|e| panic!("{e}: {term}"));
    for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
        let found = compiled(types, term, passes, inputs).unwrap_or_else(|e| panic!("{e}: {term}"));
        assert_eq!(found.to_string(), wanted.to_string(), "{term}");
    }
}

fn list(values: &[f64]) -> Value {
    Value::list(values.iter().map(|x| Value::f64(*x)).collect())
}

/// Returns the position and the message with which the program stops.
fn stop(types: &[&str], term: &str, inputs: &[Value]) -> (String, String) {
    match compiled(types, term, FUNCTIONS_CPU, inputs) {
        Err(Stop::Code(Error::Stopped { place, text })) => (place, text),
        other => panic!("it should stop: {:?}", other.map(|v| v.to_string())),
    }
}

#[test]
fn functions_as_data() {
    let factorial =
        "(lam (n) (letrec ((fact (lam (k c) (if (i< k 1) (c 1.0) (fact (i- k 1) (lam (r) (c (* r (itof k)))))))))
        (fact n (lam (r) r))))";
    (0..6).for_each(|n| agree(&["i64"], factorial, &[Value::i64(n)]));
    let times = "(lam (x n) (letrec ((times (lam (k f) (if (i< k 1) (lam (y) y)
        (let ((g (times (i- k 1) f))) (lam (y) (f (g y)))))))) ((times n (lam (y) (+ y x))) x)))";
    (0..5).for_each(|n| agree(&["f64", "i64"], times, &[Value::f64(1.5), Value::i64(n)]));
    // Variants with and without fields, in lists.
    let chosen = "(lam (x n) (letrec ((make (lam (k) (if (i= k 0) (nil func<[f64]->f64>)
        (cons (if (i= (imod k 2) 0) sin (lam (y) (+ y (* x (itof k))))) (make (i- k 1))))))
        (all (lam (l y) (if (empty? l) y (all (tail l) ((head l) y)))))) (all (make n) x)))";
    (0..6).for_each(|n| agree(&["f64", "i64"], chosen, &[Value::f64(0.75), Value::i64(n)]));
}

#[test]
fn lists() {
    // Lists are matched and rebuilt by recursion without tail calls.
    let both = "(lam (l m) (letrec ((zip (lam (l m) (if (or (empty? l) (empty? m)) (nil f64)
        (cons (* (head l) (head m)) (zip (tail l) (tail m))))))) (tuple (zip l m) (concat l m) (length (concat m l)) \
            (toarray (zip m l)))))";
    for (l, m) in [(vec![], vec![1.0]), (vec![1.0, 2.0], vec![3.0, 4.0, 5.0]), (vec![2.0], vec![])] {
        agree(&["list<f64>", "list<f64>"], both, &[list(&l), list(&m)]);
    }
    let pairs = "(lam (l) (letrec ((swap (lam (l) (if (empty? l) (nil tuple<i64,list<f64>>)
        (cons (tuple (i+ 1 (get 1 (head l))) (list (get 0 (head l)) 2.0)) (swap (tail l))))))) (swap l)))";
    let given = Value::list(vec![
        Value::tuple(vec![Value::f64(1.5), Value::i64(3)]),
        Value::tuple(vec![Value::f64(-0.5), Value::i64(-4)]),
    ]);
    agree(&["list<tuple<f64,i64>>"], pairs, &[given]);
    let record = "(lam (p n) (letrec ((go (lam (p k) (if (i= k 0) p (with (go p (i- k 1)) (u (+ 1.0 (field u p)))))))) \
                  (go p n)))";
    let p = Value::record("P", vec![("u", Value::f64(2.0)), ("v", Value::vector(&[1.0, 2.0]))]);
    agree(&["P{u:f64,v:array<?xf64>}", "i64"], record, &[p, Value::i64(3)]);
}

/// Checks arrays in recursive functions: reads, updates and operations on whole arrays.
#[test]
fn arrays_in_recursion() {
    let sums = "(lam (a) (letrec ((tree (lam (lo hi) (if (i= (i- hi lo) 1) (aget a lo)
        (let ((mid (idiv2 (i+ lo hi)))) (+ (tree lo mid) (tree mid hi))))))) (tree 0 8)))";
    agree(&["array<8xf64>"], sums, &[Value::vector(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.5])]);
    let grown = "(lam (a n) (letrec ((go (lam (k) (if (i= k 0) a (let ((b (go (i- k 1)))) (aset (* (sin b) \
                 (fill (itof k) b)) (imod k 3) (sum b))))))) (go n)))";
    for n in 0..5 {
        agree(&["array<?xf64>", "i64"], grown, &[Value::vector(&[0.5, -1.0, 2.0]), Value::i64(n)]);
    }
    let rows = "(lam (a n) (letrec ((go (lam (k) (if (i= k 0) (aget a 0) (+ (mv a (go (i- k 1))) \
                (aget a (imod k 2))))))) (go n)))";
    let a = Value::array(Array::new(vec![2, 2], Data::F64(vec![0.5, 0.25, -1.0, 2.0])));
    (0..4).for_each(|n| agree(&["array<2x2xf64>", "i64"], rows, &[a.clone(), Value::i64(n)]));
    // Dynamic sizes are passed to functions of arrays, each axis separately.
    let rows = rows
        .replace("(aget a 0)", "(mv a (aget a 0))")
        .replace("aget a (imod k 2)", "* (mv a (aget a 1)) (fill (itof k) (mv a (aget a 1)))");
    let wide = "(lam (a n) (letrec ((go (lam (k) (if (i= k 0) a (* (+ a (go (i- k 1))) a))))) (mv (go n) (aget a 1))))";
    let b = Value::array(Array::new(vec![3, 2], Data::F64(vec![0.5, 0.25, -1.0, 2.0, 1.5, -0.75])));
    (0..4).for_each(|n| agree(&["array<?x?xf64>", "i64"], &rows, &[a.clone(), Value::i64(n)]));
    (0..4).for_each(|n| agree(&["array<?x?xf64>", "i64"], wide, &[b.clone(), Value::i64(n)]));
}

/// Checks a loop that creates a list of elements of an array that it updates. Its condition determines the length of
/// the list.
#[test]
fn lists_beside_arrays_in_loops() {
    let listed = "(lam (n a) (letrec ((go (lam (k a l) (if (i= k 0) l (go (i- k 1) (aset a 0 (itof k)) \
                  (cons (aget a 0) l)))))) (go n a (nil f64))))";
    for n in 0..4 {
        agree(&["i64", "array<3xf64>"], listed, &[Value::i64(n), Value::vector(&[1.0, 2.0, 3.0])]);
    }
}

/// Checks gradients with respect to arrays that recursion reads: elements, rows and whole arrays, in all orders of
/// addition, up to second order.
#[test]
fn arrays_that_recursion_reads() {
    let vector = Value::array(Array::vector(&[0.5, -0.25, 1.5, 0.75]));
    let matrix = Value::array(Array::new(vec![2, 2], Data::F64(vec![0.5, 0.25, -1.0, 2.0])));
    let of_vectors = [
        "(+ (sin (aget x k)) (* 0.5 (go (i+ k 1))))",
        "(+ (* 0.5 (go (i+ k 1))) (sin (aget x k)))",
        "(* (aget x k) (+ (sum x) (go (i+ k 1))))",
        "(+ (dot x x) (* (aget x k) (go (i+ k 1))))",
        "(+ (* (go (i+ k 1)) (aget x 0)) (+ (aget x k) (* 2.0 (go (i+ k 2)))))",
        "(go2 (i+ k 1) (* (aget x k) (aget x 1)))",
        "(let ((y (aset x k (* 3.0 (aget x k))))) (+ (dot y x) (go (i+ k 1))))",
    ];
    let of_matrices = [
        "(+ (* (aget x k 1) (aget x 0 k)) (go (i+ k 1)))",
        "(* (sum (aget x k)) (+ 1.5 (* (aget x k 0) (go (i+ k 1)))))",
    ];
    let vectors = of_vectors.iter().map(|t| (*t, "array<4xf64>", &vector, 4));
    let matrices = of_matrices.iter().map(|t| (*t, "array<2x2xf64>", &matrix, 2));
    for (term, ty, x, n) in vectors.chain(matrices) {
        let value = format!(
            "(lam (x) (letrec ((go (lam (k) (if (i< k {n}) {term} 0.75))) \
             (go2 (lam (k d) (+ d (* d (go k)))))) (go 0)))"
        );
        let gradient = format!("(lam (x) ((grad {value}) x))");
        let second = format!("(lam (x) ((grad (lam (x) (let ((g ((grad {value}) x))) (sum (* g g))))) x))");
        for term in [gradient, second] {
            let numbers = |v: &Value| v.as_array().expect("a gradient is an array").to_f64();
            let wanted = Evaluator::new(parse(&[ty], &term).module()).call("f", &[x.clone()]).unwrap();
            for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
                let found = compiled(&[ty], &term, passes, &[x.clone()]).unwrap_or_else(|e| panic!("{e}: {term}"));
                let (found, wanted) = (numbers(&found), numbers(&wanted));
                let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-11 * b.abs().max(1.0);
                assert!(found.iter().zip(&wanted).all(close), "expected {wanted:?}, found {found:?}: {term}");
            }
        }
    }
}

#[test]
fn stops() {
    let last = "(lam (l) (letrec ((last (lam (l) (if (empty? (tail l)) (head l) (* 2.0 (last (tail l))))) ) \
                (go (lam (l) (+ 1.0 (last l))))) (go l)))";
    agree(&["list<f64>"], last, &[list(&[1.0, 2.5])]);
    let (place, text) = stop(&["list<f64>"], last, &[list(&[])]);
    assert!(place.starts_with("recursion:1:") && text.starts_with("empty-list: "), "{place}: {text}");
    let read = "(lam (a n) (letrec ((go (lam (k) (if (i= k 0) 0.0 (+ (aget a k) (go (i- k 1))))))) (go n)))";
    agree(&["array<4xf64>", "i64"], read, &[Value::vector(&[1.0, 2.0, 3.0, 4.0]), Value::i64(3)]);
    let (_, text) = stop(&["array<4xf64>", "i64"], read, &[Value::vector(&[1.0, 2.0, 3.0, 4.0]), Value::i64(4)]);
    assert!(
        text.starts_with("index-out-of-bounds: ") && text.contains("index 4") && text.contains("extent 4"),
        "{text}"
    );
    let endless = "(lam (x) (letrec ((go (lam (x) (+ 1.0 (go (* x x)))))) (go x)))";
    let (place, text) = stop(&["f64"], endless, &[Value::f64(0.5)]);
    assert!(place.starts_with("recursion:1:") && text.starts_with("stack-overflow: "), "{place}: {text}");
}

/// Checks that tail recursion is a loop, ten million calls deep, whose reverse sweep keeps a number for each call.
#[test]
fn tail_calls() {
    let go = "(lam (x n) (letrec ((go (lam (k a) (if (i= k 0) a (go (i- k 1) (* x a)))))) (go n 1.0)))";
    let slope = format!("(lam (x n) ((grad 0 2 {go}) x n))");
    let n = 10_000_000;
    for (term, wanted) in [(go, 1.0), (slope.as_str(), n as f64)] {
        let program = parse(&["f64", "i64"], term);
        let target = Target::host().unwrap();
        target.describe(program.module());
        program.run_pipeline(&pipeline_text(FUNCTIONS_CPU)).unwrap_or_else(|_| panic!("{term}"));
        let code = Compiled::new(program.module(), &target).unwrap();
        let found = machine(program.module(), &code, "f", &[Value::f64(1.0), Value::i64(n)]).unwrap();
        assert_eq!(found[0].0.as_f64(), Some(wanted), "{term}");
    }
}

/// Checks recursion without tail calls to a depth of 100,000, and its derivative, whose closures capture each other.
#[test]
fn deep_recursion() {
    let sum = "(lam (x n) (letrec ((go (lam (k) (if (i= k 0) 0.0 (+ (* x (itof k)) (go (i- k 1))))))) (go n)))";
    let n = 100_000;
    let whole = (n * (n + 1) / 2) as f64;
    let given = [Value::f64(2.0), Value::i64(n)];
    let found = compiled(&["f64", "i64"], sum, FUNCTIONS_CPU, &given).unwrap();
    assert_eq!(found.as_f64(), Some(2.0 * whole));
    let slope = format!("(lam (x n) ((grad 0 2 {sum}) x n))");
    let found = compiled(&["f64", "i64"], &slope, FUNCTIONS_CPU, &given).unwrap();
    assert_eq!(found.as_f64(), Some(whole));
}

//===-- random numbers --------------------------------------------------------------------------------------------===//

/// Draws of every kind, one in each call of a recursion, consed to lists; and the final state.
const DRAWS: &str = "
func.func private @go(%r: !lambda.rng, %n: i64) \
    -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng> {
  %zero = arith.constant 0 : i64
  %ends = arith.cmpi sle, %n, %zero : i64
  %y = lambda.if %ends : i1 -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng> {
    %nil = lambda.nil : () -> !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>
    %t = lambda.tuple %nil, %r : (!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng) \
        -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
    lambda.yield %t : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
  } else {
    %one = arith.constant 1 : i64
    %m = arith.subi %n, %one : i64
    %a = lambda.rng.uniform %r : (!lambda.rng) -> tuple<f64, !lambda.rng>
    %x = lambda.get %a[0] : (tuple<f64, !lambda.rng>) -> f64
    %ra = lambda.get %a[1] : (tuple<f64, !lambda.rng>) -> !lambda.rng
    %b = lambda.rng.uniform %ra : (!lambda.rng) -> tuple<f32, !lambda.rng>
    %u = lambda.get %b[0] : (tuple<f32, !lambda.rng>) -> f32
    %rb = lambda.get %b[1] : (tuple<f32, !lambda.rng>) -> !lambda.rng
    %c = lambda.rng.uniform %rb : (!lambda.rng) -> tuple<tensor<3xf64>, !lambda.rng>
    %v = lambda.get %c[0] : (tuple<tensor<3xf64>, !lambda.rng>) -> tensor<3xf64>
    %rc = lambda.get %c[1] : (tuple<tensor<3xf64>, !lambda.rng>) -> !lambda.rng
    %d = lambda.rng.uniform %rc : (!lambda.rng) -> tuple<tensor<2x3xf32>, !lambda.rng>
    %w = lambda.get %d[0] : (tuple<tensor<2x3xf32>, !lambda.rng>) -> tensor<2x3xf32>
    %rd = lambda.get %d[1] : (tuple<tensor<2x3xf32>, !lambda.rng>) -> !lambda.rng
    %rest = func.call @go(%rd, %m) : (!lambda.rng, i64) \
        -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
    %l = lambda.get %rest[0] : (tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>) \
        -> !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>
    %h = lambda.tuple %x, %u, %v, %w : (f64, f32, tensor<3xf64>, tensor<2x3xf32>) \
        -> tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>
    %k = lambda.cons %h, %l : (tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>, \
        !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>) \
        -> !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>
    %t = lambda.tset %rest[0], %k : (tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, \
        !lambda.rng>, !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>) \
        -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
    lambda.yield %t : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
  }
  return %y : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
}
func.func @f(%seed: i64, %n: i64) -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng> {
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %y = func.call @go(%r, %n) : (!lambda.rng, i64) \
      -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
  return %y : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
}
";

/// A state that is an argument is split in every call; the leaves of the tree are states in a list.
const SPLITS: &str = "
func.func private @go(%r: !lambda.rng, %n: i64, %l: !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng> {
  %zero = arith.constant 0 : i64
  %ends = arith.cmpi sle, %n, %zero : i64
  %y = lambda.if %ends : i1 -> !lambda.list<!lambda.rng> {
    %k = lambda.cons %r, %l : (!lambda.rng, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
    lambda.yield %k : !lambda.list<!lambda.rng>
  } else {
    %two = arith.constant 2 : i64
    %one = arith.constant 1 : i64
    %m = arith.subi %n, %one : i64
    %few = arith.subi %n, %two : i64
    %s = lambda.rng.split %r : (!lambda.rng) -> tuple<!lambda.rng, !lambda.rng>
    %a = lambda.get %s[0] : (tuple<!lambda.rng, !lambda.rng>) -> !lambda.rng
    %b = lambda.get %s[1] : (tuple<!lambda.rng, !lambda.rng>) -> !lambda.rng
    %deep = arith.constant 9 : i64
    %is_deep = arith.cmpi sgt, %n, %deep : i64
    %left = lambda.if %is_deep : i1 -> !lambda.list<!lambda.rng> {
      lambda.yield %l : !lambda.list<!lambda.rng>
    } else {
      %k = func.call @go(%a, %few, %l) : (!lambda.rng, i64, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
      lambda.yield %k : !lambda.list<!lambda.rng>
    }
    %both = func.call @go(%b, %m, %left) : (!lambda.rng, i64, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
    lambda.yield %both : !lambda.list<!lambda.rng>
  }
  return %y : !lambda.list<!lambda.rng>
}
func.func @f(%r: !lambda.rng, %n: i64) -> !lambda.list<!lambda.rng> {
  %nil = lambda.nil : () -> !lambda.list<!lambda.rng>
  %y = func.call @go(%r, %n, %nil) : (!lambda.rng, i64, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
  return %y : !lambda.list<!lambda.rng>
}
";

/// Two normal numbers, from a state that was sent through a channel.
const SENT: &str = "
func.func @f(%seed: i64) -> tuple<f64, tensor<2xf64>, !lambda.rng> {
  %t0 = lambda.token : () -> !lambda.token
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %first = lambda.rng.uniform %r : (!lambda.rng) -> tuple<f64, !lambda.rng>
  %next = lambda.get %first[1] : (tuple<f64, !lambda.rng>) -> !lambda.rng
  %made = lambda.channel %t0 {buffer = 1 : i64, dest = \"cpu:1\"} : (!lambda.token) \
      -> tuple<!lambda.chan<!lambda.rng>, !lambda.token>
  %c = lambda.get %made[0] : (tuple<!lambda.chan<!lambda.rng>, !lambda.token>) -> !lambda.chan<!lambda.rng>
  %t1 = lambda.get %made[1] : (tuple<!lambda.chan<!lambda.rng>, !lambda.token>) -> !lambda.token
  %t2 = lambda.send %t1, %c, %next : (!lambda.token, !lambda.chan<!lambda.rng>, !lambda.rng) -> !lambda.token
  %got = lambda.recv %t2, %c : (!lambda.token, !lambda.chan<!lambda.rng>) -> tuple<!lambda.rng, !lambda.token>
  %s = lambda.get %got[0] : (tuple<!lambda.rng, !lambda.token>) -> !lambda.rng
  %a = lambda.rng.normal %s : (!lambda.rng) -> tuple<f64, !lambda.rng>
  %x = lambda.get %a[0] : (tuple<f64, !lambda.rng>) -> f64
  %u = lambda.get %a[1] : (tuple<f64, !lambda.rng>) -> !lambda.rng
  %b = lambda.rng.normal %u : (!lambda.rng) -> tuple<tensor<2xf64>, !lambda.rng>
  %v = lambda.get %b[0] : (tuple<tensor<2xf64>, !lambda.rng>) -> tensor<2xf64>
  %w = lambda.get %b[1] : (tuple<tensor<2xf64>, !lambda.rng>) -> !lambda.rng
  %y = lambda.tuple %x, %v, %w : (f64, tensor<2xf64>, !lambda.rng) -> tuple<f64, tensor<2xf64>, !lambda.rng>
  return %y : tuple<f64, tensor<2xf64>, !lambda.rng>
}
";

/// Returns the result of the evaluator, and those of compiled code after each pipeline.
fn both(text: &str, inputs: &[Value]) -> (Value, Vec<Result<Value, Stop>>) {
    mlopt::register_passes();
    let parse = || Program::parse(text.as_bytes(), "random").unwrap();
    let wanted = Evaluator::new(parse().module()).call("f", inputs).unwrap_or_else(|e| panic!("{e}"));
    let run = |passes: &[&str]| {
        let (program, target) = (parse(), Target::host().unwrap());
        target.describe(program.module());
        program.run_pipeline(&pipeline_text(passes)).unwrap_or_else(|_| panic!("{text}"));
        let code = Compiled::new(program.module(), &target).unwrap();
        assert!(code.program("f").is_some(), "not a program of data: {text}");
        machine(program.module(), &code, "f", inputs).map(|mut results| results.remove(0).0)
    };
    (wanted, [FUNCTIONS_PLAIN, FUNCTIONS_CPU].map(run).into())
}

/// Formats a value with the words of its states.
fn words(value: &Value) -> String {
    match value {
        Value::Rng(state) => format!("{state:?}"),
        Value::List(list) => list.iter().map(words).collect::<Vec<_>>().join(" : "),
        Value::Tuple(parts) => parts.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[test]
fn random_numbers_in_recursion() {
    for (seed, n) in [(7, 0), (42, 5), (-3, 2)] {
        let (wanted, found) = both(DRAWS, &[Value::i64(seed), Value::i64(n)]);
        found.into_iter().for_each(|found| assert_eq!(words(&found.unwrap()), words(&wanted)));
    }
    let state = |key, stream, block, splits| {
        Value::Rng(std::rc::Rc::new(mlopt_dialects::lambda::philox::State { key, stream, block, splits }))
    };
    for n in [0, 1, 6, 63] {
        let (wanted, found) = both(SPLITS, &[state(5, 0, 9, 0), Value::i64(n)]);
        found.into_iter().for_each(|found| assert_eq!(words(&found.unwrap()), words(&wanted)));
    }
    let text = SPLITS.to_string();
    let (program, target) = (Program::parse(text.as_bytes(), "random").unwrap(), Target::host().unwrap());
    target.describe(program.module());
    program.run_pipeline(&pipeline_text(FUNCTIONS_CPU)).unwrap();
    let code = Compiled::new(program.module(), &target).unwrap();
    match machine(program.module(), &code, "f", &[state(5, 0, 0, 1), Value::i64(63)]) {
        Err(Stop::Code(Error::Stopped { text, .. })) => {
            assert_eq!(text, "too-many-splits: a state that comes from 64 splits, more than 63");
        }
        other => panic!("it should stop: {:?}", other.map(|all| words(&all[0].0))),
    }
}

/// Checks numbers up to the last digit of logarithms, sines and cosines, which may differ in compiled code.
#[test]
fn random_numbers_through_channels() {
    let (wanted, found) = both(SENT, &[Value::i64(11)]);
    let parts = |v: &Value| match v {
        Value::Tuple(parts) => {
            let numbers = [0, 1].map(|k| parts[k].as_array().unwrap().to_f64()).concat();
            (numbers, words(&parts[2]))
        }
        _ => panic!("a tuple"),
    };
    let (numbers, state) = parts(&wanted);
    for found in found {
        let (found, end) = parts(&found.unwrap());
        assert_eq!((found.len(), end), (3, state.clone()));
        for (f, w) in found.iter().zip(&numbers) {
            assert!((f - w).abs() <= 1e-14 * w.abs().max(1.0), "{f} is not {w}");
        }
    }
}
