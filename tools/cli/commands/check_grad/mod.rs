//! `mlopt check-grad`: checks that the derivatives of a function are correct, and that their cost is within bounds.
//!
//! For each chosen input it compares, at random points, forward mode with reverse mode: `⟨c, J·t⟩ = ⟨Jᵀ·c, t⟩` must
//! hold for a random tangent `t` of that input and random cotangents `c` of all results. It also compares forward mode
//! with finite differences of the function. Then it compares the work of the function, of its tangent and of its
//! gradient, which the evaluator counts at increasing sizes. Everything is evaluated, nothing is compiled.

mod difference;
mod report;
mod subject;
mod work;

use crate::commands::domain::{self, Domain, DomainOptions};
use crate::notation::read_program;
use difference::Differences;
pub use difference::Verdict;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::limits;
use mlopt_dialects::value::Array;
use mlopt_runtime::entry;
use mlopt_runtime::failure::Failure;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use report::Report;
use std::path::{Path, PathBuf};
use subject::{Subject, refused};

/// Check derivatives against differences, forward mode against reverse mode, and their cost
#[derive(clap::Args)]
#[command(after_help = include_str!("../help/check-grad.txt").trim_ascii_end())]
pub struct CheckGrad {
    #[command(flatten)]
    limits: crate::commands::limits::Limits,
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// The function to check; not needed if there is only one
    #[arg(long, value_name = "@NAME")]
    entry: Option<String>,
    /// The inputs to differentiate with respect to, by name or number; every float by default
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    wrt: Vec<String>,
    /// Number of points
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    points: u64,
    /// Seed of points and directions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    domain: DomainOptions,
}

impl CheckGrad {
    pub fn execute(&self) -> Result<(), Failure> {
        self.limits.set();
        mlopt_lowering::register_passes();
        let (program, source) = read_program(&self.file)?;
        let entry = entry::find(program.module(), self.entry.as_deref(), "--entry", &source)?;
        let domain = self.domain.of(&entry)?;
        let wrt = self.inputs(&entry)?;
        let subject = Subject::new(&program, &source, &self.file, &entry, &wrt)?;
        let mut report = Report::new(&entry, &subject, self.points, self.seed);
        for point in 0..self.points {
            match self.check_point(point, &subject, &domain, &mut report) {
                Err(_) if point > 0 && limits::are_steps_exhausted() => {
                    report.stop_at(point);
                    break;
                }
                checked => checked?,
            }
        }
        for &scale in domain.scales() {
            match work::measure(&subject, &domain, scale, self.seed) {
                Err(_) if limits::are_steps_exhausted() => report.stop_measuring(),
                work => report.work.push(work?),
            }
        }
        print!("{report}");
        if report.failed() { Err(Failure::Reported) } else { Ok(()) }
    }

    /// Returns the positions of the inputs of `--wrt`.
    fn inputs(&self, entry: &entry::Entry) -> Result<Vec<usize>, Failure> {
        let fail = |text: String| Failure::at(&entry.place, text);
        let float = |k: &usize| entry.parameters[*k].1.element.is_float();
        let all: Vec<usize> = (0..entry.parameters.len()).filter(float).collect();
        if all.is_empty() {
            let found = match domain::signature(entry) {
                list if list.is_empty() => "none".into(),
                list => list,
            };
            return Err(fail(format!(
                "`@{}` has no derivative: expected an input of floats, found {found}",
                entry.name
            )));
        }
        let mut chosen = vec![];
        for name in &self.wrt {
            let k = domain::find(entry, name).map_err(|e| fail(format!("--wrt: {e}")))?;
            if !float(&k) {
                let (label, ty) = &entry.parameters[k];
                return Err(fail(format!("--wrt: expected inputs of floats, found {label}: {ty}")));
            }
            chosen.push(k);
        }
        if let Some((label, ty)) = entry.parameters.iter().find(|(_, ty)| ty.element.is_half()) {
            let text = "not supported: differences of f16 and bf16 are too inexact for a check";
            return Err(fail(format!("{text}; use f32 or f64, found {label}: {ty}")));
        }
        chosen.sort_unstable();
        chosen.dedup();
        Ok(if chosen.is_empty() { all } else { chosen })
    }

    /// Checks every chosen input at one point.
    fn check_point(&self, point: u64, subject: &Subject, domain: &Domain, report: &mut Report) -> Result<(), Failure> {
        // Each point has its own random stream, so that it does not depend on previous draws.
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(point);
        let x = domain.choose(&mut rng, 1)?;
        let verdicts = verdicts(subject, &x, &mut rng).map_err(|e| refused(e, domain))?;
        for (row, verdict) in verdicts.into_iter().enumerate() {
            report.add(row, point, &x, verdict);
        }
        Ok(())
    }
}

/// Returns one verdict for each chosen input at the point `x`.
fn verdicts(subject: &Subject, x: &[Array], rng: &mut ChaCha8Rng) -> Result<Vec<Verdict>, EvalError> {
    let y = subject.value(x)?;
    let c: Vec<Array> = subject.floats(&y).into_iter().map(|y| domain::direction(rng, y)).collect();
    let reverse = subject.vjp(x, &c)?;
    let mut found = vec![];
    for (row, &k) in subject.wrt.iter().enumerate() {
        let t = domain::direction(rng, &x[k]);
        let forward = subject.jvp(x, row, &t)?;
        let jvp = difference::dot(&subject.floats(&forward), &c);
        let vjp = difference::dot(&[&reverse[row]], std::slice::from_ref(&t));
        let along = |step: f64| -> Result<difference::Sum, EvalError> {
            let mut x = x.to_vec();
            x[k] = difference::moved(&x[k], &t, step);
            Ok(difference::dot(&subject.floats(&subject.value(&x)?), &c))
        };
        let differences = Differences::take(&along, subject.single)?;
        found.push(Verdict::of(jvp, vjp, &differences, subject.single));
    }
    Ok(found)
}

/// Checks the derivatives of `@name` with respect to all its float arguments at the point `x`. Returns one verdict for
/// each, with its name.
pub fn at_point(source: &[u8], name: &str, x: &[Array], seed: u64) -> Result<Vec<(String, Verdict)>, Failure> {
    let file = Path::new("point.mlir");
    let program = Program::parse(source, &file.to_string_lossy())?;
    let entry = entry::find(program.module(), Some(name), "--entry", source)?;
    let wrt: Vec<usize> = (0..x.len()).filter(|&k| x[k].element().is_float()).collect();
    let subject = Subject::new(&program, source, file, &entry, &wrt)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let verdicts = verdicts(&subject, x, &mut rng).map_err(|e| Failure::at(e.location, e.text))?;
    Ok(wrt.iter().map(|&k| entry.parameters[k].0.clone()).zip(verdicts).collect())
}
