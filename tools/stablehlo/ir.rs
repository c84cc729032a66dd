//! The data model of a program: operations with operands, results, attributes and regions.
//!
//! Types and attributes are shared by reference counting, as in the tables of the artifact.

use std::sync::Arc;

/// A program: the operation `builtin.module`.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// The operation `builtin.module`.
    pub op: Op,
}

/// A value: the result of an operation or the argument of a block. Its number is unique in the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// An operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Op {
    /// The name with its dialect, such as `stablehlo.add`.
    pub name: String,
    /// The operands.
    pub operands: Vec<Value>,
    /// The types of the operands.
    pub operand_types: Vec<Arc<Type>>,
    /// The results with their types.
    pub results: Vec<(Value, Arc<Type>)>,
    /// The attributes that the operation defines, in ascending order of their names.
    pub inherent: Vec<NamedAttribute>,
    /// The other attributes, in ascending order of their names.
    pub discardable: Vec<NamedAttribute>,
    /// The blocks of the same region to which the operation may branch.
    pub successors: Vec<usize>,
    /// The regions.
    pub regions: Vec<Region>,
    /// The position in the source program.
    pub location: Arc<Location>,
}

impl Op {
    /// Checks whether the operation is a module.
    pub fn is_module(&self) -> bool {
        self.name.split_once('.') == Some(("builtin", "module"))
    }

    /// Checks whether the operation is a function.
    pub fn is_function(&self) -> bool {
        self.name.split_once('.') == Some(("func", "func"))
    }

    /// Returns the attribute `name`, inherent or discardable.
    pub fn attribute(&self, name: &str) -> Option<&Arc<Attribute>> {
        self.inherent.iter().chain(&self.discardable).find(|(found, _)| **found == *name).map(|(_, value)| value)
    }
}

/// An attribute with its name.
pub type NamedAttribute = (Arc<str>, Arc<Attribute>);

/// A list of blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Region {
    /// The blocks; the first one is the entry.
    pub blocks: Vec<Block>,
}

/// A list of operations with arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Block {
    /// The arguments with their types.
    pub arguments: Vec<(Value, Arc<Type>)>,
    /// The operations.
    pub ops: Vec<Op>,
}

/// A position in the source program.
#[derive(Debug, Clone, PartialEq)]
pub enum Location {
    /// No position.
    Unknown,
    /// A range in a file; a single position has the same start and end.
    File {
        /// The name of the file.
        file: Arc<str>,
        /// Line and column of the start.
        start: (u64, u64),
        /// Line and column of the end.
        end: (u64, u64),
    },
    /// A position with a name.
    Name {
        /// The name.
        name: Arc<str>,
        /// The position.
        child: Arc<Location>,
    },
    /// A position in a callee and the position of its call.
    CallSite {
        /// The position in the callee.
        callee: Arc<Location>,
        /// The position of the call.
        caller: Arc<Location>,
    },
    /// Several positions.
    Fused(Vec<Arc<Location>>),
}

/// The signs of an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signedness {
    /// The operations decide; StableHLO's signed integers have this form.
    Signless,
    /// Two's complement.
    Signed,
    /// Not negative.
    Unsigned,
}

/// A floating-point format, named like its type in MLIR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatKind {
    /// `bf16`.
    Bf16,
    /// `f16`.
    F16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `tf32`.
    Tf32,
    /// A format of at most eight bits or with more than 64 bits, by its name in MLIR.
    Other {
        /// The name in MLIR.
        name: &'static str,
        /// The number of bits.
        bits: u32,
    },
}

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// An integer.
    Integer {
        /// The number of bits.
        width: u32,
        /// The signs.
        signedness: Signedness,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// An index.
    Index,
    /// No value.
    None,
    /// A complex number with parts of the given type.
    Complex(Arc<Type>),
    /// A tensor; a dimension without a static size is `None`.
    Tensor {
        /// The sizes of the dimensions.
        shape: Vec<Option<u64>>,
        /// The type of the elements.
        element: Arc<Type>,
        /// The encoding, such as `#stablehlo.bounds<…>`.
        encoding: Option<Arc<Attribute>>,
    },
    /// A tensor of any rank.
    UnrankedTensor(Arc<Type>),
    /// A buffer.
    MemRef {
        /// The sizes of the dimensions.
        shape: Vec<Option<u64>>,
        /// The type of the elements.
        element: Arc<Type>,
    },
    /// A tuple.
    Tuple(Vec<Arc<Type>>),
    /// A function.
    Function {
        /// The types of the arguments.
        inputs: Vec<Arc<Type>>,
        /// The types of the results.
        results: Vec<Arc<Type>>,
    },
    /// `!stablehlo.token`.
    Token,
    /// `!stablehlo.future<…>`.
    Future(Vec<Arc<Type>>),
    /// `!quant.uniform<…>`.
    Quantized(Quantization),
    /// `!shape.witness`.
    Witness,
    /// A type of another dialect as text.
    Other(String),
}

