//! Evaluation of ops that derive a function from another one: gradients, backpropagators, directional derivatives,
//! pullbacks.

use super::primitive::{constant, mul, sum_all};
use super::tape::{Tape, firm, gradient, seeds, zeros_like};
use super::value::{Back, Derived, Function, Parts, Value};
use super::{Action, Evaluator, Fault, ensure};
use crate::value::Element;
use std::rc::Rc;

impl Evaluator {
    /// Calls a function that is derived from `parts`.
    pub(super) fn derived(&mut self, kind: &Derived, parts: &Parts, x: Vec<Value>) -> Result<Action, Fault> {
        let f = parts.first().cloned().unwrap_or(Value::Unit);
        match kind {
            Derived::Gradient { wrt, value } => self.gradient(f, wrt.clone(), *value, x),
            Derived::Vjp { wrt } => self.vjp(f, wrt.clone(), x),
            Derived::Jvp => self.jvp(f, x),
            Derived::Hvp { wrt } => self.hvp(f, *wrt, x),
            Derived::Augmented => self.augmented_call(f, x),
            Derived::Pullback => self.pullback(f, parts[1].clone(), one(x)?),
            Derived::Dual => {
                let functional = parts[1].clone();
                Ok(Action::Call(f, x).then(move |_, s| Ok(Action::Call(functional, s))))
            }
            Derived::Covector => {
                let total = pair(&f, &one(x)?)?;
                Action::one(total.unwrap_or_else(|| Value::f64(0.0)))
            }
            Derived::Jacobian => {
                let direction = parts[1].clone();
                let along = self.jvp(f, vec![one(x)?, direction])?;
                Ok(along.then(|_, both| tangent(both)))
            }
        }
    }

    /// Starts a tape with a new level. Functions that are called from here on are part of a derivative, until
    /// [`Evaluator::done`].
    fn begin(&mut self) -> Rc<Tape> {
        self.levels += 1;
        self.tasks[self.current].derivatives += 1;
        Tape::new(self.levels)
    }

    fn done(&mut self) {
        self.tasks[self.current].derivatives -= 1;
    }

    fn gradient(&mut self, f: Value, wrt: Vec<usize>, value: bool, x: Vec<Value>) -> Result<Action, Fault> {
        let tape = self.begin();
        let (x, inputs) = traced(&tape, &wrt, x, true)?;
        Ok(Action::Call(f, x).then(move |it, y| {
            it.done();
            let y = one(y)?;
            ensure(y.is_float() && super::primitive::shape(&y).is_empty(), "grad-of-non-scalar", || {
                format!("the result must be one float, found {}", y.kind())
            })?;
            let seed = tape.node(&y).map(|node| (node, constant(&tape.strip(&y), 1.0)));
            let found = tape.sweep(seed.into_iter().collect())?;
            let all: Vec<Value> = inputs.iter().map(|v| firm(&gradient(v, &tape, &found))).collect();
            let g = packed(all);
            Action::one(if value { Value::tuple(vec![tape.strip(&y), g]) } else { g })
        }))
    }

    fn vjp(&mut self, f: Value, wrt: Option<Vec<usize>>, x: Vec<Value>) -> Result<Action, Fault> {
        let tape = self.begin();
        let wrt = wrt.unwrap_or_else(|| (0..x.len()).collect());
        let (x, inputs) = traced(&tape, &wrt, x, false)?;
        Ok(Action::Call(f, x).then(move |it, y| {
            it.done();
            let y = one(y)?;
            let is_tuple = inputs.len() != 1;
            let back = Back { tape: tape.clone(), result: y.clone(), inputs: inputs.into(), is_tuple };
            Action::one(Value::tuple(vec![tape.strip(&y), Value::function(Function::Back(back))]))
        }))
    }

