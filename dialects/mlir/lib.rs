//! The safe view of MLIR in Rust ([`ir`]), and the C++ that MLIR requires (`bridge/*.cpp`). All `unsafe` code that
//! accesses MLIR is in this crate.
//!
//! A pass is a constant of type [`Pass`] with a function `run` in Rust. [`register_pass`] registers the pass in MLIR,
//! where one generic C++ class implements all our passes by calling `run`. MLIR also calls our verifiers, through
//! functions that the macro [`dialect_hooks!`] defines. This crate depends on none of our dialects: they register
//! themselves in it.
//!
//! MLIR's registry of passes and LLVM's options belong to the whole process and have no lock. Functions that register
//! passes or set options must be called while no other thread uses the registry or the options; the types do not
//! enforce this. `SAFETY` comments refer to this rule, and to the invariants of [`ir`].
#![allow(unsafe_code)]

pub mod affine_map;
pub mod c_library;
pub mod conversion;
pub mod crash;
pub mod diagnostics;
#[doc(hidden)]
pub mod hooks;
pub mod ir;
pub mod limits;
pub mod names;
pub mod program;
pub mod stack;
pub mod value;

use diagnostics::{Reported, error};
use ir::Op;
use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirLocation, MlirOperation, MlirStringRef, MlirType, MlirValue,
};
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The format of the text of an option, which `mlopt --help` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    Text,
    Integer,
    Bool,
    /// Words separated by commas.
    List,
}

/// One option of a pass, `pass{name=value}`.
#[derive(Clone, Copy, Debug)]
pub struct PassOption {
    pub name: &'static str,
    pub kind: OptionKind,
    /// The default value: integers in decimal, `true` or `false`; empty for lists.
    pub initial: &'static str,
    pub description: &'static str,
}

impl PassOption {
    pub const fn new(
        name: &'static str,
        kind: OptionKind,
        initial: &'static str,
        description: &'static str,
    ) -> PassOption {
        PassOption { name, kind, initial, description }
    }

    /// Creates an option that is false by default.
    pub const fn flag(name: &'static str, description: &'static str) -> PassOption {
        PassOption { name, kind: OptionKind::Bool, initial: "false", description }
    }

    pub const fn integer(name: &'static str, initial: &'static str, description: &'static str) -> PassOption {
        PassOption { name, kind: OptionKind::Integer, initial, description }
    }

    pub const fn text(name: &'static str, initial: &'static str, description: &'static str) -> PassOption {
        PassOption { name, kind: OptionKind::Text, initial, description }
    }
}

/// A pass in Rust. `run` transforms `op`, and reports every failure as a diagnostic.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name in `--pass-pipeline`: the stem of the file, with dashes.
    pub name: &'static str,
    pub description: &'static str,
    /// The op on which it runs: `builtin.module` if it resolves symbols or adds functions, else `func.func`.
    pub anchor: &'static str,
    pub options: &'static [PassOption],
    /// The dialects of the ops that it creates.
    pub dialects: &'static [&'static str],
    pub run: fn(Op, &Options) -> Result<(), Reported>,
}

/// The values of a pass's options, as MLIR parsed them.
pub struct Options {
    values: Vec<(&'static str, String)>,
}

impl Options {
    /// Returns the default options of `pass`.
    pub fn initial(pass: &Pass) -> Options {
        Options { values: pass.options.iter().map(|o| (o.name, o.initial.to_string())).collect() }
    }

    /// # Panics
    ///
    /// Panics if the pass does not declare `name`.
    pub fn text(&self, name: &str) -> &str {
        &self.values.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("option `{name}` is not declared")).1
    }

    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).parse().expect("MLIR parsed an integer")
    }

    pub fn bool(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    pub fn list(&self, name: &str) -> Vec<&str> {
        self.text(name).split(',').filter(|word| !word.is_empty()).collect()
    }
}

/// Registers `pass` by name for every pipeline of the process.
pub fn register_pass(pass: &Pass) {
    let option = |o: &PassOption| {
        let [name, description, initial] = [o.name, o.description, o.initial].map(text);
        MloptOption { name, description, initial, kind: o.kind as i32 }
    };
    let options: Vec<MloptOption> = pass.options.iter().map(option).collect();
    let dialects: Vec<MlirStringRef> = pass.dialects.iter().map(|d| text(d)).collect();
    // MLIR keeps the description until the process ends.
    let options: &'static [MloptOption] = Vec::leak(options);
    let dialects: &'static [MlirStringRef] = Vec::leak(dialects);
    let spec = Box::leak(Box::new(MloptPass {
        this: Box::leak(Box::new(*pass)) as *const Pass as *const c_void,
        name: text(pass.name),
        description: text(pass.description),
        anchor: text(pass.anchor),
        options: options.as_ptr(),
        num_options: options.len() as isize,
        dialects: dialects.as_ptr(),
        num_dialects: dialects.len() as isize,
    }));
    // SAFETY: `spec`, and all objects to which it points, are never freed; for the registry, see the module.
    unsafe { mlopt_register_pass(spec) }
}

