//! Tests of the evaluator of functions on the test vectors of the specification. The programs are run with open types.

use crate::notation;

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::value::{Array, Data};
use serde_json::Value as Json;
use std::path::Path;

fn cases() -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/vectors/functional_vectors.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file: Json = serde_json::from_str(&text).expect("the vectors are JSON");
    file["cases"].as_array().expect("cases").clone()
}

/// Collects the sizes and the numbers of nested rows.
fn nested(json: &Json, sizes: &mut Vec<usize>, depth: usize, numbers: &mut Vec<f64>) {
    match json.as_array() {
        Some(rows) => {
            if sizes.len() == depth {
                sizes.push(rows.len());
            }
            rows.iter().for_each(|row| nested(row, sizes, depth + 1, numbers));
        }
        None => numbers.push(json.as_f64().expect("a number")),
    }
}

fn value(json: &Json) -> Value {
    if let Some(x) = json.as_f64() {
        return Value::f64(x);
    }
    if let Some(x) = json.as_bool() {
        return Value::bool(x);
    }
    let all = |json: &Json| json.as_array().expect("values").iter().map(value).collect::<Vec<_>>();
    if let Some(x) = json.get("int") {
        return Value::i64(x.as_i64().expect("an integer"));
    }
    if let Some(rows) = json.get("array") {
        let (mut sizes, mut numbers) = (Vec::new(), Vec::new());
        nested(rows, &mut sizes, 0, &mut numbers);
        return Value::array(Array::new(sizes, Data::F64(numbers)));
    }
    if let Some(parts) = json.get("tuple") {
        return Value::tuple(all(parts));
    }
    if let Some(parts) = json.get("list") {
        return Value::list(all(parts));
    }
    let fields = json["fields"].as_object().expect("a value");
    let fields = fields.iter().map(|(name, v)| (name.as_str(), value(v))).collect();
    Value::record(json["record"].as_str().expect("the name of a record"), fields)
}

/// Returns the first difference of two values.
fn difference(got: &Value, want: &Value, rtol: f64) -> Option<String> {
    let parts = |a: &[Value], b: &[Value]| -> Option<String> {
        if a.len() != b.len() {
            return Some(format!("{} parts, expected {}", a.len(), b.len()));
        }
        a.iter().zip(b).find_map(|(a, b)| difference(a, b, rtol))
    };
    match (got, want) {
        (Value::Tuple(a), Value::Tuple(b)) => parts(a, b),
        (Value::Record(n, a), Value::Record(m, b)) if n.record == m.record => {
            // The vectors' fields are in alphabetical order.
            m.fields.iter().zip(b.iter()).find_map(|(field, b)| {
                let k = n.fields.iter().position(|f| f == field)?;
                difference(&a[k], b, rtol)
            })
        }
        (Value::List(a), Value::List(b)) => {
            parts(&a.iter().cloned().collect::<Vec<_>>(), &b.iter().cloned().collect::<Vec<_>>())
        }
        _ => match (got.as_array(), want.as_array()) {
            (Some(a), Some(b)) if a.shape() == b.shape() && a.element() == b.element() => {
                let close = |(a, b): (f64, f64)| (a - b).abs() <= rtol * b.abs().max(1.0);
                let is_close = a.to_f64().into_iter().zip(b.to_f64()).all(close);
                (!is_close).then(|| format!("got {got}, expected {want}"))
            }
            _ => Some(format!("got {got}, expected {want}")),
        },
    }
}

/// Runs `work` on a stack of the size that tools use, because dropping and printing nested values may recurse.
fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 28).spawn(work).unwrap().join().expect("the test's thread");
}

