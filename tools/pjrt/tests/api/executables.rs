use crate::double::{ADD, FFT, Owned, TOKEN, TYPES, destroy, is_deleted, read};
use crate::{call, finish, list, text};
use mlopt_pjrt::api::*;
use mlopt_pjrt::client::Client;
use std::ffi::c_int;

type Outcome<T> = Result<T, (c_int, String)>;

/// Executes a program and returns its first result.
pub fn execute(
    loaded: *const opaque::Loaded,
    arguments: &[*mut opaque::Buffer],
    kept: &[i64],
) -> Outcome<*mut opaque::Buffer> {
    execute_all(loaded, arguments, kept).map(|results| results[0])
}

/// Executes a program with at most four results.
pub fn execute_all(
    loaded: *const opaque::Loaded,
    arguments: &[*mut opaque::Buffer],
    kept: &[i64],
) -> Outcome<[*mut opaque::Buffer; 4]> {
    let options = ExecuteOptions {
        non_donatable_input_indices: kept.as_ptr(),
        num_non_donatable_input_indices: kept.len(),
        ..Default::default()
    };
    let arguments: Vec<*const opaque::Buffer> = arguments.iter().map(|buffer| buffer.cast_const()).collect();
    let mut results = [std::ptr::null_mut(); 4];
    let mut event = std::ptr::null_mut();
    let mut args = LoadedExecutableExecute {
        executable: loaded,
        options: &options,
        argument_lists: &arguments.as_ptr(),
        num_devices: 1,
        num_args: arguments.len(),
        output_lists: &results.as_mut_ptr(),
        device_complete_events: &mut event,
        ..Default::default()
    };
    call("PJRT_LoadedExecutable_Execute", &mut args)?;
    finish(event)?;
    Ok(results)
}

fn described(loaded: *const opaque::Loaded) -> *mut opaque::Executable {
    let mut args = LoadedExecutableGetExecutable { loaded_executable: loaded, ..Default::default() };
    call("PJRT_LoadedExecutable_GetExecutable", &mut args).expect("a description");
    args.executable
}

pub fn destroy_loaded(executable: *mut opaque::Loaded) {
    let mut args = LoadedExecutableDestroy { executable, ..Default::default() };
    call("PJRT_LoadedExecutable_Destroy", &mut args).expect("freed");
}

fn destroy_described(executable: *mut opaque::Executable) {
    call("PJRT_Executable_Destroy", &mut ExecutableDestroy { executable, ..Default::default() }).expect("freed");
}

fn fingerprint(executable: *const opaque::Executable) -> String {
    let mut args = ExecutableFingerprint { executable, ..Default::default() };
    call("PJRT_Executable_Fingerprint", &mut args).expect("a fingerprint");
    text(args.executable_fingerprint, args.executable_fingerprint_size)
}

pub const X: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
pub const Y: [f32; 6] = [10.0; 6];
pub const SUM: [f32; 6] = [11.0, 12.0, 13.0, 14.0, 15.0, 16.0];

#[test]
fn a_program_runs_and_gives_up_what_the_caller_donates() {
    let client = Owned::new();
    let add = client.compile(ADD).expect("a program");
    let (x, y) = (client.buffer(11, &[2, 3], &X), client.buffer(11, &[2, 3], &Y));
    // The program may reuse its argument 0, but the caller keeps it.
    let kept = execute(add, &[x, y], &[0]).expect("a result");
    assert_eq!(read::<f32>(kept).expect("data"), SUM);
    assert_eq!((is_deleted(x), is_deleted(y)), (false, false));
    let sum = execute(add, &[x, y], &[]).expect("a result");
    assert_eq!(read::<f32>(sum).expect("data"), SUM);
    assert_eq!((is_deleted(x), is_deleted(y)), (true, false));
    let text = "the buffer of type float32[2,3] has been deleted or donated".to_string();
    assert_eq!(execute(add, &[x, y], &[]), Err((3, text)));
    // Results are arguments of other calls.
    let twice = execute(add, &[kept, sum], &[0]).expect("a result");
    assert_eq!(read::<f32>(twice).expect("data"), SUM.map(|x| 2.0 * x));
    [x, y, kept, sum, twice].into_iter().for_each(destroy);
    destroy_loaded(add);
}

