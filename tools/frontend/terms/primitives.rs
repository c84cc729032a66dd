//! The primitives of `spec/arrays.md` A.3, elementwise; a scalar beside an array stands for an array of it.
//!
//! Most are one op of `arith`, `math` or `array`. Where a combination is needed, its derivative by the rules of those ops
//! is the one that A.4 asks for: `relu x` is `max 0 x`, zero first, because `max` passes the derivative to its first
//! operand on ties.

use super::common::is_integer;
use super::import::Import;
use super::value::{Id, Leaf, Type, Typed, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::notation::{Term, TermError};

/// What a primitive takes and gives, and the ops that it is.
enum Primitive {
    /// Numbers to numbers of the same kind: the op on floats and the op on integers.
    Number(&'static str, &'static str),
    /// Floats to floats.
    Float(&'static str),
    /// Integers to integers.
    Integer(&'static str),
    /// Booleans to booleans.
    Bool(&'static str),
    /// Two of the same kind to booleans: the predicate of `arith.cmpf`, and that of `arith.cmpi`.
    Compare(&'static str, &'static str),
    /// Floats to floats by several ops.
    Floats(fn(&mut Import, &Typed) -> Id),
    Neg,
    Not,
    IntToFloat,
    Floor,
}
use Primitive::*;

/// Name, number of operands, meaning.
const TABLE: &[(&str, usize, Primitive)] = &[
    ("+", 2, Number(Kind::ArithAddf.name(), Kind::ArithAddi.name())),
    ("-", 2, Number(Kind::ArithSubf.name(), Kind::ArithSubi.name())),
    ("*", 2, Number(Kind::ArithMulf.name(), Kind::ArithMuli.name())),
    // a if a ≥ b, else b: numbers that are equal have equal values, but for the sign of zero.
    ("max", 2, Number(Kind::ArithMaximumf.name(), Kind::ArithMaxsi.name())),
    ("min", 2, Number(Kind::ArithMinimumf.name(), Kind::ArithMinsi.name())),
    ("/", 2, Float(Kind::ArithDivf.name())),
    ("pow", 2, Float(Kind::MathPowf.name())),
    ("sqrt", 1, Float(Kind::MathSqrt.name())),
    ("abs", 1, Float(Kind::MathAbsf.name())),
    ("exp", 1, Float(Kind::MathExp.name())),
    ("log", 1, Float(Kind::MathLog.name())),
    ("sin", 1, Float(Kind::MathSin.name())),
    ("cos", 1, Float(Kind::MathCos.name())),
    ("tan", 1, Float(Kind::MathTan.name())),
    ("tanh", 1, Float(Kind::MathTanh.name())),
    ("recip", 1, Floats(recip)),
    ("sq", 1, Floats(|import, x| import.float2(Kind::ArithMulf.name(), x.id, x.id, &x.ty))),
    ("sign", 1, Floats(sign)),
    ("sigmoid", 1, Floats(sigmoid)),
    ("relu", 1, Floats(relu)),
    ("neg", 1, Neg),
    ("div", 2, Integer(Kind::ArrayDiv.name())),
    ("mod", 2, Integer(Kind::ArrayMod.name())),
    ("<", 2, Compare("olt", "slt")),
    ("<=", 2, Compare("ole", "sle")),
    (">", 2, Compare("ogt", "sgt")),
    (">=", 2, Compare("oge", "sge")),
    ("==", 2, Compare("oeq", "eq")),
    ("!=", 2, Compare("une", "ne")),
    ("and", 2, Bool(Kind::ArithAndi.name())),
    ("or", 2, Bool(Kind::ArithOri.name())),
    ("not", 1, Not),
    ("i2f", 1, IntToFloat),
    ("floor", 1, Floor),
];

/// The names of all primitives.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, ..)| *name)
}

impl Import {
    /// `None` when `head` is no primitive.
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
            // Booleans are equal or not; they have no order.
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
            Number(float, integer) => self.same(if is_float { float } else { integer }, x),
            Float(name) | Integer(name) | Bool(name) => self.same(name, x),
            Floats(write) => Value::typed(write(self, &x[0]), ty),
            Compare(float, integer) => {
                let (name, predicate) = if is_float { ("cmpf", float) } else { ("cmpi", integer) };
                self.op(format!("arith.{name} {predicate}, {id}, {} : {ty}", x[1].id), mask)
            }
            Neg if is_float => self.same(Kind::ArithNegf.name(), x),
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
                self.op(format!("array.floor {id} : {ty} -> {to}"), to)
            }
        }
    }

    /// An op whose operands and result have one type.
    fn same(&mut self, name: &str, x: &[Typed]) -> Value {
        let ids: Vec<Id> = x.iter().map(|x| x.id).collect();
        let ty = x[0].ty.clone();
        self.op(format!("{name} {} : {ty}", super::text::list(&ids)), ty)
    }

    /// Operands with one type: numbers take the kind of the others, scalars their shape.
    fn operands(&mut self, terms: &[&Term], leaves: Vec<Leaf>) -> Result<Vec<Typed>, TermError> {
        let element = self.common(&leaves.iter().collect::<Vec<_>>());
        let ty = Type { element, shape: self.shape_of(terms, &leaves)? };
        terms.iter().zip(&leaves).map(|(term, leaf)| self.spread(term, leaf, &ty)).collect()
    }

    /// The one shape among these that is not a scalar's.
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

    /// The leaf as an array of type `ty`: cast, and copied if it is a scalar.
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

    /// `value` in every element.
    fn filled(&mut self, value: &str, ty: &Type) -> Id {
        let value = if ty.rank() == 0 { value.into() } else { format!("dense<{value}>") };
        self.text().constant(&value, ty)
    }

    fn float2(&mut self, name: &str, a: Id, b: Id, ty: &Type) -> Id {
        self.text().op(format_args!("{name} {a}, {b} : {ty}"))
    }

    fn choose(&mut self, mask: Id, a: Id, b: Id, ty: &Type) -> Id {
        let types = if ty.rank() == 0 { format!("{ty}") } else { format!("{}, {ty}", ty.of(Element::I1)) };
        self.text().op(format_args!("arith.select {mask}, {a}, {b} : {types}"))
    }

    fn compare(&mut self, predicate: &str, a: Id, b: Id, ty: &Type) -> Id {
        self.text().op(format_args!("arith.cmpf {predicate}, {a}, {b} : {ty}"))
    }
}

