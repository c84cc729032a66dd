//! The entry point of the verifier: each op is checked by the dialect to which it belongs.

use crate::bridge::diagnostics::Reported;
use crate::bridge::ir::{Block, Lookup, Op};
use crate::constraints::report;
use crate::ops::AnyOp;
use crate::{array, attributes, dual, lambda, stablehlo, stream, sweep};

const ERASED_OPERAND: &str = "internal error: a pass must replace each use of an op before it erases the op; a region \
     of this op ends in a use of an erased op";

/// Checks the constraints of one op, not of its nested ops.
pub fn verify(op: Op) -> Result<(), Reported> {
    attributes::verify_names(op)?;
    // MLIR verifies the ops in regions after this one, but the verifiers read the terminators of the regions.
    let mut ends = op.regions().into_iter().flat_map(|region| region.blocks()).filter_map(Block::terminator);
    if ends.any(Op::has_erased_operand) {
        return Err(op.error(ERASED_OPERAND).emit());
    }
    let verdict = match AnyOp::of(op) {
        AnyOp::Array(op) => array::verify(op),
        AnyOp::Chlo(op) => stablehlo::verify_chlo(op),
        AnyOp::Dual(op) => dual::verify(op),
        AnyOp::Lambda(op) => lambda::verify(op),
        AnyOp::Stablehlo(op) => stablehlo::verify(op),
        AnyOp::Stream(op) => stream::verify(op),
        AnyOp::Sweep(op) => sweep::verify(op),
        _ => Ok(()),
    };
    report(op, verdict)
}

/// Checks the symbols to which one op refers.
pub fn verify_symbols(op: Op, lookup: Lookup) -> Result<(), Reported> {
    let verdict = match AnyOp::of(op) {
        AnyOp::Array(op) => array::verify_symbols(op, lookup),
        AnyOp::Dual(op) => dual::verify_symbols(op, lookup),
        AnyOp::Lambda(op) => lambda::verify_symbols(op, lookup),
        AnyOp::Stablehlo(op) => stablehlo::verify_symbols(op, lookup),
        AnyOp::Stream(op) => stream::verify_symbols(op, lookup),
        _ => Ok(()),
    };
    report(op, verdict)
}
