//! Infers the structure of matrices (bands of zeros, symmetry) op by op, from the types of the arguments
//! (`#lambda.matrix`), and simplifies the program accordingly.
//!
//! With the structure, products do not read zeros: the product of a diagonal matrix and a vector is elementwise, sums
//! of products run within the bands, and the transpose of a symmetric matrix is the matrix itself. Afterwards the
//! structure is removed from the types, because later passes handle only general matrices.
//!
//! Requires: first-order code. A constant that does not have the structure that its type states is reported as an
//! error; the structure of arguments is trusted. Result: no type states a structure.
//! ```mlir before
//! func.func @f(%d: tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>>, %v: tensor<3xf64>) -> tensor<3xf64> {
//!   %m = tensor.cast %d : tensor<3x3xf64, #lambda.matrix<bands = [1, 1]>> to tensor<3x3xf64>
//!   %y = array.build (%i < 3) -> (tensor<3xf64>) {
//!     %row = array.get %m[%i] : (tensor<3x3xf64>) -> tensor<3xf64>
//!     %p = arith.mulf %row, %v : tensor<3xf64>
//!     %s = array.sum %p : (tensor<3xf64>) -> f64
//!     array.yield %s : f64
//!   }
//!   return %y : tensor<3xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%d: tensor<3x3xf64>, %v: tensor<3xf64>) -> tensor<3xf64> {
//!   %y = array.build (%i < 3) -> (tensor<3xf64>) {
//!     %a = array.get %d[%i, %i] : (tensor<3x3xf64>) -> f64
//!     %b = array.get %v[%i] : (tensor<3xf64>) -> f64
//!     %p = arith.mulf %a, %b : f64
//!     array.yield %p : f64
//!   }
//!   return %y : tensor<3xf64>
//! }
//! ```

pub mod structures;

use crate::functions::arguments_of;
use crate::functions::infer_structure::structures::{Action, Product, Structures};
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::lambda::structure::{Band, Structure};
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "infer-structure",
    description: "Infer which matrices are banded or symmetric, and omit operations on their zeros",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::flag("report", "Report the inferred structure of each matrix"),
        PassOption::new(
            "rewrite",
            OptionKind::Bool,
            "true",
            "Use the structure and remove it from types; otherwise only check it",
        ),
    ],
    dialects: &["arith", "array"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let functions: Vec<Op> =
        module.child_ops().into_iter().filter(|f| f.kind() == Kind::FuncFunc && f.body().is_some()).collect();
    for function in &functions {
        check(*function)?;
        let mut known = Structures::of_function(*function);
        if options.bool("report") {
            report(*function, &known);
        }
        if options.bool("rewrite") {
            improve(*function, &mut known);
        }
    }
    if options.bool("rewrite") && module.nested_ops().into_iter().any(mentions) {
        return forget(module);
    }
    Ok(())
}

/// Rejects constants that do not have the structure of their types.
fn check(function: Op) -> Result<(), Reported> {
    for op in function.nested_ops() {
        for result in op.results().into_iter().filter(|r| r.ty().encoding().is_some()) {
            let (source, transposed) = structures::base(result);
            let constant = source.defining_op().map(|d| d.0).filter(|d| d.kind() == Kind::ArithConstant);
            let exact =
                constant.and_then(|c| Structure::of_constant(c.attribute("value")?, source.ty().with_encoding(None)));
            let Some(exact) = exact else { continue };
            let exact = if transposed { exact.transpose() } else { exact };
            let claim = Structure::of_type(result.ty());
            if claim.claims_more_than(exact) {
                let text = format!("has the structure {claim} in its type, but the constant has {exact}");
                return Err(op.error(text).note_value("the constant", source).emit());
            }
        }
    }
    Ok(())
}

fn report(function: Op, known: &Structures) {
    for op in function.nested_ops() {
        for result in op.results() {
            let structure = known.of(result);
            if !structure.is_general() {
                let _ = op.remark(format!("'{}' returns a matrix of structure {structure}", op.name())).emit();
            }
        }
    }
}

