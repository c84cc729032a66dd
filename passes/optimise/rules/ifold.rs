//! Rules for loops, written as functions because they need an analysis: loops with several states, chains of operators,
//! and loops in which only the last write to an element matters. `ifold.rules` has the other rules, and the order in
//! which rules are tried. Each rule matches one component of the state of a loop: `proj k (ifold n z b)`.
//!
//! Variables are de Bruijn indices. In a body, level 0 is the index and level 1 the states; terms from outside are
//! shifted by two.

use super::index::conjuncts;
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Op, Reduction};
use egg::Id;
use mlopt_dialects::value::Element;

pub const RULES: &[Rule<'static>] = &[
    Rule {
        name: "loop-empty",
        law: "ifold f z 0 = z (f1)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(empty),
    },
    // Measure: the number of components.
    Rule {
        name: "fission",
        law: "a component depends only on the components that its body reads, directly or indirectly; the others are \
              removed (g with e)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(fission),
    },
    // Measure: the number of components.
    Rule {
        name: "loop-identity",
        law: "a component whose body is its own state keeps its initial value (f3)",
        when: "",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(identity),
    },
    // Measure: the number of components.
    Rule {
        name: "zero-states",
        law: "components that start at Zero, and whose bodies are Zero if all these components are Zero, are Zero",
        when: "",
        requirement: Requirement::Exact0,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(zero_states),
    },
    // Measure: the number of loops with a state.
    Rule {
        name: "loop-to-sum",
        law: "ifold (s i → s + e) z n = z + Σ e (X.23)",
        when: "e does not depend on s, and the additions carry `reassoc` (not required for integers); or z = Zero and \
               e is a sum of at most two masks that select one index each, so that at most two terms are added, in any \
               order",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(to_sum),
    },
    // Measure: the number of loops with a state.
    Rule {
        name: "loop-to-reduction",
        law: "ifold (s i → s ∘ e) z n = z ∘ the reduction of e by ∘, where ∘ is max, min or · (X.23)",
        when: "e does not depend on s. For floats, products carry `reassoc`, and max and min carry `nnan` and `nsz`, \
               because a reduction specifies neither the sign of a zero nor the treatment of NaN. For max and min, n > \
               0 is known",
        requirement: Requirement::Fast,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(to_reduction),
    },
    // Measure: the number of h that are not an index and depend on an outer index variable that the rest of the loop
    // does not mention.
    Rule {
        name: "last-writer",
        law: "only the last write matters (X.12): ifold (a j → if c then a_t else h(j)) w n, where a_t is the \
              component itself, is if k = -1 then w else h(k). In place of the component, the loop carries k = ifold \
              (j → if c then k else j) (-1) n. If w = h(d), the result is h(k), and k starts at d",
        when: "no other body reads a_t, and h reads no state and may be computed for any index",
        requirement: Requirement::Exact,
        at: |op| matches!(op, Op::Proj(_)),
        apply: Apply::Native(last_writer),
    },
];

/// The parts of a component of a loop.
pub struct Fold {
    pub k: usize,
    pub n: Id,
    pub inits: Vec<Id>,
    pub bodies: Vec<Id>,
}

pub fn fold(v: &View, t: Id) -> Option<Fold> {
    let Op::Proj(k) = v.pool.op(t) else { return None };
    let node = v.pool.node(v.pool.child(t, 0));
    let Op::Ifold(m) = node.op else { return None };
    let m = m as usize;
    Some(Fold {
        k: k as usize,
        n: node.children[0],
        inits: node.children[1..=m].to_vec(),
        bodies: node.children[1 + m..].to_vec(),
    })
}

fn empty(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    let zero = v.pool.index(0);
    if v.pool.less(zero, f.n) == Some(false) {
        out.push(f.inits[f.k]);
    }
}

/// Returns component `k` of the loop that carries only the components `keep` (ascending, closed under reads).
fn restrict(v: &mut View, f: &Fold, keep: &[u32], k: u32) -> Id {
    let new = |old: u32| keep.iter().position(|&x| x == old);
    let inits: Vec<Id> = keep.iter().map(|&c| f.inits[c as usize]).collect();
    let states: Vec<Option<Id>> =
        (0..f.inits.len() as u32).map(|c| new(c).map(|c2| v.pool.state(f.inits[c as usize], c2 as u32))).collect();
    let bodies: Vec<Id> =
        keep.iter().map(|&c| v.pool.replace_states(f.bodies[c as usize], &|old| states[old as usize])).collect();
    v.pool.ifold(f.n, &inits, &bodies, new(k).unwrap_or(0) as u32)
}

