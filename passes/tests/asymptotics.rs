//! Tests of the cost of gradients by forward mode and rewriting, counted by the evaluator. The attribute `growth` in
//! `test/gradients/asymptotics.mlir` states the expected order of growth, and the attribute `units` in
//! `test/gradients/bundle_adjustment.mlir` the expected number of operations per point.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Once;

const PROGRAMS: &str = include_str!("../../test/gradients/asymptotics.mlir");
const BUNDLE_ADJUSTMENT: &str = include_str!("../../test/gradients/bundle_adjustment.mlir");

const FORWARD: &str = "builtin.module(jvp)";
/// A scalar argument has one column: a call of the derivative.
const FORWARD_INLINED: &str = "builtin.module(jvp, inline)";
const REVERSE: &str = "builtin.module(bulk-operations, differentiate)";
const OPTIMISE: &str = "builtin.module(func.func(egg-optimize))";

/// The maximum excess of the fit over the power, for terms of lower order.
const TOLERANCE: f64 = 0.12;

fn program(text: &str, pipelines: &[&str]) -> Program {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
    let program = Program::parse(text.as_bytes(), "asymptotics").expect("the test's program parses");
    pipelines.iter().for_each(|p| program.run_pipeline(p).expect("the test's program goes through its passes"));
    program
}

/// Returns one random argument of each parameter's type; every dynamic size is `n`.
fn arguments(function: Op, n: usize) -> Vec<Array> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (inputs, _) = function.function_type().expect("a function has a type");
    let positive = |shape: Vec<usize>| {
        let v = (0..shape.iter().product()).map(|_| rng.random_range(0.1..1.0)).collect();
        Array::new(shape, Data::F64(v))
    };
    inputs.into_iter().map(|ty| ty.shape().into_iter().map(|d| d.unwrap_or(n)).collect()).map(positive).collect()
}

/// Returns the results and the counted work of a function.
fn evaluate(program: &Program, name: &str, n: usize) -> (Vec<Array>, f64) {
    let function = program.module().lookup(name).expect("the function is there");
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call(name, &arguments(function, n)).unwrap_or_else(|e| panic!("@{name}: {e}"));
    let work = evaluator.work() as f64;
    (results, work)
}

fn assert_close(name: &str, found: &[Array], expected: &[Array]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.shape(), expected.shape(), "@{name}");
        for (f, e) in found.to_f64().into_iter().zip(expected.to_f64()) {
            assert!((f - e).abs() <= 1e-11 * (1.0 + e.abs()), "@{name}: found {f}, expected {e}");
        }
    }
}

/// Returns the power of n with which the work of a function grows between two sizes.
fn exponent(program: &Program, name: &str, sizes: [usize; 2]) -> f64 {
    let work = |n: usize| evaluate(program, name, n).1;
    let (small, large) = (work(sizes[0]), work(sizes[1]));
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).ln() / (sizes[1] as f64 / sizes[0] as f64).ln() }
}

/// Returns the functions of a text with a growth: the name, the power, and the passes that differentiate it.
fn programs(text: &str) -> Vec<(String, f64, &'static str)> {
    let all = program(text, &[]);
    let growth = |f: Op| f.attribute("growth").and_then(|a| a.as_i64());
    let mut found = Vec::new();
    for function in all.module().child_ops() {
        if let Some(power) = growth(function) {
            let differentiate = if function.to_string().contains("mode reverse") { REVERSE } else { FORWARD };
            found.push((function.symbol().expect("a function has a name"), power as f64, differentiate));
        }
    }
    found
}

/// Asserts the growth and the values of all programs of a text. Returns the number of programs, and the number of those
/// whose work grows by a higher power before optimisation.
fn check(text: &str) -> (usize, usize) {
    let before = [FORWARD, REVERSE].map(|d| (d, program(text, &[d])));
    let after = [FORWARD, REVERSE].map(|d| (d, program(text, &[d, OPTIMISE])));
    let by = |all: &'_ [(&str, Program); 2], d: &str| usize::from(all[0].0 != d);
    let (mut count, mut improved) = (0, 0);
    for (name, growth, differentiate) in programs(text) {
        let before = &before[by(&before, differentiate)].1;
        let after = &after[by(&after, differentiate)].1;
        let found = exponent(after, &name, [12, 24]);
        assert!(found <= growth + TOLERANCE, "@{name}: n^{found:.2} instead of n^{growth}\n{text}");
        improved += usize::from(exponent(before, &name, [4, 8]) > growth + 0.5);
        count += 1;
        assert_close(&name, &evaluate(after, &name, 5).0, &evaluate(before, &name, 5).0);
    }
    (count, improved)
}

#[test]
fn forward_mode_and_rewriting_reach_the_growth_of_the_vectors() {
    let (count, improved) = check(PROGRAMS);
    assert!(count >= 28, "only {count} programs");
    assert!(improved >= 22, "only {improved} programs cost a power more before");
}

/// Splits `%z = op %a, %b…` into its parts.
fn binary(line: &str) -> Option<[&str; 5]> {
    let (z, rest) = line.trim().split_once(" = ")?;
    let (op, rest) = rest.split_once(' ')?;
    let (a, rest) = rest.split_once(", ")?;
    let end = rest.find(' ')?;
    Some([z, op, a, &rest[..end], &rest[end..]])
}

