//! Comparison of our gradients with hand-written C and JAX, by a harness outside of this repository. It contains
//! `baselines.py`, which interleaves samples of all systems and compares their results, and `handwritten/build.sh`.

use super::output;
use crate::error::{Context, Error, no_findings};
use crate::tree::read;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The sizes whose results are compared.
const COMPARED: [&str; 3] = ["small", "medium", "large"];
/// The sizes whose times are shown.
const SHOWN: [&str; 2] = ["medium", "large"];
const ROUNDS: &str = "3";
/// The programs specialised to these sizes, and the same programs for all sizes.
const OURS: [(&str, &[&str]); 2] = [("mlopt", &[]), ("mlopt_open", &["--any-size"])];

/// Builds the libraries in `folder`, runs the harness and returns the table.
pub fn ratios(harness: &Path, folder: &Path, python: &str) -> Result<String, Error> {
    let build = folder.join("build");
    fs::create_dir_all(&build).context(build.display())?;
    if !build.join("libhand.so").exists() {
        run(Command::new("sh").arg(harness.join("handwritten/build.sh")).arg(&build))?;
    }
    for (system, options) in OURS {
        let library = build.join(format!("lib{system}.so"));
        output("mlopt", &[&["bench", "--library", &library.display().to_string()], options].concat())?;
    }
    let results = folder.join("baselines.json");
    let _ = fs::remove_file(&results);
    let mut baselines = Command::new(python);
    baselines.arg(harness.join("baselines.py")).args(["--systems", "hand,jax,mlopt,mlopt_open"]);
    baselines
        .args(["--rounds", ROUNDS, "--out"])
        .arg(&results)
        .args(COMPARED.iter().flat_map(|size| ["--size", size]))
        .env("PERF_BUILD", &build);
    let has_avx512 = || fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains("avx512f"));
    if std::env::var_os("OPENBLAS_CORETYPE").is_none() && has_avx512() {
        // OpenBLAS 0.3.21 does not recognise newer processors, and uses a kernel with a quarter of the speed on them.
        baselines.env("OPENBLAS_CORETYPE", "SkylakeX");
    }
    run(&mut baselines)?;
    table(&serde_json::from_str(&read(&results)?).context(results.display())?)
}

fn run(command: &mut Command) -> Result<(), Error> {
    println!("$ {command:?}");
    let status = command.status().context(format_args!("{:?}", command.get_program()))?;
    if status.success() { Ok(()) } else { Err(Error::Program(format!("{command:?}: {status}"))) }
}

/// Returns the cells of one size: milliseconds of C, and the ratios of JAX and of ours to them.
///
/// # Errors
/// A system has no time.
fn cells(case: &Value, name: &str) -> Result<[f64; 3], Error> {
    let number = |system: &str, key: &str| {
        case["systems"][system][key].as_f64().context(format_args!("{name}: {system} has no {key}"))
    };
    Ok([number("hand", "median_s")? * 1e3, number("jax", "ratio_to_hand")?, number("mlopt", "ratio_to_hand")?])
}

/// Describes the systems that failed on a case, or whose results do not agree with those of C.
fn disagreements(case: &Value, name: &str) -> Vec<String> {
    let systems = ["hand", "jax"].into_iter().chain(OURS.map(|(system, _)| system));
    let problem = |system: &str| {
        let found = &case["systems"][system];
        match (found["agrees"].as_bool(), found["err"].as_str()) {
            (Some(true), _) => None,
            (_, Some(error)) => Some(format!("{name}: {system}: {error}")),
            _ => {
                Some(format!("{name}: the results of {system} do not agree with those of C: {}", found["max_rel_err"]))
            }
        }
    };
    systems.filter_map(problem).collect()
}

