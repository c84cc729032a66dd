//! The values of programs with functions, as the evaluator represents them.

use super::code::{Code, Group};
use super::tape::{Tape, Traced};
use crate::ir::Op;
use crate::lambda::philox;
use crate::value::{Array, Data, Element};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

/// A value. Values are immutable and shared.
#[derive(Clone)]
pub enum Value {
    Unit,
    /// A scalar or an array.
    Array(Rc<Array>),
    /// A strong zero (`spec/functional.md` B.3): the result of an op that is linear in it is zero for any other
    /// operand.
    Zero(Rc<Array>),
    /// An array of floats on the tape of a derivative that is being computed.
    Traced(Rc<Traced>),
    Tuple(Rc<Parts>),
    /// The names, and the values of the fields.
    Record(Rc<Names>, Rc<Parts>),
    List(List),
    /// The name of a variant, and its fields.
    Data(Rc<str>, Rc<Parts>),
    Function(Rc<Function>),
    /// The cotangents of the captures of a function, by key.
    Env(Rc<BTreeMap<String, Value>>),
    String(Rc<String>),
    Rng(Rc<philox::State>),
    Token,
    /// The number of a channel of the run.
    Chan(usize),
    /// The number of a task of the run.
    Task(usize),
}

/// The names of a record and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    pub record: String,
    pub fields: Vec<String>,
}

/// A sequence of values. They may nest without limit, so they are dropped iteratively and not recursively.
#[derive(Clone, Default)]
pub struct Parts(Vec<Value>);

/// A list that shares its tail with others.
#[derive(Clone, Default)]
pub struct List(Option<Rc<Cell>>);

struct Cell {
    head: Value,
    tail: List,
    length: usize,
}

/// A callable value.
pub enum Function {
    /// A function of the program, with the values of its captures in the order of its code.
    Closure { code: Rc<Code>, captured: Parts },
    /// A function of a group, with the values of the captures of the group.
    Member { group: Rc<Group>, captured: Rc<Parts>, index: usize },
    /// A function derived from other functions and data.
    Derived(Derived, Parts),
    /// The backpropagator of a tape.
    Back(Back),
}

impl Function {
    /// Returns the function of the program, or `None` for derived functions.
    pub fn op(&self) -> Option<Op> {
        match self {
            Function::Closure { code, .. } => Some(code.op),
            Function::Member { group, index, .. } => Some(group.members[*index].0.op),
            Function::Derived(..) | Function::Back(_) => None,
        }
    }
}

/// The derivation of a function from its parts.
#[derive(Clone, Debug)]
pub enum Derived {
    /// The gradient of a function, with its value if requested.
    Gradient {
        wrt: Vec<usize>,
        value: bool,
    },
    /// A function's value and its backpropagator; with respect to all arguments if none are named.
    Vjp {
        wrt: Option<Vec<usize>>,
    },
    Jvp,
    Hvp {
        wrt: usize,
    },
    /// `lambda.J` of a function.
    Augmented,
    /// The pullback of a 1-form along a function: the function, the form.
    Pullback,
    /// The composition of a linear map and a functional: the map, the functional.
    Dual,
    /// The functional of a vector.
    Covector,
    /// The directional derivative of a function, as a function of the point: the function, the direction.
    Jacobian,
}

/// The map from the cotangent of a result to those of the traced inputs.
#[derive(Clone)]
pub struct Back {
    pub tape: Rc<Tape>,
    /// The result, traced.
    pub result: Value,
    /// The traced values whose cotangents are computed.
    pub inputs: Parts,
    /// True if the cotangents are a tuple, like those of `lambda.J`; otherwise there is a single one.
    pub is_tuple: bool,
}

impl Value {
    pub fn array(x: Array) -> Value {
        Value::Array(Rc::new(x))
    }

    pub fn f64(x: f64) -> Value {
        Value::array(Array::f64(x))
    }

    pub fn i64(x: i64) -> Value {
        Value::array(Array::new(vec![], Data::I64(vec![x])))
    }

    pub fn bool(x: bool) -> Value {
        Value::array(Array::new(vec![], Data::I1(vec![x])))
    }

    pub fn vector(x: &[f64]) -> Value {
        Value::array(Array::vector(x))
    }

    pub fn tuple(values: Vec<Value>) -> Value {
        Value::Tuple(Rc::new(Parts(values)))
    }

    pub fn record(name: &str, fields: Vec<(&str, Value)>) -> Value {
        let (fields, values): (Vec<String>, Vec<Value>) = fields.into_iter().map(|(f, v)| (f.to_string(), v)).unzip();
        Value::Record(Rc::new(Names { record: name.to_string(), fields }), Rc::new(Parts(values)))
    }

