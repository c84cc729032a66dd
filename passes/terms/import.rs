//! From operations to a plan: what a block computes with operations that terms understand, one statement for each.
//!
//! An operation is taken when its types are those of the array language, it has no attribute that would be lost, and terms know it,
//! or it is pure and stands for itself (`Op::Opaque`). Everything else is a leaf where it stands.

use super::desugar::{has_known_types, is_sugar};
use super::op::{Flags, Op as Operator, Reduction};
use super::plan::{Plan, Scope, Stmt, Type, Val};
use super::prim::{Cast, Prim, Scalar};
use mlopt_dialects::ir::{Attribute, Block, Op, Type as IrType, Value};
use rustc_hash::FxHashMap;

/// Regions nested deeper than this are left alone.
const MAX_DEPTH: usize = 64;

/// Operations that stand for themselves, and what came from where.
#[derive(Default)]
pub struct Prototypes {
    pub ops: Vec<Op>,
    numbers: FxHashMap<(String, String), u32>,
}

pub struct Importer {
    pub plan: Plan,
    pub prototypes: Prototypes,
    /// Values from outside, by leaf number.
    pub leaves: Vec<Value>,
    pub values: FxHashMap<Value, Val>,
    pub origins: FxHashMap<Val, Value>,
    flags: FxHashMap<Attribute, Flags>,
    pub(super) scope: usize,
}

impl Importer {
    pub fn new() -> Self {
        Importer {
            plan: Plan { scopes: vec![Scope::default()], ..Plan::default() },
            prototypes: Prototypes::default(),
            leaves: Vec::new(),
            values: FxHashMap::default(),
            origins: FxHashMap::default(),
            flags: FxHashMap::default(),
            scope: 0,
        }
    }

    /// Whether the operation, with all in its regions, can be taken.
    pub fn understands(&mut self, op: Op) -> bool {
        let mut todo = vec![(op, 0)];
        while let Some((op, depth)) = todo.pop() {
            if depth > MAX_DEPTH || !self.understands_one(op) {
                return false;
            }
            if let Some(body) = op.body() {
                for inner in body.ops() {
                    if inner.name() == "array.yield" {
                        continue;
                    }
                    todo.push((inner, depth + 1));
                }
            }
        }
        true
    }

    fn understands_one(&mut self, op: Op) -> bool {
        if op.num_results() == 0 || !has_known_types(op) {
            return false;
        }
        let name = op.name();
        let known: &[&str] = match name {
            "array.build" | "array.ifold" | "array.get" | "array.replicate" | "array.stack" | "arith.select"
            | "dual.zero" | "dual.one" => &[],
            "array.sum" | "array.prod" | "array.max" | "array.min" => &["axes", "fastmath"],
            "array.argmax" | "array.argmin" => &["axis"],
            "array.length" => &["axis"],
            _ if is_sugar(op) => &["operandSegmentSizes"],
            "array.transpose" => &["permutation"],
            "arith.constant" => {
                return op.attributes().len() == 1
                    && op.attribute("value").is_some_and(|a| constant(a, op.result(0).ty()).is_some());
            }
            "arith.cmpi" | "arith.cmpf" => &["predicate", "fastmath"],
            _ if Prim::from_name(name).is_some() || Cast::from_name(name).is_some() => &["fastmath", "overflowFlags"],
            _ => return op.num_results() == 1 && op.body().is_none() && op.is_registered() && op.is_pure(),
        };
        op.attributes().iter().all(|(n, _)| known.contains(&n.as_str())) && self.flags_known(op)
    }

    fn flags_known(&mut self, op: Op) -> bool {
        ["fastmath", "overflowFlags"].iter().all(|n| op.attribute(n).is_none_or(|a| self.flag_bits(a).is_some()))
    }

    fn flag_bits(&mut self, a: Attribute) -> Option<Flags> {
        if let Some(&f) = self.flags.get(&a) {
            return Some(f);
        }
        let text = a.to_string();
        let inner = text.split_once('<')?.1.strip_suffix('>')?;
        let mut bits = 0;
        for word in inner.split(',').map(str::trim) {
            bits |= match word {
                "none" => 0,
                "reassoc" | "nsw" => 1,
                "nnan" | "nuw" => 2,
                "ninf" => 4,
                "nsz" => 8,
                "arcp" => 16,
                "contract" => 32,
                "afn" => 64,
                "fast" => 127,
                _ => return None,
            };
        }
        self.flags.insert(a, Flags(bits));
        Some(Flags(bits))
    }

