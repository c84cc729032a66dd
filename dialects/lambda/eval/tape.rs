//! Derivatives by recording operations on a tape. This method is independent of the transform `lambda.J`, and tests
//! compare the two.
//!
//! Each derivative that is being computed has its own level and its own tape. A number that depends on the inputs of a
//! derivative is *traced* at the level of that derivative: it stores its position on the tape of that level, and its
//! primal, which may itself be traced at an outer level. A reverse sweep computes with primals, so its cotangents are
//! traced at the outer levels only, and derivatives of different levels cannot be confused (`spec/functional.md` B.7,
//! F13).

use super::primitive::{Primitive, add};
use super::value::{List, Parts, Value};
use super::{Fault, ensure};
use crate::limits;
use crate::value::Array;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The operations of one level, in order.
pub struct Tape {
    /// The level, numbered over the whole run: inner levels have greater numbers.
    pub level: u64,
    entries: RefCell<Vec<Rc<Entry>>>,
}

/// A float, or an array of them, on a tape.
pub struct Traced {
    pub tape: Rc<Tape>,
    pub node: usize,
    pub primal: Value,
}

/// One operation.
pub struct Entry {
    /// The primitive, or `None` for inputs of the derivative.
    pub primitive: Option<Primitive>,
    /// The primals of the operands.
    pub inputs: Vec<Value>,
    /// The operands that are on this tape.
    pub nodes: Vec<Option<usize>>,
    pub output: Value,
}

impl Tape {
    pub fn new(level: u64) -> Rc<Tape> {
        Rc::new(Tape { level, entries: RefCell::default() })
    }

    /// Returns the result of an operation, traced.
    pub fn push(self: &Rc<Tape>, entry: Entry) -> Value {
        limits::record();
        let primal = entry.output.clone();
        let mut entries = self.entries.borrow_mut();
        entries.push(Rc::new(entry));
        Value::Traced(Rc::new(Traced { tape: self.clone(), node: entries.len() - 1, primal }))
    }

    /// Returns `v` with each float in it as an input of this tape.
    pub fn trace(self: &Rc<Tape>, v: &Value) -> Value {
        map(v, &mut |leaf| match leaf.is_float() {
            true => self.push(Entry { primitive: None, inputs: vec![], nodes: vec![], output: leaf.clone() }),
            false => leaf.clone(),
        })
    }

    /// Returns `v` without traces of this tape.
    pub fn strip(&self, v: &Value) -> Value {
        map(v, &mut |leaf| match leaf {
            Value::Traced(t) if t.tape.level == self.level => t.primal.clone(),
            _ => leaf.clone(),
        })
    }

    /// Returns the node of a value on this tape.
    pub fn node(&self, v: &Value) -> Option<usize> {
        match v {
            Value::Traced(t) if t.tape.level == self.level => Some(t.node),
            _ => None,
        }
    }

    /// Returns the cotangents of all nodes, given those of some; `None` where no cotangent arrives.
    pub fn sweep(&self, seeds: Vec<(usize, Value)>) -> Result<Vec<Option<Value>>, Fault> {
        let entries: Vec<Rc<Entry>> = self.entries.borrow().clone();
        let mut found: Vec<Option<Value>> = vec![None; entries.len()];
        for (node, ct) in seeds {
            receive(&mut found[node], ct)?;
        }
        for (node, entry) in entries.iter().enumerate().rev() {
            let Some(primitive) = &entry.primitive else { continue };
            let Some(ct) = found[node].take().filter(|ct| !matches!(ct, Value::Zero(_))) else { continue };
            for (k, input) in entry.nodes.iter().enumerate() {
                if let Some(input) = input {
                    receive(&mut found[*input], primitive.transpose(&entry.inputs, &entry.output, &ct, k)?)?;
                }
            }
        }
        Ok(found)
    }

    /// Returns all values of the tape.
    pub fn values(&self) -> Vec<Value> {
        let entries = self.entries.borrow();
        entries.iter().flat_map(|e| e.inputs.iter().chain([&e.output])).cloned().collect()
    }

