//! The list of dialects for which types are generated.

use crate::Dialect;
use std::fs;
use std::path::Path;

/// Dialects of MLIR, and their files in `mlir/`.
const UPSTREAM: &[(&str, &[&str])] = &[
    ("affine", &["Dialect/Affine/IR/AffineOps.td"]),
    ("arith", &["Dialect/Arith/IR/ArithOps.td"]),
    ("builtin", &["IR/BuiltinOps.td"]),
    ("cf", &["Dialect/ControlFlow/IR/ControlFlowOps.td"]),
    ("complex", &["Dialect/Complex/IR/ComplexOps.td"]),
    ("func", &["Dialect/Func/IR/FuncOps.td"]),
    ("gpu", &["Dialect/GPU/IR/GPUOps.td"]),
    ("index", &["Dialect/Index/IR/IndexOps.td"]),
    ("linalg", &["Dialect/Linalg/IR/LinalgOps.td", "Dialect/Linalg/IR/LinalgStructuredOps.td"]),
    ("llvm", &["Dialect/LLVMIR/LLVMOps.td", "Dialect/LLVMIR/LLVMIntrinsicOps.td"]),
    ("math", &["Dialect/Math/IR/MathOps.td"]),
    ("memref", &["Dialect/MemRef/IR/MemRefOps.td"]),
    ("nvvm", &["Dialect/LLVMIR/NVVMOps.td"]),
    ("scf", &["Dialect/SCF/IR/SCFOps.td"]),
    ("tensor", &["Dialect/Tensor/IR/TensorOps.td"]),
    ("ub", &["Dialect/UB/IR/UBOps.td"]),
    ("vector", &["Dialect/Vector/IR/VectorOps.td"]),
];

/// Names of enums whose C++ name is ambiguous between dialects, or long.
pub const ENUM_NAMES: &[((&str, &str), &str)] = &[
    (("::mlir::arith", "FastMathFlags"), "FastMath"),
    (("::mlir::arith", "IntegerOverflowFlags"), "Overflow"),
    (("::mlir::LLVM", "IntegerOverflowFlags"), "LlvmOverflow"),
    (("::mlir::LLVM", "FastmathFlags"), "LlvmFastMath"),
    (("::mlir::LLVM", "RoundingMode"), "LlvmRoundingMode"),
    (("::mlir::vector", "IteratorType"), "VectorIteratorType"),
    (("::mlopt::dual", "Mode"), "DerivativeMode"),
];

/// The attributes with an enum that the bridge can read: the list of `Parameters.cpp`, and those of our dialects.
pub const READABLE_ENUMS: &[&str] = &[
    "arith.fastmath",
    "arith.overflow",
    "gpu.all_reduce_op",
    "gpu.dim",
    "linalg.iterator_type",
    "llvm.fastmath",
    "llvm.overflow",
    "stablehlo.comparison_direction",
    "stablehlo.comparison_type",
    "stablehlo.fft_type",
    "stablehlo.precision",
    "stablehlo.rng_algorithm",
    "stablehlo.rng_distribution",
    "stablehlo.transpose",
    "vector.iterator_type",
    "vector.kind",
];

/// Returns our dialects: every folder of `dialects/` with a file `NAME/NAME.td`.
pub fn ours(dialects: &Path) -> Vec<Dialect> {
    let entries = fs::read_dir(dialects).unwrap_or_else(|e| panic!("{}: {e}", dialects.display()));
    let mut found: Vec<Dialect> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.to_owned();
            let file = path.join(format!("{name}.td"));
            file.exists().then(|| Dialect { name, files: vec![file], is_ours: true })
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

pub fn upstream(llvm: &Path) -> Vec<Dialect> {
    let path = |file: &&str| llvm.join("include/mlir").join(file);
    let dialect = |(name, files): &(&str, &[&str])| Dialect {
        name: name.to_string(),
        files: files.iter().map(path).collect(),
        is_ours: false,
    };
    UPSTREAM.iter().map(dialect).collect()
}