#[test]
fn programs_have_the_values_of_the_vectors() {
    on_a_large_stack(|| {
        let (mut wrong, mut points) = (Vec::new(), 0);
        for case in cases().iter().filter(|case| case["kind"] == "run") {
            let id = case["id"].as_str().expect("an id");
            let text = notation::module(case["program"].as_str().expect("a program"));
            let program = Program::parse(text.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("{id}:\n{text}"));
            for point in case["points"].as_array().expect("points") {
                points += 1;
                let arguments: Vec<Value> = point["in"].as_array().expect("inputs").iter().map(value).collect();
                let rtol = case["rtol"].as_f64().expect("a tolerance");
                match Evaluator::new(program.module()).call("f", &arguments) {
                    Ok(got) => {
                        wrong.extend(difference(&got, &value(&point["out"]), rtol).map(|d| format!("{id}: {d}")));
                    }
                    Err(error) => wrong.push(format!("{id}: {error}")),
                }
            }
        }
        assert!(points > 100, "only {points} points");
        assert!(wrong.is_empty(), "{} of {points} points:\n{}", wrong.len(), wrong.join("\n"));
    });
}

/// Returns arguments of the types in an error case.
fn argument(ty: &str) -> Value {
    let array = |element: fn(usize) -> Data| {
        let (sizes, _) = ty.trim_start_matches("array<").rsplit_once('x').expect("sizes");
        let sizes: Vec<usize> = sizes.split('x').map(|n| n.parse().expect("a size")).collect();
        let n = sizes.iter().product();
        Value::array(Array::new(sizes, element(n)))
    };
    match ty {
        "f64" => Value::f64(1.5),
        "f32" => Value::array(Array::new(vec![], Data::F32(vec![1.5]))),
        "i64" => Value::i64(3),
        "P{u:f64,v:f64}" => Value::record("P", vec![("u", Value::f64(1.0)), ("v", Value::f64(2.0))]),
        _ => array(|n| Data::F64(vec![1.0; n])),
    }
}

/// Errors that only type inference detects.
const BY_TYPES: &[&str] = &["E.list_of_lists", "E.branch_types", "E.send_type"];

#[test]
fn errors_have_the_codes_of_the_vectors() {
    let mut found = 0;
    for case in cases().iter().filter(|case| case["kind"] == "error") {
        let id = case["id"].as_str().expect("an id");
        if BY_TYPES.contains(&id) {
            continue;
        }
        let text = notation::module(case["program"].as_str().expect("a program"));
        let wanted = case["error"].as_str().expect("a code");
        let Ok(program) = Program::parse(text.as_bytes(), "test.mlir") else {
            // The verifier detects errors that need no types.
            assert_eq!(wanted, "arity-mismatch", "{id}");
            found += 1;
            continue;
        };
        let types = case["in_types"].as_array().expect("types").iter();
        let arguments: Vec<Value> = types.map(|t| argument(t.as_str().expect("a type"))).collect();
        let error = Evaluator::new(program.module()).call("f", &arguments).expect_err(id);
        assert_eq!(error.code, wanted, "{id}: {error}");
        assert!(error.location.starts_with("test.mlir:"), "{id}: {error}");
        found += 1;
    }
    assert_eq!(found, 8);
}

#[test]
fn random_numbers_are_those_of_the_vectors() {
    use mlopt_dialects::lambda::philox::{State, words};
    let close = |got: &[f64], want: &Json| {
        let want: Vec<f64> = want.as_array().expect("numbers").iter().map(|x| x.as_f64().expect("a number")).collect();
        assert_eq!(got.len(), want.len());
        for (got, want) in got.iter().zip(&want) {
            assert!((got - want).abs() <= 1e-14 * want.abs().max(1.0), "got {got}, expected {want}");
        }
    };
    let all = cases();
    let case = all.iter().find(|case| case["kind"] == "rng").expect("random numbers");
    for row in case["cases"].as_array().expect("rows") {
        let seed = row["seed"].as_u64().expect("a seed");
        for (block, name) in ["raw_block0", "raw_block1"].iter().enumerate() {
            let want: Vec<u32> =
                row[*name].as_array().expect("words").iter().map(|w| w.as_u64().unwrap() as u32).collect();
            assert_eq!(words(seed, 0, block as u64).to_vec(), want);
        }
        let state = State::new(seed);
        let (four, next) = state.uniform(4);
        close(&four, &row["uniform4"]);
        let (three, last) = next.uniform(3);
        close(&three, &row["then_uniform3"]);
        assert_eq!(Some(last.block - next.block), row["blocks_used_by_uniform3"].as_u64());
        close(&state.normal(4).0, &row["normal4"]);
    }
}

