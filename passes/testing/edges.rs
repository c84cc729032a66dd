//! Tests of every rule at edge cases: loops of no iteration and of one, infinities, NaN, and zeros of both signs.
//!
//! A rule may use only what the `fastmath` flags of its case permit. With `reassoc`, sums and products are those of
//! real numbers: rounding, overflow and the sign of a zero may change, but a finite value stays finite, and NaN does
//! not become a finite number. The sign of a zero may also change where the order of additions is unspecified.

use super::gradients::{noise, sides};
use super::laws::{applications, cases, rule, subterms};
use super::text::Text;
use egg::Id;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::rules::Requirement;
use mlopt_passes::optimise::terms::eval::Value;
use mlopt_passes::optimise::terms::prim::Scalar;
use mlopt_passes::optimise::terms::{Flags, Op};
use mlopt_passes::optimise::user_rules::Latitude;
use std::collections::BTreeSet;

const SAMPLES: u64 = 150;

const SPECIAL: [f64; 7] = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// Values of index leaves; as extents, most of them are edge cases.
const COUNTS: [i64; 9] = [0, 1, 0, 2, 1, 5, -1, 4, 3];

/// Returns a number that `flags` do not exclude.
fn number(seed: u64, flags: Flags) -> f64 {
    let special = SPECIAL[(noise(seed ^ 0x5EED).abs() * SPECIAL.len() as f64) as usize];
    let excluded =
        (special.is_nan() && flags.allow(Flags::NNAN)) || (special.is_infinite() && flags.allow(Flags::NINF));
    if excluded || noise(seed ^ 0xED6E) < 0.0 { 3.0 * noise(seed) } else { special }
}

fn values(shape: &[usize], seed: u64, flags: Flags) -> Value {
    match shape {
        [] => Value::f64(number(seed, flags)),
        [n, rest @ ..] => Value::rows((0..*n as u64).map(|i| values(rest, seed * 31 + i + 1, flags)).collect()),
    }
}

/// Returns a case with the extents of all indices replaced by `extent`.
fn with_extents(source: &str, extent: &str) -> String {
    let mut words: Vec<&str> = source.split(' ').collect();
    for k in 2..words.len() {
        let binds = matches!(words[k - 2], w if ["(build", "(sum", "(sum!r", "(sum!s", "(prod", "(fold"].contains(&w));
        if binds && words[k].parse::<i64>().is_ok() {
            words[k] = extent;
        }
    }
    words.join(" ")
}

/// Returns a case with arrays of `size` elements, and loops over all of them.
fn with_sizes(source: &str, size: usize) -> String {
    let is_size = |word: &str| word.trim_end_matches(')') == "5";
    let sized = |word: &str| if is_size(word) { word.replace('5', &size.to_string()) } else { word.to_string() };
    source.split(' ').map(sized).collect::<Vec<_>>().join(" ")
}

/// Returns the union of the flags of operators in `t`.
fn flags_in(text: &Text, t: Id) -> Flags {
    let of = |t: Id| match text.pool.op(t) {
        Op::Prim(_, f) | Op::Reduce(_, f) => f,
        _ => Flags::NONE,
    };
    Flags(subterms(text, t).into_iter().fold(0, |all, t| all | of(t).0))
}

/// Returns the first sample on which a step changes more than its requirement allows.
fn difference(text: &Text, requirement: Requirement, left: Id, right: Id) -> Option<String> {
    let flags = flags_in(text, left);
    let has = |t: Id, such: fn(Op) -> bool| subterms(text, t).into_iter().any(|t| such(text.pool.op(t)));
    // Structural zeros and ones are absent dependencies: a product with a zero is absent for any number, and a sum with
    // it is the number itself.
    let is_structural = |op| matches!(op, Op::Zero(_) | Op::One(_));
    let mut granted = flags.0;
    if has(left, is_structural) {
        granted |= Flags::NNAN.0;
    }
    if requirement == Requirement::Free
        || flags.allow(Flags::REASSOC)
        || has(left, is_structural)
        || has(right, is_structural)
    {
        granted |= Flags::NSZ.0;
    }
    let latitude = Latitude { flags: Flags(granted), tolerance: 1e-9 };
    // The range of a free index is that of a binder outside of the term: its extent must then be the same here.
    let is_open = [left, right].iter().any(|&t| text.pool.info(t).free.iter().any(|f| f.extent.is_some()));
    for sample in 0..SAMPLES {
        let length = [4, 1, 0][(sample % 3) as usize];
        let leaf = |n: u32| {
            let (element, shape) = &text.shapes[n as usize];
            let seed = sample * 1009 + n as u64;
            match element {
                // The vector of dynamic length.
                Element::F64 if n == 2 => values(&[length], seed, flags),
                Element::F64 => values(shape, seed, flags),
                Element::I1 => Value::Scalar(Scalar::I((sample / 2 % 2) as i64)),
                Element::Index if is_open => Value::Scalar(Scalar::I(length as i64)),
                _ => Value::Scalar(Scalar::I(COUNTS[(noise(seed).abs() * COUNTS.len() as f64) as usize])),
            }
        };
        let state = |seed: u64| number(seed, flags);
        let Some((a, b)) = sides(&text.pool, [left, right], sample, length as i64, &state, &leaf) else { continue };
        if !latitude.accepts(&a, &b) {
            let leaves: Vec<String> =
                text.names_of_leaves().into_iter().map(|(name, n)| format!("{name} = {:?}", leaf(n))).collect();
            return Some(format!("{a:?} became {b:?} for {}", leaves.join(", ")));
        }
    }
    None
}

#[test]
fn every_rule_holds_at_the_edges() {
    let mut failures = BTreeSet::new();
    for (name, fires, _) in cases() {
        let mut variants = vec![(fires.to_string(), 5)];
        variants.extend(["0", "1", "n"].map(|extent| (with_extents(fires, extent), 5)));
        variants.extend([0, 1].map(|size| (with_sizes(fires, size), size)));
        for (source, size) in variants {
            let mut text = Text::sized(size);
            let t = text.term(&source);
            for (left, right) in applications(&mut text, rule(name), t) {
                if let Some(difference) = difference(&text, rule(name).requirement, left, right) {
                    failures.insert(format!("{name}: {source} with arrays of {size}: {difference}"));
                    break;
                }
            }
        }
    }
    let all: Vec<String> = failures.into_iter().collect();
    assert!(all.is_empty(), "{} of the cases fail:\n{}", all.len(), all.join("\n"));
}
