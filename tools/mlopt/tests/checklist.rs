//! Checks the known errors of implementations of closure-based reverse mode, item by item: the checklist of
//! `spec/functional.md` G.1 and the failures of earlier systems, B.10. Every expected value is a closed form. Programs
//! run in the evaluator, whose derivatives come from a tape, after J in the evaluator, and as compiled code. Functions
//! of one real argument are also compared with differences.

use mlopt::functions::run::machine;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_dialects::value::{Array, Data};
use mlopt_frontend::functions::import;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use mlopt_runtime::code::Compiled;

/// The passes that expand derivatives.
const DERIVATIVES: &str = "lambda-specialise,lambda-simplify,j-transform,lambda-simplify";
/// The tolerance for rounding errors.
const RTOL: f64 = 1e-11;

/// A program: a term with the types of its inputs, or MLIR with a function `@f`.
#[derive(Clone)]
enum Source {
    Term(String, Vec<String>),
    Mlir(String),
}

fn term(types: &[&str], text: &str) -> Source {
    Source::Term(text.to_string(), types.iter().map(|t| t.to_string()).collect())
}

impl Source {
    fn parse(&self) -> Program {
        mlopt::register_passes();
        match self {
            Source::Term(text, types) => {
                let module = import("checklist", "f", types, &read_one(text).unwrap()).unwrap();
                Program::parse(module.as_bytes(), "checklist").unwrap()
            }
            Source::Mlir(text) => Program::parse(text.as_bytes(), "checklist").unwrap(),
        }
    }

    fn after(&self, passes: &str) -> Program {
        let program = self.parse();
        let (ran, said) =
            captured(program.module().context(), || program.run_pipeline(&format!("builtin.module({passes})")));
        ran.unwrap_or_else(|_| panic!("{passes}: {}", said.join("\n")));
        program
    }

    fn evaluated(&self, passes: &str, inputs: &[Value]) -> Value {
        let program = if passes.is_empty() { self.parse() } else { self.after(passes) };
        Evaluator::new(program.module())
            .call("f", inputs)
            .unwrap_or_else(|e| panic!("{passes}: {e}\n{}", program.module()))
    }

    fn compiled(&self, passes: &[&str], inputs: &[Value]) -> Value {
        let program = self.parse();
        let target = Target::host().unwrap();
        target.describe(program.module());
        let (ran, said) = captured(program.module().context(), || program.run_pipeline(&pipeline_text(passes)));
        ran.unwrap_or_else(|_| panic!("{}", said.join("\n")));
        let code = Compiled::new(program.module(), &target).unwrap();
        machine(program.module(), &code, "f", inputs).unwrap_or_else(|e| panic!("{e}")).remove(0).0
    }

