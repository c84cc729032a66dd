//! Handles to MLIR's objects, as passes see them: small, copyable, compared by identity.
//!
//! As in MLIR's C++, a handle is valid while its object is: do not use an op after [`Op::erase`], nor anything after its
//! context is gone. This is the price of transforming in place, and it is paid in passes only; programs that own
//! contexts and modules do so through `melior`.

use super::{mlopt_erase, mlopt_has_no_own_effects, mlopt_is_pure, mlopt_is_registered, mlopt_set_operands, text};
use crate::value::Element;
use mlir_sys::*;
use std::ffi::{CString, c_void};
use std::fmt;
use std::hash::{Hash, Hasher};

/// Text that MLIR owns.
///
/// # Safety
/// The characters must be valid for as long as the result is used.
pub(crate) unsafe fn to_str<'a>(s: &MlirStringRef) -> &'a str {
    if s.length == 0 {
        return "";
    }
    let bytes = unsafe { std::slice::from_raw_parts(s.data as *const u8, s.length) };
    // MLIR's own names are ASCII; a user's may be any bytes.
    std::str::from_utf8(bytes).unwrap_or("<not utf-8>")
}

extern "C" fn append(chunk: MlirStringRef, data: *mut c_void) {
    let out = unsafe { &mut *(data as *mut Vec<u8>) };
    out.extend_from_slice(unsafe { std::slice::from_raw_parts(chunk.data as *const u8, chunk.length) });
}

/// What MLIR prints through `print(callback, data)`.
fn printed(print: impl FnOnce(MlirStringCallback, *mut c_void)) -> String {
    let mut out: Vec<u8> = Vec::new();
    print(Some(append), &mut out as *mut _ as *mut c_void);
    String::from_utf8_lossy(&out).into_owned()
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
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

            /// `None` for MLIR's null.
            pub fn some(raw: $raw) -> Option<$name> {
                (!raw.ptr.is_null()).then_some($name(raw))
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.0.ptr == other.0.ptr
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                (self.0.ptr as usize).hash(state)
            }
        }
    };
}

handle!(Context, MlirContext);
handle!(Location, MlirLocation);
handle!(Type, MlirType);
handle!(Attribute, MlirAttribute);
handle!(Value, MlirValue);
handle!(Op, MlirOperation);
handle!(Block, MlirBlock);
handle!(Region, MlirRegion);

// Passes run on threads of MLIR's, which hands each op to one thread at a time.
unsafe impl Send for Context {}
unsafe impl Sync for Context {}

/// One size of a shape; `None` is known at run time only.
pub type Dim = Option<usize>;

impl Context {
    pub fn parse_type(self, source: &str) -> Option<Type> {
        Type::some(unsafe { mlirTypeParseGet(self.0, text(source)) })
    }

    pub fn parse_attribute(self, source: &str) -> Option<Attribute> {
        Attribute::some(unsafe { mlirAttributeParseGet(self.0, text(source)) })
    }

    pub fn unknown_location(self) -> Location {
        Location(unsafe { mlirLocationUnknownGet(self.0) })
    }

    pub fn index(self) -> Type {
        Type(unsafe { mlirIndexTypeGet(self.0) })
    }

    pub fn scalar(self, element: Element) -> Type {
        Type(unsafe {
            match element {
                Element::F32 => mlirF32TypeGet(self.0),
                Element::F64 => mlirF64TypeGet(self.0),
                Element::I1 => mlirIntegerTypeGet(self.0, 1),
                Element::I32 => mlirIntegerTypeGet(self.0, 32),
                Element::I64 => mlirIntegerTypeGet(self.0, 64),
                Element::Index => mlirIndexTypeGet(self.0),
            }
        })
    }

    pub fn bool_attr(self, value: bool) -> Attribute {
        Attribute(unsafe { mlirBoolAttrGet(self.0, value as i32) })
    }

    pub fn string_attr(self, value: &str) -> Attribute {
        Attribute(unsafe { mlirStringAttrGet(self.0, text(value)) })
    }

