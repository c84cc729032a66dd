//! Ranges of index values, computed on demand from the definition of a value (spec/arrays.md B, `guard`).
//!
//! Index variables are less than their extents. `+`, `-`, products with constants, divisions and remainders by
//! constants, minima, maxima and selects propagate ranges. Results are memoised by value, so a `Ranges` must not be
//! used after an op is erased.

use super::ops;
use super::sizes::{self, Size};
use crate::analysis::linear::{Fact, Form, LARGEST, Symbols};
use mlopt_dialects::ir::{Attribute, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::HashMap;

#[derive(Default)]
pub struct Ranges {
    symbols: Symbols,
    values: HashMap<Value, Form>,
    sizes: Vec<(Size, Form)>,
    /// Numbers that may be negative, each with its maximum with zero.
    clamped: Vec<(Form, Form)>,
    depth: usize,
}

/// The maximum depth of the traversal; values beyond it count as unknown.
const DEEPEST: usize = 64;

impl Ranges {
    /// Proves `0 ≤ index < size of the axis`.
    pub fn is_inside(&mut self, index: Value, array: Value, axis: usize) -> bool {
        self.is_nonnegative(index) && self.is_below(index, sizes::of(array, axis))
    }

    /// Proves that `index` is negative or not less than the size of the axis.
    pub fn is_outside(&mut self, index: Value, array: Value, axis: usize) -> bool {
        let (i, n) = (self.form(index), self.size(sizes::of(array, axis)));
        let above = self.symbols.is_nonnegative(&i.add(&n, -1));
        above || self.symbols.is_nonnegative(&i.times(-1).plus(-1))
    }

    /// Proves `0 ≤ index`.
    pub fn is_nonnegative(&mut self, index: Value) -> bool {
        let i = self.form(index);
        self.symbols.is_nonnegative(&i)
    }

    /// Proves `index < size`.
    pub fn is_below(&mut self, index: Value, size: Size) -> bool {
        let (i, n) = (self.form(index), self.size(size));
        self.symbols.is_nonnegative(&n.add(&i, -1).plus(-1))
    }

    /// Proves `size ≤ index`.
    pub fn is_at_least(&mut self, index: Value, size: Size) -> bool {
        let (i, n) = (self.form(index), self.size(size));
        self.symbols.is_nonnegative(&i.add(&n, -1))
    }

    /// Proves that the axis is not empty.
    pub fn is_not_empty(&mut self, size: Size) -> bool {
        let n = self.size(size);
        self.symbols.is_nonnegative(&n.plus(-1))
    }

    /// Proves that two sizes are equal.
    pub fn same(&mut self, a: Size, b: Size) -> bool {
        a == b || self.size(a) == self.size(b)
    }

    /// Returns the value of a constant index.
    pub fn constant(&mut self, index: Value) -> Option<i64> {
        self.form(index).as_constant().and_then(|n| i64::try_from(n).ok())
    }

    fn size(&mut self, size: Size) -> Form {
        match size {
            Size::Known(n) => Form::constant(n as i128),
            Size::Extent(n) => {
                let n = self.form(n);
                self.clamp(n)
            }
            Size::Sum(x, y) if self.depth < DEEPEST => {
                self.depth += 1;
                let sum = self.size(sizes::of(x, 0)).add(&self.size(sizes::of(y, 0)), 1);
                self.depth -= 1;
                sum
            }
            Size::Sum(..) | Size::Of(..) => match self.sizes.iter().find(|(s, _)| *s == size) {
                Some((_, n)) => n.clone(),
                None => {
                    let n = self.symbols.add(Fact::Size);
                    self.sizes.push((size, n.clone()));
                    n
                }
            },
        }
    }

    /// Returns the maximum of a number and zero.
    fn clamp(&mut self, n: Form) -> Form {
        if self.symbols.is_nonnegative(&n) {
            return n;
        }
        if let Some((_, clamped)) = self.clamped.iter().find(|(m, _)| *m == n) {
            return clamped.clone();
        }
        let clamped = match n.as_constant() {
            Some(_) => Form::constant(0),
            None => self.symbols.add(Fact::Size),
        };
        self.clamped.push((n, clamped.clone()));
        clamped
    }

    fn form(&mut self, v: Value) -> Form {
        if let Some(a) = self.values.get(&v) {
            return a.clone();
        }
        let known = if self.depth < DEEPEST { self.derive(v) } else { None };
        let a = known.filter(|a| a.fits(LARGEST)).unwrap_or_else(|| self.symbols.add(Fact::Unknown));
        self.values.insert(v, a.clone());
        a
    }

    fn derive(&mut self, v: Value) -> Option<Form> {
        self.depth += 1;
        let known = match v.block_argument() {
            Some((block, k)) => block.parent_op().and_then(|parent| self.argument(parent, k)),
            None => v.defining_op().and_then(|(op, result)| self.result(op, result)),
        };
        self.depth -= 1;
        known
    }

    /// Returns the `k`-th argument of the region of `op`, if it is an index variable.
    fn argument(&mut self, op: Op, k: usize) -> Option<Form> {
        let extent = match op.kind() {
            Kind::ArrayBuild | Kind::ArrayGather => match ops::extents(op)[k].operand() {
                Some(n) => self.form(n),
                None => Form::constant(ops::extents(op)[k].dim()? as i128),
            },
            Kind::ArrayScatter => self.size(sizes::of(op.operand(0), k)),
            Kind::ArrayIfold if k == 0 => self.form(op.operand(0)),
            Kind::ArrayFold | Kind::ArrayMapAccum => {
                // A row of an `iota` is an index below its size.
                let array = *op.operand_segment(0).get(k)?;
                let (iota, _) = array.defining_op().filter(|(op, _)| op.kind() == Kind::ArrayIota)?;
                self.size(sizes::of(iota.result(0), 0))
            }
            Kind::ScfFor if k == 0 && op.operand(0).ty().is_index() => {
                let (from, to) = (self.form(op.operand(0)), self.form(op.operand(1)));
                let offset = self.symbols.enter(to.add(&from, -1));
                return Some(from.add(&offset, 1));
            }
            _ => return None,
        };
        Some(self.symbols.enter(extent))
    }

    fn result(&mut self, op: Op, result: usize) -> Option<Form> {
        let ty = op.result(result).ty();
        if op.num_results() != 1 || !matches!(ty.element(), Some(Element::Index | Element::I64)) || ty.is_tensor() {
            return None;
        }
        match op.kind() {
            Kind::ArithConstant => op.attribute("value").and_then(Attribute::as_i64).map(|n| Form::constant(n.into())),
            Kind::ArithAddi => Some(self.form(op.operand(0)).add(&self.form(op.operand(1)), 1)),
            Kind::ArithSubi => Some(self.form(op.operand(0)).add(&self.form(op.operand(1)), -1)),
            Kind::ArithMuli => self.form(op.operand(0)).product(&self.form(op.operand(1))),
            Kind::ArithIndexCast if matches!(op.operand(0).ty().element(), Some(Element::Index | Element::I64)) => {
                Some(self.form(op.operand(0)))
            }
            Kind::ArrayLength => Some(self.size(sizes::of(op.operand(0), ops::axis(op)))),
            Kind::ArrayMod | Kind::ArithRemsi | Kind::ArithRemui => self.remainder(op),
            Kind::ArrayDiv | Kind::ArithDivsi | Kind::ArithFloordivsi | Kind::ArithDivui => self.quotient(op),
            Kind::ArithMinsi | Kind::ArithMaxsi | Kind::ArithSelect => self.choice(op),
            _ => None,
        }
    }

    fn remainder(&mut self, op: Op) -> Option<Form> {
        let (x, c) = (self.form(op.operand(0)), self.form(op.operand(1)).as_constant()?);
        let bounds = self.bounds(&x);
        if c <= 0 {
            return None;
        }
        if bounds.is_some_and(|(least, most)| least >= 0 && most < c) {
            return Some(x);
        }
        let truncates = op.kind() == Kind::ArithRemsi && bounds.is_none_or(|(least, _)| least < 0);
        Some(self.symbols.add(Fact::Between(if truncates { 1 - c } else { 0 }, c - 1)))
    }

    fn quotient(&mut self, op: Op) -> Option<Form> {
        let (x, c) = (self.form(op.operand(0)), self.form(op.operand(1)).as_constant()?);
        let (least, most) = self.bounds(&x)?;
        let floors = matches!(op.kind(), Kind::ArrayDiv | Kind::ArithFloordivsi);
        if c <= 0 || (!floors && least < 0) {
            return None;
        }
        Some(self.symbols.add(Fact::Between(least.div_euclid(c), most.div_euclid(c))))
    }

    fn choice(&mut self, op: Op) -> Option<Form> {
        let n = op.num_operands();
        let (a, b) = (self.form(op.operand(n - 2)), self.form(op.operand(n - 1)));
        if a == b {
            return Some(a);
        }
        // A value that may overflow is any number.
        let any = (i64::MIN as i128, i64::MAX as i128);
        let ((la, ma), (lb, mb)) = (self.bounds(&a).unwrap_or(any), self.bounds(&b).unwrap_or(any));
        let (least, most) = match op.kind() {
            Kind::ArithMinsi => (la.min(lb), ma.min(mb)),
            Kind::ArithMaxsi => (la.max(lb), ma.max(mb)),
            _ => (la.min(lb), ma.max(mb)),
        };
        Some(self.symbols.add(Fact::Between(least, most)))
    }

    /// Returns bounds of the computed value of `a`; `None` if it may overflow.
    fn bounds(&self, a: &Form) -> Option<(i128, i128)> {
        let fits = |n: &i128| i64::try_from(*n).is_ok();
        Some((self.symbols.least(a).filter(fits)?, self.symbols.most(a).filter(fits)?))
    }
}
