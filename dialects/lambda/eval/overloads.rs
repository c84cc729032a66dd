//! Evaluation of the operations of `lambda.prim` that are overloaded on the types of their operands: with promotion
//! (`add`), on values of several kinds (`item`, `len`), and conversions.

use super::ops::rows;
use super::prim::{evaluate as strict, spread};
use super::primitive::{add, bases, cast, keep, named, not_arrays, numbers, select, shape, sum};
use super::value::Value;
use super::{Fault, ensure};
use crate::eval::scalar;
use crate::ir::Op;
use crate::ops::Kind;
use crate::text::count;
use crate::value::{Array, Data, Element};
use std::cmp::Ordering;

/// Returns the result of the operation `name` of the op `op`; `None` if it is none of these.
pub fn evaluate(op: Op, name: &str, x: &[Value]) -> Option<Result<Value, Fault>> {
    let same = match name {
        "add" => "+",
        "sub" => "-",
        "mul" => "*",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        "eq" => "=",
        "ne" => "!=",
        _ => "",
    };
    Some(match (name, x) {
        ("add", [Value::List(a), Value::List(b)]) => Ok(Value::List(a.followed_by(b))),
        ("add", [Value::Tuple(a), Value::Tuple(b)]) => Ok(Value::tuple([a.to_vec(), b.to_vec()].concat())),
        ("lt" | "le" | "gt" | "ge" | "eq" | "ne", [a, b])
            if is_number(a, Element::I64) && is_number(b, Element::F64) =>
        {
            order(a, b).map(|order| compared(name, order))
        }
        ("lt" | "le" | "gt" | "ge" | "eq" | "ne", [a, b])
            if is_number(a, Element::F64) && is_number(b, Element::I64) =>
        {
            order(b, a).map(|order| compared(name, order.map(Ordering::reverse)))
        }
        _ if !same.is_empty() => promoted(x, Element::I64).and_then(|x| strict(op, same, &x)),
        ("div", _) => promoted(x, Element::F64).and_then(|x| strict(op, "/", &x)),
        ("floordiv" | "mod", _) => promoted(x, Element::I64).and_then(|x| divided(name, &x)),
        ("power", _) => power(x),
        ("select", [condition, a, b]) => chosen(condition, a, b),
        ("real", [x]) => Ok(if x.is_float() { x.clone() } else { return Some(converted(x, Element::F64)) }),
        ("f64", [x]) => converted(x, Element::F64),
        ("f32", [x]) => converted(x, Element::F32),
        ("i64", [x]) => converted(x, Element::I64),
        ("bool", [Value::List(list)]) => Ok(Value::bool(!list.is_empty())),
        ("bool", [x]) => converted(x, Element::I1),
        ("item", [of, at]) => item(of, at),
        ("unpack", [of, n]) => unpacked(of, n),
        ("len", [of]) => length(of),
        ("shape", [of]) => numbers(of).map(|x| Value::tuple(x.shape().iter().map(|n| Value::i64(*n as i64)).collect())),
        ("iota", [n]) => super::ops::integer(n)
            .map(|n| Value::array(Array::new(vec![n.max(0) as usize], Data::I64((0..n).collect())))),
        ("replicate", [n, x]) => super::ops::integer(n).and_then(|n| {
            let sizes = [vec![n.max(0) as usize], shape(x)].concat();
            spread(x, &sizes, &(1..sizes.len()).collect::<Vec<_>>())
        }),
        ("zero", [of]) => zero(of),
        ("sum-along", [axis, x]) => super::ops::integer(axis).and_then(|axis| {
            let rank = shape(x).len() as i64;
            ensure((-rank..rank).contains(&axis), "rank-mismatch", || format!("there is no axis {axis}"))?;
            sum(x, &[axis.rem_euclid(rank) as usize])
        }),
        ("ceildiv", _) => promoted(x, Element::I64).and_then(|x| quotient_up(&x)),
        ("bitand", _) => bitwise(x, |a, b| a & b),
        ("bitor", _) => bitwise(x, |a, b| a | b),
        ("bitxor", _) => bitwise(x, |a, b| a ^ b),
        ("invert", [x]) => bitwise(&[x.clone(), x.clone()], |a, _| !a),
        ("shl", _) => shifted(x, |a, n| if n < 64 { a << n } else { 0 }),
        ("shr", _) => shifted(x, |a, n| a >> n.min(63)),
        _ => return None,
    })
}

/// Returns the operands with the same elements, at least `least`, and the same shape.
fn promoted(x: &[Value], least: Element) -> Result<Vec<Value>, Fault> {
    let mut all = bases(x)?;
    // The elements of arrays come first.
    all.sort_by_key(|x| x.rank() == 0);
    let float = all.iter().map(|x| x.element()).find(|e| e.is_float());
    let integer = all.iter().map(|x| x.element()).find(|e| e.is_integer() && *e != Element::I1);
    let element = float.unwrap_or(if least.is_float() { least } else { integer.unwrap_or(least) });
    let whole = all.iter().max_by_key(|x| x.rank()).expect("an operand").shape().to_vec();
    x.iter().map(|x| expanded(&converted(x, element)?, &whole)).collect()
}

