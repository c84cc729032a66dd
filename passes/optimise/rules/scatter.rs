//! Rules for scatters, which add elements at computed positions. If the index of an element can be computed from its
//! position, the scatter is equal to a build.

use super::cond::{is_mask, is_structural_zero};
use super::index::{conjunction, conjuncts};
use super::sum::ignores_sign_of_zero;
use super::{Apply, Requirement, Rule, View};
use crate::optimise::terms::prim::{EQ, Prim, Scalar};
use crate::optimise::terms::range::Linear;
use crate::optimise::terms::{Flags, Op};
use egg::Id;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashSet;

pub const RULES: &[Rule<'static>] = &[
    // Measure: scatters.
    Rule {
        name: "scatter-onto",
        law: "scatter(z, i → f(i), e) = build q (z[q] + e[i := f⁻¹(q)]) (X.15, X.16)",
        when: "f maps the indices to positions in z: on each axis, ± one index that no other axis uses, plus a term \
               without indices. Indices that occur in no position are summed over",
        requirement: Requirement::Free,
        at: |op| matches!(op, Op::Scatter(..)),
        apply: Apply::Native(onto),
    },
    // Measure: scatters.
    Rule {
        name: "scatter-scatter",
        law: "scatter(z, j → g(j), scatter(0, i → f(i), e)[j]) = scatter(z, i → g(f(i)), cond(f(i) inside, e, Zero)) \
            (X.14)",
        when: "",
        requirement: Requirement::Free,
        at: |op| matches!(op, Op::Scatter(..)),
        apply: Apply::Native(compose),
    },
    // Measure: scatters.
    Rule {
        name: "sum-of-scatter",
        law: "Σ_q scatter(0, i → f(i), e)[q]·g(q) = Σ_i cond(f(i) inside, g(f(i))·e, Zero) (X.17, X.18)",
        when: "if there is a factor g, the product carries `reassoc`; if the 0 is a zero of the program, it also \
               carries `nnan` and `ninf`",
        requirement: Requirement::Free,
        at: |op| op.is_sum(),
        apply: Apply::Native(sum),
    },
    // Measure: the number of sums. A sum that can be solved for an index was removed before.
    Rule {
        name: "build-to-scatter",
        law: "build n (q → Σ_i cond(q = p(i) and c, e, Zero)) = scatter(0, i → p(i), cond(c, e, Zero)[q := \
              p(i)]) (X.16)",
        when: "p does not depend on q; extents depend on no index; p, c and e may be computed for any index; the axes \
               with positions have more than four elements. Also for several axes, some of which may have no position, \
               and if the sum is a part of a larger expression",
        requirement: Requirement::Free,
        at: |op| op == Op::Build,
        apply: Apply::Native(gathered),
    },
];

pub const INTO: Rule<'static> = Rule {
    name: "scatter-into",
    law: "as `scatter-onto`, with cond(0 ≤ f⁻¹(q) < n, e, Zero) in place of e if f does not reach every position of z, \
          and cond(q = p, e, Zero) for an axis whose position p contains no index (X.10, X.16)",
    when: "e may be computed for any index",
    requirement: Requirement::Exact0,
    at: |op| matches!(op, Op::Scatter(..)),
    apply: Apply::Native(into),
};

pub const FROM_MASK: Rule<'static> = Rule {
    name: "mask-to-scatter",
    law: "build n, m (i, j → cond(j = p(i) and c, e, Zero)) = scatter(0, i → (i, p(i)), cond(c, e, Zero)[j := p(i)]) \
        (X.16)",
    when: "at least one axis is determined by no equation; the axes that are determined have more than four elements; \
           extents depend on no index; c and e may be computed for any index. Also for several axes. If Zero is a zero \
           of the program: for integers, or if the operator that computes e carries `nsz`",
    requirement: Requirement::Exact0,
    at: |op| op == Op::Build,
    apply: Apply::Native(masked),
};

/// The parts of a scatter.
struct Scatter {
    init: Id,
    extents: Vec<Id>,
    /// Under one level for each extent, as is `e`.
    positions: Vec<Id>,
    e: Id,
}

