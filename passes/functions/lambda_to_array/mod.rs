//! Converts programs without functions as values to programs over scalars and arrays, which the optimiser and the
//! lowering support.
//!
//! A tuple or record becomes several values, everywhere: in arguments, results, and carried values. `lambda.if`,
//! `lambda.for` and `lambda.while` become structured control flow. `lambda.aget` and `lambda.aset`, which read and
//! update one element, become ops on tensors, with an `array.check` if an index is not proved to be in range. Lists to
//! which loops prepend values, such as the residuals of derivatives, become arrays with space for all of these values
//! (`lists.rs`).
//!
//! Requires: typed programs in which calls are inlined (`lambda-specialise`, `lambda-simplify`). Result: functions
//! without ops and types of `lambda`. The attribute `lambda.signature` records their original types, from which the
//! values of tuples and records can be reassembled. A program with functions as values, recursion, effects, or lists of
//! unknown length is reported as an error and not changed. With the option `rest=true`, functions with these features
//! are not an error, but are left for `lambda-to-llvm` (`rest.rs`).
//! ```mlir before
//! func.func @f(%p: tuple<f64, i64>, %a: tensor<4xf64>) -> tuple<f64, tensor<4xf64>> {
//!   %x = lambda.get %p[0] : (tuple<f64, i64>) -> f64
//!   %i = lambda.get %p[1] : (tuple<f64, i64>) -> i64
//!   %b = lambda.aset %a[%i], %x : (tensor<4xf64>, i64, f64) -> tensor<4xf64>
//!   %r = lambda.tuple %x, %b : (f64, tensor<4xf64>) -> tuple<f64, tensor<4xf64>>
//!   return %r : tuple<f64, tensor<4xf64>>
//! }
//! ```
//! ```mlir after
//! func.func @f(%p.0: f64, %p.1: i64, %a: tensor<4xf64>) -> (f64, tensor<4xf64>)
//!     attributes {lambda.signature = (tuple<f64, i64>, tensor<4xf64>) -> tuple<f64, tensor<4xf64>>} {
//!   %0 = arith.index_cast %p.1 : i64 to index
//!   %c4 = arith.constant 4 : index
//!   %1 = arith.cmpi ult, %0, %c4 : index
//!   array.check %1, "index-out-of-bounds", "index {} must be at least 0 and below {}"(%0, %c4 : index, index)
//!   %b = tensor.insert %p.0 into %a[%0] : tensor<4xf64>
//!   return %p.0, %b : f64, tensor<4xf64>
//! }
//! ```

mod arrays;
mod control;
mod lists;
mod random;
mod rest;
mod tree;

use crate::analysis::edit;
use crate::analysis::facts::{Facts, Size};
use crate::functions::position;
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::*;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::array::Check;
use mlopt_dialects::ops::func::Func;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};
use std::collections::HashMap;
use std::rc::Rc;
use tree::Tree;
pub use tree::{NotData, leaves};

pub const PASS: Pass = Pass {
    name: "lambda-to-array",
    description: "Programs without functions as values become programs over scalars and arrays",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::flag("rest", "Keep functions that cannot be converted, and their callers, unchanged")],
    dialects: &["arith", "array", "dual", "func", "math", "scf", "tensor"],
    run,
};

/// The original type of a function, with tuples, records and lists.
pub const SIGNATURE: &str = "lambda.signature";

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let rest = options.bool("rest");
    crate::analysis::stack::on_large_stack(|| {
        let functions: Vec<Op> = module.child_ops().into_iter().filter(|op| is_ours(*op)).collect();
        let (left, mut written) = if rest { rest::tried(module, &functions) } else { (vec![], vec![]) };
        if !rest {
            for function in functions {
                written.push((function, Writer::function(function)?));
            }
        }
        rest::keep_for(&left, &written);
        for (old, new) in written {
            Builder::before(old).insert(new);
            old.erase();
        }
        Ok(())
    })
}

/// Checks whether a function has a body that contains `lambda` ops or types.
fn is_ours(function: Op) -> bool {
    let Some(body) = function.body().filter(|_| function.kind() == Kind::FuncFunc) else { return false };
    let foreign = |ty: Type| !ty.is_tensor() && ty.element().is_none() || ty.encoding().is_some();
    let has_ours = |op: Op| op.kind().dialect() == "lambda" || op.results().into_iter().any(|v| foreign(v.ty()));
    body.arguments().into_iter().any(|v| foreign(v.ty())) || function.nested_ops().into_iter().any(has_ours)
}

