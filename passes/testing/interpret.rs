//! An interpreter of plans that counts their work: one unit for each scalar op, element read and element written.

use crate::optimise::placement::plan::{Plan, Stmt, Val};
use crate::optimise::terms::eval::{self, Value};
use crate::optimise::terms::op::Op;
use crate::optimise::terms::prim::{self, Prim, Scalar};
use std::rc::Rc;

pub struct Interpreter<'a> {
    plan: &'a Plan,
    values: Vec<Option<Value>>,
    pub work: u64,
}

impl<'a> Interpreter<'a> {
    /// Runs the plan's statements with the given values of its leaves.
    pub fn run(plan: &'a Plan, leaves: &dyn Fn(u32) -> Value) -> Self {
        let values = plan.leaves.iter().map(|l| l.map(leaves)).collect();
        let mut i = Interpreter { plan, values, work: 0 };
        i.scope(0);
        i
    }

    pub fn value(&self, v: Val) -> Value {
        self.values[v as usize].clone().expect("every value is computed before it is read")
    }

    fn int(&self, v: Val) -> i64 {
        if let Some(x) = self.plan.constants[v as usize] {
            return x;
        }
        match self.value(v) {
            Value::Scalar(Scalar::I(x)) => x,
            other => panic!("an index, found {other:?}"),
        }
    }

    fn scalar(&self, v: Val) -> Scalar {
        match self.value(v) {
            Value::Scalar(s) => s,
            other => panic!("a scalar, found {other:?}"),
        }
    }

    fn set(&mut self, v: Val, x: Value) {
        self.values[v as usize] = Some(x);
    }

    fn scope(&mut self, scope: usize) {
        for k in 0..self.plan.scopes[scope].stmts.len() {
            self.stmt(&self.plan.scopes[scope].stmts[k]);
        }
    }

    fn rows(&self, v: Val) -> Rc<Vec<Value>> {
        match self.value(v) {
            Value::Rows(r) => r,
            other => panic!("an array, found {other:?}"),
        }
    }

    fn count(v: &Value) -> u64 {
        match v {
            Value::Rows(r) => r.iter().map(Self::count).sum(),
            _ => 1,
        }
    }

