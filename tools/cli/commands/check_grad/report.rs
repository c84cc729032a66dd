//! The table that `mlopt check-grad` prints.

use super::difference::Verdict;
use super::subject::Subject;
use super::work::Work;
use mlopt_dialects::text::count;
use mlopt_dialects::value::Array;
use mlopt_runtime::aligned;
use mlopt_runtime::arguments::numpy_print;
use mlopt_runtime::entry::Entry;
use std::fmt;

/// The results for one input.
#[derive(Default)]
struct Row {
    label: String,
    ty: String,
    agree: usize,
    kinks: usize,
    not_finite: usize,
    unclear: usize,
    failed: usize,
    modes: f64,
    differences: f64,
}

/// The reason for which checks end early.
const NO_STEPS: &str = "the evaluator has taken all its steps; `--max-steps` raises the limit";

pub struct Report {
    name: String,
    points: u64,
    seed: u64,
    rows: Vec<Row>,
    /// Inputs and results that have no derivative.
    skipped: Vec<String>,
    /// The first note of each kind for each input.
    notes: Vec<String>,
    failures: Vec<String>,
    pub work: Vec<Work>,
}

impl Report {
    pub fn new(entry: &Entry, subject: &Subject, points: u64, seed: u64) -> Report {
        let row = |&k: &usize| {
            let (label, ty) = &entry.parameters[k];
            Row { label: label.clone(), ty: ty.to_string(), ..Row::default() }
        };
        let no_float = "is not a float and has no derivative";
        let inputs = entry.parameters.iter().filter(|(_, ty)| !ty.element.is_float());
        let inputs = inputs.map(|(label, ty)| format!("{label}: {ty} {no_float}"));
        let results = subject.results.iter().enumerate().filter(|(_, ty)| !ty.is_differentiable());
        let results = results.map(|(k, ty)| format!("result #{k}: {ty} {no_float}"));
        Report {
            name: entry.name.clone(),
            points,
            seed,
            rows: subject.wrt.iter().map(row).collect(),
            skipped: inputs.chain(results).collect(),
            notes: vec![],
            failures: vec![],
            work: vec![],
        }
    }

    pub fn add(&mut self, row: usize, point: u64, x: &[Array], verdict: Verdict) {
        let row = &mut self.rows[row];
        let at = format!("{} at point {point}", row.label);
        let (count, note) = match verdict {
            Verdict::Agree { modes, differences } => {
                row.agree += 1;
                row.modes = row.modes.max(modes);
                row.differences = row.differences.max(differences);
                return;
            }
            Verdict::Kink { derivative, before, after } => {
                let quotients = format!("the quotient is {before:.6} before and {after:.6} after");
                (&mut row.kinks, format!("kink: {at}: {quotients}, the derivative {derivative:.6}"))
            }
            Verdict::NotFinite => {
                let text = format!("not finite: {at}: no derivative there; `--range` chooses other points");
                (&mut row.not_finite, text)
            }
            Verdict::Unclear { derivative, difference, error } => {
                let quotients = format!("the quotients do not converge ({difference:.6} ± {error:.1e})");
                (&mut row.unclear, format!("unclear: {at}: {quotients}, the derivative {derivative:.6}"))
            }
            Verdict::ModesDisagree { jvp, vjp } => {
                row.failed += 1;
                self.failures.push(format!("{at}: forward mode gives {jvp}, reverse mode {vjp}{}", given(x)));
                return;
            }
            Verdict::DifferencesDisagree { derivative, difference, error } => {
                row.failed += 1;
                let found = format!("by differences {difference} ± {error:.1e}");
                self.failures.push(format!("{at}: the derivative is {derivative}, {found}{}", given(x)));
                return;
            }
        };
        *count += 1;
        if *count == 1 {
            self.notes.push(note);
        }
    }

    /// Adds the failure that the steps of the evaluator sufficed for the first `point` points only.
    pub fn stop_at(&mut self, point: u64) {
        self.failures.push(format!("{} of {} points are not checked: {NO_STEPS}", self.points - point, self.points));
    }

    /// Adds the failure that the steps of the evaluator did not suffice to measure the work.
    pub fn stop_measuring(&mut self) {
        let failure = format!("the work is not measured at all sizes: {NO_STEPS}");
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    pub fn failed(&self) -> bool {
        !self.failures.is_empty() || self.expensive().next().is_some() || self.unchecked().next().is_some()
    }

    fn expensive(&self) -> impl Iterator<Item = &Work> {
        self.work.iter().filter(|w| w.vjp > w.allowed)
    }

    /// Returns the inputs that no point has checked. A kink counts, because the modes were compared there.
    fn unchecked(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|r| r.agree + r.kinks + r.failed == 0)
    }
}

/// Formats the point, if it is short enough to read.
fn given(x: &[Array]) -> String {
    if x.iter().map(Array::len).sum::<usize>() > 24 {
        return String::new();
    }
    let values: Vec<String> = x.iter().map(numpy_print::line).collect();
    format!("\n  at {}", values.join(", "))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "@{}: {}, seed {}\n", self.name, count(self.points, "point"), self.seed)?;
        let header =
            ["input", "type", "agree", "kink", "not finite", "unclear", "FAILED", "jvp~vjp", "jvp~differences"];
        let mut table = vec![header.map(String::from)];
        for r in &self.rows {
            let counts = [r.agree, r.kinks, r.not_finite, r.unclear, r.failed].map(|n| n.to_string());
            let [agree, kinks, not_finite, unclear, failed] = counts;
            let error = |x: f64| if r.agree > 0 { format!("{x:.1e}") } else { "-".into() };
            let errors = [error(r.modes), error(r.differences)];
            let [modes, differences] = errors;
            table.push([r.label.clone(), r.ty.clone(), agree, kinks, not_finite, unclear, failed, modes, differences]);
        }
        f.write_str(&aligned::table(&table, 2))?;
        for line in &self.skipped {
            writeln!(f, "skipped: {line}")?;
        }
        for line in &self.notes {
            writeln!(f, "{line}")?;
        }
        writeln!(f)?;
        let mut table = vec![["work at sizes", "function", "jvp", "", "vjp", "", "allowed"].map(String::from)];
        for w in &self.work {
            let ratio = |n: u64| format!("{:.1}x", n as f64 / w.function.max(1) as f64);
            let (jvp, vjp) = (ratio(w.jvp), ratio(w.vjp));
            let numbers = [w.function, w.jvp, w.vjp, w.allowed].map(|n| n.to_string());
            let [function, jvp_work, vjp_work, allowed] = numbers;
            table.push([w.sizes.clone(), function, jvp_work, jvp, vjp_work, vjp, allowed]);
        }
        f.write_str(&aligned::table(&table, 1))?;
        writeln!(f)?;
        for failure in &self.failures {
            writeln!(f, "FAILED {failure}")?;
        }
        for r in self.unchecked() {
            writeln!(f, "FAILED {}: no point could be checked", r.label)?;
        }
        for w in self.expensive() {
            writeln!(f, "FAILED at {}: the gradient does {} operations, {} are allowed", w.sizes, w.vjp, w.allowed)?;
        }
        if !self.failed() {
            let everywhere = self.rows.iter().all(|r| r.agree > 0);
            writeln!(f, "{}", if everywhere { "all derivatives agree" } else { "no derivative disagrees" })?;
        }
        Ok(())
    }
}