/// The conversion of one function.
struct Writer {
    context: Context,
    /// The new values of old ones.
    scope: HashMap<Value, Tree>,
    facts: Facts,
    /// The enclosing blocks of the current position, the outermost first.
    open: Vec<Block>,
    /// The ops that were written as early as possible, by op and operands; and constants that are available everywhere.
    written_early: HashMap<(Kind, Vec<Value>), Value>,
    numbers: HashMap<i64, Value>,
    /// For carried lists, by the body of the loop, the number of the carried value and the path in it: a value with the
    /// form of their values, if the type does not determine it.
    templates: HashMap<(Block, usize, Vec<usize>), Rc<Tree>>,
    /// Temporary blocks, which are in no op.
    scratch: Vec<Block>,
}

impl Writer {
    fn function(old: Op) -> Result<Op, Reported> {
        let [body] = old.region(0).blocks()[..] else {
            return Err(old.not_supported(
                "a function with values of the dialect `lambda` must have one block; use `scf` instead of `cf`",
            ));
        };
        let (inputs, results) = old.signature();
        let mut types = Vec::new();
        for (k, ty) in inputs.iter().enumerate() {
            let argument = body.argument(k);
            let odd = |text: NotData| {
                let name = argument.name().map_or(format!("#{k}"), |n| format!("`{n}`"));
                old.not_supported(format!("the argument {name} has type {ty}: {text}"))
            };
            let place = argument.location().unnamed();
            types.extend(leaves(*ty).map_err(odd)?.into_iter().map(|t| (t, place)));
        }
        let block = Block::new(&types);
        let mut writer = Writer {
            context: old.context(),
            scope: HashMap::new(),
            facts: Facts::default(),
            open: vec![block],
            written_early: HashMap::new(),
            numbers: HashMap::new(),
            templates: HashMap::new(),
            scratch: Vec::new(),
        };
        let b = Builder::at_end(block, old.location());
        let mut given = block.arguments().into_iter();
        name_parts(&body.arguments(), &block.arguments());
        for argument in body.arguments() {
            let tree = writer.argument(b, argument, &mut given);
            writer.scope.insert(argument, tree);
        }
        let values = writer.block(body, b);
        // Inner blocks first.
        std::mem::take(&mut writer.scratch).into_iter().for_each(Block::erase);
        let values = values?;
        let end = body.end();
        let b = b.at(end.location());
        let mut returned = Vec::new();
        let mut result_types = Vec::new();
        for (tree, ty) in values.iter().zip(&results) {
            let odd = |text: NotData| old.not_supported(format!("a result has type {ty}: {text}"));
            result_types.extend(leaves(*ty).map_err(odd)?);
            writer.returned(b, end, tree, *ty, &mut returned)?;
        }
        b.insert(b.op(Kind::FuncReturn).operands(&returned).build());
        Ok(writer.declared(old, block, &types.iter().map(|t| t.0).collect::<Vec<_>>(), &result_types))
    }

    /// Creates the new function, with the attributes of the old one.
    fn declared(&self, old: Op, block: Block, inputs: &[Type], results: &[Type]) -> Op {
        let context = self.context;
        let ty = context.type_attr(context.function_type(inputs, results));
        let before = context.type_attr(old.cast::<Func>().function_type());
        // Attributes of arguments and results refer to values that no longer exist.
        let attributes = old.attributes().into_iter().filter(|(name, _)| name != "arg_attrs" && name != "res_attrs");
        let attributes =
            attributes.map(|(name, value)| if name == "function_type" { (name, ty) } else { (name, value) });
        let mut new = OpBuilder::new(Kind::FuncFunc, old.location()).region(Region::with_block(block));
        new = new.attributes(attributes);
        if ty != before && old.attribute(SIGNATURE).is_none() {
            new = new.attribute(SIGNATURE, before);
        }
        new.build()
    }

    /// Converts the ops of an old block. Returns the operands of its terminator.
    fn block(&mut self, old: Block, b: Builder) -> Result<Vec<Tree>, Reported> {
        let (ops, end) = old.split_end();
        for op in ops {
            self.op(op, b.at(op.location()))?;
        }
        Ok(end.operands().into_iter().map(|v| self.tree(v)).collect())
    }

