//! The points at which two functions are compared: random points and special points.

use super::measure::Measure;
use crate::commands::domain::{Domain, DomainOptions, GivenOptions};
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use mlopt_runtime::arguments::argument::Named;
use mlopt_runtime::entry::Entry;
use mlopt_runtime::failure::Failure;
use rand_chacha::{ChaCha8Rng, rand_core::RngCore};
use std::iter;

/// The maximum number of special points for each random point.
const SPECIAL: u64 = 5;

/// The number of points with special values in random positions.
const MIXED: usize = 12;

/// The method that chooses a point.
#[derive(Clone, Copy)]
pub enum Point {
    /// Floats in the range, and integers that are mostly positions of small arrays.
    Usual,
    /// Small integers of both signs.
    Signed,
    /// Special values in random positions.
    Mixed,
    /// All applicable inputs are changed.
    All(Change),
    /// One input is changed.
    One(Change, usize),
    /// One element of one input is changed.
    Element(Change, usize),
}

#[derive(Clone, Copy)]
pub enum Change {
    Float(f64),
    /// An index into [`integers`].
    Integer(usize),
    /// The length of the axes of no given size.
    Length(usize),
}

/// The parts of an input that may be varied.
struct Input {
    element: Element,
    is_array: bool,
    /// True if its values are free, because no option determines them.
    free: bool,
    /// The axes of no given size.
    axes: Vec<usize>,
}

impl Input {
    fn takes(&self, change: Change) -> bool {
        match change {
            Change::Float(_) => self.free && self.element.is_float(),
            Change::Integer(_) => self.free && !self.element.is_float(),
            Change::Length(_) => !self.axes.is_empty(),
        }
    }
}

/// The points at which two functions are compared.
pub struct Points {
    domain: Domain,
    inputs: Vec<Input>,
    floats: Vec<f64>,
    /// True if extreme integers are used; not if an array has a dynamic size, or an operation must not overflow.
    extremes: bool,
}

impl Points {
    pub fn new(options: &DomainOptions, entry: &Entry, ops: &[Op], measure: &Measure) -> Result<Points, Failure> {
        let domain = options.of(entry)?;
        let input = |((_, ty), said): (&Named, GivenOptions)| Input {
            element: ty.element,
            is_array: !ty.shape.is_empty(),
            free: !said.value
                && if ty.element.is_float() { !said.range } else { !ty.shape.is_empty() || !said.size_by_name },
            axes: (0..ty.shape.len()).filter(|&a| ty.shape[a].is_none() && !said.size && !said.value).collect(),
        };
        let inputs = entry.parameters.iter().zip(options.given(entry)).map(input).collect();
        let mut floats = vec![0.0, 1.0, -1.0];
        if measure.zeros {
            floats.push(-0.0);
        }
        if measure.strict {
            floats.extend([f64::INFINITY, f64::NEG_INFINITY]);
        }
        if measure.strict && measure.nan {
            floats.push(f64::NAN);
        }
        let is_dynamic = |op: &Op| op.results().into_iter().any(|r| r.ty().shape().contains(&None));
        // An operation that must not overflow is undefined if it does.
        let is_bounded =
            |op: &Op| op.attribute("overflowFlags").is_some_and(|flags| !flags.to_string().contains("none"));
        let extremes = !ops.iter().any(|op| is_dynamic(op) || is_bounded(op));
        Ok(Points { domain, inputs, floats, extremes })
    }

