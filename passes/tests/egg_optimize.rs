//! Tests that `egg-optimize` preserves values and reaches the best order of growth. The reference evaluator computes
//! the values and counts the work.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::sync::Once;

const PIPELINES: &[&str] = &[
    "builtin.module(func.func(egg-optimize))",
    "builtin.module(func.func(egg-optimize{driver=normalise}))",
    "builtin.module(func.func(egg-optimize{driver=egg fuel=1000 iter=4}))",
    "builtin.module(func.func(normalise-terms,contract-sums,unroll-small-loops,saturate-terms{fuel=1000 iter=4},\
     place-terms))",
];

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
}

fn program(text: &str) -> Program {
    let program = Program::parse(text.as_bytes(), "test").unwrap_or_else(|_| panic!("does not parse:\n{text}"));
    program.run_pipeline("builtin.module(jvp)").unwrap_or_else(|_| panic!("no derivative:\n{text}"));
    program
}

fn random(rng: &mut ChaCha8Rng, ty: Type, dynamic: usize) -> Option<Array> {
    let shape: Vec<usize> = ty.shape().into_iter().map(|n| n.unwrap_or(dynamic)).collect();
    let len: usize = shape.iter().product();
    let data = match ty.element()? {
        Element::F32 => Data::F32((0..len).map(|_| rng.random_range(-1.0..1.0)).collect()),
        Element::F64 => Data::F64((0..len).map(|_| rng.random_range(-1.0..1.0)).collect()),
        Element::I1 => Data::I1((0..len).map(|_| rng.random_range(0..2) == 1).collect()),
        Element::I32 => Data::I32((0..len).map(|_| rng.random_range(-5..9)).collect()),
        Element::I64 => Data::I64((0..len).map(|_| rng.random_range(-5..9)).collect()),
        Element::Index => Data::Index((0..len).map(|_| rng.random_range(0..6)).collect()),
    };
    Some(Array::new(shape, data))
}

fn close(a: &Array, b: &Array) -> bool {
    a.shape() == b.shape()
        && a.to_f64()
            .iter()
            .zip(b.to_f64())
            .all(|(&a, b)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())))
}

fn functions(module: Op) -> Vec<Op> {
    module.child_ops().into_iter().filter(|f| f.name() == "func.func" && f.body().is_some()).collect()
}