#[test]
fn wrong_arguments_are_rejected() {
    let client = Owned::new();
    let add = client.compile(ADD).expect("a program");
    let (x, y) = (client.buffer(11, &[2, 3], &X), client.buffer(4, &[2, 3], &[0; 6]));
    let text = "`add`: expected 2 arguments, found 1".to_string();
    assert_eq!(execute(add, &[x], &[]), Err((3, text)));
    let text = "`add`: expected argument #1 of type float32[2,3], found int32[2,3]".to_string();
    assert_eq!(execute(add, &[x, y], &[]), Err((3, text)));
    assert!(!is_deleted(x), "an argument is given up only when the program has run");
    let mut args = LoadedExecutableExecute { executable: add, num_devices: 2, ..Default::default() };
    let text = "`add`: expected one device, found 2".to_string();
    assert_eq!(call("PJRT_LoadedExecutable_Execute", &mut args), Err((3, text)));
    // Without room for results, nothing is run and nothing is given up.
    let z = client.buffer(11, &[2, 3], &Y);
    let arguments = [x.cast_const(), z.cast_const()];
    for output_lists in [std::ptr::null(), &std::ptr::null_mut()] {
        let mut args = LoadedExecutableExecute {
            executable: add,
            argument_lists: &arguments.as_ptr(),
            num_devices: 1,
            num_args: arguments.len(),
            output_lists,
            ..Default::default()
        };
        let (code, _) = call("PJRT_LoadedExecutable_Execute", &mut args).unwrap_err();
        assert_eq!((code, is_deleted(x)), (3, false));
    }
    [x, y, z].into_iter().for_each(destroy);
    destroy_loaded(add);
}

#[test]
fn an_executable_describes_its_program() {
    let client = Owned::new();
    let types = client.compile(TYPES).expect("a program");
    let executable = described(types);
    let mut name = ExecutableName { executable, ..Default::default() };
    call("PJRT_Executable_Name", &mut name).expect("a name");
    assert_eq!(text(name.executable_name, name.executable_name_size), "types");
    let mut elements = ExecutableOutputElementTypes { executable, ..Default::default() };
    call("PJRT_Executable_OutputElementTypes", &mut elements).expect("types");
    assert_eq!(list(elements.output_types, elements.num_output_types), [6, 1, 14, 13]);
    let mut dims = ExecutableOutputDimensions { executable, ..Default::default() };
    call("PJRT_Executable_OutputDimensions", &mut dims).expect("dimensions");
    assert_eq!(list(dims.dim_sizes, dims.num_outputs), [1, 0, 2, 2]);
    assert_eq!(list(dims.dims, 5), [3, 2, 2, 0, 4]);
    let mut kinds = ExecutableOutputMemoryKinds { executable, ..Default::default() };
    call("PJRT_Executable_OutputMemoryKinds", &mut kinds).expect("kinds");
    let names = list(kinds.memory_kinds, kinds.num_outputs).into_iter();
    let names = names.zip(list(kinds.memory_kind_sizes, kinds.num_outputs)).map(|(kind, size)| text(kind, size));
    assert_eq!(names.collect::<Vec<_>>(), ["device"; 4]);
    let mut outputs = ExecutableNumOutputs { executable, ..Default::default() };
    call("PJRT_Executable_NumOutputs", &mut outputs).expect("a number");
    assert_eq!(outputs.num_outputs, 4);
    let mut stats = ExecutableGetCompiledMemoryStats { executable, ..Default::default() };
    let text = "the scratch memory of `types` depends on the values of its arguments".to_string();
    assert_eq!(call("PJRT_Executable_GetCompiledMemoryStats", &mut stats), Err((12, text)));
    destroy_described(executable);

    let add = client.compile(ADD).expect("a program");
    let executable = described(add);
    // Callers leave the fields that the plugin sets without values.
    let mut stats = ExecutableGetCompiledMemoryStats { executable, alias_size_in_bytes: 77, ..Default::default() };
    call("PJRT_Executable_GetCompiledMemoryStats", &mut stats).expect("numbers");
    assert_eq!((stats.alias_size_in_bytes, stats.host_temp_size_in_bytes), (0, 0));
    assert_eq!((stats.argument_size_in_bytes, stats.output_size_in_bytes, stats.temp_size_in_bytes), (48, 24, 640));
    assert_eq!((stats.peak_memory_in_bytes, stats.generated_code_size_in_bytes), (712, 11));
    destroy_described(executable);
    [types, add].into_iter().for_each(destroy_loaded);
}