fn improve(function: Op, known: &mut Structures) {
    // Replaced ops are erased at the end: until then no new op is allocated at an address that serves as a key.
    let mut gone: Vec<Op> = Vec::new();
    for op in function.nested_ops() {
        let mut around = std::iter::successors(op.parent_op(), |op| op.parent_op());
        if around.any(|op| gone.contains(&op)) {
            continue;
        }
        let Some(new) = better(op, known) else { continue };
        let old = op.result(0);
        if let Some(name) = old.name() {
            new.suggest_name(&name);
        }
        known.replace(old, new);
        old.replace_all_uses_with(new);
        gone.push(op);
    }
    gone.into_iter().rev().for_each(Op::erase);
}

/// Returns a cheaper value for the result of an op.
fn better(op: Op, known: &Structures) -> Option<Value> {
    let b = Builder::before(op);
    if structures::is_transpose(op) {
        let x = op.operand(0);
        (known.of(x).symmetric && x.ty() == op.result(0).ty()).then_some(x)
    } else if let Some(action) = structures::action(op) {
        times_vector(b, action, known)
    } else if let Some(product) = structures::product(op) {
        times_matrix(b, product, known)
    } else {
        None
    }
}

/// y[i] = Σ m[i,k]·v[k], over the k for which m[i,k] is not known to be zero.
fn times_vector(b: Builder, Action { matrix, vector }: Action, known: &Structures) -> Option<Value> {
    let structure = known.of(matrix);
    let [Some(rows), Some(columns)] = matrix.ty().shape()[..] else { return None };
    if structure.lower.is_none() && structure.upper.is_none() {
        return None;
    }
    let y = b.build(&[Some(rows)], &[], |b, i| {
        let term = |b: Builder, k: Value| {
            let x = b.get(matrix, &[i[0], k]);
            let v = b.get(vector, &[k]);
            b.unary(Kind::ArithMulf, &[x, v], x.ty())
        };
        if structure.is_diagonal() && rows == columns {
            return vec![term(b, i[0])];
        }
        let range = Range::new(b, columns).from_row(b, i[0], structure.lower, structure.upper);
        vec![range.sum(b, matrix.ty().scalar(), term)]
    });
    Some(y[0])
}

/// z[i,j] = Σ x[i,k]·y[k,j], over the k for which neither is known to be zero.
fn times_matrix(b: Builder, Product { x, columns }: Product, known: &Structures) -> Option<Value> {
    let (left, right) = (known.of(x), known.of(columns));
    let ([Some(rows), Some(inner)], [Some(width), Some(_)]) = (&x.ty().shape()[..], &columns.ty().shape()[..]) else {
        return None;
    };
    let (rows, inner, width) = (*rows, *inner, *width);
    let is_banded = |s: Structure| s.lower.is_some() || s.upper.is_some();
    if !is_banded(left) && !is_banded(right) {
        return None;
    }
    let z = b.build(&[Some(rows), Some(width)], &[], |b, at| {
        let term = |b: Builder, k: Value| {
            let x = b.get(x, &[at[0], k]);
            let y = b.get(columns, &[at[1], k]);
            b.unary(Kind::ArithMulf, &[x, y], x.ty())
        };
        // If one factor is diagonal, there is one product.
        if left.is_diagonal() && rows == inner {
            return vec![term(b, at[0])];
        }
        if right.is_diagonal() && width == inner {
            return vec![term(b, at[1])];
        }
        let range = Range::new(b, inner);
        let range = range.from_row(b, at[0], left.lower, left.upper).from_row(b, at[1], right.lower, right.upper);
        vec![range.sum(b, x.ty().scalar(), term)]
    });
    Some(z[0])
}

/// The indices from `low` to before `high`.
#[derive(Clone, Copy)]
struct Range {
    low: Option<Value>,
    high: Value,
}

impl Range {
    fn new(b: Builder, n: usize) -> Range {
        Range { low: None, high: b.index(n as i64) }
    }

