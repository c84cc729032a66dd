//! Speed, measured in instructions instead of time. The instruction counts of compiled programs, of the optimiser and
//! of the compiler are compared with those recorded in `counts.txt`. They are the same on every machine, whatever its
//! load is, so an increase is caused by a change of the sources.

mod callgrind;
mod code;
mod compiler;
pub mod growth;
mod plugin;
mod table;

use crate::error::{Context, Error};
use std::path::PathBuf;
use table::Section;

/// The relative variation of the compiler's counts between runs, due to different lengths of temporary file names and
/// the like.
const NOISE: f64 = 1e-4;
/// The optimisation level of the build whose counts the file records.
const RELEASE: &str = "opt-level 3";

/// Runs the code that `counts` or `growth` counts in valgrind.
pub fn counted(growth: Option<usize>) -> Result<bool, Error> {
    mlopt_lowering::register_passes();
    growth.map_or_else(compiler::counted, growth::counted)
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("counts.txt")
}

fn read() -> Result<Vec<Section>, Error> {
    let text = std::fs::read_to_string(file()).context(file().display())?;
    table::parse(&text)
}

/// A suite of programs whose instructions are counted: a section of `counts.txt`.
struct Suite {
    title: &'static str,
    /// The versions on which the counts depend.
    versions: String,
    noise: f64,
    count: fn() -> Result<Vec<(String, u64)>, Error>,
}

fn suites() -> [Suite; 2] {
    let llvm = format!("LLVM {}", mlopt_cli::toolchain::llvm_version());
    let built = format!("{llvm}, {}", mlopt_cli::toolchain::BUILD);
    let code = format!("{llvm}, for {}", code::PROCESSOR);
    [
        Suite { title: "code", versions: code, noise: 0.0, count: code::all },
        Suite { title: "compiler", versions: built, noise: NOISE, count: compiler::all },
    ]
}

/// Checks whether this processor can run the counted code.
fn runs_code() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Compares all counts with the file. Returns false if one has grown by more than 3 %.
pub fn check() -> Result<bool, Error> {
    mlopt_lowering::register_passes();
    let sections = read()?;
    let mut is_fine = true;
    for suite in suites() {
        let recorded = sections.iter().find(|s| s.title == suite.title);
        let recorded = recorded.context(format_args!("counts.txt: expected a section [{}]", suite.title))?;
        let Some(section) = Some(recorded).filter(|s| s.versions == suite.versions) else {
            let Section { versions, .. } = recorded;
            println!("counts [{}]: not compared, recorded is {versions}; this is {}", suite.title, suite.versions);
            continue;
        };
        if !runs_code() {
            println!("counts [{}]: not compared, this processor is no {}", suite.title, code::PROCESSOR);
            continue;
        }
        let verdict = table::compare(&section.rows, &(suite.count)()?);
        let (title, rows, grown) = (suite.title, section.rows.len(), verdict.failures.len());
        println!("counts [{title}]: {rows} recorded, {grown} fail, {} are lower", verdict.notes.len());
        verdict.notes.iter().for_each(|line| println!("  lower: {line}"));
        verdict.failures.iter().for_each(|line| println!("  FAILS: {line}"));
        is_fine &= verdict.failures.is_empty();
    }
    if !is_fine {
        println!("counts may not grow by more than 3 %; where that is right: cargo xtask bless counts --reason 'why'");
    }
    Ok(is_fine)
}

/// Writes the file.
///
/// # Errors
/// Counts have grown by more than 3 % without a reason. The file is not changed.
pub fn bless(reason: Option<&str>) -> Result<bool, Error> {
    mlopt_lowering::register_passes();
    let old = if file().exists() { read()? } else { vec![] };
    let mut sections = Vec::new();
    let mut missing = Vec::new();
    for suite in suites() {
        let known = old.iter().find(|s| s.title == suite.title);
        if suite.title == "compiler" && !suite.versions.ends_with(RELEASE) {
            println!("counts [compiler]: unchanged, they are those of {RELEASE}; this is {}", suite.versions);
            sections.extend(known.cloned());
            continue;
        }
        // With other versions, all counts are new.
        let rows = known.filter(|s| s.versions == suite.versions).map_or(&[][..], |s| &s.rows);
        match table::bless(rows, &(suite.count)()?, suite.noise, reason) {
            Ok(rows) => sections.push(Section { title: suite.title.into(), versions: suite.versions, rows }),
            Err(rows) => missing.extend(rows),
        }
    }
    if !missing.is_empty() {
        return Err(Error::Grown(missing));
    }
    std::fs::write(file(), table::print(&sections)).context(file().display())?;
    println!("wrote {}", file().display());
    Ok(true)
}
