//! Measurement of the start-up time of the executable on a trivial module, compared with that of mlir-opt. The two run
//! alternately, so that conditions are the same for both.

use crate::error::{Context, Error};
use crate::folder::Folder;
use crate::timing::median;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 51;
const MAX_RATIO: f64 = 1.5;

/// Prints both medians. Returns false if mlopt is too slow.
pub fn compare(mlir_opt: &str, mlopt: Option<PathBuf>) -> Result<bool, Error> {
    let beside = std::env::current_exe()?.with_file_name("mlopt");
    let mlopt = mlopt.unwrap_or(beside);
    let folder = Folder::new("startup")?;
    let file = folder.write("module.mlir", b"module {}\n")?;
    let (mut ours, mut theirs) = (vec![], vec![]);
    for _ in 0..RUNS {
        ours.push(run(&mlopt, &file)?);
        theirs.push(run(Path::new(mlir_opt), &file)?);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("mlopt {:.1} ms, mlir-opt {:.1} ms, ratio {:.2}", ours * 1e3, theirs * 1e3, ours / theirs);
    Ok(ours / theirs <= MAX_RATIO)
}

/// Returns the seconds until the program has printed the module and ended.
fn run(program: &Path, file: &Path) -> Result<f64, Error> {
    let started = Instant::now();
    let status = Command::new(program).arg(file).stdout(Stdio::null()).status();
    let time = started.elapsed().as_secs_f64();
    let status = status.context(program.display())?;
    if status.success() { Ok(time) } else { Err(Error::Tool(format!("{}: {status}", program.display()))) }
}