fn scatter(v: &View, t: Id) -> Option<Scatter> {
    let node = v.pool.node(t);
    let Op::Scatter(axes, _) = node.op else { return None };
    let (extents, rest) = node.children[1..].split_at(axes as usize);
    let (&e, positions) = rest.split_last()?;
    Some(Scatter { init: node.children[0], extents: extents.to_vec(), positions: positions.to_vec(), e })
}

fn onto(v: &mut View, t: Id, out: &mut Vec<Id>) {
    out.extend(solve(v, t, false));
}

fn into(v: &mut View, t: Id, out: &mut Vec<Id>) {
    out.extend(solve(v, t, true));
}

/// The maximum number of elements of an array that is better computed element by element.
const FEW: f64 = 4.0;

fn gathered(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let (mut body, mut extents) = (t, Vec::new());
    while v.pool.op(body) == Op::Build {
        extents.push(v.pool.child(body, 0));
        body = v.pool.child(body, 1);
    }
    let axes = extents.len() as u32;
    let mut sums = Vec::new();
    if axes > 0 {
        sums_in(v, body, &mut FxHashSet::default(), &mut sums);
    }
    for sum in sums {
        let nest = |v: &mut View, e: Id| extents.iter().rev().fold(e, |e, &n| v.pool.build(n, e));
        let array = nest(v, sum);
        let Some(scatter) = scattered(v, array) else { continue };
        if sum == body {
            out.push(scatter);
            continue;
        }
        let mut read = v.pool.shift(scatter, 0, axes.into());
        for (axis, &n) in extents.iter().enumerate() {
            let n = v.pool.shift(n, 0, (axes - axis as u32).into());
            let index = v.pool.ix(axes - 1 - axis as u32, n);
            read = v.pool.get(read, index);
        }
        let rest = v.pool.replace_term(body, sum, read);
        out.push(nest(v, rest));
    }
}

/// Collects the outermost sums of `t`, with only scalar operations around them.
fn sums_in(v: &View, t: Id, seen: &mut FxHashSet<Id>, out: &mut Vec<Id>) {
    if !seen.insert(t) || seen.len() > LARGEST_BODY {
        return;
    }
    match v.pool.op(t) {
        op if op.is_sum() => out.push(t),
        Op::Prim(..) | Op::Cond => v.pool.node(t).children.iter().for_each(|&c| sums_in(v, c, seen, out)),
        _ => {}
    }
}

/// The maximum number of nodes of a body in which sums are searched for.
const LARGEST_BODY: usize = 64;

/// Builds, with sums directly inside.
struct Nest {
    /// The extents of the builds, then of the sums; none depends on an index.
    extents: Vec<Id>,
    /// The number of builds.
    axes: usize,
    body: Id,
}

fn nest(v: &mut View, t: Id) -> Option<Nest> {
    let (mut body, mut extents, mut axes) = (t, Vec::new(), 0);
    loop {
        match v.pool.op(body) {
            Op::Build if extents.len() == axes => axes += 1,
            op if op.is_sum() && axes > 0 => {}
            _ => break,
        }
        let n = v.pool.child(body, 0);
        let depth = extents.len() as u32;
        if (0..depth).any(|level| v.pool.mentions(n, level)) {
            return None;
        }
        extents.push(v.pool.shift(n, 0, -(depth as i64)));
        body = v.pool.child(body, 1);
    }
    Some(Nest { extents, axes, body })
}

impl Nest {
    /// Returns the level in the body of the index at a position.
    fn level(&self, place: usize) -> u32 {
        (self.extents.len() - 1 - place) as u32
    }

