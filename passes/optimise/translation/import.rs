//! Translation from ops to a plan: one statement for each op of a block that terms can represent.
//!
//! An op is translated if its types are those of the array language, no attribute would be lost, and it is pure or
//! terms represent it. A pure op that terms do not represent becomes opaque (`Op::Opaque`). Every other op keeps its
//! position, and its results are leaves of terms.

use super::desugar::{SUGAR, emits_what_it_carries, has_known_types};
use super::upstream;
use crate::analysis::edit::captured;
use crate::analysis::{kinds, mark_pure};
use crate::optimise::placement::plan::{Plan, Scope, Stmt, Type, Val};
use crate::optimise::rules::Laws;
use crate::optimise::terms::cost;
use crate::optimise::terms::op::{Flags, Op as Operator, Reduction};
use crate::optimise::terms::prim::{Cast, Prim, Scalar};
use mlopt_dialects::ir::{Attribute, Block, Op, Type as IrType, Value};
use mlopt_dialects::ops::arith::Constant;
use mlopt_dialects::ops::array::{self, ArrayOp};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The maximum nesting of regions.
const MAX_DEPTH: usize = 64;

/// Opaque ops and the values that their regions capture.
#[derive(Default)]
pub struct Prototypes {
    pub ops: Vec<Op>,
    /// The values from outside that the regions of each op read. They are arguments after the operands.
    pub captured: Vec<Vec<Value>>,
    numbers: FxHashMap<(String, String), u32>,
}

pub struct Importer {
    /// Acceptors of ops whose readings are excluded (`rules/reading.rs`).
    unread: Vec<fn(Op) -> bool>,
    pub plan: Plan,
    pub prototypes: Prototypes,
    /// Values from outside, by leaf number.
    pub leaves: Vec<Value>,
    pub values: FxHashMap<Value, Val>,
    pub origins: FxHashMap<Val, Value>,
    pub(super) scope: usize,
}

impl Importer {
    pub fn new(laws: &Laws) -> Self {
        Importer {
            unread: laws.unread().collect(),
            plan: Plan { scopes: vec![Scope::default()], ..Plan::default() },
            prototypes: Prototypes::default(),
            leaves: Vec::new(),
            values: FxHashMap::default(),
            origins: FxHashMap::default(),
            scope: 0,
        }
    }

    /// Checks whether an op with all its regions can be translated.
    pub fn understands(&mut self, op: Op) -> bool {
        let mut todo = vec![(op, 0)];
        while let Some((op, depth)) = todo.pop() {
            if depth > MAX_DEPTH || !self.understands_one(op) {
                return false;
            }
            if is_for_itself(op) {
                continue;
            }
            let inside = op.child_ops().into_iter().filter(|inner| !is_yield(*inner));
            todo.extend(inside.map(|inner| (inner, depth + 1)));
        }
        true
    }

    fn understands_one(&mut self, op: Op) -> bool {
        if op.num_results() == 0 || !has_known_types(op) {
            return false;
        }
        if self.stands_for_itself(op) {
            return !has_blocks(op) && is_pure(op);
        }
        let kind = op.kind();
        if let Some(array) = ArrayOp::of(op)
            && let Some(known) = attributes_of(array)
        {
            return self.has_only(op, known);
        }
        let known: &[&str] = match kind {
            Kind::ArithSelect | Kind::DualZero | Kind::DualOne => &[],
            _ if upstream::is_known(op) => return true,
            Kind::ArithConstant => {
                return op.attributes().len() == 1
                    && op.attribute("value").is_some_and(|a| constant(a, op.result(0).ty()).is_some());
            }
            Kind::ArithCmpi | Kind::ArithCmpf => &["predicate", "fastmath"],
            _ if Prim::of(kind).is_some() || Cast::of(kind).is_some() => &["fastmath", "overflowFlags"],
            _ if is_cheap_choice(op) => &[],
            _ if !has_blocks(op) => return is_pure(op),
            // Values that the regions read become operands.
            _ => {
                return is_for_itself(op) && captured(op).iter().all(|v| plan_type(v.ty()).is_some());
            }
        };
        self.has_only(op, known)
    }

    /// Checks whether an op has only these attributes, with flags that terms know.
    fn has_only(&self, op: Op, known: &[&str]) -> bool {
        let is_known = |name: &str| known.contains(&name) || name == "operandSegmentSizes";
        op.attributes().iter().all(|(name, _)| is_known(name)) && has_known_flags(op)
    }

