//! Translation from a block of functional code to terms, one for each value.
//!
//! An op without effects becomes a term. An op that creates a function or has regions is opaque: two such ops are equal
//! if they have the same regions, up to the names in them, and capture the same values. An op that can stop with an
//! error or run forever is also a term, but keeps its position. An op with a token operand is not translated.

use crate::analysis::kinds;
use crate::optimise::phases;
use crate::optimise::terms::cost;
use crate::optimise::terms::data::{self, Form, Key, Prototype, Ty};
use crate::optimise::terms::prim::{Cast, Prim};
use crate::optimise::terms::{Op as Operator, Pool};
use crate::optimise::translation::import::{constant, has_known_flags, operator, plan_type};
use egg::Id;
use mlopt_dialects::ir::{Attribute, Block, Op, Type, Value};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;
use std::rc::Rc;

use super::nests::{Nest, Nests, Signature, is_arithmetic, is_ours};

/// The way in which an op becomes a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// The op may be removed, and may run where it did not run before.
    Free,
    /// The op may trap or not terminate.
    InPlace,
}

/// An opaque op.
pub struct Stored {
    pub op: Op,
    pub nest: Rc<Nest>,
}

pub struct Importer<'n> {
    pub nests: &'n mut Nests,
    pub pool: Pool,
    pub values: FxHashMap<Value, Id>,
    /// Values from outside, by the numbers of leaves.
    pub leaves: Vec<Value>,
    /// Values from outside whose terms are more than a leaf.
    pub around: Vec<(Id, Value)>,
    pub types: Vec<Type>,
    type_numbers: FxHashMap<Type, Ty>,
    pub keys: Vec<Attribute>,
    key_numbers: FxHashMap<Attribute, Key>,
    pub stored: Vec<Stored>,
    stored_numbers: FxHashMap<Signature, u32>,
    /// The first value of each term.
    pub origins: FxHashMap<Id, Value>,
    /// The cost of the input, each op separately.
    pub cost: f64,
}

/// The ops that are written again instead of reading their results from outside of a piece.
const REPEATED: &[Kind] = kinds![ArithConstant DualZero DualOne LambdaUnit LambdaEnvEmpty LambdaNil];

/// The ops of `array` that return zero if their first operand is zero.
const LINEAR: &[Kind] = kinds![ArraySum ArrayTranspose ArrayReshape ArrayReplicate ArrayGet ArrayReverse];

/// The cost of an op on arrays, or of another op about which nothing is known.
const UNKNOWN: f64 = 20.0;

impl<'n> Importer<'n> {
    pub fn new(options: &phases::Options, nests: &'n mut Nests) -> Self {
        Importer {
            nests,
            pool: Pool::assuming(options.assumed_length),
            values: FxHashMap::default(),
            leaves: Vec::new(),
            around: Vec::new(),
            types: Vec::new(),
            type_numbers: FxHashMap::default(),
            keys: Vec::new(),
            key_numbers: FxHashMap::default(),
            stored: Vec::new(),
            stored_numbers: FxHashMap::default(),
            origins: FxHashMap::default(),
            cost: 0.0,
        }
    }

    /// Returns how an op becomes a term, or `None` if it cannot.
    pub fn understands(&mut self, op: Op) -> Option<Taken> {
        let types = op.operands().into_iter().chain(op.results()).map(Value::ty);
        if op.num_results() == 0 || !op.is_registered() || types.into_iter().any(|ty| !is_ours(ty)) {
            return None;
        }
        if matches!(op.kind(), Kind::LambdaLambda | Kind::LambdaLetrec) {
            return Some(Taken::Free);
        }
        let nest = self.nests.nest(op);
        if !nest.is_ordered_by_data {
            return None;
        }
        match nest.is_pure {
            true => Some(Taken::Free),
            false => (op.kind().dialect() == "lambda" || is_arithmetic(op)).then_some(Taken::InPlace),
        }
    }

    /// Translates an op that `understands` accepted. Returns the term of its result, or of all its results.
    pub fn take(&mut self, op: Op) -> Id {
        if self.nests.is_cheap_choice(op) {
            return self.choice(op);
        }
        let (t, is_bundle) = self.op(op);
        self.cost += self.pool.own_cost(t);
        for (k, result) in op.results().into_iter().enumerate() {
            let ty = self.ty(result.ty());
            let r = if is_bundle { self.pool.data(Form::Result(k as u32), ty, [t]) } else { t };
            self.values.insert(result, r);
            self.origins.entry(r).or_insert(result);
        }
        t
    }

    /// Returns the term of an op, and whether it represents several results.
    fn op(&mut self, op: Op) -> (Id, bool) {
        if op.num_results() == 1
            && op.num_regions() == 0
            && let Some(t) = self.number(op).or_else(|| self.data(op))
        {
            return (t, false);
        }
        let number = self.stored(op);
        let nest = self.nests.nest(op);
        let read = op.operands().into_iter().chain(nest.captured.iter().copied());
        let children: Vec<Id> = read.map(|v| self.value(v)).collect();
        let ty = self.ty(op.result(0).ty());
        let form = if LINEAR.contains(&op.kind()) { Form::Linear(number) } else { Form::Other(number) };
        (self.pool.data(form, ty, children), op.num_results() > 1)
    }