    pub fn symbol_attr(self, name: &str) -> Attribute {
        Attribute(unsafe { mlirFlatSymbolRefAttrGet(self.0, text(name)) })
    }

    pub fn i64_array_attr(self, values: &[i64]) -> Attribute {
        Attribute(unsafe { mlirDenseI64ArrayGet(self.0, values.len() as isize, values.as_ptr()) })
    }

    pub fn i32_array_attr(self, values: &[i32]) -> Attribute {
        Attribute(unsafe { mlirDenseI32ArrayGet(self.0, values.len() as isize, values.as_ptr()) })
    }

    pub fn array_attr(self, values: &[Attribute]) -> Attribute {
        let raw: Vec<MlirAttribute> = values.iter().map(|a| a.0).collect();
        Attribute(unsafe { mlirArrayAttrGet(self.0, raw.len() as isize, raw.as_ptr()) })
    }

    pub fn unit_attr(self) -> Attribute {
        Attribute(unsafe { mlirUnitAttrGet(self.0) })
    }

    pub fn type_attr(self, ty: Type) -> Attribute {
        Attribute(unsafe { mlirTypeAttrGet(ty.0) })
    }

    pub fn function_type(self, inputs: &[Type], results: &[Type]) -> Type {
        let raw = |types: &[Type]| types.iter().map(|t| t.0).collect::<Vec<_>>();
        let (i, r) = (raw(inputs), raw(results));
        Type(unsafe { mlirFunctionTypeGet(self.0, i.len() as isize, i.as_ptr(), r.len() as isize, r.as_ptr()) })
    }
}

impl Location {
    pub fn context(self) -> Context {
        Context(unsafe { mlirLocationGetContext(self.0) })
    }

    /// The places that one op came from.
    pub fn fused(context: Context, locations: &[Location]) -> Location {
        let raw: Vec<MlirLocation> = locations.iter().map(|l| l.0).collect();
        Location(unsafe { mlirLocationFusedGet(context.0, raw.len() as isize, raw.as_ptr(), mlirAttributeGetNull()) })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&printed(|c, d| unsafe { mlirLocationPrint(self.0, c, d) }))
    }
}

impl Type {
    pub fn context(self) -> Context {
        Context(unsafe { mlirTypeGetContext(self.0) })
    }

    /// The tensor type of this shape; the element type itself for an empty shape.
    pub fn array(shape: &[Dim], element: Type) -> Type {
        if shape.is_empty() { element } else { Type::tensor(shape, element) }
    }

