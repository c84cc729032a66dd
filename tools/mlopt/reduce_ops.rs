//! The pass `reduce-ops` of `mlopt reduce`: ops go, one half, quarter, … at a time, while a test stays interesting.
//!
//! MLIR's own `reduction-tree` only erases ops whose results nothing uses. Here an op also becomes one of its operands,
//! or an argument of its function, of the same type, so that programs stay valid while they shrink. This is delta
//! debugging (Zeller and Hildebrandt, 2002), with the ops of the module as its elements.

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption};
use mlopt_dialects::ir::{Op, Value};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const PASS: Pass = Pass {
    name: "reduce-ops",
    description: "Remove ops while the test script calls the module interesting (for `mlopt reduce`)",
    anchor: "builtin.module",
    options: &[PassOption {
        name: "test",
        kind: OptionKind::Text,
        initial: "",
        description: "Program that gets the name of an .mlir file, and exits with 1 while that is interesting",
    }],
    dialects: &[],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    let test = Test::new(module, options.text("test"))?;
    if !test.is_interesting(module) {
        return Err(module.error(format!("is not interesting: `{}` exits with 0", test.script)).emit());
    }
    let mut best = module.clone_op();
    loop {
        let before = best.nested_ops().len();
        let mut chunk = before;
        while chunk > 0 {
            let mut end = best.nested_ops().len();
            while end > 0 {
                let start = end.saturating_sub(chunk);
                let candidate = best.clone_op();
                let removed = remove(&candidate.nested_ops()[start..end]);
                if removed > 0 && test.is_interesting(candidate) {
                    std::mem::replace(&mut best, candidate).erase();
                } else {
                    candidate.erase();
                }
                end = start.min(best.nested_ops().len());
            }
            chunk /= 2;
        }
        if best.nested_ops().len() == before {
            break;
        }
    }
    let body = module.body().expect("a module has a body");
    module.child_ops().into_iter().rev().for_each(Op::erase);
    best.child_ops().into_iter().for_each(|op| {
        body.append(op.clone_op());
    });
    best.erase();
    Ok(())
}

/// Removes those of `ops` that can go without leaving a use behind, the last first. Returns how many went.
fn remove(ops: &[Op]) -> usize {
    let mut removed = 0;
    for &op in ops.iter().rev() {
        let parent = op.parent_op().expect("nested ops have a parent");
        // Ending a block is what a terminator is for.
        if op.next().is_none() && parent.name() != "builtin.module" {
            continue;
        }
        let used: Vec<Value> = op.results().into_iter().filter(|r| !r.is_unused()).collect();
        let stand_ins: Option<Vec<Value>> = used.iter().map(|r| stand_in(op, *r)).collect();
        let Some(stand_ins) = stand_ins else { continue };
        if op.symbol().is_some_and(|name| is_named(op, &name)) {
            continue;
        }
        for (result, value) in used.iter().zip(stand_ins) {
            result.replace_all_uses_with(value);
        }
        op.erase();
        removed += 1;
    }
    removed
}

/// A value that may take the place of `result`: an operand of its op, or an argument of a block around it.
fn stand_in(op: Op, result: Value) -> Option<Value> {
    let mut candidates = op.operands();
    let mut scope = Some(op);
    while let Some(block) = scope.and_then(Op::block) {
        candidates.extend(block.arguments());
        scope = block.parent_op();
    }
    candidates.into_iter().find(|v| v.ty() == result.ty())
}

/// Whether any op beside it mentions the symbol `name`.
fn is_named(op: Op, name: &str) -> bool {
    let reference = format!("@{name}");
    let module = op.module().expect("a symbol is in a module");
    module
        .nested_ops()
        .into_iter()
        .any(|other| other.attributes().iter().any(|(_, a)| a.as_symbol().is_some() && a.to_string() == reference))
}

/// The user's script.
struct Test {
    script: String,
    file: PathBuf,
}

impl Test {
    fn new(module: Op, script: &str) -> Result<Test, Reported> {
        if script.is_empty() {
            return Err(module
                .error("cannot be reduced: expected `reduce-ops{test=PROGRAM}`, found no program")
                .emit());
        }
        if !Path::new(script).exists() {
            return Err(module.error(format!("cannot be reduced: there is no program `{script}`")).emit());
        }
        let file = std::env::temp_dir().join(format!("mlopt-reduce-{}.mlir", std::process::id()));
        Ok(Test { script: script.to_string(), file })
    }

    fn is_interesting(&self, module: Op) -> bool {
        std::fs::write(&self.file, module.to_string()).is_ok()
            && Command::new(&self.script)
                .arg(&self.file)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| !status.success())
    }
}

impl Drop for Test {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}