    pub fn list(values: Vec<Value>) -> Value {
        Value::List(values.into_iter().collect())
    }

    pub(super) fn function(f: Function) -> Value {
        Value::Function(Rc::new(f))
    }

    /// Returns a function without captures.
    pub(super) fn code(code: Rc<Code>) -> Value {
        Value::function(Function::Closure { code, captured: Parts::default() })
    }

    pub(super) fn derived(kind: Derived, parts: Vec<Value>) -> Value {
        Value::function(Function::Derived(kind, Parts(parts)))
    }

    /// Returns the kind of the value, in words.
    pub fn kind(&self) -> String {
        match self {
            Value::Unit => "none".into(),
            Value::Array(x) | Value::Zero(x) => x.type_text(),
            Value::Traced(t) => t.primal.kind(),
            Value::Tuple(parts) => format!("a tuple of {}", parts.len()),
            Value::Record(names, _) => format!("a record `{}`", names.record),
            Value::List(_) => "a list".into(),
            Value::Data(name, _) => format!("a variant `{name}`"),
            Value::Function(_) => "a function".into(),
            Value::Env(_) => "an environment".into(),
            Value::String(_) => "a string".into(),
            Value::Rng(_) => "a state of random numbers".into(),
            Value::Token => "a token".into(),
            Value::Chan(_) => "a channel".into(),
            Value::Task(_) => "a task".into(),
        }
    }

    /// Returns the numbers of an array or a scalar, without traces.
    pub fn as_array(&self) -> Option<Rc<Array>> {
        let mut value = self;
        while let Value::Traced(t) = value {
            value = &t.primal;
        }
        match value {
            Value::Array(x) | Value::Zero(x) => Some(x.clone()),
            _ => None,
        }
    }

    /// Returns the element type of an array or a scalar.
    pub fn element(&self) -> Option<Element> {
        match self {
            Value::Array(x) | Value::Zero(x) => Some(x.element()),
            Value::Traced(t) => t.primal.element(),
            _ => None,
        }
    }

    pub fn is_float(&self) -> bool {
        self.element().is_some_and(Element::is_float)
    }

    /// Returns the value of an integer or a boolean.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Array(x) if x.rank() == 0 && !x.element().is_float() => Some(x.data().to_integers()[0]),
            _ => None,
        }
    }

    pub fn as_f64(&self) -> Option<f64> {
        let x = self.as_array()?;
        (x.rank() == 0 && x.element().is_float()).then(|| x.to_f64()[0])
    }

    /// Checks whether dropping the value may drop many others.
    fn is_nested(&self) -> bool {
        matches!(
            self,
            Value::Tuple(_) | Value::Record(..) | Value::List(_) | Value::Data(..) | Value::Function(_) | Value::Env(_)
        )
    }
}

impl From<Array> for Value {
    fn from(x: Array) -> Value {
        Value::array(x)
    }
}

impl From<Vec<Value>> for Parts {
    fn from(values: Vec<Value>) -> Parts {
        Parts(values)
    }
}