/// Returns an array repeated along new leading axes.
fn expanded(x: &Value, sizes: &[usize]) -> Result<Value, Fault> {
    let own = shape(x);
    ensure(sizes.ends_with(&own), "shape-mismatch", || {
        format!("cannot combine arrays of shapes {own:?} and {sizes:?}")
    })?;
    if own.len() == sizes.len() {
        return Ok(x.clone());
    }
    spread(x, sizes, &(sizes.len() - own.len()..sizes.len()).collect::<Vec<_>>())
}

fn converted(x: &Value, to: Element) -> Result<Value, Fault> {
    let base = x.as_array().ok_or_else(|| not_arrays(std::slice::from_ref(x)))?;
    let data = match (base.element(), to) {
        (from, to) if from == to => return Ok(x.clone()),
        (from, to) if from.is_float() && to.is_float() => return cast(to, x),
        (_, Element::I1) => Data::I1(base.to_f64().into_iter().map(|x| x != 0.0).collect()),
        (from, Element::I64) if from.is_float() => Data::I64(base.to_f64().into_iter().map(|x| x as i64).collect()),
        (from, to) if !from.is_float() && !to.is_float() => Data::of_integers(to, scalar::integers(&base)),
        (from, to) if to.is_float() || from == Element::I1 => Data::of_f64(to, base.to_f64()),
        _ => return Err(Fault::new("type-mismatch", format!("cannot convert {} to {to}", x.kind()))),
    };
    Ok(Value::array(Array::new(base.shape().to_vec(), data)))
}

/// Checks for a single number of this type.
fn is_number(x: &Value, element: Element) -> bool {
    x.element() == Some(element) && x.as_array().is_some_and(|x| x.rank() == 0)
}

/// Returns the comparison of an integer with a float by their exact values.
fn compared(name: &str, order: Option<Ordering>) -> Value {
    Value::bool(match order {
        None => name == "ne",
        Some(Ordering::Less) => matches!(name, "lt" | "le" | "ne"),
        Some(Ordering::Equal) => matches!(name, "le" | "ge" | "eq"),
        Some(Ordering::Greater) => matches!(name, "gt" | "ge" | "ne"),
    })
}

/// Returns the order of an integer and a float.
fn order(n: &Value, x: &Value) -> Result<Option<Ordering>, Fault> {
    let (n, x) = (super::ops::integer(n)?, numbers(x)?.to_f64()[0]);
    let two_63 = 2f64.powi(63);
    Ok(match x {
        _ if x.is_nan() => None,
        _ if x >= two_63 => Some(Ordering::Less),
        _ if x < -two_63 => Some(Ordering::Greater),
        _ => Some(n.cmp(&(x.floor() as i64)).then(if x.fract() == 0.0 { Ordering::Equal } else { Ordering::Less })),
    })
}

/// Returns an operation on the bits of integers or Booleans.
fn bitwise(x: &[Value], f: fn(i64, i64) -> i64) -> Result<Value, Fault> {
    let x = promoted(x, Element::I1)?;
    let (a, b) = (numbers(&x[0])?, numbers(&x[1])?);
    ensure(!a.element().is_float(), "type-mismatch", || "bit operations take integers and Booleans")?;
    let bits = scalar::integers(&a).into_iter().zip(scalar::integers(&b)).map(|(a, b)| f(a, b));
    // The last bit of a Boolean.
    let mask = if a.element() == Element::I1 { 1 } else { -1 };
    Ok(Value::array(Array::new(a.shape().to_vec(), Data::of_integers(a.element(), bits.map(|x| x & mask)))))
}

fn shifted(x: &[Value], f: fn(i64, i64) -> i64) -> Result<Value, Fault> {
    let x = promoted(x, Element::I64)?;
    ensure(!x[0].is_float(), "type-mismatch", || "bit operations take integers and Booleans")?;
    let n = scalar::integers(&*numbers(&x[1])?);
    ensure(n.iter().all(|n| *n >= 0), "negative-shift", || "the count of a shift must not be negative")?;
    bitwise(&x, f)
}

fn divided(name: &str, x: &[Value]) -> Result<Value, Fault> {
    if x[0].is_float() {
        let (a, b) = (numbers(&x[0])?, numbers(&x[1])?);
        let all = a.to_f64().into_iter().zip(b.to_f64());
        if name == "floordiv" {
            return Ok(Value::array(a.with_f64(all.map(|(x, y)| floored(x, y)))));
        }
        // The remainder differs from that of truncation by the divisor or by nothing.
        let rest = named(Kind::ArithRemf.name(), &[&x[0], &x[1]])?;
        let differs: Vec<bool> = all.map(|(x, y)| (x % y != 0.0) && (x % y < 0.0) != (y < 0.0)).collect();
        return add(&rest, &keep(&differs, &x[1])?);
    }
    let (a, b) = (numbers(&x[0])?, numbers(&x[1])?);
    ensure(scalar::integers(&b).iter().all(|b| *b != 0), "division-by-zero", || "an integer is divided by zero")?;
    let divide = if name == "floordiv" { crate::array::eval::div } else { crate::array::eval::modulo };
    Ok(Value::array(divide(&a, &b)?))
}

