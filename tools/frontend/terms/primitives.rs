//! The elementwise primitives of `spec/arrays.md` A.3. A scalar operand is broadcast to the shape of the other
//! operands.
//!
//! Most are one op of `arith`, `math` or `array`. The others are combinations whose derivatives, by the rules of these
//! ops, agree with A.4: `relu x` is `max 0 x` with zero first, because on ties `max` passes the derivative to its first
//! operand.

use super::common::is_integer;
use super::import::Import;
use super::value::{Id, Leaf, Type, Typed, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::notation::{Term, TermError};

/// The operand and result types of a primitive, and its ops.
enum Primitive {
    /// Numbers to numbers of the same type: the op on floats and the op on integers.
    Number(Kind, Kind),
    /// Floats to floats.
    Float(Kind),
    /// Integers to integers.
    Integer(Kind),
    /// Booleans to booleans.
    Bool(Kind),
    /// Two operands of the same type to booleans: the predicates of `arith.cmpf` and `arith.cmpi`.
    Compare(&'static str, &'static str),
    /// Floats to floats by several ops.
    Floats(fn(&mut Import, &Typed) -> Id),
    Neg,
    Not,
    IntToFloat,
    Floor,
}
use Primitive::*;

/// Name, arity and meaning of each primitive.
const TABLE: &[(&str, usize, Primitive)] = &[
    ("+", 2, Number(Kind::ArithAddf, Kind::ArithAddi)),
    ("-", 2, Number(Kind::ArithSubf, Kind::ArithSubi)),
    ("*", 2, Number(Kind::ArithMulf, Kind::ArithMuli)),
    // a if a ≥ b, else b. Equal numbers have equal values, except for the sign of zero.
    ("max", 2, Number(Kind::ArithMaximumf, Kind::ArithMaxsi)),
    ("min", 2, Number(Kind::ArithMinimumf, Kind::ArithMinsi)),
    ("/", 2, Float(Kind::ArithDivf)),
    ("pow", 2, Float(Kind::MathPowf)),
    ("sqrt", 1, Float(Kind::MathSqrt)),
    ("abs", 1, Float(Kind::MathAbsf)),
    ("exp", 1, Float(Kind::MathExp)),
    ("log", 1, Float(Kind::MathLog)),
    ("sin", 1, Float(Kind::MathSin)),
    ("cos", 1, Float(Kind::MathCos)),
    ("tan", 1, Float(Kind::MathTan)),
    ("tanh", 1, Float(Kind::MathTanh)),
    ("recip", 1, Floats(recip)),
    ("sq", 1, Floats(|import, x| import.float2(Kind::ArithMulf, x.id, x.id, &x.ty))),
    ("sign", 1, Floats(sign)),
    ("sigmoid", 1, Floats(sigmoid)),
    ("relu", 1, Floats(relu)),
    ("neg", 1, Neg),
    ("div", 2, Integer(Kind::ArrayDiv)),
    ("mod", 2, Integer(Kind::ArrayMod)),
    ("<", 2, Compare("olt", "slt")),
    ("<=", 2, Compare("ole", "sle")),
    (">", 2, Compare("ogt", "sgt")),
    (">=", 2, Compare("oge", "sge")),
    ("==", 2, Compare("oeq", "eq")),
    ("!=", 2, Compare("une", "ne")),
    ("and", 2, Bool(Kind::ArithAndi)),
    ("or", 2, Bool(Kind::ArithOri)),
    ("not", 1, Not),
    ("i2f", 1, IntToFloat),
    ("floor", 1, Floor),
];

/// Returns the names of all primitives.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, ..)| *name)
}

impl Import {
    /// Imports an application of a primitive. Returns `None` if `head` is not one.
    pub fn primitive(&mut self, term: &Term, head: &str, rest: &[Term]) -> Result<Option<Value>, TermError> {
        let Some((_, arity, primitive)) = TABLE.iter().find(|(name, ..)| *name == head) else { return Ok(None) };
        if rest.len() != *arity {
            return Err(term.error(format!("expected {arity} operands of `{head}`, found {}", rest.len())));
        }
        let terms: Vec<&Term> = rest.iter().collect();
        let leaves = rest.iter().map(|t| self.leaf(t)).collect::<Result<Vec<_>, _>>()?;
        if let Some(n) = folded(head, &leaves) {
            return Ok(Some(Value::Leaf(n)));
        }
        let x = self.operands(&terms, leaves)?;
        let element = x[0].ty.element;
        let fits = match primitive {
            Number(..) | Neg => element != Element::I1,
            Float(_) | Floats(_) | Floor => element.is_float(),
            Integer(_) | IntToFloat => is_integer(element),
            Bool(_) | Not => element == Element::I1,
            // Booleans can be compared for equality only.
            Compare(_, predicate) => element != Element::I1 || matches!(*predicate, "eq" | "ne"),
        };
        if !fits {
            let kind = match primitive {
                Number(..) | Neg | Compare(..) => "numbers",
                Float(_) | Floats(_) | Floor => "floats",
                Integer(_) | IntToFloat => "integers",
                Bool(_) | Not => "booleans",
            };
            return Err(terms[0].error(format!("`{head}` takes {kind}, found {}", x[0].ty)));
        }
        Ok(Some(self.write(primitive, &x)))
    }

