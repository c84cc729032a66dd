//! The command with which a mutant is run: the RUN line of its file, a pass, a pipeline, or a subcommand.

use super::Random;
use super::corpus::Source;
use crate::error::Error;
use crate::root;
use crate::tree::{read, rust_files};
use std::path::Path;

/// Passes and pipelines, read from the sources.
pub struct Known {
    /// The elements of `builtin.module(…)`.
    passes: Vec<String>,
    pipelines: Vec<Vec<String>>,
}

impl Known {
    pub fn read() -> Result<Known, Error> {
        let mut anchors: Vec<(String, String)> = vec![];
        for folder in ["passes", "lowering"] {
            for file in rust_files(&root().join(folder))? {
                let text = read(&file)?;
                // A phase of `egg-optimize` is a pass on functions, which a macro defines.
                if let Some((_, phase)) = text.split_once("phase_pass! {") {
                    anchors.extend(quoted(phase.trim_start()).map(|name| (name, "func.func".to_string())));
                }
                let Some((_, pass)) = text.split_once(": Pass = Pass {") else { continue };
                let field = |name: &str| Some(pass.split_once(&format!("{name}: "))?.1);
                let name = field("name").and_then(quoted);
                anchors.extend(name.zip(field("anchor").and_then(|text| quoted(text).or_else(|| op_name(text)))));
            }
        }
        let nested = |pass: &str| {
            let name = pass.split('{').next().unwrap_or_default();
            match anchors.iter().find(|(n, _)| n == name) {
                Some((_, anchor)) if anchor != "builtin.module" => format!("{anchor}({pass})"),
                _ => pass.to_string(),
            }
        };
        let list = read(&root().join("lowering/pipelines/mod.rs"))?;
        let pipelines = list.split(": &[&str] = &[").skip(1).map(|rest| {
            let mut rest = rest.split("];").next().unwrap_or_default();
            let mut pipeline = vec![];
            while let Some(at) = rest.find('"') {
                let Some(pass) = quoted(&rest[at..]) else { break };
                rest = &rest[at + pass.len() + 2..];
                pipeline.push(nested(&pass));
            }
            pipeline
        });
        let known =
            Known { passes: anchors.iter().map(|(name, _)| nested(name)).collect(), pipelines: pipelines.collect() };
        match known.passes.is_empty() || known.pipelines.iter().any(Vec::is_empty) || known.pipelines.is_empty() {
            true => Err(Error::Unexpected(
                "passes and pipelines are not found where they were: passes/*.rs, lowering/pipelines/".into(),
            )),
            false => Ok(known),
        }
    }

    /// Returns the commands of every single pass and every pipeline on a file. A pipeline also tests its prefixes.
    pub fn every(&self, source: &Source) -> Vec<Vec<String>> {
        let pipelines = self.pipelines.iter().map(|passes| passes.join(","));
        let all = self.passes.iter().cloned().chain(pipelines);
        all.map(|pipeline| through(&source.path, &source.text, &pipeline)).collect()
    }
}

/// Returns the arguments of `mlopt` for a pipeline on a file that contains `text`.
fn through(file: &str, text: &str, pipeline: &str) -> Vec<String> {
    let mut options = words(&[file, &format!("--pass-pipeline=builtin.module({pipeline})"), "-o", "/dev/null"]);
    if text.contains("// -----") {
        options.push("--split-input-file".into());
    }
    options
}

/// Returns the name of the op in an expression such as `Kind::FuncFunc.name()`.
fn op_name(text: &str) -> Option<String> {
    let kind = text.split_once("Kind::")?.1.split_once(".name()")?.0;
    let mut name = String::new();
    for c in kind.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push(if name.contains('.') { '_' } else { '.' });
        }
        name.extend(c.to_lowercase());
    }
    Some(name)
}

/// Returns the quoted text at the start of `text`.
fn quoted(text: &str) -> Option<String> {
    text.strip_prefix('"')?.split_once('"').map(|(inside, _)| inside.to_string())
}

/// Returns the arguments of `mlopt` for a mutant of `source` in `file`.
pub fn command(source: &Source, text: &str, file: &Path, known: &Known, random: &mut Random) -> Vec<String> {
    let mut command = command_on(source, text, file, known, random);
    // Text taken from a mutant may contain a NUL byte, which arguments cannot.
    command.iter_mut().for_each(|word| word.retain(|c| c != '\0'));
    command
}

