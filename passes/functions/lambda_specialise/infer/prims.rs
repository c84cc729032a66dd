//! Typing rules of the operations of `lambda.prim`.

use super::super::unify::{Clash, Node, Numeral, Ty};
use super::overloads::OVERLOADED;
use super::sizes::Sizes;
use super::{Infer, Outcome, Reported, Step};
use crate::functions::lambda_specialise::infer::Copy;
use mlopt_dialects::ir::{Attribute, Dim, Op, Type};
use mlopt_dialects::primitives::{self, Elements};
use mlopt_dialects::value::Element;

/// A kind of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prim {
    /// Floats, or arrays of floats of one shape, to the same; integers too, where there is such an operation.
    Floats,
    /// Two equal types of numbers to a boolean.
    Compare,
    /// An operation with promotion, or on values of several types (`overloads.rs`).
    Overloaded,
    /// Integers of one kind to the same.
    Integers,
    /// Two integers of one type to a boolean.
    CompareIntegers,
    /// A float to an integer power.
    Power,
    IntegerToFloat,
    Bools,
    Sum,
    Dot,
    /// Matrix by vector, vector by matrix, matrix by matrix: the axes of each.
    Product(usize, usize),
    /// The same, determined by the axes of the operands.
    AnyProduct,
    Outer,
    Transpose,
    Scale,
    Fill,
}

/// Returns the kind of the operation `name`.
pub fn prim(name: &str) -> Option<Prim> {
    let primitive = primitives::function(name)?;
    Some(match name {
        "powi" => Prim::Power,
        "itof" => Prim::IntegerToFloat,
        "sum" => Prim::Sum,
        "dot" => Prim::Dot,
        "mv" => Prim::Product(2, 1),
        "vm" => Prim::Product(1, 2),
        "mm" => Prim::Product(2, 2),
        "@" => Prim::AnyProduct,
        "outer" => Prim::Outer,
        "transpose" => Prim::Transpose,
        "scale" => Prim::Scale,
        "fill" => Prim::Fill,
        _ if OVERLOADED.contains(&name) => Prim::Overloaded,
        _ => match (primitive.elements, primitive.is_comparison()) {
            (Elements::Float, false) => Prim::Floats,
            (Elements::Float, true) => Prim::Compare,
            (Elements::Int, false) => Prim::Integers,
            (Elements::Int, true) => Prim::CompareIntegers,
            (Elements::Bool, _) => Prim::Bools,
        },
    })
}

/// Checks whether values of this type are integers, but not booleans.
pub(super) fn is_number(ty: Type) -> bool {
    ty.is_discrete() && !ty.is_tensor() && !ty.is_integer(1)
}

impl Infer {
    pub(super) fn prim(&mut self, copy: Copy, op: Op) -> Outcome {
        let name = op.attribute("name").and_then(Attribute::as_string).unwrap_or_default();
        let kind = prim(&name).expect("verified: a known operation");
        let x = self.operands(copy, op);
        match kind {
            Prim::Overloaded => self.overloaded(copy, op, &name, &x),
            Prim::Floats => {
                let z = self.all_one(copy, op, &x)?;
                self.result(copy, op, z)?;
                self.has_overload(copy, op, &name, z)
            }
            Prim::Compare => {
                let z = self.all_one(copy, op, &x)?;
                if self.has_overload(copy, op, &name, z)? == Step::Waiting {
                    // The operands are almost always scalars: operands of conditions should not wait.
                    return Ok(Step::Waiting);
                }
                let operand = self.array(z).expect("a number");
                let mask = self.types.leaf(Type::array(&operand.shape(), self.types.context.scalar(Element::I1)));
                self.result(copy, op, mask)?;
                Ok(Step::Done)
            }
            Prim::Integers | Prim::CompareIntegers => {
                let z = self.all_one(copy, op, &x)?;
                let integer = self.numeral(Numeral::Integer);
                if self.is_unknown(z) {
                    self.unify(copy, op, z, integer)?;
                }
                let bool = self.types.bool();
                self.result(copy, op, if kind == Prim::Integers { z } else { bool })?;
                self.is_integer(copy, op, &name, z)
            }
            Prim::Power => {
                self.assume(copy, op, Numeral::Integer, x[1])?;
                self.result(copy, op, x[0])?;
                if self.is_integer(copy, op, &name, x[1])? == Step::Waiting {
                    return Ok(Step::Waiting);
                }
                let step = self.is_float(copy, op, &name, x[0])?;
                match self.array(x[0]).filter(|base| base.rank() > 0) {
                    Some(base) => {
                        let [base, n] = [base, self.array(x[1]).expect("an integer")].map(|t| t.to_string());
                        self.refuse(copy, op, "rank-mismatch", format!("`powi` takes numbers, found {base} and {n}"))
                    }
                    None => Ok(step),
                }
            }
            Prim::IntegerToFloat => {
                let float = self.types.leaf(self.types.context.scalar(Element::F64));
                self.result(copy, op, float)?;
                self.assume(copy, op, Numeral::Integer, x[0])?;
                self.is_integer(copy, op, &name, x[0])
            }
            Prim::Bools => {
                let bool = self.types.bool();
                for x in x {
                    self.unify(copy, op, bool, x)?;
                }
                self.result(copy, op, bool)?;
                Ok(Step::Done)
            }
            _ => self.on_arrays(copy, op, &name, kind, &x),
        }
    }

