//! The operations on arrays of floats that can be recorded on a tape, and the cotangents of their operands. There are
//! only three kinds: elementwise functions, moving elements, and adding elements. All other operations are combinations
//! of these. The transpose of each operation is such a combination too, so derivatives of any order can be computed.

use super::Fault;
use super::rules;
use super::tape::{Entry, Tape};
use super::value::Value;
use crate::array::eval as arrays;
use crate::eval::scalar;
use crate::limits::allocatable;
use crate::ops::Kind;
use crate::value::{Array, Data, Element};
use std::rc::Rc;

#[derive(Clone)]
pub enum Primitive {
    /// An elementwise function, by the name of the op of `arith` or `math`, or by that of `lambda.prim`.
    Elementwise(&'static str),
    /// Each element of the result is an element of an operand, or zero.
    Pick(Rc<Pick>),
    /// Each element of the operand is added to an element of the result.
    Scatter(Rc<Scatter>),
    /// A conversion to a float of another width.
    Cast(Element),
}

pub struct Pick {
    pub shape: Vec<usize>,
    /// For each element of the result, the operand and the element of it, in row-major order.
    pub from: Vec<Option<(usize, usize)>>,
}

pub struct Scatter {
    pub shape: Vec<usize>,
    /// For each element of the operand, the element of the result to which it is added, if any.
    pub to: Vec<Option<usize>>,
}

impl Primitive {
    fn evaluate(&self, x: &[Rc<Array>]) -> Result<Array, Fault> {
        match self {
            Primitive::Elementwise(name) => elementwise(name, x),
            Primitive::Pick(pick) => {
                let element = x[0].element();
                let mut starts = Vec::new();
                // The element for positions without a source is at the beginning.
                let mut all = Data::zeros(element, 1);
                for x in x {
                    starts.push(all.len());
                    all = all.followed_by(x.data());
                }
                let order: Vec<usize> = pick.from.iter().map(|from| from.map_or(0, |(k, i)| starts[k] + i)).collect();
                Ok(Array::new(pick.shape.clone(), arrays::picked(&all, &order)))
            }
            Primitive::Scatter(scatter) => {
                let element = x[0].element();
                let parts = Array::clone(&x[0]).converted(element.arithmetic());
                let mut z = Array::zeros(parts.element(), &[scatter.shape.iter().product()]);
                for (i, to) in scatter.to.iter().enumerate() {
                    if let Some(to) = to {
                        let one = Array::new(vec![], arrays::picked(parts.data(), &[i]));
                        arrays::add_at(&mut z, &[*to as i64], &one)?;
                    }
                }
                Ok(arrays::reshape(&z.converted(element), &scatter.shape)?)
            }
            Primitive::Cast(element) => Ok(Array::new(x[0].shape().to_vec(), Data::of_f64(*element, x[0].to_f64()))),
        }
    }

    /// Returns the cotangent of operand `k`, given that of the result.
    pub fn transpose(&self, x: &[Value], y: &Value, ct: &Value, k: usize) -> Result<Value, Fault> {
        match self {
            Primitive::Elementwise(name) => rules::transpose(name, x, y, ct, k),
            Primitive::Pick(pick) => {
                let to = pick.from.iter().map(|from| from.filter(|(n, _)| *n == k).map(|(_, i)| i)).collect();
                scatter(Scatter { shape: shape(&x[k]), to }, ct)
            }
            Primitive::Scatter(scatter) => {
                let from = scatter.to.iter().map(|to| to.map(|to| (0, to))).collect();
                pick(Pick { shape: shape(&x[k]), from }, std::slice::from_ref(ct))
            }
            Primitive::Cast(_) => cast(x[k].element().unwrap_or(Element::F64), ct),
        }
    }