    /// Translates an elementwise op on numbers.
    fn number(&mut self, op: Op) -> Option<Id> {
        let ty = op.result(0).ty();
        let is_fixed = |v: &Value| self.is_fixed(v.ty());
        match op.kind() {
            Kind::ArithConstant if op.attributes().len() == 1 && self.is_fixed(ty) => {
                let (element, bits) = constant(op.attribute("value")?, ty)?;
                Some(self.pool.add(Operator::Const(element, bits), []))
            }
            Kind::DualZero if self.is_fixed(ty) => Some(self.pool.add(Operator::Zero(ty.element()?), [])),
            Kind::DualOne if self.is_fixed(ty) => Some(self.pool.add(Operator::One(ty.element()?), [])),
            Kind::ArithSelect | Kind::LambdaSwitch
                if op.operand(0).ty().is_integer(1) && op.attributes().is_empty() =>
            {
                Some(self.node(Operator::Cond, op))
            }
            _ if Prim::of(op.kind()).is_some() || Cast::of(op.kind()).is_some() || is_comparison(op.kind()) => {
                let known = ["fastmath", "overflowFlags", "predicate"];
                let is_plain = op.attributes().iter().all(|(n, _)| known.contains(&n.as_str()));
                let shape = ty.shape();
                let is_elementwise = op.operands().iter().chain(&op.results()).all(is_fixed)
                    && op.operands().iter().all(|v| v.ty().shape() == shape);
                if !is_plain || !is_elementwise || !has_known_flags(op) {
                    return None;
                }
                let operator = operator(op)?;
                Some(self.node(operator, op))
            }
            _ => None,
        }
    }

    /// Translates an op on data for which there are rules.
    fn data(&mut self, op: Op) -> Option<Id> {
        let result = op.result(0).ty();
        let attributes = op.attributes().len();
        let form = match op.kind() {
            Kind::LambdaUnit => Form::Unit,
            Kind::LambdaTuple | Kind::LambdaRecord if attributes == 0 => Form::Tuple,
            Kind::LambdaGet | Kind::LambdaField if attributes == 1 => Form::Part(position(op)?),
            Kind::LambdaTset | Kind::LambdaWith if attributes == 1 => Form::Update(position(op)?),
            Kind::LambdaNil => Form::Nil,
            Kind::LambdaCons => Form::Cons,
            Kind::LambdaHead => Form::Head,
            Kind::LambdaTail => Form::Tail,
            Kind::LambdaIsEmpty => Form::IsEmpty,
            Kind::LambdaGadd
                if matches!(TypeKind::of(result), TypeKind::Unit | TypeKind::Env) || self.is_fixed(result) =>
            {
                let (ty, [a, b]) = (self.ty(result), [0, 1].map(|k| op.operand(k)));
                let (a, b) = (self.value(a), self.value(b));
                return Some(self.pool.sum_of_data(ty, a, b));
            }
            Kind::LambdaGadd => Form::Sum,
            Kind::LambdaZerosLike => Form::Zeros(self.ty(op.operand(0).ty())),
            Kind::LambdaEnvEmpty => Form::EmptyEnv,
            Kind::LambdaEnvGet if attributes == 1 => Form::Lookup(self.key(op.attribute("key")?, result)?),
            Kind::LambdaEnvSet if attributes == 1 => Form::Insert(self.key(op.attribute("key")?, op.operand(1).ty())?),
            Kind::LambdaEnvAdd => Form::EnvSum,
            Kind::LambdaJ if attributes == 0 => Form::Transform,
            Kind::LambdaJinv => Form::Inverse,
            Kind::LambdaStopGradient => Form::StopGradient,
            Kind::LambdaAget => Form::Read(self.ty(op.operand(0).ty())),
            Kind::LambdaAset => Form::Write(self.ty(op.operand(op.num_operands() - 1).ty())),
            _ => return None,
        };
        let ty = self.ty(result);
        Some(self.node(Operator::Data(form, ty), op))
    }

    fn node(&mut self, operator: Operator, op: Op) -> Id {
        let children: Vec<Id> = op.operands().into_iter().map(|v| self.value(v)).collect();
        self.pool.add(operator, children)
    }

    /// Translates both arms and the select of each result.
    fn choice(&mut self, op: Op) -> Id {
        let arms: Vec<Vec<Id>> = op.blocks().into_iter().map(|b| self.arm(b)).collect();
        let condition = self.value(op.operand(0));
        let mut last = condition;
        for (k, result) in op.results().into_iter().enumerate() {
            last = self.pool.cond(condition, arms[0][k], arms[1][k]);
            self.cost += self.pool.own_cost(last);
            self.values.insert(result, last);
            self.origins.entry(last).or_insert(result);
        }
        last
    }