    fn on_arrays(&mut self, copy: Copy, op: Op, name: &str, kind: Prim, x: &[Ty]) -> Outcome {
        if kind == Prim::Fill || kind == Prim::Scale {
            // The number has the type of the elements.
            let like =
                if kind == Prim::Fill { self.shaped(copy, op, x[1])? } else { self.known(copy, op, name, x[1])? };
            let Some(like) = like else { return Ok(Step::Waiting) };
            let element = self.types.leaf(like.scalar());
            self.unify(copy, op, element, x[0])?;
            self.result(copy, op, x[1])?;
            return Ok(Step::Done);
        }
        let mut known = Vec::new();
        for x in x {
            let is_any = matches!(kind, Prim::Sum | Prim::Transpose);
            let ty = if is_any { self.shaped(copy, op, *x)? } else { self.known(copy, op, name, *x)? };
            let Some(ty) = ty else { return Ok(Step::Waiting) };
            known.push(ty);
        }
        let shapes: Vec<Vec<Dim>> = known.iter().map(|t| t.shape()).collect();
        if let Some(odd) = known.iter().find(|t| t.scalar() != known[0].scalar()) {
            let text = format!("`{name}` takes elements of the same type, found {} and {odd}", known[0]);
            return self.refuse(copy, op, "type-mismatch", text);
        }
        let ranks: Vec<usize> = shapes.iter().map(Vec::len).collect();
        let kind = match (kind, &ranks[..]) {
            (Prim::AnyProduct, [1, 1]) => Prim::Dot,
            (Prim::AnyProduct, [m, n]) if (1..=2).contains(m) && (1..=2).contains(n) => Prim::Product(*m, *n),
            (Prim::AnyProduct, _) => {
                let text = format!("`@` takes vectors and matrices, found {} and {}", known[0], known[1]);
                return self.refuse(copy, op, "rank-mismatch", text);
            }
            (kind, _) => kind,
        };
        let wanted: &[usize] = match kind {
            Prim::Dot | Prim::Outer => &[1, 1],
            Prim::Product(m, n) => &[m, n],
            Prim::Transpose => &[2],
            _ => &ranks,
        };
        if ranks != wanted {
            let names: Vec<&str> = wanted.iter().map(|n| if *n == 1 { "a vector" } else { "a matrix" }).collect();
            let found: Vec<String> = known.iter().map(|t| t.to_string()).collect();
            let text = format!("`{name}` takes {}, found {}", names.join(" and "), found.join(" and "));
            return self.refuse(copy, op, "rank-mismatch", text);
        }
        let inner = match kind {
            Prim::Dot => Some((shapes[0][0], shapes[1][0])),
            Prim::Product(m, _) => Some((shapes[0][m - 1], shapes[1][0])),
            _ => None,
        };
        if let Some((Some(a), Some(b))) = inner
            && a != b
        {
            let [x, y] = [known[0], known[1]];
            let text = format!("`{name}` sums over axes of equal length, found lengths {a} and {b} in {x} and {y}");
            return self.refuse(copy, op, "shape-mismatch", text);
        }
        let shape = match kind {
            Prim::Product(2, 1) => vec![shapes[0][0]],
            Prim::Product(1, 2) => vec![shapes[1][1]],
            Prim::Product(..) => vec![shapes[0][0], shapes[1][1]],
            Prim::Outer => vec![shapes[0][0], shapes[1][0]],
            Prim::Transpose => vec![shapes[0][1], shapes[0][0]],
            _ => vec![],
        };
        let element = match kind {
            Prim::Sum if known[0].scalar().is_integer(1) => self.types.context.scalar(Element::I64),
            _ => known[0].scalar(),
        };
        let ty = self.types.leaf(Type::array(&shape, element));
        self.result(copy, op, ty)?;
        Ok(Step::Done)
    }

