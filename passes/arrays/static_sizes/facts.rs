//! Sizes and integers that are known at compile time, propagated from the arguments of a function.

use super::{Argument, Clones};
use crate::analysis::edit::yielded;
use crate::arrays::bulk_operations::sizes::{self, Size};
use mlopt_dialects::Reported;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Block, Dim, Op, Value};
use mlopt_dialects::ops::array::{ArrayOp, Length};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct Facts {
    shapes: HashMap<Value, Vec<Dim>>,
    known: HashMap<Value, i64>,
    /// Ops for which no rule is known: they need operands of their original types.
    pub opaque: HashSet<Op>,
    /// The clones to which calls and requests will refer.
    pub callees: HashMap<Op, Op>,
}

impl Facts {
    pub fn shape(&self, value: Value) -> Vec<Dim> {
        self.shapes.get(&value).cloned().unwrap_or_else(|| value.ty().shape())
    }

    pub fn known(&self, value: Value) -> Option<i64> {
        self.known.get(&value).copied()
    }

    /// Records the sizes of a value; static ones in its type are kept.
    pub fn set(&mut self, value: Value, shape: Vec<Dim>) {
        self.shapes.insert(value, joined(value.ty().shape(), &shape));
    }

    pub fn set_known(&mut self, value: Value, known: Option<i64>) {
        match known {
            Some(k) => self.known.insert(value, k),
            None => self.known.remove(&value),
        };
    }

    pub fn block(&mut self, clones: &mut Clones, block: Block) -> Result<(), Reported> {
        block.ops().into_iter().try_for_each(|op| self.visit(clones, op))
    }

    /// Returns the size that an operand represents; a negative one counts as zero.
    fn extent(&self, value: Value) -> Dim {
        self.known(value).map(|n| n.max(0) as usize)
    }

    /// Returns `written`, with unknown sizes taken from `operands`, one for each `?`.
    fn sizes(&self, written: &[Dim], operands: &[Value]) -> Vec<Dim> {
        let mut operands = operands.iter();
        written.iter().map(|n| n.or_else(|| operands.next().and_then(|v| self.extent(*v)))).collect()
    }

    fn visit(&mut self, clones: &mut Clones, op: Op) -> Result<(), Reported> {
        match op.kind() {
            Kind::FuncReturn | Kind::ArrayYield | Kind::ScfYield | Kind::ScfCondition | Kind::DualYield => {
                return Ok(());
            }
            Kind::ArrayBuild => return self.build(clones, op),
            Kind::ArrayIfold | Kind::ScfFor | Kind::ArrayFold | Kind::ArrayMapAccum => {
                return self.carrying(clones, op);
            }
            Kind::ScfIf => return self.branch(clones, op),
            Kind::ScfWhile => return self.conditioned(clones, op),
            Kind::FuncCall => return self.call(clones, op),
            _ => {}
        }
        if let Some(request) = Request::of(op) {
            return self.request(clones, op, &request);
        }
        for region in op.regions() {
            region.blocks().into_iter().try_for_each(|block| self.block(clones, block))?;
        }
        if op.num_results() != 1 {
            self.opaque.insert(op);
            return Ok(());
        }
        let z = op.result(0);
        match self.result(op) {
            Some(shape) => self.set(z, shape),
            None => {
                self.opaque.insert(op);
            }
        }
        let known = self.value(op);
        self.set_known(z, known);
        Ok(())
    }

    /// Returns the sizes of the only result of an op without loops, as far as its operands determine them.
    fn result(&self, op: Op) -> Option<Vec<Dim>> {
        if let Some(array) = ArrayOp::of(op) {
            return self.array_result(array);
        }
        let kind = op.kind();
        Some(match kind {
            Kind::TensorDim => Vec::new(),
            Kind::TensorCast | Kind::DualStopGradient => self.shape(op.operand(0)),
            Kind::DualZero | Kind::DualOne | Kind::ArithConstant => op.result(0).ty().shape(),
            _ if is_elementwise(kind) => self.elementwise(op),
            _ => return None,
        })
    }

