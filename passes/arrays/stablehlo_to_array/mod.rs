//! Converts programs of StableHLO, which JAX and other front ends write, to the dialect `array`.
//!
//! Every function becomes a function on arrays: a tensor without axes is a scalar, a complex tensor is two arrays, and
//! integer types lose their sign, which is in the ops. Calls are inlined as far as the program stays small. The results
//! are those of StableHLO's specification where it differs from the array language: shifts by the width or more,
//! division by zero, positions out of range, NaN in maxima, conversions that saturate. With the option `xla-scatter`,
//! scatters have XLA's rule for windows that are partly outside the array. A loop with a counter becomes an
//! `array.ifold`, or an `array.map_accum` if it fills arrays row by row.
//!
//! Requires: static or dynamic ranked tensors. An op, type or attribute without a counterpart is an error at its
//! location, which names the op. Shardings on one device are dropped. Result: no op of `stablehlo`, `chlo` or `sdy`.
//! Preserves: ops of `arith`, `math` and `array`.
//! ```mlir before
//! func.func public @main(%x: tensor<2x64xf32>, %w: tensor<64xf32>) -> tensor<2xf32> {
//!   %scale = "stablehlo.broadcast_in_dim"(%w) <{broadcast_dimensions = array<i64: 1>}>
//!       : (tensor<64xf32>) -> tensor<2x64xf32>
//!   %products = "stablehlo.multiply"(%x, %scale) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
//!   %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
//!   %z = "stablehlo.reduce"(%products, %zero) <{dimensions = array<i64: 1>}> ({
//!   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
//!     %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
//!     "stablehlo.return"(%c) : (tensor<f32>) -> ()
//!   }) : (tensor<2x64xf32>, tensor<f32>) -> tensor<2xf32>
//!   return %z : tensor<2xf32>
//! }
//! ```
//! ```mlir after
//! func.func public @main(%x: tensor<2x64xf32>, %w: tensor<64xf32>) -> tensor<2xf32> {
//!   %scale = array.replicate %w : (tensor<64xf32>) -> tensor<2x64xf32>
//!   %products = arith.mulf %x, %scale : tensor<2x64xf32>
//!   %z = array.sum %products axes [1] : (tensor<2x64xf32>) -> tensor<2xf32>
//!   return %z : tensor<2xf32>
//! }
//! ```

mod chlo;
mod complex;
mod composites;
mod constants;
mod control;
mod dynamic;
mod elementwise;
mod emit;
mod fft;
mod indexed;
mod lapack;
mod linear_algebra;
mod maths;
mod positions;
mod products;
mod random;
mod reductions;
mod shapes;
mod sharding;
mod sorting;
mod types;
mod windows;

use super::shapes::index::Index;
use super::shapes::sizes::Sizes;
use crate::analysis::edit;
use emit::Emit;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{Options, Pass, PassOption};
use mlopt_dialects::diagnostics::error;
use mlopt_dialects::ir::{Attribute, Block, Builder, Dim, Op, OpBuilder, Symbols, Type, Value, types_of};
use mlopt_dialects::ops::stablehlo::CollectiveOp;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};
use types::Number;

pub const PASS: Pass = Pass {
    name: "stablehlo-to-array",
    description: "Convert programs of StableHLO to the array language",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::flag(
        XLA_SCATTER,
        "Drop the whole update of a scatter if a part of it is outside the array, as XLA does, and not only that part",
    )],
    dialects: &["arith", "array", "func", "math", "scf", "tensor"],
    run,
};

/// The option that selects XLA's rule for scatters.
const XLA_SCATTER: &str = "xla-scatter";

type Result<T> = std::result::Result<T, Reported>;

/// The parts of a value; see `types.rs`.
type Parts = Vec<Value>;

/// The number of ops up to which calls are inlined.
const INLINED_OPS: usize = 20_000;

/// The number of calls in each other, so that recursion is an error.
const MAX_CALLS: usize = 200;

