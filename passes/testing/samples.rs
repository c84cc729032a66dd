//! Functions that the tests on random programs share: parsing of programs, arguments for the programs of `programs/`,
//! and reports of failures. Tests include this file by its path.

use super::programs;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_passes::analysis::shrink;
use std::fmt::Debug;
use std::sync::Once;

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
}

pub fn parse(text: &str) -> Program {
    register();
    Program::parse(text.as_bytes(), "test").unwrap_or_else(|_| panic!("does not parse:\n{text}"))
}

/// Runs a pipeline. Its diagnostics are part of the failure, and are not printed otherwise: random programs have
/// derivatives that are zero, each with a warning.
pub fn run(program: &Program, pipeline: &str) -> Result<(), Failure> {
    let (outcome, said) = captured(program.module().context(), || program.run_pipeline(pipeline));
    outcome.map_err(|_| Failure::new("the pipeline fails", format!("{pipeline}\n{}", said.join("\n"))))
}

/// The reason for which a program fails a test.
#[derive(Debug)]
pub struct Failure {
    /// The kind of failure, which must stay the same while a program is reduced.
    pub kind: &'static str,
    pub text: String,
}

impl Failure {
    pub fn new(kind: &'static str, text: impl std::fmt::Display) -> Failure {
        Failure { kind, text: text.to_string() }
    }
}

/// Checks the programs of the seeds, each in all variants. Panics with the smallest program that fails in the same way
/// as the shortest failing one.
pub fn check_programs<V: Copy + Debug>(
    seeds: impl IntoIterator<Item = u64>,
    variants: &[V],
    program: impl Fn(u64) -> String,
    mut check: impl FnMut(&str, u64, V) -> Result<(), Failure>,
) {
    let mut failing: Vec<(u64, V)> = Vec::new();
    for seed in seeds {
        let text = program(seed);
        for &variant in variants {
            if check(&text, seed, variant).is_err() {
                failing.push((seed, variant));
            }
        }
    }
    let Some(&(seed, variant)) = failing.iter().min_by_key(|(seed, _)| program(*seed).len()) else { return };
    let (least, failure) = smallest(&program(seed), &mut |text| check(text, seed, variant));
    panic!(
        "{} fail: {failing:?}; seed {seed}, {variant:?}: {}; the smallest program:\n{least}\n{}",
        failing.len(),
        failure.kind,
        failure.text
    );
}

/// Returns the smallest program reduced from `text` that fails `check` in the same way, and its failure.
pub fn smallest(text: &str, check: &mut dyn FnMut(&str) -> Result<(), Failure>) -> (String, Failure) {
    let kind = check(text).expect_err("it has failed before").kind;
    let program = parse(text);
    let mut same = |text: &str| {
        let is_there = text.contains("func.func @f(");
        if is_there { check(text).err().filter(|f| f.kind == kind) } else { None }
    };
    // Without the enclosing `module`, so that a test may add functions.
    let functions = |module: Op| -> String { module.child_ops().iter().map(|op| format!("{op}\n")).collect() };
    let least = shrink::smallest(program.module(), &mut |candidate| same(&functions(candidate)).is_some());
    let text = functions(least);
    least.erase();
    let failure = same(&text).expect("what was kept fails");
    (text, failure)
}

/// Returns a number that differs for each argument and position.
fn noise(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    for _ in 0..3 {
        x ^= x >> 29;
        x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    x >> 11
}

/// Returns an array of numbers in (-1.5, 1.5) or small indices.
pub fn array(element: Element, shape: &[usize], seed: u64) -> Array {
    let len: usize = shape.iter().product();
    let at = |i: usize| noise(seed.wrapping_mul(1009).wrapping_add(i as u64));
    let float = |i: usize| at(i) as f64 / (1u64 << 53) as f64 * 3.0 - 1.5;
    let integer = |i: usize| (at(i) % 8) as i64 - 2;
    let data = match element {
        Element::I1 => Data::I1((0..len).map(|i| at(i) % 2 == 1).collect()),
        _ if element.is_float() => Data::of_f64(element, (0..len).map(float)),
        _ => Data::of_integers(element, (0..len).map(integer)),
    };
    Array::new(shape.to_vec(), data)
}

/// Returns the arguments of `@f` for dynamic sizes `n`, `m` and an extent `k` that may be negative.
pub fn arguments(module: Op, [n, m, k]: [i64; 3], seed: u64) -> Vec<Array> {
    let types: Vec<Type> = module.lookup("f").and_then(Op::function_type).expect("there is `@f`").0;
    programs::ARGUMENTS
        .iter()
        .zip(types)
        .enumerate()
        .map(|(position, ((name, _), ty))| {
            let size = if *name == "%v" || ty.rank() == 3 { m } else { n };
            let shape: Vec<usize> = ty.shape().into_iter().map(|d| d.unwrap_or(size as usize)).collect();
            match *name {
                "%n" => Array::index(n),
                "%m" => Array::index(m),
                "%k" => Array::index(k),
                _ => array(ty.element().expect("an element type"), &shape, seed * 31 + position as u64),
            }
        })
        .collect()
}
