//! Reductions. A reduction by a known function is one of the array language. Any other is a fold over the rows whose
//! state has one element for each element of the result.

use super::emit::Emit;
use super::shapes::axes;
use super::types::Number;
use super::{Import, Parts, Result, complex, elementwise};
use crate::analysis::edit;
use crate::arrays::shapes::index::{self, Index};
use crate::arrays::shapes::sizes::turned;
use mlopt_dialects::ir::{Attribute, Block, Builder, Dim, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::Reduce;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};

/// A function of two numbers that the array language has a reduction for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combiner {
    Add,
    Multiply,
    Maximum,
    Minimum,
    And,
    Or,
}

/// The number of terms up to which machine code may start a sum with its first term instead of 0.
const FEW_TERMS: usize = 32;

/// Checks whether a sum over axes of these sizes starts with 0.
pub fn starts_with_zero(sizes: impl IntoIterator<Item = Dim>) -> bool {
    sizes.into_iter().try_fold(1usize, |n, size| Some(n.saturating_mul(size?))).is_none_or(|n| n > FEW_TERMS)
}

impl Combiner {
    /// Returns the function that a region of two arguments computes.
    pub fn of(body: Block) -> Option<Combiner> {
        let (ops, end) = body.split_end();
        let ([op], [x, y]) = (&ops[..], &body.arguments()[..]) else { return None };
        let operands = op.operands();
        let symmetric = operands == [*x, *y] || operands == [*y, *x];
        if !symmetric || end.operands() != op.results() {
            return None;
        }
        let number = Number::of(x.ty());
        Some(match (op.kind(), number) {
            (_, Number::Complex) if op.kind() == Kind::StablehloAdd => Combiner::Add,
            (_, Number::Complex) => return None,
            (Kind::StablehloAdd | Kind::StablehloMaximum | Kind::StablehloOr, Number::Bool) => Combiner::Or,
            (Kind::StablehloMultiply | Kind::StablehloMinimum | Kind::StablehloAnd, Number::Bool) => Combiner::And,
            (Kind::StablehloAdd, _) => Combiner::Add,
            (Kind::StablehloMultiply, _) => Combiner::Multiply,
            (Kind::StablehloMaximum, _) => Combiner::Maximum,
            (Kind::StablehloMinimum, _) => Combiner::Minimum,
            _ => return None,
        })
    }

    /// Returns `x` combined with `y`.
    pub fn apply(self, e: Emit, number: Number, x: Value, y: Value) -> Value {
        use Number::{Complex, Float, Unsigned};
        let kind = match (self, number) {
            (Combiner::Add, Float | Complex) => Kind::ArithAddf,
            (Combiner::Add, _) => Kind::ArithAddi,
            (Combiner::Multiply, Float) => Kind::ArithMulf,
            (Combiner::Multiply, _) => Kind::ArithMuli,
            (Combiner::Maximum, Float) => Kind::ArithMaximumf,
            (Combiner::Maximum, Unsigned) => Kind::ArithMaxui,
            (Combiner::Maximum, _) => Kind::ArithMaxsi,
            (Combiner::Minimum, Float) => Kind::ArithMinimumf,
            (Combiner::Minimum, Unsigned) => Kind::ArithMinui,
            (Combiner::Minimum, _) => Kind::ArithMinsi,
            (Combiner::And, _) => Kind::ArithAndi,
            (Combiner::Or, _) => Kind::ArithOri,
        };
        e.op(kind, &e.unified(&[x, y]))
    }

    /// Returns the reduction of `x` over `axes` that starts with `init`.
    fn reduce_from(self, e: Emit, number: Number, init: Value, x: Value, axes: &[usize]) -> Value {
        let sizes = x.ty().shape();
        let from_zero = starts_with_zero(axes.iter().map(|&axis| sizes[axis]));
        let (x, axes) = without_single(e.0, x, axes);
        let reduced = if axes.is_empty() { x } else { self.reduce(e, number, x, &axes) };
        self.with_init(e, number, init, reduced, from_zero)
    }

