//! Translation from a plan to ops.

use super::import::{Prototypes, has_blocks};
use crate::optimise::placement::plan::{Plan, Stmt, Type, Val};
use crate::optimise::terms::op::{Flags, Op as Operator, Reduction};
use crate::optimise::terms::prim::{Prim, Scalar};
use egg::Id;
use mlopt_dialects::ir::{
    Attribute, Block, Builder, Context, Dim, Location, Op, OpBuilder, Region, Type as IrType, Value,
};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashMap;

pub struct Exporter<'a> {
    plan: &'a Plan,
    prototypes: &'a Prototypes,
    /// The value of the input for each term: ops that are emitted for it keep its location and name.
    origins: &'a FxHashMap<Id, Value>,
    values: FxHashMap<Val, Value>,
    /// The ops whose regions were copied unchanged.
    pub with_regions: Vec<Op>,
    /// The number of named indices; `None` if loops get no names.
    named: Option<usize>,
}

impl<'a> Exporter<'a> {
    pub fn new(plan: &'a Plan, prototypes: &'a Prototypes, origins: &'a FxHashMap<Id, Value>, given: &[Value]) -> Self {
        let values = (0..plan.leaves.len())
            .filter_map(|v| plan.leaves[v].map(|leaf| (v as Val, given[leaf as usize])))
            .collect();
        Exporter { plan, prototypes, origins, values, with_regions: Vec::new(), named: None }
    }

    /// Names the indices and states of loops. `count` indices are named already.
    pub fn with_names(self, count: usize) -> Self {
        Exporter { named: Some(count), ..self }
    }

    pub fn value(&self, v: Val) -> Value {
        self.values[&v]
    }

    /// Emits statements of the outermost scope.
    pub fn statements(&mut self, b: Builder, range: std::ops::Range<usize>) {
        self.plan.scopes[0].stmts[range].iter().for_each(|s| self.stmt(b, s));
    }

    /// Returns `v` at type `ty`, through a cast if the static sizes differ.
    pub fn at_type(&self, b: Builder, v: Value, ty: IrType) -> Value {
        if v.ty() == ty { v } else { b.unary(Kind::TensorCast, &[v], ty) }
    }

    fn ty(&self, context: Context, ty: &Type) -> IrType {
        let shape: Vec<Dim> = ty.shape.iter().map(|n| n.map(|n| n as usize)).collect();
        IrType::array(&shape, context.scalar(ty.element))
    }

    fn values(&self, args: &[Val]) -> Vec<Value> {
        args.iter().map(|a| self.values[a]).collect()
    }

    fn stmt(&mut self, b: Builder, s: &Stmt) {
        let origin = |o: &Val| self.plan.terms[*o as usize].and_then(|t| self.origins.get(&t).copied());
        let origins: Vec<Option<Value>> = s.outs().iter().map(origin).collect();
        self.emit(origins.iter().flatten().next().map_or(b, |v| b.at(v.location())), s);
        for (out, origin) in s.outs().iter().zip(origins) {
            if let Some(name) = origin.and_then(Value::name) {
                self.values[out].suggest_name(&name);
            }
        }
    }