    fn write(&mut self, primitive: &Primitive, x: &[Typed]) -> Value {
        let (id, ty) = (x[0].id, x[0].ty.clone());
        let is_float = ty.element.is_float();
        let mask = ty.of(Element::I1);
        match primitive {
            Number(float, integer) => self.same(if is_float { *float } else { *integer }, x),
            Float(kind) | Integer(kind) | Bool(kind) => self.same(*kind, x),
            Floats(write) => Value::typed(write(self, &x[0]), ty),
            Compare(float, integer) => {
                let (name, predicate) = if is_float { ("cmpf", float) } else { ("cmpi", integer) };
                self.op(format!("arith.{name} {predicate}, {id}, {} : {ty}", x[1].id), mask)
            }
            Neg if is_float => self.same(Kind::ArithNegf, x),
            Neg => {
                let zero = self.literal(&Leaf::Int(0), &ty).id;
                self.op(format!("arith.subi {zero}, {id} : {ty}"), ty)
            }
            Not => {
                let all = self.filled("true", &ty);
                self.op(format!("arith.xori {id}, {all} : {ty}"), ty)
            }
            IntToFloat => {
                let (mut id, mut from) = (id, ty.clone());
                if ty.element == Element::Index {
                    from = ty.of(Element::I64);
                    id = self.text().op(format_args!("arith.index_cast {id} : {ty} to {from}"));
                }
                let to = ty.of(self.floats);
                self.op(format!("arith.sitofp {id} : {from} to {to}"), to)
            }
            Floor => {
                let to = ty.of(Element::Index);
                self.op(format!("array.floor {id} : ({ty}) -> {to}"), to)
            }
        }
    }

    /// Writes an op whose operands and result have one type.
    fn same(&mut self, kind: Kind, x: &[Typed]) -> Value {
        let ids: Vec<Id> = x.iter().map(|x| x.id).collect();
        let ty = x[0].ty.clone();
        self.op(format!("{kind} {} : {ty}", super::text::list(&ids)), ty)
    }

    /// Converts operands to one type: literals take the type of the others, scalars their shape.
    fn operands(&mut self, terms: &[&Term], leaves: Vec<Leaf>) -> Result<Vec<Typed>, TermError> {
        let element = self.common(&leaves.iter().collect::<Vec<_>>());
        let ty = Type { element, shape: self.shape_of(terms, &leaves)? };
        terms.iter().zip(&leaves).map(|(term, leaf)| self.spread(term, leaf, &ty)).collect()
    }

    /// Returns the common shape of all leaves that are not scalars.
    pub fn shape_of(&self, terms: &[&Term], leaves: &[Leaf]) -> Result<Vec<usize>, TermError> {
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
    pub fn spread(&mut self, term: &Term, leaf: &Leaf, ty: &Type) -> Result<Typed, TermError> {
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
        let value = if ty.rank() == 0 { value.into() } else { format!("dense<{value}>") };
        self.text().constant(&value, ty)
    }

    fn float2(&mut self, kind: Kind, a: Id, b: Id, ty: &Type) -> Id {
        self.text().op(format_args!("{kind} {a}, {b} : {ty}"))
    }

    fn choose(&mut self, mask: Id, a: Id, b: Id, ty: &Type) -> Id {
        let types = if ty.rank() == 0 { format!("{ty}") } else { format!("{}, {ty}", ty.of(Element::I1)) };
        self.text().op(format_args!("arith.select {mask}, {a}, {b} : {types}"))
    }

    fn compare(&mut self, predicate: &str, a: Id, b: Id, ty: &Type) -> Id {
        self.text().op(format_args!("arith.cmpf {predicate}, {a}, {b} : {ty}"))
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
    let negative = import.compare("olt", x.id, zero, &x.ty);
    let below = import.choose(negative, minus, zero, &x.ty);
    let positive = import.compare("ogt", x.id, zero, &x.ty);
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
    let positive = import.compare("oge", x.id, zero, ty);
    let numerator = import.choose(positive, one, e, ty);
    let denominator = import.float2(Kind::ArithAddf, e, one, ty);
    import.float2(Kind::ArithDivf, numerator, denominator, ty)
}

/// Computes max(0, x). The derivative at 0 is that of the constant (A.4).
fn relu(import: &mut Import, x: &Typed) -> Id {
    let zero = import.filled("0.0", &x.ty);
    import.float2(Kind::ArithMaximumf, zero, x.id, &x.ty)
}