    /// Returns the reduction of `x` over `axes`, at least one: of no elements, a number that changes no other.
    pub fn reduce(self, e: Emit, number: Number, x: Value, axes: &[usize]) -> Value {
        let b = e.0;
        match (self, number) {
            (Combiner::Add, _) => b.sum_axes(x, axes),
            (Combiner::Multiply, _) => b.prod(x, axes),
            (Combiner::Maximum | Combiner::Minimum, Number::Float) => {
                // The array language leaves the maximum of numbers with NaN open.
                let z = self.extremum(b, x, axes);
                let nan = e.cast(Kind::ArithExtui, e.is_nan(x), b.context().signless(32));
                let has_nan = e.compare_with(CmpIPredicate::Sgt, b.max(nan, axes), 0);
                e.select(has_nan, e.float(z, f64::NAN), z)
            }
            (Combiner::Maximum | Combiner::Minimum, Number::Unsigned) => {
                // The unsigned order is the signed one with the sign bit inverted.
                let width = x.ty().scalar().integer().map_or(64, |(width, _)| width);
                let inverted = |x: Value| e.xor(x, e.integer(x, i64::MIN >> (64 - width)));
                inverted(self.extremum(b, inverted(x), axes))
            }
            (Combiner::Maximum | Combiner::Minimum, _) => self.extremum(b, x, axes),
            (Combiner::Or, _) => {
                let numbers = e.cast(Kind::ArithExtui, x, b.context().signless(32));
                e.compare_with(CmpIPredicate::Sgt, b.max(numbers, axes), 0)
            }
            (Combiner::And, _) => {
                let numbers = e.cast(Kind::ArithExtui, x, b.context().signless(32));
                e.compare_with(CmpIPredicate::Ne, b.min(numbers, axes), 0)
            }
        }
    }

    fn extremum(self, b: Builder, x: Value, axes: &[usize]) -> Value {
        if self == Combiner::Maximum { b.max(x, axes) } else { b.min(x, axes) }
    }

    /// Returns the function of [`Combiner::of`] if a reduction of the array language can start with `init`: its sums
    /// start with 0, so that they cannot be -0.
    pub fn starting_with(init: &[Value], body: Block) -> Option<Combiner> {
        let is_minus_zero = |x: f64| x == 0.0 && x.is_sign_negative();
        let constant = |&v: &Value| edit::constant(v).and_then(Attribute::as_f64);
        Combiner::of(body).filter(|c| *c != Combiner::Add || !init.iter().filter_map(constant).any(is_minus_zero))
    }

    /// Checks whether combining with a constant changes no number, or, `from_zero`, no sum that starts with 0.
    fn is_neutral(self, number: Number, value: Attribute, ty: Type, from_zero: bool) -> bool {
        let width = ty.scalar().integer().map_or(64, |(width, _)| width);
        let (least, greatest) = match number {
            Number::Unsigned => (0, -1),
            _ => (i64::MIN >> (64 - width), !(i64::MIN >> (64 - width))),
        };
        match (self, value.as_f64(), value.as_i64()) {
            // 0 + -0 is 0.
            (Combiner::Add, Some(x), _) => x == 0.0 && from_zero,
            (Combiner::Multiply, Some(x), _) => x == 1.0,
            (Combiner::Maximum, Some(x), _) => x == f64::NEG_INFINITY,
            (Combiner::Minimum, Some(x), _) => x == f64::INFINITY,
            (Combiner::Add | Combiner::Or, _, Some(n)) => n == 0,
            (Combiner::Multiply, _, Some(n)) => n == 1,
            (Combiner::And, _, Some(n)) => n != 0,
            (Combiner::Maximum, _, Some(n)) => n == least,
            (Combiner::Minimum, _, Some(n)) => n == greatest,
            _ => false,
        }
    }

    /// Returns `reduced` combined with `init`, or only `reduced` if `init` changes nothing. `from_zero` states that
    /// `reduced`, if it is a sum, starts with 0.
    pub fn with_init(self, e: Emit, number: Number, init: Value, reduced: Value, from_zero: bool) -> Value {
        match edit::constant(init) {
            Some(value) if self.is_neutral(number, value, init.ty(), from_zero) => reduced,
            _ => self.apply(e, number, init, reduced),
        }
    }
}

