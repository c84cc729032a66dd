//! Trains the classifier of `logistic_regression.mlir` on `breast_cancer.csv`, prints the progress, and writes
//! `loss.svg`, `training.csv` and `weights.csv`.
//!
//! ```text
//! logistic-regression [FOLDER]    where to write; default: target/logistic_regression of the repository
//! ```
//! The compiled program performs all arithmetic; this driver reads files, calls the program, prints and draws.
#![forbid(unsafe_code)]

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::native::Target;
use mlopt_runtime::arguments::table;
use mlopt_runtime::code::{Compiled, Function};
use mlopt_runtime::plot::{Plot, Series};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

const PROGRAM: &str = include_str!("logistic_regression.mlir");
const TABLE: &[u8] = include_bytes!("breast_cancer.csv");
/// The column with the classes: 1 benign, 0 malignant. All others are measurements.
const LABEL: &str = "benign";

/// Inverse strength of the penalty, scikit-learn's `C`.
const C: f64 = 1.0;
/// Length of a step. Every step lowers the loss, because this is below 2 / L = 0.602 (README.md).
const RATE: f64 = 0.5;
/// After how many epochs a line is printed. The last leaves the weights 6e-9 from the optimum.
const REPORTS: [i64; 16] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 15000, 20000];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os()
        .nth(1)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/logistic_regression"), PathBuf::from);
    let start = Instant::now();
    let compiled = compile()?;
    println!("compiled in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);

    let start = Instant::now();
    let data = Rows::read(&compiled)?;
    let run = train(&compiled.function("train")?, &data)?;
    let last = run.last().expect("there are reports");
    println!("trained in {:.2} s: {} of {} rows are right", start.elapsed().as_secs_f64(), last.correct, data.rows);

    fs::create_dir_all(&folder)?;
    write(&folder, &data, &run)?;
    println!("wrote {}", folder.canonicalize()?.join("loss.svg").display());
    Ok(())
}

fn compile() -> Result<Compiled, Box<dyn Error>> {
    mlopt_lowering::register_passes();
    // What is wrong with the program has been printed by then.
    let program =
        Program::parse(PROGRAM.as_bytes(), "logistic_regression.mlir").map_err(|_| "the program is rejected")?;
    let target = Target::host()?;
    target.describe(program.module());
    program.run_pipeline(&mlopt_lowering::pipelines::default_pipeline()).map_err(|_| "the program does not compile")?;
    Ok(Compiled::new(program.module(), &target)?)
}

/// The table as the program takes it.
struct Rows {
    /// Names of the measurements.
    names: Vec<String>,
    rows: usize,
    /// (rows, columns), standardised.
    x: Array,
    /// (rows)
    y: Array,
}

impl Rows {
    fn read(compiled: &Compiled) -> Result<Rows, Box<dyn Error>> {
        let table = table::parse(TABLE, None)?;
        let names: Vec<String> = table.header.iter().flatten().filter(|name| *name != LABEL).cloned().collect();
        let mut columns = vec![];
        for name in &names {
            columns.push(table.column(name)?);
        }
        let rows = table.rows();
        let cells = (0..rows).flat_map(|r| columns.iter().map(move |c| c[r])).collect();
        let raw = Array::new(vec![rows, names.len()], Data::F64(cells));
        let [x] = compiled.function("standardize")?.call(&[raw])?.try_into().map_err(|_| "expected one result")?;
        Ok(Rows { names, rows, x, y: Array::vector(&table.column(LABEL)?) })
    }
}

/// The state of training after a number of epochs.
struct Report {
    epoch: i64,
    /// (columns)
    weights: Array,
    bias: Array,
    loss: f64,
    correct: f64,
}

/// One call of `@train` for each report, from where the last one ended.
fn train(train: &Function, data: &Rows) -> Result<Vec<Report>, Box<dyn Error>> {
    println!("{:>6}  {:<18}  {:>8}", "epoch", "loss", "accuracy");
    let mut weights = Array::zeros(Element::F64, &[data.names.len()]);
    let mut bias = Array::f64(0.0);
    let mut epoch = 0;
    let mut reports: Vec<Report> = vec![];
    for next in REPORTS {
        let (c, rate, epochs) = (Array::f64(C), Array::f64(RATE), Array::index(next - epoch));
        let results = train.call(&[weights, bias, data.x.clone(), data.y.clone(), c, rate, epochs])?;
        let [w, b, loss, correct] = results.try_into().map_err(|_| "expected four results")?;
        (weights, bias, epoch) = (w, b, next);
        let (loss, correct) = (loss.to_f64()[0], correct.to_f64()[0]);
        println!("{epoch:>6}  {loss:<18.16}  {:>7.2}%", 100.0 * correct / data.rows as f64);
        reports.push(Report { epoch, weights: weights.clone(), bias: bias.clone(), loss, correct });
    }
    Ok(reports)
}

fn write(folder: &Path, data: &Rows, run: &[Report]) -> Result<(), Box<dyn Error>> {
    let mut training = "epoch,loss,correct\n".to_owned();
    run.iter().for_each(|r| training += &format!("{},{:e},{}\n", r.epoch, r.loss, r.correct));
    fs::write(folder.join("training.csv"), training)?;

    let last = run.last().ok_or("expected a report")?;
    let mut weights = "column,weight\n".to_owned();
    let values = last.weights.to_f64().into_iter().chain(last.bias.to_f64());
    let names = data.names.iter().map(String::as_str).chain(["bias"]);
    names.zip(values).for_each(|(name, value)| weights += &format!("{name},{value:e}\n"));
    fs::write(folder.join("weights.csv"), weights)?;

    // The first hundred epochs do most of the work: a linear axis would show a corner.
    let points = run.iter().map(|r| ((r.epoch as f64 + 1.0).log10(), r.loss)).collect();
    let plot = Plot {
        title: "Logistic regression by gradient descent".into(),
        x_label: "log₁₀(1 + epoch)".into(),
        y_label: "loss".into(),
        log_y: true,
        series: vec![Series { name: "loss".into(), points }],
        ..Plot::default()
    };
    fs::write(folder.join("loss.svg"), plot.svg()?)?;
    Ok(())
}
