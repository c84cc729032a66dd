//! Evaluation of ops on data (tuples, records, lists, arrays), of conditionals, and of ops that create functions.

use super::code::{Group, Step};
use super::primitive::{arranged, bases, numbers};
use super::tape::{gadd, map, zeros_like};
use super::value::{Derived, Function, List, Parts, Value};
use super::{Action, Environment, Evaluator, Fault, ensure, loops};
use crate::array::eval as arrays;
use crate::ir::{Attribute, Op};
use crate::lambda::types::TypeKind;
use crate::ops::lambda::The;
use crate::text::count;
use crate::value::{Array, Data, Element};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Evaluator {
    /// Evaluates an op, given its operands.
    pub(super) fn op(&mut self, step: &Step, x: Vec<Value>, environment: &Environment) -> Result<Action, Fault> {
        let op = step.op;
        let Some(name) = step.name.strip_prefix("lambda.") else { return self.other(step, x, environment) };
        let captured = |slots: &[usize]| -> Parts {
            let values = environment.borrow();
            slots.iter().map(|slot| values[*slot].clone()).collect::<Vec<_>>().into()
        };
        if let Some((group, slots)) = &step.group {
            return Ok(Action::Return(members(group, captured(slots))));
        }
        if let Some((code, slots)) = &step.function {
            let f = Value::function(Function::Closure { code: code.clone(), captured: captured(slots) });
            return Action::one(match name {
                "pullback" => Value::derived(Derived::Pullback, vec![f, x[0].clone()]),
                "dual" => Value::derived(Derived::Dual, vec![f, x[0].clone()]),
                _ => f,
            });
        }
        match name {
            "ref" => Action::one(Value::code(self.code(&symbol(op))?)),
            "apply" => {
                let mut x = x.into_iter();
                let f = x.next().unwrap_or(Value::Unit);
                Ok(Action::Call(f, x.collect()))
            }
            "switch" => Action::one(x[if truth(&x[0])? { 1 } else { 2 }].clone()),
            "if" => {
                let branch = if truth(&x[0])? { 0 } else { 1 };
                Ok(Action::Enter(step.regions[branch].clone(), Vec::new(), environment.clone()))
            }
            "case" => {
                let Value::Data(name, fields) = &x[0] else { return Err(Fault::expected("a variant", &x[0])) };
                let names = op.attribute("alternatives").and_then(Attribute::as_array).unwrap_or_default();
                let arm = names.into_iter().position(|n| n.as_string().as_deref() == Some(&**name));
                let arm = arm
                    .and_then(|k| step.regions.get(k))
                    .ok_or_else(|| Fault::expected("a variant that `case` lists", &x[0]))?;
                Ok(Action::Enter(arm.clone(), fields.to_vec(), environment.clone()))
            }
            "for" | "while" => loops::lambda_loop(step, x, environment),
            "map" | "reduce" | "fold" | "scan" | "walk" => loops::higher_order(step, &x),
            "J" => Action::one(super::derive::augmented(&x[0])),
            "Jinv" => super::derive::unaugmented(&x[0]).and_then(Action::one),
            "grad" | "vjp" | "jvp" | "hvp" => Action::one(derivative(op, name, x)),
            "covector" => Action::one(Value::derived(Derived::Covector, x)),
            "jacobian" => {
                let f = Value::code(self.code(&symbol(op))?);
                Action::one(Value::derived(Derived::Jacobian, vec![f, x[0].clone()]))
            }
            "pair_with" => Ok(Action::Call(x[0].clone(), vec![x[1].clone()])),
            "print" | "read" | "channel" | "send" | "recv" | "close" | "spawn" | "join" => self.effect(op, name, x),
            _ if name.starts_with("rng.") => super::arrays::random(op, name, &x).and_then(Action::one),
            _ => data(op, name, &x).and_then(Action::one),
        }
    }
}

/// Returns the functions of a group.
fn members(group: &Rc<Group>, captured: Parts) -> Vec<Value> {
    let captured = Rc::new(captured);
    let member =
        |index: usize| Value::function(Function::Member { group: group.clone(), captured: captured.clone(), index });
    (0..group.members.len()).map(member).collect()
}

pub fn symbol(op: Op) -> String {
    op.callee().unwrap_or_default()
}

fn text(op: Op, name: &str) -> String {
    op.attribute(name).and_then(Attribute::as_string).unwrap_or_default()
}

fn positions(op: Op, name: &str) -> Option<Vec<usize>> {
    let list = op.attribute(name).and_then(Attribute::as_i64_array)?;
    Some(list.into_iter().map(|k| k as usize).collect())
}

