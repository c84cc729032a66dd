//! Where two functions are compared: random points, and special ones.

use super::measure::Measure;
use crate::cli::places::{PlaceOptions, Places, Said};
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use mlopt_runtime::arguments::argument::Named;
use mlopt_runtime::entry::Entry;
use mlopt_runtime::failure::Failure;
use rand_chacha::{ChaCha8Rng, rand_core::RngCore};
use std::iter;

/// Special points for each random one, at most.
const SPECIAL: u64 = 5;

/// Points at which special values stand here and there.
const MIXED: usize = 12;

/// How a point is chosen.
#[derive(Clone, Copy)]
pub enum Point {
    /// As everywhere: floats in the range, integers that are mostly positions of small arrays.
    Usual,
    /// With small integers of both signs.
    Signed,
    /// With special values here and there.
    Mixed,
    /// All inputs that the change is about are changed,
    All(Change),
    /// or one of them,
    One(Change, usize),
    /// or one element of one of them.
    Element(Change, usize),
}

#[derive(Clone, Copy)]
pub enum Change {
    Float(f64),
    /// By the position in [`integers`].
    Integer(usize),
    /// Of the axes that are as long as the point says.
    Length(usize),
}

/// What may be varied of an input.
struct Input {
    element: Element,
    is_array: bool,
    /// The values, for nothing is said of them.
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

/// Where two functions are compared.
pub struct Points {
    places: Places,
    inputs: Vec<Input>,
    floats: Vec<f64>,
    /// Whether integers may be as large as they can be: not where they may be sizes of arrays, or may not overflow.
    extremes: bool,
}

impl Points {
    pub fn new(options: &PlaceOptions, entry: &Entry, ops: &[Op], measure: &Measure) -> Result<Points, Failure> {
        let places = options.of(entry)?;
        let input = |((_, ty), said): (&Named, Said)| Input {
            element: ty.element,
            is_array: !ty.shape.is_empty(),
            free: !said.value
                && if ty.element.is_float() { !said.range } else { !ty.shape.is_empty() || !said.size_by_name },
            axes: (0..ty.shape.len()).filter(|&a| ty.shape[a].is_none() && !said.size && !said.value).collect(),
        };
        let inputs = entry.parameters.iter().zip(options.said(entry)).map(input).collect();
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
        // Operations that may not overflow are not defined where they do.
        let is_bounded =
            |op: &Op| op.attribute("overflowFlags").is_some_and(|flags| !flags.to_string().contains("none"));
        let extremes = !ops.iter().any(|op| is_dynamic(op) || is_bounded(op));
        Ok(Points { places, inputs, floats, extremes })
    }

    /// `usual` random points, then special ones, those first that change much.
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
        let mut x = self.places.choose(rng, 1)?;
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

    /// `x` with one element changed, or all.
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

/// Integers at which programs tend to differ: outside of small arrays, and where numbers overflow. As many of each type.
fn integers(element: Element, extremes: bool) -> Vec<i64> {
    let mut list = vec![0, 1, -1, 2, -2, 5, -7];
    if extremes {
        let (least, greatest) = match element {
            Element::I32 => (i32::MIN.into(), i32::MAX.into()),
            _ => (i64::MIN, i64::MAX),
        };
        list.extend([least, greatest, least + 1, greatest - 1, greatest / 2 + 1]);
    }
    list
}

pub fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.next_u64() as usize % n
}

pub fn with_floats(x: &Array, mut change: impl FnMut(f64) -> f64) -> Array {
    let data = match x.data() {
        Data::F32(v) => Data::F32(v.iter().map(|&x| change(x.into()) as f32).collect()),
        Data::F64(v) => Data::F64(v.iter().map(|&x| change(x)).collect()),
        other => other.clone(),
    };
    Array::new(x.shape().to_vec(), data)
}

fn with_integers(x: &Array, mut change: impl FnMut(i64) -> i64) -> Array {
    let data = match x.data() {
        Data::I1(v) => Data::I1(v.iter().map(|&x| change(x.into()) & 1 != 0).collect()),
        Data::I32(v) => Data::I32(v.iter().map(|&x| change(x.into()) as i32).collect()),
        Data::I64(v) => Data::I64(v.iter().map(|&x| change(x)).collect()),
        Data::Index(v) => Data::Index(v.iter().map(|&x| change(x)).collect()),
        other => other.clone(),
    };
    Array::new(x.shape().to_vec(), data)
}

/// Some of the elements, with at most `n` along these axes.
fn shortened(x: &Array, axes: &[usize], n: usize) -> Array {
    let mut shape = x.shape().to_vec();
    axes.iter().for_each(|&axis| shape[axis] = n.min(shape[axis]));
    let mut data = x.data().clone();
    let len: usize = shape.iter().product();
    with_data!(&mut data, v => v.truncate(len));
    Array::new(shape, data)
}
