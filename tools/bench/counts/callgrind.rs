//! Runs a program in valgrind's tool `callgrind`, and reads how many instructions the calls of certain functions
//! execute.

use crate::error::{Context, Error};
use crate::folder::Folder;
use crate::foreign::COUNTED_CALL;
use mlopt_cli::toolchain;
use std::path::Path;
use std::process::Command;

/// A replacement of the system's function from which the standard library takes the seeds of hash tables.
const SEEDS: &str = include_str!("seeds.c");

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
) -> Result<(Vec<u64>, String), Error> {
    let out = folder.path.join("callgrind");
    let seeds = folder.path.join("seeds.so");
    run(cc()?.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&seeds).arg(folder.write("seeds.c", SEEDS.as_bytes())?))?;
    let mut valgrind = if has_fixed_addresses() { Command::new("setarch") } else { Command::new("env") };
    valgrind.args(if has_fixed_addresses() { &["-R"][..] } else { &[] });
    valgrind.args(["valgrind", "--tool=callgrind", "--quiet", "--cache-sim=no", "--branch-sim=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", out.display()));
    valgrind.args(counted.iter().map(|name| format!("--dump-after={name}")));
    valgrind.args(counted.iter().chain(apart).map(|name| format!("--toggle-collect={name}")));
    valgrind.args(command).current_dir(&folder.path).env_clear();
    valgrind.env("PATH", "/usr/bin:/bin").env("LD_PRELOAD", &seeds);
    let output = valgrind.output().context(format_args!("{:?}", valgrind.get_program()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let status = output.status;
        return Err(Error::Tool(format!("counting needs valgrind (tools/setup.sh); it ended with {status}:\n{said}")));
    }
    let dump = |k: usize| std::fs::read_to_string(format!("{}.{k}", out.display())).ok();
    let total = |text: String| text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse::<u64>().ok();
    let all: Option<Vec<u64>> = (1..).map_while(dump).map(total).collect();
    let none = || Error::Tool("callgrind recorded no instructions of a call".into());
    let all = all.filter(|all| !all.contains(&0)).ok_or_else(none)?;
    Ok((all, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Returns the instructions of the calls of `foreign::counted_call` in the subcommand `counted` of this program, which
/// are those of `expected` programs or modules.
pub fn own_counts(options: &[&str], what: &str, expected: usize) -> Result<Vec<u64>, Error> {
    let program = std::env::current_exe()?;
    let command: Vec<&Path> =
        [program.as_path(), "counted".as_ref()].into_iter().chain(options.iter().map(Path::new)).collect();
    let (found, _) = counts(&Folder::new(what)?, &command, &[COUNTED_CALL], &[])?;
    match found.len() {
        n if n == expected => Ok(found),
        n => Err(Error::Wrong(format!("expected counts of {expected} {what}, found {n} counts"))),
    }
}

/// Checks whether a program may disable randomisation of addresses, which some containers forbid.
fn has_fixed_addresses() -> bool {
    Command::new("setarch").args(["-R", "true"]).output().is_ok_and(|output| output.status.success())
}

pub fn cc() -> Result<Command, Error> {
    let none = || Error::Tool("counting needs a C compiler: tools/setup.sh".into());
    toolchain::linker().map(Command::new).ok_or_else(none)
}

pub fn run(command: &mut Command) -> Result<(), Error> {
    let output = command.output().context(format_args!("{:?}", command.get_program()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Tool(format!("{:?}: {said}", command.get_program()))),
    }
}
