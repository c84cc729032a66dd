//! Executables: compiled programs, their descriptions, and their execution.
#![allow(unsafe_code)]

use crate::api::*;
use crate::buffers::{Buffer, Storage};
use crate::client::{Client, MEMORY_KIND};
use crate::compiler::Code;
use crate::error::{Code as ErrorCode, Error};
use crate::events::Event;
use crate::options;
use crate::pointers::{Object, free, give, into_raw, object, read, slice, text};
use crate::program::Program;
use crate::types::ArrayType;
use mlopt_dialects::bridge::stack::on_large_stack;
use mlopt_runtime::code::folder::hash;
use smallvec::SmallVec;
use std::ffi::{c_char, c_int};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

/// The format in which programs arrive.
const FORMAT: &str = "mlir";

/// A compiled program. The lists are in the form in which the API returns them.
pub struct Compiled {
    program: Program,
    code: Box<dyn Code>,
    options: Vec<u8>,
    /// The version of the compiler.
    version: String,
    fingerprint: String,
    result_elements: Vec<c_int>,
    result_dims: Vec<i64>,
    result_ranks: Vec<usize>,
    memory_kinds: Vec<*const c_char>,
    memory_kind_sizes: Vec<usize>,
}

// SAFETY: the pointers are those of constants.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

impl Compiled {
    fn new(client: &Client, program: Program, code: Box<dyn Code>, options: Vec<u8>) -> Compiled {
        let (results, version) = (&program.results, client.compiler.version());
        let hash = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, &program.artifact, &options, &version).hash(&mut hasher);
            hasher.finish()
        };
        Compiled {
            fingerprint: format!("{:016x}{:016x}", hash(0), hash(1)),
            result_elements: results.iter().map(|ty| ty.element as c_int).collect(),
            result_dims: results.iter().flat_map(|ty| &ty.dims).copied().collect(),
            result_ranks: results.iter().map(|ty| ty.dims.len()).collect(),
            memory_kinds: vec![MEMORY_KIND.as_ptr().cast(); results.len()],
            memory_kind_sizes: vec![MEMORY_KIND.len(); results.len()],
            program,
            code,
            options,
            version,
        }
    }
}

/// The description of a compiled program.
pub struct Executable(Arc<Compiled>);

/// A compiled program that can be executed until it is deleted.
pub struct Loaded {
    client: Arc<Client>,
    compiled: RwLock<Option<Arc<Compiled>>>,
    /// Lives longer than the program, because the caller keeps a pointer to it.
    fingerprint: String,
}

// SAFETY: only `into_raw` makes pointers to descriptions.
unsafe impl Object for Executable {
    type Opaque = opaque::Executable;
    const KIND: &'static str = "an executable";
}

// SAFETY: only `into_raw` makes pointers to loaded programs.
unsafe impl Object for Loaded {
    type Opaque = opaque::Loaded;
    const KIND: &'static str = "an executable";
}

impl Loaded {
    fn new(client: Arc<Client>, compiled: Compiled) -> Loaded {
        let fingerprint = compiled.fingerprint.clone();
        Loaded { client, compiled: RwLock::new(Some(Arc::new(compiled))), fingerprint }
    }

    fn compiled(&self) -> Result<Arc<Compiled>, Error> {
        let compiled = self.compiled.read().unwrap_or_else(PoisonError::into_inner).clone();
        compiled.ok_or_else(|| Error::invalid("the executable has been deleted"))
    }
}

/// `PJRT_Client_Compile`.
pub fn compile(args: &mut ClientCompile) -> Result<(), Error> {
    let client = Client::shared(args.client)?;
    let program = read(args.program)?;
    let format = text(program.format, program.format_size)?;
    if format != FORMAT {
        return Err(Error::unimplemented(format!(
            "not supported: programs in the format `{format}`, only in `{FORMAT}`"
        )));
    }
    let options = slice(args.compile_options.cast::<u8>(), args.compile_options_size)?;
    options::check(options)?;
    let artifact = slice(program.code.cast::<u8>(), program.code_size)?;
    // Readers, compilers and destructors recurse with the nesting of the program.
    let compiled = on_large_stack(|| {
        let (program, module) = Program::read(artifact)?;
        let code = client.compiler.compile(&program, &module)?;
        Ok::<_, Error>(Compiled::new(&client, program, code, options.to_vec()))
    })??;
    args.executable = into_raw(Loaded::new(client, compiled));
    Ok(())
}

/// `PJRT_LoadedExecutable_Destroy`: frees an executable, which may be null.
pub fn destroy_loaded(args: &mut LoadedExecutableDestroy) -> Result<(), Error> {
    free::<Loaded>(args.executable);
    Ok(())
}

