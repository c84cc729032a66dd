//! MLIR as the lowerings see it: small `Copy` handles over the C API, so that a pass can hold values of the old and
//! of the new program side by side. All unsafe code of the passes in this crate is in this file.
//!
//! A handle is valid while its operation is in the module. Passes build new operations first and erase old ones last,
//! which keeps every handle alive while it can still be asked.
#![allow(unsafe_code)]

use mlir_sys::*;
use std::ffi::{CString, c_void};

fn text<'a>(s: &'a str) -> MlirStringRef {
    MlirStringRef { data: s.as_ptr() as *const _, length: s.len() }
}

/// Copies a string that MLIR owns.
fn owned(s: MlirStringRef) -> String {
    if s.length == 0 {
        return String::new();
    }
    // SAFETY: MLIR strings are `length` bytes at `data`.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(s.data as *const u8, s.length) }).into_owned()
}

unsafe extern "C" fn append(piece: MlirStringRef, to: *mut c_void) {
    // SAFETY: every caller passes a `String` that outlives the call.
    unsafe { &mut *(to as *mut String) }.push_str(&owned(piece));
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name($raw);

        impl $name {
            pub fn from_raw(raw: $raw) -> $name {
                $name(raw)
            }

            pub fn raw(self) -> $raw {
                self.0
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.0.ptr == other.0.ptr
            }
        }

        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                (self.0.ptr as usize).hash(state)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.0.ptr)
            }
        }
    };
}

handle!(
    /// The context that owns types and attributes.
    Ctx, MlirContext);
handle!(Type, MlirType);
handle!(Attr, MlirAttribute);
handle!(Loc, MlirLocation);
handle!(Value, MlirValue);
handle!(Block, MlirBlock);
handle!(Region, MlirRegion);
handle!(Op, MlirOperation);

/// `?` in a shape.
pub const DYNAMIC: i64 = i64::MIN;

impl Ctx {
    pub fn index(self) -> Type {
        Type(unsafe { mlirIndexTypeGet(self.0) })
    }

    pub fn int(self, bits: u32) -> Type {
        Type(unsafe { mlirIntegerTypeGet(self.0, bits) })
    }

    pub fn f64(self) -> Type {
        Type(unsafe { mlirF64TypeGet(self.0) })
    }

    pub fn ptr(self) -> Type {
        Type(unsafe { mlirLLVMPointerTypeGet(self.0, 0) })
    }

    pub fn llvm_array(self, element: Type, len: u32) -> Type {
        Type(unsafe { mlirLLVMArrayTypeGet(element.0, len) })
    }

    pub fn llvm_struct(self, fields: &[Type]) -> Type {
        let raw: Vec<MlirType> = fields.iter().map(|t| t.0).collect();
        Type(unsafe { mlirLLVMStructTypeLiteralGet(self.0, raw.len() as isize, raw.as_ptr(), false) })
    }

    pub fn function(self, inputs: &[Type], results: &[Type]) -> Type {
        let (i, r): (Vec<_>, Vec<_>) = (inputs.iter().map(|t| t.0).collect(), results.iter().map(|t| t.0).collect());
        Type(unsafe { mlirFunctionTypeGet(self.0, i.len() as isize, i.as_ptr(), r.len() as isize, r.as_ptr()) })
    }

    pub fn memref(self, shape: &[i64], element: Type) -> Type {
        Type(unsafe {
            mlirMemRefTypeGet(
                element.0,
                shape.len() as isize,
                shape.as_ptr(),
                mlirAttributeGetNull(),
                mlirAttributeGetNull(),
            )
        })
    }

    pub fn tensor(self, shape: &[i64], element: Type) -> Type {
        Type(unsafe {
            mlirRankedTensorTypeGet(shape.len() as isize, shape.as_ptr(), element.0, mlirAttributeGetNull())
        })
    }

    pub fn unknown(self) -> Loc {
        Loc(unsafe { mlirLocationUnknownGet(self.0) })
    }

    pub fn parse_attr(self, source: &str) -> Option<Attr> {
        let raw = unsafe { mlirAttributeParseGet(self.0, text(source)) };
        (!raw.ptr.is_null()).then_some(Attr(raw))
    }

    pub fn parse_type(self, source: &str) -> Option<Type> {
        let raw = unsafe { mlirTypeParseGet(self.0, text(source)) };
        (!raw.ptr.is_null()).then_some(Type(raw))
    }

