//! The table of primitives: for each primitive its name in each notation, its arity and types, and the op that computes
//! it.
//!
//! A primitive has one row for each kind of elements on which it is defined. The column of a notation is empty if the
//! primitive has no name in that notation.

use crate::ops::{CmpFPredicate, CmpIPredicate, Kind};
use crate::value::Element;
use Computation::*;
use Elements::*;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `spec/arrays.md` A.3.
    Terms,
    /// `spec/functional.md` F.1: the operations of `lambda.prim`.
    Functions,
    /// `spec/streams.md` 3: infix and prefix operators, and elementwise functions.
    Streams,
}

/// A kind of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elements {
    Float,
    Int,
    Bool,
}

impl Elements {
    pub fn of(element: Element) -> Elements {
        match element {
            Element::F16 | Element::BF16 | Element::F32 | Element::F64 => Float,
            Element::I1 => Bool,
            Element::I8 | Element::I16 | Element::I32 | Element::I64 | Element::Index => Int,
        }
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Float => "float",
            Int => "integer",
            Bool => "Boolean",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computation {
    /// One elementwise op, whose operands and result have one type.
    Op(Kind),
    CompareFloats(CmpFPredicate),
    CompareIntegers(CmpIPredicate),
    /// Several ops, or one with a type of its own.
    Several,
}

#[derive(Debug)]
pub struct Primitive {
    /// The names in terms, functions and streams.
    names: [&'static str; 3],
    pub arity: usize,
    pub elements: Elements,
    pub computation: Computation,
}

impl Primitive {
    pub fn name(&self, notation: Notation) -> &'static str {
        self.names[notation as usize]
    }

    pub fn is_comparison(&self) -> bool {
        matches!(self.computation, CompareFloats(_) | CompareIntegers(_))
    }
}

const fn row(names: [&'static str; 3], arity: usize, elements: Elements, computation: Computation) -> Primitive {
    Primitive { names, arity, elements, computation }
}

/// All primitives.
const TABLE: &[Primitive] = &[
    row(["+", "+", "+"], 2, Float, Op(Kind::ArithAddf)),
    row(["+", "i+", "+"], 2, Int, Op(Kind::ArithAddi)),
    row(["-", "-", "-"], 2, Float, Op(Kind::ArithSubf)),
    row(["-", "i-", "-"], 2, Int, Op(Kind::ArithSubi)),
    row(["*", "*", "*"], 2, Float, Op(Kind::ArithMulf)),
    row(["*", "i*", "*"], 2, Int, Op(Kind::ArithMuli)),
    row(["/", "/", "/"], 2, Float, Op(Kind::ArithDivf)),
    row(["", "", "/"], 2, Int, Op(Kind::StreamDiv)),
    row(["div", "", ""], 2, Int, Op(Kind::ArrayDiv)),
    row(["", "idiv2", ""], 1, Int, Several),
    row(["mod", "imod", ""], 2, Int, Op(Kind::ArrayMod)),
    row(["neg", "neg", "-"], 1, Float, Op(Kind::ArithNegf)),
    row(["neg", "neg", "-"], 1, Int, Several),
    // a if a ≥ b, else b. Equal numbers have equal values, except for the sign of zero.
    row(["max", "max", ""], 2, Float, Op(Kind::ArithMaximumf)),
    row(["max", "max", ""], 2, Int, Op(Kind::ArithMaxsi)),
    row(["min", "min", ""], 2, Float, Op(Kind::ArithMinimumf)),
    row(["min", "min", ""], 2, Int, Op(Kind::ArithMinsi)),
    row(["pow", "pow", ""], 2, Float, Op(Kind::MathPowf)),
    // The exponent is an integer.
    row(["", "powi", ""], 2, Float, Several),
    row(["sqrt", "sqrt", "sqrt"], 1, Float, Op(Kind::MathSqrt)),
    row(["abs", "abs", ""], 1, Float, Op(Kind::MathAbsf)),
    row(["", "abs", ""], 1, Int, Several),
    row(["exp", "exp", "exp"], 1, Float, Op(Kind::MathExp)),
    row(["log", "log", ""], 1, Float, Op(Kind::MathLog)),
    row(["sin", "sin", ""], 1, Float, Op(Kind::MathSin)),
    row(["cos", "cos", ""], 1, Float, Op(Kind::MathCos)),
    row(["tan", "tan", ""], 1, Float, Op(Kind::MathTan)),
    row(["tanh", "tanh", "tanh"], 1, Float, Op(Kind::MathTanh)),
    row(["recip", "", ""], 1, Float, Several),
    row(["sq", "", ""], 1, Float, Several),
    row(["sign", "sign", ""], 1, Float, Several),
    row(["sigmoid", "sigmoid", "sigmoid"], 1, Float, Several),
    row(["relu", "relu", "relu"], 1, Float, Several),
    // The result is an integer in terms, a float in functions.
    row(["floor", "", ""], 1, Float, Several),
    row(["", "floor", ""], 1, Float, Op(Kind::MathFloor)),
    row(["i2f", "itof", ""], 1, Int, Several),
    row(["<", "<", "<"], 2, Float, CompareFloats(CmpFPredicate::Olt)),
    row(["<", "i<", "<"], 2, Int, CompareIntegers(CmpIPredicate::Slt)),
    row(["<=", "<=", "<="], 2, Float, CompareFloats(CmpFPredicate::Ole)),
    row(["<=", "<=", "<="], 2, Int, CompareIntegers(CmpIPredicate::Sle)),
    row([">", ">", ">"], 2, Float, CompareFloats(CmpFPredicate::Ogt)),
    row([">", ">", ">"], 2, Int, CompareIntegers(CmpIPredicate::Sgt)),
    row([">=", ">=", ">="], 2, Float, CompareFloats(CmpFPredicate::Oge)),
    row([">=", ">=", ">="], 2, Int, CompareIntegers(CmpIPredicate::Sge)),
    row(["==", "=", "=="], 2, Float, CompareFloats(CmpFPredicate::Oeq)),
    row(["==", "i=", "=="], 2, Int, CompareIntegers(CmpIPredicate::Eq)),
    row(["==", "=", "=="], 2, Bool, CompareIntegers(CmpIPredicate::Eq)),
    row(["!=", "!=", "!="], 2, Float, CompareFloats(CmpFPredicate::Une)),
    row(["!=", "!=", "!="], 2, Int, CompareIntegers(CmpIPredicate::Ne)),
    row(["!=", "!=", "!="], 2, Bool, CompareIntegers(CmpIPredicate::Ne)),
    row(["and", "and", "and"], 2, Bool, Op(Kind::ArithAndi)),
    row(["or", "or", "or"], 2, Bool, Op(Kind::ArithOri)),
    row(["not", "not", "not"], 1, Bool, Several),
    row(["", "sum", ""], 1, Float, Several),
    row(["", "dot", ""], 2, Float, Several),
    row(["", "mv", ""], 2, Float, Several),
    row(["", "vm", ""], 2, Float, Several),
    row(["", "mm", ""], 2, Float, Several),
    row(["", "@", ""], 2, Float, Several),
    row(["", "outer", ""], 2, Float, Several),
    row(["", "transpose", ""], 1, Float, Several),
    row(["", "scale", ""], 2, Float, Several),
    row(["", "fill", ""], 2, Float, Several),
    row(["", "asin", ""], 1, Float, Op(Kind::MathAsin)),
    row(["", "acos", ""], 1, Float, Op(Kind::MathAcos)),
    row(["", "atan", ""], 1, Float, Op(Kind::MathAtan)),
    row(["", "sinh", ""], 1, Float, Op(Kind::MathSinh)),
    row(["", "cosh", ""], 1, Float, Op(Kind::MathCosh)),
    row(["", "log1p", ""], 1, Float, Op(Kind::MathLog1p)),
    row(["", "expm1", ""], 1, Float, Op(Kind::MathExpm1)),
    row(["", "erf", ""], 1, Float, Op(Kind::MathErf)),
    row(["", "ceil", ""], 1, Float, Op(Kind::MathCeil)),
    // Operations with promotion, and functions on values of several types (docs/functions.md).
    row(["", "add", ""], 2, Float, Several),
    row(["", "sub", ""], 2, Float, Several),
    row(["", "mul", ""], 2, Float, Several),
    row(["", "div", ""], 2, Float, Several),
    row(["", "floordiv", ""], 2, Float, Several),
    row(["", "mod", ""], 2, Float, Several),
    row(["", "power", ""], 2, Float, Several),
    row(["", "lt", ""], 2, Float, Several),
    row(["", "le", ""], 2, Float, Several),
    row(["", "gt", ""], 2, Float, Several),
    row(["", "ge", ""], 2, Float, Several),
    row(["", "eq", ""], 2, Float, Several),
    row(["", "ne", ""], 2, Float, Several),
    row(["", "select", ""], 3, Float, Several),
    row(["", "real", ""], 1, Float, Several),
    row(["", "f64", ""], 1, Float, Several),
    row(["", "f32", ""], 1, Float, Several),
    row(["", "i64", ""], 1, Float, Several),
    row(["", "bool", ""], 1, Float, Several),
    row(["", "item", ""], 2, Float, Several),
    row(["", "unpack", ""], 2, Float, Several),
    row(["", "len", ""], 1, Float, Several),
    row(["", "shape", ""], 1, Float, Several),
    row(["", "iota", ""], 1, Int, Several),
    row(["", "replicate", ""], 2, Float, Several),
    row(["", "zero", ""], 1, Float, Several),
    row(["", "sum-along", ""], 2, Float, Several),
    row(["", "ceildiv", ""], 2, Float, Several),
    row(["", "bitand", ""], 2, Int, Several),
    row(["", "bitor", ""], 2, Int, Several),
    row(["", "bitxor", ""], 2, Int, Several),
    row(["", "shl", ""], 2, Int, Several),
    row(["", "shr", ""], 2, Int, Several),
    row(["", "invert", ""], 1, Int, Several),
];

/// Returns the primitives of a notation.
pub fn all(notation: Notation) -> impl Iterator<Item = &'static Primitive> + Clone {
    TABLE.iter().filter(move |p| !p.name(notation).is_empty())
}

/// Returns the primitives of this name, one for each kind of elements. In streams, `-` has two arities.
pub fn named(notation: Notation, name: &str) -> impl Iterator<Item = &'static Primitive> + Clone {
    all(notation).filter(move |p| p.name(notation) == name)
}

/// Returns the primitive of `lambda.prim` on these elements with the meaning of `name`: `+` on integers is `i+`.
pub fn overload(name: &str, elements: Elements) -> Option<&'static Primitive> {
    let own = function(name)?;
    let common = own.name(Notation::Terms);
    let same = |p: &&Primitive| {
        p.elements == elements
            && p.arity == own.arity
            && (p.name(Notation::Functions) == name || !common.is_empty() && p.name(Notation::Terms) == common)
    };
    TABLE.iter().find(same)
}

/// Returns the primitive of `lambda.prim` of this name.
pub fn function(name: &str) -> Option<&'static Primitive> {
    named(Notation::Functions, name).next()
}
