//! Instruction counts of compiled code. Each benchmark program is compiled for one kind of processor and linked into a
//! separate library, and `driver.c` calls it once in valgrind.

use super::callgrind::{cc, counts, run};
use crate::error::{Context, Error};
use crate::folder::Folder;
use crate::functions::{self, Pair};
use crate::streams;
use mlopt_cli::commands::bench::programs::{BENCHMARKS, Benchmark};
use mlopt_cli::commands::bench::values::{arguments, rounded};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::abi::libm;
use mlopt_lowering::native::{Emit, Export, Target, exports};
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, default_pipeline, pipeline_text};
use mlopt_runtime::arguments::npy;
use mlopt_runtime::arguments::random::random;
use mlopt_runtime::streams::compiled::Compiled;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The target processor. valgrind 3.19 supports no larger one.
pub const PROCESSOR: &str = "x86-64-v3";

const DRIVER: &str = include_str!("driver.c");
/// Functions that code may call, other than those of `libm`. The driver charges a fixed number of instructions for
/// each.
const OTHERS: &str = "malloc aligned_alloc free pthread_getattr_np pthread_attr_getstack pthread_attr_getguardsize \
                      pthread_attr_destroy";

/// The calling convention of a function.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Packed = 0,
    PackedWithStatus = 1,
    /// The convention of `functions-for-c` for a function of data.
    Data = 2,
}

/// A compiled function with the arguments of its call.
struct Subject {
    name: String,
    object: Vec<u8>,
    symbol: String,
    form: Form,
    inputs: Vec<Array>,
    /// The dynamic extents of the inputs.
    sizes: Vec<usize>,
    /// The element types and extents of the results; `None` for an extent that the function computes.
    results: Vec<(Element, Vec<Option<usize>>)>,
    /// The subjects of a group compute the same results, in this precision.
    group: String,
}

/// Compiles the subjects of one text.
type Make = Box<dyn Fn() -> Result<Vec<Subject>, Error> + Send + Sync>;

/// Returns the instructions of one call of each program.
pub fn all() -> Result<Vec<(String, u64)>, Error> {
    let makes: Vec<Make> = gradients().chain(nodes()).chain(functional()).collect();
    let subjects: Vec<Subject> = at_once(&makes)?.into_iter().flatten().collect();
    let folder = Folder::new("code")?;
    let driver = driver(&folder)?;
    let mut list = String::new();
    let mut results = Vec::new();
    for (k, subject) in subjects.iter().enumerate() {
        results.push(subject.write(&folder, k, &mut list)?);
    }
    let list = folder.write("list", list.as_bytes())?;
    let (found, charges) = counts(&folder, &[&driver, &list], &["counted"], &["__wrap_*"])?;
    let charges: Vec<u64> = charges.lines().filter_map(|l| l.parse().ok()).collect();
    if found.len() != subjects.len() || charges.len() != subjects.len() {
        let (programs, counts, charges) = (subjects.len(), found.len(), charges.len());
        return Err(Error::Wrong(format!("{programs} programs, but {counts} counts and {charges} charges")));
    }
    compare(&subjects, &results)?;
    let counts = std::iter::zip(found, charges).map(|(instructions, charge)| instructions + charge);
    Ok(subjects.into_iter().map(|s| s.name).zip(counts).collect())
}

/// Returns the results of `makes`, in order, computed by two threads.
fn at_once(makes: &[Make]) -> Result<Vec<Vec<Subject>>, Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        numbers.map_while(|k| makes.get(k).map(|make| (k, make()))).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let start = || std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        let mut made = Vec::new();
        for thread in [start(), start()] {
            made.extend(thread.context("a thread")?.join().ok().context("a thread has ended early")?);
        }
        made.sort_by_key(|(k, _)| *k);
        made.into_iter().map(|(_, subjects)| subjects).collect()
    })
}

/// Benchmarks that take more than a hundred million instructions at medium size.
const LARGE: [&str; 1] = ["lstm_train"];

/// Returns the gradients specialised to small and medium size, and the gradient for all sizes at the larger of these.
fn gradients() -> impl Iterator<Item = Make> {
    BENCHMARKS.iter().flat_map(|benchmark| {
        let precisions: &[bool] = if benchmark.single { &[false, true] } else { &[false] };
        let forms: &[(&str, bool)] = match LARGE.contains(&benchmark.name) {
            true => &[("small", true), ("small", false)],
            false => &[("small", true), ("medium", true), ("medium", false)],
        };
        precisions.iter().flat_map(move |&single| {
            let make = move |&(size, is_static): &(&'static str, bool)| -> Make {
                Box::new(move || gradient(benchmark, single, size, is_static))
            };
            forms.iter().map(make)
        })
    })
}