    fn flatten(v: &Value, out: &mut Vec<Value>) {
        match v {
            Value::Rows(r) => r.iter().for_each(|v| Self::flatten(v, out)),
            v => out.push(v.clone()),
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Op { op, args, out } => {
                let value = match op {
                    Op::Const(e, bits) => Value::Scalar(Scalar::from_bits(*e, *bits)),
                    Op::Zero(_) => Value::f64(0.0),
                    Op::One(_) => Value::f64(1.0),
                    Op::Dim(axis) => {
                        let mut v = self.value(args[0]);
                        for _ in 0..*axis {
                            v = match v {
                                Value::Rows(r) if !r.is_empty() => r[0].clone(),
                                _ => Value::rows(vec![]),
                            };
                        }
                        match v {
                            Value::Rows(r) => Value::Scalar(Scalar::I(r.len() as i64)),
                            other => panic!("an array, found {other:?}"),
                        }
                    }
                    Op::Cond => {
                        self.work += 1;
                        let c = self.int(args[0]);
                        self.value(args[if c != 0 { 1 } else { 2 }])
                    }
                    Op::Prim(p, _) => {
                        self.work += 1;
                        let element = self.plan.types[args[0] as usize].element;
                        let scalars: Vec<Scalar> = args.iter().map(|&a| self.scalar(a)).collect();
                        Value::Scalar(prim::eval(*p, element, &scalars))
                    }
                    Op::Stack => {
                        let rows = Value::rows(args.iter().map(|&a| self.value(a)).collect());
                        self.work += Self::count(&rows);
                        rows
                    }
                    other => panic!("{other:?} is not a statement"),
                };
                self.set(*out, value);
            }
            Stmt::Opaque { number, .. } => panic!("operation {number} has no meaning here"),
            Stmt::Get { array, indices, out } => {
                let mut v = self.value(*array);
                let ty = &self.plan.types[*out as usize];
                for &i in indices {
                    let i = self.int(i);
                    v = match v {
                        Value::Rows(r) if i >= 0 && (i as usize) < r.len() => r[i as usize].clone(),
                        _ => Value::Scalar(if ty.element.is_float() { Scalar::F(0.0) } else { Scalar::I(0) }),
                    };
                }
                self.work += 1;
                self.set(*out, v);
            }
            Stmt::Build { extents, scope, outs } => {
                let n: Vec<i64> = extents.iter().map(|&e| self.int(e)).collect();
                let arrays = self.nest(&n, &mut Vec::new(), *scope);
                for (k, &out) in outs.iter().enumerate() {
                    self.set(out, arrays[k].clone());
                }
            }
            Stmt::Reduce { reduction, array, axes, out, .. } => {
                let element = self.plan.types[*array as usize].element;
                let mut value = self.value(*array);
                for &axis in axes.iter().rev() {
                    self.work += Self::count(&value);
                    value = reduce_axis(&value, axis, &|x| eval::reduce(*reduction, element, x));
                }
                self.set(*out, value);
            }
            Stmt::Scatter { array, init, scope, out } => {
                let element = self.plan.types[*array as usize].element;
                let add = if element.is_float() { Prim::AddF } else { Prim::AddI };
                let mut sum = self.value(*init);
                let x = self.value(*array);
                self.add_rows(&mut sum, &x, &mut Vec::new(), *scope, &|a, b| prim::eval(add, element, &[a, b]));
                self.set(*out, sum);
            }
            Stmt::Ifold { n, inits, scope, outs } => {
                let n = self.int(*n);
                let mut state: Vec<Value> = inits.iter().map(|&z| self.value(z)).collect();
                let args = self.plan.scopes[*scope].args.clone();
                for i in 0..n {
                    self.set(args[0], Value::Scalar(Scalar::I(i)));
                    for (k, s) in state.iter().enumerate() {
                        self.set(args[1 + k], s.clone());
                    }
                    self.scope(*scope);
                    state = self.plan.scopes[*scope].yields.iter().map(|&y| self.value(y)).collect();
                }
                for (k, &out) in outs.iter().enumerate() {
                    self.set(out, state[k].clone());
                }
            }
            Stmt::Transpose { array, permutation, out } => {
                assert_eq!(permutation, &[1, 0], "tests transpose matrices");
                let rows = self.rows(*array);
                let columns = match rows.first() {
                    Some(Value::Rows(r)) => r.len(),
                    _ => 0,
                };
                let cell = |i: usize, j: usize| match &rows[i] {
                    Value::Rows(r) => r[j].clone(),
                    other => other.clone(),
                };
                let t = (0..columns).map(|j| Value::rows((0..rows.len()).map(|i| cell(i, j)).collect())).collect();
                self.set(*out, Value::rows(t));
            }
            Stmt::Replicate { x, n, out } => {
                let rows = vec![self.value(*x); self.int(*n).max(0) as usize];
                self.work += rows.iter().map(Self::count).sum::<u64>();
                self.set(*out, Value::rows(rows));
            }
            Stmt::Slice { array, start, n, out } => {
                let (rows, start, n) = (self.rows(*array), self.int(*start), self.int(*n));
                assert!(rows.first().is_none_or(|r| matches!(r, Value::Scalar(_))), "tests slice vectors");
                let zero = match self.plan.types[*array as usize].element.is_float() {
                    true => Value::f64(0.0),
                    false => Value::Scalar(Scalar::I(0)),
                };
                let at = |i: i64| usize::try_from(i).ok().and_then(|i| rows.get(i)).unwrap_or(&zero).clone();
                let sliced = (0..n.max(0)).map(|i| at(start + i)).collect();
                self.work += n.max(0) as u64;
                self.set(*out, Value::rows(sliced));
            }
            Stmt::Reverse { array, out } => {
                let rows = self.rows(*array).iter().rev().cloned().collect::<Vec<Value>>();
                self.work += rows.len() as u64;
                self.set(*out, Value::rows(rows));
            }
            Stmt::Reshape { array, sizes, out, .. } => {
                let mut elements = Vec::new();
                Self::flatten(&self.value(*array), &mut elements);
                for &n in sizes.iter().skip(1).rev() {
                    elements =
                        elements.chunks(self.int(n).max(1) as usize).map(|row| Value::rows(row.to_vec())).collect();
                }
                let value = if sizes.is_empty() { elements[0].clone() } else { Value::rows(elements) };
                self.set(*out, value);
            }
            Stmt::Retype { array, out } => {
                let v = self.value(*array);
                self.set(*out, v);
            }
        }
    }

