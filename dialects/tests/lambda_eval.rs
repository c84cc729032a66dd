//! The semantics of typed programs with functions: calls, data, derivatives, effects, tasks, and errors. Numbers are
//! those of `spec/functional.md` F or of a closed form.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Error, Evaluator, Value};
use mlopt_dialects::value::{Array, Data};

/// Returns the result of `@f`, on a stack of the size that the tools use.
fn run(source: &str, arguments: &[Value]) -> Result<Value, Error> {
    let program =
        Program::parse(source.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("does not parse:\n{source}"));
    Evaluator::new(program.module()).call("f", arguments)
}

fn shown(source: &str, arguments: &[Value]) -> String {
    run(source, arguments).unwrap_or_else(|e| panic!("{e}\n{source}")).to_string()
}

/// Returns the float that is the result of `@f`.
fn float(source: &str, arguments: &[f64]) -> f64 {
    let arguments: Vec<Value> = arguments.iter().map(|x| Value::f64(*x)).collect();
    number(source, &arguments)
}

fn number(source: &str, arguments: &[Value]) -> f64 {
    let value = run(source, arguments).unwrap_or_else(|e| panic!("{e}\n{source}"));
    value.as_f64().unwrap_or_else(|| panic!("{value} is no float"))
}

fn refused(source: &str, arguments: &[Value]) -> Error {
    let error = run(source, arguments).expect_err("the program has no value");
    assert!(error.location.starts_with("test.mlir:"), "the error names its place: {error}");
    error
}

#[track_caller]
fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-9 * want.abs().max(1.0), "got {got}, expected {want}");
}

//===-- calls and data ------------------------------------------------------------------------------------------===//

/// f(n) = 1 + f(n - 1), not in tail position.
const DEEP: &str = "func.func @f(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %go = lambda.letrec {
    %down = lambda.lambda (%k: i64) -> i64 {
      %end = arith.cmpi sle, %k, %zero : i64
      %y = lambda.if %end : i1 -> i64 {
        lambda.yield %zero : i64
      } else {
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %down(%l) : (i64) -> i64
        %s = arith.addi %r, %one : i64
        lambda.yield %s : i64
      }
      lambda.return %y : i64
    }
    lambda.yield %down : (i64) -> i64
  } : (i64) -> i64
  %y = lambda.apply %go(%n) : (i64) -> i64
  return %y : i64
}";

#[test]
fn recursion_is_deep() {
    assert_eq!(shown(DEEP, &[Value::i64(100_000)]), "100000");
}

#[test]
fn endless_recursion_is_an_error() {
    let source = "func.func @f(%n: i64) -> i64 {
      %m = func.call @f(%n) : (i64) -> i64
      %s = arith.addi %m, %n : i64
      return %s : i64
    }";
    let program = Program::parse(source.as_bytes(), "test.mlir").expect("the program parses");
    let error = Evaluator::new(program.module()).with_frames(5000).call("f", &[Value::i64(1)]).unwrap_err();
    assert_eq!((error.code, error.location.as_str()), ("stack-overflow", "test.mlir:2:12"));
    assert!(error.to_string().contains("more than 5000 deep"), "{error}");
    assert_eq!(refused(source, &[Value::i64(1)]).code, "stack-overflow");
}

/// A loop of two functions that call each other in tail position, through a conditional.
const TAIL: &str = "func.func @f(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %even, %odd = lambda.letrec {
    %a = lambda.lambda (%k: i64, %s: i64) -> i64 {
      %end = arith.cmpi sle, %k, %zero : i64
      %y = lambda.if %end : i1 -> i64 {
        lambda.yield %s : i64
      } else {
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %b(%l, %s) : (i64, i64) -> i64
        lambda.yield %r : i64
      }
      lambda.return %y : i64
    }
    %b = lambda.lambda (%k: i64, %s: i64) -> i64 {
      %t = arith.addi %s, %one : i64
      %r = lambda.apply %a(%k, %t) : (i64, i64) -> i64
      lambda.return %r : i64
    }
    lambda.yield %a, %b : (i64, i64) -> i64, (i64, i64) -> i64
  } : (i64, i64) -> i64, (i64, i64) -> i64
  %y = lambda.apply %even(%n, %zero) : (i64, i64) -> i64
  return %y : i64
}";

fn depth_of_tail_calls(n: i64) -> usize {
    let program = Program::parse(TAIL.as_bytes(), "test.mlir").expect("the program parses");
    let mut evaluator = Evaluator::new(program.module());
    let value = evaluator.call("f", &[Value::i64(n)]).unwrap();
    assert_eq!(value.as_i64(), Some(n));
    evaluator.depth()
}

#[test]
fn calls_in_tail_position_take_no_stack() {
    assert_eq!(depth_of_tail_calls(10), depth_of_tail_calls(300_000));
}

/// Ten million, as the specification requires.
#[test]
fn ten_million_calls_in_tail_position() {
    assert!(depth_of_tail_calls(10_000_000) < 10);
}

#[test]
fn long_lists_are_dropped_without_recursion() {
    let source = "func.func @f(%n: i64) -> i64 {
      %nil = lambda.nil : () -> !lambda.list<i64>
      %l = lambda.for (%i < %n) iter_args(%a = %nil) : (i64, !lambda.list<i64>) -> (!lambda.list<i64>) {
        %b = lambda.cons %i, %a : (i64, !lambda.list<i64>) -> !lambda.list<i64>
        lambda.yield %b : !lambda.list<i64>
      }
      %k = lambda.length %l : (!lambda.list<i64>) -> i64
      return %k : i64
    }";
    assert_eq!(shown(source, &[Value::i64(1_000_000)]), "1000000");
    assert_eq!(shown(source, &[Value::i64(-3)]), "0");
}

/// Closures that hold closures that hold closures.
#[test]
fn long_chains_of_functions_are_dropped_without_recursion() {
    let source = "func.func @f(%n: i64, %x: f64) -> f64 {
      %id = lambda.lambda (%u: f64) -> f64 {
        lambda.return %u : f64
      }
      %g = lambda.for (%i < %n) iter_args(%h = %id) : (i64, (f64) -> f64) -> ((f64) -> f64) {
        %k = lambda.lambda (%u: f64) -> f64 {
          %v = arith.addf %u, %x : f64
          %w = lambda.apply %h(%v) : (f64) -> f64
          lambda.return %w : f64
        }
        lambda.yield %k : (f64) -> f64
      }
      %y = lambda.apply %g(%x) : (f64) -> f64
      return %y : f64
    }";
    assert_eq!(shown(source, &[Value::i64(300_000), Value::f64(1.0)]), "300001.0");
}

#[test]
fn data_is_replaced_in_copies() {
    let source = "!p = !lambda.record<\"P\", u: f64, v: f64>
    func.func @f(%a: tensor<3xf64>, %x: f64) -> tuple<tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>> {
      %i = arith.constant 1 : i64
      %b = lambda.aset %a[%i], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
      %p = lambda.record %x, %x : (f64, f64) -> !p
      %y = lambda.aget %a[%i] : (tensor<3xf64>, i64) -> f64
      %q = lambda.with %p[\"v\"], %y : (!p, f64) -> !p
      %t = lambda.tuple %x, %i : (f64, i64) -> tuple<f64, i64>
      %u = lambda.tset %t[0], %y : (tuple<f64, i64>, f64) -> tuple<f64, i64>
      %r = lambda.tuple %a, %b, %p, %q, %u : (tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>) -> tuple<tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>>
      return %r : tuple<tensor<3xf64>, tensor<3xf64>, !p, !p, tuple<f64, i64>>
    }";
    let got = shown(source, &[Value::vector(&[1.0, 2.0, 3.0]), Value::f64(9.0)]);
    assert_eq!(got, "([1.0, 2.0, 3.0], [1.0, 9.0, 3.0], P(u: 9.0, v: 9.0), P(u: 9.0, v: 2.0), (2.0, 1))");
}

#[test]
fn lists_are_taken_apart_and_put_together() {
    let source = "!l = !lambda.list<f64>
    func.func @f(%v: tensor<3xf64>) -> tuple<tensor<?xf64>, !l, f64, i1> {
      %l = lambda.to_list %v : (tensor<3xf64>) -> !l
      %t = lambda.tail %l : (!l) -> !l
      %c = lambda.concat %t, %l : (!l, !l) -> !l
      %a = lambda.to_array %c : (!l) -> tensor<?xf64>
      %h = lambda.head %t : (!l) -> f64
      %e = lambda.is_empty %t : (!l) -> i1
      %r = lambda.tuple %a, %t, %h, %e : (tensor<?xf64>, !l, f64, i1) -> tuple<tensor<?xf64>, !l, f64, i1>
      return %r : tuple<tensor<?xf64>, !l, f64, i1>
    }";
    let got = shown(source, &[Value::vector(&[1.0, 2.0, 3.0])]);
    assert_eq!(got, "([2.0, 3.0, 1.0, 2.0, 3.0], [2.0, 3.0], 2.0, false)");
}

#[test]
fn slices_have_strides() {
    let source = "func.func @f(%a: tensor<2x5xf64>, %i: i64) -> tuple<tensor<1x3xf64>, tensor<2x5xf64>> {
      %one = arith.constant 1 : i64
      %s = lambda.slice_get %a[%one, %i] {strides = array<i64: 1, 2>} : (tensor<2x5xf64>, i64, i64) -> tensor<1x3xf64>
      %n = arith.negf %s : tensor<1x3xf64>
      %b = lambda.slice_set %a[%one, %i], %n {strides = array<i64: 1, 2>} : (tensor<2x5xf64>, i64, i64, tensor<1x3xf64>) -> tensor<2x5xf64>
      %t = lambda.tuple %s, %b : (tensor<1x3xf64>, tensor<2x5xf64>) -> tuple<tensor<1x3xf64>, tensor<2x5xf64>>
      return %t : tuple<tensor<1x3xf64>, tensor<2x5xf64>>
    }";
    let a = Value::array(Array::new(vec![2, 5], Data::F64((0..10).map(f64::from).collect())));
    let want = "([[5.0, 7.0, 9.0]], [[0.0, 1.0, 2.0, 3.0, 4.0], [-5.0, 6.0, -7.0, 8.0, -9.0]])";
    assert_eq!(shown(source, &[a.clone(), Value::i64(0)]), want);
    assert_eq!(refused(source, &[a, Value::i64(1)]).code, "index-out-of-bounds");
}

