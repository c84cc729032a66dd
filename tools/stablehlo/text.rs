//! The program as MLIR's generic text, which `mlir-opt --allow-unregistered-dialect` parses.
//!
//! Values are numbered anew in each function. `Display` leaves locations out; [`Module::with_locations`] writes them.

use crate::ir::{
    Attribute, Block, Dense, Field, FloatKind, Location, Module, NamedAttribute, Op, Quantization, Region, Signedness,
    Type, Value,
};
use crate::numbers;
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter, Write};
use std::sync::Arc;

/// Tensors with more elements have their data in hexadecimal.
const MAX_LISTED_ELEMENTS: u64 = 100;

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_module(f, self, None)
    }
}

impl Module {
    /// Returns the text with the location of each operation. Each location is written once, as an alias.
    pub fn with_locations(&self) -> impl Display {
        struct WithLocations<'a>(&'a Module);
        impl Display for WithLocations<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                let mut aliases = Aliases::default();
                aliases.add_op(f, &self.0.op)?;
                write_module(f, self.0, Some(&aliases))
            }
        }
        WithLocations(self)
    }
}

/// Writes a module, with the locations that have aliases.
fn write_module(f: &mut Formatter<'_>, module: &Module, aliases: Option<&Aliases>) -> fmt::Result {
    let mut names = Names::default();
    names.add_op(&module.op);
    Printer { f, names: &names.names, aliases }.op(&module.op, 0)
}

/// The numbers of the aliases of locations. Locations are shared, so they are identified by their addresses: with all
/// children inline, the text of a location could be exponentially longer than the artifact.
#[derive(Default)]
struct Aliases {
    numbers: HashMap<*const Location, usize>,
}

impl Aliases {
    /// Writes the aliases of the locations of `op` and of the operations in its regions.
    fn add_op(&mut self, f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
        self.add(f, &op.location)?;
        let blocks = op.regions.iter().flat_map(|region| &region.blocks);
        blocks.flat_map(|block| &block.ops).try_for_each(|op| self.add_op(f, op))
    }

    /// Writes the alias of `location` after those of the locations in it, unless it has been written.
    fn add(&mut self, f: &mut Formatter<'_>, location: &Arc<Location>) -> fmt::Result {
        if **location == Location::Unknown || self.numbers.contains_key(&Arc::as_ptr(location)) {
            return Ok(());
        }
        for child in children(location) {
            self.add(f, child)?;
        }
        let number = self.numbers.len();
        write!(f, "#loc{number} = loc(")?;
        match &**location {
            Location::Unknown => f.write_str("unknown")?,
            Location::File { file, start: (line, column), .. } => {
                write_string(f, file.as_bytes())?;
                write!(f, ":{line}:{column}")?;
            }
            Location::Name { name, child } => {
                write_string(f, name.as_bytes())?;
                write!(f, "({})", self.alias(child))?;
            }
            Location::CallSite { callee, caller } => {
                write!(f, "callsite({} at {})", self.alias(callee), self.alias(caller))?;
            }
            Location::Fused(locations) => {
                f.write_str("fused[")?;
                join(f, locations.iter().map(|location| self.alias(location)), ", ")?;
                f.write_str("]")?;
            }
        }
        self.numbers.insert(Arc::as_ptr(location), number);
        f.write_str(")\n")
    }

    /// Returns the text of a location whose alias has been written.
    fn alias(&self, location: &Arc<Location>) -> String {
        match self.numbers.get(&Arc::as_ptr(location)) {
            Some(number) => format!("#loc{number}"),
            None => "unknown".to_owned(),
        }
    }
}

/// Returns the locations in a location.
fn children(location: &Location) -> Vec<&Arc<Location>> {
    match location {
        Location::Unknown | Location::File { .. } => Vec::new(),
        Location::Name { child, .. } => vec![child],
        Location::CallSite { callee, caller } => vec![callee, caller],
        Location::Fused(locations) => locations.iter().collect(),
    }
}

