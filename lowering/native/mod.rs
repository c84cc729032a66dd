//! Machine code: modules in the LLVM dialect become assembly, object files, LLVM IR text, shared libraries or PTX. This
//! module may use `abi`, which describes exported functions, and the attributes of such functions that `llvm`, `gpu`
//! and `data` add. It must not run the code that it generates: that is the task of `tools/runtime`.
//!
//! LLVM is linked statically, and only once: MLIR's translation, the optimiser and the JIT use the same copy. The JIT
//! runs the object file that `mlopt compile` would write for the same target.

mod processors;
mod ptx;
mod shared;
mod signature;

pub use crate::abi::{CHECKS, SIGNATURE, VECTOR_BITS};
pub use processors::{UnknownProcessor, check_processor, lacking};
pub use ptx::{CHIPS, Device, device_code};
pub use shared::{c_type, header, link_objects, link_shared};
pub use signature::{Export, Signature, SizeCheck, Trap, ValueType, exports};

use crate::ir::Op;
use crate::llvm::function_splitting::{LONG, PIECE};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Module;
use inkwell::targets::{CodeModel, FileType, RelocMode, TargetMachine, TargetTriple};
use inkwell::values::{FunctionValue, InstructionOpcode, InstructionValue};
use inkwell::{OptimizationLevel, context::Context, passes::PassBuilderOptions};
use mlopt_dialects::bridge::conversion::translate_to_llvm_ir;
use mlopt_dialects::bridge::{initialize_targets, set_llvm_option};
use mlopt_dialects::ops::HasKind;
use mlopt_dialects::text::count;
use std::sync::{Once, PoisonError, RwLock};

/// An error between a lowered module and its results.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum Error {
    #[error("there is no function `@{name}`; the module has {}", list(.known))]
    UnknownFunction { name: String, known: Vec<String> },
    #[error("`@{function}` takes {}, found {found}", count(*.expected, "argument"))]
    ArgumentCount { function: String, expected: usize, found: usize },
    #[error("argument #{position} of `@{function}` must be `{expected}`, found `{found}`")]
    ArgumentType { function: String, position: usize, expected: String, found: String },
    #[error("`@{function}`: {message}")]
    Check {
        function: String,
        message: String,
        /// Some if operands have different sizes.
        mismatch: Option<Trap>,
    },
    #[error("`@{function}` needs {bytes} bytes of memory{what}, more than {bound}")]
    TooLarge { function: String, bytes: String, what: String, bound: String },
    /// The program stopped itself, at a position of its text.
    #[error("{text}")]
    Stopped {
        place: String,
        text: String,
        /// True if arrays have other sizes than a function of arrays needs.
        is_mismatch: bool,
    },
    #[error("unknown target: {0}")]
    Target(String),
    #[error("code for `{cpu}` cannot run on this machine, which lacks {}", .missing.join(", "))]
    Foreign { cpu: String, missing: Vec<String> },
    #[error("linking failed: {0}")]
    Link(String),
    #[error("internal error: {0}")]
    Internal(String),
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none that can be called".to_string();
    }
    names.iter().map(|n| format!("`@{n}`")).collect::<Vec<_>>().join(", ")
}

/// The output formats of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    LlvmIr,
    Assembly,
    Object,
}

/// The stack alignment of the calling convention.
const STACK_BITS: usize = 128;

/// The processors, by their names in LLVM, whose vectors have 512 or 256 bits; for others, the features decide.
const WITH_512: &str = "\
    x86-64-v4 skylake-avx512 cascadelake cooperlake cannonlake icelake-client icelake-server tigerlake rocketlake \
    sapphirerapids emeraldrapids graniterapids graniterapids-d znver4 znver5";
const WITH_256: &str = "\
    x86-64-v3 haswell broadwell skylake alderlake raptorlake meteorlake arrowlake lunarlake sierraforest grandridge \
    gracemont pantherlake clearwaterforest bdver4 znver1 znver2 znver3";

/// A target CPU. Creating one takes about a millisecond, so it should be reused.
pub struct Target {
    machine: TargetMachine,
    cpu: String,
    features: String,
    vector_bits: usize,
    level: Level,
}

/// The optimisation level of LLVM.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// All optimisations.
    Full,
    /// The usual scalar optimisations, without vectorisation.
    Plain,
}

impl Target {
    /// Returns the CPU of this machine, with all its features.
    pub fn host() -> Result<Target, Error> {
        let cpu = TargetMachine::get_host_cpu_name();
        let features = TargetMachine::get_host_cpu_features();
        Target::new(&cpu.to_string_lossy(), &features.to_string_lossy())
    }