/// The parameters of a quantized type.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantization {
    /// True if the stored integers are signed.
    pub signed: bool,
    /// The type of the stored integers.
    pub storage: Arc<Type>,
    /// The type of the numbers that they stand for.
    pub expressed: Arc<Type>,
    /// The quantized dimension, or `None` with one scale for the whole tensor.
    pub dimension: Option<u64>,
    /// The scales with their zero points.
    pub scales: Vec<(f64, i64)>,
    /// The least and the greatest stored integer.
    pub range: (i64, i64),
}

/// An attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// `unit`.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of at most 64 bits.
    Integer {
        /// The type.
        ty: Arc<Type>,
        /// The value, sign-extended.
        value: i64,
    },
    /// A floating-point number by its bits.
    Float {
        /// The type.
        ty: Arc<Type>,
        /// The bits.
        bits: u64,
    },
    /// A string.
    String(Arc<str>),
    /// A string that is not UTF-8.
    Bytes(Arc<[u8]>),
    /// A type.
    Type(Arc<Type>),
    /// A list.
    Array(Vec<Arc<Attribute>>),
    /// A dictionary in ascending order of its names.
    Dictionary(Vec<NamedAttribute>),
    /// The name of a symbol and of symbols nested in it.
    Symbol(Vec<Arc<str>>),
    /// The elements of a tensor.
    Dense(Dense),
    /// `array<i64: …>`.
    Integers(Vec<i64>),
    /// `array<i1: …>`.
    Booleans(Vec<bool>),
    /// A case of an enumeration of StableHLO, such as `#stablehlo<comparison_direction LT>`.
    Enum {
        /// The name of the enumeration.
        name: &'static str,
        /// The case.
        case: &'static str,
    },
    /// A record of StableHLO, such as `#stablehlo.dot<…>`.
    Record {
        /// The name of the record.
        name: &'static str,
        /// The fields that differ from their defaults.
        fields: Vec<(&'static str, Field)>,
    },
    /// `#stablehlo.conv<…>`: the labels of the dimensions of input, kernel and output.
    Convolution([Vec<String>; 3]),
    /// `#stablehlo.bounds<…>`.
    Bounds(Vec<Option<i64>>),
    /// A position in the source program.
    Location(Arc<Location>),
    /// An attribute of another dialect as text.
    Other(String),
}

impl Attribute {
    /// Returns the number of integers that the attribute holds and does not share with others.
    pub(crate) fn own_size(&self) -> usize {
        match self {
            Attribute::Integers(values) => values.len(),
            Attribute::Booleans(values) => values.len(),
            Attribute::Convolution(labels) => labels.iter().map(Vec::len).sum(),
            Attribute::Record { fields, .. } => fields.iter().map(|(_, field)| field.own_size()).sum(),
            _ => 0,
        }
    }
}

impl Field {
    /// Returns the number of integers that the field holds.
    fn own_size(&self) -> usize {
        match self {
            Field::Integers(values) => values.len(),
            _ => 1,
        }
    }
}

/// The elements of a tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// The type of the tensor.
    pub ty: Arc<Type>,
    /// The elements in row-major order, little-endian, each with a whole number of bytes; one element if all are equal.
    pub data: Arc<[u8]>,
    /// True if `data` contains one element, to which all others are equal.
    pub splat: bool,
}

/// The value of a field of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// An integer.
    Integer(i64),
    /// A list of integers.
    Integers(Vec<i64>),
    /// A number of 64 bits.
    Float(f64),
    /// A part of a mesh axis: the product of the sizes before it, and its size.
    SubAxis(i64, i64),
    /// The axes of a mesh with their sizes.
    MeshAxes(Vec<(Arc<str>, i64)>),
    /// Any attribute.
    Attribute(Arc<Attribute>),
    /// A case of an enumeration that is printed as `#stablehlo.NAME<CASE>`.
    Case(&'static str, &'static str),
}
