//! The command line. Without a subcommand, `mlopt` behaves as `mlir-opt`. This module may use everything. A subcommand
//! should contain only the reading of arguments and the printing of results: functions that other programs could use
//! belong in the library.

pub mod bench;
pub mod check_calls;
pub mod check_grad;
pub mod compile;
pub mod doctor;
pub mod domain;
pub mod equiv;
pub mod explain;
pub mod import_lambda;
pub mod import_stablehlo;
pub mod import_streams;
pub mod import_terms;
pub mod limits;
pub mod lsp;
pub mod nodes;
mod output;
pub mod pipeline_check;
pub mod progress;
pub mod reduce_ops;
pub mod rewriting;
pub mod rules;
pub mod run;
pub mod view;

use mlopt_runtime::failure::{Failure, print_error};

use crate::notation;
use crate::test;
use clap::{CommandFactory, Parser, Subcommand};
use mlopt_dialects::attributes;
use mlopt_dialects::bridge::{self, crash};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_lowering::register_passes;
use std::io::Write;
use std::path::Path;
use std::thread;

/// The stack size of MLIR's worker threads, of which there is one per core.
const WORKER_STACK: usize = 512 << 20;

/// The exit status for incorrect usage, as in `clap` and the shell.
const USAGE_STATUS: i32 = 2;

/// The arguments of the command line.
#[derive(Parser)]
#[command(name = "mlopt", version, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Compile(compile::Compile),
    Bench(bench::Bench),
    CheckCalls(check_calls::CheckCalls),
    CheckGrad(check_grad::CheckGrad),
    Equiv(equiv::Equiv),
    Explain(explain::Explain),
    ImportLambda(import_lambda::ImportLambda),
    ImportStablehlo(import_stablehlo::ImportStablehlo),
    ImportStreams(import_streams::ImportStreams),
    ImportTerms(import_terms::ImportTerms),
    /// Language server for editors: hover, completion, diagnostics for .mlir files
    #[command(after_help = "Example, in an editor's settings for .mlir files:\n  mlopt lsp\n\n\
                            Options are those of mlir-lsp-server: mlopt lsp --lit-test < session.txt")]
    Lsp(Forwarded),
    Rules(rules::Rules),
    /// Shrink a program as long as a test script still finds a given property in it
    #[command(after_help = "Example:\n  mlopt reduce big.mlir --reduce-ops=test=./fails.sh -o small.mlir\n\n\
                            The script takes a file name and exits with 1 if the program has the property.\n\
                            Options are those of mlir-reduce.")]
    Reduce(Forwarded),
    Test(test::TestArgs),
    View(view::View),
    /// Report what works on this machine, and the commands that repair what does not
    #[command(after_help = "Example:\n  mlopt doctor\n\n\
                            ✓ works   – absent, and only its own feature is missing   ✗ broken: the exit status is 1")]
    Doctor,
}

/// Arguments that are passed to an MLIR program unchanged.
#[derive(clap::Args)]
struct Forwarded {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Runs the command line of this process. Returns the exit status.
pub fn main() -> i32 {
    let mut arguments = vec![];
    for argument in std::env::args_os() {
        match argument.into_string() {
            Ok(argument) => arguments.push(argument),
            Err(other) => {
                print_error("", &format!("expected UTF-8 arguments, found {other:?}"));
                return USAGE_STATUS;
            }
        }
    }
    // The process ends on this thread. After some syntax errors, MLIR 19's parser writes to memory that it has freed;
    // the C library would detect this when the thread is destroyed, and abort.
    on_large_stack(move || std::process::exit(dispatch(&arguments)))
}

/// Runs `work` on a thread with a large stack. A panic in it becomes a diagnostic.
fn on_large_stack(work: impl Fn() -> i32 + Send + Sync + 'static) -> i32 {
    crash::set_thread_stack_size(WORKER_STACK);
    let work = std::sync::Arc::new(work);
    for size in crash::STACKS {
        let work = work.clone();
        let thread = thread::Builder::new().name("mlopt".into()).stack_size(size);
        let Ok(thread) = thread.spawn(move || work()) else { continue };
        return thread.join().unwrap_or_else(|panic| {
            print_error("", &format!("internal error: {} ({})", crash::message(&*panic), crash::last_panic()));
            crash::INTERNAL_ERROR_STATUS
        });
    }
    print_error("", "expected memory for a stack of 64 MiB, found none; raise the limit (`ulimit -v`)");
    1
}

fn dispatch(arguments: &[String]) -> i32 {
    let rest = &arguments[1.min(arguments.len())..];
    // The first word that is not an option is the file, if it exists. Crashes are reported at it.
    // A file or an option of mlir-opt is told without the list of subcommands, which takes time to build.
    let is_word = |word: &&String| !word.starts_with('-') && !word.contains(['.', '/']);
    let is_command = rest.first().filter(is_word).is_some_and(|word| commands().contains(word));
    let file = rest.iter().skip(is_command as usize).find(|a| !a.starts_with('-'));
    crash::install(file.filter(|f| Path::new(f).exists()).map_or("", |f| f));
    match rest.first().map(String::as_str) {
        Some("help") => help(&rest[1..]),
        Some("lsp") if rest.get(1).is_some_and(|a| a == lsp::SERVE) => {
            bridge::lsp_main(&program_arguments("mlopt lsp", &rest[1..]))
        }
        Some("lsp") if !asks_for_help(rest) => lsp::run(&rest[1..]).unwrap_or_else(|e| {
            print_error("", &format!("the language server cannot be run: {e}"));
            1
        }),
        Some("reduce") if !asks_for_help(rest) => {
            register_passes();
            bridge::register_pass(&reduce_ops::PASS);
            bridge::reduce_main(&program_arguments("mlopt reduce", rest))
        }
        // Not listed: for RUN lines that a shell runs, and for trying a check file by hand.
        Some("FileCheck") => test::filecheck_main(&rest[1..]),
        Some(_) if is_command => command(arguments),
        _ => opt(arguments),
    }
}

/// Returns the words after `mlopt` that are subcommands.
pub fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|c| c.get_name().to_string()).chain(["help".to_string()]).collect()
}

