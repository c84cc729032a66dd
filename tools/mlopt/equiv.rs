//! `mlopt equiv`: are two functions equal? A proof, an input that tells them apart, or neither.

use crate::argument::Named;
use crate::cli::{self, Failure};
use crate::entry::{self, Entry};
use crate::explain::{functions, listed};
use crate::numpy_print;
use crate::places::{self, Places, signature};
use crate::rewriting::{Rewriting, Settled};
use crate::run::{check_pipeline, read_program};
use mlopt_dialects::bridge::names;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_dialects::with_data;
use mlopt_passes::equivalence::{self, Verdict};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};
use std::iter;
use std::path::{Path, PathBuf};

/// Say whether two functions are equal: a proof, or an input that tells them apart
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mlopt equiv a.mlir b.mlir
  mlopt equiv a.mlir b.mlir --function @f --points 100 --size 5
  mlopt equiv a.mlir a.mlir --function @f --with @g

Both are differentiated and inlined, unless --pass-pipeline says otherwise. Then the reference evaluator calls them at random
points and at special ones: zeros of both signs, infinities, no numbers, empty arrays, arrays of length 1, negative and extreme
integers. What --size, --range and --set say of an input holds there too. Where results differ by more than rounding does, the
point is printed. Signs of zeros, and inputs that are infinite or no numbers, count only if no operation has `fastmath`.
Else the rules of egg-optimize look for a proof, whose steps are printed as `mlopt explain` prints them. The proof speaks of
inputs for which both are defined. The licence is that of the functions: what needs `fastmath` is proved only for operations
that carry it (--fastmath adds to it).
Exit status: 0 equal, 1 different or an error, 3 not known.")]
pub struct Equiv {
    /// The first program, text or bytecode
    first: PathBuf,
    /// The second program
    second: PathBuf,
    /// The function to compare; not needed if there is only one
    #[arg(long, value_name = "@NAME")]
    function: Option<String>,
    /// The function of the second program, where it has another name
    #[arg(long, value_name = "@NAME")]
    with: Option<String>,
    /// Passes to run on both instead of differentiation and inlining
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Flags that all operations of both carry for the proof: reassoc,nnan,ninf,nsz,arcp,contract,afn or fast
    #[arg(long, value_name = "FLAG,...")]
    fastmath: Option<String>,
    #[command(flatten)]
    rewriting: Rewriting,
    /// Number of random points; special points are tried too, unless it is 0
    #[arg(long, value_name = "N", default_value_t = 20)]
    points: u64,
    /// Points follow from it
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Run-time sizes: all, those of an input, of an axis; the value of an index input that is a size
    #[arg(long = "size", value_name = "[NAME[.AXIS]=]N", allow_hyphen_values = true)]
    sizes: Vec<String>,
    /// Where floats are chosen, for all inputs or one; -1,1 by default
    #[arg(long = "range", value_name = "[NAME=]LOW,HIGH", allow_hyphen_values = true)]
    ranges: Vec<String>,
    /// A value for an input, the same at every point; as `--arg` of `mlopt run`
    #[arg(long = "set", value_name = "NAME=VALUE")]
    values: Vec<String>,
}

/// What both programs go through first: the rules see one block without calls.
pub const PREPARED: &str = "builtin.module(differentiate,inline,symbol-dce)";

/// Exit status when neither a proof nor a difference is found.
const UNKNOWN: i32 = 3;

impl Equiv {
    /// The exit status.
    pub fn execute(&self) -> Result<i32, Failure> {
        cli::register_passes();
        let settled = self.rewriting.settle()?;
        let (first, source) = self.prepared(&self.first)?;
        let (second, _) = self.prepared(&self.second)?;
        let entry = entry::find(first.module(), self.function.as_deref(), &source)?;
        let other = self.with.as_deref().unwrap_or(&entry.name);
        let other = other.strip_prefix('@').unwrap_or(other);
        let f = one(&first, &entry.name)?;
        let g = one(&second, other)?;
        // Two contexts: types are compared by their texts.
        let (expected, found) = (type_text(f), type_text(g));
        if expected != found {
            let text = format!("`@{other}` cannot equal `@{}`: expected {expected}, found {found}", entry.name);
            return Err(Failure::at(entry::place(g.location()), text));
        }
        let compared = match self.difference(&entry, [f, g])? {
            Ok(compared) => compared,
            Err(point) => {
                println!("different: {point}");
                return Ok(1);
            }
        };
        let pair = pair(f, g)?;
        if let Some(flags) = &self.fastmath {
            pair.run_pipeline(&format!("builtin.module(set-fastmath{{flags={flags}}})"))?;
        }
        self.judge(&pair, &settled, &entry, compared)
    }