/// The names of the values.
#[derive(Default)]
struct Names {
    names: HashMap<Value, String>,
    results: usize,
    arguments: usize,
}

impl Names {
    /// Names the values of `op` and of its regions.
    fn add_op(&mut self, op: &Op) {
        if !op.results.is_empty() {
            let number = self.results;
            self.results += 1;
            for (index, (value, _)) in op.results.iter().enumerate() {
                let name = if op.results.len() == 1 { format!("%{number}") } else { format!("%{number}#{index}") };
                self.names.insert(*value, name);
            }
        }
        let isolated = op.is_function();
        let outer = (self.results, self.arguments);
        if isolated {
            (self.results, self.arguments) = (0, 0);
        }
        for block in op.regions.iter().flat_map(|region| &region.blocks) {
            for (value, _) in &block.arguments {
                self.names.insert(*value, format!("%arg{}", self.arguments));
                self.arguments += 1;
            }
            block.ops.iter().for_each(|op| self.add_op(op));
        }
        if isolated {
            (self.results, self.arguments) = outer;
        }
    }
}

/// Writes operations.
struct Printer<'a, 'f> {
    f: &'a mut Formatter<'f>,
    names: &'a HashMap<Value, String>,
    aliases: Option<&'a Aliases>,
}

impl<'a> Printer<'a, '_> {
    /// Writes `op` at the nesting `depth`.
    fn op(&mut self, op: &Op, depth: usize) -> fmt::Result {
        write!(self.f, "{:1$}", "", depth * 2)?;
        if let Some((first, _)) = op.results.first() {
            let name = self.name(*first);
            match op.results.len() {
                1 => write!(self.f, "{name} = ")?,
                count => write!(self.f, "{}:{count} = ", name.trim_end_matches("#0"))?,
            }
        }
        write!(self.f, "\"{}\"(", op.name)?;
        self.list(&op.operands, |printer, operand| printer.f.write_str(printer.name(*operand)))?;
        self.f.write_str(")")?;
        if !op.successors.is_empty() {
            self.f.write_str("[")?;
            self.list(&op.successors, |printer, successor| write!(printer.f, "^bb{successor}"))?;
            self.f.write_str("]")?;
        }
        if !op.inherent.is_empty() {
            write!(self.f, " <{}>", Entries(&op.inherent))?;
        }
        self.regions(&op.regions, depth)?;
        if !op.discardable.is_empty() {
            write!(self.f, " {}", Entries(&op.discardable))?;
        }
        let results: Vec<&Type> = op.results.iter().map(|(_, ty)| &**ty).collect();
        let operands: Vec<&Type> = op.operand_types.iter().map(|ty| &**ty).collect();
        write!(self.f, " : {}", Signature(&operands, &results))?;
        if let Some(aliases) = self.aliases {
            write!(self.f, " loc({})", aliases.alias(&op.location))?;
        }
        self.f.write_str("\n")
    }

    /// Writes the regions of an operation.
    fn regions(&mut self, regions: &[Region], depth: usize) -> fmt::Result {
        if regions.is_empty() {
            return Ok(());
        }
        self.f.write_str(" (")?;
        self.list(regions, |printer, region| {
            printer.f.write_str("{\n")?;
            for (index, block) in region.blocks.iter().enumerate() {
                printer.block(block, index, depth)?;
            }
            write!(printer.f, "{:1$}}}", "", depth * 2)
        })?;
        self.f.write_str(")")
    }

    /// Writes the block with number `index`.
    fn block(&mut self, block: &Block, index: usize, depth: usize) -> fmt::Result {
        if index > 0 || !block.arguments.is_empty() {
            write!(self.f, "{:2$}^bb{index}{}", "", if block.arguments.is_empty() { "" } else { "(" }, depth * 2)?;
            self.list(&block.arguments, |printer, (value, ty)| write!(printer.f, "{}: {ty}", printer.name(*value)))?;
            writeln!(self.f, "{}:", if block.arguments.is_empty() { "" } else { ")" })?;
        }
        block.ops.iter().try_for_each(|op| self.op(op, depth + 1))
    }

    /// Returns the name of `value`.
    fn name(&self, value: Value) -> &'a str {
        self.names.get(&value).map_or("%undefined", String::as_str)
    }

    /// Writes `items` with commas between them.
    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T) -> fmt::Result) -> fmt::Result {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.f.write_str(", ")?;
            }
            write(self, item)?;
        }
        Ok(())
    }
}

