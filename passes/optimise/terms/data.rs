//! Data of functional programs as terms: tuples, lists, environments of gradients, functions. Numbers and arrays among them are what they
//! are elsewhere, one element for all: what is on terms here acts on every element alone.

use super::{Op, Pool};
use crate::optimise::terms::prim::Prim;
use egg::Id;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;

/// The number of a type in [`Types`].
pub type Ty = u32;

/// What a term of type [`Ty`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// The one value of its type.
    Unit,
    /// A tuple or record. Children: its parts.
    Tuple,
    /// A part by position. Child: the tuple or record.
    Part(u32),
    /// A tuple or record with the part at a position replaced. Children: the old one, the part.
    Update(u32),
    Nil,
    /// Children: head, tail.
    Cons,
    Head,
    Tail,
    IsEmpty,
    /// Generic addition, where that is not addition of numbers or environments.
    Sum,
    /// Zeros that are as large as the child, of the type with this number.
    Zeros(Ty),
    EmptyEnv,
    /// Children: environment, what is there instead where nothing is under the key.
    Lookup(Key),
    /// Children: environment, what is under the key from now on.
    Insert(Key),
    EnvSum,
    /// The transform of reverse mode, and its inverse.
    Transform,
    Inverse,
    StopGradient,
    /// Children: an array of the type with this number, indices. An index outside is an error.
    Read(Ty),
    /// Children: the array, indices, what is there from now on, of the type with this number.
    Write(Ty),
    /// A linear function of its first operand that is known by number only.
    Linear(u32),
    /// An operation that is known by number only, with what its regions read behind its operands.
    Other(u32),
    /// A result of one with several. Child: the operation.
    Result(u32),
}

/// The number of a key of environments.
pub type Key = u32;

/// What is known of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Numbers. Where the shape is fixed, operations on each element are primitives, and there is a structural zero.
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

/// An operation that is known by number only.
#[derive(Clone, Copy, Debug)]
pub struct Prototype {
    pub cost: f64,
    /// Whether it may stop with an error or never end.
    pub may_trap: bool,
}

/// The types, keys and operations that terms name by number.
#[derive(Default)]
pub struct Types {
    pub types: Vec<Type>,
    /// The type of what is under each key.
    pub keys: Vec<Ty>,
    pub prototypes: Vec<Prototype>,
    /// The types of leaves, by their numbers.
    pub leaves: FxHashMap<u32, Ty>,
    /// Types in which there is a function: their transforms are others.
    pub with_functions: Vec<bool>,
}

impl Types {
    pub fn of(&self, ty: Ty) -> &Type {
        &self.types[ty as usize]
    }

    /// What terms call the elements of this type; what is no number counts as something that no law of numbers knows.
    pub fn element(&self, ty: Ty) -> Element {
        match self.of(ty) {
            Type::Numbers { element, .. } => *element,
            _ => Element::I1,
        }
    }
}

/// What an operation costs besides what is in it, in additions (`cost.rs`): a call is dearer than memory, memory than functions of `math`.
pub const CALL: f64 = 1000.0;
pub const ALLOCATION: f64 = 50.0;
/// Taking data apart or putting it together: moves between registers.
const MOVE: f64 = 0.1;
/// Generic addition of what may have many parts.
const SUM: f64 = 2.0;

impl Form {
    /// Whether it may stop with an error.
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

    /// The type of data; `None` for numbers, of which terms know the element alone, unless an operation on data makes them.
    pub fn data_type(&self, t: Id) -> Option<Ty> {
        match self.op(t) {
            Op::Data(_, ty) => Some(ty),
            Op::Leaf(number, ..) => self.types.leaves.get(&number).copied(),
            Op::Cond => self.data_type(self.child(t, 1)).or_else(|| self.data_type(self.child(t, 2))),
            _ => None,
        }
    }

    /// The sum of two values of a type.
    pub fn sum_of_data(&mut self, ty: Ty, a: Id, b: Id) -> Id {
        match self.types.of(ty) {
            Type::Numbers { is_fixed: true, .. } => self.prim2(Prim::AddF, a, b),
            Type::Unit => a,
            Type::Env => self.data(Form::EnvSum, ty, [a, b]),
            _ => self.data(Form::Sum, ty, [a, b]),
        }
    }

    /// The strong zero of a type that says how large it is.
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

    /// Whether the operation itself may stop with an error, or never end.
    pub fn may_trap(&self, t: Id) -> bool {
        match self.op(t) {
            Op::Data(form, _) => form.may_trap(&self.types),
            Op::Prim(p, _) => p.may_trap() && !self.is_total(self.node(t)),
            _ => false,
        }
    }
}