    /// Returns `usual` random points, then special ones, starting with those that change most.
    pub fn plan(&self, usual: u64) -> Vec<Point> {
        let changes: Vec<Change> = iter::empty()
            .chain(self.floats.iter().map(|&x| Change::Float(x)))
            .chain([0, 1].map(Change::Length))
            .chain((0..integers(Element::I64, self.extremes).len()).map(Change::Integer))
            .collect();
        let (mut all, mut one, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        for change in changes {
            let inputs: Vec<usize> = (0..self.inputs.len()).filter(|&k| self.inputs[k].takes(change)).collect();
            if !inputs.is_empty() {
                all.push(Point::All(change));
            }
            if inputs.len() > 1 {
                one.extend(inputs.iter().map(|&k| Point::One(change, k)));
            }
            if !matches!(change, Change::Length(_)) {
                let arrays = inputs.iter().filter(|&&k| self.inputs[k].is_array);
                elements.extend(arrays.map(|&k| Point::Element(change, k)));
            }
        }
        let mixed = if self.inputs.iter().any(|input| input.free) { MIXED } else { 0 };
        let special = all.into_iter().chain(iter::repeat_n(Point::Mixed, mixed)).chain(one).chain(elements);
        let signed = self.inputs.iter().any(|input| input.takes(Change::Integer(0)));
        let usually = |k: u64| if signed && k % 2 == 1 { Point::Signed } else { Point::Usual };
        (0..usual).map(usually).chain(special.take(SPECIAL.saturating_mul(usual) as usize)).collect()
    }

    pub fn choose(&self, point: Point, rng: &mut ChaCha8Rng) -> Result<Vec<Array>, Failure> {
        let mut x = self.domain.choose(rng, 1)?;
        for (k, input) in self.inputs.iter().enumerate() {
            match point {
                Point::Signed if input.free => x[k] = with_integers(&x[k], |_| below(rng, 17) as i64 - 8),
                Point::Mixed if input.free => {
                    let known = integers(input.element, self.extremes);
                    x[k] = with_integers(&x[k], |_| known[below(rng, known.len())]);
                    x[k] = with_floats(&x[k], |x| {
                        if below(rng, 2) == 0 { x } else { self.floats[below(rng, self.floats.len())] }
                    });
                }
                Point::All(change) if input.takes(change) => x[k] = self.changed(change, input, &x[k], None),
                Point::One(change, only) if only == k => x[k] = self.changed(change, input, &x[k], None),
                Point::Element(change, only) if only == k && !x[k].is_empty() => {
                    let position = below(rng, x[k].len());
                    x[k] = self.changed(change, input, &x[k], Some(position));
                }
                _ => {}
            }
        }
        Ok(x)
    }

    /// Returns `x` with all elements changed, or only one.
    fn changed(&self, change: Change, input: &Input, x: &Array, only: Option<usize>) -> Array {
        let mut position = 0..;
        let mut is_meant = || {
            let here: Option<usize> = position.next();
            only.is_none() || only == here
        };
        match change {
            Change::Float(to) => with_floats(x, |x| if is_meant() { to } else { x }),
            Change::Integer(k) => {
                let to = integers(input.element, self.extremes)[k];
                with_integers(x, |x| if is_meant() { to } else { x })
            }
            Change::Length(n) => shortened(x, &input.axes, n),
        }
    }
}

/// Returns integers for which programs tend to differ: positions outside of small arrays, and numbers that overflow.
/// The number is the same for each type.
fn integers(element: Element, extremes: bool) -> Vec<i64> {
    let mut list = vec![0, 1, -1, 2, -2, 5, -7];
    if extremes {
        let (least, greatest) = match element {
            // Changed numbers are wrapped to a boolean.
            Element::I1 => Element::I64.range(),
            _ => element.range(),
        };
        list.extend([least, greatest, least + 1, greatest - 1, greatest / 2 + 1]);
    }
    list
}

pub fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.next_u64() as usize % n
}

pub fn with_floats(x: &Array, change: impl FnMut(f64) -> f64) -> Array {
    if x.element().is_float() { x.with_f64(x.to_f64().into_iter().map(change)) } else { x.clone() }
}

fn with_integers(x: &Array, change: impl FnMut(i64) -> i64) -> Array {
    if x.element().is_float() {
        return x.clone();
    }
    Array::new(x.shape().to_vec(), Data::of_integers(x.element(), x.data().to_integers().into_iter().map(change)))
}

/// Shortens an array to at most `n` elements along these axes.
fn shortened(x: &Array, axes: &[usize], n: usize) -> Array {
    let mut shape = x.shape().to_vec();
    axes.iter().for_each(|&axis| shape[axis] = n.min(shape[axis]));
    let mut data = x.data().clone();
    let len: usize = shape.iter().product();
    with_data!(&mut data, v => v.truncate(len));
    Array::new(shape, data)
}