    /// Returns its value by each method: evaluated as imported, evaluated after J, and by two pipelines of compiled
    /// code.
    fn everywhere(&self, inputs: &[Value]) -> [(&'static str, Value); 4] {
        [
            ("evaluated", self.evaluated("", inputs)),
            ("after J", self.evaluated(DERIVATIVES, inputs)),
            ("plain machine code", self.compiled(FUNCTIONS_PLAIN, inputs)),
            ("machine code", self.compiled(FUNCTIONS_CPU, inputs)),
        ]
    }

    #[track_caller]
    fn gives(&self, inputs: &[Value], wanted: &[f64]) {
        for (way, value) in self.everywhere(inputs) {
            let found = leaves(&value);
            assert!(are_close(&found, wanted, RTOL), "{way}: expected {wanted:?}, found {found:?}");
        }
    }
}

/// Returns the numbers of a value, in order; a unit has none.
fn leaves(value: &Value) -> Vec<f64> {
    match value {
        Value::Tuple(parts) | Value::Record(_, parts) => parts.iter().flat_map(leaves).collect(),
        Value::List(values) => values.iter().flat_map(leaves).collect(),
        Value::Unit => vec![],
        _ => value.as_array().unwrap_or_else(|| panic!("expected numbers, found {}", value.kind())).to_f64(),
    }
}

fn are_close(found: &[f64], wanted: &[f64], rtol: f64) -> bool {
    let close = |(f, w): (&f64, &f64)| f == w || (f - w).abs() <= rtol * w.abs().max(1.0) || f.is_nan() && w.is_nan();
    found.len() == wanted.len() && found.iter().zip(wanted).all(close)
}

/// Checks the derivatives of a function of one number at a point, from the first order on.
#[track_caller]
fn orders(function: &str, at: f64, wanted: &[f64]) {
    let value = |f: &str, x: f64| {
        term(&["f64"], &format!("(lam (p) ({f} p))")).evaluated("", &[Value::f64(x)]).as_f64().unwrap()
    };
    let mut derivative = function.to_string();
    for (k, wanted) in wanted.iter().enumerate() {
        let step = 1e-5;
        let difference = (value(&derivative, at + step) - value(&derivative, at - step)) / (2.0 * step);
        assert!(are_close(&[difference], &[*wanted], 1e-6), "order {}: {difference} by differences, {wanted}", k + 1);
        derivative = format!("(grad {derivative})");
        term(&["f64"], &format!("(lam (p) ({derivative} p))")).gives(&[Value::f64(at)], &[*wanted]);
    }
}

fn vector(values: &[f64]) -> Value {
    Value::vector(values)
}

// ---- G.1: most likely mistakes ----

/// 1. Captured values have sensitivities too: those of functions that are mapped, folded, passed and recursive.
#[test]
fn g1_01_what_functions_capture_is_not_forgotten() {
    let v = vector(&[1.0, -2.0, 3.0]);
    let map = "(lam (a v) ((grad 0 2 (lam (a v) (sum (map (lam (e) (* a (* e e))) v)))) a v))";
    term(&["f64", "array<3xf64>"], map).gives(&[Value::f64(0.5), v.clone()], &[14.0]);
    let map2 = "(lam (a v) ((grad 0 2 (lam (a v) (sum (map2 (lam (e d) (* a (* e (* d d)))) v v)))) a v))";
    term(&["f64", "array<3xf64>"], map2).gives(&[Value::f64(0.5), v.clone()], &[20.0]);
    let fold = "(lam (a v) ((grad 0 2 (lam (a v) (fold (lam (s e) (+ (* a s) e)) 0.0 (tolist v)))) a v))";
    // 9 - 2a + a², differentiated with respect to a.
    term(&["f64", "array<3xf64>"], fold).gives(&[Value::f64(0.5), v], &[-2.0 + 2.0 * 0.5]);
    let passed = "(lam (a b) ((grad 1 2 (lam (a b) (let ((f (lam (g x) (* (g x) (g (+ x 10.0))))) \
                  (g (lam (x) (* x b)))) (f g a)))) a b))";
    term(&["f64", "f64"], passed).gives(&[Value::f64(2.0), Value::f64(3.0)], &[2.0 * 3.0 * 2.0 * 12.0]);
    // A group with captures: contributions of all members are added in one environment.
    let group = "(lam (w n) ((grad 0 2 (lam (w n) (letrec ((f (lam (k) (if (i= k 0) w (* w (g (i- k 1))))))
        (g (lam (k) (if (i= k 0) (* w w) (+ w (f (i- k 1))))))) (f n)))) w n))";
    // f(3) = w g(2) = w (w + f(1)) = w (w + w g(0)) = w² + w⁴.
    term(&["f64", "i64"], group).gives(&[Value::f64(1.5), Value::i64(3)], &[2.0 * 1.5 + 4.0 * 1.5f64.powi(3)]);
    // Environments are differentiable themselves.
    orders("(lam (x) (if (< x 1.0) ((lam () (* x (* x x)))) (* x x)))", 0.5, &[0.75, 3.0, 6.0, 0.0]);
}

/// 2. Keys of environments are those of the variable, at every level.
#[test]
fn g1_02_keys_are_those_of_the_variable_at_every_level() {
    orders(
        "(lam (x) (let ((a (* x x)) (f (lam () (let ((b (+ x 5.0)) (g (lam () (+ a b))) (h (lam () (* a b)))) \
         (if (< x 0.0) g h))))) ((f))))",
        2.0,
        // x³ + 5x².
        &[12.0 + 20.0, 12.0 + 10.0, 6.0, 0.0],
    );
    // The same variable is captured inside and outside of the inner derivative.
    let both = "(lam (x) ((grad (lam (x) (let ((h (lam (y) (* x (* y y))))) (* (h x) ((grad h) x))))) x))";
    // x·x² · 2x·x = 2x⁵.
    term(&["f64"], both).gives(&[Value::f64(1.25)], &[10.0 * 1.25f64.powi(4)]);
}