    /// Returns the same tape with other values, whose number is that of [`Tape::values`].
    pub fn with_values(&self, values: Vec<Value>) -> Tape {
        let mut values = values.into_iter();
        let mut take = |n: usize| values.by_ref().take(n).collect::<Vec<_>>();
        let entry = |e: &Rc<Entry>| {
            let inputs = take(e.inputs.len());
            let output = take(1).pop().unwrap_or(Value::Unit);
            Rc::new(Entry { primitive: e.primitive.clone(), inputs, nodes: e.nodes.clone(), output })
        };
        let entries = self.entries.borrow().iter().map(entry).collect();
        Tape { level: self.level, entries: RefCell::new(entries) }
    }
}

fn receive(sum: &mut Option<Value>, ct: Value) -> Result<(), Fault> {
    *sum = Some(match sum.take() {
        Some(sum) => add(&sum, &ct)?,
        None => ct,
    });
    Ok(())
}

/// Applies `f` to each value in `v` that is not a tuple, record, list or variant.
pub fn map_data(v: &Value, f: &mut dyn FnMut(&Value) -> Value) -> Value {
    match v {
        Value::Tuple(parts) => Value::tuple(parts.iter().map(|v| map_data(v, f)).collect()),
        Value::Record(names, parts) => {
            let parts: Vec<Value> = parts.iter().map(|v| map_data(v, f)).collect();
            Value::Record(names.clone(), Rc::new(Parts::from(parts)))
        }
        Value::List(list) => Value::List(list.iter().map(|v| map_data(v, f)).collect()),
        Value::Data(name, parts) => {
            let parts: Vec<Value> = parts.iter().map(|v| map_data(v, f)).collect();
            Value::Data(name.clone(), Rc::new(Parts::from(parts)))
        }
        leaf => f(leaf),
    }
}

/// Applies `f` to each value in `v`, including those in functions and environments.
pub fn map(v: &Value, f: &mut dyn FnMut(&Value) -> Value) -> Value {
    map_data(v, &mut |v| match v {
        Value::Env(env) => Value::Env(Rc::new(env.iter().map(|(k, v)| (k.clone(), map(v, f))).collect())),
        Value::Function(function) => {
            let children: Vec<Value> = function.children().iter().map(|v| map(v, f)).collect();
            match children.is_empty() {
                true => v.clone(),
                false => Value::function(function.with_children(children)),
            }
        }
        leaf => f(leaf),
    })
}

/// Returns the tangent of `v`, with `of_float` for each float (`spec/functional.md` A.2). That of a function is the
/// environment of its captures, without strong zeros; that of a discrete value is `none`.
pub fn tangent(v: &Value, of_float: &mut dyn FnMut(&Value, &Rc<Array>) -> Value) -> Value {
    match v {
        Value::Tuple(parts) => Value::tuple(parts.iter().map(|v| tangent(v, of_float)).collect()),
        Value::Record(names, parts) => {
            let parts: Vec<Value> = parts.iter().map(|v| tangent(v, of_float)).collect();
            Value::Record(names.clone(), Rc::new(Parts::from(parts)))
        }
        Value::List(list) => Value::List(list.iter().map(|v| tangent(v, of_float)).collect()),
        Value::Env(_) | Value::Function(_) => {
            let tangents = keyed(v).into_iter().map(|(k, v)| (k, tangent(&v, of_float)));
            Value::Env(Rc::new(tangents.filter(|(_, v)| !is_zero(v)).collect()))
        }
        leaf => match leaf.as_array().filter(|x| x.element().is_float()) {
            Some(x) => of_float(leaf, &x),
            None => Value::Unit,
        },
    }
}

/// Returns the values in an environment or a function, by key; the keys of a function are the numbers of its values.
fn keyed(v: &Value) -> Vec<(String, Value)> {
    match v {
        Value::Env(env) => env.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        Value::Function(function) => {
            function.children().into_iter().enumerate().map(|(k, v)| (k.to_string(), v)).collect()
        }
        _ => Vec::new(),
    }
}

/// Checks whether a tangent is structurally zero: a missing key is zero.
fn is_zero(v: &Value) -> bool {
    match v {
        Value::Zero(_) | Value::Unit => true,
        Value::Tuple(parts) | Value::Record(_, parts) => parts.iter().all(is_zero),
        Value::List(list) => list.iter().all(is_zero),
        Value::Env(env) => env.values().all(is_zero),
        _ => false,
    }
}

/// Returns the strong zero of the tangents of `v`.
pub fn zeros_like(v: &Value) -> Value {
    tangent(v, &mut |_, x| zero(x))
}

fn zero(like: &Array) -> Value {
    Value::Zero(Rc::new(Array::zeros(like.element(), like.shape())))
}