    /// As [`Self::result`], of an op of `array`.
    fn array_result(&self, array: ArrayOp) -> Option<Vec<Dim>> {
        let op = array.op();
        let z = op.result(0);
        let sizes: Vec<Dim> = (0..z.ty().rank()).map(|axis| self.dim(sizes::step(z, axis))).collect();
        let rows = |x: Value, from: usize, before: usize| [&vec![None; before], &self.shape(x)[from..]].concat();
        Some(match array {
            // Visited with their regions; the other three have no sizes to determine.
            ArrayOp::Build(_) | ArrayOp::Ifold(_) | ArrayOp::Fold(_) | ArrayOp::MapAccum(_) => return None,
            ArrayOp::Vmap(_) | ArrayOp::Check(_) | ArrayOp::SameSize(_) | ArrayOp::Yield(_) => return None,
            // Several operands have these sizes.
            ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => self.elementwise(op),
            ArrayOp::Stack(_) => op.operands().into_iter().fold(sizes, |so_far, x| joined(so_far, &rows(x, 0, 1))),
            ArrayOp::Append(_) => joined(sizes, &rows(op.operand(1), 1, 1)),
            ArrayOp::Scatter(_) => {
                let body = op.body()?;
                joined(sizes, &rows(op.operand(0), body.num_arguments(), body.terminator()?.num_operands()))
            }
            _ => sizes,
        })
    }

    /// Returns the size that has this origin.
    fn dim(&self, size: Size) -> Dim {
        match size {
            Size::Known(n) => Some(n),
            Size::Extent(n) => self.extent(n),
            Size::Of(x, axis) => self.shape(x)[axis],
            Size::Sum(x, y) => self.shape(x)[0].zip(self.shape(y)[0]).map(|(m, n)| m + n),
        }
    }

    /// Returns the union of the sizes known of the operands; a scalar condition of a select has none.
    fn elementwise(&self, op: Op) -> Vec<Dim> {
        let z = op.result(0).ty().shape();
        let arrays = op.operands().into_iter().map(|x| self.shape(x)).filter(|s| s.len() == z.len());
        arrays.fold(z.clone(), |so_far, s| joined(so_far, &s))
    }

    /// Returns the value of an integer that depends on sizes.
    fn value(&self, op: Op) -> Option<i64> {
        let ty = op.result(0).ty();
        if ty.rank() > 0 || !(ty.is_index() || ty.is_integer(64)) {
            return None;
        }
        let known = |k: usize| self.known(op.operand(k));
        let both = |f: fn(i64, i64) -> Option<i64>| known(0).zip(known(1)).and_then(|(a, b)| f(a, b));
        match op.kind() {
            Kind::ArithConstant => op.attribute("value")?.as_i64(),
            Kind::ArrayLength => self.shape(op.operand(0))[op.cast::<Length>().axis() as usize].map(|n| n as i64),
            Kind::TensorDim => self.shape(op.operand(0)).get(known(1)? as usize).copied().flatten().map(|n| n as i64),
            Kind::ArithIndexCast => known(0),
            Kind::ArithAddi => both(i64::checked_add),
            Kind::ArithSubi => both(i64::checked_sub),
            Kind::ArithMuli => both(i64::checked_mul),
            Kind::ArithMaxsi => both(|a, b| Some(a.max(b))),
            Kind::ArithMinsi => both(|a, b| Some(a.min(b))),
            // Rounded towards -∞, for a positive divisor only, which has no special cases.
            Kind::ArrayDiv => both(|a, b| (b > 0).then(|| a.div_euclid(b))),
            Kind::ArrayMod => both(|a, b| (b > 0).then(|| a.rem_euclid(b))),
            _ => None,
        }
    }

