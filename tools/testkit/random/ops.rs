//! Generation of single ops, in the syntax of users.

use super::builder::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use std::borrow::Borrow;

/// Formats a finite float in MLIR syntax.
fn float_text(x: f64) -> String {
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

pub fn names(values: &[impl Borrow<Value>]) -> String {
    values.iter().map(|v| Borrow::<Value>::borrow(v).name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Formats the initial values of states: `iter_args(%s = %x, %t = %y)`.
fn carried(states: &[Value], inits: &[Value]) -> String {
    let pairs: Vec<String> = states.iter().zip(inits).map(|(s, init)| format!("{} = {}", s.name, init.name)).collect();
    format!("iter_args({})", pairs.join(", "))
}

impl Builder {
    //===-- constants --------------------------------------------------------------------------------------------===//

    pub fn real(&mut self, x: f64) -> Value {
        let text = format!("arith.constant {} : {}", float_text(x), self.float);
        self.def(&[], self.float, x.abs(), &text)
    }

    pub fn index(&mut self, x: i64) -> Value {
        self.integer(x, Element::Index)
    }

    pub fn integer(&mut self, x: i64, element: Element) -> Value {
        self.def(&[], element, 0.0, &format!("arith.constant {x} : {element}"))
    }

    /// Returns the extent of a dimension as a value.
    pub fn length(&mut self, dim: Dim) -> Value {
        Value { name: self.extent(dim), shape: vec![], element: Element::Index, bound: 0.0 }
    }

    /// Returns a constant of the type of `v`. Its steps are not counted: their number depends on the form, and draws
    /// depend on steps.
    pub fn constant_like(&mut self, x: f64, v: &Value) -> Value {
        let (dense, ty, steps) = (self.coin(), self.ty(v), self.steps);
        let z = if dense && v.rank() > 0 && !ty.contains('?') {
            let number = if v.is_float() { float_text(x) } else { (x as i64).to_string() };
            self.def(&v.shape, v.element, x.abs(), &format!("arith.constant dense<{number}> : {ty}"))
        } else {
            let scalar = if v.is_float() { self.real(x) } else { self.integer(x as i64, v.element) };
            self.filled(&scalar, &v.shape)
        };
        self.steps = steps;
        z
    }

    /// Returns an array of equal scalars.
    pub fn filled(&mut self, x: &Value, shape: &[Dim]) -> Value {
        shape.iter().rev().fold(x.clone(), |row, &dim| self.replicate(&row, dim)).bounded(x.bound)
    }

    pub fn zeros(&mut self, shape: &[Dim]) -> Value {
        let zero = self.real(0.0);
        self.filled(&zero, shape)
    }

    //===-- elementwise ------------------------------------------------------------------------------------------===//

    pub fn unary(&mut self, kind: Kind, x: &Value) -> Value {
        let bound = match kind {
            Kind::MathTanh | Kind::MathSin | Kind::MathCos | Kind::MathErf => 1.0,
            Kind::MathAtan => 1.6,
            Kind::MathExp | Kind::MathExpm1 => x.bound.min(40.0).exp(),
            Kind::MathSqrt => x.bound.sqrt(),
            _ => x.bound,
        };
        let text = format!("{kind} {} : {}", x.name, self.ty(x));
        self.def(&x.shape, x.element, bound, &text)
    }

    pub fn binary(&mut self, kind: Kind, x: &Value, y: &Value) -> Value {
        let bound = match kind {
            Kind::ArithMulf => x.bound * y.bound,
            Kind::ArithDivf => x.bound,
            Kind::ArithMaximumf | Kind::ArithMinimumf => x.bound.max(y.bound),
            _ => x.bound + y.bound,
        };
        let text = format!("{kind} {}, {} : {}", x.name, y.name, self.ty(x));
        self.def(&x.shape, x.element, bound, &text)
    }

    /// Writes `op` with a constant on the right.
    pub fn with_constant(&mut self, kind: Kind, x: &Value, c: f64) -> Value {
        let c = self.constant_like(c, x);
        self.binary(kind, x, &c)
    }

    /// Writes `cmpf` or `cmpi`.
    pub fn compare(&mut self, predicate: &str, x: &Value, y: &Value) -> Value {
        let op = if x.is_float() { "cmpf" } else { "cmpi" };
        let text = format!("arith.{op} {predicate}, {}, {} : {}", x.name, y.name, self.ty(x));
        self.def(&x.shape, Element::I1, 0.0, &text)
    }

    pub fn select(&mut self, c: &Value, x: &Value, y: &Value) -> Value {
        let condition = if c.rank() > 0 { format!("{}, ", self.ty(c)) } else { String::new() };
        let text = format!("arith.select {}, {}, {} : {condition}{}", c.name, x.name, y.name, self.ty(x));
        self.def(&x.shape, x.element, x.bound.max(y.bound), &text)
    }

    /// Writes a conversion of `arith`, or `array.floor`.
    pub fn convert(&mut self, op: &str, x: &Value, element: Element, bound: f64) -> Value {
        let (from, to) = (self.ty(x), self.type_of(&x.shape, element));
        let types = if op == "array.floor" { format!("({from}) -> {to}") } else { format!("{from} to {to}") };
        self.def(&x.shape, element, bound, &format!("{op} {} : {types}", x.name))
    }

    /// Converts a scalar of type `index` to a float.
    pub fn float_of_index(&mut self, i: &Value, bound: f64) -> Value {
        let wide = self.convert("arith.index_cast", i, Element::I64, 0.0);
        self.convert("arith.sitofp", &wide, self.float, bound)
    }

    /// Computes x / (1 + x²), a bounded function without kinks.
    pub fn damped(&mut self, x: &Value) -> Value {
        let square = self.binary(Kind::ArithMulf, x, x);
        let below = self.with_constant(Kind::ArithAddf, &square, 1.0);
        self.binary(Kind::ArithDivf, x, &below).bounded(0.5)
    }

    pub fn sigmoid(&mut self, x: &Value) -> Value {
        let minus = self.unary(Kind::ArithNegf, x);
        let e = self.unary(Kind::MathExp, &minus);
        let below = self.with_constant(Kind::ArithAddf, &e, 1.0);
        let one = self.constant_like(1.0, x);
        self.binary(Kind::ArithDivf, &one, &below).bounded(1.0)
    }

    /// Multiplies `x` by an argument of the same shape, in every second case.
    pub fn perhaps_scaled(&mut self, x: Value) -> Value {
        if !self.coin() {
            return x;
        }
        let w = self.floats(&x.shape);
        self.binary(Kind::ArithMulf, &x, &w)
    }

    //===-- structure --------------------------------------------------------------------------------------------===//

    /// Writes an op of `array`, with its operands and attributes in `op`. The types of `inputs` are those before the
    /// arrow.
    fn array_op(&mut self, op: &str, inputs: &[&Value], shape: &[Dim], element: Element, bound: f64) -> Value {
        let from: Vec<String> = inputs.iter().map(|x| self.ty(x)).collect();
        let text = format!("array.{op} : ({}) -> {}", from.join(", "), self.type_of(shape, element));
        self.def(shape, element, bound, &text)
    }

    /// Writes an op of `array` whose result has elements of `x`.
    fn elements_of(&mut self, x: &Value, op: &str, shape: &[Dim]) -> Value {
        self.array_op(op, &[x], shape, x.element, x.bound)
    }

    pub fn replicate(&mut self, x: &Value, dim: Dim) -> Value {
        let size = self.given_sizes(&[dim], ", ", "");
        self.elements_of(x, &format!("replicate {}{size}", x.name), &[&[dim], x.shape.as_slice()].concat())
    }

    /// Returns the operands for the dimensions that types print as `?`, between `before` and `after`; empty if there
    /// are none.
    fn given_sizes(&mut self, dims: &[Dim], before: &str, after: &str) -> String {
        let open: Vec<Dim> = dims.iter().copied().filter(|&d| self.is_open(d)).collect();
        let open: Vec<String> = open.into_iter().map(|d| self.extent(d)).collect();
        if open.is_empty() { String::new() } else { format!("{before}{}{after}", open.join(", ")) }
    }

    pub fn transpose(&mut self, x: &Value, permutation: &[usize]) -> Value {
        let shape: Vec<Dim> = permutation.iter().map(|&k| x.shape[k]).collect();
        self.elements_of(x, &format!("transpose {} {permutation:?}", x.name), &shape)
    }

    pub fn reshape(&mut self, x: &Value, shape: &[Dim]) -> Value {
        let sizes = self.given_sizes(shape, " sizes(", ")");
        self.elements_of(x, &format!("reshape {}{sizes}", x.name), shape)
    }

    pub fn slice(&mut self, x: &Value, start: &Value, dim: Dim) -> Value {
        let size = self.given_sizes(&[dim], " size ", "");
        let op = format!("slice {} from {}{size}", x.name, start.name);
        self.elements_of(x, &op, &[&[dim], &x.shape[1..]].concat())
    }

    pub fn append(&mut self, x: &Value, y: &Value) -> Value {
        let shape = [&[self.computed("add", x.shape[0], y.shape[0])], &x.shape[1..]].concat();
        let op = format!("append {}, {}", x.name, y.name);
        self.array_op(&op, &[x, y], &shape, x.element, x.bound.max(y.bound))
    }

    pub fn stack(&mut self, parts: &[Value]) -> Value {
        let shape = [&[self.literal(parts.len())], parts[0].shape.as_slice()].concat();
        let bound = parts.iter().fold(0.0, |b: f64, p| b.max(p.bound));
        let inputs: Vec<&Value> = parts.iter().collect();
        self.array_op(&format!("stack {}", names(parts)), &inputs, &shape, parts[0].element, bound)
    }

    pub fn reverse(&mut self, x: &Value) -> Value {
        let text = format!("array.reverse {} : {}", x.name, self.ty(x));
        self.def(&x.shape, x.element, x.bound, &text)
    }

    pub fn one_hot(&mut self, x: &Value, at: &[impl Borrow<Value>], dims: &[Dim]) -> Value {
        let sizes = self.given_sizes(dims, " sizes(", ")");
        let op = format!("one_hot {} at [{}]{sizes}", x.name, names(at));
        self.elements_of(x, &op, &[dims, x.shape.as_slice()].concat())
    }

    pub fn get(&mut self, x: &Value, at: &[impl Borrow<Value>]) -> Value {
        self.elements_of(x, &format!("get {}[{}]", x.name, names(at)), &x.shape[at.len()..])
    }

    /// Returns the shape of `x` without some axes.
    fn without_axes(x: &Value, axes: &[usize]) -> Vec<Dim> {
        (0..x.rank()).filter(|k| !axes.contains(k)).map(|k| x.shape[k]).collect()
    }

    /// Writes a reduction over `axes`, one of `sum`, `prod`, `max`, `min`.
    pub fn reduce(&mut self, kind: &str, x: &Value, axes: &[usize]) -> Value {
        let count = axes.iter().map(|&k| self.size(x.shape[k]) as f64).product::<f64>();
        let licensed = kind == "sum" && x.is_float() && self.once_in(3);
        let along = if axes == [0] { String::new() } else { format!(" axes {axes:?}") };
        let flags = if licensed { " fastmath<reassoc>" } else { "" };
        let bound = match kind {
            "sum" => x.bound * count,
            "prod" => x.bound.max(1.0).powf(count),
            _ => x.bound,
        };
        let op = format!("{kind} {}{along}{flags}", x.name);
        self.array_op(&op, &[x], &Self::without_axes(x, axes), x.element, bound)
    }

    /// Computes the mean over `axes`, by a constant or by the extents.
    pub fn mean(&mut self, x: &Value, axes: &[usize]) -> Value {
        let sum = self.reduce("sum", x, axes);
        let count = axes.iter().map(|&k| self.size(x.shape[k])).product::<usize>().max(1) as f64;
        let z = if self.coin() {
            let mut n = self.length(x.shape[axes[0]]);
            for &k in &axes[1..] {
                let m = self.length(x.shape[k]);
                n = self.binary(Kind::ArithMuli, &n, &m);
            }
            // Avoids a division by zero.
            let one = self.index(1);
            let n = self.binary(Kind::ArithMaxsi, &n, &one);
            let n = self.float_of_index(&n, count);
            let n = self.filled(&n, &sum.shape);
            self.binary(Kind::ArithDivf, &sum, &n)
        } else {
            self.with_constant(Kind::ArithMulf, &sum, 1.0 / count)
        };
        z.bounded(x.bound)
    }

    /// Writes `argmax` or `argmin` along one axis.
    pub fn search(&mut self, kind: &str, x: &Value, axis: usize) -> Value {
        let along = if axis == 0 { String::new() } else { format!(" axis {axis}") };
        let op = format!("{kind} {}{along}", x.name);
        self.array_op(&op, &[x], &Self::without_axes(x, &[axis]), Element::Index, 0.0)
    }

    /// Replicates `x` along a new axis `axis` of extent `dim`.
    pub fn broadcast(&mut self, x: &Value, axis: usize, dim: Dim) -> Value {
        let first = self.replicate(x, dim);
        if axis == 0 {
            return first;
        }
        // Moves axis 0 to `axis`.
        let permutation: Vec<usize> = (1..=axis).chain([0]).chain(axis + 1..first.rank()).collect();
        self.transpose(&first, &permutation)
    }

    //===-- regions ----------------------------------------------------------------------------------------------===//

    /// Returns a value that an op with regions or an argument of a region defines.
    fn named(&mut self, shape: Vec<Dim>, element: Element, bound: f64) -> Value {
        Value { name: self.fresh(), shape, element, bound }
    }

    fn indices(&mut self, n: usize) -> Vec<Value> {
        (0..n).map(|_| self.named(vec![], Element::Index, 0.0)).collect()
    }

    /// Returns the states of a loop, with the types of `inits` and at least the magnitude `bound`.
    fn states(&mut self, inits: &[Value], bound: f64) -> Vec<Value> {
        inits.iter().map(|s| self.named(s.shape.clone(), s.element, s.bound.max(bound))).collect()
    }

    /// Returns arrays of `parts` over leading axes.
    fn arrays_of(&mut self, parts: &[Value], dims: &[Dim]) -> Vec<Value> {
        parts.iter().map(|p| self.named([dims, p.shape.as_slice()].concat(), p.element, p.bound)).collect()
    }

    /// Formats `%i < 4, %j < %n`.
    fn bounds(&mut self, at: &[Value], dims: &[Dim]) -> String {
        let mut parts = vec![];
        for (i, &dim) in at.iter().zip(dims) {
            let n = if self.is_open(dim) { self.extent(dim) } else { self.size(dim).to_string() };
            parts.push(format!("{} < {n}", i.name));
        }
        parts.join(", ")
    }

    /// Writes an op with the region `text`, which yields `parts`.
    fn with_region(&mut self, head: &str, text: &str, parts: &[Value]) {
        let end = format!("array.yield {} : {}", names(parts), self.types(parts));
        self.write(&format!("  {head} {{\n{text}    {end}\n  }}\n"));
    }

    pub fn build_all(&mut self, dims: &[Dim], body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>) -> Vec<Value> {
        let at = self.indices(dims.len());
        let (parts, text) = self.region(self.elements(dims), |b| body(b, &at));
        let results = self.arrays_of(&parts, dims);
        let bounds = self.bounds(&at, dims);
        let head = format!("{} = array.build ({bounds}) -> ({})", names(&results), self.types(&results));
        self.with_region(&head, &text, &parts);
        results
    }

    pub fn build(&mut self, dims: &[Dim], body: impl FnOnce(&mut Self, &[Value]) -> Value) -> Value {
        self.build_all(dims, |b, at| vec![body(b, at)]).remove(0)
    }

    /// Applies a function to two arrays: at once if `whole`, otherwise element by element.
    pub fn pointwise(
        &mut self,
        whole: bool,
        x: &Value,
        y: &Value,
        function: impl FnOnce(&mut Self, &Value, &Value) -> Value,
    ) -> Value {
        if whole {
            return function(self, x, y);
        }
        self.build(&x.shape, |b, at| {
            let (x, y) = (b.get(x, at), b.get(y, at));
            function(b, &x, &y)
        })
    }

    /// Writes z[i...] = x[body(i...)...].
    pub fn gather(&mut self, x: &Value, dims: &[Dim], body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>) -> Value {
        let at = self.indices(dims.len());
        let (from, text) = self.region(self.elements(dims), |b| body(b, &at));
        let z = self.named([dims, &x.shape[from.len()..]].concat(), x.element, x.bound);
        let bounds = self.bounds(&at, dims);
        let head = format!("{} = array.gather {} : {} ({bounds}) -> ({})", z.name, x.name, self.ty(x), self.ty(&z));
        self.with_region(&head, &text, &from);
        z
    }

    /// Writes init, with x[i...] added at body(i...), for the `k` leading axes of `x`.
    pub fn scatter(
        &mut self,
        x: &Value,
        k: usize,
        init: &Value,
        body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Value {
        let at = self.indices(k);
        let (to, text) = self.region(self.elements(&x.shape[..k]), |b| body(b, &at));
        let bound = init.bound + x.bound * self.elements(&x.shape[..k]).min(64.0);
        let z = self.named(init.shape.clone(), x.element, bound);
        let (from, into) = (self.ty(x), self.ty(init));
        let head =
            format!("{} = array.scatter {} into {} : {from} into {into} ({})", z.name, x.name, init.name, names(&at));
        self.with_region(&head, &text, &to);
        z
    }

    /// Writes s = body(i, s...) for i below `count`; `bound` holds for all states.
    pub fn ifold(
        &mut self,
        count: &Value,
        repeats: f64,
        inits: &[Value],
        bound: f64,
        body: impl FnOnce(&mut Self, &Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let at = self.indices(1).remove(0);
        let states = self.states(inits, bound);
        let (next, text) = self.region(repeats, |b| body(b, &at, &states));
        let results = self.states(inits, bound);
        let (names, types, carried) = (names(&results), self.types(&results), carried(&states, inits));
        let head = format!("{names} = array.ifold ({} < {}) {carried} -> ({types})", at.name, count.name);
        self.with_region(&head, &text, &next);
        results
    }

    /// Writes `array.fold`, or `array.map_accum` if `body` returns more values than `inits` has: those are emitted.
    pub fn rows(
        &mut self,
        xs: &[Value],
        inits: &[Value],
        bound: f64,
        body: impl FnOnce(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let dim = xs[0].shape[0];
        let rows: Vec<Value> = xs.iter().map(|x| self.named(x.shape[1..].to_vec(), x.element, x.bound)).collect();
        let states = self.states(inits, bound);
        let (next, text) = self.region(self.size(dim) as f64, |b| body(b, &rows, &states));
        let mut results = self.states(inits, bound);
        results.extend(self.arrays_of(&next[inits.len()..], &[dim]));
        let given: Vec<String> =
            rows.iter().zip(xs).map(|(r, x)| format!("{} = {} : {}", r.name, x.name, self.ty(x))).collect();
        let op = if next.len() == inits.len() { "fold" } else { "map_accum" };
        let carried = if inits.is_empty() { String::new() } else { format!(" {}", carried(&states, inits)) };
        let head =
            format!("{} = array.{op} ({}){carried} -> ({})", names(&results), given.join(", "), self.types(&results));
        self.with_region(&head, &text, &next);
        results
    }

    /// Computes Σ_i body(i) for i below the extent of `dim`, by the sum of a build or by a loop.
    pub fn sum_over(&mut self, dim: Dim, body: impl FnOnce(&mut Self, &Value) -> Value) -> Value {
        if self.coin() {
            let terms = self.build(&[dim], |b, at| body(b, &at[0]));
            return self.reduce("sum", &terms, &[0]);
        }
        let zero = self.real(0.0);
        let count = self.length(dim);
        let n = self.size(dim) as f64;
        let sum = self.ifold(&count, n, &[zero], 0.0, |b, i, s| {
            let term = body(b, i);
            vec![b.binary(Kind::ArithAddf, &s[0], &term)]
        });
        sum[0].clone().bounded(2.0 * n)
    }

    /// Computes Σ_i x y for i below the extent of `dim`, where `factors(i)` is (x, y).
    pub fn dot(&mut self, dim: Dim, factors: impl FnOnce(&mut Self, &Value) -> (Value, Value)) -> Value {
        self.sum_over(dim, |b, i| {
            let (x, y) = factors(b, i);
            b.binary(Kind::ArithMulf, &x, &y)
        })
    }

    //===-- control ----------------------------------------------------------------------------------------------===//

    /// Writes `scf.if` with one result.
    pub fn branch(
        &mut self,
        condition: &Value,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (x, first) = self.region(1.0, then);
        let (y, second) = self.region(1.0, otherwise);
        let bound = x.bound.max(y.bound);
        let z = self.named(x.shape.clone(), x.element, bound);
        let ty = self.ty(&x);
        self.write(&format!(
            "  {} = scf.if {} -> ({ty}) {{\n{first}    scf.yield {} : {ty}\n  }} else {{\n\
             {second}    scf.yield {} : {ty}\n  }}\n",
            z.name, condition.name, x.name, y.name
        ));
        z
    }

    /// Writes `scf.for` from 0 with step 1 and one state.
    pub fn for_loop(
        &mut self,
        dim: Dim,
        init: &Value,
        bound: f64,
        body: impl FnOnce(&mut Self, &Value, &Value) -> Value,
    ) -> Value {
        let (from, to, step) = (self.index(0), self.length(dim), self.index(1));
        let at = self.indices(1).remove(0);
        let bound = init.bound.max(bound);
        let argument = self.named(init.shape.clone(), init.element, bound);
        let (next, text) = self.region(self.size(dim) as f64, |b| body(b, &at, &argument));
        let z = self.named(init.shape.clone(), init.element, bound);
        let ty = self.ty(&z);
        self.write(&format!(
            "  {} = scf.for {} = {} to {} step {} iter_args({} = {}) -> ({ty}) {{\n\
             {text}    scf.yield {} : {ty}\n  }}\n",
            z.name, at.name, from.name, to.name, step.name, argument.name, init.name, next.name
        ));
        z
    }

    /// Writes `scf.while` with one state: `on` computes the condition, `body` the next state.
    pub fn while_loop(
        &mut self,
        init: &Value,
        repeats: f64,
        bound: f64,
        on: impl FnOnce(&mut Self, &Value) -> Value,
        body: impl FnOnce(&mut Self, &Value) -> Value,
    ) -> Value {
        let bound = init.bound.max(bound);
        let states = [(); 3].map(|()| self.named(init.shape.clone(), init.element, bound));
        let (condition, before) = self.region(repeats, |b| on(b, &states[0]));
        let (next, after) = self.region(repeats, |b| body(b, &states[1]));
        let (z, ty) = (states[2].clone(), self.ty(init));
        self.write(&format!(
            "  {} = scf.while ({} = {}) : ({ty}) -> {ty} {{\n{before}    scf.condition({}) {} : {ty}\n  }} do {{\n  \
             ^bb0({}: {ty}):\n{after}    scf.yield {} : {ty}\n  }}\n",
            z.name, states[0].name, init.name, condition.name, states[0].name, states[1].name, next.name
        ));
        z
    }
}