/// 3. A function that transformed code creates has a primal function.
#[test]
fn g1_03_functions_made_in_transformed_code_have_a_primal() {
    let confused = [
        ("(lam (x) ((grad (lam (x) (* x ((grad (lam (y) (+ x y))) 1.0)))) x))", 1.0, 1.0),
        ("(lam (x) ((grad (lam (x) (* x ((grad (lam (y) (* x y))) 2.0)))) x))", 3.0, 6.0),
        // x · 2x²·y at y = x: 2x⁴.
        (
            "(lam (x) ((grad (lam (x) (* x ((grad (lam (y) (* (* x y) (* y x)))) x)))) x))",
            1.5,
            8.0 * 1.5f64 * 1.5 * 1.5,
        ),
        ("(lam (x) (let ((d (lam (f) (lam (u) ((grad f) u))))) ((d (d (lam (z) (sin (* z z))))) x)))", 0.7, {
            2.0 * 0.49f64.cos() - 4.0 * 0.49 * 0.49f64.sin()
        }),
    ];
    for (text, at, wanted) in confused {
        term(&["f64"], text).gives(&[Value::f64(at)], &[wanted]);
    }
}

/// 4. A structural zero absorbs infinity, a zero of the program does not.
#[test]
fn g1_04_strong_zeros_are_not_numbers() {
    term(&["f64"], "(lam (x) ((grad (lam (x) (if (> x 0.0) (sqrt x) (* 2.0 x)))) x))")
        .gives(&[Value::f64(-1.0)], &[2.0]);
    term(&["f64"], "(lam (x) ((grad (lam (x) (get 0 (tuple x (/ 1.0 x))))) x))").gives(&[Value::f64(0.0)], &[1.0]);
    term(&["f64"], "(lam (x) ((grad (lam (x) (pow x 2.0))) x))").gives(&[Value::f64(-3.0)], &[-6.0]);
    term(&["f64"], "(lam (x) ((grad (lam (x) (let ((unused (log x))) (* 3.0 x)))) x))")
        .gives(&[Value::f64(-1.0)], &[3.0]);
    // 0.0 · x is NaN at infinity, both in the value and in the derivative of 0.0 · (x · x).
    let number = term(&["f64"], "(lam (x) (tuple (* 0.0 x) ((grad (lam (y) (* 0.0 (* y y)))) x)))");
    number.gives(&[Value::f64(f64::INFINITY)], &[f64::NAN, f64::NAN]);
    number.gives(&[Value::f64(2.0)], &[0.0, 0.0]);
}

/// 5. A branch that is not taken is not evaluated: its recursion might be infinite, or it might stop the program.
#[test]
fn g1_05_branches_are_lazy() {
    let halves = "(lam (x n) ((grad 0 2 (lam (x n) (letrec ((go (lam (k) (if (i< k 1) x (* 0.5 (go (i- k 1))))))) \
                  (go n)))) x n))";
    term(&["f64", "i64"], halves).gives(&[Value::f64(3.0), Value::i64(4)], &[0.0625]);
    let stops = "(lam (a i) ((grad 0 2 (lam (a i) (if (i< i 3) (* (aget a i) (aget a i)) (sum a)))) a i))";
    let stops = term(&["array<3xf64>", "i64"], stops);
    stops.gives(&[vector(&[1.0, 2.0, 3.0]), Value::i64(7)], &[1.0, 1.0, 1.0]);
    stops.gives(&[vector(&[1.0, 2.0, 3.0]), Value::i64(2)], &[0.0, 0.0, 6.0]);
}

/// 6. Tail calls become loops before J, so that 100,000 of them need no stack.
#[test]
fn g1_06_tail_calls_are_loops_before_they_are_differentiated() {
    let own = "(lam (x n) ((grad 0 2 (lam (x n) (letrec ((go (lam (k a) (if (i= k 0) a (go (i- k 1) (* x a)))))) \
               (go n 1.0)))) x n))";
    let program = term(&["f64", "i64"], own);
    let n = 100_001;
    program.gives(&[Value::f64(1.0), Value::i64(n)], &[n as f64]);
    let module = program.after(DERIVATIVES).module().to_string();
    assert!(!module.contains("lambda.letrec") && !module.contains("lambda.apply"), "{module}");
    // Deeper than a stack of 8 MB allows with frames of one byte.
    let n = 9_000_000;
    let found = program.compiled(FUNCTIONS_CPU, &[Value::f64(1.0), Value::i64(n)]);
    assert_eq!(found.as_f64(), Some(n as f64));
}

