//! Evaluation of ops on arrays and of random numbers. Arrays may be *traced*, that is, recorded on a tape for a
//! derivative (`tape.rs`).

use super::ops::integer;
use super::primitive::{
    Pick, Primitive, add, apply, arranged, cast, keep, mul, named, not_arrays, pick, product, shape, sum, winners,
};
use super::rules::{STEPS, is_smooth};
use super::value::Value;
use super::{Fault, base, ensure};
use crate::array::eval as arrays;
use crate::eval::{bulk, scalar};
use crate::ir::{Attribute, Op};
use crate::lambda::structure::Structure;
use crate::lambda::{TypeKind, philox};
use crate::limits::allocatable;
use crate::ops::array::ArrayOp;
use crate::ops::{HasKind, Kind};
use crate::text::count;
use crate::value::{Array, Data, Element};
use std::rc::Rc;

/// Checks whether an op of `array` moves elements without computing. [`evaluate`] differentiates the other ones that
/// are not loops, or reports that it cannot.
fn moves(op: ArrayOp) -> bool {
    use ArrayOp::*;
    match op {
        Get(_) | Replicate(_) | Transpose(_) | Reshape(_) | Stack(_) | Append(_) | Slice(_) | Reverse(_)
        | OneHot(_) => true,
        Sum(_) | Prod(_) | Max(_) | Min(_) | Argmax(_) | Argmin(_) | Length(_) | Iota(_) | Div(_) | Mod(_)
        | Floor(_) | Check(_) | SameSize(_) | Build(_) | Ifold(_) | Fold(_) | MapAccum(_) | Gather(_) | Scatter(_)
        | Vmap(_) | Yield(_) => false,
    }
}

/// Ops of other dialects that move elements without computing.
const MOVES: &[Kind] = &[
    Kind::ArithSelect,
    Kind::TensorExtract,
    Kind::TensorInsert,
    Kind::TensorFromElements,
    Kind::TensorSplat,
    Kind::TensorCast,
    Kind::TensorCollapseShape,
    Kind::TensorExpandShape,
    Kind::TensorReshape,
    Kind::TensorExtractSlice,
    Kind::TensorInsertSlice,
    Kind::TensorConcat,
];

/// Returns the result of an op without a region, of another dialect.
pub fn evaluate(op: Op, x: &[Value]) -> Result<Value, Fault> {
    if op.num_results() != 1 {
        return Err("not supported: the evaluator does not implement this op".into());
    }
    if let Some(odd) = x.iter().find(|v| base(v).is_none()) {
        return Err(not_arrays(std::slice::from_ref(odd)));
    }
    let kind = op.kind();
    if is_smooth(kind) {
        return apply(&Primitive::Elementwise(kind.name()), x);
    }
    let plain = || {
        let bases: Vec<Rc<Array>> = x.iter().filter_map(Value::as_array).collect();
        Ok::<Value, Fault>(Value::array(bulk::evaluate(op, &bases)?))
    };
    let varies = x.iter().any(|v| matches!(v, Value::Traced(_)));
    let is_float = op.result(0).ty().element().is_some_and(Element::is_float);
    let is_zero = x.iter().any(|v| matches!(v, Value::Zero(_)));
    if kind == Kind::TensorCast && varies {
        let declared = Structure::of_type(op.operand(0).ty());
        if !declared.is_general() && Structure::of_type(op.result(0).ty()).is_general() {
            return projected(declared, &x[0]);
        }
    }
    let moves = MOVES.contains(&kind) || ArrayOp::of(op).is_some_and(moves);
    if moves && is_float && (varies || is_zero) {
        return arranged(|x| Ok(bulk::evaluate(op, x)?), x);
    }
    // The result of a linear op on a strong zero is a strong zero.
    let stays_zero = is_zero && matches!(kind, Kind::ArraySum | Kind::ArithExtf | Kind::ArithTruncf);
    if !is_float || STEPS.contains(&kind) || !varies && !stays_zero {
        return plain();
    }
    let axes = || {
        let axes = op.attribute("axes").and_then(Attribute::as_i64_array).unwrap_or_else(|| vec![0]);
        axes.into_iter().map(|axis| axis as usize).collect::<Vec<_>>()
    };
    match kind {
        Kind::ArraySum => sum(&x[0], &axes()),
        Kind::ArrayMax => winners(&x[0], &axes(), true),
        Kind::ArrayMin => winners(&x[0], &axes(), false),
        Kind::ArrayProd => product(&x[0], &axes()),
        Kind::MathFma => add(&mul(&x[0], &x[1])?, &x[2]),
        Kind::ArithExtf | Kind::ArithTruncf => cast(op.result(0).ty().element().unwrap_or(Element::F64), &x[0]),
        Kind::DualStopGradient => plain(),
        Kind::MathCopysign => {
            let one = super::primitive::constant(&x[0], 1.0);
            let sign = |v: &Value| named(Kind::MathCopysign.name(), &[&one, &stopped(v)]);
            mul(&x[0], &mul(&sign(&x[0])?, &sign(&x[1])?)?)
        }
        _ => Err(Fault::new("no-backpropagator", "this op has no derivative")),
    }
}