/// Runs `mlir-opt`.
fn opt(arguments: &[String]) -> i32 {
    let rest = &arguments[1.min(arguments.len())..];
    if let Some(problem) = rest.first().and_then(|word| unknown_command(word)) {
        print_error("", &problem);
        return USAGE_STATUS;
    }
    if let Err(Failure::Error { place, text }) = input(rest).map_or(Ok(()), notation::only_mlir) {
        print_error(&place, &text);
        return 1;
    }
    register_passes();
    if let Err((place, problem)) = pipeline_check::check_arguments(rest) {
        print_error(&place, &problem);
        return 1;
    }
    if rest.iter().any(|a| a == "--help" || a == "-help" || a == "-h") {
        println!("`mlopt help` lists the subcommands; these are the options of mlir-opt, passes included.\n");
        let _ = std::io::stdout().flush();
    }
    let names: Vec<&str> = attributes::dialects().collect();
    let banner =
        format!("MLIR modular optimizer driver, with the passes of mlopt and its dialects {}\n", names.join(", "));
    bridge::opt_main(arguments, &banner, &version())
}

/// Returns the input file: the first word that is neither an option nor the argument of `-o`.
fn input(rest: &[String]) -> Option<&str> {
    let is_input = |k: &usize| !rest[*k].starts_with('-') && k.checked_sub(1).is_none_or(|before| rest[before] != "-o");
    (0..rest.len()).find(is_input).map(|k| rest[k].as_str())
}

/// Returns an error if the first word is neither an option, nor a file, nor a subcommand.
fn unknown_command(word: &str) -> Option<String> {
    let could_be_file = word.starts_with('-') || word.contains(['/', '.']) || Path::new(word).exists();
    if could_be_file || word.is_empty() {
        return None;
    }
    let hint = did_you_mean(word, commands().iter().map(String::as_str));
    Some(format!("unknown subcommand or file `{word}`{hint}; `mlopt help` lists the subcommands"))
}

/// Returns the output of `--version`.
pub fn version() -> String {
    format!("mlopt {}\nLLVM and MLIR {}\n", env!("CARGO_PKG_VERSION"), crate::toolchain::llvm_version())
}

fn asks_for_help(rest: &[String]) -> bool {
    matches!(rest, [_, flag] if flag == "--help" || flag == "-h")
}

/// Returns the arguments of an MLIR program: its name, then everything after the subcommand.
fn program_arguments(name: &str, rest: &[String]) -> Vec<String> {
    std::iter::once(name.to_string()).chain(rest[1..].iter().cloned()).collect()
}

/// Runs a subcommand that `clap` parses.
fn command(arguments: &[String]) -> i32 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return e.exit_code();
        }
    };
    let outcome = match cli.command {
        Command::Run(run) => run.execute(),
        Command::Compile(compile) => compile.execute(),
        Command::Bench(bench) => bench.execute(),
        Command::CheckCalls(check) => check.execute(),
        Command::CheckGrad(check) => check.execute(),
        Command::Equiv(equiv) => match equiv.execute() {
            Ok(answer) => return answer,
            Err(e) => Err(e),
        },
        Command::Explain(explain) => explain.execute(),
        Command::ImportLambda(import) => import.execute(),
        Command::ImportStablehlo(import) => import.execute(),
        Command::ImportStreams(import) => import.execute(),
        Command::ImportTerms(import) => import.execute(),
        Command::Rules(rules) => rules.execute(),
        Command::View(view) => view.execute(),
        Command::Test(args) => return test::run(&args),
        Command::Doctor => return !doctor::report() as i32,
        Command::Lsp(_) | Command::Reduce(_) => unreachable!("forwarded before clap parses"),
    };
    match outcome {
        Ok(()) => 0,
        Err(Failure::Reported) => 1,
        Err(Failure::Error { place, text }) => {
            print_error(&place, &text);
            1
        }
    }
}

/// Runs `mlopt help` or `mlopt help COMMAND`.
fn help(words: &[String]) -> i32 {
    let Some(word) = words.first() else {
        print!("{}", overview());
        return 0;
    };
    match Cli::command().find_subcommand_mut(word) {
        Some(found) => {
            let mut found = found.clone().bin_name(format!("mlopt {word}"));
            let _ = found.print_help();
            0
        }
        None => {
            let hint = did_you_mean(word, commands().iter().map(String::as_str));
            print_error("", &format!("unknown subcommand `{word}`{hint}; `mlopt help` lists them"));
            USAGE_STATUS
        }
    }
}

/// Returns the text of `mlopt help`.
pub fn overview() -> String {
    format!(include_str!("help/overview.txt"), env!("CARGO_PKG_VERSION"))
}