fn run(module: Op, options: &Options) -> Result<()> {
    let functions: Vec<Op> = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc).collect();
    // The dialect of an op without a definition is in its name only.
    let is_foreign =
        |op: &Op| matches!(op.name().split('.').next(), Some("stablehlo" | "chlo" | "sdy")) || !has_counterpart(*op);
    let meshes = sharding::meshes(module);
    if meshes.is_empty() && !functions.iter().any(|f| f.nested_ops().iter().any(is_foreign)) {
        return Ok(());
    }
    let mut import = Import::new(module, options.bool(XLA_SCATTER));
    let is_private = |f: &Op| f.attribute("sym_visibility").is_some_and(|v| v.is_string("private"));
    let mut pending: Vec<Op> = functions.iter().copied().filter(|f| !is_private(f)).collect();
    // The first function first.
    pending.reverse();
    let mut converted: HashSet<String> = pending.iter().filter_map(|f| f.symbol()).collect();
    let mut failed = None;
    while let Some(old) = pending.pop() {
        match import.function(old) {
            Ok(new) => drop(module.entry().insert_before(old, new)),
            Err(reported) => failed = Some(reported),
        }
        // Private functions are converted if a call of them remains.
        let called = std::mem::take(&mut import.called);
        pending.extend(
            called
                .into_iter()
                .filter(|name| converted.insert(name.clone()))
                .filter_map(|name| import.symbols.get(&name)),
        );
    }
    if let Some(reported) = failed {
        return Err(reported);
    }
    functions.into_iter().chain(meshes).for_each(Op::erase);
    Ok(())
}

/// Checks whether the types of an op are types of the array language.
fn has_counterpart(op: Op) -> bool {
    let known = |v: Value| types::parts(v.ty()).is_some_and(|parts| parts == [v.ty()]);
    op.operands().into_iter().chain(op.results()).all(known)
}

/// The state of the conversion.
struct Import {
    symbols: Symbols,
    /// The converted values.
    values: HashMap<Value, Parts>,
    sizes: Sizes,
    /// The converted integers that equal a position.
    positions: HashMap<Value, positions::Position>,
    /// The converted vectors of integers whose elements are positions.
    vectors: HashMap<Value, Vec<Index>>,
    /// The callees whose bodies are being converted at their calls, outermost first.
    calls: Vec<String>,
    /// The callees of the calls that remain.
    called: Vec<String>,
    /// The number of ops that were converted.
    ops: usize,
    /// A scatter drops an update as a whole, as in XLA.
    xla_scatter: bool,
}

impl Import {
    fn new(module: Op, xla_scatter: bool) -> Import {
        let symbols = Symbols::of(module);
        Import {
            symbols,
            xla_scatter,
            values: HashMap::new(),
            sizes: Sizes::default(),
            positions: HashMap::new(),
            vectors: HashMap::new(),
            calls: Vec::new(),
            called: Vec::new(),
            ops: 0,
        }
    }

    /// Returns a function on arrays that computes what `old` computes.
    fn function(&mut self, old: Op) -> Result<Op> {
        let (inputs, results) = old.signature();
        let name = old.symbol().unwrap_or_default();
        let parts =
            |types: &[Type]| -> Result<Vec<Vec<Type>>> { types.iter().map(|&ty| self.parts_of(old, ty)).collect() };
        let (inputs, results) = (parts(&inputs)?, parts(&results)?.concat());
        let location = old.location();
        let arguments: Vec<_> = inputs.concat().into_iter().map(|ty| (ty, location)).collect();
        let body = Block::new(&arguments);
        if let Some(old_body) = old.body() {
            let mut values = body.arguments().into_iter();
            for (argument, parts) in old_body.arguments().into_iter().zip(&inputs) {
                let parts = values.by_ref().take(parts.len()).collect();
                self.values.insert(argument, parts);
            }
            let b = Builder::at_end(body, location);
            match self.block(b, old_body) {
                Ok(values) => {
                    // The types of values may have other static sizes than those of the results.
                    let values = self.fitted(b, &values.concat(), &results);
                    b.insert(b.op(Kind::FuncReturn).operands(&values).build());
                    edit::erase_unused(body);
                    // Other values may be allocated at the addresses of erased ones.
                    self.sizes = Sizes::default();
                    self.positions.clear();
                    self.vectors.clear();
                }
                Err(reported) => {
                    body.erase();
                    return Err(reported);
                }
            }
        }
        let mut new = OpBuilder::function(Kind::FuncFunc, &name, body, &results, location);
        if let Some(visibility) = old.attribute("sym_visibility") {
            new = new.attribute("sym_visibility", visibility);
        }
        Ok(new.build())
    }

    /// Returns the types of the parts of a value of type `ty`, which occurs in `op`.
    fn parts_of(&self, op: Op, ty: Type) -> Result<Vec<Type>> {
        types::parts(ty).ok_or_else(|| {
            op.not_supported(format!(
                "expected tensors of booleans, integers, floats or complex numbers of a common width, found type {ty}"
            ))
        })
    }