/// 7. The sensitivity of an element is added in place: a loop over n elements takes linear time.
#[test]
fn g1_07_elements_are_not_arrays_of_zeros() {
    let squares =
        "(lam (a n) ((grad 0 2 (lam (a n) (for i n ((s 0.0)) (next (+ s (* (aget a i) (aget a i)))) s))) a n))";
    let program = term(&["array<?xf64>", "i64"], squares);
    program.gives(&[vector(&[1.0, -2.0, 3.0]), Value::i64(3)], &[2.0, -4.0, 6.0]);
    let tail = "(lam (a n) ((grad 0 2 (lam (a n) (letrec ((go (lam (k s) (if (i= k n) s (go (i+ k 1) \
                (+ s (* (aget a k) (aget a k)))))))) (go 0 0.0)))) a n))";
    // `test/lambda/element_gradients.test` bounds the work for many elements.
    let n = 1000;
    for program in [program, term(&["array<?xf64>", "i64"], tail)] {
        let found = program.compiled(FUNCTIONS_CPU, &[vector(&vec![0.5; n]), Value::i64(n as i64)]);
        assert!(leaves(&found).iter().all(|x| *x == 1.0));
    }
}

/// Returns a program that calls a backpropagator twice, with different sensitivities, and keeps it in between.
fn twice(body: &str) -> Source {
    Source::Mlir(format!(
        "func.func @f(%x: f64, %n: i64) -> tuple<f64, f64, f64> {{
           {body}
           %v = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
           %t = lambda.apply %v(%x) : (f64) -> tuple<f64, (f64) -> f64>
           %y = lambda.get %t[0] : (tuple<f64, (f64) -> f64>) -> f64
           %back = lambda.get %t[1] : (tuple<f64, (f64) -> f64>) -> ((f64) -> f64)
           %one = arith.constant 1.0 : f64
           %half = arith.constant 0.5 : f64
           %a = lambda.apply %back(%one) : (f64) -> f64
           %b = lambda.apply %back(%half) : (f64) -> f64
           %r = lambda.tuple %y, %a, %b : (f64, f64, f64) -> tuple<f64, f64, f64>
           return %r : tuple<f64, f64, f64>
         }}"
    ))
}

/// 8. A backpropagator can be called several times.
#[test]
fn g1_08_ways_back_are_called_twice() {
    let looped = twice(
        "%g = lambda.lambda (%a: f64) -> f64 {
           %y = lambda.for (%i < %n) iter_args(%b = %a) : (i64, f64) -> (f64) {
             %c = arith.mulf %b, %b : f64
             lambda.yield %c : f64
           }
           lambda.return %y : f64
         }",
    );
    // x⁸ in three squarings.
    looped.gives(&[Value::f64(1.25), Value::i64(3)], &[1.25f64.powi(8), 8.0 * 1.25f64.powi(7), 4.0 * 1.25f64.powi(7)]);
    let recursive = twice(
        "%zero = arith.constant 0 : i64
         %step = arith.constant 1 : i64
         %unit = arith.constant 1.0 : f64
         %g = lambda.lambda (%a: f64) -> f64 {
           %power = lambda.letrec {
             %go = lambda.lambda (%k: i64) -> f64 {
               %end = arith.cmpi eq, %k, %zero : i64
               %y = lambda.if %end : i1 -> f64 {
                 lambda.yield %unit : f64
               } else {
                 %l = arith.subi %k, %step : i64
                 %r = lambda.apply %go(%l) : (i64) -> f64
                 %p = arith.mulf %a, %r : f64
                 lambda.yield %p : f64
               }
               lambda.return %y : f64
             }
             lambda.yield %go : (i64) -> f64
           } : (i64) -> f64
           %z = lambda.apply %power(%n) : (i64) -> f64
           lambda.return %z : f64
         }",
    );
    recursive.gives(&[Value::f64(1.5), Value::i64(5)], &[1.5f64.powi(5), 5.0 * 1.5f64.powi(4), 2.5 * 1.5f64.powi(4)]);
}

