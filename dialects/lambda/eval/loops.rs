//! Evaluation of ops that run functions or regions repeatedly.

use super::code::{Body, Step};
use super::ops::{integer, rows, stacked, symbol, to_array, truth};
use super::primitive::{arranged, numbers, shape};
use super::tape::map_data;
use super::value::Value;
use super::{Action, Environment, Evaluator, Fault, ensure};
use crate::array::eval as arrays;
use crate::eval::{scalar, sizes};
use crate::ir::{Attribute, Op, Type};
use crate::limits::allocatable;
use crate::ops::{HasKind, Kind};
use crate::text::count;
use crate::value::{Array, Element};
use std::rc::Rc;

/// The body for each k, given the carried values.
type Run = Rc<dyn Fn(usize, Vec<Value>) -> Result<Action, Fault>>;

/// The continuation, given all results.
type Done = Box<dyn FnOnce(Vec<Vec<Value>>) -> Result<Action, Fault>>;

/// Collects the results of `at` for k, k + 1, … below `n`, in order, and passes them to `done`.
fn collect(k: usize, n: usize, at: Run, mut rows: Vec<Vec<Value>>, done: Done) -> Result<Action, Fault> {
    if k == n {
        return done(rows);
    }
    Ok(at(k, Vec::new())?.then(move |_, row| {
        rows.push(row);
        collect(k + 1, n, at, rows, done)
    }))
}

/// Carries `state` through `at` for k, k + 1, … below `n`.
fn carry(k: i64, n: i64, at: Run, state: Vec<Value>) -> Result<Action, Fault> {
    if k >= n {
        return Ok(Action::Return(state));
    }
    Ok(at(k as usize, state)?.then(move |_, state| carry(k + 1, n, at, state)))
}

pub(super) fn lambda_loop(step: &Step, x: Vec<Value>, environment: &Environment) -> Result<Action, Fault> {
    if step.name == Kind::LambdaWhile.name() {
        return repeated(step.regions.clone(), false, environment.clone(), x);
    }
    let counter = x[0].element().unwrap_or(Element::I64);
    let index = move |i: usize| scalar::integer(counter, i as i64);
    carry(0, integer(&x[0])?, indexed(step, index, environment), x[1..].to_vec())
}

pub(super) fn higher_order(step: &Step, x: &[Value]) -> Result<Action, Fault> {
    match Kind::by_name(step.name.as_str()) {
        Kind::LambdaMap => map(step.op, x),
        Kind::LambdaReduce => reduce(step.op, x),
        Kind::LambdaWalk => walk(x),
        _ => fold(step.op, x),
    }
}

impl Evaluator {
    /// Evaluates ops of other dialects.
    pub(super) fn other(&mut self, step: &Step, x: Vec<Value>, environment: &Environment) -> Result<Action, Fault> {
        let op = step.op;
        let enter =
            |body: &Rc<Body>, arguments: Vec<Value>| Action::Enter(body.clone(), arguments, environment.clone());
        match Kind::by_name(step.name.as_str()) {
            Kind::FuncCall => {
                let f = Value::code(self.code(&symbol(op))?);
                Ok(Action::Call(f, x))
            }
            Kind::ScfIf => Ok(enter(&step.regions[if truth(&x[0])? { 0 } else { 1 }], Vec::new())),
            Kind::ScfFor => scf_for(step, x, environment),
            Kind::ScfWhile => repeated(step.regions.clone(), true, environment.clone(), x),
            Kind::ArrayBuild => build(step, &x, environment),
            Kind::ArrayIfold => {
                let at = indexed(step, |i| Array::index(i as i64), environment);
                carry(0, integer(&x[0])?, at, x[1..].to_vec())
            }
            Kind::ArrayFold | Kind::ArrayMapAccum => array_fold(step, &x, environment),
            Kind::ArrayGather => gather(step, &x, environment),
            Kind::ArrayScatter => scatter(step, &x, environment),
            Kind::ArrayVmap => self.vmap(step, &x),
            _ if op.num_regions() == 0 => super::arrays::evaluate(op, &x).and_then(Action::one),
            _ => by_arrays(self.module, step, environment),
        }
    }