#[test]
fn functions_go_through_arrays_and_lists() {
    let source = "func.func @f(%a: tensor<2x3xf64>) -> tuple<tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>> {
      %zero = arith.constant 0.0 : f64
      %g = lambda.lambda (%x: f64, %y: f64) -> f64 {
        %two = arith.constant 2.0 : f64
        %z = arith.mulf %two, %x : f64
        %w = arith.addf %z, %y : f64
        lambda.return %w : f64
      }
      %m = lambda.map %g, %a, %a : ((f64, f64) -> f64, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      %r = lambda.reduce %g, %zero, %a {dims = array<i64: 1>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> tensor<2xf64>
      %s = lambda.reduce %g, %zero, %a {dims = array<i64: 0, 1>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> f64
      %row = arith.constant dense<0.0> : tensor<3xf64>
      %h = lambda.lambda (%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
        %z = arith.addf %x, %y : tensor<3xf64>
        lambda.return %z : tensor<3xf64>
      }
      %c = lambda.scan %h, %row, %a : ((tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>, tensor<3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      %e = lambda.fold %g, %zero, %r : ((f64, f64) -> f64, f64, tensor<2xf64>) -> f64
      %p = tensor.from_elements %e, %e : tensor<2xf64>
      %t = lambda.tuple %m, %r, %s, %c, %p : (tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>) -> tuple<tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>>
      return %t : tuple<tensor<2x3xf64>, tensor<2xf64>, f64, tensor<2x3xf64>, tensor<2xf64>>
    }";
    let a = Value::array(Array::new(vec![2, 3], Data::F64((1..7).map(f64::from).collect())));
    let want = "([[3.0, 6.0, 9.0], [12.0, 15.0, 18.0]], [11.0, 32.0], 120.0, [[1.0, 2.0, 3.0], [5.0, 7.0, 9.0]], [54.0, 54.0])";
    assert_eq!(shown(source, &[a]), want);
}

/// The loops of `array` and `scf` are differentiated too; those of `scf` may contain calls.
const LOOPS: &str = "func.func @g(%x: tensor<4xf64>, %a: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %scale = lambda.lambda (%u: f64) -> f64 {
    %v = arith.mulf %a, %u : f64
    lambda.return %v : f64
  }
  %b = array.build (%i < 4) -> (tensor<4xf64>) {
    %e = array.get %x[%i] : tensor<4xf64> -> f64
    %s = arith.mulf %a, %e : f64
    array.yield %s : f64
  }
  %d = array.fold (%r = %b : tensor<4xf64>) iter_args(%s = %zero) -> (f64) {
    %q = arith.mulf %r, %r : f64
    %t = arith.addf %s, %q : f64
    array.yield %t : f64
  }
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%s = %d) -> (f64) {
    %p0 = array.get %x[%i] : tensor<4xf64> -> f64
    %e = lambda.apply %scale(%p0) : (f64) -> f64
    %big = arith.cmpf ogt, %e, %zero : f64
    %t = scf.if %big -> (f64) {
      %p = arith.addf %s, %e : f64
      scf.yield %p : f64
    } else {
      scf.yield %s : f64
    }
    scf.yield %t : f64
  }
  %k = array.gather %x : tensor<4xf64> (%i < 2) -> (tensor<2xf64>) {
    %j = arith.addi %i, %c1 : index
    array.yield %j : index
  }
  %init = arith.constant dense<0.0> : tensor<3xf64>
  %m = array.scatter %k into %init : tensor<2xf64> into tensor<3xf64> (%i) {
    array.yield %c1 : index
  }
  %w = array.sum %m : (tensor<3xf64>) -> f64
  %y = arith.addf %h, %w : f64
  return %y : f64
}
func.func @f(%x: tensor<4xf64>, %a: f64) -> tuple<f64, tuple<tensor<4xf64>, f64>> {
  %g = lambda.ref @g : (tensor<4xf64>, f64) -> f64
  %d = lambda.grad %g {wrt = array<i64: 0, 1>, value} : ((tensor<4xf64>, f64) -> f64) -> ((tensor<4xf64>, f64) -> tuple<f64, tuple<tensor<4xf64>, f64>>)
  %y = lambda.apply %d(%x, %a) : (tensor<4xf64>, f64) -> tuple<f64, tuple<tensor<4xf64>, f64>>
  return %y : tuple<f64, tuple<tensor<4xf64>, f64>>
}";

/// y = Σ (a x)² + Σ_{a x > 0} a x + x₁ + x₂.
#[test]
fn loops_of_other_dialects_are_differentiated() {
    let got = shown(LOOPS, &[Value::vector(&[1.0, -2.0, 3.0, 0.5]), Value::f64(2.0)]);
    // 4·14.25 + 9 + 1; 2a²x + a (where positive) + 1 (for x₁ and x₂); 2a·14.25 + 4.5.
    assert_eq!(got, "(67.0, ([10.0, -15.0, 27.0, 6.0], 61.5))");
}

/// The leaves of records are arrays and scalars, in lists too.
#[test]
fn walks_go_through_what_nests_alike() {
    let source = "!p = !lambda.record<\"P\", u: tensor<2xf64>, l: !lambda.list<tensor<2xf64>>>
    !q = tuple<!p, tensor<2xf64>>
    func.func @f(%p: !q, %g: !q) -> !q {
      %step = lambda.lambda (%a: tensor<2xf64>, %b: tensor<2xf64>) -> tensor<2xf64> {
        %c = arith.subf %a, %b : tensor<2xf64>
        lambda.return %c : tensor<2xf64>
      }
      %r = lambda.walk %step, %p, %g : ((tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>, !q, !q) -> !q
      return %r : !q
    }";
    let make = |scale: f64, n: usize| {
        let v = |x: f64| Value::vector(&[scale * x, scale * (x + 1.0)]);
        let l = Value::list((0..n).map(|k| v(k as f64)).collect());
        Value::tuple(vec![Value::record("P", vec![("u", v(1.0)), ("l", l)]), v(5.0)])
    };
    let got = shown(source, &[make(3.0, 2), make(1.0, 2)]);
    assert_eq!(got, "(P(u: [2.0, 4.0], l: [[0.0, 2.0], [2.0, 4.0]]), [10.0, 12.0])");
    let error = refused(source, &[make(3.0, 2), make(1.0, 1)]);
    assert_eq!(error.code, "shape-mismatch");
    assert!(error.text.contains("the record[0].l is a list"), "{error}");
}

#[test]
fn open_programs_go_by_their_values() {
    let source = "func.func @f(%x: !lambda.any, %n: !lambda.any) -> !lambda.any {
      %two = lambda.literal 2.0 : f64 -> !lambda.any
      %one = lambda.literal 1 : i64 -> !lambda.any
      %y = lambda.prim \"*\"(%two, %x) : (!lambda.any, !lambda.any) -> !lambda.any
      %m = lambda.prim \"i+\"(%n, %one) : (!lambda.any, !lambda.any) -> !lambda.any
      %t = lambda.tuple %y, %m : (!lambda.any, !lambda.any) -> !lambda.any
      return %t : !lambda.any
    }";
    assert_eq!(shown(source, &[Value::f64(1.5), Value::i64(4)]), "(3.0, 5)");
    // A literal takes the type of the other operand.
    let x = Value::array(Array::new(vec![], Data::F32(vec![1.5])));
    let Value::Tuple(parts) = run(source, &[x, Value::i64(4)]).unwrap() else { panic!("a tuple") };
    assert_eq!(parts[0].kind(), "f32");
    assert_eq!(refused(source, &[Value::i64(1), Value::i64(4)]).code, "type-mismatch");
    assert_eq!(refused(source, &[Value::f64(1.0), Value::f64(4.0)]).code, "type-mismatch");
    assert_eq!(refused(source, &[Value::vector(&[1.0]), Value::i64(4)]).code, "rank-mismatch");
}

//===-- derivatives ---------------------------------------------------------------------------------------------===//

/// Returns a module whose `@f` is the derivative of order `order` of the body in `%x`.
fn derivative(order: usize, body: &str) -> String {
    let grad = |k: usize| format!("  %d{} = lambda.grad %d{k} : ((f64) -> f64) -> ((f64) -> f64)\n", k + 1);
    let grads: String = (0..order).map(grad).collect();
    format!(
        "func.func @f(%at: f64) -> f64 {{\n  %d0 = lambda.lambda (%x: f64) -> f64 {{\n{body}\n  }}\n{grads}\
         \x20 %y = lambda.apply %d{order}(%at) : (f64) -> f64\n  return %y : f64\n}}"
    )
}

#[test]
fn derivatives_of_every_order() {
    let body = "%e = math.exp %x : f64
      %y = math.tanh %e : f64
      lambda.return %y : f64";
    for (order, want) in
        [(1, 0.4407704422252243), (2, 0.09497295239771233), (3, -0.5857912935368726), (4, -1.3103143365656402)]
    {
        close(float(&derivative(order, body), &[-0.4]), want);
    }
}

/// Each elementwise function is compared with difference quotients, and its second derivative with those of its first.
#[test]
fn rules_of_elementwise_functions_agree_with_differences() {
    let unary = [
        "math.exp",
        "math.exp2",
        "math.expm1",
        "math.log",
        "math.log2",
        "math.log10",
        "math.log1p",
        "math.sqrt",
        "math.rsqrt",
        "math.cbrt",
        "math.sin",
        "math.cos",
        "math.tan",
        "math.asin",
        "math.acos",
        "math.atan",
        "math.sinh",
        "math.cosh",
        "math.tanh",
        "math.asinh",
        "math.atanh",
        "math.erf",
        "math.absf",
        "arith.negf",
    ];
    let binary = [
        "arith.addf",
        "arith.subf",
        "arith.mulf",
        "arith.divf",
        "arith.remf",
        "math.powf",
        "math.atan2",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "math.copysign",
    ];
    let mut bodies: Vec<String> =
        unary.iter().map(|op| format!("%y = {op} %x : f64\nlambda.return %y : f64")).collect();
    for op in binary {
        // Both operands vary, in different ways.
        let more = "%c = arith.constant 0.7 : f64\n%q = arith.mulf %x, %x : f64\n%s = arith.addf %q, %c : f64\n";
        for (a, b) in [("%x", "%s"), ("%s", "%x")] {
            bodies.push(format!("{more}%y = {op} {a}, {b} : f64\nlambda.return %y : f64"));
        }
    }
    bodies.push(
        "%o = arith.constant 1.5 : f64\n%s = arith.addf %x, %o : f64\n%y = math.acosh %s : f64\nlambda.return %y : f64"
            .into(),
    );
    bodies.push("%n = arith.constant 3 : i32\n%y = math.fpowi %x, %n : f64, i32\nlambda.return %y : f64".into());
    bodies.push("%y = math.fma %x, %x, %x : f64\nlambda.return %y : f64".into());
    for body in bodies {
        for at in [0.3, 0.62] {
            for order in 0..2 {
                let f = |x: f64| float(&derivative(order, &body), &[x]);
                let h = 1e-5;
                let quotient = (f(at + h) - f(at - h)) / (2.0 * h);
                let got = float(&derivative(order + 1, &body), &[at]);
                assert!(
                    (got - quotient).abs() < 1e-6 * quotient.abs().max(1.0),
                    "order {order}, {body}: {got}, {quotient}"
                );
            }
        }
    }
}

#[test]
fn ties_and_kinks_follow_the_conventions() {
    let max = "%y = arith.maximumf %x, %x : f64\nlambda.return %y : f64";
    assert_eq!(float(&derivative(1, max), &[3.0]), 1.0);
    let abs = "%y = math.absf %x : f64\nlambda.return %y : f64";
    assert_eq!(float(&derivative(1, abs), &[0.0]), 1.0);
    let power = "%n = arith.constant 0 : i32\n%y = math.fpowi %x, %n : f64, i32\nlambda.return %y : f64";
    assert_eq!(float(&derivative(1, power), &[0.0]), 0.0);
    // The logarithm of a constant's base is not evaluated.
    let square = "%p = arith.constant 2.0 : f64\n%y = math.powf %x, %p : f64\nlambda.return %y : f64";
    assert_eq!(float(&derivative(1, square), &[-3.0]), -6.0);
    // x^x with the base stopped at 0: 0^p does not depend on p > 0.
    let exponent = "%o = arith.constant 1.0 : f64\n%z = arith.constant 0.0 : f64\n%p = arith.addf %x, %o : f64
      %y = math.powf %z, %p : f64\nlambda.return %y : f64";
    assert_eq!(float(&derivative(1, exponent), &[1.0]), 0.0);
    let floor = "%y = math.floor %x : f64\nlambda.return %y : f64";
    assert_eq!(float(&derivative(1, floor), &[1.5]), 0.0);
    let stop = "%q = arith.mulf %x, %x : f64\n%s = lambda.stop_gradient %q : (f64) -> f64\n%y = arith.mulf %x, %s : f64
      lambda.return %y : f64";
    assert_eq!(float(&derivative(1, stop), &[3.0]), 9.0);
}

#[test]
fn branches_that_are_not_taken_do_not_matter() {
    let body = "%zero = arith.constant 0.0 : f64
      %two = arith.constant 2.0 : f64
      %c = arith.cmpf ogt, %x, %zero : f64
      %y = lambda.if %c : i1 -> f64 {
        %s = math.sqrt %x : f64
        lambda.yield %s : f64
      } else {
        %s = arith.mulf %two, %x : f64
        lambda.yield %s : f64
      }
      lambda.return %y : f64";
    assert_eq!(float(&derivative(1, body), &[-1.0]), 2.0);
    assert_eq!(float(&derivative(1, body), &[4.0]), 0.25);
}

/// d/dx [x · d/dy (x + y)] is 1; perturbation confusion gives 2.
#[test]
fn perturbations_are_not_confused() {
    let body = |op: &str| {
        format!(
            "%g = lambda.lambda (%u: f64) -> f64 {{
               %s = arith.{op} %x, %u : f64
               lambda.return %s : f64
             }}
             %dg = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
             %one = arith.constant 1.0 : f64
             %p = lambda.apply %dg(%one) : (f64) -> f64
             %y = arith.mulf %x, %p : f64
             lambda.return %y : f64"
        )
    };
    assert_eq!(float(&derivative(1, &body("addf")), &[1.0]), 1.0);
    assert_eq!(float(&derivative(1, &body("mulf")), &[3.0]), 6.0);
}

