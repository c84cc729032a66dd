//! The meaning of terms: a slow and obvious evaluator, with which tests compare every rule and placement.

use super::data;
use super::op::{Op, Reduction};
use super::pool::Pool;
use super::prim::{self, Scalar};
use egg::Id;
use mlopt_dialects::value::Element;
use std::collections::HashMap;
use std::rc::Rc;

/// A scalar, an array of rows, data, or any number of operands of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Scalar),
    Rows(Rc<Vec<Value>>),
    Tuple(Rc<Vec<Value>>),
    Many(Rc<Vec<Value>>),
}

impl Value {
    pub fn f64(x: f64) -> Value {
        Value::Scalar(Scalar::F(x))
    }

    pub fn vector(x: &[f64]) -> Value {
        Value::Rows(Rc::new(x.iter().map(|&x| Value::f64(x)).collect()))
    }

    pub fn rows(x: Vec<Value>) -> Value {
        Value::Rows(Rc::new(x))
    }

    fn scalar(&self) -> Scalar {
        match self {
            Value::Scalar(s) => *s,
            _ => Scalar::Poison,
        }
    }

    /// Checks equality up to a relative rounding error. NaN equals NaN; poison equals nothing.
    pub fn close(&self, other: &Value, tolerance: f64) -> bool {
        match (self, other) {
            (Value::Scalar(Scalar::F(a)), Value::Scalar(Scalar::F(b))) => {
                let is_near = || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()));
                // An infinite error bound would accept any value.
                a == b || (a.is_nan() && b.is_nan()) || (a.is_finite() && b.is_finite() && is_near())
            }
            (Value::Scalar(Scalar::I(a)), Value::Scalar(Scalar::I(b))) => a == b,
            (Value::Rows(a), Value::Rows(b))
            | (Value::Tuple(a), Value::Tuple(b))
            | (Value::Many(a), Value::Many(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.close(b, tolerance))
            }
            _ => false,
        }
    }

    /// Checks whether any of its floats is `such`.
    pub fn any(&self, such: &dyn Fn(f64) -> bool) -> bool {
        match self {
            Value::Scalar(Scalar::F(x)) => such(*x),
            Value::Scalar(_) => false,
            Value::Rows(r) | Value::Tuple(r) | Value::Many(r) => r.iter().any(|x| x.any(such)),
        }
    }

    pub fn is_poison(&self) -> bool {
        match self {
            Value::Scalar(s) => *s == Scalar::Poison,
            Value::Rows(r) | Value::Tuple(r) | Value::Many(r) => r.iter().any(Value::is_poison),
        }
    }
}

/// The value of a bound variable. The stamp identifies the binding, so that results can be memoised.
#[derive(Clone)]
struct Binding {
    value: Value,
    stamp: u64,
}

/// The evaluator of terms of one pool for given values of the leaves.
pub struct Evaluator<'a> {
    pool: &'a Pool,
    leaves: &'a dyn Fn(u32) -> Value,
    /// Bound variables, outermost first.
    env: Vec<Binding>,
    stamps: u64,
    /// The positions and keys for which the numbers in operations on data stand; empty if they stand for themselves.
    positions: Vec<u32>,
    /// True if the terms are those of a pattern.
    is_of_pattern: bool,
    memo: HashMap<(Id, Vec<u64>), Value>,
}

impl<'a> Evaluator<'a> {
    pub fn new(pool: &'a Pool, leaves: &'a dyn Fn(u32) -> Value) -> Self {
        Evaluator { is_of_pattern: false, ..Evaluator::of_pattern(pool, leaves, &[]) }
    }

    /// Creates an evaluator of the terms of a pattern, in which positions in data are variables.
    pub fn of_pattern(pool: &'a Pool, leaves: &'a dyn Fn(u32) -> Value, positions: &[u32]) -> Self {
        Evaluator {
            pool,
            leaves,
            env: Vec::new(),
            stamps: 0,
            positions: positions.to_vec(),
            is_of_pattern: true,
            memo: HashMap::new(),
        }
    }

    /// Binds one more variable inside of the previous ones. States are one tuple.
    pub fn bind(&mut self, value: Value) {
        self.stamps += 1;
        self.env.push(Binding { value, stamp: self.stamps });
    }

    fn unbind(&mut self) {
        self.env.pop();
    }

    fn bound(&self, level: u32) -> &Binding {
        &self.env[self.env.len() - 1 - level as usize]
    }