/// Writes `items` with `separator` between them.
fn join<T: Display>(f: &mut Formatter<'_>, items: impl IntoIterator<Item = T>, separator: &str) -> fmt::Result {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

/// The type of a function.
struct Signature<'a, T>(&'a [T], &'a [T]);

impl<T: std::ops::Deref<Target = Type>> Display for Signature<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Signature(inputs, results) = self;
        f.write_str("(")?;
        join(f, inputs.iter().map(|ty| &**ty), ", ")?;
        f.write_str(") -> ")?;
        match results {
            [result] if !matches!(**result, Type::Function { .. }) => write!(f, "{}", **result),
            _ => {
                f.write_str("(")?;
                join(f, results.iter().map(|ty| &**ty), ", ")?;
                f.write_str(")")
            }
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Integer { width, signedness } => {
                let prefix = match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                };
                write!(f, "{prefix}{width}")
            }
            Type::Float(kind) => kind.fmt(f),
            Type::Index => f.write_str("index"),
            Type::None => f.write_str("none"),
            Type::Complex(part) => write!(f, "complex<{part}>"),
            Type::Tensor { shape, element, encoding } => {
                f.write_str("tensor<")?;
                write_shape(f, shape)?;
                write!(f, "{element}")?;
                if let Some(encoding) = encoding {
                    write!(f, ", {encoding}")?;
                }
                f.write_str(">")
            }
            Type::UnrankedTensor(element) => write!(f, "tensor<*x{element}>"),
            Type::MemRef { shape, element } => {
                f.write_str("memref<")?;
                write_shape(f, shape)?;
                write!(f, "{element}>")
            }
            Type::Tuple(types) => {
                f.write_str("tuple<")?;
                join(f, types, ", ")?;
                f.write_str(">")
            }
            Type::Function { inputs, results } => Signature(inputs, results).fmt(f),
            Type::Token => f.write_str("!stablehlo.token"),
            Type::Future(types) => {
                f.write_str("!stablehlo.future<")?;
                join(f, types, ", ")?;
                f.write_str(">")
            }
            Type::Quantized(quantization) => quantization.fmt(f),
            Type::Witness => f.write_str("!shape.witness"),
            Type::Other(text) => f.write_str(text),
        }
    }
}

/// Writes the sizes of dimensions, each with an `x` after it.
fn write_shape(f: &mut Formatter<'_>, shape: &[Option<u64>]) -> fmt::Result {
    shape.iter().try_for_each(|size| match size {
        Some(size) => write!(f, "{size}x"),
        None => f.write_str("?x"),
    })
}

impl Display for FloatKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FloatKind::Bf16 => "bf16",
            FloatKind::F16 => "f16",
            FloatKind::F32 => "f32",
            FloatKind::F64 => "f64",
            FloatKind::Tf32 => "tf32",
            FloatKind::Other { name, .. } => name,
        })
    }
}

impl Display for Quantization {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Type::Integer { width, .. } = *self.storage else {
            return f.write_str("none");
        };
        write!(f, "!quant.uniform<{}{width}", if self.signed { "i" } else { "u" })?;
        if self.range != default_range(self.signed, width) {
            write!(f, "<{}:{}>", self.range.0, self.range.1)?;
        }
        write!(f, ":{}", self.expressed)?;
        let scales = self.scales.iter().map(|&(scale, zero_point)| {
            let scale = numbers::float(FloatKind::F64, scale.to_bits());
            if zero_point == 0 { scale } else { format!("{scale}:{zero_point}") }
        });
        match self.dimension {
            Some(dimension) => {
                write!(f, ":{dimension}, {{")?;
                join(f, scales, ",")?;
                f.write_str("}>")
            }
            None => {
                f.write_str(", ")?;
                join(f, scales, ",")?;
                f.write_str(">")
            }
        }
    }
}