    /// Scatters the value of the body, a conditional, where `rest` holds, besides the equations that determine
    /// `positions`, into zeros. The positions mention no index that has one.
    fn scattered(&self, v: &mut View, positions: &[Option<Id>], rest: &[Id]) -> Id {
        let (extents, axes, depth) = (&self.extents, self.axes, self.extents.len());
        let fixed = |place: &usize| positions[*place].is_some();
        let (mut e, zero) = (v.pool.child(self.body, 1), v.pool.child(self.body, 2));
        if !rest.is_empty() {
            let c = conjunction(v, rest);
            e = v.pool.cond(c, e, zero);
        }
        for place in (0..axes).filter(fixed) {
            if let Some(p) = positions[place] {
                e = v.pool.rename(e, self.level(place), p);
            }
        }
        // Rows that are added unchanged come last: first the summed axes, then the axes without a position.
        let order: Vec<usize> = (axes..depth).chain((0..axes).filter(|p| !fixed(p))).collect();
        let new = order.len();
        let moved = |v: &mut View, t: Id| {
            let mut t = v.pool.shift(t, depth as u32, new as i64);
            for (k, &place) in order.iter().enumerate() {
                let n = v.pool.shift(extents[place], 0, (depth + new) as i64);
                let index = v.pool.ix((depth + new - 1 - k) as u32, n);
                t = v.pool.rename(t, self.level(place), index);
            }
            v.pool.shift(t, 0, -(depth as i64))
        };
        let positions: Vec<Id> = (0..axes)
            .map(|place| {
                let own = v.pool.shift(extents[place], 0, depth as i64);
                let p = positions[place].unwrap_or_else(|| v.pool.ix(self.level(place), own));
                moved(v, p)
            })
            .collect();
        let e = moved(v, e);
        let mut init = zero;
        for place in (0..axes).rev() {
            let n = v.pool.shift(extents[place], 0, place as i64);
            init = v.pool.build(n, init);
        }
        let scattered: Vec<Id> = order.iter().map(|&place| extents[place]).collect();
        v.pool.scatter(init, &scattered, &positions, e)
    }

    /// Checks whether the axes with a position have more than a few elements.
    fn is_large(&self, v: &View, positions: &[Option<Id>]) -> bool {
        let fixed = (0..self.axes).filter(|&place| positions[place].is_some());
        fixed.map(|place| v.pool.assumed(self.extents[place])).product::<f64>() > FEW
    }
}

/// Returns an array whose elements sum the values at computed positions, as a scatter.
fn scattered(v: &mut View, t: Id) -> Option<Id> {
    let nest = nest(v, t)?;
    let (axes, depth) = (nest.axes, nest.extents.len());
    if depth == axes || !is_mask(v, nest.body) || !v.pool.info(nest.body).speculatable {
        return None;
    }
    let is_axis = |l: u32| (depth - axes..depth).contains(&(l as usize));
    // The position along each axis that a conjunct determines.
    let mut parts = conjuncts(v, v.pool.child(nest.body, 0));
    let mut positions: Vec<Option<Id>> = Vec::new();
    for place in 0..axes {
        let level = nest.level(place);
        let found = parts.iter().enumerate().find_map(|(k, &part)| Some((k, position(v, part, level, &is_axis)?)));
        positions.push(found.map(|(k, p)| {
            parts.remove(k);
            p
        }));
    }
    let is_solvable = |v: &View, p: Id| {
        let of_a_sum = |x: Id| matches!(v.pool.op(x), Op::Ix(l) if (l as usize) < depth - axes);
        v.pool.linear(p).terms.iter().any(|&(x, c)| c.abs() == 1 && of_a_sum(x))
    };
    if !nest.is_large(v, &positions) || positions.iter().flatten().any(|&p| is_solvable(v, p)) {
        return None;
    }
    Some(nest.scattered(v, &positions, &parts))
}

fn masked(v: &mut View, t: Id, out: &mut Vec<Id>) {
    out.extend(diagonal(v, t));
}