fn derivative(op: Op, name: &str, f: Vec<Value>) -> Value {
    let kind = match name {
        "grad" => Derived::Gradient {
            wrt: positions(op, "wrt").unwrap_or_else(|| vec![0]),
            value: op.attribute("value").is_some(),
        },
        "vjp" => Derived::Vjp { wrt: positions(op, "wrt") },
        "jvp" => Derived::Jvp,
        _ => Derived::Hvp { wrt: op.attribute("wrt").and_then(Attribute::as_i64).unwrap_or(0) as usize },
    };
    Value::derived(kind, f)
}

/// Returns the value of a condition.
pub fn truth(x: &Value) -> Result<bool, Fault> {
    match x.as_i64().filter(|_| x.element() == Some(Element::I1)) {
        Some(x) => Ok(x != 0),
        None => Err(Fault::new("type-mismatch", format!("the condition must be a Boolean, found {}", x.kind()))),
    }
}

/// Returns the value of an integer.
pub fn integer(x: &Value) -> Result<i64, Fault> {
    let is_integer = x.element() != Some(Element::I1);
    x.as_i64().filter(|_| is_integer).ok_or_else(|| Fault::expected("an integer", x))
}

fn list(x: &Value) -> Result<&List, Fault> {
    match x {
        Value::List(list) => Ok(list),
        _ => Err(Fault::expected("a list", x)),
    }
}

fn empty() -> Fault {
    Fault::new("empty-list", "expected a list of at least one value, found an empty list")
}

/// Evaluates ops whose result is computed from their operands in one step.
fn data(op: Op, name: &str, x: &[Value]) -> Result<Value, Fault> {
    match name {
        "unit" => Ok(Value::Unit),
        "literal" => {
            Err(format!("not supported: the evaluator cannot represent the value {:?}", op.attribute("value")).into())
        }
        "the" => {
            super::check(op.cast::<The>().ty(), &x[0])?;
            Ok(x[0].clone())
        }
        "tuple" => Ok(Value::tuple(x.to_vec())),
        "get" | "tset" => {
            let Value::Tuple(parts) = &x[0] else { return Err(Fault::expected("a tuple", &x[0])) };
            let k = op.attribute("index").and_then(Attribute::as_i64).unwrap_or(0) as usize;
            ensure(k < parts.len(), "index-out-of-bounds", || {
                format!("a tuple of {} has no element {k}, counted from 0", count(parts.len(), "element"))
            })?;
            Ok(if name == "get" { parts[k].clone() } else { Value::tuple(replaced(parts, k, &x[1])) })
        }
        "record" => Ok(record(op, x)),
        "field" | "with" => {
            let Value::Record(names, parts) = &x[0] else { return Err(Fault::expected("a record", &x[0])) };
            let field = text(op, "field");
            let Some(k) = names.fields.iter().position(|f| *f == field) else {
                let text = format!("`{}` has no field `{field}`", names.record);
                return Err(Fault::new("unknown-field", text));
            };
            Ok(match name {
                "field" => parts[k].clone(),
                _ => Value::Record(names.clone(), Rc::new(Parts::from(replaced(parts, k, &x[1])))),
            })
        }
        "make" => Ok(Value::Data(text(op, "alternative").into(), Rc::new(Parts::from(x.to_vec())))),
        "unreachable" => Err("must be unreachable, but is evaluated".into()),
        "nil" => Ok(Value::List(List::default())),
        "cons" => Ok(Value::List(List::cons(x[0].clone(), list(&x[1])?.clone()))),
        "head" => list(&x[0])?.head().cloned().ok_or_else(empty),
        "tail" => list(&x[0])?.tail().cloned().map(Value::List).ok_or_else(empty),
        "is_empty" => Ok(Value::bool(list(&x[0])?.is_empty())),
        "length" => Ok(Value::i64(list(&x[0])?.len() as i64)),
        "concat" => Ok(Value::List(list(&x[0])?.followed_by(list(&x[1])?))),
        "to_list" => Ok(Value::List(rows(&x[0])?.into_iter().collect())),
        "to_array" => {
            let values: Vec<Value> = list(&x[0])?.iter().cloned().collect();
            to_array(op, &values)
        }
        "aget" | "aset" | "slice_get" | "slice_set" => super::arrays::access(op, name, x),
        "prim" => super::prim::evaluate(op, &text(op, "name"), x),
        "check" => {
            ensure(truth(&x[0])?, "", || format!("{}: {}", text(op, "code"), text(op, "text")))?;
            Ok(x[1].clone())
        }
        "opaque" => match &x[0] {
            Value::Traced(_) => Err(Fault::new("no-backpropagator", "this op has no derivative")),
            plain => Ok(plain.clone()),
        },
        "stop_gradient" => Ok(stopped(&x[0])),
        "zeros_like" => Ok(zeros_like(&x[0])),
        "gadd" | "env.add" => gadd(&x[0], &x[1]),
        "env.empty" => Ok(Value::Env(Rc::default())),
        "env.get" => Ok(env(&x[0])?.get(&text(op, "key")).unwrap_or(&x[1]).clone()),
        "env.set" => {
            let mut env = env(&x[0])?.clone();
            env.insert(text(op, "key"), x[1].clone());
            Ok(Value::Env(Rc::new(env)))
        }
        "token" | "join_tokens" => Ok(Value::Token),
        "transfer" => Ok(x[0].clone()),
        _ => Err("not supported: the evaluator does not implement this op".into()),
    }
}

