//! Types of the levels below arrays: integers, pointers and structs of LLVM, buffers and vectors.

use super::*;

impl Context {
    /// Returns the signless integer type of this width.
    pub fn int(self, bits: u32) -> Type {
        // SAFETY: the context is valid.
        Type(unsafe { mlirIntegerTypeGet(self.0, bits) })
    }

    /// Returns LLVM's pointer type, in the default address space.
    pub fn ptr(self) -> Type {
        // SAFETY: the context is valid.
        Type(unsafe { mlirLLVMPointerTypeGet(self.0, 0) })
    }

    pub fn llvm_array(self, element: Type, len: usize) -> Type {
        // SAFETY: the element type is valid.
        Type(unsafe { mlirLLVMArrayTypeGet(element.0, len as u32) })
    }

    pub fn llvm_struct(self, fields: &[Type]) -> Type {
        let raw: Vec<MlirType> = fields.iter().map(|t| t.0).collect();
        // SAFETY: the handles are valid, and MLIR copies the list.
        Type(unsafe { mlirLLVMStructTypeLiteralGet(self.0, raw.len() as isize, raw.as_ptr(), false) })
    }

    /// Returns the memref type of this shape, with the default layout and memory space.
    pub fn memref(self, shape: &[Dim], element: Type) -> Type {
        // SAFETY: the element type is valid, MLIR copies the sizes, and null stands for the default layout and memory
        // space.
        unsafe {
            let dynamic = mlirShapedTypeGetDynamicSize();
            let sizes: Vec<i64> = shape.iter().map(|d| d.map_or(dynamic, |n| n as i64)).collect();
            let none = mlirAttributeGetNull();
            Type(mlirMemRefTypeGet(element.0, sizes.len() as isize, sizes.as_ptr(), none, none))
        }
    }

    pub fn vector(self, lanes: usize, element: Type) -> Type {
        // SAFETY: the element type is valid, and MLIR copies the size.
        Type(unsafe { mlirVectorTypeGet(1, &(lanes as i64), element.0) })
    }

    /// Parses `!lambda...` and other types that have only a textual form here. `source` is ours, so it parses.
    pub fn ty(self, source: &str) -> Type {
        self.parse_type(source).unwrap_or_else(|| panic!("internal error: type `{source}`"))
    }

    /// Parses `#llvm...` and other attributes that have only a textual form here. `source` is ours, so it parses.
    pub fn attribute(self, source: &str) -> Attribute {
        self.parse_attribute(source).unwrap_or_else(|| panic!("internal error: attribute `{source}`"))
    }
}

impl Type {
    pub fn is_float(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsAFloat(self.0) }
    }

    /// Checks whether this is a float, integer or index type.
    pub fn is_scalar(self) -> bool {
        // SAFETY: the type is valid.
        self.is_float() || self.is_index() || unsafe { mlirTypeIsAInteger(self.0) }
    }

    /// Returns the number of `?`.
    pub fn dynamic_dims(self) -> usize {
        self.shape().iter().filter(|d| d.is_none()).count()
    }

    pub fn is_vector(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { mlirTypeIsAVector(self.0) }
    }

    /// Returns the length of a vector.
    pub fn lanes(self) -> usize {
        // SAFETY: the type is a valid vector type of rank 1 or more.
        unsafe { mlirShapedTypeGetDimSize(self.0, 0) as usize }
    }

    /// Returns the width of a scalar integer type.
    pub fn integer_bits(self) -> Option<u32> {
        // SAFETY: the type is valid, and the width is that of an integer type.
        unsafe { mlirTypeIsAInteger(self.0).then(|| mlirIntegerTypeGetWidth(self.0)) }
    }

    /// Returns the same scalar, vector or memref type with other elements, or `None` for another type.
    pub fn with_scalar(self, scalar: Type) -> Option<Type> {
        // SAFETY: the handles are valid; a shaped type is ranked here, each `axis` is less than its rank, each accessor
        // is called for its kind only, and MLIR copies the lists.
        unsafe {
            let rank = if mlirTypeIsAShaped(self.0) { mlirShapedTypeGetRank(self.0) as isize } else { 0 };
            let sizes: Vec<i64> = (0..rank).map(|axis| mlirShapedTypeGetDimSize(self.0, axis)).collect();
            if self.is_scalar() {
                Some(scalar)
            } else if self.is_vector() {
                let scalable: Vec<bool> = (0..rank).map(|axis| mlirVectorTypeIsDimScalable(self.0, axis)).collect();
                Some(Type(mlirVectorTypeGetScalable(rank, sizes.as_ptr(), scalable.as_ptr(), scalar.0)))
            } else if self.is_memref() {
                let (layout, space) = (mlirMemRefTypeGetLayout(self.0), mlirMemRefTypeGetMemorySpace(self.0));
                Some(Type(mlirMemRefTypeGet(scalar.0, rank, sizes.as_ptr(), layout, space)))
            } else {
                None
            }
        }
    }
}