fn gradient(benchmark: &Benchmark, single: bool, size: &str, is_static: bool) -> Result<Vec<Subject>, Error> {
    let group = format!("gradient {}{} {size}", benchmark.name, if single { " f32" } else { "" });
    let name = if is_static { group.clone() } else { format!("{group}, all sizes") };
    let dims = if size == "small" { benchmark.small } else { benchmark.medium };
    let inputs = arguments(benchmark, dims)?;
    let inputs = if single { inputs.iter().map(rounded).collect() } else { inputs };
    let program = benchmark.program(single, is_static.then_some(dims)).map_err(|_| failed(&name))?;
    let code = Code::new(&name, program, &default_pipeline())?;
    Ok(vec![code.subject(name, benchmark.name, inputs, group)?])
}

/// Returns reactive nodes: the sweep over cycles, and a whole sequence of training.
fn nodes() -> impl Iterator<Item = Make> {
    let all: [Make; 3] = [
        Box::new(|| node("stream filter 4096", streams::FILTER, "builtin.module()", "filter", 4096)),
        Box::new(|| node("stream lstm 256", streams::LSTM, "builtin.module()", "lstm", 256)),
        Box::new(|| node("stream training 64", streams::TRAINING, streams::TRAIN, "network_train_segment", 64)),
    ];
    all.into_iter()
}

fn node(name: &str, text: &str, before: &str, entry: &str, cycles: usize) -> Result<Vec<Subject>, Error> {
    let program = Program::parse(text.as_bytes(), name).map_err(|_| failed(name))?;
    program.run_pipeline(before).map_err(|_| failed(name))?;
    let code = Code::new(name, program, &Compiled::pipeline())?;
    let inputs = &code.export(entry)?.signature.inputs;
    let input = |(k, ty): (usize, &mlopt_lowering::native::ValueType)| {
        let shape: Vec<usize> = ty.shape.iter().map(|n| n.unwrap_or(cycles)).collect();
        let text: String = shape.iter().map(|n| format!("{n}x")).collect();
        Ok(match ty.element {
            Element::F64 => random(&format!("{text}f64:seed={k}:normal=0,0.125"))?,
            // A sequence ends with the last cycle, in which parameters change.
            Element::I1 => {
                let length = shape.iter().product::<usize>();
                Array::new(shape, Data::I1((0..length).map(|n| n + 1 == length).collect()))
            }
            element => Array::zeros(element, &shape),
        })
    };
    let inputs = inputs.iter().enumerate().map(input).collect::<Result<_, Error>>()?;
    Ok(vec![code.subject(name.to_string(), entry, inputs, name.to_string())?])
}

/// Returns programs with closures, the equivalent first-order programs, and the gradients of both.
fn functional() -> impl Iterator<Item = Make> {
    let halves = functions::VANISHING
        .iter()
        .flat_map(|pair| [true, false].map(|closures| -> Make { Box::new(move || vanishing(pair, closures)) }));
    let surviving = functions::SURVIVING.iter().map(|pair| -> Make { Box::new(move || surviving(pair)) });
    halves.chain(surviving)
}

fn vanishing(pair: &Pair, closures: bool) -> Result<Vec<Subject>, Error> {
    let inputs = functions::arguments(pair)?;
    let (program, pipeline) = pair.program(closures)?;
    let (code, by) = (Code::new(pair.name, program, &pipeline)?, if closures { "" } else { ", by hand" });
    let value = format!("function {}", pair.name);
    let mut subjects = vec![code.subject(format!("{value}{by}"), pair.name, inputs.clone(), value)?];
    let gradient = format!("{}{}gradient", pair.name, if closures { '-' } else { '_' });
    if code.exports.iter().any(|(name, _)| *name == gradient) {
        let value = format!("function {} gradient", pair.name);
        subjects.push(code.subject(format!("{value}{by}"), &gradient, inputs, value)?);
    }
    Ok(subjects)
}

fn surviving(pair: &Pair) -> Result<Vec<Subject>, Error> {
    let (program, _) = pair.program(true)?;
    let passes: Vec<&str> = FUNCTIONS_CPU.iter().copied().chain(["functions-for-c"]).collect();
    let object = object(pair.name, &program, &pipeline_text(&passes))?;
    let name = format!("function {}", pair.name);
    let results = vec![(Element::F64, vec![])];
    let inputs = functions::arguments(pair)?;
    let (symbol, sizes) = (pair.name.to_string(), vec![inputs[0].shape()[0]]);
    Ok(vec![Subject { group: name.clone(), name, object, symbol, form: Form::Data, inputs, sizes, results }])
}

fn failed(name: &str) -> Error {
    Error::Rejected(format!("{name} does not compile: see above"))
}

fn object(name: &str, program: &Program, pipeline: &str) -> Result<Vec<u8>, Error> {
    let target = Target::named(PROCESSOR, "")?;
    target.describe(program.module());
    program.run_pipeline(pipeline).map_err(|_| failed(name))?;
    target.emit(program.module(), Emit::Object).context(name)
}

/// An object file and its functions.
struct Code {
    object: Vec<u8>,
    exports: Vec<(String, Export)>,
}

impl Code {
    fn new(name: &str, program: Program, pipeline: &str) -> Result<Code, Error> {
        let object = object(name, &program, pipeline)?;
        let exports = exports(program.module()).context(name)?;
        Ok(Code { object, exports: exports.into_iter().collect() })
    }

