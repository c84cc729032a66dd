//! Data of functional programs as terms: tuples, lists, environments of gradients, functions. An array of numbers is
//! represented like a single number, a term of its element type, because primitives apply to it only elementwise.

use super::{Op, Pool};
use crate::optimise::terms::prim::Prim;
use egg::Id;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;

/// The number of a type in [`Types`].
pub type Ty = u32;

/// The constructor or operation of a term of type [`Ty`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// The only value of its type.
    Unit,
    /// A tuple or record. Children: its parts.
    Tuple,
    /// A part by position. Child: the tuple or record.
    Part(u32),
    /// A tuple or record with the part at a position replaced. Children: the old tuple or record, the part.
    Update(u32),
    Nil,
    /// Children: head, tail.
    Cons,
    Head,
    Tail,
    IsEmpty,
    /// Generic addition of data other than numbers and environments.
    Sum,
    /// Zeros with the structure of the child. The number is that of the type.
    Zeros(Ty),
    EmptyEnv,
    /// Children: environment, default for an absent key.
    Lookup(Key),
    /// Children: environment, new value of the key.
    Insert(Key),
    EnvSum,
    /// The transform of reverse mode, and its inverse.
    Transform,
    Inverse,
    StopGradient,
    /// Children: an array of the type with this number, indices. An index out of range is an error.
    Read(Ty),
    /// Children: the array of the type with this number, indices, the new element.
    Write(Ty),
    /// An opaque function that is linear in its first operand.
    Linear(u32),
    /// An opaque op. Its children are its operands, then the captured values.
    Other(u32),
    /// A result of an op with several. Child: the op.
    Result(u32),
}

/// The number of a key of environments.
pub type Key = u32;

/// The known facts about a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Numbers. If the shape is fixed, elementwise ops are primitives, and a structural zero exists.
    Numbers {
        element: Element,
        is_fixed: bool,
    },
    Unit,
    /// Tuples and records.
    Tuple(Vec<Ty>),
    Env,
    Other,
}

/// An opaque op.
#[derive(Clone, Copy, Debug)]
pub struct Prototype {
    pub cost: f64,
    /// True if it may trap or not terminate.
    pub may_trap: bool,
}

/// The types, keys and opaque ops that terms refer to by number.
#[derive(Default)]
pub struct Types {
    pub types: Vec<Type>,
    /// The type of the value of each key.
    pub keys: Vec<Ty>,
    pub prototypes: Vec<Prototype>,
    /// The types of leaves, by their numbers.
    pub leaves: FxHashMap<u32, Ty>,
    /// For each type, whether it contains a function: then its transform is another type.
    pub with_functions: Vec<bool>,
}

impl Types {
    pub fn of(&self, ty: Ty) -> &Type {
        &self.types[ty as usize]
    }

    /// Returns the element that terms use for this type. Data that is not a number gets an element for which there are
    /// no rules of numbers.
    pub fn element(&self, ty: Ty) -> Element {
        match self.of(ty) {
            Type::Numbers { element, .. } => *element,
            _ => Element::I1,
        }
    }
}

/// The costs of opaque ops, without nested ops, in additions (`cost.rs`): a call costs more than memory, and memory
/// more than functions of `math`.
pub const CALL: f64 = 1000.0;
pub const ALLOCATION: f64 = 50.0;
/// The cost of taking data apart or constructing it: moves between registers.
const MOVE: f64 = 0.1;
/// The cost of a generic addition of data that may have many parts.
const SUM: f64 = 2.0;

impl Form {
    /// Returns the constructor with its position, key or number replaced by 0.
    pub fn head(self) -> Form {
        match self {
            Form::Zeros(_) => Form::Zeros(0),
            Form::Read(_) => Form::Read(0),
            Form::Write(_) => Form::Write(0),
            Form::Linear(_) => Form::Linear(0),
            Form::Other(_) => Form::Other(0),
            Form::Result(_) => Form::Result(0),
            form => form.at(0),
        }
    }

