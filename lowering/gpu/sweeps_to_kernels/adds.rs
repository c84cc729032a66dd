//! Additions to elements of arrays that several threads may perform.

use super::Split;
use crate::ir::*;
use mlopt_dialects::ops::sweep::Nest;

impl Split {
    /// Orders the floating-point additions of a parallel nest. Indices that occur unchanged in the position of every
    /// addition distinguish threads, and each thread iterates over the others. Without such an index the nest is no
    /// longer parallel.
    pub(super) fn order_additions(&self, nest: Op) {
        let body = nest.entry();
        // The additions on whose order the result depends.
        let adds: Vec<Op> = nested_of(nest, Kind::SweepAdd).into_iter().filter(|op| !self.is_atomic(*op)).collect();
        if adds.is_empty() {
            return;
        }
        let extents = nest.operand_segment(0);
        let indices = &body.arguments()[..extents.len()];
        // The axis at which an index occurs in every addition to one array.
        let tells_apart = |i: &usize| {
            let axis = |add: &Op| add.operands()[2..].iter().position(|v| *v == indices[*i]);
            adds.iter().all(|add| {
                let same_array = adds.iter().filter(|other| other.operand(1) == add.operand(1));
                axis(add).is_some() && same_array.into_iter().all(|other| axis(other) == axis(add))
            })
        };
        let (apart, together): (Vec<usize>, Vec<usize>) = (0..extents.len()).partition(tells_apart);
        if apart.is_empty() || nest.num_results() > 0 && !together.is_empty() {
            nest.remove_attribute("parallel");
        } else if !together.is_empty() {
            split(nest, &apart, &together);
        }
    }

    /// Checks whether threads may execute this addition in any order.
    pub(super) fn is_atomic(&self, add: Op) -> bool {
        let ty = add.operand(0).ty();
        // There are no atomic operations on `index`.
        ty.is_integer(32) || ty.is_integer(64) || (ty.is_float() && self.atomics)
    }
}

/// Splits `nest` into a nest over the indices `outer` and, inside it, one over `inner`, in the old order.
fn split(nest: Op, outer: &[usize], inner: &[usize]) {
    let (extents, old) = (nest.operand_segment(0), nest.entry());
    let chosen = |which: &[usize]| which.iter().map(|i| extents[*i]).collect::<Vec<_>>();
    let [outer_block, inner_block] = [outer, inner].map(|which| block_of_indices(which.len(), nest.location()));
    for (block, which) in [(outer_block, outer), (inner_block, inner)] {
        replace_all(which.iter().map(|i| old.argument(*i)), block.arguments());
    }
    move_ops(old, &[old.end()], inner_block);
    Builder::at_end(inner_block, nest.location()).make(Kind::SweepYield, &[], &[], &[]);
    let b = Builder::at_end(outer_block, nest.location());
    Nest::create(b, &chosen(inner), &[], &[], &[], inner_block);
    b.make(Kind::SweepYield, &[], &[], &[]);
    Nest::create(Builder::before(nest), &chosen(outer), &[], &[], &[], outer_block).with_parallel();
    nest.erase();
}
