//! Generation of single ops, in the syntax of users.

use super::builder::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Formats a finite float in MLIR syntax.
fn float_text(x: f64) -> String {
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

fn names(values: &[Value]) -> String {
    values.iter().map(|v| v.name.as_str()).collect::<Vec<_>>().join(", ")
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
        let row = shape.iter().rev().fold(x.clone(), |row, &dim| self.replicate(&row, dim));
        Value { bound: x.bound, ..row }
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
            Kind::MathExp => x.bound.min(40.0).exp(),
            Kind::MathExpm1 => x.bound.min(40.0).exp(),
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
        let z = self.binary(Kind::ArithDivf, x, &below);
        Value { bound: 0.5, ..z }
    }

    pub fn sigmoid(&mut self, x: &Value) -> Value {
        let minus = self.unary(Kind::ArithNegf, x);
        let e = self.unary(Kind::MathExp, &minus);
        let below = self.with_constant(Kind::ArithAddf, &e, 1.0);
        let one = self.constant_like(1.0, x);
        let z = self.binary(Kind::ArithDivf, &one, &below);
        Value { bound: 1.0, ..z }
    }

    //===-- structure --------------------------------------------------------------------------------------------===//

    pub fn replicate(&mut self, x: &Value, dim: Dim) -> Value {
        let shape = [&[dim], x.shape.as_slice()].concat();
        let ty = self.type_of(&shape, x.element);
        let size = self.given_sizes(&[dim], ", ", "");
        let text = format!("array.replicate {}{size} : ({}) -> {ty}", x.name, self.ty(x));
        self.def(&shape, x.element, x.bound, &text)
    }

    /// Returns the operands for the dimensions that types print as `?`, between `before` and `after`; empty if there
    /// are none.
    fn given_sizes(&mut self, dims: &[Dim], before: &str, after: &str) -> String {
        let open: Vec<Dim> = dims.iter().copied().filter(|&d| self.type_of(&[d], Element::I1).contains('?')).collect();
        let open: Vec<String> = open.into_iter().map(|d| self.extent(d)).collect();
        if open.is_empty() { String::new() } else { format!("{before}{}{after}", open.join(", ")) }
    }

    pub fn transpose(&mut self, x: &Value, permutation: &[usize]) -> Value {
        let shape: Vec<Dim> = permutation.iter().map(|&k| x.shape[k]).collect();
        let to = self.type_of(&shape, x.element);
        let text = format!("array.transpose {} {permutation:?} : ({}) -> {to}", x.name, self.ty(x));
        self.def(&shape, x.element, x.bound, &text)
    }

    pub fn reshape(&mut self, x: &Value, shape: &[Dim]) -> Value {
        let sizes = self.given_sizes(shape, " sizes(", ")");
        let to = self.type_of(shape, x.element);
        let text = format!("array.reshape {}{sizes} : ({}) -> {to}", x.name, self.ty(x));
        self.def(shape, x.element, x.bound, &text)
    }

    pub fn slice(&mut self, x: &Value, start: &Value, dim: Dim) -> Value {
        let shape = [&[dim], &x.shape[1..]].concat();
        let size = self.given_sizes(&[dim], " size ", "");
        let to = self.type_of(&shape, x.element);
        let text = format!("array.slice {} from {}{size} : ({}) -> {to}", x.name, start.name, self.ty(x));
        self.def(&shape, x.element, x.bound, &text)
    }

    pub fn append(&mut self, x: &Value, y: &Value) -> Value {
        let dim = self.computed("add", x.shape[0], y.shape[0]);
        let shape = [&[dim], &x.shape[1..]].concat();
        let to = self.type_of(&shape, x.element);
        let text = format!("array.append {}, {} : ({}, {}) -> {to}", x.name, y.name, self.ty(x), self.ty(y));
        self.def(&shape, x.element, x.bound.max(y.bound), &text)
    }

    pub fn stack(&mut self, parts: &[Value]) -> Value {
        let dim = self.literal(parts.len());
        let shape = [&[dim], parts[0].shape.as_slice()].concat();
        let to = self.type_of(&shape, parts[0].element);
        let text = format!("array.stack {} : ({}) -> {to}", names(parts), self.types(parts));
        let bound = parts.iter().fold(0.0, |b: f64, p| b.max(p.bound));
        self.def(&shape, parts[0].element, bound, &text)
    }

    pub fn reverse(&mut self, x: &Value) -> Value {
        let text = format!("array.reverse {} : {}", x.name, self.ty(x));
        self.def(&x.shape, x.element, x.bound, &text)
    }

    pub fn iota(&mut self, dim: Dim) -> Value {
        let size = self.given_sizes(&[dim], "", " ");
        let text = format!("array.iota {size}: {}", self.type_of(&[dim], Element::Index));
        self.def(&[dim], Element::Index, 0.0, &text)
    }

    pub fn one_hot(&mut self, x: &Value, at: &[Value], dims: &[Dim]) -> Value {
        let shape = [dims, x.shape.as_slice()].concat();
        let sizes = self.given_sizes(dims, " sizes(", ")");
        let to = self.type_of(&shape, x.element);
        let text = format!("array.one_hot {} at [{}]{sizes} : ({}) -> {to}", x.name, names(at), self.ty(x));
        self.def(&shape, x.element, x.bound, &text)
    }

    pub fn get(&mut self, x: &Value, at: &[Value]) -> Value {
        let shape = &x.shape[at.len()..];
        let to = self.type_of(shape, x.element);
        let text = format!("array.get {}[{}] : ({}) -> {to}", x.name, names(at), self.ty(x));
        self.def(shape, x.element, x.bound, &text)
    }

    /// Writes a reduction over `axes`, one of `sum`, `prod`, `max`, `min`.
    pub fn reduce(&mut self, kind: &str, x: &Value, axes: &[usize]) -> Value {
        let shape: Vec<Dim> = (0..x.rank()).filter(|k| !axes.contains(k)).map(|k| x.shape[k]).collect();
        let count = axes.iter().map(|&k| self.size(x.shape[k]) as f64).product::<f64>();
        let licensed = kind == "sum" && x.is_float() && self.once_in(3);
        let to = self.type_of(&shape, x.element);
        let axes = if axes == [0] { String::new() } else { format!(" axes {axes:?}") };
        let flags = if licensed { " fastmath<reassoc>" } else { "" };
        let text = format!("array.{kind} {}{axes}{flags} : ({}) -> {to}", x.name, self.ty(x));
        let bound = match kind {
            "sum" => x.bound * count,
            "prod" => x.bound.max(1.0).powf(count),
            _ => x.bound,
        };
        self.def(&shape, x.element, bound, &text)
    }

    /// Computes the mean over `axes`, by a constant or by the extents.
    pub fn mean(&mut self, x: &Value, axes: &[usize]) -> Value {
        let sum = self.reduce("sum", x, axes);
        let count = axes.iter().map(|&k| self.size(x.shape[k])).product::<usize>().max(1) as f64;
        let by_extent = self.coin();
        let z = if by_extent {
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
        Value { bound: x.bound, ..z }
    }

    /// Writes `argmax` or `argmin` along one axis.
    pub fn search(&mut self, kind: &str, x: &Value, axis: usize) -> Value {
        let shape: Vec<Dim> = (0..x.rank()).filter(|&k| k != axis).map(|k| x.shape[k]).collect();
        let to = self.type_of(&shape, Element::Index);
        let along = if axis == 0 { String::new() } else { format!(" axis {axis}") };
        let text = format!("array.{kind} {}{along} : ({}) -> {to}", x.name, self.ty(x));
        self.def(&shape, Element::Index, 0.0, &text)
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

    fn indices(&mut self, n: usize) -> Vec<Value> {
        (0..n).map(|_| Value { name: self.fresh(), shape: vec![], element: Element::Index, bound: 0.0 }).collect()
    }

    /// Formats `%i < 4, %j < %n`.
    fn bounds(&mut self, at: &[Value], dims: &[Dim]) -> String {
        let mut parts = vec![];
        for (i, &dim) in at.iter().zip(dims) {
            let open = self.type_of(&[dim], Element::I1).contains('?');
            let n = if open { self.extent(dim) } else { self.size(dim).to_string() };
            parts.push(format!("{} < {n}", i.name));
        }
        parts.join(", ")
    }

    fn list_of_names(&mut self, shapes: &[(Vec<Dim>, Element, f64)]) -> Vec<Value> {
        let value = |(shape, element, bound): &(Vec<Dim>, Element, f64), name| Value {
            name,
            shape: shape.clone(),
            element: *element,
            bound: *bound,
        };
        shapes.iter().map(|s| value(s, self.fresh())).collect()
    }

    pub fn build_all(&mut self, dims: &[Dim], body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>) -> Vec<Value> {
        let at = self.indices(dims.len());
        let (parts, text) = self.region(self.elements(dims), |b| body(b, &at));
        let shapes: Vec<_> = parts.iter().map(|p| ([dims, p.shape.as_slice()].concat(), p.element, p.bound)).collect();
        let results = self.list_of_names(&shapes);
        let bounds = self.bounds(&at, dims);
        let head = format!("{} = array.build ({bounds}) -> ({})", names(&results), self.types(&results));
        let end = format!("array.yield {} : {}", names(&parts), self.types(&parts));
        self.write(&format!("  {head} {{\n{text}    {end}\n  }}\n"));
        results
    }

    pub fn build(&mut self, dims: &[Dim], body: impl FnOnce(&mut Self, &[Value]) -> Value) -> Value {
        self.build_all(dims, |b, at| vec![body(b, at)]).remove(0)
    }

    /// Writes z[i...] = x[body(i...)...].
    pub fn gather(&mut self, x: &Value, dims: &[Dim], body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>) -> Value {
        let at = self.indices(dims.len());
        let (from, text) = self.region(self.elements(dims), |b| body(b, &at));
        let shape = [dims, &x.shape[from.len()..]].concat();
        let z = self.list_of_names(&[(shape, x.element, x.bound)]).remove(0);
        let bounds = self.bounds(&at, dims);
        let head = format!("{} = array.gather {} : {} ({bounds}) -> ({})", z.name, x.name, self.ty(x), self.ty(&z));
        let end = format!("array.yield {} : {}", names(&from), self.types(&from));
        self.write(&format!("  {head} {{\n{text}    {end}\n  }}\n"));
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
        let z = self.list_of_names(&[(init.shape.clone(), x.element, bound)]).remove(0);
        let (from, into) = (self.ty(x), self.ty(init));
        let head =
            format!("{} = array.scatter {} into {} : {from} into {into} ({})", z.name, x.name, init.name, names(&at));
        let end = format!("array.yield {} : {}", names(&to), self.types(&to));
        self.write(&format!("  {head} {{\n{text}    {end}\n  }}\n"));
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
        let states: Vec<_> = inits.iter().map(|s| (s.shape.clone(), s.element, s.bound.max(bound))).collect();
        let arguments = self.list_of_names(&states);
        let (next, text) = self.region(repeats, |b| body(b, &at, &arguments));
        let results = self.list_of_names(&states);
        let carried: Vec<String> =
            arguments.iter().zip(inits).map(|(a, init)| format!("{} = {}", a.name, init.name)).collect();
        let head = format!(
            "{} = array.ifold ({} < {}) iter_args({}) -> ({})",
            names(&results),
            at.name,
            count.name,
            carried.join(", "),
            self.types(&results)
        );
        let end = format!("array.yield {} : {}", names(&next), self.types(&next));
        self.write(&format!("  {head} {{\n{text}    {end}\n  }}\n"));
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
        let row = |x: &Value| (x.shape[1..].to_vec(), x.element, x.bound);
        let rows = self.list_of_names(&xs.iter().map(row).collect::<Vec<_>>());
        let states: Vec<_> = inits.iter().map(|s| (s.shape.clone(), s.element, s.bound.max(bound))).collect();
        let arguments = self.list_of_names(&states);
        let (next, text) = self.region(self.size(dim) as f64, |b| body(b, &rows, &arguments));
        let emitted = next[inits.len()..].iter().map(|e| ([&[dim], e.shape.as_slice()].concat(), e.element, e.bound));
        let shapes: Vec<_> = states.into_iter().chain(emitted).collect();
        let results = self.list_of_names(&shapes);
        let given: Vec<String> =
            rows.iter().zip(xs).map(|(r, x)| format!("{} = {} : {}", r.name, x.name, self.ty(x))).collect();
        let carried: Vec<String> =
            arguments.iter().zip(inits).map(|(a, init)| format!("{} = {}", a.name, init.name)).collect();
        let op = if next.len() == inits.len() { "fold" } else { "map_accum" };
        let carried = if carried.is_empty() { String::new() } else { format!(" iter_args({})", carried.join(", ")) };
        let head =
            format!("{} = array.{op} ({}){carried} -> ({})", names(&results), given.join(", "), self.types(&results));
        let end = format!("array.yield {} : {}", names(&next), self.types(&next));
        self.write(&format!("  {head} {{\n{text}    {end}\n  }}\n"));
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
        let bound = 2.0 * n;
        Value { bound, ..sum[0].clone() }
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
        let z = self.list_of_names(&[(x.shape.clone(), x.element, bound)]).remove(0);
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
        let state = (init.shape.clone(), init.element, init.bound.max(bound));
        let argument = self.list_of_names(std::slice::from_ref(&state)).remove(0);
        let (next, text) = self.region(self.size(dim) as f64, |b| body(b, &at, &argument));
        let z = self.list_of_names(&[state]).remove(0);
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
        let state = (init.shape.clone(), init.element, init.bound.max(bound));
        let states = self.list_of_names(&[state.clone(), state.clone(), state]);
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
