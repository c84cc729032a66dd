//! Measurements of the cost of functions as values. In one process, the following run in alternation, and their results
//! are compared: programs with many closures, equivalent first-order programs, and C with function pointers; gradients
//! by `j-transform` and by `dual`. The time to compile derivatives is measured too.

use crate::error::{Context, Error};
use crate::foreign::Rivals;
use crate::optimiser::compiled;
use crate::print_head;
use crate::timing::{exponent, median, per_call};
use clap::ValueEnum;
use mlopt_cli::notation::imported;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::value::{Array, Data};
use mlopt_functions::run::machine;
use mlopt_lowering::pipelines::{default_pipeline, functions_pipeline};
use mlopt_runtime::arguments::random::random;
use mlopt_runtime::code::{Compiled, Function};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// Closures that optimisation removes, compared with first-order programs and C
    Overhead,
    /// Gradients by J, compared with those of `dual`
    Gradients,
    /// Closures that remain
    Surviving,
    /// The time to compile derivatives, by order and size
    Compile,
}

const RIVALS: &str = include_str!("functions/rivals.c");
const ROUNDS: usize = 15;
/// The duration of each turn.
const TURN: Duration = Duration::from_millis(4);
/// The maximum ratio of programs whose closures are removed to first-order programs.
const MOST_OVERHEAD: f64 = 1.1;
/// The maximum ratio of gradients by J to those of `dual`.
const MOST_GRADIENT: f64 = 1.2;
/// The maximum seconds for the third derivative of a network.
const MOST_COMPILE: f64 = 1.0;

impl Table {
    /// Prints the table. Returns false if a bound does not hold.
    pub fn print(&self) -> Result<bool, Error> {
        match self {
            Table::Overhead => overhead(),
            Table::Gradients => gradients(),
            Table::Surviving => surviving(),
            Table::Compile => compile(),
        }
    }
}

/// A program in both forms.
pub struct Pair {
    pub name: &'static str,
    pub closures: &'static str,
    pub by_hand: &'static str,
}

macro_rules! pair {
    ($name:literal) => {
        Pair {
            name: $name,
            closures: include_str!(concat!("functions/", $name, ".lambda")),
            by_hand: include_str!(concat!("functions/", $name, ".mlir")),
        }
    };
}

/// The programs whose closures are removed.
pub static VANISHING: [Pair; 4] = [pair!("church"), pair!("cps"), pair!("parser"), pair!("mlp")];
/// The programs whose closures remain.
pub static SURVIVING: [Pair; 2] = [pair!("built"), pair!("growing")];
/// The number of numbers that the programs of [`SURVIVING`] process.
const LISTED: usize = 1000;

/// Compiled code, and its program.
struct Code {
    compiled: Compiled,
    program: Program,
}

impl Code {
    fn new(program: Program, pipeline: &str) -> Result<Code, Error> {
        let compiled = compiled(&program, pipeline).context("the program does not compile")?;
        Ok(Code { compiled, program })
    }

    fn function(&self, name: &str) -> Result<Function, Error> {
        self.compiled.function(name).context(name)
    }
}

impl Pair {
    /// Returns one form of the program, and the pipeline that compiles it.
    pub fn program(&self, has_closures: bool) -> Result<(Program, String), Error> {
        let (program, pipeline) = match has_closures {
            true => (imported(self.name, self.closures.as_bytes()).ok(), functions_pipeline()),
            false => (Program::parse(self.by_hand.as_bytes(), self.name).ok(), default_pipeline()),
        };
        let wrong = || Error::Rejected(format!("{} is wrong", self.name));
        Ok((program.ok_or_else(wrong)?, pipeline))
    }

    fn code(&self, has_closures: bool) -> Result<Code, Error> {
        let (program, pipeline) = self.program(has_closures)?;
        Code::new(program, &pipeline)
    }
}

/// Returns the medians of the seconds of calls, measured in alternation.
fn by_turns<const N: usize>(mut works: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| vec![]);
    for _ in 0..ROUNDS {
        for (work, times) in works.iter_mut().zip(&mut times) {
            times.push(per_call(1, TURN, work));
        }
    }
    times.map(median)
}

/// Returns a closure that calls a function with preallocated results.
fn calls<'f>(function: &'f Function, arguments: &'f [Array]) -> Result<impl FnMut() + 'f, Error> {
    let mut results = function.call(arguments)?;
    Ok(move || function.call_into(arguments, &mut results).expect("it worked with the same sizes"))
}

fn result(function: &Function, arguments: &[Array]) -> Result<Vec<f64>, Error> {
    let mut results = function.call(arguments)?;
    Ok(results.pop().context("no result")?.to_f64())
}

/// Checks whether two numbers differ by more than rounding.
pub fn differs((x, y): (&f64, &f64)) -> bool {
    !((x - y).abs() <= 1e-9 * (1.0 + y.abs()))
}

