//! A generator of random programs over arrays, as text. It uses every op, on arrays of ranks 0 to 3, with static and
//! dynamic sizes, inside loops, branches and builds.
//!
//! Tests of several crates include this file by its path. Programs are defined and terminate for all inputs, and inside
//! a build no size depends on the index. `@f` has the parameters [`ARGUMENTS`]. A `?` in their types is `n` in arrays
//! of rank 1 and 2 and `m` in those of rank 3, except for `%v`, whose size is `m`.

mod arrays;
mod control;
mod elements;
mod types;
mod upstream;

use mlopt_cases::Xorshift;
use std::collections::HashSet;
use types::*;

/// The names and types of the parameters of `@f`. `%k` may be negative; it also serves as an extent.
pub const ARGUMENTS: &[(&str, &str)] = &[
    ("%x", "tensor<?xf64>"),
    ("%y", "tensor<?x3xf64>"),
    ("%z", "tensor<2x3x?xf64>"),
    ("%v", "tensor<?xf64>"),
    ("%w", "tensor<4xf64>"),
    ("%q", "tensor<3x2xf32>"),
    ("%t", "tensor<5xindex>"),
    ("%b", "tensor<?xi1>"),
    ("%a", "f64"),
    ("%s", "f32"),
    ("%l", "i64"),
    ("%c", "i1"),
    ("%k", "index"),
    ("%n", "index"),
    ("%m", "index"),
];

/// Functions that programs call and map.
const HELPERS: &str = include_str!("helpers.mlir");

/// The requirements of a test on programs.
#[derive(Clone, Copy)]
pub struct Options {
    /// The approximate number of ops of a program.
    pub ops: usize,
    /// The maximum nesting of loops, branches and builds.
    pub depth: usize,
    /// True to include ops of `tensor`.
    pub upstream: bool,
    /// True for finite values that depend little on rounding, so that results of other code can be compared, and for
    /// further forms of loops, reductions, accumulations, sizes and index regions.
    pub stable: bool,
}

/// Returns the program of a seed: a module with `@f`.
pub fn program(seed: u64, options: Options) -> String {
    let mut g = Generator {
        random: Xorshift(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03 | 1),
        next: 0,
        text: String::new(),
        values: arguments(),
        used: HashSet::new(),
        named: Vec::new(),
        budget: options.ops,
        options,
    };
    (0..8).for_each(|_| _ = g.random(2));
    while g.budget > 0 {
        g.op(0);
    }
    // All unused values are results, so that no op is dead; so are some used ones, so that their values are compared.
    let made = g.values.split_off(ARGUMENTS.len());
    let results: Vec<Var> = made.into_iter().filter(|v| !g.used.contains(&v.0) || g.random(3) == 0).collect();
    let list = |items: Vec<String>| items.join(", ");
    let types = list(results.iter().map(|r| r.1.text()).collect());
    format!(
        "{HELPERS}func.func @f({}) -> ({types}) {{\n{}return {} : {types}\n}}\n",
        list(ARGUMENTS.iter().map(|(name, ty)| format!("{name}: {ty}")).collect()),
        g.text,
        list(results.iter().map(|r| r.0.clone()).collect()),
    )
}

fn arguments() -> Vec<Var> {
    let sizes: [&[Size]; 8] =
        [&[N], &[N, known(3)], &[known(2), known(3), M], &[M], &[known(4)], &[known(3), known(2)], &[known(5)], &[N]];
    let elements = [F64, F64, F64, F64, F64, F32, Index, I1, F64, F32, I64, I1, Index, Index, Index];
    ARGUMENTS
        .iter()
        .zip(elements)
        .enumerate()
        .map(|(k, ((name, _), element))| (name.to_string(), Ty::new(element, sizes.get(k).copied().unwrap_or(&[]))))
        .collect()
}

struct Generator {
    random: Xorshift,
    next: usize,
    text: String,
    /// The values in scope.
    values: Vec<Var>,
    /// The values that are used.
    used: HashSet<String>,
    /// In stable programs, the computed sizes in scope, and their values.
    named: Vec<(Size, String)>,
    /// The number of ops that may still be generated, which bounds programs.
    budget: usize,
    options: Options,
}