    /// Returns the result if an operand is a strong zero and the operation is linear in it.
    fn absorbed(&self, x: &[Value]) -> Option<Result<Value, Fault>> {
        let zero = |k: usize| matches!(x[k], Value::Zero(_));
        match self {
            Primitive::Elementwise(name) => match Kind::by_name(name) {
                Kind::ArithAddf if zero(0) => Some(Ok(x[1].clone())),
                Kind::ArithAddf | Kind::ArithSubf if zero(1) => Some(Ok(x[0].clone())),
                Kind::ArithSubf if zero(0) => Some(neg(&x[1])),
                Kind::ArithMulf if zero(1) => Some(Ok(x[1].clone())),
                Kind::ArithMulf | Kind::ArithDivf | Kind::ArithNegf if zero(0) => Some(Ok(x[0].clone())),
                _ => None,
            },
            Primitive::Pick(_) | Primitive::Scatter(_) | Primitive::Cast(_) if (0..x.len()).all(zero) => {
                let bases: Vec<Rc<Array>> = x.iter().filter_map(Value::as_array).collect();
                Some(self.evaluate(&bases).map(|z| Value::Zero(Rc::new(z))))
            }
            _ => None,
        }
    }
}

/// Returns the result of an operation on floats, recorded on the tapes of traced operands.
pub fn apply(primitive: &Primitive, x: &[Value]) -> Result<Value, Fault> {
    if let Primitive::Elementwise(name) = primitive {
        same_shapes(name, x)?;
    }
    if let Some(z) = primitive.absorbed(x) {
        return z;
    }
    let innermost = x.iter().filter_map(tape).max_by_key(|tape| tape.level);
    let Some(tape) = innermost else { return Ok(Value::array(primitive.evaluate(&bases(x)?)?)) };
    let nodes: Vec<Option<usize>> = x.iter().map(|v| tape.node(v)).collect();
    let inputs: Vec<Value> = x.iter().map(|v| primal(v, &tape)).collect();
    let output = apply(primitive, &inputs)?;
    Ok(tape.push(Entry { primitive: Some(primitive.clone()), inputs, nodes, output }))
}

/// Returns the numbers of values that must be arrays.
pub fn bases(x: &[Value]) -> Result<Vec<Rc<Array>>, Fault> {
    x.iter().map(Value::as_array).collect::<Option<_>>().ok_or_else(|| not_arrays(x))
}

/// Returns the numbers of a value that must be an array.
pub fn numbers(x: &Value) -> Result<Rc<Array>, Fault> {
    x.as_array().ok_or_else(|| not_arrays(std::slice::from_ref(x)))
}

pub fn not_arrays(x: &[Value]) -> Fault {
    let kinds: Vec<String> = x.iter().map(Value::kind).collect();
    Fault::new("type-mismatch", format!("expected arrays or scalars, found {}", kinds.join(", ")))
}

fn tape(v: &Value) -> Option<Rc<Tape>> {
    match v {
        Value::Traced(t) => Some(t.tape.clone()),
        _ => None,
    }
}

fn primal(v: &Value, tape: &Tape) -> Value {
    match v {
        Value::Traced(t) if t.tape.level == tape.level => t.primal.clone(),
        // Strong zeros that no rule has eliminated are zeros.
        Value::Zero(x) => Value::Array(x.clone()),
        _ => v.clone(),
    }
}

fn same_shapes(name: &str, x: &[Value]) -> Result<(), Fault> {
    let bases = bases(x)?;
    if let Some(odd) = bases.iter().find(|y| y.rank() != bases[0].rank()) {
        let text = format!("operands must have the same type, found {} and {}", bases[0].type_text(), odd.type_text());
        return Err(Fault::new("rank-mismatch", text));
    }
    if let Some(odd) = bases.iter().find(|y| y.shape() != bases[0].shape()) {
        let text = format!("operands must have the same shape, found {:?} and {:?}", bases[0].shape(), odd.shape());
        return Err(Fault::new("shape-mismatch", text));
    }
    let is_same = |y: &Rc<Array>| y.element() == bases[0].element() || name == Kind::MathFpowi.name();
    match bases.iter().find(|y| !is_same(y)) {
        Some(odd) => {
            let text =
                format!("operands must have the same type, found {} and {}", bases[0].type_text(), odd.type_text());
            Err(Fault::new("type-mismatch", text))
        }
        None => Ok(()),
    }
}

/// Returns the result of an elementwise primitive at arrays.
pub fn elementwise(name: &str, x: &[Rc<Array>]) -> Result<Array, Fault> {
    let mapped = |f: fn(f64) -> f64| Ok(scalar::map_float(&x[0], f)?);
    match name {
        "sigmoid" => mapped(|x| 1.0 / (1.0 + (-x).exp())),
        "relu" => mapped(|x| if x > 0.0 { x } else { 0.0 }),
        _ => match scalar::named(name, x) {
            Some(z) => Ok(z?),
            None => Err(Fault::new("", format!("unknown operation `{name}`"))),
        },
    }
}

pub fn shape(v: &Value) -> Vec<usize> {
    v.as_array().map_or(Vec::new(), |x| x.shape().to_vec())
}

pub fn named(name: &'static str, x: &[&Value]) -> Result<Value, Fault> {
    let x: Vec<Value> = x.iter().copied().cloned().collect();
    apply(&Primitive::Elementwise(name), &x)
}

pub fn add(a: &Value, b: &Value) -> Result<Value, Fault> {
    named(Kind::ArithAddf.name(), &[a, b])
}

pub fn sub(a: &Value, b: &Value) -> Result<Value, Fault> {
    named(Kind::ArithSubf.name(), &[a, b])
}

pub fn mul(a: &Value, b: &Value) -> Result<Value, Fault> {
    named(Kind::ArithMulf.name(), &[a, b])
}

pub fn div(a: &Value, b: &Value) -> Result<Value, Fault> {
    named(Kind::ArithDivf.name(), &[a, b])
}

pub fn neg(a: &Value) -> Result<Value, Fault> {
    named(Kind::ArithNegf.name(), &[a])
}

pub fn cast(element: Element, a: &Value) -> Result<Value, Fault> {
    apply(&Primitive::Cast(element), std::slice::from_ref(a))
}

pub fn pick(pick: Pick, x: &[Value]) -> Result<Value, Fault> {
    allocatable(&pick.shape)?;
    apply(&Primitive::Pick(Rc::new(pick)), x)
}

pub fn scatter(to: Scatter, x: &Value) -> Result<Value, Fault> {
    apply(&Primitive::Scatter(Rc::new(to)), std::slice::from_ref(x))
}

/// Returns the constant `c` everywhere, of the kind and shape of `like`.
pub fn constant(like: &Value, c: f64) -> Value {
    let element = like.element().unwrap_or(Element::F64);
    Value::array(arrays::filled(element, &shape(like), c))
}

/// Returns `a` where `mask` is true, else `b`.
pub fn select(mask: &[bool], a: &Value, b: &Value) -> Result<Value, Fault> {
    let from = mask.iter().enumerate().map(|(i, &m)| Some((if m { 0 } else { 1 }, i))).collect();
    pick(Pick { shape: shape(a), from }, &[a.clone(), b.clone()])
}

/// Returns `a` where `mask` is true, else zero.
pub fn keep(mask: &[bool], a: &Value) -> Result<Value, Fault> {
    let from = mask.iter().enumerate().map(|(i, &m)| m.then_some((0, i))).collect();
    pick(Pick { shape: shape(a), from }, std::slice::from_ref(a))
}

/// Returns the sum over `axes`.
pub fn sum(x: &Value, axes: &[usize]) -> Result<Value, Fault> {
    let (shape, to) = groups(&shape(x), axes);
    scatter(Scatter { shape, to: to.into_iter().map(Some).collect() }, x)
}

pub fn sum_all(x: &Value) -> Result<Value, Fault> {
    sum(x, &(0..shape(x).len()).collect::<Vec<_>>())
}

/// Returns the shape without `axes`, and for each element its position in that shape.
pub fn groups(shape: &[usize], axes: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let kept = |of: &[usize]| -> Vec<usize> {
        of.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, &n)| n).collect()
    };
    let rest = kept(shape);
    let to = arrays::positions(shape).map(|p| kept(&p).iter().zip(&rest).fold(0, |s, (&i, &n)| s * n + i));
    let to = to.collect();
    (rest, to)
}

