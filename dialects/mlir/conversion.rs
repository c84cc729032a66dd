//! MLIR's own conversions from loops on buffers to the LLVM dialect, and from the LLVM dialect to LLVM IR.

use crate::ir::{self, Op};
use crate::text;
use inkwell::context::{AsContextRef, Context};
use inkwell::module::Module;
use mlir_sys::*;

/// An upstream conversion of a `builtin.module`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    AffineToStandard,
    ScfToControlFlow,
    VectorToLlvm,
    ToLlvm,
    ReconcileUnrealizedCasts,
    /// Passes of the registry, separated by commas.
    Registered(&'static str),
}

/// A reason why [`convert`] fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// The registry lacks a pass: the message of MLIR.
    Unknown(String),
    /// A pass reported an error.
    Failed,
}

/// A pass manager for `builtin.module`.
struct Manager(MlirPassManager);

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: the manager is from `mlirPassManagerCreate`, and destroyed here only.
        unsafe { mlirPassManagerDestroy(self.0) }
    }
}

/// Applies `conversions` to a `builtin.module` in one pass manager. The module is not verified in between.
pub fn convert(module: Op, conversions: &[Conversion]) -> Result<(), ConversionError> {
    // SAFETY: the module is alive, so its context is; the manager is destroyed before either.
    let manager = Manager(unsafe { mlirPassManagerCreate(module.context().raw()) });
    // SAFETY: the manager is alive.
    unsafe { mlirPassManagerEnableVerifier(manager.0, false) };
    for conversion in conversions {
        let create: unsafe extern "C" fn() -> MlirPass = match conversion {
            Conversion::AffineToStandard => mlirCreateConversionConvertAffineToStandard,
            Conversion::ScfToControlFlow => mlirCreateConversionSCFToControlFlow,
            Conversion::VectorToLlvm => mlirCreateConversionConvertVectorToLLVMPass,
            Conversion::ToLlvm => mlirCreateConversionConvertToLLVMPass,
            Conversion::ReconcileUnrealizedCasts => mlirCreateConversionReconcileUnrealizedCasts,
            Conversion::Registered(names) => {
                let mut added = false;
                let message = ir::printed(|callback, data| {
                    // SAFETY: the manager is alive, MLIR copies the names, and calls back only during the call.
                    added = unsafe {
                        let passes = mlirPassManagerGetAsOpPassManager(manager.0);
                        mlirOpPassManagerAddPipeline(passes, text(names), callback, data).value != 0
                    };
                });
                if !added {
                    return Err(ConversionError::Unknown(message));
                }
                continue;
            }
        };
        // SAFETY: the manager is alive, and takes ownership of the new pass.
        unsafe { mlirPassManagerAddOwnedPass(manager.0, create()) };
    }
    // SAFETY: the manager is alive; `module` is a `builtin.module`, which a pass manager anchored there accepts.
    let result = unsafe { mlirPassManagerRunOnOp(manager.0, module.raw()) };
    // Passes in C++ have created ops since the last pass in Rust.
    ir::erased::forget_all();
    if result.value == 0 { Err(ConversionError::Failed) } else { Ok(()) }
}

/// Translates a `builtin.module` in the LLVM dialect to an LLVM module that `context` owns.
pub fn translate_to_llvm_ir<'c>(module: Op, context: &'c Context) -> Option<Module<'c>> {
    // SAFETY: both libraries are the same LLVM, so the context has the type that the translation expects; the module it
    // returns is ours, and inkwell disposes of it.
    unsafe {
        crate::mlopt_register_translations(module.context().raw());
        let raw = mlirTranslateModuleToLLVMIR(module.raw(), context.as_ctx_ref() as LLVMContextRef);
        (!raw.is_null()).then(|| Module::new(raw as inkwell::llvm_sys::prelude::LLVMModuleRef))
    }
}