/// Closures in a tuple: d/dx (x y + x + y) = y + 1.
#[test]
fn functions_in_tuples_are_differentiated_in_what_they_capture() {
    let source = "!f = () -> f64
    func.func @f(%a: f64, %b: f64) -> f64 {
      %g = lambda.lambda (%x: f64, %y: f64) -> f64 {
        %m = lambda.lambda () -> f64 {
          %p = arith.mulf %x, %y : f64
          lambda.return %p : f64
        }
        %s = lambda.lambda () -> f64 {
          %p = arith.addf %x, %y : f64
          lambda.return %p : f64
        }
        %t = lambda.tuple %m, %s : (!f, !f) -> tuple<!f, !f>
        %m1 = lambda.get %t[0] : (tuple<!f, !f>) -> !f
        %s1 = lambda.get %t[1] : (tuple<!f, !f>) -> !f
        %u = lambda.apply %m1() : () -> f64
        %v = lambda.apply %s1() : () -> f64
        %w = arith.addf %u, %v : f64
        lambda.return %w : f64
      }
      %d = lambda.grad %g : ((f64, f64) -> f64) -> ((f64, f64) -> f64)
      %y = lambda.apply %d(%a, %b) : (f64, f64) -> f64
      return %y : f64
    }";
    close(float(source, &[4.5, 6.7]), 7.7);
}

/// n x through recursion; the gradient of a sum over a list; a loop whose trip count depends on data.
#[test]
fn recursion_and_loops_are_differentiated() {
    let source = "func.func @f(%at: f64, %n: i64) -> f64 {
      %g = lambda.lambda (%x: f64, %m: i64) -> f64 {
        %zero = arith.constant 0 : i64
        %step = arith.constant 1 : i64
        %one = arith.constant 1.0 : f64
        %power = lambda.letrec {
          %go = lambda.lambda (%k: i64) -> f64 {
            %end = arith.cmpi eq, %k, %zero : i64
            %y = lambda.if %end : i1 -> f64 {
              lambda.yield %one : f64
            } else {
              %l = arith.subi %k, %step : i64
              %r = lambda.apply %go(%l) : (i64) -> f64
              %p = arith.mulf %x, %r : f64
              lambda.yield %p : f64
            }
            lambda.return %y : f64
          }
          lambda.yield %go : (i64) -> f64
        } : (i64) -> f64
        %y = lambda.apply %power(%m) : (i64) -> f64
        lambda.return %y : f64
      }
      %d = lambda.grad %g : ((f64, i64) -> f64) -> ((f64, i64) -> f64)
      %dd = lambda.grad %d : ((f64, i64) -> f64) -> ((f64, i64) -> f64)
      %ddd = lambda.grad %dd : ((f64, i64) -> f64) -> ((f64, i64) -> f64)
      %y = lambda.apply %ddd(%at, %n) : (f64, i64) -> f64
      return %y : f64
    }";
    close(number(source, &[Value::f64(1.5), Value::i64(5)]), 135.0);
    let squares = "%limit = arith.constant 100.0 : f64
      %y = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
        %c = arith.cmpf olt, %a, %limit : f64
        lambda.yield %c : i1
      } do (%b) {
        %d = arith.mulf %b, %b : f64
        lambda.yield %d : f64
      }
      lambda.return %y : f64";
    assert_eq!(float(&derivative(1, squares), &[4.0]), 256.0);
    assert_eq!(float(&derivative(2, squares), &[4.0]), 192.0);
}

