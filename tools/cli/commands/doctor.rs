//! `mlopt doctor`: lists the installed tools, whether they work, and the commands that install or repair them.

use crate::toolchain;
use mlopt_runtime::gpu::{self, NoDriver};
use std::fmt;
use std::path::{Path, PathBuf};

/// One line of the report.
pub struct Finding {
    pub name: &'static str,
    pub state: State,
    /// The version or path that was found, or the missing tool and the feature that needs it.
    pub text: String,
    /// The command that installs or repairs it.
    pub repair: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Works,
    /// Missing; only its own feature is unavailable.
    Absent,
    /// Present but broken, or required for everything.
    Broken,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mark = match self.state {
            State::Works => '✓',
            State::Absent => '–',
            State::Broken => '✗',
        };
        write!(f, "{mark} {:<12} {}", self.name, self.text)?;
        if let Some(command) = &self.repair {
            write!(f, "\n  {:<12} repair: {command}", "")?;
        }
        Ok(())
    }
}

/// Returns all findings, in the order of the report.
pub fn examine() -> Vec<Finding> {
    let packaged = Path::new(toolchain::LLVM_PREFIX).join("build/utils/lit/lit.py");
    let lit = toolchain::on_path("lit").or_else(|| Some(packaged).filter(|p| p.is_file()));
    let filecheck = toolchain::llvm_tool("FileCheck");
    vec![
        works("LLVM, MLIR", format!("{}, linked into mlopt", toolchain::llvm_version())),
        processor(),
        rust(),
        linker(),
        ptxas(),
        libdevice(),
        gpu(),
        optional("valgrind", toolchain::on_path("valgrind"), "the memory test of compiled code is skipped", "valgrind"),
        optional("FileCheck", filecheck, "our matcher is not compared with LLVM's", "llvm-19-tools"),
        optional("lit", lit, "the test files are not run under LLVM's own lit", "llvm-19-tools python3"),
    ]
}

/// Prints the report. Returns false if something is broken.
pub fn report() -> bool {
    let findings = examine();
    println!("mlopt {}", env!("CARGO_PKG_VERSION"));
    for finding in &findings {
        println!("{finding}");
    }
    findings.iter().all(|f| f.state != State::Broken)
}

fn works(name: &'static str, text: String) -> Finding {
    Finding { name, state: State::Works, text, repair: None }
}

fn processor() -> Finding {
    use inkwell::targets::TargetMachine;
    let cpu = TargetMachine::get_host_cpu_name();
    let features = TargetMachine::get_host_cpu_features();
    let features = features.to_string_lossy();
    let has = |name: &str| features.split(',').any(|f| f == format!("+{name}"));
    let width = if has("avx512f") {
        512
    } else if has("avx2") {
        256
    } else {
        128
    };
    works("processor", format!("{}, vectors of {width} bits", cpu.to_string_lossy()))
}

fn rust() -> Finding {
    let missing = "not found: this mlopt works, but cannot be rebuilt";
    let repair = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y";
    match toolchain::on_path("rustc") {
        Some(rustc) => tool("Rust", &rustc, "building mlopt"),
        None => absent("Rust", missing, Some(repair.into())),
    }
}

fn linker() -> Finding {
    match toolchain::linker() {
        Some(cc) => tool("linker", &cc, "`mlopt compile --emit=shared`"),
        None => {
            let found = "no C compiler driver found ($CC, cc, clang-19, clang, gcc)";
            let text = format!("{found}: `mlopt compile --emit=shared` does not work");
            broken("linker", text, Some(apt("gcc libc6-dev")))
        }
    }
}

fn ptxas() -> Finding {
    match toolchain::ptxas() {
        Some(ptxas) => tool("ptxas", &ptxas, "assembling PTX"),
        None => absent_cuda("ptxas", "PTX cannot be assembled before it runs"),
    }
}

