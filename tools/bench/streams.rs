//! Measurements of reactive nodes compared with hand-written C. Both run alternately in one process, and their results
//! are compared.

use crate::error::{Context, Error};
use crate::folder::Folder;
use crate::foreign::Rivals;
use crate::functions::{differs, numbers, scaled};
use crate::print_head;
use crate::timing::median;
use clap::ValueEnum;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::ir::Op;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::pipelines::default_pipeline;
use mlopt_runtime::arguments::npy;
use mlopt_runtime::arguments::random::random;
use mlopt_runtime::code::Function;
use mlopt_runtime::streams::columns::{Column, rows_of};
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use mlopt_runtime::streams::session::Session;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// An adaptive filter and a step of an LSTM, compared with C
    Steps,
    /// Training by back-propagation through time, compared with JAX; `MLOPT_PYTHON` is a Python that has it
    Training,
    /// Time to compile nodes of 100 to 10,000 equations
    Compile,
}

const RIVALS: &str = include_str!("streams/rivals.c");
pub const FILTER: &str = include_str!("streams/filter.mlir");
pub const LSTM: &str = include_str!("streams/lstm.mlir");
pub const TRAINING: &str = include_str!("streams/training.mlir");
pub const TRAIN: &str = "builtin.module(stream-inline,stream-grad{node=network loss=loss},\
                         stream-train{node=network optimiser=sgd end=end})";
const JAX: &str = include_str!("streams/rival.py");
/// The number of cycles per call, as in `mlopt run`.
const PIECE: usize = 4096;
const ROUNDS: usize = 15;
/// The maximum ratio to C.
const MOST_RATIO: f64 = 1.3;
/// The maximum nanoseconds per cycle of the filter.
const MOST_FILTER: f64 = 12.0;
/// The maximum ratio to JAX.
const MOST_TRAINING: f64 = 1.0;
/// The maximum seconds for 10,000 equations.
const MOST_COMPILE: f64 = 10.0;

impl Table {
    /// Prints the table. Returns false if a bound does not hold.
    pub fn print(&self) -> Result<bool, Error> {
        match self {
            Table::Steps => steps(),
            Table::Training => training(),
            Table::Compile => compile(),
        }
    }
}

/// A node, compiled as in `mlopt run --node`.
struct Node {
    flat: Flat,
    code: Compiled,
    // The program that `flat` refers to.
    _program: Program,
}

impl Node {
    fn new(text: &str, name: &str) -> Result<Node, Error> {
        Node::made_by("builtin.module()", text, name)
    }

    /// Compiles the node `name` of a text after some passes.
    fn made_by(passes: &str, text: &str, name: &str) -> Result<Node, Error> {
        let problem = |_| Error::Rejected(format!("@{name} does not compile"));
        let program = Program::parse(text.as_bytes(), name).map_err(problem)?;
        program.run_pipeline(passes).map_err(problem)?;
        program.run_pipeline(PIPELINE).map_err(problem)?;
        let node = Flat::named(&program, name).map_err(|_| Error::Missing(format!("there is no @{name}")))?;
        let flat = Flat::new(node).map_err(problem)?;
        let code = Compiled::new(&flat, &[], &default_pipeline())?;
        Ok(Node { flat, code, _program: program })
    }

    fn start(&self, initials: &HashMap<&str, Array>) -> Result<Session<'_>, EvalError> {
        let mut initial = |op: Op| {
            let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
            Ok(initials[name.as_str()].clone())
        };
        let lenient = vec![false; self.flat.inputs().count()];
        Session::new(&self.code, &self.flat, lenient, None, &mut initial)
    }
}

/// Runs one turn of a node on inputs in pieces, and writes the rows of its first output.
fn turn(session: &mut Session, pieces: &[Vec<Column>], rows: &mut [f64]) -> Result<(), Error> {
    let mut done = 0;
    for piece in pieces {
        session.feed(piece, piece[0].len());
        let known = session.advance(false)?;
        match known.shown[0].data() {
            Data::F64(v) => {
                rows[done..][..v.len()].copy_from_slice(v);
                done += v.len();
            }
            other => return Err(Error::Wrong(format!("expected numbers, found {:?}", other.element()))),
        }
    }
    Ok(())
}

fn pieces(inputs: &[&Array]) -> Vec<Vec<Column>> {
    let cycles = inputs[0].shape()[0];
    let rows = |x: &Array, from: usize| Column::of_rows(rows_of(x, from..cycles.min(from + PIECE)));
    (0..cycles).step_by(PIECE).map(|from| inputs.iter().map(|x| rows(x, from)).collect()).collect()
}

/// The code of a node of class `Forward`, called like C code: for all cycles at once, with state carried between turns.
struct Code<'n> {
    function: &'n Function,
    /// Inputs, state, parameters.
    arguments: Vec<Array>,
    /// State, then the output.
    results: Vec<Array>,
    inputs: usize,
}