/// `PJRT_LoadedExecutable_GetExecutable`.
pub fn get_executable(args: &mut LoadedExecutableGetExecutable) -> Result<(), Error> {
    let compiled = object::<Loaded>(args.loaded_executable)?.compiled()?;
    args.executable = into_raw(Executable(compiled));
    Ok(())
}

/// `PJRT_LoadedExecutable_AddressableDevices`.
pub fn addressable_devices(args: &mut LoadedExecutableAddressableDevices) -> Result<(), Error> {
    let mut devices = ClientAddressableDevices {
        client: Arc::as_ptr(&object::<Loaded>(args.executable)?.client).cast(),
        ..Default::default()
    };
    crate::client::addressable_devices(&mut devices)?;
    args.addressable_devices = devices.addressable_devices;
    args.num_addressable_devices = devices.num_addressable_devices;
    Ok(())
}

/// `PJRT_LoadedExecutable_GetDeviceAssignment`.
pub fn device_assignment(args: &mut LoadedExecutableGetDeviceAssignment) -> Result<(), Error> {
    give(
        options::device_assignment(),
        (&mut args.serialized_bytes, &mut args.serialized_bytes_size),
        (&mut args.serialized_device_assignment, &mut args.serialized_device_assignment_deleter),
    );
    Ok(())
}

/// `PJRT_LoadedExecutable_Delete`: the code is freed when its last call ends.
pub fn delete(args: &mut LoadedExecutableDelete) -> Result<(), Error> {
    let compiled = &object::<Loaded>(args.executable)?.compiled;
    let old = compiled.write().unwrap_or_else(PoisonError::into_inner).take();
    drop(old);
    Ok(())
}

/// `PJRT_LoadedExecutable_IsDeleted`.
pub fn is_deleted(args: &mut LoadedExecutableIsDeleted) -> Result<(), Error> {
    args.is_deleted = u8::from(object::<Loaded>(args.executable)?.compiled().is_err());
    Ok(())
}

/// `PJRT_LoadedExecutable_Fingerprint`.
pub fn loaded_fingerprint(args: &mut LoadedExecutableFingerprint) -> Result<(), Error> {
    let fingerprint = &object::<Loaded>(args.executable)?.fingerprint;
    (args.executable_fingerprint, args.executable_fingerprint_size) = (fingerprint.as_ptr().cast(), fingerprint.len());
    Ok(())
}

/// `PJRT_LoadedExecutable_Execute`: when it returns, the results are computed. Arguments that the program may give up
/// are deleted, unless the caller forbids it.
pub fn execute(args: &mut LoadedExecutableExecute) -> Result<(), Error> {
    let loaded = object::<Loaded>(args.executable)?;
    let compiled = loaded.compiled()?;
    let program = &compiled.program;
    if args.num_devices != 1 {
        return Err(Error::invalid(format!("`{}`: expected one device, found {}", program.name, args.num_devices)));
    }
    loaded.client.owns(args.execute_device, std::ptr::null())?;
    let kept = match args.options.is_null() {
        true => &[][..],
        false => {
            let options = read(args.options)?;
            if options.num_send_ops + options.num_recv_ops > 0 {
                return Err(Error::unimplemented("not supported: callbacks that send or receive"));
            }
            slice(options.non_donatable_input_indices, options.num_non_donatable_input_indices)?
        }
    };
    let [given] = slice(args.argument_lists, 1)? else { return Err(Error::invalid("expected arguments")) };
    let given = slice(*given, args.num_args)?;
    if given.len() != program.arguments.len() {
        let (want, found) = (program.arguments.len(), given.len());
        return Err(Error::invalid(format!("`{}`: expected {want} arguments, found {found}", program.name)));
    }
    // Before the program runs: after it, arguments that it may give up are deleted.
    let [outputs] = slice(args.output_lists, 1)? else { return Err(Error::invalid("expected room for results")) };
    if outputs.is_null() && !program.results.is_empty() {
        return Err(Error::invalid("expected room for results, found null"));
    }
    let mut inputs = SmallVec::<[(&Buffer, Arc<Storage>); 8]>::new();
    for (k, (&buffer, want)) in given.iter().zip(&program.arguments).enumerate() {
        let buffer = object::<Buffer>(buffer)?;
        if buffer.ty != *want {
            let text = format!("`{}`: expected argument #{k} of type {want}, found {}", program.name, buffer.ty);
            return Err(Error::invalid(text));
        }
        inputs.push((buffer, buffer.storage()?));
    }
    let allocate = |ty: &ArrayType| Buffer::allocate(&loaded.client, ty);
    let results = program.results.iter().map(allocate).collect::<Result<SmallVec<[_; 4]>, Error>>()?;
    let from: SmallVec<[*const u8; 8]> = inputs.iter().map(|(_, storage)| storage.data().cast_const()).collect();
    let to: SmallVec<[*mut u8; 8]> = results.iter().map(|(_, data)| *data).collect();
    // SAFETY: the arguments have the types of the program, and their memory is shared with `inputs`; the results are
    // new arrays of the types of the program.
    unsafe { compiled.code.run(&from, &to)? };
    let is_kept = |k: usize| kept.iter().any(|&index| usize::try_from(index) == Ok(k));
    program.donated.iter().filter(|&&k| !is_kept(k)).for_each(|&k| inputs[k].0.delete());
    for (k, (buffer, _)) in results.into_iter().enumerate() {
        // SAFETY: the caller passes a list with an element for each result.
        unsafe { outputs.add(k).write(into_raw(buffer)) };
    }
    if !args.device_complete_events.is_null() {
        // SAFETY: the caller passes a list with an element for each device.
        unsafe { args.device_complete_events.write(Event::ready(Ok(()))) };
    }
    Ok(())
}