/// Returns the maximum (`greatest`) or the minimum along `axes`; of equal elements the first counts.
pub fn winners(x: &Value, axes: &[usize], greatest: bool) -> Result<Value, Fault> {
    let base = numbers(x)?;
    let numbers = base.to_f64();
    let (shape, to) = groups(base.shape(), axes);
    let mut from: Vec<Option<(usize, usize)>> = vec![None; shape.iter().product()];
    for (i, &group) in to.iter().enumerate() {
        let ahead = |best: usize| {
            let stays = if greatest { numbers[best] >= numbers[i] } else { numbers[best] <= numbers[i] };
            if stays { best } else { i }
        };
        from[group] = Some((0, from[group].map_or(i, |(_, best)| ahead(best))));
    }
    pick(Pick { shape, from }, std::slice::from_ref(x))
}

/// Returns the product over `axes`, as a chain of products, which is correct with zeros too.
pub fn product(x: &Value, axes: &[usize]) -> Result<Value, Fault> {
    let (shape, to) = groups(&shape(x), axes);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); shape.iter().product()];
    to.iter().enumerate().for_each(|(i, &group)| members[group].push(i));
    let like = Value::array(Array::zeros(x.element().unwrap_or(Element::F64), &shape));
    let mut z = constant(&like, 1.0);
    for k in 0..members.first().map_or(0, Vec::len) {
        let from = members.iter().map(|m| Some((0, m[k]))).collect();
        z = mul(&z, &pick(Pick { shape: shape.clone(), from }, std::slice::from_ref(x))?)?;
    }
    Ok(z)
}

