//! The compiler of this project: StableHLO becomes arrays, and arrays become machine code for this processor.
#![allow(unsafe_code)]

use crate::compiler::{Code, Compiler};
use crate::error::Error;
use crate::parts::{self, Parts};
use crate::program::Program;
use crate::types::{ArrayType, Element};
use mlopt_dialects::bridge::program::Program as MlirProgram;
use mlopt_dialects::diagnostics::captured_at;
use mlopt_dialects::ir::Op;
use mlopt_lowering::native::{self, Signature, Target, ValueType};
use mlopt_lowering::pipelines::{GRAD_CPU, pipeline_text};
use mlopt_runtime::code::Fixed;
use mlopt_runtime::code::folder::{self, Folder, hash};
use mlopt_stablehlo::Module;
use std::sync::LazyLock;
use std::time::SystemTime;

/// The passes that convert StableHLO, with XLA's meaning, to arrays and leave the function `main` alone.
const IMPORT: &[&str] = &["stablehlo-to-array{xla-scatter=true}", "symbol-dce"];

/// The compiler.
pub struct Native {
    processor: String,
    cache: Option<Folder>,
}

impl Native {
    /// Returns the compiler for this processor, which keeps code in the folder of this user. It keeps none if the
    /// folder cannot be used, or if JAX is told to use no such folder.
    pub fn new() -> Result<Native, Error> {
        let is_off = std::env::var("JAX_ENABLE_COMPILATION_CACHE").is_ok_and(|value| !is_true(&value));
        let folder = Folder::of_user().filter(|_| !is_off);
        Native::with_cache(folder.and_then(|folder| Folder::open(&folder).ok()))
    }

    /// Returns the compiler for this processor, which keeps code in a folder.
    pub fn with_cache(cache: Option<Folder>) -> Result<Native, Error> {
        mlopt_lowering::register_passes();
        Ok(Native { processor: target()?.description(), cache })
    }

    /// Compiles a program, or loads its code.
    fn compiled(&self, program: &Program, module: &Module) -> Result<Box<dyn Code>, Error> {
        let key = self.cache.as_ref().zip(folder::build()).map(|(cache, build)| {
            let passes = [IMPORT, GRAD_CPU].concat().join(",");
            let version = env!("CARGO_PKG_VERSION").as_bytes();
            (cache, hash(&[b"PJRT", &program.artifact, passes.as_bytes(), self.processor.as_bytes(), version, build]))
        });
        // SAFETY: this build of the compiler has written the entry, for this processor, into a folder that only its
        // owner can access.
        let load = |entry: Vec<u8>| unsafe { Fixed::load(&entry) }.ok();
        if let Some(function) = key.as_ref().and_then(|(cache, key)| cache.load(key)).and_then(load) {
            return Ok(Parts::join(program, function));
        }
        let function = compile(program, module)?;
        key.into_iter().for_each(|(cache, key)| cache.store(&key, &function.serialize()));
        Ok(Parts::join(program, function))
    }
}

/// Checks whether the value of a variable of JAX says yes.
fn is_true(value: &str) -> bool {
    ["1", "true", "t", "y", "yes", "on"].contains(&value.to_lowercase().as_str())
}

fn target() -> Result<Target, Error> {
    Target::host().map_err(|e| Error::internal(e.to_string()))
}

impl Compiler for Native {
    fn version(&self) -> String {
        format!("mlopt {} ({})\n{}", env!("CARGO_PKG_VERSION"), build(), self.processor)
    }

    fn device(&self) -> String {
        self.processor.split(' ').next().unwrap_or_default().to_string()
    }

    fn compile(&self, program: &Program, module: &Module) -> Result<Box<dyn Code>, Error> {
        self.compiled(program, module)
    }

    fn load(&self, program: &Program, code: &[u8]) -> Result<Box<dyn Code>, Error> {
        // SAFETY: the caller has compared the versions, so this build of the compiler has written the code.
        let function = unsafe { Fixed::load(code) };
        Ok(Parts::join(program, function.map_err(|e| Error::invalid(e.to_string()))?))
    }
}

/// Returns a text that changes when this library is built again. If its build is not known, the text holds for this
/// process only.
fn build() -> String {
    let name = |build: &[u8]| hash(&[build])[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let unknown = || {
        static START: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);
        let start = START.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        format!("unknown build in process {} of {start:?}", std::process::id())
    };
    folder::build().map_or_else(unknown, |build| format!("build {}", name(build)))
}

