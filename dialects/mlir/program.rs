//! A module with a context of its own, which a tool reads, transforms and compiles.

use super::diagnostics::{Messages, receive};
use super::ir::{self, Op};
use super::{Reported, error, text};
use mlir_sys::{MlirDiagnosticHandler, MlirOperation, MlirStringRef};
use std::cell::RefCell;
use std::ffi::c_void;
use std::path::Path;

/// A verified module. Its diagnostics are written to the error stream, with the source line, unless it was created in
/// [`collecting`].
pub struct Program {
    raw: *mut c_void,
    /// The list to which the handler of its context adds diagnostics.
    _messages: Option<Messages>,
}

thread_local! {
    static COLLECTED: RefCell<Option<Messages>> = const { RefCell::new(None) };
}

/// Runs `work`. The diagnostics of programs that it creates, then and later, are added to `messages` and not printed.
pub fn collecting<R>(messages: &Messages, work: impl FnOnce() -> R) -> R {
    /// The list that is restored at the end, also by a panic.
    struct Restored(Option<Messages>);
    impl Drop for Restored {
        fn drop(&mut self) {
            COLLECTED.set(self.0.take());
        }
    }
    let _restored = Restored(COLLECTED.replace(Some(messages.clone())));
    work()
}

// SAFETY: a program owns its context and its module, MLIR does not depend on the thread that created them, and only the
// thread that has the program uses handles to them.
unsafe impl Send for Program {}

impl Program {
    /// Parses text or bytecode; `name` is the name of the source in diagnostics. Returns `Err` after at least one
    /// diagnostic.
    pub fn parse(source: &[u8], name: &str) -> Result<Program, Reported> {
        let messages = COLLECTED.with_borrow(Option::clone);
        ir::erased::forget_all();
        let source = MlirStringRef { data: source.as_ptr() as *const _, length: source.len() };
        let handler: MlirDiagnosticHandler = messages.as_ref().map(|_| receive as _);
        let data = messages.as_ref().map_or(std::ptr::null_mut(), Messages::data);
        // SAFETY: C++ copies the source and its name. The list of the handler exists during the call, and afterwards
        // because the program keeps it.
        let raw = unsafe { mlopt_program_parse(source, text(name), handler, data) };
        if raw.is_null() {
            return Err(Reported(()));
        }
        Ok(Program { raw, _messages: messages })
    }

    /// Creates an empty module, to which a front end adds ops with locations in `file`.
    pub fn empty(file: &str) -> Result<Program, Reported> {
        // The source is empty, so its name must not be the name of a file whose lines diagnostics quote.
        let program = Program::parse(b"", &format!("{file} as MLIR"))?;
        let module = program.module();
        module.set_location(module.context().position(file, 0, 0));
        Ok(program)
    }

    /// Verifies the module, after a front end has added ops.
    pub fn verified(self) -> Result<Program, Reported> {
        // Another thread may have created the ops.
        ir::erased::forget_all();
        if self.module().verify() { Ok(self) } else { Err(Reported(())) }
    }

    pub fn read(path: &Path) -> std::io::Result<Result<Program, Reported>> {
        Ok(Program::parse(&std::fs::read(path)?, &path.to_string_lossy()))
    }

    /// Returns the `builtin.module`. It must not be used after the program is dropped.
    pub fn module(&self) -> Op {
        // SAFETY: `raw` is from `mlopt_program_parse` and freed by `drop` only.
        Op::from_raw(unsafe { mlopt_program_module(self.raw) })
    }

    /// Runs a pipeline in the format of `--pass-pipeline`, `builtin.module(...)`; the module is verified after each
    /// pass.
    pub fn run_pipeline(&self, pipeline: &str) -> Result<(), Reported> {
        // SAFETY: the program is alive.
        let succeeded = unsafe { mlopt_program_run(self.raw, text(pipeline)) };
        // Passes in C++ have created ops since the last pass in Rust.
        ir::erased::forget_all();
        if succeeded { Ok(()) } else { Err(Reported(())) }
    }

    /// Reports an error at the module.
    pub fn error(&self, message: impl std::fmt::Display) -> Reported {
        error(self.module().location(), message)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: `raw` is from `mlopt_program_parse` and freed here only.
        unsafe { mlopt_program_free(self.raw) }
    }
}

unsafe extern "C" {
    fn mlopt_program_parse(
        source: MlirStringRef,
        name: MlirStringRef,
        receive: MlirDiagnosticHandler,
        data: *mut c_void,
    ) -> *mut c_void;
    fn mlopt_program_module(program: *mut c_void) -> MlirOperation;
    fn mlopt_program_run(program: *mut c_void, pipeline: MlirStringRef) -> bool;
    fn mlopt_program_free(program: *mut c_void);
}