    pub fn string(self, value: &str) -> Attr {
        Attr(unsafe { mlirStringAttrGet(self.0, text(value)) })
    }

    pub fn symbol(self, name: &str) -> Attr {
        Attr(unsafe { mlirFlatSymbolRefAttrGet(self.0, text(name)) })
    }

    pub fn unit(self) -> Attr {
        Attr(unsafe { mlirUnitAttrGet(self.0) })
    }

    pub fn array(self, items: &[Attr]) -> Attr {
        let raw: Vec<_> = items.iter().map(|a| a.0).collect();
        Attr(unsafe { mlirArrayAttrGet(self.0, raw.len() as isize, raw.as_ptr()) })
    }

    pub fn dictionary(self, items: &[(&str, Attr)]) -> Attr {
        let raw: Vec<_> = items.iter().map(|(n, a)| self.named(n, *a)).collect();
        Attr(unsafe { mlirDictionaryAttrGet(self.0, raw.len() as isize, raw.as_ptr()) })
    }

    pub fn i64s(self, items: &[i64]) -> Attr {
        Attr(unsafe { mlirDenseI64ArrayGet(self.0, items.len() as isize, items.as_ptr()) })
    }

    pub fn i32s(self, items: &[i32]) -> Attr {
        Attr(unsafe { mlirDenseI32ArrayGet(self.0, items.len() as isize, items.as_ptr()) })
    }

    fn named(self, name: &str, attr: Attr) -> MlirNamedAttribute {
        unsafe { mlirNamedAttributeGet(mlirIdentifierGet(self.0, text(name)), attr.0) }
    }
}

impl Type {
    pub fn ctx(self) -> Ctx {
        Ctx(unsafe { mlirTypeGetContext(self.0) })
    }

    pub fn is_tensor(self) -> bool {
        unsafe { mlirTypeIsARankedTensor(self.0) }
    }

    pub fn is_memref(self) -> bool {
        unsafe { mlirTypeIsAMemRef(self.0) }
    }

    pub fn is_index(self) -> bool {
        unsafe { mlirTypeIsAIndex(self.0) }
    }

    pub fn is_integer(self) -> bool {
        unsafe { mlirTypeIsAInteger(self.0) }
    }

    pub fn is_float(self) -> bool {
        unsafe { mlirTypeIsAFloat(self.0) }
    }

    pub fn is_scalar(self) -> bool {
        self.is_index() || self.is_integer() || self.is_float()
    }

    /// Width of an integer or float in bits; 64 for `index`.
    pub fn bits(self) -> u32 {
        unsafe {
            if self.is_integer() {
                mlirIntegerTypeGetWidth(self.0)
            } else if self.is_float() {
                mlirFloatTypeGetWidth(self.0)
            } else {
                64
            }
        }
    }

    /// Bytes of one element in memory (an `i1` takes one).
    pub fn bytes(self) -> i64 {
        (self.bits() as i64 + 7) / 8
    }

    /// Dimensions, with [`DYNAMIC`] for `?`; empty for a scalar.
    pub fn shape(self) -> Vec<i64> {
        if !self.is_tensor() && !self.is_memref() {
            return Vec::new();
        }
        unsafe { (0..mlirShapedTypeGetRank(self.0)).map(|d| mlirShapedTypeGetDimSize(self.0, d as isize)).collect() }
    }

    /// The element type of a tensor or memref; a scalar is its own.
    pub fn element(self) -> Type {
        if self.is_tensor() || self.is_memref() {
            Type(unsafe { mlirShapedTypeGetElementType(self.0) })
        } else {
            self
        }
    }

    /// Whether a memref is contiguous and row-major from its base.
    pub fn is_plain_memref(self) -> bool {
        self.is_memref()
            && unsafe {
                mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(self.0))
                    && mlirMemRefTypeGetMemorySpace(self.0).ptr.is_null()
            }
    }

    pub fn inputs(self) -> Vec<Type> {
        unsafe { (0..mlirFunctionTypeGetNumInputs(self.0)).map(|i| Type(mlirFunctionTypeGetInput(self.0, i))).collect() }
    }

    pub fn results(self) -> Vec<Type> {
        unsafe {
            (0..mlirFunctionTypeGetNumResults(self.0)).map(|i| Type(mlirFunctionTypeGetResult(self.0, i))).collect()
        }
    }

    pub fn attr(self) -> Attr {
        Attr(unsafe { mlirTypeAttrGet(self.0) })
    }

    pub fn int_attr(self, value: i64) -> Attr {
        Attr(unsafe { mlirIntegerAttrGet(self.0, value) })
    }

    pub fn float_attr(self, value: f64) -> Attr {
        Attr(unsafe { mlirFloatAttrDoubleGet(self.ctx().0, self.0, value) })
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut s = String::new();
        unsafe { mlirTypePrint(self.0, Some(append), &mut s as *mut String as *mut c_void) };
        f.write_str(&s)
    }
}