/// `PJRT_Executable_Destroy`: frees a description, which may be null.
pub fn destroy(args: &mut ExecutableDestroy) -> Result<(), Error> {
    free::<Executable>(args.executable);
    Ok(())
}

fn described<'a>(executable: *const opaque::Executable) -> Result<&'a Compiled, Error> {
    Ok(&object::<Executable>(executable)?.0)
}

/// `PJRT_Executable_Name`.
pub fn name(args: &mut ExecutableName) -> Result<(), Error> {
    let name = &described(args.executable)?.program.name;
    (args.executable_name, args.executable_name_size) = (name.as_ptr().cast(), name.len());
    Ok(())
}

/// `PJRT_Executable_NumReplicas`.
pub fn num_replicas(args: &mut ExecutableNumReplicas) -> Result<(), Error> {
    args.num_replicas = 1;
    Ok(())
}

/// `PJRT_Executable_NumPartitions`.
pub fn num_partitions(args: &mut ExecutableNumPartitions) -> Result<(), Error> {
    args.num_partitions = 1;
    Ok(())
}

/// `PJRT_Executable_NumOutputs`.
pub fn num_outputs(args: &mut ExecutableNumOutputs) -> Result<(), Error> {
    args.num_outputs = described(args.executable)?.program.results.len();
    Ok(())
}

/// `PJRT_Executable_SizeOfGeneratedCodeInBytes`.
pub fn code_size(args: &mut ExecutableSizeOfGeneratedCodeInBytes) -> Result<(), Error> {
    args.size_in_bytes = described(args.executable)?.code.code_bytes() as i64;
    Ok(())
}

/// `PJRT_Executable_Fingerprint`: equal programs with equal options have equal fingerprints.
pub fn fingerprint(args: &mut ExecutableFingerprint) -> Result<(), Error> {
    let fingerprint = &described(args.executable)?.fingerprint;
    (args.executable_fingerprint, args.executable_fingerprint_size) = (fingerprint.as_ptr().cast(), fingerprint.len());
    Ok(())
}

/// `PJRT_Executable_GetCostAnalysis`: no costs are known.
pub fn cost_analysis(args: &mut ExecutableGetCostAnalysis) -> Result<(), Error> {
    (args.num_properties, args.properties) = (0, std::ptr::null());
    Ok(())
}

/// `PJRT_Executable_GetCompiledMemoryStats`.
pub fn memory_stats(args: &mut ExecutableGetCompiledMemoryStats) -> Result<(), Error> {
    let Compiled { program, code, .. } = described(args.executable)?;
    let Some(scratch) = code.scratch_bytes() else {
        let text = format!("the scratch memory of `{}` depends on the values of its arguments", program.name);
        return Err(Error::unimplemented(text));
    };
    let total = |types: &[ArrayType]| types.iter().map(ArrayType::bytes).sum::<usize>() as i64;
    // The caller does not initialise the fields that stay zero.
    *args = ExecutableGetCompiledMemoryStats {
        struct_size: args.struct_size,
        executable: args.executable,
        ..Default::default()
    };
    args.generated_code_size_in_bytes = code.code_bytes() as i64;
    args.argument_size_in_bytes = total(&program.arguments);
    args.output_size_in_bytes = total(&program.results);
    args.temp_size_in_bytes = scratch as i64;
    args.peak_memory_in_bytes = args.argument_size_in_bytes + args.output_size_in_bytes + args.temp_size_in_bytes;
    args.total_size_in_bytes = args.peak_memory_in_bytes + args.generated_code_size_in_bytes;
    Ok(())
}