/// Whole numbers are computed now, so that sizes may be written as sums.
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

/// ⌊a / b⌋, total.
fn floor_div(a: i64, b: i64) -> i64 {
    if b == 0 {
        return 0;
    }
    let (q, r) = (a.wrapping_div(b), a.wrapping_rem(b));
    if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q }
}

/// 1/x.
fn recip(import: &mut Import, x: &Typed) -> Id {
    let one = import.filled("1.0", &x.ty);
    import.float2(Kind::ArithDivf.name(), one, x.id, &x.ty)
}

/// 1, 0 or -1: choices between constants, so that the derivative is zero.
fn sign(import: &mut Import, x: &Typed) -> Id {
    let [zero, one, minus] = ["0.0", "1.0", "-1.0"].map(|v| import.filled(v, &x.ty));
    let negative = import.compare("olt", x.id, zero, &x.ty);
    let below = import.choose(negative, minus, zero, &x.ty);
    let positive = import.compare("ogt", x.id, zero, &x.ty);
    import.choose(positive, one, below, &x.ty)
}

/// 1/(1 + e^-x), and e^x/(1 + e^x) below zero: with the exponential of -|x|, neither the value nor its derivative
/// y(1 - y) overflows.
fn sigmoid(import: &mut Import, x: &Typed) -> Id {
    let ty = &x.ty;
    let [zero, one] = ["0.0", "1.0"].map(|v| import.filled(v, ty));
    let magnitude = import.text().op(format_args!("math.absf {} : {ty}", x.id));
    let negated = import.text().op(format_args!("arith.negf {magnitude} : {ty}"));
    let e = import.text().op(format_args!("math.exp {negated} : {ty}"));
    let positive = import.compare("oge", x.id, zero, ty);
    let numerator = import.choose(positive, one, e, ty);
    let denominator = import.float2(Kind::ArithAddf.name(), e, one, ty);
    import.float2(Kind::ArithDivf.name(), numerator, denominator, ty)
}

/// max(0, x): the derivative at 0 belongs to the constant (A.4).
fn relu(import: &mut Import, x: &Typed) -> Id {
    let zero = import.filled("0.0", &x.ty);
    import.float2(Kind::ArithMaximumf.name(), zero, x.id, &x.ty)
}