    /// Checks whether the reading of an op is excluded.
    fn stands_for_itself(&self, op: Op) -> bool {
        self.unread.iter().any(|accepts| accepts(op))
    }

    /// Translates an op that `understands` accepted.
    pub fn take(&mut self, op: Op) {
        let results: Vec<Val> = op.results().into_iter().map(|r| self.argument(r)).collect();
        self.origins.extend(results.iter().copied().zip(op.results()));
        let out = results[0];
        let stmt = match op.kind() {
            _ if self.stands_for_itself(op) => self.opaque(op, results),
            Kind::ArrayBuild => self.build_loop(op, &results),
            Kind::ArrayIfold => self.ifold(op, &results),
            Kind::ArrayFold => {
                let (n, scope) = self.rows(op);
                let inits = op.operand_segment(1).into_iter().map(|v| self.value(v)).collect();
                Stmt::Ifold { n, inits, scope, outs: results }
            }
            Kind::ArrayMapAccum if !emits_what_it_carries(op) => self.map_accum(op, results),
            Kind::ArrayGet => {
                let args = self.operands(op);
                Stmt::Get { array: args[0], indices: args[1..].to_vec(), out }
            }
            Kind::ArrayReplicate => {
                let (x, n) = (self.value(op.operand(0)), self.extents(op, out, 1, 1)[0]);
                Stmt::Replicate { x, n, out }
            }
            Kind::ArrayTranspose => {
                let permutation = op.cast::<array::Transpose>().permutation().into_iter().map(|p| p as usize).collect();
                Stmt::Transpose { array: self.value(op.operand(0)), permutation, out }
            }
            Kind::ArrayReshape => {
                let rank = self.plan.types[out as usize].shape.len();
                let sizes = self.extents(op, out, rank, 1);
                self.reshape(op, sizes, out)
            }
            Kind::ArrayLength => {
                let axis = op.cast::<array::Length>().axis();
                Stmt::Op { op: Operator::Dim(axis as u8), args: self.operands(op), out }
            }
            Kind::ArithConstant => self.constant(op, out),
            Kind::DualZero | Kind::DualOne => {
                let e = self.plan.types[out as usize].element;
                let operator = if op.kind() == Kind::DualZero { Operator::Zero(e) } else { Operator::One(e) };
                Stmt::Op { op: operator, args: vec![], out }
            }
            kind if SUGAR.contains(&kind) => self.desugar(op, out),
            _ if upstream::is_known(op) => self.upstream(op, out),
            _ if Reduction::of(op.kind()).is_some() => {
                let reduction = Reduction::of(op.kind()).expect("just asked");
                let searched = || Some(vec![array::SearchOp::of(op)?.axis()]);
                let axes = array::ReductionOp::of(op).map(|op| op.axes()).or_else(searched).unwrap_or_default();
                let axes = axes.into_iter().map(|axis| axis as usize).collect();
                let flags = op.attribute("fastmath").and_then(flag_bits).unwrap_or_default();
                Stmt::Reduce { reduction, flags, array: self.value(op.operand(0)), axes, out }
            }
            Kind::ScfIf if is_cheap_choice(op) => return self.choice(op, results),
            _ => match operator(op) {
                Some(operator) => Stmt::Op { op: operator, args: self.operands(op), out },
                None => self.opaque(op, results),
            },
        };
        self.push(stmt);
    }

    /// Returns the statement of an opaque op.
    fn opaque(&mut self, op: Op, outs: Vec<Val>) -> Stmt {
        let number = self.number(op);
        let read = op.operands().into_iter().chain(self.prototypes.captured[number as usize].clone());
        let args = read.collect::<Vec<Value>>().into_iter().map(|v| self.value(v)).collect();
        Stmt::Opaque { number, args, outs }
    }

    /// Translates both arms in the enclosing scope, then the select of each result.
    fn choice(&mut self, op: Op, results: Vec<Val>) {
        let condition = self.value(op.operand(0));
        let arm = |block: Block| {
            let outer = std::mem::take(&mut self.plan.scopes[self.scope].yields);
            self.body(block);
            std::mem::replace(&mut self.plan.scopes[self.scope].yields, outer)
        };
        let arms: Vec<Vec<Val>> = op.blocks().into_iter().map(arm).collect();
        for (k, &out) in results.iter().enumerate() {
            let args = vec![condition, arms[0][k], arms[1][k]];
            self.push(Stmt::Op { op: Operator::Cond, args, out });
        }
    }