    /// The ranked tensor type of this shape, also for an empty shape.
    pub fn tensor(shape: &[Dim], element: Type) -> Type {
        unsafe {
            let dynamic = mlirShapedTypeGetDynamicSize();
            let sizes: Vec<i64> = shape.iter().map(|d| d.map_or(dynamic, |n| n as i64)).collect();
            Type(mlirRankedTensorTypeGet(sizes.len() as isize, sizes.as_ptr(), element.0, mlirAttributeGetNull()))
        }
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

    pub fn is_integer(self, width: u32) -> bool {
        unsafe { mlirTypeIsAInteger(self.0) && mlirIntegerTypeGetWidth(self.0) == width }
    }

    /// The sizes of a ranked tensor or memref; empty for every other type.
    pub fn shape(self) -> Vec<Dim> {
        if !self.is_tensor() && !self.is_memref() {
            return Vec::new();
        }
        let rank = unsafe { mlirShapedTypeGetRank(self.0) };
        (0..rank as isize)
            .map(|axis| unsafe {
                (!mlirShapedTypeIsDynamicDim(self.0, axis)).then(|| mlirShapedTypeGetDimSize(self.0, axis) as usize)
            })
            .collect()
    }

    pub fn rank(self) -> usize {
        if self.is_tensor() || self.is_memref() { unsafe { mlirShapedTypeGetRank(self.0) as usize } } else { 0 }
    }

    /// The element type of a shaped type; the type itself otherwise.
    pub fn scalar(self) -> Type {
        if unsafe { mlirTypeIsAShaped(self.0) } { Type(unsafe { mlirShapedTypeGetElementType(self.0) }) } else { self }
    }

    /// The element kind of a scalar or of an array; `None` for a type outside the array language.
    pub fn element(self) -> Option<Element> {
        let scalar = self.scalar();
        unsafe {
            if mlirTypeIsAF32(scalar.0) {
                Some(Element::F32)
            } else if mlirTypeIsAF64(scalar.0) {
                Some(Element::F64)
            } else if mlirTypeIsAIndex(scalar.0) {
                Some(Element::Index)
            } else if mlirTypeIsAInteger(scalar.0) && mlirIntegerTypeIsSignless(scalar.0) {
                match mlirIntegerTypeGetWidth(scalar.0) {
                    1 => Some(Element::I1),
                    32 => Some(Element::I32),
                    64 => Some(Element::I64),
                    _ => None,
                }
            } else {
                None
            }
        }
    }

    /// Whether this is a float scalar or an array of floats: the types that carry derivatives.
    pub fn is_differentiable(self) -> bool {
        (self.is_tensor() || self.scalar() == self) && self.element().is_some_and(Element::is_float)
    }

    /// Inputs and results of a function type.
    pub fn signature(self) -> Option<(Vec<Type>, Vec<Type>)> {
        unsafe {
            if !mlirTypeIsAFunction(self.0) {
                return None;
            }
            let inputs = (0..mlirFunctionTypeGetNumInputs(self.0)).map(|i| Type(mlirFunctionTypeGetInput(self.0, i)));
            let results =
                (0..mlirFunctionTypeGetNumResults(self.0)).map(|i| Type(mlirFunctionTypeGetResult(self.0, i)));
            Some((inputs.collect(), results.collect()))
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&printed(|c, d| unsafe { mlirTypePrint(self.0, c, d) }))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Attribute {
    pub fn context(self) -> Context {
        Context(unsafe { mlirAttributeGetContext(self.0) })
    }

    pub fn integer(ty: Type, value: i64) -> Attribute {
        Attribute(unsafe { mlirIntegerAttrGet(ty.0, value) })
    }

    pub fn float(ty: Type, value: f64) -> Attribute {
        Attribute(unsafe { mlirFloatAttrDoubleGet(ty.context().0, ty.0, value) })
    }

    /// Dense elements with one value everywhere; `ty` is a static tensor type, `value` an attribute of its element type.
    pub fn splat(ty: Type, value: Attribute) -> Attribute {
        Attribute(unsafe { mlirDenseElementsAttrSplatGet(ty.0, value.0) })
    }

    /// The value of an integer, index or boolean attribute.
    pub fn as_i64(self) -> Option<i64> {
        unsafe {
            if mlirAttributeIsABool(self.0) {
                Some(mlirBoolAttrGetValue(self.0) as i64)
            } else {
                mlirAttributeIsAInteger(self.0).then(|| mlirIntegerAttrGetValueInt(self.0))
            }
        }
    }

    pub fn as_f64(self) -> Option<f64> {
        unsafe { mlirAttributeIsAFloat(self.0).then(|| mlirFloatAttrGetValueDouble(self.0)) }
    }

    pub fn as_string(self) -> Option<String> {
        unsafe { mlirAttributeIsAString(self.0).then(|| to_str(&mlirStringAttrGetValue(self.0)).to_string()) }
    }

    pub fn as_symbol(self) -> Option<String> {
        unsafe {
            mlirAttributeIsAFlatSymbolRef(self.0).then(|| to_str(&mlirFlatSymbolRefAttrGetValue(self.0)).to_string())
        }
    }

    pub fn as_type(self) -> Option<Type> {
        unsafe { mlirAttributeIsAType(self.0).then(|| Type(mlirTypeAttrGetValue(self.0))) }
    }

    pub fn as_i64_array(self) -> Option<Vec<i64>> {
        unsafe {
            mlirAttributeIsADenseI64Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0)).map(|i| mlirDenseI64ArrayGetElement(self.0, i)).collect()
            })
        }
    }

    pub fn as_i32_array(self) -> Option<Vec<i32>> {
        unsafe {
            mlirAttributeIsADenseI32Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0)).map(|i| mlirDenseI32ArrayGetElement(self.0, i)).collect()
            })
        }
    }

    pub fn as_array(self) -> Option<Vec<Attribute>> {
        unsafe {
            mlirAttributeIsAArray(self.0).then(|| {
                (0..mlirArrayAttrGetNumElements(self.0))
                    .map(|i| Attribute(mlirArrayAttrGetElement(self.0, i)))
                    .collect()
            })
        }
    }

    /// The one element of a dense constant that has the same everywhere.
    pub fn splat_value(self) -> Option<Attribute> {
        let splat = self.is_dense_elements() && unsafe { mlirDenseElementsAttrIsSplat(self.0) };
        splat.then(|| Attribute(unsafe { mlirDenseElementsAttrGetSplatValue(self.0) }))
    }

    pub fn is_dense_elements(self) -> bool {
        unsafe { mlirAttributeIsADenseElements(self.0) }
    }

    /// The elements of a dense constant, or the one value of a scalar constant; `None` for other attributes.
    pub fn as_array_value(self, ty: Type) -> Option<crate::value::Array> {
        use crate::value::{Array, Data};
        let element = ty.element()?;
        let shape: Option<Vec<usize>> = ty.shape().into_iter().collect();
        let shape = shape?;
        let len: usize = shape.iter().product();
        let a = self.0;
        let dense = self.is_dense_elements();
        if !dense && !shape.is_empty() {
            return None;
        }
        let is_splat = dense && unsafe { mlirDenseElementsAttrIsSplat(a) };
        let at = |i: usize| if is_splat { 0 } else { i as isize };
        let float = |i: usize| unsafe {
            if !dense {
                self.as_f64()
            } else if element == Element::F32 {
                Some(mlirDenseElementsAttrGetFloatValue(a, at(i)) as f64)
            } else {
                Some(mlirDenseElementsAttrGetDoubleValue(a, at(i)))
            }
        };
        let integer = |i: usize| unsafe {
            if !dense {
                return self.as_i64();
            }
            Some(match element {
                Element::I1 => mlirDenseElementsAttrGetBoolValue(a, at(i)) as i64,
                Element::I32 => mlirDenseElementsAttrGetInt32Value(a, at(i)) as i64,
                Element::I64 => mlirDenseElementsAttrGetInt64Value(a, at(i)),
                // `index` elements are stored in 64 bits, but the typed accessor refuses them.
                _ => *(mlirDenseElementsAttrGetRawData(a) as *const i64).offset(at(i)),
            })
        };
        let data = match element {
            Element::F32 => Data::F32((0..len).map(|i| float(i).map(|x| x as f32)).collect::<Option<_>>()?),
            Element::F64 => Data::F64((0..len).map(float).collect::<Option<_>>()?),
            Element::I1 => Data::I1((0..len).map(|i| integer(i).map(|x| x & 1 != 0)).collect::<Option<_>>()?),
            Element::I32 => Data::I32((0..len).map(|i| integer(i).map(|x| x as i32)).collect::<Option<_>>()?),
            Element::I64 => Data::I64((0..len).map(integer).collect::<Option<_>>()?),
            Element::Index => Data::Index((0..len).map(integer).collect::<Option<_>>()?),
        };
        Some(Array::new(shape, data))
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&printed(|c, d| unsafe { mlirAttributePrint(self.0, c, d) }))
    }
}

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Value {
    pub fn ty(self) -> Type {
        Type(unsafe { mlirValueGetType(self.0) })
    }

    pub fn set_type(self, ty: Type) {
        unsafe { mlirValueSetType(self.0, ty.0) }
    }

    /// The op that this is a result of, and which one.
    pub fn defining_op(self) -> Option<(Op, usize)> {
        unsafe {
            mlirValueIsAOpResult(self.0)
                .then(|| (Op(mlirOpResultGetOwner(self.0)), mlirOpResultGetResultNumber(self.0) as usize))
        }
    }

    /// The block that this is an argument of, and which one.
    pub fn block_argument(self) -> Option<(Block, usize)> {
        unsafe {
            mlirValueIsABlockArgument(self.0)
                .then(|| (Block(mlirBlockArgumentGetOwner(self.0)), mlirBlockArgumentGetArgNumber(self.0) as usize))
        }
    }

    /// The innermost block in which this value is visible from its definition on.
    pub fn block(self) -> Option<Block> {
        match self.block_argument() {
            Some((block, _)) => Some(block),
            None => self.defining_op()?.0.block(),
        }
    }

    /// The new value takes the name too, when it is computed and has none.
    pub fn replace_all_uses_with(self, other: Value) {
        if let Some(name) = self.name()
            && other.defining_op().is_some()
        {
            other.suggest_name(&name);
        }
        unsafe { mlirValueReplaceAllUsesOfWith(self.0, other.0) }
    }

    /// The ops that use this value, with the operand's number.
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

    pub fn is_unused(self) -> bool {
        unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(self.0)) }
    }

    /// Whether this is an operand once in the whole program.
    pub fn is_used_once(self) -> bool {
        unsafe {
            let first = mlirValueGetFirstUse(self.0);
            !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first))
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Value({:p}: {})", self.0.ptr, self.ty())
    }
}

