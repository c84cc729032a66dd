//! Creation of ops that read and add at positions.

use super::Builder;
use crate::ir::{Attribute, Block, Dim, Region, Type, Value};
use crate::kind::Kind;
use crate::value::Element;

impl Builder {
    /// Creates `array.get`: `x[indices...]`.
    pub fn get(self, x: Value, indices: &[Value]) -> Value {
        let ty = x.ty();
        let result = Type::array(&ty.shape()[indices.len()..], ty.scalar());
        self.unary(Kind::ArrayGet, &[&[x], indices].concat(), result)
    }

    /// Returns the extent of `axis`, as a constant if it is static.
    pub fn length(self, x: Value, axis: usize) -> Value {
        if let Some(n) = x.ty().shape()[axis] {
            return self.index(n as i64);
        }
        let context = self.context();
        let axis = Attribute::integer(context.scalar(Element::I64), axis as i64);
        self.insert(
            self.op(Kind::ArrayLength).operands(&[x]).attribute("axis", axis).results(&[context.index()]).build(),
        )
        .result(0)
    }

    /// Returns the dynamic sizes among the `rank` leading sizes of `like`, in order.
    pub fn extents(self, like: Value, rank: usize) -> Vec<Value> {
        let sizes = like.ty().shape();
        (0..rank).filter(|&axis| sizes[axis].is_none()).map(|axis| self.length(like, axis)).collect()
    }

    /// Creates `array.gather` over `sizes`, with `extents` for the dynamic ones. `body` gets the indices and returns
    /// the position in `x`.
    pub fn gather(
        self,
        x: Value,
        sizes: &[Dim],
        extents: &[Value],
        body: impl FnOnce(Builder, &[Value]) -> Vec<Value>,
    ) -> Value {
        let (block, indexed) = self.positions(sizes.len(), body);
        let result = Type::tensor(&[sizes, &x.ty().shape()[indexed..]].concat(), x.ty().scalar());
        let operands = [&[x], extents].concat();
        let op = self.op(Kind::ArrayGather).operands(&operands).results(&[result]).region(Region::with_block(block));
        self.insert(op.build()).result(0)
    }

    /// Creates `array.scatter` over the `rank` leading axes of `x`. `body` gets the indices and returns the position in
    /// `init`.
    pub fn scatter(
        self,
        x: Value,
        init: Value,
        rank: usize,
        body: impl FnOnce(Builder, &[Value]) -> Vec<Value>,
    ) -> Value {
        let (block, _) = self.positions(rank, body);
        let op =
            self.op(Kind::ArrayScatter).operands(&[x, init]).results(&[init.ty()]).region(Region::with_block(block));
        self.insert(op.build()).result(0)
    }

    /// Creates a block that maps `rank` indices to a position; also returns the number of indices of the position.
    fn positions(self, rank: usize, body: impl FnOnce(Builder, &[Value]) -> Vec<Value>) -> (Block, usize) {
        let inner = self.new_block(&vec![self.context().index(); rank]);
        let position = body(inner, &inner.block.arguments());
        inner.insert(inner.op(Kind::ArrayYield).operands(&position).build());
        (inner.block, position.len())
    }

    /// Creates an array that is zero except for `x` at `indices`, whose axes have the sizes `sizes`, with `extents` for
    /// the dynamic ones.
    pub fn one_hot(self, x: Value, indices: &[Value], sizes: &[Dim], extents: &[Value]) -> Value {
        let op = self.op(Kind::ArrayOneHot).operand_segments(&[&[x], indices, extents]);
        self.insert(op.results(&[x.ty().stacked(sizes)]).build()).result(0)
    }

    /// Creates a slice of `n` rows of `x` that starts at row `start`; `extent` is the dynamic `n`.
    pub fn slice(self, x: Value, start: Value, n: Dim, extent: Option<Value>) -> Value {
        let result = Type::tensor(&[&[n], &x.ty().shape()[1..]].concat(), x.ty().scalar());
        let operands: Vec<Value> = [x, start].into_iter().chain(extent).collect();
        self.unary(Kind::ArraySlice, &operands, result)
    }

    /// Creates `x` with `part`, an element or a subarray, at leading indices, which must be in range; `extents` are the
    /// dynamic sizes of the subarray.
    pub fn insert_row(self, part: Value, x: Value, at: &[Value], extents: &[Value]) -> Value {
        if !part.ty().is_tensor() {
            return self.unary(Kind::TensorInsert, &[&[part, x], at].concat(), x.ty());
        }
        let shape = x.ty().shape();
        const DYNAMIC: i64 = i64::MIN;
        let rest = &shape[at.len()..];
        let offsets = [vec![DYNAMIC; at.len()], vec![0; rest.len()]].concat();
        let sizes = std::iter::repeat_n(1, at.len()).chain(rest.iter().map(|d| d.map_or(DYNAMIC, |n| n as i64)));
        let attributes =
            [("static_offsets", offsets), ("static_sizes", sizes.collect()), ("static_strides", vec![1; shape.len()])];
        let op = self.op(Kind::TensorInsertSlice).operand_segments(&[&[part], &[x], at, extents, &[]]);
        let op = op.attributes(attributes.map(|(name, numbers)| (name, self.context().i64_array_attr(&numbers))));
        self.insert(op.results(&[x.ty()]).build()).result(0)
    }

    /// Creates the reversal of the rows of `x`.
    pub fn reverse(self, x: Value) -> Value {
        self.unary(Kind::ArrayReverse, &[x], x.ty())
    }
}