/// Returns the least and the greatest integer of `width` bits.
fn default_range(signed: bool, width: u32) -> (i64, i64) {
    let unused = 64 - width.clamp(1, 64);
    if signed { (i64::MIN >> unused, i64::MAX >> unused) } else { (0, (u64::MAX >> unused).cast_signed()) }
}

/// A dictionary of attributes.
struct Entries<'a>(&'a [NamedAttribute]);

impl Display for Entries<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write_name(f, name)?;
            if **value != Attribute::Unit {
                write!(f, " = {value}")?;
            }
        }
        f.write_str("}")
    }
}

/// Writes the name of an attribute or symbol, in quotes unless it is an identifier.
fn write_name(f: &mut Formatter<'_>, name: &str) -> fmt::Result {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')) {
        return f.write_str(name);
    }
    write_string(f, name.as_bytes())
}

/// Writes a string in quotes.
fn write_string(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    for &byte in bytes {
        match byte {
            b'\\' => f.write_str("\\\\")?,
            b'"' => f.write_str("\\22")?,
            b' '..=b'~' => f.write_char(char::from(byte))?,
            _ => write!(f, "\\{byte:02X}")?,
        }
    }
    f.write_char('"')
}

/// Returns a string in quotes.
pub(crate) fn quoted(text: &str) -> String {
    struct Quoted<'a>(&'a str);
    impl Display for Quoted<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write_string(f, self.0.as_bytes())
        }
    }
    Quoted(text).to_string()
}

impl Display for Attribute {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Attribute::Unit => f.write_str("unit"),
            Attribute::Bool(value) => write!(f, "{value}"),
            Attribute::Integer { ty, value } => match **ty {
                Type::Integer { width, signedness: Signedness::Unsigned } => {
                    write!(f, "{} : {ty}", value.cast_unsigned() & (u64::MAX >> (64 - width.clamp(1, 64))))
                }
                _ => write!(f, "{value} : {ty}"),
            },
            Attribute::Float { ty, bits } => match **ty {
                Type::Float(kind) => write!(f, "{} : {ty}", numbers::float(kind, *bits)),
                _ => write!(f, "0x{bits:X} : {ty}"),
            },
            Attribute::String(text) => write_string(f, text.as_bytes()),
            Attribute::Bytes(bytes) => write_string(f, bytes),
            Attribute::Type(ty) => ty.fmt(f),
            Attribute::Array(values) => {
                f.write_str("[")?;
                join(f, values, ", ")?;
                f.write_str("]")
            }
            Attribute::Dictionary(entries) => Entries(entries).fmt(f),
            Attribute::Symbol(path) => write_symbol(f, path),
            Attribute::Dense(dense) => dense.fmt(f),
            Attribute::Integers(values) => write_array(f, "i64", values),
            Attribute::Booleans(values) => write_array(f, "i1", values),
            Attribute::Enum { name, case } => write!(f, "#stablehlo<{name} {case}>"),
            Attribute::Record { name, fields } => {
                write!(f, "#stablehlo.{name}<")?;
                // A mesh has its own notation.
                let separator = if *name == "mesh" { "=" } else { " = " };
                join(f, fields.iter().map(|(name, value)| NamedField(name, separator, value)), ", ")?;
                f.write_str(">")
            }
            Attribute::Convolution([input, kernel, output]) => {
                let (input, kernel, output) = (input.join(", "), kernel.join(", "), output.join(", "));
                write!(f, "#stablehlo.conv<[{input}]x[{kernel}]->[{output}]>")
            }
            Attribute::Bounds(bounds) => {
                let bounds = bounds.iter().map(|bound| bound.map_or("?".to_owned(), |bound| bound.to_string()));
                f.write_str("#stablehlo.bounds<")?;
                join(f, bounds, ", ")?;
                f.write_str(">")
            }
            Attribute::Location(_) => f.write_str("loc(unknown)"),
            Attribute::Other(text) => f.write_str(text),
        }
    }
}

