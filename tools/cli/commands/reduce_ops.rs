//! The pass `reduce-ops` of `mlopt reduce`: removes ops as long as a test script still finds a given property in the
//! program, for example an error. MLIR calls a program with this property *interesting*.
//!
//! MLIR's own pass `reduction-tree` only erases ops whose results are unused. The reductions of this pass are defined
//! in `passes/analysis/shrink.rs`.

use mlopt_dialects::Reported;
use mlopt_dialects::bridge::{OptionKind, Options, Pass, PassOption};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::Kind;
use mlopt_passes::analysis::shrink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const PASS: Pass = Pass {
    name: "reduce-ops",
    description: "Remove ops while the test script still finds a given property (for `mlopt reduce`)",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption {
        name: "test",
        kind: OptionKind::Text,
        initial: "",
        description: "Program that takes the name of an .mlir file, and exits with 1 if the module has the property",
    }],
    dialects: &[],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    let test = Test::new(module, options.text("test"))?;
    if !test.is_interesting(module) {
        return Err(module
            .error(format!(
                "cannot be reduced: `{}` must exit with 1 for the whole program, but it exits with 0; 1 means that the \
                 program has the property to be kept",
                test.script
            ))
            .emit());
    }
    let best = shrink::smallest(module, &mut |candidate| test.is_interesting(candidate));
    let body = module.entry();
    module.child_ops().into_iter().rev().for_each(Op::erase);
    best.child_ops().into_iter().for_each(|op| {
        body.append(op.clone_op());
    });
    best.erase();
    Ok(())
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
            return Err(module.error(format!("cannot be reduced: expected a program `{script}`, found none")).emit());
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
