//! The numeric test of a rule: both sides are evaluated on random values and compared.

use crate::optimise::rules::pattern::{Condition, Pattern, Property, Rule, VariableKind};
use crate::optimise::terms::data::Form;
use crate::optimise::terms::eval::{Evaluator, Value};
use crate::optimise::terms::prim::{self, Prim, Scalar};
use crate::optimise::terms::{Flags, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::value::Element;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

/// The values for which the sides differ.
#[derive(Clone, Debug)]
pub struct Counterexample {
    values: Vec<(String, Value)>,
    left: Value,
    right: Value,
}

const SAMPLES: u64 = 400;

/// Floats for which rules often fail.
const SPECIAL: [f64; 8] = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, LARGE];

const LARGE: f64 = 1e300;

/// The number of parts of tuples, and of keys of environments.
const PARTS: usize = 4;

/// The accepted difference between the values of the two sides.
#[derive(Clone, Copy)]
pub struct Latitude {
    pub flags: Flags,
    /// The accepted difference of floats, relative to the larger one and 1.
    pub tolerance: f64,
}

impl Latitude {
    /// Checks whether `right` may replace `left`. Any value may do so if the left side is undefined, or if the flags do
    /// not determine its value.
    pub fn accepts(self, left: &Value, right: &Value) -> bool {
        let same_zeros = || self.flags.allow(Flags::NSZ) || same_zeros(left, right);
        // Near the maximum, another order of operations may overflow; small values stay small.
        let overflows = |x: f64| self.flags.allow(Flags::REASSOC) && x.abs() > 1e250;
        let excluded = |x: f64| {
            (x.is_nan() && self.flags.allow(Flags::NNAN)) || (x.is_infinite() && self.flags.allow(Flags::NINF))
        };
        left.is_poison()
            || left.any(&|x| excluded(x) || overflows(x))
            || right.any(&|x| excluded(x) || (overflows(x) && left.any(&|x| !x.is_finite())))
            || (left.close(right, self.tolerance) && same_zeros())
    }
}

impl Rule {
    /// Checks that both sides of each equation agree, up to what its flags allow, for many values of the variables for
    /// which the conditions hold.
    pub fn check(&self) -> Result<(), Counterexample> {
        self.patterns.iter().try_for_each(|pattern| check(pattern).map(|_| ()))
    }
}

/// Checks one equation. Returns the number of samples for which its conditions hold.
pub fn check(pattern: &Pattern) -> Result<usize, Counterexample> {
    let trial = Trial::of(pattern);
    let mut held = 0;
    for seed in 0..SAMPLES {
        held += usize::from(trial.sample(seed)?);
    }
    Ok(held)
}

/// A rule with the constraints of its sides on the values.
struct Trial<'p> {
    pattern: &'p Pattern,
    /// The least values of variables that determine the length of an array or a number of iterations. All values are
    /// small.
    counts: Vec<Option<i64>>,
    /// The special values that conditions require of variables.
    special: Vec<Option<Property>>,
    latitude: Latitude,
}

/// Returns the terms and all their subterms.
fn inside(pool: &Pool, roots: impl IntoIterator<Item = Id>) -> HashSet<Id> {
    let mut found = HashSet::new();
    let mut open: Vec<Id> = roots.into_iter().collect();
    while let Some(t) = open.pop() {
        if found.insert(t) {
            open.extend(pool.node(t).children.iter().copied());
        }
    }
    found
}

/// Returns the terms that determine the number of evaluations of the body of a term.
fn extents(pool: &Pool, t: Id) -> Vec<Id> {
    let node = pool.node(t);
    match node.op {
        Op::Build | Op::Reduce(..) | Op::Ifold(_) => vec![node.children[0]],
        Op::Scatter(axes, _) => node.children[1..=axes as usize].to_vec(),
        _ => vec![],
    }
}

