//! Handles to attributes, and the values that they contain.

use super::super::{mlopt_attribute_integers, mlopt_attribute_of_integers, mlopt_raw_data_size, text};
use super::*;

impl Attribute {
    pub fn context(self) -> Context {
        // SAFETY: the attribute is valid.
        Context(unsafe { mlirAttributeGetContext(self.0) })
    }

    /// Returns the type of a number, or `none` for other attributes.
    pub fn ty(self) -> Type {
        // SAFETY: the attribute is valid.
        Type(unsafe { mlirAttributeGetType(self.0) })
    }

    pub fn integer(ty: Type, value: i64) -> Attribute {
        // SAFETY: `ty` is valid, and an integer type or `index`.
        Attribute(unsafe { mlirIntegerAttrGet(ty.0, value) })
    }

    pub fn float(ty: Type, value: f64) -> Attribute {
        // SAFETY: `ty` is valid, and a float type.
        Attribute(unsafe { mlirFloatAttrDoubleGet(ty.context().0, ty.0, value) })
    }

    /// Returns dense elements with one value everywhere; `ty` is a static tensor type, `value` an attribute of its
    /// element type.
    pub fn splat(ty: Type, value: Attribute) -> Attribute {
        // SAFETY: the type and the element are valid and of the required kinds.
        Attribute(unsafe { mlirDenseElementsAttrSplatGet(ty.0, value.0) })
    }

    /// Returns a dense constant of these elements, row-major.
    pub fn dense(ty: Type, elements: &[Attribute]) -> Attribute {
        let raw: Vec<MlirAttribute> = elements.iter().map(|a| a.0).collect();
        // SAFETY: `ty` and the elements are valid and of matching kinds, and MLIR copies the `raw.len()` elements.
        Attribute(unsafe { mlirDenseElementsAttrGet(ty.0, raw.len() as isize, raw.as_ptr()) })
    }

    /// Returns the value of an integer, index or boolean attribute.
    pub fn as_i64(self) -> Option<i64> {
        // SAFETY: the attribute is valid, and each accessor is called for its kind only.
        unsafe {
            if mlirAttributeIsABool(self.0) {
                Some(mlirBoolAttrGetValue(self.0) as i64)
            } else {
                mlirAttributeIsAInteger(self.0).then(|| mlirIntegerAttrGetValueInt(self.0))
            }
        }
    }

    /// Returns the integer parameters of this attribute, in the order of its definition: the value of an enum such as
    /// `#arith.fastmath<fast>`, or the parameters of an attribute of ours. `None` for attributes with other parameters.
    pub fn integers(self) -> Option<Vec<i64>> {
        extern "C" fn push(number: i64, data: *mut c_void) {
            // SAFETY: `data` is the list below, which outlives the call.
            unsafe { &mut *(data as *mut Vec<i64>) }.push(number);
        }
        let mut found: Vec<i64> = Vec::new();
        // SAFETY: the attribute is valid, and `push` gets the list that it expects.
        let known = unsafe { mlopt_attribute_integers(self.0, push, (&raw mut found).cast()) };
        known.then_some(found)
    }

    /// Returns the attribute `name`, as in `arith.fastmath`, with these integer parameters, or `None` if no attribute
    /// of this name has this number of parameters. Its dialect must be loaded.
    pub fn of_integers(context: Context, name: &str, numbers: &[i64]) -> Option<Attribute> {
        // SAFETY: the context is valid, and C++ reads `numbers.len()` numbers.
        let raw =
            unsafe { mlopt_attribute_of_integers(context.0, text(name), numbers.len() as isize, numbers.as_ptr()) };
        Attribute::some(raw)
    }

    pub fn as_f64(self) -> Option<f64> {
        // SAFETY: the attribute is valid, and its number is read only if it is a float.
        unsafe { mlirAttributeIsAFloat(self.0).then(|| mlirFloatAttrGetValueDouble(self.0)) }
    }

    pub fn as_string(self) -> Option<String> {
        // SAFETY: the attribute is valid; only a string is read, which lives as long as the context.
        unsafe { mlirAttributeIsAString(self.0).then(|| to_str(&mlirStringAttrGetValue(self.0)).to_string()) }
    }

