//! Evaluation of `lambda.prim`, an operation of the notation of functional programs (`spec/functional.md` F.1). The
//! values of the operands determine which operation it is.

use super::primitive::{
    Pick, Primitive, apply, bases, cast, elementwise, mul, named, not_arrays, pick, shape, sum, sum_all,
};
use super::value::Value;
use super::{Fault, arrays::integer_like};
use crate::eval::scalar;
use crate::ir::Op;
use crate::ops::{CmpIPredicate, HasKind, Kind};
use crate::primitives::{self, Computation, Elements, Notation};
use crate::value::{Array, Data, Element};
use std::rc::Rc;

/// Returns the result of the operation `name`, of the op `op`.
pub fn evaluate(op: Op, name: &str, x: &[Value]) -> Result<Value, Fault> {
    let x = settled(op, x)?;
    let x = x.as_slice();
    if let Some(z) = super::overloads::evaluate(op, name, x) {
        return z;
    }
    if let Some(z) = on_discrete(name, x) {
        return z;
    }
    if let Some(name) = smooth(name) {
        if x.iter().all(Value::is_float) {
            return apply(&Primitive::Elementwise(name), x);
        }
        return Err(mismatch(name, "floats", x));
    }
    match name {
        "sign" => steps(name, x, |x| if x == 0.0 { 0.0 } else { x.signum() }),
        "floor" => steps(name, x, f64::floor),
        "powi" => powi(x),
        "<" | "<=" | ">" | ">=" | "=" | "!=" => compare(name, x),
        "i+" => integers(Kind::ArithAddi.name(), x),
        "i-" => integers(Kind::ArithSubi.name(), x),
        "i*" => integers(Kind::ArithMuli.name(), x),
        "imod" => integers(Kind::ArrayMod.name(), x),
        "i<" => related(x, |a, b| a < b),
        "i=" => related(x, |a, b| a == b),
        "idiv2" => integers(Kind::ArrayDiv.name(), &[x[0].clone(), integer_like(&x[0], 2)]),
        "itof" => {
            let base = int(&x[0])?;
            Ok(Value::array(Array::new(base.shape().to_vec(), Data::F64(base.to_f64()))))
        }
        "and" => bools(x, |a, b| a && b),
        "or" => bools(x, |a, b| a || b),
        "not" => bools(&[x[0].clone(), Value::bool(true)], |a, b| a != b),
        "@" => match (shape(&x[0]).len(), shape(&x[1]).len()) {
            (1, 1) => products("dot", x),
            (1, 2) => products("vm", x),
            (2, 1) => products("mv", x),
            _ => products("mm", x),
        },
        _ => products(name, x),
    }
}

/// Returns the result of an operation that is defined on floats too, on integers or Booleans.
fn on_discrete(name: &str, x: &[Value]) -> Option<Result<Value, Fault>> {
    let elements = Elements::of(x[0].element()?);
    if elements == Elements::Float || primitives::function(name)?.elements != Elements::Float {
        return None;
    }
    let primitive = primitives::overload(name, elements)?;
    Some(match (primitive.computation, name) {
        (Computation::Op(kind), _) => integers(kind.name(), x),
        (Computation::CompareIntegers(predicate), _) => related(x, compares(predicate)),
        (_, "neg") => integers(Kind::ArithSubi.name(), &[integer_like(&x[0], 0), x[0].clone()]),
        _ => int(&x[0]).map(|x| {
            let all = scalar::integers(&x).into_iter().map(i64::wrapping_abs);
            Value::array(Array::new(x.shape().to_vec(), Data::of_integers(x.element(), all)))
        }),
    })
}

fn compares(predicate: CmpIPredicate) -> fn(i64, i64) -> bool {
    match predicate {
        CmpIPredicate::Ne => |a, b| a != b,
        CmpIPredicate::Slt => |a, b| a < b,
        CmpIPredicate::Sle => |a, b| a <= b,
        CmpIPredicate::Sgt => |a, b| a > b,
        CmpIPredicate::Sge => |a, b| a >= b,
        _ => |a, b| a == b,
    }
}