    /// Takes an operation that `understands` accepted.
    pub fn take(&mut self, op: Op) {
        let results: Vec<Val> = op
            .results()
            .into_iter()
            .map(|r| {
                let ty = plan_type(r.ty()).expect("accepted: the type is known");
                let v = self.plan.value(ty);
                self.values.insert(r, v);
                self.origins.insert(v, r);
                v
            })
            .collect();
        let out = results[0];
        let stmt = match op.name() {
            "array.build" => self.build_loop(op, &results),
            "array.ifold" => self.ifold(op, &results),
            "array.get" => {
                let args = self.operands(op);
                Stmt::Get { array: args[0], indices: args[1..].to_vec(), out }
            }
            "array.replicate" => {
                let x = self.value(op.operand(0));
                let n = match op.result(0).ty().shape()[0] {
                    Some(n) => self.index(n),
                    None => self.value(op.operand(1)),
                };
                Stmt::Replicate { x, n, out }
            }
            "array.transpose" => {
                let permutation = op.attribute("permutation").and_then(|a| a.as_i64_array()).unwrap_or_default();
                Stmt::Transpose {
                    array: self.value(op.operand(0)),
                    permutation: permutation.into_iter().map(|p| p as usize).collect(),
                    out,
                }
            }
            "array.length" => {
                let axis = op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0) as u8;
                Stmt::Op { op: Operator::Dim(axis), args: self.operands(op), out }
            }
            "arith.constant" => self.constant(op, out),
            "dual.zero" | "dual.one" => {
                let e = self.plan.types[out as usize].element;
                let operator = if op.name() == "dual.zero" { Operator::Zero(e) } else { Operator::One(e) };
                Stmt::Op { op: operator, args: vec![], out }
            }
            _ if is_sugar(op) => self.desugar(op, out),
            name if Reduction::from_name(name).is_some() => {
                let reduction = Reduction::from_name(name).expect("just asked");
                let axes = if reduction.searches() {
                    vec![op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0)]
                } else {
                    op.attribute("axes").and_then(|a| a.as_i64_array()).unwrap_or_else(|| vec![0])
                };
                let axes = axes.into_iter().map(|axis| axis as usize).collect();
                let flags = op.attribute("fastmath").and_then(|a| self.flag_bits(a)).unwrap_or_default();
                Stmt::Reduce { reduction, flags, array: self.value(op.operand(0)), axes, out }
            }
            name => {
                let operator = self.operator(op, name);
                Stmt::Op { op: operator, args: self.operands(op), out }
            }
        };
        self.plan.scopes[self.scope].stmts.push(stmt);
    }

    fn operator(&mut self, op: Op, name: &str) -> Operator {
        let flags = ["fastmath", "overflowFlags"]
            .iter()
            .find_map(|n| op.attribute(n))
            .and_then(|a| self.flag_bits(a))
            .unwrap_or_default();
        let predicate = || op.attribute("predicate").and_then(|a| a.as_i64()).unwrap_or(0) as u8;
        let e = plan_type(op.result(0).ty()).map(|t| t.element).expect("accepted: the type is known");
        match name {
            "arith.select" => Operator::Cond,
            "array.stack" => Operator::Stack,
            "arith.cmpi" => Operator::Prim(Prim::CmpI(predicate()), flags),
            "arith.cmpf" => Operator::Prim(Prim::CmpF(predicate()), flags),
            _ => match (Prim::from_name(name), Cast::from_name(name)) {
                (Some(p), _) => Operator::Prim(p, flags),
                (_, Some(c)) => Operator::Prim(Prim::Cast(c, e), flags),
                _ => self.opaque(op, name),
            },
        }
    }

    /// Equal operations (name, attributes, types) get equal numbers.
    fn opaque(&mut self, op: Op, name: &str) -> Operator {
        let mut key: String = op.attributes().iter().map(|(n, a)| format!("{n}={a};")).collect();
        for v in op.operands().into_iter().chain(op.results()) {
            key.push_str(&format!("{},", v.ty()));
        }
        let next = self.prototypes.ops.len() as u32;
        let number = *self.prototypes.numbers.entry((name.to_string(), key)).or_insert(next);
        let ty = plan_type(op.result(0).ty()).expect("accepted: the type is known");
        if number == next {
            self.prototypes.ops.push(op);
            self.plan.opaque.push(ty.shape.clone());
        }
        Operator::Opaque(number, 0, ty.element, ty.shape.len() as u8)
    }

    fn constant(&mut self, op: Op, out: Val) -> Stmt {
        let value = op.attribute("value").expect("accepted: a constant has a value");
        let (e, bits) = constant(value, op.result(0).ty()).expect("accepted: the constant is one number");
        if let (Scalar::I(x), true) = (Scalar::from_bits(e, bits), self.plan.types[out as usize].shape.is_empty()) {
            self.plan.constants[out as usize] = Some(x);
        }
        Stmt::Op { op: Operator::Const(e, bits), args: vec![], out }
    }

    pub(super) fn index(&mut self, n: usize) -> Val {
        let e = mlopt_dialects::value::Element::Index;
        let v = self.plan.value(Type { element: e, shape: vec![] });
        self.plan.constants[v as usize] = Some(n as i64);
        self.plan.scopes[self.scope].stmts.push(Stmt::Op { op: Operator::Const(e, n as u64), args: vec![], out: v });
        v
    }

    fn operands(&mut self, op: Op) -> Vec<Val> {
        op.operands().into_iter().map(|v| self.value(v)).collect()
    }

    /// A value's number; a leaf when it comes from outside.
    pub fn value(&mut self, v: Value) -> Val {
        if let Some(&k) = self.values.get(&v) {
            return k;
        }
        if let Some((op, _)) = v.defining_op()
            && is_free(op)
            && self.understands(op)
        {
            // Around this piece, for all of it.
            let inner = std::mem::replace(&mut self.scope, 0);
            self.take(op);
            self.scope = inner;
            return self.values[&v];
        }
        let ty = plan_type(v.ty()).expect("accepted: the type is known");
        let k = self.plan.value(ty);
        self.plan.leaves[k as usize] = Some(self.leaves.len() as u32);
        self.leaves.push(v);
        self.values.insert(v, k);
        k
    }

    pub(super) fn region(&mut self, block: Block) -> usize {
        let args = block
            .arguments()
            .into_iter()
            .map(|a| {
                let v = self.plan.value(
                    plan_type(a.ty()).unwrap_or(Type { element: mlopt_dialects::value::Element::Index, shape: vec![] }),
                );
                self.values.insert(a, v);
                v
            })
            .collect();
        self.plan.scopes.push(Scope { parent: Some(self.scope), args, ..Scope::default() });
        let outer = std::mem::replace(&mut self.scope, self.plan.scopes.len() - 1);
        for op in block.ops() {
            if op.name() == "array.yield" {
                let yields = self.operands(op);
                let scope = self.scope;
                self.plan.scopes[scope].yields = yields;
            } else {
                self.take(op);
            }
        }
        std::mem::replace(&mut self.scope, outer)
    }

    fn build_loop(&mut self, op: Op, results: &[Val]) -> Stmt {
        let body = op.body().expect("accepted: one block");
        let sizes = op.result(0).ty().shape();
        let mut dynamic = op.operands().into_iter();
        let extents = sizes[..body.num_arguments()]
            .iter()
            .map(|n| match n {
                Some(n) => self.index(*n),
                None => {
                    let v = dynamic.next().expect("verified: an extent for each dynamic size");
                    self.value(v)
                }
            })
            .collect();
        let scope = self.region(body);
        Stmt::Build { extents, scope, outs: results.to_vec() }
    }

    fn ifold(&mut self, op: Op, results: &[Val]) -> Stmt {
        let args = self.operands(op);
        let scope = self.region(op.body().expect("accepted: one block"));
        Stmt::Ifold { n: args[0], inits: args[1..].to_vec(), scope, outs: results.to_vec() }
    }
}