impl Attr {
    pub fn is_null(self) -> bool {
        self.0.ptr.is_null()
    }

    /// The value of a type attribute.
    pub fn as_type(self) -> Option<Type> {
        (!self.is_null() && unsafe { mlirAttributeIsAType(self.0) }).then(|| Type(unsafe { mlirTypeAttrGetValue(self.0) }))
    }

    pub fn as_string(self) -> Option<String> {
        (!self.is_null() && unsafe { mlirAttributeIsAString(self.0) })
            .then(|| owned(unsafe { mlirStringAttrGetValue(self.0) }))
    }

    pub fn as_symbol(self) -> Option<String> {
        (!self.is_null() && unsafe { mlirAttributeIsAFlatSymbolRef(self.0) })
            .then(|| owned(unsafe { mlirFlatSymbolRefAttrGetValue(self.0) }))
    }

    pub fn as_int(self) -> Option<i64> {
        (!self.is_null() && unsafe { mlirAttributeIsAInteger(self.0) })
            .then(|| unsafe { mlirIntegerAttrGetValueInt(self.0) })
    }

    pub fn as_array(self) -> Option<Vec<Attr>> {
        (!self.is_null() && unsafe { mlirAttributeIsAArray(self.0) }).then(|| unsafe {
            (0..mlirArrayAttrGetNumElements(self.0)).map(|i| Attr(mlirArrayAttrGetElement(self.0, i))).collect()
        })
    }

    pub fn as_i64s(self) -> Option<Vec<i64>> {
        (!self.is_null() && unsafe { mlirAttributeIsADenseI64Array(self.0) }).then(|| unsafe {
            (0..mlirDenseArrayGetNumElements(self.0)).map(|i| mlirDenseI64ArrayGetElement(self.0, i)).collect()
        })
    }

    pub fn is_dense(self) -> bool {
        !self.is_null() && unsafe { mlirAttributeIsADenseElements(self.0) }
    }

    /// The element that a dense attribute repeats, if it does.
    pub fn splat(self) -> Option<Attr> {
        (self.is_dense() && unsafe { mlirDenseElementsAttrIsSplat(self.0) })
            .then(|| Attr(unsafe { mlirDenseElementsAttrGetSplatValue(self.0) }))
    }
}

impl std::fmt::Display for Attr {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut s = String::new();
        unsafe { mlirAttributePrint(self.0, Some(append), &mut s as *mut String as *mut c_void) };
        f.write_str(&s)
    }
}

impl Loc {
    /// Reports an error diagnostic here.
    pub fn error(self, message: &str) {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        unsafe { mlirEmitError(self.0, message.as_ptr()) };
    }
}

impl Value {
    pub fn ty(self) -> Type {
        Type(unsafe { mlirValueGetType(self.0) })
    }

    /// The operation that defines this value; `None` for a block argument.
    pub fn def(self) -> Option<Op> {
        unsafe { mlirValueIsAOpResult(self.0).then(|| Op(mlirOpResultGetOwner(self.0))) }
    }

    pub fn result_number(self) -> usize {
        unsafe { mlirOpResultGetResultNumber(self.0) as usize }
    }

    /// The block that this value is an argument of.
    pub fn arg_of(self) -> Option<Block> {
        unsafe { mlirValueIsABlockArgument(self.0).then(|| Block(mlirBlockArgumentGetOwner(self.0))) }
    }

    pub fn arg_number(self) -> usize {
        unsafe { mlirBlockArgumentGetArgNumber(self.0) as usize }
    }

    /// The block in which this value is defined.
    pub fn home(self) -> Block {
        match self.def() {
            Some(op) => op.block().expect("an operation whose result is used is in a block"),
            None => self.arg_of().expect("a value is a result or an argument"),
        }
    }

