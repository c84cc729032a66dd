//! The handles of `mlopt_dialects::ir`, and the additional types and builders that lowerings need: buffers, LLVM types,
//! scalar arithmetic. The `SAFETY` comments refer to the invariants of `mlopt_dialects::ir`.
#![allow(unsafe_code)]

use mlir_sys::*;
pub use mlopt_dialects::ir::*;
pub use mlopt_dialects::ops::OpName;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

/// Types and attributes below the array language.
pub trait LowContext {
    fn int(self, bits: u32) -> Type;
    fn ptr(self) -> Type;
    fn llvm_array(self, element: Type, len: usize) -> Type;
    fn llvm_struct(self, fields: &[Type]) -> Type;
    fn memref(self, shape: &[Dim], element: Type) -> Type;
    fn vector(self, lanes: usize, element: Type) -> Type;
    /// Parses `#llvm...` and other attributes that have only a textual form here. `source` is ours, so it parses.
    fn attribute(self, source: &str) -> Attribute;
}

impl LowContext for Context {
    fn int(self, bits: u32) -> Type {
        // SAFETY: the context is valid.
        Type::from_raw(unsafe { mlirIntegerTypeGet(self.raw(), bits) })
    }

    fn ptr(self) -> Type {
        // SAFETY: the context is valid.
        Type::from_raw(unsafe { mlirLLVMPointerTypeGet(self.raw(), 0) })
    }

    fn llvm_array(self, element: Type, len: usize) -> Type {
        // SAFETY: the element type is valid.
        Type::from_raw(unsafe { mlirLLVMArrayTypeGet(element.raw(), len as u32) })
    }

    fn llvm_struct(self, fields: &[Type]) -> Type {
        let raw: Vec<MlirType> = fields.iter().map(|t| t.raw()).collect();
        // SAFETY: the handles are valid, and MLIR copies the list.
        Type::from_raw(unsafe { mlirLLVMStructTypeLiteralGet(self.raw(), raw.len() as isize, raw.as_ptr(), false) })
    }

    fn memref(self, shape: &[Dim], element: Type) -> Type {
        // SAFETY: the element type is valid, MLIR copies the sizes, and null stands for the default layout and memory
        // space.
        unsafe {
            let dynamic = mlirShapedTypeGetDynamicSize();
            let sizes: Vec<i64> = shape.iter().map(|d| d.map_or(dynamic, |n| n as i64)).collect();
            let none = mlirAttributeGetNull();
            Type::from_raw(mlirMemRefTypeGet(element.raw(), sizes.len() as isize, sizes.as_ptr(), none, none))
        }
    }

    fn vector(self, lanes: usize, element: Type) -> Type {
        self.parse_type(&format!("vector<{lanes}x{element}>")).expect("a vector of numbers")
    }

    fn attribute(self, source: &str) -> Attribute {
        self.parse_attribute(source).unwrap_or_else(|| panic!("internal error: attribute `{source}`"))
    }
}

/// Queries on types below the array language. Handles are passed by value.
#[allow(clippy::wrong_self_convention)]
pub trait LowType {
    fn is_float(self) -> bool;
    fn is_scalar(self) -> bool;
    /// Checks whether a memref is contiguous and row-major from its base, in the default memory space.
    fn is_plain_memref(self) -> bool;
    /// Returns the number of `?`.
    fn dynamic_dims(self) -> usize;
    fn is_vector(self) -> bool;
    /// Returns the length of a vector.
    fn lanes(self) -> usize;
    /// Returns the width of a scalar integer type.
    fn integer_bits(self) -> Option<u32>;
    /// Returns the same scalar, vector or memref type with other elements, or `None` for another type.
    fn with_scalar(self, scalar: Type) -> Option<Type>;
}

