//! Tests of GPU kernels: elementary functions, for which devices have no library, are accurate, and results do not
//! depend on the number of threads and their order. `test/gpu/` contains tests of the text of kernels and of rejected
//! programs; `test/machine_code/` runs kernels.

use crate::common::*;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::gpu::kernels_to_nvvm;
use mlopt_lowering::gpu::sweeps_to_kernels;
use mlopt_lowering::gpu::sweeps_to_kernels::THREADS;
use mlopt_lowering::ir::{Op, module_op};
use mlopt_lowering::llvm::loops_to_llvm;
use mlopt_lowering::loops::sweeps_to_loops;
use mlopt_lowering::memory::plan_memory;
use mlopt_lowering::native::{Device, Target, device_code};
use mlopt_lowering::pipelines;
use mlopt_lowering::sweeps::array_to_sweeps;
use mlopt_runtime::code::Compiled;

/// Returns the PTX of a program, or the diagnostics.
fn ptx(source: &str) -> Result<String, String> {
    let context = context();
    let module = parse(&context, source);
    let said = diagnostics(&context);
    let op = module_op(&module);
    pipelines::prepare(op);
    let lowered = array_to_sweeps::run(op)
        .and_then(|()| plan_memory::run_for(op, THREADS))
        .and_then(|()| sweeps_to_kernels::run(op))
        .and_then(|()| sweeps_to_loops::run(op))
        .and_then(|()| kernels_to_nvvm::run(op));
    if lowered.is_err() {
        return Err(said.lock().unwrap().clone());
    }
    assert!(op.verify(), "{op}");
    let code = device_code(op, "sm_90", Device::Ptx).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(code).unwrap())
}

/// Functions of the C library that Rust's library computes by formulas of its own.
#[allow(unsafe_code)]
mod c {
    unsafe extern "C" {
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
    }
}

type Reference = fn(f64, f64) -> f64;

/// The `math` op, the number of operands, the C library's function, and the maximum error in units in the last place.
const FUNCTIONS: &[(&str, usize, Reference, u64)] = &[
    ("acos", 1, |x, _| x.acos(), 2),
    ("acosh", 1, |x, _| c::acosh(x), 2),
    ("asin", 1, |x, _| x.asin(), 2),
    ("asinh", 1, |x, _| c::asinh(x), 2),
    ("atan", 1, |x, _| x.atan(), 2),
    ("atan2", 2, f64::atan2, 3),
    ("atanh", 1, |x, _| c::atanh(x), 3),
    ("cbrt", 1, |x, _| x.cbrt(), 2),
    ("cos", 1, |x, _| x.cos(), 2),
    ("cosh", 1, |x, _| x.cosh(), 3),
    ("exp", 1, |x, _| x.exp(), 2),
    ("exp2", 1, |x, _| x.exp2(), 2),
    ("expm1", 1, |x, _| x.exp_m1(), 3),
    ("log", 1, |x, _| x.ln(), 2),
    ("log10", 1, |x, _| x.log10(), 2),
    ("log1p", 1, |x, _| x.ln_1p(), 2),
    ("log2", 1, |x, _| x.log2(), 2),
    ("powf", 2, f64::powf, 2),
    ("sin", 1, |x, _| x.sin(), 2),
    ("sinh", 1, |x, _| x.sinh(), 4),
    ("tan", 1, |x, _| x.tan(), 3),
    ("tanh", 1, |x, _| x.tanh(), 4),
];

/// Returns `@f_NAME`, which applies one function to each element of one or two arrays.
fn functions(ty: &str) -> String {
    let one = |(name, arity, ..): &(&str, usize, Reference, u64)| {
        let operands = if *arity == 2 { "%x, %y" } else { "%x" };
        format!(
            "func.func @f_{name}(%x: tensor<?x{ty}>, %y: tensor<?x{ty}>) -> tensor<?x{ty}> {{
  %z = math.{name} {operands} : tensor<?x{ty}>
  return %z : tensor<?x{ty}>
}}
"
        )
    };
    FUNCTIONS.iter().map(one).collect()
}

/// Returns samples with all exponents and both signs, in the range where the functions vary, and at its ends.
fn samples() -> Vec<f64> {
    let bits = |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    let mut xs: Vec<f64> = (0..20_000).map(|k| f64::from_bits(bits(k))).collect();
    for scale in [1e-9, 1e-3, 0.1, 0.5, 1.0, 5.0, 60.0, 375.0, 1e6, 1e12] {
        xs.extend(random(7, 10_000).iter().map(|x| x * scale));
    }
    xs.extend((-2000..2000).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_4));
    xs.extend((-40..40).map(f64::from));
    let ends = [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 0.5, 1.0, 700.0, 710.0, f64::MAX, f64::INFINITY, f64::NAN];
    for x in ends {
        xs.extend([x, -x, f64::from_bits(x.to_bits() + 1), f64::from_bits(x.to_bits().wrapping_sub(1))]);
    }
    xs
}

fn compiled_without_library(source: &str) -> Compiled {
    let context = context();
    let module = parse(&context, source);
    let op = module_op(&module);
    let target = Target::host().unwrap();
    target.describe(op);
    pipelines::prepare(op);
    array_to_sweeps::run(op).unwrap();
    plan_memory::run(op).unwrap();
    sweeps_to_loops::run(op).unwrap();
    loops_to_llvm::run_with(op, false).unwrap();
    assert!(!op.nested_ops().iter().any(|op| op.name() == "llvm.call" && op.symbol().is_none() && is_library(*op)));
    Compiled::new(op, &target).unwrap()
}