    pub fn eval(&mut self, t: Id) -> Value {
        let free: Vec<u64> = self.pool.info(t).free.iter().map(|f| self.bound(f.level).stamp).collect();
        if let Some(v) = self.memo.get(&(t, free.clone())) {
            return v.clone();
        }
        let v = self.step(t);
        self.memo.insert((t, free), v.clone());
        v
    }

    fn int(&mut self, t: Id) -> Option<i64> {
        match self.eval(t) {
            Value::Scalar(Scalar::I(x)) => Some(x),
            _ => None,
        }
    }

    fn step(&mut self, t: Id) -> Value {
        let node = self.pool.node(t).clone();
        let poison = Value::Scalar(Scalar::Poison);
        match node.op {
            Op::Const(e, bits) => Value::Scalar(Scalar::from_bits(e, bits)),
            Op::Zero(_) => Value::f64(0.0),
            Op::One(_) => Value::f64(1.0),
            Op::Ix(l) => self.bound(l).value.clone(),
            Op::State(l, k, _) => match &self.bound(l).value {
                Value::Tuple(v) => v[k as usize].clone(),
                _ => poison,
            },
            Op::Leaf(n, ..) => (self.leaves)(n),
            Op::Dim(axis) => match length(&self.eval(node.children[0]), axis.into()) {
                Some(n) => Value::Scalar(Scalar::I(n as i64)),
                None => poison,
            },
            Op::Build => {
                let Some(n) = self.int(node.children[0]) else { return poison };
                let rows = (0..n).map(|i| self.under(Scalar::I(i), node.children[1])).collect();
                Value::rows(rows)
            }
            Op::Stack => Value::rows(operands(node.children.iter().map(|&row| self.eval(row)))),
            Op::Reduce(reduction, _) => {
                let Some(n) = self.int(node.children[0]) else { return poison };
                let element = self.pool.element(node.children[1]);
                let all: Vec<Scalar> = (0..n).map(|i| self.under(Scalar::I(i), node.children[1]).scalar()).collect();
                Value::Scalar(reduce(reduction, element, &all))
            }
            Op::Ifold(m) => {
                let m = m as usize;
                let Some(n) = self.int(node.children[0]) else { return poison };
                let mut state: Vec<Value> = node.children[1..=m].iter().map(|&z| self.eval(z)).collect();
                for i in 0..n {
                    self.bind(Value::Tuple(Rc::new(state)));
                    self.bind(Value::Scalar(Scalar::I(i)));
                    state = node.children[1 + m..].iter().map(|&b| self.eval(b)).collect();
                    self.unbind();
                    self.unbind();
                }
                Value::Tuple(Rc::new(state))
            }
            Op::Scatter(axes, _) => {
                let axes = axes as usize;
                let mut out = self.eval(node.children[0]);
                let Some(extents) = node.children[1..=axes].iter().map(|&n| self.int(n)).collect::<Option<Vec<i64>>>()
                else {
                    return poison;
                };
                let element = self.pool.element(t);
                let add = if element.is_float() { prim::Prim::AddF } else { prim::Prim::AddI };
                let total: i64 = extents.iter().map(|n| n.max(&0)).product();
                for k in 0..total {
                    let (mut rest, mut indices) = (k, vec![0; axes]);
                    for (axis, &n) in extents.iter().enumerate().rev() {
                        indices[axis] = rest % n;
                        rest /= n;
                    }
                    indices.iter().for_each(|&i| self.bind(Value::Scalar(Scalar::I(i))));
                    let (e, positions) = node.children[1 + axes..].split_last().expect("what is added comes last");
                    let positions: Option<Vec<i64>> = positions.iter().map(|&p| self.int(p)).collect();
                    let e = self.eval(*e).scalar();
                    indices.iter().for_each(|_| self.unbind());
                    let Some(positions) = positions else { return poison };
                    add_at(&mut out, &positions, &mut |x| prim::eval(add, element, &[x, e]));
                }
                out
            }
            Op::Proj(k) => match self.eval(node.children[0]) {
                Value::Tuple(v) => v[k as usize].clone(),
                _ => poison,
            },
            Op::Get => {
                let a = self.eval(node.children[0]);
                let Some(i) = self.int(node.children[1]) else { return poison };
                match a {
                    Value::Rows(r) | Value::Many(r) if i >= 0 && (i as usize) < r.len() => r[i as usize].clone(),
                    Value::Rows(_) | Value::Many(_) => self.zeros(t),
                    _ => poison,
                }
            }
            Op::Cond => match self.eval(node.children[0]) {
                // The program computes both arms; the result of the arm that is not selected is discarded.
                Value::Scalar(Scalar::I(c)) => self.eval(node.children[if c != 0 { 1 } else { 2 }]),
                _ => poison,
            },
            Op::Prim(p, _) => {
                let element = self.pool.element(node.children[0]);
                let args: Vec<Scalar> = node.children.iter().map(|&c| self.eval(c).scalar()).collect();
                Value::Scalar(prim::eval(p, element, &args))
            }
            // The same term for each number of an operand, which is a position.
            Op::Data(data::Form::Other(k), _) if (k as usize) < self.positions.len() => {
                let Some(n) = self.int(node.children[0]) else { return poison };
                let before = self.positions[k as usize];
                let operand = |number: i64| {
                    self.positions[k as usize] = number as u32;
                    self.memo.clear();
                    self.eval(node.children[1])
                };
                let all = (0..n).map(operand).collect();
                self.positions[k as usize] = before;
                self.memo.clear();
                Value::Many(Rc::new(all))
            }
            Op::Data(form, _) => {
                let args: Vec<Value> = node.children.iter().map(|&c| self.eval(c)).collect();
                self.data(form, &args).unwrap_or(poison)
            }
            // In a pattern, a map that is applied, and a function, whose last operand is its meaning.
            Op::Opaque(1, ..) if self.is_of_pattern => {
                let args: Vec<Value> = node.children.iter().map(|&c| self.eval(c)).collect();
                applied(self.pool.element(t), &args)
            }
            Op::Opaque(2.., ..) if self.is_of_pattern => node.children.last().map_or(poison, |&c| self.eval(c)),
            // In a pattern, an operation that is not known.
            Op::Opaque(..) if self.is_of_pattern => {
                let number = |x: Value| match x.scalar() {
                    Scalar::F(x) => x,
                    Scalar::I(x) => x as f64,
                    Scalar::Poison => f64::NAN,
                };
                let args = node.children.iter().map(|&c| number(self.eval(c)));
                Value::f64(args.fold(1.0, |y, x| 3.0 * y + x * x))
            }
            // Opaque ops have no meaning here; tests use leaves instead.
            Op::Opaque(..) => poison,
        }
    }

