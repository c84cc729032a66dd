//! Building `array` code from Rust: one method per op, result types worked out from the operands.

use crate::ir::{Attribute, Block, Builder, Dim, Region, Type, Value};
use crate::value::Element;

impl Builder {
    /// `x[indices...]`.
    pub fn get(self, x: Value, indices: &[Value]) -> Value {
        let ty = x.ty();
        let result = Type::array(&ty.shape()[indices.len()..], ty.scalar());
        self.unary("array.get", &[&[x], indices].concat(), result)
    }

    /// The extent of `axis`; a constant when the type says it.
    pub fn length(self, x: Value, axis: usize) -> Value {
        if let Some(n) = x.ty().shape()[axis] {
            return self.index(n as i64);
        }
        let context = self.context();
        let axis = Attribute::integer(context.scalar(Element::I64), axis as i64);
        self.insert(self.op("array.length").operands(&[x]).attribute("axis", axis).results(&[context.index()]).build())
            .result(0)
    }

    /// The sum over the outermost axis.
    pub fn sum(self, x: Value) -> Value {
        let ty = x.ty();
        self.unary("array.sum", &[x], Type::array(&ty.shape()[1..], ty.scalar()))
    }

    /// Copies of `x` along a new outermost axis of size `n`; `extent` is used when `n` is `None`.
    pub fn replicate(self, x: Value, n: Dim, extent: Value) -> Value {
        let ty = x.ty();
        let result = Type::tensor(&[&[n], ty.shape().as_slice()].concat(), ty.scalar());
        let operands: &[Value] = if n.is_none() { &[x, extent] } else { &[x] };
        self.unary("array.replicate", operands, result)
    }

    /// Axis `j` of the result is axis `p[j]` of `x`.
    pub fn transpose(self, x: Value, p: &[usize]) -> Value {
        let ty = x.ty();
        let sizes: Vec<Dim> = p.iter().map(|&j| ty.shape()[j]).collect();
        let p: Vec<i64> = p.iter().map(|&j| j as i64).collect();
        let op = self.op("array.transpose").operands(&[x]).attribute("permutation", self.context().i64_array_attr(&p));
        self.insert(op.results(&[Type::tensor(&sizes, ty.scalar())]).build()).result(0)
    }

    /// `array.build` over `sizes`; `extents` holds the run-time ones among them. `body` gets the indices and returns
    /// one element for each result.
    pub fn build(
        self,
        sizes: &[Dim],
        extents: &[Value],
        body: impl FnOnce(Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let arguments = vec![(self.context().index(), self.location); sizes.len()];
        let block = Block::new(&arguments);
        let inner = Builder::at_end(block, self.location);
        let elements = body(inner, &block.arguments());
        inner.insert(inner.op("array.yield").operands(&elements).build());
        let results: Vec<Type> = elements
            .iter()
            .map(|e| Type::tensor(&[sizes, e.ty().shape().as_slice()].concat(), e.ty().scalar()))
            .collect();
        let op = self.op("array.build").operands(extents).results(&results).region(Region::with_block(block));
        self.insert(op.build()).results()
    }

    /// `array.build` over the leading sizes of `like`.
    pub fn build_like(
        self,
        like: Value,
        rank: usize,
        body: impl FnOnce(Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let sizes = like.ty().shape()[..rank].to_vec();
        let extents: Vec<Value> =
            (0..rank).filter(|&axis| sizes[axis].is_none()).map(|axis| self.length(like, axis)).collect();
        self.build(&sizes, &extents, body)
    }

    /// `array.ifold`; `body` gets the index and the carried values and returns the next ones.
    pub fn ifold(
        self,
        count: Value,
        inits: &[Value],
        body: impl FnOnce(Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let types: Vec<Type> = inits.iter().map(|v| v.ty()).collect();
        let arguments: Vec<_> =
            std::iter::once(self.context().index()).chain(types.iter().copied()).map(|t| (t, self.location)).collect();
        let block = Block::new(&arguments);
        let inner = Builder::at_end(block, self.location);
        let arguments = block.arguments();
        let next = body(inner, arguments[0], &arguments[1..]);
        inner.insert(inner.op("array.yield").operands(&next).build());
        let operands = [&[count], inits].concat();
        let op = self.op("array.ifold").operands(&operands).results(&types).region(Region::with_block(block));
        self.insert(op.build()).results()
    }

    /// `arith.select`.
    pub fn select(self, condition: Value, a: Value, b: Value) -> Value {
        self.unary("arith.select", &[condition, a, b], a.ty())
    }

    /// `arith.cmpi eq`.
    pub fn equal(self, a: Value, b: Value) -> Value {
        let context = self.context();
        let eq = Attribute::integer(context.scalar(Element::I64), 0);
        let i1 = Type::array(&a.ty().shape(), context.scalar(Element::I1));
        self.insert(self.op("arith.cmpi").operands(&[a, b]).attribute("predicate", eq).results(&[i1]).build()).result(0)
    }

    /// A value of the type and sizes of `like`, every element `scalar`.
    pub fn filled_like(self, like: Value, scalar: Value) -> Value {
        let sizes = like.ty().shape();
        let mut x = scalar;
        for axis in (0..sizes.len()).rev() {
            let extent = if sizes[axis].is_none() { self.length(like, axis) } else { x };
            x = self.replicate(x, sizes[axis], extent);
        }
        x
    }

    /// The constant `c` in the type and sizes of `like`, which holds floats.
    pub fn float_like(self, like: Value, c: f64) -> Value {
        let ty = like.ty();
        let scalar = Attribute::float(ty.scalar(), c);
        if !ty.is_tensor() {
            return self.constant(scalar, ty);
        }
        if ty.shape().iter().all(Option::is_some) {
            return self.constant(Attribute::splat(ty, scalar), ty);
        }
        let c = self.constant(scalar, ty.scalar());
        self.filled_like(like, c)
    }

    /// The structural zero in the type and sizes of `like`.
    pub fn zero_like(self, like: Value) -> Value {
        let ty = like.ty();
        if ty.shape().iter().all(Option::is_some) {
            return self.unary("dual.zero", &[], ty);
        }
        let zero = self.unary("dual.zero", &[], ty.scalar());
        self.filled_like(like, zero)
    }
}
