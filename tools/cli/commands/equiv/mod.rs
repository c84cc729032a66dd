//! `mlopt equiv`: tries to prove that two functions are equal, or to find an input for which they differ. If neither
//! succeeds, it says so.

pub mod measure;
mod points;

use crate::commands::domain::{DomainOptions, signature};
use crate::commands::explain::listed;
use crate::commands::pipeline_check::read_through;
use crate::commands::rewriting::{Rewriting, Settled};
use measure::{Call, Measure};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Op, Symbols};
use mlopt_dialects::limits;
use mlopt_dialects::text::count;
use mlopt_frontend::mlir::list;
use mlopt_passes::optimise::equivalence::{self, Verdict};
use mlopt_runtime::arguments::numpy_print;
use mlopt_runtime::entry::{self, Entry, functions};
use mlopt_runtime::failure::Failure;
use points::{Point, Points};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use std::collections::HashSet;
use std::iter;
use std::path::{Path, PathBuf};

/// Decide whether two functions are equal: a proof, or an input for which they differ
#[derive(clap::Args)]
#[command(after_help = include_str!("../help/equiv.txt").trim_ascii_end())]
pub struct Equiv {
    #[command(flatten)]
    limits: crate::commands::limits::Limits,
    /// The first program, text or bytecode
    first: PathBuf,
    /// The second program
    second: PathBuf,
    /// The function to compare; not needed if there is only one
    #[arg(long, value_name = "@NAME")]
    function: Option<String>,
    /// The function of the second program, if it has another name
    #[arg(long, value_name = "@NAME")]
    with: Option<String>,
    /// Passes to run on both instead of differentiation and inlining
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Fast-math flags that all operations of both carry for the proof: reassoc,nnan,ninf,nsz,arcp,contract,afn or fast
    #[arg(long, value_name = "FLAG,...")]
    fastmath: Option<String>,
    #[command(flatten)]
    rewriting: Rewriting,
    /// Number of random points; special points are tried too, unless it is 0
    #[arg(long, value_name = "N", default_value_t = 20)]
    points: u64,
    /// Seed of the points
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    domain: DomainOptions,
}

/// The passes that both programs go through first: rules apply to a single block without calls.
pub const PREPARED: &str = "builtin.module(differentiate,inline,symbol-dce)";

/// The exit status if neither a proof nor a difference is found.
const UNKNOWN: i32 = 3;

impl Equiv {
    /// Compares the functions and returns the exit status.
    pub fn execute(&self) -> Result<i32, Failure> {
        self.limits.set();
        mlopt_lowering::register_passes();
        let settled = self.rewriting.settle()?;
        let prepared = |file: &Path| read_through(file, self.pass_pipeline.as_deref(), Some(PREPARED));
        let (first, source) = prepared(&self.first)?;
        let (second, _) = prepared(&self.second)?;
        let entry = entry::find(first.module(), self.function.as_deref(), "--function", &source)?;
        let other = self.with.as_deref().unwrap_or(&entry.name);
        let other = other.strip_prefix('@').unwrap_or(other);
        let f = one(&first, &entry.name)?;
        let g = one(&second, other)?;
        // The types belong to two contexts, so their texts are compared.
        let (expected, found) = (type_text(f), type_text(g));
        if expected != found {
            let text = format!("`@{other}` cannot equal `@{}`: expected {expected}, found {found}", entry.name);
            return Err(Failure::at(entry::place(g.location()), text));
        }
        let (compared, difference) = self.compare(&entry, [f, g])?;
        if let Some(difference) = difference {
            println!("different: {difference}");
            return Ok(1);
        }
        let pair = pair(f, g)?;
        if let Some(flags) = &self.fastmath {
            pair.run_pipeline(&format!("builtin.module(set-fastmath{{flags={flags}}})"))?;
        }
        self.judge(&pair, &settled, &entry, compared)
    }

    /// Compares the functions at points. Returns the number of points at which both are defined, and a description of
    /// the first difference.
    fn compare(&self, entry: &Entry, sides: [Op; 2]) -> Result<(u64, Option<String>), Failure> {
        let ops: Vec<Op> = sides.into_iter().flat_map(operations).collect();
        let measure = Measure::of(&ops, self.fastmath.as_deref());
        let points = Points::new(&self.domain, entry, &ops, &measure)?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut compared = 0;
        for point in points.plan(self.points) {
            let x = points.choose(point, &mut rng)?;
            let call =
                Call { sides, x: &x, steps: if matches!(point, Point::Usual) { limits::steps() } else { STEPS } };
            // A point at which one of them is undefined is skipped.
            let Some([f, g]) = call.results(&x) else { continue };
            compared += 1;
            if let Some((k, _)) = measure.difference(&call, &f, &g, &mut rng) {
                let arguments = entry.parameters.iter().zip(&x);
                let at = list(arguments.map(|((label, _), x)| format!("{label} = {}", numpy_print::line(x))));
                let (a, b) = (numpy_print::line(&f[k]), numpy_print::line(&g[k]));
                let text = format!("result #{k} is {a} in the first, {b} in the second, at {at}");
                return Ok((compared, Some(text)));
            }
        }
        Ok((compared, None))
    }

