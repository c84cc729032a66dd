//! Affine maps, by which a `linalg` op describes the elements that each iteration reads and writes.

use super::ir::Attribute;
use mlir_sys::*;

/// One result of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affine {
    Dim(usize),
    Symbol(usize),
    Constant(i64),
    Add(Box<Affine>, Box<Affine>),
    Mul(Box<Affine>, Box<Affine>),
    /// The remainder with the sign of the divisor.
    Mod(Box<Affine>, Box<Affine>),
    FloorDiv(Box<Affine>, Box<Affine>),
    CeilDiv(Box<Affine>, Box<Affine>),
}

/// `affine_map<(d0, d1)[s0] -> (d1, d0 + s0)>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineMap {
    pub dims: usize,
    pub symbols: usize,
    pub results: Vec<Affine>,
}

impl AffineMap {
    /// Returns the dimensions that are the results, in order, or `None` unless the results are distinct dimensions.
    pub fn as_projection(&self) -> Option<Vec<usize>> {
        let dims: Option<Vec<usize>> =
            self.results.iter().map(|r| if let Affine::Dim(d) = r { Some(*d) } else { None }).collect();
        dims.filter(|dims| dims.iter().enumerate().all(|(k, d)| !dims[..k].contains(d)))
    }

    pub fn identity(dims: usize) -> AffineMap {
        AffineMap { dims, symbols: 0, results: (0..dims).map(Affine::Dim).collect() }
    }
}

impl Attribute {
    pub fn as_affine_map(self) -> Option<AffineMap> {
        // SAFETY: the attribute is valid; its map is read only if it has one, and `i` is less than the number of
        // results.
        unsafe {
            if !mlirAttributeIsAAffineMap(self.raw()) {
                return None;
            }
            let map = mlirAffineMapAttrGetValue(self.raw());
            let results = (0..mlirAffineMapGetNumResults(map)).map(|i| expression(mlirAffineMapGetResult(map, i)));
            Some(AffineMap {
                dims: mlirAffineMapGetNumDims(map) as usize,
                symbols: mlirAffineMapGetNumSymbols(map) as usize,
                results: results.collect(),
            })
        }
    }
}

fn expression(e: MlirAffineExpr) -> Affine {
    // SAFETY: the expression is part of a map, which lives as long as its context; each accessor is called for its kind
    // only, and an expression that is no dimension, symbol or constant is binary.
    unsafe {
        if mlirAffineExprIsADim(e) {
            return Affine::Dim(mlirAffineDimExprGetPosition(e) as usize);
        }
        if mlirAffineExprIsASymbol(e) {
            return Affine::Symbol(mlirAffineSymbolExprGetPosition(e) as usize);
        }
        if mlirAffineExprIsAConstant(e) {
            return Affine::Constant(mlirAffineConstantExprGetValue(e));
        }
        let left = Box::new(expression(mlirAffineBinaryOpExprGetLHS(e)));
        let right = Box::new(expression(mlirAffineBinaryOpExprGetRHS(e)));
        if mlirAffineExprIsAAdd(e) {
            Affine::Add(left, right)
        } else if mlirAffineExprIsAMul(e) {
            Affine::Mul(left, right)
        } else if mlirAffineExprIsAMod(e) {
            Affine::Mod(left, right)
        } else if mlirAffineExprIsAFloorDiv(e) {
            Affine::FloorDiv(left, right)
        } else {
            Affine::CeilDiv(left, right)
        }
    }
}