    fn arm(&mut self, arm: Block) -> Vec<Id> {
        let (ops, end) = arm.split_end();
        for op in ops {
            self.take(op);
        }
        end.operands().into_iter().map(|v| self.value(v)).collect()
    }

    /// Returns the term of a value; a value from outside is a leaf.
    pub fn value(&mut self, v: Value) -> Id {
        if let Some(&t) = self.values.get(&v) {
            return t;
        }
        let t = self.said_around(v).unwrap_or_else(|| self.leaf(v));
        self.values.insert(v, t);
        t
    }

    /// Returns the term of a value from outside whose definition costs nothing to repeat.
    fn said_around(&mut self, v: Value) -> Option<Id> {
        let (op, _) = v.defining_op()?;
        if !REPEATED.contains(&op.kind()) || self.understands(op).is_none() {
            return None;
        }
        let (t, _) = self.op(op);
        self.around.push((t, v));
        Some(t)
    }

    fn leaf(&mut self, v: Value) -> Id {
        let ty = self.ty(v.ty());
        let element = self.pool.types.element(ty);
        let number = self.leaves.len() as u32;
        self.pool.types.leaves.insert(number, ty);
        self.leaves.push(v);
        self.pool.leaf(element, vec![])
    }

    pub fn ty(&mut self, ty: Type) -> Ty {
        if let Some(&number) = self.type_numbers.get(&ty) {
            return number;
        }
        let known = match TypeKind::of(ty) {
            TypeKind::Unit => data::Type::Unit,
            TypeKind::Array(element) => data::Type::Numbers { element, is_fixed: self.is_fixed(ty) },
            TypeKind::Tuple(_) | TypeKind::Record(..) => {
                data::Type::Tuple(ty.parts().into_iter().map(|p| self.ty(p)).collect())
            }
            TypeKind::Env => data::Type::Env,
            _ => data::Type::Other,
        };
        let number = self.types.len() as Ty;
        self.types.push(ty);
        self.type_numbers.insert(ty, number);
        self.pool.types.types.push(known);
        self.pool.types.with_functions.push(has_functions(ty));
        number
    }

    /// Checks whether the type is a scalar, or an array whose type determines its shape.
    fn is_fixed(&self, ty: Type) -> bool {
        plan_type(ty).is_some_and(|t| t.shape.iter().all(Option::is_some))
    }

    /// Returns the number of a key whose values have one type, or `None` if the program uses it with two types.
    fn key(&mut self, key: Attribute, ty: Type) -> Option<Key> {
        let ty = self.ty(ty);
        if let Some(&number) = self.key_numbers.get(&key) {
            return (self.pool.types.keys[number as usize] == ty).then_some(number);
        }
        let number = self.keys.len() as Key;
        self.keys.push(key);
        self.key_numbers.insert(key, number);
        self.pool.types.keys.push(ty);
        Some(number)
    }

    /// Returns the number of a stored op. Equal ops have equal numbers.
    fn stored(&mut self, op: Op) -> u32 {
        let next = self.stored.len() as u32;
        let signature = self.nests.signature(op);
        let number = *self.stored_numbers.entry(signature).or_insert(next);
        if number == next {
            self.stored.push(Stored { op, nest: self.nests.nest(op) });
            let may_trap = self.understands(op) == Some(Taken::InPlace);
            self.pool.types.prototypes.push(Prototype { cost: work_of(op), may_trap });
        }
        number
    }
}

/// Returns the position of a part in a tuple or record.
fn position(op: Op) -> Option<u32> {
    match op.attribute("index") {
        Some(index) => u32::try_from(index.as_i64()?).ok(),
        None => {
            let field = op.attribute("field")?.as_string()?;
            let TypeKind::Record(_, fields) = TypeKind::of(op.operand(0).ty()) else { return None };
            fields.iter().position(|(name, _)| *name == field).map(|k| k as u32)
        }
    }
}

fn is_comparison(kind: Kind) -> bool {
    matches!(kind, Kind::ArithCmpi | Kind::ArithCmpf)
}

fn has_functions(ty: Type) -> bool {
    types::transformed(ty) != ty || matches!(TypeKind::of(ty), TypeKind::Function(..) | TypeKind::Data(_))
}

/// Returns the cost of an opaque op.
fn work_of(op: Op) -> f64 {
    match op.kind() {
        Kind::LambdaLambda => data::ALLOCATION,
        Kind::LambdaLetrec => data::ALLOCATION * op.num_results() as f64,
        Kind::LambdaRef | Kind::LambdaMake => cost::OPAQUE,
        Kind::LambdaApply | Kind::LambdaMap | Kind::LambdaReduce | Kind::LambdaFold | Kind::LambdaScan => data::CALL,
        _ if op.num_regions() > 0 => data::CALL,
        _ => UNKNOWN,
    }
}

/// Returns the type of one element of a result.
pub fn element_type(ty: Type, element: Element) -> Type {
    Type::array(&ty.shape(), ty.context().scalar(element))
}