    fn tree(&self, old: Value) -> Tree {
        self.scope.get(&old).expect("verified: a value is known before it is used").clone()
    }

    /// Returns the only value of a scalar or an array.
    fn value(&self, old: Value) -> Value {
        self.tree(old).one()
    }

    fn set(&mut self, old: Value, tree: Tree) {
        tree.name(old);
        self.scope.insert(old, tree);
    }

    /// Emits an op on words, and records facts about it.
    fn arith(&mut self, b: Builder, kind: Kind, x: &[Value], ty: Type) -> Value {
        self.with_facts(b.unary(kind, x, ty))
    }

    /// Records the facts about a new value.
    fn with_facts(&mut self, z: Value) -> Value {
        z.defining_op().into_iter().for_each(|(op, _)| self.facts.define(op));
        z
    }

    fn index(&mut self, b: Builder, n: i64) -> Value {
        self.number(b, self.context.index(), n)
    }

    fn number(&mut self, b: Builder, ty: Type, n: i64) -> Value {
        self.with_facts(b.constant(Attribute::integer(ty, n), ty))
    }

    /// As [`Writer::arith`], as early as possible: before the enclosing ops whose values it does not need.
    fn early(&mut self, b: Builder, kind: Kind, x: &[Value], ty: Type) -> Value {
        let key = (kind, x.to_vec());
        if let Some(known) = self.written_early.get(&key).copied().filter(|z| self.is_visible(*z)) {
            return known;
        }
        let home = |v: &Value| self.open.iter().rposition(|block| v.block() == Some(*block));
        let deepest = x.iter().filter_map(home).max().unwrap_or(0);
        let there = Builder::at_end(self.open[deepest], b.location);
        let there = if self.open[deepest] == b.block { b } else { there };
        let z = self.arith(there, kind, x, ty);
        self.written_early.insert(key, z);
        z
    }

    /// Returns a constant that is available everywhere.
    fn early_index(&mut self, b: Builder, n: i64) -> Value {
        if let Some(known) = self.numbers.get(&n) {
            return *known;
        }
        let first = self.open[0];
        let there = if first == b.block { b } else { Builder::at_end(first, b.location) };
        let z = self.index(there, n);
        self.numbers.insert(n, z);
        z
    }

    /// Checks whether a value is available at the current position.
    fn is_visible(&self, v: Value) -> bool {
        v.block().is_some_and(|block| self.open.contains(&block))
    }

    /// Returns an integer as an `index`.
    fn to_index(&mut self, b: Builder, x: Value) -> Value {
        let index = self.context.index();
        if x.ty() == index { x } else { self.early(b, Kind::ArithIndexCast, &[x], index) }
    }

    fn op(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        use Kind::*;
        let lost = |v: Value| self.scope.get(&v).is_some_and(Tree::is_missing);
        let reads_lost = || edit::with_nested(op).flat_map(Op::operands).any(lost);
        if !matches!(op.kind(), LambdaIf | LambdaFor | LambdaWhile) && reads_lost() {
            self.lose(op);
            return Ok(());
        }
        if op.kind().dialect() != "lambda" {
            return self.foreign(op, b);
        }
        let one = |writer: &Self, k: usize| writer.tree(op.operand(k));
        let tree = match op.kind() {
            LambdaIf => return self.branch(op, b),
            LambdaFor => return self.counted(op, b),
            LambdaWhile => return self.conditional(op, b),
            LambdaUnit | LambdaToken | LambdaJoinTokens => Tree::unit(),
            LambdaLiteral if TypeKind::of(op.result(0).ty()) == TypeKind::String => Tree::unit(),
            LambdaTransfer
                if op.attribute("device").and_then(Attribute::as_string).is_some_and(|d| d.starts_with("gpu")) =>
            {
                return Err(unsupported(op));
            }
            LambdaThe | LambdaStopGradient | LambdaOpaque | LambdaTransfer => one(self, 0),
            LambdaCheck => {
                let text = |name: &str| op.attribute(name).and_then(Attribute::as_string).unwrap_or_default();
                Check::create(b, self.value(op.operand(0)), &[], &text("code"), &text("text"));
                one(self, 1)
            }
            LambdaTuple | LambdaRecord => Tree::Many(op.operands().into_iter().map(|v| self.tree(v)).collect()),
            LambdaGet | LambdaField => one(self, 0).part(position(op).ok_or_else(|| untyped(op))?),
            LambdaTset | LambdaWith => {
                let k = position(op).ok_or_else(|| untyped(op))?;
                one(self, 0).with(k, one(self, 1))
            }
            LambdaSwitch => self.switched(op, b)?,
            LambdaZerosLike => self.zeros(op, b, op.operand(0).ty(), &one(self, 0))?,
            LambdaGadd => self.sum(op, b, op.result(0).ty(), &one(self, 0), &one(self, 1))?,
            LambdaAget => self.element(op, b)?,
            LambdaAset => self.changed(op, b)?,
            LambdaSliceGet => self.slice(op, b)?,
            LambdaSliceSet => self.changed_slice(op, b)?,
            LambdaNil | LambdaCons | LambdaHead | LambdaTail | LambdaIsEmpty | LambdaLength | LambdaConcat
            | LambdaToList | LambdaToArray => self.list_op(op, b)?,
            LambdaRngSeed | LambdaRngUniform | LambdaRngNormal | LambdaRngSplit => self.random(op, b)?,
            _ => return Err(unsupported(op)),
        };
        self.set(op.result(0), tree);
        Ok(())
    }

