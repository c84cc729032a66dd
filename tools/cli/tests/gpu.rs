//! Tests that run the programs of `test/arrays` as GPU kernels on the CPU, with the last thread first, and compare the
//! results with the numbers that their RUN lines expect of compiled code.

use mlopt_lowering::pipelines::GRAD_LAUNCHES;
use mlopt_lowering::pipelines::pipeline_text;
use std::path::{Path, PathBuf};
use std::process::Command;

const BACKWARDS: &str = "launches-to-loops{backwards=true blocks=2}";

/// Returns the file with only its runs of compiled code, which use kernels, and the number of these runs.
fn as_kernels(text: &str, pipeline: &str) -> (String, usize) {
    // A RUN line continues after a backslash.
    let joined = text.replace("\\\n// RUN:", "");
    let compiled = |line: &&str| !line.contains("--interpret") && !line.contains("not mlopt");
    let mut count = 0;
    let mut lines = Vec::new();
    for line in joined.lines() {
        match line.split_once("RUN: mlopt run %s ").filter(|_| compiled(&line)) {
            Some((_, rest)) => {
                count += 1;
                lines.push(format!("// RUN: mlopt run %s --pass-pipeline='{pipeline}' {rest}"));
            }
            None if line.contains("RUN:") => {}
            None => lines.push(line.to_string()),
        }
    }
    (lines.join("\n") + "\n", count)
}

#[test]
fn programs_give_the_same_numbers_as_kernels() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::temp_dir().join(format!("mlopt-kernels-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let passes: Vec<&str> =
        GRAD_LAUNCHES.iter().map(|pass| if *pass == "launches-to-loops" { BACKWARDS } else { pass }).collect();
    let pipeline = pipeline_text(&passes);
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(project.join("test/arrays")).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    let mut runs = 0;
    for program in programs.iter().filter(|p| p.extension().is_some_and(|e| e == "mlir")) {
        let text = std::fs::read_to_string(program).unwrap();
        // Such a file itself checks that its unsupported program is rejected.
        if text.contains("RUN: not mlopt compile %s --target=nvptx") {
            continue;
        }
        let (text, count) = as_kernels(&text, &pipeline);
        if count > 0 {
            runs += count;
            std::fs::write(folder.join(program.file_name().unwrap()), text).unwrap();
        }
    }
    assert!(runs >= 50, "{runs} runs");
    let status = Command::new(env!("CARGO_BIN_EXE_mlopt")).arg("test").arg(&folder).status().unwrap();
    assert!(status.success(), "mlopt test: {status}");
    std::fs::remove_dir_all(&folder).unwrap();
}