/// Converts the numbers of a literal of open type to the type of the other operand.
fn settled(op: Op, x: &[Value]) -> Result<Vec<Value>, Fault> {
    let is_open = |k: usize| {
        let literal = op.operand(k).defining_op().map(|(maker, _)| maker);
        literal.is_some_and(|maker| {
            maker.kind() == Kind::LambdaLiteral
                && super::super::TypeKind::of(maker.result(0).ty()) == super::super::TypeKind::Any
        })
    };
    let mut x = x.to_vec();
    if x.len() == 2 {
        for (k, other) in [(0, 1), (1, 0)] {
            let element = x[other].element().filter(|e| e.is_float());
            if let Some(element) = element.filter(|_| is_open(k) && !is_open(other) && x[k].is_float()) {
                x[k] = cast(element, &x[k])?;
            }
        }
    }
    Ok(x)
}

/// Returns the name of the elementwise primitive of floats that has derivatives.
fn smooth(name: &str) -> Option<&'static str> {
    let primitive = primitives::function(name).filter(|p| p.elements == Elements::Float)?;
    match (name, primitive.computation) {
        ("floor", _) => None,
        ("sigmoid" | "relu", _) => Some(primitive.name(Notation::Functions)),
        (_, Computation::Op(kind)) => Some(kind.name()),
        _ => None,
    }
}

fn mismatch(name: &str, wanted: &str, found: &[Value]) -> Fault {
    let kinds: Vec<String> = found.iter().map(Value::kind).collect();
    let name = if name.contains(' ') { name.to_string() } else { format!("`{name}`") };
    Fault::new("type-mismatch", format!("{name} needs {wanted}, found {}", kinds.join(", ")))
}

fn int(x: &Value) -> Result<Rc<Array>, Fault> {
    let base = x.as_array().filter(|x| x.element().is_integer());
    base.ok_or_else(|| mismatch("an operation on integers", "integers", std::slice::from_ref(x)))
}

/// Evaluates a piecewise constant function.
fn steps(name: &str, x: &[Value], f: fn(f64) -> f64) -> Result<Value, Fault> {
    match x[0].as_array().filter(|x| x.element().is_float()) {
        Some(x) => Ok(Value::array(scalar::map_float(&x, f)?)),
        None => Err(mismatch(name, "a float", x)),
    }
}

fn powi(x: &[Value]) -> Result<Value, Fault> {
    int(&x[1])?;
    if !x[0].is_float() {
        return Err(mismatch("powi", "a float and an integer", x));
    }
    named(Kind::MathFpowi.name(), &[&x[0], &x[1]])
}

fn compare(name: &str, x: &[Value]) -> Result<Value, Fault> {
    let holds: fn(f64, f64) -> bool = match name {
        "<" => |a, b| a < b,
        "<=" => |a, b| a <= b,
        ">" => |a, b| a > b,
        ">=" => |a, b| a >= b,
        "!=" => |a, b| a != b,
        _ => |a, b| a == b,
    };
    let bases = both(name, x)?;
    if !bases[0].element().is_float() {
        return Err(mismatch(name, "floats", x));
    }
    let bits = bases[0].to_f64().into_iter().zip(bases[1].to_f64()).map(|(a, b)| holds(a, b)).collect();
    Ok(Value::array(Array::new(bases[0].shape().to_vec(), Data::I1(bits))))
}

/// Returns two arrays of one type.
fn both(name: &str, x: &[Value]) -> Result<[Rc<Array>; 2], Fault> {
    let (Some(a), Some(b)) = (x[0].as_array(), x[1].as_array()) else { return Err(not_arrays(x)) };
    if a.element() != b.element() {
        return Err(mismatch(name, "operands of the same type", x));
    }
    match a.shape() == b.shape() {
        true => Ok([a, b]),
        false => Err(unfit("shape-mismatch", name, &a, &b)),
    }
}

fn unfit(code: &'static str, name: &str, a: &Array, b: &Array) -> Fault {
    Fault::new(code, format!("`{name}` cannot combine arrays of shapes {:?} and {:?}", a.shape(), b.shape()))
}

fn integers(name: &str, x: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (int(&x[0])?, int(&x[1])?);
    both(name, x)?;
    Ok(Value::array(match Kind::by_name(name) {
        Kind::ArrayDiv => crate::array::eval::div(&a, &b)?,
        Kind::ArrayMod => crate::array::eval::modulo(&a, &b)?,
        _ => elementwise(name, &[a, b])?,
    }))
}

