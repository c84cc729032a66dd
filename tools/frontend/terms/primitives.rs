//! Translation of the elementwise primitives (`spec/arrays.md` A.3). A scalar operand is broadcast to the shape of the
//! other operands.
//!
//! Most primitives become one op of `arith`, `math` or `array`. The others become combinations of ops whose
//! derivatives, by the rules of these ops, agree with the specification (A.4). For example, `relu x` becomes `max 0 x`
//! and not `max x 0`, because on ties `max` passes the derivative to its first operand.

use super::scope::Import;
use super::value::{Id, Leaf, Type, Typed, Value};
use crate::mlir::{list, splat};
use mlopt_dialects::ops::{CmpFPredicate, Kind};
use mlopt_dialects::primitives::{Computation, Elements, Notation, Primitive, named};
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::value::Element;

impl Import {
    /// Imports an application of a primitive. Returns `None` if `head` is not one.
    pub fn primitive(&mut self, term: &Term, head: &str, rest: &[Term]) -> Result<Option<Value>, Problem> {
        let mut known = named(Notation::Terms, head);
        let Some(Primitive { arity, .. }) = known.clone().next() else { return Ok(None) };
        if rest.len() != *arity {
            return Err(term.error(format!("expected {arity} operands of `{head}`, found {}", rest.len())));
        }
        let terms: Vec<&Term> = rest.iter().collect();
        let leaves = rest.iter().map(|t| self.leaf(t)).collect::<Result<Vec<_>, _>>()?;
        if let Some(n) = folded(head, &leaves) {
            return Ok(Some(Value::Leaf(n)));
        }
        let x = self.operands(&terms, leaves)?;
        let found = Elements::of(x[0].ty.element);
        let takes: Vec<Elements> = known.clone().map(|p| p.elements).collect();
        let Some(primitive) = known.find(|p| p.elements == found) else {
            let takes = match takes[..] {
                [Elements::Floats] => "floats",
                [Elements::Integers] => "integers",
                [Elements::Booleans] => "booleans",
                _ => "numbers",
            };
            return Err(terms[0].error(format!("`{head}` takes {takes}, found {}", x[0].ty)));
        };
        Ok(Some(self.write(primitive, &x)))
    }

    fn write(&mut self, primitive: &Primitive, x: &[Typed]) -> Value {
        let ty = x[0].ty.clone();
        let operands = list(&x.iter().map(|x| x.id).collect::<Vec<_>>());
        let (op, result) = match primitive.computation {
            Computation::Op(kind) => (kind.to_string(), ty.clone()),
            Computation::CompareFloats(p) => (format!("arith.cmpf {},", p.text()), ty.of(Element::I1)),
            Computation::CompareIntegers(p) => (format!("arith.cmpi {},", p.text()), ty.of(Element::I1)),
            Computation::Several => return self.several(primitive.name(Notation::Terms), &x[0]),
        };
        self.op(format!("{op} {operands} : {ty}"), result)
    }

    /// Writes a primitive of one operand that is several ops, or one with a type of its own.
    fn several(&mut self, name: &str, x: &Typed) -> Value {
        let (id, ty) = (x.id, &x.ty);
        let mut to = ty.clone();
        let id = match name {
            "recip" => recip(self, x),
            "sq" => self.float2(Kind::ArithMulf, id, id, ty),
            "sign" => sign(self, x),
            "sigmoid" => sigmoid(self, x),
            "relu" => relu(self, x),
            "neg" => {
                let zero = self.literal(&Leaf::Int(0), ty).id;
                self.text().op(format_args!("arith.subi {zero}, {id} : {ty}"))
            }
            "not" => {
                let all = self.filled("true", ty);
                self.text().op(format_args!("arith.xori {id}, {all} : {ty}"))
            }
            "i2f" => {
                let (mut id, mut from) = (id, ty.clone());
                if ty.element == Element::Index {
                    from = ty.of(Element::I64);
                    id = self.text().op(format_args!("arith.index_cast {id} : {ty} to {from}"));
                }
                to = ty.of(self.floats);
                self.text().op(format_args!("arith.sitofp {id} : {from} to {to}"))
            }
            "floor" => {
                to = ty.of(Element::Index);
                self.text().op(format_args!("array.floor {id} : ({ty}) -> {to}"))
            }
            _ => unreachable!("no other primitive of terms is several ops"),
        };
        Value::typed(id, to)
    }

