//! `mlopt run --node`: runs a reactive node on given streams.

use crate::commands::progress::Cycles;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::Array;
use mlopt_passes::streams::Var;
use mlopt_passes::streams::nodes::clocks::Clock;
use mlopt_passes::streams::nodes::plan::Class;
use mlopt_runtime::arguments::argument::{self, ValueError};
use mlopt_runtime::entry::place;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::streams::columns::Column;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::{Flat, PIPELINE, Stop};
use mlopt_runtime::streams::initial::{self, InitialError};
use mlopt_runtime::streams::memory::{self, Depth, session_depth};
use mlopt_runtime::streams::parameters;
use mlopt_runtime::streams::plot::Traces;
use mlopt_runtime::streams::session::{Known, Session};
use mlopt_runtime::streams::sinks::{Part, Sink, SinkError};
use mlopt_runtime::streams::sources::{NoValueType, Piece, Sources, parameter, read_all};
use mlopt_runtime::streams::vcd::Signal;
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Options for nodes.
#[derive(clap::Args)]
pub struct NodeOptions {
    /// Run a reactive node instead of a function
    #[arg(long, value_name = "@NAME", conflicts_with_all = ["entry", "arguments", "trace", "pass_pipeline"])]
    pub node: Option<String>,
    /// With --node: the values of an input, cycle by cycle, as for --arg with an additional axis: in [1, 2, ., 4] the
    /// input is absent in cycle 2. Without `.` there is a value for every cycle, and values outside of the clock of the
    /// input are not read. In a .csv file an empty cell is absent. A single number is the value in all cycles
    #[arg(long = "input", value_name = "NAME=VALUES", requires = "node")]
    inputs: Vec<String>,
    /// With --node: a file with the other inputs: .csv with their names in the first line, or .jsonl with an object for
    /// each cycle; `-` for such objects from the standard input, each answered as soon as possible
    #[arg(long = "inputs", value_name = "FILE", requires = "node")]
    others: Option<String>,
    /// With --node: repeat the inputs N times
    #[arg(long, value_name = "N", requires = "node", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// With --node: an initial value of an instance, by its full name, as for --arg
    #[arg(long = "initial", value_name = "NAME=VALUE", requires = "node")]
    initials: Vec<String>,
    /// With --node: set a parameter or the content of a delay before the first cycle, by its name, as for --arg
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "node", conflicts_with = "interpret")]
    settings: Vec<String>,
    /// With --node: set parameters and state from a .safetensors file, by their names, or relative to an instance:
    /// NAME=FILE. Options --set are applied afterwards
    #[arg(long, value_name = "FILE", requires = "node", conflicts_with = "interpret")]
    load: Vec<String>,
    /// With --node: write parameters and state to a .safetensors file at the end
    #[arg(long, value_name = "FILE", requires = "node", conflicts_with = "interpret")]
    save: Option<PathBuf>,
    /// With --node: the number of cycles; by default all that the inputs have
    #[arg(long, value_name = "N", requires = "node")]
    ticks: Option<usize>,
    /// With --node: print a table of inputs and outputs over the cycles instead of a line of JSON for each cycle
    #[arg(long, requires = "node")]
    chronogram: bool,
    /// With --node: write a trace of inputs and outputs for waveform viewers (VCD)
    #[arg(long, value_name = "FILE", requires = "node")]
    vcd: Option<String>,
    /// With --node: plot the outputs over the cycles, or only some of them (SVG)
    #[arg(long = "plot", value_name = "[NAME,NAME=]FILE", requires = "node")]
    plots: Vec<String>,
    /// With --node: another stream to print, by its full name
    #[arg(long = "show", value_name = "NAME", requires = "node")]
    shown: Vec<String>,
    /// With --node: the maximum number of stored cycles with unknown outputs; unlimited by default
    #[arg(long, value_name = "CYCLES", requires = "node", conflicts_with = "interpret",
          value_parser = clap::value_parser!(u32).range(1..))]
    horizon: Option<u32>,
    /// With --node: print the memory of the run to the error stream, part by part, and why it is bounded
    #[arg(long, requires = "node", conflicts_with = "interpret")]
    memory_report: bool,
    /// With --node: how to treat cycles in which an output is unknown when the inputs end
    #[arg(long, value_name = "error|show", default_value = "error", value_parser = ["error", "show"],
          requires = "node")]
    tail: String,
}