    /// The program as the rules see it, and its text.
    fn prepared(&self, file: &Path) -> Result<(Program, Vec<u8>), Failure> {
        let (program, source) = read_program(file)?;
        names::from_source(program.module());
        let pipeline = self.pass_pipeline.as_deref().unwrap_or(PREPARED);
        check_pipeline(pipeline)?;
        program.run_pipeline(pipeline)?;
        Ok((program, source))
    }

    /// At how many points both are defined and agree, or one at which they differ, as text.
    fn difference(&self, entry: &Entry, sides: [Op; 2]) -> Result<Result<u64, String>, Failure> {
        let ops: Vec<Op> = sides.into_iter().flat_map(operations).collect();
        let measure = Measure::of(&ops, self.fastmath.as_deref());
        let points = Points::new(self, entry, &ops, &measure)?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut compared = 0;
        for point in points.plan(self.points) {
            let x = points.choose(point, &mut rng)?;
            let call = Call { sides, x: &x, steps: if matches!(point, Point::Usual) { u64::MAX } else { STEPS } };
            // Where one of them is not defined there is nothing to compare.
            let Some([f, g]) = call.results(&x) else { continue };
            compared += 1;
            if let Some(k) = measure.difference(&call, &f, &g, &mut rng) {
                let arguments = entry.parameters.iter().zip(&x);
                let arguments: Vec<String> =
                    arguments.map(|((label, _), x)| format!("{label} = {}", numpy_print::line(x))).collect();
                let (a, b) = (numpy_print::line(&f[k]), numpy_print::line(&g[k]));
                let at = arguments.join(", ");
                return Ok(Err(format!("result #{k} is {a} in the first, {b} in the second, at {at}")));
            }
        }
        Ok(Ok(compared))
    }

    fn judge(&self, pair: &Program, settled: &Settled, entry: &Entry, compared: u64) -> Result<i32, Failure> {
        let function = one(pair, PAIR)?;
        match equivalence::compare(function, &settled.laws(), settled.options) {
            Verdict::Equal(explanation) => {
                match explanation.steps.len() {
                    0 => println!("equal: both functions say the same"),
                    1 => println!("equal, in 1 step from the first to the second"),
                    n => println!("equal, in {n} steps from the first to the second"),
                }
                print!("{}", listed(explanation.steps.iter()));
                Ok(0)
            }
            Verdict::Unknown(results) => {
                let open: Vec<String> = results.iter().map(|k| format!("#{k}")).collect();
                let tried = match compared {
                    0 => "no point at which both are defined".to_string(),
                    n => format!("no difference at {n} points"),
                };
                println!("not known: {tried} of ({}), no proof for result {}", signature(entry), open.join(", "));
                Ok(UNKNOWN)
            }
        }
    }
}

fn type_text(f: Op) -> String {
    let (inputs, results) = f.function_type().unwrap_or_default();
    let list = |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    format!("({}) -> ({})", list(&inputs), list(&results))
}

fn one(program: &Program, name: &str) -> Result<Op, Failure> {
    functions(program.module(), Some(name)).map(|found| found[0])
}

/// All operations of a function and of those that it calls.
fn operations(function: Op) -> Vec<Op> {
    iter::once(function).chain(called(function)).flat_map(Op::nested_ops).collect()
}

/// What a function names, directly and through others: itself only if it is recursive.
fn called(function: Op) -> Vec<Op> {
    let mut found: Vec<Op> = Vec::new();
    let mut open = vec![function];
    while let Some(next) = open.pop() {
        let attributes = iter::once(next).chain(next.nested_ops()).flat_map(|op| op.attributes());
        for name in attributes.filter_map(|(_, a)| a.as_symbol()) {
            let symbol = function.module().and_then(|module| module.lookup(&name));
            if let Some(symbol) = symbol.filter(|s| !found.contains(s)) {
                found.push(symbol);
                open.push(symbol);
            }
        }
    }
    found
}

