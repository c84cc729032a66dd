//! Typing rules of the operations of `lambda.prim` with promotion, and of those on values of several types.
//!
//! With promotion, Booleans count as integers, an integer beside a float becomes a float of that type, a number beside
//! an array gets the type of its elements, except for a float beside integers, and an array is repeated along the
//! leading axes that the other one has in addition. These operations wait until the types of all operands are known:
//! unlike those without promotion, they do not determine types.

use super::super::unify::{Node, Numeral, Ty};
use super::sizes::{Sizes, combined};
use super::{Copy, Infer, Outcome, Reported, Step};
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::text::count;
use mlopt_dialects::value::Element;

/// The names of these operations.
pub(super) const OVERLOADED: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "floordiv",
    "mod",
    "power",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "select",
    "real",
    "f64",
    "f32",
    "i64",
    "bool",
    "item",
    "unpack",
    "len",
    "shape",
    "iota",
    "replicate",
    "zero",
    "sum-along",
    "ceildiv",
    "bitand",
    "bitor",
    "bitxor",
    "shl",
    "shr",
    "invert",
];

impl Infer {
    pub(super) fn overloaded(&mut self, copy: Copy, op: Op, name: &str, x: &[Ty]) -> Outcome {
        let context = self.types.context;
        match name {
            "add" if x.iter().any(|x| matches!(self.types.node(*x), Node::List(_) | Node::Tuple(_))) => {
                self.joined(copy, op, x)
            }
            "add" | "sub" | "mul" | "floordiv" | "mod" | "power" => {
                let Some(z) = self.promoted(copy, op, x, Element::I64)? else { return Ok(Step::Waiting) };
                if matches!(name, "floordiv" | "mod" | "power") {
                    self.is_by_number(copy, op, name, z, x[1])?;
                }
                self.give(copy, op, z)
            }
            "bitand" | "bitor" | "bitxor" | "shl" | "shr" => {
                let is_shift = matches!(name, "shl" | "shr");
                let least = if is_shift { Element::I64 } else { Element::I1 };
                let Some(z) = self.promoted(copy, op, x, least)? else { return Ok(Step::Waiting) };
                let is_float = |t: Type| t.scalar().is_differentiable();
                if matches!(self.types.node(z), Node::Unknown(Some(Numeral::Float)))
                    || self.array(z).is_some_and(is_float)
                {
                    let found: Vec<String> = x.iter().map(|x| self.types.text(*x)).collect();
                    let text = format!("bit operations take integers and Booleans, found {}", found.join(" and "));
                    return self.refuse(copy, op, "type-mismatch", text);
                }
                if is_shift {
                    self.is_by_number(copy, op, name, z, x[1])?;
                }
                self.give(copy, op, z)
            }
            "invert" => {
                let Some(ty) = self.number(copy, op, x[0])? else { return Ok(Step::Waiting) };
                match ty.scalar().is_discrete() && (ty.is_tensor() || !ty.is_integer(1)) {
                    true => self.give_node(copy, op, Node::Leaf(ty)),
                    false => self.mismatch(copy, op, "an integer or an array of Booleans", x[0]),
                }
            }
            "ceildiv" => {
                let Some(z) = self.promoted(copy, op, x, Element::I64)? else { return Ok(Step::Waiting) };
                self.is_by_number(copy, op, name, z, x[1])?;
                let shape = self.array(z).map(|z| z.shape()).unwrap_or_default();
                self.give_node(copy, op, Node::Leaf(Type::array(&shape, context.scalar(Element::I64))))
            }
            "div" => {
                let Some(z) = self.promoted(copy, op, x, Element::F64)? else { return Ok(Step::Waiting) };
                self.give(copy, op, z)
            }
            "lt" | "le" | "gt" | "ge" | "eq" | "ne" => {
                let Some(z) = self.promoted(copy, op, x, Element::I64)? else { return Ok(Step::Waiting) };
                let shape = self.array(z).map(|z| z.shape()).unwrap_or_default();
                self.give_node(copy, op, Node::Leaf(Type::array(&shape, context.scalar(Element::I1))))
            }
            "select" => {
                let Some(condition) = self.shaped(copy, op, x[0])? else { return Ok(Step::Waiting) };
                if !condition.scalar().is_integer(1) {
                    return self.mismatch(copy, op, "a Boolean or an array of Booleans", x[0]);
                }
                let Some(z) = self.promoted(copy, op, &x[1..], Element::I1)? else { return Ok(Step::Waiting) };
                let condition = self.types.leaf(condition);
                let Some(shape) = self.common_shape(copy, op, &[condition, z])? else { return Ok(Step::Waiting) };
                match self.array(z) {
                    Some(z) => self.give_node(copy, op, Node::Leaf(Type::array(&shape, z.scalar()))),
                    None if shape.is_empty() => self.give(copy, op, z),
                    None => Ok(Step::Waiting),
                }
            }
            "real" => match self.types.node(x[0]) {
                Node::Unknown(Some(Numeral::Float)) => self.give(copy, op, x[0]),
                _ => {
                    let Some(ty) = self.number(copy, op, x[0])? else { return Ok(Step::Waiting) };
                    let float = if ty.is_differentiable() { ty.scalar() } else { context.scalar(Element::F64) };
                    self.give_node(copy, op, Node::Leaf(Type::array(&ty.shape(), float)))
                }
            },
            "bool" if matches!(self.types.node(x[0]), Node::List(_)) => {
                self.give_node(copy, op, Node::Leaf(context.scalar(Element::I1)))
            }
            "f64" | "f32" | "i64" | "bool" => {
                let Some(ty) = self.number(copy, op, x[0])? else { return Ok(Step::Waiting) };
                let element = context.scalar(if name == "bool" { Element::I1 } else { element(name) });
                self.give_node(copy, op, Node::Leaf(Type::array(&ty.shape(), element)))
            }
            "item" => self.item(copy, op, x),
            "unpack" => self.unpack(copy, op, x),
            "len" => match self.types.node(x[0]) {
                Node::Unknown(_) => Ok(Step::Waiting),
                Node::Tuple(_) | Node::List(_) => self.give_node(copy, op, Node::Leaf(context.scalar(Element::I64))),
                Node::Leaf(t) if t.is_tensor() => self.give_node(copy, op, Node::Leaf(context.scalar(Element::I64))),
                _ => self.mismatch(copy, op, "an array, a list or a tuple", x[0]),
            },
            "shape" => {
                let Some(ty) = self.shaped(copy, op, x[0])? else { return Ok(Step::Waiting) };
                let sizes = vec![context.scalar(Element::I64); ty.rank()];
                let ty = self.types.written(context.tuple(&sizes));
                self.give(copy, op, ty)
            }
            "iota" => {
                self.takes_integer(copy, op, x[0])?;
                let size = self.stated_size(copy, op.operand(0));
                self.give_node(copy, op, Node::Leaf(Type::array(&[size], context.scalar(Element::I64))))
            }
            "replicate" => {
                self.takes_integer(copy, op, x[0])?;
                let Some(ty) = self.shaped(copy, op, x[1])? else { return Ok(Step::Waiting) };
                let size = self.stated_size(copy, op.operand(0));
                self.give_node(copy, op, Node::Leaf(ty.stacked(&[size])))
            }
            "zero" => self.zero(copy, op, x[0]),
            _ => {
                let Some(ty) = self.shaped(copy, op, x[1])? else { return Ok(Step::Waiting) };
                let rank = ty.rank() as i64;
                let axis = Infer::literal_integer(op.operand(0)).filter(|axis| (-rank..rank).contains(axis));
                let Some(axis) = axis.map(|axis| axis.rem_euclid(rank) as usize) else {
                    let text = format!("the axis must be a literal from {} to {}, for {ty}", -rank, rank - 1);
                    return self.refuse(copy, op, "rank-mismatch", text);
                };
                self.takes_integer(copy, op, x[0])?;
                let mut shape = ty.shape();
                shape.remove(axis);
                self.give_node(copy, op, Node::Leaf(Type::array(&shape, ty.scalar())))
            }
        }
    }