    fn export(&self, entry: &str) -> Result<&Export, Error> {
        let known = || self.exports.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let found = self.exports.iter().find(|(name, _)| name == entry).map(|(_, export)| export);
        found.ok_or_else(|| Error::Missing(format!("there is no @{entry} among {}", known())))
    }

    fn subject(&self, name: String, entry: &str, inputs: Vec<Array>, group: String) -> Result<Subject, Error> {
        let export = self.export(entry)?;
        let form = if export.has_status() { Form::PackedWithStatus } else { Form::Packed };
        let results = export.signature.results.iter().map(|ty| (ty.element, ty.shape.clone())).collect();
        let extents = std::iter::zip(&export.signature.inputs, &inputs)
            .flat_map(|(ty, input)| std::iter::zip(&ty.shape, input.shape()).filter(|(n, _)| n.is_none()));
        let sizes = extents.map(|(_, n)| *n).collect();
        let (object, symbol) = (self.object.clone(), export.symbol.clone());
        Ok(Subject { name, object, symbol, form, inputs, sizes, results, group })
    }
}

impl Subject {
    /// Writes the input of the driver, and its line of the list. Returns the file for the results.
    fn write(&self, folder: &Folder, number: usize, list: &mut String) -> Result<PathBuf, Error> {
        let object = folder.write(&format!("{number}.o"), &self.object)?;
        let library = folder.path.join(format!("{number}.so"));
        let inputs: Vec<Vec<u8>> = self.inputs.iter().map(|x| npy::bytes(x.data())).collect();
        let given = folder.write(&format!("{number}.in"), &inputs.concat())?;
        let shown = folder.path.join(format!("{number}.out"));
        let wrapped = libm::symbols().into_iter().map(|(name, _)| name).filter(|name| !name.starts_with("__"));
        let mut link = cc()?;
        link.arg("-shared").arg(&object).arg("-o").arg(&library);
        link.args(wrapped.chain(OTHERS.split(' ')).map(|name| format!("-Wl,--wrap={name}")));
        run(&mut link)?;
        let _ = std::fs::remove_file(object);
        let mut fields = [&library, &given, &shown].map(|path| path.display().to_string()).to_vec();
        fields.extend([self.symbol.clone(), (self.form as u8).to_string(), inputs.len().to_string()]);
        fields.extend(inputs.iter().map(|i| i.len().to_string()));
        fields.push(self.sizes.len().to_string());
        fields.extend(self.sizes.iter().map(usize::to_string));
        fields.push(self.results.len().to_string());
        for (element, shape) in &self.results {
            fields.extend([element.bytes().to_string(), shape.len().to_string()]);
            fields.extend(shape.iter().map(|n| n.map_or(-1, |n| n as i64).to_string()));
        }
        *list += &(fields.join(" ") + "\n");
        Ok(shown)
    }
}

fn driver(folder: &Folder) -> Result<PathBuf, Error> {
    let (source, driver) = (folder.write("driver.c", DRIVER.as_bytes())?, folder.path.join("driver"));
    run(cc()?.args(["-O1", "-rdynamic", "-o"]).arg(&driver).arg(&source).args(["-ldl", "-lm", "-lpthread"]))?;
    Ok(driver)
}

/// Compares the results of all forms of each program.
fn compare(subjects: &[Subject], results: &[PathBuf]) -> Result<(), Error> {
    let read = |k: usize| numbers(&subjects[k], &results[k]);
    for (k, subject) in subjects.iter().enumerate() {
        let Some(first) = subjects[..k].iter().position(|s| s.group == subject.group) else { continue };
        let (expected, found) = (read(first)?, read(k)?);
        let is_single = subject.results.iter().any(|(element, _)| *element == Element::F32);
        let tolerance = if is_single { 2e-3 } else { 1e-9 };
        let scale = expected.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let differs = |(x, y): (&f64, &f64)| !((x - y).abs() <= tolerance * scale);
        if expected.len() != found.len() || std::iter::zip(&expected, &found).any(differs) {
            let names = format!("{} and {}", subjects[first].name, subject.name);
            return Err(Error::Wrong(format!("{names} compute different results")));
        }
    }
    Ok(())
}

/// Reads the results of the driver as one list of numbers.
fn numbers(subject: &Subject, file: &Path) -> Result<Vec<f64>, Error> {
    let bytes = std::fs::read(file).context(file.display())?;
    let is_single = subject.results.iter().any(|(element, _)| *element == Element::F32);
    let data = npy::elements(if is_single { Element::F32 } else { Element::F64 }, &bytes);
    Ok(Array::new(vec![data.len()], data).to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_charges_every_function_that_code_may_call() {
        for (name, _) in libm::symbols().into_iter().filter(|(name, _)| !name.starts_with("__")) {
            let double = name.strip_suffix('f').filter(|base| base.len() > 2).unwrap_or(name);
            let forms =
                [format!("__wrap_{name}("), format!("ONE({double})"), format!("TWO({double})"), format!("ONE({name})")];
            assert!(forms.iter().any(|form| DRIVER.contains(form)), "driver.c has no wrapper of {name}");
        }
    }
}