/// Steps after which a function counts as not defined at a special point: loops may run to the greatest integer there.
const STEPS: u64 = 200_000;

/// Special points for each random one, at most.
const SPECIAL: u64 = 5;

/// Points at which special values stand here and there.
const MIXED: usize = 12;

/// How a point is chosen.
#[derive(Clone, Copy)]
enum Point {
    /// As everywhere: floats in the range, integers that are mostly positions of small arrays.
    Usual,
    /// With small integers of both signs.
    Signed,
    /// With special values here and there.
    Mixed,
    /// All inputs that the change is about are changed,
    All(Change),
    /// or one of them,
    One(Change, usize),
    /// or one element of one of them.
    Element(Change, usize),
}

#[derive(Clone, Copy)]
enum Change {
    Float(f64),
    /// By the position in [`integers`].
    Integer(usize),
    /// Of the axes that are as long as the point says.
    Length(usize),
}

/// What may be varied of an input.
struct Input {
    element: Element,
    is_array: bool,
    /// The values, for nothing is said of them.
    free: bool,
    /// The axes of no given size.
    axes: Vec<usize>,
}

impl Input {
    fn takes(&self, change: Change) -> bool {
        match change {
            Change::Float(_) => self.free && self.element.is_float(),
            Change::Integer(_) => self.free && !self.element.is_float(),
            Change::Length(_) => !self.axes.is_empty(),
        }
    }
}

/// Where two functions are compared.
struct Points {
    places: Places,
    inputs: Vec<Input>,
    floats: Vec<f64>,
    /// Whether integers may be as large as they can be: not where they may be sizes of arrays, or may not overflow.
    extremes: bool,
}

impl Points {
    fn new(equiv: &Equiv, entry: &Entry, ops: &[Op], measure: &Measure) -> Result<Points, Failure> {
        let places = Places::new(entry, &equiv.sizes, &equiv.ranges, &equiv.values);
        let places = places.map_err(|text| Failure::at(&entry.place, text))?;
        let sized = named(entry, &equiv.sizes);
        let ranged = named(entry, &equiv.ranges);
        let given = named(entry, &equiv.values);
        let one_by_one: Vec<String> = equiv.sizes.iter().filter(|text| text.contains('=')).cloned().collect();
        let is_size = named(entry, &one_by_one);
        let input = |(k, (_, ty)): (usize, &Named)| Input {
            element: ty.element,
            is_array: !ty.shape.is_empty(),
            free: !given[k] && if ty.element.is_float() { !ranged[k] } else { !ty.shape.is_empty() || !is_size[k] },
            axes: (0..ty.shape.len()).filter(|&a| ty.shape[a].is_none() && !sized[k] && !given[k]).collect(),
        };
        let inputs = entry.parameters.iter().enumerate().map(input).collect();
        let mut floats = vec![0.0, 1.0, -1.0];
        if measure.zeros {
            floats.push(-0.0);
        }
        if measure.strict {
            floats.extend([f64::INFINITY, f64::NEG_INFINITY]);
        }
        if measure.strict && measure.nan {
            floats.push(f64::NAN);
        }
        let is_dynamic = |op: &Op| op.results().into_iter().any(|r| r.ty().shape().contains(&None));
        // Operations that may not overflow are not defined where they do.
        let is_bounded =
            |op: &Op| op.attribute("overflowFlags").is_some_and(|flags| !flags.to_string().contains("none"));
        let extremes = !ops.iter().any(|op| is_dynamic(op) || is_bounded(op));
        Ok(Points { places, inputs, floats, extremes })
    }

