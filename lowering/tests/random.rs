//! Random array programs: the evaluator, the compiled code, and the compiled code after `egg-optimize` agree.
//!
//! A failure prints the seed and the program. `MLOPT_SEED` repeats one, `MLOPT_CASES` runs more.

mod common;

use common::*;
use mlopt_dialects::bridge::Options;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::{Compiled, Target};
use mlopt_lowering::pipeline;

/// A size in a type: static, or the run-time size `n` or `m`.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Size {
    Static(usize),
    N,
    M,
}

#[derive(Clone, PartialEq, Debug)]
enum Type {
    F64,
    Index,
    I1,
    Tensor(Vec<Size>),
}

use Type::{F64, I1, Index, Tensor};

impl Type {
    fn text(&self) -> String {
        match self {
            F64 => "f64".into(),
            Index => "index".into(),
            I1 => "i1".into(),
            Tensor(shape) => {
                let dims: String = shape
                    .iter()
                    .map(|s| match s {
                        Size::Static(n) => format!("{n}x"),
                        _ => "?x".into(),
                    })
                    .collect();
                format!("tensor<{dims}f64>")
            }
        }
    }

    fn of(shape: &[Size]) -> Type {
        if shape.is_empty() { F64 } else { Tensor(shape.to_vec()) }
    }
}

struct Generator {
    state: u64,
    next: usize,
    text: String,
    /// Values in scope.
    values: Vec<(String, Type)>,
    /// Ops that may still be made, so that programs end.
    budget: usize,
    helper: bool,
}

impl Generator {
    fn random(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % n
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, line: String) {
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// A value that satisfies the condition, the latest more often.
    fn pick(&mut self, fits: impl Fn(&Type) -> bool) -> Option<(String, Type)> {
        let all: Vec<_> = self.values.iter().filter(|(_, t)| fits(t)).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let k = self.random(all.len()).max(self.random(all.len()));
        Some(all[k].clone())
    }

    fn scalar(&mut self) -> String {
        self.pick(|t| *t == F64).expect("there is an f64 argument").0
    }

    fn size(&mut self) -> Size {
        [Size::Static(3), Size::Static(1), Size::N, Size::N, Size::M][self.random(5)]
    }

    /// An index operand that holds a run-time size.
    fn size_value(size: Size) -> &'static str {
        match size {
            Size::N => "%n",
            _ => "%m",
        }
    }

    fn def(&mut self, ty: Type, right: String) -> String {
        let name = self.fresh();
        self.line(format!("{name} = {right}"));
        self.values.push((name.clone(), ty));
        name
    }

    fn block(&mut self, ops: usize, depth: usize) {
        for _ in 0..ops {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.op(depth);
        }
    }

    fn op(&mut self, depth: usize) {
        match self.random(22) {
            0..=2 => self.unary(),
            3..=6 => self.binary(),
            7 => self.select(),
            8 | 9 => self.sum(),
            10 => self.replicate(),
            11 => self.transpose(),
            12..=14 => self.get(),
            15 => self.index_arithmetic(),
            16 => self.constant(),
            17 if self.helper => {
                let (a, b) = (self.scalar(), self.scalar());
                self.def(F64, format!("func.call @helper({a}, {b}) : (f64, f64) -> f64"));
            }
            18 if depth < 3 => self.branch(depth),
            19 | 20 if depth < 3 => self.build(depth),
            21 if depth < 3 => self.ifold(depth),
            _ => self.binary(),
        }
    }

    fn float(&mut self) -> (String, Type) {
        self.pick(|t| matches!(t, F64 | Tensor(_))).expect("there is an f64 argument")
    }

    fn unary(&mut self) {
        let (x, t) = self.float();
        let op = ["math.sin", "math.cos", "math.tanh", "arith.negf", "math.absf"][self.random(5)];
        self.def(t.clone(), format!("{op} {x} : {}", t.text()));
    }

    fn binary(&mut self) {
        let (x, t) = self.float();
        let same = t.clone();
        let (y, _) = self.pick(|u| *u == same).expect("at least the first");
        let op = ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.mulf"][self.random(5)];
        let z = self.def(t.clone(), format!("{op} {x}, {y} : {}", t.text()));
        // Products of products would overflow: they are brought back.
        if op == "arith.mulf" {
            self.def(t.clone(), format!("math.sin {z} : {}", t.text()));
        }
    }