impl Op {
    pub fn context(self) -> Context {
        Context(unsafe { mlirOperationGetContext(self.0) })
    }

    /// The full name: `array.build`.
    pub fn name(&self) -> &str {
        unsafe { to_str(&mlirIdentifierStr(mlirOperationGetName(self.0))) }
    }

    pub fn location(self) -> Location {
        Location(unsafe { mlirOperationGetLocation(self.0) })
    }

    pub fn num_operands(self) -> usize {
        unsafe { mlirOperationGetNumOperands(self.0) as usize }
    }

    pub fn operand(self, i: usize) -> Value {
        Value(unsafe { mlirOperationGetOperand(self.0, i as isize) })
    }

    pub fn operands(self) -> Vec<Value> {
        (0..self.num_operands()).map(|i| self.operand(i)).collect()
    }

    pub fn set_operand(self, i: usize, value: Value) {
        unsafe { mlirOperationSetOperand(self.0, i as isize, value.0) }
    }

    /// Replaces all operands; their number may change.
    pub fn set_operands(self, values: &[Value]) {
        let raw: Vec<MlirValue> = values.iter().map(|v| v.0).collect();
        unsafe { mlopt_set_operands(self.0, raw.len() as isize, raw.as_ptr()) }
    }

    /// The operands of one group of an op with `AttrSizedOperandSegments`.
    pub fn operand_segment(self, group: usize) -> Vec<Value> {
        let sizes = self.attribute("operandSegmentSizes").and_then(Attribute::as_i32_array).unwrap_or_default();
        let start: usize = sizes.iter().take(group).map(|&n| n as usize).sum();
        let len = sizes.get(group).map_or(0, |&n| n as usize);
        (start..start + len).map(|i| self.operand(i)).collect()
    }