/// Checks whether an op calls a function without a body.
fn is_library(call: Op) -> bool {
    let name = call.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default();
    call.module().and_then(|m| m.lookup(&name)).is_some_and(|f| f.body().is_none())
}

#[test]
fn maths_without_a_library() {
    let code = compiled_without_library(&functions("f64"));
    let xs = samples();
    let mut ys = xs.clone();
    ys.rotate_left(12_347);
    // Pairs of extreme values, and relevant powers.
    let (mut ps, mut qs) = (xs.clone(), ys.clone());
    let ends = [0.0, 0.5, 1.0, 2.0, 3.0, 1e300, f64::INFINITY, f64::NAN, 5e-324, 9007199254740993.0, 1.0000000001];
    for x in ends.iter().flat_map(|x| [*x, -x]) {
        for y in ends.iter().flat_map(|y| [*y, -y]) {
            ps.push(x);
            qs.push(y);
        }
    }
    ps.extend(random(3, 20_000).iter().map(|x| (x * 3.0).exp()));
    qs.extend(random(4, 20_000).iter().map(|x| x * 60.0));
    let mut wrong = Vec::new();
    for (name, arity, reference, bound) in FUNCTIONS {
        let (a, b) = if *arity == 2 { (&ps, &qs) } else { (&xs, &ys) };
        let z = code.function(&format!("f_{name}")).unwrap().call(&[Array::vector(a), Array::vector(b)]).unwrap()[0]
            .to_f64();
        let mut worst = (0, 0.0, 0.0, 0.0, 0.0);
        for ((x, y), z) in a.iter().zip(b).zip(z) {
            let want = reference(*x, *y);
            if matches!(*name, "sin" | "cos" | "tan") && x.abs() > 2f64.powi(53) {
                let close = (z - want).abs() <= 2f64.powi(-52) + 2f64.powi(-155) * x.abs();
                let fits = if x.abs() < 2f64.powi(128) { close || *name == "tan" } else { z.is_nan() };
                assert!(fits, "{name}({x:e}) = {z:e}, not {want:e}");
                continue;
            }
            let signs = z == 0.0 && want == 0.0 && z.is_sign_negative() != want.is_sign_negative();
            let off = if signs { u64::MAX } else { distance_f64(z, want) };
            if off > worst.0 {
                worst = (off, *x, *y, z, want);
            }
        }
        println!("{name}: {} ulp", worst.0);
        if worst.0 > *bound {
            wrong.push(format!(
                "{name}({:e}, {:e}) = {:e}, not {:e}: {} ulp",
                worst.1, worst.2, worst.3, worst.4, worst.0
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn narrow_maths_without_a_library() {
    let code = compiled_without_library(&functions("f32"));
    let xs: Vec<f32> = samples().iter().map(|x| *x as f32).collect();
    let mut ys = xs.clone();
    ys.rotate_left(12_347);
    let f32s = |v: &[f32]| Array::new(vec![v.len()], Data::F32(v.to_vec()));
    for (name, _, reference, bound) in FUNCTIONS {
        let z = code.function(&format!("f_{name}")).unwrap().call(&[f32s(&xs), f32s(&ys)]).unwrap()[0].to_f64();
        for ((x, y), z) in xs.iter().zip(&ys).zip(z) {
            let want = reference(f64::from(*x), f64::from(*y)) as f32;
            let close = f64::from(want.abs()) * f64::from(f32::EPSILON) * *bound as f64 + 1e-44;
            let same = z == f64::from(want) || z.is_nan() && want.is_nan() || (z - f64::from(want)).abs() <= close;
            // Close to a pole or a zero.
            let large = matches!(*name, "sin" | "cos" | "tan") && x.abs() > 1e16;
            let large = large && (*name == "tan" || (z - f64::from(want)).abs() < 1e-7);
            assert!(same || large, "{name}({x:e}, {y:e}) = {z:e}, not {want:e}");
        }
    }
}

#[test]
fn every_function_is_ptx() {
    for ty in ["f64", "f32"] {
        let text = ptx(&functions(ty)).unwrap();
        assert_eq!(text.matches(".visible .entry").count(), 2 * FUNCTIONS.len());
        assert!(!text.contains(".extern"));
    }
}

/// The same bits with 1, 5 or the default number of blocks, forwards and backwards.
#[test]
fn numbers_do_not_depend_on_threads() {
    let context = context();
    let n = 1000;
    let keys = Array::new(vec![n], Data::Index((0..n as i64).map(|i| i * 5 % 9 - 1).collect()));
    let args = [array(1, &[n]), keys, index(40)];
    let mut seen: Option<String> = None;
    for (backwards, blocks) in [(false, 0), (true, 0), (false, 1), (true, 5)] {
        let module = parse(&context, include_str!("../../test/machine_code/threads.mlir"));
        let op = module_op(&module);
        let target = Target::host().unwrap();
        target.describe(op);
        lower_kernels(op, backwards, blocks).unwrap();
        let f = Compiled::new(op, &target).unwrap().function("f").unwrap();
        let found = format!("{:?}", f.call(&args).unwrap());
        match &seen {
            None => seen = Some(found),
            Some(first) => assert_eq!(first, &found, "backwards {backwards}, {blocks} blocks"),
        }
    }
}
