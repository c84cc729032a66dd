//! Vectors of booleans in memory: one byte for each element, as for a scalar.
//!
//! An array of `i1` has one byte for each element. LLVM, however, packs a `vector<16xi1>` into two bytes, so that
//! MLIR's conversion of `vector.load %m[%i] : memref<?xi1>, vector<16xi1>` would read the wrong elements. Therefore
//! vectors are read as bytes, which are then truncated, and written as bytes after zero-extension. Other integers of
//! less than 8 bits are treated in the same way.
//! ```text
//! %v = vector.load %m[%i] : memref<?xi1>, vector<16xi1>
//!   becomes  %bytes = builtin.unrealized_conversion_cast %m : memref<?xi1> to memref<?xi8>
//!            %w = vector.load %bytes[%i] : memref<?xi8>, vector<16xi8>
//!            %v = arith.trunci %w : vector<16xi8> to vector<16xi1>
//! ```
//! Both arrays have the same descriptor in LLVM, so the cast is eliminated.

use crate::ir::*;

/// The operands of a vector access: the array, and the data that are written or that replace elements that are not
/// read.
struct Access {
    memory: usize,
    data: Option<usize>,
}

impl Access {
    /// Returns `None` for an op that moves no vector between registers and memory.
    fn of(op: Op) -> Option<Access> {
        let last = op.num_operands().checked_sub(1);
        Some(match op.kind() {
            Kind::VectorLoad => Access { memory: 0, data: None },
            Kind::VectorStore | Kind::VectorTransferWrite => Access { memory: 1, data: Some(0) },
            Kind::VectorTransferRead => Access { memory: 0, data: Some(1 + op.operand(0).ty().rank()) },
            Kind::VectorMaskedload | Kind::VectorGather | Kind::VectorExpandload => Access { memory: 0, data: last },
            Kind::VectorMaskedstore | Kind::VectorScatter | Kind::VectorCompressstore => {
                Access { memory: 0, data: last }
            }
            _ => return None,
        })
    }
}

/// Makes every vector access of `module` use the layout of single elements.
pub fn widen(module: Op) -> Result<()> {
    for op in module.nested_ops() {
        let Some(access) = Access::of(op) else { continue };
        let memory = op.operand(access.memory);
        let Some(bits) = memory.ty().scalar().integer_bits() else { continue };
        if memory.ty().is_memref() && !(bits >= 8 && bits.is_power_of_two()) {
            if bits > 8 {
                return Err(op.not_supported(format!(
                    "memory cannot hold vectors of {}; use elements of 8, 16, 32 or 64 bits",
                    memory.ty().scalar()
                )));
            }
            through_bytes(op, access, memory)?;
        }
    }
    Ok(())
}

fn through_bytes(op: Op, access: Access, memory: Value) -> Result<()> {
    let (b, narrow) = (Builder::before(op), memory.ty().scalar());
    let byte = b.context().int(8);
    let widened = |ty: Type| match ty.with_scalar(byte) {
        Some(ty) if ty.scalar() == byte => Ok(ty),
        _ => Err(op.not_supported(format!("elements of type {narrow} cannot be stored in memory as {ty}"))),
    };
    let mut operands = op.operands();
    let bytes = b.value(Kind::BuiltinUnrealizedConversionCast, &[memory], widened(memory.ty())?, &[]);
    operands[access.memory] = bytes;
    if let Some(data) = access.data {
        operands[data] = b.value(Kind::ArithExtui, &[operands[data]], widened(operands[data].ty())?, &[]);
    }
    let types = op.results().into_iter().map(|z| widened(z.ty())).collect::<Result<Vec<_>, _>>()?;
    let wide = b.remake(op, &operands, &types);
    for (old, new) in op.results().into_iter().zip(wide.results()) {
        old.replace_all_uses_with(b.value(Kind::ArithTrunci, &[new], old.ty(), &[]));
    }
    op.erase();
    Ok(())
}