    pub(super) fn reshape(&mut self, op: Op, sizes: Vec<Val>, out: Val) -> Stmt {
        let array = self.value(op.operand(0));
        let otherwise = Stmt::Opaque { number: self.number(op), args: self.operands(op), outs: vec![out] };
        Stmt::Reshape { array, sizes, otherwise: Some(Box::new(otherwise)), out }
    }

    /// Returns the number of an opaque op. Equal ops (by name, attributes, types) have equal numbers.
    pub(super) fn number(&mut self, op: Op) -> u32 {
        let mut key: String = op.attributes().iter().map(|(n, a)| format!("{n}={a};")).collect();
        op.operands().into_iter().chain(op.results()).for_each(|v| key.push_str(&format!("{},", v.ty())));
        let next = self.prototypes.ops.len() as u32;
        let number = match has_blocks(op) {
            // Ops with regions are not compared.
            true => next,
            false => *self.prototypes.numbers.entry((op.name().to_string(), key)).or_insert(next),
        };
        if number == next {
            self.prototypes.captured.push(captured(op));
            let result = |v: Value| plan_type(v.ty()).expect("accepted: the type is known");
            self.prototypes.ops.push(op);
            self.plan.opaque.push(op.results().into_iter().map(result).collect());
        }
        number
    }

    fn constant(&mut self, op: Op, out: Val) -> Stmt {
        let value = op.cast::<Constant>().value();
        let (e, bits) = constant(value, op.result(0).ty()).expect("accepted: the constant is one number");
        if let (Scalar::I(x), true) = (Scalar::from_bits(e, bits), self.plan.types[out as usize].shape.is_empty()) {
            self.plan.constants[out as usize] = Some(x);
        }
        Stmt::Op { op: Operator::Const(e, bits), args: vec![], out }
    }

    pub(super) fn index(&mut self, n: usize) -> Val {
        let out = self.plan.value(Type::INDEX);
        self.plan.constants[out as usize] = Some(n as i64);
        self.push(Stmt::Op { op: Operator::Const(Element::Index, n as u64), args: vec![], out });
        out
    }

    fn operands(&mut self, op: Op) -> Vec<Val> {
        op.operands().into_iter().map(|v| self.value(v)).collect()
    }

    /// Returns the number of a value; a value from outside is a leaf.
    pub fn value(&mut self, v: Value) -> Val {
        if let Some(&k) = self.values.get(&v) {
            return k;
        }
        if let Some((op, _)) = v.defining_op()
            && is_free(op)
            && self.understands(op)
        {
            // The leaf is in the outermost scope of this piece.
            let inner = std::mem::replace(&mut self.scope, 0);
            self.take(op);
            self.scope = inner;
            return self.values[&v];
        }
        let k = self.plan.value(plan_type(v.ty()).expect("accepted: the type is known"));
        self.plan.leaves[k as usize] = Some(self.leaves.len() as u32);
        self.leaves.push(v);
        self.values.insert(v, k);
        k
    }

    pub(super) fn region(&mut self, block: Block) -> usize {
        let args = block.arguments().into_iter().map(|a| self.argument(a)).collect();
        let outer = self.open(args);
        self.body(block);
        std::mem::replace(&mut self.scope, outer)
    }

    /// Returns a new number for a result or for an argument of a region.
    pub(super) fn argument(&mut self, a: Value) -> Val {
        let v = self.plan.value(plan_type(a.ty()).unwrap_or(Type::INDEX));
        self.values.insert(a, v);
        v
    }

    /// Opens a new scope. Returns the enclosing one.
    pub(super) fn open(&mut self, args: Vec<Val>) -> usize {
        self.plan.scopes.push(Scope { parent: Some(self.scope), args, ..Scope::default() });
        std::mem::replace(&mut self.scope, self.plan.scopes.len() - 1)
    }

    /// Translates the ops of a region, in the current scope.
    pub(super) fn body(&mut self, block: Block) {
        for op in block.ops() {
            if is_yield(op) {
                let yields = self.operands(op);
                let scope = self.scope;
                self.plan.scopes[scope].yields = yields;
            } else {
                self.take(op);
            }
        }
    }

    fn build_loop(&mut self, op: Op, results: &[Val]) -> Stmt {
        let body = op.entry();
        let extents = self.extents(op, results[0], body.num_arguments(), 0);
        let scope = self.region(body);
        Stmt::Build { extents, scope, outs: results.to_vec() }
    }

    fn ifold(&mut self, op: Op, results: &[Val]) -> Stmt {
        let args = self.operands(op);
        let scope = self.region(op.entry());
        Stmt::Ifold { n: args[0], inits: args[1..].to_vec(), scope, outs: results.to_vec() }
    }
}