    /// Converts operands to one type: literals take the type of the others, scalars their shape.
    fn operands(&mut self, terms: &[&Term], leaves: Vec<Leaf>) -> Result<Vec<Typed>, Problem> {
        let element = self.common(&leaves.iter().collect::<Vec<_>>());
        let ty = Type { element, shape: self.shape_of(terms, &leaves)? };
        terms.iter().zip(&leaves).map(|(term, leaf)| self.spread(term, leaf, &ty)).collect()
    }

    /// Returns the common shape of all leaves that are not scalars.
    pub fn shape_of(&self, terms: &[&Term], leaves: &[Leaf]) -> Result<Vec<usize>, Problem> {
        let mut shape: &[usize] = &[];
        for (term, leaf) in terms.iter().zip(leaves) {
            if shape.is_empty() {
                shape = leaf.shape();
            } else if !leaf.shape().is_empty() && leaf.shape() != shape {
                return Err(term.error(format!("expected shape {shape:?} or a scalar, found {leaf}")));
            }
        }
        Ok(shape.to_vec())
    }

    /// Converts the leaf to an array of type `ty`: casts the elements and broadcasts a scalar.
    pub fn spread(&mut self, term: &Term, leaf: &Leaf, ty: &Type) -> Result<Typed, Problem> {
        if !matches!(leaf, Leaf::Typed(_)) {
            self.admits(term, leaf, ty.element)?;
            return Ok(self.literal(leaf, ty));
        }
        let x = self.cast(term, leaf, ty.element)?;
        if x.ty == *ty {
            return Ok(x);
        }
        match self.spread_leading(&ty.shape, x) {
            Value::Leaf(Leaf::Typed(x)) => Ok(x),
            _ => unreachable!("copies of one array are one array"),
        }
    }

    /// Returns a constant with `value` in every element.
    fn filled(&mut self, value: &str, ty: &Type) -> Id {
        self.text().constant(&splat(value, ty.rank()), ty)
    }

    fn float2(&mut self, kind: Kind, a: Id, b: Id, ty: &Type) -> Id {
        self.text().op(format_args!("{kind} {a}, {b} : {ty}"))
    }

    fn choose(&mut self, mask: Id, a: Id, b: Id, ty: &Type) -> Id {
        let types = if ty.rank() == 0 { format!("{ty}") } else { format!("{}, {ty}", ty.of(Element::I1)) };
        self.text().op(format_args!("arith.select {mask}, {a}, {b} : {types}"))
    }

    fn compare(&mut self, predicate: CmpFPredicate, a: Id, b: Id, ty: &Type) -> Id {
        self.text().op(format_args!("arith.cmpf {}, {a}, {b} : {ty}", predicate.text()))
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

/// Computes 1/x.
fn recip(import: &mut Import, x: &Typed) -> Id {
    let one = import.filled("1.0", &x.ty);
    import.float2(Kind::ArithDivf, one, x.id, &x.ty)
}

/// Computes 1, 0 or -1 by selects between constants, so that the derivative is zero.
fn sign(import: &mut Import, x: &Typed) -> Id {
    let [zero, one, minus] = ["0.0", "1.0", "-1.0"].map(|v| import.filled(v, &x.ty));
    let negative = import.compare(CmpFPredicate::Olt, x.id, zero, &x.ty);
    let below = import.choose(negative, minus, zero, &x.ty);
    let positive = import.compare(CmpFPredicate::Ogt, x.id, zero, &x.ty);
    import.choose(positive, one, below, &x.ty)
}

/// Computes 1/(1 + e^-x), and e^x/(1 + e^x) for negative x. Only e^-|x| is evaluated, so neither the value nor its
/// derivative y(1 - y) overflows.
fn sigmoid(import: &mut Import, x: &Typed) -> Id {
    let ty = &x.ty;
    let [zero, one] = ["0.0", "1.0"].map(|v| import.filled(v, ty));
    let magnitude = import.text().op(format_args!("math.absf {} : {ty}", x.id));
    let negated = import.text().op(format_args!("arith.negf {magnitude} : {ty}"));
    let e = import.text().op(format_args!("math.exp {negated} : {ty}"));
    let positive = import.compare(CmpFPredicate::Oge, x.id, zero, ty);
    let numerator = import.choose(positive, one, e, ty);
    let denominator = import.float2(Kind::ArithAddf, e, one, ty);
    import.float2(Kind::ArithDivf, numerator, denominator, ty)
}

/// Computes max(0, x). The derivative at 0 is that of the constant (A.4).
fn relu(import: &mut Import, x: &Typed) -> Id {
    let zero = import.filled("0.0", &x.ty);
    import.float2(Kind::ArithMaximumf, zero, x.id, &x.ty)
}