/// Returns the table of docs/benchmarks/cpu.md from the output of `baselines.py`.
///
/// # Errors
/// All rows whose results do not agree.
fn table(results: &Value) -> Result<String, Error> {
    let cases = results["cases"].as_object().context("baselines.py: expected `cases`")?;
    let mut text = String::from(
        "| | medium: `hand` ms | JAX | mlopt | large: `hand` ms | JAX | mlopt |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut problems, mut logarithms, mut slower) = (Vec::new(), [vec![], vec![]], Vec::new());
    let mut names: Vec<(&str, &str)> = Vec::new();
    for key in cases.keys() {
        let parts: Vec<&str> = key.split('/').collect();
        if let [name, _, precision] = parts[..]
            && !names.contains(&(name, precision))
        {
            names.push((name, precision));
        }
    }
    names.sort_unstable_by_key(|&(name, precision)| (name, precision == "f32"));
    for (name, precision) in names {
        let label = if precision == "f32" { format!("{name} f32") } else { name.to_string() };
        let mut line = format!("| {label} |");
        for size in COMPARED {
            let case = &cases[&format!("{name}/{size}/{precision}")];
            problems.extend(disagreements(case, &format!("{label}, {size}")));
        }
        for (size, logarithms) in SHOWN.iter().zip(&mut logarithms) {
            match cells(&cases[&format!("{name}/{size}/{precision}")], &format!("{label}, {size}")) {
                Ok([hand, jax, mlopt]) => {
                    let _infallible = write!(line, " {} | {jax:.2} | {mlopt:.2} |", digits(hand));
                    logarithms.push(mlopt.ln());
                    if mlopt > jax {
                        slower.push(format!("{label}, {size}"));
                    }
                }
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        text += &(line + "\n");
    }
    no_findings(problems)?;
    let [medium, large] = logarithms.map(|l| (l.iter().sum::<f64>() / l.len() as f64).exp());
    let _infallible = writeln!(text, "| geometric mean | | | **{medium:.2}** | | | **{large:.2}** |");
    let slower = if slower.is_empty() { "none".to_string() } else { slower.join("; ") };
    let _infallible = write!(text, "\nRows slower than JAX: {slower}. Medians of {ROUNDS} rounds.");
    Ok(text)
}

/// Formats a number with three significant digits.
fn digits(x: f64) -> String {
    let decimals = (2 - x.log10().floor() as i32).max(0) as usize;
    format!("{x:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_precision_and_refuses_wrong_results() {
        let system = |ratio: f64, agrees: bool| {
            serde_json::json!({
            "median_s": 0.0123, "ratio_to_hand": ratio, "agrees": agrees, "max_rel_err": 0.5})
        };
        let case = |agrees| {
            serde_json::json!({"systems": {
            "hand": system(1.0, true), "jax": system(4.0, true), "mlopt": system(2.0, true),
            "mlopt_open": system(2.0, agrees)}})
        };
        let cases = |agrees: bool| {
            serde_json::json!({"cases": {
            "bn_grad/small/f64": case(true), "bn_grad/medium/f64": case(true), "bn_grad/large/f64": case(true),
            "bn_grad/small/f32": case(agrees), "bn_grad/medium/f32": case(true), "bn_grad/large/f32": case(true)}})
        };
        let text = table(&cases(true)).unwrap();
        assert!(text.contains("| bn_grad | 12.3 | 4.00 | 2.00 | 12.3 | 4.00 | 2.00 |"), "{text}");
        assert!(text.contains("| bn_grad f32 | 12.3 |") && text.contains("**2.00**"), "{text}");
        assert!(text.contains("slower than JAX: none"), "{text}");
        let problem = table(&cases(false)).unwrap_err().to_string();
        assert_eq!(problem, "bn_grad f32, small: the results of mlopt_open do not agree with those of C: 0.5");
    }

    #[test]
    fn three_digits_are_shown() {
        assert_eq!([0.02294, 0.5372, 6.281, 121.9].map(digits), ["0.0229", "0.537", "6.28", "122"]);
    }
}
