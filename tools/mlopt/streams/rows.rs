//! Arrays with one row for each cycle.

use mlopt_dialects::ir::Type;
use mlopt_dialects::value::{Array, Data, Element};

/// Some of the elements.
pub fn part(data: &Data, from: usize, size: usize) -> Data {
    let to = from + size;
    match data {
        Data::F32(v) => Data::F32(v[from..to].to_vec()),
        Data::F64(v) => Data::F64(v[from..to].to_vec()),
        Data::I1(v) => Data::I1(v[from..to].to_vec()),
        Data::I32(v) => Data::I32(v[from..to].to_vec()),
        Data::I64(v) => Data::I64(v[from..to].to_vec()),
        Data::Index(v) => Data::Index(v[from..to].to_vec()),
    }
}

/// The row of one cycle.
pub fn row(all: &Array, n: usize) -> Array {
    let size = all.shape()[1..].iter().product();
    Array::new(all.shape()[1..].to_vec(), part(all.data(), n * size, size))
}

pub fn zeros(ty: Type) -> Array {
    let shape: Vec<usize> = ty.shape().into_iter().map(|n| n.unwrap_or(0)).collect();
    Array::zeros(ty.element().unwrap_or(Element::F64), if ty.is_tensor() { &shape } else { &[] })
}

/// One array of all, with an axis in front.
pub fn stack<'a>(ty: Type, cells: impl ExactSizeIterator<Item = &'a Array>) -> Array {
    let like = zeros(ty);
    let shape = [&[cells.len()], like.shape()].concat();
    macro_rules! all {
        ($kind:path) => {
            $kind(cells.flat_map(|x| if let $kind(v) = x.data() { v.clone() } else { vec![] }).collect())
        };
    }
    let data = match like.data() {
        Data::F32(_) => all!(Data::F32),
        Data::F64(_) => all!(Data::F64),
        Data::I1(_) => all!(Data::I1),
        Data::I32(_) => all!(Data::I32),
        Data::I64(_) => all!(Data::I64),
        Data::Index(_) => all!(Data::Index),
    };
    Array::new(shape, data)
}
