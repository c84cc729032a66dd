//! Translation of *views*, which are arrays that read the elements of another array in another arrangement.

use super::arrays::{Arr, Definition, Scope, Val};
use super::{Lower, Size};
use crate::ir::*;
use mlopt_dialects::ops::array::Transpose;
use std::ops::Range;
use std::rc::Rc;

impl Lower<'_> {
    pub(super) fn replicate(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Val {
        let (x, ty) = (scope.get(op.operand(0)), op.result(0).ty());
        let n = self.sizes_of(&ty.shape()[..1], &op.operands()[1..], op, scope, b);
        let (sizes, definition) = match &x {
            Val::Scalar(v) => (n, Definition::Splat(*v)),
            Val::Array(x) => ([n.as_slice(), x.sizes.as_slice()].concat(), Definition::Replicate(x.clone())),
        };
        Val::Array(Arr::shared(sizes, ty, definition))
    }

    pub(super) fn transpose(&mut self, op: Op, scope: &Rc<Scope>) -> Val {
        let x = scope.get(op.operand(0)).array();
        let p: Vec<usize> = op.cast::<Transpose>().permutation().into_iter().map(|j| j as usize).collect();
        let sizes = p.iter().map(|j| x.sizes[*j]).collect();
        Val::Array(Arr::shared(sizes, op.result(0).ty(), Definition::Transpose(x, p)))
    }

    pub(super) fn slice(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Val {
        let (x, ty) = (scope.get(op.operand(0)).array(), op.result(0).ty());
        let start = scope.get(op.operand(1)).scalar();
        let mut sizes = self.sizes_of(&ty.shape()[..1], &op.operands()[2..], op, scope, b);
        sizes.extend(&x.sizes[1..]);
        Val::Array(Arr::shared(sizes, ty, Definition::Slice { of: x, start }))
    }

    pub(super) fn reverse(&mut self, op: Op, scope: &Rc<Scope>) -> Val {
        let x = scope.get(op.operand(0)).array();
        Val::Array(Arr::shared(x.sizes.clone(), op.result(0).ty(), Definition::Reverse(x)))
    }

    pub(super) fn iota(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Val {
        let ty = op.result(0).ty();
        let sizes = self.sizes_of(&ty.shape(), &op.operands(), op, scope, b);
        Val::Array(Arr::shared(sizes, ty, Definition::Iota))
    }

    pub(super) fn one_hot(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Rc<Arr> {
        let (of, ty) = (scope.get(op.operand(0)), op.result(0).ty());
        let at: Vec<Value> = op.operand_segment(1).into_iter().map(|v| scope.get(v).scalar()).collect();
        let mut sizes = self.sizes_of(&ty.shape()[..at.len()], &op.operand_segment(2), op, scope, b);
        sizes.extend(of.sizes());
        Arr::shared(sizes, ty, Definition::OneHot { of, at })
    }

    /// Lowers `array.stack`: each part is a row.
    pub(super) fn stack(&mut self, op: Op, scope: &Rc<Scope>) -> Rc<Arr> {
        let parts = op.operands().into_iter().map(|v| scope.get(v));
        let row = scope.get(op.operand(0)).sizes().to_vec();
        let parts: Vec<Val> = parts.map(|part| self.fitted_value(part, &row, op)).collect();
        let sizes = [&[Size::Known(parts.len() as i64)], row.as_slice()].concat();
        let starts = (0..parts.len()).map(|k| Size::Known(k as i64)).collect();
        Arr::shared(sizes, op.result(0).ty(), Definition::Join { parts, starts })
    }

    pub(super) fn append(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Rc<Arr> {
        let [x, y] = [0, 1].map(|k| scope.get(op.operand(k)).array());
        let row = x.sizes[1..].to_vec();
        let y = self.fitted(&y, &[&y.sizes[..1], &row].concat(), op);
        let total = match (self.facts.known(x.sizes[0]), self.facts.known(y.sizes[0])) {
            (Some(m), Some(n)) => Size::Known(m + n),
            _ => {
                let (m, n) = (self.size_value(x.sizes[0]), self.size_value(y.sizes[0]));
                Size::Value(self.arith(Kind::ArithAddi, m, n, b))
            }
        };
        let starts = vec![Size::Known(0), x.sizes[0]];
        let parts = vec![Val::Array(x), Val::Array(y)];
        Arr::shared([&[total], row.as_slice()].concat(), op.result(0).ty(), Definition::Join { parts, starts })
    }

    /// Returns `x` with the type `ty`, which states more or fewer of the same sizes.
    pub(super) fn cast(&mut self, op: Op, x: &Rc<Arr>, b: Builder) -> Result<Val> {
        let ty = op.result(0).ty();
        let sizes = self.sizes_as(&x.sizes, ty, op, b)?;
        let definition = match x.definition {
            Definition::Stored(v) => Definition::Stored(self.alias(v, &sizes, ty, b)),
            _ => Definition::Get { of: x.clone(), leading: vec![], when: None },
        };
        Ok(Val::Array(Arr::shared(sizes, ty, definition)))
    }

    /// Returns the elements of `x` in row-major order with other sizes; a stored array keeps its memory.
    pub(super) fn reshape(&mut self, op: Op, x: &Val, sizes: Vec<Size>, b: Builder) -> Result<Val> {
        let ty = op.result(0).ty();
        let fits = self.require_as_many(x.sizes(), &sizes, op);
        let x = match x {
            Val::Scalar(v) if !ty.is_tensor() => return Ok(Val::Scalar(*v)),
            // One element for all indices.
            Val::Scalar(v) => return Ok(Val::Array(Arr::shared(sizes, ty, Definition::Splat(*v)))),
            Val::Array(x) => x,
        };
        if !ty.is_tensor() {
            let first = vec![self.index(0); x.sizes.len()];
            return Ok(Val::Scalar(self.checked(x, &first, b)?));
        }
        let definition = match (&x.definition, fits) {
            (Definition::Stored(v), true) => Definition::Stored(self.alias(*v, &sizes, ty, b)),
            (_, true) => match self.flat(x, b) {
                Some((tensor, base)) => Definition::Flat { tensor, base: base.unwrap_or_else(|| self.index(0)) },
                None => Definition::Reshape { of: x.clone(), checked: false },
            },
            (_, false) => Definition::Reshape { of: x.clone(), checked: true },
        };
        Ok(Val::Array(Arr::shared(sizes, ty, definition)))
    }

    /// Returns the memory in which the elements of `x` are contiguous, as an array with one axis, and their start if it
    /// is not zero.
    fn flat(&mut self, x: &Rc<Arr>, b: Builder) -> Option<(Value, Option<Value>)> {
        match &x.definition {
            Definition::Stored(v) => {
                let known = self.known_product(&x.sizes).and_then(|n| usize::try_from(n).ok());
                let ty = Type::tensor(&[known], x.ty.scalar());
                let total = match known {
                    Some(n) => Size::Known(n as i64),
                    None => Size::Value(self.product(&x.sizes, b)),
                };
                Some((self.alias(*v, &[total], ty, b), None))
            }
            Definition::Flat { tensor, base } => Some((*tensor, Some(*base))),
            Definition::Get { of, leading, when: None } => {
                let (tensor, base) = self.flat(of, b)?;
                if leading.is_empty() {
                    return Some((tensor, base));
                }
                let row = self.linear(leading, &of.sizes[..leading.len()], b);
                let length = self.product(&x.sizes, b);
                let here = self.arith(Kind::ArithMuli, row, length, b);
                let base = base.map_or(here, |base| self.arith(Kind::ArithAddi, base, here, b));
                Some((tensor, Some(base)))
            }
            _ => None,
        }
    }

    /// Returns the element of a reshaped array: axes whose products agree are regrouped together. If `checked`,
    /// positions may be after the end.
    pub(super) fn reshaped(
        &mut self,
        a: &Rc<Arr>,
        of: &Rc<Arr>,
        checked: bool,
        indices: &[Value],
        b: Builder,
    ) -> Result<Value> {
        let groups = if checked { vec![(0..a.sizes.len(), 0..of.sizes.len())] } else { regroup(&a.sizes, &of.sizes) };
        let mut there = Vec::new();
        for (here, old) in groups {
            let at = self.linear(&indices[here.clone()], &a.sizes[here], b);
            there.extend(self.delinear(at, &of.sizes[old], !checked, b));
        }
        if !checked {
            return self.element(of, &there, b);
        }
        // Positions after the end have a first index beyond the first size.
        self.checked(of, &there, b)
    }

    /// Returns the row-major number of a position.
    pub(super) fn linear(&mut self, indices: &[Value], sizes: &[Size], b: Builder) -> Value {
        let Some((first, rest)) = indices.split_first() else { return self.index(0) };
        let mut at = *first;
        for (i, n) in rest.iter().zip(&sizes[1..]) {
            let n = self.size_value(*n);
            let row = self.arith(Kind::ArithMuli, at, n, b);
            at = self.arith(Kind::ArithAddi, row, *i, b);
        }
        at
    }

    /// Returns the position with a row-major number. `exists` states that there is such an element. Otherwise the first
    /// index may be too large, and the others are arbitrary where a size is zero. No division traps, even where the
    /// arithmetic is repeated before the loops in which there is such an element.
    fn delinear(&mut self, at: Value, sizes: &[Size], exists: bool, b: Builder) -> Vec<Value> {
        let mut at = at;
        let mut position = Vec::new();
        for n in sizes.iter().skip(1).rev() {
            if self.facts.known(*n) == Some(1) {
                position.push(self.index(0));
                continue;
            }
            let mut divisor = self.size_value(*n);
            if !self.facts.before_loops(|facts| facts.is_positive(*n)) {
                let one = self.index(1);
                divisor = self.arith(Kind::ArithMaxsi, divisor, one, b);
            }
            let index = b.same(Kind::ArithRemui, &[at, divisor]);
            if exists {
                self.facts.below(index, *n);
            }
            position.push(index);
            at = self.arith(Kind::ArithDivui, at, divisor, b);
        }
        if !sizes.is_empty() {
            position.push(at);
        }
        position.reverse();
        position
    }
}

/// Cuts two lists of sizes with the same product into the finest groups with provably equal products.
pub fn regroup(new: &[Size], old: &[Size]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut groups = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < new.len() || j < old.len() {
        let (mut to_i, mut to_j) = ((i + 1).min(new.len()), (j + 1).min(old.len()));
        // The product with fewer factors is extended. If no extension makes both equal, the group contains all sizes.
        while Product::of(&new[i..to_i]) != Product::of(&old[j..to_j]) {
            let (p, q) = (Product::of(&new[i..to_i]), Product::of(&old[j..to_j]));
            let new_is_less =
                p.values.len() < q.values.len() || (p.values.len() == q.values.len() && p.known < q.known);
            match (to_i < new.len(), to_j < old.len()) {
                (true, _) if new_is_less => to_i += 1,
                (_, true) if !new_is_less => to_j += 1,
                _ => (to_i, to_j) = (new.len(), old.len()),
            }
            if (to_i, to_j) == (new.len(), old.len()) {
                break;
            }
        }
        groups.push((i..to_i, j..to_j));
        (i, j) = (to_i, to_j);
    }
    groups
}

/// A product of sizes.
#[derive(PartialEq)]
struct Product {
    known: i128,
    /// Sorted by address, for comparison only.
    values: Vec<usize>,
}

impl Product {
    fn of(sizes: &[Size]) -> Product {
        let mut product = Product { known: 1, values: Vec::new() };
        for n in sizes {
            match n {
                Size::Known(n) => product.known = product.known.saturating_mul(*n as i128),
                Size::Value(v) => product.values.push(v.raw().ptr as usize),
            }
        }
        product.values.sort_unstable();
        product
    }
}
