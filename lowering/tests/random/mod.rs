//! Tests on random programs over arrays. Four results agree: that of the evaluator, of the compiled code, of the
//! compiled code after `egg-optimize`, and of the code of GPU kernels, which is run on the CPU.
//!
//! A failure prints the seed and the program. `MLOPT_SEED` repeats one seed, `MLOPT_CASES` sets the number of cases.

mod bulk;
mod program;
mod regions;
mod scalar;

use crate::common::*;
use melior::ir::Module;
use mlopt_cases::{Failures, seeds};
use mlopt_dialects::bridge::Options;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines;
use mlopt_runtime::code::Compiled;
use program::*;

/// Generates `@f(%x: (n), %y: (n, 3), %z: (3, 1), %w: (m), %i: (m), %q: (n, m) of f32, %a, %k, %n, %m)`.
fn program(seed: u64) -> String {
    let mut g = Generator::new(seed);
    let (n, m) = (Size::Named("%n".into()), Size::Named("%m".into()));
    let (three, one) = (Size::Static(3), Size::Static(1));
    let arguments = [
        ("%x", Type::of(std::slice::from_ref(&n), F64)),
        ("%y", Type::of(&[n.clone(), three.clone()], F64)),
        ("%z", Type::of(&[three, one], F64)),
        ("%w", Type::of(std::slice::from_ref(&m), F64)),
        ("%i", Type::of(std::slice::from_ref(&m), Index)),
        ("%q", Type::of(&[n, m], F32)),
        ("%a", Type::scalar(F64)),
        ("%k", Type::scalar(Index)),
        ("%n", Type::scalar(Index)),
        ("%m", Type::scalar(Index)),
    ];
    let parameters = joined(&arguments, |(v, t)| format!("{v}: {}", t.text()));
    for (name, ty) in arguments {
        if !g.classic || ty.rank() == 0 || ty.element == F64 {
            g.know(name.into(), ty);
        }
    }
    let ops = 4 + g.random(16);
    g.block(ops, 0);
    let results: Vec<Known> = (0..1 + g.random(3)).map(|_| g.pick(|t| t.element != I1).expect("arguments")).collect();
    let (names, types) = (joined(&results, |r| r.name.clone()), joined(&results, |r| r.ty.text()));
    let helper = "func.func private @helper(%a: f64, %b: f64) -> f64 {
  %c = arith.mulf %a, %b : f64
  %d = math.tanh %c : f64
  return %d : f64
}
";
    let helper = if g.helper { helper } else { "" };
    format!("{helper}func.func @f({parameters}) -> ({types}) {{\n{}return {names} : {types}\n}}\n", g.text)
}

fn arguments(n: usize, m: usize, seed: u64) -> Vec<Array> {
    vec![
        array(seed, &[n]),
        array(seed + 1, &[n, 3]),
        array(seed + 2, &[3, 1]),
        array(seed + 3, &[m]),
        Array::new(vec![m], Data::Index((0..m as i64).map(|i| (i * 5 + seed as i64) % 7 - 1).collect())),
        Array::new(vec![n, m], Data::F32(random(seed + 4, n * m).into_iter().map(|x| x as f32).collect())),
        Array::f64(0.7),
        index(seed as i64 % 5 - 1),
        index(n as i64),
        index(m as i64),
    ]
}

/// Runs `egg-optimize`.
fn optimize(module: mlopt_lowering::ir::Op) -> Result<bool, String> {
    let Some(pass) = mlopt_passes::PASSES.iter().find(|p| p.name == "egg-optimize") else { return Ok(false) };
    module.context().load_dialects(pass.dialects);
    for function in module.child_ops() {
        if function.name() == pass.anchor {
            (pass.run)(function, &Options::initial(pass)).map_err(|_| "egg-optimize failed".to_string())?;
        }
    }
    if !module.verify() {
        return Err("egg-optimize made a module that does not verify".into());
    }
    Ok(true)
}

/// A way of compiling a program.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Code,
    Optimized,
    /// Via kernels for a GPU.
    Kernels {
        backwards: bool,
    },
}

fn check(seed: u64, target: &Target) -> Result<(), String> {
    let source = program(seed);
    let context = context();
    let Some(original) = Module::parse(&context, &source) else {
        return Err("the generator made a program that does not parse".into());
    };
    if !module_op(&original).verify() {
        return Err("the generator made a program that does not verify".into());
    }
    let mut ways = vec![Way::Code, Way::Kernels { backwards: seed.is_multiple_of(2) }];
    if Generator::new(seed).classic {
        ways.push(Way::Optimized);
    }
    for way in ways {
        let lowered = parse(&context, &source);
        target.describe(module_op(&lowered));
        pipelines::prepare(module_op(&lowered));
        if way == Way::Optimized && !optimize(module_op(&lowered))? {
            continue;
        }
        match way {
            Way::Kernels { backwards } => lower_kernels(module_op(&lowered), backwards)?,
            _ => lower(module_op(&lowered))?,
        }
        let compiled = Compiled::new(module_op(&lowered), target).map_err(|e| e.to_string())?;
        let f = compiled.function("f").map_err(|e| e.to_string())?;
        for (n, m) in [(4, 2), (1, 5), (0, 3), (3, 3)] {
            let args = arguments(n, m, seed);
            let want = Evaluator::new(module_op(&original)).call("f", &args);
            let got = f.call(&args);
            let (want, got) = match (want, got) {
                (Ok(want), Ok(got)) => (want, got),
                (Err(_), _) if n == 0 || m == 0 => continue,
                (want, got) => {
                    let text = |r: &Result<_, String>| r.as_ref().err().cloned().unwrap_or("a result".into());
                    let want = text(&want.map(|_| ()).map_err(|e| e.to_string()));
                    let got = text(&got.map(|_| ()).map_err(|e| e.to_string()));
                    return Err(format!("n = {n}, m = {m}, {way:?}: the evaluator has {want}, the code {got}"));
                }
            };
            let again = f.call(&args).map_err(|e| e.to_string())?;
            // Rows of an empty build have no sizes: in the evaluator they are zero, in the code they are the sizes that
            // the rows would have.
            let empty_rows = (n == 0 || m == 0) && got.iter().zip(&want).any(|(g, w)| g.shape() != w.shape());
            for (k, ((g, w), a)) in got.iter().zip(&want).zip(&again).enumerate() {
                if !empty_rows && let Some(difference) = differs(g, w, 1e-7) {
                    return Err(format!("n = {n}, m = {m}, {way:?}: result {k}: {difference}\ngot  {g:?}\nwant {w:?}"));
                }
                if bits(g) != bits(a) {
                    return Err(format!("n = {n}, m = {m}: result {k} differs in the second call"));
                }
            }
        }
    }
    Ok(())
}

/// Equal NaNs are equal.
fn bits(x: &Array) -> Vec<u64> {
    match x.data() {
        Data::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
        _ => x.to_f64().iter().map(|x| x.to_bits()).collect(),
    }
}

#[test]
fn programs_agree() {
    let target = Target::host().unwrap();
    let mut failures = Failures::default();
    for seed in seeds(1, 150) {
        if let Err(error) = check(seed, &target) {
            failures.add(seed, error, &program(seed));
        }
    }
    failures.end();
}