    fn select(&mut self) {
        let (x, t) = self.float();
        let same = t.clone();
        let (y, _) = self.pick(|u| *u == same).expect("at least the first");
        if t == F64 || self.random(2) == 0 {
            let (a, b) = (self.scalar(), self.scalar());
            let c = self.def(I1, format!("arith.cmpf olt, {a}, {b} : f64"));
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {}", t.text()));
        } else {
            let c = self.fresh();
            let mask = t.text().replace("f64", "i1");
            self.line(format!("{c} = arith.cmpf ogt, {x}, {y} : {}", t.text()));
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {mask}, {}", t.text()));
        }
    }

    fn tensor(&mut self) -> Option<(String, Vec<Size>)> {
        match self.pick(|t| matches!(t, Tensor(_)))? {
            (x, Tensor(shape)) => Some((x, shape)),
            _ => None,
        }
    }

    fn sum(&mut self) {
        let Some((x, shape)) = self.tensor() else { return };
        let t = Type::of(&shape[1..]);
        let z = self.def(t.clone(), format!("array.sum {x} : ({}) -> {}", Tensor(shape).text(), t.text()));
        self.def(t.clone(), format!("math.sin {z} : {}", t.text()));
    }

    fn replicate(&mut self) {
        let (x, t) = self.float();
        let shape = match &t {
            Tensor(s) if s.len() < 3 => s.clone(),
            F64 => vec![],
            _ => return,
        };
        let n = self.size();
        let new = Tensor([vec![n], shape].concat());
        let operand = if let Size::Static(_) = n { String::new() } else { format!(", {}", Generator::size_value(n)) };
        self.def(new.clone(), format!("array.replicate {x}{operand} : ({}) -> {}", t.text(), new.text()));
    }

    fn transpose(&mut self) {
        let Some((x, shape)) = self.tensor() else { return };
        let mut p: Vec<usize> = (0..shape.len()).collect();
        for k in (1..p.len()).rev() {
            p.swap(k, self.random(k + 1));
        }
        let new = Tensor(p.iter().map(|j| shape[*j]).collect());
        self.def(new.clone(), format!("array.transpose {x} {p:?} : {} -> {}", Tensor(shape).text(), new.text()));
    }

    fn get(&mut self) {
        let Some((x, shape)) = self.tensor() else { return };
        let k = 1 + self.random(shape.len());
        let indices: Vec<String> = (0..k).map(|_| self.pick(|t| *t == Index).expect("there is an index").0).collect();
        let t = Type::of(&shape[k..]);
        self.def(
            t.clone(),
            format!("array.get {x}[{}] : {} -> {}", indices.join(", "), Tensor(shape).text(), t.text()),
        );
    }

    fn index_arithmetic(&mut self) {
        let a = self.pick(|t| *t == Index).expect("there is an index").0;
        let b = self.pick(|t| *t == Index).expect("there is an index").0;
        match self.random(4) {
            0 => self.def(Index, format!("arith.addi {a}, {b} : index")),
            1 => self.def(Index, format!("arith.subi {a}, {b} : index")),
            2 => {
                let n = self.random(5) as i64 - 1;
                self.def(Index, format!("arith.constant {n} : index"))
            }
            _ => match self.tensor() {
                Some((x, shape)) => {
                    let axis = self.random(shape.len());
                    self.def(Index, format!("array.length {x} axis {axis} : {}", Tensor(shape).text()))
                }
                None => return,
            },
        };
    }

    fn constant(&mut self) {
        let x = self.random(9) as f64 * 0.25 - 1.0;
        match self.random(5) {
            0 => self.def(F64, format!("arith.constant {x:?} : f64")),
            1 => self.def(Tensor(vec![Size::Static(3)]), format!("arith.constant dense<{x:?}> : tensor<3xf64>")),
            2 => self.def(
                Tensor(vec![Size::Static(3), Size::Static(1)]),
                "arith.constant dense<[[0.5], [-1.25], [2.0]]> : tensor<3x1xf64>".into(),
            ),
            3 => self.def(F64, "dual.one : f64".into()),
            _ => self.def(Tensor(vec![Size::Static(3)]), "dual.zero : tensor<3xf64>".into()),
        };
    }

