//! Translation of ops of `tensor` to terms. A read out of range has no defined result in `tensor` and is zero in terms,
//! so no proof is needed that it is in range.

use super::import::Importer;
use crate::analysis::edit;
use crate::optimise::placement::plan::{Stmt, Val};
use crate::optimise::terms::op::Op as Operator;
use crate::optimise::terms::prim::{Prim, SLT};
use mlopt_dialects::ir::{Attribute, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};

/// Checks whether terms represent an op of `tensor`; its types are those of the array language.
pub fn is_known(op: Op) -> bool {
    let attributes: &[&str] = match op.kind() {
        Kind::TensorExtract => {
            return op.operand(0).ty().rank() > 0 && op.attributes().is_empty();
        }
        Kind::TensorDim => {
            let rank = op.operand(0).ty().rank() as i64;
            return op.attributes().is_empty()
                && edit::known(op.operand(1)).is_some_and(|axis| (0..rank).contains(&axis));
        }
        Kind::TensorCast | Kind::TensorSplat | Kind::TensorGenerate => &[],
        Kind::TensorExtractSlice if has_unit_strides(op) => {
            &["operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"]
        }
        // With several dynamic sizes, the product is not known.
        Kind::TensorCollapseShape if dynamic_axes(op).iter().all(|&axis| axis == 0) => &["reassociation"],
        Kind::TensorExpandShape if dynamic_axes(op).iter().all(|&axis| axis == 0) => {
            &["reassociation", "static_output_shape"]
        }
        Kind::TensorConcat if op.attribute("dim").and_then(Attribute::as_i64) == Some(0) => &["dim"],
        _ => return false,
    };
    op.attributes().iter().all(|(name, _)| attributes.contains(&name.as_str()))
}

fn entries(op: Op, name: &str) -> Vec<i64> {
    op.attribute(name).and_then(Attribute::as_i64_array).unwrap_or_default()
}

fn has_unit_strides(op: Op) -> bool {
    entries(op, "static_strides").iter().all(|&s| s == 1)
}

/// Returns the dynamic axes, of the operand and of the result.
fn dynamic_axes(op: Op) -> Vec<usize> {
    let of = |v: Value| v.ty().shape().into_iter().enumerate().filter(|(_, n)| n.is_none()).map(|(axis, _)| axis);
    of(op.operand(0)).chain(of(op.result(0))).collect()
}

impl Importer {
    /// Returns the statement of an op that `is_known` accepts.
    pub(super) fn upstream(&mut self, op: Op, out: Val) -> Stmt {
        let ty = self.plan.types[out as usize].clone();
        if op.kind() == Kind::TensorGenerate {
            let extents = self.extents(op, out, ty.shape.len(), 0);
            let scope = self.region(op.entry());
            return Stmt::Build { extents, scope, outs: vec![out] };
        }
        let array = self.value(op.operand(0));
        match op.kind() {
            Kind::TensorExtract => {
                let indices = op.operands()[1..].iter().map(|&i| self.value(i)).collect();
                Stmt::Get { array, indices, out }
            }
            Kind::TensorDim => {
                let axis = edit::known(op.operand(1)).unwrap_or(0);
                Stmt::Op { op: Operator::Dim(axis as u8), args: vec![array], out }
            }
            Kind::TensorCast => Stmt::Retype { array, out },
            Kind::TensorSplat => {
                let extents = self.extents(op, out, ty.shape.len(), 1);
                self.build(extents, out, |_, _| array)
            }
            Kind::TensorExtractSlice => self.extract_slice(op, array, out),
            Kind::TensorConcat => self.concat(op, out),
            _ => {
                debug_assert!(op.name().ends_with("_shape"), "is_known knows what is known");
                let length = |(axis, n): (usize, &Option<u64>)| match n {
                    Some(n) => self.index(*n as usize),
                    None if op.kind() == Kind::TensorExpandShape => self.value(op.operand(1)),
                    None => self.collapsed_length(op, array, axis),
                };
                let sizes = ty.shape.iter().enumerate().map(length).collect();
                self.reshape(op, sizes, out)
            }
        }
    }