/// 9. The exponential, cosine, sigmoid and quotients of a diagonal matrix are full matrices.
#[test]
fn g1_09_structure_ends_where_zero_does_not_stay_zero() {
    let diagonal = [2.0, 0.0, 0.0, 0.5];
    let product = |op: &str| {
        let text = format!(
            "func.func @f(%d: tensor<2x2xf64, #lambda.matrix<bands = [1, 1]>>, %v: tensor<2xf64>) -> !lambda.any {{
               %s = lambda.prim \"{op}\"(%d) : (tensor<2x2xf64, #lambda.matrix<bands = [1, 1]>>) -> !lambda.any
               %y = lambda.prim \"mv\"(%s, %v) : (!lambda.any, tensor<2xf64>) -> !lambda.any
               return %y : !lambda.any
             }}"
        );
        Source::Mlir(text)
    };
    let inputs = [Value::array(Array::new(vec![2, 2], Data::F64(diagonal.to_vec()))), vector(&[3.0, 10.0])];
    let functions: [(&str, fn(f64) -> f64); 5] = [
        ("exp", f64::exp),
        ("cos", f64::cos),
        ("sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
        ("sin", f64::sin),
        ("tanh", f64::tanh),
    ];
    for (op, f) in functions {
        let wanted = [f(2.0) * 3.0 + f(0.0) * 10.0, f(0.0) * 3.0 + f(0.5) * 10.0];
        for passes in
            ["lambda-specialise", "lambda-specialise,infer-structure", "lambda-specialise,infer-structure,canonicalize"]
        {
            let found = leaves(&product(op).evaluated(passes, &inputs));
            assert!(are_close(&found, &wanted, RTOL), "{op} after {passes}: expected {wanted:?}, found {found:?}");
        }
        let found = leaves(&product(op).compiled(FUNCTIONS_CPU, &inputs));
        assert!(are_close(&found, &wanted, RTOL), "{op} as machine code: expected {wanted:?}, found {found:?}");
    }
}

/// 10. Discrete values have no tangents of any order: integers, booleans and tokens next to reals.
#[test]
fn g1_10_discrete_values_have_no_tangents() {
    let pair = "(lam (x n) ((grad (lam (x) (let ((t (tuple x n (< x 1.0)))) (if (get 2 t) (* (get 0 t) \
                (itof (get 1 t))) x)))) x))";
    term(&["f64", "i64"], pair).gives(&[Value::f64(0.5), Value::i64(7)], &[7.0]);
    let second = "(lam (t) ((grad (lam (t) (let ((g ((grad (lam (t) (* (get 0 t) (* (get 0 t) (itof (get 1 t)))))) \
                  t))) (* (get 0 g) (get 0 g))))) t))";
    let t = Value::tuple(vec![Value::f64(0.5), Value::i64(3)]);
    // The derivative of (2·x·n)² with respect to x is 8 x n²; n has none.
    term(&["tuple<f64,i64>"], second).gives(&[t], &[8.0 * 0.5 * 9.0]);
    orders(
        "(lam (x) (for i 3 ((y x) (k 1)) (next (* y (* x (itof k))) (i+ k 1)) y))",
        0.5,
        &[24.0 * 0.125, 72.0 * 0.25, 144.0 * 0.5, 144.0],
    );
}

/// 11. A Jacobian is applied from its own side: a composition of two linear maps that do not commute.
#[test]
fn g1_11_the_direction_of_a_jacobian_comes_first() {
    // f(x, y) = ((x + 1)(2x + y²))² at (1, 3), as in C.8.
    let row = "(lam (x y) (let ((w (lam (y) (covector 1.0))) \
          (f (lam (p) (let ((m (* (+ (get 0 p) 1.0) (+ (* 2.0 (get 0 p)) (* (get 1 p) (get 1 p)))))) (* m m)))))
        (tuple (pair-with ((pullback (p) (f p) w) (tuple x y)) (tuple 1.0 0.0)) (pair-with ((pullback (p) (f p) w) \
            (tuple x y)) (tuple 0.0 1.0)))))";
    term(&["f64", "f64"], row).gives(&[Value::f64(1.0), Value::f64(3.0)], &[660.0, 528.0]);
    let jacobian = Source::Mlir(
        "func.func private @g(%p: tensor<2xf64>) -> f64 {
           %i = arith.constant 0 : i64
           %j = arith.constant 1 : i64
           %x = lambda.aget %p[%i] : (tensor<2xf64>, i64) -> f64
           %y = lambda.aget %p[%j] : (tensor<2xf64>, i64) -> f64
           %q = arith.mulf %x, %x : f64
           %z = arith.mulf %q, %y : f64
           return %z : f64
         }
         func.func @f(%direction: tensor<2xf64>, %point: tensor<2xf64>) -> f64 {
           %d = lambda.jacobian @g, %direction : (tensor<2xf64>) -> ((tensor<2xf64>) -> f64)
           %y = lambda.apply %d(%point) : (tensor<2xf64>) -> f64
           return %y : f64
         }"
        .to_string(),
    );
    // x² y: 2xy·dx + x²·dy.
    jacobian.gives(&[vector(&[1.0, 10.0]), vector(&[2.0, 3.0])], &[12.0 + 40.0]);
}

// ---- B.10: known failures of earlier systems ----