fn related(x: &[Value], holds: fn(i64, i64) -> bool) -> Result<Value, Fault> {
    let (a, b) = (int(&x[0])?, int(&x[1])?);
    both("comparison", x)?;
    let bits = scalar::integers(&a).into_iter().zip(scalar::integers(&b)).map(|(a, b)| holds(a, b)).collect();
    Ok(Value::array(Array::new(a.shape().to_vec(), Data::I1(bits))))
}

fn bools(x: &[Value], holds: fn(bool, bool) -> bool) -> Result<Value, Fault> {
    let bit = |v: &Value| v.as_i64().filter(|_| v.element() == Some(Element::I1)).map(|x| x != 0);
    match (bit(&x[0]), bit(&x[1])) {
        (Some(a), Some(b)) => Ok(Value::bool(holds(a, b))),
        _ => Err(mismatch("an operation on Booleans", "truth values", x)),
    }
}

/// Evaluates sums and products of arrays, by elementwise products of rearranged arrays and sums (`spec/functional.md`
/// A.6).
fn products(name: &str, x: &[Value]) -> Result<Value, Fault> {
    let bases = bases(x)?;
    let ranks: &[usize] = match name {
        "dot" | "outer" => &[1, 1],
        "mv" => &[2, 1],
        "vm" => &[1, 2],
        "mm" => &[2, 2],
        _ => &[],
    };
    if !bases.iter().zip(ranks).all(|(x, rank)| x.rank() == *rank) {
        return Err(unfit("rank-mismatch", name, &bases[0], &bases[1]));
    }
    if let Some(odd) = bases.iter().find(|b| !b.element().is_float() || b.element() != bases[0].element()) {
        let text =
            format!("`{name}` needs floats of the same type, found {} and {}", bases[0].type_text(), odd.type_text());
        return Err(Fault::new("type-mismatch", text));
    }
    let size = |k: usize, axis: usize| bases[k].shape()[axis];
    let meet = |fits: bool| if fits { Ok(()) } else { Err(unfit("shape-mismatch", name, &bases[0], &bases[1])) };
    match name {
        "sum" => sum_all(&x[0]),
        "dot" => {
            meet(size(0, 0) == size(1, 0))?;
            sum_all(&mul(&x[0], &x[1])?)
        }
        "mv" => {
            meet(size(0, 1) == size(1, 0))?;
            sum(&mul(&x[0], &spread(&x[1], &[size(0, 0), size(0, 1)], &[1])?)?, &[1])
        }
        "vm" => {
            meet(size(0, 0) == size(1, 0))?;
            sum(&mul(&spread(&x[0], &[size(1, 0), size(1, 1)], &[0])?, &x[1])?, &[0])
        }
        "mm" => {
            meet(size(0, 1) == size(1, 0))?;
            let all = [size(0, 0), size(0, 1), size(1, 1)];
            sum(&mul(&spread(&x[0], &all, &[0, 1])?, &spread(&x[1], &all, &[1, 2])?)?, &[1])
        }
        "outer" => {
            let all = [size(0, 0), size(1, 0)];
            mul(&spread(&x[0], &all, &[0])?, &spread(&x[1], &all, &[1])?)
        }
        "transpose" => {
            let mut turned = bases[0].shape().to_vec();
            turned.reverse();
            let axes: Vec<usize> = (0..turned.len()).rev().collect();
            spread(&x[0], &turned, &axes)
        }
        "scale" | "fill" => {
            if bases[0].rank() != 0 {
                return Err(unfit("rank-mismatch", name, &bases[0], &bases[1]));
            }
            let all = spread(&x[0], bases[1].shape(), &[])?;
            if name == "fill" { Ok(all) } else { mul(&all, &x[1]) }
        }
        _ => Err(format!("not supported: the evaluator does not implement the operation `{name}`").into()),
    }
}

/// Returns z[p] = x[p[axes…]].
pub fn spread(x: &Value, sizes: &[usize], axes: &[usize]) -> Result<Value, Fault> {
    let own = shape(x);
    let from = crate::array::eval::positions(sizes)
        .map(|p| Some((0, axes.iter().zip(&own).fold(0, |flat, (&axis, &n)| flat * n + p[axis]))))
        .collect();
    pick(Pick { shape: sizes.to_vec(), from }, std::slice::from_ref(x))
}