/// Writes the name of a symbol.
fn write_symbol(f: &mut Formatter<'_>, path: &[Arc<str>]) -> fmt::Result {
    for (index, name) in path.iter().enumerate() {
        f.write_str(if index > 0 { "::@" } else { "@" })?;
        write_name(f, name)?;
    }
    Ok(())
}

/// Writes an array with elements of the type `ty`.
fn write_array<T: Display>(f: &mut Formatter<'_>, ty: &str, values: &[T]) -> fmt::Result {
    write!(f, "array<{ty}{}", if values.is_empty() { "" } else { ": " })?;
    join(f, values, ", ")?;
    f.write_str(">")
}

/// A field of a record: its name, the separator and its value.
struct NamedField<'a>(&'a str, &'a str, &'a Field);

impl Display for NamedField<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, self.1)?;
        match self.2 {
            Field::Integer(value) => write!(f, "{value}"),
            Field::Integers(values) => {
                f.write_str("[")?;
                join(f, values, ", ")?;
                f.write_str("]")
            }
            Field::Float(value) => f.write_str(&numbers::float(FloatKind::F64, value.to_bits())),
            Field::SubAxis(pre_size, size) => write!(f, "({pre_size}){size}"),
            Field::MeshAxes(axes) => {
                let axes = axes.iter().map(|(name, size)| format!("<name = {}, size = {size}>", quoted(name)));
                f.write_str("[")?;
                join(f, axes, ", ")?;
                f.write_str("]")
            }
            Field::Attribute(value) => value.fmt(f),
            Field::Case(name, case) => write!(f, "#stablehlo.{name}<{case}>"),
        }
    }
}

impl Display for Dense {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (Some(element), Some(count)) = (self.ty.element(), self.ty.element_count()) else {
            return f.write_str("dense<>");
        };
        let size = element.element_size().unwrap_or(1).max(1);
        f.write_str("dense<")?;
        if self.splat {
            f.write_str(&numbers::element(element, &self.data))?;
        } else if count > MAX_LISTED_ELEMENTS && !element.is_boolean() {
            f.write_str("\"0x")?;
            self.data.iter().try_for_each(|byte| write!(f, "{byte:02X}"))?;
            f.write_str("\"")?;
        } else if count > 0 {
            self.write_elements(f, element, size)?;
        }
        write!(f, "> : {}", self.ty)
    }
}

impl Dense {
    /// Writes the elements, of which there is at least one, with brackets around the rows of each dimension.
    fn write_elements(&self, f: &mut Formatter<'_>, element: &Type, size: usize) -> fmt::Result {
        let rows = self.row_lengths();
        for (index, bytes) in self.data.chunks(size).enumerate() {
            let starts = rows.iter().take_while(|&&row| (index as u64).is_multiple_of(row)).count();
            if index > 0 {
                f.write_str(", ")?;
            }
            (0..starts).try_for_each(|_| f.write_char('['))?;
            f.write_str(&numbers::element(element, bytes))?;
            let ends = rows.iter().take_while(|&&row| (index as u64 + 1).is_multiple_of(row)).count();
            (0..ends).try_for_each(|_| f.write_char(']'))?;
        }
        Ok(())
    }

    /// Returns the number of elements in a row of each dimension, from the innermost one; each divides the next.
    fn row_lengths(&self) -> Vec<u64> {
        let Type::Tensor { shape, .. } = &*self.ty else { return Vec::new() };
        let mut length: u64 = 1;
        let mut rows = Vec::with_capacity(shape.len());
        for size in shape.iter().rev() {
            length = length.saturating_mul(size.unwrap_or(1)).max(1);
            rows.push(length);
        }
        rows
    }
}
