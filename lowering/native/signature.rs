//! The exported functions of a lowered module, as described by its attributes.

use super::Error;
use crate::abi::names::NAME;
use crate::abi::{ALLOCATES, CHECKS, MISMATCHES, SIGNATURE, TRAPS};
use crate::ir::{Attribute, Op, Type};
use mlopt_dialects::value::{Array, Element};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The type of one argument or result: a scalar if `shape` is empty; `None` is a size that is known only at run time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueType {
    pub element: Element,
    pub shape: Vec<Option<usize>>,
}

impl ValueType {
    pub fn of(ty: Type) -> Option<ValueType> {
        Some(ValueType { element: ty.element()?, shape: ty.shape() })
    }

    pub fn accepts(&self, value: &Array) -> bool {
        self.element == value.element() && self.accepts_shape(value.shape())
    }

    pub fn accepts_shape(&self, shape: &[usize]) -> bool {
        self.shape.len() == shape.len()
            && self.shape.iter().zip(shape).all(|(want, have)| want.is_none_or(|n| n == *have))
    }

    pub fn dynamic_dims(&self) -> usize {
        self.shape.iter().filter(|n| n.is_none()).count()
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.shape.is_empty() {
            return write!(f, "{}", self.element);
        }
        f.write_str("tensor<")?;
        for n in &self.shape {
            match n {
                Some(n) => write!(f, "{n}x")?,
                None => f.write_str("?x")?,
            }
        }
        write!(f, "{}>", self.element)
    }
}

/// The type of a function in terms of arrays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    pub inputs: Vec<ValueType>,
    pub results: Vec<ValueType>,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let join = |v: &[ValueType]| v.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", join(&self.inputs), join(&self.results))
    }
}

/// A function that a lowered module exports, before it is compiled to machine code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Export {
    pub symbol: String,
    pub signature: Signature,
    pub checks: Vec<SizeCheck>,
    /// True if it allocates memory at run time, and therefore returns a status.
    pub allocates: bool,
    /// The errors with which it may stop; if there are any, it returns a status.
    pub traps: Vec<Trap>,
}

/// A condition on the sizes of arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeCheck {
    pub message: String,
    /// Some if the condition is that operands have the same sizes: the position in the program, and the message
    /// without it.
    pub mismatch: Option<Trap>,
}

/// An error with which a function may stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trap {
    /// `file:line:col`.
    pub place: String,
    /// `index-out-of-bounds: index {} of extent {}`.
    pub message: String,
}

impl Export {
    pub fn has_status(&self) -> bool {
        self.allocates || !self.traps.is_empty()
    }
}

/// Returns the exported functions of a lowered module.
pub fn exports(module: Op) -> Result<BTreeMap<String, Export>, Error> {
    let mut all = BTreeMap::new();
    for op in module.child_ops() {
        let (Some(symbol), Some((inputs, results))) =
            (op.symbol(), op.attribute(SIGNATURE).and_then(|a| a.as_type()?.signature()))
        else {
            continue;
        };
        let name = op.attribute(NAME).and_then(Attribute::as_string).unwrap_or_else(|| symbol.clone());
        let value_type = |t: Type| {
            let text = || format!("`@{name}` must take and return numbers and arrays, found type `{t}`");
            ValueType::of(t).ok_or_else(|| Error::Internal(text()))
        };
        let convert = |types: Vec<Type>| types.into_iter().map(value_type).collect::<Result<Vec<_>, Error>>();
        let signature = Signature { inputs: convert(inputs)?, results: convert(results)? };
        let checks = op.attribute(CHECKS).and_then(Attribute::as_array).unwrap_or_default();
        let mut mismatches = op.attribute(MISMATCHES).and_then(Attribute::as_array).unwrap_or_default().into_iter();
        let check = |message: Attribute| {
            let mismatch = mismatches.next().and_then(trap).filter(|trap| !trap.message.is_empty());
            Some(SizeCheck { message: message.as_string()?, mismatch })
        };
        let checks = checks.into_iter().filter_map(check).collect();
        let allocates = op.attribute(ALLOCATES).is_some();
        let traps = op.attribute(TRAPS).and_then(Attribute::as_array).unwrap_or_default();
        let traps = traps.into_iter().filter_map(trap).collect();
        all.insert(name, Export { symbol, signature, checks, allocates, traps });
    }
    Ok(all)
}

/// Parses a pair of place and message.
fn trap(pair: Attribute) -> Option<Trap> {
    let [place, message] = pair.as_array()?.try_into().ok()?;
    Some(Trap { place: place.as_string()?, message: message.as_string()? })
}