fn fission(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    let mut needed = vec![f.k as u32];
    let mut next = 0;
    while next < needed.len() {
        for c in v.pool.states_read(f.bodies[needed[next] as usize]) {
            if !needed.contains(&c) {
                needed.push(c);
            }
        }
        next += 1;
    }
    if needed.len() < f.inits.len() {
        needed.sort_unstable();
        out.push(restrict(v, &f, &needed, f.k as u32));
    }
}

/// Returns the loop without component `c`, with `value` (a term outside of the loop) in place of its reads.
fn eliminate(v: &mut View, f: &Fold, c: u32, value: Id) -> Id {
    let inside = v.pool.shift(value, 0, 2);
    let bodies = f.bodies.iter().map(|&b| v.pool.replace_states(b, &|k| (k == c).then_some(inside))).collect();
    let f2 = Fold { k: f.k, n: f.n, inits: f.inits.clone(), bodies };
    let keep: Vec<u32> = (0..f.inits.len() as u32).filter(|&k| k != c).collect();
    restrict(v, &f2, &keep, f.k as u32)
}

fn identity(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    for c in 0..f.inits.len() {
        if matches!(v.pool.op(f.bodies[c]), Op::State(1, k, _) if k as usize == c) {
            out.push(if c == f.k { f.inits[c] } else { eliminate(v, &f, c as u32, f.inits[c]) });
            return;
        }
    }
}

/// Checks whether a term is `Zero` or an array of it.
fn is_zero_array(v: &View, mut t: Id) -> bool {
    while v.pool.op(t) == Op::Build {
        t = v.pool.child(t, 1);
    }
    matches!(v.pool.op(t), Op::Zero(_))
}

fn zero_states(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    let mut zeros: Vec<u32> = (0..f.inits.len() as u32).filter(|&c| is_zero_array(v, f.inits[c as usize])).collect();
    // Optimistic: assumes that all are zero, and removes those that are not until a fixpoint.
    while !zeros.is_empty() {
        let before = zeros.len();
        let inside: Vec<Id> = f.inits.iter().map(|&z| v.pool.shift(z, 0, 2)).collect();
        let mut left = Vec::new();
        for &c in &zeros {
            let body = v.pool.replace_states(f.bodies[c as usize], &|k| zeros.contains(&k).then(|| inside[k as usize]));
            if vanishes(v, body, 64) {
                left.push(c);
            }
        }
        zeros = left;
        if zeros.len() == before {
            break;
        }
    }
    let Some(&c) = zeros.first() else { return };
    out.push(if zeros.contains(&(f.k as u32)) { f.inits[f.k] } else { eliminate(v, &f, c, f.inits[c as usize]) });
}

/// Checks whether a term is structurally zero by the rules of `ring`, without rewriting it. `depth` bounds the search.
fn vanishes(v: &View, t: Id, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let c = &v.pool.node(t).children;
    let zero = |k: usize| vanishes(v, c[k], depth - 1);
    match v.pool.op(t) {
        Op::Zero(_) => true,
        Op::Prim(Prim::MulF, _) => zero(0) || zero(1),
        Op::Prim(Prim::AddF | Prim::SubF, _) => zero(0) && zero(1),
        Op::Prim(Prim::DivF | Prim::NegF, _) => zero(0),
        Op::Prim(Prim::Cast(k, _), _) => super::index::keeps_units(k) && zero(0),
        Op::Cond => zero(1) && zero(2),
        Op::Build | Op::Reduce(Reduction::Sum, _) => zero(1),
        // Without elements, these are 1 and ∓∞.
        Op::Reduce(Reduction::Prod | Reduction::Max | Reduction::Min, _) => {
            zero(1) && v.pool.as_int(c[0]).is_some_and(|n| n > 0)
        }
        Op::Get => zero(0),
        Op::Stack => (0..c.len()).all(zero),
        _ => false,
    }
}

/// Splits a condition at the first conjunct that determines the index. Returns `(d, rest)` such that the condition is
/// equivalent to `i = d and rest`.
pub fn fixes_index(v: &mut View, c: Id) -> Option<(Id, Vec<Id>)> {
    let parts = conjuncts(v, c);
    for (k, &part) in parts.iter().enumerate() {
        let node = v.node(part);
        if node.op != Op::Prim(Prim::CmpI(crate::optimise::terms::prim::EQ), Flags::NONE) {
            continue;
        }
        if let Some(d) = v.pool.solve(node.children[0], node.children[1]) {
            let rest = parts.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, &p)| p).collect();
            return Some((d, rest));
        }
    }
    None
}