    /// `usual` random points, then special ones, those first that change much.
    fn plan(&self, usual: u64) -> Vec<Point> {
        let changes: Vec<Change> = iter::empty()
            .chain(self.floats.iter().map(|&x| Change::Float(x)))
            .chain([0, 1].map(Change::Length))
            .chain((0..integers(Element::I64, self.extremes).len()).map(Change::Integer))
            .collect();
        let (mut all, mut one, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        for change in changes {
            let inputs: Vec<usize> = (0..self.inputs.len()).filter(|&k| self.inputs[k].takes(change)).collect();
            if !inputs.is_empty() {
                all.push(Point::All(change));
            }
            if inputs.len() > 1 {
                one.extend(inputs.iter().map(|&k| Point::One(change, k)));
            }
            if !matches!(change, Change::Length(_)) {
                let arrays = inputs.iter().filter(|&&k| self.inputs[k].is_array);
                elements.extend(arrays.map(|&k| Point::Element(change, k)));
            }
        }
        let mixed = if self.inputs.iter().any(|input| input.free) { MIXED } else { 0 };
        let special = all.into_iter().chain(iter::repeat_n(Point::Mixed, mixed)).chain(one).chain(elements);
        let signed = self.inputs.iter().any(|input| input.takes(Change::Integer(0)));
        let usually = |k: u64| if signed && k % 2 == 1 { Point::Signed } else { Point::Usual };
        (0..usual).map(usually).chain(special.take(SPECIAL.saturating_mul(usual) as usize)).collect()
    }

    fn choose(&self, point: Point, rng: &mut ChaCha8Rng) -> Result<Vec<Array>, Failure> {
        let mut x = self.places.choose(rng, 1)?;
        for (k, input) in self.inputs.iter().enumerate() {
            match point {
                Point::Signed if input.free => x[k] = with_integers(&x[k], |_| below(rng, 17) as i64 - 8),
                Point::Mixed if input.free => {
                    let known = integers(input.element, self.extremes);
                    x[k] = with_integers(&x[k], |_| known[below(rng, known.len())]);
                    x[k] = with_floats(&x[k], |x| {
                        if below(rng, 2) == 0 { x } else { self.floats[below(rng, self.floats.len())] }
                    });
                }
                Point::All(change) if input.takes(change) => x[k] = self.changed(change, input, &x[k], None),
                Point::One(change, only) if only == k => x[k] = self.changed(change, input, &x[k], None),
                Point::Element(change, only) if only == k && !x[k].is_empty() => {
                    let position = below(rng, x[k].len());
                    x[k] = self.changed(change, input, &x[k], Some(position));
                }
                _ => {}
            }
        }
        Ok(x)
    }

    /// `x` with one element changed, or all.
    fn changed(&self, change: Change, input: &Input, x: &Array, only: Option<usize>) -> Array {
        let mut position = 0..;
        let mut is_meant = || {
            let here: Option<usize> = position.next();
            only.is_none() || only == here
        };
        match change {
            Change::Float(to) => with_floats(x, |x| if is_meant() { to } else { x }),
            Change::Integer(k) => {
                let to = integers(input.element, self.extremes)[k];
                with_integers(x, |x| if is_meant() { to } else { x })
            }
            Change::Length(n) => shortened(x, &input.axes, n),
        }
    }
}

/// Which inputs the options `[NAME[.AXIS]=]…` speak of: without a name, of all.
fn named(entry: &Entry, options: &[String]) -> Vec<bool> {
    let mut found = vec![false; entry.parameters.len()];
    for option in options {
        let input = option.split_once('=').and_then(|(name, _)| {
            let whole = places::find(entry, name).ok();
            whole.or_else(|| places::find(entry, name.rsplit_once('.')?.0).ok())
        });
        match input {
            Some(k) => found[k] = true,
            None => found.fill(true),
        }
    }
    found
}

/// Integers at which programs tend to differ: outside of small arrays, and where numbers overflow. As many of each type.
fn integers(element: Element, extremes: bool) -> Vec<i64> {
    let mut list = vec![0, 1, -1, 2, -2, 5, -7];
    if extremes {
        let (least, greatest) = match element {
            Element::I32 => (i32::MIN.into(), i32::MAX.into()),
            _ => (i64::MIN, i64::MAX),
        };
        list.extend([least, greatest, least + 1, greatest - 1, greatest / 2 + 1]);
    }
    list
}

fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.next_u64() as usize % n
}

fn with_floats(x: &Array, mut change: impl FnMut(f64) -> f64) -> Array {
    let data = match x.data() {
        Data::F32(v) => Data::F32(v.iter().map(|&x| change(x.into()) as f32).collect()),
        Data::F64(v) => Data::F64(v.iter().map(|&x| change(x)).collect()),
        other => other.clone(),
    };
    Array::new(x.shape().to_vec(), data)
}

