//! The NVIDIA driver, loaded at run time so that the same executable works without it.
#![allow(unsafe_code)]

use libloading::{Library, Symbol};
use std::ffi::{CStr, c_char, c_int, c_uint};

/// Attribute numbers of `cuDeviceGetAttribute`, from `cuda.h`.
const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
const COMPUTE_CAPABILITY_MINOR: c_int = 76;

/// What the driver says about this machine.
#[derive(Debug)]
pub struct Driver {
    /// The newest CUDA version that the driver serves: (12, 4).
    pub cuda: (i32, i32),
    /// Name and compute capability of each device: ("NVIDIA H200", 9, 0).
    pub devices: Vec<(String, i32, i32)>,
}

/// Why there is no usable driver.
#[derive(Debug)]
pub enum NoDriver {
    /// The library is not there: this is a machine without a GPU, or its driver is not installed.
    NotInstalled(String),
    /// The library is there and does not work.
    Broken(String),
}

/// Loads the driver and asks for its version and devices.
pub fn probe() -> Result<Driver, NoDriver> {
    // SAFETY: loading runs the initialisers of NVIDIA's driver library, which is made to be loaded by any process.
    let library = unsafe { Library::new("libcuda.so.1") }.map_err(|e| NoDriver::NotInstalled(e.to_string()))?;
    let driver = ask(&library).map_err(NoDriver::Broken);
    // The driver's threads must not lose their code.
    std::mem::forget(library);
    driver
}

fn ask(library: &Library) -> Result<Driver, String> {
    // SAFETY: the signatures of these functions are those of `cuda.h`; they have not changed since CUDA 3.
    unsafe {
        let init: Symbol<unsafe extern "C" fn(c_uint) -> c_int> = get(library, b"cuInit\0")?;
        check(library, "cuInit", init(0))?;
        let driver_version: Symbol<unsafe extern "C" fn(*mut c_int) -> c_int> = get(library, b"cuDriverGetVersion\0")?;
        let mut version = 0;
        check(library, "cuDriverGetVersion", driver_version(&mut version))?;
        let device_count: Symbol<unsafe extern "C" fn(*mut c_int) -> c_int> = get(library, b"cuDeviceGetCount\0")?;
        let mut count = 0;
        check(library, "cuDeviceGetCount", device_count(&mut count))?;
        let devices = (0..count).map(|ordinal| device(library, ordinal)).collect::<Result<_, _>>()?;
        Ok(Driver { cuda: (version / 1000, version % 1000 / 10), devices })
    }
}

/// # Safety
/// `library` must be an initialised CUDA driver.
unsafe fn device(library: &Library, ordinal: c_int) -> Result<(String, i32, i32), String> {
    // SAFETY: as in `ask`; the name is written with its terminator into at most the given number of bytes.
    unsafe {
        let get_device: Symbol<unsafe extern "C" fn(*mut c_int, c_int) -> c_int> = get(library, b"cuDeviceGet\0")?;
        let get_name: Symbol<unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int> =
            get(library, b"cuDeviceGetName\0")?;
        let get_attribute: Symbol<unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int> =
            get(library, b"cuDeviceGetAttribute\0")?;
        let mut handle = 0;
        check(library, "cuDeviceGet", get_device(&mut handle, ordinal))?;
        let mut name = [0 as c_char; 256];
        check(library, "cuDeviceGetName", get_name(name.as_mut_ptr(), name.len() as c_int, handle))?;
        let attribute = |number| {
            let mut value = 0;
            check(library, "cuDeviceGetAttribute", get_attribute(&mut value, number, handle)).map(|()| value)
        };
        let capability = (attribute(COMPUTE_CAPABILITY_MAJOR)?, attribute(COMPUTE_CAPABILITY_MINOR)?);
        let name = CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned();
        Ok((name, capability.0, capability.1))
    }
}

/// # Safety
/// `T` must be the type of the function `name` in `library`.
unsafe fn get<'a, T>(library: &'a Library, name: &[u8]) -> Result<Symbol<'a, T>, String> {
    // SAFETY: by the caller's promise.
    unsafe { library.get(name) }.map_err(|e| e.to_string())
}

/// # Safety
/// `library` must be a CUDA driver.
unsafe fn check(library: &Library, function: &str, code: c_int) -> Result<(), String> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: `cuGetErrorString` stores a pointer to a constant string, or null for a code that it does not know.
    unsafe {
        let get_string: Symbol<unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int> =
            get(library, b"cuGetErrorString\0")?;
        let mut text = std::ptr::null();
        get_string(code, &mut text);
        let text = if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy() };
        Err(format!("{function}: error {code}, {text}"))
    }
}
