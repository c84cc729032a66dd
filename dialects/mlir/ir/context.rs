//! Contexts, which own types and attributes; and locations.

use super::super::text;
use super::*;

impl Context {
    pub fn parse_type(self, source: &str) -> Option<Type> {
        // SAFETY: the context is valid, and the parser copies the text.
        Type::some(unsafe { mlirTypeParseGet(self.0, text(source)) })
    }

    /// Returns the detached ops of a module with the text `source`, or `None` after a diagnostic.
    pub fn parse_ops(self, source: &str) -> Option<Vec<Op>> {
        // The parser reads the byte after the text, which must be zero.
        let ended = format!("{source}\0");
        erased::forget_all();
        // SAFETY: the context is valid, and a zero byte follows the text.
        let module = unsafe { mlirModuleCreateParse(self.0, text(&ended[..source.len()])) };
        if module.ptr.is_null() {
            return None;
        }
        // SAFETY: the module exists until it is destroyed below.
        let ops = Op::from_raw(unsafe { mlirModuleGetOperation(module) }).child_ops();
        let ops = ops.into_iter().map(Op::detach).collect();
        // SAFETY: the module is ours, and its ops are detached, so nothing refers to it.
        unsafe { mlirModuleDestroy(module) };
        Some(ops)
    }

    /// Loads dialects by name, as a pass manager does before it runs a pass that creates their ops.
    pub fn load_dialects(self, names: &[&str]) {
        for name in names {
            // SAFETY: the context is valid, and MLIR only compares the name.
            unsafe { mlirContextGetOrLoadDialect(self.0, text(name)) };
        }
    }

    pub fn parse_attribute(self, source: &str) -> Option<Attribute> {
        // SAFETY: the context is valid, and the parser copies the text.
        Attribute::some(unsafe { mlirAttributeParseGet(self.0, text(source)) })
    }

    /// Checks whether an op of this name is registered. Loads its dialect.
    pub fn has_op(self, name: &str) -> bool {
        let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
        // SAFETY: the context is valid, and MLIR only compares the names.
        unsafe {
            mlirContextGetOrLoadDialect(self.0, text(dialect));
            mlirContextIsRegisteredOperation(self.0, text(name))
        }
    }

    /// Checks whether MLIR infers the types of the results of a registered op.
    pub fn infers_results(self, name: &str) -> bool {
        // SAFETY: the context is valid, and the interface has an identity.
        unsafe { mlirOperationImplementsInterfaceStatic(text(name), self.0, mlirInferTypeOpInterfaceTypeID()) }
    }

    pub fn unknown_location(self) -> Location {
        // SAFETY: the context is valid.
        Location(unsafe { mlirLocationUnknownGet(self.0) })
    }

    /// Returns a position in a file, counted from one.
    pub fn position(self, file: &str, line: usize, column: usize) -> Location {
        // SAFETY: the context is valid, and MLIR copies the name.
        Location(unsafe { mlirLocationFileLineColGet(self.0, text(file), line as u32, column as u32) })
    }

    pub fn index(self) -> Type {
        // SAFETY: the context is valid.
        Type(unsafe { mlirIndexTypeGet(self.0) })
    }

    pub fn scalar(self, element: Element) -> Type {
        // SAFETY: the context is valid.
        Type(unsafe {
            match element {
                Element::F16 => mlirF16TypeGet(self.0),
                Element::BF16 => mlirBF16TypeGet(self.0),
                Element::F32 => mlirF32TypeGet(self.0),
                Element::F64 => mlirF64TypeGet(self.0),
                Element::Index => mlirIndexTypeGet(self.0),
                Element::I1 | Element::I8 | Element::I16 | Element::I32 | Element::I64 => {
                    mlirIntegerTypeGet(self.0, element.bits())
                }
            }
        })
    }

    /// Returns the signless integer type of this width.
    pub fn signless(self, width: u32) -> Type {
        // SAFETY: the context is valid, and the width is that of an integer type.
        Type(unsafe { mlirIntegerTypeGet(self.0, width) })
    }