/// Matches `body = state ± e1 ± ...` along the chain that ends in the state. Returns the addends, negated where
/// subtracted, and the common flags.
fn addends(v: &mut View, body: Id, state: u32) -> Option<(Vec<Id>, Flags, bool)> {
    let (mut t, mut found, mut flags, mut float) = (body, Vec::new(), Flags(u16::MAX), true);
    loop {
        let node = v.node(t);
        match node.op {
            Op::State(1, k, _) if k == state => return (!found.is_empty()).then_some((found, flags, float)),
            Op::Prim(p @ (Prim::AddF | Prim::AddI | Prim::SubF | Prim::SubI), f) => {
                flags = flags.and(f);
                float = matches!(p, Prim::AddF | Prim::SubF);
                let (a, b) = (node.children[0], node.children[1]);
                let minus = matches!(p, Prim::SubF | Prim::SubI);
                let (rest, e) = if v.pool.mentions(a, 1) {
                    (a, b)
                } else if minus {
                    return None;
                } else {
                    (b, a)
                };
                if v.pool.mentions(e, 1) {
                    return None;
                }
                let e = match p {
                    Prim::SubF => v.pool.prim(Prim::NegF, f, &[e]),
                    Prim::SubI => {
                        let element = v.pool.element(e);
                        let zero = v.pool.int(element, 0);
                        v.pool.prim2(Prim::SubI, zero, e)
                    }
                    _ => e,
                };
                found.push(e);
                t = rest;
            }
            _ => return None,
        }
    }
}

fn to_sum(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    if f.inits.len() != 1 || v.pool.rank(t) > 0 {
        return;
    }
    let z = f.inits[0];
    let Some((found, flags, float)) = addends(v, f.bodies[0], 0) else { return };
    let licensed = !float || flags.allow(Flags::REASSOC);
    if !licensed {
        let mut masks = Vec::new();
        for &e in &found {
            flatten(v, e, &mut masks);
        }
        let one_hot = |v: &mut View, e: Id| {
            v.pool.op(e) == Op::Cond && super::cond::is_structural_zero(v, v.pool.child(e, 2)) && {
                let c = v.pool.child(e, 0);
                // The state, level 1, does not occur: a conjunct that determines the index determines it for the sum as
                // well.
                fixes_index(v, c).is_some()
            }
        };
        let exact = matches!(v.pool.op(z), Op::Zero(_)) && masks.len() <= 2 && masks.into_iter().all(|e| one_hot(v, e));
        if !exact {
            return;
        }
    }
    let (add, flags) = if float { (Prim::AddF, flags) } else { (Prim::AddI, Flags::NONE) };
    let found: Vec<Id> = found.into_iter().rev().map(|e| v.pool.shift(e, 1, -1)).collect();
    if let Some(body) = found.into_iter().reduce(|a, b| v.pool.prim(add, flags, &[a, b])) {
        let sum = v.pool.add(Op::Reduce(Reduction::Sum, flags), [f.n, body]);
        out.push(v.pool.prim(add, flags, &[z, sum]));
    }
}

fn to_reduction(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    // Booleans have no reductions.
    if f.inits.len() != 1 || v.pool.rank(t) > 0 || v.pool.element(t) == Element::I1 {
        return;
    }
    let Op::Prim(p, _) = v.pool.op(f.bodies[0]) else { return };
    let (reduction, needed) = match p {
        Prim::MulF => (Reduction::Prod, Flags::REASSOC),
        Prim::MulI => (Reduction::Prod, Flags::NONE),
        Prim::MaximumF | Prim::MaxNumF => (Reduction::Max, Flags(Flags::NNAN.0 | Flags::NSZ.0)),
        Prim::MinimumF | Prim::MinNumF => (Reduction::Min, Flags(Flags::NNAN.0 | Flags::NSZ.0)),
        Prim::MaxSI => (Reduction::Max, Flags::NONE),
        Prim::MinSI => (Reduction::Min, Flags::NONE),
        _ => return,
    };
    // The chain that ends in the state, and the operands that are combined with it.
    let (mut spine, mut found, mut flags) = (f.bodies[0], Vec::new(), Flags(u16::MAX));
    while !matches!(v.pool.op(spine), Op::State(1, 0, _)) {
        let node = v.node(spine);
        let Op::Prim(q, g) = node.op else { return };
        if q != p {
            return;
        }
        let (a, b) = (node.children[0], node.children[1]);
        let (rest, e) = if v.pool.mentions(a, 1) { (a, b) } else { (b, a) };
        let reads_state = v.pool.mentions(e, 1);
        if reads_state {
            return;
        }
        flags = flags.and(g);
        found.push(v.pool.shift(e, 1, -1));
        spine = rest;
    }
    // Integers have `nsw` and `nuw` in the same bits; in another order, other products may overflow.
    let flags = if p.is_float() { flags } else { Flags::NONE };
    let zero = v.pool.index(0);
    let has_elements = reduction == Reduction::Prod || v.pool.less(zero, f.n) == Some(true);
    if !flags.allow(needed) || !has_elements {
        return;
    }
    let Some(body) = found.into_iter().rev().reduce(|a, b| v.pool.prim(p, flags, &[a, b])) else { return };
    let reduced = v.pool.add(Op::Reduce(reduction, flags), [f.n, body]);
    out.push(v.pool.prim(p, flags, &[f.inits[0], reduced]));
}

