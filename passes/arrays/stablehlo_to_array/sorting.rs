//! Sorting: a stable merge sort, bottom-up, of positions. The arrays are read at the sorted positions at the end.

use super::emit::Emit;
use super::reductions::grouped;
use super::types;
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::{self, Index, compare};
use crate::arrays::shapes::sizes::turned;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Type, Value, types_of};
use mlopt_dialects::ops::stablehlo::Sort;
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, Kind};

/// Decides whether the elements at one position must come before those at another one.
pub(super) type Before<'c> = dyn FnMut(&mut Import, Builder, &[Value], &[Value]) -> Result<Value> + 'c;

impl Import {
    pub(super) fn sort(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let sort: Sort = op.cast();
        let body: Block = sort.comparator();
        let operands = self.operands(op);
        let rank = op.operand(0).ty().rank() as i64;
        let axis = if sort.dimension() < 0 { sort.dimension() + rank } else { sort.dimension() };
        if rank == 0 {
            return Ok(operands);
        }
        let counts: Vec<usize> = operands.iter().map(Vec::len).collect();
        let before = &mut |import: &mut Import, b: Builder, x: &[Value], y: &[Value]| {
            let arguments = grouped(x, &counts).into_iter().zip(grouped(y, &counts)).flat_map(|(x, y)| [x, y]);
            let result = import.region(b, body, &arguments.collect::<Vec<_>>())?;
            Ok(result[0][0])
        };
        let z = self.sorted(b, &operands.concat(), axis as usize, None, before)?;
        Ok(grouped(&z, &counts))
    }

    /// Returns the `k` greatest numbers of each row, in descending order, and their positions.
    pub(super) fn top_k(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let k = op.attribute("k").and_then(|k| k.as_i64()).unwrap_or(0);
        let x = self.one(op.operand(0));
        let axis = x.ty().rank() - 1;
        let sizes = self.sizes.sizes(b, x);
        let n = self.iota(b, op.result(1).ty(), axis, &sizes)[0];
        let number = types::Number::of(op.operand(0).ty());
        let before = &mut |_: &mut Import, b: Builder, x: &[Value], y: &[Value]| {
            let e = Emit(b);
            Ok(match number {
                // NaN is greater than all numbers.
                types::Number::Float => {
                    let greater = e.compare_floats(CmpFPredicate::Ogt, x[0], y[0]);
                    let only_x = e.and(e.is_nan(x[0]), e.compare_floats(CmpFPredicate::Ord, y[0], y[0]));
                    e.or(greater, only_x)
                }
                types::Number::Signed => e.compare_integers(CmpIPredicate::Sgt, x[0], y[0]),
                _ => e.compare_integers(CmpIPredicate::Ugt, x[0], y[0]),
            })
        };
        let z = self.sorted(b, &[x, n], axis, Some(Index::Known(k)), before)?;
        Ok(z.into_iter().map(|z| vec![z]).collect())
    }

    /// Converts `ApproxTopK`, the first elements of arrays in an order: exactly, which is an approximation too.
    pub(super) fn approximate_top_k(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let malformed = || op.not_supported("a call of `ApproxTopK` with other operands than those that JAX writes");
        let config = op.attribute("mhlo.backend_config").or(op.attribute("backend_config"));
        let option = |key: &str| config.and_then(|config| config.entry(key)).and_then(Attribute::as_i64);
        let computations = op.attribute("called_computations").and_then(Attribute::as_array).unwrap_or_default();
        let comparator = computations.first().and_then(|name| name.as_symbol());
        let comparator = comparator.and_then(|name| self.symbols.get(&name)?.body()).ok_or_else(malformed)?;
        let count = op.num_results();
        let inputs: Vec<Value> = op.operands().into_iter().take(count).collect();
        let axis = option("reduction_dim").and_then(|axis| usize::try_from(axis).ok());
        let axis = axis.filter(|&axis| inputs.iter().all(|x| axis < x.ty().rank())).ok_or_else(malformed)?;
        let limit = option("top_k").ok_or_else(malformed)?;
        let is_first = |(x, z): (&Value, Value)| {
            let mut shape = x.ty().shape();
            shape[axis] = usize::try_from(limit).ok();
            let is_inside = x.ty().shape()[axis].is_some_and(|n| limit <= n as i64);
            is_inside && z.ty() == Type::tensor(&shape, x.ty().scalar()) && types::parts(z.ty()).is_some()
        };
        let scalars: Vec<Type> = inputs.iter().flat_map(|x| [Type::tensor(&[], x.ty().scalar()); 2]).collect();
        let same_sizes = inputs.iter().all(|x| x.ty().shape() == inputs[0].ty().shape());
        let fits = count > 0 && inputs.len() == count && same_sizes && inputs.iter().zip(op.results()).all(is_first);
        if !fits || types_of(&comparator.arguments()) != scalars || types_of(&comparator.end().operands()).len() != 1 {
            return Err(malformed());
        }
        let operands: Vec<Parts> = inputs.iter().map(|x| self.values[x].clone()).collect();
        let counts: Vec<usize> = operands.iter().map(Vec::len).collect();
        let before = &mut |import: &mut Import, b: Builder, x: &[Value], y: &[Value]| {
            let arguments = grouped(x, &counts).into_iter().zip(grouped(y, &counts)).flat_map(|(x, y)| [x, y]);
            let result = import.region(b, comparator, &arguments.collect::<Vec<_>>())?;
            Ok(result[0][0])
        };
        let z = self.sorted(b, &operands.concat(), axis, Some(Index::Known(limit)), before)?;
        Ok(grouped(&z, &counts))
    }

