//! Random programs over the whole array language, as text: every op, in ranks 0 to 3, with static and run-time sizes, inside loops,
//! branches and builds.
//!
//! A test includes this file by its path. Programs are total and end, whatever their inputs; inside a build no size depends on
//! the index. `@f` takes the arguments of [`ARGUMENTS`], where `?` is `n` in arrays of rank 1 and 2 and `m` in those of rank 3,
//! but for `%v`, whose size is `m`.

use std::collections::HashSet;

/// Name and type of the arguments of `@f`. `%k` may be negative; it also serves as an extent.
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
const HELPERS: &str = "
func.func private @scalar(%a: f64, %b: f64) -> f64 {
  %c = arith.mulf %a, %b : f64
  %d = math.sin %c : f64
  return %d : f64
}
func.func private @rows(%x: tensor<?xf64>, %i: index) -> (f64, tensor<?xf64>) {
  %n = array.length %x : tensor<?xf64>
  %r = array.build (%j < %n) -> (tensor<?xf64>) {
    %k = arith.addi %j, %i : index
    %a = array.get %x[%k] : tensor<?xf64> -> f64
    %b = array.get %x[%j] : tensor<?xf64> -> f64
    %c = func.call @scalar(%a, %b) : (f64, f64) -> f64
    array.yield %c : f64
  }
  %s = array.sum %r : (tensor<?xf64>) -> f64
  return %s, %r : f64, tensor<?xf64>
}
";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    F64,
    F32,
    I64,
    Index,
    I1,
}

use Element::{F32, F64, I1, I64, Index};

impl Element {
    fn text(self) -> &'static str {
        match self {
            F64 => "f64",
            F32 => "f32",
            I64 => "i64",
            Index => "index",
            I1 => "i1",
        }
    }

    fn is_float(self) -> bool {
        matches!(self, F64 | F32)
    }

    fn is_numeric(self) -> bool {
        self != I1
    }
}

/// `known + Σ times · (n, m, max(k, 0))`; static when only known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Size {
    known: usize,
    times: [usize; 3],
}

const fn known(known: usize) -> Size {
    Size { known, times: [0; 3] }
}

const N: Size = Size { known: 0, times: [1, 0, 0] };
const M: Size = Size { known: 0, times: [0, 1, 0] };
const K: Size = Size { known: 0, times: [0, 0, 1] };

impl Size {
    fn is_static(self) -> bool {
        self.times == [0; 3]
    }

    fn text(self) -> String {
        if self.is_static() { self.known.to_string() } else { "?".into() }
    }

    fn plus(self, other: Size) -> Size {
        let mut times = self.times;
        times.iter_mut().zip(other.times).for_each(|(a, b)| *a += b);
        Size { known: self.known + other.known, times }
    }