/// Returns an array whose elements are zero except where equations between its indices hold, as a scatter over the
/// remaining indices.
fn diagonal(v: &mut View, t: Id) -> Option<Id> {
    let nest = nest(v, t)?;
    let axes = nest.axes;
    if nest.extents.len() > axes || !v.pool.info(nest.body).speculatable || v.pool.op(nest.body) != Op::Cond {
        return None;
    }
    let [c, e, zero] = [0, 1, 2].map(|k| v.pool.child(nest.body, k));
    let absorbs = match (v.pool.op(zero), v.pool.scalar(zero)) {
        (Op::Zero(_), _) => true,
        (_, Some(Scalar::I(x))) => x == 0 && v.pool.element(zero) != Element::I1,
        (_, Some(Scalar::F(x))) => x == 0.0 && x.is_sign_positive() && ignores_sign_of_zero(v, e),
        _ => false,
    };
    let mut parts = conjuncts(v, c);
    let mut positions: Vec<Option<Id>> = vec![None; axes];
    let mut next = 0;
    while absorbs && next < parts.len() {
        // The innermost axes are eliminated first, so that the added values are in memory order.
        let found = (0..axes).rev().filter(|&place| positions[place].is_none()).find_map(|place| {
            let level = nest.level(place);
            Some((place, position(v, parts[next], level, &|l| l == level)?))
        });
        let Some((place, p)) = found else {
            next += 1;
            continue;
        };
        parts.remove(next);
        for known in parts.iter_mut().chain(positions.iter_mut().flatten()) {
            *known = v.pool.rename(*known, nest.level(place), p);
        }
        positions[place] = Some(p);
    }
    let is_free = positions.iter().any(Option::is_none);
    (is_free && nest.is_large(v, &positions)).then(|| nest.scattered(v, &positions, &parts))
}

/// Returns the value that an equation determines for the index at `level`: a term that mentions no index of `is_axis`.
fn position(v: &mut View, equation: Id, level: u32, is_axis: &dyn Fn(u32) -> bool) -> Option<Id> {
    let node = v.node(equation);
    if node.op != Op::Prim(Prim::CmpI(EQ), Flags::NONE) || v.pool.element(node.children[0]) != Element::Index {
        return None;
    }
    let [a, b] = [0, 1].map(|k| v.pool.linear(node.children[k]));
    let gap = a.add(&b, -1);
    let &(x, c) = gap.terms.iter().find(|x| v.pool.op(x.0) == Op::Ix(level))?;
    let rest = gap.add(&Linear::of(x, c), -1);
    let mentions_axis = |x: Id| v.pool.info(x).free.iter().any(|f| is_axis(f.level));
    if c.abs() != 1 || rest.terms.iter().any(|x| mentions_axis(x.0)) {
        return None;
    }
    // c·q + rest = 0.
    Some(v.pool.from_linear(&Linear::constant(0).add(&rest, -c), Element::Index))
}