fn command_on(source: &Source, text: &str, file: &Path, known: &Known, random: &mut Random) -> Vec<String> {
    let file = file.to_string_lossy().into_owned();
    match source.extension {
        "mlir" => program(source, text, &file, known, random),
        "rules" => {
            let driver = random.pick(&["both", "egg", "normalise"]);
            let rules = format!("egg-optimize{{driver={driver} rules=all,{file} check-rules={}}}", random.one_in(2));
            words(&["test/optimiser/user_rules.mlir", &format!("--pass-pipeline=builtin.module(func.func({rules}))")])
        }
        "rml2" => match random.below(3) {
            0 => words(&["import-streams", &file]),
            1 => words(&["import-streams", &file, "--type", "x=f64", "--type", "y=f64", "--locations"]),
            _ => words(&["import-streams", &file, "--static", "units=2", "--float", "f32"]),
        },
        "lambda" => match random.below(5) {
            0 => words(&["import-lambda", &file]),
            1 => [words(&["run", &file, "--interpret"]), arguments(text, random)].concat(),
            2 => words(&["compile", &file, "--emit=llvm", "-o", "/dev/null"]),
            3 => words(&["view", random.pick(&["--calls", "--closures"]), &file, "-o", "/dev/null"]),
            _ => [words(&["run", &file, "--max-seconds=10"]), arguments(text, random)].concat(),
        },
        _ => words(&["import-terms", &file]),
    }
}

fn program(source: &Source, text: &str, file: &str, known: &Known, random: &mut Random) -> Vec<String> {
    let options = |pipeline: &str| through(file, text, pipeline);
    let own = own_commands(source, file);
    match random.below(20) {
        0 => words(&[file, "-o", "/dev/null"]),
        1..=6 if !own.is_empty() => random.of(&own).clone(),
        1..=9 => options(random.of(&known.passes).as_str()),
        10..=14 => {
            let pipeline = random.of(&known.pipelines);
            options(&pipeline[..1 + random.below(pipeline.len())].join(","))
        }
        _ => subcommand(text, file, random),
    }
}

fn subcommand(text: &str, file: &str, random: &mut Random) -> Vec<String> {
    let (functions, nodes) = (symbols(text, "func.func"), symbols(text, "stream.node"));
    if !nodes.is_empty() && random.below(3) < 2 {
        let node = random.of(&nodes);
        return match random.below(5) {
            0 => words(&["run", file, "--node", node, "--ticks=5", "--interpret"]),
            1 => words(&["run", file, "--node", node, "--ticks=5", "--input", "x=[1, 2, ., 4]"]),
            2 => words(&["view", "--dataflow", file, "--node", node, "-o", "/dev/null"]),
            3 => words(&["compile", file, "--node", node, "-o", "/dev/null"]),
            _ => words(&["run", file, "--node", node, "--ticks=5"]),
        };
    }
    let entry: Vec<String> = match functions.is_empty() {
        true => vec![],
        false => words(&["--entry", random.of(&functions).as_str()]),
    };
    let emits = ["mlir", "llvm", "asm", "ptx"];
    match random.below(10) {
        0 | 1 => [words(&["run", file, "--max-seconds=10"]), entry, arguments(text, random)].concat(),
        2 | 3 => [words(&["run", file, "--interpret"]), entry, arguments(text, random)].concat(),
        4 => words(&["explain", file]),
        5 => words(&["equiv", file, file, "--points=2"]),
        6 => [words(&["check-grad", file, "--points=1", "--size=3"]), entry].concat(),
        7 => {
            words(&["view", random.pick(&["--egraph", "--dataflow", "--calls", "--closures"]), file, "-o", "/dev/null"])
        }
        8 => words(&["explain", file, "--profile=counts"]),
        _ => {
            let emit = random.pick(&emits);
            let target = if emit == "ptx" { "--target=nvptx" } else { "--target=x86-64" };
            words(&["compile", file, target, &format!("--emit={emit}"), "-o", "/dev/null"])
        }
    }
}