#[test]
fn gradients_have_the_structure_of_the_argument() {
    let source = "!p = !lambda.record<\"P\", u: f64, n: i64, l: !lambda.list<f64>, t: tuple<f64, i1>>
    !t = !lambda.record<\"P\", u: f64, n: none, l: !lambda.list<f64>, t: tuple<f64, none>>
    func.func @f(%p: !p) -> !t {
      %g = lambda.lambda (%r: !p) -> f64 {
        %u = lambda.field %r[\"u\"] : (!p) -> f64
        %l = lambda.field %r[\"l\"] : (!p) -> !lambda.list<f64>
        %h = lambda.head %l : (!lambda.list<f64>) -> f64
        %y = arith.mulf %u, %h : f64
        lambda.return %y : f64
      }
      %d = lambda.grad %g : ((!p) -> f64) -> ((!p) -> !t)
      %y = lambda.apply %d(%p) : (!p) -> !t
      return %y : !t
    }";
    let l = Value::list(vec![Value::f64(5.0), Value::f64(7.0)]);
    let t = Value::tuple(vec![Value::f64(1.0), Value::bool(true)]);
    let p = Value::record("P", vec![("u", Value::f64(3.0)), ("n", Value::i64(2)), ("l", l), ("t", t)]);
    assert_eq!(shown(source, &[p]), "P(u: 5.0, n: (), l: [3.0, 0.0], t: (0.0, ()))");
}

/// The backpropagator may be called again, and from inside another derivative.
#[test]
fn ways_back_are_values() {
    let source = "func.func @f(%at: f64) -> tuple<f64, f64, f64, f64> {
      %g = lambda.lambda (%x: f64, %y: f64) -> f64 {
        %e = arith.mulf %x, %y : f64
        %z = math.sin %e : f64
        lambda.return %z : f64
      }
      %three = arith.constant 3.0 : f64
      %one = arith.constant 1.0 : f64
      %v = lambda.vjp %g {wrt = array<i64: 0>} : ((f64, f64) -> f64) -> ((f64, f64) -> tuple<f64, (f64) -> f64>)
      %h = lambda.lambda (%x: f64) -> f64 {
        %t = lambda.apply %v(%x, %three) : (f64, f64) -> tuple<f64, (f64) -> f64>
        %b = lambda.get %t[1] : (tuple<f64, (f64) -> f64>) -> ((f64) -> f64)
        %d = lambda.apply %b(%one) : (f64) -> f64
        %d2 = lambda.apply %b(%x) : (f64) -> f64
        %s = arith.addf %d, %d2 : f64
        lambda.return %s : f64
      }
      %dh = lambda.grad %h : ((f64) -> f64) -> ((f64) -> f64)
      %y = lambda.apply %dh(%at) : (f64) -> f64
      %j = lambda.jvp %g : ((f64, f64) -> f64) -> ((f64, f64, f64, f64) -> tuple<f64, f64>)
      %w = lambda.apply %j(%at, %three, %one, %at) : (f64, f64, f64, f64) -> tuple<f64, f64>
      %w0 = lambda.get %w[0] : (tuple<f64, f64>) -> f64
      %w1 = lambda.get %w[1] : (tuple<f64, f64>) -> f64
      %k = lambda.hvp %g : ((f64, f64) -> f64) -> ((f64, f64, f64) -> f64)
      %q = lambda.apply %k(%at, %three, %three) : (f64, f64, f64) -> f64
      %r = lambda.tuple %y, %w0, %w1, %q : (f64, f64, f64, f64) -> tuple<f64, f64, f64, f64>
      return %r : tuple<f64, f64, f64, f64>
    }";
    let Value::Tuple(parts) = run(source, &[Value::f64(0.4)]).unwrap() else { panic!("a tuple") };
    let x: f64 = 0.4;
    let (s, c) = (3.0 * x).sin_cos();
    // d/dx (1 + x) 3 cos 3x
    close(parts[0].as_f64().unwrap(), 3.0 * c - (1.0 + x) * 9.0 * s);
    close(parts[1].as_f64().unwrap(), s);
    close(parts[2].as_f64().unwrap(), 3.0 * c + x * x * c);
    close(parts[3].as_f64().unwrap(), -9.0 * s * 3.0);
}

/// J f(x) is the value and the backpropagator to the captures of `f` and to x.
#[test]
fn augmented_functions_give_the_way_back() {
    let source = "!b = (f64) -> tuple<!lambda.env, f64>
    !g = (f64) -> tuple<f64, !b>
    func.func @f(%a: f64, %at: f64) -> tuple<f64, f64, f64> {
      %f = lambda.lambda (%x: f64) -> f64 {
        %q = arith.mulf %x, %x : f64
        %y = arith.mulf %a, %q : f64
        lambda.return %y : f64
      }
      %J = lambda.J %f : ((f64) -> f64) -> !g
      %t = lambda.apply %J(%at) : (f64) -> tuple<f64, !b>
      %y = lambda.get %t[0] : (tuple<f64, !b>) -> f64
      %b = lambda.get %t[1] : (tuple<f64, !b>) -> !b
      %one = arith.constant 1.0 : f64
      %s = lambda.apply %b(%one) : (f64) -> tuple<!lambda.env, f64>
      %x_ct = lambda.get %s[1] : (tuple<!lambda.env, f64>) -> f64
      %p = lambda.Jinv %J : (!g) -> ((f64) -> f64)
      %z = lambda.apply %p(%at) : (f64) -> f64
      %r = lambda.tuple %y, %x_ct, %z : (f64, f64, f64) -> tuple<f64, f64, f64>
      return %r : tuple<f64, f64, f64>
    }";
    assert_eq!(shown(source, &[Value::f64(2.0), Value::f64(3.0)]), "(18.0, 12.0, 18.0)");
}

/// J of a function that returns one: the environment that results from a call of the result is propagated through J of
/// the function.
#[test]
fn environments_go_back_to_where_functions_were_made() {
    let source = "!e = tuple<!lambda.env, f64>
    !b = (f64) -> !e
    !g = (f64) -> tuple<f64, !b>
    !c = (!lambda.env) -> !e
    func.func @f(%a: f64, %at: f64) -> tuple<f64, f64, f64> {
      %mk = lambda.lambda (%u: f64) -> (f64) -> f64 {
        %s = arith.mulf %u, %u : f64
        %h = lambda.lambda (%x: f64) -> f64 {
          %y = arith.mulf %s, %x : f64
          lambda.return %y : f64
        }
        lambda.return %h : (f64) -> f64
      }
      %J = lambda.J %mk : ((f64) -> ((f64) -> f64)) -> ((f64) -> tuple<!g, !c>)
      %t = lambda.apply %J(%a) : (f64) -> tuple<!g, !c>
      %h = lambda.get %t[0] : (tuple<!g, !c>) -> !g
      %b = lambda.get %t[1] : (tuple<!g, !c>) -> !c
      %u = lambda.apply %h(%at) : (f64) -> tuple<f64, !b>
      %z = lambda.get %u[0] : (tuple<f64, !b>) -> f64
      %b2 = lambda.get %u[1] : (tuple<f64, !b>) -> !b
      %one = arith.constant 1.0 : f64
      %s = lambda.apply %b2(%one) : (f64) -> !e
      %env = lambda.get %s[0] : (!e) -> !lambda.env
      %x_ct = lambda.get %s[1] : (!e) -> f64
      %r = lambda.apply %b(%env) : (!lambda.env) -> !e
      %a_ct = lambda.get %r[1] : (!e) -> f64
      %all = lambda.tuple %z, %x_ct, %a_ct : (f64, f64, f64) -> tuple<f64, f64, f64>
      return %all : tuple<f64, f64, f64>
    }";
    // a² x, a², 2 a x.
    assert_eq!(shown(source, &[Value::f64(3.0), Value::f64(5.0)]), "(45.0, 9.0, 30.0)");
}

/// d/dx xⁿ = n at 1, through 100 000 nested calls.
#[test]
fn deep_recursion_is_differentiated() {
    let body = "%zero = arith.constant 0 : i64
      %step = arith.constant 1 : i64
      %one = arith.constant 1.0 : f64
      %n = arith.constant 100000 : i64
      %power = lambda.letrec {
        %go = lambda.lambda (%k: i64) -> f64 {
          %end = arith.cmpi eq, %k, %zero : i64
          %y = lambda.if %end : i1 -> f64 {
            lambda.yield %one : f64
          } else {
            %l = arith.subi %k, %step : i64
            %r = lambda.apply %go(%l) : (i64) -> f64
            %p = arith.mulf %x, %r : f64
            lambda.yield %p : f64
          }
          lambda.return %y : f64
        }
        lambda.yield %go : (i64) -> f64
      } : (i64) -> f64
      %y = lambda.apply %power(%n) : (i64) -> f64
      lambda.return %y : f64";
    assert_eq!(float(&derivative(1, body), &[1.0]), 100_000.0);
}

/// Ops that only the evaluator of arrays supports can be used, but not differentiated.
#[test]
fn other_regions_are_run_by_the_evaluator_of_arrays() {
    let source = "func.func @g(%x: f64) -> f64 {
      %t = tensor.generate {
      ^bb0(%i: index):
        %k = arith.index_cast %i : index to i64
        %q = arith.sitofp %k : i64 to f64
        %p = arith.mulf %q, %x : f64
        tensor.yield %p : f64
      } : tensor<4xf64>
      %y = array.sum %t : (tensor<4xf64>) -> f64
      return %y : f64
    }
    func.func @f(%x: f64) -> f64 {
      %g = lambda.ref @g : (f64) -> f64
      %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
      %y = lambda.apply %d(%x) : (f64) -> f64
      return %y : f64
    }";
    let program = Program::parse(source.as_bytes(), "test.mlir").expect("the program parses");
    let mut evaluator = Evaluator::new(program.module());
    assert_eq!(evaluator.call("g", &[Value::f64(2.0)]).unwrap().to_string(), "12.0");
    let error = evaluator.call("f", &[Value::f64(2.0)]).unwrap_err();
    assert_eq!((error.code, error.location.as_str()), ("no-backpropagator", "test.mlir:2:12"));
}

