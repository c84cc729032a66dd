//! Both sides of a rule on random values.

use super::{Pattern, Rule};
use crate::terms::eval::{Evaluator, Value};
use crate::terms::prim::Scalar;
use crate::terms::{Flags, Op};
use mlopt_dialects::value::Element;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Values for which the sides differ.
#[derive(Clone, Debug)]
pub struct Counterexample {
    values: Vec<(String, Value)>,
    left: Value,
    right: Value,
}

const SAMPLES: u64 = 400;

/// Floats at which rules tend to fail.
const SPECIAL: [f64; 8] = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, LARGE];

const LARGE: f64 = 1e300;

impl Rule {
    /// Both sides agree for many values of the variables for which the conditions hold, as far as the licence lets them.
    pub fn check(&self) -> Result<(), Counterexample> {
        (0..SAMPLES).try_for_each(|seed| self.pattern.sample(seed))
    }
}

impl Pattern {
    fn sample(&self, seed: u64) -> Result<(), Counterexample> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let values = self.values(&mut rng);
        let leaves = |n: u32| {
            let found = self.variables.iter().position(|v| matches!(self.pool.op(v.leaf), Op::Leaf(k, ..) if k == n));
            values[found.expect("every leaf is a variable")].clone()
        };
        let eval = |t| Evaluator::new(&self.pool, &leaves).eval(t);
        if self.conditions.iter().any(|&c| eval(c) != Value::Scalar(Scalar::I(1))) {
            return Ok(());
        }
        let (left, right) = (eval(self.left), eval(self.right));
        if left.is_poison() || self.is_excused(&left) || self.is_excused(&right) || self.agree(&left, &right) {
            return Ok(());
        }
        let values = self.variables.iter().map(|v| v.name.clone()).zip(values).collect();
        Err(Counterexample { values, left, right })
    }

    /// Values of all variables; sizes first, for arrays ask for them.
    fn values(&self, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let scalars: Vec<Option<Value>> = self
            .variables
            .iter()
            .map(|v| v.sizes.is_empty().then(|| self.random(rng, self.pool.element(v.leaf))))
            .collect();
        let size = |n| match self.variables.iter().position(|v| v.leaf == n) {
            Some(k) => match scalars[k] {
                Some(Value::Scalar(Scalar::I(n))) => n.max(0) as usize,
                _ => 0,
            },
            None => self.pool.as_int(n).unwrap_or(0) as usize,
        };
        self.variables
            .iter()
            .zip(&scalars)
            .map(|(v, scalar)| match scalar {
                Some(x) => x.clone(),
                None => {
                    let sizes: Vec<usize> = v.sizes.iter().map(|&n| size(n)).collect();
                    self.array(rng, self.pool.element(v.leaf), &sizes)
                }
            })
            .collect()
    }

    fn array(&self, rng: &mut ChaCha8Rng, element: Element, sizes: &[usize]) -> Value {
        match sizes {
            [] => self.random(rng, element),
            [n, rest @ ..] => Value::rows((0..*n).map(|_| self.array(rng, element, rest)).collect()),
        }
    }

    fn random(&self, rng: &mut ChaCha8Rng, element: Element) -> Value {
        Value::Scalar(match element {
            Element::I1 => Scalar::I(rng.random_range(0..2)),
            Element::F32 | Element::F64 => {
                let special = rng.random_range(0..8) == 0;
                let x = if special { SPECIAL[rng.random_range(0..SPECIAL.len())] } else { rng.random_range(-3.0..3.0) };
                // In another order, large numbers swallow small ones.
                let x = if x == LARGE && self.flags.allow(Flags::REASSOC) { 1.0 } else { x };
                Scalar::F(if element == Element::F32 { x as f32 as f64 } else { x })
            }
            _ => Scalar::I(rng.random_range(-1..6)),
        })
    }

    /// Whether the licence says nothing of such a value.
    fn is_excused(&self, x: &Value) -> bool {
        match x {
            Value::Scalar(Scalar::F(x)) => {
                (x.is_nan() && self.flags.allow(Flags::NNAN))
                    || (x.is_infinite() && self.flags.allow(Flags::NINF))
                    // Near overflow, another order of operations may overflow.
                    || (self.flags.allow(Flags::REASSOC) && x.abs() > 1e250)
            }
            Value::Scalar(_) => false,
            Value::Rows(r) | Value::Tuple(r) => r.iter().any(|x| self.is_excused(x)),
        }
    }

    fn agree(&self, a: &Value, b: &Value) -> bool {
        let tolerance = match (self.flags == Flags::NONE, self.pool.element(self.left)) {
            // The order of additions in a reduction is open.
            (true, _) => 1e-13,
            (false, Element::F32) => 1e-4,
            (false, _) => 1e-9,
        };
        a.close(b, tolerance) && (self.flags.allow(Flags::NSZ) || same_zeros(a, b))
    }
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
        Value::Rows(r) | Value::Tuple(r) => format!("[{}]", r.iter().map(show).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(|(name, x)| format!("{name} = {}", show(x))).collect();
        write!(f, "for {} the left is {}, the right {}", values.join(", "), show(&self.left), show(&self.right))
    }
}