    /// Runs `body` in a scope of its own.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.values.len();
        let result = body(self);
        self.values.truncate(depth);
        result
    }

    fn branch(&mut self, depth: usize) {
        let (a, b) = (self.scalar(), self.scalar());
        let c = self.def(I1, format!("arith.cmpf olt, {a}, {b} : f64"));
        let (_, t) = self.float();
        let name = self.fresh();
        self.line(format!("{name} = scf.if {c} -> ({}) {{", t.text()));
        for side in 0..2 {
            self.nested(|g| {
                let ops = g.random(3);
                g.block(ops, depth + 1);
                let same = t.clone();
                let (x, _) = g.pick(|u| *u == same).expect("at least the one outside");
                g.line(format!("scf.yield {x} : {}", t.text()));
            });
            self.line(if side == 0 { "} else {".into() } else { "}".into() });
        }
        self.values.push((name, t));
    }

    fn build(&mut self, depth: usize) {
        let leading: Vec<Size> = (0..1 + self.random(2)).map(|_| self.size()).collect();
        let results = 1 + self.random(2);
        let indices: Vec<String> = leading.iter().map(|_| self.fresh()).collect();
        let names: Vec<String> = (0..results).map(|_| self.fresh()).collect();
        let heading: Vec<String> = indices
            .iter()
            .zip(&leading)
            .map(|(i, n)| match n {
                Size::Static(n) => format!("{i} < {n}"),
                n => format!("{i} < {}", Generator::size_value(*n)),
            })
            .collect();
        // The body comes first: it decides the types.
        let before = std::mem::take(&mut self.text);
        let yielded: Vec<(String, Type)> = self.nested(|g| {
            g.values.extend(indices.iter().map(|i| (i.clone(), Index)));
            let ops = 2 + g.random(4);
            g.block(ops, depth + 1);
            (0..results)
                .map(|_| g.pick(|t| matches!(t, F64) || matches!(t, Tensor(s) if s.len() < 2)).expect("a scalar"))
                .collect()
        });
        let body = std::mem::replace(&mut self.text, before);
        let types: Vec<Type> = yielded
            .iter()
            .map(|(_, t)| match t {
                Tensor(s) => Tensor([leading.as_slice(), s].concat()),
                _ => Tensor(leading.clone()),
            })
            .collect();
        let list = |items: Vec<String>| items.join(", ");
        self.line(format!(
            "{} = array.build ({}) -> ({}) {{",
            names.join(", "),
            heading.join(", "),
            list(types.iter().map(Type::text).collect())
        ));
        self.text.push_str(&body);
        self.line(format!(
            "array.yield {} : {}\n}}",
            list(yielded.iter().map(|y| y.0.clone()).collect()),
            list(yielded.iter().map(|y| y.1.text()).collect())
        ));
        self.values.extend(names.into_iter().zip(types));
    }

    fn ifold(&mut self, depth: usize) {
        let states = 1 + self.random(3);
        let inits: Vec<(String, Type)> =
            (0..states).map(|_| self.pick(|t| matches!(t, F64 | Tensor(_))).expect("a scalar")).collect();
        let count = self.pick(|t| *t == Index).expect("there is an index").0;
        // A product of sizes and indices may be a long time.
        let limit = self.def(Index, "arith.constant 6 : index".into());
        let count = self.def(Index, format!("arith.minsi {count}, {limit} : index"));
        let i = self.fresh();
        let carried: Vec<String> = inits.iter().map(|_| self.fresh()).collect();
        let names: Vec<String> = inits.iter().map(|_| self.fresh()).collect();
        let types: Vec<String> = inits.iter().map(|(_, t)| t.text()).collect();
        let pairs: Vec<String> = carried.iter().zip(&inits).map(|(c, (v, _))| format!("{c} = {v}")).collect();
        self.line(format!(
            "{} = array.ifold ({i} < {count}) iter_args({}) -> ({}) {{",
            names.join(", "),
            pairs.join(", "),
            types.join(", ")
        ));
        self.nested(|g| {
            g.values.push((i.clone(), Index));
            g.values.extend(carried.iter().cloned().zip(inits.iter().map(|x| x.1.clone())));
            let ops = 2 + g.random(5);
            g.block(ops, depth + 1);
            let next: Vec<String> = inits
                .iter()
                .map(|(_, t)| {
                    let same = t.clone();
                    let (x, _) = g.pick(|u| *u == same).expect("at least the carried value");
                    // Bounded, so that long folds stay comparable.
                    if g.random(2) == 0 { x } else { g.def(t.clone(), format!("math.sin {x} : {}", t.text())) }
                })
                .collect();
            g.line(format!("array.yield {} : {}\n}}", next.join(", "), types.join(", ")));
        });
        self.values.extend(names.into_iter().zip(inits.into_iter().map(|x| x.1)));
    }
}

