//! Evaluation of ops that run regions or functions repeatedly.

use super::{Environment, EvalError, Evaluator, Outcome, Shared, Undefined, at, index, indices, scalar, sizes, tensor};
use crate::array::eval as arrays;
use crate::ir::{Block, Dim, Op, Value};
use crate::limits::allocatable;
use crate::ops::array::{Build, Gather, Ifold, Scatter, Vmap};
use crate::ops::scf::{For, While};
use crate::ops::tensor::{Generate, Pad};
use crate::ops::{HasKind, Kind};
use crate::value::{Array, Data};
use std::rc::Rc;

type Results = Result<Vec<Shared>, EvalError>;

/// The maximum number of ops and blocks in a trial run that determines the sizes of rows of an empty array. They are
/// counted as steps, so the limit for all steps holds too.
const TRIAL: u64 = 10_000_000;

impl Evaluator<'_> {
    /// Computes z[i...] = body(i...) for all i... below the extents.
    pub(super) fn build(&mut self, op: Build, extents: &[Shared], environment: &mut Environment) -> Results {
        let body = op.body();
        let leading = sizes(&op.result(0).ty().shape()[..body.num_arguments()], extents);
        allocatable(&leading).map_err(|text| at(*op, text))?;
        let mut parts: Vec<Vec<Shared>> = vec![Vec::new(); op.num_results()];
        for position in arrays::positions(&leading) {
            for (part, x) in parts.iter_mut().zip(self.at_position(body, &position, environment)?) {
                part.push(x);
            }
        }
        let first = vec![0; leading.len()];
        self.stacked(*op, &op.results(), &leading, &parts, |it| it.at_position(body, &first, environment))
    }

    /// Computes s = body(i, s...) for i below the count.
    pub(super) fn ifold(&mut self, op: Ifold, operands: &[Shared], environment: &mut Environment) -> Results {
        let body = op.body();
        let mut state = operands[1..].to_vec();
        for i in 0..index(&operands[0]) {
            let arguments = std::iter::once(Rc::new(Array::index(i))).chain(state.iter().cloned());
            bind(body, arguments, environment);
            let next = self.block(body, environment)?;
            keeps_sizes(*op, i, &state, &next)?;
            state = next;
        }
        Ok(state)
    }

    /// Evaluates `array.fold` and `array.map_accum`: s..., e... = body(rows..., s...) for each row; the e are rows of
    /// results.
    pub(super) fn fold(&mut self, op: Op, operands: &[Shared], environment: &mut Environment) -> Results {
        let body = op.entry();
        let (xs, inits) = operands.split_at(op.operand_segment(0).len());
        let n = one_size(xs.iter().map(|x| x.shape()[0])).map_err(|text| at(op, text))?;
        let mut state = inits.to_vec();
        let emitting = &op.results()[inits.len()..];
        let mut emitted: Vec<Vec<Shared>> = vec![Vec::new(); emitting.len()];
        for i in 0..n as i64 {
            let rows = xs.iter().map(|x| Rc::new(arrays::get(x, &[i])));
            bind(body, rows.chain(state.iter().cloned()), environment);
            let mut next = self.block(body, environment)?;
            for (rows, row) in emitted.iter_mut().zip(next.split_off(inits.len())) {
                rows.push(row);
            }
            keeps_sizes(op, i, &state, &next)?;
            state = next;
        }
        state.extend(self.stacked(op, emitting, &[n], &emitted, |it| {
            let zeros = xs.iter().map(|x| Rc::new(arrays::get(x, &[0])));
            bind(body, zeros.chain(inits.iter().cloned()), environment);
            it.block(body, environment).map(|mut yielded| yielded.split_off(inits.len()))
        })?);
        Ok(state)
    }

    /// Computes z[i...] = x[body(i...)...].
    pub(super) fn gather(&mut self, op: Gather, operands: &[Shared], environment: &mut Environment) -> Results {
        let body = op.body();
        let x = &operands[0];
        let leading = sizes(&op.result(0).ty().shape()[..body.num_arguments()], &operands[1..]);
        let indexed = body.end().num_operands();
        let shape = [leading.as_slice(), &x.shape()[indexed..]].concat();
        allocatable(&shape).map_err(|text| at(*op, text))?;
        let mut data = Data::zeros(x.element(), 0);
        for position in arrays::positions(&leading) {
            let from = indices(&self.at_position(body, &position, environment)?);
            data = data.followed_by(arrays::get(x, &from).data());
        }
        self.operations += data.len() as u64;
        Ok(vec![Rc::new(Array::new(shape, data))])
    }

    /// Computes z = init, with x[i...] added at body(i...) for each i...
    pub(super) fn scatter(&mut self, op: Scatter, operands: &[Shared], environment: &mut Environment) -> Results {
        let body = op.body();
        // Sums of f16 and bf16 are computed in single precision, and rounded once.
        let element = operands[1].element();
        let [x, mut z] = [0, 1].map(|k| Array::clone(&operands[k]).converted(element.arithmetic()));
        for position in arrays::positions(&x.shape()[..body.num_arguments()]) {
            let to = indices(&self.at_position(body, &position, environment)?);
            let from: Vec<i64> = position.iter().map(|&i| i as i64).collect();
            arrays::add_at(&mut z, &to, &arrays::get(&x, &from)).map_err(|text| at(*op, text))?;
        }
        let copied = if is_last_use(*op, op.init()) { 0 } else { z.len() };
        self.operations += (x.len() + copied) as u64;
        Ok(vec![Rc::new(z.converted(element))])
    }

    /// Computes z[i] = f(x[i]..., w...): a call for each i along the mapped axes.
    pub(super) fn vmap(&mut self, op: Vmap, operands: &[Shared]) -> Results {
        let callee = op.callee().0;
        let axes = op.in_axes().unwrap_or_else(|| vec![0; operands.len()]);
        let mapped: Vec<Option<usize>> = axes.into_iter().map(|axis| usize::try_from(axis).ok()).collect();
        let lengths = operands.iter().zip(&mapped).filter_map(|(x, axis)| axis.map(|axis| x.shape()[axis]));
        let n = one_size(lengths).map_err(|text| at(*op, text))?;
        // The mapped axis of each input comes first.
        let input = |(x, axis): (&Shared, &Option<usize>)| match axis {
            Some(axis) => {
                let others = (0..x.rank()).filter(|a| a != axis);
                Rc::new(arrays::transpose(x, &std::iter::once(*axis).chain(others).collect::<Vec<_>>()))
            }
            None => x.clone(),
        };
        let inputs: Vec<Shared> = operands.iter().zip(&mapped).map(input).collect();
        let arguments = |i: i64| {
            let row = |(x, axis): (&Shared, &Option<usize>)| match axis {
                Some(_) => Rc::new(arrays::get(x, &[i])),
                None => x.clone(),
            };
            inputs.iter().zip(&mapped).map(row).collect::<Vec<Shared>>()
        };
        let mut parts: Vec<Vec<Shared>> = vec![Vec::new(); op.num_results()];
        for i in 0..n as i64 {
            for (part, x) in parts.iter_mut().zip(self.call_shared(&callee, arguments(i))?) {
                part.push(x);
            }
        }
        self.stacked(*op, &op.results(), &[n], &parts, |it| it.call_shared(&callee, arguments(0)))
    }

    pub(super) fn scf_if(&mut self, op: Op, condition: &Array, environment: &mut Environment) -> Results {
        let branch = if scalar::truth(condition) { 0 } else { 1 };
        op.region(branch).first_block().map_or(Ok(Vec::new()), |block| self.block(block, environment))
    }

    pub(super) fn scf_for(&mut self, op: For, operands: &[Shared], environment: &mut Environment) -> Results {
        let body = op.region();
        let (mut i, end, step) = (index(&operands[0]), index(&operands[1]), index(&operands[2]));
        if step <= 0 {
            return Err(at(*op, format!("the step must be positive, found {step}")));
        }
        let counter = operands[0].element();
        let mut state = operands[3..].to_vec();
        while i < end {
            let arguments = std::iter::once(Rc::new(scalar::integer(counter, i))).chain(state);
            bind(body, arguments, environment);
            state = self.block(body, environment)?;
            // An overflowing number is after the end.
            let Some(next) = i.checked_add(step) else { break };
            i = next;
        }
        Ok(state)
    }

    /// Evaluates `scf.while`: `before` evaluates the condition and passes values to `after`, which passes the next
    /// arguments to `before`.
    pub(super) fn scf_while(&mut self, op: While, operands: &[Shared], environment: &mut Environment) -> Results {
        let (before, after) = (op.before(), op.after());
        let mut state = operands.to_vec();
        loop {
            bind(before, state, environment);
            let mut handed = self.block(before, environment)?;
            if !scalar::truth(&handed.remove(0)) {
                return Ok(handed);
            }
            bind(after, handed, environment);
            state = self.block(after, environment)?;
        }
    }

    /// Evaluates `tensor.generate`: like `array.build`, with one scalar for each position of the result.
    pub(super) fn generate(&mut self, op: Generate, extents: &[Shared], environment: &mut Environment) -> Results {
        let body = op.body();
        let shape = sizes(&op.result().ty().shape(), extents);
        allocatable(&shape).map_err(|text| at(*op, text))?;
        let mut elements = Vec::new();
        for position in arrays::positions(&shape) {
            elements.extend(self.at_position(body, &position, environment)?);
        }
        Ok(vec![stacked(*op, op.result(), &shape, &[], &elements)?])
    }

    /// Evaluates `tensor.pad`: x, and the value of the region for each position around it.
    pub(super) fn pad(&mut self, op: Pad, operands: &[Shared], environment: &mut Environment) -> Results {
        let body = op.region();
        let x = &operands[0];
        let mut dynamic = operands[1..].iter().cloned();
        let mut ends = || -> Outcome<(Vec<i64>, Vec<usize>)> {
            let (low, _) = tensor::mixed(*op, "static_low", &mut dynamic)?;
            let (high, _) = tensor::mixed(*op, "static_high", &mut dynamic)?;
            let shape = tensor::padded(x, &low, &high)?;
            allocatable(&shape)?;
            Ok((low, shape))
        };
        let (low, shape) = ends().map_err(|text| at(*op, text))?;
        let mut elements = Vec::new();
        for position in arrays::positions(&shape) {
            let source = tensor::unpadded(&position, &low);
            match arrays::offset(&source, x.shape()) {
                Some(_) => elements.push(Rc::new(arrays::get(x, &source))),
                None => elements.extend(self.at_position(body, &position, environment)?),
            }
        }
        Ok(vec![stacked(*op, op.result(), &shape, &[], &elements)?])
    }

    /// Returns the arrays `results` of `op`, made of their parts; see [`Evaluator::rows`].
    fn stacked(
        &mut self,
        op: Op,
        results: &[Value],
        leading: &[usize],
        parts: &[Vec<Shared>],
        first: impl FnOnce(&mut Self) -> Results,
    ) -> Results {
        let rows = self.rows(results, leading, parts, first);
        results.iter().zip(parts).zip(rows).map(|((z, parts), row)| stacked(op, *z, leading, &row, parts)).collect()
    }

    /// Returns the sizes of one part of each array in `results`, which follow `leading` sizes. If there are no parts,
    /// `first` determines them: it runs the body at the first position, which is allowed because reads outside are
    /// zero. They count as zero if the body has no value there, or takes too long.
    fn rows(
        &mut self,
        results: &[Value],
        leading: &[usize],
        parts: &[Vec<Shared>],
        first: impl FnOnce(&mut Self) -> Results,
    ) -> Vec<Vec<usize>> {
        let unknown = |z: &Value| z.ty().shape()[leading.len()..].iter().any(Option::is_none);
        let tried = if parts.iter().all(Vec::is_empty) && results.iter().any(unknown) {
            let (left, operations, depth) = (self.steps, self.operations, self.iterations.len());
            let (allowed, trace) = (left.min(TRIAL), self.trace.take());
            self.steps = allowed;
            let tried = first(self).ok();
            self.iterations.truncate(depth);
            self.steps += left - allowed;
            (self.operations, self.trace) = (operations, trace);
            tried
        } else {
            None
        };
        let row = |(k, z): (usize, &Value)| {
            let part = parts[k].first().or(tried.as_ref().map(|parts| &parts[k]));
            let size = |(axis, d): (usize, &Dim)| d.unwrap_or_else(|| part.map_or(0, |x| x.shape()[axis]));
            z.ty().shape()[leading.len()..].iter().enumerate().map(size).collect()
        };
        results.iter().enumerate().map(row).collect()
    }

    /// Returns the values that the region yields at one position.
    fn at_position(&mut self, body: Block, position: &[usize], environment: &mut Environment) -> Results {
        bind(body, position.iter().map(|&i| Rc::new(Array::index(i as i64))), environment);
        self.block(body, environment)
    }
}

