//! Translation from terms to ops of functional code.

use super::import::{Importer, element_type};
use crate::optimise::explanation::explain;
use crate::optimise::terms::Op as Operator;
use crate::optimise::terms::data::{Form, Ty};
use crate::optimise::terms::prim::Prim;
use crate::optimise::terms::{Flags, Node, Pool};
use crate::optimise::translation::export::{copied, primitive, scalar_attribute};
use egg::Id;
use mlopt_dialects::ir::{Attribute, Block, Builder, Location, Op, OpBuilder, Type, Value};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;

/// The writer of terms, each once for each type at which it is needed.
pub struct Exporter<'i> {
    from: &'i Importer<'i>,
    pool: &'i Pool,
    /// Values from outside, by the numbers of leaves.
    leaves: Vec<Value>,
    values: FxHashMap<(Id, Type), Value>,
    /// Ops with several results.
    ops: FxHashMap<Id, Op>,
    /// True if every op may be placed anywhere, in code that is only displayed.
    is_anywhere: bool,
    /// The only term that may trap at the current position.
    in_place: Option<Id>,
    /// The written ops, in order.
    pub written: Vec<Op>,
}

impl<'i> Exporter<'i> {
    /// Creates an exporter. `pool` contains the imported terms.
    pub fn new(from: &'i Importer<'i>, pool: &'i Pool) -> Self {
        let values = from.around.iter().map(|&(t, v)| ((t, v.ty()), v)).collect();
        let leaves = from.leaves.clone();
        let ops = FxHashMap::default();
        Exporter { from, pool, leaves, values, ops, is_anywhere: false, in_place: None, written: Vec::new() }
    }

    /// Returns the value of a term, or `None` if an op that may trap would run where it did not run before.
    pub fn value(&mut self, b: Builder, t: Id, ty: Type) -> Option<Value> {
        self.in_place = None;
        self.emit(b, t, ty)
    }

    /// Writes a term that may trap, at its original position.
    pub fn in_place(&mut self, b: Builder, t: Id, ty: Type, is_bundle: bool) -> Option<()> {
        self.in_place = Some(t);
        if is_bundle { self.several(b, t).map(drop) } else { self.emit(b, t, ty).map(drop) }
    }

    fn emit(&mut self, b: Builder, t: Id, ty: Type) -> Option<Value> {
        if let Some(&v) = self.values.get(&(t, ty)) {
            return Some(v);
        }
        let pool = self.pool;
        let node = pool.node(t).clone();
        if !self.may_stand(t) {
            return None;
        }
        let origin = self.from.origins.get(&t).copied();
        let b = origin.map_or(b, |v| b.at(v.location()));
        let v = match node.op {
            Operator::Leaf(number, ..) => {
                let v = self.leaves[number as usize];
                return (v.ty() == ty).then_some(v);
            }
            Operator::Data(form, data_ty) if self.from.types[data_ty as usize] == ty => {
                self.data(b, form, &node, ty)?
            }
            Operator::Data(..) => return None,
            Operator::Cond => {
                let condition = self.emit(b, node.children[0], b.context().scalar(Element::I1))?;
                let arms = [self.emit(b, node.children[1], ty)?, self.emit(b, node.children[2], ty)?];
                let name =
                    if matches!(TypeKind::of(ty), TypeKind::Array(_)) { Kind::ArithSelect } else { Kind::LambdaSwitch };
                self.insert(b, b.op(name).operands(&[condition, arms[0], arms[1]]).results(&[ty]))
            }
            // All other operators are on numbers.
            _ if ty.element() != Some(pool.element(t)) => return None,
            Operator::Const(element, bits) => {
                let scalar = scalar_attribute(b.context(), element, bits);
                let value = if ty.is_tensor() { Attribute::splat(ty, scalar) } else { scalar };
                self.insert(b, b.op(Kind::ArithConstant).attribute("value", value).results(&[ty]))
            }
            Operator::Zero(_) => self.insert(b, b.op(Kind::DualZero).results(&[ty])),
            Operator::One(_) => self.insert(b, b.op(Kind::DualOne).results(&[ty])),
            Operator::Prim(p, flags) => self.primitive(b, p, flags, &node, ty)?,
            _ => return None,
        };
        if let Some(name) = origin.and_then(Value::name) {
            v.suggest_name(&name);
        }
        self.values.insert((t, ty), v);
        Some(v)
    }

