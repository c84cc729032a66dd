//! The functions of the notation (`spec/streams.md` 3), without infix operators.

use super::types::{Mismatch, Shape};
use mlopt_dialects::primitives::{Notation, Primitive, all, named};
use mlopt_dialects::text::count;

/// A pure function of whole arrays in a cycle, with its static arguments evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    /// The sum of all elements.
    Sum,
    Matmul,
    Outer,
    Transpose,
    Concat,
    Reshape(Shape),
    /// A range of rows; the end is excluded.
    Slice(u64, u64),
    /// One row.
    Index(u64),
    /// An array whose rows are the operands.
    Stack,
}

/// A built-in function: its name and the numbers of its arguments.
#[derive(Clone, Copy)]
pub struct Signature {
    pub name: &'static str,
    pub statics: usize,
    pub operands: usize,
    pub meaning: Meaning,
}

#[derive(Clone, Copy)]
pub enum Meaning {
    Pointwise(&'static Primitive),
    Function(fn(&[Static]) -> Option<Function>),
    /// An array whose elements all have this value.
    Fill(f64),
    /// An array that is created before the first cycle.
    Initial,
    Param,
}

/// A static argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Static {
    Int(i64),
    Shape(Shape),
}

impl Static {
    pub fn shape(&self) -> Option<&Shape> {
        if let Static::Shape(shape) = self { Some(shape) } else { None }
    }

    fn size(&self) -> Option<u64> {
        if let Static::Int(n) = self { u64::try_from(*n).ok() } else { None }
    }
}

const fn function(name: &'static str, operands: usize, of: fn(&[Static]) -> Option<Function>) -> Signature {
    Signature { name, statics: 0, operands, meaning: Meaning::Function(of) }
}

const fn array(name: &'static str, meaning: Meaning) -> Signature {
    Signature { name, statics: 1, operands: 0, meaning }
}

/// The functions that are not elementwise.
const FUNCTIONS: &[Signature] = &[
    function("sum", 1, |_| Some(Function::Sum)),
    function("matmul", 2, |_| Some(Function::Matmul)),
    function("outer", 2, |_| Some(Function::Outer)),
    function("transpose", 1, |_| Some(Function::Transpose)),
    function("concat", 2, |_| Some(Function::Concat)),
    Signature { statics: 1, ..function("reshape", 1, |s| Some(Function::Reshape(s[0].shape()?.clone()))) },
    Signature { statics: 2, ..function("slice", 1, |s| Some(Function::Slice(s[0].size()?, s[1].size()?))) },
    array("zeros", Meaning::Fill(0.0)),
    array("ones", Meaning::Fill(1.0)),
    array("glorot_uniform", Meaning::Initial),
    array("orthogonal", Meaning::Initial),
    Signature { name: "param", statics: 0, operands: 1, meaning: Meaning::Param },
];

/// Returns the elementwise functions, all of floats. The other primitives are operators.
fn elementwise() -> impl Iterator<Item = &'static Primitive> {
    all(Notation::Streams).filter(|p| p.arity == 1 && !matches!(p.name(Notation::Streams), "-" | "not"))
}

fn signatures() -> impl Iterator<Item = Signature> {
    let pointwise = |p: &'static Primitive| {
        let name = p.name(Notation::Streams);
        Signature { name, statics: 0, operands: p.arity, meaning: Meaning::Pointwise(p) }
    };
    FUNCTIONS.iter().copied().chain(elementwise().map(pointwise))
}

pub fn names() -> impl Iterator<Item = &'static str> {
    signatures().map(|f| f.name)
}

pub fn find(name: &str) -> Option<Signature> {
    signatures().find(|f| f.name == name)
}

/// Formats the application of a function or operator to streams `x0`, `x1`, … in the notation; `statics` are its static
/// arguments.
pub fn call(name: &str, statics: &str, operands: usize) -> Option<String> {
    let listed = (0..operands).map(|k| format!("x{k}")).collect::<Vec<_>>().join(", ");
    match (name, operands) {
        ("not", 1) => Some("not x0".into()),
        ("-", 1) => Some("-x0".into()),
        ("index", 1) => Some(format!("x0[{statics}]")),
        ("stack", 1..) => Some(format!("[{listed}]")),
        (_, 2) if named(Notation::Streams, name).any(|p| p.arity == 2) => Some(format!("x0 {name} x1")),
        _ => {
            let known = find(name).filter(|f| f.operands == operands && operands > 0)?;
            let statics = if known.statics == 0 { String::new() } else { format!("{{{statics}}}") };
            Some(format!("{name}{statics}({listed})"))
        }
    }
}

/// Checks whether this is the name of an elementwise function, which is defined for floats only.
pub fn is_of_floats(name: &str) -> bool {
    elementwise().any(|p| p.name(Notation::Streams) == name)
}

impl Function {
    /// Returns the shape of the result for operands of these shapes, or an error in them, which calls the function
    /// `name`.
    pub fn shape(&self, name: &'static str, operands: &[Shape]) -> Result<Shape, Mismatch> {
        let wrong = |expected: &str| {
            let found = operands.iter().map(|shape| format!("{shape:?}")).collect::<Vec<_>>().join(" and ");
            Err(Mismatch::Operands { function: name, expected: expected.into(), found })
        };
        match (self, operands) {
            (Function::Sum, _) => Ok(vec![]),
            (Function::Matmul, [a, x]) if a.len() == 2 && (1..=2).contains(&x.len()) && a[1] == x[0] => {
                Ok([&a[..1], &x[1..]].concat())
            }
            (Function::Matmul, _) => {
                wrong("a matrix, and a vector or matrix with as many rows as the first matrix has columns")
            }
            (Function::Outer, [u, v]) if u.len() == 1 && v.len() == 1 => Ok(vec![u[0], v[0]]),
            (Function::Outer, _) => wrong("two vectors"),
            (Function::Transpose, [a]) if a.len() == 2 => Ok(vec![a[1], a[0]]),
            (Function::Transpose, _) => wrong("a matrix"),
            (Function::Concat, [u, v]) if !u.is_empty() && u.len() == v.len() && u[1..] == v[1..] => {
                Ok([&[u[0].saturating_add(v[0])], &u[1..]].concat())
            }
            (Function::Concat, _) => wrong("arrays that differ at most in the number of rows"),
            (Function::Reshape(to), [x]) if elements(to) == elements(x) => Ok(to.clone()),
            (Function::Reshape(to), _) => wrong(&format!("as many elements as {to:?} has")),
            (&Function::Slice(low, high), [x]) if !x.is_empty() && low <= high && high <= x[0] => {
                Ok([&[high - low], &x[1..]].concat())
            }
            (Function::Slice(low, high), _) => wrong(&format!("an array with rows {low} to {high}")),
            (&Function::Index(k), [x]) if !x.is_empty() && k < x[0] => Ok(x[1..].to_vec()),
            (Function::Index(k), _) => wrong(&format!("an array with at least {}", count(k.saturating_add(1), "row"))),
            (Function::Stack, [first, rest @ ..]) if rest.iter().all(|x| x == first) => {
                Ok([&[operands.len() as u64], &first[..]].concat())
            }
            (Function::Stack, _) => wrong("operands of the same shape"),
        }
    }
}

/// Returns the number of elements of a shape, if it fits 64 bits.
pub fn elements(shape: &Shape) -> Option<u64> {
    shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d))
}