    pub fn num_results(self) -> usize {
        unsafe { mlirOperationGetNumResults(self.0) as usize }
    }

    pub fn result(self, i: usize) -> Value {
        Value(unsafe { mlirOperationGetResult(self.0, i as isize) })
    }

    pub fn results(self) -> Vec<Value> {
        (0..self.num_results()).map(|i| self.result(i)).collect()
    }

    pub fn num_regions(self) -> usize {
        unsafe { mlirOperationGetNumRegions(self.0) as usize }
    }

    pub fn region(self, i: usize) -> Region {
        Region(unsafe { mlirOperationGetRegion(self.0, i as isize) })
    }

    pub fn regions(self) -> Vec<Region> {
        (0..self.num_regions()).map(|i| self.region(i)).collect()
    }

    /// The first block of the first region: the body of loops and functions. `None` for a declaration.
    pub fn body(self) -> Option<Block> {
        if self.num_regions() == 0 { None } else { self.region(0).first_block() }
    }

    pub fn attribute(self, name: &str) -> Option<Attribute> {
        Attribute::some(unsafe { mlirOperationGetAttributeByName(self.0, text(name)) })
    }

    pub fn set_attribute(self, name: &str, value: Attribute) {
        unsafe { mlirOperationSetAttributeByName(self.0, text(name), value.0) }
    }

