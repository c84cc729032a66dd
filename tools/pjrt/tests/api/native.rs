//! The compiler of this project behind the plugin.

use crate::double::{ADD, Owned, destroy, read};
use crate::executables::{SUM, X, Y, deserialized, destroy_loaded, execute, execute_all, serialized};
use crate::{call, text};
use mlopt_pjrt::Native;
use mlopt_pjrt::api::*;
use mlopt_pjrt::client::Client;
use mlopt_runtime::code::folder::Folder;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const SMALL_FLOAT: &[u8] = include_bytes!("../artifacts/small_float.mlir.bc");
const CUSTOM_CALL: &[u8] = include_bytes!("../artifacts/custom_call.mlir.bc");
const COMPLEX: &[u8] = include_bytes!("../artifacts/complex.mlir.bc");

fn native() -> Owned {
    let mut args = ClientCreate::default();
    call("PJRT_Client_Create", &mut args).expect("a client");
    Owned(args.client)
}

#[test]
fn a_program_is_compiled_serialised_and_loaded() {
    let client = native();
    let add = client.compile(ADD).expect("a program");
    let again = deserialized(client.0, &serialized(add)).expect("a program");
    let (x, y) = (client.buffer(11, &[2, 3], &X), client.buffer(11, &[2, 3], &Y));
    for loaded in [add, again] {
        let sum = execute(loaded, &[x, y], &[0]).expect("a result");
        assert_eq!(read::<f32>(sum).expect("data"), SUM);
        destroy(sum);
        destroy_loaded(loaded);
    }
    [x, y].into_iter().for_each(destroy);
}

/// The program multiplies by i. Complex numbers are pairs in buffers, unsigned numbers are divided as such, and empty
/// results have no elements.
#[test]
fn complex_unsigned_and_empty_arrays_pass_the_boundary() {
    let client = native();
    let program = client.compile(COMPLEX).expect("a program");
    let x = client.buffer(14, &[3], &[[1f32, 2.0], [0.0, -1.0], [3.0, 0.5]]);
    let n = client.buffer(8, &[], &[u32::MAX - 1]);
    let results = execute_all(program, &[x, n], &[]).expect("results");
    assert_eq!(read::<[f32; 2]>(results[0]).expect("data"), [[-2.0, 1.0], [1.0, 0.0], [-0.5, 3.0]]);
    assert_eq!(read::<u32>(results[1]).expect("data"), [u32::MAX / 2]);
    assert_eq!(read::<f32>(results[2]).expect("data"), [0f32; 0]);
    [x, n].into_iter().chain(results[..3].iter().copied()).for_each(destroy);
    destroy_loaded(program);
}

/// The message of an operation that is not supported has its name and its position in Python.
#[test]
fn a_refusal_names_the_operation_and_the_line() {
    let client = native();
    let (code, text) = client.compile(CUSTOM_CALL).expect_err("not supported");
    assert_eq!(code, 12);
    assert!(text.starts_with("model.py:12:4: ") && text.contains("their_kernel"), "{text}");
}

/// JAX gives functions no positions; an argument of a type that is not supported is reported at the first operation.
#[test]
fn a_refusal_of_a_type_names_the_line() {
    let client = native();
    let (code, text) = client.compile(SMALL_FLOAT).expect_err("not supported");
    assert_eq!(code, 12);
    assert!(text.starts_with("model.py:7:2: ") && text.contains("f8E4M3FN"), "{text}");
}

#[test]
fn the_version_names_build_and_processor() {
    let client = native();
    let mut version = ClientPlatformVersion { client: client.0, ..Default::default() };
    call("PJRT_Client_PlatformVersion", &mut version).expect("a version");
    let version = text(version.platform_version, version.platform_version_size);
    assert!(version.starts_with("mlopt ") && version.contains("(build ") && version.contains('\n'), "{version}");
}

/// A second process compiles nothing, and replaces an entry that is damaged. A file is written under another number.
#[test]
fn code_is_kept_in_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pjrt_cache");
    let _ignored = fs::remove_dir_all(&folder);
    let run = || {
        let compiler = Native::with_cache(Some(Folder::open(&folder).expect("a folder"))).expect("a compiler");
        let client = Owned(Client::create(Box::new(compiler)));
        let add = client.compile(ADD).expect("a program");
        let [x, y] = [X, Y].map(|numbers| client.buffer(11, &[2, 3], &numbers));
        let sum = execute(add, &[x, y], &[0]).expect("a result");
        assert_eq!(read::<f32>(sum).expect("data"), SUM);
        [x, y, sum].into_iter().for_each(destroy);
        destroy_loaded(add);
        let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
        let [entry] = &files[..] else { panic!("expected one file, found {files:?}") };
        (entry.clone(), fs::metadata(entry).unwrap().ino())
    };
    let (entry, first) = run();
    assert_eq!(run().1, first);
    let mut bytes = fs::read(&entry).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&entry, bytes).unwrap();
    let (_, second) = run();
    assert_ne!(second, first);
    assert_eq!(run().1, second);
}