impl Deref for Parts {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

thread_local! {
    /// The queue of values to drop, while a value is being dropped.
    static DROPPED: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

/// Drops values without recursion, for any depth of nesting.
fn drop_all(values: Vec<Value>) {
    if !values.iter().any(Value::is_nested) {
        return;
    }
    let mut values = Some(values);
    let first = DROPPED.try_with(|dropped| {
        let mut dropped = dropped.borrow_mut();
        match &mut *dropped {
            Some(waiting) => {
                waiting.extend(values.take().unwrap_or_default());
                false
            }
            None => {
                *dropped = values.take();
                true
            }
        }
    });
    // At the end of a thread there is no queue, and remaining values are dropped recursively.
    if first != Ok(true) {
        return;
    }
    let next = || DROPPED.with(|dropped| dropped.borrow_mut().as_mut().and_then(Vec::pop));
    while let Some(value) = next() {
        drop(value);
    }
    DROPPED.with(|dropped| *dropped.borrow_mut() = None);
}

impl Drop for Parts {
    fn drop(&mut self) {
        drop_all(std::mem::take(&mut self.0));
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        if self.head.is_nested() {
            drop_all(vec![std::mem::replace(&mut self.head, Value::Unit)]);
        }
        let mut tail = self.tail.0.take();
        while let Some(mut cell) = tail.and_then(Rc::into_inner) {
            tail = cell.tail.0.take();
        }
    }
}

impl List {
    pub fn cons(head: Value, tail: List) -> List {
        let length = tail.len() + 1;
        List(Some(Rc::new(Cell { head, tail, length })))
    }

    pub fn head(&self) -> Option<&Value> {
        self.0.as_ref().map(|cell| &cell.head)
    }

    pub fn tail(&self) -> Option<&List> {
        self.0.as_ref().map(|cell| &cell.tail)
    }

    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |cell| cell.length)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Value> {
        std::iter::successors(self.0.as_deref(), |cell| cell.tail.0.as_deref()).map(|cell| &cell.head)
    }

    /// Returns the values of `self`, followed by those of `end`.
    pub fn followed_by(&self, end: &List) -> List {
        let values: Vec<Value> = self.iter().cloned().collect();
        values.into_iter().rev().fold(end.clone(), |tail, head| List::cons(head, tail))
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> List {
        let values: Vec<Value> = values.into_iter().collect();
        values.into_iter().rev().fold(List::default(), |tail, head| List::cons(head, tail))
    }
}

impl Function {
    /// Returns the values of which it consists.
    pub(super) fn children(&self) -> Vec<Value> {
        match self {
            Function::Closure { captured, .. } => captured.to_vec(),
            Function::Member { captured, .. } => captured.to_vec(),
            Function::Derived(_, parts) => parts.to_vec(),
            Function::Back(back) => {
                let mut values = back.tape.values();
                values.push(back.result.clone());
                values.extend(back.inputs.iter().cloned());
                values
            }
        }
    }

    /// Returns the same function with other values, whose number is the same.
    pub(super) fn with_children(&self, mut values: Vec<Value>) -> Function {
        match self {
            Function::Closure { code, .. } => Function::Closure { code: code.clone(), captured: Parts(values) },
            Function::Member { group, index, .. } => {
                Function::Member { group: group.clone(), captured: Rc::new(Parts(values)), index: *index }
            }
            Function::Derived(kind, _) => Function::Derived(kind.clone(), Parts(values)),
            Function::Back(back) => {
                let inputs = values.split_off(values.len() - back.inputs.len());
                let result = values.pop().unwrap_or(Value::Unit);
                let tape = Rc::new(back.tape.with_values(values));
                Function::Back(Back { tape, result, inputs: Parts(inputs), is_tuple: back.is_tuple })
            }
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The format of `lambda.print`: `1.0`, `[1.0, 2.0]`, `(1.0, 2)`, `P(u: 1.0)`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Unit => f.write_str("()"),
            Value::Array(x) | Value::Zero(x) => rows(f, x, 0, 0),
            Value::Traced(t) => fmt::Display::fmt(&t.primal, f),
            Value::Tuple(parts) => enclosed(f, "(", parts.iter().map(|v| ("", v)), ")"),
            Value::Record(names, parts) => {
                f.write_str(&names.record)?;
                enclosed(f, "(", names.fields.iter().map(String::as_str).zip(parts.iter()), ")")
            }
            Value::List(list) => enclosed(f, "[", list.iter().map(|v| ("", v)), "]"),
            Value::Data(name, parts) => {
                f.write_str(name)?;
                enclosed(f, "(", parts.iter().map(|v| ("", v)), ")")
            }
            Value::Function(_) => f.write_str("<function>"),
            Value::Env(_) => f.write_str("<env>"),
            Value::String(text) => f.write_str(text),
            Value::Rng(_) => f.write_str("<rng>"),
            Value::Token => f.write_str("<token>"),
            Value::Chan(_) => f.write_str("<chan>"),
            Value::Task(_) => f.write_str("<task>"),
        }
    }
}

fn enclosed<'a>(
    f: &mut fmt::Formatter,
    open: &str,
    parts: impl Iterator<Item = (&'a str, &'a Value)>,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (k, (name, value)) in parts.enumerate() {
        f.write_str(if k > 0 { ", " } else { "" })?;
        if !name.is_empty() {
            write!(f, "{name}: ")?;
        }
        fmt::Display::fmt(value, f)?;
    }
    f.write_str(close)
}

/// Prints the elements of `x` from `start` on that belong to one position of its first `axis` axes.
fn rows(f: &mut fmt::Formatter, x: &Array, axis: usize, start: usize) -> fmt::Result {
    let Some(&n) = x.shape().get(axis) else { return element(f, x, start) };
    let step: usize = x.shape()[axis + 1..].iter().product();
    f.write_str("[")?;
    for k in 0..n {
        f.write_str(if k > 0 { ", " } else { "" })?;
        rows(f, x, axis + 1, start + k * step)?;
    }
    f.write_str("]")
}

fn element(f: &mut fmt::Formatter, x: &Array, at: usize) -> fmt::Result {
    match x.data() {
        Data::F32(v) => write!(f, "{:?}", v[at]),
        Data::F64(v) => write!(f, "{:?}", v[at]),
        data => crate::with_data!(data, v => write!(f, "{}", v[at])),
    }
}