    pub fn remove_attribute(self, name: &str) {
        unsafe { mlirOperationRemoveAttributeByName(self.0, text(name)) };
    }

    /// All attributes, inherent ones included, by name.
    pub fn attributes(self) -> Vec<(String, Attribute)> {
        (0..unsafe { mlirOperationGetNumAttributes(self.0) })
            .map(|i| unsafe {
                let named = mlirOperationGetAttribute(self.0, i);
                (to_str(&mlirIdentifierStr(named.name)).to_string(), Attribute(named.attribute))
            })
            .collect()
    }

    pub fn block(self) -> Option<Block> {
        Block::some(unsafe { mlirOperationGetBlock(self.0) })
    }

    pub fn parent_op(self) -> Option<Op> {
        // MLIR's accessor aborts on a detached op.
        self.block()?;
        Op::some(unsafe { mlirOperationGetParentOperation(self.0) })
    }

    pub fn next(self) -> Option<Op> {
        Op::some(unsafe { mlirOperationGetNextInBlock(self.0) })
    }

    pub fn move_before(self, other: Op) {
        unsafe { mlirOperationMoveBefore(self.0, other.0) }
    }

    /// Takes the op out of its block; whoever calls this puts it into another.
    pub fn detach(self) -> Op {
        unsafe { mlirOperationRemoveFromParent(self.0) };
        self
    }

    /// Removes the op from its block and destroys it. Its results must be unused.
    pub fn erase(self) {
        unsafe { mlopt_erase(self.0) }
    }

    /// A detached copy, regions included, that uses the same operands.
    pub fn clone_op(self) -> Op {
        Op(unsafe { mlirOperationClone(self.0) })
    }

    /// The name of a symbol.
    pub fn symbol(self) -> Option<String> {
        self.attribute("sym_name").and_then(Attribute::as_string)
    }

    /// The symbol `name` of this symbol table.
    pub fn lookup(self, name: &str) -> Option<Op> {
        self.body()?.ops().into_iter().find(|op| op.symbol().as_deref() == Some(name))
    }

    /// The `builtin.module` around this op.
    pub fn module(self) -> Option<Op> {
        let mut op = self;
        while op.name() != "builtin.module" {
            op = op.parent_op()?;
        }
        Some(op)
    }

    /// Argument and result types of a `func.func`.
    pub fn function_type(self) -> Option<(Vec<Type>, Vec<Type>)> {
        self.attribute("function_type")?.as_type()?.signature()
    }

    /// No memory effects, in its regions neither, and safe to run speculatively.
    pub fn is_pure(self) -> bool {
        unsafe { mlopt_is_pure(self.0) }
    }

    /// No memory effects but those of the ops in its regions.
    pub fn has_no_own_effects(self) -> bool {
        unsafe { mlopt_has_no_own_effects(self.0) }
    }

    /// Whether the op's dialect is loaded and knows it.
    pub fn is_registered(self) -> bool {
        unsafe { mlopt_is_registered(self.0) }
    }

    /// Checks this op and all in it, reporting what is wrong.
    pub fn verify(self) -> bool {
        unsafe { mlirOperationVerify(self.0) }
    }

    /// All ops nested in this one, each before the ops in its regions, in order. Iterative, so that nesting may be deep.
    pub fn nested_ops(self) -> Vec<Op> {
        let mut found = Vec::new();
        let mut stack: Vec<Op> = self.child_ops();
        stack.reverse();
        while let Some(op) = stack.pop() {
            found.push(op);
            if op.num_regions() > 0 {
                let mut children = op.child_ops();
                children.reverse();
                stack.extend(children);
            }
        }
        found
    }

    /// The ops directly in this op's regions.
    pub fn child_ops(self) -> Vec<Op> {
        self.regions().into_iter().flat_map(Region::blocks).flat_map(Block::ops).collect()
    }
}

