//! The options of the passes that rewrite terms, and the code by which these passes run phases. `egg-optimize` runs all
//! phases and selects the cheapest form; each phase is also a pass of its own (docs/optimiser.md, "Phases").

use crate::optimise::egg_optimize::{Code, Rewriter};
use crate::optimise::phases::{self, Accept, Phases};
use crate::optimise::rules::profile::{Columns, Profile};
use crate::optimise::rules::{Laws, SETS, every};
use crate::optimise::terms::cost::Assumed;
use crate::optimise::user_rules::Rules;
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption};
use mlopt_dialects::diagnostics::{self, Reported};
use mlopt_dialects::ir::Op;
use mlopt_dialects::text::count;

/// The dialects whose ops are translated to terms.
pub const DIALECTS: &[&str] = &["arith", "array", "dual", "math", "tensor"];

pub const CODE: PassOption = PassOption::new(
    "code",
    OptionKind::Text,
    "all",
    "Code to optimise: functions (the dialect lambda and scalar code with it), arrays, or all",
);
pub const FUEL: PassOption = PassOption::integer("fuel", "4000", "Number of e-nodes at which saturation stops");
pub const ITER: PassOption = PassOption::integer("iter", "30", "Number of iterations at which saturation stops");
pub const RULES: PassOption = PassOption::new(
    "rules",
    OptionKind::Text,
    "all",
    "Rules to use, separated by commas: names of rules or sets (docs/rules.md), or all; -NAME removes a rule or set; \
     FILE.rules adds the rules of a file",
);
pub const CHECK_RULES: PassOption = PassOption::flag("check-rules", "Test rules from files on random values first");
pub const ASSUME_SIZE: PassOption = PassOption::integer(
    "assume-size",
    "256",
    "Length that the cost model assumes for dynamic axes and unknown trip counts",
);
pub const REPORT: PassOption =
    PassOption::flag("report", "Report in a remark the cost before and after, and why saturation stopped");
pub const PROFILE: PassOption = PassOption::new(
    "profile",
    OptionKind::Text,
    "none",
    "Report in a remark the effect of each rule: none, counts, or times, which differ from run to run",
);

/// The options of a phase that applies rules but does not saturate.
pub const OF_RULES: &[PassOption] = &[RULES, CHECK_RULES, ASSUME_SIZE, REPORT, PROFILE];

/// The options of the phase that saturates.
pub const OF_SATURATION: &[PassOption] = &[FUEL, ITER, RULES, CHECK_RULES, ASSUME_SIZE, REPORT, PROFILE];

/// The options of the phase that applies no rules.
pub const OF_PLACEMENT: &[PassOption] = &[ASSUME_SIZE, REPORT];

/// Defines the pass that runs some of the phases: its name, description, options, phases, and the criterion by which
/// their result replaces the program.
macro_rules! phase_pass {
    ($name:literal, $description:literal, $options:expr, $phases:expr, $accept:expr) => {
        pub const PASS: mlopt_dialects::bridge::Pass = mlopt_dialects::bridge::Pass {
            name: $name,
            description: $description,
            anchor: mlopt_dialects::ops::Kind::FuncFunc.name(),
            options: $options,
            dialects: options::DIALECTS,
            run,
        };

        fn run(
            function: mlopt_dialects::ir::Op,
            options: &mlopt_dialects::bridge::Options,
        ) -> Result<(), mlopt_dialects::Reported> {
            options::run(&PASS, function, options, $phases, $accept)
        }
    };
}
pub(crate) use phase_pass;

