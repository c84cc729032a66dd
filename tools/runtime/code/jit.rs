//! Loading of an object file into this process. LLVM's ORC links it against a fixed list of symbols and resolves
//! addresses.
#![allow(unsafe_code)]

use super::{heap, tasks};
use crate::threads;
use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::*;
use inkwell::llvm_sys::orc2::*;
use mlopt_lowering::abi::libm;
use mlopt_lowering::native::Error;
use std::ffi::{CStr, CString};

/// Linked code. It is freed when dropped, so callers of its functions must keep it.
pub struct Jit {
    raw: LLVMOrcLLJITRef,
}

// SAFETY: ORC's session has its own lock, and after construction only lookups happen.
unsafe impl Send for Jit {}
// SAFETY: as for `Send`.
unsafe impl Sync for Jit {}

fn check(error: LLVMErrorRef) -> Result<(), Error> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: a non-null error is consumed by taking its message, which we must dispose of.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(Error::Internal(format!("JIT: {text}")))
    }
}

impl Jit {
    pub fn load(object: &[u8]) -> Result<Jit, Error> {
        // SAFETY: every passed pointer is alive for the call, or owned by the session afterwards.
        unsafe {
            let mut raw = std::ptr::null_mut();
            check(LLVMOrcCreateLLJIT(&mut raw, LLVMOrcCreateLLJITBuilder()))?;
            let jit = Jit { raw };
            let dylib = LLVMOrcLLJITGetMainJITDylib(raw);
            let mut symbols: Vec<LLVMOrcCSymbolMapPair> = libm::symbols()
                .into_iter()
                .chain(heap::symbols())
                .chain(tasks::symbols())
                .chain(threads::symbols())
                .map(|(name, address)| {
                    let name = CString::new(name).expect("a C identifier");
                    let exported = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8;
                    let flags = LLVMJITSymbolFlags { GenericFlags: exported, TargetFlags: 0 };
                    LLVMOrcCSymbolMapPair {
                        Name: LLVMOrcLLJITMangleAndIntern(raw, name.as_ptr()),
                        Sym: LLVMJITEvaluatedSymbol { Address: address as u64, Flags: flags },
                    }
                })
                .collect();
            let unit = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
            check(LLVMOrcJITDylibDefine(dylib, unit))?;
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(object.as_ptr().cast(), object.len(), c"mlopt".as_ptr());
            check(LLVMOrcLLJITAddObjectFile(raw, dylib, buffer))?;
            Ok(jit)
        }
    }

    /// Returns the address of a symbol of the object.
    pub fn address(&self, name: &str) -> Result<usize, Error> {
        let name =
            CString::new(name).map_err(|_| Error::Internal("a symbol must not contain a NUL byte".to_string()))?;
        let mut address = 0;
        // SAFETY: the session is alive as long as `self`.
        check(unsafe { LLVMOrcLLJITLookup(self.raw, &mut address, name.as_ptr()) })?;
        Ok(address as usize)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: created by `load`, dropped once.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.raw) });
    }
}