/// A generator of random terms with one float in the scope `vars`.
struct Terms {
    state: mlopt_dialects::lambda::philox::State,
    names: usize,
}

impl Terms {
    fn below(&mut self, n: usize) -> usize {
        let (x, next) = self.state.uniform(1);
        self.state = next;
        (x[0] * n as f64) as usize
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn with(&mut self, vars: &[String], depth: usize) -> (String, String) {
        let name = self.name();
        let scope = [vars, std::slice::from_ref(&name)].concat();
        let body = self.term(&scope, depth);
        (name, body)
    }

    fn term(&mut self, vars: &[String], depth: usize) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{:?}", 0.25 + self.below(5) as f64 / 4.0),
                _ => vars[self.below(vars.len())].clone(),
            };
        }
        let d = depth - 1;
        let k = self.below(17);
        let (a, b) = (self.term(vars, d), self.term(vars, d));
        let (v, body) = self.with(vars, d);
        match k {
            0 | 1 => format!("(+ {a} {b})"),
            2 | 3 => format!("(* {a} {b})"),
            4 => format!("(sin {a})"),
            5 => format!("(tanh (- {a} {b}))"),
            6 => format!("(let (({v} {a})) (* {body} {v}))"),
            7 => format!("((lam ({v}) {body}) {a})"),
            // The condition is constant, so that the function is continuous.
            8 => format!("(if (< 0.5 {:?}) {a} {b})", self.below(2) as f64),
            9 => format!("(for i 3 (({v} {a})) (next (sin {body})) {v})"),
            10 => format!("(fold (lam (p {v}) (tanh (+ p {body}))) {a} (list {a} {b}))"),
            11 => format!("(get {} (tuple {a} {b}))", self.below(2)),
            12 => format!("((compose (lam ({v}) {body}) sin) {a})"),
            13 => format!("(letrec ((f (lam (k {v}) (if (i= k 0) {v} (f (i- k 1) (sin {body})))))) (f 2 {a}))"),
            14 => format!("(sin ((grad (lam ({v}) {body})) {a}))"),
            15 => format!("(field u (with (record P (u {a}) (w {b})) (u (* {a} {b}))))"),
            _ => format!("(let ((a (toarray (list {a} {b})))) (dot (aset a 1 (aget a 0)) (map (lam ({v}) {body}) a)))"),
        }
    }
}

/// First and second derivatives of smooth functions with closures, loops, recursion, data and gradients.
#[test]
fn gradients_of_random_programs_agree_with_differences() {
    on_a_large_stack(|| {
        let mut wrong = Vec::new();
        for seed in 0..300 {
            let mut terms = Terms { state: mlopt_dialects::lambda::philox::State::new(seed), names: 0 };
            let body = terms.term(&["x".to_string()], 3);
            let text = notation::module(&format!(
                "(lam (x) (let ((f (lam (x) {body})) (df (grad f))) (tuple (f x) (df x) ((grad df) x))))"
            ));
            let program = Program::parse(text.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("{body}\n{text}"));
            let at = |x: f64| -> [f64; 3] {
                let value = Evaluator::new(program.module()).call("f", &[Value::f64(x)]);
                let Ok(Value::Tuple(parts)) = value else { panic!("{body}: {value:?}") };
                std::array::from_fn(|k| parts[k].as_f64().expect("a float"))
            };
            let h = 1e-4;
            let (down, here, up) = (at(0.4 - h), at(0.4), at(0.4 + h));
            for k in 0..2 {
                let quotient = (up[k] - down[k]) / (2.0 * h);
                // Differences of fast-growing functions are inaccurate.
                if here.iter().all(|x| x.abs() < 1e3) && (here[k + 1] - quotient).abs() > 1e-4 * quotient.abs().max(1.0)
                {
                    wrong.push(format!("{seed}, order {}: {} but {quotient}: {body}", k + 1, here[k + 1]));
                }
            }
        }
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    });
}