    fn build(&mut self, clones: &mut Clones, op: Op) -> Result<(), Reported> {
        let body = op.entry();
        self.block(clones, body)?;
        let rank = body.num_arguments();
        let extents = self.sizes(&op.result(0).ty().shape()[..rank], &op.operands());
        for (z, element) in op.results().into_iter().zip(yielded(body)) {
            self.set(z, [extents.clone(), self.shape(element)].concat());
        }
        Ok(())
    }

    /// Processes an `array.ifold`, `array.fold`, `array.map_accum` or `scf.for`.
    fn carrying(&mut self, clones: &mut Clones, op: Op) -> Result<(), Reported> {
        let body = op.entry();
        let arguments = body.arguments();
        let (arrays, inits) = match op.kind() {
            Kind::ArrayIfold => (Vec::new(), op.operands()[1..].to_vec()),
            Kind::ScfFor => (Vec::new(), op.operands()[3..].to_vec()),
            _ => (op.operand_segment(0), op.operand_segment(1)),
        };
        let state = &arguments[arguments.len() - inits.len()..];
        arguments.iter().zip(&arrays).for_each(|(row, array)| self.set(*row, self.shape(*array)[1..].to_vec()));
        let rows = arrays.iter().fold(vec![None], |n, x| joined(n, &self.shape(*x)[..1]));
        let carried = self.fixpoint(&inits, state, |facts| {
            facts.block(clones, body)?;
            Ok(yielded(body))
        })?;
        let yielded = yielded(body);
        let emitted = yielded[inits.len()..].iter().map(|v| [rows.clone(), self.shape(*v)].concat());
        let shapes: Vec<Vec<Dim>> = carried.into_iter().chain(emitted).collect();
        op.results().into_iter().zip(shapes).for_each(|(z, shape)| self.set(z, shape));
        Ok(())
    }

    /// Processes an `scf.while`. The operands of the condition are the results.
    fn conditioned(&mut self, clones: &mut Clones, op: Op) -> Result<(), Reported> {
        let blocks: Vec<Block> = op.regions().into_iter().filter_map(|r| r.first_block()).collect();
        let (before, after) = (blocks[0], blocks[1]);
        self.fixpoint(&op.operands(), &before.arguments(), |facts| {
            facts.block(clones, before)?;
            for (value, passed) in after.arguments().into_iter().zip(&yielded(before)[1..]) {
                facts.shapes.insert(value, facts.shape(*passed));
            }
            facts.block(clones, after)?;
            Ok(yielded(after))
        })?;
        op.results().into_iter().zip(&yielded(before)[1..]).for_each(|(z, passed)| self.set(z, self.shape(*passed)));
        Ok(())
    }

    /// Returns the sizes of the values that a loop carries in `arguments`: those that the inits and the results of
    /// every `iteration` agree on.
    fn fixpoint(
        &mut self,
        inits: &[Value],
        arguments: &[Value],
        mut iteration: impl FnMut(&mut Self) -> Result<Vec<Value>, Reported>,
    ) -> Result<Vec<Vec<Dim>>, Reported> {
        let mut carried: Vec<Vec<Dim>> = inits.iter().map(|v| self.shape(*v)).collect();
        loop {
            self.shapes.extend(arguments.iter().copied().zip(carried.iter().cloned()));
            let ends = iteration(self)?;
            let agreed = carried.iter().zip(ends).map(|(shape, end)| common(shape, &self.shape(end)));
            let next: Vec<Vec<Dim>> = agreed.collect();
            if next == carried {
                return Ok(carried);
            }
            carried = next;
        }
    }