    fn vmap(&mut self, step: &Step, x: &[Value]) -> Result<Action, Fault> {
        let f = Value::code(self.code(&symbol(step.op))?);
        let axes = step.op.attribute("in_axes").and_then(Attribute::as_i64_array).unwrap_or_else(|| vec![0; x.len()]);
        let mut inputs: Vec<Result<Vec<Value>, Value>> = Vec::new();
        for (x, axis) in x.iter().zip(axes) {
            let Ok(axis) = usize::try_from(axis) else {
                inputs.push(Err(x.clone()));
                continue;
            };
            // The mapped axis comes first.
            let others = (0..shape(x).len()).filter(|a| *a != axis);
            let order: Vec<usize> = std::iter::once(axis).chain(others).collect();
            let turned = arranged(|x| Ok(arrays::transpose(&x[0], &order)), std::slice::from_ref(x))?;
            inputs.push(Ok(rows(&turned)?));
        }
        let n = one_size(inputs.iter().filter_map(|x| x.as_ref().ok().map(Vec::len)))?;
        let at: Run = Rc::new(move |k, _| {
            let argument = |x: &Result<Vec<Value>, Value>| x.as_ref().map_or_else(Value::clone, |rows| rows[k].clone());
            Ok(Action::Call(f.clone(), inputs.iter().map(argument).collect()))
        });
        let types: Vec<Type> = step.op.results().iter().map(|v| v.ty()).collect();
        collect(0, n, at, Vec::new(), Box::new(move |rows| columns(&types, &[n], rows).map(Action::Return)))
    }
}

/// Runs the region of a loop, whose first argument is `index` of the number of the iteration.
fn indexed(step: &Step, index: impl Fn(usize) -> Array + 'static, environment: &Environment) -> Run {
    let (body, environment) = (step.regions[0].clone(), environment.clone());
    Rc::new(move |i, state| {
        let arguments = std::iter::once(Value::array(index(i))).chain(state).collect();
        Ok(Action::Enter(body.clone(), arguments, environment.clone()))
    })
}

/// Evaluates `lambda.while` and `scf.while`: repeats the second region while the first one yields true. In `scf.while`,
/// the first region also `passes` values to the second one, whose values are its next arguments.
fn repeated(regions: Vec<Rc<Body>>, passes: bool, environment: Environment, x: Vec<Value>) -> Result<Action, Fault> {
    let test = Action::Enter(regions[0].clone(), x.clone(), environment.clone());
    Ok(test.then(move |_, mut passed| {
        let holds = truth(&passed.remove(0))?;
        let state = if passes { passed } else { x };
        if !holds {
            return Ok(Action::Return(state));
        }
        let run = Action::Enter(regions[1].clone(), state, environment.clone());
        Ok(run.then(move |_, state| repeated(regions, passes, environment, state)))
    }))
}

fn scf_for(step: &Step, x: Vec<Value>, environment: &Environment) -> Result<Action, Fault> {
    let (begin, end, by) = (integer(&x[0])?, integer(&x[1])?, integer(&x[2])?);
    ensure(by > 0, "", || format!("the step must be positive, found {by}"))?;
    let counter = x[0].element().unwrap_or(Element::Index);
    // The distance is computed in 128 bits, because that of two 64-bit numbers may overflow 64 bits.
    let distance = (end as i128 - begin as i128).max(0);
    let runs = (distance + by as i128 - 1) / by as i128;
    let at = indexed(step, move |k| scalar::integer(counter, begin + k as i64 * by), environment);
    carry(0, runs.min(i64::MAX as i128) as i64, at, x[3..].to_vec())
}