/// Ops that are linear in a strong zero return zero; with an ordinary zero they need not.
#[test]
fn strong_zeros_absorb() {
    let source = "func.func @f(%x: f64, %a: tensor<2xf64>) -> tuple<f64, f64, tensor<2xf64>> {
      %z = dual.zero : f64
      %o = arith.constant 0.0 : f64
      %p = arith.mulf %z, %x : f64
      %q = arith.mulf %o, %x : f64
      %s = lambda.zeros_like %a : (tensor<2xf64>) -> tensor<2xf64>
      %t = arith.mulf %a, %s : tensor<2xf64>
      %r = lambda.tuple %p, %q, %t : (f64, f64, tensor<2xf64>) -> tuple<f64, f64, tensor<2xf64>>
      return %r : tuple<f64, f64, tensor<2xf64>>
    }";
    let got = shown(source, &[Value::f64(f64::INFINITY), Value::vector(&[f64::NAN, 1.0])]);
    assert_eq!(got, "(0.0, NaN, [0.0, 0.0])");
    // In sums it is neutral; divided by anything it is zero.
    let source = "func.func @f(%x: f64) -> tuple<f64, f64, f64, f64, f64> {
      %z = dual.zero : f64
      %n = arith.constant 0.0 : f64
      %a = arith.addf %z, %x : f64
      %b = arith.subf %x, %z : f64
      %c = arith.subf %z, %x : f64
      %d = arith.divf %z, %n : f64
      %e = math.exp %z : f64
      %r = lambda.tuple %a, %b, %c, %d, %e : (f64, f64, f64, f64, f64) -> tuple<f64, f64, f64, f64, f64>
      return %r : tuple<f64, f64, f64, f64, f64>
    }";
    assert_eq!(shown(source, &[Value::f64(2.0)]), "(2.0, 2.0, -2.0, 0.0, 1.0)");
}

#[test]
fn environments_forget_nothing() {
    let source = "func.func @f(%x: f64) -> tuple<f64, f64, f64> {
      %e0 = lambda.env.empty : () -> !lambda.env
      %e1 = lambda.env.set %e0[\"a\"], %x : (!lambda.env, f64) -> !lambda.env
      %e2 = lambda.env.set %e1[\"b\"], %x : (!lambda.env, f64) -> !lambda.env
      %e3 = lambda.env.add %e1, %e2 : (!lambda.env, !lambda.env) -> !lambda.env
      %z = lambda.zeros_like %x : (f64) -> f64
      %a = lambda.env.get %e3[\"a\"], %z : (!lambda.env, f64) -> f64
      %b = lambda.env.get %e3[\"b\"], %z : (!lambda.env, f64) -> f64
      %c = lambda.env.get %e3[\"c\"], %z : (!lambda.env, f64) -> f64
      %t = lambda.tuple %a, %b, %c : (f64, f64, f64) -> tuple<f64, f64, f64>
      %u = lambda.tuple %x, %x, %x : (f64, f64, f64) -> tuple<f64, f64, f64>
      %s = lambda.gadd %t, %u : (tuple<f64, f64, f64>, tuple<f64, f64, f64>) -> tuple<f64, f64, f64>
      return %s : tuple<f64, f64, f64>
    }";
    assert_eq!(shown(source, &[Value::f64(2.0)]), "(6.0, 4.0, 2.0)");
}

/// Movement, sums and products of arrays in a program: y is compared with differences in each element.
#[test]
fn rules_of_array_ops_agree_with_differences() {
    let ops = [
        "%y = array.sum %x axes [1] : (tensor<2x3xf64>) -> tensor<2xf64>",
        "%y = array.prod %x axes [1] : (tensor<2x3xf64>) -> tensor<2xf64>",
        "%y = array.max %x : (tensor<2x3xf64>) -> tensor<3xf64>",
        "%y = array.min %x axes [0, 1] : (tensor<2x3xf64>) -> f64",
        "%y = array.transpose %x [1, 0] : tensor<2x3xf64> -> tensor<3x2xf64>",
        "%y = array.reshape %x : tensor<2x3xf64> -> tensor<6xf64>",
        "%y = array.replicate %x : (tensor<2x3xf64>) -> tensor<4x2x3xf64>",
        "%y = array.append %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<4x3xf64>",
        "%y = array.stack %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x2x3xf64>",
        "%y = array.reverse %x : tensor<2x3xf64>",
        "%i = arith.constant 1 : index\n%y = array.slice %x from %i : tensor<2x3xf64> -> tensor<2x3xf64>",
        "%i = arith.constant 1 : index\n%y = array.get %x[%i] : tensor<2x3xf64> -> tensor<3xf64>",
        "%i = arith.constant 1 : index\n%y = tensor.extract %x[%i, %i] : tensor<2x3xf64>",
        "%y = tensor.extract_slice %x[0, 1] [2, 2] [1, 1] : tensor<2x3xf64> to tensor<2x2xf64>",
        "%y = tensor.concat dim(1) %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x6xf64>",
        "%c = arith.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
         %n = arith.negf %x : tensor<2x3xf64>
         %y = arith.select %c, %x, %n : tensor<2x3xi1>, tensor<2x3xf64>",
        "%y = arith.truncf %x : tensor<2x3xf64> to tensor<2x3xf32>\n%z = arith.extf %y : tensor<2x3xf32> to tensor<2x3xf64>",
    ];
    for op in ops {
        let ty = op.rsplit_once("-> ").or(op.rsplit_once(" to ")).or(op.rsplit_once(", ")).or(op.rsplit_once(": "));
        let ty = if op.contains("tensor.extract %x") { "f64" } else { ty.expect("a type").1 };
        let ty = if op.contains("array.reverse") { "tensor<2x3xf64>" } else { ty };
        let y = if op.contains("%z") { "%z" } else { "%y" };
        // Σ w y², where the weights are the positions, to exclude symmetries.
        let total = match ty {
            "f64" => format!("%t = arith.mulf {y}, {y} : f64\n"),
            _ => {
                let n = ty.matches('x').count();
                let axes: Vec<String> = (0..n).map(|k| k.to_string()).collect();
                let sizes: Vec<usize> = ty["tensor<".len()..].split('x').filter_map(|d| d.parse().ok()).collect();
                let all: usize = sizes.iter().product();
                let weights: Vec<String> = (0..all).map(|i| format!("{}.0", i + 1)).collect();
                format!(
                    "%flat = arith.constant dense<[{}]> : tensor<{all}xf64>
                     %w = array.reshape %flat : tensor<{all}xf64> -> {ty}
                     %q = arith.mulf {y}, {y} : {ty}\n%p = arith.mulf %q, %w : {ty}
                     %t = array.sum %p axes [{}] : ({ty}) -> f64\n",
                    weights.join(", "),
                    axes.join(", ")
                )
            }
        };
        let source = format!(
            "func.func @g(%x: tensor<2x3xf64>) -> f64 {{\n{op}\n{total}return %t : f64\n}}
             func.func @f(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {{
               %g = lambda.ref @g : (tensor<2x3xf64>) -> f64
               %d = lambda.grad %g : ((tensor<2x3xf64>) -> f64) -> ((tensor<2x3xf64>) -> tensor<2x3xf64>)
               %y = lambda.apply %d(%x) : (tensor<2x3xf64>) -> tensor<2x3xf64>
               return %y : tensor<2x3xf64>
             }}"
        );
        let program = Program::parse(source.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("{source}"));
        let x = [0.5, -1.25, 2.0, 0.75, 1.5, -0.5];
        let at = |x: &[f64]| Value::array(Array::new(vec![2, 3], Data::F64(x.to_vec())));
        let got = Evaluator::new(program.module()).call("f", &[at(&x)]).unwrap_or_else(|e| panic!("{op}: {e}"));
        let got = got.as_array().unwrap().to_f64();
        let value = |x: &[f64]| Evaluator::new(program.module()).call("g", &[at(x)]).unwrap().as_f64().unwrap();
        // In f32, differences are less exact.
        let (h, tolerance) = if op.contains("f32") { (1.0 / 64.0, 1e-4) } else { (1e-5, 1e-6) };
        for k in 0..6 {
            let (mut up, mut down) = (x, x);
            up[k] += h;
            down[k] -= h;
            let quotient = (value(&up) - value(&down)) / (2.0 * h);
            assert!(
                (got[k] - quotient).abs() < tolerance * quotient.abs().max(1.0),
                "{op}: {k}: {}, {quotient}",
                got[k]
            );
        }
    }
}

/// The result of a derivative does not vary at its own level any more, but still does at outer ones.
#[test]
fn values_of_inner_derivatives_vary_further_out() {
    let inner = |request: &str, result: &str| {
        format!(
            "%g = lambda.lambda (%u: f64) -> f64 {{
               %s = math.sin %u : f64
               lambda.return %s : f64
             }}
             %d = lambda.{request} : ((f64) -> f64) -> ((f64) -> {result})
             %t = lambda.apply %d(%x) : (f64) -> {result}
             %y = lambda.get %t[0] : ({result}) -> f64
             lambda.return %y : f64"
        )
    };
    for (request, result) in [
        ("grad %g {value}", "tuple<f64, f64>"),
        ("vjp %g", "tuple<f64, (f64) -> f64>"),
        ("J %g", "tuple<f64, (f64) -> tuple<!lambda.env, f64>>"),
    ] {
        close(float(&derivative(1, &inner(request, result)), &[0.3]), 0.3f64.cos());
        close(float(&derivative(2, &inner(request, result)), &[0.3]), -0.3f64.sin());
    }
}

/// Σ i x for i = 1, 4, 7 by `scf.for`; squares of x until one is more than 50 by `scf.while`, whose two regions have
/// different arguments.
#[test]
fn loops_of_scf_are_differentiated() {
    let counted = "%c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %n = arith.constant 8 : index
      %zero = arith.constant 0.0 : f64
      %y = scf.for %i = %c1 to %n step %c3 iter_args(%s = %zero) -> (f64) {
        %k = arith.index_cast %i : index to i64
        %q = arith.sitofp %k : i64 to f64
        %p = arith.mulf %q, %x : f64
        %t = arith.addf %s, %p : f64
        scf.yield %t : f64
      }
      lambda.return %y : f64";
    assert_eq!(float(&derivative(0, counted), &[1.0]), 12.0);
    assert_eq!(float(&derivative(1, counted), &[1.0]), 12.0);
    let conditioned = "%limit = arith.constant 50.0 : f64
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %n, %y = scf.while (%k = %zero, %a = %x) : (i64, f64) -> (i64, f64) {
        %c = arith.cmpf olt, %a, %limit : f64
        scf.condition(%c) %k, %a : i64, f64
      } do {
      ^bb0(%k: i64, %a: f64):
        %l = arith.addi %k, %one : i64
        %b = arith.mulf %a, %a : f64
        scf.yield %l, %b : i64, f64
      }
      lambda.return %y : f64";
    // 3, 9, 81: x⁴.
    assert_eq!(float(&derivative(0, conditioned), &[3.0]), 81.0);
    assert_eq!(float(&derivative(1, conditioned), &[3.0]), 108.0);
}

/// Of equal elements the first counts.
#[test]
fn the_first_of_equal_elements_has_the_derivative() {
    for op in ["max", "min"] {
        let source = format!(
            "func.func @g(%x: tensor<3xf64>) -> f64 {{
               %y = array.{op} %x : (tensor<3xf64>) -> f64
               return %y : f64
             }}
             func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {{
               %g = lambda.ref @g : (tensor<3xf64>) -> f64
               %d = lambda.grad %g : ((tensor<3xf64>) -> f64) -> ((tensor<3xf64>) -> tensor<3xf64>)
               %y = lambda.apply %d(%x) : (tensor<3xf64>) -> tensor<3xf64>
               return %y : tensor<3xf64>
             }}"
        );
        assert_eq!(shown(&source, &[Value::vector(&[2.0; 3])]), "[1.0, 0.0, 0.0]");
    }
}

#[test]
fn what_has_no_derivative_is_refused() {
    let opaque = "%y = lambda.opaque %x : (f64) -> f64\nlambda.return %y : f64";
    let error = refused(&derivative(1, opaque), &[Value::f64(1.0)]);
    assert_eq!((error.code, error.location.as_str()), ("no-backpropagator", "test.mlir:3:6"));
    assert_eq!(float(&derivative(0, opaque), &[1.0]), 1.0);
    let sends = "func.func @f(%at: f64) -> f64 {
      %g = lambda.lambda (%x: f64) -> f64 {
        %t = lambda.token : () -> !lambda.token
        %c = lambda.channel %t {buffer = 1} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
        lambda.return %x : f64
      }
      %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
      %y = lambda.apply %d(%at) : (f64) -> f64
      return %y : f64
    }";
    assert_eq!(refused(sends, &[Value::f64(1.0)]).code, "effect-in-gradient");
}