    /// Returns a CPU by its name in LLVM (`x86-64-v3`, `znver4`; `native` is this machine's) and features
    /// (`+avx2,-avx512f`).
    pub fn named(cpu: &str, features: &str) -> Result<Target, Error> {
        if cpu != "native" {
            return Target::new(cpu, features);
        }
        let cpu = TargetMachine::get_host_cpu_name();
        let host = TargetMachine::get_host_cpu_features();
        Target::new(&cpu.to_string_lossy(), &format!("{},{features}", host.to_string_lossy()))
    }

    /// Returns a generic x86-64 processor, without LLVM's loop optimisations: the code is simple rather than fast.
    pub fn plain() -> Result<Target, Error> {
        Target::at("x86-64", "", Level::Plain)
    }

    fn new(cpu: &str, features: &str) -> Result<Target, Error> {
        Target::at(cpu, features, Level::Full)
    }

    fn at(cpu: &str, features: &str, level: Level) -> Result<Target, Error> {
        initialize_targets();
        let effort = if level == Level::Full { OptimizationLevel::Aggressive } else { OptimizationLevel::Less };
        let machine = machine(cpu, features, effort)?;
        let is_one_of = |cpus: &str| cpus.split(' ').any(|known| known == cpu);
        let sign = |feature: &str| features.rsplit(',').find_map(|f| f.strip_suffix(feature));
        let vector_bits = match () {
            _ if sign("avx512f").map_or_else(|| is_one_of(WITH_512), |sign| sign == "+") => 512,
            _ if sign("avx2").map_or_else(|| is_one_of(WITH_256) || is_one_of(WITH_512), |sign| sign == "+") => 256,
            _ => 128,
        };
        Ok(Target { machine, cpu: cpu.to_string(), features: features.to_string(), vector_bits, level })
    }

    /// Returns the processor, by its name in LLVM.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// Returns the features that are added to and removed from those of the processor.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// Returns everything that code for the target depends on, as text.
    pub fn description(&self) -> String {
        let level = if self.level == Level::Full { "full" } else { "plain" };
        format!("{} {} {level}", self.cpu, self.features)
    }

    /// Records the target in an attribute of `module`, for the passes. [`Target::emit`] requires it.
    pub fn describe(&self, module: Op) {
        let word = module.context().scalar(mlopt_dialects::value::Element::I64);
        module.set_attribute(VECTOR_BITS, crate::ir::Attribute::integer(word, self.vector_bits as i64));
    }

    /// Translates, optimises and emits `module`, which must be entirely in the LLVM dialect. Its target must have been
    /// recorded before the passes that lowered it, because code generated for other vectors would run slowly.
    pub fn emit(&self, module: Op, form: Emit) -> Result<Vec<u8>, Error> {
        let made_for = module.attribute(VECTOR_BITS).and_then(|bits| bits.as_i64());
        if made_for != Some(self.vector_bits as i64) {
            let found = made_for.map_or("unknown".to_string(), |bits| format!("{bits}-bit"));
            let expected = format!("{}-bit vectors of `{}`", self.vector_bits, self.cpu);
            return Err(Error::Internal(format!(
                "the module must have been lowered for the {expected}, found {found} vectors"
            )));
        }
        let context = Context::create();
        let llvm = translate(module, &context)?;
        llvm.set_triple(&self.machine.get_triple());
        llvm.set_data_layout(&self.machine.get_target_data().get_data_layout());
        let mark = |name: &str, value: &str| {
            let attribute = context.create_string_attribute(name, value);
            let defined = llvm.get_functions().filter(|f| f.count_basic_blocks() > 0);
            defined.for_each(|f| f.add_attribute(AttributeLoc::Function, attribute));
        };
        // LLVM prefers 256-bit vectors on several CPUs with AVX-512; full width was measured to be as fast or faster.
        if self.vector_bits == 512 {
            mark("prefer-vector-width", "512");
        }
        // Otherwise registers that are saved on the stack would cross cache lines, depending on the stack alignment of
        // the caller.
        if self.vector_bits > STACK_BITS {
            mark("stackrealign", "");
        }
        let plain;
        let (machine, passes) = if llvm.get_functions().any(is_too_deep) {
            plain = machine(&self.cpu, &self.features, OptimizationLevel::None)?;
            (&plain, "default<O0>")
        } else if llvm.get_functions().any(carries_much) {
            (&self.machine, "function(sroa,early-cse<memssa>,loop-mssa(licm),adce)")
        } else if self.level == Level::Plain {
            (&self.machine, "default<O1>")
        } else {
            (&self.machine, "default<O3>")
        };
        let internal = |what: &str, e: String| Error::Internal(format!("{what}: {e}"));
        let options = PassBuilderOptions::create();
        options.set_loop_vectorization(self.level == Level::Full);
        let exceptions =
            QUICK.iter().find(|(least, _)| has_instructions(&llvm, *least)).map_or(&[][..], |quick| quick.1);
        with_exceptions(exceptions, || llvm.run_passes(passes, machine, options))
            .map_err(|e| internal("LLVM's optimiser", e.to_string_lossy().into_owned()))?;
        let file = match form {
            Emit::LlvmIr => return Ok(llvm.print_to_string().to_bytes().to_vec()),
            Emit::Assembly => FileType::Assembly,
            Emit::Object => FileType::Object,
        };
        let is_cut = cut(&llvm, &context);
        let buffer = with_quick_generation(&llvm, is_cut, || machine.write_to_memory_buffer(&llvm, file))
            .map_err(|e| internal("code generation", e.to_string_lossy().into_owned()))?;
        Ok(buffer.as_slice().to_vec())
    }
}

