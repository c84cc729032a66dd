//! A compiler for the tests, whose programs are Rust functions, chosen by the name of the module.

use crate::call;
use mlopt_pjrt::api::*;
use mlopt_pjrt::client::Client;
use mlopt_pjrt::error::Error;
use mlopt_pjrt::program::Program;
use mlopt_pjrt::{Code, Compiler};
use mlopt_stablehlo::Module;
use std::ffi::c_int;

pub const ADD: &[u8] = include_bytes!("../artifacts/add.mlir.bc");
pub const TYPES: &[u8] = include_bytes!("../artifacts/types.mlir.bc");
pub const TOKEN: &[u8] = include_bytes!("../artifacts/token.mlir.bc");
pub const FFT: &[u8] = include_bytes!("../artifacts/fft.mlir.bc");

/// The compiler, with its version.
pub struct Double(pub &'static str);

impl Compiler for Double {
    fn version(&self) -> String {
        self.0.to_string()
    }

    fn device(&self) -> String {
        "test processor".to_string()
    }

    fn compile(&self, program: &Program, _: &Module) -> Result<Box<dyn Code>, Error> {
        assert_eq!(std::thread::current().name(), Some("mlopt"), "the stack of the caller may be small");
        self.code(program)
    }

    fn load(&self, program: &Program, code: &[u8]) -> Result<Box<dyn Code>, Error> {
        assert_eq!(code, b"code of add");
        self.code(program)
    }
}

impl Double {
    fn code(&self, program: &Program) -> Result<Box<dyn Code>, Error> {
        match program.name.as_str() {
            "add" => Ok(Box::new(Add(program.arguments[0].bytes() / size_of::<f32>()))),
            "types" => Ok(Box::new(Stops)),
            "fft" => panic!("a bug of the compiler"),
            name => Err(Error::unimplemented(format!("not supported: {name}"))),
        }
    }
}

/// Adds arrays of this many elements.
struct Add(usize);

impl Code for Add {
    unsafe fn run(&self, arguments: &[*const u8], results: &[*mut u8]) -> Result<(), Error> {
        let ([x, y], [z]) = (arguments, results) else { panic!("expected two arguments and one result") };
        assert!((*z as usize).is_multiple_of(64), "results are aligned to 64 bytes");
        for k in 0..self.0 {
            // SAFETY: the arrays have this many elements.
            unsafe { z.cast::<f32>().add(k).write(x.cast::<f32>().add(k).read() + y.cast::<f32>().add(k).read()) };
        }
        Ok(())
    }

    fn code_bytes(&self) -> usize {
        11
    }

    fn scratch_bytes(&self) -> Option<usize> {
        Some(640)
    }

    fn serialize(&self) -> Vec<u8> {
        b"code of add".to_vec()
    }
}

/// Code that stops with an error.
struct Stops;

impl Code for Stops {
    unsafe fn run(&self, _: &[*const u8], _: &[*mut u8]) -> Result<(), Error> {
        Err(Error::invalid("model.py:3:1: a check of the program"))
    }

    fn code_bytes(&self) -> usize {
        0
    }

    fn scratch_bytes(&self) -> Option<usize> {
        None
    }

    fn serialize(&self) -> Vec<u8> {
        vec![]
    }
}

/// A client that is destroyed at the end.
pub struct Owned(pub *const opaque::Client);

impl Owned {
    pub fn new() -> Owned {
        Owned(Client::create(Box::new(Double("version 1"))))
    }

    /// Compiles an artifact without options.
    pub fn compile(&self, artifact: &[u8]) -> Result<*mut opaque::Loaded, (c_int, String)> {
        self.compile_with(artifact, "mlir", &[])
    }

    pub fn compile_with(
        &self,
        artifact: &[u8],
        format: &str,
        options: &[u8],
    ) -> Result<*mut opaque::Loaded, (c_int, String)> {
        let program = mlopt_pjrt::api::Program {
            code: artifact.as_ptr().cast_mut().cast(),
            code_size: artifact.len(),
            format: format.as_ptr().cast(),
            format_size: format.len(),
            ..Default::default()
        };
        let mut args = ClientCompile {
            client: self.0,
            program: &program,
            compile_options: options.as_ptr().cast(),
            compile_options_size: options.len(),
            ..Default::default()
        };
        call("PJRT_Client_Compile", &mut args).map(|()| args.executable)
    }

    /// Copies a dense array to the device.
    pub fn buffer<T: Copy>(&self, number: c_int, dims: &[i64], data: &[T]) -> *mut opaque::Buffer {
        let mut args = self.from_host(number, dims, data);
        call("PJRT_Client_BufferFromHostBuffer", &mut args).expect("a buffer");
        crate::finish(args.done_with_host_buffer).expect("copied");
        args.buffer
    }

    /// Returns the arguments that copy a dense array to the device.
    pub fn from_host<T>(&self, number: c_int, dims: &[i64], data: &[T]) -> ClientBufferFromHostBuffer {
        ClientBufferFromHostBuffer {
            client: self.0,
            data: data.as_ptr().cast(),
            r#type: number,
            dims: dims.as_ptr(),
            num_dims: dims.len(),
            ..Default::default()
        }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        call("PJRT_Client_Destroy", &mut ClientDestroy { client: self.0, ..Default::default() }).expect("freed");
    }
}

pub fn destroy(buffer: *mut opaque::Buffer) {
    call("PJRT_Buffer_Destroy", &mut BufferDestroy { buffer, ..Default::default() }).expect("freed");
}

/// Returns the elements of a buffer.
pub fn read<T: Copy + Default>(buffer: *const opaque::Buffer) -> Result<Vec<T>, (c_int, String)> {
    let mut args = BufferToHostBuffer { src: buffer, ..Default::default() };
    call("PJRT_Buffer_ToHostBuffer", &mut args)?;
    let mut data = vec![T::default(); args.dst_size / size_of::<T>()];
    // An empty array has no bytes to copy, but a target.
    data.reserve(1);
    args.dst = data.as_mut_ptr().cast();
    call("PJRT_Buffer_ToHostBuffer", &mut args)?;
    crate::finish(args.event)?;
    Ok(data)
}

pub fn is_deleted(buffer: *const opaque::Buffer) -> bool {
    let mut args = BufferIsDeleted { buffer, ..Default::default() };
    call("PJRT_Buffer_IsDeleted", &mut args).expect("a state");
    args.is_deleted == 1
}