    /// Returns arrays of one shape sorted along `axis`, or only the first `limit` elements.
    fn sorted(
        &mut self,
        b: Builder,
        x: &[Value],
        axis: usize,
        limit: Option<Index>,
        before: &mut Before,
    ) -> Result<Vec<Value>> {
        let sizes = self.sizes.sizes(b, x[0]);
        let identity: Vec<usize> = (0..sizes.len()).collect();
        let others: Vec<usize> = identity.iter().copied().filter(|&k| k != axis).collect();
        let order = [others.as_slice(), &[axis]].concat();
        let n = sizes[axis];
        let x: Vec<Value> = x.iter().map(|&x| turned(b, x, &identity, &order)).collect();
        let length = limit.unwrap_or(n);
        let mut failed = None;
        let mut row = |b: Builder, position: &[Value]| {
            let columns: Vec<Value> =
                x.iter().map(|&x| if position.is_empty() { x } else { b.get(x, position) }).collect();
            let places = self.sorted_positions(b, &columns, n, before).unwrap_or_else(|reported| {
                failed = Some(reported);
                columns[0]
            });
            let (dims, extents) = index::sizes(b, &[length]);
            let read = |&x: &Value| b.gather(x, &dims, &extents, |b, i| vec![b.get(places, i)]);
            if failed.is_some() { columns } else { columns.iter().map(read).collect() }
        };
        let outer: Vec<Index> = others.iter().map(|&axis| sizes[axis]).collect();
        let (dims, extents) = index::sizes(b, &outer);
        let z = if outer.is_empty() { row(b, &[]) } else { b.build(&dims, &extents, row) };
        if let Some(reported) = failed {
            return Err(reported);
        }
        let mut result = sizes.clone();
        result[axis] = length;
        Ok(z.into_iter()
            .map(|z| {
                let z = turned(b, z, &order, &identity);
                self.sizes.sized(z, &result)
            })
            .collect())
    }

    /// Returns the positions 0 to `n`-1 of arrays with one axis in sorted order. Each pass merges neighbouring runs:
    /// the state is the next position in each of the two runs, the left one first where neither comes before the other.
    pub(super) fn sorted_positions(&mut self, b: Builder, x: &[Value], n: Index, before: &mut Before) -> Result<Value> {
        let (dims, extents) = index::sizes(b, &[n]);
        let start = b.iota(dims[0], extents.first().copied());
        let passes = match n {
            Index::Known(n) => Index::Known(64 - (n - 1).max(0).leading_zeros() as i64),
            Index::Value(_) => {
                let e = Emit(b);
                let long = b.context().signless(64);
                let last = n.subtract(b, Index::Known(1)).maximum(b, Index::Known(0)).value(b);
                let zeros = e.op(Kind::MathCtlz, &[e.cast(Kind::ArithIndexCast, last, long)]);
                let zeros = Index::Value(e.cast(Kind::ArithIndexCast, zeros, b.context().index()));
                Index::Known(64).subtract(b, zeros)
            }
        };
        if passes == Index::Known(0) {
            return Ok(start);
        }
        let mut failed = None;
        let places = b.ifold(passes.value(b), &[start], |b, pass, places| {
            let places = places[0];
            let width = b.unary(Kind::ArithShli, &[b.index(1), pass], b.context().index());
            let block = Index::Value(width).add(b, Index::Value(width));
            let zero = b.index(0);
            let merged = b.map_accum(&[start], &[zero, zero], |b, o, state| {
                let e = Emit(b);
                let o = Index::Value(o[0]);
                let inside = o.modulo(b, block);
                let first = o.subtract(b, inside);
                let is_first = compare(b, CmpIPredicate::Eq, inside, Index::Known(0));
                let middle = first.add(b, Index::Value(width));
                let end = middle.add(b, Index::Value(width)).minimum(b, n);
                let i = b.select(is_first, first.value(b), state[0]);
                let j = b.select(is_first, middle.value(b), state[1]);
                let (left, right) = (b.get(places, &[i]), b.get(places, &[j]));
                let read = |place: Value| x.iter().map(|&x| b.get(x, &[place])).collect::<Vec<_>>();
                let is_less = before(self, b, &read(right), &read(left)).unwrap_or_else(|reported| {
                    failed = Some(reported);
                    is_first
                });
                let left_ends = compare(b, CmpIPredicate::Sge, Index::Value(i), middle.minimum(b, n));
                let right_goes_on = compare(b, CmpIPredicate::Slt, Index::Value(j), end);
                let take = e.or(left_ends, e.and(right_goes_on, is_less));
                let one = Index::Known(1);
                let (next_i, next_j) = (Index::Value(i).add(b, one).value(b), Index::Value(j).add(b, one).value(b));
                vec![b.select(take, i, next_i), b.select(take, next_j, j), b.select(take, right, left)]
            });
            vec![merged[2]]
        });
        failed.map_or_else(|| Ok(places[0]), Err)
    }
}