    /// Returns the length of the outermost axis if it is the only dynamic one.
    fn collapsed_length(&mut self, op: Op, array: Val, axis: usize) -> Val {
        let from = &self.plan.types[array as usize].shape;
        let axes = from.len() + 1 - op.result(0).ty().rank();
        let inner = from[axis + 1..].iter().take(axes.saturating_sub(1));
        // The other axes of the result come from the other axes of the operand.
        let all: u64 = from.iter().skip(1).flatten().product();
        let rest: u64 = op.result(0).ty().shape().iter().skip(1).flatten().map(|&n| n as u64).product();
        let inner = all.checked_div(rest).unwrap_or_else(|| inner.flatten().product());
        let (n, by) = (self.length(array, 0), self.index(inner as usize));
        self.integer(Prim::MulI, n, by)
    }

    /// Translates `tensor.extract_slice`. Offsets and sizes that the attributes do not contain are operands, in this
    /// order.
    fn extract_slice(&mut self, op: Op, array: Val, out: Val) -> Stmt {
        let mut operands = op.operands()[1..].to_vec().into_iter();
        let mut mixed = |me: &mut Self, name: &str| -> Vec<Val> {
            let entries = entries(op, name).into_iter();
            let mut value = |me: &mut Self, n: i64| match n {
                i64::MIN => me.value(operands.next().expect("verified: one operand for each run-time entry")),
                n => me.index(n.max(0) as usize),
            };
            entries.map(|n| value(me, n)).collect()
        };
        let (offsets, sizes) = (mixed(self, "static_offsets"), mixed(self, "static_sizes"));
        // The sizes in the type: the attribute also lists axes of one element that the result does not have.
        let said = entries(op, "static_sizes");
        let shape = self.plan.types[out as usize].shape.clone();
        let mut kept = shape.iter().peekable();
        let stays: Vec<bool> = said.iter().map(|&n| kept.next_if(|k| **k == u64::try_from(n).ok()).is_some()).collect();
        let extents: Vec<Val> = sizes.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(&n, _)| n).collect();
        let element = self.plan.types[out as usize].element;
        let read = move |me: &mut Self, i: &[Val]| {
            let mut i = i.iter();
            let indices = offsets
                .iter()
                .zip(&stays)
                .map(|(&offset, &stays)| match if stays { i.next() } else { None } {
                    Some(&i) => me.integer(Prim::AddI, offset, i),
                    None => offset,
                })
                .collect();
            let out = me.scalar(element);
            me.push(Stmt::Get { array, indices, out });
            out
        };
        self.build(extents, out, read)
    }

    fn concat(&mut self, op: Op, out: Val) -> Stmt {
        let parts: Vec<Val> = op.operands().into_iter().map(|v| self.value(v)).collect();
        // The end of each part.
        let mut ends: Vec<Val> = Vec::new();
        for &part in &parts {
            let n = self.length(part, 0);
            let end = match ends.last() {
                Some(&start) => self.integer(Prim::AddI, start, n),
                None => n,
            };
            ends.push(end);
        }
        let both = match self.plan.types[out as usize].shape[0] {
            Some(n) => self.index(n as usize),
            None => ends[ends.len() - 1],
        };
        self.build(vec![both], out, |me, i| {
            let mut row: Option<Val> = None;
            for k in (0..parts.len()).rev() {
                let at = if k == 0 { i[0] } else { me.integer(Prim::SubI, i[0], ends[k - 1]) };
                let here = me.read(parts[k], at, out);
                row = Some(match row {
                    Some(later) => {
                        let first = me.integer(Prim::CmpI(SLT), i[0], ends[k]);
                        me.choose(first, here, later)
                    }
                    None => here,
                });
            }
            row.expect("verified: there are parts")
        })
    }
}