/// Registers `name` as a pipeline of the passes of `pipeline`, for every pipeline of the process.
pub fn register_pipeline(name: &str, description: &str, pipeline: &str) {
    // SAFETY: C++ copies the texts; for the registry, see the module.
    unsafe { mlopt_register_pipeline(text(name), text(description), text(pipeline)) }
}

/// Registers all passes of MLIR. Call once per process.
pub fn register_upstream_passes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: there are no parameters; for the registry, see the module.
    ONCE.call_once(|| unsafe { mlopt_register_all_passes() });
}

/// Adds every dialect of MLIR, and ours, to `registry`.
pub fn register_dialects(registry: MlirDialectRegistry) {
    // SAFETY: `registry` is that of a live `melior::dialect::DialectRegistry`.
    unsafe { mlopt_register_all_dialects(registry) }
}

/// Checks whether a pass or pipeline of this name is registered.
pub fn is_pass_name(name: &str) -> bool {
    // SAFETY: C++ only compares the name; for the registry, see the module.
    unsafe { mlopt_is_pass_name(text(name)) }
}

/// Checks whether a pipeline of this name is registered.
pub fn is_pipeline_name(name: &str) -> bool {
    // SAFETY: as for `is_pass_name`.
    unsafe { mlopt_is_pipeline_name(text(name)) }
}

/// Returns the names of all registered passes and pipelines. No command line of MLIR can be parsed afterwards.
pub fn pass_names() -> Vec<String> {
    // SAFETY: `visit` gets the `data` that it expects, only during the call; for the registry, see the module.
    collect(|visit, data| unsafe { mlopt_visit_pass_names(visit, data) })
}

/// Registers LLVM's code generators for x86-64 and NVPTX, once per process, without their disassemblers, whose tables
/// take 2.5 MB of the executable.
pub fn initialize_targets() {
    // SAFETY: takes nothing, and registers once whatever thread calls it.
    unsafe { mlopt_initialize_targets() }
}

/// Returns the names of the x86-64 processors that LLVM supports.
pub fn x86_processors() -> Vec<String> {
    // SAFETY: `visit` gets the `data` that it expects, only during the call.
    collect(|visit, data| unsafe { mlopt_visit_x86_names(false, visit, data) })
}

/// Returns the names of the features of x86-64 processors that LLVM supports, without a sign.
pub fn x86_features() -> Vec<String> {
    // SAFETY: as for `x86_processors`.
    collect(|visit, data| unsafe { mlopt_visit_x86_names(true, visit, data) })
}

/// Returns the names of the features of an x86-64 processor, with `features` added and removed, that this machine
/// lacks.
pub fn missing_features(cpu: &str, features: &str) -> Vec<String> {
    // SAFETY: as for `x86_processors`; LLVM copies the names.
    collect(|visit, data| unsafe { mlopt_visit_missing_features(text(cpu), text(features), visit, data) })
}

/// Sets one of LLVM's options, which hold for the whole process, if this LLVM has it; an empty value restores its
/// default.
pub fn set_llvm_option(name: &str, value: &str) {
    // SAFETY: LLVM copies the value; for its options, see the module.
    unsafe { mlopt_set_llvm_option(text(name), text(value)) }
}

type Visit = extern "C" fn(MlirStringRef, *mut c_void);

/// Returns the names that C++ passes to a visitor, sorted.
fn collect(names: impl FnOnce(Visit, *mut c_void)) -> Vec<String> {
    extern "C" fn push(name: MlirStringRef, data: *mut c_void) {
        // SAFETY: `data` is the list in `collect`, which nothing else accesses during the call.
        let found = unsafe { &mut *(data as *mut Vec<String>) };
        // SAFETY: C++ keeps the name during the call.
        found.push(unsafe { ir::to_str(&name) }.to_string());
    }
    let mut found: Vec<String> = Vec::new();
    names(push, &mut found as *mut _ as *mut c_void);
    found.sort();
    found
}

/// Returns the names of the options of a registered pass or pipeline, or `None` for any other name.
pub fn option_names(name: &str) -> Option<Vec<String>> {
    let mut is_known = false;
    // SAFETY: as for `pass_names`; C++ only compares the name.
    let names = collect(|visit, data| is_known = unsafe { mlopt_visit_option_names(text(name), visit, data) });
    is_known.then_some(names)
}