/// Returns `x` without those of its `axes` that have one element, and where the other `axes` are then.
fn without_single(b: Builder, x: Value, axes: &[usize]) -> (Value, Vec<usize>) {
    let shape = x.ty().shape();
    let is_single = |k: &usize| axes.contains(k) && shape[*k] == Some(1);
    if shape.iter().any(Option::is_none) || !axes.iter().any(is_single) {
        return (x, axes.to_vec());
    }
    let left: Vec<usize> = (0..shape.len()).filter(|k| !is_single(k)).collect();
    let dims: Vec<Option<usize>> = left.iter().map(|&k| shape[k]).collect();
    let x = match dims.is_empty() {
        true => b.get(x, &vec![b.index(0); shape.len()]),
        false => b.unary(Kind::ArrayReshape, &[x], Type::array(&dims, x.ty().scalar())),
    };
    (x, (0..left.len()).filter(|&k| axes.contains(&left[k])).collect())
}

/// Checks whether a region may be applied to whole arrays, because all its ops are functions of elements.
pub fn is_elementwise(body: Block) -> bool {
    let (ops, _) = body.split_end();
    ops.into_iter().all(|op| elementwise::is_elementwise(op.kind()) || op.kind() == Kind::StablehloConstant)
}

impl Import {
    pub(super) fn reduce(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let reduce: Reduce = op.cast();
        let dims = axes(&reduce.dimensions());
        let operands = self.promoted(b, op, reduce.body());
        let (inputs, inits) = operands.split_at(op.num_results());
        self.reduced(b, reduce.body(), inputs, inits, &dims)
    }

    /// Returns the inputs of a reduction and its initial values in the types of the arguments of its function, which
    /// may have more bits.
    pub(super) fn promoted(&self, b: Builder, op: Op, body: Block) -> Vec<Parts> {
        let operand = |(k, parts): (usize, Parts)| -> Parts {
            let (from, to) = (op.operand(k).ty(), body.argument(k).ty());
            match from.scalar() == to.scalar() {
                true => parts,
                false => parts.iter().map(|&x| complex::part_converted(Emit(b), x, from, to)).collect(),
            }
        };
        self.operands(op).into_iter().enumerate().map(operand).collect()
    }