/// `PJRT_Executable_OutputElementTypes`.
pub fn output_element_types(args: &mut ExecutableOutputElementTypes) -> Result<(), Error> {
    let elements = &described(args.executable)?.result_elements;
    (args.output_types, args.num_output_types) = (elements.as_ptr(), elements.len());
    Ok(())
}

/// `PJRT_Executable_OutputDimensions`.
pub fn output_dimensions(args: &mut ExecutableOutputDimensions) -> Result<(), Error> {
    let Compiled { result_dims, result_ranks, .. } = described(args.executable)?;
    (args.dims, args.dim_sizes, args.num_outputs) = (result_dims.as_ptr(), result_ranks.as_ptr(), result_ranks.len());
    Ok(())
}

/// `PJRT_Executable_OutputMemoryKinds`.
pub fn output_memory_kinds(args: &mut ExecutableOutputMemoryKinds) -> Result<(), Error> {
    let Compiled { memory_kinds, memory_kind_sizes, .. } = described(args.executable)?;
    (args.memory_kinds, args.memory_kind_sizes) = (memory_kinds.as_ptr(), memory_kind_sizes.as_ptr());
    args.num_outputs = memory_kinds.len();
    Ok(())
}

/// `PJRT_Executable_GetCompileOptions`.
pub fn compile_options(args: &mut ExecutableGetCompileOptions) -> Result<(), Error> {
    give(
        described(args.executable)?.options.clone(),
        (&mut args.serialized_bytes, &mut args.serialized_bytes_size),
        (&mut args.serialized_compile_options, &mut args.serialized_compile_options_deleter),
    );
    Ok(())
}

/// The first bytes of a serialised executable.
const MAGIC: &[u8] = b"mlopt-pjrt 2\n";

/// `PJRT_Executable_Serialize`: a hash of the rest; version of the compiler, options, artifact and code, each after its
/// length.
pub fn serialize(args: &mut ExecutableSerialize) -> Result<(), Error> {
    let Compiled { program, code, options, version, .. } = described(args.executable)?;
    let mut parts = vec![];
    for part in [version.as_bytes(), options, &program.artifact, &code.serialize()] {
        parts.extend((part.len() as u64).to_le_bytes());
        parts.extend(part);
    }
    let bytes = [MAGIC, &hash(&[&parts]), &parts].concat();
    give(
        bytes,
        (&mut args.serialized_bytes, &mut args.serialized_bytes_size),
        (&mut args.serialized_executable, &mut args.serialized_executable_deleter),
    );
    Ok(())
}

/// `PJRT_Executable_DeserializeAndLoad`.
pub fn deserialize_and_load(args: &mut ExecutableDeserializeAndLoad) -> Result<(), Error> {
    let client = Client::shared(args.client)?;
    let bytes = slice(args.serialized_executable.cast::<u8>(), args.serialized_executable_size)?;
    let malformed = || Error::invalid("expected an executable that mlopt has serialised, found other bytes");
    let hashed = bytes.strip_prefix(MAGIC).and_then(<[u8]>::split_first_chunk).ok_or_else(malformed)?;
    let (expected, mut rest) = hashed;
    if hash(&[rest]) != *expected {
        return Err(Error::invalid("the serialised executable is damaged: its hash differs"));
    }
    let mut part = || {
        let (size, after) = rest.split_first_chunk().ok_or_else(malformed)?;
        let size = usize::try_from(u64::from_le_bytes(*size)).map_err(|_| malformed())?;
        let (part, after) = after.split_at_checked(size).ok_or_else(malformed)?;
        rest = after;
        Ok::<&[u8], Error>(part)
    };
    let (version, options, artifact, code) = (part()?, part()?, part()?, part()?);
    if version != client.compiler.version().as_bytes() {
        let text = "expected an executable of this build of mlopt on this kind of processor, found one of another";
        return Err(Error::new(ErrorCode::FailedPrecondition, text));
    }
    let overridden = slice(
        args.overridden_serialized_compile_options.cast::<u8>(),
        args.overridden_serialized_compile_options_size,
    )?;
    let options = if overridden.is_empty() { options } else { overridden };
    options::check(options)?;
    let compiled = on_large_stack(|| {
        let (program, _module) = Program::read(artifact)?;
        let code = client.compiler.load(&program, code)?;
        Ok::<_, Error>(Compiled::new(&client, program, code, options.to_vec()))
    })??;
    args.loaded_executable = into_raw(Loaded::new(client, compiled));
    Ok(())
}
