//! Exponentials that cannot overflow: the maximum of the exponents is subtracted from them first. The result costs more
//! than the input, and `egg-optimize` keeps the cheaper form. So these rules run only on request, in `normalise-terms`.

use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op, Reduction};
use egg::Id;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "shift-log-sum-exp",
        law: "log Σ_j exp e = m + log Σ_j exp(e - m), m = max_j e",
        when: "logarithm and exponential carry `reassoc`, `nnan` and `ninf`, e mentions j, and is no difference \
               e' - m' with the same m' for all j",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::Log, _)),
        apply: Apply::Native(log_sum_exp),
    },
    Rule {
        name: "shift-softmax",
        law: "exp a / Σ_j exp e = exp(a - m) / Σ_j exp(e - m), m = max_j e",
        when: "quotient and exponentials carry `reassoc`, `nnan` and `ninf`, e mentions j, and is no difference \
               e' - m' with the same m' for all j",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Prim(Prim::DivF, _)),
        apply: Apply::Native(softmax),
    },
];

const NEEDED: Flags = Flags(Flags::REASSOC.0 | Flags::NNAN.0 | Flags::NINF.0);

/// Returns `max_j e` and `Σ_j exp(e - max)` for `Σ_j exp e`, with the common flags of its ops.
fn shifted(v: &mut View, sum: Id) -> Option<(Id, Id, Flags)> {
    let node = v.node(sum);
    if !node.op.is_sum() {
        return None;
    }
    let (n, body) = (node.children[0], node.children[1]);
    let Op::Prim(Prim::Exp, f) = v.pool.op(body) else { return None };
    let e = v.pool.child(body, 0);
    let is_shifted = matches!(v.pool.op(e), Op::Prim(Prim::SubF, _)) && !v.pool.mentions(v.pool.child(e, 1), 0);
    if !f.allow(NEEDED) || !v.pool.mentions(e, 0) || is_shifted {
        return None;
    }
    let m = v.pool.add(Op::Reduce(Reduction::Max, f), [n, e]);
    let inside = v.pool.shift(m, 0, 1);
    let e = v.pool.prim(Prim::SubF, f, &[e, inside]);
    let e = v.pool.prim(Prim::Exp, f, &[e]);
    Some((m, v.pool.add(node.op, [n, e]), f))
}

fn log_sum_exp(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::Log, f) = node.op else { return };
    if !f.allow(NEEDED) {
        return;
    }
    let Some((m, sum, g)) = shifted(v, node.children[0]) else { return };
    let log = v.pool.prim(Prim::Log, f, &[sum]);
    out.push(v.pool.prim(Prim::AddF, f.and(g), &[m, log]));
}

fn softmax(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let node = v.node(t);
    let Op::Prim(Prim::DivF, f) = node.op else { return };
    let Op::Prim(Prim::Exp, g) = v.pool.op(node.children[0]) else { return };
    if !f.allow(NEEDED) || !g.allow(NEEDED) {
        return;
    }
    let Some((m, sum, h)) = shifted(v, node.children[1]) else { return };
    let a = v.pool.child(node.children[0], 0);
    let a = v.pool.prim(Prim::SubF, g.and(h), &[a, m]);
    let a = v.pool.prim(Prim::Exp, g, &[a]);
    out.push(v.pool.prim(Prim::DivF, f, &[a, sum]));
}