fn compile(program: &Program, source: &Module) -> Result<Fixed, Error> {
    let module = MlirProgram::empty(&program.name).map_err(|_| Error::internal("cannot create a module"))?;
    let text = source.with_locations().to_string();
    let reported = |error, work: &mut dyn FnMut() -> Option<()>| reported(program, module.module(), error, work);
    reported(Error::invalid, &mut || {
        let ops = module.module().context().parse_ops(&text)?;
        let body = module.module().body()?;
        ops.into_iter().for_each(|op| {
            body.append(op);
        });
        Some(())
    })?;
    leave_only_main(module.module());
    locate_functions(module.module());
    reported(Error::unimplemented, &mut || module.run_pipeline(&pipeline_text(IMPORT)).ok())?;
    let target = target()?;
    target.describe(module.module());
    reported(Error::unimplemented, &mut || module.run_pipeline(&pipeline_text(GRAD_CPU)).ok())?;
    let (function, signature) = Fixed::compile(module.module(), &target, "main").map_err(native_error)?;
    check(program, &signature)?;
    Ok(function)
}

/// Makes all functions but `main` private, so that those that it does not use can be removed.
fn leave_only_main(module: Op) {
    for op in module.child_ops() {
        let visibility = if op.symbol().as_deref() == Some("main") { "public" } else { "private" };
        op.set_attribute("sym_visibility", module.context().string_attr(visibility));
    }
}

/// Gives functions, for which JAX has no positions, that of their first operation which has one, so that errors about
/// their types have a position.
fn locate_functions(module: Op) {
    for function in module.child_ops().into_iter().filter(|op| op.location().place().is_none()) {
        let located = function.nested_ops().into_iter().map(Op::location).find(|location| location.place().is_some());
        located.into_iter().for_each(|location| function.set_location(location));
    }
}

/// Runs `work`, and turns the diagnostics that it emits into the message of an error: each with its position, which is
/// a file and a line of the Python program, or else with the name of the program.
fn reported(
    program: &Program,
    module: Op,
    error: fn(String) -> Error,
    work: &mut dyn FnMut() -> Option<()>,
) -> Result<(), Error> {
    let (outcome, diagnostics) = captured_at(module.context(), work);
    outcome.ok_or_else(|| {
        let lines = diagnostics.into_iter().map(|message| match (message.head.place, message.head.text) {
            (Some(place), text) if place.line > 0 => format!("{place}: {text}"),
            (_, text) => format!("`{}`: {text}", program.name),
        });
        let mut lines: Vec<String> = lines.collect();
        lines.dedup();
        match &lines[..] {
            [] => Error::internal("the compiler failed without a message"),
            lines => error(lines.join("\n")),
        }
    })
}

/// Checks that the compiled function has the types of the program.
fn check(program: &Program, signature: &Signature) -> Result<(), Error> {
    let is_same = |((element, dims), found): (&(Element, &[i64]), &ValueType)| {
        let sizes = dims.iter().map(|&n| Some(n as usize));
        found.element.name() == compiled_name(*element) && found.shape.iter().copied().eq(sizes)
    };
    let are_same = |types: &[ArrayType], found: &[ValueType]| {
        let want = parts::of(types);
        want.len() == found.len() && want.iter().zip(found).all(is_same)
    };
    if are_same(&program.arguments, &signature.inputs) && are_same(&program.results, &signature.results) {
        return Ok(());
    }
    let names = |types: &[ArrayType]| types.iter().map(ArrayType::to_string).collect::<Vec<_>>().join(", ");
    let wanted = format!("({}) -> ({})", names(&program.arguments), names(&program.results));
    Err(Error::internal(format!("the code of `{}` must have the type {wanted}, found {signature}", program.name)))
}

/// Returns the name of an element type in compiled code, which has no complex numbers.
fn compiled_name(element: Element) -> &'static str {
    use Element::*;
    match element {
        Pred => "i1",
        S8 | U8 => "i8",
        S16 | U16 => "i16",
        S32 | U32 => "i32",
        S64 | U64 => "i64",
        F16 => "f16",
        Bf16 => "bf16",
        F32 => "f32",
        F64 => "f64",
        C64 | C128 => "two parts",
    }
}

fn native_error(error: native::Error) -> Error {
    match error {
        native::Error::TooLarge { .. } => Error::new(crate::error::Code::ResourceExhausted, error.to_string()),
        native::Error::Stopped { place, text, .. } => Error::invalid(format!("{place}: {text}")),
        native::Error::Check { .. } => Error::invalid(error.to_string()),
        other => Error::internal(other.to_string()),
    }
}

impl Code for Fixed {
    unsafe fn run(&self, arguments: &[*const u8], results: &[*mut u8]) -> Result<(), Error> {
        // SAFETY: as for this function.
        unsafe { self.call(arguments, results) }.map_err(native_error)
    }

    fn code_bytes(&self) -> usize {
        Fixed::code_bytes(self)
    }

    fn scratch_bytes(&self) -> Option<usize> {
        Fixed::scratch_bytes(self)
    }

    fn serialize(&self) -> Vec<u8> {
        Fixed::serialize(self)
    }
}