    /// Computes an operation on data: tuples are tuples, lists are rows, and an environment is a tuple with a row of
    /// one element for each key that is present. Data contain no functions, so their transforms are themselves, and
    /// negation stands for a linear operation. Returns `None` for an operation without meaning here.
    fn data(&self, form: data::Form, args: &[Value]) -> Option<Value> {
        use data::Form;
        let at = |k: u32| self.positions.get(k as usize).copied().unwrap_or(k) as usize;
        let with = |parts: &[Value], k: usize, part: Value| {
            let mut parts = parts.to_vec();
            *parts.get_mut(k)? = part;
            Some(Value::Tuple(Rc::new(parts)))
        };
        match (form, args) {
            (Form::Part(k), []) => Some(Value::Scalar(Scalar::I(at(k) as i64))),
            (Form::Part(k), [Value::Tuple(parts) | Value::Many(parts)]) => parts.get(at(k)).cloned(),
            (Form::Update(k), [Value::Tuple(parts), part]) => with(parts, at(k), part.clone()),
            (Form::Update(k), [Value::Many(parts), part]) => {
                let mut parts = parts.to_vec();
                *parts.get_mut(at(k))? = part.clone();
                Some(Value::Many(Rc::new(parts)))
            }
            (Form::Tuple, parts) => Some(Value::Tuple(Rc::new(operands(parts.iter().cloned())))),
            (Form::Transform | Form::Inverse, [x]) => Some(x.clone()),
            (Form::Zeros(_), []) => Some(Value::f64(0.0)),
            (Form::Zeros(_), [Value::Scalar(_)]) => Some(Value::f64(0.0)),
            (Form::Linear(_), [Value::Scalar(Scalar::F(x)), ..]) => Some(Value::f64(-x)),
            (Form::Read(_), [array, at @ ..]) => Some(read(array, &operands(at.iter().cloned()))),
            (Form::Write(_), [array, at @ .., x]) => Some(write(array, operands(at.iter().cloned()), x)),
            (Form::Sum, [Value::Many(a), Value::Many(b)]) => {
                let sums = a.iter().zip(b.iter()).map(|(a, b)| sum_of_data(a, b)).collect::<Option<_>>()?;
                Some(Value::Many(Rc::new(sums)))
            }
            (Form::Nil, []) => Some(Value::rows(vec![])),
            (Form::Cons, [first, Value::Rows(rest)]) => {
                Some(Value::rows(std::iter::once(first).chain(rest.iter()).cloned().collect()))
            }
            (Form::Head, [Value::Rows(list)]) => list.first().cloned(),
            (Form::Tail, [Value::Rows(list)]) => list.get(1..).map(|rest| Value::rows(rest.to_vec())),
            (Form::IsEmpty, [Value::Rows(list)]) => Some(Value::Scalar(Scalar::I(list.is_empty().into()))),
            (Form::Sum, [a, b]) => sum_of_data(a, b),
            (Form::Lookup(k), [Value::Tuple(slots), default]) => match slots.get(at(k))? {
                Value::Rows(slot) => Some(slot.first().unwrap_or(default).clone()),
                _ => None,
            },
            (Form::Insert(k), [Value::Tuple(slots), value]) => with(slots, at(k), Value::rows(vec![value.clone()])),
            (Form::EnvSum, [Value::Tuple(a), Value::Tuple(b)]) => {
                let slots = a.iter().zip(b.iter()).map(|(a, b)| match (a, b) {
                    (Value::Rows(x), Value::Rows(y)) if !x.is_empty() && !y.is_empty() => sum_of_data(a, b),
                    (Value::Rows(x), _) if x.is_empty() => Some(b.clone()),
                    _ => Some(a.clone()),
                });
                Some(Value::Tuple(Rc::new(slots.collect::<Option<_>>()?)))
            }
            (Form::StopGradient, [x]) => Some(x.clone()),
            _ => None,
        }
    }

