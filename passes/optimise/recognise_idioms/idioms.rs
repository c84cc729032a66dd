//! Recognition of the idioms that terms in normal form represent: matrix product, convolution, softmax and others
//! (`spec/arrays.md` X.20).
//!
//! A sum of products is identified by its indices alone, as in Einstein's notation: by the axes of the result, and by
//! the indices that each factor depends on. Products that are written with loops, with operations on whole arrays, or
//! with transposed operands have the same normal form.

use crate::optimise::terms::prim::{Prim, Scalar};
use crate::optimise::terms::{Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::text::count;
use rustc_hash::FxHashSet;

/// The names of axes of a result and of summed indices.
const AXES: &[char] = &['i', 'j', 'l', 'm', 'n', 'o', 't', 'u'];
const SUMMED: &[char] = &['k', 'p', 'q', 'r', 's', 'v', 'w', 'x'];

/// Returns the idiom of a term, with the names and sizes of its indices, or `None` for any other term.
pub fn recognise(pool: &mut Pool, t: Id) -> Option<String> {
    let mut nest = Nest { axes: vec![], summed: vec![] };
    let mut body = t;
    while pool.op(body) == Op::Build {
        nest.axes.push(pool.child(body, 0));
        body = pool.child(body, 1);
    }
    if pool.rank(body) > 0 {
        return None;
    }
    if let Some(found) = softmax(pool, &nest, body).or_else(|| log_sum_exp(pool, body)) {
        return Some(found);
    }
    while pool.op(body).is_sum() {
        nest.summed.push(pool.child(body, 0));
        body = pool.child(body, 1);
    }
    if nest.depth() > AXES.len() || nest.axes.is_empty() && nest.summed.is_empty() {
        return None;
    }
    let mut factors = Vec::new();
    let is_masked = flatten(pool, body, &mut factors);
    if factors.len() > LARGEST {
        return None;
    }
    let mut factors: Vec<Factor> = factors.into_iter().filter_map(|f| nest.factor(pool, f)).collect();
    // The operands of a product are unordered: factors with earlier axes come first.
    factors.sort_by_cached_key(|f| f.indices());
    let name = nest.name(&factors)?;
    let mask = if is_masked { ", masked" } else { "" };
    Some(format!("{name} {}{mask}", nest.notation(pool, &factors)))
}

/// The maximum number of factors of a named product.
const LARGEST: usize = 16;

/// Collects the factors of a product, at most one more than [`LARGEST`]. Returns whether a mask with zero surrounds one
/// of them.
fn flatten(pool: &Pool, t: Id, factors: &mut Vec<Id>) -> bool {
    if factors.len() > LARGEST {
        return false;
    }
    let node = pool.node(t);
    match node.op {
        Op::Prim(Prim::MulF | Prim::MulI, _) => {
            let masked = flatten(pool, node.children[0], factors);
            flatten(pool, node.children[1], factors) | masked
        }
        Op::Prim(Prim::NegF, _) => flatten(pool, node.children[0], factors),
        Op::Cond if is_zero(pool, node.children[2]) => {
            flatten(pool, node.children[1], factors);
            true
        }
        _ => {
            factors.push(t);
            false
        }
    }
}

fn is_zero(pool: &Pool, t: Id) -> bool {
    matches!(pool.op(t), Op::Zero(_) | Op::Const(_, 0))
}

/// The extents of the axes of a result and of the indices summed for each element, outermost first.
struct Nest {
    axes: Vec<Id>,
    summed: Vec<Id>,
}

/// One factor of a sum of products.
struct Factor {
    /// The indices at which it is read, or of which it is a function, by their positions in the nest.
    plain: Vec<usize>,
    /// Reads at other sums of indices: `i + k`.
    shifted: Vec<Shifted>,
}

impl Factor {
    /// Returns the indices in ascending order, so that an axis of the result comes first.
    fn indices(&self) -> Vec<usize> {
        let mut all = self.plain.clone();
        all.extend(self.shifted.iter().flat_map(|s| &s.indices));
        all.sort_unstable();
        all
    }
}

#[derive(PartialEq)]
struct Shifted {
    indices: Vec<usize>,
    text: String,
}

impl Nest {
    fn depth(&self) -> usize {
        self.axes.len() + self.summed.len()
    }

    /// Returns the position in the nest of an index variable, seen from the body.
    fn place(&self, pool: &Pool, t: Id) -> Option<usize> {
        match pool.op(t) {
            Op::Ix(level) => self.depth().checked_sub(level as usize + 1),
            _ => None,
        }
    }

    fn letter(&self, place: usize) -> char {
        place.checked_sub(self.axes.len()).map_or_else(|| AXES[place], |k| SUMMED[k])
    }

    fn is_summed(&self, place: usize) -> bool {
        place >= self.axes.len()
    }

    /// Returns the factor, or `None` for a coefficient, which depends on no index.
    fn factor(&self, pool: &Pool, t: Id) -> Option<Factor> {
        let depth = self.depth();
        let free: Vec<usize> = pool.info(t).free.iter().map(|f| f.level as usize).filter(|&l| l < depth).collect();
        if free.is_empty() {
            return None;
        }
        let (mut array, mut positions) = (t, Vec::new());
        while pool.op(array) == Op::Get {
            positions.push(pool.child(array, 1));
            array = pool.child(array, 0);
        }
        if positions.is_empty() || pool.info(array).free.iter().any(|f| (f.level as usize) < depth) {
            // A function of elements that are read at indices.
            let mut shifted = Vec::new();
            self.shifts(pool, t, &mut FxHashSet::default(), &mut shifted);
            let moved = |p: &usize| shifted.iter().any(|s: &Shifted| s.indices.contains(p));
            let plain = free.into_iter().rev().map(|level| depth - 1 - level).filter(|p| !moved(p)).collect();
            return Some(Factor { plain, shifted });
        }
        let (mut plain, mut shifted) = (Vec::new(), Vec::new());
        for &i in positions.iter().rev() {
            match self.place(pool, i) {
                Some(place) => plain.push(place),
                None => shifted.extend(self.shifted(pool, i)),
            }
        }
        Some(Factor { plain, shifted })
    }

    /// Returns a read position as a sum of indices of the nest.
    fn shifted(&self, pool: &Pool, t: Id) -> Option<Shifted> {
        let l = pool.linear(t);
        let found = l.terms.iter().filter_map(|&(x, c)| Some((self.place(pool, x)?, c)));
        let mut found: Vec<(usize, i128)> = found.collect();
        found.sort_unstable();
        if found.is_empty() {
            return None;
        }
        let mut text = String::new();
        for &(place, c) in &found {
            let sign = match (text.is_empty(), c < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let times = if c.abs() == 1 { String::new() } else { format!("{}·", c.abs()) };
            text += &format!("{sign}{times}{}", self.letter(place));
        }
        if l.terms.len() > found.len() {
            text += " + ...";
        }
        match l.constant {
            0 => {}
            c if c < 0 => text += &format!(" - {}", -c),
            c => text += &format!(" + {c}"),
        }
        Some(Shifted { indices: found.into_iter().map(|f| f.0).collect(), text })
    }

    /// Collects the shifted positions that `t` reads outside of its loops.
    fn shifts(&self, pool: &Pool, t: Id, seen: &mut FxHashSet<Id>, out: &mut Vec<Shifted>) {
        if !seen.insert(t) {
            return;
        }
        let node = pool.node(t);
        if node.op == Op::Get && self.place(pool, node.children[1]).is_none() {
            let new = self.shifted(pool, node.children[1]).filter(|s| !out.contains(s));
            out.extend(new);
        }
        for (k, &c) in node.children.iter().enumerate() {
            if node.binds(k) == 0 {
                self.shifts(pool, c, seen, out);
            }
        }
    }

    /// Returns the name of the sum of products.
    fn name(&self, factors: &[Factor]) -> Option<String> {
        let mixes = |s: &&Shifted| {
            s.indices.iter().any(|&p| self.is_summed(p)) && s.indices.iter().any(|&p| !self.is_summed(p))
        };
        let dimensions = factors.iter().map(|f| f.shifted.iter().filter(mixes).count()).max().unwrap_or(0);
        if dimensions > 0 {
            return (factors.len() > 1).then(|| format!("convolution in {}", count(dimensions, "dimension")));
        }
        if factors.iter().any(|f| !f.shifted.is_empty()) {
            return (factors.len() > 1 && !self.summed.is_empty()).then(|| "sum of products".to_string());
        }
        let [a, b] = factors else {
            let is_diagonal = |f: &Factor| f.plain.len() > 1 && f.plain.iter().all(|&p| p == f.plain[0]);
            return match factors {
                [f] if self.depth() == 1 && !self.summed.is_empty() && is_diagonal(f) => Some("trace".into()),
                [_, _, _, ..] if !self.summed.is_empty() => Some("sum of products".into()),
                _ => None,
            };
        };
        let in_both: Vec<usize> = a.plain.iter().copied().filter(|p| b.plain.contains(p)).collect();
        let batches = in_both.iter().filter(|&&p| !self.is_summed(p)).count();
        let is_repeated = |f: &Factor| f.plain.iter().enumerate().any(|(k, p)| f.plain[..k].contains(p));
        let batched = if batches > 0 { "batched " } else { "" };
        let axes = |f: &Factor| f.plain.iter().filter(|p| !self.is_summed(**p) && !in_both.contains(p)).count();
        if self.summed.is_empty() {
            return (in_both.is_empty() && self.axes.len() > 1).then(|| "outer product".into());
        }
        let all_shared = (self.axes.len()..self.depth()).all(|p| in_both.contains(&p));
        if !all_shared || is_repeated(a) || is_repeated(b) {
            return Some("sum of products".into());
        }
        Some(match (axes(a).min(axes(b)), axes(a).max(axes(b))) {
            (0, 0) => format!("{batched}dot product"),
            (0, 1) => format!("{batched}product of matrix and vector"),
            (1, 1) => format!("{batched}matrix product"),
            _ => format!("{batched}contraction"),
        })
    }

    /// Returns the product in Einstein's notation with sizes, if each position is one index.
    fn notation(&self, pool: &Pool, factors: &[Factor]) -> String {
        let word = |places: &[usize]| places.iter().map(|&p| self.letter(p)).collect::<String>();
        let axes: Vec<usize> = (0..self.axes.len()).collect();
        let text = if factors.iter().all(|f| f.shifted.is_empty()) {
            factors.iter().map(|f| word(&f.plain)).collect::<Vec<_>>().join(",")
        } else {
            let positions = |f: &Factor| {
                let plain = f.plain.iter().map(|&p| self.letter(p).to_string());
                plain.chain(f.shifted.iter().map(|s| s.text.clone())).collect::<Vec<_>>().join(", ")
            };
            factors.iter().map(|f| format!("[{}]", positions(f))).collect::<String>()
        };
        let sizes = self.axes.iter().chain(&self.summed).enumerate().map(|(place, &n)| {
            let size = pool.as_int(n).map_or("?".to_string(), |n| n.to_string());
            format!("{} = {size}", self.letter(place))
        });
        format!("{text}->{} ({})", word(&axes), sizes.collect::<Vec<_>>().join(", "))
    }
}

/// Checks whether the maximum of the operand of an exponential over an index is subtracted from it. Returns `None` for
/// another term.
fn is_shifted(pool: &Pool, t: Id) -> Option<bool> {
    let Op::Prim(Prim::Exp, _) = pool.op(t) else { return None };
    let e = pool.child(t, 0);
    let is_greatest = |m: Id| matches!(pool.op(m), Op::Reduce(Reduction::Max, _));
    Some(matches!(pool.op(e), Op::Prim(Prim::SubF, _)) && is_greatest(pool.child(e, 1)))
}

fn stability(is_stable: bool) -> &'static str {
    if is_stable { "of differences from the maximum" } else { "that may overflow (rules `stable`)" }
}

/// Returns a and b for a / b, and for a · (1 / b) with the factors in any order.
fn quotient(pool: &Pool, t: Id) -> Option<(Id, Id)> {
    let [a, b] = pool.node(t).children[..] else { return None };
    let reciprocal = |t: Id| {
        let [one, b] = pool.node(t).children[..] else { return None };
        let is_one = matches!(pool.scalar(one), Some(Scalar::F(1.0))) || matches!(pool.op(one), Op::One(_));
        (matches!(pool.op(t), Op::Prim(Prim::DivF, _)) && is_one).then_some(b)
    };
    match pool.op(t) {
        Op::Prim(Prim::DivF, _) => Some((a, b)),
        Op::Prim(Prim::MulF, _) => reciprocal(a).map(|s| (b, s)).or_else(|| Some((a, reciprocal(b)?))),
        _ => None,
    }
}

/// exp e / Σ exp e, where the sum is over one of the axes.
fn softmax(pool: &mut Pool, nest: &Nest, body: Id) -> Option<String> {
    let (a, sum) = quotient(pool, body)?;
    let is_stable = is_shifted(pool, a)?;
    if !pool.op(sum).is_sum() {
        return None;
    }
    let (n, summand) = (pool.child(sum, 0), pool.child(sum, 1));
    let inside = pool.shift(a, 0, 1);
    let index = pool.bound_ix(n);
    let along = (0..nest.axes.len()).find(|&axis| {
        let level = (nest.axes.len() - 1 - axis) as u32;
        pool.mentions(a, level) && !pool.mentions(sum, level) && pool.rename(inside, level + 1, index) == summand
    })?;
    Some(format!("softmax {} along axis {along}", stability(is_stable)))
}

/// log Σ exp e, with or without the greatest e added to it.
fn log_sum_exp(pool: &Pool, body: Id) -> Option<String> {
    let log = match pool.op(body) {
        Op::Prim(Prim::AddF, _) => {
            let of = |k: usize| matches!(pool.op(pool.child(body, k)), Op::Prim(Prim::Log, _));
            pool.child(body, if of(0) { 0 } else { 1 })
        }
        _ => body,
    };
    let Op::Prim(Prim::Log, _) = pool.op(log) else { return None };
    let sum = pool.child(log, 0);
    if !pool.op(sum).is_sum() {
        return None;
    }
    let is_stable = is_shifted(pool, pool.child(sum, 1))?;
    // Otherwise it is a sum with another term.
    (is_stable != (log == body)).then(|| format!("log-sum-exp {}", stability(is_stable)))
}