    /// Checks whether this is the string `text`, without copying it.
    pub fn is_string(self, text: &str) -> bool {
        // SAFETY: as for `as_string`.
        unsafe { mlirAttributeIsAString(self.0) && to_str(&mlirStringAttrGetValue(self.0)) == text }
    }

    pub fn as_symbol(self) -> Option<String> {
        // SAFETY: the attribute is valid; only a symbol is read, whose text lives as long as the context.
        unsafe {
            mlirAttributeIsAFlatSymbolRef(self.0).then(|| to_str(&mlirFlatSymbolRefAttrGetValue(self.0)).to_string())
        }
    }

    pub fn as_type(self) -> Option<Type> {
        // SAFETY: the attribute is valid, and its type is read only if it has one.
        unsafe { mlirAttributeIsAType(self.0).then(|| Type(mlirTypeAttrGetValue(self.0))) }
    }

    pub fn as_i64_array(self) -> Option<Vec<i64>> {
        // SAFETY: the attribute is valid; only elements of an `i64` array are read, below their number.
        unsafe {
            mlirAttributeIsADenseI64Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0)).map(|i| mlirDenseI64ArrayGetElement(self.0, i)).collect()
            })
        }
    }

    pub fn as_i32_array(self) -> Option<Vec<i32>> {
        // SAFETY: the attribute is valid; only elements of an `i32` array are read, below their number.
        unsafe {
            mlirAttributeIsADenseI32Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0)).map(|i| mlirDenseI32ArrayGetElement(self.0, i)).collect()
            })
        }
    }

    pub fn as_bool_array(self) -> Option<Vec<bool>> {
        // SAFETY: the attribute is valid; only elements of an array of booleans are read, below their number.
        unsafe {
            mlirAttributeIsADenseBoolArray(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0)).map(|i| mlirDenseBoolArrayGetElement(self.0, i)).collect()
            })
        }
    }

    pub fn as_array(self) -> Option<Vec<Attribute>> {
        // SAFETY: the attribute is valid; only elements of an array are read, below their number.
        unsafe {
            mlirAttributeIsAArray(self.0).then(|| {
                (0..mlirArrayAttrGetNumElements(self.0))
                    .map(|i| Attribute(mlirArrayAttrGetElement(self.0, i)))
                    .collect()
            })
        }
    }

    /// Returns the elements of a dense constant as they are in memory, row-major, `width` bytes each: one element for a
    /// splat. `None` for other attributes, and for booleans, which MLIR stores as bits.
    pub fn dense_bytes(self, width: usize) -> Option<Vec<u8>> {
        if !self.is_dense_elements() || self.ty().scalar().is_integer(1) {
            return None;
        }
        // SAFETY: the attribute is valid, and its elements are dense.
        let (splat, len) =
            unsafe { (mlirDenseElementsAttrIsSplat(self.0), mlirElementsAttrGetNumElements(self.0) as usize) };
        let expected = if splat { width } else { len * width };
        // SAFETY: as above.
        let (bytes, size) = unsafe { (mlirDenseElementsAttrGetRawData(self.0), mlopt_raw_data_size(self.0)) };
        if len == 0 {
            return Some(Vec::new());
        }
        // MLIR 19's parser accepts real numbers as complex ones, and stores too few bytes or none.
        if bytes.is_null() || size != expected {
            return None;
        }
        // SAFETY: MLIR keeps as many bytes as it says.
        Some(unsafe { std::slice::from_raw_parts(bytes.cast(), size) }.to_vec())
    }

    /// Returns the dense constant with these bytes, as [`Attribute::dense_bytes`] returns them.
    pub fn of_dense_bytes(ty: Type, bytes: &[u8]) -> Option<Attribute> {
        // SAFETY: the type is valid, and MLIR copies the bytes; it returns null if their number does not fit.
        Attribute::some(unsafe { mlirDenseElementsAttrRawBufferGet(ty.0, bytes.len(), bytes.as_ptr().cast()) })
    }

    /// Returns the entry of a dictionary with this key.
    pub fn entry(self, key: &str) -> Option<Attribute> {
        // SAFETY: the attribute is valid, and only a dictionary is asked for an entry; MLIR returns null without one.
        unsafe {
            mlirAttributeIsADictionary(self.0)
                .then(|| Attribute::some(mlirDictionaryAttrGetElementByName(self.0, text(key))))
                .flatten()
        }
    }

    /// Returns the repeated element of a dense constant that is a splat.
    pub fn splat_value(self) -> Option<Attribute> {
        // SAFETY: the attribute is valid, and its elements are dense.
        let splat = self.is_dense_elements() && unsafe { mlirDenseElementsAttrIsSplat(self.0) };
        // SAFETY: it is a splat of dense elements.
        splat.then(|| Attribute(unsafe { mlirDenseElementsAttrGetSplatValue(self.0) }))
    }

    pub fn is_dense_elements(self) -> bool {
        // SAFETY: the attribute is valid.
        unsafe { mlirAttributeIsADenseElements(self.0) }
    }

    /// Returns the numbers in a constant, with a splat's number once, or `None` for other attributes.
    pub fn distinct_numbers(self, ty: Type) -> Option<Vec<f64>> {
        let array = match self.splat_value() {
            Some(one) => one.as_array_value(ty.scalar()),
            None => self.as_array_value(ty),
        };
        Some(array?.to_f64())
    }

    /// Returns the elements of a dense constant, or the value of a scalar constant. `None` for other attributes, and
    /// for splats with more elements than an array may have. `ty` must have the elements and shape of the constant's
    /// type.
    pub fn as_array_value(self, ty: Type) -> Option<crate::value::Array> {
        use crate::value::{Array, Data};
        let element = ty.element()?;
        let shape: Option<Vec<usize>> = ty.shape().into_iter().collect();
        let shape = shape?;
        crate::limits::allocatable(&shape).ok()?;
        let len: usize = shape.iter().product();
        let a = self.0;
        let dense = self.is_dense_elements();
        if !dense && !shape.is_empty() {
            return None;
        }
        // SAFETY: the attribute is valid, and its elements are dense.
        let is_splat = dense && unsafe { mlirDenseElementsAttrIsSplat(a) };
        let at = |i: usize| if is_splat { 0 } else { i as isize };
        // SAFETY: `a` has the type `ty`, so its elements are floats of this width and number, and `i` is less than
        // their number.
        let float = |i: usize| unsafe {
            if !dense {
                self.as_f64()
            } else {
                Some(match element {
                    Element::F32 => mlirDenseElementsAttrGetFloatValue(a, at(i)) as f64,
                    Element::F64 => mlirDenseElementsAttrGetDoubleValue(a, at(i)),
                    // There is no accessor for the types of 16 bits, whose elements MLIR stores as such.
                    _ => element.of_bits(u64::from(*(mlirDenseElementsAttrGetRawData(a) as *const u16).offset(at(i)))),
                })
            }
        };
        // SAFETY: as for `float`; MLIR stores an `index` in 64 bits, aligned to 8 bytes.
        let integer = |i: usize| unsafe {
            if !dense {
                return self.as_i64();
            }
            Some(match element {
                Element::I1 => mlirDenseElementsAttrGetBoolValue(a, at(i)) as i64,
                Element::I8 => mlirDenseElementsAttrGetInt8Value(a, at(i)) as i64,
                Element::I16 => mlirDenseElementsAttrGetInt16Value(a, at(i)) as i64,
                Element::I32 => mlirDenseElementsAttrGetInt32Value(a, at(i)) as i64,
                Element::I64 => mlirDenseElementsAttrGetInt64Value(a, at(i)),
                // `index` elements are stored in 64 bits, but the typed accessor rejects them.
                _ => *(mlirDenseElementsAttrGetRawData(a) as *const i64).offset(at(i)),
            })
        };
        let data = match element {
            Element::F16 | Element::BF16 | Element::F32 | Element::F64 => {
                Data::of_f64(element, (0..len).map(float).collect::<Option<Vec<f64>>>()?)
            }
            Element::I1 | Element::I8 | Element::I16 | Element::I32 | Element::I64 | Element::Index => {
                Data::of_integers(element, (0..len).map(integer).collect::<Option<Vec<i64>>>()?)
            }
        };
        Some(Array::new(shape, data))
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the attribute is valid, and MLIR calls back only during the call.
        f.write_str(&printed(|c, d| unsafe { mlirAttributePrint(self.0, c, d) }))
    }
}

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