/// Returns the bits of an attribute of flags; `None` for another attribute.
fn flag_bits(a: Attribute) -> Option<Flags> {
    match a.integers()?[..] {
        [bits] => Some(Flags(bits as u16)),
        _ => None,
    }
}

/// Checks whether terms know the flags of an op.
pub(crate) fn has_known_flags(op: Op) -> bool {
    ["fastmath", "overflowFlags"].iter().all(|name| op.attribute(name).is_none_or(|a| flag_bits(a).is_some()))
}

/// Returns the operator of an op, or `None` for an opaque op.
pub(crate) fn operator(op: Op) -> Option<Operator> {
    let attribute = ["fastmath", "overflowFlags"].iter().find_map(|name| op.attribute(name));
    let flags = attribute.and_then(flag_bits).unwrap_or_default();
    let predicate = || op.attribute("predicate").and_then(|a| a.as_i64()).unwrap_or(0) as u8;
    Some(match op.kind() {
        Kind::ArithSelect => Operator::Cond,
        Kind::ArrayStack => Operator::Stack,
        Kind::ArithCmpi => Operator::Prim(Prim::CmpI(predicate()), flags),
        Kind::ArithCmpf => Operator::Prim(Prim::CmpF(predicate()), flags),
        kind => match (Prim::of(kind), Cast::of(kind)) {
            (Some(p), _) => Operator::Prim(p, flags),
            (_, Some(c)) => Operator::Prim(Prim::Cast(c, op.result(0).ty().element()?), flags),
            _ => return None,
        },
    })
}

/// The maximum work of both arms of an `scf.if` that is replaced by a select.
const SPECULATED: f64 = 8.0;

/// Returns the attributes of an op of `array` that its term represents; `None` if the op is opaque.
fn attributes_of(array: ArrayOp) -> Option<&'static [&'static str]> {
    match array {
        ArrayOp::Build(_) | ArrayOp::Ifold(_) | ArrayOp::Fold(_) | ArrayOp::Get(_) => Some(&[]),
        ArrayOp::MapAccum(op) if emits_what_it_carries(*op) => None,
        ArrayOp::MapAccum(_) => Some(&[]),
        ArrayOp::Replicate(_) | ArrayOp::Reshape(_) | ArrayOp::Stack(_) => Some(&[]),
        ArrayOp::Transpose(_) => Some(&["permutation"]),
        ArrayOp::Sum(_) | ArrayOp::Prod(_) | ArrayOp::Max(_) | ArrayOp::Min(_) => Some(&["axes", "fastmath"]),
        ArrayOp::Argmax(_) | ArrayOp::Argmin(_) | ArrayOp::Length(_) => Some(&["axis"]),
        ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => Some(&["fastmath", "overflowFlags"]),
        // `desugar` translates these.
        ArrayOp::Gather(_) | ArrayOp::Scatter(_) | ArrayOp::OneHot(_) | ArrayOp::Iota(_) => Some(&[]),
        ArrayOp::Slice(_) | ArrayOp::Reverse(_) | ArrayOp::Append(_) => Some(&[]),
        ArrayOp::Vmap(_) | ArrayOp::Check(_) | ArrayOp::SameSize(_) | ArrayOp::Yield(_) => None,
    }
}

/// Checks whether both arms of an `scf.if` of scalars may run for any condition and cost no more than a branch.
fn is_cheap_choice(op: Op) -> bool {
    fn work(op: Op) -> Option<f64> {
        if op.results().iter().any(|r| r.ty().is_tensor()) || !is_pure(op) {
            return None;
        }
        match op.kind() {
            Kind::ScfIf => {
                let mut sum = 0.0;
                for inner in op.child_ops() {
                    sum += if is_yield(inner) { 0.0 } else { work(inner)? };
                    if sum > SPECULATED {
                        return None;
                    }
                }
                Some(sum)
            }
            Kind::ArithConstant | Kind::DualZero | Kind::DualOne | Kind::ArrayLength | Kind::TensorDim => Some(0.0),
            Kind::ArrayGet | Kind::TensorExtract => Some(cost::GET),
            Kind::ArithSelect | Kind::ArithCmpi | Kind::ArithCmpf => Some(cost::COND),
            _ => Prim::of(op.kind()).map(cost::prim).or(Cast::of(op.kind()).map(|_| cost::COND)),
        }
    }
    op.kind() == Kind::ScfIf
        && op.num_results() > 0
        && op.regions().iter().all(|r| r.blocks().len() == 1)
        && work(op).is_some()
}

