//! Creation of loops over indices and rows, whose body is a closure in Rust.

use super::Builder;
use crate::ir::{Dim, Region, Type, Value, types_of};
use crate::kind::Kind;

impl Builder {
    /// Creates `array.build` over `sizes`, with `extents` for the dynamic ones. `body` gets the indices and returns one
    /// element for each result.
    pub fn build(
        self,
        sizes: &[Dim],
        extents: &[Value],
        body: impl FnOnce(Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let inner = self.new_block(&vec![self.context().index(); sizes.len()]);
        let elements = body(inner, &inner.block.arguments());
        inner.insert(inner.op(Kind::ArrayYield).operands(&elements).build());
        let results: Vec<Type> = elements.iter().map(|e| e.ty().stacked(sizes)).collect();
        let op = self.op(Kind::ArrayBuild).operands(extents).results(&results).region(Region::with_block(inner.block));
        self.insert(op.build()).results()
    }

    /// Creates `array.build` over the leading sizes of `like`.
    pub fn build_like(
        self,
        like: Value,
        rank: usize,
        body: impl FnOnce(Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let sizes = like.ty().shape()[..rank].to_vec();
        self.build(&sizes, &self.extents(like, rank), body)
    }

    /// Creates `array.ifold`; `body` gets the index and the carried values, and returns the next ones.
    pub fn ifold(
        self,
        count: Value,
        inits: &[Value],
        body: impl FnOnce(Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let types = types_of(inits);
        let inner = self.new_block(&[&[self.context().index()], types.as_slice()].concat());
        let arguments = inner.block.arguments();
        let next = body(inner, arguments[0], &arguments[1..]);
        inner.insert(inner.op(Kind::ArrayYield).operands(&next).build());
        let operands = [&[count], inits].concat();
        let op = self.op(Kind::ArrayIfold).operands(&operands).results(&types).region(Region::with_block(inner.block));
        self.insert(op.build()).results()
    }

    /// Creates `array.fold`; `body` gets one row of each array and the carried values, and returns the next ones.
    pub fn fold(
        self,
        arrays: &[Value],
        inits: &[Value],
        body: impl FnOnce(Builder, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        self.rows(Kind::ArrayFold, arrays, inits, body)
    }

    /// Creates `array.map_accum`; `body` gets one row of each array and the carried values, and returns the next ones
    /// followed by the emitted rows. The results are the last carried values, then the arrays of rows.
    pub fn map_accum(
        self,
        arrays: &[Value],
        inits: &[Value],
        body: impl FnOnce(Builder, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        self.rows(Kind::ArrayMapAccum, arrays, inits, body)
    }

    fn rows(
        self,
        name: impl AsRef<str>,
        arrays: &[Value],
        inits: &[Value],
        body: impl FnOnce(Builder, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let types: Vec<Type> = arrays.iter().map(|x| x.ty().row()).chain(types_of(inits)).collect();
        let inner = self.new_block(&types);
        let arguments = inner.block.arguments();
        let (rows, state) = arguments.split_at(arrays.len());
        let yielded = body(inner, rows, state);
        inner.insert(inner.op(Kind::ArrayYield).operands(&yielded).build());
        let n = arrays[0].ty().shape()[0];
        let emitted = yielded.iter().skip(inits.len()).map(|v| v.ty().stacked(&[n]));
        let results: Vec<Type> = types_of(inits).into_iter().take(yielded.len()).chain(emitted).collect();
        let op =
            self.op(name).operand_segments(&[arrays, inits]).results(&results).region(Region::with_block(inner.block));
        self.insert(op.build()).results()
    }

    /// Creates `array.vmap` of `callee`, whose results have the types `results` in each call; `in_axes` lists the
    /// mapped axis of each input.
    pub fn vmap(self, callee: &str, inputs: &[Value], in_axes: &[Option<usize>], results: &[Type]) -> Vec<Value> {
        let n = inputs.iter().zip(in_axes).find_map(|(x, axis)| axis.map(|axis| x.ty().shape()[axis])).flatten();
        let results: Vec<Type> = results.iter().map(|t| t.stacked(&[n])).collect();
        let axes: Vec<i64> = in_axes.iter().map(|axis| axis.map_or(-1, |axis| axis as i64)).collect();
        let context = self.context();
        let op = self.op(Kind::ArrayVmap).operands(inputs).results(&results);
        let op =
            op.attribute("callee", context.symbol_attr(callee)).attribute("in_axes", context.i64_array_attr(&axes));
        self.insert(op.build()).results()
    }
}
