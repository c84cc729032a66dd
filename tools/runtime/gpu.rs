//! The interface to NVIDIA's driver. The driver is loaded at run time, so that the same executable works without it.
#![allow(unsafe_code)]

use libloading::{Library, Symbol};
use std::ffi::{CStr, c_char, c_int, c_uint};

/// Attribute numbers of `cuDeviceGetAttribute`, from `cuda.h`.
const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
const COMPUTE_CAPABILITY_MINOR: c_int = 76;

/// The version and the devices that the driver reports.
#[derive(Debug)]
pub struct Driver {
    /// The newest CUDA version that the driver supports: (12, 4).
    pub cuda: (i32, i32),
    /// The name and compute capability of each device: ("NVIDIA H200", 9, 0).
    pub devices: Vec<(String, i32, i32)>,
}

/// The reason why no driver is usable.
#[derive(Debug, thiserror::Error)]
pub enum NoDriver {
    /// The library does not exist: the machine has no GPU, or its driver is not installed.
    #[error("{0}")]
    NotInstalled(libloading::Error),
    /// The library lacks a function.
    #[error("{0}")]
    Incomplete(#[from] libloading::Error),
    /// A function of the library fails.
    #[error("{function}: error {code}, {text}")]
    Failed { function: String, code: c_int, text: String },
}

/// Loads the driver and queries its version and devices.
pub fn probe() -> Result<Driver, NoDriver> {
    // SAFETY: loading runs the initialisers of NVIDIA's driver library, which any process may load.
    let library = unsafe { Library::new("libcuda.so.1") }.map_err(NoDriver::NotInstalled)?;
    let driver = ask(&library);
    // The driver's threads must not lose their code, so the library is never unloaded.
    std::mem::forget(library);
    driver
}

fn ask(library: &Library) -> Result<Driver, NoDriver> {
    // SAFETY: the signatures are those of `cuda.h`, which have not changed since CUDA 3.
    unsafe {
        let init: Symbol<unsafe extern "C" fn(c_uint) -> c_int> = library.get(b"cuInit\0")?;
        check(library, "cuInit", init(0))?;
        let number = |function: &str| -> Result<c_int, NoDriver> {
            let get: Symbol<unsafe extern "C" fn(*mut c_int) -> c_int> = library.get(function.as_bytes())?;
            let mut number = 0;
            check(library, function, get(&mut number)).map(|()| number)
        };
        let (version, count) = (number("cuDriverGetVersion")?, number("cuDeviceGetCount")?);
        let devices = (0..count).map(|ordinal| device(library, ordinal)).collect::<Result<_, _>>()?;
        Ok(Driver { cuda: (version / 1000, version % 1000 / 10), devices })
    }
}

/// # Safety
/// `library` must be an initialised CUDA driver.
unsafe fn device(library: &Library, ordinal: c_int) -> Result<(String, i32, i32), NoDriver> {
    // SAFETY: as in `ask`. At most the given number of bytes of the name are written, including its terminator.
    unsafe {
        let get_device: Symbol<unsafe extern "C" fn(*mut c_int, c_int) -> c_int> = library.get(b"cuDeviceGet\0")?;
        let get_name: Symbol<unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int> =
            library.get(b"cuDeviceGetName\0")?;
        let get_attribute: Symbol<unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int> =
            library.get(b"cuDeviceGetAttribute\0")?;
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
/// `library` must be a CUDA driver.
unsafe fn check(library: &Library, function: &str, code: c_int) -> Result<(), NoDriver> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: `cuGetErrorString` stores a pointer to a constant string, or null for an unknown code.
    unsafe {
        let get_string: Symbol<unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int> =
            library.get(b"cuGetErrorString\0")?;
        let mut text = std::ptr::null();
        get_string(code, &mut text);
        let text = if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy() };
        Err(NoDriver::Failed { function: function.into(), code, text: text.into() })
    }
}