fn libdevice() -> Finding {
    let Some(path) = toolchain::libdevice() else {
        return absent_cuda("libdevice", "GPU code cannot call exp, log, sin, …");
    };
    let problem = match std::fs::read(&path) {
        // LLVM bitcode begins with the letters BC.
        Ok(bytes) if bytes.starts_with(b"BC") => return works("libdevice", path.display().to_string()),
        Ok(_) => "expected LLVM bitcode, found something else".to_string(),
        Err(e) => e.to_string(),
    };
    broken("libdevice", format!("{}: {problem}", path.display()), Some(cuda_wheel()))
}

fn gpu() -> Finding {
    let wrong = |text: String, repair: String| broken("GPU driver", text, Some(repair));
    match gpu::probe() {
        Ok(driver) if driver.devices.is_empty() => wrong("CUDA driver without a device".into(), "nvidia-smi".into()),
        Ok(driver) => {
            let devices: Vec<String> =
                driver.devices.iter().map(|(name, major, minor)| format!("{name} (sm_{major}{minor})")).collect();
            works("GPU driver", format!("CUDA {}.{}: {}", driver.cuda.0, driver.cuda.1, devices.join(", ")))
        }
        Err(e @ (NoDriver::Incomplete(_) | NoDriver::Failed { .. })) => wrong(e.to_string(), "nvidia-smi".into()),
        Err(NoDriver::NotInstalled(reason)) if Path::new("/proc/driver/nvidia").exists() || has_nvidia_device() => {
            wrong(format!("there is an NVIDIA device, and {reason}"), apt("nvidia-driver libcuda1"))
        }
        Err(NoDriver::NotInstalled(reason)) => {
            absent("GPU driver", format!("no NVIDIA device, {reason}: GPU code can be compiled, not run"), None)
        }
    }
}

/// Checks whether the machine has a PCI device of NVIDIA (vendor 0x10de) that is a display or compute controller (class
/// 0x03…).
fn has_nvidia_device() -> bool {
    let read = |folder: &Path, file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    let devices = std::fs::read_dir("/sys/bus/pci/devices").into_iter().flatten().flatten();
    devices.map(|d| d.path()).any(|d| read(&d, "vendor").trim() == "0x10de" && read(&d, "class").starts_with("0x03"))
}

/// Examines a tool of tests, which these packages contain.
fn optional(name: &'static str, path: Option<PathBuf>, without: &str, packages: &str) -> Finding {
    match path {
        Some(path) => tool(name, &path, "testing"),
        None => absent(name, format!("not found: {without}"), Some(apt(packages))),
    }
}

/// Examines a program that was found: it works if it prints its version.
fn tool(name: &'static str, path: &Path, purpose: &str) -> Finding {
    match toolchain::version(path) {
        Ok(version) => works(name, format!("{version} ({})", path.display())),
        Err(reason) => broken(name, format!("{purpose} does not work: {reason}"), None),
    }
}

fn broken(name: &'static str, text: String, repair: Option<String>) -> Finding {
    Finding { name, state: State::Broken, text, repair }
}

fn absent_cuda(name: &'static str, without: &str) -> Finding {
    let text = format!("not found in $CUDA_HOME, /usr/local/cuda or Python's packages: {without}");
    absent(name, text, Some(cuda_wheel()))
}

fn absent(name: &'static str, text: impl Into<String>, repair: Option<String>) -> Finding {
    Finding { name, state: State::Absent, text: text.into(), repair }
}

/// Returns a command that works without root if Python has `venv` (Debian: package python3-venv).
fn cuda_wheel() -> String {
    let venv = toolchain::CUDA_VENV;
    format!("python3 -m venv ~/{venv} && ~/{venv}/bin/pip install nvidia-cuda-nvcc-cu12")
}

fn apt(packages: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let root = status.lines().any(|l| l.starts_with("Uid:\t0\t"));
    format!("{}apt-get install -y {packages}", if root { "" } else { "sudo " })
}