/// Returns the scatter as a build; with `guarded`, also if it does not reach every position.
fn solve(v: &mut View, t: Id, guarded: bool) -> Option<Id> {
    let s = scatter(v, t)?;
    let (k, r) = (s.extents.len() as u32, s.positions.len() as u32);
    // The level for which a position is solved, whether it ascends, and the rest of the position.
    let mut solved: Vec<(Option<(u32, bool)>, Id)> = Vec::new();
    let is_solved =
        |solved: &[(Option<(u32, bool)>, Id)], level: u32| solved.iter().any(|x| x.0.is_some_and(|x| x.0 == level));
    for &p in &s.positions {
        let own: Vec<u32> = (0..k).filter(|&l| v.pool.mentions(p, l)).collect();
        match *own.as_slice() {
            [] if guarded => solved.push((None, p)),
            [level] if !is_solved(&solved, level) => {
                let (up, rest) = v.pool.unit_term(p, level)?;
                solved.push((Some((level, up)), rest));
            }
            _ => return None,
        }
    }
    let summed: Vec<u32> = (0..k).rev().filter(|&l| !is_solved(&solved, l)).collect();
    let m = summed.len() as u32;
    let new = (r + m) as i64;
    // In the scope of: the outside, the positions q, the summed indices, the k old indices.
    let mut e = v.pool.shift(s.e, k, new);
    let mut guards = Vec::new();
    for (a, &(own, rest)) in solved.iter().enumerate() {
        let size = v.pool.extent(s.init, a);
        let size = v.pool.shift(size, 0, new + k as i64);
        let q = v.pool.ix(k + m + r - 1 - a as u32, size);
        let rest = v.pool.shift(rest, k, new);
        let Some((level, up)) = own else {
            let here = v.pool.prim2(Prim::CmpI(EQ), q, rest);
            guards.push(v.pool.shift(here, 0, -((k + m) as i64)));
            continue;
        };
        let i = if up { v.pool.prim2(Prim::SubI, q, rest) } else { v.pool.prim2(Prim::SubI, rest, q) };
        let n = v.pool.shift(s.extents[(k - 1 - level) as usize], 0, new + k as i64);
        if let Some(guard) = v.pool.guard(i, n) {
            if !guarded || !v.pool.info(s.e).speculatable {
                return None;
            }
            guards.push(v.pool.shift(guard, 0, -((k + m) as i64)));
        }
        e = v.pool.rename(e, level, i);
    }
    for (j, &level) in summed.iter().enumerate() {
        let n = v.pool.shift(s.extents[(k - 1 - level) as usize], 0, new + k as i64);
        let u = v.pool.ix(k + m - 1 - j as u32, n);
        e = v.pool.rename(e, level, u);
    }
    e = v.pool.shift(e, 0, -(k as i64));
    for (j, &level) in summed.iter().enumerate().rev() {
        let n = v.pool.shift(s.extents[(k - 1 - level) as usize], 0, (r as usize + j) as i64);
        e = v.pool.sum(n, e);
    }
    if !guards.is_empty() {
        let zero = v.pool.element(e);
        let zero = v.pool.zero(zero);
        let c = conjunction(v, &guards);
        e = v.pool.cond(c, e, zero);
    }
    let mut before = v.pool.shift(s.init, 0, r as i64);
    let sizes: Vec<Id> = (0..r as usize).map(|axis| v.pool.extent(s.init, axis)).collect();
    for (axis, &size) in sizes.iter().enumerate() {
        let size = v.pool.shift(size, 0, r as i64);
        let q = v.pool.ix(r - 1 - axis as u32, size);
        before = v.pool.get(before, q);
    }
    let add = if v.pool.element(e).is_float() { Prim::AddF } else { Prim::AddI };
    let mut result = v.pool.prim(add, Flags::NONE, &[before, e]);
    for (axis, &size) in sizes.iter().enumerate().rev() {
        let size = v.pool.shift(size, 0, axis as i64);
        result = v.pool.build(size, result);
    }
    Some(result)
}

/// Checks whether all elements are zero: structurally, or with `or_number` also as numbers.
fn is_zero(v: &View, mut t: Id, or_number: bool) -> bool {
    while v.pool.op(t) == Op::Build {
        t = v.pool.child(t, 1);
    }
    is_structural_zero(v, t)
        || match v.pool.scalar(t) {
            Some(Scalar::F(x)) => or_number && x == 0.0 && x.is_sign_positive(),
            Some(Scalar::I(x)) => x == 0,
            _ => false,
        }
}

/// Returns the scatter that `t` reads at exactly the indices of the `k` enclosing binders.
fn read_at_own_indices(v: &View, t: Id, k: u32) -> Option<Id> {
    let mut array = t;
    for level in 0..k {
        if v.pool.op(array) != Op::Get || v.pool.op(v.pool.child(array, 1)) != Op::Ix(level) {
            return None;
        }
        array = v.pool.child(array, 0);
    }
    let found = matches!(v.pool.op(array), Op::Scatter(..)) && (0..k).all(|level| !v.pool.mentions(array, level));
    found.then_some(array)
}

/// Returns `e`, or Zero where a position is outside of the array.
fn inside(v: &mut View, s: &Scatter) -> Option<Id> {
    let k = s.extents.len() as i64;
    let mut guards = Vec::new();
    for (a, &p) in s.positions.iter().enumerate() {
        let size = v.pool.extent(s.init, a);
        let size = v.pool.shift(size, 0, k);
        guards.extend(v.pool.guard(p, size));
    }
    if guards.is_empty() {
        return Some(s.e);
    }
    let zero = v.pool.element(s.e);
    let zero = v.pool.zero(zero);
    let c = conjunction(v, &guards);
    v.pool.info(s.e).speculatable.then(|| v.pool.cond(c, s.e, zero))
}