    /// Converts an op of another dialect: copies it on the new values, with its regions.
    fn foreign(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        let call = op.kind() == Kind::FuncCall;
        let mut operands = Vec::new();
        for v in op.operands() {
            match self.tree(v) {
                Tree::One(value) => operands.push(value),
                tree if call => self.returned(b, op, &tree, v.ty(), &mut operands)?,
                _ => {
                    let text = format!("operands of this op must be scalars or arrays, found type {}", v.ty());
                    return Err(op.not_supported(text));
                }
            }
        }
        let mut types = Vec::new();
        for v in op.results() {
            let odd = |text: NotData| op.not_supported(format!("a result has type {}: {text}", v.ty()));
            let parts = leaves(v.ty()).map_err(odd)?;
            if !call && !tree::is_plain(v.ty()) {
                let text = format!("results of this op must be scalars or arrays, found type {}", v.ty());
                return Err(op.not_supported(text));
            }
            types.extend(parts);
        }
        let mut new = b.op(op.name()).operands(&operands).results(&types).attributes(op.attributes());
        for region in op.regions() {
            let copy = Region::new();
            for old in region.blocks() {
                copy.append(self.foreign_block(op, old)?);
            }
            new = new.region(copy);
        }
        let new = b.insert(new.build());
        self.facts.define(new);
        let mut given = new.results().into_iter();
        for v in op.results() {
            let tree = self.argument(b, v, &mut given);
            self.set(v, tree);
        }
        Ok(())
    }

    fn foreign_block(&mut self, op: Op, old: Block) -> Result<Block, Reported> {
        if let Some(odd) = old.arguments().into_iter().find(|v| !tree::is_plain(v.ty())) {
            let text = format!("region arguments of this op must be scalars or arrays, found type {}", odd.ty());
            return Err(op.not_supported(text));
        }
        let types: Vec<(Type, Location)> =
            old.arguments().into_iter().map(|v| (v.ty().with_encoding(None), v.location().unnamed())).collect();
        let block = Block::new(&types);
        for (old, new) in old.arguments().into_iter().zip(block.arguments()) {
            self.set(old, Tree::One(new));
        }
        let b = Builder::at_end(block, op.location());
        for inner in old.ops() {
            self.op(inner, b.at(inner.location()))?;
        }
        Ok(block)
    }

    /// Returns the select of two trees, leaf by leaf.
    fn switched(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let condition = self.value(op.operand(0));
        let (x, y) = (self.tree(op.operand(1)), self.tree(op.operand(2)));
        let Some(pairs) = x.paired(&y) else {
            return Err(op.not_supported("both lists of a choice must have the same length"));
        };
        let chosen: Vec<Value> = pairs.into_iter().map(|(x, y)| b.select(condition, x, y)).collect();
        Ok(x.rebuilt(&mut chosen.into_iter()))
    }