    /// Returns the range in which row `i` of a matrix with these bands may be nonzero: from `i - lower + 1` to before
    /// `i + upper`.
    fn from_row(self, b: Builder, i: Value, lower: Band, upper: Band) -> Range {
        let op = |kind: Kind, x: Value, y: Value| b.unary(kind, &[x, y], x.ty());
        let low = lower.map(|l| op(Kind::ArithSubi, i, b.index(l - 1)));
        let low = match (self.low, low) {
            (Some(x), Some(y)) => Some(op(Kind::ArithMaxsi, x, y)),
            (None, Some(y)) => Some(op(Kind::ArithMaxsi, b.index(0), y)),
            (x, None) => x,
        };
        let high = upper.map_or(self.high, |u| {
            let end = op(Kind::ArithAddi, i, b.index(u));
            op(Kind::ArithMinsi, self.high, end)
        });
        Range { low, high }
    }

    fn sum(self, b: Builder, element: Type, term: impl Fn(Builder, Value) -> Value) -> Value {
        let zero = b.constant(Attribute::float(element, 0.0), element);
        let count = self.low.map_or(self.high, |low| b.unary(Kind::ArithSubi, &[self.high, low], low.ty()));
        b.ifold(count, &[zero], |b, k, sum| {
            let k = self.low.map_or(k, |low| b.unary(Kind::ArithAddi, &[low, k], k.ty()));
            vec![b.unary(Kind::ArithAddf, &[sum[0], term(b, k)], element)]
        })[0]
    }
}

/// Checks whether a type in an op contains a structure.
fn mentions(op: Op) -> bool {
    let values = op.results().into_iter().chain(arguments_of(op));
    let signature = op.function_type().map(|(a, b)| [a, b].concat()).unwrap_or_default();
    values.map(|v| v.ty()).chain(signature).any(|t| plain(t) != t)
}

/// Returns the type without structure.
fn plain(ty: Type) -> Type {
    if ty.is_tensor() {
        let is_ours = ty.encoding().is_some_and(|e| e.to_string().starts_with("#lambda.matrix"));
        return if is_ours { ty.with_encoding(None) } else { ty };
    }
    match ty.signature() {
        Some((inputs, results)) => {
            let all = |types: Vec<Type>| types.into_iter().map(plain).collect::<Vec<_>>();
            ty.context().function_type(&all(inputs), &all(results))
        }
        None => {
            let parts = ty.parts();
            let new: Vec<Type> = parts.iter().map(|t| plain(*t)).collect();
            if new == parts { ty } else { ty.with_parts(&new) }
        }
    }
}

/// Removes structures from all types.
fn forget(module: Op) -> Result<(), Reported> {
    for op in module.nested_ops() {
        for value in op.results().into_iter().chain(arguments_of(op)) {
            value.set_type(plain(value.ty()));
        }
        if let Some((inputs, results)) = op.function_type() {
            let ty = plain(op.context().function_type(&inputs, &results));
            op.set_attribute("function_type", op.context().type_attr(ty));
        }
        let constant = op.attribute("value").filter(|_| op.kind() == Kind::ArithConstant);
        if let Some(value) = constant.filter(|v| plain(v.ty()) != v.ty()) {
            let Some(value) = retyped(value, plain(value.ty())) else {
                return Err(op.not_supported("a constant whose type has a structure must be `dense`"));
            };
            op.set_attribute("value", value);
        }
    }
    for op in module.nested_ops() {
        if op.kind() == Kind::TensorCast && op.operand(0).ty() == op.result(0).ty() {
            op.result(0).replace_all_uses_with(op.operand(0));
            op.erase();
        }
    }
    Ok(())
}

/// Returns the elements of a dense constant at another type; `None` for other constants.
fn retyped(value: Attribute, ty: Type) -> Option<Attribute> {
    if let Some(splat) = value.splat_value() {
        return Some(Attribute::splat(ty, splat));
    }
    let numbers = value.as_array_value(ty)?.to_f64();
    let element = ty.scalar();
    let is_float = ty.element().is_some_and(|e| e.is_float());
    let scalar =
        |x: &f64| if is_float { Attribute::float(element, *x) } else { Attribute::integer(element, *x as i64) };
    Some(Attribute::dense(ty, &numbers.iter().map(scalar).collect::<Vec<_>>()))
}
