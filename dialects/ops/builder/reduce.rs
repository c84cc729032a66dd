//! Creation of reductions.

use super::Builder;
use crate::ir::{Attribute, Dim, Type, Value};
use crate::kind::Kind;
use crate::value::Element;

impl Builder {
    /// Creates the sum over the outermost axis.
    pub fn sum(self, x: Value) -> Value {
        self.sum_axes(x, &[0])
    }

    /// Creates the sum over `axes`, which are strictly increasing.
    pub fn sum_axes(self, x: Value, axes: &[usize]) -> Value {
        self.reduce(Kind::ArraySum, x, axes, None)
    }

    /// Creates the product over `axes`.
    pub fn prod(self, x: Value, axes: &[usize]) -> Value {
        self.reduce(Kind::ArrayProd, x, axes, None)
    }

    /// Creates the maximum over `axes`.
    pub fn max(self, x: Value, axes: &[usize]) -> Value {
        self.reduce(Kind::ArrayMax, x, axes, None)
    }

    /// Creates the minimum over `axes`.
    pub fn min(self, x: Value, axes: &[usize]) -> Value {
        self.reduce(Kind::ArrayMin, x, axes, None)
    }

    /// Creates the reduction `name` over `axes`, which are strictly increasing, with the `fastmath` of another op.
    pub fn reduce(self, name: impl AsRef<str>, x: Value, axes: &[usize], fastmath: Option<Attribute>) -> Value {
        let result = Type::array(&without(&x.ty().shape(), axes), x.ty().scalar());
        let axes: Vec<i64> = axes.iter().map(|&axis| axis as i64).collect();
        let mut op = self.op(name).operands(&[x]).results(&[result]);
        if axes != [0] {
            op = op.attribute("axes", self.context().i64_array_attr(&axes));
        }
        if let Some(fastmath) = fastmath {
            op = op.attribute("fastmath", fastmath);
        }
        self.insert(op.build()).result(0)
    }

    /// Creates the lowest position of the maximum along `axis`.
    pub fn argmax(self, x: Value, axis: usize) -> Value {
        self.search(Kind::ArrayArgmax, x, axis)
    }

    /// Creates the lowest position of the minimum along `axis`.
    pub fn argmin(self, x: Value, axis: usize) -> Value {
        self.search(Kind::ArrayArgmin, x, axis)
    }

    fn search(self, name: impl AsRef<str>, x: Value, axis: usize) -> Value {
        let context = self.context();
        let result = Type::array(&without(&x.ty().shape(), &[axis]), context.index());
        let axis = Attribute::integer(context.scalar(Element::I64), axis as i64);
        self.insert(self.op(name).operands(&[x]).attribute("axis", axis).results(&[result]).build()).result(0)
    }
}

/// Returns the sizes of the other axes.
fn without(sizes: &[Dim], axes: &[usize]) -> Vec<Dim> {
    sizes.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, &d)| d).collect()
}
