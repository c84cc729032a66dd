//! Sessions, modules and code.

use crate::guard::{at, guarded, list, or, store, text};
use crate::handle::{create, free, get, get_mut};
use crate::status::{Failure, mlopt_status};
use crate::types::*;
use mlopt::{Cache, Pipeline, Session, Target};
use std::ffi::c_char;

/// The version of the interface, `MLOPT_ABI_VERSION` of the header.
const ABI_VERSION: u32 = 1;

/// Returns the version of this interface in the library. Programs compare it with `MLOPT_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn mlopt_abi_version() -> u32 {
    ABI_VERSION
}

/// Returns the version of the compiler.
#[unsafe(no_mangle)]
pub extern "C" fn mlopt_version() -> mlopt_string {
    mlopt_string::of(env!("CARGO_PKG_VERSION"))
}

/// Sets the number of threads that execute a parallel loop of compiled code, the calling one included. 0 stands for
/// $MLOPT_THREADS, or else the number of processors that the process may use. The results of calls do not depend on it.
#[unsafe(no_mangle)]
pub extern "C" fn mlopt_set_threads(threads: usize) {
    mlopt::set_threads(threads);
}

/// Returns the number of threads that execute a parallel loop of compiled code.
#[unsafe(no_mangle)]
pub extern "C" fn mlopt_threads() -> usize {
    mlopt::threads()
}

/// Creates a session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_session_new(
    session: *mut *mut mlopt_session,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the addresses may be written.
    unsafe { guarded(error, || store(session, || Ok(create(Session::new())))) }
}

/// Creates a session that keeps compiled code in a folder of mode 700, which is created if it does not exist. An empty
/// name stands for $MLOPT_CACHE_DIR, or `mlopt` in the cache folder of the user. `limit` is the maximum number of bytes
/// of all entries; 0 stands for 1 GiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_session_new_with_cache(
    folder: *const c_char,
    folder_size: usize,
    limit: u64,
    session: *mut *mut mlopt_session,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    let open = || {
        // SAFETY: of this function: `folder` has this size.
        let cache = match unsafe { text(folder, folder_size, "the name of the folder")? } {
            "" => Cache::of_user()?,
            folder => Cache::open(folder)?,
        };
        let cache = if limit == 0 { cache } else { cache.with_limit(limit) };
        Ok(create(Session::with_cache(cache)))
    };
    // SAFETY: of this function: the addresses may be written.
    unsafe { guarded(error, || store(session, open)) }
}

/// Returns the number of programs whose code was found in the cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_session_cache_hits(session: *const mlopt_session) -> u64 {
    // SAFETY: of this function: the session is one.
    or(0, || Ok(unsafe { get(session)? }.cache().map_or(0, Cache::hits)))
}

/// Returns the number of programs that were compiled because their code was not found in the cache.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_session_cache_misses(session: *const mlopt_session) -> u64 {
    // SAFETY: of this function: the session is one.
    or(0, || Ok(unsafe { get(session)? }.cache().map_or(0, Cache::misses)))
}

/// Frees a session. Modules and code that were made by it remain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_session_free(session: *mut mlopt_session) {
    // SAFETY: of this function: nothing else uses the session.
    unsafe { free(session) }
}

/// Parses a program. `name` is the name of the source in diagnostics; if it ends in `.terms` or `.lambda`, the source
/// is in the notation of arrays or functions, otherwise it is MLIR text or bytecode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_module_parse(
    session: *const mlopt_session,
    name: *const c_char,
    name_size: usize,
    source: *const c_char,
    source_size: usize,
    module: *mut *mut mlopt_module,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the session is one, the texts have these sizes, and the addresses may be written.
    unsafe {
        guarded(error, || {
            let session = get(session)?;
            let name = text(name, name_size, "the name of the source")?;
            let source = list(source.cast::<u8>(), source_size, "the source")?;
            store(module, || Ok(create(Some(session.parse(name, source)?))))
        })
    }
}

/// Returns the number of public functions of a module; 0 if it is not valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_module_function_count(module: *const mlopt_module) -> usize {
    // SAFETY: of this function: the module is one.
    or(0, || Ok(present(unsafe { get(module)? })?.functions()?.len()))
}

/// Runs passes: a pipeline such as `builtin.module(canonicalize,cse)`. After a pass has failed, the module can only be
/// freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_module_run(
    module: *mut mlopt_module,
    pipeline: *const c_char,
    pipeline_size: usize,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the module is one and used by this thread only, the text has this size, and the address
    // may be written.
    unsafe {
        guarded(error, || {
            let pipeline = Pipeline::parse(text(pipeline, pipeline_size, "the pipeline")?);
            get_mut(module)?.as_mut().ok_or_else(compiled)?.run(&pipeline)?;
            Ok(())
        })
    }
}

/// Returns a module as MLIR text, to be freed by `mlopt_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_module_text(
    module: *const mlopt_module,
    text: *mut mlopt_string,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the module is one, and the addresses may be written.
    unsafe {
        guarded(error, || {
            let module = present(get(module)?)?;
            store(text, || {
                let bytes: &'static mut [u8] = Box::leak(module.text()?.into_bytes().into_boxed_slice());
                Ok(mlopt_string { data: bytes.as_ptr().cast(), size: bytes.len() })
            })
        })
    }
}