//===-- pullbacks -----------------------------------------------------------------------------------------------===//

/// f(x, y) = ((x + 1)(2x + y²))² and the form that is 1 everywhere (C.8), and the pullback of a pullback (C.10).
#[test]
fn pullbacks_are_rows_of_the_jacobian() {
    let source = "!q = tuple<f64, f64>
    func.func @f(%p: !q, %ex: !q, %ey: !q) -> !q {
      %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
        %one = arith.constant 1.0 : f64
        %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
        lambda.return %w : !lambda.dual<f64>
      }
      %w = lambda.pullback %form (%a: !q) {
        %x = lambda.get %a[0] : (!q) -> f64
        %y = lambda.get %a[1] : (!q) -> f64
        %one = arith.constant 1.0 : f64
        %u = arith.addf %x, %one : f64
        %x2 = arith.addf %x, %x : f64
        %yy = arith.mulf %y, %y : f64
        %v = arith.addf %x2, %yy : f64
        %m = arith.mulf %u, %v : f64
        %z = arith.mulf %m, %m : f64
        lambda.yield %z : f64
      } : ((f64) -> !lambda.dual<f64>) -> ((!q) -> !lambda.dual<!q>)
      %c = lambda.apply %w(%p) : (!q) -> !lambda.dual<!q>
      %rx = lambda.pair_with %c, %ex : (!lambda.dual<!q>, !q) -> f64
      %ry = lambda.pair_with %c, %ey : (!lambda.dual<!q>, !q) -> f64
      %r = lambda.tuple %rx, %ry : (f64, f64) -> !q
      return %r : !q
    }";
    let pair = |a: f64, b: f64| Value::tuple(vec![Value::f64(a), Value::f64(b)]);
    let row = |a, b| shown(source, &[pair(a, b), pair(1.0, 0.0), pair(0.0, 1.0)]);
    assert_eq!(row(1.0, 3.0), "(660.0, 528.0)");
    assert_eq!(row(0.0, 1.0), "(6.0, 4.0)");
    assert_eq!(row(-2.0, 0.5), "(-43.125, -7.5)");
}

#[test]
fn pullbacks_of_pullbacks_are_second_derivatives() {
    let source = "func.func @f(%s: f64) -> f64 {
      %one = arith.constant 1.0 : f64
      %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
        %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
        lambda.return %w : !lambda.dual<f64>
      }
      %outer = lambda.pullback %form (%x: f64) {
        %inner = lambda.pullback %form (%u: f64) {
          %q = arith.mulf %u, %u : f64
          %z = arith.mulf %u, %q : f64
          lambda.yield %z : f64
        } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
        %c = lambda.apply %inner(%x) : (f64) -> !lambda.dual<f64>
        %d = lambda.pair_with %c, %one : (!lambda.dual<f64>, f64) -> f64
        lambda.yield %d : f64
      } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
      %c = lambda.apply %outer(%s) : (f64) -> !lambda.dual<f64>
      %y = lambda.pair_with %c, %one : (!lambda.dual<f64>, f64) -> f64
      return %y : f64
    }";
    assert_eq!(float(source, &[2.0]), 12.0);
    assert_eq!(float(source, &[-1.5]), -9.0);
}

