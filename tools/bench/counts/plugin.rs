//! A call of a program through the plugin of JAX, as JAX makes it: the program is executed, a future waits for the
//! result, and the result is dropped.

use crate::error::Error;
use crate::foreign::PjrtFunction;
use mlopt_pjrt::Native;
use mlopt_pjrt::api::*;
use mlopt_pjrt::client::Client;
use std::ffi::{c_int, c_void};

/// The sum of two arrays of 2 x 3 elements of type f32.
const ADD: &[u8] = include_bytes!("../../pjrt/tests/artifacts/add.mlir.bc");

/// The number of PJRT's type f32.
const F32: c_int = 11;

/// A compiled program and its argument, which live as long as the process, and the functions of a call.
pub struct Plugin {
    loaded: *const opaque::Loaded,
    argument: *const opaque::Buffer,
    execute: PjrtFunction,
    ready: PjrtFunction,
    wait: PjrtFunction,
    destroy_event: PjrtFunction,
    destroy: PjrtFunction,
}

extern "C" fn ignore(_: *mut opaque::Error, _: *mut c_void) {}

impl Plugin {
    /// Compiles the program, without the folder of compiled code.
    pub fn new() -> Result<Plugin, Error> {
        let native = Native::with_cache(None).map_err(|e| Error::Rejected(e.to_string()))?;
        let client = Client::create(Box::new(native));
        let program = Program {
            code: ADD.as_ptr().cast_mut().cast(),
            code_size: ADD.len(),
            format: c"mlir".as_ptr(),
            format_size: 4,
            ..Default::default()
        };
        let mut compile = ClientCompile { client, program: &program, ..Default::default() };
        PjrtFunction::named("PJRT_Client_Compile")?.call(&mut compile)?;
        let (numbers, dims) = ([1f32; 6], [2i64, 3]);
        let mut copy = ClientBufferFromHostBuffer {
            client,
            data: numbers.as_ptr().cast(),
            r#type: F32,
            dims: dims.as_ptr(),
            num_dims: dims.len(),
            ..Default::default()
        };
        PjrtFunction::named("PJRT_Client_BufferFromHostBuffer")?.call(&mut copy)?;
        Ok(Plugin {
            loaded: compile.executable,
            argument: copy.buffer,
            execute: PjrtFunction::named("PJRT_LoadedExecutable_Execute")?,
            ready: PjrtFunction::named("PJRT_Buffer_ReadyEvent")?,
            wait: PjrtFunction::named("PJRT_Event_OnReady")?,
            destroy_event: PjrtFunction::named("PJRT_Event_Destroy")?,
            destroy: PjrtFunction::named("PJRT_Buffer_Destroy")?,
        })
    }

    /// Adds the argument to itself.
    pub fn run(&self) -> Result<(), Error> {
        let arguments = [self.argument; 2];
        // The program may reuse its argument 0, but we keep it.
        let kept = [0];
        let options = ExecuteOptions {
            non_donatable_input_indices: kept.as_ptr(),
            num_non_donatable_input_indices: kept.len(),
            ..Default::default()
        };
        let (mut buffer, mut complete) = (std::ptr::null_mut(), std::ptr::null_mut());
        self.execute.call(&mut LoadedExecutableExecute {
            executable: self.loaded,
            options: &options,
            argument_lists: &arguments.as_ptr(),
            num_devices: 1,
            num_args: arguments.len(),
            output_lists: &(&raw mut buffer),
            device_complete_events: &mut complete,
            ..Default::default()
        })?;
        let mut ready = BufferReadyEvent { buffer, ..Default::default() };
        self.ready.call(&mut ready)?;
        for event in [complete, ready.event] {
            self.wait.call(&mut EventOnReady { event, callback: Some(ignore), ..Default::default() })?;
            self.destroy_event.call(&mut EventDestroy { event, ..Default::default() })?;
        }
        self.destroy.call(&mut BufferDestroy { buffer, ..Default::default() })
    }
}