fn with_integers(x: &Array, mut change: impl FnMut(i64) -> i64) -> Array {
    let data = match x.data() {
        Data::I1(v) => Data::I1(v.iter().map(|&x| change(x.into()) & 1 != 0).collect()),
        Data::I32(v) => Data::I32(v.iter().map(|&x| change(x.into()) as i32).collect()),
        Data::I64(v) => Data::I64(v.iter().map(|&x| change(x)).collect()),
        Data::Index(v) => Data::Index(v.iter().map(|&x| change(x)).collect()),
        other => other.clone(),
    };
    Array::new(x.shape().to_vec(), data)
}

/// Some of the elements, with at most `n` along these axes.
fn shortened(x: &Array, axes: &[usize], n: usize) -> Array {
    let mut shape = x.shape().to_vec();
    axes.iter().for_each(|&axis| shape[axis] = n.min(shape[axis]));
    let mut data = x.data().clone();
    let len: usize = shape.iter().product();
    with_data!(&mut data, v => v.truncate(len));
    Array::new(shape, data)
}

/// Two functions, where they are called.
struct Call<'x> {
    sides: [Op; 2],
    x: &'x [Array],
    steps: u64,
}

impl Call<'_> {
    fn result(&self, side: Op, x: &[Array]) -> Option<Vec<Array>> {
        Evaluator::new(side.module()?).with_limit(self.steps).call(&side.symbol()?, x).ok()
    }

    /// Of both, if they are defined.
    fn results(&self, x: &[Array]) -> Option<[Vec<Array>; 2]> {
        Some([self.result(self.sides[0], x)?, self.result(self.sides[1], x)?])
    }

    /// The largest number that either rounds on its way.
    fn largest(&self) -> f64 {
        let mut largest = 0.0f64;
        for side in self.sides {
            let mut see = |op: Op, _: usize, z: &Array| {
                if rounds(op) {
                    largest = z.to_f64().into_iter().filter(|z| z.is_finite()).fold(largest, |l, z| l.max(z.abs()));
                }
            };
            if let (Some(module), Some(name)) = (side.module(), side.symbol()) {
                let _seen = Evaluator::new(module).with_trace(&mut see).with_limit(self.steps).call(&name, self.x);
            }
        }
        largest
    }
}

/// Whether an operation may round its result.
fn rounds(op: Op) -> bool {
    let is_float = op.results().into_iter().any(|z| z.ty().element().is_some_and(Element::is_float));
    is_float
        && match op.name().split_once('.') {
            Some(("arith", op)) => {
                matches!(op, "addf" | "subf" | "mulf" | "divf" | "remf" | "truncf" | "sitofp" | "uitofp")
            }
            Some(("math", op)) => {
                !matches!(op, "absf" | "floor" | "ceil" | "trunc" | "round" | "roundeven" | "copysign")
            }
            Some(("array", op)) => matches!(op, "sum" | "prod" | "scatter"),
            Some(("linalg", _)) => true,
            _ => false,
        }
}

/// Whether the greatest or least element is taken: which one it is beside NaN, and of two zeros, is open.
fn selects(op: Op) -> bool {
    matches!(op.name(), "array.max" | "array.min" | "array.argmax" | "array.argmin")
}

/// Whether the sign of a zero is open: that of a sum of none is up to who adds, that of `maxnumf` is open in MLIR.
fn leaves_zeros_open(op: Op) -> bool {
    selects(op)
        || matches!(op.name(), "array.sum" | "array.scatter" | "arith.maxnumf" | "arith.minnumf")
        || op.name().starts_with("linalg.")
}

/// What counts as a difference. Where nothing rounds, every bit does. Elsewhere two numbers differ if they are further
/// apart than [`RELATIVE`], and further than rounding explains (see [`Near`]).
struct Measure {
    /// Whether any operation rounds.
    rounds: bool,
    /// The distance of 1 to the next number of the coarsest type in use.
    epsilon: f64,
    relative: f64,
    /// Whether nothing is licensed.
    strict: bool,
    /// Whether signs of zeros count,
    zeros: bool,
    /// and results that are no numbers,
    nan: bool,
    /// or infinite.
    infinite: bool,
}

