//! Types as the array language uses them: element types, shapes, functions.

use super::super::{mlopt_type_name, mlopt_type_of_parts, mlopt_type_parts};
use super::*;

/// The parts of a type, as reported by MLIR.
#[derive(Default)]
struct Parts {
    types: Vec<Type>,
    attributes: Vec<Attribute>,
}

extern "C" fn take_type(part: MlirType, data: *mut c_void) {
    // SAFETY: `data` is the `Parts` in `made_of`, which nothing else accesses during the call.
    unsafe { &mut *(data as *mut Parts) }.types.push(Type(part));
}

extern "C" fn take_attribute(part: MlirAttribute, data: *mut c_void) {
    // SAFETY: as for `take_type`.
    unsafe { &mut *(data as *mut Parts) }.attributes.push(Attribute(part));
}

impl Type {
    pub fn context(self) -> Context {
        // SAFETY: the type is valid.
        Context(unsafe { mlirTypeGetContext(self.0) })
    }

    /// Returns the kind of type: `builtin.tuple`, `lambda.list`.
    pub fn name(&self) -> &str {
        // SAFETY: the type is valid, and its context owns the name.
        unsafe { to_str(&mlopt_type_name(self.0)) }
    }

    fn made_of(self) -> Parts {
        let mut parts = Parts::default();
        // SAFETY: the type is valid, and the callbacks get the `Parts` that they expect.
        unsafe { mlopt_type_parts(self.0, take_type, take_attribute, &mut parts as *mut _ as *mut c_void) };
        parts
    }

    /// Returns the types of which this one consists, in order: the elements of a tuple, inputs and results of a
    /// function.
    pub fn parts(self) -> Vec<Type> {
        self.made_of().types
    }

    /// Returns the attributes of which this type consists, in order.
    pub fn attributes(self) -> Vec<Attribute> {
        self.made_of().attributes
    }

    /// Returns the same kind of type with other parts, whose number is that of [`Type::parts`].
    pub fn with_parts(self, parts: &[Type]) -> Type {
        let raw: Vec<MlirType> = parts.iter().map(|t| t.0).collect();
        // SAFETY: the types are valid, their number is that of the parts, and C++ copies the list.
        Type(unsafe { mlopt_type_of_parts(self.0, raw.len() as isize, raw.as_ptr()) })
    }

    /// Returns the tensor type of this shape, or the element type itself for an empty shape.
    pub fn array(shape: &[Dim], element: Type) -> Type {
        if shape.is_empty() { element } else { Type::tensor(shape, element) }
    }

    /// Returns the type of the rows of an array type.
    pub fn row(self) -> Type {
        Type::array(&self.shape()[1..], self.scalar())
    }

    /// Returns the type of arrays with these outer axes of values of this type.
    pub fn stacked(self, sizes: &[Dim]) -> Type {
        Type::tensor(&[sizes, self.shape().as_slice()].concat(), self.scalar())
    }

    /// Returns the ranked tensor type of this shape, also for an empty shape.
    pub fn tensor(shape: &[Dim], element: Type) -> Type {
        // SAFETY: the element type is valid, MLIR copies the sizes, and null stands for no encoding.
        unsafe {
            let dynamic = mlirShapedTypeGetDynamicSize();
            let sizes: Vec<i64> = shape.iter().map(|d| d.map_or(dynamic, |n| n as i64)).collect();
            Type(mlirRankedTensorTypeGet(sizes.len() as isize, sizes.as_ptr(), element.0, mlirAttributeGetNull()))
        }
    }

