//! Creation of ops that rearrange arrays, and of total arithmetic.

use super::Builder;
use crate::ir::{Dim, Type, Value};
use crate::kind::Kind;
use crate::value::Element;

impl Builder {
    /// Replicates `x` along a new outermost axis of size `n`, or `extent` if `n` is `None`.
    pub fn replicate(self, x: Value, n: Dim, extent: Value) -> Value {
        let operands: &[Value] = if n.is_none() { &[x, extent] } else { &[x] };
        self.unary(Kind::ArrayReplicate, operands, x.ty().stacked(&[n]))
    }

    /// Permutes the axes: axis `j` of the result is axis `p[j]` of `x`.
    pub fn transpose(self, x: Value, p: &[usize]) -> Value {
        let ty = x.ty();
        let sizes: Vec<Dim> = p.iter().map(|&j| ty.shape()[j]).collect();
        let p: Vec<i64> = p.iter().map(|&j| j as i64).collect();
        let op =
            self.op(Kind::ArrayTranspose).operands(&[x]).attribute("permutation", self.context().i64_array_attr(&p));
        self.insert(op.results(&[Type::tensor(&sizes, ty.scalar())]).build()).result(0)
    }

    /// Reshapes `x` to `sizes`, with `extents` for the dynamic ones. Without sizes the result is a scalar.
    pub fn reshape(self, x: Value, sizes: &[Dim], extents: &[Value]) -> Value {
        let result = Type::array(sizes, x.ty().scalar());
        self.unary(Kind::ArrayReshape, &[&[x], extents].concat(), result)
    }

    /// Stacks operands of one type along a new outermost axis.
    ///
    /// # Panics
    /// Panics if there are no elements.
    pub fn stack(self, elements: &[Value]) -> Value {
        let part = elements[0].ty();
        let sizes = [&[Some(elements.len())], part.shape().as_slice()].concat();
        self.unary(Kind::ArrayStack, elements, Type::tensor(&sizes, part.scalar()))
    }

    /// Concatenates the rows of `x` and of `y`.
    pub fn append(self, x: Value, y: Value) -> Value {
        let (mut sizes, other) = (x.ty().shape(), y.ty().shape());
        sizes[0] = sizes[0].zip(other[0]).map(|(m, n)| m + n);
        self.unary(Kind::ArrayAppend, &[x, y], Type::tensor(&sizes, x.ty().scalar()))
    }

    /// Creates the array of 0 to `n`-1; `extent` is the dynamic `n`.
    pub fn iota(self, n: Dim, extent: Option<Value>) -> Value {
        let operands: Vec<Value> = extent.into_iter().collect();
        self.unary(Kind::ArrayIota, &operands, Type::tensor(&[n], self.context().index()))
    }

    /// Creates `array.div`: `⌊x / y⌋`, total.
    pub fn div(self, x: Value, y: Value) -> Value {
        self.unary(Kind::ArrayDiv, &[x, y], x.ty())
    }

    /// Creates `array.mod`: the remainder of [`Builder::div`], with the sign of `y`.
    pub fn modulo(self, x: Value, y: Value) -> Value {
        self.unary(Kind::ArrayMod, &[x, y], x.ty())
    }

    /// Creates `array.floor`: `⌊x⌋` as an integer of the kind `element`.
    pub fn floor(self, x: Value, element: Element) -> Value {
        let integer = self.context().scalar(element);
        let ty = x.ty();
        let result = if ty.is_tensor() { Type::tensor(&ty.shape(), integer) } else { integer };
        self.unary(Kind::ArrayFloor, &[x], result)
    }
}
