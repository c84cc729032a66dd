//! Scalar replacement: small arrays in loops become scalars, which LLVM keeps in registers, and the small nests around
//! them become straight-line code.
//!
//! `nest (i < n) { a = nest (k < 3) -> map …; … a[0] … a[2] … }` keeps `a` in memory, and LLVM can neither vectorise
//! the outer loop nor eliminate the stores. This module unrolls nests of a few iterations inside other nests. An array
//! whose elements are only read and updated at known positions is replaced by these elements, even if a fold carries
//! it. For uses of the whole array, the elements are joined again.
//!
//! An array is replaced if it has at most [`MOST_ELEMENTS`] elements. A nest that creates or updates such arrays is
//! unrolled if it has at most [`MOST_ITERATIONS`] iterations; another nest, which may be better vectorised than
//! unrolled, only if it has at most [`FEW_ITERATIONS`]. An unrolled nest has at most [`MOST_OPS`] ops.

mod choice;
mod lanes;
mod rebuild;

use crate::contraction::{ATTRIBUTE, Registers};
use crate::ir::*;
use crate::nests::{self, kinds};
use choice::Choice;
use mlopt_dialects::sweep::ResultKind;
use rebuild::Rebuild;

/// The maximum number of elements of a scalar-replaced array: two registers of eight lanes for each of a few arrays
/// leave enough registers for other values.
const MOST_ELEMENTS: usize = 32;
const MOST_ITERATIONS: i64 = 32;
const FEW_ITERATIONS: i64 = 8;
const MOST_OPS: i64 = 2048;

/// Applies scalar replacement in every loop of `function`.
pub fn keep_in_registers(function: Op, registers: Registers) {
    let body = function.entry();
    for op in body.ops() {
        if op.kind() != Kind::SweepNest || op.attribute(ATTRIBUTE).is_some() {
            continue;
        }
        let choice = Choice::new(op);
        if choice.is_empty() {
            continue;
        }
        let Some(results) = Rebuild::new(op, &choice, registers).run() else { continue };
        op.replace_with(results);
    }
}

fn is_nest(op: Op) -> bool {
    op.kind() == Kind::SweepNest
}

/// Returns the extents of a nest, if they are known.
fn known_extents(nest: Op) -> Option<Vec<i64>> {
    nest.operand_segment(0).into_iter().map(known).collect()
}

/// Returns the number of elements of an array of known, small size.
fn few_elements(v: Value) -> Option<usize> {
    let ty = v.ty();
    if !ty.is_tensor() || ty.rank() == 0 {
        return None;
    }
    let n = ty.shape().into_iter().product::<Option<usize>>()?;
    (1..=MOST_ELEMENTS).contains(&n).then_some(n)
}