    /// Computes Jv: the backpropagator u ↦ uJ is linear in u, and its own backpropagator is Jv.
    fn jvp(&mut self, f: Value, mut x: Vec<Value>) -> Result<Action, Fault> {
        ensure(x.len().is_multiple_of(2), "arity-mismatch", || {
            format!("a derivative along a direction must take an even number of arguments, found {}", x.len())
        })?;
        let directions = x.split_off(x.len() / 2);
        let tape = self.begin();
        let (x, inputs) = traced(&tape, &(0..x.len()).collect::<Vec<_>>(), x, false)?;
        Ok(Action::Call(f, x).then(move |it, y| {
            it.done();
            let y = one(y)?;
            it.levels += 1;
            let outer = Tape::new(it.levels);
            let u = outer.trace(&firm(&zeros_like(&tape.strip(&y))));
            let mut at = Vec::new();
            seeds(&y, &u, &tape, &mut at)?;
            let found = tape.sweep(at)?;
            let mut ends = Vec::new();
            for (input, direction) in inputs.iter().zip(&directions) {
                // An input without cotangent does not contribute.
                let sensitivity = gradient(input, &tape, &found);
                seeds(&sensitivity, direction, &outer, &mut ends)?;
            }
            let found = outer.sweep(ends)?;
            let tangent = firm(&gradient(&u, &outer, &found));
            Action::one(Value::tuple(vec![tape.strip(&y), tangent]))
        }))
    }

    fn hvp(&mut self, f: Value, wrt: usize, mut x: Vec<Value>) -> Result<Action, Fault> {
        let direction = x.pop().filter(|_| wrt < x.len());
        let Some(direction) = direction else { return Err(no_argument(wrt)) };
        let along = |(k, v): (usize, &Value)| if k == wrt { direction.clone() } else { zeros_like(v) };
        let directions: Vec<Value> = x.iter().enumerate().map(along).collect();
        let g = Value::derived(Derived::Gradient { wrt: vec![wrt], value: false }, vec![f]);
        x.extend(directions);
        Ok(self.jvp(g, x)?.then(|_, both| tangent(both)))
    }

    /// Calls `lambda.J` of `f`; the captures of `f` vary too.
    fn augmented_call(&mut self, f: Value, x: Vec<Value>) -> Result<Action, Fault> {
        let tape = self.begin();
        let x = x.iter().map(unaugmented).collect::<Result<Vec<_>, _>>()?;
        let all: Vec<usize> = (0..x.len()).collect();
        let f = tape.trace(&f);
        let (x, mut inputs) = traced(&tape, &all, x, false)?;
        inputs.insert(0, f.clone());
        Ok(Action::Call(f, x).then(move |it, y| {
            it.done();
            let y = one(y)?;
            let back = Back { tape: tape.clone(), result: y.clone(), inputs: inputs.into(), is_tuple: true };
            let value = augmented(&tape.strip(&y));
            Action::one(Value::tuple(vec![value, Value::function(Function::Back(back))]))
        }))
    }

    /// Computes the pullback of a 1-form at a point: the backpropagator applied to the vector of the functional that
    /// the form has at the image of the point (`spec/functional.md` C.7).
    fn pullback(&mut self, f: Value, form: Value, x: Value) -> Result<Action, Fault> {
        let tape = self.begin();
        let x = tape.trace(&x);
        Ok(Action::Call(f, vec![x.clone()]).then(move |it, y| {
            it.done();
            let y = one(y)?;
            let image = tape.strip(&y);
            Ok(Action::Call(form, vec![image.clone()]).then(move |it, functional| {
                // A functional is linear, so its gradient at any point is its vector.
                let at = firm(&zeros_like(&image));
                let vector = it.gradient(one(functional)?, vec![0], false, vec![at])?;
                Ok(vector.then(move |_, ct| {
                    let mut at = Vec::new();
                    seeds(&y, &one(ct)?, &tape, &mut at)?;
                    let found = tape.sweep(at)?;
                    let vector = firm(&gradient(&x, &tape, &found));
                    Action::one(Value::derived(Derived::Covector, vec![vector]))
                }))
            }))
        }))
    }
}

/// Returns the cotangents, given that of the result. It may be called any number of times.
pub fn back(back: &Back, x: Vec<Value>) -> Result<Action, Fault> {
    let mut at = Vec::new();
    seeds(&back.result, &one(x)?, &back.tape, &mut at)?;
    let found = back.tape.sweep(at)?;
    let all: Vec<Value> = back.inputs.iter().map(|v| firm(&gradient(v, &back.tape, &found))).collect();
    Action::one(if back.is_tuple { Value::tuple(all) } else { packed(all) })
}

/// Returns `lambda.J` of a value: functions in it become augmented ones.
pub fn augmented(v: &Value) -> Value {
    functions(v, &mut |f| Ok(Value::derived(Derived::Augmented, vec![f.clone()]))).unwrap_or_else(|_: Fault| v.clone())
}