impl fmt::Display for Op {
    /// Never use this in a verifier: printing verifies.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&printed(|c, d| unsafe { mlirOperationPrint(self.0, c, d) }))
    }
}

impl Block {
    /// A new block that belongs to nothing yet.
    pub fn new(arguments: &[(Type, Location)]) -> Block {
        let types: Vec<MlirType> = arguments.iter().map(|(t, _)| t.0).collect();
        let locations: Vec<MlirLocation> = arguments.iter().map(|(_, l)| l.0).collect();
        Block(unsafe { mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr()) })
    }

    pub fn num_arguments(self) -> usize {
        unsafe { mlirBlockGetNumArguments(self.0) as usize }
    }

    pub fn argument(self, i: usize) -> Value {
        Value(unsafe { mlirBlockGetArgument(self.0, i as isize) })
    }

    pub fn arguments(self) -> Vec<Value> {
        (0..self.num_arguments()).map(|i| self.argument(i)).collect()
    }

    pub fn add_argument(self, ty: Type, location: Location) -> Value {
        Value(unsafe { mlirBlockAddArgument(self.0, ty.0, location.0) })
    }

    pub fn erase_argument(self, i: usize) {
        unsafe { mlirBlockEraseArgument(self.0, i as u32) }
    }

    pub fn first_op(self) -> Option<Op> {
        Op::some(unsafe { mlirBlockGetFirstOperation(self.0) })
    }

    pub fn terminator(self) -> Option<Op> {
        Op::some(unsafe { mlirBlockGetTerminator(self.0) })
    }

    pub fn ops(self) -> Vec<Op> {
        std::iter::successors(self.first_op(), |op| op.next()).collect()
    }

    pub fn parent_op(self) -> Option<Op> {
        Op::some(unsafe { mlirBlockGetParentOperation(self.0) })
    }

    /// Appends a detached op.
    pub fn append(self, op: Op) -> Op {
        unsafe { mlirBlockAppendOwnedOperation(self.0, op.0) };
        op
    }

    /// Destroys a block that belongs to nothing, and the ops in it.
    pub fn erase(self) {
        unsafe { mlirBlockDestroy(self.0) }
    }

    pub fn insert_before(self, next: Op, op: Op) -> Op {
        unsafe { mlirBlockInsertOwnedOperationBefore(self.0, next.0, op.0) };
        op
    }
}

impl Region {
    /// A new region that belongs to nothing yet: hand it to an [`OpBuilder`].
    pub fn new() -> Region {
        Region(unsafe { mlirRegionCreate() })
    }

    /// A new region with this one block.
    pub fn with_block(block: Block) -> Region {
        let region = Region::new();
        region.append(block);
        region
    }

    pub fn append(self, block: Block) {
        unsafe { mlirRegionAppendOwnedBlock(self.0, block.0) }
    }

    pub fn first_block(self) -> Option<Block> {
        Block::some(unsafe { mlirRegionGetFirstBlock(self.0) })
    }

    pub fn blocks(self) -> Vec<Block> {
        std::iter::successors(self.first_block(), |b| Block::some(unsafe { mlirBlockGetNextInRegion(b.0) })).collect()
    }
}

impl Default for Region {
    fn default() -> Region {
        Region::new()
    }
}

/// An op in the making. `build` gives it detached; [`Builder`] also inserts it.
#[must_use]
pub struct OpBuilder {
    name: String,
    location: Location,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    regions: Vec<MlirRegion>,
    attributes: Vec<(String, Attribute)>,
    successors: Vec<MlirBlock>,
    infer: bool,
}

impl OpBuilder {
    pub fn new(name: &str, location: Location) -> OpBuilder {
        OpBuilder {
            name: name.to_string(),
            location,
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            attributes: Vec::new(),
            successors: Vec::new(),
            infer: false,
        }
    }

    pub fn operands(mut self, values: &[Value]) -> OpBuilder {
        self.operands.extend(values.iter().map(|v| v.0));
        self
    }

