//! Closure conversion preserves the results of programs. The evaluator of the original programs is independent of the
//! conversion.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;

/// Functions are converted as imported, and after all simplifications.
const PIPELINES: [&str; 3] = [
    "lambda-specialise,j-transform,closure-convert",
    "lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert",
    "lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert,lambda-simplify",
];

/// Returns the imported program after a pipeline.
fn parse(types: &[&str], term: &str, pipeline: &str) -> Program {
    mlopt::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let module = import("closures", "f", &types, &read_one(term).unwrap()).unwrap();
    let program = Program::parse(module.as_bytes(), "closures").unwrap();
    program.run_pipeline(&format!("builtin.module({pipeline})")).unwrap_or_else(|_| panic!("{pipeline}: {term}"));
    program
}

/// Returns the printed result, and the maximum depth of calls.
fn run(program: &Program, inputs: &[Value]) -> (String, usize) {
    let mut evaluator = Evaluator::new(program.module());
    let value = evaluator.call("f", inputs).unwrap_or_else(|e| panic!("{e}\n{}", program.module()));
    (value.to_string(), evaluator.depth())
}

fn agree(types: &[&str], term: &str, inputs: &[Value]) {
    let (wanted, _) = run(&parse(types, term, ""), inputs);
    for pipeline in PIPELINES {
        let (found, _) = run(&parse(types, term, pipeline), inputs);
        assert_eq!(found, wanted, "{pipeline}: {term}");
    }
}

#[test]
fn functions_that_are_handed_on() {
    // Continuations, each of which captures the previous one.
    let factorial =
        "(lam (n) (letrec ((fact (lam (k c) (if (i< k 1) (c 1.0) (fact (i- k 1) (lam (r) (c (* r (itof k)))))))))
        (fact n (lam (r) r))))";
    (0..6).for_each(|n| agree(&["i64"], factorial, &[Value::i64(n)]));
    // A recursive function that returns functions.
    let times = "(lam (x n) (letrec ((times (lam (k f) (if (i< k 1) (lam (y) y)
        (let ((g (times (i- k 1) f))) (lam (y) (f (g y)))))))) ((times n (lam (y) (+ y x))) x)))";
    (0..5).for_each(|n| agree(&["f64", "i64"], times, &[Value::f64(1.5), Value::i64(n)]));
    // Church numerals.
    let numerals = "(lam (x) (let ((two (lam (f) (lam (a) (f (f a))))) (three (lam (f) (lam (a) (f (f (f a)))))))
        (((two three) (lam (y) (* 1.25 y))) x)))";
    agree(&["f64"], numerals, &[Value::f64(0.5)]);
    // Functions in a tree of tuples and lists, selected at run time.
    let chosen = "(lam (x c) (let ((l (if (i< c 2) (list (lam (y) (* x y)) sin) (list cos (lam (y) (+ x y)))))
        (t (tuple (head l) (head (tail l)))) (g (if (i= c 1) (get 0 t) (get 1 t)))) (+ (g x) ((get 0 t) 0.25))))";
    (0..4).for_each(|c| agree(&["f64", "i64"], chosen, &[Value::f64(0.75), Value::i64(c)]));
    // A function that calls another one, and uses the other's captures only through it.
    let calls = "(lam (x n) (letrec ((scale (lam (y k) (if (i< k 1) y (+ (scale (* x y) (i- k 1)) 1.0)))))
        (letrec ((go (lam (k) (if (i< k 1) 0.5 (+ 1.0 (scale (go (i- k 1)) 2)))))) (go n))))";
    (0..4).for_each(|n| agree(&["f64", "i64"], calls, &[Value::f64(0.75), Value::i64(n)]));
    // Each function captures the list of the previous ones: the only lambda captures functions of its own class.
    let pile = "(lam (x n) (letrec ((go (lam (k l) (if (i< k 1) l (go (i- k 1)
        (cons (lam (y) (fold (lam (a f) (+ a (f y))) (+ x y) l)) l))))))
        (fold (lam (a f) (+ a (f x))) 0.0 (go n (nil func<[f64]->f64>)))))";
    (0..4).for_each(|n| agree(&["f64", "i64"], pile, &[Value::f64(0.75), Value::i64(n)]));
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
    agree(&["f64"], &term, &[Value::f64(0.25)]);
    let program = parse(&["f64"], &term, PIPELINES[0]);
    let ops = program.module().nested_ops();
    assert_eq!(ops.iter().filter(|op| op.name() == "lambda.case").count(), 1, "{}", program.module());
}

#[test]
fn functions_pass_through_channels() {
    let sent = "(lam (x) (let ((c (channel func<[f64]->f64> :buffer 2)))
        (do (send c (lam (y) (* x y))) (send c sin) (+ ((recv c) 2.0) ((recv c) 0.5)))))";
    let program = parse(&["f64"], sent, "");
    let (wanted, _) = run(&program, &[Value::f64(1.5)]);
    let converted = parse(&["f64"], sent, "lambda-specialise,closure-convert");
    assert_eq!(run(&converted, &[Value::f64(1.5)]).0, wanted);
}

