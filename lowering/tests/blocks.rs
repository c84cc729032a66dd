//! Tests of chains of nests that are executed block by block: random chains over a long axis, in blocks of any size,
//! are compared with the evaluator.
//!
//! A failure prints the seed and the program. `MLOPT_SEED` repeats one seed, `MLOPT_CASES` sets the number of cases.

use crate::common::*;
use melior::ir::Module;
use mlopt_cases::{Failures, Xorshift, seeds};
use mlopt_dialects::eval::Evaluator;
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines;
use mlopt_lowering::sweeps::array_to_sweeps::{self, Blocks};
use mlopt_runtime::code::Compiled;

/// The long axis, and a short one.
const N: usize = 7;
const K: usize = 3;

/// A chain under construction.
struct Chain {
    random: Xorshift,
    text: String,
    count: usize,
    /// Arrays by shape: (n), (k), (n, k), (k, n), (k, k).
    known: [Vec<String>; 5],
}

const SHAPES: [&[usize]; 5] = [&[N], &[K], &[N, K], &[K, N], &[K, K]];

fn ty(shape: usize) -> String {
    let sizes: String = SHAPES[shape].iter().map(|n| format!("{n}x")).collect();
    format!("tensor<{sizes}f64>")
}

impl Chain {
    fn random(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn pick(&mut self, shape: usize) -> String {
        // Recent arrays are picked most often, which creates chains.
        let n = self.known[shape].len();
        let back = self.random(n).min(self.random(n));
        self.known[shape][n - 1 - back].clone()
    }

    fn line(&mut self, shape: usize, op: &str) {
        let name = format!("%v{}", self.count);
        self.count += 1;
        self.text += &format!("  {name} = {op}\n");
        self.known[shape].push(name);
    }

    fn op(&mut self) {
        let (rows, table) = (ty(0), ty(2));
        match self.random(11) {
            0 | 1 => {
                let shape = self.random(5);
                let (x, y) = (self.pick(shape), self.pick(shape));
                let name = ["addf", "subf", "mulf", "maximumf"][self.random(4)];
                self.line(shape, &format!("arith.{name} {x}, {y} : {}", ty(shape)));
            }
            2 => {
                let shape = self.random(5);
                let x = self.pick(shape);
                let name = ["tanh", "cos", "atan"][self.random(3)];
                self.line(shape, &format!("math.{name} {x} : {}", ty(shape)));
            }
            3 => {
                let x = self.pick(2);
                let name = ["sum", "max", "min"][self.random(3)];
                self.line(0, &format!("array.{name} {x} axes [1] : ({table}) -> {rows}"));
            }
            4 => {
                let x = self.pick(3);
                self.line(0, &format!("array.sum {x} : ({}) -> {rows}", ty(3)));
            }
            5 => {
                let x = self.pick(0);
                self.line(3, &format!("array.replicate {x} : ({rows}) -> {}", ty(3)));
            }
            6 => {
                let x = self.pick(1);
                self.line(2, &format!("array.replicate {x} : ({}) -> {table}", ty(1)));
            }
            7 => {
                let (from, to) = if self.random(2) == 0 { (2, 3) } else { (3, 2) };
                let x = self.pick(from);
                self.line(to, &format!("array.transpose {x} [1, 0] : ({}) -> {}", ty(from), ty(to)));
            }
            // z[p, i] = Σ_j q[i, j] x[p, j], possibly under a condition.
            8 => {
                let (q, x) = (self.pick(4), self.pick(2));
                let (t, u) = (ty(4), ty(1));
                self.line(
                    2,
                    &format!(
                        "array.build (%p < {N}, %i < {K}) -> ({table}) {{
    %terms = array.build (%j < {K}) -> ({u}) {{
      %a = array.get {q}[%i, %j] : ({t}) -> f64
      %b = array.get {x}[%p, %j] : ({table}) -> f64
      %m = arith.mulf %a, %b : f64
      array.yield %m : f64
    }}
    %s = array.sum %terms : ({u}) -> f64
    array.yield %s : f64
  }}"
                    ),
                );
            }
            // Neighbours along the long axis: they cannot be in one block, and elements outside are zeros.
            9 => {
                let x = self.pick(0);
                self.line(
                    0,
                    &format!(
                        "array.build (%p < {N}) -> ({rows}) {{
    %c1 = arith.constant 1 : index
    %q = arith.subi %p, %c1 : index
    %a = array.get {x}[%q] : ({rows}) -> f64
    %b = array.get {x}[%p] : ({rows}) -> f64
    %m = arith.subf %a, %b : f64
    array.yield %m : f64
  }}"
                    ),
                );
            }
            _ => {
                let x = self.pick(2);
                self.line(1, &format!("array.sum {x} : ({table}) -> {}", ty(1)));
            }
        }
    }

    /// Returns a result without the long axis, or sometimes one with it.
    fn result(&mut self) -> (String, String) {
        let table = ty(2);
        match self.random(6) {
            0 | 1 => {
                let x = self.pick(2);
                let name = ["sum", "prod", "max", "min"][self.random(4)];
                self.line(1, &format!("array.{name} {x} : ({table}) -> {}", ty(1)));
                (self.known[1].last().expect("made above").clone(), ty(1))
            }
            // z[i, j] = Σ_p x[p, i] y[p, j]
            2 => {
                let (x, y) = (self.pick(2), self.pick(2));
                self.line(
                    4,
                    &format!(
                        "array.build (%i < {K}, %j < {K}) -> ({}) {{
    %terms = array.build (%p < {N}) -> ({}) {{
      %a = array.get {x}[%p, %i] : ({table}) -> f64
      %b = array.get {y}[%p, %j] : ({table}) -> f64
      %m = arith.mulf %a, %b : f64
      array.yield %m : f64
    }}
    %s = array.sum %terms : ({}) -> f64
    %n = arith.negf %s : f64
    array.yield %n : f64
  }}",
                        ty(4),
                        ty(0),
                        ty(0)
                    ),
                );
                (self.known[4].last().expect("made above").clone(), ty(4))
            }
            3 | 4 => {
                let (x, name) = (self.pick(0), ["sum", "max", "prod"][self.random(3)]);
                let z = format!("%v{}", self.count);
                self.count += 1;
                self.text += &format!("  {z} = array.{name} {x} : ({}) -> f64\n", ty(0));
                (z, "f64".into())
            }
            _ => {
                let shape = self.random(4);
                (self.pick(shape), ty(shape))
            }
        }
    }
}