    /// Returns the zero of the tangents of a value of this type.
    fn zeros(&mut self, op: Op, b: Builder, ty: Type, x: &Tree) -> Result<Tree, Reported> {
        Ok(match TypeKind::of(ty) {
            TypeKind::Array(element) if element.is_float() => Tree::One(b.zero_like(x.one())),
            TypeKind::Tuple(_) | TypeKind::Record(..) => {
                let parts = ty.parts().into_iter().enumerate();
                Tree::Many(parts.map(|(k, t)| self.zeros(op, b, t, &x.part(k))).collect::<Result<_, _>>()?)
            }
            TypeKind::List(_) => self.zero_list(op, b, ty, x)?,
            TypeKind::Function(..) | TypeKind::Env => return Err(unsupported(op)),
            _ => Tree::unit(),
        })
    }

    /// Returns the sum of two tangents of this type.
    fn sum(&mut self, op: Op, b: Builder, ty: Type, x: &Tree, y: &Tree) -> Result<Tree, Reported> {
        Ok(match (x, y) {
            (Tree::One(x), Tree::One(y)) => Tree::One(b.unary(Kind::ArithAddf, &[*x, *y], x.ty())),
            (Tree::Many(x), Tree::Many(y)) => {
                let types = ty.parts();
                let parts = x.iter().zip(y.iter()).enumerate();
                Tree::Many(parts.map(|(k, (x, y))| self.sum(op, b, types[k], x, y)).collect::<Result<_, _>>()?)
            }
            (Tree::List(x), Tree::List(y)) => Tree::List(self.list_sum(op, b, ty, x, y)?),
            _ => return Err(untyped(op)),
        })
    }

    /// Emits a check that `0 ≤ i < n`.
    fn check_index(&mut self, b: Builder, i: Value, n: Value) {
        if self.facts.in_range(i, Size::Value(n)) {
            return;
        }
        let ok = b.compare_integers(CmpIPredicate::Ult, i, n);
        Check::create(b, ok, &[i, n], "index-out-of-bounds", "index {} must be at least 0 and below {}");
        self.facts.suppose_below(i, Size::Value(n));
    }
}

/// Names the leaves of arguments: `p.u` for a field, `r.0` for an unnamed part.
fn name_parts(old: &[Value], new: &[Value]) {
    let mut given = new.iter().copied();
    for argument in old {
        let count = leaves(argument.ty()).map_or(0, |types| types.len());
        let parts: Vec<Value> = given.by_ref().take(count).collect();
        let Some(name) = argument.name() else { continue };
        if !matches!(TypeKind::of(argument.ty()), TypeKind::List(_)) {
            tree::assembled(argument.ty(), &mut parts.iter().copied()).name(*argument);
        }
        for (k, part) in parts.iter().enumerate().filter(|(_, part)| part.name().is_none()) {
            part.suggest_name(&if count == 1 { name.clone() } else { format!("{name}.{k}") });
        }
    }
}

/// Reports an op on values whose types are not known.
fn untyped(op: Op) -> Reported {
    let why = "run `lambda-specialise` first";
    op.limitation("the types of all values must be known").note(op.location(), why).emit()
}

fn unsupported(op: Op) -> Reported {
    use Kind::*;
    let (what, why) = match op.kind() {
        LambdaPrint | LambdaRead => ("a program of arrays cannot print or read", "expected a program without effects"),
        LambdaChannel | LambdaSend | LambdaRecv | LambdaClose | LambdaSpawn | LambdaJoin => {
            ("a program of arrays has no tasks and channels", "expected a program without effects")
        }
        LambdaTransfer => ("a program of arrays has no values on devices", "expected a program without devices"),
        LambdaLiteral | LambdaPrim | LambdaWalk => return untyped(op),
        LambdaJ | LambdaJinv | LambdaGrad | LambdaVjp | LambdaJvp | LambdaHvp => {
            ("derivatives must be expanded before `lambda-to-array`", "run `j-transform` first")
        }
        LambdaPullback | LambdaDual | LambdaJacobian | LambdaCovector | LambdaPairWith => {
            ("pullbacks must be expanded before `lambda-to-array`", "run `j-transform` first")
        }
        _ => (
            "a program of arrays has no functions as values",
            "a call that `lambda-simplify` cannot inline, such as a recursive one, needs `closure-convert`",
        ),
    };
    op.limitation(what).note(op.location(), why).emit()
}