    /// Returns `inputs` reduced over `dims` by the function `body`, which starts with `inits`.
    pub(super) fn reduced(
        &mut self,
        b: Builder,
        body: Block,
        inputs: &[Parts],
        inits: &[Parts],
        dims: &[usize],
    ) -> Result<Vec<Parts>> {
        let e = Emit(b);
        let mut sorted = dims.to_vec();
        sorted.sort();
        let number = Number::of(body.argument(0).ty());
        if let ([input], [init]) = (inputs, inits)
            && let Some(combiner) = Combiner::starting_with(init, body)
        {
            let part = |(&x, &init): (&Value, &Value)| combiner.reduce_from(e, number, init, x, &sorted);
            return Ok(vec![input.iter().zip(init).map(part).collect()]);
        }
        if sorted.is_empty() {
            // The function is applied once to each element.
            return self.lifted(b, body, &[inits, inputs].concat(), inputs[0][0]);
        }
        // The reduced axes become the rows.
        let rank = inputs[0][0].ty().rank();
        let identity: Vec<usize> = (0..rank).collect();
        let kept: Vec<usize> = identity.iter().copied().filter(|axis| !sorted.contains(axis)).collect();
        let order = [sorted.as_slice(), &kept].concat();
        let sizes = self.sizes.sizes(b, inputs[0][0]);
        let count = sorted.iter().fold(Index::Known(1), |n, &axis| n.multiply(b, sizes[axis]));
        let rest: Vec<Index> = kept.iter().map(|&axis| sizes[axis]).collect();
        let all = [&[count], rest.as_slice()].concat();
        let rows = |import: &mut Import, x: Value| {
            let ty = Type::tensor(&index::sizes(b, &all).0, x.ty().scalar());
            let x = turned(b, x, &identity, &order);
            import.sizes.retyped(b, x, ty, &all)
        };
        let arrays: Vec<Value> = inputs.concat().into_iter().map(|x| rows(self, x)).collect();
        let shape = index::sizes(b, &rest);
        let inits = inits.concat();
        if is_elementwise(body) {
            let state: Vec<Value> = inits.iter().map(|&x| self.filled(b, x, &rest)).collect();
            let counts: Vec<usize> = inputs.iter().map(Vec::len).collect();
            let mut failed = None;
            let z = b.fold(&arrays, &state, |b, rows, state| {
                let arguments = [grouped(state, &counts), grouped(rows, &counts)].concat();
                self.lifted(b, body, &arguments, state[0]).map(|z| z.concat()).unwrap_or_else(|reported| {
                    failed = Some(reported);
                    state.to_vec()
                })
            });
            return failed.map_or_else(|| Ok(grouped(&z, &counts)), Err);
        }
        // One element of the result after the other.
        let counts: Vec<usize> = inputs.iter().map(Vec::len).collect();
        let mut failed = None;
        let mut element = |b: Builder, position: &[Value]| {
            let order: Vec<usize> = (1..=rest.len()).chain([0]).collect();
            let from: Vec<usize> = (0..=rest.len()).collect();
            let columns: Vec<Value> = arrays.iter().map(|&x| turned(b, x, &from, &order)).collect();
            let columns: Vec<Value> =
                columns.iter().map(|&x| if position.is_empty() { x } else { b.get(x, position) }).collect();
            b.fold(&columns, &inits, |b, rows, state| {
                let arguments = [grouped(state, &counts), grouped(rows, &counts)].concat();
                self.region(b, body, &arguments).map(|z| z.concat()).unwrap_or_else(|reported| {
                    failed = Some(reported);
                    state.to_vec()
                })
            })
        };
        let z = if rest.is_empty() {
            element(b, &[])
        } else {
            b.build(&shape.0, &shape.1, |b, position| element(b, position))
        };
        failed.map_or_else(|| Ok(grouped(&z, &counts)), Err)
    }

    /// Applies a function of scalars to arrays with the shape of `like`.
    pub(super) fn lifted(&mut self, b: Builder, body: Block, arguments: &[Parts], like: Value) -> Result<Vec<Parts>> {
        let results = self.region(b, body, arguments)?;
        let like = Some(like).filter(|v| v.ty().is_tensor());
        Ok(results.into_iter().map(|parts| parts.into_iter().map(|z| Emit(b).filled(like, z)).collect()).collect())
    }

    /// Returns an array of these sizes with every element `x`.
    pub(super) fn filled(&mut self, b: Builder, x: Value, sizes: &[Index]) -> Value {
        let ty = Type::array(&index::sizes(b, sizes).0, x.ty());
        if sizes.is_empty() { x } else { self.sizes.filled(b, x, ty, sizes) }
    }

    /// Converts `stablehlo.map`.
    pub(super) fn map(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let body = op.entry();
        let operands = self.operands(op);
        let like = operands[0][0];
        if is_elementwise(body) || !like.ty().is_tensor() {
            return self.lifted(b, body, &operands, like);
        }
        let mut failed = None;
        let rank = like.ty().rank();
        let z = b.build_like(like, rank, |b, position| {
            let element = |parts: &Parts| parts.iter().map(|&x| b.get(x, position)).collect();
            let arguments: Vec<Parts> = operands.iter().map(element).collect();
            self.region(b, body, &arguments).map(|z| z.concat()).unwrap_or_else(|reported| {
                failed = Some(reported);
                arguments.concat()
            })
        });
        failed.map_or_else(|| Ok(vec![z]), Err)
    }
}

/// Splits values into groups of these lengths.
pub fn grouped(values: &[Value], counts: &[usize]) -> Vec<Parts> {
    let mut values = values.iter().copied();
    counts.iter().map(|&n| values.by_ref().take(n).collect()).collect()
}