impl<'n> Code<'n> {
    fn new(node: &'n Node, arguments: Vec<Array>, inputs: usize) -> Result<Code<'n>, Error> {
        let function = &node.code.forward;
        let results = function.call(&arguments)?;
        Ok(Code { function, arguments, results, inputs })
    }

    /// Returns the output of one more turn.
    fn turn(&mut self) -> Result<&[f64], Error> {
        self.function.call_into(&self.arguments, &mut self.results)?;
        let state = self.results.len() - 1;
        self.arguments[self.inputs..][..state].swap_with_slice(&mut self.results[..state]);
        Ok(numbers(&self.results[state]))
    }
}

/// Measures a run of ours, our code alone, and C in alternation, with state carried between turns. Prints a line.
/// Returns nanoseconds per cycle of our code, and its ratio to C.
fn compare(
    name: &str,
    cycles: usize,
    width: usize,
    mut ours: impl FnMut(&mut [f64]) -> Result<(), Error>,
    mut code: Code,
    mut theirs: impl FnMut(&mut [f64]),
) -> Result<(f64, f64), Error> {
    let (mut our_times, mut code_times, mut their_times) = (vec![], vec![], vec![]);
    let (mut our_rows, mut their_rows) = (vec![0.0; cycles * width], vec![0.0; cycles * width]);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        ours(&mut our_rows)?;
        our_times.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        theirs(&mut their_rows);
        their_times.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        let code_rows = code.turn()?;
        code_times.push(started.elapsed().as_secs_f64());
        if our_rows.iter().zip(&their_rows).chain(code_rows.iter().zip(&their_rows)).any(differs) {
            return Err(Error::Wrong(format!("{name}: the results differ")));
        }
    }
    let each = |times: Vec<f64>| median(times) / cycles as f64 * 1e9;
    let (run, code, theirs) = (each(our_times), each(code_times), each(their_times));
    println!("| {name} | {run:.1} | {code:.1} | {theirs:.1} | {:.2} | {:.2} |", run / theirs, code / theirs);
    Ok((code, code / theirs))
}

fn steps() -> Result<bool, Error> {
    let rivals = Rivals::new(RIVALS)?;
    print_head("| node | ns a cycle of a run | of the code | of C | run / C | code / C |");

    let cycles = 64 * PIECE;
    let input = |seed: usize| scaled(&format!("{cycles}xf64:seed={seed}:normal"), 0.125);
    let (x, d) = (input(1)?, input(2)?);
    let node = Node::new(FILTER, "filter")?;
    let (mut session, given) = (node.start(&HashMap::new())?, pieces(&[&x, &d]));
    let function = rivals.filter()?;
    // The inputs before the first cycle: zeros, then those that end the previous turn.
    let mut past = [&[0.0; 15], numbers(&x)].concat();
    let mut w = vec![0.0; 16];
    let theirs = |e: &mut [f64]| {
        function(&past, numbers(&d), &mut w, e);
        past.copy_within(cycles.., 0);
    };
    let ours = |e: &mut [f64]| turn(&mut session, &given, e);
    let zeros = Array::zeros(Element::F64, &[16]);
    let code = Code::new(&node, vec![x.clone(), d.clone(), zeros.clone(), zeros], 2)?;
    let (filter, filter_ratio) = compare("filter, 16 taps", cycles, 1, ours, code, theirs)?;

    let (cycles, cells) = (2 * PIECE, 32);
    let x = random(&format!("{cycles}x16xf64:seed=3:normal"))?;
    let kernel = scaled("128x49xf64:seed=4:normal", 0.125)?;
    let node = Node::new(LSTM, "lstm")?;
    let (mut session, given) = (node.start(&HashMap::from([("kernel0", kernel.clone())]))?, pieces(&[&x]));
    let function = rivals.lstm()?;
    let turned: Vec<f64> = (0..49 * 128).map(|k| numbers(&kernel)[k % 128 * 49 + k / 128]).collect();
    let (mut h, mut c) = (vec![0.0; cells], vec![0.0; cells]);
    let theirs = |rows: &mut [f64]| function(numbers(&x), &turned, &mut h, &mut c, rows);
    let ours = |rows: &mut [f64]| turn(&mut session, &given, rows);
    let zeros = Array::zeros(Element::F64, &[cells]);
    let code = Code::new(&node, vec![x.clone(), zeros.clone(), zeros, kernel.clone()], 1)?;
    let (_, lstm_ratio) = compare("LSTM, 32 cells", cycles, cells, ours, code, theirs)?;
    println!();
    Ok(filter <= MOST_FILTER && filter_ratio <= MOST_RATIO && lstm_ratio <= MOST_RATIO)
}

/// A JAX process that trains once for each line that it reads.
struct Jax {
    child: Child,
    answers: BufReader<ChildStdout>,
    /// The folder of its script and of its arrays.
    _folder: Folder,
}