    fn scaled(self, c: usize) -> Size {
        Size { known: self.known * c, times: self.times.map(|t| t * c) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Ty {
    element: Element,
    shape: Vec<Size>,
}

impl Ty {
    fn new(element: Element, shape: &[Size]) -> Ty {
        Ty { element, shape: shape.to_vec() }
    }

    fn scalar(element: Element) -> Ty {
        Ty::new(element, &[])
    }

    fn with(&self, element: Element) -> Ty {
        Ty::new(element, &self.shape)
    }

    fn text(&self) -> String {
        let sizes: String = self.shape.iter().map(|n| n.text() + "x").collect();
        if self.shape.is_empty() {
            self.element.text().into()
        } else {
            format!("tensor<{sizes}{}>", self.element.text())
        }
    }

    fn rank(&self) -> usize {
        self.shape.len()
    }
}

type Var = (String, Ty);

/// What the programs of a test need.
#[derive(Clone, Copy)]
pub struct Options {
    /// Ops of a program, about.
    pub ops: usize,
    /// Loops, branches and builds nest at most this deep.
    pub depth: usize,
}

/// The program of a seed: a module with `@f`.
pub fn program(seed: u64, options: Options) -> String {
    let mut g = Generator {
        state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03 | 1,
        next: 0,
        text: String::new(),
        values: arguments(),
        used: HashSet::new(),
        budget: options.ops,
        options,
    };
    (0..8).for_each(|_| {
        g.random(2);
    });
    while g.budget > 0 {
        g.op(0);
    }
    // All that nobody else reads is a result, so that no op is idle.
    let inputs = ARGUMENTS.len();
    let results: Vec<Var> = g.values[inputs..].iter().filter(|v| !g.used.contains(&v.0)).cloned().collect();
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
    state: u64,
    next: usize,
    text: String,
    /// Values in scope.
    values: Vec<Var>,
    /// Values that something reads.
    used: HashSet<String>,
    /// Ops that may still be made, so that programs end.
    budget: usize,
    options: Options,
}

impl Generator {
    fn random(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % n
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

    /// A value that satisfies the condition, the latest more often.
    fn pick(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<Var> {
        let all: Vec<usize> = (0..self.values.len()).filter(|&k| fits(&self.values[k].1)).collect();
        if all.is_empty() {
            return None;
        }
        let k = self.random(all.len()).max(self.random(all.len()));
        self.used.insert(self.values[all[k]].0.clone());
        Some(self.values[all[k]].clone())
    }

    /// As [`Generator::pick`], but what nobody has read comes first.
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

    fn float(&mut self) -> Var {
        // Scalars are most of what there is; arrays are what it is about.
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

    fn size(&mut self) -> Size {
        self.one(&[known(3), known(2), known(1), N, N, M, K])
    }

    /// An operand that holds a size; one that counts as zero when it is negative may be the raw argument.
    fn size_value(&mut self, size: Size, extent: bool) -> String {
        match size {
            N => return "%n".into(),
            M => return "%m".into(),
            K if extent => return "%k".into(),
            _ => {}
        }
        let mut sum = self.fresh();
        self.line(format!("{sum} = arith.constant {} : index", size.known));
        for (k, name) in ["%n", "%m", "%k"].into_iter().enumerate().filter(|(k, _)| size.times[*k] > 0) {
            let (zero, least, count, part, next) =
                (self.fresh(), self.fresh(), self.fresh(), self.fresh(), self.fresh());
            self.line(format!("{zero} = arith.constant 0 : index"));
            self.line(format!("{least} = arith.maxsi {name}, {zero} : index"));
            self.line(format!("{count} = arith.constant {} : index", size.times[k]));
            self.line(format!("{part} = arith.muli {least}, {count} : index"));
            self.line(format!("{next} = arith.addi {sum}, {part} : index"));
            sum = next;
        }
        sum
    }

    /// The operands for the `?` among sizes, each after a comma.
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

    /// Brings values back that would grow beyond bounds.
    fn bounded(&mut self, ty: Ty, right: String) {
        let z = self.def(ty.clone(), right);
        if self.random(3) > 0 {
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
        match self.random(50) {
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
            _ => self.binary(),
        }
    }

    fn unary(&mut self) {
        const OPS: &[&str] = &[
            "math.sin",
            "math.cos",
            "math.tan",
            "math.asin",
            "math.acos",
            "math.atan",
            "math.sinh",
            "math.cosh",
            "math.tanh",
            "math.asinh",
            "math.acosh",
            "math.atanh",
            "math.exp",
            "math.exp2",
            "math.expm1",
            "math.log",
            "math.log2",
            "math.log10",
            "math.log1p",
            "math.sqrt",
            "math.rsqrt",
            "math.cbrt",
            "math.erf",
            "math.absf",
            "math.floor",
            "math.ceil",
            "math.trunc",
            "math.round",
            "math.roundeven",
            "arith.negf",
        ];
        let (x, t) = self.float();
        let op = self.one(OPS);
        self.bounded(t.clone(), format!("{op} {x} : {}", t.text()));
    }

    fn binary(&mut self) {
        const OPS: &[&str] = &[
            "arith.addf",
            "arith.subf",
            "arith.mulf",
            "arith.mulf",
            "arith.divf",
            "arith.maximumf",
            "arith.minimumf",
            "arith.maxnumf",
            "arith.minnumf",
            "arith.remf",
            "math.powf",
            "math.atan2",
            "math.copysign",
        ];
        let (x, t) = self.float();
        let same = t.clone();
        let y = self.pick(|u| *u == same).expect("at least the first").0;
        let op = self.one(OPS);
        self.bounded(t.clone(), format!("{op} {x}, {y} : {}", t.text()));
    }

    fn special(&mut self) {
        let (x, t) = self.float();
        let same = t.clone();
        let y = self.pick(|u| *u == same).expect("at least the first").0;
        match self.random(3) {
            0 => self.bounded(t.clone(), format!("math.fma {x}, {y}, {x} : {}", t.text())),
            1 if t.element == F64 => {
                let f = t.with(F32);
                let z = self.def(f.clone(), format!("arith.truncf {x} : {} to {}", t.text(), f.text()));
                self.def(t.clone(), format!("arith.extf {z} : {} to {}", f.text(), t.text()));
            }
            _ => {
                let Some((x, t)) = self.pick(|t| matches!(t.element, I64 | Index)) else { return };
                let same = t.clone();
                let y = self.pick(|u| *u == same).expect("at least the first").0;
                let op = self.one(&[
                    "arith.addi",
                    "arith.subi",
                    "arith.muli",
                    "arith.maxsi",
                    "arith.minsi",
                    "array.div",
                    "array.mod",
                ]);
                self.def(t.clone(), format!("{op} {x}, {y} : {}", t.text()));
            }
        }
    }

    fn compare(&mut self) {
        let (x, t) = self.float();
        let same = t.clone();
        let y = self.pick(|u| *u == same).expect("at least the first").0;
        let predicate = self.one(&["olt", "oge", "oeq", "une", "ogt", "ole"]);
        let c = self.def(t.with(I1), format!("arith.cmpf {predicate}, {x}, {y} : {}", t.text()));
        let same = t.with(I1);
        let d = self.pick(|u| *u == same).expect("at least the first").0;
        let op = self.one(&["arith.andi", "arith.ori", "arith.xori"]);
        self.def(t.with(I1), format!("{op} {c}, {d} : {}", t.with(I1).text()));
    }

    fn select(&mut self) {
        let (x, t) = self.float();
        let same = t.clone();
        let y = self.pick(|u| *u == same).expect("at least the first").0;
        if self.random(2) == 0 {
            let c = self.pick(|t| *t == Ty::scalar(I1)).expect("there is an i1 argument").0;
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {}", t.text()));
        } else if t.rank() > 0 {
            let c = self.fresh();
            self.line(format!("{c} = arith.cmpf ogt, {x}, {y} : {}", t.text()));
            self.def(t.clone(), format!("arith.select {c}, {x}, {y} : {}, {}", t.with(I1).text(), t.text()));
        }
    }

    fn reduce(&mut self) {
        let Some((x, t)) = self.array(|t| t.element.is_numeric()) else { return };
        let op = self.one(&["sum", "sum", "prod", "max", "min"]);
        let first = self.random(t.rank());
        let axes: Vec<usize> = (0..t.rank()).filter(|&a| a == first || self.random(4) == 0).collect();
        let kept: Vec<Size> = (0..t.rank()).filter(|a| !axes.contains(a)).map(|a| t.shape[a]).collect();
        let z = Ty::new(t.element, &kept);
        let right = format!("array.{op} {x} axes {axes:?} : ({}) -> {}", t.text(), z.text());
        if z.element.is_float() { self.bounded(z, right) } else { drop(self.def(z, right)) }
    }

    fn search(&mut self) {
        let Some((x, t)) = self.array(|t| t.element.is_numeric()) else { return };
        let axis = self.random(t.rank());
        let mut shape = t.shape.clone();
        shape.remove(axis);
        let z = Ty::new(Index, &shape);
        let op = self.one(&["argmax", "argmin"]);
        self.def(z.clone(), format!("array.{op} {x} axis {axis} : ({}) -> {}", t.text(), z.text()));
    }

    fn replicate(&mut self) {
        let rank = self.one(&[0, 0, 1, 1, 2]);
        let Some((x, t)) = self.pick(|t| t.rank() == rank) else { return };
        let n = self.size();
        let z = Ty::new(t.element, &[&[n], t.shape.as_slice()].concat());
        let n = if n.is_static() { String::new() } else { format!(", {}", self.size_value(n, true)) };
        self.def(z.clone(), format!("array.replicate {x}{n} : ({}) -> {}", t.text(), z.text()));
    }

    fn transpose(&mut self) {
        let Some((x, t)) = self.array(|t| t.rank() > 1) else { return };
        let mut p: Vec<usize> = (0..t.rank()).collect();
        for k in (1..p.len()).rev() {
            p.swap(k, self.random(k + 1));
        }
        let z = Ty::new(t.element, &p.iter().map(|&j| t.shape[j]).collect::<Vec<_>>());
        self.def(z.clone(), format!("array.transpose {x} {p:?} : {} -> {}", t.text(), z.text()));
    }

    fn reshape(&mut self) {
        let Some((x, t)) = self.pick(|t| t.rank() < 4) else { return };
        let mut shape = t.shape.clone();
        match self.random(4) {
            0 if t.rank() < 3 => {
                let at = self.random(t.rank() + 1);
                shape.insert(at, known(1));
            }
            1 => shape.reverse(),
            _ => {
                // Two neighbours become one when one of them is known, else a known one is split.
                let joined = (1..shape.len()).find(|&a| shape[a].is_static() || shape[a - 1].is_static());
                let even = shape.iter().position(|s| s.is_static() && s.known % 2 == 0 && s.known > 0);
                match (joined, even) {
                    (Some(a), _) => {
                        let (p, q) = (shape[a - 1], shape.remove(a));
                        shape[a - 1] = if q.is_static() { p.scaled(q.known) } else { q.scaled(p.known) };
                    }
                    (None, Some(a)) => {
                        shape[a].known /= 2;
                        shape.insert(a + 1, known(2));
                    }
                    _ => return,
                }
            }
        }
        // A run-time size that came to nothing is known.
        let z = Ty::new(t.element, &shape);
        let sizes = self.dynamic(&shape);
        let sizes = if sizes.is_empty() { String::new() } else { format!(" sizes({})", sizes.join(", ")) };
        self.def(z.clone(), format!("array.reshape {x}{sizes} : {} -> {}", t.text(), z.text()));
    }

    fn stack(&mut self) {
        let rank = self.one(&[0, 0, 1, 2]);
        let Some((x, t)) = self.pick(|t| t.rank() == rank) else { return };
        let mut parts = vec![x];
        for _ in 0..self.random(3) {
            let same = t.clone();
            parts.push(self.pick(|u| *u == same).expect("at least the first").0);
        }
        let z = Ty::new(t.element, &[&[known(parts.len())], t.shape.as_slice()].concat());
        let types: Vec<String> = parts.iter().map(|_| t.text()).collect();
        self.def(z.clone(), format!("array.stack {} : ({}) -> {}", parts.join(", "), types.join(", "), z.text()));
    }

    fn append(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let like = t.clone();
        let fits = |u: &Ty| u.element == like.element && u.rank() == like.rank() && u.shape[1..] == like.shape[1..];
        let (y, u) = self.pick(fits).expect("at least the first");
        let size = t.shape[0].plus(u.shape[0]);
        if size.known > 6 || size.times.iter().any(|&k| k > 2) {
            return;
        }
        let z = Ty::new(t.element, &[&[size], &t.shape[1..]].concat());
        self.def(z.clone(), format!("array.append {x}, {y} : ({}, {}) -> {}", t.text(), u.text(), z.text()));
    }

    fn slice(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let (start, n) = (self.an_index(), self.size());
        let z = Ty::new(t.element, &[&[n], &t.shape[1..]].concat());
        let n = if n.is_static() { String::new() } else { format!(" size {}", self.size_value(n, true)) };
        self.def(z.clone(), format!("array.slice {x} from {start}{n} : {} -> {}", t.text(), z.text()));
    }

    fn reverse(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        self.def(t.clone(), format!("array.reverse {x} : {}", t.text()));
    }

    fn iota(&mut self) {
        let n = self.size();
        let z = Ty::new(Index, &[n]);
        let n = if n.is_static() { String::new() } else { format!("{} ", self.size_value(n, true)) };
        self.def(z.clone(), format!("array.iota {n}: {}", z.text()));
    }

    fn an_index(&mut self) -> String {
        self.pick(|t| *t == Ty::scalar(Index)).expect("there is an index").0
    }

    fn get(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let k = 1 + self.random(t.rank());
        let indices: Vec<String> = (0..k).map(|_| self.an_index()).collect();
        let z = Ty::new(t.element, &t.shape[k..]);
        self.def(z.clone(), format!("array.get {x}[{}] : {} -> {}", indices.join(", "), t.text(), z.text()));
    }

    fn index(&mut self) {
        let (a, b) = (self.an_index(), self.an_index());
        let z = Ty::scalar(Index);
        match self.random(8) {
            0 => self.def(z, format!("arith.addi {a}, {b} : index")),
            1 => self.def(z, format!("arith.subi {a}, {b} : index")),
            2 | 3 => {
                let n = self.random(6) as i64 - 1;
                self.def(z, format!("arith.constant {n} : index"))
            }
            4 => {
                let c = self.fresh();
                let n = 1 + self.random(4);
                self.line(format!("{c} = arith.constant {n} : index"));
                let op = self.one(&["array.mod", "array.div", "arith.muli", "arith.minsi"]);
                self.def(z, format!("{op} {a}, {c} : index"))
            }
            5 => {
                let x = self.scalar();
                self.def(z, format!("array.floor {x} : f64 -> index"))
            }
            6 => {
                let c = self.def(Ty::scalar(I1), format!("arith.cmpi slt, {a}, {b} : index"));
                self.def(z, format!("arith.select {c}, {a}, {b} : index"))
            }
            _ => match self.array(|_| true) {
                Some((x, t)) => {
                    let axis = self.random(t.rank());
                    self.def(z, format!("array.length {x} axis {axis} : {}", t.text()))
                }
                None => return,
            },
        };
    }

    fn constant(&mut self) {
        let x = self.random(9) as f64 * 0.25 - 1.0;
        match self.random(6) {
            0 => self.def(Ty::scalar(F64), format!("arith.constant {x:?} : f64")),
            1 => self.def(Ty::new(F64, &[known(3)]), format!("arith.constant dense<{x:?}> : tensor<3xf64>")),
            2 => self.def(
                Ty::new(F64, &[known(3), known(1)]),
                "arith.constant dense<[[0.5], [-1.25], [2.0]]> : tensor<3x1xf64>".into(),
            ),
            3 => self.def(Ty::scalar(F64), "dual.one : f64".into()),
            4 => self.def(Ty::new(Index, &[known(3)]), "arith.constant dense<[2, 0, -1]> : tensor<3xindex>".into()),
            _ => self.def(Ty::new(F64, &[known(3)]), "dual.zero : tensor<3xf64>".into()),
        };
    }

    fn convert(&mut self) {
        let Some((x, t)) = self.pick(|t| t.element != I1) else { return };
        let (to, op) = match t.element {
            F64 | F32 => (Index, "array.floor"),
            Index => (I64, "arith.index_cast"),
            _ => (F64, "arith.sitofp"),
        };
        let z = t.with(to);
        let arrow = if op == "array.floor" { "->" } else { "to" };
        self.def(z.clone(), format!("{op} {x} : {} {arrow} {}", t.text(), z.text()));
    }

    fn one_hot(&mut self) {
        let rank = self.one(&[0, 0, 1, 2]);
        let Some((x, t)) = self.pick(|t| t.rank() == rank) else { return };
        let leading: Vec<Size> = (0..if rank < 2 { 1 + self.random(2) } else { 1 }).map(|_| self.size()).collect();
        let indices: Vec<String> = leading.iter().map(|_| self.an_index()).collect();
        let z = Ty::new(t.element, &[leading.as_slice(), t.shape.as_slice()].concat());
        let sizes = self.dynamic(&leading);
        let sizes = if sizes.is_empty() { String::new() } else { format!(" sizes({})", sizes.join(", ")) };
        self.def(
            z.clone(),
            format!("array.one_hot {x} at [{}]{sizes} : {} -> {}", indices.join(", "), t.text(), z.text()),
        );
    }

    /// Indices and their extents as an op writes them.
    fn space(&mut self, sizes: &[Size]) -> (Vec<String>, String) {
        let indices: Vec<String> = sizes.iter().map(|_| self.fresh()).collect();
        let mut heading = Vec::new();
        for (i, &n) in indices.iter().zip(sizes) {
            let n = if n.is_static() { n.known.to_string() } else { self.size_value(n, true) };
            heading.push(format!("{i} < {n}"));
        }
        (indices, heading.join(", "))
    }

    /// The body of an index region that yields `count` indices.
    fn position(&mut self, indices: &[String], count: usize) {
        self.nested(|g| {
            g.values.extend(indices.iter().map(|i| (i.clone(), Ty::scalar(Index))));
            for _ in 0..g.random(3) {
                match g.random(6) {
                    0 => g.get(),
                    1 if g.options.depth > 1 && g.budget > 0 => g.build(g.options.depth - 1),
                    _ => g.index(),
                }
            }
            let index = |t: &Ty| *t == Ty::scalar(Index);
            let mut yielded: Vec<String> =
                (0..count).map(|_| g.pick_fresh(index).expect("there is an index").0).collect();
            if g.random(3) == 0 {
                yielded.iter_mut().zip(indices).for_each(|(y, i)| y.clone_from(i));
            }
            let types: Vec<&str> = yielded.iter().map(|_| "index").collect();
            g.line(format!("array.yield {} : {}\n}}", yielded.join(", "), types.join(", ")));
        });
    }

    fn gather(&mut self) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let m = 1 + self.random(t.rank());
        let room = (3 - (t.rank() - m)).max(1);
        let leading: Vec<Size> = (0..1 + self.random(room.min(2))).map(|_| self.size()).collect();
        let z = Ty::new(t.element, &[leading.as_slice(), &t.shape[m..]].concat());
        let (indices, heading) = self.space(&leading);
        let name = self.fresh();
        self.line(format!("{name} = array.gather {x} : {} ({heading}) -> ({}) {{", t.text(), z.text()));
        self.position(&indices, m);
        self.values.push((name, z));
    }

    fn scatter(&mut self) {
        let Some((init, t)) = self.array(|t| t.element.is_numeric()) else { return };
        // The trailing axes of what is added are those of the array that it is added to.
        let (element, like) = (t.element, t.clone());
        let fits = |u: &Ty| {
            u.element == element
                && (0..like.rank()).any(|s| u.rank() >= s && u.shape[u.rank() - s..] == like.shape[like.rank() - s..])
        };
        let Some((x, u)) = self.pick(fits) else { return };
        let shared: Vec<usize> =
            (0..t.rank()).filter(|&s| u.rank() >= s && u.shape[u.rank() - s..] == t.shape[t.rank() - s..]).collect();
        let s = self.one(&shared);
        let indices: Vec<String> = (0..u.rank() - s).map(|_| self.fresh()).collect();
        let name = self.fresh();
        self.line(format!(
            "{name} = array.scatter {x} into {init} : {} into {} ({}) {{",
            u.text(),
            t.text(),
            indices.join(", ")
        ));
        self.position(&indices, t.rank() - s);
        self.values.push((name, t));
    }

    fn call(&mut self) {
        let (a, b) = (self.scalar(), self.scalar());
        match self.random(4) {
            0 => drop(self.def(Ty::scalar(F64), format!("func.call @scalar({a}, {b}) : (f64, f64) -> f64"))),
            1 => {
                let Some((x, t)) = self.pick(|t| t.element == F64 && t.rank() == 1 && !t.shape[0].is_static()) else {
                    return;
                };
                let (i, name) = (self.an_index(), self.fresh());
                self.line(format!(
                    "{name}:2 = func.call @rows({x}, {i}) : (tensor<?xf64>, index) -> (f64, tensor<?xf64>)"
                ));
                self.values.extend([(format!("{name}#0"), Ty::scalar(F64)), (format!("{name}#1"), t)]);
            }
            2 => {
                let Some((x, t)) = self.pick(|t| t.element == F64 && t.rank() == 1) else { return };
                let ty = t.text();
                self.def(t.clone(), format!("array.vmap @scalar({x}, {a}) in_axes [0, -1] : ({ty}, f64) -> {ty}"));
            }
            _ => {
                let Some((x, t)) = self.pick(|t| t.element == F64 && t.rank() == 2 && !t.shape[0].is_static()) else {
                    return;
                };
                let (i, name) = (self.an_index(), self.fresh());
                let (rows, all) = (Ty::new(F64, &[t.shape[1]]), Ty::new(F64, &[t.shape[1], t.shape[0]]));
                self.line(format!(
                    "{name}:2 = array.vmap @rows({x}, {i}) in_axes [1, -1] : ({}, index) -> ({}, {})",
                    t.text(),
                    rows.text(),
                    all.text()
                ));
                self.values.extend([(format!("{name}#0"), rows), (format!("{name}#1"), all)]);
            }
        }
    }

    /// Runs `body` in a scope of its own.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.values.len();
        let result = body(self);
        self.values.truncate(depth);
        result
    }

    /// A value of a type, which there is.
    fn of(&mut self, t: &Ty) -> String {
        self.pick_fresh(|u| u == t).expect("the caller has one").0
    }

    /// A value of a type, whose choice depends on what was made since `inside` and has not been read.
    fn of_all(&mut self, t: &Ty, inside: usize) -> String {
        let mut z = self.of(t);
        for _ in 0..3 {
            let idle = |v: &&Var| v.1.element.is_numeric() && !self.used.contains(&v.0);
            let Some((x, u)) = self.values[inside.min(self.values.len())..].iter().rev().find(idle).cloned() else {
                break;
            };
            self.used.insert(x.clone());
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

    /// One number of an array.
    fn number(&mut self, x: String, t: &Ty) -> String {
        if t.rank() == 0 {
            return x;
        }
        let (z, axes) = (self.fresh(), (0..t.rank()).collect::<Vec<_>>());
        self.line(format!("{z} = array.max {x} axes {axes:?} : ({}) -> {}", t.text(), t.element.text()));
        z
    }

    fn branch(&mut self, depth: usize) {
        let c = self.pick(|t| *t == Ty::scalar(I1)).expect("there is an i1 argument").0;
        let results: Vec<Var> = (0..1 + self.random(2)).map(|_| self.float()).collect();
        let types: Vec<String> = results.iter().map(|r| r.1.text()).collect();
        let name = self.fresh();
        self.line(format!("{name}:{} = scf.if {c} -> ({}) {{", results.len(), types.join(", ")));
        for side in 0..2 {
            self.nested(|g| {
                let inside = g.values.len();
                let ops = 1 + g.random(5);
                g.block(ops, depth + 1);
                let values: Vec<String> = results.iter().map(|r| g.of_all(&r.1, inside)).collect();
                g.line(format!("scf.yield {} : {}", values.join(", "), types.join(", ")));
            });
            self.line(if side == 0 { "} else {".into() } else { "}".into() });
        }
        self.values.extend(results.into_iter().enumerate().map(|(k, r)| (format!("{name}#{k}"), r.1)));
    }

    /// How often a loop runs: at most four times.
    fn count(&mut self) -> String {
        let (i, most) = (self.an_index(), self.def(Ty::scalar(Index), "arith.constant 4 : index".into()));
        self.def(Ty::scalar(Index), format!("arith.minsi {i}, {most} : index"))
    }

    /// Inits of a loop, and the names of what it carries.
    fn carried(&mut self) -> Vec<(String, Var)> {
        (0..1 + self.random(2))
            .map(|_| {
                let init =
                    if self.random(5) == 0 { self.pick(|t| t.rank() == 0).expect("a scalar") } else { self.float() };
                (self.fresh(), init)
            })
            .collect()
    }

    /// The ops of a loop's body, and what it carries on.
    fn body(&mut self, depth: usize, arguments: &[Var], next: &[Ty]) -> Vec<String> {
        self.values.extend(arguments.iter().cloned());
        let inside = self.values.len();
        let ops = 2 + self.random(5);
        self.block(ops, depth + 1);
        next.iter()
            .map(|t| {
                let x = self.of_all(t, inside);
                // Bounded, so that long loops stay comparable.
                if t.element.is_float() && self.random(2) == 0 {
                    self.def(t.clone(), format!("math.sin {x} : {}", t.text()))
                } else {
                    x
                }
            })
            .collect()
    }

    fn finish(&mut self, name: &str, results: &[Ty]) {
        self.values.extend(results.iter().enumerate().map(|(k, t)| (format!("{name}#{k}"), t.clone())));
    }

    fn ifold(&mut self, depth: usize) {
        let (carried, count, i, name) = (self.carried(), self.count(), self.fresh(), self.fresh());
        let types: Vec<Ty> = carried.iter().map(|c| c.1.1.clone()).collect();
        let (inits, list) = (pairs(&carried), texts(&types));
        self.line(format!("{name}:{} = array.ifold ({i} < {count}) iter_args({inits}) -> ({list}) {{", types.len()));
        self.nested(|g| {
            let arguments = [vec![(i.clone(), Ty::scalar(Index))], inside(&carried)].concat();
            let next = g.body(depth, &arguments, &types);
            g.line(format!("array.yield {} : {list}\n}}", next.join(", ")));
        });
        self.finish(&name, &types);
    }

    fn fold(&mut self, depth: usize) {
        let Some((x, t)) = self.array(|_| true) else { return };
        let (first, like) = (t.shape[0], t.shape[0]);
        let second = self.pick(|u| u.rank() > 0 && u.shape[0] == like).expect("at least the first");
        let (emits, carried, name) = (self.random(2) == 0, self.carried(), self.fresh());
        let rows: Vec<(String, Var)> = [(x, t), second].into_iter().map(|x| (self.fresh(), x)).collect();
        let row = |t: &Ty| Ty::new(t.element, &t.shape[1..]);
        let heading: Vec<String> = rows.iter().map(|(r, (x, t))| format!("{r} = {x} : {}", t.text())).collect();
        let types: Vec<Ty> = carried.iter().map(|c| c.1.1.clone()).collect();
        let arguments: Vec<Var> = rows.iter().map(|(r, (_, t))| (r.clone(), row(t))).chain(inside(&carried)).collect();
        let before = std::mem::take(&mut self.text);
        let (next, emitted) = self.nested(|g| {
            let next = g.body(depth, &arguments, &types);
            let emitted = emits.then(|| g.pick_fresh(|t| t.rank() < 3).expect("a scalar"));
            (next, emitted)
        });
        let body = std::mem::replace(&mut self.text, before);
        let all: Vec<Ty> = types.iter().cloned().chain(emitted.iter().map(|e| e.1.clone())).collect();
        let results: Vec<Ty> = types
            .iter()
            .cloned()
            .chain(emitted.iter().map(|e| Ty::new(e.1.element, &[&[first], e.1.shape.as_slice()].concat())))
            .collect();
        let op = if emits { "map_accum" } else { "fold" };
        self.line(format!(
            "{name}:{} = array.{op} ({}) iter_args({}) -> ({}) {{",
            results.len(),
            heading.join(", "),
            pairs(&carried),
            texts(&results)
        ));
        self.text.push_str(&body);
        let yielded: Vec<String> = next.into_iter().chain(emitted.map(|e| e.0)).collect();
        self.line(format!("array.yield {} : {}\n}}", yielded.join(", "), texts(&all)));
        self.finish(&name, &results);
    }

    fn scf_for(&mut self, depth: usize) {
        let (carried, count, i, name) = (self.carried(), self.count(), self.fresh(), self.fresh());
        let (zero, one) = (self.fresh(), self.fresh());
        self.line(format!("{zero} = arith.constant 0 : index\n{one} = arith.constant 1 : index"));
        let types: Vec<Ty> = carried.iter().map(|c| c.1.1.clone()).collect();
        let (inits, list) = (pairs(&carried), texts(&types));
        self.line(format!(
            "{name}:{} = scf.for {i} = {zero} to {count} step {one} iter_args({inits}) -> ({list}) {{",
            types.len()
        ));
        self.nested(|g| {
            let arguments = [vec![(i.clone(), Ty::scalar(Index))], inside(&carried)].concat();
            let next = g.body(depth, &arguments, &types);
            g.line(format!("scf.yield {} : {list}\n}}", next.join(", ")));
        });
        self.finish(&name, &types);
    }

    /// Counts to a bound, unless a carried number says otherwise.
    fn scf_while(&mut self, depth: usize) {
        let (x, count, name) = (self.float(), self.count(), self.fresh());
        let t = x.1.clone();
        let (i, s, j, r) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (zero, one, c, next) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let ty = t.text();
        self.line(format!("{zero} = arith.constant 0 : index\n{one} = arith.constant 1 : index"));
        self.line(format!("{name}:2 = scf.while ({i} = {zero}, {s} = {}) : (index, {ty}) -> (index, {ty}) {{", x.0));
        self.line(format!("{c} = arith.cmpi slt, {i}, {count} : index"));
        let condition = if t == Ty::scalar(F64) && self.random(2) == 0 {
            let (a, d, e) = (self.scalar(), self.fresh(), self.fresh());
            self.line(format!("{d} = arith.cmpf ule, {s}, {a} : f64\n{e} = arith.andi {c}, {d} : i1"));
            e
        } else {
            c
        };
        self.line(format!("scf.condition({condition}) {i}, {s} : index, {ty}\n}} do {{\n^bb0({j}: index, {r}: {ty}):"));
        self.nested(|g| {
            g.line(format!("{next} = arith.addi {j}, {one} : index"));
            let arguments = [(j.clone(), Ty::scalar(Index)), (r.clone(), t.clone())];
            let carried = g.body(depth, &arguments, std::slice::from_ref(&t));
            g.line(format!("scf.yield {next}, {} : index, {ty}\n}}", carried[0]));
        });
        self.finish(&name, &[Ty::scalar(Index), t]);
    }

    fn build(&mut self, depth: usize) {
        let leading: Vec<Size> = (0..self.one(&[1, 1, 2])).map(|_| self.size()).collect();
        let (indices, heading) = self.space(&leading);
        let (count, name) = (1 + self.random(4), self.fresh());
        // The body comes first: it decides the types.
        let before = std::mem::take(&mut self.text);
        let room = 3 - leading.len();
        let yielded: Vec<Var> = self.nested(|g| {
            g.values.extend(indices.iter().map(|i| (i.clone(), Ty::scalar(Index))));
            let ops = 2 + g.random(5);
            g.block(ops, depth + 1);
            (0..count)
                .map(|_| {
                    let float = g.random(4) > 0;
                    let fits = |t: &Ty| t.rank() <= room && t.element.is_float() == float;
                    g.pick_fresh(fits).expect("there are scalar arguments")
                })
                .collect()
        });
        let body = std::mem::replace(&mut self.text, before);
        let elements: Vec<Ty> = yielded.iter().map(|y| y.1.clone()).collect();
        let results: Vec<Ty> =
            elements.iter().map(|t| Ty::new(t.element, &[leading.as_slice(), t.shape.as_slice()].concat())).collect();
        self.line(format!("{name}:{count} = array.build ({heading}) -> ({}) {{", texts(&results)));
        self.text.push_str(&body);
        let names: Vec<String> = yielded.into_iter().map(|y| y.0).collect();
        self.line(format!("array.yield {} : {}\n}}", names.join(", "), texts(&elements)));
        self.finish(&name, &results);
    }
}

fn texts(types: &[Ty]) -> String {
    types.iter().map(Ty::text).collect::<Vec<_>>().join(", ")
}

/// `%carried = %init, ...`
fn pairs(carried: &[(String, Var)]) -> String {
    carried.iter().map(|(c, (v, _))| format!("{c} = {v}")).collect::<Vec<_>>().join(", ")
}

/// What a loop carries, as its body sees it.
fn inside(carried: &[(String, Var)]) -> Vec<Var> {
    carried.iter().map(|(c, (_, t))| (c.clone(), t.clone())).collect()
}