fn map(op: Op, x: &[Value]) -> Result<Action, Fault> {
    let (f, xs) = (x[0].clone(), &x[1..]);
    let is_list = matches!(xs.first(), Some(Value::List(_)));
    let column = |x: &Value| match x {
        Value::List(list) => Ok(list.iter().cloned().collect()),
        _ => elements(x),
    };
    let columns = xs.iter().map(column).collect::<Result<Vec<Vec<Value>>, Fault>>()?;
    let leading = if is_list { vec![columns[0].len()] } else { shape(&xs[0]) };
    let fits = |x: &Value, n: usize| if is_list { n == leading[0] } else { shape(x) == leading };
    if let Some((odd, _)) = xs.iter().zip(&columns).find(|(x, column)| !fits(x, column.len())) {
        let text = format!("expected operands of the same shape, found {} and {}", xs[0].kind(), odd.kind());
        return Err(Fault::new("shape-mismatch", text));
    }
    let (n, element) = (columns[0].len(), op.result(0).ty().element().unwrap_or(Element::F64));
    let at: Run = Rc::new(move |k, _| Ok(Action::Call(f.clone(), columns.iter().map(|c| c[k].clone()).collect())));
    let done = move |rows: Vec<Vec<Value>>| {
        let values: Vec<Value> = rows.into_iter().flatten().collect();
        if is_list { Action::one(Value::list(values)) } else { Action::one(stacked(&values, &leading, &[], element)?) }
    };
    collect(0, n, at, Vec::new(), Box::new(done))
}

/// Returns the scalars in an array, in row-major order.
fn elements(x: &Value) -> Result<Vec<Value>, Fault> {
    let base = numbers(x)?;
    arrays::positions(base.shape())
        .map(|p| {
            let p: Vec<i64> = p.into_iter().map(|i| i as i64).collect();
            arranged(|x| Ok(arrays::get(&x[0], &p)), std::slice::from_ref(x))
        })
        .collect()
}

/// Evaluates `lambda.fold` and `lambda.scan`.
fn fold(op: Op, x: &[Value]) -> Result<Action, Fault> {
    let (f, rows) = (x[0].clone(), rows(&x[2])?);
    let keeps = op.kind() == Kind::LambdaScan;
    let is_list = matches!(x[2], Value::List(_));
    let n = rows.len() as i64;
    // Scans carry all previous states.
    let at: Run = Rc::new(move |k, mut state| {
        let last = state.last().cloned().unwrap_or(Value::Unit);
        let call = Action::Call(f.clone(), vec![last, rows[k].clone()]);
        if !keeps {
            return Ok(call);
        }
        Ok(call.then(move |_, next| {
            state.extend(next);
            Ok(Action::Return(state))
        }))
    });
    let all = carry(0, n, at, vec![x[1].clone()])?;
    if !keeps {
        return Ok(all);
    }
    Ok(all.then(move |_, state| match is_list && !op.result(0).ty().is_tensor() {
        true => Action::one(Value::list(state[1..].to_vec())),
        false => Action::one(to_array(op, &state[1..])?),
    }))
}