    /// Every use, as (operation, operand number).
    pub fn uses(self) -> Vec<(Op, usize)> {
        let mut uses = Vec::new();
        unsafe {
            let mut u = mlirValueGetFirstUse(self.0);
            while !mlirOpOperandIsNull(u) {
                uses.push((Op(mlirOpOperandGetOwner(u)), mlirOpOperandGetOperandNumber(u) as usize));
                u = mlirOpOperandGetNextUse(u);
            }
        }
        uses
    }

    pub fn replace_with(self, other: Value) {
        unsafe { mlirValueReplaceAllUsesOfWith(self.0, other.0) }
    }
}

impl Block {
    /// A new block with arguments, not yet in a region.
    pub fn new(args: &[Type], loc: Loc) -> Block {
        let types: Vec<_> = args.iter().map(|t| t.0).collect();
        let locs = vec![loc.0; args.len()];
        Block(unsafe { mlirBlockCreate(args.len() as isize, types.as_ptr(), locs.as_ptr()) })
    }

    pub fn args(self) -> Vec<Value> {
        unsafe { (0..mlirBlockGetNumArguments(self.0)).map(|i| Value(mlirBlockGetArgument(self.0, i))).collect() }
    }

    pub fn add_arg(self, ty: Type, loc: Loc) -> Value {
        Value(unsafe { mlirBlockAddArgument(self.0, ty.0, loc.0) })
    }

    pub fn erase_arg(self, index: usize) {
        unsafe { mlirBlockEraseArgument(self.0, index as u32) }
    }

    pub fn ops(self) -> Vec<Op> {
        let mut ops = Vec::new();
        unsafe {
            let mut op = mlirBlockGetFirstOperation(self.0);
            while !op.ptr.is_null() {
                ops.push(Op(op));
                op = mlirOperationGetNextInBlock(op);
            }
        }
        ops
    }

    pub fn first(self) -> Option<Op> {
        Op::option(unsafe { mlirBlockGetFirstOperation(self.0) })
    }

    pub fn terminator(self) -> Option<Op> {
        Op::option(unsafe { mlirBlockGetTerminator(self.0) })
    }

    pub fn parent(self) -> Option<Op> {
        Op::option(unsafe { mlirBlockGetParentOperation(self.0) })
    }

    pub fn append(self, op: Op) {
        unsafe { mlirBlockAppendOwnedOperation(self.0, op.0) }
    }

    pub fn insert_before(self, reference: Op, op: Op) {
        unsafe { mlirBlockInsertOwnedOperationBefore(self.0, reference.0, op.0) }
    }
}

impl Region {
    /// A detached region of one block.
    pub fn of(block: Block) -> Region {
        unsafe {
            let region = mlirRegionCreate();
            mlirRegionAppendOwnedBlock(region, block.0);
            Region(region)
        }
    }

    pub fn empty() -> Region {
        Region(unsafe { mlirRegionCreate() })
    }

    pub fn append(self, block: Block) {
        unsafe { mlirRegionAppendOwnedBlock(self.0, block.0) }
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        unsafe {
            let mut b = mlirRegionGetFirstBlock(self.0);
            while !b.ptr.is_null() {
                blocks.push(Block(b));
                b = mlirBlockGetNextInRegion(b);
            }
        }
        blocks
    }

    /// Moves all blocks of `source` here.
    pub fn take_body(self, source: Region) {
        unsafe { mlirRegionTakeBody(self.0, source.0) }
    }
}

impl Op {
    fn option(raw: MlirOperation) -> Option<Op> {
        (!raw.ptr.is_null()).then_some(Op(raw))
    }

    pub fn ctx(self) -> Ctx {
        Ctx(unsafe { mlirOperationGetContext(self.0) })
    }

    pub fn name(self) -> String {
        owned(unsafe { mlirIdentifierStr(mlirOperationGetName(self.0)) })
    }

    pub fn is(self, name: &str) -> bool {
        unsafe {
            let s = mlirIdentifierStr(mlirOperationGetName(self.0));
            std::slice::from_raw_parts(s.data as *const u8, s.length) == name.as_bytes()
        }
    }

    pub fn loc(self) -> Loc {
        Loc(unsafe { mlirOperationGetLocation(self.0) })
    }