#[test]
fn gradients_hold_arrays_and_lists() {
    // The environment of a recursive function contains an array, which may be missing, and is accumulated level by
    // level.
    let array = "(lam (a) ((grad (lam (v) (letrec ((go (lam (k) (if (i< k 1) (sum v) (* (aget v 0)
        (go (i- k 1))))))) (go 3)))) a))";
    agree(&["array<3xf64>"], array, &[Value::vector(&[0.5, -1.0, 2.0])]);
    let list = "(lam (x) ((grad (lam (x) (let ((l (list x (* x x)))) (letrec ((go (lam (k) (if (i< k 1) (head l)
        (* (head (tail l)) (go (i- k 1))))))) (go 2))))) x))";
    agree(&["f64"], list, &[Value::f64(1.5)]);
    let folded =
        "(lam (x) ((grad (lam (x) (fold (lam (a f) (f a)) x (list (lam (y) (* x y)) sin (lam (y) (* y y)))))) x))";
    agree(&["f64"], folded, &[Value::f64(0.5)]);
    let tuple = "(lam (x) ((grad (lam (x) (let ((t (tuple x (* 2.0 x)))) (letrec ((go (lam (k) (if (i< k 1) (get 0 t)
        (* (get 1 t) (go (i- k 1))))))) (go 3))))) x))";
    agree(&["f64"], tuple, &[Value::f64(0.75)]);
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
    for n in [0, 1, 2, 3, 7, 50, 101] {
        agree(&["f64", "i64"], MACHINE, &[Value::f64(0.875), Value::i64(n)]);
    }
    // Two arguments are swapped.
    let swaps = "(lam (x n) (letrec ((go (lam (k a b) (if (i< k 1) (+ a (* 0.5 b)) (if (< a b) (go (i- k 1) b a)
        (go (i- k 1) (* 0.5 a) b)))))) (go n x 0.25)))";
    for n in 0..6 {
        agree(&["f64", "i64"], swaps, &[Value::f64(0.625), Value::i64(n)]);
    }
    // The result is a function, for which there is no initial value.
    let chosen = "(lam (x n) (letrec ((go (lam (k f) (if (i< k 1) f (if (i= (imod k 2) 0) (go (i- k 1) sin)
        (other (i- k 1) (lam (y) (* x y))))))) (other (lam (k f) (if (i< k 3) (go (i- k 1) f)
        (go (i- k 2) (lam (y) (+ y x)))))))
        ((go n cos) x)))";
    for n in 0..6 {
        agree(&["f64", "i64"], chosen, &[Value::f64(0.625), Value::i64(n)]);
    }
    let program = parse(&["f64", "i64"], MACHINE, PIPELINES[1]);
    let module = program.module();
    let calls = module.nested_ops().into_iter().filter(|op| op.name() == "func.call").count();
    assert_eq!(calls, 4, "one call from outside, and one from each function into the loop:\n{module}");
    assert_eq!(module.nested_ops().iter().filter(|op| op.name() == "lambda.while").count(), 1, "{module}");
    let depth = |n: i64| run(&program, &[Value::f64(0.875), Value::i64(n)]).1;
    assert_eq!(depth(100), depth(10_000));
}

/// A task runs a function that is selected at run time.
const CHOSEN_TASK: &str = "
func.func @f(%x: f64, %c: i1) -> f64 {
  %t0 = lambda.token : () -> !lambda.token
  %scale = lambda.lambda (%t: !lambda.token, %y: f64) -> f64 {
    %z = arith.mulf %x, %y : f64
    lambda.return %z : f64
  }
  %turn = lambda.lambda (%t: !lambda.token, %y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  %g = lambda.switch %c, %scale, %turn : (i1, (!lambda.token, f64) -> f64, (!lambda.token, f64) -> f64) \
      -> ((!lambda.token, f64) -> f64)
  %h = lambda.spawn %t0, %g, %x {device = \"cpu:1\"} : (!lambda.token, (!lambda.token, f64) -> f64, f64) \
      -> tuple<!lambda.task<f64>, !lambda.token>
  %task = lambda.get %h[0] : (tuple<!lambda.task<f64>, !lambda.token>) -> !lambda.task<f64>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<f64>, !lambda.token>) -> !lambda.token
  %r = lambda.join %t1, %task : (!lambda.token, !lambda.task<f64>) -> tuple<f64, !lambda.token>
  %y = lambda.get %r[0] : (tuple<f64, !lambda.token>) -> f64
  return %y : f64
}
";

#[test]
fn tasks_of_functions_that_are_chosen() {
    mlopt::register_passes();
    let program = Program::parse(CHOSEN_TASK.as_bytes(), "task").unwrap();
    program.run_pipeline("builtin.module(closure-convert)").unwrap();
    for (c, wanted) in [(true, 1.5 * 1.5), (false, 1.5f64.sin())] {
        let (found, _) = run(&program, &[Value::f64(1.5), Value::bool(c)]);
        assert_eq!(found, format!("{wanted:?}"));
    }
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