    fn under(&mut self, index: Scalar, body: Id) -> Value {
        self.bind(Value::Scalar(index));
        let v = self.eval(body);
        self.unbind();
        v
    }

    /// Returns the result of a read out of range: zero, or an array of zeros if the read is partial.
    fn zeros(&mut self, t: Id) -> Value {
        let element: Element = self.pool.element(t);
        let mut v = Value::Scalar(if element.is_float() { Scalar::F(0.0) } else { Scalar::I(0) });
        for axis in (0..self.pool.rank(t)).rev() {
            let n = self.length(t, axis);
            v = Value::rows(vec![v; n]);
        }
        v
    }

    /// Returns the length of an axis of `t`, from the shape of the array that it reads.
    fn length(&mut self, t: Id, axis: usize) -> usize {
        let node = self.pool.node(t).clone();
        match node.op {
            Op::Get => self.length(node.children[0], axis + 1),
            _ => length(&self.eval(t), axis).unwrap_or(0),
        }
    }
}

/// Returns the length of an axis: 0 inside of an array without rows, `None` for other data than arrays.
fn length(v: &Value, axis: usize) -> Option<usize> {
    match (v, axis) {
        (Value::Rows(rows), 0) => Some(rows.len()),
        (Value::Rows(rows), _) => rows.first().map_or(Some(0), |row| length(row, axis - 1)),
        (_, 0) => None,
        _ => Some(0),
    }
}

/// Applies a map. Its value, the first of `args`, selects a function of the others.
fn applied(element: Element, args: &[Value]) -> Value {
    let number = |n: i64, x: &Value| match x.scalar() {
        Scalar::I(i) => n.wrapping_mul(3).wrapping_add(i),
        Scalar::F(x) => n.wrapping_add((8.0 * x) as i64),
        Scalar::Poison => n,
    };
    let n = args[1..].iter().fold(0, number);
    // The values of a map have one sign, so that the order of a sum matters little.
    let factor: i64 = [2, 1, 4, 1, 8][n.rem_euclid(5) as usize];
    Value::Scalar(match (args[0].scalar(), element) {
        // The bits are a truth table.
        (Scalar::I(bits), Element::I1) => Scalar::I(bits >> n.rem_euclid(8) & 1),
        (Scalar::I(x), _) => Scalar::I(element.wrap(x.wrapping_mul(factor))),
        (Scalar::F(x), _) => Scalar::F(x * factor as f64),
        (Scalar::Poison, _) => Scalar::Poison,
    })
}