fn commutes(op: &str) -> bool {
    ["arith.addf", "arith.mulf", "arith.addi", "arith.muli"].contains(&op)
}

/// Returns a text with the operands of commutative ops exchanged, comparisons mirrored, and all values renamed.
fn permuted(text: &str) -> String {
    let turn = |line: &str| {
        match binary(line) {
            // Here the first operand is the predicate, and the rest starts with the third.
            Some([z, op @ "arith.cmpf", "ogt", x, rest]) => {
                let (y, ty) = rest.trim_start().split_once(' ').expect("a type follows");
                format!("{z} = {op} olt, {y}, {}{ty}", x.replace(',', " "))
            }
            Some([z, op, a, b, rest]) if commutes(op) => format!("{z} = {op} {b}, {a}{rest}"),
            _ => line.to_string(),
        }
    };
    let lines: Vec<String> = text.lines().map(turn).collect();
    lines.join("\n").replace('%', "%another_")
}

/// Rewrites (a ∘ b) ∘ c to a ∘ (b ∘ c), wherever the inner one is used once, in the next line.
fn associated(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for k in 1..lines.len() {
        let (above, here) = (lines[k - 1].clone(), lines[k].clone());
        let (Some([t, op, a, b, rest]), Some([z, op2, x, y, rest2])) = (binary(&above), binary(&here)) else {
            continue;
        };
        let other = if x == t { y } else { x };
        // Names belong to one function: `%t` may be another value elsewhere.
        let used_later = lines[k + 1..].iter().take_while(|l| *l != "}").any(|l| {
            l.match_indices(t).any(|(at, _)| !l[at + t.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        if op == op2 && commutes(op) && rest == rest2 && (x == t) != (y == t) && !used_later {
            lines[k - 1] = format!("{t} = {op} {b}, {other}{rest}");
            lines[k] = format!("{z} = {op} {a}, {t}{rest}");
        }
    }
    lines.join("\n")
}

/// Returns each scalar function as a part of a larger one, which is differentiated in its place.
fn enlarged(text: &str) -> String {
    let (mut large, mut names) = (String::new(), Vec::new());
    for line in text.lines() {
        let Some((name, rest)) = line.strip_prefix("func.func private @").and_then(|l| l.split_once('(')) else {
            continue;
        };
        let Some(inputs) = rest.strip_suffix(") -> f64 {") else { continue };
        let (values, types): (Vec<&str>, Vec<&str>) = inputs.split(", ").filter_map(|i| i.split_once(": ")).unzip();
        let (values, types) = (values.join(", "), types.join(", "));
        names.push(name);
        large += &format!(
            "func.func private @{name}_large({inputs}) -> f64 {{\n  %half = arith.constant 0.5 : f64\n  \
             %part = func.call @{name}({values}) : ({types}) -> f64\n  %twice = arith.addf %part, %part : f64\n  \
             %e = math.exp %half : f64\n  %all = arith.mulf %e, %twice : f64\n  return %all : f64\n}}\n"
        );
    }
    let mut text = text.to_string();
    for name in names {
        text = text.replace(&format!("dual.grad @{name}("), &format!("dual.grad @{name}_large("));
    }
    text + "\n" + &large
}

#[test]
fn variants_of_the_programs_reach_it_too() {
    for (kind, variant) in
        [("permuted", permuted(PROGRAMS)), ("re-associated", associated(PROGRAMS)), ("enlarged", enlarged(PROGRAMS))]
    {
        assert_ne!(variant, PROGRAMS);
        let (count, improved) = check(&variant);
        println!("{kind}: {count} programs, {improved} improved by a power");
        assert!(count >= 28 && improved >= 22, "{kind}: {count} programs, {improved} improved by a power");
    }
}

/// The result does not depend on the order of the columns and the points, or on the names of parameters.
#[test]
fn jacobians_of_bundle_adjustment_compute_what_columns_share_once() {
    let [naive, optimised] =
        [&[FORWARD_INLINED][..], &[FORWARD_INLINED, OPTIMISE]].map(|pipelines| program(BUNDLE_ADJUSTMENT, pipelines));
    let mut count = 0;
    for function in program(BUNDLE_ADJUSTMENT, &[]).module().child_ops() {
        let Some(units) = function.attribute("units").and_then(|a| a.as_i64()) else { continue };
        let name = function.symbol().expect("a function has a name");
        let work = |program: &Program, n: usize| evaluate(program, &name, n).1;
        let [few, more, most] = [8, 16, 32].map(|n| work(&optimised, n));
        let each = (more - few) / 8.0;
        println!("@{name}: {each} operations a point, {} before", (work(&naive, 4) - work(&naive, 2)) / 2.0);
        assert!(each <= units as f64, "@{name}: {each} operations a point, more than {units}");
        assert!((most - more) / 16.0 <= each, "@{name}: not linear: {few}, {more}, {most} for 8, 16, 32 points");
        assert_close(&name, &evaluate(&optimised, &name, 5).0, &evaluate(&naive, &name, 5).0);
        count += 1;
    }
    assert!(count >= 7, "only {count} programs");
}