/// 1. Environments are differentiable: second derivatives through a conditional on data.
#[test]
fn b10_01_second_derivatives_through_conditionals() {
    let branches = "(lam (x) (if (< x 0.0) (* x x) (* x (* x (* x x)))))";
    orders(branches, -1.5, &[-3.0, 2.0, 0.0, 0.0]);
    orders(branches, 1.5, &[13.5, 27.0, 36.0, 24.0]);
}

/// 2. Functions in tuples, and tuples of functions as arguments.
#[test]
fn b10_02_functions_in_tuples() {
    let x = 0.7f64;
    let (s, c) = x.sin_cos();
    orders(
        "(lam (x) (let ((t (tuple (lam () (* x (* x x))) (lam () (sin x))))) (* ((get 0 t)) ((get 1 t)))))",
        x,
        &[
            3.0 * x * x * s + x.powi(3) * c,
            6.0 * x * s + 6.0 * x * x * c - x.powi(3) * s,
            6.0 * s + 18.0 * x * c - 9.0 * x * x * s - x.powi(3) * c,
            24.0 * c - 36.0 * x * s - 12.0 * x * x * c + x.powi(3) * s,
        ],
    );
    let passed = "(lam (a b) ((grad 0 2 (lam (a b) (let ((f (lam (gh x y) (* ((get 0 gh) x y) ((get 1 gh) x y))))) \
                  (f (tuple + *) a b)))) a b))";
    // (a + b) a b.
    term(&["f64", "f64"], passed).gives(&[Value::f64(2.0), Value::f64(3.0)], &[2.0 * 2.0 * 3.0 + 9.0]);
    // Captured by a captured function.
    let x = 0.6f64;
    let e = 2.0 * (x * x).exp();
    orders(
        "(lam (x) (((lam () (lam (c) (* c (exp (* x x)))))) 2.0))",
        x,
        &[
            2.0 * x * e,
            (2.0 + 4.0 * x * x) * e,
            (12.0 * x + 8.0 * x.powi(3)) * e,
            (12.0 + 48.0 * x * x + 16.0 * x.powi(4)) * e,
        ],
    );
}

/// 3. Captures of a mapped function.
#[test]
fn b10_03_captured_by_what_is_mapped() {
    let a = 0.4f64;
    let sum = |f: &dyn Fn(f64) -> f64| [1.0, -2.0, 3.0].into_iter().map(f).sum::<f64>();
    orders(
        "(lam (a) (sum (map (lam (e) (sin (* a e))) (toarray (list 1.0 -2.0 3.0)))))",
        a,
        &[
            sum(&|e| e * (a * e).cos()),
            sum(&|e| -e * e * (a * e).sin()),
            sum(&|e| -e.powi(3) * (a * e).cos()),
            sum(&|e| e.powi(4) * (a * e).sin()),
        ],
    );
    orders(
        "(lam (a) (fold + 0.0 (maplist (lam (e) (sin (* a e))) (list 1.0 -2.0 3.0))))",
        a,
        &[sum(&|e| e * (a * e).cos()), sum(&|e| -e * e * (a * e).sin()), sum(&|e| -e.powi(3) * (a * e).cos())],
    );
}

/// 4. Reductions by operations other than addition have their own derivatives.
#[test]
fn b10_04_reductions_have_their_own_derivatives() {
    let by = |f: &str| term(&["list<f64>"], &format!("(lam (l) ((grad (lam (l) (fold {f} l))) l))"));
    let list = |values: &[f64]| [Value::list(values.iter().map(|x| Value::f64(*x)).collect())];
    by("* 1.0").gives(&list(&[2.0, 0.0, 3.0, 5.0]), &[0.0, 30.0, 0.0, 0.0]);
    by("* 1.0").gives(&list(&[2.0, -1.0, 3.0]), &[-3.0, 6.0, -2.0]);
    by("max -100.0").gives(&list(&[2.0, 7.0, 3.0]), &[0.0, 1.0, 0.0]);
    by("+ 0.0").gives(&list(&[2.0, 7.0, 3.0]), &[1.0, 1.0, 1.0]);
    by("(lam (s e) (* 0.5 (+ s (* e e)))) 0.0").gives(&list(&[2.0, 7.0, 3.0]), &[0.5, 3.5, 3.0]);
}