/// LLVM's options hold for the whole process. Compilations share them; a compilation that needs other values runs
/// exclusively.
static OPTIONS: RwLock<()> = RwLock::new(());

/// The name of an LLVM option, and its value.
type LlvmOption = (&'static str, &'static str);

/// The LLVM options for compilation for processors.
///
/// Only loops are vectorised: LLVM 19's SLP vectoriser miscompiles small sums with `reassoc` on AVX-512; in the
/// gradient of the vector `nnmf_poisson` it exchanges operands of some lanes. Loops of 8 or more iterations are not
/// fully unrolled before they are vectorised: LLVM unrolls before it vectorises, and would then find no loop.
const OURS: &[LlvmOption] = &[("vectorize-slp", "false"), LOOP];
const LOOP: LlvmOption = ("unroll-full-max-count", "7");

/// Compiles with [`OURS`].
fn with_our_options<T>(compile: impl FnOnce() -> T) -> T {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| OURS.iter().for_each(|(name, value)| set_llvm_option(name, value)));
    let _shared = OPTIONS.read().unwrap_or_else(PoisonError::into_inner);
    compile()
}

/// Compiles with other options, if there are any, while no other thread compiles.
fn with_exceptions<T>(exceptions: &[LlvmOption], compile: impl FnOnce() -> T) -> T {
    if exceptions.is_empty() {
        return with_our_options(compile);
    }
    with_our_options(|| ());
    let _alone = OPTIONS.write().unwrap_or_else(PoisonError::into_inner);
    exceptions.iter().for_each(|(name, value)| set_llvm_option(name, value));
    let result = compile();
    for (name, _) in exceptions {
        let usual = OURS.iter().find(|(ours, _)| ours == name).map_or("", |(_, value)| value);
        set_llvm_option(name, usual);
    }
    result
}

/// Compiles for a device, which has no vectors, with loops fully unrolled.
pub(crate) fn with_loops_written<T>(compile: impl FnOnce() -> T) -> T {
    // The maximum of 32 bits.
    with_exceptions(&[(LOOP.0, "4294967295")], compile)
}

/// The options for large modules, by the number of instructions from which they hold. Every copy of the body of a loop
/// costs time in selection of instructions and in loop strength reduction, which then take most of the total time (on
/// AMD processors, for which LLVM unrolls most). Loops with unknown trip counts are not unrolled beyond vectorisation
/// (the gradient of a network of three layers with dynamic sizes: 1.7 of 2.7 s); in larger modules, other loops hardly
/// are (the gradient of attention with known sizes, whose code runs no faster with unrolled loops: 0.33 of 0.78 s).
const QUICK: &[(usize, &[LlvmOption])] =
    &[(10_000, &[("unroll-runtime", "false"), ("unroll-threshold", "60")]), (4_000, &[("unroll-runtime", "false")])];

/// The number of instructions from which code is generated without two passes. The time of the one that moves scalars
/// to mask registers grows with the square of their number, and would exceed that of all other passes (20,000: 1.9 of
/// 4.4 s). Loop strength reduction saves a tenth of the instructions of a contraction, but no time, because processors
/// compute addresses beside the arithmetic (the gradient of attention: 0.1 of 0.65 s of compilation, 4.7 ms of a call
/// with and without it).
const LARGE_TO_GENERATE: usize = 6_000;

/// Checks whether `llvm` has at least `least` instructions.
fn has_instructions(llvm: &Module, least: usize) -> bool {
    let blocks = llvm.get_functions().flat_map(|f| f.get_basic_blocks());
    blocks.flat_map(|block| block.get_instructions()).take(least).count() == least
}