impl<'p> Trial<'p> {
    fn of(pattern: &'p Pattern) -> Trial<'p> {
        let pool = &pattern.pool;
        let asked = pattern.conditions.iter().flat_map(|c| c.terms());
        let terms = inside(pool, [pattern.left, pattern.right].into_iter().chain(asked));
        let special = |leaf: Id| {
            pattern.conditions.iter().find_map(|&c| match c {
                Condition::Term(property @ (Property::Zero | Property::One | Property::PowerOfTwo), t) if t == leaf => {
                    Some(property)
                }
                Condition::Neutral(z, _) if z == leaf => Some(Property::Zero),
                _ => None,
            })
        };
        let repeated = inside(pool, terms.iter().flat_map(|&t| extents(pool, t)));
        let count = |leaf: Id| {
            let is_size = pattern.variables.iter().any(|v| v.sizes.contains(&leaf));
            if is_size { Some(0) } else { repeated.contains(&leaf).then_some(-1) }
        };
        let adds = |t: &Id| matches!(pool.op(*t), Op::Reduce(Reduction::Sum | Reduction::Prod, _) | Op::Scatter(..));
        let carried = |c: &Condition| if let Condition::Carry(flags, _) = c { flags.0 } else { 0 };
        let flags = Flags(pattern.conditions.iter().map(carried).fold(pattern.flags.0, |all, flags| all | flags));
        let tolerance = match (flags == Flags::NONE, pool.element(pattern.left)) {
            // The order of additions in a reduction is unspecified.
            (true, Element::F16 | Element::BF16) if terms.iter().any(adds) => 1e-2,
            (true, Element::F32) if terms.iter().any(adds) => 1e-5,
            (true, _) if terms.iter().any(adds) => 1e-13,
            (true, _) => 0.0,
            (false, Element::F16) => 1e-2,
            (false, Element::BF16) => 1e-1,
            (false, Element::F32) => 1e-4,
            (false, _) => 1e-9,
        };
        let counts = pattern.variables.iter().map(|v| count(v.leaf)).collect();
        let special: Vec<Option<Property>> = pattern.variables.iter().map(|v| special(v.leaf)).collect();
        // Structural zeros and ones are absent dependencies: a product with a zero is absent for any number, and a sum
        // with it is the number itself.
        let is_structural = terms.iter().any(|&t| matches!(pool.op(t), Op::Zero(_) | Op::One(_)))
            || special.iter().any(|s| matches!(s, Some(Property::Zero | Property::One)));
        let mut granted = if is_structural { Flags::NNAN.0 | Flags::NSZ.0 } else { 0 };
        // Sums and products are then those of real numbers, which have one zero.
        if flags.allow(Flags::REASSOC) {
            granted |= Flags::NSZ.0;
        }
        let latitude = Latitude { flags: Flags(flags.0 | granted), tolerance };
        Trial { pattern, counts, special, latitude }
    }

    /// Checks one sample. Returns whether the conditions hold for it.
    fn sample(&self, seed: u64) -> Result<bool, Counterexample> {
        let Pattern { pool, variables, .. } = self.pattern;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let values = self.values(&mut rng);
        let positions: Vec<u32> = (0..self.pattern.positions).map(|_| rng.random_range(0..PARTS as u32)).collect();
        let leaves = |n: u32| {
            let found = variables.iter().position(|v| matches!(pool.op(v.leaf), Op::Leaf(k, ..) if k == n));
            values[found.expect("every leaf is a variable")].clone()
        };
        let eval = |t| Evaluator::of_pattern(pool, &leaves, &positions).eval(t);
        if !self.pattern.conditions.iter().all(|&c| self.holds(c, &eval, &positions)) {
            return Ok(false);
        }
        let is_absent_zero = self.pattern.conditions.iter().any(|c| matches!(c, Condition::Without(..)));
        let side = |t| if is_absent_zero { with_zeros(eval(t)) } else { eval(t) };
        let (left, right) = (side(self.pattern.left), side(self.pattern.right));
        if self.latitude.accepts(&left, &right) {
            return Ok(true);
        }
        let values = variables.iter().map(|v| v.name.clone()).zip(values).collect();
        Err(Counterexample { values, left, right })
    }

    fn holds(&self, condition: Condition, eval: &dyn Fn(Id) -> Value, positions: &[u32]) -> bool {
        let scalar = |t: Id| if let Value::Scalar(x) = eval(t) { x } else { Scalar::Poison };
        match condition {
            Condition::Compare(p, a, b) => {
                let element = self.pattern.pool.element(a);
                prim::eval(Prim::CmpI(p), element, &[scalar(a), scalar(b)]) == Scalar::I(1)
            }
            Condition::Term(Property::Finite | Property::Absorbs, t) => {
                matches!(scalar(t), Scalar::F(x) if x.is_finite())
            }
            Condition::Term(Property::Divides, t) => matches!(scalar(t), Scalar::F(x) if x != 0.0 && !x.is_nan()),
            // Values are chosen so, or the condition is not about values.
            Condition::Term(..)
            | Condition::Invariant(..)
            | Condition::Leaves(..)
            | Condition::Runs(..)
            | Condition::Neutral(..)
            | Condition::OneHot(_)
            | Condition::Carry(..) => true,
            Condition::Without(k, e) => match eval(e) {
                Value::Tuple(slots) => slots.get(positions[k as usize] as usize) == Some(&Value::rows(vec![])),
                _ => false,
            },
            Condition::Apart(a, b) => {
                let [a, b] = [a, b].map(|k| eval(self.pattern.variables[k].leaf));
                !a.close(&b, 0.0)
            }
            Condition::Positions { equal, a, b } => (positions[a as usize] == positions[b as usize]) == equal,
        }
    }

    /// Returns values of all variables; sizes first, because arrays depend on them.
    fn values(&self, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let Pattern { pool, variables, .. } = self.pattern;
        let mut scalars: Vec<Option<Value>> = Vec::new();
        for (k, v) in variables.iter().enumerate() {
            scalars.push(v.sizes.is_empty().then(|| self.alone(rng, k)));
        }
        let size = |n| match variables.iter().position(|v| v.leaf == n) {
            Some(k) => match scalars[k] {
                Some(Value::Scalar(Scalar::I(n))) => n.max(0) as usize,
                _ => 0,
            },
            None => pool.as_int(n).unwrap_or(0) as usize,
        };
        let mut values = Vec::new();
        for (k, v) in variables.iter().enumerate() {
            values.push(match &scalars[k] {
                Some(x) => x.clone(),
                None => {
                    let sizes: Vec<usize> = v.sizes.iter().map(|&n| size(n)).collect();
                    self.array(rng, pool.element(v.leaf), self.counts[k], &sizes)
                }
            });
        }
        values
    }

    /// Returns a value of variable `k`, which is no array.
    fn alone(&self, rng: &mut ChaCha8Rng, k: usize) -> Value {
        let variable = &self.pattern.variables[k];
        let element = self.pattern.pool.element(variable.leaf);
        let is_count = |t: &Id| matches!(self.pattern.pool.op(*t), Op::Data(Form::Other(_), _));
        let counts = |t: &Id| self.pattern.pool.child(*t, 0) == variable.leaf;
        if inside(&self.pattern.pool, [self.pattern.left]).iter().filter(|t| is_count(t)).any(counts) {
            return Value::Scalar(Scalar::I(PARTS as i64));
        }
        match (variable.kind, self.special[k]) {
            // Few values, so that indices are often equal.
            (VariableKind::Many(_), _) => {
                Value::Many(Rc::new((0..PARTS).map(|_| Value::f64(f64::from(rng.random_range(0..2_i32)))).collect()))
            }
            (VariableKind::Tuple, Some(_)) => Value::Tuple(Rc::new(vec![Value::f64(0.0); PARTS])),
            (VariableKind::Env, Some(_)) => Value::Tuple(Rc::new(vec![Value::rows(vec![]); PARTS])),
            // The truth table of a condition.
            (VariableKind::Element(Element::I1), _) if variable.scope.is_some() => {
                Value::Scalar(Scalar::I(rng.random_range(0..256)))
            }
            (_, Some(Property::Zero)) if !element.is_float() => Value::Scalar(Scalar::I(0)),
            (_, Some(Property::Zero)) => Value::f64(0.0),
            (_, Some(Property::One)) => Value::f64(1.0),
            (_, Some(Property::PowerOfTwo)) => {
                let sign = if rng.random_range(0..2) == 0 { 1.0 } else { -1.0 };
                Value::f64(sign * f64::powi(2.0, rng.random_range(-30..30)))
            }
            (VariableKind::Tuple, None) => {
                Value::Tuple(Rc::new((0..PARTS).map(|_| self.random(rng, element, None)).collect()))
            }
            (VariableKind::List, None) => Value::rows((0..2).map(|_| self.random(rng, element, None)).collect()),
            (VariableKind::Env, None) => {
                let slot = |_| match rng.random_range(0..2) {
                    0 => Value::rows(vec![]),
                    _ => Value::rows(vec![self.random(rng, element, None)]),
                };
                Value::Tuple(Rc::new((0..PARTS).map(slot).collect()))
            }
            _ => self.random(rng, element, self.counts[k]),
        }
    }

    fn array(&self, rng: &mut ChaCha8Rng, element: Element, count: Option<i64>, sizes: &[usize]) -> Value {
        match sizes {
            [] => self.random(rng, element, count),
            [n, rest @ ..] => Value::rows((0..*n).map(|_| self.array(rng, element, count, rest)).collect()),
        }
    }

    fn random(&self, rng: &mut ChaCha8Rng, element: Element, count: Option<i64>) -> Value {
        Value::Scalar(match (element, count) {
            (Element::I1, _) => Scalar::I(rng.random_range(0..2)),
            _ if element.is_float() => {
                let special = rng.random_range(0..8) == 0;
                let x = if special { SPECIAL[rng.random_range(0..SPECIAL.len())] } else { rng.random_range(-3.0..3.0) };
                // In another order, large numbers absorb small ones or overflow.
                let x = if x == LARGE && self.pattern.flags != Flags::NONE { 1.0 } else { x };
                Scalar::F(element.rounded(x))
            }
            (_, Some(least)) => Scalar::I(rng.random_range(least..6)),
            _ if rng.random_range(0..4) == 0 => Scalar::I(extreme(rng, element)),
            _ => Scalar::I(rng.random_range(-4..8)),
        })
    }
}

/// Returns an integer for which additions and products overflow.
fn extreme(rng: &mut ChaCha8Rng, element: Element) -> i64 {
    let (least, greatest) = element.range();
    let bits = element.bits() - 1;
    match rng.random_range(0..8) {
        0 => least,
        1 => greatest,
        2 => least + 1,
        3 => greatest - 1,
        4 | 5 => 1i64 << rng.random_range(0..bits),
        _ => -(1i64 << rng.random_range(0..bits)),
    }
}

/// Returns an environment with zeros for absent keys.
fn with_zeros(env: Value) -> Value {
    let zero = || Value::rows(vec![Value::f64(0.0)]);
    let slot = |x: &Value| if *x == Value::rows(vec![]) { zero() } else { x.clone() };
    if let Value::Tuple(slots) = env { Value::Tuple(Rc::new(slots.iter().map(slot).collect())) } else { env }
}

fn same_zeros(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(Scalar::F(a)), Value::Scalar(Scalar::F(b))) => {
            *a != 0.0 || *b != 0.0 || a.is_sign_negative() == b.is_sign_negative()
        }
        (Value::Rows(a), Value::Rows(b)) => a.iter().zip(b.iter()).all(|(a, b)| same_zeros(a, b)),
        _ => true,
    }
}

fn show(x: &Value) -> String {
    match x {
        Value::Scalar(Scalar::F(x)) => format!("{x:?}"),
        Value::Scalar(Scalar::I(x)) => x.to_string(),
        Value::Scalar(Scalar::Poison) => "undefined".to_string(),
        Value::Rows(r) | Value::Tuple(r) | Value::Many(r) => {
            format!("[{}]", r.iter().map(show).collect::<Vec<_>>().join(", "))
        }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(|(name, x)| format!("{name} = {}", show(x))).collect();
        write!(
            f,
            "for {} the left side is {}, but the right side is {}",
            values.join(", "),
            show(&self.left),
            show(&self.right)
        )
    }
}
