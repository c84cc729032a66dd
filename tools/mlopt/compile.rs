//! `mlopt compile`: a program as MLIR, LLVM IR, assembly, an object file or a shared library with a C header.

use crate::cli::{self, Failure};
use crate::progress::Progress;
use crate::run::{check_pipeline, read_program};
use crate::suggest::did_you_mean;
use crate::toolchain;
use clap::ValueEnum;
use mlopt_dialects::bridge;
use mlopt_lowering::native::{self, Target};
use mlopt_lowering::pipeline::GRAD_CPU;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a program as MLIR, LLVM IR, assembly, an object file, or a shared library with a C header
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mlopt compile f.mlir --emit=shared -o libf.so        writes libf.so and libf.h
  mlopt compile f.mlir --emit=asm --mcpu=native | less

Functions are called as docs/abi.md says. Code runs on every x86-64 processor unless --mcpu or --mattr asks for more:
--mcpu=x86-64-v3 needs AVX2, --mcpu=native is this machine.")]
pub struct Compile {
    /// The program, text or bytecode; `-` is the standard input
    file: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value = "obj")]
    emit: Form,
    /// The file to write; text goes to the standard output by default, the rest beside the program's name
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Processor, by LLVM's name
    #[arg(long, value_name = "CPU", default_value = "x86-64")]
    mcpu: String,
    /// Features to add or leave out: +avx2,-fma
    #[arg(long, value_name = "FEATURES", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    mattr: String,
    /// Passes instead of the default ones
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Print the time of each step to the error stream
    #[arg(long)]
    time: bool,
    /// Print the pipeline to the error stream
    #[arg(long, short)]
    verbose: bool,
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
    /// A shared library, and a C header beside it
    Shared,
}

impl Form {
    /// Where the output goes without `-o`; `None` is the standard output.
    fn default_output(self, program: &Path) -> Option<PathBuf> {
        let stem = program.file_stem().map_or("program".into(), |s| s.to_string_lossy());
        let stem = if stem == "-" { "program".into() } else { stem };
        match self {
            Form::Mlir | Form::Llvm | Form::Asm => None,
            Form::Obj => Some(format!("{stem}.o").into()),
            Form::Shared => Some(format!("lib{stem}.so").into()),
        }
    }
}

/// From array programs with requests for derivatives to the LLVM dialect.
pub fn default_pipeline() -> String {
    pipeline_text(GRAD_CPU)
}

/// The default pipeline but for one pass, for comparisons.
pub fn pipeline_without(pass: &str) -> String {
    let passes: Vec<&str> = GRAD_CPU.iter().copied().filter(|&p| p != pass).collect();
    pipeline_text(&passes)
}

/// A list of our passes as `--pass-pipeline` takes it: neighbours that run on functions share one `func.func(…)`.
pub fn pipeline_text(passes: &[&str]) -> String {
    let anchor = |name: &str| {
        let known = mlopt_passes::PASSES.iter().chain(mlopt_lowering::PASSES);
        known.into_iter().find(|p| p.name == name).map_or("builtin.module", |p| p.anchor)
    };
    let groups = passes.chunk_by(|a, b| anchor(a) == anchor(b)).map(|group| match anchor(group[0]) {
        "builtin.module" => group.join(","),
        anchor => format!("{anchor}({})", group.join(",")),
    });
    format!("builtin.module({})", groups.collect::<Vec<_>>().join(","))
}

impl Compile {
    pub fn execute(&self) -> Result<(), Failure> {
        cli::register_passes();
        self.pass_pipeline.as_deref().map_or(Ok(()), check_pipeline)?;
        let pipeline = self.pass_pipeline.clone().unwrap_or_else(default_pipeline);
        if self.verbose {
            eprintln!("--pass-pipeline='{pipeline}'");
        }
        check_target(&self.mcpu, &self.mattr)?;
        let target = Target::named(&self.mcpu, &self.mattr).map_err(Failure::new)?;
        let mut progress = Progress::new();
        progress.step("read");
        let (program, _) = read_program(&self.file)?;
        progress.step("passes");
        target.describe(program.module());
        program.run_pipeline(&pipeline)?;
        progress.step("compile");
        let place = self.file.display();
        let module = program.module();
        let output = self.output.clone().or_else(|| self.emit.default_output(&self.file));
        let emit = |form| target.emit(module, form).map_err(|e| Failure::at(&place, e));
        match self.emit {
            Form::Mlir => write(output.as_deref(), format!("{module}\n").as_bytes())?,
            Form::Llvm => write(output.as_deref(), &emit(native::Emit::LlvmIr)?)?,
            Form::Asm => write(output.as_deref(), &emit(native::Emit::Assembly)?)?,
            Form::Obj => write(output.as_deref(), &emit(native::Emit::Object)?)?,
            Form::Shared => {
                let library = output.expect("a shared library has a default name");
                let linker = toolchain::linker().ok_or_else(no_linker)?;
                let header = library.with_extension("h");
                let stem = library.file_stem().unwrap_or_default().to_string_lossy();
                let text = native::header(module, &stem).map_err(|e| Failure::at(&place, e))?;
                native::link_shared(module, &target, &library, linker.to_str()).map_err(|e| Failure::at(&place, e))?;
                write(Some(&header), text.as_bytes())?;
            }
        }
        progress.finish();
        if self.time {
            eprint!("{}", progress.times());
        }
        Ok(())
    }
}

/// LLVM warns of unknown names and goes on; we do not.
fn check_target(cpu: &str, features: &str) -> Result<(), Failure> {
    let known = bridge::x86_processors();
    if cpu != "native" && !known.iter().any(|k| k == cpu) {
        let hint = did_you_mean(cpu, known.iter().map(String::as_str));
        let expected = "expected `native` or LLVM's name of an x86-64 processor";
        return Err(Failure::new(format!("--mcpu: unknown processor `{cpu}`{hint}; {expected}")));
    }
    let known = bridge::x86_features();
    for feature in features.split(',').filter(|f| !f.is_empty()) {
        let Some(name) = feature.strip_prefix(['+', '-']) else {
            return Err(Failure::new(format!("--mattr: expected `+` or `-` before a feature, found `{feature}`")));
        };
        if !known.iter().any(|k| k == name) {
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            return Err(Failure::new(format!("--mattr: unknown feature `{name}`{hint}")));
        }
    }
    Ok(())
}

pub fn no_linker() -> Failure {
    Failure::new(
        "linking: expected a C compiler ($CC, cc, clang-19, clang or gcc), found none; `mlopt doctor` says more",
    )
}

/// To a file, or the standard output.
fn write(output: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match output.filter(|p| *p != Path::new("-")) {
        Some(path) => std::fs::write(path, bytes).map_err(|e| Failure::at(path.display(), e)),
        None => std::io::stdout().write_all(bytes).map_err(|e| Failure::at("standard output", e)),
    }
}