fn check(name: &str, ours: &[f64], theirs: &[f64]) -> Result<(), Error> {
    let text = match ours.iter().zip(theirs).position(differs) {
        _ if ours.len() != theirs.len() => format!("{name}: {} results against {}", ours.len(), theirs.len()),
        Some(k) => format!("{name}: {} against {} at {k}", ours[k], theirs[k]),
        None => return Ok(()),
    };
    Err(Error::Wrong(text))
}

/// Returns the elements of an array of `f64`.
pub fn numbers(x: &Array) -> &[f64] {
    match x.data() {
        Data::F64(v) => v,
        _ => unreachable!("the programs compute with f64"),
    }
}

fn count(n: usize) -> Array {
    Array::new(vec![], Data::I64(vec![n as i64]))
}

/// Returns a random array of `f64`, multiplied by a number.
pub fn scaled(text: &str, by: f64) -> Result<Array, Error> {
    let x = random(text)?;
    Ok(x.with_f64(numbers(&x).iter().map(|v| v * by)))
}

/// Returns a sum of products of numbers of one to three digits, as character codes.
fn sums_of_products(terms: usize) -> Array {
    let mut text = String::new();
    for k in 0..terms {
        let joined = match k {
            0 => "",
            k if k % 4 == 3 => "*",
            _ => "+",
        };
        let _ = write!(text, "{joined}{}", (k * 7919) % [10, 100, 1000][k % 3]);
    }
    Array::vector(&text.bytes().map(f64::from).collect::<Vec<_>>())
}

/// Returns the arguments of a program.
pub fn arguments(pair: &Pair) -> Result<Vec<Array>, Error> {
    let n = 4096;
    let weights = |seed| scaled(&format!("64x64xf64:seed={seed}:normal"), 0.125);
    let vector = |seed| random(&format!("64xf64:seed={seed}:normal"));
    Ok(match pair.name {
        "church" => vec![scaled(&format!("{n}x4xf64:seed=1:normal"), 0.25)?, count(n)],
        "cps" => vec![random(&format!("{n}xf64:seed=2:normal"))?, count(n)],
        "parser" => {
            let text = sums_of_products(2048);
            let codes = text.len();
            vec![text, count(codes)]
        }
        "mlp" => vec![weights(1)?, vector(2)?, weights(3)?, vector(4)?, weights(5)?, vector(6)?, vector(7)?],
        _ => vec![random(&format!("{LISTED}xf64:seed=1:normal"))?, count(LISTED)],
    })
}

/// Returns the equivalent program in C.
fn in_c<'a>(rivals: &'a Rivals, name: &str, arguments: &'a [Array]) -> Result<Box<dyn Fn() -> f64 + 'a>, Error> {
    match name {
        "mlp" => rivals.mlp(&arguments.iter().map(numbers).collect::<Vec<_>>()),
        "parser" => rivals.of_array("parse", numbers(&arguments[0]), arguments[0].shape()[0]),
        _ => rivals.of_array(name, numbers(&arguments[0]), arguments[0].shape()[0]),
    }
}

/// Compares `value`, the result of `ours`, with those of the program by hand and in C. Returns the seconds of a call of
/// ours, by hand, and in C.
fn compare(
    rivals: &Rivals,
    pair: &Pair,
    arguments: &[Array],
    value: &[f64],
    ours: &mut dyn FnMut(),
) -> Result<[f64; 3], Error> {
    let by_hand = pair.code(false)?;
    let (hand, c) = (by_hand.function(pair.name)?, in_c(rivals, pair.name, arguments)?);
    check(pair.name, value, &result(&hand, arguments)?)?;
    check(pair.name, value, &[c()])?;
    let mut sum = 0.0;
    let times = by_turns([ours, &mut calls(&hand, arguments)?, &mut || sum += c()]);
    std::hint::black_box(sum);
    Ok(times)
}

/// Measures closures that are removed. Returns false if they have a cost.
fn overhead() -> Result<bool, Error> {
    let rivals = Rivals::new(RIVALS)?;
    print_head("| closures that go | µs a call | by hand | C with pointers | of by hand | of C |");
    let mut is_fine = true;
    for pair in &VANISHING {
        let arguments = arguments(pair)?;
        let closures = pair.code(true)?;
        let ours = closures.function(pair.name)?;
        let value = result(&ours, &arguments)?;
        let [ours, hand, c] = compare(&rivals, pair, &arguments, &value, &mut calls(&ours, &arguments)?)?;
        let (us, them, rival) = (ours * 1e6, hand * 1e6, c * 1e6);
        println!("| {} | {us:.1} | {them:.1} | {rival:.1} | {:.2} | {:.2} |", pair.name, ours / hand, ours / c);
        is_fine &= ours / hand <= MOST_OVERHEAD;
    }
    println!();
    Ok(is_fine)
}