impl Generator {
    fn random(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random(from.len())]
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, line: String) {
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// Returns a value that satisfies the condition, more often a recent one.
    fn pick(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<Var> {
        let all: Vec<usize> = (0..self.values.len()).filter(|&k| fits(&self.values[k].1)).collect();
        if all.is_empty() {
            return None;
        }
        let k = self.random(all.len()).max(self.random(all.len()));
        self.used.insert(self.values[all[k]].0.clone());
        Some(self.values[all[k]].clone())
    }

    /// As [`Generator::pick`], but prefers unused values.
    fn pick_fresh(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<Var> {
        let fresh = |v: &&Var| fits(&v.1) && !self.used.contains(&v.0);
        let found = self.values[ARGUMENTS.len()..].iter().rev().find(fresh).cloned();
        match found {
            Some(v) => {
                self.used.insert(v.0.clone());
                Some(v)
            }
            None => self.pick(fits),
        }
    }

    /// Returns another value of the type of `x` if there is one, else one computed from it.
    fn another(&mut self, x: &str, t: &Ty) -> String {
        match self.pick(|u| u == t) {
            Some((y, _)) if y != x => y,
            _ => self.def(t.clone(), format!("math.cos {x} : {}", t.text())),
        }
    }

    fn float(&mut self) -> Var {
        // Most values are scalars, but arrays are the subject of the tests.
        let rank = self.one(&[0, 0, 1, 1, 2, 2, 3, 3]);
        self.pick(|t| t.element.is_float() && t.rank() == rank)
            .or_else(|| self.pick(|t| t.element.is_float()))
            .expect("there is a float argument")
    }

    fn scalar(&mut self) -> String {
        self.pick(|t| *t == Ty::scalar(F64)).expect("there is an f64 argument").0
    }

    fn array(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<Var> {
        let rank = self.one(&[1, 1, 2, 2, 3]);
        self.pick(|t| t.rank() == rank && fits(t)).or_else(|| self.pick(|t| t.rank() > 0 && fits(t)))
    }

    fn an_index(&mut self) -> String {
        self.pick(|t| *t == Ty::scalar(Index)).expect("there is an index").0
    }

    fn size(&mut self) -> Size {
        if self.options.stable && !self.named.is_empty() && self.random(6) == 0 {
            let k = self.random(self.named.len());
            return self.named[k].0;
        }
        self.one(&[known(3), known(2), known(1), N, N, M, K])
    }

    /// Returns an operand that represents a size. If a negative one counts as zero, it may be the raw argument.
    fn size_value(&mut self, size: Size, extent: bool) -> String {
        match size {
            N => return "%n".into(),
            M => return "%m".into(),
            K if extent => return "%k".into(),
            _ => {}
        }
        let named = self.named.iter().rev().find(|(named, _)| *named == size).map(|(_, name)| name.clone());
        if let Some(name) = named
            && self.random(2) == 0
        {
            return name;
        }
        let mut sum = self.fresh();
        self.line(format!("{sum} = arith.constant {} : index", size.known));
        for (k, name) in ["%n", "%m", "%k", "%n"].into_iter().enumerate().filter(|(k, _)| size.times[*k] > 0) {
            let (zero, least, count, part, next) =
                (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
            self.line(format!("{zero} = arith.constant 0 : index"));
            let (op, other) = if k == 3 { ("muli", "%m") } else { ("maxsi", zero.as_str()) };
            self.line(format!("{least} = arith.{op} {name}, {other} : index"));
            self.line(format!("{count} = arith.constant {} : index", size.times[k]));
            self.line(format!("{part} = arith.muli {least}, {count} : index"));
            self.line(format!("{next} = arith.addi {sum}, {part} : index"));
            sum = next;
        }
        if self.options.stable && !size.is_static() {
            self.named.push((size, sum.clone()));
        }
        sum
    }

    /// Returns the operands for the `?` among sizes, each after a comma.
    fn dynamic(&mut self, sizes: &[Size]) -> Vec<String> {
        let dynamic: Vec<Size> = sizes.iter().copied().filter(|s| !s.is_static()).collect();
        dynamic.into_iter().map(|s| self.size_value(s, false)).collect()
    }

    fn def(&mut self, ty: Ty, right: String) -> String {
        let name = self.fresh();
        self.line(format!("{name} = {right}"));
        self.values.push((name.clone(), ty));
        name
    }

    /// Generates an op whose result is reduced to a bounded range.
    fn bounded(&mut self, ty: Ty, right: String) {
        let op = right.split(' ').next().unwrap_or_default();
        if self.options.stable && ["array.prod", "array.max", "array.min"].contains(&op) {
            // It may be large, and it is infinite without elements.
            let z = self.fresh();
            self.line(format!("{z} = {right}"));
            self.def(ty.clone(), format!("math.tanh {z} : {}", ty.text()));
            return;
        }
        let is_reduced = match self.options.stable {
            true => ["arith.mulf", "math.fma", "array.sum", "arith.sitofp"].contains(&op),
            false => self.random(3) > 0,
        };
        let z = self.def(ty.clone(), right);
        if is_reduced {
            self.def(ty.clone(), format!("math.sin {z} : {}", ty.text()));
        }
    }

    fn block(&mut self, ops: usize, depth: usize) {
        for _ in 0..ops {
            if self.budget > 0 {
                self.op(depth);
            }
        }
    }

    fn op(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        let deeper = depth < self.options.depth;
        if self.options.upstream && self.random(8) == 0 {
            return self.upstream();
        }
        match self.random(if self.options.stable { 64 } else { 50 }) {
            0..=2 | 44..=47 => self.unary(),
            3..=5 => self.binary(),
            6 => self.special(),
            7 | 8 => self.select(),
            9 | 10 => self.reduce(),
            11 => self.search(),
            12 => self.replicate(),
            13 => self.transpose(),
            14 => self.reshape(),
            15 => self.stack(),
            16 => self.append(),
            17 => self.slice(),
            18 => self.reverse(),
            19 => self.iota(),
            20..=22 => self.get(),
            23 | 24 => self.index(),
            25 => self.constant(),
            26 => self.convert(),
            27 => self.one_hot(),
            28 | 29 => self.gather(),
            30 => self.scatter(),
            31 => self.call(),
            32 | 48 | 49 if deeper => self.branch(depth),
            33 if deeper => self.ifold(depth),
            34 if deeper => self.fold(depth),
            35 if deeper => self.scf_for(depth),
            36 if deeper => self.scf_while(depth),
            37..=42 if deeper => self.build(depth),
            43 => self.compare(),
            50..=52 => self.scatter(),
            53 | 54 => self.integers(),
            55 | 56 => self.accumulate(),
            57 => self.gather(),
            58 => self.reshape(),
            59 => self.append(),
            60 => self.convert(),
            61 if deeper => self.scf_for(depth),
            62 if deeper => self.scf_while(depth),
            63 if deeper => self.fold(depth),
            _ => self.binary(),
        }
    }

    /// Runs `body` in a scope of its own.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let (values, named) = (self.values.len(), self.named.len());
        let result = body(self);
        self.values.truncate(values);
        self.named.truncate(named);
        result
    }

    /// Returns an existing value of a type.
    fn of(&mut self, t: &Ty) -> String {
        self.pick_fresh(|u| u == t).expect("the caller has one").0
    }

    /// Returns a value of a type whose selection depends on the unused values that were generated since `inside`.
    fn of_all(&mut self, t: &Ty, inside: usize) -> String {
        let mut z = self.of(t);
        for _ in 0..3 {
            let idle = |v: &&Var| !matches!(v.1.element, I1 | I8 | I16 | I32) && !self.used.contains(&v.0);
            let Some((x, u)) = self.values[inside.min(self.values.len())..].iter().rev().find(idle).cloned() else {
                break;
            };
            self.used.insert(x.clone());
            if u == *t && t.element.is_float() {
                // The result depends on all of it.
                let name = self.fresh();
                self.line(format!("{name} = arith.addf {z}, {x} : {}", t.text()));
                z = name;
                continue;
            }
            let (x, element) = (self.number(x, &u), u.element);
            let c = self.fresh();
            match element {
                F64 | F32 => {
                    let limit = if element == F64 { "%a" } else { "%s" };
                    self.line(format!("{c} = arith.cmpf olt, {x}, {limit} : {}", element.text()));
                }
                _ => {
                    let limit = if element == I64 { "%l" } else { "%k" };
                    self.line(format!("{c} = arith.cmpi slt, {x}, {limit} : {}", element.text()));
                }
            }
            let other = self.of(t);
            let name = self.fresh();
            self.line(format!("{name} = arith.select {c}, {other}, {z} : {}", t.text()));
            z = name;
        }
        z
    }

    /// Generates the read of one number of an array.
    fn number(&mut self, x: String, t: &Ty) -> String {
        if t.rank() == 0 {
            return x;
        }
        let (z, axes) = (self.fresh(), (0..t.rank()).collect::<Vec<_>>());
        self.line(format!("{z} = array.max {x} axes {axes:?} : ({}) -> {}", t.text(), t.element.text()));
        z
    }
}