    pub fn bool_attr(self, value: bool) -> Attribute {
        // SAFETY: the context is valid.
        Attribute(unsafe { mlirBoolAttrGet(self.0, value as i32) })
    }

    pub fn string_attr(self, value: &str) -> Attribute {
        // SAFETY: the context is valid, and MLIR copies the text.
        Attribute(unsafe { mlirStringAttrGet(self.0, text(value)) })
    }

    pub fn symbol_attr(self, name: &str) -> Attribute {
        // SAFETY: the context is valid, and MLIR copies the name.
        Attribute(unsafe { mlirFlatSymbolRefAttrGet(self.0, text(name)) })
    }

    pub fn i64_array_attr(self, values: &[i64]) -> Attribute {
        // SAFETY: the context is valid, and MLIR copies the `values.len()` numbers.
        Attribute(unsafe { mlirDenseI64ArrayGet(self.0, values.len() as isize, values.as_ptr()) })
    }

    pub fn i32_array_attr(self, values: &[i32]) -> Attribute {
        // SAFETY: the context is valid, and MLIR copies the `values.len()` numbers.
        Attribute(unsafe { mlirDenseI32ArrayGet(self.0, values.len() as isize, values.as_ptr()) })
    }

    pub fn array_attr(self, values: &[Attribute]) -> Attribute {
        let raw: Vec<MlirAttribute> = values.iter().map(|a| a.0).collect();
        // SAFETY: the handles are valid, and MLIR copies the list.
        Attribute(unsafe { mlirArrayAttrGet(self.0, raw.len() as isize, raw.as_ptr()) })
    }

    /// Returns a list of strings.
    pub fn strings_attr(self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Attribute {
        self.array_attr(&texts.into_iter().map(|text| self.string_attr(text.as_ref())).collect::<Vec<_>>())
    }

    pub fn unit_attr(self) -> Attribute {
        // SAFETY: the context is valid.
        Attribute(unsafe { mlirUnitAttrGet(self.0) })
    }

    pub fn type_attr(self, ty: Type) -> Attribute {
        // SAFETY: the type is valid.
        Attribute(unsafe { mlirTypeAttrGet(ty.0) })
    }

    /// Returns the unit type.
    pub fn unit(self) -> Type {
        // SAFETY: the context is valid.
        Type(unsafe { mlirNoneTypeGet(self.0) })
    }

    pub fn tuple(self, elements: &[Type]) -> Type {
        let raw: Vec<MlirType> = elements.iter().map(|t| t.0).collect();
        // SAFETY: the handles are valid, and MLIR copies the list.
        Type(unsafe { mlirTupleTypeGet(self.0, raw.len() as isize, raw.as_ptr()) })
    }

    pub fn function_type(self, inputs: &[Type], results: &[Type]) -> Type {
        let raw = |types: &[Type]| types.iter().map(|t| t.0).collect::<Vec<_>>();
        let (i, r) = (raw(inputs), raw(results));
        // SAFETY: the handles are valid, and MLIR copies the lists.
        Type(unsafe { mlirFunctionTypeGet(self.0, i.len() as isize, i.as_ptr(), r.len() as isize, r.as_ptr()) })
    }
}

impl Location {
    pub fn context(self) -> Context {
        // SAFETY: the location is valid.
        Context(unsafe { mlirLocationGetContext(self.0) })
    }

    /// Returns the fusion of the locations from which one op comes.
    pub fn fused(context: Context, locations: &[Location]) -> Location {
        let raw: Vec<MlirLocation> = locations.iter().map(|l| l.0).collect();
        // SAFETY: the handles are valid, MLIR copies the list, and null stands for no metadata.
        Location(unsafe { mlirLocationFusedGet(context.0, raw.len() as isize, raw.as_ptr(), mlirAttributeGetNull()) })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the location is valid, and MLIR calls back only during the call.
        f.write_str(&printed(|c, d| unsafe { mlirLocationPrint(self.0, c, d) }))
    }
}
