//! The structs have the layout of the C header, and functions accept callers that know fewer or more fields.

use crate::{call, taken};
use mlopt_pjrt::api::*;
use mlopt_pjrt::{GetPjrtApi, NAMES};
use std::ffi::c_void;
use std::fmt::Write;
use std::process::Command;

/// `layout.txt` contains the numbers that a C compiler computes from the header.
#[test]
fn structs_have_the_layout_of_the_header() {
    let expected: Vec<&str> = include_str!("../layout.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let found = LAYOUTS.iter().map(|(name, size, fields)| {
        let mut line = format!("{name} {size}");
        for (field, offset) in *fields {
            write!(line, " {}:{offset}", field.trim_start_matches("r#")).expect("a text");
        }
        line
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn the_table_states_its_version_and_size() {
    // SAFETY: the table lives as long as the process.
    let api = unsafe { &*GetPjrtApi() };
    assert_eq!((api.version.major_version, api.version.minor_version), VERSION);
    assert_eq!(api.struct_size, 16 + 24 + 8 * NAMES.len());
    assert_eq!(NAMES.len(), 128);
}

#[test]
fn a_function_that_is_not_implemented_is_named() {
    let mut args = [0usize; 32];
    args[0] = size_of_val(&args);
    for name in ["PJRT_Compile", "PJRT_Client_DmaMap", "PJRT_Buffer_CopyRawToHostFuture"] {
        let text = format!("{name} is not implemented by mlopt");
        assert_eq!(call(name, &mut args), Err((12, text)));
    }
}

#[test]
fn a_struct_that_is_too_short_is_rejected() {
    let mut args = ErrorMessage { struct_size: 24, ..Default::default() };
    let text = "PJRT_Error_Message_Args: expected a struct_size of at least 40, found 24".to_string();
    assert_eq!(call("PJRT_Error_Message", &mut args), Err((3, text)));
    // SAFETY: the function checks its pointer.
    let error = unsafe { ((*GetPjrtApi()).functions[0])(std::ptr::null_mut()) };
    assert_eq!(taken(error), (3, "expected a pointer to PJRT_Error_Destroy_Args, found null".to_string()));
}

/// Callers of older versions have shorter structs, and callers of newer versions longer ones.
#[test]
fn shorter_and_longer_structs_are_accepted() {
    #[repr(C)]
    struct Newer {
        known: ErrorGetCode,
        field: usize,
    }
    let mut event = EventCreate::default();
    call("PJRT_Event_Create", &mut event).expect("an event");
    let mut set = EventSet { event: event.event, error_code: 7, ..Default::default() };
    call("PJRT_Event_Set", &mut set).expect("set");
    // SAFETY: the table lives as long as the process, and the struct is that of the function.
    let error = unsafe {
        let slot = NAMES.iter().position(|name| *name == "PJRT_Event_Await").expect("a function");
        let mut args = EventAwait { event: event.event, ..Default::default() };
        ((*GetPjrtApi()).functions[slot])((&raw mut args).cast::<c_void>())
    };
    let known = ErrorGetCode { struct_size: size_of::<Newer>(), error, ..Default::default() };
    let mut args = Newer { known, field: 42 };
    call("PJRT_Error_GetCode", &mut args).expect("a code");
    assert_eq!((args.known.code, args.field), (7, 42));
    taken(error);
    call("PJRT_Event_Destroy", &mut EventDestroy { event: event.event, ..Default::default() }).expect("freed");

    // The last two fields of this struct are newer. What follows in the caller's memory must not be read.
    let mut options = ClientCreate { struct_size: ClientCreate::REQUIRED, num_options: 0, ..Default::default() };
    options.kv_try_get_callback = std::ptr::dangling_mut();
    call("PJRT_Client_Create", &mut options).expect("a client");
    call("PJRT_Client_Destroy", &mut ClientDestroy { client: options.client, ..Default::default() }).expect("freed");
}

/// With the path of a `pjrt_c_api.h` of the same version in `MLOPT_PJRT_HEADER`, checks the numbers of `layout.txt`.
#[test]
fn the_numbers_are_those_of_a_header_at_hand() {
    let Some(header) = std::env::var_os("MLOPT_PJRT_HEADER") else { return };
    let mut source = String::from("#include HEADER\n#include <stdio.h>\nint main(void) {\n");
    for (name, _, fields) in LAYOUTS {
        writeln!(source, "printf(\"{name} %zu\", sizeof({name}));").expect("a text");
        for (field, _) in *fields {
            let field = field.trim_start_matches("r#");
            // Unions have no name in C.
            let member = match (*name, field) {
                ("PJRT_NamedValue", "value") => "string_value",
                ("PJRT_Buffer_MemoryLayout", "layout") => "tiled",
                _ => field,
            };
            writeln!(source, "printf(\" {field}:%zu\", offsetof({name}, {member}));").expect("a text");
        }
        source.push_str("puts(\"\");\n");
    }
    source.push_str("}\n");
    let folder = std::env::temp_dir().join(format!("pjrt-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, program) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&file, source).expect("a file");
    let define = format!("-DHEADER=\"{}\"", header.display());
    let compiled = Command::new("cc").arg(define).arg(&file).arg("-o").arg(&program).status().expect("a C compiler");
    assert!(compiled.success());
    let found = Command::new(&program).output().expect("a program").stdout;
    let expected = include_str!("../layout.txt").lines().filter(|line| !line.starts_with('#'));
    assert_eq!(String::from_utf8(found).expect("UTF-8").lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    std::fs::remove_dir_all(&folder).expect("removed");
}