    pub(super) fn refuse<T>(
        &mut self,
        copy: Copy,
        op: Op,
        code: &'static str,
        text: impl Into<String>,
    ) -> Result<T, Reported> {
        Err(self.fail(copy, op, &Clash { code, text: text.into() }))
    }

    /// Reports a value of another type than the expected one.
    pub(super) fn mismatch<T>(&mut self, copy: Copy, op: Op, expected: &str, found: Ty) -> Result<T, Reported> {
        let text = format!("expected {expected}, found {}", self.types.text(found));
        self.refuse(copy, op, "type-mismatch", text)
    }

    /// Unifies an unknown type with a number of this kind.
    pub(super) fn assume(&mut self, copy: Copy, op: Op, numeral: Numeral, ty: Ty) -> Result<(), Reported> {
        if !self.is_unknown(ty) {
            return Ok(());
        }
        let number = self.numeral(numeral);
        self.unify(copy, op, number, ty)
    }

    /// Unifies the types of all operands.
    fn all_one(&mut self, copy: Copy, op: Op, x: &[Ty]) -> Result<Ty, Reported> {
        x[1..].iter().try_fold(x[0], |z, other| self.agree(copy, op, z, *other, Sizes::Meet))
    }

    /// Returns the type of an array, or a scalar, of floats; `None` while it is unknown.
    fn known(&mut self, copy: Copy, op: Op, name: &str, ty: Ty) -> Result<Option<Type>, Reported> {
        match self.is_float(copy, op, name, ty)? {
            Step::Done => Ok(self.array(ty)),
            Step::Waiting => Ok(None),
        }
    }

    fn is_float(&mut self, copy: Copy, op: Op, name: &str, ty: Ty) -> Outcome {
        self.takes(copy, op, name, ty, "floats", Type::is_differentiable)
    }

    fn is_integer(&mut self, copy: Copy, op: Op, name: &str, ty: Ty) -> Outcome {
        self.takes(copy, op, name, ty, "integers", is_number)
    }

    /// Rejects an operation `name` that these elements do not have.
    fn has_overload(&mut self, copy: Copy, op: Op, name: &str, ty: Ty) -> Outcome {
        let is_defined = |t: Type| {
            let element = t.scalar().element();
            element.is_some_and(|e| primitives::overload(name, Elements::of(e)).is_some())
        };
        match self.types.node(ty) {
            Node::Unknown(_) => Ok(Step::Waiting),
            Node::Leaf(t) if is_defined(*t) => Ok(Step::Done),
            _ => {
                let on_integers = primitives::overload(name, Elements::Int).is_some();
                let what = if on_integers { "numbers" } else { "floats" };
                let text = format!("`{name}` takes {what}, found {}", self.types.text(ty));
                self.refuse(copy, op, "type-mismatch", text)
            }
        }
    }

    fn takes(&mut self, copy: Copy, op: Op, name: &str, ty: Ty, what: &str, fits: fn(Type) -> bool) -> Outcome {
        match self.types.node(ty) {
            Node::Unknown(_) => Ok(Step::Waiting),
            Node::Leaf(t) if fits(*t) => Ok(Step::Done),
            _ => {
                let text = format!("`{name}` takes {what}, found {}", self.types.text(ty));
                self.refuse(copy, op, "type-mismatch", text)
            }
        }
    }
}