/// 5. At a tie, the left operand has the whole sensitivity.
#[test]
fn b10_05_ties_are_not_counted_twice() {
    let one = |f: &str| term(&["f64"], &format!("(lam (x) (tuple ((grad {f}) x) ((grad (grad {f})) x)))"));
    for text in ["(lam (x) (max x x))", "(lam (x) (min x x))"] {
        one(text).gives(&[Value::f64(3.0)], &[1.0, 0.0]);
    }
    let two =
        |f: &str, wrt: usize| term(&["f64", "f64"], &format!("(lam (x y) ((grad {wrt} 2 (lam (x y) ({f} x y))) x y))"));
    for f in ["max", "min"] {
        two(f, 0).gives(&[Value::f64(2.0), Value::f64(2.0)], &[1.0]);
        two(f, 1).gives(&[Value::f64(2.0), Value::f64(2.0)], &[0.0]);
    }
    one("(lam (x) (abs x))").gives(&[Value::f64(0.0)], &[1.0, 0.0]);
    one("(lam (x) (relu x))").gives(&[Value::f64(0.0)], &[0.0, 0.0]);
}

/// 6. Updates of arrays and records, and sines, cosines and tangents have derivatives.
#[test]
fn b10_06_updates_and_trigonometric_functions() {
    orders(
        "(lam (x) (let ((a (toarray (list 7.0 8.0 3.0))) (b (aset (aset a 0 (* x x)) 1 x))) (dot b b)))",
        1.5,
        &[
            // x⁴ + x² + 9.
            4.0 * 1.5f64.powi(3) + 3.0,
            12.0 * 2.25 + 2.0,
            36.0,
            24.0,
        ],
    );
    let array = "(lam (a v) ((grad 0 2 (lam (a v) (let ((b (aset a 0 v)) (c (aset b 2 (* v v)))) (+ (dot b b) \
                 (sum (* c c)))))) a v))";
    term(&["array<3xf64>", "f64"], array).gives(&[vector(&[1.0, -2.0, 3.0]), Value::f64(0.5)], &[0.0, -8.0, 6.0]);
    let record = "(lam (r) ((grad (lam (r) (let ((s (with r (u (* (field u r) (field v r)))))) (* (field u s) \
                  (field v s))))) r))";
    let r = Value::record("P", vec![("u", Value::f64(2.0)), ("v", Value::f64(3.0))]);
    // u v².
    term(&["P{u:f64,v:f64}"], record).gives(&[r], &[9.0, 12.0]);
    let x = 0.6f64;
    let ((s, c), t) = (x.sin_cos(), x.tan());
    orders("(lam (x) (sin x))", x, &[c, -s, -c, s]);
    orders("(lam (x) (cos x))", x, &[-s, -c, s, c]);
    let q = 1.0 + t * t;
    orders("(lam (x) (tan x))", x, &[q, 2.0 * t * q, (2.0 + 6.0 * t * t) * q, (16.0 * t + 24.0 * t.powi(3)) * q]);
}

/// 7. Gradients of recursive functions with captures do not contain themselves.
#[test]
fn b10_07_recursive_functions_that_capture() {
    let recursive = [
        ("(lam (x) (letrec ((f (lam (y) (if (<= y 0.0) x (f (- y 1.0)))))) (f 7.0)))", [1.0, 0.0, 0.0]),
        // x² · x³ · …: x⁵.
        (
            "(lam (x) (letrec ((f (lam (n g) (if (i= n 0) (g x) (f (i- n 1) (lam (u) (* x (g u)))))))) \
             (f 3 (lam (u) (* u u)))))",
            [5.0 * 1.5f64.powi(4), 20.0 * 1.5f64.powi(3), 60.0 * 1.5f64.powi(2)],
        ),
        (
            "(lam (w) (letrec ((f (lam (k) (if (i= k 0) w (* w (f (i- k 1))))))) (f 3)))",
            [4.0 * 1.5f64.powi(3), 12.0 * 1.5f64.powi(2), 24.0 * 1.5],
        ),
        // Two mutually recursive functions: x³ + 2x².
        (
            "(lam (x) (letrec ((ev (lam (k) (if (i= k 0) 1.0 (* x (od (i- k 1)))))) (od (lam (k) (if (i= k 0) 0.0 \
             (+ x (ev (i- k 1))))))) (ev 4)))",
            [3.0 * 2.25 + 6.0, 9.0 + 4.0, 6.0],
        ),
    ];
    for (function, wanted) in recursive {
        orders(function, 1.5, &wanted);
    }
    // A sum over a tree of calls.
    let x = 0.25f64;
    let sum = |k: i32| [1.0f64, -0.5, 2.0, 0.25, -1.0].into_iter().map(|e| e.powi(k) * (x * e).exp()).sum::<f64>();
    let tree = "(lam (x) (let ((a (map (lam (e) (exp (* x e))) (toarray (list 1.0 -0.5 2.0 0.25 -1.0)))))
        (letrec ((tree (lam (lo hi) (if (i= (i- hi lo) 1) (aget a lo) (let ((mid (idiv2 (i+ lo hi)))) (+ (tree lo mid) \
            (tree mid hi))))))) (tree 0 5))))";
    orders(tree, x, &[sum(1), sum(2)]);
}

