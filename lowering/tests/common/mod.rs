//! Functions that the tests share: they create contexts, compile programs, generate values, and compare results with
//! the evaluator.
#![allow(dead_code)]

use melior::{Context, dialect::DialectRegistry, ir::Module};
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::gpu::launches_to_loops;
use mlopt_lowering::gpu::sweeps_to_kernels::THREADS;
use mlopt_lowering::ir::{Op, module_op};
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines;
use mlopt_lowering::sweeps::array_to_sweeps::{self, Blocks};
use mlopt_runtime::code::Compiled;
use std::sync::{Arc, Mutex};

/// Returns a context with every dialect, on one thread.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    mlopt_dialects::bridge::register_dialects(registry.to_raw());
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.enable_multi_threading(false);
    context
}

/// Collects diagnostics instead of printing them.
pub fn diagnostics(context: &Context) -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let sink = text.clone();
    context.attach_diagnostic_handler(move |d| {
        sink.lock().unwrap().push_str(&format!("{d}\n"));
        true
    });
    text
}

pub fn parse<'c>(context: &'c Context, source: &str) -> Module<'c> {
    Module::parse(context, source).unwrap_or_else(|| panic!("does not parse:\n{source}"))
}

type Stage<'a> = (&'a str, &'a dyn Fn(Op) -> bool);

const FIRST: Stage = ("array-to-sweeps", &|m| array_to_sweeps::run(m).is_ok());
const PLAN: Stage = ("plan-memory", &|m| mlopt_lowering::memory::plan_memory::run(m).is_ok());
const PARALLELISE: Stage = ("parallelise", &|m| {
    mlopt_lowering::loops::parallelise::run(m);
    true
});
const LAST: [Stage; 2] = [
    ("sweeps-to-loops", &|m| mlopt_lowering::loops::sweeps_to_loops::run(m).is_ok()),
    ("loops-to-llvm", &|m| mlopt_lowering::llvm::loops_to_llvm::run(m).is_ok()),
];
const KERNELS: [Stage; 2] = [
    ("plan-memory", &|m| mlopt_lowering::memory::plan_memory::run_for(m, THREADS).is_ok()),
    ("sweeps-to-kernels", &|m| mlopt_lowering::gpu::sweeps_to_kernels::run(m).is_ok()),
];

/// Lowers to LLVM, with verification after every pass; prints the failing program.
pub fn lower(module: Op) -> Result<(), String> {
    stages(module, &[&[FIRST, PLAN, PARALLELISE], &LAST[..]].concat())
}

/// Lowers with chains of nests in blocks of `size` indices wherever that is possible.
pub fn lower_blocks(module: Op, size: i64) -> Result<(), String> {
    let first: &dyn Fn(Op) -> bool = &|m| array_to_sweeps::run_with(m, Blocks::Of(size)).is_ok();
    stages(module, &[&[("array-to-sweeps", first), PLAN, PARALLELISE], &LAST[..]].concat())
}

/// Lowers via kernels for a GPU, whose threads are loops on this CPU: in order, or in reverse order. Each launch has
/// `blocks` blocks, or the number in the program if `blocks` is 0.
pub fn lower_kernels(module: Op, backwards: bool, blocks: i64) -> Result<(), String> {
    let launch: &dyn Fn(Op) -> bool = &|m| launches_to_loops::run_in_order(m, backwards, blocks).is_ok();
    stages(module, &[&[FIRST], &KERNELS[..], &[("launches-to-loops", launch)], &LAST[..]].concat())
}

fn stages(module: Op, stages: &[Stage]) -> Result<(), String> {
    pipelines::prepare(module);
    for (name, run) in stages {
        if !run(module) {
            return Err(format!("{name} failed"));
        }
        if std::env::var("MLOPT_PRINT").is_ok() {
            eprintln!("// {name}\n{module}");
        }
        if !module.verify() {
            return Err(format!("{name} made a module that does not verify"));
        }
    }
    Ok(())
}

pub fn compile(module: Op) -> Compiled {
    compile_for(module, &Target::host().unwrap())
}

pub fn compile_for(module: Op, target: &Target) -> Compiled {
    target.describe(module);
    lower(module).unwrap();
    Compiled::new(module, target).unwrap()
}