fn compose(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let Some(outer) = scatter(v, t) else { return };
    let k = outer.extents.len() as u32;
    let Some(array) = read_at_own_indices(v, outer.e, k) else { return };
    let array = v.pool.shift(array, 0, -(k as i64));
    let Some(inner) = scatter(v, array) else { return };
    let number = is_zero(v, outer.init, true);
    if inner.positions.len() != k as usize || !is_zero(v, inner.init, number) {
        return;
    }
    for (axis, &n) in outer.extents.iter().enumerate() {
        let size = v.pool.extent(array, axis);
        if v.pool.equal(size, n) != Some(true) {
            return;
        }
    }
    let Some(e) = inside(v, &inner) else { return };
    let positions: Vec<Id> = outer.positions.iter().map(|&g| at_positions(v, g, k, &inner)).collect();
    out.push(v.pool.scatter(outer.init, &inner.extents, &positions, e));
}

/// Returns `g`, a term under `k` indices, with the positions of a scatter into `k` axes in their place, under the
/// indices of the scatter.
fn at_positions(v: &mut View, g: Id, k: u32, inner: &Scatter) -> Id {
    let mut g = v.pool.shift(g, k, inner.extents.len() as i64);
    for (a, &f) in inner.positions.iter().enumerate() {
        let f = v.pool.shift(f, 0, k as i64);
        g = v.pool.rename(g, k - 1 - a as u32, f);
    }
    v.pool.shift(g, 0, -(k as i64))
}

fn sum(v: &mut View, t: Id, out: &mut Vec<Id>) {
    let op = v.pool.op(t);
    if !op.is_sum() {
        return;
    }
    let (mut extents, mut body) = (Vec::new(), t);
    while v.pool.op(body) == op {
        extents.push(v.pool.child(body, 0));
        body = v.pool.child(body, 1);
        let k = extents.len() as u32;
        for (array, factor) in scatters_read(v, body, k) {
            let array = v.pool.shift(array, 0, -(k as i64));
            out.extend(sum_of_scatter(v, op, &extents, array, factor));
        }
    }
}

/// Returns the scatters that `t` reads at exactly the indices of the `k` enclosing binders, each with its factor.
fn scatters_read(v: &View, t: Id, k: u32) -> Vec<(Id, Option<(Id, Flags)>)> {
    let mut found: Vec<_> = read_at_own_indices(v, t, k).map(|array| (array, None)).into_iter().collect();
    if let Op::Prim(Prim::MulF, f) = v.pool.op(t)
        && f.allow(Flags::REASSOC)
    {
        let c = &v.pool.node(t).children;
        for (x, other) in [(c[0], c[1]), (c[1], c[0])] {
            found.extend(read_at_own_indices(v, x, k).map(|array| (array, Some((other, f)))));
        }
    }
    found
}

/// Returns Σ over all positions q of `array[q]·factor(q)`, for a scatter into zeros.
fn sum_of_scatter(v: &mut View, op: Op, extents: &[Id], array: Id, factor: Option<(Id, Flags)>) -> Option<Id> {
    let k = extents.len() as u32;
    let mut inner = scatter(v, array)?;
    // The product of the number zero and an infinity is not zero.
    let absent = factor.is_none_or(|(_, f)| f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0)));
    if inner.positions.len() != k as usize || !is_zero(v, inner.init, absent) {
        return None;
    }
    for (axis, &n) in extents.iter().enumerate() {
        let size = v.pool.extent(array, axis);
        let size = v.pool.shift(size, 0, axis as i64);
        if v.pool.equal(size, n) != Some(true) {
            return None;
        }
    }
    if let Some((g, f)) = factor {
        let g = at_positions(v, g, k, &inner);
        inner.e = v.pool.prim(Prim::MulF, f, &[g, inner.e]);
    }
    let mut e = inside(v, &inner)?;
    for (axis, &n) in inner.extents.iter().enumerate().rev() {
        let n = v.pool.shift(n, 0, axis as i64);
        e = v.pool.add(op, [n, e]);
    }
    Some(e)
}
