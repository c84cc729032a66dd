//! The operators of terms, and the nodes that apply them. The pool, the normaliser and the e-graph use the same type of
//! nodes.

use super::data;
use super::prim::{Prim, enum_of_ops};
use egg::{Id, Language};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use smallvec::SmallVec;

/// The `fastmath` flags of a float operator, or the `overflow` flags of an integer one, with MLIR's bit values. They
/// are part of the operator: `addf` with and without `reassoc` are different operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flags(pub u16);

impl Flags {
    pub const NONE: Flags = Flags(0);
    pub const REASSOC: Flags = Flags(1);
    pub const NNAN: Flags = Flags(2);
    pub const NINF: Flags = Flags(4);
    pub const NSZ: Flags = Flags(8);
    pub const ARCP: Flags = Flags(16);
    pub const CONTRACT: Flags = Flags(32);
    pub const AFN: Flags = Flags(64);

    pub fn allow(self, needed: Flags) -> bool {
        self.0 & needed.0 == needed.0
    }

    /// Returns the common flags of two operators: those that a rewrite of both may use and must pass on.
    pub fn and(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }

    /// Formats flags as MLIR does between `<` and `>`, for an operator on floats or on integers.
    pub fn words(self, is_float: bool) -> String {
        let names: &[&str] =
            if is_float { &["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"] } else { &["nsw", "nuw"] };
        let on: Vec<&str> = names.iter().enumerate().filter(|(k, _)| self.0 & (1 << k) != 0).map(|(_, n)| *n).collect();
        if self.0 == 127 { "fast".to_string() } else { on.join(",") }
    }
}

enum_of_ops! {
    /// The combiner of a reduction; the order is unspecified.
    Reduction,
    Sum ArraySum, Prod ArrayProd, Max ArrayMax, Min ArrayMin,
    /// The first index of a maximal element; its value is an index.
    ArgMax ArrayArgmax,
    ArgMin ArrayArgmin,
}

impl Reduction {
    /// Checks whether the result is a position instead of an element.
    pub fn searches(self) -> bool {
        matches!(self, Reduction::ArgMax | Reduction::ArgMin)
    }
}

/// An operator. De Bruijn levels count binders from the inside. `build` and reductions bind one level (the index),
/// `ifold` binds two (level 0 the index, level 1 the states as a tuple).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// A scalar constant by its bits: `f64::to_bits`, `f32::to_bits`, two's complement integers, 0 or 1 for `i1`.
    Const(Element, u64),
    /// The structural zero and one of differentiation: absent dependency, unit seed (`spec/arrays.md` E.0).
    Zero(Element),
    One(Element),
    /// An index variable. Child: its extent, in the scope of the use of the variable, so that a range is known without
    /// context.
    Ix(u32),
    /// Component `1` of the states bound at level `0`. Children: the extents of its axes.
    State(u32, u32, Element),
    /// A value from outside (an opaque SSA value): its number, element type and rank. `Pool::leaf` knows the static
    /// sizes.
    Leaf(u32, Element, u8),
    /// The length of an axis of a leaf, an opaque result or a state, for which no other term is known. Child: the
    /// array.
    Dim(u8),
    /// Children: extent, body (one level). A scalar body gives a vector, an array body gives one more outer axis.
    Build,
    /// Children: the rows, one or more of one type.
    Stack,
    /// Children: extent, scalar body (one level). The order is unspecified; the flags allow more.
    Reduce(Reduction, Flags),
    /// Additions at computed positions. The numbers are those of iteration axes and of axes of the array. Children: the
    /// array, the extents, the position along each axis and the added scalar (both under one level for each iteration
    /// axis, the outermost first). Positions out of range are ignored; the order is unspecified.
    Scatter(u8, u8),
    /// `m` carried values. Children: trip count, `m` inits, `m` bodies (two levels). Its value is a tuple.
    Ifold(u32),
    /// Child: an `ifold`.
    Proj(u32),
    /// Children: array, index. Reading out of range gives zero.
    Get,
    /// Children: scalar condition, two alternatives of one type. Strict.
    Cond,
    Prim(Prim, Flags),
    /// A result of an opaque pure op: the number of the op, that of the result, its element type and rank. Children:
    /// the operands of the op.
    Opaque(u32, u32, Element, u8),
    /// Data of functional programs: the constructor, and the type. Children: the operands.
    Data(data::Form, data::Ty),
}

impl Op {
    pub fn is_sum(self) -> bool {
        matches!(self, Op::Reduce(Reduction::Sum, _))
    }

    /// Returns the operator without flags, types, positions and numbers, modulo which patterns match.
    pub fn head(self) -> Op {
        match self {
            Op::Prim(p, _) => Op::Prim(p, Flags::NONE),
            Op::Reduce(r, _) => Op::Reduce(r, Flags::NONE),
            Op::State(level, k, _) => Op::State(level, k, Element::F64),
            Op::Data(form, _) => Op::Data(form.head(), 0),
            op => op,
        }
    }

    /// Returns a number below 64 that operators with the same head share. Only constants have numbers in
    /// [`Op::CONSTANTS`].
    pub fn kind(self) -> u8 {
        match self {
            Op::Zero(_) => 0,
            Op::One(_) => 1,
            Op::Ix(_) => 2,
            Op::State(..) => 3,
            Op::Leaf(..) => 4,
            Op::Dim(_) => 5,
            Op::Build => 6,
            Op::Stack => 7,
            Op::Reduce(..) => 8,
            Op::Scatter(..) => 9,
            Op::Ifold(_) => 10,
            Op::Proj(_) => 11,
            Op::Get => 12,
            Op::Cond => 13,
            Op::Opaque(..) => 14,
            Op::Data(..) => 15,
            Op::Prim(p, _) => 16 + p.number() % 32,
            // The upper bits of a product depend on all bits.
            Op::Const(_, bits) => 48 + (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as u8,
        }
    }

    /// The set of the numbers of primitives, as bits.
    pub const PRIMITIVES: u64 = !0 << 16 & !Op::CONSTANTS;

    /// The set of the numbers of constants, as bits.
    pub const CONSTANTS: u64 = !0 << 48;
}

/// The operands of a node. Most operators have at most four, which need no allocation.
pub type Operands = SmallVec<[Id; 4]>;

/// An operator and its operands. An operand is a term in the pool, and an e-class in the e-graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub op: Op,
    pub children: Operands,
}

impl Node {
    pub fn new(op: Op, children: impl AsRef<[Id]>) -> Node {
        Node { op, children: Operands::from_slice(children.as_ref()) }
    }

    /// Returns the number of levels that this operator binds around child `k`.
    pub fn binds(&self, k: usize) -> u32 {
        match self.op {
            Op::Build | Op::Reduce(..) => u32::from(k == 1),
            Op::Ifold(m) if k > m as usize => 2,
            Op::Scatter(axes, _) if k > axes as usize => axes.into(),
            _ => 0,
        }
    }
}

impl Language for Node {
    type Discriminant = Op;

    fn discriminant(&self) -> Op {
        self.op
    }

    fn matches(&self, other: &Node) -> bool {
        self.op == other.op && self.children.len() == other.children.len()
    }

    fn children(&self) -> &[Id] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}
