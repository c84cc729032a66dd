//! Moves reads past `array.reshape`: the row-major number of the position is computed from the indices into the result,
//! and indices into the operand are computed from that number.

use super::ops::{Emit, Extent};
use super::push::Step;
use super::ranges::Ranges;
use super::simplify::simplify;
use super::sizes;
use mlopt_dialects::ir::{Builder, Value};
use mlopt_dialects::ops::Kind;

/// reshape(u)[i...] = u[unlin(lin(i...))...], guarded: a position out of range may have the number of an element in
/// range.
pub fn read(step: &mut Step) -> Value {
    let (b, u, z) = (step.b, step.made.operand(0), step.made.result(0));
    let (from, to, m) = (u.ty().rank(), z.ty().rank(), step.indices.len());
    // Leading axes of equal size keep their indices.
    let common = (0..from.min(to)).take_while(|&a| Ranges::default().same(sizes::of(u, a), sizes::of(z, a))).count();
    if m <= common {
        let e = step.read(u, &step.indices.clone());
        let ty = step.ty();
        return if e.ty() == ty && from == to { e } else { b.reshape(e, &ty.shape(), &sizes::dynamic(b, z, m)) };
    }
    let indices = step.indices.to_vec();
    if m == to {
        let position = position(step, b, common, &indices);
        let e = step.read(u, &position);
        return step.guarded_at(common..m, e);
    }
    let extents: Vec<Extent> = (m..to).map(|axis| sizes::extent(b, z, axis)).collect();
    let e = match from {
        0 => extents.iter().rev().fold(u, |x, &extent| b.replicated(x, extent)),
        _ => simplify(b.gather_over(u, &extents, |b, free| position(step, b, common, &[&indices, free].concat()))),
    };
    step.guarded_at(common..m, e)
}

/// Returns the position in `u` of the element at `indices` of the reshaped array.
fn position(step: &Step, b: Builder, common: usize, indices: &[Value]) -> Vec<Value> {
    let (u, z) = (step.made.operand(0), step.made.result(0));
    let from = u.ty().rank();
    // The sizes are computed before the region that uses them.
    let outside = step.b;
    let mut number = indices[common];
    for (axis, &i) in indices.iter().enumerate().skip(common + 1) {
        let n = sizes::value(outside, sizes::of(z, axis));
        let scaled = b.binary(Kind::ArithMuli, number, n);
        number = b.binary(Kind::ArithAddi, scaled, i);
    }
    let mut position = indices[..common].to_vec();
    let mut parts = Vec::new();
    for axis in (common..from).rev() {
        if axis == common {
            // The last part is less than the size, because the position is in range.
            parts.push(number);
        } else {
            let n = sizes::value(outside, sizes::of(u, axis));
            parts.push(b.binary(Kind::ArrayMod, number, n));
            number = b.binary(Kind::ArrayDiv, number, n);
        }
    }
    position.extend(parts.into_iter().rev());
    position
}