/// Reduces the elements along `dims`, for each position of the other axes.
fn reduce(op: Op, x: &[Value]) -> Result<Action, Fault> {
    let (f, init) = (x[0].clone(), x[1].clone());
    let dims = op.attribute("dims").and_then(Attribute::as_i64_array).unwrap_or_default();
    let dims: Vec<usize> = dims.into_iter().map(|d| d as usize).collect();
    let sizes = shape(&x[2]);
    if let Some(odd) = dims.iter().find(|d| **d >= sizes.len()) {
        let axes = count(sizes.len(), "axis");
        return Err(Fault::new("rank-mismatch", format!("an array of {axes} has no axis {odd}, counted from 0")));
    }
    let (rest, to) = super::primitive::groups(&sizes, &dims);
    let all = elements(&x[2])?;
    let mut members: Vec<Vec<Value>> = vec![Vec::new(); rest.iter().product()];
    all.into_iter().zip(to).for_each(|(x, group)| members[group].push(x));
    let n = members.len();
    let element = init.element().unwrap_or(Element::F64);
    let row = shape(&init);
    let at: Run = Rc::new(move |group, _| {
        let (f, members) = (f.clone(), members[group].clone());
        let n = members.len() as i64;
        let step: Run = Rc::new(move |k, acc| Ok(Action::Call(f.clone(), vec![acc[0].clone(), members[k].clone()])));
        carry(0, n, step, vec![init.clone()])
    });
    let done = move |rows: Vec<Vec<Value>>| {
        let mut values: Vec<Value> = rows.into_iter().flatten().collect();
        match rest.is_empty() {
            true => Ok(Action::Return(values.drain(..1).collect())),
            false => Action::one(stacked(&values, &rest, &row, element)?),
        }
    };
    collect(0, n, at, Vec::new(), Box::new(done))
}

/// Applies a function to all leaves of records of the same structure.
fn walk(x: &[Value]) -> Result<Action, Fault> {
    let (f, records) = (x[0].clone(), &x[1..]);
    records[1..].iter().try_for_each(|r| alike(&records[0], r, "record"))?;
    let leaves = |record: &Value| {
        let mut found = Vec::new();
        map_data(record, &mut |leaf| {
            found.push(leaf.clone());
            leaf.clone()
        });
        found
    };
    let columns: Vec<Vec<Value>> = records.iter().map(leaves).collect();
    let (n, first) = (columns[0].len(), records[0].clone());
    let at: Run = Rc::new(move |k, _| Ok(Action::Call(f.clone(), columns.iter().map(|c| c[k].clone()).collect())));
    let done = move |rows: Vec<Vec<Value>>| {
        let mut values = rows.into_iter().flatten();
        Action::one(map_data(&first, &mut |leaf| values.next().unwrap_or_else(|| leaf.clone())))
    };
    collect(0, n, at, Vec::new(), Box::new(done))
}

/// Checks that two records have the same structure; `path` is their position in larger ones.
fn alike(a: &Value, b: &Value, path: &str) -> Result<(), Fault> {
    let differ = |code, a: String, b: String| {
        let text = format!("expected records of the same structure, but `{path}` is {a} in one and {b} in the other");
        Err(Fault::new(code, text))
    };
    match (a, b) {
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            let mut parts = x.iter().zip(y.iter()).enumerate();
            parts.try_for_each(|(k, (x, y))| alike(x, y, &format!("{path}[{k}]")))
        }
        (Value::Record(n, x), Value::Record(m, y)) if n == m => {
            let mut parts = n.fields.iter().zip(x.iter().zip(y.iter()));
            parts.try_for_each(|(field, (x, y))| alike(x, y, &format!("{path}.{field}")))
        }
        (Value::List(x), Value::List(y)) if x.len() != y.len() => {
            let list = |n: usize| format!("a list of {}", count(n, "element"));
            differ("shape-mismatch", list(x.len()), list(y.len()))
        }
        (Value::List(x), Value::List(y)) => x.iter().zip(y.iter()).try_for_each(|(x, y)| alike(x, y, path)),
        (Value::Tuple(_) | Value::Record(..) | Value::List(_), _)
        | (_, Value::Tuple(_) | Value::Record(..) | Value::List(_)) => differ("type-mismatch", a.kind(), b.kind()),
        _ => Ok(()),
    }
}

/// Runs the region at each position.
fn at_positions(body: Rc<Body>, leading: &[usize], environment: Environment) -> (usize, Run) {
    let positions: Vec<Vec<usize>> = arrays::positions(leading).collect();
    let n = positions.len();
    let run = move |k: usize, _| {
        let index = |i: &usize| Value::array(Array::index(*i as i64));
        Ok(Action::Enter(body.clone(), positions[k].iter().map(index).collect(), environment.clone()))
    };
    (n, Rc::new(run))
}