fn bind(block: Block, values: impl IntoIterator<Item = Shared>, environment: &mut Environment) {
    environment.extend(block.arguments().into_iter().zip(values));
}

/// Returns the result `z` of `op`, made of parts of sizes `row`, in row-major order of the leading sizes.
fn stacked(op: Op, z: Value, leading: &[usize], row: &[usize], parts: &[Shared]) -> Result<Shared, EvalError> {
    let element = z.ty().element().ok_or_else(|| at(op, tensor::OUTSIDE))?;
    allocatable(&[leading, row].concat())
        .map_err(Undefined::from)
        .and_then(|()| arrays::stack(element, leading, row, parts))
        .map(Rc::new)
        .map_err(|text| at(op, text))
}

/// Returns the common size.
fn one_size(sizes: impl Iterator<Item = usize>) -> Outcome<usize> {
    let sizes: Vec<usize> = sizes.collect();
    match sizes.iter().find(|&&n| n != sizes[0]) {
        Some(other) => Err(format!("must run over axes of the same size, found sizes {} and {other}", sizes[0]).into()),
        None => Ok(sizes[0]),
    }
}

fn keeps_sizes(op: Op, i: i64, old: &[Shared], new: &[Shared]) -> Result<(), EvalError> {
    for (k, (old, new)) in old.iter().zip(new).enumerate() {
        if old.shape() != new.shape() {
            let (old, new) = (old.shape(), new.shape());
            let text =
                format!("carried value #{k} must keep its shape {old:?}, found shape {new:?} after iteration {i}");
            return Err(at(op, text));
        }
    }
    Ok(())
}

/// Checks whether `op` may write into the memory of its operand `x`, so that its cost is the added elements and not a
/// copy.
///
/// Spec/arrays.md C.8 counts the result of a scatter too, because its scatter creates a zero array; it states that a
/// scatter that accumulates in place does not have that cost. We count the work of a compiler: nothing else reads `x`,
/// and `x` was computed, or is carried by a loop, in the same block. Constants and arguments of functions must be
/// copied, and so must rows of arrays.
fn is_last_use(op: Op, x: Value) -> bool {
    if !x.is_used_once() || x.block() != op.block() {
        return false;
    }
    if let Some((maker, _)) = x.defining_op() {
        return !matches!(maker.kind(), Kind::ArithConstant | Kind::DualZero | Kind::DualOne);
    }
    let Some((block, number)) = x.block_argument() else { return false };
    let Some(around) = block.parent_op() else { return false };
    match around.kind() {
        Kind::ArrayIfold | Kind::ScfFor | Kind::ScfWhile => true,
        Kind::ArrayFold | Kind::ArrayMapAccum => number >= around.operand_segment(0).len(),
        _ => false,
    }
}