impl Jax {
    /// Starts the process for sequences of `length` cycles.
    fn new(arrays: [&Array; 3], length: usize, rate: f64) -> Result<Jax, Error> {
        let folder = Folder::new("jax")?;
        let script = folder.write("rival.py", JAX.as_bytes())?;
        let python = std::env::var("MLOPT_PYTHON").unwrap_or_else(|_| "python3".into());
        let mut command = Command::new(&python);
        command.arg(&script);
        for (k, array) in arrays.into_iter().enumerate() {
            let file = folder.path.join(format!("{k}.npy"));
            npy::write(&file, array)?;
            command.arg(file);
        }
        command.args([length.to_string(), rate.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context(&python)?;
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Jax { child, answers, _folder: folder })
    }

    /// Returns the seconds to train on all sequences once more, and the loss of each.
    fn turn(&mut self) -> Result<(f64, Vec<f64>), Error> {
        let gone = || Error::Tool("JAX does not answer; `MLOPT_PYTHON` names a Python that has it".into());
        self.child.stdin.as_mut().expect("it is piped").write_all(b"\n").map_err(|_| gone())?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|_| gone())?;
        serde_json::from_str(&line).map_err(|_| gone())
    }
}

impl Drop for Jax {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn training() -> Result<bool, Error> {
    let (sequences, length, rate) = (64, 64, 0.001);
    let cycles = sequences * length;
    let x = random(&format!("{cycles}x16xf64:seed=1:normal"))?;
    let target = scaled(&format!("{cycles}x32xf64:seed=2:normal"), 0.125)?;
    let kernel = scaled("128x49xf64:seed=3:normal", 0.125)?;
    let end = Array::new(vec![cycles], Data::I1((0..cycles).map(|n| n % length == length - 1).collect()));
    let update = Array::new(vec![cycles], Data::I1(vec![true; cycles]));
    let rates = Array::vector(&vec![rate; cycles]);
    let node = Node::made_by(TRAIN, TRAINING, "network_train")?;
    let mut inputs = Vec::new();
    for (name, _) in node.flat.inputs() {
        inputs.push(match name.as_str() {
            "x" => &x,
            "target" => &target,
            "end" => &end,
            "update" => &update,
            "rate" => &rates,
            other => return Err(Error::Missing(format!("unknown input `{other}`"))),
        });
    }
    let mut session = node.start(&HashMap::from([("kernel0", kernel.clone())]))?;
    let given = pieces(&inputs);
    let mut jax = Jax::new([&x, &target, &kernel], length, rate)?;
    let (mut our_times, mut their_times) = (vec![], vec![]);
    let mut rows = vec![0.0; cycles];
    // JAX has been compiled by a training run whose result is discarded.
    for _ in 0..ROUNDS {
        let started = Instant::now();
        turn(&mut session, &given, &mut rows)?;
        our_times.push(started.elapsed().as_secs_f64());
        let (seconds, losses) = jax.turn()?;
        their_times.push(seconds);
        let ours: Vec<f64> = rows.chunks(length).map(|sequence| sequence.iter().sum()).collect();
        if ours.iter().zip(&losses).any(differs) {
            return Err(Error::Wrong("the losses differ".into()));
        }
    }
    let each = |times: Vec<f64>| median(times) / cycles as f64 * 1e6;
    let (ours, theirs) = (each(our_times), each(their_times));
    print_head(&format!("| trained, sequences of {length} | µs a cycle | JAX | ratio |"));
    println!("| LSTM, 32 cells | {ours:.1} | {theirs:.1} | {:.2} |\n", ours / theirs);
    Ok(ours / theirs <= MOST_TRAINING)
}

/// Returns a chain of delays, sums and selections: `count` equations.
fn chain(count: usize) -> String {
    let mut text = String::from(
        "stream.node @chain(%x: f64) -> (y: f64) {\n  %zero = arith.constant 0.0 : f64\n  \
         %v0 = arith.addf %x, %zero : f64\n",
    );
    for k in 1..count - 2 {
        let (a, b) = (k - 1, k / 2);
        let _ = match k % 3 {
            0 => writeln!(text, "  %v{k} = stream.fby %zero, %v{a} : f64"),
            1 => writeln!(text, "  %v{k} = arith.addf %v{a}, %v{b} : f64"),
            _ => writeln!(text, "  %v{k} = arith.mulf %v{a}, %v{b} : f64"),
        };
    }
    let last = count - 3;
    let _ = writeln!(text, "  stream.yield %v{last} : f64\n}}");
    text
}

/// Measures compilation. Returns false if the largest node takes too long.
fn compile() -> Result<bool, Error> {
    print_head("| equations | s | µs an equation |");
    let mut most = 0.0;
    for count in [100, 300, 1_000, 3_000, 10_000] {
        let started = Instant::now();
        Node::new(&chain(count), "chain")?;
        most = started.elapsed().as_secs_f64();
        println!("| {count} | {most:.3} | {:.0} |", most / count as f64 * 1e6);
    }
    println!();
    Ok(most <= MOST_COMPILE)
}