    /// Checks that the second operand of an operation whose result has type `z` is not an array of integers.
    fn is_by_number(&mut self, copy: Copy, op: Op, name: &str, z: Ty, by: Ty) -> Result<(), Reported> {
        let is_discrete = self.array(z).is_some_and(|z| z.scalar().is_discrete());
        match is_discrete && self.array(by).is_some_and(Type::is_tensor) {
            true => self.refuse(copy, op, "type-mismatch", format!("not supported: `{name}` by an array of integers")),
            false => Ok(()),
        }
    }

    /// Returns the type of a number, a Boolean or an array; `None` while it is not known. Other values are rejected.
    fn number(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<Option<Type>, Reported> {
        Ok(match self.types.node(ty) {
            Node::Unknown(Some(Numeral::Float)) => Some(self.types.context.scalar(Element::F64)),
            Node::Unknown(Some(Numeral::Integer)) => Some(self.types.context.scalar(Element::I64)),
            _ => self.shaped(copy, op, ty)?,
        })
    }

    /// Returns the longest of the shapes, of which the others must be the ends, with the sizes that one of them
    /// determines; `None` while one is not known.
    fn common_shape(&mut self, copy: Copy, op: Op, x: &[Ty]) -> Result<Option<Vec<Option<usize>>>, Reported> {
        let mut all = vec![];
        for x in x {
            let Some(ty) = self.number(copy, op, *x)? else { return Ok(None) };
            all.push(ty.shape());
        }
        let rank = all.iter().map(Vec::len).max().expect("an operand");
        let mut whole = vec![None; rank];
        let odd = all.iter().find(|shape| {
            let start = rank - shape.len();
            let met = combined(&whole[start..], shape, Sizes::Meet);
            met.as_ref().into_iter().for_each(|met| whole[start..].copy_from_slice(met));
            met.is_none()
        });
        match odd {
            None => Ok(Some(whole)),
            Some(odd) => {
                let is_one_rank = all.iter().all(|shape| shape.len() == odd.len());
                let rank = if is_one_rank { "equal sizes" } else { "the sizes of the last axes" };
                let found: Vec<String> = x.iter().map(|x| self.types.text(*x)).collect();
                let text = format!("the operands must have {rank}, found {}", found.join(" and "));
                self.refuse(copy, op, "shape-mismatch", text)
            }
        }
    }

    /// Returns the type to which operands are promoted, whose elements are at least `least`; `None` while it is not
    /// known.
    fn promoted(&mut self, copy: Copy, op: Op, x: &[Ty], least: Element) -> Result<Option<Ty>, Reported> {
        if x.iter().any(|x| matches!(self.types.node(*x), Node::Unknown(None))) {
            return Ok(None);
        }
        let Some(shape) = self.common_shape(copy, op, x)? else { return Ok(None) };
        let context = self.types.context;
        let literals = |this: &Infer, numeral| -> Vec<Ty> {
            x.iter()
                .copied()
                .filter(|x| matches!(this.types.node(*x), Node::Unknown(n) if *n == Some(numeral)))
                .collect()
        };
        // The elements of arrays come first.
        let mut all: Vec<Type> = x.iter().filter_map(|x| self.array(*x)).collect();
        all.sort_by_key(|t| !t.is_tensor());
        let known: Vec<Type> = all.iter().map(|t| t.scalar()).collect();
        let [floats, integers] = [Numeral::Float, Numeral::Integer].map(|numeral| literals(self, numeral));
        let element = if let Some(float) = known.iter().find(|t| t.is_differentiable()) {
            Some(*float)
        } else if !floats.is_empty() && shape.is_empty() {
            // Literals alone stay literals: their type is that of other operands.
            floats.iter().skip(1).try_for_each(|x| self.unify(copy, op, floats[0], *x))?;
            return Ok(Some(floats[0]));
        } else if !floats.is_empty() || least.is_float() {
            Some(context.scalar(if least.is_float() { least } else { Element::F64 }))
        } else if let Some(integer) = known.iter().find(|t| !t.is_integer(1)) {
            Some(*integer)
        } else if known.is_empty() && shape.is_empty() {
            integers.iter().skip(1).try_for_each(|x| self.unify(copy, op, integers[0], *x))?;
            return Ok(Some(integers[0]));
        } else if least == Element::I1 && integers.is_empty() {
            Some(context.scalar(Element::I1))
        } else {
            Some(context.scalar(Element::I64))
        };
        let element = element.expect("one of the cases");
        let ty = self.types.leaf(element);
        let same = if element.is_differentiable() { &floats } else { &integers };
        same.iter().try_for_each(|x| self.unify(copy, op, ty, *x))?;
        let is_beside_array = all.iter().any(|t| t.is_tensor() && t.scalar() == element);
        let is_other = |t: &&Type| {
            let (kind, is_fixed) = (t.scalar(), t.is_tensor() || !is_beside_array);
            kind != element
                && kind.is_differentiable() == element.is_differentiable()
                && !kind.is_integer(1)
                && is_fixed
        };
        if let Some(odd) = all.iter().find(is_other).map(|t| t.scalar()) {
            let text = format!("the operands must have elements of one type, found {element} and {odd}; convert one");
            return self.refuse(copy, op, "type-mismatch", text);
        }
        Ok(Some(self.types.leaf(Type::array(&shape, element))))
    }

    /// Processes the concatenation of two lists or two tuples.
    fn joined(&mut self, copy: Copy, op: Op, x: &[Ty]) -> Outcome {
        match (self.types.node(x[0]).clone(), self.types.node(x[1]).clone()) {
            (Node::Tuple(a), Node::Tuple(b)) => self.give_node(copy, op, Node::Tuple([a, b].concat())),
            (Node::Tuple(_), Node::Unknown(None)) | (Node::Unknown(None), Node::Tuple(_)) => Ok(Step::Waiting),
            _ => {
                self.unify(copy, op, x[0], x[1])?;
                self.give(copy, op, x[0])
            }
        }
    }

    /// Processes the access to a value of a tuple, a list or an array.
    fn item(&mut self, copy: Copy, op: Op, x: &[Ty]) -> Outcome {
        let literal = Infer::literal_integer(op.operand(1));
        match self.types.node(x[0]).clone() {
            Node::Unknown(_) => Ok(Step::Waiting),
            Node::Tuple(parts) => {
                self.takes_integer(copy, op, x[1])?;
                let Some(k) = literal else {
                    let text = "the index of a tuple must be a literal";
                    return self.refuse(copy, op, "cannot-infer", text);
                };
                let from_end = if k < 0 { k + parts.len() as i64 } else { k };
                match usize::try_from(from_end).ok().and_then(|k| parts.get(k)) {
                    Some(part) => self.give(copy, op, *part),
                    None => {
                        let text = format!("a tuple of {} has no value {k}", count(parts.len(), "value"));
                        self.refuse(copy, op, "index-out-of-bounds", text)
                    }
                }
            }
            Node::List(element) => {
                self.takes_integer(copy, op, x[1])?;
                self.give(copy, op, element)
            }
            Node::Leaf(array) if array.is_tensor() => {
                self.takes_integer(copy, op, x[1])?;
                if let (Some(n), Some(k)) = (array.shape()[0], literal)
                    && !(-(n as i64)..n as i64).contains(&k)
                {
                    let text = format!("axis #0 of {array} has no index {k}");
                    return self.refuse(copy, op, "index-out-of-bounds", text);
                }
                self.give_node(copy, op, Node::Leaf(array.row()))
            }
            _ => self.mismatch(copy, op, "an array, a list or a tuple", x[0]),
        }
    }

    /// Checks the number of values of a tuple or an array.
    fn unpack(&mut self, copy: Copy, op: Op, x: &[Ty]) -> Outcome {
        self.takes_integer(copy, op, x[1])?;
        let wanted = Infer::literal_integer(op.operand(1)).unwrap_or_default() as usize;
        let found = match self.types.node(x[0]) {
            Node::Unknown(_) => return Ok(Step::Waiting),
            Node::Tuple(parts) => Some(parts.len()),
            Node::Leaf(array) if array.is_tensor() => array.shape()[0],
            Node::List(_) => None,
            _ => return self.mismatch(copy, op, "a tuple", x[0]),
        };
        match found {
            Some(found) if found == wanted => self.give(copy, op, x[0]),
            _ => {
                let found = found.map_or("a number that is known only at run time".to_string(), |n| n.to_string());
                let text = format!("expected {}, found {found}", count(wanted, "value"));
                self.refuse(copy, op, "shape-mismatch", text)
            }
        }
    }

    /// Processes the zero of the elements of an array, a list or a tuple.
    fn zero(&mut self, copy: Copy, op: Op, of: Ty) -> Outcome {
        let element = match self.types.node(of).clone() {
            Node::Unknown(_) => return Ok(Step::Waiting),
            Node::List(element) => element,
            Node::Tuple(parts) if !parts.is_empty() => parts[0],
            Node::Leaf(array) if array.is_tensor() => self.types.leaf(array.row()),
            _ => return self.mismatch(copy, op, "an array, a list or a tuple", of),
        };
        let integer = self.types.context.scalar(Element::I64);
        match self.types.node(element) {
            Node::Unknown(None) => Ok(Step::Waiting),
            Node::Leaf(t) if t.is_integer(1) => self.give_node(copy, op, Node::Leaf(integer)),
            Node::Leaf(t) if !t.is_tensor() => self.give(copy, op, element),
            Node::Unknown(_) => self.give(copy, op, element),
            // The zero of rows is a number.
            Node::Leaf(t) => {
                let scalar = t.scalar();
                self.give_node(copy, op, Node::Leaf(scalar))
            }
            _ => self.mismatch(copy, op, "numbers", element),
        }
    }
}

/// Returns the elements to which the operation of this name converts.
fn element(name: &str) -> Element {
    Element::from_name(name).expect("the name of a type")
}
