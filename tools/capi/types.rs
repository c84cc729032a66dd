//! The types of the interface.
#![allow(non_camel_case_types)]

use crate::handle::Kind;
use crate::status::Explained;
use mlopt::{Call, Code, Diagnostic, DlTensor, Element, Function, Module, Session, Severity, Tensor, TensorType};
use std::ffi::{c_char, c_void};

/// The compiler, with its cache of compiled code.
pub struct mlopt_session {
    _opaque: [u8; 0],
}

/// A program.
pub struct mlopt_module {
    _opaque: [u8; 0],
}

/// Compiled code.
pub struct mlopt_code {
    _opaque: [u8; 0],
}

/// A function of compiled code, which keeps the code.
pub struct mlopt_function {
    _opaque: [u8; 0],
}

/// A function with arguments of fixed shapes, and memory for its calls.
pub struct mlopt_call {
    _opaque: [u8; 0],
}

/// The results of a call, in memory of their own.
pub struct mlopt_result {
    _opaque: [u8; 0],
}

/// The reason why a function failed.
pub struct mlopt_error {
    _opaque: [u8; 0],
}

/// A function, with its types in the layout of C.
pub struct TypedFunction {
    pub function: Function,
    pub inputs: Vec<(Element, Vec<i64>)>,
    pub results: Vec<(Element, Vec<i64>)>,
}

/// A prepared call, with the shapes of its results in the layout of C.
pub struct ShapedCall {
    pub call: Call,
    pub results: Vec<Vec<i64>>,
}

macro_rules! kinds {
    ($($name:ident: $value:ty = $text:literal;)*) => {$(
        impl Kind for $name {
            type Value = $value;
            const NAME: &'static str = $text;
        }
    )*};
}
kinds! {
    mlopt_session: Session = "session";
    mlopt_module: Option<Module> = "module";
    mlopt_code: Code = "code";
    mlopt_function: TypedFunction = "function";
    mlopt_call: ShapedCall = "call";
    mlopt_result: Vec<(Tensor, Vec<i64>)> = "result";
    mlopt_error: Explained = "error";
}

/// A text of `size` bytes in UTF-8, which is not terminated.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mlopt_string {
    pub data: *const c_char,
    pub size: usize,
}

impl mlopt_string {
    pub const EMPTY: mlopt_string = mlopt_string { data: c"".as_ptr(), size: 0 };

    /// Returns a text that lives as long as `text`.
    pub fn of(text: &str) -> mlopt_string {
        mlopt_string { data: text.as_ptr().cast(), size: text.len() }
    }
}

/// The type of elements, as in DLPack.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mlopt_element {
    /// 0 for integers, 2 for floats, 4 for bf16, 6 for truth values of one byte, which are false if it is 0.
    pub code: u8,
    /// The size of an element.
    pub bits: u8,
    /// 1.
    pub lanes: u16,
}

impl mlopt_element {
    pub fn of(element: Element) -> mlopt_element {
        let (code, bits) = match element {
            Element::I1 => (6, 8),
            Element::BF16 => (4, 16),
            Element::F16 | Element::F32 | Element::F64 => (2, element.bytes() as u8 * 8),
            Element::I8 | Element::I16 | Element::I32 | Element::I64 | Element::Index => (0, element.bytes() as u8 * 8),
        };
        mlopt_element { code, bits, lanes: 1 }
    }
}

/// An array in memory that others own, in the layout of `DLTensor` of DLPack.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mlopt_tensor {
    pub data: *mut c_void,
    /// 1: the memory of the CPU.
    pub device_type: i32,
    pub device_id: i32,
    /// The number of axes; 0 for a scalar.
    pub ndim: i32,
    pub dtype: mlopt_element,
    pub shape: *const i64,
    /// In elements; null for a contiguous, row-major array.
    pub strides: *const i64,
    pub byte_offset: u64,
}

