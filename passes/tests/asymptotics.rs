//! Tests of the cost of gradients by forward mode and rewriting, counted by the evaluator. The attribute `growth` in
//! `test/gradients/asymptotics.mlir` and `test/gradients/forward.mlir` states the expected order of growth, and the
//! attribute `units` in `test/gradients/bundle_adjustment.mlir` the expected number of operations per point.

use crate::egg_optimize::PIPELINES;
use crate::measure::{after, assert_close, evaluate};
use crate::sizes::{functions_with_growth, make_static};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use std::collections::BTreeMap;

/// Programs whose functions have a growth, and how they are measured.
#[derive(Clone, Copy)]
struct Programs<'a> {
    text: &'a str,
    /// The least number in the arguments; the greatest is 1.
    least: f64,
    /// The sizes for which values are compared.
    sizes: &'a [usize],
    /// The sizes between which the growth before optimisation is fitted, and by how much its power must be higher to
    /// count as improved.
    before: ([usize; 2], f64),
}

const VECTORS: Programs = Programs {
    text: include_str!("../../test/gradients/asymptotics.mlir"),
    least: 0.1,
    sizes: &[5],
    before: ([4, 8], 0.5),
};
const FORMS: Programs = Programs {
    text: include_str!("../../test/gradients/forward.mlir"),
    least: -1.0,
    sizes: &[0, 1, 2, 7],
    before: ([16, 32], 0.7),
};
const LAYERS: &str = include_str!("../../test/gradients/layers.mlir");
const BUNDLE_ADJUSTMENT: &str = include_str!("../../test/gradients/bundle_adjustment.mlir");

const FORWARD: &str = "builtin.module(jvp)";
/// A scalar argument has one column: a call of the derivative.
const FORWARD_INLINED: &str = "builtin.module(jvp, inline)";
const REVERSE: &str = "builtin.module(bulk-operations, differentiate)";
/// The optimiser with and without saturation.
const DRIVERS: [&str; 2] = [PIPELINES[0], PIPELINES[1]];

/// The maximum excess of the fit over the power, for terms of lower order.
const TOLERANCE: f64 = 0.1;

/// Returns the power of n with which work grows between two sizes.
fn exponent(work: impl Fn(usize) -> f64, [n, m]: [usize; 2]) -> f64 {
    let (small, large) = (work(n), work(m));
    if large == 0.0 { 0.0 } else { (large / small.max(1.0)).ln() / (m as f64 / n as f64).ln() }
}