/// Returns `lambda.Jinv` of a value.
pub fn unaugmented(v: &Value) -> Result<Value, Fault> {
    functions(v, &mut |f| match f {
        Value::Function(function) => match &**function {
            Function::Derived(Derived::Augmented, parts) => Ok(parts[0].clone()),
            _ => Err("not supported: `lambda.Jinv` must take a function that `lambda.J` created".into()),
        },
        _ => Ok(f.clone()),
    })
}

/// Applies `change` to each function in `v`.
fn functions(v: &Value, change: &mut dyn FnMut(&Value) -> Result<Value, Fault>) -> Result<Value, Fault> {
    match v {
        Value::Function(_) => change(v),
        Value::Tuple(parts) => Ok(Value::tuple(parts.iter().map(|v| functions(v, change)).collect::<Result<_, _>>()?)),
        Value::Record(names, parts) => {
            let parts: Vec<Value> = parts.iter().map(|v| functions(v, change)).collect::<Result<_, _>>()?;
            Ok(Value::Record(names.clone(), Rc::new(parts.into())))
        }
        Value::List(list) => Ok(Value::List(list.iter().map(|v| functions(v, change)).collect::<Result<_, _>>()?)),
        _ => Ok(v.clone()),
    }
}

fn no_argument(k: usize) -> Fault {
    Fault::new("arity-mismatch", format!("the function has no argument #{k} to differentiate with respect to"))
}

/// Returns the arguments with those in `wrt` on the tape, and these, which must contain floats if `floats` is true.
fn traced(tape: &Rc<Tape>, wrt: &[usize], mut x: Vec<Value>, floats: bool) -> Result<(Vec<Value>, Vec<Value>), Fault> {
    let mut inputs = Vec::new();
    for &k in wrt {
        let Some(argument) = x.get_mut(k) else { return Err(no_argument(k)) };
        ensure(!floats || varies(argument), "grad-of-non-differentiable", || {
            format!("argument #{k} must contain a float to be differentiated, found {}", argument.kind())
        })?;
        *argument = tape.trace(argument);
        inputs.push(argument.clone());
    }
    Ok((x, inputs))
}

/// Checks whether a gradient in the value is defined: an empty list may be one of floats.
fn varies(v: &Value) -> bool {
    match v {
        Value::Tuple(parts) | Value::Record(_, parts) => parts.iter().any(varies),
        Value::List(list) => list.is_empty() || list.iter().any(varies),
        Value::Function(_) => true,
        leaf => leaf.is_float(),
    }
}

/// Returns the tangent of a result of [`Evaluator::jvp`].
fn tangent(both: Vec<Value>) -> Result<Action, Fault> {
    match one(both)? {
        Value::Tuple(both) => Action::one(both[1].clone()),
        other => Err(Fault::expected("a value and its tangent", &other)),
    }
}

fn one(mut values: Vec<Value>) -> Result<Value, Fault> {
    match values.len() {
        1 => Ok(values.remove(0)),
        n => Err(Fault::new("arity-mismatch", format!("expected one value, found {n}"))),
    }
}

/// Returns one value, or the tuple of several.
fn packed(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::tuple(values) }
}

/// Returns c · v over all floats of both, as an `f64`, or `None` if there are no floats.
fn pair(c: &Value, v: &Value) -> Result<Option<Value>, Fault> {
    match (c, v) {
        (Value::Tuple(c) | Value::Record(_, c), Value::Tuple(v) | Value::Record(_, v)) if c.len() == v.len() => {
            sum_of(c.iter().zip(v.iter()))
        }
        (Value::List(c), Value::List(v)) if c.len() == v.len() => sum_of(c.iter().zip(v.iter())),
        (Value::Unit, _) => Ok(None),
        _ if c.is_float() && v.is_float() => {
            let product = sum_all(&mul(c, v)?)?;
            Ok(Some(match product.element() {
                Some(Element::F64) => product,
                _ => super::primitive::cast(Element::F64, &product)?,
            }))
        }
        _ => Err(Fault::new("type-mismatch", format!("cannot apply a functional on {} to {}", c.kind(), v.kind()))),
    }
}

fn sum_of<'a>(parts: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<Option<Value>, Fault> {
    let mut total: Option<Value> = None;
    for (c, v) in parts {
        total = match (total, pair(c, v)?) {
            (Some(a), Some(b)) => Some(super::primitive::add(&a, &b)?),
            (a, b) => a.or(b),
        };
    }
    Ok(total)
}