#[test]
fn fingerprints_tell_programs_and_options_apart() {
    let client = Owned::new();
    // CompileOptionsProto { executable_build_options { num_replicas: 1 } }
    let options = [0x1a, 2, 0x20, 1];
    let compiled =
        [client.compile(ADD), client.compile(ADD), client.compile(TYPES), client.compile_with(ADD, "mlir", &options)];
    let compiled = compiled.map(|loaded| loaded.expect("a program"));
    let [one, same, other, with_options] = compiled.map(|loaded| {
        let executable = described(loaded);
        let fingerprint = fingerprint(executable);
        destroy_described(executable);
        fingerprint
    });
    assert_eq!(one, same);
    assert_ne!(one, other);
    assert_ne!(one, with_options);
    compiled.into_iter().for_each(destroy_loaded);
}

#[test]
fn a_deleted_executable_does_not_run() {
    let client = Owned::new();
    let add = client.compile(ADD).expect("a program");
    let executable = described(add);
    call("PJRT_LoadedExecutable_Delete", &mut LoadedExecutableDelete { executable: add, ..Default::default() })
        .expect("deleted");
    let mut state = LoadedExecutableIsDeleted { executable: add, ..Default::default() };
    call("PJRT_LoadedExecutable_IsDeleted", &mut state).expect("a state");
    assert_eq!(state.is_deleted, 1);
    let deleted = Err((3, "the executable has been deleted".to_string()));
    assert_eq!(execute(add, &[], &[]), deleted);
    // Its description lives on.
    assert_eq!(fingerprint(executable).len(), 32);
    destroy_loaded(add);
    destroy_described(executable);
}

#[test]
fn what_cannot_be_compiled_is_an_error() {
    let client = Owned::new();
    let fails = |artifact: &[u8], format: &str, options: &[u8], code: c_int, text: &str| {
        assert_eq!(client.compile_with(artifact, format, options), Err((code, text.to_string())));
    };
    fails(b"module {}", "mlir", &[], 3, "expected MLIR bytecode, which starts with the bytes 4D 4C EF 52");
    fails(ADD, "hlo", &[], 12, "not supported: programs in the format `hlo`, only in `mlir`");
    fails(TOKEN, "mlir", &[], 12, "not supported: argument #0 of `token` is not an array: found a token");
    let (code, text) = client.compile(FFT).unwrap_err();
    assert!(code == 13 && text.starts_with("internal error: a bug of the compiler (tools/pjrt/tests/"), "{text}");
    // CompileOptionsProto { executable_build_options { num_partitions: 4 } }
    fails(ADD, "mlir", &[0x1a, 2, 0x28, 4], 12, "not supported: 4 partitions; mlopt has one device");
    // CompileOptionsProto { env_option_overrides { key: "x" } }
    fails(ADD, "mlir", &[0x3a, 3, 0x0a, 1, b'x'], 3, "mlopt has no compiler option `x`");
    // CompileOptionsProto { executable_build_options { device_assignment { computation_devices { 1 } } } }
    let text = "expected an assignment to device 0, the only one, found device 1";
    fails(ADD, "mlir", &[0x1a, 7, 0x4a, 5, 0x1a, 3, 0x0a, 1, 1], 3, text);
    assert_eq!(client.compile_with(ADD, "mlir", &[0xff]).unwrap_err().0, 3);
}

#[test]
fn an_error_of_a_running_program_is_returned() {
    let client = Owned::new();
    let types = client.compile(TYPES).expect("a program");
    let arguments =
        [client.buffer(1, &[], &[1u8]), client.buffer(6, &[3], &[1u8; 3]), client.buffer(5, &[2, 2], &[1i64; 4])];
    let text = "model.py:3:1: a check of the program".to_string();
    assert_eq!(execute(types, &arguments, &[]), Err((3, text)));
    arguments.into_iter().for_each(destroy);
    destroy_loaded(types);
}