    fn emit(&mut self, b: Builder, s: &Stmt) {
        let plan = self.plan;
        let context = b.context();
        let types: Vec<IrType> = s.outs().iter().map(|&o| self.ty(context, &plan.types[o as usize])).collect();
        let v = match s {
            Stmt::Op { op, args, .. } => self.op(b, *op, args, types[0]),
            Stmt::Opaque { number, args, outs } => {
                let prototype: Op = self.prototypes.ops[*number as usize];
                let captured = &self.prototypes.captured[*number as usize];
                let written = prototype.operands().into_iter().chain(captured.iter().copied());
                let read: Vec<Value> =
                    self.values(args).into_iter().zip(written).map(|(v, w)| self.at_type(b, v, w.ty())).collect();
                let copy = b.insert(copied(prototype, captured, &read));
                if has_blocks(copy) {
                    self.with_regions.push(copy);
                }
                for ((&out, v), ty) in outs.iter().zip(copy.results()).zip(types) {
                    let v = self.at_type(b, v, ty);
                    self.values.insert(out, v);
                }
                return;
            }
            Stmt::Get { array, indices, .. } => b.get(self.values[array], &self.values(indices)),
            Stmt::Build { extents, scope, outs } => {
                let k = extents.len();
                // The size is an operand if and only if the axis is dynamic.
                let sizes = types[0].shape();
                let operands: Vec<Value> =
                    (0..k).filter(|&a| sizes[a].is_none()).map(|a| self.values[&extents[a]]).collect();
                let rows: Vec<IrType> = types.iter().map(|t| IrType::array(&t.shape()[k..], t.scalar())).collect();
                let region = self.region(b, *scope, &rows, k);
                let op = b.insert(b.op(Kind::ArrayBuild).operands(&operands).results(&types).region(region).build());
                self.values.extend(outs.iter().copied().zip(op.results()));
                return;
            }
            Stmt::Reduce { reduction, flags, array, axes, .. } => {
                let x = self.values[array];
                match reduction {
                    Reduction::ArgMax => b.argmax(x, axes[0]),
                    Reduction::ArgMin => b.argmin(x, axes[0]),
                    _ => b.reduce(reduction.kind(), x, axes, flag_attribute(context, true, *flags)),
                }
            }
            Stmt::Ifold { n, inits, scope, outs } => {
                let mut operands = vec![self.values[n]];
                operands.extend(inits.iter().zip(&types).map(|(init, &ty)| self.at_type(b, self.values[init], ty)));
                let region = self.region(b, *scope, &types, 1);
                let op = b.insert(b.op(Kind::ArrayIfold).operands(&operands).results(&types).region(region).build());
                self.values.extend(outs.iter().copied().zip(op.results()));
                return;
            }
            Stmt::Scatter { array, init, scope, .. } => {
                let operands = [self.values[array], self.at_type(b, self.values[init], types[0])];
                let indices = plan.scopes[*scope].args.len();
                let region = self.region(b, *scope, &vec![context.index(); plan.scopes[*scope].yields.len()], indices);
                b.insert(b.op(Kind::ArrayScatter).operands(&operands).results(&types).region(region).build()).result(0)
            }
            Stmt::Slice { array, start, n, .. } => {
                let size = types[0].shape()[0];
                let extent = size.is_none().then(|| self.values[n]);
                b.slice(self.values[array], self.values[start], size, extent)
            }
            Stmt::Reverse { array, .. } => b.reverse(self.values[array]),
            Stmt::Transpose { array, permutation, .. } => b.transpose(self.values[array], permutation),
            Stmt::Reshape { array, sizes, .. } => {
                let shape = types[0].shape();
                let dynamic = shape.iter().zip(sizes).filter(|(n, _)| n.is_none());
                let extents: Vec<Value> = dynamic.map(|(_, v)| self.values[v]).collect();
                b.reshape(self.values[array], &shape, &extents)
            }
            Stmt::Replicate { x, n, .. } => {
                let size = types[0].shape()[0];
                // The extent is an operand if and only if the axis is dynamic.
                let extent = if size.is_none() { self.values[n] } else { self.values[x] };
                b.replicate(self.values[x], size, extent)
            }
            Stmt::Retype { array, .. } => self.at_type(b, self.values[array], types[0]),
        };
        self.values.insert(s.outs()[0], v);
    }

    /// Emits a region. The first `indices` arguments of the scope are indices, the others states.
    fn region(&mut self, b: Builder, scope: usize, yields: &[IrType], indices: usize) -> Region {
        let plan = self.plan;
        let scope = &plan.scopes[scope];
        let context = b.context();
        let outside = self.named;
        let arguments: Vec<(IrType, Location)> = scope
            .args
            .iter()
            .enumerate()
            .map(|(k, &a)| {
                let ty = self.ty(context, &plan.types[a as usize]);
                let Some(n) = &mut self.named else { return (ty, b.location) };
                let name = if k < indices { index_name(*n) } else { state_name((k - indices) as u32) };
                *n += usize::from(k < indices);
                (ty, b.location.named(&name))
            })
            .collect();
        let block = Block::new(&arguments);
        self.values.extend(scope.args.iter().copied().zip(block.arguments()));
        let inner = Builder::at_end(block, b.location);
        scope.stmts.iter().for_each(|s| self.stmt(inner, s));
        let values: Vec<Value> =
            scope.yields.iter().zip(yields).map(|(y, &ty)| self.at_type(inner, self.values[y], ty)).collect();
        inner.insert(inner.op(Kind::ArrayYield).operands(&values).build());
        self.named = outside;
        Region::with_block(block)
    }