/// Asserts that the work of a function at a size does not grow by a higher power.
fn assert_growth(name: &str, growth: f64, work: impl Fn(usize) -> f64) {
    let is_cheap = growth < 2.0 || name.starts_with("jacobian_");
    let found = exponent(work, if is_cheap { [64, 128] } else { [16, 32] });
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

/// Asserts the growth and the values of all programs. Returns the number of programs, and the number of those whose
/// work grows by a higher power before optimisation.
fn check(Programs { text, least, sizes, before: (fitted, excess) }: Programs, drivers: &[&str]) -> [usize; 2] {
    let (mut count, mut improved) = (0, 0);
    for (differentiate, in_reverse) in [(FORWARD, false), (REVERSE, true)] {
        let programs = functions(text, in_reverse);
        let before = after(text, &[differentiate]);
        for &driver in drivers {
            let optimised = after(text, &[differentiate, driver]);
            for (name, growth) in &programs {
                assert_growth(name, *growth, |n| evaluate(&optimised, name, n, least).1);
                for &n in sizes {
                    let [found, expected] = [&optimised, &before].map(|p| evaluate(p, name, n, least).0);
                    assert_close(name, &found, &expected);
                }
            }
        }
        count += programs.len();
        let power = |name: &str| exponent(|n| evaluate(&before, name, n, least).1, fitted);
        improved += programs.iter().filter(|(name, growth)| power(name) > growth + excess).count();
    }
    [count, improved]
}

#[test]
fn forward_mode_and_rewriting_reach_the_growth_of_the_vectors() {
    let [count, improved] = check(VECTORS, &DRIVERS);
    assert!(count >= 28, "only {count} programs");
    assert!(improved >= 22, "only {improved} programs cost a power more before");
    let [count, improved] = check(FORMS, &DRIVERS);
    assert!(count >= 26, "only {count} programs");
    // All but the derivatives in a scalar, which are linear before, and the Jacobians of sums, which are quadratic.
    assert!(improved >= 22, "only {improved} programs cost a power more before");
}

#[test]
fn programs_with_static_sizes_reach_it_too() {
    for Programs { text, least, .. } in [VECTORS, FORMS] {
        let programs = functions(text, false);
        let before = after(text, &[FORWARD]);
        let optimised = |n: usize, passes: &str| {
            let program = after(text, &[FORWARD]);
            make_static(&program, n);
            program.run_pipeline(passes).expect("the passes succeed");
            program
        };
        for &passes in PIPELINES {
            let small = optimised(5, passes);
            for (name, _) in &programs {
                let [found, expected] = [&small, &before].map(|p| evaluate(p, name, 5, least).0);
                assert_close(name, &found, &expected);
            }
        }
        for driver in DRIVERS {
            let by_size: BTreeMap<usize, Program> = [16, 32, 64, 128].map(|n| (n, optimised(n, driver))).into();
            // With static sizes, the gradient of the weighted variance in its weights remains quadratic.
            for (name, growth) in programs.iter().filter(|(name, _)| name != "weighted_variance_w") {
                // The gradient of a dot product is one of its arguments.
                let growth = if ["dot_a", "grad_dot_bulk"].contains(&name.as_str()) { 0.0 } else { *growth };
                assert_growth(name, growth, |n| evaluate(&by_size[&n], name, n, least).1);
            }
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
    let text = VECTORS.text;
    for (kind, variant) in
        [("permuted", permuted(text)), ("re-associated", associated(text)), ("enlarged", enlarged(text))]
    {
        assert_ne!(variant, text);
        let [count, improved] = check(Programs { text: &variant, ..VECTORS }, &DRIVERS[..1]);
        println!("{kind}: {count} programs, {improved} improved by a power");
        assert!(count >= 28 && improved >= 22, "{kind}: {count} programs, {improved} improved by a power");
    }
}

/// From 2 to 16 layers the work grows linearly in the depth, and quadratically in the width.
#[test]
fn chains_are_linear_in_depth() {
    let work = |name: &str, n: usize, driver| {
        let text = LAYERS.replace("8x", &format!("{n}x")).replace("< 8", &format!("< {n}"));
        evaluate(&after(&text, &[FORWARD_INLINED, driver]), name, n, -1.0).1
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
        [&[FORWARD_INLINED][..], &[FORWARD_INLINED, DRIVERS[0]]].map(|pipelines| after(BUNDLE_ADJUSTMENT, pipelines));
    let mut count = 0;
    for function in after(BUNDLE_ADJUSTMENT, &[]).module().child_ops() {
        let Some(units) = function.attribute("units").and_then(|a| a.as_i64()) else { continue };
        let name = function.symbol().expect("a function has a name");
        let work = |program: &Program, n: usize| evaluate(program, &name, n, 0.1).1;
        let [few, more, most] = [8, 16, 32].map(|n| work(&optimised, n));
        let each = (more - few) / 8.0;
        println!("@{name}: {each} operations a point, {} before", (work(&naive, 4) - work(&naive, 2)) / 2.0);
        assert!(each <= units as f64, "@{name}: {each} operations a point, more than {units}");
        assert!((most - more) / 16.0 <= each, "@{name}: not linear: {few}, {more}, {most} for 8, 16, 32 points");
        let [found, expected] = [&optimised, &naive].map(|p| evaluate(p, &name, 5, 0.1).0);
        assert_close(&name, &found, &expected);
        count += 1;
    }
    assert!(count >= 7, "only {count} programs");
}
