//! `mlopt compile`: writes a program as MLIR, LLVM IR, assembly, an object file, a shared library with a C header, or
//! PTX.

use crate::commands::nodes::{initial_value, initials};
use crate::commands::output::write;
use crate::commands::pipeline_check::check_pipeline;
use crate::commands::progress::Progress;
use crate::notation::read_program;
use crate::toolchain;
use clap::ValueEnum;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Op;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_lowering::abi::names;
use mlopt_lowering::native::{self, Device, Target, UnknownProcessor};
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, GRAD_CPU, GRAD_NVPTX, Pipeline, is_functional, with_import};
use mlopt_runtime::entry::place;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::embed::Embedded;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Write a program as MLIR, LLVM IR, assembly, an object file, a shared library with a C header, or PTX
#[derive(clap::Args)]
#[command(after_help = include_str!("help/compile.txt").trim_ascii_end())]
pub struct Compile {
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// Form of the output; by default that of its file name, else `obj`, or `ptx` for nvptx
    #[arg(long, value_enum)]
    emit: Option<Form>,
    /// Target to compile for
    #[arg(long, value_enum, default_value = "x86-64")]
    target: Machine,
    /// NVIDIA device, by compute capability
    #[arg(long, value_name = "CHIP", default_value = "sm_90")]
    chip: String,
    /// The file to write; by default text goes to the standard output, other forms to a file named after the program
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Processor, by LLVM's name
    #[arg(long, value_name = "CPU", default_value = "x86-64")]
    mcpu: String,
    /// Features to add or remove: +avx2,-fma
    #[arg(long, value_name = "FEATURES", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    mattr: String,
    /// Passes instead of the default ones
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    #[command(flatten)]
    options: PassOptions,
    #[command(flatten)]
    nodes: NodeOptions,
    /// Print the time of each step to the error stream
    #[arg(long)]
    time: bool,
    /// Print the pipeline to the error stream
    #[arg(long, short)]
    verbose: bool,
}

/// Options for nodes.
#[derive(clap::Args)]
struct NodeOptions {
    /// Compile a reactive node for C programs instead of functions: object code, and a header to run it
    #[arg(long, value_name = "@NAME", conflicts_with = "pass_pipeline")]
    node: Option<String>,
    /// With --node: the maximum number of stored cycles with unknown outputs; by default the C program sets it
    #[arg(long, value_name = "CYCLES", requires = "node", value_parser = clap::value_parser!(u32).range(1..))]
    horizon: Option<u32>,
    /// With --node: an initial value of an instance, by its full name, as for --arg of `mlopt run`
    #[arg(long = "initial", value_name = "NAME=VALUE", requires = "node")]
    initials: Vec<String>,
    /// With --node: print the node's memory to the error stream, part by part, and why it is bounded
    #[arg(long, requires = "node")]
    memory_report: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// MLIR after the passes
    Mlir,
    /// LLVM IR after LLVM's own passes
    Llvm,
    /// Assembly
    Asm,
    /// An object file
    Obj,
    /// A shared library, and a C header next to it
    Shared,
    /// Code for NVIDIA devices, and the plan of its launches
    Ptx,
    /// PTX assembled by `ptxas` for one device
    Cubin,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Machine {
    /// x86-64 processors
    #[value(name = "x86-64")]
    X86,
    /// NVIDIA devices
    Nvptx,
}

impl Form {
    /// Returns the form that the extension of a file denotes.
    fn of(output: &Path) -> Option<Form> {
        Some(match output.extension()?.to_str()? {
            "mlir" => Form::Mlir,
            "ll" => Form::Llvm,
            "s" => Form::Asm,
            "o" => Form::Obj,
            "so" => Form::Shared,
            "ptx" => Form::Ptx,
            "cubin" => Form::Cubin,
            _ => return None,
        })
    }

