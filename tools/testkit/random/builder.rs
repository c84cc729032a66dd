//! The text of a random program under construction, in one of its three size forms: with static sizes, with dynamic
//! sizes, or with dynamic sizes that `static-sizes` makes static.
//!
//! For one seed, all forms are the same program: no random choice depends on the form. Sizes are symbols ([`Dim`]),
//! which a form prints as numbers or as `?`.

use mlopt_cases::Random;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use std::collections::HashMap;
use std::fmt::Write;

/// The sizes of dimensions: vector widths, tile sizes, these plus and minus one, and primes.
pub const SIZES: [usize; 25] =
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 25, 31, 32, 33, 55, 64, 100, 127, 128, 129, 257, 1000];

/// The representation of sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Form {
    /// All sizes are static.
    Static,
    /// Sizes are dynamic.
    Dynamic,
    /// The dynamic form with `array.sizes`, for the pass `static-sizes`.
    Specialised,
}

/// The extent of an axis, as an index into [`Builder::axes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dim(usize);

struct Axis {
    size: usize,
    /// True if it is `?` outside of the static form.
    open: bool,
    /// True if an argument or a computation determines its value where it is open.
    sourced: bool,
}

/// An SSA value.
#[derive(Clone, Debug)]
pub struct Value {
    pub name: String,
    pub shape: Vec<Dim>,
    pub element: Element,
    /// An approximate bound of the magnitude of finite floats. Patterns scale values that grow.
    pub bound: f64,
}

impl Value {
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn is_float(&self) -> bool {
        self.element.is_float()
    }

    pub fn bounded(self, bound: f64) -> Value {
        Value { bound, ..self }
    }
}

/// The distribution of an argument's elements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Draw {
    /// Floats between −1.5 and 1.5. Coarse inputs are multiples of 1/8, so that ties occur.
    Float,
    /// Integers from `low` to `high`, inclusive.
    Integer { low: i64, high: i64 },
    /// Booleans, true with this probability.
    Bool(f64),
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub value: Value,
    pub draw: Draw,
}

/// The maximum magnitude of the results of patterns.
const TAME: f64 = 8.0;

pub struct Builder {
    pub form: Form,
    /// The precision of the program.
    pub float: Element,
    random: Random,
    axes: Vec<Axis>,
    /// Sizes that replace drawn ones, in the order of [`Builder::dims`].
    given: Vec<usize>,
    /// The drawn sizes.
    pub drawn: Vec<usize>,
    /// Computed dimensions, by their expression.
    derived: HashMap<String, Dim>,
    pub parameters: Vec<Parameter>,
    /// The ops that compute lengths of arguments, and those that compute further sizes.
    pub lengths: String,
    pub sizes: String,
    /// The names of constant sizes in this form.
    constants: HashMap<usize, String>,
    pub body: String,
    next: usize,
    /// The values of the function's body, without those of regions.
    pub kept: Vec<Value>,
    /// Results in addition to the last ones.
    pub results: Vec<Value>,
    /// The number of times that the innermost region runs.
    repeats: f64,
    /// The approximate number of ops that the evaluator runs.
    pub steps: f64,
    pub limits: Limits,
    /// The probability that a dimension is open, in tenths.
    openness: usize,
}

/// The limits of a program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub steps: f64,
    pub elements: f64,
}

impl Builder {
    pub fn new(seed: u64, form: Form, float: Element, limits: Limits, given: &[usize]) -> Builder {
        let mut b = Builder {
            form,
            float,
            random: Random::new(seed),
            axes: vec![],
            given: given.to_vec(),
            drawn: vec![],
            derived: HashMap::new(),
            parameters: vec![],
            lengths: String::new(),
            sizes: String::new(),
            constants: HashMap::new(),
            body: String::new(),
            next: 0,
            kept: vec![],
            results: vec![],
            repeats: 1.0,
            steps: 0.0,
            limits,
            openness: 10,
        };
        // In most programs all sizes are open, in some only a few.
        b.openness = b.one_of(&[10, 10, 10, 7, 4]);
        b
    }

    //===-- random choices ---------------------------------------------------------------------------------------===//