/// Checks `@f` on each list of arguments: the compiled code, called twice, agrees with the evaluator; and so do
/// kernels. Programs without generated parts are text, with `CALL:` lines.
pub fn agrees(source: &str, cases: &[Vec<Array>]) {
    let context = context();
    let original = parse(&context, source);
    let lowered = parse(&context, source);
    let compiled = compile(module_op(&lowered));
    let f = compiled.function("f").unwrap();
    let kernels: Vec<_> = [(false, 0), (true, 3)]
        .into_iter()
        .map(|(backwards, blocks)| {
            let lowered = parse(&context, source);
            let target = Target::host().unwrap();
            target.describe(module_op(&lowered));
            lower_kernels(module_op(&lowered), backwards, blocks).unwrap_or_else(|e| panic!("{e}\n{source}"));
            Compiled::new(module_op(&lowered), &target).unwrap().function("f").unwrap()
        })
        .collect();
    for args in cases {
        let want = Evaluator::new(module_op(&original)).call("f", args).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let before = args.clone();
        for round in 0..2 {
            let got = f.call(args).unwrap_or_else(|e| panic!("{e}\n{source}"));
            assert_eq!(got.len(), want.len());
            for (k, (g, w)) in got.iter().zip(&want).enumerate() {
                if let Some(difference) = differs(g, w, 1e-9) {
                    panic!("result {k}, call {round}: {difference}\ngot  {g:?}\nwant {w:?}\nargs {args:?}\n{source}");
                }
            }
        }
        assert_eq!(format!("{before:?}"), format!("{args:?}"), "inputs are not written");
        let done: Vec<_> = kernels.iter().map(|f| f.call(args).unwrap_or_else(|e| panic!("{e}\n{source}"))).collect();
        let [first, last] = &done[..] else { unreachable!("there are two") };
        for (k, (g, w)) in first.iter().zip(&want).enumerate() {
            if let Some(difference) = differs(g, w, 1e-9) {
                panic!("kernels, result {k}: {difference}\ngot  {g:?}\nwant {w:?}\nargs {args:?}\n{source}");
            }
        }
        // The results are compared as text, in which NaN equals NaN.
        assert_eq!(format!("{first:?}"), format!("{last:?}"), "the order of threads decides\n{source}");
        assert_eq!(format!("{before:?}"), format!("{args:?}"), "inputs are not written");
    }
}

/// Returns the first difference beyond rounding; integers must be equal.
pub fn differs(got: &Array, want: &Array, tolerance: f64) -> Option<String> {
    if got.element() != want.element() {
        return Some(format!("element type {} instead of {}", got.element(), want.element()));
    }
    if got.shape() != want.shape() && !(got.is_empty() && want.is_empty() && got.rank() == want.rank()) {
        return Some(format!("shape {:?} instead of {:?}", got.shape(), want.shape()));
    }
    let tolerance = match got.element() {
        Element::BF16 => tolerance.max(2e-2),
        Element::F16 => tolerance.max(3e-3),
        Element::F32 => tolerance.max(1e-4),
        _ => tolerance,
    };
    for (i, (g, w)) in got.to_f64().into_iter().zip(want.to_f64()).enumerate() {
        let same = g == w || (g.is_nan() && w.is_nan());
        // A NaN on one side only does not match.
        let close = got.element().is_float() && (g - w).abs() <= tolerance * (1.0 + w.abs());
        if !same && !close {
            return Some(format!("element {i}: {g} instead of {w}"));
        }
    }
    None
}

/// Returns the number of floating-point numbers between two, each in the order of its bits; NaN is adjacent to NaN
/// only.
fn distance(a: i64, b: i64, nan: (bool, bool)) -> u64 {
    let ordered = |bits: i64| if bits < 0 { i64::MIN - bits } else { bits };
    match nan {
        (true, true) => 0,
        (false, false) => ordered(a).abs_diff(ordered(b)),
        _ => u64::MAX,
    }
}

pub fn distance_f64(a: f64, b: f64) -> u64 {
    distance(a.to_bits() as i64, b.to_bits() as i64, (a.is_nan(), b.is_nan()))
}

pub fn distance_f32(a: f32, b: f32) -> u64 {
    let bits = |x: f32| i64::from(x.to_bits() as i32) << 32;
    distance(bits(a), bits(b), (a.is_nan(), b.is_nan())) >> 32
}

/// Returns numbers in [-2, 2), the same for the same seed.
pub fn random(seed: u64, n: usize) -> Vec<f64> {
    let mut s = seed.wrapping_mul(0x9E3779B97F4A7C15) | 1;
    (0..n)
        .map(|_| {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 11) as f64 / (1u64 << 53) as f64 * 4.0 - 2.0
        })
        .collect()
}

pub fn array(seed: u64, shape: &[usize]) -> Array {
    Array::new(shape.to_vec(), Data::F64(random(seed, shape.iter().product())))
}

pub fn index(i: i64) -> Array {
    Array::index(i)
}