impl LowType for Type {
    fn is_float(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsAFloat(self.raw()) }
    }

    fn is_scalar(self) -> bool {
        // SAFETY: the type is valid.
        self.is_float() || self.is_index() || unsafe { mlirTypeIsAInteger(self.raw()) }
    }

    fn is_plain_memref(self) -> bool {
        self.is_contiguous_memref()
    }

    fn dynamic_dims(self) -> usize {
        self.shape().iter().filter(|d| d.is_none()).count()
    }

    fn is_vector(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsAVector(self.raw()) }
    }

    fn lanes(self) -> usize {
        // SAFETY: the type is a valid vector type of rank 1 or more.
        unsafe { mlirShapedTypeGetDimSize(self.raw(), 0) as usize }
    }

    fn integer_bits(self) -> Option<u32> {
        // SAFETY: the type is valid, and the width is that of an integer type.
        unsafe { mlirTypeIsAInteger(self.raw()).then(|| mlirIntegerTypeGetWidth(self.raw())) }
    }

    fn with_scalar(self, scalar: Type) -> Option<Type> {
        // SAFETY: the handles are valid; a shaped type is ranked here, each `axis` is less than its rank, each accessor
        // is called for its kind only, and MLIR copies the lists.
        unsafe {
            let rank = if mlirTypeIsAShaped(self.raw()) { mlirShapedTypeGetRank(self.raw()) as isize } else { 0 };
            let sizes: Vec<i64> = (0..rank).map(|axis| mlirShapedTypeGetDimSize(self.raw(), axis)).collect();
            if self.is_scalar() {
                Some(scalar)
            } else if self.is_vector() {
                let scalable: Vec<bool> = (0..rank).map(|axis| mlirVectorTypeIsDimScalable(self.raw(), axis)).collect();
                let (sizes, scalable) = (sizes.as_ptr(), scalable.as_ptr());
                Some(Type::from_raw(mlirVectorTypeGetScalable(rank, sizes, scalable, scalar.raw())))
            } else if self.is_memref() {
                let (layout, space) = (mlirMemRefTypeGetLayout(self.raw()), mlirMemRefTypeGetMemorySpace(self.raw()));
                Some(Type::from_raw(mlirMemRefTypeGet(scalar.raw(), rank, sizes.as_ptr(), layout, space)))
            } else {
                None
            }
        }
    }
}

/// The predicates of `arith.cmpi`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
}

/// Builders of scalar code.
pub trait Emit {
    fn make(self, op: impl Into<OpName>, operands: &[Value], results: &[Type], attributes: &[(&str, Attribute)]) -> Op;
    /// Creates an op with one result.
    fn value(self, op: impl Into<OpName>, operands: &[Value], result: Type, attributes: &[(&str, Attribute)]) -> Value;
    /// Creates an op whose result has the type of its first operand.
    fn same(self, op: impl Into<OpName>, operands: &[Value]) -> Value;
    /// Creates the constant `n` of any scalar type.
    fn number(self, ty: Type, n: i64) -> Value;
    fn compare(self, how: Compare, a: Value, b: Value) -> Value;
    fn select(self, c: Value, a: Value, b: Value) -> Value;
    /// Creates a shuffle: the lanes of two vectors that `mask` selects, with those of `a` numbered first.
    fn shuffle(self, a: Value, b: Value, mask: &[i64]) -> Value;
}

impl Emit for Builder {
    fn make(self, op: impl Into<OpName>, operands: &[Value], results: &[Type], attributes: &[(&str, Attribute)]) -> Op {
        let mut op = self.op(op.into()).operands(operands).results(results);
        for (n, a) in attributes {
            op = op.attribute(n, *a);
        }
        self.insert(op.build())
    }

    fn value(self, op: impl Into<OpName>, operands: &[Value], result: Type, attributes: &[(&str, Attribute)]) -> Value {
        self.make(op, operands, &[result], attributes).result(0)
    }

    fn same(self, op: impl Into<OpName>, operands: &[Value]) -> Value {
        self.value(op, operands, operands[0].ty(), &[])
    }

    fn number(self, ty: Type, n: i64) -> Value {
        let value = if ty.is_float() { Attribute::float(ty, n as f64) } else { Attribute::integer(ty, n) };
        self.constant(value, ty)
    }

    fn compare(self, how: Compare, a: Value, b: Value) -> Value {
        let c = self.context();
        self.value(Kind::ArithCmpi, &[a, b], c.int(1), &[("predicate", Attribute::integer(c.int(64), how as i64))])
    }

    fn select(self, c: Value, a: Value, b: Value) -> Value {
        self.value(Kind::ArithSelect, &[c, a, b], a.ty(), &[])
    }

    fn shuffle(self, a: Value, b: Value, mask: &[i64]) -> Value {
        let c = self.context();
        // The form in LLVM 19.
        let lanes = c.array_attr(&mask.iter().map(|k| Attribute::integer(c.int(64), *k)).collect::<Vec<_>>());
        self.value(Kind::VectorShuffle, &[a, b], c.vector(mask.len(), a.ty().scalar()), &[("mask", lanes)])
    }
}

/// Returns `file:line:col` of a location, for messages that outlive the program text.
pub fn place(location: Location) -> String {
    location.place_text()
}

/// Checks whether a symbol is `private`, and thus not exported.
pub fn is_private(op: Op) -> bool {
    op.attribute("sym_visibility").and_then(Attribute::as_string).is_some_and(|v| v == "private")
}

