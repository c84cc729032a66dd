//! Loop interchange: a loop whose state is an array of independent elements becomes one loop for each element. Which
//! form is better depends on the machine: the single loop reads and writes all elements in each iteration, with vector
//! instructions; each separate loop keeps its element in a register. The rule therefore runs only on request.

use super::ifold::fold;
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::Op;
use egg::Id;

pub const RULES: &[Rule<'static>] = &[Rule {
    name: "loop-interchange",
    law: "ifold (s i → build m (j → e)) z n = build m (j → ifold (q i → e[s[j] := q]) z[j] n) (X.24)",
    when: "e reads s only at j, z has length m, and m depends on neither s nor i",
    requirement: Requirement::Exact,
    at: |op| matches!(op, Op::Proj(_)),
    apply: Apply::Native(interchange),
}];

fn interchange(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    if f.inits.iter().any(|&z| v.pool.rank(z) == 0) {
        return;
    }
    let m = v.pool.extent(f.inits[0], 0);
    // Comments list the binders of a scope from the inside: j, the i and s of the loop; then those of the inner loop,
    // with q in place of s.
    let m_in_body = v.pool.shift(m, 0, 2);
    for (&z, &b) in f.inits.iter().zip(&f.bodies) {
        if v.pool.op(b) != Op::Build || v.pool.child(b, 0) != m_in_body || v.pool.extent(z, 0) != m {
            return;
        }
    }
    let inits: Vec<Id> = f
        .inits
        .iter()
        .map(|&z| {
            let (z, j) = (v.pool.shift(z, 0, 1), v.pool.bound_ix(m));
            v.pool.get(z, j)
        })
        .collect();
    let m_inside = v.pool.shift(m, 0, 5);
    let mut bodies = Vec::new();
    for &b in &f.bodies {
        let e = v.pool.child(b, 1);
        // j i s → j i s q J
        let mut e = v.pool.shift(e, 3, 2);
        for (c, (&z, &init)) in f.inits.iter().zip(&inits).enumerate() {
            let old = v.pool.state(z, c as u32);
            let old = v.pool.shift(old, 0, 1);
            let old = v.pool.shift(old, 3, 2);
            let j = v.pool.ix(0, m_inside);
            let old = v.pool.get(old, j);
            let new = v.pool.state(init, c as u32);
            let new = v.pool.shift(new, 0, 2);
            e = v.pool.replace_term(e, old, new);
        }
        if v.pool.mentions(e, 2) {
            return;
        }
        // j i s q J → j i q J → i q J
        let e = v.pool.shift(e, 3, -1);
        let m_here = v.pool.shift(m, 0, 3);
        let j = v.pool.ix(2, m_here);
        bodies.push(v.pool.substitute(e, j));
    }
    let n = v.pool.shift(f.n, 0, 1);
    let inner = v.pool.ifold(n, &inits, &bodies, f.k as u32);
    out.push(v.pool.build(m, inner));
}