/// Compares every function of a text before and after each pipeline. Returns the number of comparisons.
fn keeps_values(text: &str, samples: usize) -> usize {
    register();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let before = program(text);
    let mut compared = 0;
    for pipeline in PIPELINES {
        let after = program(text);
        after.run_pipeline(pipeline).unwrap_or_else(|_| panic!("{pipeline} fails on\n{text}"));
        for f in functions(before.module()) {
            let name = f.symbol().expect("a function has a name");
            let (inputs, _) = f.function_type().expect("a function has a type");
            for sample in 0..samples {
                let sizes: Vec<usize> =
                    inputs.iter().map(|_| [4, 4, 1, 0, rng.random_range(0..6)][sample.min(4)]).collect();
                let arguments: Option<Vec<Array>> =
                    inputs.iter().zip(&sizes).map(|(&ty, &n)| random(&mut rng, ty, n)).collect();
                let Some(arguments) = arguments else { continue };
                // A call that the evaluator rejects (effects, incompatible sizes) has no value to compare.
                let Ok(expected) = Evaluator::new(before.module()).call(&name, &arguments) else { continue };
                let found = Evaluator::new(after.module())
                    .call(&name, &arguments)
                    .unwrap_or_else(|e| panic!("@{name} after {pipeline}: {e}\n{}", after.module()));
                for (e, f) in expected.iter().zip(&found) {
                    assert!(
                        close(e, f),
                        "@{name} after {pipeline}: {e:?} became {f:?} on {arguments:?}\n{}\n{}",
                        before.module(),
                        after.module()
                    );
                }
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn the_tests_of_the_pass_and_the_rules_keep_their_values() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![
        root.join("optimise/egg_optimize/egg_optimize.mlir"),
        root.join("../test/logistic_regression/logistic_regression.mlir"),
    ];
    let rules = std::fs::read_dir(root.join("optimise/rules")).expect("the rules are there");
    files.extend(rules.map(|f| f.expect("a file").path()).filter(|p| p.extension().is_some_and(|e| e == "mlir")));
    let mut compared = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a test is readable");
        compared += text.split("// -----").map(|part| keeps_values(part, 6)).sum::<usize>();
    }
    assert!(compared > 300, "only {compared} comparisons");
}

/// A generator of random total programs over vectors, a matrix, scalars and loops.
struct Writer {
    rng: ChaCha8Rng,
    text: String,
    next: usize,
}

impl Writer {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, rest: &str) -> String {
        let v = self.fresh();
        self.text.push_str(&format!("{v} = {rest}\n"));
        v
    }

    fn pick(&mut self, from: &[String]) -> String {
        from[self.rng.random_range(0..from.len())].clone()
    }

    fn index(&mut self, scope: &[String]) -> String {
        let a = self.pick(scope);
        let b = self.pick(scope);
        match self.rng.random_range(0..5) {
            0 => self.line(&format!("arith.addi {a}, {b} : index")),
            1 => self.line(&format!("arith.subi {a}, {b} : index")),
            _ => a,
        }
    }

    /// Generates a scalar from the values in scope; `depth` bounds its nesting.
    fn scalar(&mut self, floats: &[String], indices: &[String], depth: usize) -> String {
        let choice = self.rng.random_range(0..if depth == 0 { 3 } else { 14 });
        match choice {
            0 => self.pick(floats),
            1 => {
                let i = self.index(indices);
                let (x, ty) = if self.rng.random_bool(0.5) { ("%a", "tensor<4xf64>") } else { ("%b", "tensor<?xf64>") };
                self.line(&format!("array.get {x}[{i}] : ({ty}) -> f64"))
            }
            2 => {
                let (i, j) = (self.index(indices), self.index(indices));
                self.line(&format!("array.get %m[{i}, {j}] : (tensor<4x?xf64>) -> f64"))
            }
            3..=5 => {
                let op = ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"][self.rng.random_range(0..4)];
                let (x, y) = (self.scalar(floats, indices, depth - 1), self.scalar(floats, indices, depth - 1));
                self.line(&format!("{op} {x}, {y} : f64"))
            }
            6 => {
                let op = ["arith.negf", "math.sin", "math.tanh", "math.absf"][self.rng.random_range(0..4)];
                let x = self.scalar(floats, indices, depth - 1);
                self.line(&format!("{op} {x} : f64"))
            }
            7 | 8 => {
                let (i, j) = (self.index(indices), self.index(indices));
                let p = ["eq", "ne", "slt", "sge"][self.rng.random_range(0..4)];
                let c = self.line(&format!("arith.cmpi {p}, {i}, {j} : index"));
                let (x, y) = (self.scalar(floats, indices, depth - 1), self.scalar(floats, indices, depth - 1));
                self.line(&format!("arith.select {c}, {x}, {y} : f64"))
            }
            9 => {
                let name = ["dual.zero", "dual.one"][self.rng.random_range(0..2)];
                self.line(&format!("{name} : f64"))
            }
            10 | 11 => {
                // A sum over a build.
                let (n, extent) = if self.rng.random_bool(0.5) { ("4", "4") } else { ("?", "%n") };
                let (b, i) = (self.fresh(), self.fresh());
                self.text.push_str(&format!("{b} = array.build ({i} < {extent}) -> (tensor<{n}xf64>) {{\n"));
                let inner = [indices, &[i]].concat();
                let e = self.scalar(floats, &inner, depth - 1);
                self.text.push_str(&format!("array.yield {e} : f64\n}}\n"));
                if self.rng.random_bool(0.7) {
                    self.line(&format!("array.sum {b} : (tensor<{n}xf64>) -> f64"))
                } else {
                    let i = self.index(indices);
                    self.line(&format!("array.get {b}[{i}] : (tensor<{n}xf64>) -> f64"))
                }
            }
            _ => {
                // A loop with one or two states.
                let extent = if self.rng.random_bool(0.5) { "%four" } else { "%n" };
                let two = self.rng.random_bool(0.5);
                let (s, i, x, y) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
                let (z, w) = (self.scalar(floats, indices, depth - 1), self.scalar(floats, indices, depth - 1));
                let carried = if two { format!("{x} = {z}, {y} = {w}") } else { format!("{x} = {z}") };
                let types = if two { "f64, f64" } else { "f64" };
                let results = if two { format!("{s}:2") } else { s.clone() };
                self.text.push_str(&format!(
                    "{results} = array.ifold ({i} < {extent}) iter_args({carried}) -> ({types}) {{\n"
                ));
                let inner = [indices, &[i]].concat();
                let states = if two { vec![x.clone(), y.clone()] } else { vec![x.clone()] };
                let known = [floats, &states].concat();
                let mut next = Vec::new();
                for state in &states {
                    let e = self.scalar(&known, &inner, depth - 1);
                    // Mostly realistic loops: accumulation, and writes under a condition.
                    next.push(match self.rng.random_range(0..4) {
                        0 => e,
                        1 => {
                            let (i, j) = (self.index(&inner), self.index(&inner));
                            let c = self.line(&format!("arith.cmpi eq, {i}, {j} : index"));
                            self.line(&format!("arith.select {c}, {e}, {state} : f64"))
                        }
                        _ => self.line(&format!("arith.addf {state}, {e} : f64")),
                    });
                }
                self.text.push_str(&format!("array.yield {} : {types}\n}}\n", next.join(", ")));
                if two { format!("{s}#{}", self.rng.random_range(0..2)) } else { s }
            }
        }
    }

    fn function(&mut self) -> String {
        self.text = "func.func @f(%a: tensor<4xf64>, %b: tensor<?xf64>, %m: tensor<4x?xf64>, %x: f64, %n: index) \
             -> (tensor<4xf64>, f64) {\n\
             %zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n%four = arith.constant 4 : index\n\
             %half = arith.constant 0.5 : f64\n%null = arith.constant 0.0 : f64\n"
            .to_string();
        let floats: Vec<String> = ["%x", "%half", "%null"].map(String::from).to_vec();
        let indices: Vec<String> = ["%zero", "%one", "%n"].map(String::from).to_vec();
        self.text.push_str("%r = array.build (%k < 4) -> (tensor<4xf64>) {\n");
        let inner = [indices.as_slice(), &["%k".to_string()]].concat();
        let e = self.scalar(&floats, &inner, 4);
        self.text.push_str(&format!("array.yield {e} : f64\n}}\n"));
        let s = self.scalar(&floats, &indices, 4);
        self.text.push_str(&format!("return %r, {s} : tensor<4xf64>, f64\n}}\n"));
        std::mem::take(&mut self.text)
    }
}

#[test]
fn random_programs_keep_their_values() {
    let mut compared = 0;
    for seed in 0..150 {
        let mut w = Writer { rng: ChaCha8Rng::seed_from_u64(seed), text: String::new(), next: 0 };
        compared += keeps_values(&w.function(), 5);
    }
    assert!(compared > 2000, "only {compared} comparisons");
}

/// Returns the work of `@g` of a text at size n, after optimisation.
fn work(text: &str, n: usize) -> u64 {
    let p = program(&text.replace("{N}", &n.to_string()));
    p.run_pipeline(PIPELINES[0]).expect("the pass succeeds");
    let g = p.module().lookup("g").expect("the text has a function @g");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (inputs, _) = g.function_type().expect("a function has a type");
    let arguments: Vec<Array> = inputs.into_iter().map(|ty| random(&mut rng, ty, n).expect("numbers")).collect();
    let mut evaluator = Evaluator::new(p.module());
    evaluator.call("g", &arguments).unwrap_or_else(|e| panic!("{e}"));
    evaluator.work()
}

fn assert_order(what: &str, text: &str, order: f64) {
    register();
    keeps_values(&text.replace("{N}", "5"), 4);
    let (small, large) = (work(text, 16), work(text, 32));
    let exponent = (large as f64 / small.max(1) as f64).log2();
    assert!(
        exponent <= order + 0.1,
        "{what}: work grows from {small} to {large}, exponent {exponent:.2} instead of {order}"
    );
}

/// Returns a function of vectors `%a`, `%b` and its gradient in `%a`, for static or dynamic sizes.
fn gradient(body: &str, ty: &str) -> String {
    let body = body.replace("V", ty);
    format!(
        "func.func @f(%a: {ty}, %b: {ty}) -> f64 {{\n%n = array.length %a : {ty}\n%zero = arith.constant 0.0 : f64\n\
         {body}\nreturn %s : f64\n}}\n\
         func.func @g(%a: {ty}, %b: {ty}) -> {ty} {{\n%g = dual.grad @f(%a, %b) wrt [0] : ({ty}, {ty}) -> {ty}\n\
         return %g : {ty}\n}}\n"
    )
}

const GET: &str = "%x = array.get %a[%i] : (V) -> f64\n%y = array.get %b[%i] : (V) -> f64\n";

#[test]
fn gradients_of_dot_products_are_linear() {
    let fold = |body: &str| {
        format!("%s = array.ifold (%i < %n) iter_args(%acc = %zero) -> (f64) {{\n{GET}{body}\narray.yield %z : f64\n}}")
    };
    let bodies = [
        ("dot", fold("%p = arith.mulf %x, %y : f64\n%z = arith.addf %acc, %p : f64")),
        ("operands exchanged", fold("%p = arith.mulf %y, %x : f64\n%z = arith.addf %p, %acc : f64")),
        (
            "re-associated",
            fold(
                "%q = arith.mulf %y, %y : f64\n%r = arith.mulf %q, %x : f64\n%p = arith.mulf %r, %y : f64\n\
                 %z = arith.addf %acc, %p : f64",
            ),
        ),
        (
            "enlarged",
            fold(
                "%q = arith.mulf %x, %y : f64\n%r = arith.addf %x, %q : f64\n%t = math.sin %x : f64\n\
                 %p = arith.addf %r, %t : f64\n%z = arith.addf %acc, %p : f64",
            ),
        ),
        (
            "backwards",
            fold(
                "%one = arith.constant 1 : index\n%l = arith.subi %n, %one : index\n%k = arith.subi %l, %i : index\n\
                 %w = array.get %a[%k] : (V) -> f64\n%p = arith.mulf %w, %y : f64\n%z = arith.addf %acc, %p : f64",
            ),
        ),
        ("bulk", "%p = arith.mulf %a, %b : V\n%s = array.sum %p : (V) -> f64".to_string()),
        (
            "two sums",
            "%p = arith.mulf %a, %b : V\n%q = arith.mulf %a, %a : V\n%t = array.sum %p : (V) -> f64\n\
             %u = array.sum %q : (V) -> f64\n%s = arith.mulf %t, %u : f64"
                .to_string(),
        ),
    ];
    for (name, body) in &bodies {
        for ty in ["tensor<{N}xf64>", "tensor<?xf64>"] {
            assert_order(&format!("{name} on {ty}"), &gradient(body, ty), 1.0);
        }
    }
}

#[test]
fn gradients_of_maxima_are_linear() {
    let fold = |body: &str| {
        format!(
            "%c0 = arith.constant 0 : index\n%first = array.get %a[%c0] : (V) -> f64\n\
             %s = array.ifold (%i < %n) iter_args(%m = %first) -> (f64) {{\n{GET}{body}\narray.yield %z : f64\n}}"
        )
    };
    let bodies = [
        ("maximumf", fold("%z = arith.maximumf %m, %x : f64")),
        ("exchanged", fold("%z = arith.maximumf %x, %m : f64")),
        ("compare", fold("%c = arith.cmpf ogt, %x, %m : f64\n%z = arith.select %c, %x, %m : f64")),
        ("compare the other way", fold("%c = arith.cmpf oge, %m, %x : f64\n%z = arith.select %c, %m, %x : f64")),
        ("minimumf", fold("%z = arith.minimumf %m, %x : f64")),
        ("of products", fold("%p = arith.mulf %x, %y : f64\n%z = arith.maximumf %m, %p : f64")),
    ];
    for (name, body) in &bodies {
        for ty in ["tensor<{N}xf64>", "tensor<?xf64>"] {
            assert_order(&format!("{name} on {ty}"), &gradient(body, ty), 1.0);
        }
    }
}

/// ‖Mx − y‖², trace, uMv, and the logistic loss inside a training loop: quadratic in the side of the matrix.
#[test]
fn matrix_gradients_are_quadratic() {
    let m = "tensor<{N}x{N}xf64>";
    let v = "tensor<{N}xf64>";
    let matvec = format!(
        "%r = array.build (%i < {{N}}) -> ({v}) {{\n%row = array.get %m[%i] : ({m}) -> {v}\n\
         %p = arith.mulf %row, %x : {v}\n\
         %e = array.sum %p : ({v}) -> f64\narray.yield %e : f64\n}}\n"
    );
    let squares = format!(
        "{matvec}%d = arith.subf %r, %y : {v}\n%q = arith.mulf %d, %d : {v}\n%s = array.sum %q : ({v}) -> f64\n"
    );
    let bilinear = format!("{matvec}%q = arith.mulf %r, %y : {v}\n%s = array.sum %q : ({v}) -> f64\n");
    let trace = format!(
        "%d = array.build (%i < {{N}}) -> ({v}) {{\n%e = array.get %m[%i, %i] : ({m}) -> f64\narray.yield %e : f64\n\
         }}\n%s = array.sum %d : ({v}) -> f64\n"
    );
    let cases = [("least squares", &squares), ("bilinear form", &bilinear), ("trace", &trace)];
    for (name, body) in cases {
        for (wrt, ty) in [(0, m), (1, v)] {
            let text = format!(
                "func.func @f(%m: {m}, %x: {v}, %y: {v}) -> f64 {{\n{body}return %s : f64\n}}\n\
                 func.func @g(%m: {m}, %x: {v}, %y: {v}) -> {ty} {{\n\
                 %g = dual.grad @f(%m, %x, %y) wrt [{wrt}] : ({m}, {v}, {v}) -> {ty}\nreturn %g : {ty}\n}}\n"
            );
            assert_order(&format!("{name} in argument {wrt}"), &text, 2.0);
        }
    }
    let training = format!(
        "func.func @f(%m: {m}, %x: {v}, %y: {v}) -> f64 {{\n{matvec}%n = arith.mulf %r, %y : {v}\n\
         %e = math.exp %n : {v}\n\
         %l = math.log1p %e : {v}\n%s = array.sum %l : ({v}) -> f64\nreturn %s : f64\n}}\n\
         func.func @g(%m: {m}, %x: {v}, %y: {v}) -> {v} {{\n%three = arith.constant 3 : index\n\
         %w = array.ifold (%k < %three) iter_args(%w0 = %x) -> ({v}) {{\n\
         %g = dual.grad @f(%m, %w0, %y) wrt [1] : ({m}, {v}, {v}) -> {v}\n%w1 = arith.subf %w0, %g : {v}\n\
         array.yield %w1 : {v}\n}}\nreturn %w : {v}\n}}\n"
    );
    assert_order("training", &training, 2.0);
}

/// The pass is idempotent and deterministic.
#[test]
fn idempotent_and_deterministic() {
    register();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts =
        vec![std::fs::read_to_string(root.join("optimise/egg_optimize/egg_optimize.mlir")).expect("readable")];
    texts.push(
        std::fs::read_to_string(root.join("../test/logistic_regression/logistic_regression.mlir")).expect("readable"),
    );
    texts.extend(
        (0..40).map(|seed| {
            Writer { rng: ChaCha8Rng::seed_from_u64(1000 + seed), text: String::new(), next: 0 }.function()
        }),
    );
    for text in texts {
        let run = || {
            let p = program(&text);
            p.run_pipeline(PIPELINES[0]).expect("the pass succeeds");
            p
        };
        let (first, second) = (run(), run());
        let once = first.module().to_string();
        assert_eq!(once, second.module().to_string(), "two runs differ on\n{text}");
        first.run_pipeline(PIPELINES[0]).expect("the pass succeeds");
        assert_eq!(once, first.module().to_string(), "a second application changes the result of\n{text}");
    }
}
