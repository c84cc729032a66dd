//! Translation of the elementwise primitives (`spec/arrays.md` A.3). A scalar operand is broadcast to the shape of the
//! other operands.
//!
//! Most primitives become one op of `arith`, `math` or `array`. The others become combinations of ops. A combination is
//! chosen so that the derivative rules of its ops give the derivative that the specification requires (A.4). For
//! example, `relu x` becomes `max 0 x` and not `max x 0`, because on ties `max` passes the derivative to its first
//! operand.

use super::scope::Import;
use super::value::{Leaf, Tuple, shape, static_sizes};
use crate::mlir;
use mlopt_dialects::ir::{Type, Value};
use mlopt_dialects::ops::{CmpFPredicate, Kind};
use mlopt_dialects::primitives::{Elements, Notation, Primitive, named};
use mlopt_dialects::text::terms::{Number, Term};
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

impl Import {
    /// Imports an application of a primitive. Returns `None` if its head is not one.
    pub fn primitive(&mut self, term: &Term, head: &str, rest: &[Term]) -> Result<Option<Tuple>, Problem> {
        let mut known = named(Notation::Terms, head);
        let Some(Primitive { arity, .. }) = known.clone().next() else { return Ok(None) };
        if rest.len() != *arity {
            let operands = count(*arity, "operand");
            return Err(term.error(format!("expected {operands} of `{head}`, found {}", rest.len())));
        }
        let leaves = rest.iter().map(|t| self.leaf(t)).collect::<Result<Vec<_>, _>>()?;
        if let Some(n) = folded(head, &leaves) {
            return Ok(Some(Tuple::Leaf(n)));
        }
        let x = self.operands(&Vec::from_iter(rest), leaves)?;
        let found = x[0].ty().element().map(Elements::of);
        let takes: Vec<Elements> = known.clone().map(|p| p.elements).collect();
        let Some(primitive) = known.find(|p| Some(p.elements) == found) else {
            let takes = match takes[..] {
                [Elements::Float] => "floats",
                [Elements::Int] => "integers",
                [Elements::Bool] => "booleans",
                _ => "numbers",
            };
            return Err(rest[0].error(format!("`{head}` takes {takes}, found {}", x[0].ty())));
        };
        let value = mlir::primitive(self.builder(), primitive, &x, || self.several(head, x[0]));
        Ok(Some(value.into()))
    }

    /// Creates an op whose operands and result have one type.
    fn same(&self, kind: Kind, operands: &[Value]) -> Value {
        self.builder().unary(kind, operands, operands[0].ty())
    }

    /// Creates a primitive of one operand that is several ops, or one with a type of its own.
    fn several(&mut self, name: &str, x: Value) -> Value {
        let ty = x.ty();
        match name {
            // 1/x
            "recip" => {
                let one = self.filled(Number::Int(1), ty);
                self.same(Kind::ArithDivf, &[one, x])
            }
            "sq" => self.same(Kind::ArithMulf, &[x, x]),
            "sign" => sign(self, x),
            "sigmoid" => sigmoid(self, x),
            // max(0, x); the derivative at 0 is that of the constant (A.4).
            "relu" => {
                let zero = self.filled(Number::Int(0), ty);
                self.same(Kind::ArithMaximumf, &[zero, x])
            }
            "neg" => {
                let zero = self.filled(Number::Int(0), ty);
                self.same(Kind::ArithSubi, &[zero, x])
            }
            "not" => {
                let all = self.filled(Number::Bool(true), ty);
                self.same(Kind::ArithXori, &[x, all])
            }
            "i2f" => {
                let i64 = self.context.scalar(Element::I64);
                let x = if ty.scalar().is_index() { self.convert(Kind::ArithIndexCast, x, i64) } else { x };
                self.convert(Kind::ArithSitofp, x, self.floats)
            }
            "floor" => self.builder().floor(x, Element::Index),
            _ => unreachable!("no other primitive of terms is several ops"),
        }
    }