/// Collects the addends of a sum of terms.
pub fn flatten(v: &View, t: Id, out: &mut Vec<Id>) {
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        let node = v.pool.node(t);
        match node.op {
            Op::Prim(Prim::AddF | Prim::AddI, _) if out.len() < 64 => todo.extend(node.children.iter().rev()),
            _ => out.push(t),
        }
    }
}

fn last_writer(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(f) = fold(v, t) else { return };
    let k = f.k;
    let own = |v: &View, x: Id| matches!(v.pool.op(x), Op::State(1, c, _) if c as usize == k);
    if v.pool.rank(t) > 0 || f.inits.len() < 2 {
        return;
    }
    let node = v.node(f.bodies[k]);
    if node.op != Op::Cond {
        return;
    }
    let (c, keeps_first) = (node.children[0], own(v, node.children[1]));
    let h = match (keeps_first, own(v, node.children[2])) {
        (true, false) => node.children[2],
        (false, true) => node.children[1],
        _ => return,
    };
    let reads = |v: &View, b: Id| v.pool.states_read(b).contains(&(k as u32));
    let others: Vec<usize> = (0..f.inits.len()).filter(|&j| j != k).collect();
    if reads(v, c)
        || v.pool.mentions(h, 1)
        || !v.pool.info(h).speculatable
        || others.iter().any(|&j| reads(v, f.bodies[j]))
    {
        return;
    }
    let known_to_rest = |v: &View, level: u32| {
        v.pool.mentions(c, level)
            || others.iter().any(|&j| v.pool.mentions(f.bodies[j], level) || v.pool.mentions(f.inits[j], level - 2))
    };
    let outer: Vec<u32> = v.pool.info(h).free.iter().map(|x| x.level).filter(|&l| l >= 2).collect();
    let outer_init: Vec<u32> = v.pool.info(f.inits[k]).free.iter().map(|x| x.level + 2).collect();
    if !outer.iter().chain(&outer_init).any(|&l| !known_to_rest(v, l)) {
        return;
    }
    // If w is h(d), the result is as if iteration d had written it.
    let written = solve_index(v, h, f.inits[k]);
    let never = written.unwrap_or_else(|| v.pool.index(-1));
    let extent = v.pool.shift(f.n, 0, 2);
    let j = v.pool.ix(0, extent);
    let writer = v.pool.state(never, k as u32);
    let body = if keeps_first { v.pool.cond(c, writer, j) } else { v.pool.cond(c, j, writer) };
    let (mut inits, mut bodies) = (f.inits.clone(), f.bodies.clone());
    (inits[k], bodies[k]) = (never, body);
    let index = v.pool.ifold(f.n, &inits, &bodies, k as u32);
    let value = v.pool.substitute_loop(h, index, &[]);
    if written.is_some() {
        out.push(value);
        return;
    }
    let none = v.pool.prim2(Prim::CmpI(crate::optimise::terms::prim::EQ), index, never);
    out.push(v.pool.cond(none, f.inits[k], value));
}

/// Returns the index d with h(d) = w. `h` is under a loop (with its index at level 0, no state); `w` and d are outside
/// of it. The match is syntactic.
fn solve_index(v: &mut View, h: Id, w: Id) -> Option<Id> {
    fn unify(v: &View, h: Id, w: Id, found: &mut Option<Id>) -> bool {
        if !v.pool.mentions(h, 0) {
            return h == w;
        }
        let (a, b) = (v.pool.node(h), v.pool.node(w));
        if a.op == Op::Ix(0) {
            return v.pool.element(w) == v.pool.element(h) && *found.get_or_insert(w) == w;
        }
        let binds = (0..a.children.len()).any(|k| a.binds(k) > 0);
        if a.op != b.op || a.children.len() != b.children.len() || binds {
            return false;
        }
        let mut straight = *found;
        if a.children.iter().zip(&b.children).all(|(&x, &y)| unify(v, x, y, &mut straight)) {
            *found = straight;
            return true;
        }
        let commutes = matches!(a.op, Op::Prim(p, _) if p.commutes());
        commutes && unify(v, a.children[0], b.children[1], found) && unify(v, a.children[1], b.children[0], found)
    }
    let w = v.pool.shift(w, 0, 2);
    let mut found = None;
    unify(v, h, w, &mut found).then_some(())?;
    found.map(|d| v.pool.shift(d, 0, -2))
}