    fn may_stand(&self, t: Id) -> bool {
        self.is_anywhere || self.in_place == Some(t) || !self.pool.may_trap(t)
    }

    fn insert(&mut self, b: Builder, op: OpBuilder) -> Value {
        let op = b.insert(op.build());
        self.written.push(op);
        op.result(0)
    }

    /// Writes an elementwise op, whose operands have the shape of the result.
    fn primitive(&mut self, b: Builder, p: Prim, flags: Flags, node: &Node, ty: Type) -> Option<Value> {
        let mut operands = Vec::new();
        for &c in &node.children {
            let ty = element_type(ty, self.pool.element(c));
            operands.push(self.emit(b, c, ty)?);
        }
        Some(self.insert(b, primitive(b, p, flags, &operands, ty)))
    }

    fn operands(&mut self, b: Builder, node: &Node, types: &[Type]) -> Option<Vec<Value>> {
        node.children.iter().zip(types).map(|(&c, &ty)| self.emit(b, c, ty)).collect()
    }

    fn data(&mut self, b: Builder, form: Form, node: &Node, ty: Type) -> Option<Value> {
        let context = b.context();
        let ir = |t: Ty| self.from.types[t as usize];
        let of = |k: usize| self.pool.data_type(node.children[k]).map(ir);
        let i64_attr = |k: u32| Attribute::integer(context.scalar(Element::I64), k.into());
        let key = |k: u32| (self.from.keys[k as usize], ir(self.pool.types.keys[k as usize]));
        let indices = |range: std::ops::Range<usize>| -> Vec<Type> {
            node.children[range].iter().map(|&c| context.scalar(self.pool.element(c))).collect()
        };
        let n = node.children.len();
        let place = |whole: Type, k: u32| match TypeKind::of(whole) {
            TypeKind::Record(_, fields) => ("field", context.string_attr(&fields[k as usize].0), fields[k as usize].1),
            _ => ("index", i64_attr(k), whole.parts()[k as usize]),
        };
        let is_record = |whole: Type| matches!(TypeKind::of(whole), TypeKind::Record(..));
        let (kind, types, attribute): (Kind, Vec<Type>, Option<(&str, Attribute)>) = match form {
            Form::Unit => (Kind::LambdaUnit, vec![], None),
            Form::Tuple => (if is_record(ty) { Kind::LambdaRecord } else { Kind::LambdaTuple }, ty.parts(), None),
            Form::Part(k) => {
                let whole = of(0)?;
                let (at, attribute, _) = place(whole, k);
                let kind = if is_record(whole) { Kind::LambdaField } else { Kind::LambdaGet };
                (kind, vec![whole], Some((at, attribute)))
            }
            Form::Update(k) => {
                let (at, attribute, part) = place(ty, k);
                let kind = if is_record(ty) { Kind::LambdaWith } else { Kind::LambdaTset };
                (kind, vec![ty, part], Some((at, attribute)))
            }
            Form::Nil => (Kind::LambdaNil, vec![], None),
            Form::Cons => (Kind::LambdaCons, vec![ty.parts()[0], ty], None),
            Form::Head => (Kind::LambdaHead, vec![of(0)?], None),
            Form::Tail => (Kind::LambdaTail, vec![ty], None),
            Form::IsEmpty => (Kind::LambdaIsEmpty, vec![of(0)?], None),
            Form::Sum => (Kind::LambdaGadd, vec![ty, ty], None),
            Form::Zeros(of) => (Kind::LambdaZerosLike, vec![ir(of)], None),
            Form::EmptyEnv => (Kind::LambdaEnvEmpty, vec![], None),
            Form::Lookup(k) => (Kind::LambdaEnvGet, vec![of(0)?, ty], Some(("key", key(k).0))),
            Form::Insert(k) => (Kind::LambdaEnvSet, vec![ty, key(k).1], Some(("key", key(k).0))),
            Form::EnvSum => (Kind::LambdaEnvAdd, vec![ty, ty], None),
            Form::Transform => (Kind::LambdaJ, vec![of(0).unwrap_or(ty)], None),
            Form::Inverse => (Kind::LambdaJinv, vec![of(0).unwrap_or(ty)], None),
            Form::StopGradient => (Kind::LambdaStopGradient, vec![ty], None),
            Form::Read(of) => (Kind::LambdaAget, [vec![ir(of)], indices(1..n)].concat(), None),
            Form::Write(of) => (Kind::LambdaAset, [vec![ty], indices(1..n - 1), vec![ir(of)]].concat(), None),
            Form::Linear(k) | Form::Other(k) => return Some(self.stored(b, k, node)?.result(0)),
            Form::Result(k) => return Some(self.several(b, node.children[0])?.result(k as usize)),
        };
        let operands = self.operands(b, node, &types)?;
        Some(self.insert(b, b.op(kind).operands(&operands).results(&[ty]).attributes(attribute)))
    }