/// Returns the results with these leading sizes, whose parts are in the rows.
fn columns(types: &[Type], leading: &[usize], rows: Vec<Vec<Value>>) -> Result<Vec<Value>, Fault> {
    let result = |(k, ty): (usize, &Type)| {
        let parts: Vec<Value> = rows.iter().map(|row| row[k].clone()).collect();
        // The sizes of parts are zero if there are no parts.
        let row: Vec<usize> = ty.shape()[leading.len()..].iter().map(|d| d.unwrap_or(0)).collect();
        stacked(&parts, leading, &row, ty.element().unwrap_or(Element::F64))
    };
    types.iter().enumerate().map(result).collect()
}

/// Returns the extents given by operands.
fn extents(x: &[Value]) -> Vec<Rc<Array>> {
    x.iter().filter_map(Value::as_array).collect()
}

fn build(step: &Step, x: &[Value], environment: &Environment) -> Result<Action, Fault> {
    let body = step.regions[0].clone();
    let types: Vec<Type> = step.op.results().iter().map(|v| v.ty()).collect();
    let leading = sizes(&types[0].shape()[..body.arguments.len()], &extents(x));
    allocatable(&leading)?;
    let (n, at) = at_positions(body, &leading, environment.clone());
    collect(0, n, at, Vec::new(), Box::new(move |rows| columns(&types, &leading, rows).map(Action::Return)))
}

fn array_fold(step: &Step, x: &[Value], environment: &Environment) -> Result<Action, Fault> {
    let (xs, inits) = x.split_at(step.op.operand_segment(0).len());
    let inputs = xs.iter().map(rows).collect::<Result<Vec<_>, Fault>>()?;
    let n = one_size(inputs.iter().map(Vec::len))?;
    let types: Vec<Type> = step.op.results()[inits.len()..].iter().map(|v| v.ty()).collect();
    let (body, environment, carried) = (step.regions[0].clone(), environment.clone(), inits.len());
    // Emitted values are carried after the state, a tuple for each iteration.
    let at: Run = Rc::new(move |k, mut state| {
        let emitted = state.split_off(carried);
        let arguments = inputs.iter().map(|rows| rows[k].clone()).chain(state.iter().cloned()).collect();
        Ok(Action::Enter(body.clone(), arguments, environment.clone()).then(move |_, mut next| {
            for (i, (old, new)) in state.iter().zip(&next).enumerate() {
                let (old, new) = (shape(old), shape(new));
                ensure(old == new, "shape-mismatch", || {
                    format!("carried value #{i} must keep its shape {old:?}, found shape {new:?} after iteration {k}")
                })?;
            }
            let row = Value::tuple(next.split_off(carried));
            next.extend(emitted);
            next.push(row);
            Ok(Action::Return(next))
        }))
    });
    Ok(carry(0, n as i64, at, inits.to_vec())?.then(move |_, mut state| {
        let rows = state.split_off(carried);
        let rows = rows.into_iter().map(|row| if let Value::Tuple(row) = row { row.to_vec() } else { Vec::new() });
        state.extend(columns(&types, &[n], rows.collect())?);
        Ok(Action::Return(state))
    }))
}

fn gather(step: &Step, x: &[Value], environment: &Environment) -> Result<Action, Fault> {
    let body = step.regions[0].clone();
    let leading = sizes(&step.op.result(0).ty().shape()[..body.arguments.len()], &extents(&x[1..]));
    allocatable(&leading)?;
    let source = x[0].clone();
    let indexed = body.steps.last().map_or(0, |end| end.operands.len());
    let row = shape(&source)[indexed..].to_vec();
    let (n, at) = at_positions(body, &leading, environment.clone());
    let done = move |rows: Vec<Vec<Value>>| {
        let read = |from: &Vec<Value>| {
            let from = from.iter().map(integer).collect::<Result<Vec<i64>, Fault>>()?;
            arranged(|x| Ok(arrays::get(&x[0], &from)), std::slice::from_ref(&source))
        };
        let parts = rows.iter().map(read).collect::<Result<Vec<Value>, Fault>>()?;
        Action::one(stacked(&parts, &leading, &row, source.element().unwrap_or(Element::F64))?)
    };
    collect(0, n, at, Vec::new(), Box::new(done))
}