impl mlopt_tensor {
    /// Returns the same tensor in Rust.
    pub fn tensor(&self) -> DlTensor {
        let mlopt_tensor { data, device_type, device_id, ndim, dtype, shape, strides, byte_offset } = *self;
        let mlopt_element { code, bits, lanes } = dtype;
        DlTensor { data, device_type, device_id, ndim, code, bits, lanes, shape, strides, byte_offset }
    }
}

/// The type of an argument or result.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mlopt_type {
    pub dtype: mlopt_element,
    /// The number of axes; 0 for a scalar.
    pub ndim: i32,
    /// The sizes; -1 for a size that is known only at run time.
    pub shape: *const i64,
}

impl mlopt_type {
    pub fn of((element, shape): &(Element, Vec<i64>)) -> mlopt_type {
        mlopt_type { dtype: mlopt_element::of(*element), ndim: shape.len() as i32, shape: shape.as_ptr() }
    }
}

/// The severity of a diagnostic.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum mlopt_severity {
    MLOPT_SEVERITY_ERROR = 0,
    MLOPT_SEVERITY_WARNING = 1,
    MLOPT_SEVERITY_REMARK = 2,
    MLOPT_SEVERITY_NOTE = 3,
}

/// A message about a position in a program. Its texts live as long as the object that it comes from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mlopt_diagnostic {
    pub severity: mlopt_severity,
    /// The name of the error or of the constraint that is violated, or empty.
    pub code: mlopt_string,
    pub text: mlopt_string,
    /// The name of the source, or empty.
    pub file: mlopt_string,
    /// From one; 0 if there is no position.
    pub line: u32,
    pub column: u32,
    /// The text of the line, or empty.
    pub source_line: mlopt_string,
    /// The number of notes.
    pub note_count: usize,
}

impl mlopt_diagnostic {
    pub fn of(diagnostic: &Diagnostic) -> mlopt_diagnostic {
        let optional = |text: &Option<String>| text.as_deref().map_or(mlopt_string::EMPTY, mlopt_string::of);
        mlopt_diagnostic {
            severity: match diagnostic.severity {
                Severity::Warning => mlopt_severity::MLOPT_SEVERITY_WARNING,
                Severity::Remark => mlopt_severity::MLOPT_SEVERITY_REMARK,
                Severity::Note => mlopt_severity::MLOPT_SEVERITY_NOTE,
                _ => mlopt_severity::MLOPT_SEVERITY_ERROR,
            },
            code: optional(&diagnostic.code),
            text: mlopt_string::of(&diagnostic.text),
            file: optional(&diagnostic.file),
            line: diagnostic.line.unwrap_or(0),
            column: diagnostic.column.unwrap_or(0),
            source_line: optional(&diagnostic.source_line),
            note_count: diagnostic.notes.len(),
        }
    }
}

impl TypedFunction {
    pub fn new(function: Function) -> TypedFunction {
        let types = |types: &[TensorType]| types.iter().map(|ty| (ty.element, sizes(ty))).collect();
        TypedFunction { inputs: types(function.inputs()), results: types(function.results()), function }
    }
}

fn sizes(ty: &TensorType) -> Vec<i64> {
    ty.shape.iter().map(|n| n.map_or(-1, |n| n as i64)).collect()
}

impl ShapedCall {
    pub fn new(call: Call) -> ShapedCall {
        let mut shaped = ShapedCall { call, results: vec![] };
        shaped.update();
        shaped
    }

    /// Takes over the shapes of results, which a call may have changed.
    pub fn update(&mut self) {
        let shapes = self.call.result_shapes();
        let is_same = |(kept, new): (&Vec<i64>, &Vec<usize>)| kept.iter().copied().eq(new.iter().map(|n| *n as i64));
        if shapes.len() != self.results.len() || !self.results.iter().zip(shapes).all(is_same) {
            self.results = shapes.iter().map(|shape| shape.iter().map(|n| *n as i64).collect()).collect();
        }
    }
}