/// Runs `phases` on a function with the given options of the pass.
pub fn run(pass: &Pass, function: Op, options: &Options, phases: Phases, accept: Accept) -> Result<(), Reported> {
    let fail = |text: String| diagnostics::error(function.location(), format!("{}: {text}", pass.name));
    let has = |option: PassOption| pass.options.iter().any(|o| o.name == option.name);
    let list = if has(RULES) { options.list("rules") } else { vec![] };
    let check = has(CHECK_RULES) && options.bool("check-rules");
    let (names, files) = Rules::load_all(&list, check).map_err(fail)?;
    for warning in files.iter().flat_map(Rules::warnings) {
        let _reported = function.warning(format!("{}: {warning}", pass.name)).emit();
    }
    let laws = Laws::named(&names).map_err(|name| {
        let sets: Vec<&str> = std::iter::once("all").chain(SETS.iter().map(|s| s.0)).collect();
        let rules: Vec<&str> = every().map(|(_, r)| r.name).collect();
        unknown(function, pass.name, "rule set", name, &sets, &rules)
    })?;
    let laws = laws.with(&files);
    let limit = |option: PassOption, least: i64, or: usize| -> Result<usize, Reported> {
        if !has(option) {
            return Ok(or);
        }
        let found = options.integer(option.name);
        let wrong = if least > 0 { "must be positive" } else { "must not be negative" };
        let allowed = usize::try_from(found).ok().filter(|_| found >= least);
        allowed.ok_or_else(|| fail(format!("`{}` {wrong}, found {found}", option.name)))
    };
    let usual = phases::Options::default();
    let chosen = phases::Options {
        phases,
        accept,
        fuel: limit(FUEL, 0, usual.fuel)?,
        iterations: limit(ITER, 0, usual.iterations)?,
        assumed_length: Assumed(limit(ASSUME_SIZE, 1, usual.assumed_length.0 as usize)? as f64),
    };
    let columns = match if has(PROFILE) { options.text("profile") } else { "none" } {
        "none" => None,
        "counts" => Some(Columns::Counts),
        "times" => Some(Columns::Times),
        other => return Err(unknown(function, pass.name, "profile", other, &["none", "counts", "times"], &[])),
    };
    let code = match if has(CODE) { options.text("code") } else { "arrays" } {
        "all" => Code::ALL,
        "arrays" => Code::ARRAYS,
        "functions" => Code::FUNCTIONS,
        other => return Err(unknown(function, pass.name, "code", other, &["functions", "arrays", "all"], &[])),
    };
    let mut rewriter = Rewriter::new(&laws, chosen);
    rewriter.code = code;
    rewriter.profile = columns.map(|_| Profile::default());
    rewriter.rewrite(function);
    if let (Some(profile), Some(columns)) = (&rewriter.profile, columns) {
        let table = profile.table(&laws, columns);
        let _reported = function.remark(format!("effects of the rules:\n{}", table.trim_end())).emit();
    }
    if options.bool("report") {
        report(function, &rewriter);
    }
    Ok(())
}

fn report(function: Op, rewriter: &Rewriter) {
    let Rewriter { before, after, reports, given_up, .. } = rewriter;
    // The stop reason of the largest e-graph, because later iterations see an almost final program.
    let stop = reports.iter().max_by_key(|r| r.nodes).map_or("saturation did not run".to_string(), |r| {
        format!("{} after {} with {}", r.stop, count(r.iterations, "iteration"), count(r.nodes, "e-node"))
    });
    let left = match given_up {
        0 => String::new(),
        n => format!("; {} left unchanged, because the fuel was used up", count(*n, "operation")),
    };
    let _reported = function.remark(format!("cost {before:.0} before, {after:.0} after; {stop}{left}")).emit();
}

/// Reports an unknown name. The message lists `known`; `more` are only candidates for a suggestion of similar spelling.
pub fn unknown(function: Op, pass: &str, what: &str, found: &str, known: &[&str], more: &[&str]) -> Reported {
    let near = |a: &str| strsim::jaro(found, a);
    let nearest = known.iter().chain(more).max_by(|a, b| near(a).total_cmp(&near(b)));
    let nearest = nearest.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    diagnostics::error(
        function.location(),
        format!("{pass}: unknown {what} `{found}`{nearest} Expected one of {}", known.join(", ")),
    )
}