    fn judge(&self, pair: &Program, settled: &Settled, entry: &Entry, compared: u64) -> Result<i32, Failure> {
        let function = one(pair, PAIR)?;
        match equivalence::compare(function, &settled.laws(), settled.options) {
            Verdict::Equal(explanation) => {
                match explanation.steps.len() {
                    0 => println!("equal: both functions are the same term"),
                    n => println!("equal, in {} from the first to the second", count(n, "step")),
                }
                print!("{}", listed(explanation.steps.iter()));
                Ok(0)
            }
            Verdict::Unknown(results) => {
                let open = list(results.iter().map(|k| format!("#{k}")));
                let tried = match compared {
                    0 => "no point at which both are defined".to_string(),
                    n => format!("no difference at {}", count(n, "point")),
                };
                println!("not known: {tried} of ({}), no proof for result {open}", signature(entry));
                Ok(UNKNOWN)
            }
        }
    }
}

fn type_text(f: Op) -> String {
    let (inputs, results) = f.function_type().unwrap_or_default();
    format!("({}) -> ({})", list(&inputs), list(&results))
}

fn one(program: &Program, name: &str) -> Result<Op, Failure> {
    functions(program.module(), Some(name)).map(|found| found[0])
}

/// Returns all operations of a function and of its callees.
fn operations(function: Op) -> Vec<Op> {
    iter::once(function).chain(called(function)).flat_map(Op::nested_ops).collect()
}

/// Returns the functions that a function refers to, directly or indirectly. It contains the function itself only if it
/// is recursive.
fn called(function: Op) -> Vec<Op> {
    let symbols = function.module().map(Symbols::of).unwrap_or_default();
    let (mut found, mut seen): (Vec<Op>, HashSet<Op>) = (Vec::new(), HashSet::new());
    let mut open = vec![function];
    while let Some(next) = open.pop() {
        let attributes = iter::once(next).chain(next.nested_ops()).flat_map(|op| op.attributes());
        for name in attributes.filter_map(|(_, a)| a.as_symbol()) {
            if let Some(symbol) = symbols.get(&name).filter(|s| seen.insert(*s)) {
                found.push(symbol);
                open.push(symbol);
            }
        }
    }
    found
}

/// The number of steps after which a function counts as undefined at a special point, where loops may run to the
/// greatest integer.
const STEPS: u64 = 200_000;

/// Names that no program has.
pub const PAIR: &str = "equiv.pair";
const FIRST: &str = "equiv.first";
const SECOND: &str = "equiv.second";

/// Returns a program with a function that returns the results of both functions, one after the other. Their source
/// locations are kept. The program also contains functions that they still call, such as recursive ones.
pub fn pair(f: Op, g: Op) -> Result<Program, Failure> {
    let mut text = String::new();
    let mut known: Vec<(Option<String>, String)> = Vec::new();
    for symbol in called(f).into_iter().chain(called(g)) {
        let (name, body) = (symbol.symbol(), symbol.to_string());
        let before = known.iter().find(|k| k.0 == name);
        match before {
            None => {
                text += &symbol.with_locations();
                text.push('\n');
                known.push((name, body));
            }
            Some(first) if first.1 == body => {}
            Some(_) => {
                let name = name.unwrap_or_default();
                let text =
                    format!("both functions call `@{name}`, which must be the same in each program, but differs");
                return Err(Failure::at(entry::place(symbol.location()), text));
            }
        }
    }
    for (function, name) in [(f, FIRST), (g, SECOND)] {
        let copy = function.clone_op();
        let context = copy.context();
        copy.set_attribute("sym_name", context.string_attr(name));
        copy.set_attribute("sym_visibility", context.string_attr("private"));
        text += &copy.with_locations();
        text.push('\n');
        copy.erase();
    }
    let (inputs, results) = f.function_type().unwrap_or_default();
    let numbered = |name: &str, n: usize| list((0..n).map(|k| format!("%{name}{k}")));
    let parameters = list(inputs.iter().enumerate().map(|(k, t)| format!("%x{k}: {t} {}", place_of(f, k))));
    let (x, n) = (numbered("x", inputs.len()), results.len());
    let (a, b) = (numbered("a", n), numbered("b", n));
    let given = |values: &str| if n == 0 { String::new() } else { format!("{values} = ") };
    let signature = type_text(f);
    let (both, all) = if n == 0 {
        (String::new(), String::new())
    } else {
        (format!("{a}, {b}"), format!(" : {0}, {0}", list(&results)))
    };
    text += &format!(
        "func.func @{PAIR}({parameters}) -> ({}) {{\n  {}call @{FIRST}({x}) : {signature}\n  \
         {}call @{SECOND}({x}) : {signature}\n  return {both}{all}\n}}\n",
        list(results.iter().chain(&results)),
        given(&a),
        given(&b),
    );
    let program = Program::parse(text.as_bytes(), "pair of functions")?;
    program.run_pipeline("builtin.module(inline,symbol-dce)")?;
    Ok(program)
}

/// Returns the location of a parameter in MLIR syntax.
fn place_of(f: Op, k: usize) -> String {
    let argument = f.body().map(|b| b.arguments()[k]);
    argument.map_or(String::new(), |a| a.location().to_string())
}