    fn op(&self, b: Builder, op: Operator, args: &[Val], ty: IrType) -> Value {
        let context = b.context();
        let operands = self.values(args);
        match op {
            Operator::Const(e, bits) => b.constant(scalar_attribute(context, e, bits), context.scalar(e)),
            Operator::Zero(_) => b.unary(Kind::DualZero, &[], ty),
            Operator::One(_) => b.unary(Kind::DualOne, &[], ty),
            Operator::Dim(axis) => b.length(operands[0], axis as usize),
            Operator::Cond => {
                // The two sides may differ in static sizes; they get one type here.
                let sides = [1, 2].map(|k| self.at_type(b, operands[k], ty));
                b.unary(Kind::ArithSelect, &[operands[0], sides[0], sides[1]], ty)
            }
            Operator::Stack => {
                let row = if operands[0].ty().is_tensor() { row_of(ty) } else { operands[0].ty() };
                let rows: Vec<Value> = operands.iter().map(|v| self.at_type(b, *v, row)).collect();
                b.unary(Kind::ArrayStack, &rows, ty)
            }
            Operator::Prim(p, flags) => b.insert(primitive(b, p, flags, &operands, ty).build()).result(0),
            other => unreachable!("{other:?} is not a statement"),
        }
    }
}

/// Returns the flags of an op as its attribute, if there are any.
fn flag_attribute(context: Context, is_float: bool, flags: Flags) -> Option<Attribute> {
    let name = if is_float { "arith.fastmath" } else { "arith.overflow" };
    let attribute = || Attribute::of_integers(context, name, &[flags.0.into()]).expect("the op's dialect is loaded");
    (flags != Flags::NONE).then(attribute)
}

/// Starts the op of a primitive.
pub fn primitive(b: Builder, p: Prim, flags: Flags, operands: &[Value], ty: IrType) -> OpBuilder {
    let mut op = b.op(p.kind()).operands(operands).results(&[ty]);
    if let Prim::CmpF(k) | Prim::CmpI(k) = p {
        op = op.attribute("predicate", Attribute::integer(b.context().scalar(Element::I64), k as i64));
    }
    let name = if p.is_float() { "fastmath" } else { "overflowFlags" };
    op.attributes(flag_attribute(b.context(), p.is_float(), flags).map(|flags| (name, flags)))
}

/// Copies an opaque op for other values of its operands and of the values `captured` by its regions.
pub fn copied(op: Op, captured: &[Value], values: &[Value]) -> Op {
    let (operands, inside) = values.split_at(op.num_operands());
    let copy = op.clone_op();
    copy.set_operands(operands);
    let new: FxHashMap<Value, Value> = captured.iter().copied().zip(inside.iter().copied()).collect();
    copy.child_ops().into_iter().for_each(|inner| inner.replace_operands(|v| new.get(&v).copied()));
    copy
}

/// Returns the value of a constant.
pub fn scalar_attribute(context: Context, element: Element, bits: u64) -> Attribute {
    let scalar = context.scalar(element);
    match Scalar::from_bits(element, bits) {
        Scalar::F(x) => Attribute::float(scalar, x),
        Scalar::I(x) if element == Element::I1 => context.bool_attr(x != 0),
        Scalar::I(x) => Attribute::integer(scalar, x),
        Scalar::Poison => unreachable!("a constant's bits are a number"),
    }
}

/// Returns the type of the rows of an array.
fn row_of(ty: IrType) -> IrType {
    IrType::array(&ty.shape()[1..], ty.scalar())
}

/// Returns `i`, `j`, … for the indices of loops, from the outermost one.
pub fn index_name(k: usize) -> String {
    "ijklmnpqr".chars().nth(k).map_or(format!("i{k}"), |letter| letter.to_string())
}

pub fn state_name(component: u32) -> String {
    format!("s{component}")
}
