//! Random programs under construction: types with sizes that are known only at run time, the values in scope, and the
//! text that defines them.

use mlopt_cases::Xorshift;
use mlopt_dialects::value::Element;
pub use mlopt_dialects::value::Element::{F32, F64, I1, I32, I64, Index};

/// A size in a type: static, or the `index` value of this name.
#[derive(Clone, PartialEq, Debug)]
pub enum Size {
    Static(usize),
    Named(String),
}

/// A scalar, or an array of up to three axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    pub shape: Vec<Size>,
    pub element: Element,
}

impl Type {
    pub fn of(shape: &[Size], element: Element) -> Type {
        Type { shape: shape.to_vec(), element }
    }

    pub fn scalar(element: Element) -> Type {
        Type { shape: vec![], element }
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Returns the type of a subarray at `k` indices.
    pub fn behind(&self, k: usize) -> Type {
        Type::of(&self.shape[k..], self.element)
    }

    /// Returns the type of an array of these.
    pub fn rows(&self, leading: &[Size]) -> Type {
        Type::of(&[leading, &self.shape].concat(), self.element)
    }

    pub fn is_float(&self) -> bool {
        self.element.is_float()
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.element, I32 | I64 | Index)
    }

    pub fn is_number(&self) -> bool {
        self.element != I1
    }

    pub fn text(&self) -> String {
        if self.shape.is_empty() {
            return self.element.name().into();
        }
        let dim = |s: &Size| match s {
            Size::Static(n) => format!("{n}x"),
            Size::Named(_) => "?x".into(),
        };
        format!("tensor<{}{}>", self.shape.iter().map(dim).collect::<String>(), self.element.name())
    }
}

/// A value in scope.
#[derive(Clone, Debug)]
pub struct Known {
    pub name: String,
    pub ty: Type,
}

pub struct Generator {
    random: Xorshift,
    next: usize,
    pub text: String,
    pub values: Vec<Known>,
    /// The names of run-time sizes in scope.
    pub names: Vec<String>,
    /// The number of ops that may still be generated, so that programs end, and of appends, so that arrays stay small.
    pub budget: usize,
    pub appends: usize,
    /// True if only ops that `egg-optimize` supports are generated.
    pub classic: bool,
    pub helper: bool,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            random: Xorshift(seed.wrapping_mul(0x9E3779B97F4A7C15) | 1),
            next: 0,
            text: String::new(),
            values: Vec::new(),
            names: vec!["%n".into(), "%m".into()],
            budget: 40,
            appends: 3,
            classic: seed.is_multiple_of(3),
            helper: seed.is_multiple_of(2),
        }
    }

    pub fn random(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    pub fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        let k = self.random(choices.len());
        choices[k].clone()
    }

    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    pub fn fresh_names(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| self.fresh()).collect()
    }

    pub fn line(&mut self, line: String) {
        self.text.push_str(&line);
        self.text.push('\n');
    }

    pub fn know(&mut self, name: String, ty: Type) {
        self.values.push(Known { name, ty });
    }

    /// Defines a new value.
    pub fn def(&mut self, ty: Type, right: String) -> String {
        let name = self.fresh();
        self.line(format!("{name} = {right}"));
        self.know(name.clone(), ty);
        name
    }

    /// Returns a value that satisfies the condition; recent ones are more likely.
    pub fn pick(&mut self, fits: impl Fn(&Type) -> bool) -> Option<Known> {
        let all: Vec<Known> = self.values.iter().filter(|v| fits(&v.ty)).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let k = self.random(all.len()).max(self.random(all.len()));
        Some(all[k].clone())
    }

    pub fn like(&mut self, ty: &Type) -> Known {
        self.pick(|t| t == ty).expect("there is one of this type")
    }

    pub fn array(&mut self, fits: impl Fn(&Type) -> bool) -> Option<Known> {
        self.pick(|t| t.rank() > 0 && fits(t))
    }

    /// Returns a scalar `f64`, which always exists.
    pub fn real(&mut self) -> String {
        self.like(&Type::scalar(F64)).name
    }

    /// Returns a scalar `index`, which always exists.
    pub fn index(&mut self) -> String {
        self.like(&Type::scalar(Index)).name
    }

    pub fn size(&mut self) -> Size {
        match self.random(5) {
            0 => Size::Static(3),
            1 => Size::Static(1),
            2 if !self.classic && self.random(3) == 0 => {
                let names = self.names.clone();
                Size::Named(self.one_of(&names))
            }
            4 => Size::Named("%m".into()),
            _ => Size::Named("%n".into()),
        }
    }

    /// Returns the operands that provide the dynamic sizes of a type.
    pub fn extents(sizes: &[Size]) -> Vec<String> {
        sizes
            .iter()
            .filter_map(|s| match s {
                Size::Static(_) => None,
                Size::Named(name) => Some(name.clone()),
            })
            .collect()
    }

    /// Returns `%i < 3, %j < %n`.
    pub fn heading(indices: &[String], sizes: &[Size]) -> String {
        let one = |(i, n): (&String, &Size)| match n {
            Size::Static(n) => format!("{i} < {n}"),
            Size::Named(n) => format!("{i} < {n}"),
        };
        indices.iter().zip(sizes).map(one).collect::<Vec<_>>().join(", ")
    }

    /// Checks whether the sizes in `ty` are visible here.
    pub fn is_visible(&self, ty: &Type) -> bool {
        ty.shape.iter().all(|s| match s {
            Size::Static(_) => true,
            Size::Named(name) => self.names.contains(name),
        })
    }

    /// Runs `body` in a new scope.
    pub fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let (values, names) = (self.values.len(), self.names.len());
        let result = body(self);
        self.values.truncate(values);
        self.names.truncate(names);
        result
    }

    /// Runs [`Generator::nested`]. Returns also the generated text.
    pub fn aside<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> (T, String) {
        let before = std::mem::take(&mut self.text);
        let result = self.nested(body);
        (result, std::mem::replace(&mut self.text, before))
    }

    pub fn block(&mut self, ops: usize, depth: usize) {
        for _ in 0..ops {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.op(depth);
        }
    }

    fn op(&mut self, depth: usize) {
        let kinds = if self.classic { 22 } else { 46 };
        match self.random(kinds) {
            0..=2 => self.unary(),
            3..=6 => self.binary(),
            7 => self.select(),
            8 | 9 => self.sum(),
            10 => self.replicate(),
            11 => self.transpose(),
            12..=14 => self.get(),
            15 => self.index_arithmetic(),
            16 => self.constant(),
            17 if self.helper => self.call(),
            18 if depth < 3 => self.branch(depth),
            19 | 20 if depth < 3 => self.build(depth),
            21 if depth < 3 => self.ifold(depth),
            22 | 23 => self.integers(),
            24 => self.convert(),
            25 | 26 => self.reduce(),
            27 => self.search(),
            28 | 29 => self.gather(depth),
            30..=33 => self.scatter(depth),
            34 => self.one_hot(),
            35 => self.accumulate(),
            36 | 37 => self.reshape(),
            38 => self.stack(),
            39 => self.append(),
            40 => self.slice(),
            41 => self.reverse_or_iota(),
            42 | 43 if depth < 3 => self.fold(depth),
            44 if depth < 3 => self.while_loop(depth),
            45 if depth < 3 => self.for_loop(depth),
            _ => self.binary(),
        }
    }
}

pub fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(", ")
}