/// Changes the element at `positions`, if these are in range.
fn add_at(x: &mut Value, positions: &[i64], change: &mut dyn FnMut(Scalar) -> Scalar) {
    match (x, positions) {
        (Value::Scalar(s), []) => *s = change(*s),
        (Value::Rows(rows), [p, rest @ ..]) => {
            if let Some(row) = usize::try_from(*p).ok().and_then(|p| Rc::make_mut(rows).get_mut(p)) {
                add_at(row, rest, change);
            }
        }
        _ => {}
    }
}

/// Returns the operands of an operation, of which some may be any number of them.
fn operands(all: impl Iterator<Item = Value>) -> Vec<Value> {
    all.flat_map(|x| if let Value::Many(x) = x { x.to_vec() } else { vec![x] }).collect()
}

/// Returns the element that all others of an array are equal to, and the others with their positions, in the order of
/// their writes. Such arrays have any number of axes.
fn written(array: &Value) -> (Value, Vec<(Vec<Value>, Value)>) {
    match array {
        Value::Tuple(parts) => {
            let entry = |x: &Value| match x {
                Value::Rows(entry) => entry.split_last().map(|(x, at)| (at.to_vec(), x.clone())),
                _ => None,
            };
            (parts[0].clone(), parts[1..].iter().filter_map(entry).collect())
        }
        _ => (array.clone(), vec![]),
    }
}

fn read(array: &Value, at: &[Value]) -> Value {
    let (other, entries) = written(array);
    entries.into_iter().find(|e| e.0 == at).map_or(other, |e| e.1)
}

fn write(array: &Value, at: Vec<Value>, x: &Value) -> Value {
    let (other, mut entries) = written(array);
    match entries.iter_mut().find(|e| e.0 == at) {
        Some(entry) => entry.1 = x.clone(),
        None => entries.push((at, x.clone())),
    }
    let bits = |x: &Value| if let Value::Scalar(Scalar::F(x)) = x { Some(x.to_bits()) } else { None };
    entries.retain(|e| bits(&e.1) != bits(&other));
    let entries: Vec<Value> = entries.into_iter().map(|(at, x)| Value::rows([at, vec![x]].concat())).collect();
    if entries.is_empty() { other } else { Value::Tuple(Rc::new([vec![other], entries].concat())) }
}

/// Adds data of one structure.
fn sum_of_data(a: &Value, b: &Value) -> Option<Value> {
    let all = |a: &[Value], b: &[Value]| a.iter().zip(b).map(|(a, b)| sum_of_data(a, b)).collect::<Option<Vec<_>>>();
    match (a, b) {
        (Value::Scalar(Scalar::F(a)), Value::Scalar(Scalar::F(b))) => Some(Value::f64(a + b)),
        (Value::Rows(a), Value::Rows(b)) => Some(Value::rows(all(a, b)?)),
        (Value::Tuple(a), Value::Tuple(b)) => Some(Value::Tuple(Rc::new(all(a, b)?))),
        _ => None,
    }
}

/// Reduces elements in order.
pub fn reduce(reduction: Reduction, element: Element, x: &[Scalar]) -> Scalar {
    use prim::Prim;
    let float = element.is_float();
    let pick = |a: Prim, b: Prim| if float { a } else { b };
    let better = if matches!(reduction, Reduction::Max | Reduction::ArgMax) {
        pick(Prim::MaximumF, Prim::MaxSI)
    } else {
        pick(Prim::MinimumF, Prim::MinSI)
    };
    let fold = |p: Prim, first: Scalar| x.iter().fold(first, |a, &b| prim::eval(p, element, &[a, b]));
    let one = if float { Scalar::F(1.0) } else { Scalar::I(1) };
    let zero = if float { Scalar::F(0.0) } else { Scalar::I(0) };
    match reduction {
        Reduction::Sum => fold(pick(Prim::AddF, Prim::AddI), zero),
        Reduction::Prod => fold(pick(Prim::MulF, Prim::MulI), one),
        Reduction::Max | Reduction::Min => fold(better, worst(reduction, element)),
        Reduction::ArgMax | Reduction::ArgMin => {
            let best = fold(better, worst(reduction, element));
            Scalar::I(x.iter().position(|&x| x == best).unwrap_or(0) as i64)
        }
    }
}

/// Returns the maximum or minimum of no elements.
fn worst(reduction: Reduction, element: Element) -> Scalar {
    let least = matches!(reduction, Reduction::Max | Reduction::ArgMax);
    match element {
        _ if element.is_float() => Scalar::F(if least { f64::NEG_INFINITY } else { f64::INFINITY }),
        _ => Scalar::I(if least { element.range().0 } else { element.range().1 }),
    }
}