    pub fn operands(self) -> Vec<Value> {
        unsafe { (0..mlirOperationGetNumOperands(self.0)).map(|i| Value(mlirOperationGetOperand(self.0, i))).collect() }
    }

    pub fn operand(self, i: usize) -> Value {
        Value(unsafe { mlirOperationGetOperand(self.0, i as isize) })
    }

    pub fn set_operand(self, i: usize, value: Value) {
        unsafe { mlirOperationSetOperand(self.0, i as isize, value.0) }
    }

    pub fn results(self) -> Vec<Value> {
        unsafe { (0..mlirOperationGetNumResults(self.0)).map(|i| Value(mlirOperationGetResult(self.0, i))).collect() }
    }

    pub fn result(self, i: usize) -> Value {
        Value(unsafe { mlirOperationGetResult(self.0, i as isize) })
    }

    pub fn regions(self) -> Vec<Region> {
        unsafe { (0..mlirOperationGetNumRegions(self.0)).map(|i| Region(mlirOperationGetRegion(self.0, i))).collect() }
    }

    pub fn region(self, i: usize) -> Region {
        Region(unsafe { mlirOperationGetRegion(self.0, i as isize) })
    }

    /// The only block of region `i`.
    pub fn body(self, i: usize) -> Block {
        Block(unsafe { mlirRegionGetFirstBlock(mlirOperationGetRegion(self.0, i as isize)) })
    }

    pub fn block(self) -> Option<Block> {
        let raw = unsafe { mlirOperationGetBlock(self.0) };
        (!raw.ptr.is_null()).then_some(Block(raw))
    }

    pub fn parent(self) -> Option<Op> {
        Op::option(unsafe { mlirOperationGetParentOperation(self.0) })
    }

    pub fn next(self) -> Option<Op> {
        Op::option(unsafe { mlirOperationGetNextInBlock(self.0) })
    }

    /// Inherent or discardable attribute.
    pub fn attr(self, name: &str) -> Option<Attr> {
        let raw = unsafe { mlirOperationGetAttributeByName(self.0, text(name)) };
        (!raw.ptr.is_null()).then_some(Attr(raw))
    }

    pub fn attrs(self) -> Vec<(String, Attr)> {
        unsafe {
            (0..mlirOperationGetNumAttributes(self.0))
                .map(|i| {
                    let a = mlirOperationGetAttribute(self.0, i);
                    (owned(mlirIdentifierStr(a.name)), Attr(a.attribute))
                })
                .collect()
        }
    }

    pub fn set_attr(self, name: &str, attr: Attr) {
        unsafe { mlirOperationSetAttributeByName(self.0, text(name), attr.0) }
    }

    pub fn remove_attr(self, name: &str) {
        unsafe { mlirOperationRemoveAttributeByName(self.0, text(name)) };
    }

    /// The symbol that this operation defines.
    pub fn symbol(self) -> Option<String> {
        self.attr("sym_name").and_then(Attr::as_string)
    }

    pub fn is_private(self) -> bool {
        self.attr("sym_visibility").and_then(Attr::as_string).is_some_and(|v| v == "private")
    }

    /// A detached copy; operands are the same values.
    pub fn duplicate(self) -> Op {
        Op(unsafe { mlirOperationClone(self.0) })
    }

    pub fn move_before(self, other: Op) {
        unsafe { mlirOperationMoveBefore(self.0, other.0) }
    }

    /// Removes this operation from its block and frees it. Its results must have no uses.
    pub fn erase(self) {
        unsafe { mlirOperationDestroy(self.0) }
    }

    pub fn verify(self) -> bool {
        unsafe { mlirOperationVerify(self.0) }
    }

    pub fn error(self, message: &str) {
        self.loc().error(message)
    }

    pub fn text(self) -> String {
        let mut s = String::new();
        unsafe { mlirOperationPrint(self.0, Some(append), &mut s as *mut String as *mut c_void) };
        s
    }

    /// Runs `visit` on every operation nested in this one, outer first, this one excluded.
    pub fn walk(self, visit: &mut dyn FnMut(Op)) {
        for region in self.regions() {
            for block in region.blocks() {
                for op in block.ops() {
                    visit(op);
                    op.walk(visit);
                }
            }
        }
    }
}

/// An operation to be made: name, operands, attributes, result types, regions.
pub struct Make<'a> {
    name: &'a str,
    loc: Loc,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    attrs: Vec<MlirNamedAttribute>,
    regions: Vec<MlirRegion>,
    ctx: Ctx,
}