    /// Returns the only part of a value.
    fn one(&self, old: Value) -> Value {
        self.values[&old][0]
    }

    /// Returns the parts of all operands.
    fn operands(&self, op: Op) -> Vec<Parts> {
        op.operands().iter().map(|v| self.values[v].clone()).collect()
    }

    /// Converts the ops of a block whose arguments are converted. Returns the parts of the operands of its terminator.
    fn block(&mut self, b: Builder, block: Block) -> Result<Vec<Parts>> {
        let (ops, end) = block.split_end();
        if !matches!(end.kind(), Kind::FuncReturn | Kind::StablehloReturn) && !sharding::is_return(end) {
            return Err(end.not_supported("expected one block, which ends in a return"));
        }
        for op in ops {
            self.ops += 1;
            let b = b.at(op.location());
            let results = self.op(b, op)?;
            self.check_types(op, &results)?;
            if let [parts] = &results[..]
                && let [z] = parts[..]
            {
                self.track_vector(b, op, z);
            }
            for (old, parts) in op.results().into_iter().zip(results) {
                self.values.insert(old, parts);
            }
        }
        Ok(self.operands(end))
    }

    /// Checks that the parts of the results of an op have their types, up to sizes that are not known. A scalar in a
    /// region may be an array: [`Import::lifted`] applies functions of scalars to arrays.
    fn check_types(&self, op: Op, results: &[Parts]) -> Result<()> {
        let fits = |(x, ty): (&Value, &Type)| {
            let (found, expected) = (x.ty(), *ty);
            let agree = |(m, n): (&Dim, &Dim)| m.is_none() || n.is_none() || m == n;
            let (m, n) = (found.shape(), expected.shape());
            found.scalar() == expected.scalar() && (n.is_empty() || m.len() == n.len() && m.iter().zip(&n).all(agree))
        };
        for (old, parts) in op.results().into_iter().zip(results) {
            let expected = self.parts_of(op, old.ty())?;
            if parts.len() != expected.len() || !parts.iter().zip(&expected).all(fits) {
                let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
                let (name, expected, found) = (op.name(), list(&expected), list(&types_of(parts)));
                let text = format!("a result of `{name}` must become ({expected}), found ({found})");
                return Err(error(op.location(), format!("internal error: {text}, in stablehlo-to-array")));
            }
        }
        Ok(())
    }

    /// Converts a region with these arguments.
    fn region(&mut self, b: Builder, block: Block, arguments: &[Parts]) -> Result<Vec<Parts>> {
        for (argument, parts) in block.arguments().into_iter().zip(arguments) {
            self.values.insert(argument, parts.clone());
        }
        self.block(b, block)
    }

    /// Converts an op. Returns the parts of its results.
    fn op(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        for result in op.results() {
            self.parts_of(op, result.ty())?;
        }
        let kind = op.kind();
        if elementwise::is_elementwise(kind) {
            return self.elementwise(b, op).map(|z| vec![z]);
        }
        if matches!(kind.dialect(), "stablehlo" | "chlo") || kind == Kind::FuncCall {
            if let Some(results) = self.stablehlo(b, op)? {
                return Ok(results);
            }
        } else if let Some(results) = self.sharding(b, op)? {
            return Ok(results);
        } else if matches!(kind.dialect(), "arith" | "math" | "array") && has_counterpart(op) && op.num_regions() == 0 {
            return Ok(self.cloned(b, op));
        }
        Err(op.not_supported("the array language has no equivalent op"))
    }

    fn elementwise(&mut self, b: Builder, op: Op) -> Result<Parts> {
        let operands = self.operands(op);
        let counts: Vec<usize> = operands.iter().map(Vec::len).collect();
        let x = self.same_types(b, op, &operands.concat());
        let is_complex = |v: Value| Number::of(v.ty()) == Number::Complex;
        if op.operands().into_iter().chain(op.results()).any(is_complex) {
            return complex::convert(Emit(b), op, &reductions::grouped(&x, &counts));
        }
        if let Some(z) = self.decided(b, op, &x) {
            return Ok(vec![z]);
        }
        let z = match op.kind().dialect() {
            "chlo" => chlo::convert(Emit(b), op, &x),
            _ => elementwise::convert(Emit(b), op, &x)?,
        };
        let z = z.ok_or_else(|| op.not_supported("the array language has no equivalent op"))?;
        self.track_result(b, op, &x, z);
        Ok(vec![z])
    }