    /// Returns the output file without `-o`; `None` is the standard output.
    fn default_output(self, program: &Path) -> Option<PathBuf> {
        let stem = program.file_stem().map_or("program".into(), |s| s.to_string_lossy());
        let stem = if stem == "-" { "program".into() } else { stem };
        match self {
            Form::Mlir | Form::Llvm | Form::Asm | Form::Ptx => None,
            Form::Obj => Some(format!("{stem}.o").into()),
            Form::Shared => Some(format!("lib{stem}.so").into()),
            Form::Cubin => Some(format!("{stem}.cubin").into()),
        }
    }
}

/// Options of the default passes.
#[derive(clap::Args)]
pub struct PassOptions {
    /// Permit results that differ as `fastmath<fast>` on every operation permits: sums and products in any order,
    /// products with reciprocals for quotients, no NaNs and infinities
    #[arg(long, conflicts_with = "pass_pipeline")]
    fast: bool,
    /// MiB that one loop may keep for its reverse sweep; the remaining values are recomputed
    #[arg(long, value_name = "MIB", conflicts_with = "pass_pipeline")]
    memory_budget: Option<u32>,
    /// Report the bytes that each loop keeps for its reverse sweep
    #[arg(long, conflicts_with = "pass_pipeline")]
    checkpoint_report: bool,
}

impl PassOptions {
    /// Returns the pipeline of these passes with these options.
    pub fn in_pipeline(&self, passes: &[&str]) -> Pipeline {
        let budget = self.memory_budget.map(|mebibytes| format!("memory-budget={mebibytes}"));
        let report = self.checkpoint_report.then(|| "report=true".to_string());
        let options: Vec<String> = budget.into_iter().chain(report).collect();
        let pipeline = Pipeline::of(passes).with_options("differentiate", &options.join(" "));
        if self.fast { pipeline.fast() } else { pipeline }
    }
}

impl Compile {
    pub fn execute(&self) -> Result<(), Failure> {
        mlopt_lowering::register_passes();
        self.pass_pipeline.as_deref().map_or(Ok(()), check_pipeline)?;
        let default = if self.target == Machine::Nvptx { GRAD_NVPTX } else { GRAD_CPU };
        let mut pipeline = self.pass_pipeline.clone().unwrap_or_else(|| self.options.in_pipeline(default).to_string());
        if let Some(name) = &self.nodes.node {
            return self.node(name, &pipeline);
        }
        if self.target == Machine::Nvptx {
            self.announce(&pipeline);
            return self.for_device(&pipeline);
        }
        let target = processor(&self.mcpu, &self.mattr)?;
        let form = self.form(Form::Obj);
        let (program, mut progress) = self.read()?;
        target.describe(program.module());
        if self.pass_pipeline.is_none() && is_functional(program.module()) {
            let for_others = matches!(form, Form::Obj | Form::Shared).then_some("functions-for-c");
            let passes: Vec<&str> = FUNCTIONS_CPU.iter().copied().chain(for_others).collect();
            pipeline = self.options.in_pipeline(&passes).to_string();
        } else if self.pass_pipeline.is_none() {
            pipeline = with_import(&pipeline, program.module());
        }
        self.announce(&pipeline);
        program.run_pipeline(&pipeline)?;
        progress.step("compile");
        let module = program.module();
        let output = self.output(form);
        if form != Form::Mlir {
            names::report(module);
        }
        if let (Form::Obj | Form::Shared, Some(place)) = (form, mlopt_runtime::code::first_site(module)) {
            let text = "not supported: code for other programs must have no tasks, input or output; use `mlopt run`";
            return Err(Failure::at(place, text));
        }
        match (form, output) {
            (Form::Shared, Some(library)) => {
                let linker = toolchain::linker().ok_or_else(no_linker)?;
                let header = library.with_extension("h");
                let stem = library.file_stem().unwrap_or_default().to_string_lossy();
                let text = native::header(module, &stem).map_err(|e| self.failed(e))?;
                native::link_shared(module, &target, &library, linker.to_str()).map_err(|e| self.failed(e))?;
                write(Some(&header), text.as_bytes())?;
            }
            (_, output) => write(output.as_deref(), self.code(&target, module, form)?)?,
        }
        self.end(progress)
    }

    /// Returns the code of a lowered module for the processor; for a shared library, its object code.
    fn code(&self, target: &Target, module: Op, form: Form) -> Result<Vec<u8>, Failure> {
        let emit = match form {
            Form::Ptx | Form::Cubin => {
                return Err(Failure::new("--emit: `ptx` and `cubin` require `--target=nvptx`"));
            }
            Form::Mlir => return Ok(format!("{module}\n").into_bytes()),
            Form::Llvm => native::Emit::LlvmIr,
            Form::Asm => native::Emit::Assembly,
            Form::Obj | Form::Shared => native::Emit::Object,
        };
        target.emit(module, emit).map_err(|e| self.failed(e))
    }

    fn failed(&self, error: native::Error) -> Failure {
        Failure::at(self.file.display(), error)
    }

    fn announce(&self, pipeline: &str) {
        if self.verbose {
            eprintln!("--pass-pipeline='{pipeline}'");
        }
    }

    /// Returns the file to write; `None` is the standard output.
    fn output(&self, form: Form) -> Option<PathBuf> {
        self.output.clone().or_else(|| form.default_output(&self.file))
    }

    /// Returns the form of the output: that of `--emit`, else that of its file name, else `otherwise`.
    fn form(&self, otherwise: Form) -> Form {
        let named = self.output.as_deref().and_then(Form::of);
        self.emit.or(named).unwrap_or(otherwise)
    }

    /// Reads the program. Passes are the next step of the returned progress.
    fn read(&self) -> Result<(Program, Progress), Failure> {
        let mut progress = Progress::new();
        progress.step("read");
        let (program, _) = read_program(&self.file)?;
        progress.step("passes");
        Ok((program, progress))
    }

    fn end(&self, mut progress: Progress) -> Result<(), Failure> {
        progress.finish();
        if self.time {
            eprint!("{}", progress.times());
        }
        Ok(())
    }