    /// One group of operands after the other, for ops with `AttrSizedOperandSegments`.
    pub fn operand_segments(self, groups: &[&[Value]]) -> OpBuilder {
        let sizes: Vec<i32> = groups.iter().map(|g| g.len() as i32).collect();
        let context = self.location.context();
        let all: Vec<Value> = groups.concat();
        self.operands(&all).attribute("operandSegmentSizes", context.i32_array_attr(&sizes))
    }

    pub fn results(mut self, types: &[Type]) -> OpBuilder {
        self.results.extend(types.iter().map(|t| t.0));
        self
    }

    /// Lets the op say its own result types.
    pub fn infer_results(mut self) -> OpBuilder {
        self.infer = true;
        self
    }

    pub fn attribute(mut self, name: &str, value: Attribute) -> OpBuilder {
        self.attributes.push((name.to_string(), value));
        self
    }

    pub fn region(mut self, region: Region) -> OpBuilder {
        self.regions.push(region.0);
        self
    }

    pub fn successor(mut self, block: Block) -> OpBuilder {
        self.successors.push(block.0);
        self
    }

    /// # Panics
    /// When MLIR cannot create the op, which only a failed inference of result types causes.
    pub fn build(self) -> Op {
        let name = CString::new(self.name.clone()).expect("an op's name has no NUL byte");
        unsafe {
            let mut state = mlirOperationStateGet(mlirStringRefCreateFromCString(name.as_ptr()), self.location.0);
            mlirOperationStateAddOperands(&mut state, self.operands.len() as isize, self.operands.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, self.regions.len() as isize, self.regions.as_ptr());
            mlirOperationStateAddSuccessors(&mut state, self.successors.len() as isize, self.successors.as_ptr());
            let context = mlirLocationGetContext(self.location.0);
            let named: Vec<MlirNamedAttribute> = self
                .attributes
                .iter()
                .map(|(n, a)| mlirNamedAttributeGet(mlirIdentifierGet(context, text(n)), a.0))
                .collect();
            mlirOperationStateAddAttributes(&mut state, named.len() as isize, named.as_ptr());
            if self.infer {
                mlirOperationStateEnableResultTypeInference(&mut state);
            } else {
                mlirOperationStateAddResults(&mut state, self.results.len() as isize, self.results.as_ptr());
            }
            Op::some(mlirOperationCreate(&mut state)).unwrap_or_else(|| panic!("cannot create '{}'", self.name))
        }
    }
}

/// Where new ops go: before `next` in `block`, or at its end; and the location that they get, without a name: names belong
/// to values, and [`Value::suggest_name`] gives them.
#[derive(Clone, Copy)]
pub struct Builder {
    pub block: Block,
    pub next: Option<Op>,
    pub location: Location,
}

impl Builder {
    pub fn at_end(block: Block, location: Location) -> Builder {
        Builder { block, next: None, location: location.unnamed() }
    }

    /// New ops stand before `op` and share its location.
    pub fn before(op: Op) -> Builder {
        Builder { block: op.block().expect("the op is in a block"), next: Some(op), location: op.location().unnamed() }
    }

    pub fn at(self, location: Location) -> Builder {
        Builder { location: location.unnamed(), ..self }
    }

    pub fn context(self) -> Context {
        self.location.context()
    }

    pub fn insert(self, op: Op) -> Op {
        match self.next {
            Some(next) => self.block.insert_before(next, op),
            None => self.block.append(op),
        }
    }

    /// An op with the builder's location; finish it with [`Builder::insert`].
    pub fn op(self, name: &str) -> OpBuilder {
        OpBuilder::new(name, self.location)
    }

    /// An op with one result and no attributes.
    pub fn unary(self, name: &str, operands: &[Value], result: Type) -> Value {
        self.insert(self.op(name).operands(operands).results(&[result]).build()).result(0)
    }

    /// `arith.constant` of type `index`.
    pub fn index(self, value: i64) -> Value {
        let ty = self.context().index();
        self.constant(Attribute::integer(ty, value), ty)
    }

    pub fn constant(self, value: Attribute, ty: Type) -> Value {
        self.insert(self.op("arith.constant").attribute("value", value).results(&[ty]).build()).result(0)
    }
}