/// Church lists (C.9): a list is the function that folds with its arguments; the rows come from the builder of the
/// list.
#[test]
fn pullbacks_go_through_functions() {
    let source = |fold: &str, start: f64| {
        format!(
            "!q = tuple<f64, f64>
    !f = (f64, f64) -> f64
    !l = (!f, f64) -> f64
    func.func @f(%p: !q, %ex: !q, %ey: !q) -> tuple<f64, f64> {{
      %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {{
        %one = arith.constant 1.0 : f64
        %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
        lambda.return %w : !lambda.dual<f64>
      }}
      %w = lambda.pullback %form (%q: !q) {{
        %x1 = lambda.get %q[0] : (!q) -> f64
        %x2 = lambda.get %q[1] : (!q) -> f64
        %list = lambda.lambda (%f: !f, %d: f64) -> f64 {{
          %r = lambda.apply %f(%x2, %d) : (f64, f64) -> f64
          %s = lambda.apply %f(%x1, %r) : (f64, f64) -> f64
          lambda.return %s : f64
        }}
        %fold = lambda.lambda (%x: f64, %y: f64) -> f64 {{
          {fold}
          lambda.return %z : f64
        }}
        %start = arith.constant {start:?} : f64
        %y = lambda.apply %list(%fold, %start) : (!f, f64) -> f64
        lambda.yield %y : f64
      }} : ((f64) -> !lambda.dual<f64>) -> ((!q) -> !lambda.dual<!q>)
      %c = lambda.apply %w(%p) : (!q) -> !lambda.dual<!q>
      %rx = lambda.pair_with %c, %ex : (!lambda.dual<!q>, !q) -> f64
      %ry = lambda.pair_with %c, %ey : (!lambda.dual<!q>, !q) -> f64
      %r = lambda.tuple %rx, %ry : (f64, f64) -> tuple<f64, f64>
      return %r : tuple<f64, f64>
    }}"
        )
    };
    let pair = |a: f64, b: f64| Value::tuple(vec![Value::f64(a), Value::f64(b)]);
    let row = |fold: &str, start| shown(&source(fold, start), &[pair(7.0, -1.0), pair(1.0, 0.0), pair(0.0, 1.0)]);
    assert_eq!(row("%z = arith.addf %x, %y : f64", 0.0), "(1.0, 1.0)");
    assert_eq!(row("%s = arith.mulf %x, %x : f64\n%z = arith.addf %s, %y : f64", 0.0), "(14.0, -2.0)");
    assert_eq!(row("%z = arith.mulf %x, %y : f64", 1.0), "(-1.0, 7.0)");
}

/// The composition of a linear map and a functional; a derivative whose direction is the first operand.
#[test]
fn functionals_and_jacobians_are_applied() {
    let source = "func.func @square(%x: f64) -> f64 {
      %y = arith.mulf %x, %x : f64
      return %y : f64
    }
    func.func @f(%a: f64, %v: f64) -> tuple<f64, f64> {
      %w = lambda.covector %a : (f64) -> !lambda.dual<f64>
      %d = lambda.dual %w (%u: f64) {
        %y = arith.mulf %u, %a : f64
        lambda.yield %y : f64
      } : (!lambda.dual<f64>) -> !lambda.dual<f64>
      %r = lambda.pair_with %d, %v : (!lambda.dual<f64>, f64) -> f64
      %j = lambda.jacobian @square, %v : (f64) -> ((f64) -> f64)
      %s = lambda.apply %j(%a) : (f64) -> f64
      %t = lambda.tuple %r, %s : (f64, f64) -> tuple<f64, f64>
      return %t : tuple<f64, f64>
    }";
    assert_eq!(shown(source, &[Value::f64(3.0), Value::f64(5.0)]), "(45.0, 30.0)");
}

//===-- random numbers, effects, tasks --------------------------------------------------------------------------===//

#[test]
fn random_numbers_are_values() {
    let source = "!u = tuple<tensor<4xf64>, !lambda.rng>
    !n = tuple<tensor<4xf64>, !lambda.rng>
    !s = tuple<tensor<3xf64>, !lambda.rng>
    func.func @f(%seed: i64) -> tuple<tensor<4xf64>, tensor<3xf64>, tensor<4xf64>> {
      %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
      %t = lambda.rng.uniform %r : (!lambda.rng) -> !u
      %x = lambda.get %t[0] : (!u) -> tensor<4xf64>
      %r1 = lambda.get %t[1] : (!u) -> !lambda.rng
      %t1 = lambda.rng.uniform %r1 : (!lambda.rng) -> !s
      %y = lambda.get %t1[0] : (!s) -> tensor<3xf64>
      %t2 = lambda.rng.normal %r : (!lambda.rng) -> !n
      %z = lambda.get %t2[0] : (!n) -> tensor<4xf64>
      %all = lambda.tuple %x, %y, %z : (tensor<4xf64>, tensor<3xf64>, tensor<4xf64>) -> tuple<tensor<4xf64>, tensor<3xf64>, tensor<4xf64>>
      return %all : tuple<tensor<4xf64>, tensor<3xf64>, tensor<4xf64>>
    }";
    let Value::Tuple(parts) = run(source, &[Value::i64(1)]).unwrap() else { panic!("a tuple") };
    // R01.philox, seed 1.
    let want = [
        vec![0.8946847163350924, 0.7112680765766943, 0.8741119351871307, 0.6561031684921107],
        vec![0.5565002330689228, 0.9215883292986847, 0.036543809985189246],
        vec![-0.5112540909508035, -2.0591776774243638, -1.1326241915725068, -1.691711182029927],
    ];
    for (part, want) in parts.iter().zip(want) {
        part.as_array().unwrap().to_f64().into_iter().zip(want).for_each(|(got, want)| close(got, want));
    }
}

/// The effect happens once, in the forward sweep.
#[test]
fn output_of_what_is_differentiated_comes_once() {
    let source = "!t = !lambda.token
    func.func @f(%t0: !t, %at: f64) -> f64 {
      %g = lambda.lambda (%x: f64) -> f64 {
        %y = arith.mulf %x, %x : f64
        %t1 = lambda.print %t0, %y : (!t, f64) -> !t
        lambda.return %y : f64
      }
      %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
      %y = lambda.apply %d(%at) : (f64) -> f64
      return %y : f64
    }";
    let program = Program::parse(source.as_bytes(), "test.mlir").expect("the program parses");
    let mut evaluator = Evaluator::new(program.module());
    assert_eq!(evaluator.call("f", &[Value::Token, Value::f64(3.0)]).unwrap().to_string(), "6.0");
    assert_eq!(evaluator.output(), "9.0\n");
}

#[test]
fn output_comes_in_the_order_of_tokens() {
    let source = "func.func @f(%t0: !lambda.token, %x: f64) -> tuple<f64, !lambda.token> {
      %t1 = lambda.print %t0, %x : (!lambda.token, f64) -> !lambda.token
      %r = lambda.read %t1 : (!lambda.token) -> tuple<f64, !lambda.token>
      %y = lambda.get %r[0] : (tuple<f64, !lambda.token>) -> f64
      %t2 = lambda.get %r[1] : (tuple<f64, !lambda.token>) -> !lambda.token
      %t3 = lambda.print %t2, %y, %x : (!lambda.token, f64, f64) -> !lambda.token
      %e = lambda.tuple %y, %t3 : (f64, !lambda.token) -> tuple<f64, !lambda.token>
      return %e : tuple<f64, !lambda.token>
    }";
    let program = Program::parse(source.as_bytes(), "test.mlir").expect("the program parses");
    let mut evaluator = Evaluator::new(program.module()).with_input("2.5\n");
    let value = evaluator.call("f", &[Value::Token, Value::f64(1.0)]).unwrap();
    assert_eq!(value.to_string(), "(2.5, <token>)");
    assert_eq!(evaluator.output(), "1.0\n2.5 1.0\n");
    assert!(evaluator.call("f", &[Value::Token, Value::f64(1.0)]).unwrap_err().to_string().contains("no more input"));
}

/// Returns the parts of a program with one channel `%c` after a token `%t0`.
fn messages(buffer: i64, body: &str) -> String {
    format!(
        "!c = !lambda.chan<f64>
!t = !lambda.token
!v = tuple<f64, !t>
func.func @f() -> tuple<f64, f64> {{
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {{buffer = {buffer}}} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
{body}
}}"
    )
}