/// Frees the text of `mlopt_module_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_string_free(text: mlopt_string) {
    if !text.data.is_null() && text.size > 0 {
        // SAFETY: of this function: the text is from `mlopt_module_text`, which has leaked it.
        drop(unsafe {
            Box::from_raw(std::ptr::slice_from_raw_parts_mut(text.data.cast_mut().cast::<u8>(), text.size))
        });
    }
}

/// Compiles a module, which can only be freed afterwards, unless an argument is wrong. An empty pipeline stands for the
/// default passes, `fast` for those with the permission of `fastmath<fast>` on every op, an empty processor for that of
/// this machine. `features` are added to the processor or removed: `+avx2,-fma`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_module_compile(
    module: *mut mlopt_module,
    pipeline: *const c_char,
    pipeline_size: usize,
    cpu: *const c_char,
    cpu_size: usize,
    features: *const c_char,
    features_size: usize,
    code: *mut *mut mlopt_code,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the module is one and used by this thread only, the texts have these sizes, and the
    // addresses may be written.
    unsafe {
        guarded(error, || {
            let pipeline = match text(pipeline, pipeline_size, "the pipeline")? {
                "" => Pipeline::default_cpu(),
                "fast" => Pipeline::default_cpu().fast(),
                text => Pipeline::parse(text),
            };
            let cpu = text(cpu, cpu_size, "the processor")?;
            let cpu = if cpu.is_empty() { "native" } else { cpu };
            let target = Target::named(cpu, text(features, features_size, "the features")?)?;
            let module = get_mut(module)?;
            // After an error in the arguments, the module is still there.
            present(module)?.check(&pipeline)?;
            store(code, || Ok(create(module.take().ok_or_else(compiled)?.compile(&pipeline, &target)?)))
        })
    }
}

/// Frees a module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_module_free(module: *mut mlopt_module) {
    // SAFETY: of this function: nothing else uses the module.
    unsafe { free(module) }
}

/// Parses a program and compiles it for this machine with the default passes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_compile(
    session: *const mlopt_session,
    name: *const c_char,
    name_size: usize,
    source: *const c_char,
    source_size: usize,
    code: *mut *mut mlopt_code,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the session is one, the texts have these sizes, and the addresses may be written.
    unsafe {
        guarded(error, || {
            let session = get(session)?;
            let name = text(name, name_size, "the name of the source")?;
            let source = list(source.cast::<u8>(), source_size, "the source")?;
            store(code, || Ok(create(session.compile(name, source)?)))
        })
    }
}

/// Returns the number of functions that can be called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_code_function_count(code: *const mlopt_code) -> usize {
    // SAFETY: of this function: the code is an object.
    or(0, || Ok(unsafe { get(code)? }.functions().len()))
}

/// Returns a function by its position in the order of the names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_code_function_at(
    code: *const mlopt_code,
    position: usize,
    function: *mut *mut mlopt_function,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the code is an object, and the addresses may be written.
    unsafe {
        guarded(error, || {
            let code = get(code)?;
            let names = code.functions();
            let name = names.get(position).ok_or_else(|| {
                Failure::argument(format!("expected a position below {}, found {position}", names.len()))
            })?;
            store(function, || Ok(create(TypedFunction::new(code.function(name)?))))
        })
    }
}

/// Returns a function by its name, with or without `@`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_code_function(
    code: *const mlopt_code,
    name: *const c_char,
    name_size: usize,
    function: *mut *mut mlopt_function,
    error: *mut *mut mlopt_error,
) -> mlopt_status {
    // SAFETY: of this function: the code is an object, the text has this size, and the addresses may be written.
    unsafe {
        guarded(error, || {
            let code = get(code)?;
            let name = text(name, name_size, "the name of the function")?;
            store(function, || Ok(create(TypedFunction::new(code.function(name)?))))
        })
    }
}

/// Returns the number of warnings and remarks of the compilation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_code_diagnostic_count(code: *const mlopt_code) -> usize {
    // SAFETY: of this function: the code is an object.
    or(0, || Ok(unsafe { get(code)? }.diagnostics().len()))
}

/// Returns a warning or remark of the compilation. Returns false if there is none at this position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_code_diagnostic(
    code: *const mlopt_code,
    position: usize,
    diagnostic: *mut mlopt_diagnostic,
) -> bool {
    // SAFETY: of this function: the code is an object, and the address may be written.
    or(false, || unsafe { at(diagnostic, get(code)?.diagnostics().get(position).map(mlopt_diagnostic::of)) })
}

/// Frees code. Its functions remain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mlopt_code_free(code: *mut mlopt_code) {
    // SAFETY: of this function: nothing else uses the code.
    unsafe { free(code) }
}

fn present(module: &Option<mlopt::Module>) -> Result<&mlopt::Module, Failure> {
    module.as_ref().ok_or_else(compiled)
}

fn compiled() -> Failure {
    Failure::argument("the module has been consumed by a compilation")
}