/// Numbers of f64 and of f32 that are called equal without a closer look.
const RELATIVE: (f64, f64) = (1e-9, 1e-5);

const FLAGS: [&str; 8] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"];

impl Measure {
    fn of(ops: &[Op], more: Option<&str>) -> Measure {
        let own = ops.iter().filter_map(|op| op.attribute("fastmath")).map(|flags| flags.to_string());
        let flags: Vec<String> = own.chain(more.map(str::to_string)).collect();
        let has =
            |flag: &str| flags.iter().any(|list| list.split(|c: char| !c.is_alphanumeric()).any(|word| word == flag));
        // Structural zeros stand for nothing at all: times infinity they are zero still.
        let structural = ops.iter().any(|op| matches!(op.name(), "dual.zero" | "dual.one"));
        let strict = !structural && !FLAGS.into_iter().any(has);
        let is_single = |op: &Op| op.results().into_iter().any(|z| z.ty().element() == Some(Element::F32));
        let single = ops.iter().any(is_single);
        Measure {
            rounds: ops.iter().any(|&op| rounds(op)),
            epsilon: if single { f32::EPSILON.into() } else { f64::EPSILON },
            relative: if single { RELATIVE.1 } else { RELATIVE.0 },
            strict,
            zeros: strict && !ops.iter().any(|&op| leaves_zeros_open(op)),
            nan: !structural && !has("nnan") && !has("fast") && !ops.iter().any(|&op| selects(op)),
            infinite: !structural && !has("ninf") && !has("fast"),
        }
    }

    /// The first result that tells the two apart.
    fn difference(&self, call: &Call, f: &[Array], g: &[Array], rng: &mut ChaCha8Rng) -> Option<usize> {
        let mut near = None;
        for (k, (a, b)) in f.iter().zip(g).enumerate() {
            if a.shape() != b.shape() {
                return Some(k);
            }
            for i in (0..a.len()).filter(|&i| self.differs(a, b, i)) {
                if !self.rounds {
                    return Some(k);
                }
                let near = near.get_or_insert_with(|| Near::new(call, self.epsilon, rng));
                if !near.explains(self, a, b, k, i) {
                    return Some(k);
                }
            }
        }
        None
    }

    /// Whether two arrays differ in one element, by more than [`RELATIVE`].
    fn differs(&self, a: &Array, b: &Array, i: usize) -> bool {
        match (a.data(), b.data()) {
            (Data::I64(a), Data::I64(b)) | (Data::Index(a), Data::Index(b)) => a[i] != b[i],
            _ if !a.element().is_float() => number(a, i) != number(b, i),
            _ => self.apart(number(a, i), number(b, i)),
        }
    }

    fn apart(&self, a: f64, b: f64) -> bool {
        if a.is_nan() || b.is_nan() {
            return self.nan && a.is_nan() != b.is_nan();
        }
        if a.is_infinite() || b.is_infinite() {
            return self.infinite && a != b;
        }
        if a == b {
            return self.zeros && a.is_sign_negative() != b.is_sign_negative();
        }
        let relative = if self.rounds { self.relative } else { 0.0 };
        (a - b).abs() > relative * a.abs().max(b.abs())
    }
}

fn number(x: &Array, i: usize) -> f64 {
    match x.data() {
        Data::F32(v) => v[i].into(),
        Data::F64(v) => v[i],
        Data::I1(v) => u8::from(v[i]).into(),
        Data::I32(v) => v[i].into(),
        Data::I64(v) | Data::Index(v) => v[i] as f64,
    }
}

/// Calls near a point.
const CALLS: usize = 16;

/// How many times what rounding is seen to do it may do elsewhere.
const SLACK: f64 = 64.0;

/// Grids on whose points inputs have so few digits that most sums and products of them are exact.
const GRIDS: [f64; 3] = [8.0, 64.0, 1024.0];

/// What rounding may do at a point: inputs that differ in their last digits show it, unless numbers are so large on the
/// way that these digits are lost altogether.
struct Near {
    /// The results of each function nearby.
    close: [Vec<Vec<Array>>; 2],
    /// Those of both where inputs are on a grid.
    coarse: Vec<[Vec<Array>; 2]>,
    /// A difference that lost digits explain.
    lost: f64,
}