/// Returns the cotangent of a traced value, from those of the nodes.
pub fn gradient(traced: &Value, tape: &Tape, found: &[Option<Value>]) -> Value {
    tangent(traced, &mut |leaf, x| tape.node(leaf).and_then(|node| found[node].clone()).unwrap_or_else(|| zero(x)))
}

/// Returns `v` with ordinary zeros in place of strong ones, as programs see it (`spec/functional.md` B.10).
pub fn firm(v: &Value) -> Value {
    map(v, &mut |leaf| match leaf {
        Value::Zero(x) => Value::Array(x.clone()),
        _ => leaf.clone(),
    })
}

/// Collects the nodes in `traced` with the parts of its cotangent `ct`.
pub fn seeds(traced: &Value, ct: &Value, tape: &Tape, found: &mut Vec<(usize, Value)>) -> Result<(), Fault> {
    match (traced, ct) {
        (Value::Tuple(parts) | Value::Record(_, parts), Value::Tuple(cts) | Value::Record(_, cts))
            if parts.len() == cts.len() =>
        {
            parts.iter().zip(cts.iter()).try_for_each(|(v, ct)| seeds(v, ct, tape, found))
        }
        (Value::List(list), Value::List(cts)) => {
            same_length(list, cts)?;
            list.iter().zip(cts.iter()).try_for_each(|(v, ct)| seeds(v, ct, tape, found))
        }
        (Value::Function(_) | Value::Env(_), Value::Env(cts)) => keyed(traced)
            .iter()
            .filter_map(|(k, v)| Some((v, cts.get(k)?)))
            .try_for_each(|(v, ct)| seeds(v, ct, tape, found)),
        _ => match (traced.as_array(), ct.as_array()) {
            (Some(x), Some(d)) if x.element().is_float() && d.element() == x.element() => {
                ensure(x.shape() == d.shape(), "shape-mismatch", || {
                    let (x, d) = (x.shape(), d.shape());
                    format!("a cotangent must have the shape of its value, {x:?}, found shape {d:?}")
                })?;
                found.extend(tape.node(traced).map(|node| (node, ct.clone())));
                Ok(())
            }
            (x, _) if matches!(ct, Value::Unit) && x.as_ref().is_none_or(|x| !x.element().is_float()) => Ok(()),
            _ => {
                let (x, d) = (traced.kind(), ct.kind());
                let text = format!("a cotangent must have the type of its value, {x}, found {d}");
                Err(Fault::new("type-mismatch", text))
            }
        },
    }
}

/// Returns the sum of two tangents (`spec/functional.md` B.3).
pub fn gadd(a: &Value, b: &Value) -> Result<Value, Fault> {
    let each = |a: &[Value], b: &[Value]| a.iter().zip(b).map(|(a, b)| gadd(a, b)).collect::<Result<Vec<_>, _>>();
    match (a, b) {
        (Value::Unit, Value::Unit) => Ok(Value::Unit),
        (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => Ok(Value::tuple(each(a, b)?)),
        (Value::Record(n, a), Value::Record(m, b)) if n == m => {
            Ok(Value::Record(n.clone(), Rc::new(Parts::from(each(a, b)?))))
        }
        (Value::List(a), Value::List(b)) => {
            same_length(a, b)?;
            let sums: Result<List, Fault> = a.iter().zip(b.iter()).map(|(a, b)| gadd(a, b)).collect();
            sums.map(Value::List)
        }
        (Value::Env(a), Value::Env(b)) => joined(a, b),
        _ if a.is_float() && b.is_float() => add(a, b),
        _ => Err(Fault::new("type-mismatch", format!("cannot add {} and {}", a.kind(), b.kind()))),
    }
}

fn joined(a: &BTreeMap<String, Value>, b: &BTreeMap<String, Value>) -> Result<Value, Fault> {
    let mut sum = a.clone();
    for (key, value) in b {
        let value = match a.get(key) {
            Some(other) => gadd(other, value)?,
            None => value.clone(),
        };
        sum.insert(key.clone(), value);
    }
    Ok(Value::Env(Rc::new(sum)))
}

fn same_length(a: &List, b: &List) -> Result<(), Fault> {
    if a.len() == b.len() {
        return Ok(());
    }
    Err(Fault::new("shape-mismatch", format!("expected lists of equal length, found {} and {}", a.len(), b.len())))
}