    fn add_rows(
        &mut self,
        sum: &mut Value,
        x: &Value,
        index: &mut Vec<i64>,
        scope: usize,
        add: &dyn Fn(Scalar, Scalar) -> Scalar,
    ) {
        let args = self.plan.scopes[scope].args.clone();
        if index.len() < args.len() {
            let Value::Rows(rows) = x else { panic!("an axis for each index, found {x:?}") };
            for (i, row) in rows.iter().enumerate() {
                index.push(i as i64);
                self.add_rows(sum, row, index, scope, add);
                index.pop();
            }
            return;
        }
        for (&arg, &i) in args.iter().zip(index.iter()) {
            self.set(arg, Value::Scalar(Scalar::I(i)));
        }
        self.scope(scope);
        let positions: Vec<i64> = self.plan.scopes[scope].yields.clone().into_iter().map(|y| self.int(y)).collect();
        self.work += Self::count(x);
        add_row(sum, &positions, x, add);
    }

    /// Evaluates a nest. Returns one array for each yielded value.
    fn nest(&mut self, n: &[i64], index: &mut Vec<i64>, scope: usize) -> Vec<Value> {
        if index.len() == n.len() {
            for (k, &i) in index.iter().enumerate() {
                let arg = self.plan.scopes[scope].args[k];
                self.set(arg, Value::Scalar(Scalar::I(i)));
            }
            self.scope(scope);
            let yields = self.plan.scopes[scope].yields.clone();
            let values: Vec<Value> = yields.into_iter().map(|y| self.value(y)).collect();
            self.work += values.iter().filter(|v| matches!(v, Value::Scalar(_))).count() as u64;
            return values;
        }
        let rows: Vec<Vec<Value>> = (0..n[index.len()])
            .map(|i| {
                index.push(i);
                let v = self.nest(n, index, scope);
                index.pop();
                v
            })
            .collect();
        (0..self.plan.scopes[scope].yields.len())
            .map(|k| Value::rows(rows.iter().map(|r| r[k].clone()).collect()))
            .collect()
    }
}

fn add_row(sum: &mut Value, positions: &[i64], x: &Value, add: &dyn Fn(Scalar, Scalar) -> Scalar) {
    match (sum, positions) {
        (sum, []) => *sum = map2(sum, x, add),
        (Value::Rows(rows), [p, rest @ ..]) => {
            if let Some(row) = usize::try_from(*p).ok().and_then(|p| std::rc::Rc::make_mut(rows).get_mut(p)) {
                add_row(row, rest, x, add);
            }
        }
        (sum, _) => panic!("an axis for each position, found {sum:?}"),
    }
}

/// Reduces one axis; `f` gets the elements along it.
fn reduce_axis(x: &Value, axis: usize, f: &dyn Fn(&[Scalar]) -> Scalar) -> Value {
    let Value::Rows(rows) = x else { panic!("an axis to reduce, found {x:?}") };
    if axis > 0 {
        return Value::rows(rows.iter().map(|r| reduce_axis(r, axis - 1, f)).collect());
    }
    fn go(rows: &[Value], f: &dyn Fn(&[Scalar]) -> Scalar) -> Value {
        match rows.first() {
            Some(Value::Rows(first)) => Value::rows(
                (0..first.len())
                    .map(|k| {
                        let column: Vec<Value> = rows
                            .iter()
                            .map(|r| match r {
                                Value::Rows(r) => r[k].clone(),
                                other => panic!("rows of one shape, found {other:?}"),
                            })
                            .collect();
                        go(&column, f)
                    })
                    .collect(),
            ),
            _ => {
                let scalars: Vec<Scalar> = rows
                    .iter()
                    .map(|r| match r {
                        Value::Scalar(s) => *s,
                        other => panic!("scalars, found {other:?}"),
                    })
                    .collect();
                Value::Scalar(f(&scalars))
            }
        }
    }
    go(rows, f)
}

fn map2(a: &Value, b: &Value, f: &dyn Fn(Scalar, Scalar) -> Scalar) -> Value {
    match (a, b) {
        (Value::Rows(a), Value::Rows(b)) => Value::rows(a.iter().zip(b.iter()).map(|(a, b)| map2(a, b, f)).collect()),
        (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(f(*a, *b)),
        other => panic!("two of one shape, found {other:?}"),
    }
}