/// The ops whose regions terms represent.
const WITH_SCOPES: &[Kind] = kinds![ArrayBuild ArrayIfold ArrayFold ArrayGather ArrayScatter TensorGenerate];

/// Checks whether a pure op has regions that terms do not represent; their blocks are optimised separately.
fn is_for_itself(op: Op) -> bool {
    let is_looked_into = || match op.kind() {
        kind if WITH_SCOPES.contains(&kind) => true,
        Kind::ArrayMapAccum => !emits_what_it_carries(op),
        _ => is_cheap_choice(op),
    };
    has_blocks(op) && !is_looked_into() && is_pure(op) && op.nested_ops().into_iter().all(is_pure)
}

/// Checks whether an op itself may be removed, and may run where the program would not run it.
fn is_pure(op: Op) -> bool {
    op.is_registered() && (op.is_pure() || op.kind() == Kind::ScfIf || mark_pure::is_marked(op))
}

pub(crate) fn has_blocks(op: Op) -> bool {
    op.regions().into_iter().any(|r| !r.blocks().is_empty())
}

/// Returns the results of the `taken` ops among those of a range in a block that other ops read, each with the position
/// of its first reader. For a reader after the range, or in another block, that is the position after the range, or the
/// last one in the block.
pub(crate) fn read_outside(ops: &[Op], range: Range<usize>, taken: &FxHashSet<Op>) -> Vec<(Value, usize)> {
    let Some(block) = ops[range.start].block() else { return Vec::new() };
    let position: FxHashMap<Op, usize> = range.clone().map(|k| (ops[k], k)).collect();
    let mut known = FxHashMap::default();
    let mut reader = |user: Op| {
        let outer = outermost(user, block, &mut known);
        let is_other = outer.is_none_or(|op| !taken.contains(&op));
        is_other.then(|| outer.and_then(|op| position.get(&op).copied()).unwrap_or(range.end))
    };
    let values = ops[range.clone()].iter().filter(|op| taken.contains(op)).flat_map(|op| op.results());
    let mut first = |v: Value| v.users().filter_map(&mut reader).min();
    values.filter_map(|v| Some((v, first(v)?.min(ops.len() - 1)))).collect()
}

/// Returns the op of `block` that is `op` or contains it. `known` keeps the results for the ops passed, because ops may
/// be nested deeply.
fn outermost(op: Op, block: Block, known: &mut FxHashMap<Op, Option<Op>>) -> Option<Op> {
    let (mut passed, mut around) = (Vec::new(), Some(op));
    while let Some(inner) = around.filter(|inner| inner.block() != Some(block)) {
        if let Some(found) = known.get(&inner) {
            around = *found;
            break;
        }
        passed.push(inner);
        around = inner.parent_op();
    }
    known.extend(passed.into_iter().map(|inner| (inner, around)));
    around
}

fn is_yield(op: Op) -> bool {
    matches!(op.kind(), Kind::ArrayYield | Kind::TensorYield | Kind::ScfYield)
}

/// Checks whether an op outside determines more than a leaf and costs nothing to repeat.
fn is_free(op: Op) -> bool {
    match op.kind() {
        Kind::ArithConstant => !op.result(0).ty().is_tensor(),
        Kind::DualZero | Kind::DualOne | Kind::ArrayLength | Kind::TensorDim => true,
        _ => false,
    }
}

/// Returns the type of a plan for an MLIR type; `None` for types outside of the array language.
pub fn plan_type(ty: IrType) -> Option<Type> {
    let element = ty.element()?;
    if ty == ty.scalar() {
        return Some(Type { element, shape: vec![] });
    }
    let shape = ty.shape();
    // Rank-0 tensors, encodings and other shaped types are outside of the array language.
    if IrType::array(&shape, ty.scalar()) != ty {
        return None;
    }
    Some(Type { element, shape: shape.into_iter().map(|d| d.map(|n| n as u64)).collect() })
}

/// Returns the number in a scalar or splat constant, as bits. Returns `None` also if the number of elements is dynamic.
pub(crate) fn constant(value: Attribute, ty: IrType) -> Option<(Element, u64)> {
    if ty.shape().iter().any(Option::is_none) {
        return None;
    }
    let (e, value) = (ty.element()?, if ty.is_tensor() { value.splat_value()? } else { value });
    let scalar = if e.is_float() { Scalar::F(value.as_f64()?) } else { Scalar::I(value.as_i64()?) };
    Some((e, scalar.to_bits(e)?))
}