fn env(x: &Value) -> Result<&BTreeMap<String, Value>, Fault> {
    match x {
        Value::Env(env) => Ok(env),
        _ => Err(Fault::expected("an environment", x)),
    }
}

fn replaced(parts: &[Value], k: usize, value: &Value) -> Vec<Value> {
    let mut parts = parts.to_vec();
    parts[k] = value.clone();
    parts
}

/// Creates a record. The names are in its type or, if that is open, in attributes.
fn record(op: Op, x: &[Value]) -> Value {
    let (name, fields) = match TypeKind::of(op.result(0).ty()) {
        TypeKind::Record(name, fields) => (name, fields.into_iter().map(|f| f.0).collect()),
        _ => {
            let fields = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
            (text(op, "name"), fields.into_iter().filter_map(Attribute::as_string).collect::<Vec<_>>())
        }
    };
    Value::record(&name, fields.iter().map(String::as_str).zip(x.iter().cloned()).collect())
}

/// Returns the same value without traces.
fn stopped(x: &Value) -> Value {
    map(x, &mut |leaf| leaf.as_array().map_or_else(|| leaf.clone(), Value::Array))
}

/// Returns the rows of an array, or the values of a list or a tuple.
pub fn rows(x: &Value) -> Result<Vec<Value>, Fault> {
    match x {
        Value::List(list) => return Ok(list.iter().cloned().collect()),
        Value::Tuple(parts) => return Ok(parts.to_vec()),
        _ => {}
    }
    let base = numbers(x)?;
    ensure(base.rank() != 0, "rank-mismatch", || "expected an array with at least one axis, found a scalar")?;
    (0..base.shape()[0] as i64).map(|i| arranged(|x| Ok(arrays::get(&x[0], &[i])), std::slice::from_ref(x))).collect()
}

/// Returns the array with these rows, or an empty one of the op's result type.
pub fn to_array(op: Op, rows: &[Value]) -> Result<Value, Fault> {
    let ty = op.result(0).ty();
    let size = ty.shape().first().copied().flatten();
    ensure(size.is_none_or(|n| n == rows.len()), "shape-mismatch", || {
        format!("{} cannot form an array of type {ty}", count(rows.len(), "value"))
    })?;
    let row: Vec<usize> = ty.shape().iter().skip(1).map(|d| d.unwrap_or(0)).collect();
    stacked(rows, &[rows.len()], &row, ty.element().unwrap_or(Element::F64))
}

/// Returns the array of `leading` sizes with these parts; without parts, they count as parts of the sizes `row`.
pub fn stacked(parts: &[Value], leading: &[usize], row: &[usize], element: Element) -> Result<Value, Fault> {
    let Some(first) = parts.first() else {
        let shape = [leading, row].concat();
        return Ok(Value::array(Array::new(shape, Data::zeros(element, 0))));
    };
    let bases = bases(parts)?;
    if let Some(odd) = bases.iter().find(|x| x.element() != bases[0].element()) {
        let text = format!("expected values of the same type, found {} and {}", first.kind(), odd.type_text());
        return Err(Fault::new("type-mismatch", text));
    }
    if let Some(odd) = bases.iter().find(|x| x.shape() != bases[0].shape()) {
        let text = format!("expected values of the same shape, found {:?} and {:?}", bases[0].shape(), odd.shape());
        return Err(Fault::new("shape-mismatch", text));
    }
    let (element, trailing) = (bases[0].element(), bases[0].shape().to_vec());
    arranged(|x| Ok(arrays::stack(element, leading, &trailing, x)?), parts)
}