/// Measures gradients. Returns false if one by J takes longer than one by `dual`.
fn gradients() -> Result<bool, Error> {
    print_head("| gradient | µs a call by J | by `dual` | ratio |");
    let mut is_fine = true;
    for pair in VANISHING.iter().filter(|pair| pair.name != "parser") {
        let arguments = arguments(pair)?;
        let (closures, by_hand) = (pair.code(true)?, pair.code(false)?);
        let ours = closures.function(&format!("{}-gradient", pair.name))?;
        let theirs = by_hand.function(&format!("{}_gradient", pair.name))?;
        check(pair.name, &result(&ours, &arguments)?, &result(&theirs, &arguments)?)?;
        let [ours, theirs] = by_turns([&mut calls(&ours, &arguments)?, &mut calls(&theirs, &arguments)?]);
        let ratio = ours / theirs;
        println!("| {} | {:.1} | {:.1} | {ratio:.2} |", pair.name, ours * 1e6, theirs * 1e6);
        is_fine &= ratio <= MOST_GRADIENT;
    }
    println!();
    Ok(is_fine)
}

/// Measures closures that remain, without a bound.
fn surviving() -> Result<bool, Error> {
    let rivals = Rivals::new(RIVALS)?;
    print_head("| closures that stay | ns a closure | by hand | C with pointers | of by hand | of C |");
    let (n, rounds) = (LISTED, 100);
    for pair in &SURVIVING {
        let arguments = arguments(pair)?;
        let values: Vec<Value> = arguments.iter().cloned().map(Value::array).collect();
        let closures = pair.code(true)?;
        let call = || machine(closures.program.module(), &closures.compiled, pair.name, &values);
        let found = call().context(pair.name)?;
        let value = found[0].0.as_array().context("a number was expected")?.to_f64();
        let mut ours = || drop(call().expect("it worked before"));
        let times = compare(&rivals, pair, &arguments, &value, &mut ours)?;
        let [ours, hand, c] = times.map(|time| time / (n * rounds) as f64 * 1e9);
        println!("| {} | {ours:.1} | {hand:.1} | {c:.1} | {:.1} | {:.2} |", pair.name, ours / hand, ours / c);
    }
    println!();
    Ok(true)
}

/// Returns a network of `layers` layers of `width` numbers, and its derivative of some order with respect to a factor
/// of its input.
fn network(layers: usize, width: usize, order: usize) -> String {
    let mut parameters = String::from("(s f64) (x array<WxF>)");
    let mut list = String::new();
    for k in 0..layers {
        let _ = write!(parameters, " (w{k} array<WxWxF>) (b{k} array<WxF>)");
        let _ = write!(list, " (dense w{k} b{k})");
    }
    let parameters = parameters.replace('W', &width.to_string()).replace('F', "f64");
    let derivative = (0..order).fold("f".to_string(), |f, _| format!("(grad {f})"));
    format!(
        "(def dense (w b) (lam (x) (map (lam (v) (tanh v)) (+ (mv w x) b))))
(def network ({parameters})
  (let ((f (lam (s) (sum (fold (lam (x layer) (layer x)) (scale s x) (list{list}))))))
    ({derivative} s)))
"
    )
}

/// Returns the seconds from text to machine code.
fn seconds(layers: usize, width: usize, order: usize) -> Result<f64, Error> {
    let text = network(layers, width, order);
    let started = Instant::now();
    let wrong = |_| Error::Rejected("the network is wrong".into());
    let program = imported("network", text.as_bytes()).map_err(wrong)?;
    Code::new(program, &functions_pipeline())?;
    Ok(started.elapsed().as_secs_f64())
}

/// Measures the compilation of derivatives. Returns false if the third derivative of a network takes too long.
fn compile() -> Result<bool, Error> {
    print_head("| tanh layers of 8 | value | 1st | 2nd | 3rd | 4th derivative, s |");
    seconds(1, 8, 1)?;
    let mut third = Vec::new();
    for layers in [1, 2, 4, 8] {
        let times = (0..=4).map(|order| seconds(layers, 8, order)).collect::<Result<Vec<f64>, _>>()?;
        third.push((layers as f64, times[3]));
        let cells: Vec<String> = times.iter().map(|t| format!("{t:.3}")).collect();
        println!("| {layers} | {} |", cells.join(" | "));
    }
    let widths = [8, 64, 512].map(|width| seconds(2, width, 3).map(|t| format!("{t:.3} s for layers of {width}")));
    let widths = widths.into_iter().collect::<Result<Vec<String>, _>>()?.join(", ");
    println!("\nThe third grows as layers^{:.2}.\nTwo layers: {widths}.", exponent(&third));
    Ok(third[1].1 <= MOST_COMPILE)
}