    /// Returns the operands with the same static sizes, as far as arrays of the same rank differ in them.
    fn same_types(&mut self, b: Builder, op: Op, x: &[Value]) -> Vec<Value> {
        let shapes: Vec<_> = x.iter().map(|v| v.ty().shape()).filter(|s| !s.is_empty()).collect();
        if shapes.windows(2).all(|pair| pair[0] == pair[1]) || shapes.iter().any(|s| s.len() != shapes[0].len()) {
            return x.to_vec();
        }
        let result = op.result(0).ty().shape();
        let axis = |k: usize| shapes.iter().find_map(|s| s[k]).or_else(|| result.get(k).copied().flatten());
        let shape: Vec<_> = (0..shapes[0].len()).map(axis).collect();
        let retyped = |&v: &Value| {
            if !v.ty().is_tensor() {
                return v;
            }
            let sizes = self.sizes.sizes(b, v);
            self.sizes.retyped(b, v, Type::tensor(&shape, v.ty().scalar()), &sizes)
        };
        x.iter().map(retyped).collect()
    }

    /// Copies an op of the array language.
    fn cloned(&mut self, b: Builder, op: Op) -> Vec<Parts> {
        let new = op.clone_op();
        self.called.extend(op.callee());
        new.set_operands(&op.operands().iter().map(|&v| self.one(v)).collect::<Vec<_>>());
        b.insert(new).results().into_iter().map(|z| vec![z]).collect()
    }

    /// Converts an op that is not a function of elements; returns `None` for unknown ones.
    fn stablehlo(&mut self, b: Builder, op: Op) -> Result<Option<Vec<Parts>>> {
        if op.num_results() == 1
            && let Some(parts) = self.shape_op(b, op)?
        {
            return Ok(Some(vec![parts]));
        }
        if op.num_results() == 1
            && let Some(parts) = self.dynamic_op(b, op)?
        {
            return Ok(Some(vec![parts]));
        }
        if let Some(results) = self.linear_algebra(b, op)? {
            return Ok(Some(results));
        }
        Ok(Some(match op.kind() {
            Kind::StablehloConstant | Kind::ChloConstant => vec![constants::constant(b, op)?],
            Kind::StablehloReduce => self.reduce(b, op)?,
            Kind::StablehloReduceWindow => self.reduce_window(b, op)?,
            Kind::StablehloSelectAndScatter => vec![self.select_and_scatter(b, op)?],
            Kind::StablehloSort => self.sort(b, op)?,
            Kind::ChloTopK => self.top_k(b, op)?,
            Kind::StablehloBatchNormInference | Kind::StablehloBatchNormTraining | Kind::StablehloBatchNormGrad => {
                self.batch_norm(b, op)?
            }
            Kind::StablehloMap => self.map(b, op)?,
            Kind::StablehloDotGeneral | Kind::StablehloDot => vec![self.dot(b, op)],
            Kind::StablehloEinsum | Kind::StablehloUnaryEinsum => vec![self.einsum(b, op)],
            Kind::StablehloConvolution | Kind::StablehloDynamicConv => vec![self.convolution(b, op)?],
            Kind::StablehloRngBitGenerator => self.random_bits(b, op)?,
            Kind::StablehloFft => vec![self.fft(b, op)?],
            Kind::StablehloScatter => self.scatter(b, op)?,
            Kind::StablehloWhile => self.while_loop(b, op)?,
            Kind::StablehloIf => self.branch(b, op)?,
            Kind::StablehloCase => self.case(b, op)?,
            Kind::FuncCall | Kind::StablehloComposite => self.call(b, op)?,
            Kind::StablehloTuple => vec![self.operands(op).concat()],
            Kind::StablehloGetTupleElement => vec![self.tuple_element(op)],
            Kind::StablehloOptimizationBarrier => self.operands(op),
            Kind::StablehloCreateToken | Kind::StablehloAfterAll => vec![Vec::new()],
            Kind::StablehloCustomCall => self.custom_call(b, op)?,
            Kind::StablehloPartitionId | Kind::StablehloReplicaId => {
                let i32 = b.context().signless(32);
                vec![vec![b.constant(Attribute::integer(i32, 0), i32)]]
            }
            kind if CollectiveOp::of(op).is_some() => self.collective(b, op, kind)?,
            _ => return Ok(None),
        }))
    }
}
