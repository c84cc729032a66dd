//! PTX for NVIDIA devices. Comments at the beginning of the PTX file describe the plan of launches (docs/gpu.md).

use super::{CHECKS, Error, SIGNATURE, is_too_deep, translate};
use crate::data::functions_for_c::{Parameter, Signature, all_open_axes};
use crate::gpu::kernels_to_nvvm::{BLOCKS, STEP_OF, THREADS};
use crate::ir::{Attribute, Op, Type};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, RelocMode, TargetTriple};
use mlopt_dialects::bridge::initialize_targets;
use std::fmt::Write;

/// The devices by compute capability, from the first with atomic additions of f64.
pub const CHIPS: &[&str] =
    &["sm_60", "sm_61", "sm_62", "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"];

/// The output formats of `ptx`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    LlvmIr,
    Ptx,
}

/// Returns the code for `chip` of a module that `kernels-to-nvvm` has lowered.
pub fn device_code(module: Op, chip: &str, form: Device) -> Result<Vec<u8>, Error> {
    initialize_targets();
    if !CHIPS.contains(&chip) {
        return Err(Error::Target(format!("`{chip}`; expected one of {}", CHIPS.join(", "))));
    }
    let plan = plan(module, chip)?;
    let context = Context::create();
    let llvm = translate(module, &context)?;
    let deep = llvm.get_functions().any(is_too_deep);
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let level = if deep { OptimizationLevel::None } else { OptimizationLevel::Default };
    let machine = inkwell::targets::Target::from_triple(&triple)
        .ok()
        .and_then(|t| t.create_target_machine(&triple, chip, "", level, RelocMode::Default, CodeModel::Default))
        .ok_or_else(|| Error::Target(format!("`{chip}`: this LLVM has no NVPTX")))?;
    llvm.set_triple(&triple);
    llvm.set_data_layout(&machine.get_target_data().get_data_layout());
    let internal = |what: &str, e: String| Error::Internal(format!("{what}: {e}"));
    let passes = if deep { "default<O0>" } else { "default<O2>" };
    super::with_loops_written(|| llvm.run_passes(passes, &machine, PassBuilderOptions::create()))
        .map_err(|e| internal("LLVM's optimiser", e.to_string_lossy().into_owned()))?;
    if form == Device::LlvmIr {
        return Ok(llvm.print_to_string().to_bytes().to_vec());
    }
    let buffer = machine
        .write_to_memory_buffer(&llvm, FileType::Assembly)
        .map_err(|e| internal("code generation", e.to_string_lossy().into_owned()))?;
    let text = String::from_utf8_lossy(buffer.as_slice());
    let text = text.trim_end_matches('\0');
    if let Some(line) = text.lines().find(|line| line.contains(".extern")) {
        return Err(Error::Internal(format!("expected PTX without undefined symbols, found {line}")));
    }
    let head: String = plan.lines().map(|line| format!("//! {line}\n")).collect();
    Ok(format!("{head}{text}").into_bytes())
}

/// Returns the plan as JSON.
fn plan(module: Op, chip: &str) -> Result<String, Error> {
    let kernels: Vec<Op> = module.child_ops().into_iter().filter(|op| op.attribute(STEP_OF).is_some()).collect();
    let step_of = |op: &Op| op.attribute(STEP_OF).and_then(Attribute::as_string).unwrap_or_default();
    let mut functions = Vec::new();
    for sizes in kernels.iter().filter(|op| op.attribute(SIGNATURE).is_some()) {
        let name = step_of(sizes);
        let signature = sizes.attribute(SIGNATURE).and_then(|a| a.as_type()?.signature());
        let (inputs, results) =
            signature.ok_or_else(|| Error::Internal(format!("`@{name}` must have a signature, found none")))?;
        let signature = Signature { inputs, results };
        let checks = sizes.attribute(CHECKS).and_then(Attribute::as_array).unwrap_or_default();
        let checks: Vec<String> = checks.into_iter().filter_map(Attribute::as_string).collect();
        let launches = kernels.iter().filter(|op| step_of(op) == name && op.attribute(BLOCKS).is_some());
        let launch = |op: &Op| {
            let blocks = op.attribute(BLOCKS).and_then(Attribute::as_string).unwrap_or_default();
            let threads = op.attribute(THREADS).and_then(Attribute::as_i64).unwrap_or(1);
            let kernel = quoted(&op.symbol().unwrap_or_default());
            let blocks = blocks.parse::<i64>().map_or_else(|_| quoted(&blocks), |n| n.to_string());
            format!("        {{ \"kernel\": {kernel}, \"blocks\": {blocks}, \"threads\": {threads} }}")
        };
        let launches: Vec<String> = launches.map(launch).collect();
        let texts = |types: &[Type]| types.iter().map(|t| t.to_string()).collect::<Vec<_>>();
        let (inputs, results) = (texts(&signature.inputs), texts(&signature.results));
        let names: Vec<String> = signature.parameters().into_iter().map(Parameter::name).collect();
        let (buffers, all_sizes) = names.split_at(inputs.len() + results.len());
        let in_sizes = all_open_axes(signature.inputs.iter().map(|ty| ty.shape())).len();
        let words = |s: &str| vec![s.to_string()];
        let of_step = [buffers, &words("scratch"), all_sizes, &words("scratch_bytes")].concat();
        let of_sizes = [&buffers[..inputs.len()], &words("answer"), &all_sizes[..in_sizes]].concat();
        let mut f = String::new();
        let _ = writeln!(f, "    {{ \"name\": {},", quoted(&name));
        let _ = writeln!(f, "      \"inputs\": {},", list(&inputs));
        let _ = writeln!(f, "      \"results\": {},", list(&results));
        let _ = writeln!(f, "      \"checks\": {},", list(&checks));
        let _ = writeln!(f, "      \"parameters\": {},", list(&of_step));
        let _ = writeln!(
            f,
            "      \"sizes\": {{ \"kernel\": {}, \"parameters\": {} }},",
            quoted(&sizes.symbol().unwrap_or_default()),
            list(&of_sizes)
        );
        let _ = write!(f, "      \"launches\": [\n{}\n      ] }}", launches.join(",\n"));
        functions.push(f);
    }
    let functions = functions.join(",\n");
    Ok(format!(
        "{{ \"convention\": \"docs/gpu.md\", \"chip\": {},\n  \"functions\": [\n{functions}\n  ] }}",
        quoted(chip)
    ))
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.iter().map(|s| quoted(s)).collect::<Vec<_>>().join(", "))
}

/// Returns a JSON string.
fn quoted(text: &str) -> String {
    let mut s = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => s.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(s, "\\u{:04x}", c as u32);
            }
            c => s.push(c),
        }
    }
    s.push('"');
    s
}