/// Returns the result of an op, with the meaning `f`, that moves elements of its float operands without computing. If
/// an operand is traced, `f` is run on positions in place of numbers, to determine the source of each element.
pub fn arranged(f: impl Fn(&[Rc<Array>]) -> Result<Array, Fault>, x: &[Value]) -> Result<Value, Fault> {
    let bases = bases(x)?;
    if x.iter().all(|v| matches!(v, Value::Array(_))) {
        return Ok(Value::array(f(&bases)?));
    }
    // Position 0 stands for no source; the positions of the float operands are consecutive.
    let (mut numbered, mut owners) = (bases.clone(), vec![None]);
    let mut floats: Vec<Value> = Vec::new();
    for (k, base) in bases.iter().enumerate().filter(|(_, base)| base.element().is_float()) {
        let start = owners.len();
        owners.extend((0..base.len()).map(|i| Some((floats.len(), i))));
        floats.push(x[k].clone());
        numbered[k] = Rc::new(base.with_f64((start..owners.len()).map(|i| i as f64)));
    }
    let inexact = bases.iter().find_map(|b| {
        let bits = match b.element() {
            Element::BF16 => 8,
            Element::F16 => 11,
            Element::F32 => 24,
            _ => return None,
        };
        (owners.len() >> bits > 0).then(|| (b.element(), bits))
    });
    if let Some((element, bits)) = inexact {
        let text = format!("cannot differentiate this op on 2^{bits} or more elements of {element}; use f64");
        return Err(Fault::new("", format!("not supported: the evaluator {text}")));
    }
    let z = f(&numbered)?;
    let from = z.to_f64().into_iter().map(|i| owners[i as usize]).collect();
    pick(Pick { shape: z.shape().to_vec(), from }, &floats)
}