    pub fn below(&mut self, n: usize) -> usize {
        self.random.below(n.max(1))
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns true with probability 1/n.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn coin(&mut self) -> bool {
        self.once_in(2)
    }

    //===-- sizes ------------------------------------------------------------------------------------------------===//

    /// Draws `N` dimensions whose product times `cost` is within the limit of steps, and whose product is within that
    /// of elements.
    pub fn dims<const N: usize>(&mut self, cost: f64) -> [Dim; N] {
        let mut left = ((self.limits.steps - self.steps) / cost).min(self.limits.elements).max(2.0);
        // Drawn in random order, so that each may be the largest.
        let mut order: Vec<usize> = (0..N).collect();
        for k in 0..N {
            order.swap(k, k + self.below(N - k));
        }
        let mut dims = [Dim(0); N];
        for k in order {
            dims[k] = self.dim(left as usize);
            left = (left / self.size(dims[k]).max(1) as f64).max(1.0);
        }
        dims
    }

    /// Draws a dimension of at most `most`.
    pub fn dim(&mut self, most: usize) -> Dim {
        let fits = SIZES.iter().take_while(|&&n| n <= most.max(1)).count();
        let (low, high) = (self.below(fits), self.below(fits));
        // Large sizes are slightly more likely.
        let choice = if self.coin() { low } else { low.max(high) };
        let size = self.given.get(self.drawn.len()).copied().unwrap_or(SIZES[choice]);
        self.drawn.push(size);
        let open = self.below(10) < self.openness;
        self.axis(size, open, false)
    }

    fn axis(&mut self, size: usize, open: bool, sourced: bool) -> Dim {
        self.axes.push(Axis { size, open, sourced });
        Dim(self.axes.len() - 1)
    }

    /// Returns a dimension that every form prints as a number.
    pub fn literal(&mut self, size: usize) -> Dim {
        let key = format!("{size}");
        if let Some(&dim) = self.derived.get(&key) {
            return dim;
        }
        let dim = self.axis(size, false, true);
        self.derived.insert(key, dim);
        dim
    }

    pub fn size(&self, dim: Dim) -> usize {
        self.axes[dim.0].size
    }

    pub fn elements(&self, shape: &[Dim]) -> f64 {
        shape.iter().map(|&d| self.size(d) as f64).product()
    }

    /// Checks whether ops of `cost` at every point of `shape` are within the limits.
    pub fn affords(&self, shape: &[Dim], cost: f64) -> bool {
        let n = self.elements(shape);
        n <= self.limits.elements && self.steps + n * cost * self.repeats <= self.limits.steps
    }

    /// Checks whether this form prints the dimension as `?`.
    pub fn is_open(&self, dim: Dim) -> bool {
        self.form != Form::Static && self.axes[dim.0].open
    }

    /// Returns a dimension computed from others: `op` is one of `add`, `sub`, `mul` (of `arith`) and `div` (of
    /// `array`).
    pub fn computed(&mut self, op: &str, a: Dim, b: Dim) -> Dim {
        let key = format!("{op} {} {}", a.0, b.0);
        if let Some(&dim) = self.derived.get(&key) {
            return dim;
        }
        let (m, n) = (self.size(a), self.size(b));
        let size = match op {
            "add" => m + n,
            "sub" => m.saturating_sub(n),
            "mul" => m * n,
            _ => m.checked_div(n).unwrap_or(0),
        };
        let dim = self.axis(size, self.axes[a.0].open || self.axes[b.0].open, true);
        if self.is_open(dim) {
            let (m, n) = (self.extent(a), self.extent(b));
            let op = if op == "div" { "array.div".into() } else { format!("arith.{op}i") };
            let name = format!("%n{}", dim.0);
            let _ = writeln!(self.sizes, "  {name} = {op} {m}, {n} : index");
        }
        self.derived.insert(key, dim);
        dim
    }

    /// Returns the SSA value of a dimension.
    pub fn extent(&mut self, dim: Dim) -> String {
        if self.is_open(dim) {
            return format!("%n{}", dim.0);
        }
        let size = self.size(dim);
        if let Some(name) = self.constants.get(&size) {
            return name.clone();
        }
        let name = format!("%size{size}");
        let _ = writeln!(self.sizes, "  {name} = arith.constant {size} : index");
        self.constants.insert(size, name.clone());
        name
    }

    //===-- types and arguments ----------------------------------------------------------------------------------===//

    pub fn type_of(&self, shape: &[Dim], element: Element) -> String {
        if shape.is_empty() {
            return element.name().into();
        }
        let dim = |&d: &Dim| if self.is_open(d) { "?x".into() } else { format!("{}x", self.size(d)) };
        format!("tensor<{}{}>", shape.iter().map(dim).collect::<String>(), element.name())
    }

    pub fn ty(&self, v: &Value) -> String {
        self.type_of(&v.shape, v.element)
    }

    pub fn types(&self, values: &[Value]) -> String {
        values.iter().map(|v| self.ty(v)).collect::<Vec<_>>().join(", ")
    }

    /// Declares an argument. The first array with a dimension determines its extent.
    pub fn parameter(&mut self, shape: &[Dim], element: Element, draw: Draw) -> Value {
        let bound = if element.is_float() { 1.5 } else { 0.0 };
        let name = format!("%x{}", self.parameters.len());
        let value = Value { name, shape: shape.to_vec(), element, bound };
        for (axis, &dim) in shape.iter().enumerate() {
            // Occasionally a size is a separate argument.
            let by_itself = self.once_in(12);
            if !self.axes[dim.0].sourced && !by_itself {
                self.axes[dim.0].sourced = true;
                if self.is_open(dim) {
                    let at = if axis == 0 { String::new() } else { format!(" axis {axis}") };
                    let ty = self.ty(&value);
                    let _ = writeln!(self.lengths, "  %n{} = array.length {}{at} : {ty}", dim.0, value.name);
                }
            }
        }
        self.parameters.push(Parameter { value: value.clone(), draw });
        value
    }

    pub fn floats(&mut self, shape: &[Dim]) -> Value {
        self.parameter(shape, self.float, Draw::Float)
    }

    /// Declares an argument of positions on an axis of `dim`. Some are out of range, most occur more than once.
    pub fn positions(&mut self, shape: &[Dim], dim: Dim) -> Value {
        let n = self.size(dim) as i64;
        let (low, high) = self.one_of(&[(0, n - 1), (-2, n + 1), (0, n / 2), (-1, n)]);
        self.parameter(shape, Element::Index, Draw::Integer { low, high: high.max(low) })
    }

    /// Declares arguments for the sizes that no array has.
    pub fn finish_sizes(&mut self) {
        for k in 0..self.axes.len() {
            if !self.axes[k].sourced && self.axes[k].open {
                let size = self.axes[k].size as i64;
                let value = Value { name: format!("%n{k}"), shape: vec![], element: Element::Index, bound: 0.0 };
                self.parameters.push(Parameter { value, draw: Draw::Integer { low: size, high: size } });
            }
        }
    }

    //===-- values -----------------------------------------------------------------------------------------------===//

    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// Makes a value of the function available to later patterns.
    pub fn keep(&mut self, v: &Value) {
        let v = self.tame(v.clone());
        self.kept.push(v);
    }

    /// Returns an array of floats with `N` axes: an existing one, or an argument.
    pub fn input<const N: usize>(&mut self, cost: f64) -> (Value, [Dim; N]) {
        let found: Vec<Value> = self
            .kept
            .iter()
            .filter(|v| v.rank() == N && v.element == self.float && self.affords(&v.shape, cost))
            .cloned()
            .collect();
        let reuse = self.below(3) > 0;
        let choice = self.below(found.len());
        match found.get(choice) {
            Some(v) if reuse => (v.clone(), std::array::from_fn(|k| v.shape[k])),
            _ => {
                let dims = self.dims::<N>(cost);
                (self.floats(&dims), dims)
            }
        }
    }

    /// Writes an op, and returns its result.
    pub fn def(&mut self, shape: &[Dim], element: Element, bound: f64, right: &str) -> Value {
        let name = self.fresh();
        let _ = writeln!(self.body, "  {name} = {right}");
        self.steps += self.repeats;
        Value { name, shape: shape.to_vec(), element, bound }
    }

    /// Returns the result of `body`, and the text that it writes, which runs `repeats` times.
    pub fn region<T>(&mut self, repeats: f64, body: impl FnOnce(&mut Self) -> T) -> (T, String) {
        let (before, outer) = (std::mem::take(&mut self.body), self.repeats);
        self.repeats *= repeats;
        self.steps += self.repeats;
        let result = body(self);
        self.repeats = outer;
        let text = std::mem::replace(&mut self.body, before);
        (result, text.lines().fold(String::new(), |all, line| all + "  " + line + "\n"))
    }

    /// Writes ops with regions.
    pub fn write(&mut self, text: &str) {
        self.body.push_str(text);
    }

    /// Returns `v`, scaled down if it may be large.
    pub fn tame(&mut self, v: Value) -> Value {
        if !v.is_float() || v.bound <= TAME {
            return v;
        }
        let c = self.constant_like((2.0 / v.bound).log2().floor().exp2(), &v);
        self.binary(Kind::ArithMulf, &v, &c)
    }
}