impl<'a> Make<'a> {
    pub fn new(name: &'a str, loc: Loc) -> Make<'a> {
        let ctx = Ctx(unsafe { mlirLocationGetContext(loc.0) });
        Make { name, loc, operands: vec![], results: vec![], attrs: vec![], regions: vec![], ctx }
    }

    pub fn operands(mut self, values: &[Value]) -> Self {
        self.operands.extend(values.iter().map(|v| v.0));
        self
    }

    pub fn results(mut self, types: &[Type]) -> Self {
        self.results.extend(types.iter().map(|t| t.0));
        self
    }

    pub fn attr(mut self, name: &str, attr: Attr) -> Self {
        self.attrs.push(self.ctx.named(name, attr));
        self
    }

    pub fn region(mut self, region: Region) -> Self {
        self.regions.push(region.0);
        self
    }

    /// The operation, in no block yet.
    pub fn build(self) -> Op {
        unsafe {
            let mut state = mlirOperationStateGet(text(self.name), self.loc.0);
            mlirOperationStateAddOperands(&mut state, self.operands.len() as isize, self.operands.as_ptr());
            mlirOperationStateAddResults(&mut state, self.results.len() as isize, self.results.as_ptr());
            mlirOperationStateAddAttributes(&mut state, self.attrs.len() as isize, self.attrs.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, self.regions.len() as isize, self.regions.as_ptr());
            let op = mlirOperationCreate(&mut state);
            assert!(!op.ptr.is_null(), "internal error: `{}` cannot be built", self.name);
            Op(op)
        }
    }
}

/// Where new operations go: the end of a block, or before an operation.
#[derive(Clone, Copy)]
pub struct Builder {
    pub block: Block,
    pub before: Option<Op>,
    pub loc: Loc,
}

impl Builder {
    pub fn at_end(block: Block, loc: Loc) -> Builder {
        Builder { block, before: None, loc }
    }

    pub fn before(op: Op) -> Builder {
        Builder { block: op.block().expect("insertion point is in a block"), before: Some(op), loc: op.loc() }
    }

    pub fn ctx(&self) -> Ctx {
        Ctx(unsafe { mlirLocationGetContext(self.loc.0) })
    }

    pub fn insert(&self, op: Op) -> Op {
        match self.before {
            Some(reference) => self.block.insert_before(reference, op),
            None => self.block.append(op),
        }
        op
    }

    pub fn op(&self, name: &str, operands: &[Value], results: &[Type], attrs: &[(&str, Attr)]) -> Op {
        let mut make = Make::new(name, self.loc).operands(operands).results(results);
        for (n, a) in attrs {
            make = make.attr(n, *a);
        }
        self.insert(make.build())
    }

    /// An operation with one result.
    pub fn value(&self, name: &str, operands: &[Value], result: Type, attrs: &[(&str, Attr)]) -> Value {
        self.op(name, operands, &[result], attrs).result(0)
    }

    /// An operation whose only result has the type of its first operand.
    pub fn same(&self, name: &str, operands: &[Value]) -> Value {
        self.value(name, operands, operands[0].ty(), &[])
    }

    pub fn constant(&self, attr: Attr, ty: Type) -> Value {
        self.value("arith.constant", &[], ty, &[("value", attr)])
    }

    pub fn index(&self, value: i64) -> Value {
        let ty = self.ctx().index();
        self.constant(ty.int_attr(value), ty)
    }

    /// The zero (or `n` as a number of that type) of a scalar type.
    pub fn number(&self, ty: Type, n: i64) -> Value {
        let attr = if ty.is_float() { ty.float_attr(n as f64) } else { ty.int_attr(n) };
        self.constant(attr, ty)
    }

    /// `arith.cmpi`. Predicates: 0 eq, 1 ne, 2 slt, 3 sle, 4 sgt, 5 sge, 6 ult.
    pub fn cmpi(&self, predicate: i64, a: Value, b: Value) -> Value {
        let ctx = self.ctx();
        self.value("arith.cmpi", &[a, b], ctx.int(1), &[("predicate", ctx.int(64).int_attr(predicate))])
    }

    pub fn select(&self, c: Value, a: Value, b: Value) -> Value {
        self.value("arith.select", &[c, a, b], a.ty(), &[])
    }
}