/// Returns a matrix with its declared structure. The value must have it, and its cotangent is projected to it
/// (`spec/functional.md` A.7).
fn projected(declared: Structure, x: &Value) -> Result<Value, Fault> {
    let [rows, columns] = shape(x)[..] else { return Err(not_arrays(std::slice::from_ref(x))) };
    let places = || (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let mask: Vec<bool> = places().map(|(i, j)| declared.may_hold(i as i64, j as i64)).collect();
    let kept = keep(&mask, x)?;
    if !declared.symmetric || declared.is_diagonal() {
        return Ok(kept);
    }
    let from = places().map(|(i, j)| Some((0, j * columns + i))).collect();
    let transposed = pick(Pick { shape: vec![rows, columns], from }, std::slice::from_ref(&kept))?;
    let sum = add(&kept, &transposed)?;
    mul(&super::primitive::constant(&sum, 0.5), &sum)
}

fn stopped(v: &Value) -> Value {
    v.as_array().map_or(Value::Unit, Value::Array)
}

/// Evaluates `lambda.aget`, `lambda.aset`, `lambda.slice_get` and `lambda.slice_set`.
pub fn access(op: Op, name: &str, x: &[Value]) -> Result<Value, Fault> {
    let sets = name.ends_with("set");
    let (indices, value) = x[1..].split_at(x.len() - 1 - sets as usize);
    let indices: Vec<i64> = indices.iter().map(integer).collect::<Result<_, _>>()?;
    let Some(array) = base(&x[0]) else { return Err(not_arrays(&x[..1])) };
    let strides = op.attribute("strides").and_then(Attribute::as_i64_array).unwrap_or_default();
    let is_slice = name.starts_with("slice");
    let (rank, given) = (array.rank(), indices.len());
    let is_one_per_axis = given == rank && strides.len() == rank && strides.iter().all(|s| *s >= 1);
    ensure(!is_slice || is_one_per_axis, "rank-mismatch", || {
        let (found, axes) = (count(given, "begin"), count(rank, "axis"));
        format!(
            "expected one begin and one stride per axis, found {found} and strides {strides:?} for an array of {axes}"
        )
    })?;
    ensure(given <= rank, "rank-mismatch", || {
        let (indices, axes) = (count(given, "index"), count(rank, "axis"));
        format!("expected at most one index per axis, found {indices} into an array of {axes}")
    })?;
    let sizes = array.shape();
    let part: Vec<usize> = match name {
        "aget" | "aset" => sizes[indices.len()..].to_vec(),
        "slice_set" => shape(&value[0]),
        _ => {
            // If the type leaves a size open, the slice extends to the end of the array.
            let ends = sizes.iter().zip(&indices).zip(&strides);
            let room = ends.map(|((&n, &b), &s)| ((n as i64 - b).max(0) as usize).div_ceil(s.max(1) as usize));
            let known = op.result(0).ty().shape().into_iter().chain(std::iter::repeat(None));
            room.zip(known).map(|(room, known)| known.unwrap_or(room)).collect()
        }
    };
    ensure(!is_slice || part.len() == sizes.len(), "rank-mismatch", || {
        format!("expected a slice with as many axes as the array of shape {sizes:?}, found a slice of shape {part:?}")
    })?;
    let places = places(sizes, &indices, &part, if is_slice { Some(&strides) } else { None })?;
    if !sets {
        allocatable(&part)?;
        return arranged(|x| Ok(Array::new(part.clone(), arrays::picked(x[0].data(), &places))), &x[..1]);
    }
    ensure(shape(&value[0]) == part, "shape-mismatch", || {
        format!("expected a value of shape {part:?}, found shape {:?}", shape(&value[0]))
    })?;
    ensure(value[0].element() == x[0].element(), "type-mismatch", || {
        format!("cannot store a value of type {} in {}", value[0].kind(), x[0].kind())
    })?;
    arranged(|x| Ok(arrays::overwritten(&x[0], &places, &x[1])), &[x[0].clone(), value[0].clone()])
}

/// Returns the positions of the elements of a part in an array of these sizes, in row-major order. The part is the
/// subarray at an index or, with strides, a slice.
fn places(sizes: &[usize], begins: &[i64], part: &[usize], strides: Option<&[i64]>) -> Result<Vec<usize>, Fault> {
    let outside = |position: &[i64]| {
        let text = format!("position {position:?} is out of range in an array of shape {sizes:?}");
        Fault::new("index-out-of-bounds", text)
    };
    let Some(strides) = strides else {
        let len: usize = part.iter().product();
        let row = arrays::offset(begins, sizes).ok_or_else(|| outside(begins))?;
        return Ok((row * len..(row + 1) * len).collect());
    };
    let place = |position: Vec<usize>| {
        let steps = begins.iter().zip(strides).zip(&position);
        let position: Vec<i64> = steps.map(|((&b, &s), &i)| b.saturating_add((i as i64).saturating_mul(s))).collect();
        arrays::offset(&position, sizes).ok_or_else(|| outside(&position))
    };
    arrays::positions(part).map(place).collect()
}

/// Evaluates `lambda.rng.*`.
pub fn random(op: Op, name: &str, x: &[Value]) -> Result<Value, Fault> {
    if name == "rng.seed" {
        return Ok(Value::Rng(Rc::new(philox::State::new(integer(&x[0])? as u64))));
    }
    let Value::Rng(state) = &x[0] else { return Err(Fault::expected("a state of random numbers", &x[0])) };
    if name == "rng.split" {
        let Some((left, right)) = state.split() else {
            return Err(Fault::new("", format!("must split a state at most {} times", philox::SPLITS)));
        };
        return Ok(Value::tuple([left, right].into_iter().map(|s| Value::Rng(Rc::new(s))).collect()));
    }
    let TypeKind::Tuple(parts) = TypeKind::of(op.result(0).ty()) else {
        return Err("not supported: random numbers must not have an open type; state their type".into());
    };
    let shape: Option<Vec<usize>> = parts[0].shape().into_iter().collect();
    let (Some(shape), Some(element)) = (shape, parts[0].element()) else {
        return Err("not supported: random numbers must have static sizes".into());
    };
    allocatable(&shape)?;
    let n = shape.iter().product();
    let normal = name == "rng.normal";
    let (data, next) = match element {
        Element::F32 => {
            let (numbers, next) = if normal { state.normal_f32(n) } else { state.uniform_f32(n) };
            (Data::F32(numbers), next)
        }
        _ => {
            let (numbers, next) = if normal { state.normal(n) } else { state.uniform(n) };
            (Data::F64(numbers), next)
        }
    };
    Ok(Value::tuple(vec![Value::array(Array::new(shape, data)), Value::Rng(Rc::new(next))]))
}

/// Returns an integer scalar of the element type of `like`.
pub fn integer_like(like: &Value, x: i64) -> Value {
    Value::array(scalar::integer(like.element().unwrap_or(Element::I64), x))
}
