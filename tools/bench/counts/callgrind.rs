//! Runs a program in valgrind's tool `callgrind`, and reads how many instructions the calls of certain functions
//! execute.

use mlopt::toolchain;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A replacement of the system's function from which the standard library takes the seeds of hash tables.
const SEEDS: &str = "#include <string.h>
#include <sys/types.h>
ssize_t getrandom(void *to, size_t bytes, unsigned flags) {
  (void)flags;
  memset(to, 1, bytes);
  return (ssize_t)bytes;
}
";

/// A folder for temporary files, removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("mlopt-counts-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the instructions of each call of the functions `counted`, in order, and the output of `command`. Calls of
/// the functions `apart` within them are not counted. Patterns may contain `*`.
///
/// The counts of a program are the same on every machine: addresses are not random if the system allows it, the seeds
/// of hash tables are constant, the environment is empty, and the processor that the program sees is valgrind's.
pub fn counts(
    folder: &Folder,
    command: &[&Path],
    counted: &[&str],
    apart: &[&str],
) -> Result<(Vec<u64>, String), String> {
    let out = folder.path().join("callgrind");
    let seeds = folder.path().join("seeds.so");
    run(cc()?.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&seeds).arg(folder.write("seeds.c", SEEDS.as_bytes())?))?;
    let mut valgrind = if has_fixed_addresses() { Command::new("setarch") } else { Command::new("env") };
    valgrind.args(if has_fixed_addresses() { &["-R"][..] } else { &[] });
    valgrind.args(["valgrind", "--tool=callgrind", "--quiet", "--cache-sim=no", "--branch-sim=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", out.display()));
    valgrind.args(counted.iter().map(|name| format!("--dump-after={name}")));
    valgrind.args(counted.iter().chain(apart).map(|name| format!("--toggle-collect={name}")));
    valgrind.args(command).current_dir(folder.path()).env_clear();
    valgrind.env("PATH", "/usr/bin:/bin").env("LD_PRELOAD", &seeds);
    let output = valgrind.output().map_err(|e| format!("{:?}: {e}", valgrind.get_program()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("counting needs valgrind (tools/setup.sh); it ended with {}:\n{said}", output.status));
    }
    let dump = |k: usize| std::fs::read_to_string(format!("{}.{k}", out.display())).ok();
    let all: Option<Vec<u64>> = (1..).map_while(dump).map(|text| total(&text)).collect();
    let all = all.filter(|all| !all.contains(&0)).ok_or("callgrind recorded no instructions of a call")?;
    Ok((all, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Checks whether a program may disable randomisation of addresses, which some containers forbid.
fn has_fixed_addresses() -> bool {
    Command::new("setarch").args(["-R", "true"]).output().is_ok_and(|output| output.status.success())
}

fn total(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

pub fn cc() -> Result<Command, String> {
    Ok(Command::new(toolchain::linker().ok_or("counting needs a C compiler: tools/setup.sh")?))
}

pub fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{:?}: {e}", command.get_program()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{:?}: {said}", command.get_program())) }
}