/// Returns a value for each parameter of the first function, by its type.
fn arguments(text: &str, random: &mut Random) -> Vec<String> {
    let Some((_, rest)) = text.split_once("func.func @") else {
        return words(&["--arg", "2"]);
    };
    let inputs = rest.split_once('(').map_or("", |(_, inputs)| inputs);
    let inputs = inputs.split(") ").next().unwrap_or_default();
    let mut values = vec![];
    for input in inputs.split('%').skip(1).take(12) {
        let ty = input.split_once(':').map_or("", |(_, ty)| ty.trim());
        let value = match ty.strip_prefix("tensor<").and_then(|t| t.split_once('>')) {
            Some((shape, _)) => format!("random:{}:seed=1", shape.replace('?', "3")),
            None if ty.starts_with("i1") => "true".into(),
            None => random.pick(&["2", "0", "-1", "7"]).to_string(),
        };
        values.extend(["--arg".to_string(), value]);
    }
    values
}

/// Returns the names that follow a keyword: `@f` of `func.func @f(`.
fn symbols(text: &str, keyword: &str) -> Vec<String> {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let names = text.split(keyword).skip(1).filter_map(|rest| {
        let rest = rest.trim_start().trim_start_matches("private").trim_start().strip_prefix('@')?;
        Some(&rest[..rest.find(|c| !in_name(c)).unwrap_or(rest.len())])
    });
    names.filter(|name| !name.is_empty()).map(|name| format!("@{name}")).collect()
}

/// Returns the commands of the source's RUN lines that run `mlopt` on the file itself.
fn own_commands(source: &Source, file: &str) -> Vec<Vec<String>> {
    let mut lines: Vec<String> = vec![];
    for line in source.text.lines() {
        let Some((_, run)) = line.split_once("RUN:") else { continue };
        match lines.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => {
                last.pop();
                last.push_str(run);
            }
            None => lines.push(run.trim().into()),
        }
    }
    let folder = Path::new(&source.path).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned();
    let mut found = vec![];
    for stage in lines.iter().flat_map(|line| line.split("&&")) {
        let first = stage.split(" | ").next().unwrap_or_default().trim();
        let Some(rest) = first.strip_prefix("not ").unwrap_or(first).strip_prefix("mlopt ") else { continue };
        let words = shell_words(rest);
        // Redirections and temporary files need a shell.
        let kept = words.iter().take_while(|w| !w.starts_with('>') && !w.starts_with("2>") && *w != "<");
        let kept: Vec<String> = kept.map(|w| w.replace("%s", file).replace("%S", &folder)).collect();
        let is_alone = !kept.iter().any(|w| w.contains("%t") || w.contains("%T"));
        let writes = ["test", "bench", "lsp", "reduce"].contains(&kept.first().map_or("", String::as_str));
        if is_alone && !writes && kept.iter().any(|w| w.contains(file)) {
            found.push(kept);
        }
    }
    found
}

/// Splits words like a shell: quotes enclose blanks.
fn shell_words(text: &str) -> Vec<String> {
    let (mut found, mut word, mut quote) = (vec![], String::new(), None);
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c.is_whitespace() => {
                if !word.is_empty() {
                    found.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(c),
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| w.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_and_pipelines_are_found() {
        let known = Known::read().unwrap();
        for pass in ["plan-memory", "func.func(egg-optimize)", "func.func(contract-sums)", "differentiate"] {
            assert!(known.passes.iter().any(|p| p == pass), "{pass}");
        }
        let listed = |file: &str| read(&root().join(file)).unwrap().matches("::PASS,").count();
        assert_eq!(known.passes.len(), listed("passes/lib.rs") + listed("lowering/lib.rs"));
        assert!(known.pipelines.iter().any(|p| p.first().is_some_and(|p| p == "lambda-specialise")));
    }

    #[test]
    fn commands_of_a_file_are_read() {
        let text = "// RUN: mlopt %s --pass-pipeline='a b' \\\n// RUN:   --cse 2>&1 | FileCheck %s\n\
                    // RUN: not mlopt run %s\n";
        let source = Source { path: "d/f.mlir".into(), extension: "mlir", text: text.into() };
        let found = own_commands(&source, "m.mlir");
        assert_eq!(found, [words(&["m.mlir", "--pass-pipeline=a b", "--cse"]), words(&["run", "m.mlir"])]);
    }
}