/// `@f(%x: (n), %y: (n, 3), %z: (3, 1), %w: (m), %a, %k, %n, %m)`.
fn program(seed: u64) -> String {
    let mut g = Generator {
        state: seed.wrapping_mul(0x9E3779B97F4A7C15) | 1,
        next: 0,
        text: String::new(),
        values: vec![
            ("%x".into(), Tensor(vec![Size::N])),
            ("%y".into(), Tensor(vec![Size::N, Size::Static(3)])),
            ("%z".into(), Tensor(vec![Size::Static(3), Size::Static(1)])),
            ("%w".into(), Tensor(vec![Size::M])),
            ("%a".into(), F64),
            ("%k".into(), Index),
            ("%n".into(), Index),
            ("%m".into(), Index),
        ],
        budget: 40,
        helper: seed.is_multiple_of(3),
    };
    let parameters: Vec<String> = g.values.iter().map(|(v, t)| format!("{v}: {}", t.text())).collect();
    let ops = 4 + g.random(12);
    g.block(ops, 0);
    let results: Vec<(String, Type)> = (0..1 + g.random(3)).map(|_| g.pick(|t| *t != I1).expect("arguments")).collect();
    let join = |f: &dyn Fn(&(String, Type)) -> String| results.iter().map(f).collect::<Vec<_>>().join(", ");
    let (names, types) = (join(&|r| r.0.clone()), join(&|r| r.1.text()));
    let helper = "func.func private @helper(%a: f64, %b: f64) -> f64 {
  %c = arith.mulf %a, %b : f64
  %d = math.tanh %c : f64
  return %d : f64
}
";
    let helper = if g.helper { helper } else { "" };
    format!("{helper}func.func @f({}) -> ({types}) {{\n{}return {names} : {types}\n}}\n", parameters.join(", "), g.text)
}

fn arguments(n: usize, m: usize, seed: u64) -> Vec<Array> {
    vec![
        array(seed, &[n]),
        array(seed + 1, &[n, 3]),
        array(seed + 2, &[3, 1]),
        array(seed + 3, &[m]),
        Array::f64(0.7),
        index(seed as i64 % 5 - 1),
        index(n as i64),
        index(m as i64),
    ]
}

fn variable(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(otherwise)
}

/// `egg-optimize`, once it exists.
fn optimize(module: mlopt_lowering::ir::Op) -> Result<bool, String> {
    let Some(pass) = mlopt_passes::PASSES.iter().find(|p| p.name == "egg-optimize") else { return Ok(false) };
    mlopt_lowering::ir::load_dialects(module.context(), pass.dialects);
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

fn check(seed: u64, target: &Target) -> Result<(), String> {
    let source = program(seed);
    let context = context();
    let original = parse(&context, &source);
    if !module_op(&original).verify() {
        return Err("the generator made a program that does not verify".into());
    }
    for optimized in [false, true] {
        let lowered = parse(&context, &source);
        pipeline::prepare(module_op(&lowered));
        if optimized && !optimize(module_op(&lowered))? {
            continue;
        }
        lower(module_op(&lowered))?;
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
                    return Err(format!("n = {n}, m = {m}: the evaluator has {want}, the code {got}"));
                }
            };
            let again = f.call(&args).map_err(|e| e.to_string())?;
            // Rows of an empty build have no sizes: the evaluator says zero, the code says the size that they would have.
            let empty_rows = (n == 0 || m == 0) && got.iter().zip(&want).any(|(g, w)| g.shape() != w.shape());
            for (k, ((g, w), a)) in got.iter().zip(&want).zip(&again).enumerate() {
                if !empty_rows && let Some(difference) = differs(g, w, 1e-7) {
                    let how = if optimized { ", optimized" } else { "" };
                    return Err(format!("n = {n}, m = {m}{how}: result {k}: {difference}\ngot  {g:?}\nwant {w:?}"));
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
    let first = variable("MLOPT_SEED", 1);
    let cases = variable("MLOPT_CASES", if std::env::var("MLOPT_SEED").is_ok() { 1 } else { 150 });
    let mut failures = Vec::new();
    for seed in first..first + cases {
        if let Err(error) = check(seed, &target) {
            eprintln!("MLOPT_SEED={seed}: {error}\n{}", program(seed));
            failures.push(seed);
        }
    }
    assert!(failures.is_empty(), "{} of {cases} programs fail: {failures:?}", failures.len());
}