    /// Returns the op with several results that a term represents.
    fn several(&mut self, b: Builder, t: Id) -> Option<Op> {
        if let Some(&op) = self.ops.get(&t) {
            return Some(op);
        }
        let node = self.pool.node(t).clone();
        let Operator::Data(Form::Other(k), _) = node.op else { return None };
        if !self.may_stand(t) {
            return None;
        }
        let op = self.stored(b, k, &node)?;
        self.ops.insert(t, op);
        Some(op)
    }

    /// Writes a copy of a stored op for other operands and other captured values.
    fn stored(&mut self, b: Builder, number: u32, node: &Node) -> Option<Op> {
        let stored = &self.from.stored[number as usize];
        let read = stored.op.operands().into_iter().chain(stored.nest.captured.iter().copied());
        let types: Vec<Type> = read.map(Value::ty).collect();
        let values = self.operands(b, node, &types)?;
        let op = b.insert(copied(stored.op, &stored.nest.captured, &values));
        self.written.push(op);
        Some(op)
    }
}

/// Returns the code of a term for readers.
pub fn fragment(from: &Importer, pool: &Pool, t: Id) -> String {
    let Some(context) = from.types.first().map(|ty| ty.context()) else { return String::new() };
    let at = context.unknown_location();
    let names = crate::optimise::translation::names::of_values(&from.leaves);
    let arguments: Vec<(Type, Location)> =
        from.leaves.iter().zip(&names).map(|(v, name)| (v.ty(), at.named(name))).collect();
    let block = Block::new(&arguments);
    let b = Builder::at_end(block, at);
    // For a number, the leaves determine the shape: the existing types are tried.
    let element = pool.element(t);
    let known = pool.data_type(t).map(|ty| from.types[ty as usize]).into_iter();
    let written = from.origins.get(&t).map(|v| v.ty());
    let shapes = from.types.iter().copied().filter(|ty| ty.element() == Some(element));
    for ty in known.chain(written).chain([context.scalar(element)]).chain(shapes) {
        let mut exporter = Exporter::new(from, pool);
        exporter.leaves = block.arguments();
        exporter.values.clear();
        exporter.is_anywhere = true;
        if let Some(v) = exporter.emit(b, t, ty) {
            b.insert(b.op(Kind::FuncReturn).operands(&[v]).build());
            return explain::code(block, ty);
        }
        exporter.written.iter().rev().for_each(|op| op.erase());
    }
    block.erase();
    format!("{:?}\n", pool.op(t))
}