/// Evaluates `array.scatter`: the parts are added to the initial value at the positions that the region computes.
fn scatter(step: &Step, x: &[Value], environment: &Environment) -> Result<Action, Fault> {
    let body = step.regions[0].clone();
    let (parts, init) = (x[0].clone(), x[1].clone());
    let leading = shape(&parts)[..body.arguments.len()].to_vec();
    let row: usize = shape(&parts)[leading.len()..].iter().product();
    let (n, at) = at_positions(body, &leading, environment.clone());
    let done = move |rows: Vec<Vec<Value>>| {
        let sizes = shape(&init);
        let mut to = Vec::new();
        for target in &rows {
            let target = target.iter().map(integer).collect::<Result<Vec<i64>, Fault>>()?;
            let trailing: usize = sizes[target.len()..].iter().product();
            ensure(trailing == row, "shape-mismatch", || {
                format!("adds parts of {} to rows of {}", count(row, "element"), count(trailing, "element"))
            })?;
            let start = arrays::offset(&target, &sizes).map(|start| start * row);
            to.extend((0..row).map(|i| start.map(|start| start + i)));
        }
        if !init.is_float() {
            return Action::one(Value::array(added(&*numbers(&parts)?, &*numbers(&init)?, &to)?));
        }
        let moved = super::primitive::scatter(super::primitive::Scatter { shape: sizes, to }, &parts)?;
        Action::one(super::primitive::add(&init, &moved)?)
    };
    collect(0, n, at, Vec::new(), Box::new(done))
}

/// Adds integers at positions.
fn added(parts: &Array, init: &Array, to: &[Option<usize>]) -> Result<Array, Fault> {
    let mut z = arrays::reshape(init, &[init.len()])?;
    for (i, to) in to.iter().enumerate() {
        if let Some(to) = to {
            let one = Array::new(vec![], arrays::picked(parts.data(), &[i]));
            arrays::add_at(&mut z, &[*to as i64], &one)?;
        }
    }
    Ok(arrays::reshape(&z, init.shape())?)
}

fn one_size(mut sizes: impl Iterator<Item = usize>) -> Result<usize, Fault> {
    let first = sizes.next().unwrap_or(0);
    match sizes.find(|&n| n != first) {
        Some(other) => Err(Fault::new(
            "shape-mismatch",
            format!("must run over axes of the same size, found sizes {first} and {other}"),
        )),
        None => Ok(first),
    }
}

/// Evaluates other ops with regions by the evaluator of arrays; they may not depend on traced values.
fn by_arrays(module: Op, step: &Step, environment: &Environment) -> Result<Action, Fault> {
    let op = step.op;
    if op.nested_ops().iter().any(|inner| inner.name().starts_with("lambda.")) {
        return Err("not supported: the evaluator does not implement ops of `lambda` inside this op".into());
    }
    let values = environment.borrow();
    let mut known = Vec::new();
    for (value, slot) in
        op.operands().into_iter().zip(&step.operands).chain(step.outside.iter().map(|(v, slot)| (*v, slot)))
    {
        match &values[*slot] {
            Value::Array(x) | Value::Zero(x) => known.push((value, x.clone())),
            Value::Traced(_) => return Err(Fault::new("no-backpropagator", "this op has no derivative")),
            _ => {}
        }
    }
    let mut evaluator = crate::eval::Evaluator::new(module);
    let results = evaluator.evaluate(op, known).map_err(|e| Fault::new("", e.text))?;
    Ok(Action::Return(results.into_iter().map(Value::Array).collect()))
}