    fn branch(&mut self, clones: &mut Clones, op: Op) -> Result<(), Reported> {
        let mut ends = Vec::new();
        for block in op.regions().into_iter().filter_map(|r| r.first_block()) {
            self.block(clones, block)?;
            ends.push(yielded(block));
        }
        for (k, z) in op.results().into_iter().enumerate() {
            let shapes: Vec<Vec<Dim>> = ends.iter().map(|values| self.shape(values[k])).collect();
            let shape = shapes[1..].iter().fold(shapes[0].clone(), |a, b| common(&a, b));
            self.set(z, shape);
        }
        Ok(())
    }

    fn argument(&self, value: Value) -> Argument {
        Argument { shape: self.shape(value), value: self.known(value) }
    }

    fn call(&mut self, clones: &mut Clones, op: Op) -> Result<(), Reported> {
        let arguments: Vec<Argument> = op.operands().into_iter().map(|v| self.argument(v)).collect();
        let Some(results) = self.cloned(clones, op, &arguments)? else { return Ok(()) };
        op.results().into_iter().zip(results).for_each(|(z, shape)| self.set(z, shape));
        Ok(())
    }

    /// Returns the sizes of the results of the clone of the function that `op` names for `arguments`. If there is none,
    /// `op` is opaque.
    fn cloned(
        &mut self,
        clones: &mut Clones,
        op: Op,
        arguments: &[Argument],
    ) -> Result<Option<Vec<Vec<Dim>>>, Reported> {
        let name = op.callee().unwrap_or_default();
        let Some(clone) = clones.clone_for(&name, arguments)? else {
            self.opaque.insert(op);
            return Ok(None);
        };
        self.callees.insert(op, clone);
        let (_, results) = clone.signature();
        Ok(Some(results.into_iter().map(|t| t.shape()).collect()))
    }

    fn request(&mut self, clones: &mut Clones, op: Op, request: &Request) -> Result<(), Reported> {
        let arguments: Vec<Argument> = request.inputs.iter().map(|v| self.argument(*v)).collect();
        let points: Vec<Vec<Dim>> = request.wrt.iter().map(|&k| arguments[k].shape.clone()).collect();
        let Some(values) = self.cloned(clones, op, &arguments)? else { return Ok(()) };
        let floats = self.callees[&op].signature().1;
        let tangents = floats.iter().filter(|t| t.is_differentiable()).map(|t| t.shape());
        let results: Vec<Vec<Dim>> = match op.kind() {
            Kind::DualGrad | Kind::DualHvp => points,
            Kind::DualValueAndGrad | Kind::DualVjp => values.into_iter().chain(points).collect(),
            Kind::DualJvp => values.iter().cloned().chain(tangents).collect(),
            Kind::DualJacobian => pairs(&values, &points),
            Kind::DualHessian => pairs(&points, &points),
            _ => {
                self.callees.remove(&op);
                self.opaque.insert(op);
                return Ok(());
            }
        };
        op.results().into_iter().zip(results).for_each(|(z, shape)| self.set(z, shape));
        Ok(())
    }
}

/// Returns the shapes of derivatives of each of `first` with respect to each of `second`.
fn pairs(first: &[Vec<Dim>], second: &[Vec<Dim>]) -> Vec<Vec<Dim>> {
    first.iter().flat_map(|y| second.iter().map(move |x| [y.as_slice(), x].concat())).collect()
}

/// Returns the sizes that one or the other knows. If they differ the program fails at run time, and the first is used.
pub fn joined(a: Vec<Dim>, b: &[Dim]) -> Vec<Dim> {
    a.iter().zip(b).map(|(a, b)| a.or(*b)).collect()
}

/// Returns the sizes that both know.
fn common(a: &[Dim], b: &[Dim]) -> Vec<Dim> {
    a.iter().zip(b).map(|(a, b)| if a == b { *a } else { None }).collect()
}

/// Checks whether operands and results of the op have the same sizes.
pub fn is_elementwise(kind: Kind) -> bool {
    let integers = matches!(kind, Kind::ArrayDiv | Kind::ArrayMod | Kind::ArrayFloor);
    integers || matches!(kind.dialect(), "arith" | "math")
}