#[test]
fn an_executable_is_assigned_to_device_0() {
    let client = Owned::new();
    let add = client.compile(ADD).expect("a program");
    let mut args = LoadedExecutableGetDeviceAssignment { executable: add, ..Default::default() };
    call("PJRT_LoadedExecutable_GetDeviceAssignment", &mut args).expect("an assignment");
    let bytes = list(args.serialized_bytes.cast::<u8>(), args.serialized_bytes_size);
    assert_eq!(bytes, [8, 1, 16, 1, 26, 3, 10, 1, 0]);
    // SAFETY: the plugin has returned the bytes with their deleter.
    unsafe { args.serialized_device_assignment_deleter.expect("a deleter")(args.serialized_device_assignment) };
    let mut devices = LoadedExecutableAddressableDevices { executable: add, ..Default::default() };
    call("PJRT_LoadedExecutable_AddressableDevices", &mut devices).expect("devices");
    assert_eq!(devices.num_addressable_devices, 1);
    destroy_loaded(add);
}

pub fn serialized(loaded: *const opaque::Loaded) -> Vec<u8> {
    let executable = described(loaded);
    let mut args = ExecutableSerialize { executable, ..Default::default() };
    call("PJRT_Executable_Serialize", &mut args).expect("bytes");
    let bytes = list(args.serialized_bytes.cast::<u8>(), args.serialized_bytes_size);
    // SAFETY: the plugin has returned the bytes with their deleter.
    unsafe { args.serialized_executable_deleter.expect("a deleter")(args.serialized_executable) };
    destroy_described(executable);
    bytes
}

pub fn deserialized(client: *const opaque::Client, bytes: &[u8]) -> Outcome<*mut opaque::Loaded> {
    let mut args = ExecutableDeserializeAndLoad {
        client,
        serialized_executable: bytes.as_ptr().cast(),
        serialized_executable_size: bytes.len(),
        ..Default::default()
    };
    call("PJRT_Executable_DeserializeAndLoad", &mut args).map(|()| args.loaded_executable)
}

#[test]
fn a_serialised_executable_is_loaded_by_the_same_compiler_only() {
    let client = Owned::new();
    let add = client.compile(ADD).expect("a program");
    let bytes = serialized(add);
    destroy_loaded(add);
    let add = deserialized(client.0, &bytes).expect("a program");
    let (x, y) = (client.buffer(11, &[2, 3], &X), client.buffer(11, &[2, 3], &Y));
    let sum = execute(add, &[x, y], &[]).expect("a result");
    assert_eq!(read::<f32>(sum).expect("data"), SUM);
    [x, y, sum].into_iter().for_each(destroy);
    destroy_loaded(add);

    let other = Owned(Client::create(Box::new(crate::double::Double("version 2"))));
    let text = "expected an executable of this build of mlopt on this kind of processor, found one of another";
    assert_eq!(deserialized(other.0, &bytes), Err((9, text.to_string())));
    let malformed = Err((3, "expected an executable that mlopt has serialised, found other bytes".to_string()));
    for bytes in [&b"other"[..], &bytes[..20]] {
        assert_eq!(deserialized(client.0, bytes), malformed);
    }
    let damaged = Err((3, "the serialised executable is damaged: its hash differs".to_string()));
    assert_eq!(deserialized(client.0, &bytes[..bytes.len() - 1]), damaged);
    for at in (45..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert_eq!(deserialized(client.0, &changed), damaged);
    }
}

#[test]
fn several_threads_run_one_program() {
    let client = Owned::new();
    let add = client.compile(ADD).expect("a program");
    let (address, of_client) = (add as usize, client.0 as usize);
    std::thread::scope(|scope| {
        for k in 0..8u8 {
            scope.spawn(move || {
                let client = std::mem::ManuallyDrop::new(Owned(of_client as *const opaque::Client));
                for _ in 0..200 {
                    let (x, y) = (client.buffer(11, &[2, 3], &[f32::from(k); 6]), client.buffer(11, &[2, 3], &Y));
                    let sum = execute(address as *const opaque::Loaded, &[x, y], &[]).expect("a result");
                    assert_eq!(read::<f32>(sum).expect("data"), [f32::from(k) + 10.0; 6]);
                    [x, y, sum].into_iter().for_each(destroy);
                }
            });
        }
    });
    destroy_loaded(add);
}