    /// Converts operands to one type: literals take the type of the others, scalars their shape.
    fn operands(&mut self, terms: &[&Term], leaves: Vec<Leaf>) -> Result<Vec<Value>, Problem> {
        let element = self.common(&leaves.iter().collect::<Vec<_>>());
        let ty = Type::array(&static_sizes(&self.shape_of(terms, &leaves)?), element);
        terms.iter().zip(&leaves).map(|(term, leaf)| self.spread(term, leaf, ty)).collect()
    }

    /// Returns the common shape of all leaves that are not scalars.
    pub fn shape_of(&self, terms: &[&Term], leaves: &[Leaf]) -> Result<Vec<usize>, Problem> {
        let mut shape = vec![];
        for (term, leaf) in terms.iter().zip(leaves) {
            let found = leaf.shape();
            if shape.is_empty() {
                shape = found;
            } else if !found.is_empty() && found != shape {
                return Err(term.error(format!("expected shape {shape:?} or a scalar, found {leaf}")));
            }
        }
        Ok(shape)
    }

    /// Converts the leaf to an array of type `ty`: casts the elements and broadcasts a scalar.
    pub fn spread(&mut self, term: &Term, leaf: &Leaf, ty: Type) -> Result<Value, Problem> {
        if !matches!(leaf, Leaf::Value(_)) {
            self.admits(term, leaf, ty.scalar())?;
            return Ok(self.literal(leaf, ty));
        }
        let x = self.cast(term, leaf, ty.scalar())?;
        Ok(if x.ty() == ty { x } else { self.spread_leading(&shape(ty), x) })
    }
}

/// Folds arithmetic on integer literals, so that sizes can be written as expressions, and the negation of float
/// literals.
fn folded(head: &str, leaves: &[Leaf]) -> Option<Leaf> {
    if let ("neg", [Leaf::Float(x)]) = (head, leaves) {
        return Some(Leaf::Float(-x));
    }
    let n = match (head, leaves) {
        ("neg", [Leaf::Int(a)]) => a.wrapping_neg(),
        (_, [Leaf::Int(a), Leaf::Int(b)]) => match head {
            "+" => a.wrapping_add(*b),
            "-" => a.wrapping_sub(*b),
            "*" => a.wrapping_mul(*b),
            "max" => *a.max(b),
            "min" => *a.min(b),
            // x div 0 = 0, x mod 0 = x (A.3.4).
            "div" => floor_div(*a, *b),
            "mod" => a.wrapping_sub(floor_div(*a, *b).wrapping_mul(*b)),
            _ => return None,
        },
        _ => return None,
    };
    Some(Leaf::Int(n))
}

/// Returns ⌊a / b⌋, and 0 if b = 0.
fn floor_div(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let (q, r) = (a.wrapping_div(b), a.wrapping_rem(b));
    if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q }
}

/// Computes 1, 0 or -1 by selects between constants, so that the derivative is zero.
fn sign(import: &mut Import, x: Value) -> Value {
    let [zero, one, minus] = [0, 1, -1].map(|n| import.filled(Number::Int(n), x.ty()));
    let b = import.builder();
    let below = b.select(b.compare_floats(CmpFPredicate::Olt, x, zero), minus, zero);
    b.select(b.compare_floats(CmpFPredicate::Ogt, x, zero), one, below)
}

/// Computes 1/(1 + e^-x), and e^x/(1 + e^x) for negative x. Only e^-|x| is evaluated, so neither the value nor its
/// derivative y(1 - y) overflows.
fn sigmoid(import: &mut Import, x: Value) -> Value {
    let [zero, one] = [0, 1].map(|n| import.filled(Number::Int(n), x.ty()));
    let magnitude = import.same(Kind::MathAbsf, &[x]);
    let negated = import.same(Kind::ArithNegf, &[magnitude]);
    let e = import.same(Kind::MathExp, &[negated]);
    let positive = import.builder().compare_floats(CmpFPredicate::Oge, x, zero);
    let numerator = import.builder().select(positive, one, e);
    let denominator = import.same(Kind::ArithAddf, &[e, one]);
    import.same(Kind::ArithDivf, &[numerator, denominator])
}