/// Cuts long blocks at the ends of functions into pieces. Selection and scheduling of instructions take time that grows
/// with the square of the length of a block, and LLVM's optimiser has joined the pieces that `function_splitting::cut`
/// made. Returns whether there are such blocks.
fn cut(llvm: &Module, context: &Context) -> bool {
    let builder = context.create_builder();
    let mut is_cut = false;
    for block in llvm.get_functions().flat_map(|f| f.get_basic_blocks()) {
        // No phi node refers to a block that returns.
        let returns = block.get_terminator().is_some_and(|end| end.get_opcode() == InstructionOpcode::Return);
        let instructions: Vec<InstructionValue> = block.get_instructions().collect();
        if !returns || instructions.len() < LONG {
            continue;
        }
        // Stack slots outside of the first block would be allocated dynamically.
        let is_at_start =
            |i: &InstructionValue| matches!(i.get_opcode(), InstructionOpcode::Phi | InstructionOpcode::Alloca);
        let start = instructions.iter().rposition(is_at_start).map_or(0, |last| last + 1);
        let mut last = block;
        for piece in instructions[start.max(PIECE)..].chunks(PIECE) {
            let next = context.insert_basic_block_after(last, "");
            builder.position_at_end(next);
            for instruction in piece {
                instruction.remove_from_basic_block();
                builder.insert_instruction(instruction, None);
            }
            builder.position_at_end(last);
            builder.build_unconditional_branch(next).expect("the builder has a position");
            last = next;
        }
        is_cut = true;
    }
    is_cut
}

/// Runs `generate` with the options for the size of `llvm`; `is_cut` states whether [`cut`] has cut blocks.
fn with_quick_generation<T>(llvm: &Module, is_cut: bool, generate: impl FnOnce() -> T) -> T {
    let mut exceptions: Vec<LlvmOption> = vec![];
    if has_instructions(llvm, LARGE_TO_GENERATE) {
        exceptions.extend([("disable-x86-domain-reassignment", "true"), ("disable-lsr", "true")]);
    }
    if is_cut {
        // The pass that lets stack slots share memory takes time that grows with the square of their number.
        exceptions.push(("disable-ssc", "true"));
    }
    if is_cut || llvm.get_functions().any(carries_much) {
        // CodeGenPrepare would merge the blocks that have been cut.
        exceptions.push(("disable-cgp", "true"));
        // For AMD processors LLVM schedules instructions again at the end, in time that grows with the square of a
        // block.
        exceptions.push(("disable-post-ra", "true"));
    }
    with_exceptions(&exceptions, generate)
}

fn machine(cpu: &str, features: &str, level: OptimizationLevel) -> Result<TargetMachine, Error> {
    let triple = TargetTriple::create("x86_64-unknown-linux-gnu");
    let target =
        inkwell::targets::Target::from_triple(&triple).map_err(|e| Error::Target(e.to_string_lossy().into_owned()))?;
    target
        .create_target_machine(&triple, cpu, features.trim_matches(','), level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| Error::Target(format!("`{cpu}` with features `{features}`")))
}

/// Checks whether `loops-to-llvm` has disabled optimisation of a function. The code generator has one level for the
/// whole module, so one such function decides for all.
fn is_too_deep(f: FunctionValue) -> bool {
    f.get_enum_attribute(AttributeLoc::Function, Attribute::get_named_enum_kind_id("optnone")).is_some()
}

/// The maximum number of values that a loop may carry before LLVM's passes take too long: the time of some grows with
/// the square of their number. Our own passes have simplified such code, and its loop is too large to be vectorised.
const MOST_CARRIED: usize = 256;

fn carries_much(f: FunctionValue) -> bool {
    let is_phi = |i: &InstructionValue| i.get_opcode() == InstructionOpcode::Phi;
    f.get_basic_blocks().iter().any(|block| block.get_instructions().take_while(is_phi).count() > MOST_CARRIED)
}

/// Translates the LLVM-dialect `module` to an LLVM module that `context` owns.
fn translate<'c>(module: Op, context: &'c Context) -> Result<Module<'c>, Error> {
    let is_low = |op: &Op| matches!(op.kind().dialect(), "llvm" | "nvvm");
    if let Some(op) = module.nested_ops().into_iter().find(|op| !is_low(op)) {
        let name = op.name();
        return Err(Error::Internal(format!(
            "expected ops of the LLVM dialect, found `{name}`; run `loops-to-llvm` first"
        )));
    }
    translate_to_llvm_ir(module, context)
        .ok_or_else(|| Error::Internal("MLIR cannot translate the module to LLVM IR".to_string()))
}