/// 8. Derivatives of higher order do not grow as they would without simplification between levels.
#[test]
fn b10_08_higher_orders_do_not_explode() {
    let size = |function: &str, order: usize| {
        let derivative = (0..order).fold(function.to_string(), |f, _| format!("(grad {f})"));
        let program = term(&["f64"], &format!("(lam (p) ({derivative} p))")).after(DERIVATIVES);
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

/// 9. Backpropagators have no side effects: nested derivatives, with a backpropagator that is used twice.
#[test]
fn b10_09_derivatives_nest() {
    orders(
        "(lam (x) (let ((d (grad (lam (y) (* x (* y (* y y))))))) (+ (d x) (* x (d 2.0)))))",
        1.5,
        &[
            // 3x³ + 12x².
            9.0 * 2.25 + 36.0,
            27.0 + 24.0,
            18.0,
        ],
    );
    let back = Source::Mlir(
        "func.func @f(%x: f64) -> f64 {
           %h = lambda.lambda (%a: f64) -> f64 {
             %g = lambda.lambda (%b: f64) -> f64 {
               %c = arith.mulf %b, %b : f64
               %d = arith.mulf %a, %c : f64
               lambda.return %d : f64
             }
             %v = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
             %t = lambda.apply %v(%a) : (f64) -> tuple<f64, (f64) -> f64>
             %back = lambda.get %t[1] : (tuple<f64, (f64) -> f64>) -> ((f64) -> f64)
             %p = lambda.apply %back(%a) : (f64) -> f64
             %q = lambda.apply %back(%p) : (f64) -> f64
             lambda.return %q : f64
           }
           %dh = lambda.grad %h : ((f64) -> f64) -> ((f64) -> f64)
           %y = lambda.apply %dh(%x) : (f64) -> f64
           return %y : f64
         }"
        .to_string(),
    );
    // The backpropagator of a·b² at b = a multiplies by 2a²: 2a²·(2a²·a) = 4a⁵.
    back.gives(&[Value::f64(1.5)], &[20.0 * 1.5f64.powi(4)]);
}

/// 10. Types are inferred once: no later pass leaves an open type or needs inference.
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
        let program = term(&["f64", "i64"], text).after("lambda-specialise");
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

/// 11. Effects whose results are unused still happen, in the order of the text.
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
        let source = term(&["f64"], text);
        let program = if passes.is_empty() { source.parse() } else { source.after(passes) };
        let mut evaluator = Evaluator::new(program.module());
        let found = evaluator.call("f", &[Value::f64(1.5)]).unwrap();
        assert_eq!(found.as_f64(), Some(1.5));
        assert_eq!(evaluator.output(), "1.5\n3.0\n7.0\n0.0\n1.0\n", "{passes}");
    }
}

/// 12. A missing sensitivity is a zero of the right shape.
#[test]
fn b10_12_no_sensitivity_is_zero() {
    term(&["f64", "f64"], "(lam (x y) ((grad 1 2 (lam (x y) (+ 10.0 (/ 28.0 43.0)))) x y))")
        .gives(&[Value::f64(1.0), Value::f64(2.0)], &[0.0]);
    term(&["array<3xf64>"], "(lam (a) ((grad (lam (a) 3.0)) a))").gives(&[vector(&[1.0, 2.0, 3.0])], &[0.0; 3]);
    let record = Value::record("P", vec![("u", Value::f64(2.0)), ("v", vector(&[3.0, 4.0]))]);
    term(&["P{u:f64,v:array<2xf64>}"], "(lam (r) ((grad (lam (r) (* (field u r) 2.0))) r))")
        .gives(&[record], &[2.0, 0.0, 0.0]);
    let list = [Value::list(vec![Value::f64(1.0), Value::f64(2.0)])];
    term(&["list<f64>"], "(lam (l) ((grad (lam (l) (* 4.0 (head l)))) l))").gives(&list, &[4.0, 0.0]);
    term(&["list<f64>"], "(lam (l) ((grad (lam (l) 1.0)) l))").gives(&list, &[0.0, 0.0]);
    // It can be used as any other number.
    term(&["f64"], "(lam (x) (/ 1.0 (+ 1.0 ((grad (lam (y) 5.0)) x))))").gives(&[Value::f64(1.0)], &[1.0]);
}