    /// Writes a node and its C header.
    fn node(&self, name: &str, pipeline: &str) -> Result<(), Failure> {
        if self.target == Machine::Nvptx {
            return Err(Failure::new("--node: nodes cannot be compiled for GPUs; expected `--target=x86-64`"));
        }
        let target = processor(&self.mcpu, &self.mattr)?;
        let form = self.form(Form::Obj);
        let (program, mut progress) = self.read()?;
        self.announce(&Compiled::pipeline_to(pipeline));
        program.run_pipeline(PIPELINE)?;
        let flat = Flat::new(Flat::named(&program, name)?)?;
        let here = place(flat.graph.node.location());
        let failed = |e: &dyn std::fmt::Display| Failure::at(&here, e);
        let given = initials(&flat, &self.nodes.initials).map_err(|e| failed(&e))?;
        let mut values = HashMap::new();
        for op in flat.initials() {
            let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
            let value = initial_value(op, &given).map_err(|e| Failure::at(&e.location, e.text))?;
            values.insert(name, value);
        }
        let node = Embedded::new(&flat, &values, self.nodes.horizon, pipeline, &target).map_err(|e| failed(&e))?;
        progress.step("compile");
        let output = self.output(form);
        let code = self.code(&target, node.module(), form)?;
        // From here on, the module contains only the functions that compute the memory of others.
        let needs = node.needs().map_err(|e| failed(&e))?;
        let report = node.report(&needs).map_err(|e| failed(&e))?;
        if let (Form::Shared, Some(library)) = (form, output.as_deref()) {
            let linker = toolchain::linker().ok_or_else(no_linker)?;
            native::link_objects(&[code], library, linker.to_str()).map_err(|e| self.failed(e))?;
        } else {
            write(output.as_deref(), &code)?;
        }
        if let (Form::Obj | Form::Shared, Some(output)) = (form, output.filter(|p| p.as_path() != Path::new("-"))) {
            write(Some(&output.with_extension("h")), node.header(&report).as_bytes())?;
        }
        if self.nodes.memory_report {
            eprint!("{report}");
        }
        self.end(progress)
    }

    /// Writes code for an NVIDIA device.
    fn for_device(&self, pipeline: &str) -> Result<(), Failure> {
        let form = self.form(Form::Ptx);
        if !native::CHIPS.contains(&self.chip.as_str()) {
            let hint = did_you_mean(&self.chip, native::CHIPS.iter().copied());
            let known = native::CHIPS.join(", ");
            return Err(Failure::new(format!("--chip: unknown device `{}`{hint}; expected one of {known}", self.chip)));
        }
        let device = match form {
            Form::Mlir => None,
            Form::Llvm => Some(Device::LlvmIr),
            Form::Ptx | Form::Cubin => Some(Device::Ptx),
            _ => return Err(Failure::new("--target=nvptx: expected `--emit=ptx`, `cubin`, `llvm` or `mlir`")),
        };
        let (program, mut progress) = self.read()?;
        let module = program.module();
        let pipeline = match &self.pass_pipeline {
            Some(text) => text.clone(),
            None => with_import(pipeline, module),
        };
        program.run_pipeline(&pipeline)?;
        progress.step("compile");
        let bytes = match device {
            None => format!("{module}\n").into_bytes(),
            Some(device) => native::device_code(module, &self.chip, device).map_err(|e| self.failed(e))?,
        };
        match (form, self.output(form)) {
            (Form::Cubin, Some(output)) => assemble(&bytes, &self.chip, &output)?,
            (_, output) => write(output.as_deref(), &bytes)?,
        }
        self.end(progress)
    }
}

/// Assembles PTX to machine code in a file.
fn assemble(ptx: &[u8], chip: &str, output: &Path) -> Result<(), Failure> {
    let ptxas = toolchain::ptxas().ok_or_else(|| {
        Failure::new("--emit=cubin: expected NVIDIA's `ptxas`, found none; `mlopt doctor` says how to get it")
    })?;
    let source = output.with_extension("mlopt.ptx");
    std::fs::write(&source, ptx).map_err(|e| Failure::at(source.display(), e))?;
    let result = Command::new(&ptxas).arg(format!("-arch={chip}")).arg(&source).arg("-o").arg(output).output();
    let _ = std::fs::remove_file(&source);
    let result = result.map_err(|e| Failure::at(ptxas.display(), e))?;
    if !result.status.success() {
        let said = [result.stdout, result.stderr].concat();
        return Err(Failure::at(ptxas.display(), String::from_utf8_lossy(&said).trim()));
    }
    Ok(())
}

/// Returns the target.
pub fn processor(cpu: &str, features: &str) -> Result<Target, Failure> {
    native::check_processor(cpu, features).map_err(|e| match &e {
        UnknownProcessor::Cpu { .. } => Failure::new(format!("--mcpu: {e}")),
        UnknownProcessor::Sign { .. } | UnknownProcessor::Feature { .. } => Failure::new(format!("--mattr: {e}")),
    })?;
    Target::named(cpu, features).map_err(Failure::new)
}

pub fn no_linker() -> Failure {
    Failure::new(
        "linking: expected a C compiler ($CC, cc, clang-19, clang or gcc), found none; `mlopt doctor` reports what is \
         missing",
    )
}