/// Checks whether MLIR can parse `options`, the text between braces, for the pass or pipeline `name`.
pub fn accepts_options(name: &str, options: &str) -> bool {
    // SAFETY: C++ keeps neither text; for the registry, see the module.
    unsafe { mlopt_accepts_options(text(name), text(options)) }
}

/// Returns the names of the discardable attributes of `op`, sorted.
pub fn discardable_names(op: Op) -> Vec<String> {
    // SAFETY: the op is valid, and `visit` gets the `data` that it expects, only during the call.
    collect(|visit, data| unsafe { mlopt_visit_attribute_names(op.raw(), true, visit, data) })
}

/// Returns the names of the attributes that the definition of `op` lists, sorted.
pub fn inherent_names(op: Op) -> Vec<String> {
    // SAFETY: as for `discardable_names`.
    collect(|visit, data| unsafe { mlopt_visit_attribute_names(op.raw(), false, visit, data) })
}

/// Runs `mlir-opt` with our dialects and passes. Returns the exit status.
pub fn opt_main(arguments: &[String], tool: &str, version: &str) -> i32 {
    // SAFETY: the arguments are those of a `main` function (see `with_argv`), and C++ copies the texts that it keeps.
    with_argv(arguments, |argc, argv| unsafe { mlopt_opt_main(argc, argv, text(tool), text(version)) })
}

/// Runs `mlir-lsp-server` with our dialects. Returns the exit status.
pub fn lsp_main(arguments: &[String]) -> i32 {
    // SAFETY: the arguments are those of a `main` function (see `with_argv`).
    with_argv(arguments, |argc, argv| unsafe { mlopt_lsp_main(argc, argv) })
}

/// Runs `mlir-reduce` with our dialects and passes. Returns the exit status.
pub fn reduce_main(arguments: &[String]) -> i32 {
    // SAFETY: the arguments are those of a `main` function (see `with_argv`).
    with_argv(arguments, |argc, argv| unsafe { mlopt_reduce_main(argc, argv) })
}

/// Calls `call` with the arguments of a C `main` function: texts that end with a zero byte, and a null after the last
/// one, all of which outlive the call.
fn with_argv(arguments: &[String], call: impl FnOnce(i32, *mut *mut c_char) -> i32) -> i32 {
    // A command line cannot contain a NUL byte, so nothing is lost here.
    let owned: Vec<CString> = arguments.iter().map(|a| CString::new(a.replace('\0', "")).unwrap()).collect();
    let mut argv: Vec<*mut c_char> = owned.iter().map(|a| a.as_ptr() as *mut c_char).collect();
    argv.push(std::ptr::null_mut());
    call(owned.len() as i32, argv.as_mut_ptr())
}

//===-- C++ calls this ---------------------------------------------------------------------------------------===//

#[unsafe(no_mangle)]
extern "C" fn mlopt_rust_run_pass(
    this: *const c_void,
    op: MlirOperation,
    values: *const MlirStringRef,
    num_values: isize,
) -> bool {
    // SAFETY: `this` is the `Pass` in the description that `register_pass` has leaked.
    let pass = unsafe { &*(this as *const Pass) };
    // SAFETY: C++ passes `num_values` texts, which outlive the call.
    let values = if num_values == 0 { &[] } else { unsafe { std::slice::from_raw_parts(values, num_values as usize) } };
    // SAFETY: as above.
    let values = pass.options.iter().zip(values).map(|(o, v)| (o.name, unsafe { ir::to_str(v) }.to_string())).collect();
    let op = Op::from_raw(op);
    guarded(op, pass.name, || (pass.run)(op, &Options { values }))
}

/// Runs `work`. A panic becomes an `internal error` diagnostic, because it must not unwind into C++.
fn guarded(op: Op, what: &str, work: impl FnOnce() -> Result<(), Reported>) -> bool {
    // C++ and other threads have created ops since Rust last ran on this thread.
    ir::erased::forget_all();
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.is_ok(),
        Err(panic) => {
            let (message, place) = (crash::message(&*panic), crash::last_panic());
            let place = if place.is_empty() { place } else { format!(" ({place})") };
            let _reported = error(op.location(), format!("internal error: {what}: {message}{place}"));
            false
        }
    }
}

/// Returns a reference that is valid as long as `s`.
fn text(s: &str) -> MlirStringRef {
    MlirStringRef { data: s.as_ptr() as *const c_char, length: s.len() }
}

