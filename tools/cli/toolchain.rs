//! Locations of external programs and files: the linker, `ptxas`, `libdevice`, LLVM's test tools.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// LLVM's prefix on Debian and Ubuntu. Its tools are not on the PATH.
pub const LLVM_PREFIX: &str = "/usr/lib/llvm-19";

/// The compiler and optimisation level of this program: `rustc 1.95.0, opt-level 3`.
pub const BUILD: &str = env!("MLOPT_BUILD");

/// Returns the version of the LLVM linked into this program.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// The location, below the home folder, at which `mlopt doctor` proposes to install NVIDIA's compiler wheel.
pub const CUDA_VENV: &str = ".local/share/mlopt/cuda";

/// Returns an executable of this name on the PATH.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths).map(|folder| folder.join(name)).find(|p| is_executable(p))
}

/// Returns a tool of LLVM 19: from its prefix, or on the PATH with or without the version in its name.
pub fn llvm_tool(name: &str) -> Option<PathBuf> {
    let installed = Path::new(LLVM_PREFIX).join("bin").join(name);
    if is_executable(&installed) {
        return Some(installed);
    }
    on_path(&format!("{name}-19")).or_else(|| on_path(name))
}

/// Returns the C compiler driver that links shared libraries: `$CC`, or the first that exists.
pub fn linker() -> Option<PathBuf> {
    if let Some(cc) = env::var_os("CC").filter(|cc| !cc.is_empty()) {
        let cc = PathBuf::from(cc);
        return if cc.components().count() > 1 { Some(cc) } else { on_path(cc.to_str()?) };
    }
    ["cc", "clang-19", "clang", "gcc"].iter().find_map(|name| on_path(name))
}

/// Returns NVIDIA's assembler from PTX to machine code.
pub fn ptxas() -> Option<PathBuf> {
    let in_toolkits = cuda_roots().into_iter().map(|root| root.join("bin/ptxas")).find(|p| is_executable(p));
    in_toolkits.or_else(|| on_path("ptxas"))
}

/// Returns NVIDIA's library of mathematical functions for GPU code.
pub fn libdevice() -> Option<PathBuf> {
    cuda_roots().into_iter().map(|root| root.join("nvvm/libdevice/libdevice.10.bc")).find(|p| p.is_file())
}

/// Returns folders with the layout of a CUDA toolkit, in the order of search: those of the environment, Linux's usual
/// one, the wheel `nvidia-cuda-nvcc-cu12` where `mlopt doctor` proposes to install it, and the same wheel in the
/// installation of `python3`.
fn cuda_roots() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = ["CUDA_HOME", "CUDA_PATH"]
        .iter()
        .filter_map(env::var_os)
        .filter(|v| !v.is_empty())
        .map(PathBuf::from)
        .collect();
    roots.push("/usr/local/cuda".into());
    let mut prefixes: Vec<PathBuf> =
        env::var_os("HOME").map(|home| Path::new(&home).join(CUDA_VENV)).into_iter().collect();
    prefixes.extend(env::var_os("VIRTUAL_ENV").map(PathBuf::from));
    // For `…/bin/python3`, the packages are below `…/lib`. A link is resolved to the installation.
    if let Some(python) = on_path("python3") {
        let real = python.canonicalize().unwrap_or_else(|_| python.clone());
        prefixes.extend([python, real].iter().filter_map(|p| Some(p.parent()?.parent()?.to_path_buf())));
    }
    roots.extend(prefixes.iter().flat_map(|prefix| wheels(&prefix.join("lib"))));
    roots
}

/// Returns `nvidia/cuda_nvcc` in the package folders of every Python version below `lib`.
fn wheels(lib: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let mut pythons: Vec<PathBuf> = entries
        .map(|e| e.path())
        .filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("python")))
        .collect();
    pythons.sort();
    let packages = |p: PathBuf| ["site-packages", "dist-packages"].map(|d| p.join(d).join("nvidia/cuda_nvcc"));
    pythons.into_iter().flat_map(packages).filter(|p| p.is_dir()).collect()
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// The reason why a program does not run.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    #[error("{}: {error}", .program.display())]
    NotStarted { program: PathBuf, error: std::io::Error },
    #[error("{} --version: {status}", .program.display())]
    Failed { program: PathBuf, status: ExitStatus },
}

/// Returns the version line that a program prints for `--version`, from either stream.
pub fn version(program: &Path) -> Result<String, VersionError> {
    let not_started = |error| VersionError::NotStarted { program: program.into(), error };
    let output = Command::new(program).arg("--version").output().map_err(not_started)?;
    if !output.status.success() {
        return Err(VersionError::Failed { program: program.into(), status: output.status });
    }
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    // `ptxas` and LLVM's tools print their version in a later line than their name.
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let first = lines.next().unwrap_or("").to_string();
    let line = lines.find(|l| l.contains("release ") || l.starts_with("LLVM version")).map(String::from);
    Ok(line.unwrap_or(first))
}