const SENDER: &str = "%go = lambda.lambda (%s: !t, %k: !c) -> !t {
    %s1 = lambda.send %s, %k, %one : (!t, !c, f64) -> !t
    %s2 = lambda.send %s1, %k, %two : (!t, !c, f64) -> !t
    lambda.return %s2 : !t
  }
  %h = lambda.spawn %t0, %go, %c {device = \"cpu:1\"} : (!t, (!t, !c) -> !t, !c) -> tuple<!lambda.task<!t>, !t>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
";

const RECEIVED: &str = "%a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>";

#[test]
fn messages_arrive_in_order() {
    for buffer in [0, 1, 5] {
        assert_eq!(shown(&messages(buffer, &(SENDER.to_string() + RECEIVED)), &[]), "(1.0, 2.0)");
    }
    // A buffer that becomes full does not block the only task.
    let own = "%s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
      %t1 = lambda.send %s1, %c, %two : (!t, !c, f64) -> !t\n";
    assert_eq!(shown(&messages(2, &(own.to_string() + RECEIVED)), &[]), "(1.0, 2.0)");
    let error = refused(&messages(1, &(own.to_string() + RECEIVED)), &[]);
    assert_eq!((error.code, error.location.as_str()), ("deadlock", "test.mlir:12:13"));
}

/// M.double_then_double: a pipeline of two tasks.
#[test]
fn tasks_hand_arrays_on() {
    let source = "!a = tensor<3xf64>
!c = !lambda.chan<!a>
!t = !lambda.token
!v = tuple<!a, !t>
!w = tuple<!c, !t>
!h = tuple<!lambda.task<!t>, !t>
func.func @f(%t: !t, %x: !a) -> !a {
  %ct = lambda.channel %t {buffer = 10, dest = \"cpu:1\"} : (!t) -> !w
  %c = lambda.get %ct[0] : (!w) -> !c
  %t0 = lambda.get %ct[1] : (!w) -> !t
  %rt = lambda.channel %t0 : (!t) -> !w
  %r = lambda.get %rt[0] : (!w) -> !c
  %t1 = lambda.get %rt[1] : (!w) -> !t
  %first = lambda.lambda (%s: !t, %k: !c, %y: !a) -> !t {
    %z = arith.addf %y, %y : !a
    %s1 = lambda.send %s, %k, %z : (!t, !c, !a) -> !t
    lambda.return %s1 : !t
  }
  %second = lambda.lambda (%s: !t, %k: !c, %l: !c) -> !t {
    %m = lambda.recv %s, %k : (!t, !c) -> !v
    %y = lambda.get %m[0] : (!v) -> !a
    %s1 = lambda.get %m[1] : (!v) -> !t
    %z = arith.addf %y, %y : !a
    %s2 = lambda.send %s1, %l, %z : (!t, !c, !a) -> !t
    lambda.return %s2 : !t
  }
  %h = lambda.spawn %t1, %first, %c, %x {device = \"cpu:0\"} : (!t, (!t, !c, !a) -> !t, !c, !a) -> !h
  %t2 = lambda.get %h[1] : (!h) -> !t
  %i = lambda.spawn %t2, %second, %c, %r {device = \"cpu:1\"} : (!t, (!t, !c, !c) -> !t, !c, !c) -> !h
  %t3 = lambda.get %i[1] : (!h) -> !t
  %m = lambda.recv %t3, %r : (!t, !c) -> !v
  %y = lambda.get %m[0] : (!v) -> !a
  return %y : !a
}";
    assert_eq!(shown(source, &[Value::Token, Value::vector(&[1.0, 2.0, 3.0])]), "[4.0, 8.0, 12.0]");
}

/// Buffered values precede those of waiting senders.
#[test]
fn messages_stay_in_order_when_the_channel_is_full() {
    let many = "%three = arith.constant 3.0 : f64
  %four = arith.constant 4.0 : f64
  %go = lambda.lambda (%s: !t, %k: !c) -> !t {
    %s1 = lambda.send %s, %k, %one : (!t, !c, f64) -> !t
    %s2 = lambda.send %s1, %k, %two : (!t, !c, f64) -> !t
    %s3 = lambda.send %s2, %k, %three : (!t, !c, f64) -> !t
    %s4 = lambda.send %s3, %k, %four : (!t, !c, f64) -> !t
    lambda.return %s4 : !t
  }
  %h = lambda.spawn %t0, %go, %c {device = \"cpu:1\"} : (!t, (!t, !c) -> !t, !c) -> tuple<!lambda.task<!t>, !t>
  %n = arith.constant 4 : i64
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %th = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
  %sum, %t1 = lambda.for (%i < %n) iter_args(%a = %zero, %s = %th) : (i64, f64, !t) -> (f64, !t) {
    %m = lambda.recv %s, %c : (!t, !c) -> !v
    %x = lambda.get %m[0] : (!v) -> f64
    %s1 = lambda.get %m[1] : (!v) -> !t
    %b = arith.mulf %a, %ten : f64
    %d = arith.addf %b, %x : f64
    lambda.yield %d, %s1 : f64, !t
  }
  %r = lambda.tuple %sum, %sum : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>";
    for buffer in 0..5 {
        assert_eq!(shown(&messages(buffer, many), &[]), "(1234.0, 1234.0)");
    }
}

/// After a derivative, and in a task that computes none, messages are allowed.
#[test]
fn messages_are_refused_inside_of_derivatives_only() {
    let after = "%g = lambda.lambda (%x: f64) -> f64 {
    %y = arith.mulf %x, %x : f64
    lambda.return %y : f64
  }
  %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %e = lambda.apply %d(%one) : (f64) -> f64
  %w = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  %u = lambda.apply %w(%one) : (f64) -> tuple<f64, (f64) -> f64>
  %j = lambda.jvp %g : ((f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
  %k = lambda.apply %j(%one, %e) : (f64, f64) -> tuple<f64, f64>
  %p = lambda.J %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  %q = lambda.apply %p(%one) : (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>
  %k1 = lambda.get %k[1] : (tuple<f64, f64>) -> f64
  %s1 = lambda.send %t0, %c, %e : (!t, !c, f64) -> !t
  %t1 = lambda.send %s1, %c, %k1 : (!t, !c, f64) -> !t\n";
    assert_eq!(shown(&messages(2, &(after.to_string() + RECEIVED)), &[]), "(2.0, 4.0)");
}

#[test]
fn deadlocks_name_all_that_wait() {
    let error = refused(&messages(0, &("%t1 = lambda.join_tokens %t0 : (!t) -> !t\n".to_string() + RECEIVED)), &[]);
    assert_eq!(error.code, "deadlock");
    let want = "the program waits in 'lambda.recv' at test.mlir:12:6 for channel 0 (test.mlir:8:9)";
    assert!(error.text.contains(want), "{error}");
    // Two tasks that wait for each other.
    let cross = "%dt = lambda.channel %t0 : (!t) -> tuple<!c, !t>
  %d = lambda.get %dt[0] : (tuple<!c, !t>) -> !c
  %go = lambda.lambda (%s: !t, %k: !c, %l: !c) -> !t {
    %m = lambda.recv %s, %k : (!t, !c) -> !v
    %s1 = lambda.send %s, %l, %one : (!t, !c, f64) -> !t
    lambda.return %s1 : !t
  }
  %h = lambda.spawn %t0, %go, %c, %d {device = \"cpu:0\"} : (!t, (!t, !c, !c) -> !t, !c, !c) -> tuple<!lambda.task<!t>, !t>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
  %m = lambda.recv %t1, %d : (!t, !c) -> !v
  %x = lambda.get %m[0] : (!v) -> f64
  %r = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>";
    let error = refused(&messages(0, cross), &[]);
    assert_eq!(error.code, "deadlock");
    for part in [
        "the program waits in 'lambda.recv' at test.mlir:20",
        "task 1 (test.mlir:18:8) waits in 'lambda.recv' at test.mlir:14",
    ] {
        assert!(error.text.contains(part), "{error}");
    }
}

#[test]
fn closed_channels_give_what_is_left_in_them() {
    let left = "%s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
      %s2 = lambda.send %s1, %c, %two : (!t, !c, f64) -> !t
      %t1 = lambda.close %s2, %c : (!t, !c) -> !t\n";
    assert_eq!(shown(&messages(2, &(left.to_string() + RECEIVED)), &[]), "(1.0, 2.0)");
    let one = "%s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
      %t1 = lambda.close %s1, %c : (!t, !c) -> !t\n";
    assert_eq!(refused(&messages(2, &(one.to_string() + RECEIVED)), &[]).code, "closed-channel");
    // M.send_on_closed.
    let late = "%s1 = lambda.close %t0, %c : (!t, !c) -> !t
      %t1 = lambda.send %s1, %c, %one : (!t, !c, f64) -> !t\n";
    let error = refused(&messages(1, &(late.to_string() + RECEIVED)), &[]);
    assert_eq!((error.code, error.location.as_str()), ("closed-channel", "test.mlir:12:13"));
    // A task that waits at a channel fails if the channel is closed, and the program with it.
    let closer = "%go = lambda.lambda (%s: !t, %k: !c) -> !t {
    %s1 = lambda.close %s, %k : (!t, !c) -> !t
    lambda.return %s1 : !t
  }
  %h = lambda.spawn %t0, %go, %c {device = \"cpu:1\"} : (!t, (!t, !c) -> !t, !c) -> tuple<!lambda.task<!t>, !t>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t\n";
    let error = refused(&messages(0, &(closer.to_string() + RECEIVED)), &[]);
    assert_eq!((error.code, error.location.as_str()), ("closed-channel", "test.mlir:17:6"));
}

#[test]
fn tasks_are_joined_and_their_errors_with_them() {
    let source = |list: &str| {
        format!(
            "!t = !lambda.token
func.func @f(%t0: !t) -> f64 {{
  %one = arith.constant 1.0 : f64
  %nil = lambda.nil : () -> !lambda.list<f64>
  %l = lambda.cons %one, %nil : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %go = lambda.lambda (%s: !t, %x: f64) -> f64 {{
    %h = lambda.head {list} : (!lambda.list<f64>) -> f64
    %y = arith.addf %h, %x : f64
    lambda.return %y : f64
  }}
  %h = lambda.spawn %t0, %go, %one {{device = \"cpu:1\"}} : (!t, (!t, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !t>
  %task = lambda.get %h[0] : (tuple<!lambda.task<f64>, !t>) -> !lambda.task<f64>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<f64>, !t>) -> !t
  %j = lambda.join %t1, %task : (!t, !lambda.task<f64>) -> tuple<f64, !t>
  %y = lambda.get %j[0] : (tuple<f64, !t>) -> f64
  return %y : f64
}}"
        )
    };
    assert_eq!(shown(&source("%l"), &[Value::Token]), "2.0");
    let error = refused(&source("%nil"), &[Value::Token]);
    assert_eq!((error.code, error.location.as_str()), ("empty-list", "test.mlir:7:10"));
}