#[repr(C)]
struct MloptOption {
    name: MlirStringRef,
    description: MlirStringRef,
    initial: MlirStringRef,
    kind: i32,
}

#[repr(C)]
struct MloptPass {
    this: *const c_void,
    name: MlirStringRef,
    description: MlirStringRef,
    anchor: MlirStringRef,
    options: *const MloptOption,
    num_options: isize,
    dialects: *const MlirStringRef,
    num_dialects: isize,
}

#[repr(C)]
struct MloptNote {
    location: MlirLocation,
    text: MlirStringRef,
}

unsafe extern "C" {
    fn mlopt_register_pass(pass: *const MloptPass);
    fn mlopt_register_pipeline(name: MlirStringRef, description: MlirStringRef, pipeline: MlirStringRef);
    fn mlopt_register_all_dialects(registry: MlirDialectRegistry);
    fn mlopt_register_translations(context: MlirContext);
    fn mlopt_register_all_passes();
    fn mlopt_opt_main(argc: i32, argv: *mut *mut c_char, tool: MlirStringRef, version: MlirStringRef) -> i32;
    fn mlopt_lsp_main(argc: i32, argv: *mut *mut c_char) -> i32;
    fn mlopt_reduce_main(argc: i32, argv: *mut *mut c_char) -> i32;
    fn mlopt_is_pass_name(name: MlirStringRef) -> bool;
    fn mlopt_is_pipeline_name(name: MlirStringRef) -> bool;
    fn mlopt_visit_pass_names(visit: Visit, data: *mut c_void);
    fn mlopt_initialize_targets();
    fn mlopt_visit_x86_names(features: bool, visit: Visit, data: *mut c_void);
    fn mlopt_visit_missing_features(cpu: MlirStringRef, features: MlirStringRef, visit: Visit, data: *mut c_void);
    fn mlopt_set_llvm_option(name: MlirStringRef, value: MlirStringRef);
    fn mlopt_visit_option_names(name: MlirStringRef, visit: Visit, data: *mut c_void) -> bool;
    fn mlopt_accepts_options(name: MlirStringRef, options: MlirStringRef) -> bool;
    fn mlopt_emit(location: MlirLocation, severity: i32, text: MlirStringRef, notes: *const MloptNote, n: isize);
    fn mlopt_raw_data_size(elements: MlirAttribute) -> usize;
    fn mlopt_is_pure(op: MlirOperation) -> bool;
    fn mlopt_purity(op: MlirOperation) -> i32;
    fn mlopt_type_name(ty: MlirType) -> MlirStringRef;
    fn mlopt_type_parts(
        ty: MlirType,
        visit: extern "C" fn(MlirType, *mut c_void),
        attribute: extern "C" fn(MlirAttribute, *mut c_void),
        data: *mut c_void,
    );
    fn mlopt_type_of_parts(ty: MlirType, n: isize, parts: *const MlirType) -> MlirType;
    fn mlopt_attribute_integers(
        attribute: MlirAttribute,
        visit: extern "C" fn(i64, *mut c_void),
        data: *mut c_void,
    ) -> bool;
    fn mlopt_attribute_of_integers(
        context: MlirContext,
        name: MlirStringRef,
        n: isize,
        numbers: *const i64,
    ) -> MlirAttribute;
    fn mlopt_is_function(op: MlirOperation) -> bool;
    fn mlopt_has_no_own_effects(op: MlirOperation) -> bool;
    fn mlopt_erase(op: MlirOperation);
    fn mlopt_is_registered(op: MlirOperation) -> bool;
    fn mlopt_visit_attribute_names(op: MlirOperation, discardable: bool, visit: Visit, data: *mut c_void);
    fn mlopt_symbol(tables: *mut c_void, table: MlirOperation, name: MlirStringRef) -> MlirOperation;
    fn mlopt_set_operands(op: MlirOperation, n: isize, operands: *const MlirValue);
    fn mlopt_erase_first_arguments(block: mlir_sys::MlirBlock, n: isize);
    fn mlopt_location_name(location: MlirLocation) -> MlirStringRef;
    fn mlopt_location_unnamed(location: MlirLocation) -> MlirLocation;
    fn mlopt_location_place(l: MlirLocation, file: *mut MlirStringRef, line: *mut u32, column: *mut u32) -> bool;
    fn mlopt_value_location(value: MlirValue) -> MlirLocation;
    fn mlopt_set_location(op: MlirOperation, location: MlirLocation);
    fn mlopt_set_argument_location(argument: MlirValue, location: MlirLocation);
    fn mlopt_source(context: MlirContext, name: *mut MlirStringRef, text: *mut MlirStringRef) -> bool;
}
