//! Tests of the rules for data. For each rule, `passes/optimise/rules/data.mlir` contains a function of its name that
//! `egg-optimize` rewrites differently if the rule is disabled, and a function `…_stops` to which the rule does not
//! apply. The optimiser preserves the results of both on random values.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::lambda::eval::Evaluator;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::rules::every;
use mlopt_runtime::values;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../passes/optimise/rules/data.mlir");
const SETS: [&str; 3] = ["data", "data-choice", "expanded"];
const SAMPLES: u64 = 40;

fn parsed() -> Program {
    let text = std::fs::read(CASES).expect("the cases are there");
    Program::parse(&text, "data.mlir").expect("they parse")
}

/// Returns the cases after `egg-optimize` with these rules.
fn optimised(rules: &str) -> Program {
    let program = parsed();
    let passes = format!("builtin.module(func.func(egg-optimize{{code=functions rules={rules}}}))");
    program.run_pipeline(&passes).expect("the pass runs");
    program
}

fn function(program: &Program, name: &str) -> Op {
    program.module().lookup(name).unwrap_or_else(|| panic!("there is no case @{name}"))
}

fn below(n: usize, rng: &mut ChaCha8Rng) -> usize {
    rng.next_u32() as usize % n
}

/// Returns a random value of a type, as text. Zeros, infinities and equal numbers occur.
fn random(ty: Type, rng: &mut ChaCha8Rng) -> String {
    let numbers = ["0.0", "-0.0", "1.5", "-2.25", "3.0", "inf", "0.1", "-7.0"];
    let row = |parts: Vec<String>| parts.join(", ");
    match TypeKind::of(ty) {
        TypeKind::Array(element) if ty.is_tensor() => {
            let n = ty.shape()[0].unwrap_or(3);
            let scalar = ty.context().scalar(element);
            format!("[{}]", row((0..n).map(|_| random(scalar, rng)).collect()))
        }
        TypeKind::Array(Element::I1) => ["true", "false"][below(2, rng)].to_string(),
        TypeKind::Array(element) if element.is_float() => numbers[below(numbers.len(), rng)].to_string(),
        TypeKind::Array(_) => (below(7, rng) as i64 - 3).to_string(),
        TypeKind::Tuple(parts) => format!("({})", row(parts.into_iter().map(|p| random(p, rng)).collect())),
        TypeKind::List(part) => {
            let n = 1 + below(3, rng);
            format!("[{}]", row((0..n).map(|_| random(part, rng)).collect()))
        }
        kind => panic!("no value of {kind:?}"),
    }
}

/// Checks that a function has the same results in two programs.
fn agree(name: &str, before: &Program, after: &Program) {
    let (inputs, _) = function(before, name).function_type().expect("a function");
    for sample in 0..SAMPLES {
        let mut rng = ChaCha8Rng::seed_from_u64(sample);
        let texts: Vec<String> = inputs.iter().map(|ty| random(*ty, &mut rng)).collect();
        let values: Vec<_> = texts.iter().zip(&inputs).map(|(t, ty)| values::parse(t, *ty).expect(t)).collect();
        let [wanted, found] = [before, after].map(|program| {
            let found = Evaluator::new(program.module()).call(name, &values);
            found.map_or_else(|e| e.text, |v| values::print(&v, |a| format!("{a:?}")))
        });
        assert_eq!(wanted, found, "@{name} of {texts:?}");
    }
}

#[test]
fn every_law_changes_its_case_and_keeps_what_it_means() {
    mlopt_lowering::register_passes();
    let (written, all) = (parsed(), optimised("all,expanded"));
    for (_, rule) in every().filter(|(set, _)| SETS.contains(set)) {
        let without = optimised(&format!("all,expanded,-{}", rule.name));
        let [fires, stops] = ["", "_stops"].map(|end| rule.name.replace('-', "_") + end);
        let texts = |name: &str| [&all, &without].map(|p| function(p, name).to_string());
        let [with, other] = texts(&fires);
        assert_ne!(with, other, "{} does nothing in its case", rule.name);
        let [with, other] = texts(&stops);
        assert_eq!(with, other, "{} does something where it must not", rule.name);
        for name in [fires, stops] {
            agree(&name, &written, &all);
        }
    }
}

/// Checks that each law by itself, without other rules, respects its conditions.
#[test]
fn laws_alone_are_stopped_too() {
    mlopt_lowering::register_passes();
    let nothing = optimised("-all");
    for (_, rule) in every().filter(|(set, _)| SETS.contains(set)) {
        let alone = optimised(rule.name);
        let name = rule.name.replace('-', "_") + "_stops";
        let [alone, nothing] = [&alone, &nothing].map(|p| function(p, &name).to_string());
        assert_eq!(alone, nothing, "{} alone does something where it must not", rule.name);
    }
}
