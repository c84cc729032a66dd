//! Tests of the cost of gradients by forward mode and rewriting, counted by the evaluator. The attribute `growth` in
//! `test/gradients/asymptotics.mlir` and `test/gradients/forward.mlir` states the expected order of growth, and the
//! attribute `units` in `test/gradients/bundle_adjustment.mlir` the expected number of operations per point.

use crate::measure::{after, assert_close, evaluate};
use crate::sizes::{functions_with_growth, make_static};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use std::collections::BTreeMap;

const PROGRAMS: &str = include_str!("../../test/gradients/asymptotics.mlir");
const FORMS: &str = include_str!("../../test/gradients/forward.mlir");
const LAYERS: &str = include_str!("../../test/gradients/layers.mlir");
const BUNDLE_ADJUSTMENT: &str = include_str!("../../test/gradients/bundle_adjustment.mlir");

const FORWARD: &str = "builtin.module(jvp)";
/// A scalar argument has one column: a call of the derivative.
const FORWARD_INLINED: &str = "builtin.module(jvp, inline)";
const REVERSE: &str = "builtin.module(bulk-operations, differentiate)";
const OPTIMISE: &str = "builtin.module(func.func(egg-optimize))";
/// The optimiser with and without saturation.
const DRIVERS: [&str; 2] = [OPTIMISE, "builtin.module(func.func(egg-optimize{driver=normalise}))"];

/// The maximum excess of the fit over the power, for terms of lower order.
const TOLERANCE: f64 = 0.1;

/// Returns the power of n with which work grows between two sizes.
fn exponent(work: impl Fn(usize) -> f64, [n, m]: [usize; 2]) -> f64 {
    let (small, large) = (work(n), work(m));
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).ln() / (m as f64 / n as f64).ln() }
}

/// Asserts that the work of a function at a size does not grow by a higher power.
fn assert_growth(name: &str, growth: f64, work: impl Fn(usize) -> f64) {
    let found = exponent(work, if growth < 2.0 { [64, 128] } else { [16, 32] });
    assert!(found <= growth + TOLERANCE, "@{name}: n^{found:.2} instead of n^{growth}");
}

/// Returns the functions of a text with a growth, and its power: those that are differentiated in reverse mode, or the
/// others.
fn functions(text: &str, in_reverse: bool) -> Vec<(String, f64)> {
    let named = |function: Op| {
        let power = function.attribute("growth").and_then(|a| a.as_i64()).expect("a number");
        (function.symbol().expect("a function has a name"), power as f64)
    };
    let is_chosen = |function: &Op| function.to_string().contains("mode reverse") == in_reverse;
    functions_with_growth(&after(text, &[])).into_iter().filter(is_chosen).map(named).collect()
}

/// Asserts the growth of all programs of a text, and their values at the given sizes. Returns the number of programs,
/// and the number of those whose work grows by a higher power before optimisation.
fn check(text: &str, drivers: &[&str], sizes: &[usize]) -> [usize; 2] {
    let (mut count, mut improved) = (0, 0);
    for (differentiate, in_reverse) in [(FORWARD, false), (REVERSE, true)] {
        let programs = functions(text, in_reverse);
        let before = after(text, &[differentiate]);
        for &driver in drivers {
            let optimised = after(text, &[differentiate, driver]);
            for (name, growth) in &programs {
                assert_growth(name, *growth, |n| evaluate(&optimised, name, n).1);
                for &n in sizes {
                    assert_close(name, &evaluate(&optimised, name, n).0, &evaluate(&before, name, n).0);
                }
            }
        }
        count += programs.len();
        let costs_more = |name: &str, growth: f64| exponent(|n| evaluate(&before, name, n).1, [4, 8]) > growth + 0.5;
        improved += programs.iter().filter(|(name, growth)| costs_more(name, *growth)).count();
    }
    [count, improved]
}

#[test]
fn forward_mode_and_rewriting_reach_the_growth_of_the_vectors() {
    let [count, improved] = check(PROGRAMS, &DRIVERS, &[5]);
    assert!(count >= 28, "only {count} programs");
    assert!(improved >= 22, "only {improved} programs cost a power more before");
    let [count, improved] = check(FORMS, &DRIVERS, &[0, 1, 2, 7]);
    assert!(count >= 26, "only {count} programs");
    assert!(improved >= 20, "only {improved} programs cost a power more before");
}

#[test]
fn programs_with_static_sizes_reach_it_too() {
    for (text, driver) in [PROGRAMS, FORMS].into_iter().flat_map(|text| DRIVERS.map(|driver| (text, driver))) {
        let optimised = |n| {
            let program = after(text, &[FORWARD]);
            make_static(&program, n);
            program.run_pipeline(driver).expect("the pass succeeds");
            (n, program)
        };
        let by_size: BTreeMap<usize, Program> = [16, 32, 64, 128].map(optimised).into();
        // With static sizes, the gradient of the weighted variance in its weights remains quadratic.
        for (name, growth) in functions(text, false).into_iter().filter(|f| f.0 != "weighted_variance_w") {
            assert_growth(&name, growth, |n| evaluate(&by_size[&n], &name, n).1);
        }
    }
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
        let [count, improved] = check(&variant, &[OPTIMISE], &[5]);
        println!("{kind}: {count} programs, {improved} improved by a power");
        assert!(count >= 28 && improved >= 22, "{kind}: {count} programs, {improved} improved by a power");
    }
}

/// From 2 to 16 layers the work grows linearly in the depth, and quadratically in the width.
#[test]
fn chains_are_linear_in_depth() {
    let work = |name: &str, n: usize, driver| {
        let text = LAYERS.replace("8x", &format!("{n}x")).replace("< 8", &format!("< {n}"));
        evaluate(&after(&text, &[FORWARD_INLINED, driver]), name, n).1
    };
    for driver in DRIVERS {
        let [two, four, sixteen] = ["two", "four", "sixteen"].map(|name| work(name, 8, driver));
        let layer = (four - two) / 2.0;
        assert!(sixteen <= 1.05 * (four + 12.0 * layer), "2, 4, 16 layers: {two}, {four}, {sixteen} operations");
        assert_growth("four", 2.0, |n| work("four", n, driver));
    }
}

/// The result does not depend on the order of the columns and the points, or on the names of parameters.
#[test]
fn jacobians_of_bundle_adjustment_compute_what_columns_share_once() {
    let [naive, optimised] =
        [&[FORWARD_INLINED][..], &[FORWARD_INLINED, OPTIMISE]].map(|pipelines| after(BUNDLE_ADJUSTMENT, pipelines));
    let mut count = 0;
    for function in after(BUNDLE_ADJUSTMENT, &[]).module().child_ops() {
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