fn program(seed: u64) -> String {
    let known = [vec!["%a0"], vec!["%a1"], vec!["%a2"], vec!["%a3"], vec!["%a4"]];
    let known = known.map(|names| names.into_iter().map(String::from).collect());
    let random = Xorshift(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut chain = Chain { random, text: String::new(), count: 0, known };
    (0..8).for_each(|_| _ = chain.random(2));
    for _ in 0..3 + chain.random(10) {
        chain.op();
    }
    let results: Vec<(String, String)> = (0..1 + chain.random(3)).map(|_| chain.result()).collect();
    let parameters: Vec<String> = (0..5).map(|k| format!("%a{k}: {}", ty(k))).collect();
    let (names, types): (Vec<String>, Vec<String>) = results.into_iter().unzip();
    let (names, types) = (names.join(", "), types.join(", "));
    format!("func.func @f({}) -> ({types}) {{\n{}  return {names} : {types}\n}}\n", parameters.join(", "), chain.text)
}

/// Checks that the results are correct. Returns whether blocks changed the program.
fn check(source: &str, size: i64, target: &Target) -> Result<bool, String> {
    let context = context();
    let whole = parse(&context, source);
    pipelines::prepare(module_op(&whole));
    array_to_sweeps::run_with(module_op(&whole), Blocks::Never).map_err(|_| "array-to-sweeps failed")?;
    let lowered = parse(&context, source);
    pipelines::prepare(module_op(&lowered));
    array_to_sweeps::run_with(module_op(&lowered), Blocks::Of(size)).map_err(|_| "array-to-sweeps failed")?;
    if whole.as_operation().to_string() == lowered.as_operation().to_string() {
        return Ok(false);
    }
    let lowered = parse(&context, source);
    target.describe(module_op(&lowered));
    lower_blocks(module_op(&lowered), size)?;
    let f = Compiled::new(module_op(&lowered), target).and_then(|c| c.function("f")).map_err(|e| e.to_string())?;
    let original: Module = parse(&context, source);
    let args: Vec<_> = SHAPES.iter().enumerate().map(|(k, shape)| array(k as u64 + 1, shape)).collect();
    let want = Evaluator::new(module_op(&original)).call("f", &args).map_err(|e| e.to_string())?;
    for round in 0..2 {
        let got = f.call(&args).map_err(|e| e.to_string())?;
        for (k, (g, w)) in got.iter().zip(&want).enumerate() {
            if let Some(difference) = differs(g, w, 1e-9) {
                return Err(format!("result {k}, call {round}: {difference}\ngot  {g:?}\nwant {w:?}"));
            }
        }
    }
    Ok(true)
}

#[test]
fn random_chains_agree() {
    let cases = mlopt_cases::count(150);
    let target = Target::host().unwrap();
    let (mut failures, mut cut) = (Failures::default(), 0);
    for seed in seeds(1, 150) {
        let source = program(seed);
        match check(&source, 1 + seed as i64 % 4, &target) {
            Ok(changed) => cut += u64::from(changed),
            Err(error) => failures.add(seed, error, &source),
        }
    }
    eprintln!("{cut} of {cases} programs run in blocks");
    failures.end();
    assert!(cases < 100 || cut * 4 > cases, "{cut} of {cases} programs run in blocks: too few chains");
}