impl Near {
    fn new(call: &Call, epsilon: f64, rng: &mut ChaCha8Rng) -> Near {
        let mut close = [Vec::new(), Vec::new()];
        for _ in 0..CALLS {
            let mut moved = |x: f64| x * (1.0 + epsilon * (below(rng, 9) as f64 - 4.0));
            let x: Vec<Array> = call.x.iter().map(|x| with_floats(x, &mut moved)).collect();
            for (side, found) in call.sides.into_iter().zip(&mut close) {
                found.extend(call.result(side, &x));
            }
        }
        let on_grid = |grid: f64| -> Vec<Array> {
            call.x.iter().map(|x| with_floats(x, |x| (x * grid).round() / grid)).collect()
        };
        let coarse = GRIDS.into_iter().filter_map(|grid| call.results(&on_grid(grid))).collect();
        Near { close, coarse, lost: epsilon * call.largest() }
    }

    /// Whether rounding explains that results `k`, which are `a` and `b`, differ in element `i`.
    fn explains(&self, measure: &Measure, a: &Array, b: &Array, k: usize, i: usize) -> bool {
        let (x, y) = (number(a, i), number(b, i));
        if a.element().is_float() && x.is_finite() && y.is_finite() && x != y {
            let spread = |own: f64, close: &[Vec<Array>]| {
                let found = close.iter().filter(|z| z[k].shape() == a.shape());
                let distances = found.map(|z| (number(&z[k], i) - own).abs());
                distances.filter(|d| d.is_finite()).fold(0.0, f64::max)
            };
            let seen = spread(x, &self.close[0]) + spread(y, &self.close[1]);
            return (x - y).abs() <= SLACK * (seen + self.lost);
        }
        // Between two values there is nothing: rounding may give either where it does nearby.
        let same = |f: &[Array], g: &[Array]| {
            f[k].shape() == a.shape() && g[k].shape() == a.shape() && !measure.differs(&f[k], &g[k], i)
        };
        let [first, second] = &self.close;
        first.iter().any(|f| second.iter().any(|g| same(f, g))) || self.coarse.iter().any(|[f, g]| same(f, g))
    }
}

/// No program has such names.
pub const PAIR: &str = "equiv.pair";
const FIRST: &str = "equiv.first";
const SECOND: &str = "equiv.second";

/// One program with a function that returns what both return, one after the other; where the two stand in their files is
/// kept. What they still call, recursive functions say, is there too.
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
                    format!("`@{name}` is still called by both, and another function in each: expected the same");
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
    let list = |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let numbered = |name: &str, n: usize| (0..n).map(|k| format!("%{name}{k}")).collect::<Vec<_>>().join(", ");
    let parameters: Vec<String> =
        inputs.iter().enumerate().map(|(k, t)| format!("%x{k}: {t} {}", place_of(f, k))).collect();
    let (x, n) = (numbered("x", inputs.len()), results.len());
    let (a, b) = (numbered("a", n), numbered("b", n));
    let given = |values: &str| if n == 0 { String::new() } else { format!("{values} = ") };
    let signature = format!("({}) -> ({})", list(&inputs), list(&results));
    let (both, all) = if n == 0 {
        (String::new(), String::new())
    } else {
        (format!("{a}, {b}"), format!(" : {0}, {0}", list(&results)))
    };
    text += &format!(
        "func.func @{PAIR}({}) -> ({}) {{\n  {}call @{FIRST}({x}) : {signature}\n  {}call @{SECOND}({x}) : {signature}\n  return {both}{all}\n}}\n",
        parameters.join(", "),
        list(&[results.as_slice(), &results].concat()),
        given(&a),
        given(&b),
    );
    let program = Program::parse(text.as_bytes(), "pair of functions")?;
    program.run_pipeline("builtin.module(inline,symbol-dce)")?;
    Ok(program)
}

/// The location of a parameter.
fn place_of(f: Op, k: usize) -> String {
    let argument = f.body().map(|b| b.arguments()[k]);
    argument.map_or(String::new(), |a| a.location().to_string())
}