    pub fn is_tensor(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsARankedTensor(self.0) }
    }

    pub fn is_memref(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsAMemRef(self.0) }
    }

    /// Checks whether this is a memref whose elements are contiguous in row-major order, in the default memory space.
    pub fn is_contiguous_memref(self) -> bool {
        // SAFETY: the type is valid, and the accessors are called for memrefs only.
        unsafe {
            mlirTypeIsAMemRef(self.0)
                && mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(self.0))
                && mlirMemRefTypeGetMemorySpace(self.0).ptr.is_null()
        }
    }

    pub fn is_index(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsAIndex(self.0) }
    }

    /// Checks whether it is the signless integer type of this width.
    pub fn is_integer(self, width: u32) -> bool {
        // SAFETY: the type is valid, and the width is that of an integer type.
        unsafe {
            mlirTypeIsAInteger(self.0) && mlirIntegerTypeIsSignless(self.0) && mlirIntegerTypeGetWidth(self.0) == width
        }
    }

    /// Returns the width of an integer type, and whether it is unsigned; `None` for other types.
    pub fn integer(self) -> Option<(u32, bool)> {
        // SAFETY: the type is valid, and only an integer type is asked for its width and signedness.
        unsafe {
            mlirTypeIsAInteger(self.0).then(|| (mlirIntegerTypeGetWidth(self.0), mlirIntegerTypeIsUnsigned(self.0)))
        }
    }

    /// Returns the type of the real and of the imaginary part of a complex type; `None` for other types.
    pub fn complex_part(self) -> Option<Type> {
        // SAFETY: the type is valid, and only a complex type is asked for its parts.
        unsafe { mlirTypeIsAComplex(self.0).then(|| Type(mlirComplexTypeGetElementType(self.0))) }
    }

    /// Returns the number of bits of a float type.
    pub fn float_width(self) -> Option<u32> {
        // SAFETY: the type is valid, and only a float type is asked for its width.
        unsafe { mlirTypeIsAFloat(self.0).then(|| mlirFloatTypeGetWidth(self.0)) }
    }

    /// Returns the sizes of a ranked tensor or memref, or nothing for other types.
    pub fn shape(self) -> Vec<Dim> {
        if !self.is_tensor() && !self.is_memref() {
            return Vec::new();
        }
        // SAFETY: the type is valid, and a ranked tensor or memref.
        let rank = unsafe { mlirShapedTypeGetRank(self.0) };
        (0..rank as isize)
            // SAFETY: as above, and `axis` is less than the rank.
            .map(|axis| unsafe {
                (!mlirShapedTypeIsDynamicDim(self.0, axis)).then(|| mlirShapedTypeGetDimSize(self.0, axis) as usize)
            })
            .collect()
    }

    pub fn rank(self) -> usize {
        // SAFETY: the type is valid, and a ranked tensor or memref.
        if self.is_tensor() || self.is_memref() { unsafe { mlirShapedTypeGetRank(self.0) as usize } } else { 0 }
    }

    /// Returns the element type of a shaped type, or the type itself otherwise.
    pub fn scalar(self) -> Type {
        // SAFETY: the type is valid, and only a shaped type is asked for its elements.
        if unsafe { mlirTypeIsAShaped(self.0) } { Type(unsafe { mlirShapedTypeGetElementType(self.0) }) } else { self }
    }

    /// Returns the element kind of a scalar or of an array, or `None` for a type outside the array language.
    pub fn element(self) -> Option<Element> {
        let scalar = self.scalar();
        // SAFETY: the type is valid, and the accessors are called for integer types only.
        unsafe {
            if mlirTypeIsAF16(scalar.0) {
                Some(Element::F16)
            } else if mlirTypeIsABF16(scalar.0) {
                Some(Element::BF16)
            } else if mlirTypeIsAF32(scalar.0) {
                Some(Element::F32)
            } else if mlirTypeIsAF64(scalar.0) {
                Some(Element::F64)
            } else if mlirTypeIsAIndex(scalar.0) {
                Some(Element::Index)
            } else if mlirTypeIsAInteger(scalar.0) && mlirIntegerTypeIsSignless(scalar.0) {
                match mlirIntegerTypeGetWidth(scalar.0) {
                    1 => Some(Element::I1),
                    8 => Some(Element::I8),
                    16 => Some(Element::I16),
                    32 => Some(Element::I32),
                    64 => Some(Element::I64),
                    _ => None,
                }
            } else {
                None
            }
        }
    }

    /// Returns the encoding of a tensor type.
    pub fn encoding(self) -> Option<Attribute> {
        if !self.is_tensor() {
            return None;
        }
        // SAFETY: the type is valid, and a ranked tensor.
        Attribute::some(unsafe { mlirRankedTensorTypeGetEncoding(self.0) })
    }

    /// Returns the same tensor type with this encoding, or without one.
    pub fn with_encoding(self, encoding: Option<Attribute>) -> Type {
        if !self.is_tensor() || self.encoding() == encoding {
            return self;
        }
        // SAFETY: the handles are valid, the type is a ranked tensor, `k` is less than its rank, and MLIR copies the
        // sizes.
        unsafe {
            let sizes: Vec<i64> = (0..self.rank() as isize).map(|k| mlirShapedTypeGetDimSize(self.0, k)).collect();
            let encoding = encoding.map_or(mlirAttributeGetNull(), |a| a.0);
            Type(mlirRankedTensorTypeGet(sizes.len() as isize, sizes.as_ptr(), self.scalar().0, encoding))
        }
    }

    /// Checks whether values of this type consist of integers, so that derivatives do not propagate through them.
    pub fn is_discrete(self) -> bool {
        let scalar = self.scalar();
        // SAFETY: the type is valid.
        scalar.is_index() || unsafe { mlirTypeIsAInteger(scalar.0) }
    }

    /// Checks whether this is a float scalar or an array of floats: the types that carry derivatives.
    pub fn is_differentiable(self) -> bool {
        (self.is_tensor() || self.scalar() == self) && self.element().is_some_and(Element::is_float)
    }

    /// Returns the inputs and results of a function type.
    pub fn signature(self) -> Option<(Vec<Type>, Vec<Type>)> {
        // SAFETY: the type is valid; only a function type is read, and `i` is less than the number of its inputs or
        // results.
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
        // SAFETY: the type is valid, and MLIR calls back only during the call.
        f.write_str(&printed(|c, d| unsafe { mlirTypePrint(self.0, c, d) }))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