/// Returns the quotient, rounded down: that of the number before x that y divides, which is the nearest integer.
fn floored(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return x / y;
    }
    let rest = x % y;
    let is_below = rest != 0.0 && (rest < 0.0) != (y < 0.0);
    let quotient = (x - rest) / y - if is_below { 1.0 } else { 0.0 };
    let nearest = if quotient - quotient.floor() > 0.5 { quotient.ceil() } else { quotient.floor() };
    if nearest == 0.0 { 0f64.copysign(x / y) } else { nearest }
}

/// Returns the quotient, rounded up, as an integer.
fn quotient_up(x: &[Value]) -> Result<Value, Fault> {
    if x[0].is_float() {
        let quotient = numbers(&named(Kind::ArithDivf.name(), &[&x[0], &x[1]])?)?;
        let up = Value::array(quotient.with_f64(quotient.to_f64().into_iter().map(f64::ceil)));
        return converted(&up, Element::I64);
    }
    let negative = |x: &Value| {
        let x = numbers(x)?;
        Ok::<_, Fault>(Value::array(Array::new(
            x.shape().to_vec(),
            Data::of_integers(x.element(), scalar::integers(&x).into_iter().map(i64::wrapping_neg)),
        )))
    };
    converted(&negative(&divided("floordiv", &[negative(&x[0])?, x[1].clone()])?)?, Element::I64)
}

fn power(x: &[Value]) -> Result<Value, Fault> {
    let x = promoted(x, Element::I64)?;
    if x[0].is_float() {
        return named(Kind::MathPowf.name(), &[&x[0], &x[1]]);
    }
    let (a, b) = (numbers(&x[0])?, numbers(&x[1])?);
    let exponents = scalar::integers(&b);
    ensure(exponents.iter().all(|b| *b >= 0), "negative-exponent", || "an integer has a negative exponent")?;
    let powers = scalar::integers(&a).into_iter().zip(exponents).map(|(a, b)| a.wrapping_pow(b as u32)).collect();
    Ok(Value::array(Array::new(a.shape().to_vec(), Data::I64(powers))))
}

fn chosen(condition: &Value, a: &Value, b: &Value) -> Result<Value, Fault> {
    let condition = numbers(condition)?;
    let x = promoted(&[a.clone(), b.clone()], Element::I1)?;
    let sizes = [condition.shape().to_vec(), shape(&x[0])].into_iter().max_by_key(Vec::len).expect("two shapes");
    let mask = numbers(&expanded(&Value::Array(condition), &sizes)?)?;
    let mask: Vec<bool> = mask.to_f64().into_iter().map(|c| c != 0.0).collect();
    select(&mask, &expanded(&x[0], &sizes)?, &expanded(&x[1], &sizes)?)
}

/// Returns the number of values of a tuple or list, or of rows of an array.
fn length(of: &Value) -> Result<Value, Fault> {
    Ok(Value::i64(match of {
        Value::Tuple(parts) => parts.len() as i64,
        Value::List(list) => list.len() as i64,
        _ => *numbers(of)?.shape().first().ok_or_else(|| Fault::expected("an array, a list or a tuple", of))? as i64,
    }))
}

fn item(of: &Value, at: &Value) -> Result<Value, Fault> {
    let (all, k) = (rows(of)?, super::ops::integer(at)?);
    let from_end = if k < 0 { k + all.len() as i64 } else { k };
    let found = usize::try_from(from_end).ok().and_then(|k| all.get(k)).cloned();
    let n = all.len();
    found.ok_or_else(|| Fault::new("index-out-of-bounds", format!("index {k} must be at least 0 and below {n}")))
}

fn unpacked(of: &Value, n: &Value) -> Result<Value, Fault> {
    let (n, found) = (super::ops::integer(n)?, super::ops::integer(&length(of)?)?);
    ensure(n == found, "shape-mismatch", || format!("expected {}, found {found}", count(n, "value")))?;
    Ok(of.clone())
}

/// Returns the zero of the elements of an array, a list or a tuple.
fn zero(of: &Value) -> Result<Value, Fault> {
    let element = match of {
        Value::List(_) | Value::Tuple(_) => rows(of)?.first().and_then(Value::element).unwrap_or(Element::I64),
        _ => numbers(of)?.element(),
    };
    converted(&Value::i64(0), if element == Element::I1 { Element::I64 } else { element })
}