/// Returns the value of an integer constant.
pub fn known(value: Value) -> Option<i64> {
    value.defining_op().filter(|(op, _)| op.kind() == Kind::ArithConstant)?.0.attribute("value")?.as_i64()
}

/// Returns the operands of `op` and of its nested ops.
pub fn operands_of(op: Op) -> impl Iterator<Item = Value> {
    std::iter::once(op).chain(op.nested_ops()).flat_map(Op::operands)
}

/// Returns the values defined outside that `op` and its nested ops need.
pub fn operands_inside(op: Op) -> Vec<Value> {
    let mut values = op.operands();
    for inner in op.nested_ops() {
        values.extend(inner.operands().into_iter().filter(|v| match v.defining_op() {
            Some((maker, _)) => !is_inside(maker, op),
            None => v.block().and_then(Block::parent_op).is_none_or(|p| p != op && !is_inside(p, op)),
        }));
    }
    values
}

/// Checks whether `op` is in a region of `around`.
pub fn is_inside(op: Op, around: Op) -> bool {
    std::iter::successors(op.parent_op(), |p| p.parent_op()).any(|p| p == around)
}

/// Returns the `builtin.module` that `module` owns.
pub fn module_op(module: &melior::ir::Module) -> Op {
    Op::from_raw(module.as_operation().to_raw())
}

/// Returns the element that a dense attribute repeats, if it is a splat.
pub fn splat_value(dense: Attribute) -> Option<Attribute> {
    dense.splat_value()
}

/// Loads dialects by name, as a pass manager does before it runs a pass that creates their ops.
pub fn load_dialects(context: Context, names: &[&str]) {
    for name in names {
        let name = MlirStringRef { data: name.as_ptr() as *const _, length: name.len() };
        // SAFETY: the context is valid, and MLIR only compares the name.
        unsafe { mlirContextGetOrLoadDialect(context.raw(), name) };
    }
}

/// Checks whether a size is arithmetic on values that an `scf.while` computes.
pub fn is_counted(size: Value) -> bool {
    let (mut seen, mut values) = (HashSet::new(), vec![size]);
    while let Some(value) = values.pop() {
        let Some((op, _)) = value.defining_op().filter(|(op, _)| seen.insert(*op)) else { continue };
        if op.kind() == Kind::ScfWhile {
            return true;
        }
        if op.num_regions() == 0 && op.kind().dialect() != "tensor" {
            values.extend(op.operands());
        }
    }
    false
}

/// Returns the detached ops of a module with the text `source`, which is ours, so it parses.
pub fn parsed(context: Context, source: &str) -> Vec<Op> {
    // The parser requires a terminating zero byte.
    let zero_ended = std::ffi::CString::new(source).expect("text");
    let text = MlirStringRef { data: zero_ended.as_ptr(), length: source.len() };
    // SAFETY: the context is valid, and a zero byte follows the text.
    let module = unsafe { mlirModuleCreateParse(context.raw(), text) };
    assert!(!module.ptr.is_null(), "internal error: module `{source}`");
    // SAFETY: the module exists until it is destroyed below.
    let ops = Op::from_raw(unsafe { mlirModuleGetOperation(module) }).child_ops();
    let ops = ops.into_iter().map(Op::detach).collect();
    // SAFETY: the module is ours, and its ops are detached, so nothing refers to it.
    unsafe { mlirModuleDestroy(module) };
    ops
}

/// Checks whether LLVM supports a `math` op on vectors, or `maths.rs` expands it.
pub fn is_vector_math(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        MathAbsf
            | MathCeil
            | MathCopysign
            | MathCos
            | MathExp
            | MathExp2
            | MathExpm1
            | MathFloor
            | MathFma
            | MathLog
            | MathLog1p
            | MathLog2
            | MathPowf
            | MathRsqrt
            | MathSin
            | MathSqrt
            | MathTanh
            | MathTrunc
    )
}

/// Checks whether an op of `arith` is on floats, and gives floats or an `i1`.
pub fn is_float_arithmetic(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        ArithAddf
            | ArithSubf
            | ArithMulf
            | ArithDivf
            | ArithRemf
            | ArithNegf
            | ArithMaximumf
            | ArithMinimumf
            | ArithMaxnumf
            | ArithMinnumf
            | ArithCmpf
            | ArithExtf
            | ArithTruncf
    )
}

/// Checks whether an op divides integers, which is undefined for some of them.
pub fn divides_integers(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        ArithDivsi | ArithDivui | ArithRemsi | ArithRemui | ArithFloordivsi | ArithCeildivsi | ArithCeildivui
    )
}