/// An error of the options of nodes.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    #[error("--show: the node has no stream `{name}`{hint}")]
    NoStream { name: String, hint: String },
    #[error("--initial: the node has no initial value `{name}`{hint}")]
    NoInitial { name: String, hint: String },
    #[error("--initial {name}: {problem}")]
    Initial { name: String, problem: ValueError },
    #[error("{option}: `{name}` is neither an output nor given with --show{hint}")]
    NoOutput { option: &'static str, name: String, hint: String },
    #[error("{option}: {problem}")]
    Sink { option: &'static str, problem: SinkError },
    #[error("{option}: expected `NAME=VALUE`, found `{found}`")]
    NoName { option: &'static str, found: String },
    #[error("{option}: `{name}` is given twice")]
    Twice { option: &'static str, name: String },
    #[error(transparent)]
    Type(#[from] NoValueType),
    #[error(transparent)]
    Method(#[from] InitialError),
}

/// Options that runs of functions and of nodes have in common.
pub struct Common<'a> {
    pub interpret: bool,
    /// `FILE` or `NAME=FILE`.
    pub files: &'a [PathBuf],
    /// True if outputs are printed if no file is given for them.
    pub print: bool,
    pub verbose: bool,
    /// The passes for the functions of the node.
    pub pipeline: &'a str,
    /// Called after the passes.
    pub start: &'a dyn Fn(),
}

/// The number of cycles that are read at once, and the maximum of this number times the elements of a row.
const PIECE: usize = 4096;
const ELEMENTS: usize = 1 << 20;

impl NodeOptions {
    pub fn execute(&self, program: &Program, name: &str, common: &Common) -> Result<(), Failure> {
        program.run_pipeline(PIPELINE)?;
        let node = Flat::named(program, name)?;
        let here = place(node.location());
        let failed = |e: &dyn std::fmt::Display| Failure::at(&here, e);
        let flat = Flat::new(node)?;
        let shown = self.shown(&flat).map_err(|e| failed(&e))?;
        let given = named(&self.inputs, "--input").map_err(|e| failed(&e))?;
        let inputs: Vec<(String, Type)> = flat.inputs().collect();
        let on_base = flat.graph.inputs().map(|v| flat.clocks.of(v) == Clock::BASE).collect();
        let sources = Sources::new(inputs, on_base, &given, self.others.as_deref(), self.repeat as usize);
        let mut sources = sources.map_err(|e| failed(&e))?;
        if sources.is_endless() && self.ticks.is_none() {
            return Err(failed(&"expected `--ticks`, because the inputs never end"));
        }
        let mut out = Outputs::new(self, &flat, &shown, common, sources.is_live()).map_err(|e| failed(&e))?;
        let initials = initials(&flat, &self.initials).map_err(|e| failed(&e))?;
        let mut initial = |op: Op| initial_value(op, &initials);
        let most = self.ticks.unwrap_or(usize::MAX);
        let mut cycles = 0;
        let mut stop = None;
        if common.interpret {
            (common.start)();
            let Piece { columns, cycles: found, .. } = read_all(&mut sources, most).map_err(|e| failed(&e))?;
            let known = interpret(&flat, &shown, &columns, found, &sources.is_lenient(), &mut initial);
            let known = known.map_err(|e| Failure::at(&e.location, e.text))?;
            out.take(&known).map_err(|e| failed(&e))?;
            (cycles, stop) = (found, known.stop);
        } else {
            if common.verbose {
                eprintln!("--pass-pipeline='{}'", Compiled::pipeline_to(common.pipeline));
            }
            let code = Compiled::new(&flat, &shown, common.pipeline).map_err(|e| failed(&e))?;
            let horizon = self.horizon.map(|n| n as usize);
            let session = Session::new(&code, &flat, sources.is_lenient(), horizon, &mut initial);
            let mut session = session.map_err(|e| Failure::at(&e.location, e.text))?;
            for file in &self.load {
                parameters::load(&mut session, file).map_err(|e| failed(&e))?;
            }
            for (name, value) in named(&self.settings, "--set").map_err(|e| failed(&e))? {
                parameters::set(&mut session, name, value).map_err(|e| failed(&e))?;
            }
            let total = sources.cycles().into_iter().chain(self.ticks).min();
            let progress = Cycles::new(total, out.is_silent || !std::io::stdout().is_terminal());
            let width: usize = flat.inputs().map(|(_, ty)| Column::new(ty).width()).sum();
            let piece = (ELEMENTS / width.max(1)).clamp(1, PIECE);
            let depth = session_depth(Depth::of(&code.ahead, self.horizon), piece);
            depth.into_iter().for_each(|cycles| session.reserve(cycles as usize));
            if self.memory_report {
                eprint!("{}", memory::of_session(&flat, &session, self.horizon, piece));
            }
            let mut is_end = false;
            (common.start)();
            while !is_end && stop.is_none() {
                let next = sources.next(piece.min(most - cycles)).map_err(|e| failed(&e))?;
                cycles += next.cycles;
                is_end = next.is_end || cycles == most;
                session.feed(&next.columns, next.cycles);
                let known = session.advance(is_end).map_err(|e| Failure::at(&e.location, e.text))?;
                out.take(&known).map_err(|e| failed(&e))?;
                stop = known.stop;
                progress.at(cycles);
            }
            if let Some(path) = &self.save {
                parameters::save(&session, path).map_err(|e| failed(&e))?;
            }
        }
        let open = out.finish().map_err(|e| failed(&e))?;
        if let Some((n, stop)) = stop {
            let (at, text) = flat.stopped(n, &stop);
            return Err(Failure::at(at.as_deref().unwrap_or(&here), text));
        }
        if let Some((name, open)) = open.filter(|_| self.tail == "error") {
            return Err(failed(&flat.unterminated(&name, &open)));
        }
        match self.ticks {
            Some(n) if n > cycles => {
                let text = format!("--ticks: expected at most {cycles}, the number of cycles of the inputs, found {n}");
                Err(failed(&text))
            }
            _ => Ok(()),
        }
    }

    /// Returns the streams of `--show`.
    fn shown(&self, flat: &Flat) -> Result<Vec<Var>, OptionError> {
        let one = |name: &String| {
            let no_stream = || OptionError::NoStream { name: name.clone(), hint: did_you_mean(name, flat.names()) };
            flat.find(name).ok_or_else(no_stream)
        };
        self.shown.iter().map(one).collect()
    }
}

/// Returns the initial values of options `NAME=VALUE`.
pub fn initials(flat: &Flat, texts: &[String]) -> Result<HashMap<String, Array>, OptionError> {
    let known: Vec<Op> = flat.initials().collect();
    let mut values = HashMap::new();
    for (name, value) in named(texts, "--initial")? {
        let Some(&op) = known.iter().find(|&&op| text(op, "initial_name") == name) else {
            let names: Vec<String> = known.iter().map(|&op| text(op, "initial_name")).collect();
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            return Err(OptionError::NoInitial { name: name.into(), hint });
        };
        let parameter = parameter(op.result(0).ty())?;
        let value = argument::read(value, &parameter);
        let value = value.map_err(|problem| OptionError::Initial { name: name.into(), problem })?;
        values.insert(name.to_string(), value);
    }
    Ok(values)
}

/// Returns the value of a `stream.initial`: one of `given`, or that of its method.
pub fn initial_value(op: Op, given: &HashMap<String, Array>) -> Result<Array, EvalError> {
    let name = text(op, "initial_name");
    let made = || {
        let parameter = parameter(op.result(0).ty())?;
        let shape: Vec<usize> = parameter.shape.iter().map(|n| n.unwrap_or(0)).collect();
        Ok(initial::value(&text(op, "method"), &name, parameter.element, &shape)?)
    };
    let known = given.get(&name).cloned().map(Ok);
    let failed = |e: OptionError| EvalError { location: place(op.location()), text: e.to_string() };
    known.unwrap_or_else(made).map_err(failed)
}

/// The destinations of a run's outputs.
struct Outputs<'a> {
    flat: &'a Flat,
    /// The names of the known streams: inputs, then outputs and others.
    inputs: Vec<String>,
    names: Vec<String>,
    /// Each destination with its streams, as indices into `inputs` followed by `names`.
    sinks: Vec<(Sink, Vec<usize>)>,
    /// The first output that is unknown in some cycles, and these cycles.
    open: Option<(usize, Vec<usize>)>,
    /// True if the standard output stays empty during the run.
    is_silent: bool,
}

impl<'a> Outputs<'a> {
    fn new(
        options: &NodeOptions,
        flat: &'a Flat,
        shown: &[Var],
        common: &Common,
        is_live: bool,
    ) -> Result<Outputs<'a>, OptionError> {
        let sink = |option| move |problem| OptionError::Sink { option, problem };
        let inputs: Vec<String> = flat.graph.inputs().map(|v| flat.graph.label(v)).collect();
        let outputs = flat.graph.outputs.iter().map(|o| o.0.clone());
        let names: Vec<String> = outputs.chain(options.shown.iter().cloned()).collect();
        let vars: Vec<Var> = flat.graph.outputs.iter().map(|o| o.1).chain(shown.iter().copied()).collect();
        let outside: Vec<usize> = (inputs.len()..inputs.len() + names.len()).collect();
        let mut sinks = Vec::new();
        for file in common.files {
            let file = file.to_string_lossy();
            match file.split_once('=') {
                None => sinks.push((Sink::of_all(&file).map_err(sink("--out"))?, outside.clone())),
                Some((name, path)) => {
                    let k = place_of(&names, name, "--out")?;
                    let column = Column::new(flat.graph.value(vars[k]).ty());
                    let one = Sink::of_one(path, column.element(), column.shape());
                    sinks.push((one.map_err(sink("--out"))?, vec![outside[k]]));
                }
            }
        }
        let signal = |(name, v): (&String, Var)| {
            let column = Column::new(flat.graph.value(v).ty());
            let sometimes = flat.clocks.of(v) != Clock::BASE || flat.plan.class != Class::Forward;
            Signal { name: name.clone(), element: column.element(), shape: column.shape().to_vec(), sometimes }
        };
        let node = flat.graph.node.symbol().unwrap_or_default();
        if let Some(path) = &options.vcd {
            let all = inputs.iter().zip(flat.graph.inputs()).chain(names.iter().zip(vars.iter().copied()));
            let vcd = Sink::vcd(path, &node, &all.map(signal).collect::<Vec<_>>());
            sinks.push((vcd.map_err(sink("--vcd"))?, (0..inputs.len() + names.len()).collect()));
        }
        for text in &options.plots {
            let (wanted, path) = text.rsplit_once('=').map_or((None, text.as_str()), |(w, path)| (Some(w), path));
            let one = |name: &str| place_of(&names, name, "--plot");
            let which: Vec<usize> = match wanted {
                Some(wanted) => wanted.split(',').map(one).collect::<Result<_, _>>()?,
                None => (0..names.len()).collect(),
            };
            let signals: Vec<Signal> = which.iter().map(|&k| signal((&names[k], vars[k]))).collect();
            let traces = Traces::new(&format!("@{node}"), &signals);
            sinks.push((Sink::Plot(traces, path.into()), which.iter().map(|&k| outside[k]).collect()));
        }
        let has_files = !common.files.is_empty();
        let is_silent = !common.print || (has_files && !options.chronogram);
        if options.chronogram {
            sinks.push((Sink::Chronogram(vec![]), (0..inputs.len() + names.len()).collect()));
        } else if !is_silent {
            sinks.push((Sink::standard_output(is_live), outside));
        }
        Ok(Outputs { flat, inputs, names, sinks, open: None, is_silent })
    }

    /// Writes known cycles, up to the cycle that stops the run [D7].
    fn take(&mut self, known: &Known) -> Result<(), SinkError> {
        let cycles = known.stop.as_ref().map_or(known.len(), |(n, _)| known.len().min(n - known.first));
        let columns: Vec<(&String, &Column)> =
            self.inputs.iter().zip(&known.inputs).chain(self.names.iter().zip(&known.shown)).collect();
        for (sink, which) in &mut self.sinks {
            let part = |&k: &usize| Part { name: columns[k].0, column: columns[k].1 };
            let parts: Vec<Part> = which.iter().map(part).collect();
            sink.write(known.first, cycles, &parts)?;
        }
        for (k, column) in known.shown.iter().enumerate().take(self.flat.graph.outputs.len()) {
            let unknown = (0..cycles).filter(|&n| column.marks()[n] == Cell::Undetermined);
            let unknown: Vec<usize> = unknown.map(|n| known.first + n).collect();
            match &mut self.open {
                Some((first, all)) if *first == k => all.extend(unknown),
                Some((first, _)) if *first < k => {}
                _ if unknown.is_empty() => {}
                open => *open = Some((k, unknown)),
            }
        }
        Ok(())
    }

    /// Returns the first output that is unknown in some cycles, and these cycles.
    fn finish(self) -> Result<Option<(String, Vec<usize>)>, SinkError> {
        self.sinks.into_iter().try_for_each(|(sink, _)| sink.finish())?;
        Ok(self.open.map(|(k, cycles)| (self.names[k].clone(), cycles)))
    }
}

fn place_of(names: &[String], name: &str, option: &'static str) -> Result<usize, OptionError> {
    names.iter().position(|n| n == name).ok_or_else(|| {
        let hint = did_you_mean(name, names.iter().map(String::as_str));
        OptionError::NoOutput { option, name: name.into(), hint }
    })
}

/// Interprets a whole run.
fn interpret(
    flat: &Flat,
    shown: &[Var],
    columns: &[Column],
    cycles: usize,
    is_lenient: &[bool],
    initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
) -> Result<Known, EvalError> {
    let input = |(column, &is_lenient): (&Column, &bool)| {
        if is_lenient { Input::Slots(column.cells()) } else { Input::Cells(column.cells()) }
    };
    let inputs: Vec<Input> = columns.iter().zip(is_lenient).map(input).collect();
    let rows = flat.interpret(&inputs, cycles, initial)?;
    let stop: Option<(usize, Stop)> = flat.mistimed(&inputs, &rows);
    let column = |v: Var, row: &Row| Column::of_cells(flat.graph.value(v).ty(), row);
    let outputs = flat.graph.outputs.iter().map(|o| o.1).chain(shown.iter().copied());
    Ok(Known {
        first: 0,
        inputs: flat.graph.inputs().map(|v| column(v, &rows[v])).collect(),
        shown: outputs.map(|v| column(v, &rows[v])).collect(),
        stop,
    })
}

fn text(op: Op, attribute: &str) -> String {
    op.attribute(attribute).and_then(|a| a.as_string()).unwrap_or_default()
}

/// Parses each `NAME=VALUE`. Names must be distinct.
fn named<'a>(all: &'a [String], option: &'static str) -> Result<Vec<(&'a str, &'a str)>, OptionError> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for text in all {
        let Some((name, value)) = text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) else {
            return Err(OptionError::NoName { option, found: text.clone() });
        };
        if found.iter().any(|(known, _)| *known == name) {
            return Err(OptionError::Twice { option, name: name.into() });
        }
        found.push((name, value));
    }
    Ok(found)
}