    /// Returns the position or key.
    pub fn position(self) -> Option<u32> {
        match self {
            Form::Part(k) | Form::Update(k) | Form::Lookup(k) | Form::Insert(k) => Some(k),
            _ => None,
        }
    }

    /// Returns the constructor with another position or key, if it has one.
    pub fn at(self, k: u32) -> Form {
        match self {
            Form::Part(_) => Form::Part(k),
            Form::Update(_) => Form::Update(k),
            Form::Lookup(_) => Form::Lookup(k),
            Form::Insert(_) => Form::Insert(k),
            form => form,
        }
    }

    /// Checks whether the operation may trap.
    pub fn may_trap(self, types: &Types) -> bool {
        match self {
            Form::Head | Form::Tail | Form::Read(_) | Form::Write(_) => true,
            Form::Other(k) | Form::Linear(k) => types.prototypes[k as usize].may_trap,
            _ => false,
        }
    }

    pub fn cost(self, types: &Types) -> f64 {
        match self {
            Form::Unit | Form::Nil | Form::EmptyEnv | Form::Result(_) => crate::optimise::terms::cost::LEAF,
            Form::Tuple | Form::Part(_) | Form::Update(_) | Form::IsEmpty => MOVE,
            Form::Head | Form::Tail | Form::Read(_) => crate::optimise::terms::cost::GET,
            Form::Sum | Form::Zeros(_) => SUM,
            Form::Lookup(_) => SUM,
            Form::Cons | Form::Insert(_) | Form::EnvSum | Form::Write(_) => ALLOCATION,
            Form::Transform | Form::Inverse => CALL,
            Form::StopGradient => MOVE,
            Form::Linear(k) | Form::Other(k) => types.prototypes[k as usize].cost,
        }
    }
}

impl Pool {
    pub fn data(&mut self, form: Form, ty: Ty, children: impl AsRef<[Id]>) -> Id {
        self.add(Op::Data(form, ty), children)
    }

    /// Returns the type of data. Returns `None` for numbers, of which terms know only the element, unless an operation
    /// on data computes them.
    pub fn data_type(&self, t: Id) -> Option<Ty> {
        match self.op(t) {
            Op::Data(_, ty) => Some(ty),
            Op::Leaf(number, ..) => self.types.leaves.get(&number).copied(),
            Op::Cond => self.data_type(self.child(t, 1)).or_else(|| self.data_type(self.child(t, 2))),
            _ => None,
        }
    }

    /// Returns the sum of two values of a type.
    pub fn sum_of_data(&mut self, ty: Ty, a: Id, b: Id) -> Id {
        match self.types.of(ty) {
            Type::Numbers { is_fixed: true, .. } => self.prim2(Prim::AddF, a, b),
            Type::Unit => a,
            Type::Env => self.data(Form::EnvSum, ty, [a, b]),
            _ => self.data(Form::Sum, ty, [a, b]),
        }
    }

    /// Returns the strong zero of a type that determines its structure.
    pub fn zero_of_data(&mut self, ty: Ty) -> Option<Id> {
        match self.types.of(ty).clone() {
            Type::Numbers { element, is_fixed } => {
                (is_fixed && element.is_float()).then(|| self.add(Op::Zero(element), []))
            }
            Type::Unit => Some(self.data(Form::Unit, ty, [])),
            Type::Env => Some(self.data(Form::EmptyEnv, ty, [])),
            Type::Tuple(parts) => {
                let parts: Option<Vec<Id>> = parts.into_iter().map(|p| self.zero_of_data(p)).collect();
                parts.map(|parts| self.data(Form::Tuple, ty, parts))
            }
            Type::Other => None,
        }
    }

    /// Checks whether the operation itself may trap or not terminate.
    pub fn may_trap(&self, t: Id) -> bool {
        match self.op(t) {
            Op::Data(form, _) => form.may_trap(&self.types),
            Op::Prim(p, _) => p.may_trap() && !self.is_total(self.node(t)),
            _ => false,
        }
    }
}