impl Default for Importer {
    fn default() -> Self {
        Importer::new()
    }
}

/// Whether an operation outside says more about its value than that there is one, and costs nothing to say again.
fn is_free(op: Op) -> bool {
    match op.name() {
        "arith.constant" => !op.result(0).ty().is_tensor(),
        "dual.zero" | "dual.one" | "array.length" => true,
        _ => false,
    }
}

/// The plan's name for a type; `None` outside of the array language.
pub fn plan_type(ty: IrType) -> Option<Type> {
    let element = ty.element()?;
    let shape = ty.shape();
    // Rank-0 tensors, encodings and other shaped types are not ours.
    if IrType::array(&shape, ty.scalar()) != ty {
        return None;
    }
    Some(Type { element, shape: shape.into_iter().map(|d| d.map(|n| n as u64)).collect() })
}

/// The one number of a scalar or splat constant, as bits.
fn constant(value: Attribute, ty: IrType) -> Option<(mlopt_dialects::value::Element, u64)> {
    let e = ty.element()?;
    let scalar = if !ty.is_tensor() {
        if e.is_float() { Scalar::F(value.as_f64()?) } else { Scalar::I(value.as_i64()?) }
    } else {
        let value = value.splat_value()?;
        if e.is_float() { Scalar::F(value.as_f64()?) } else { Scalar::I(value.as_i64()?) }
    };
    Some((e, scalar.to_bits(e)?))
}
