//! Tests of the executable that need random files or every pass of MLIR. The other tests of the executable are
//! transcripts in `test/tool/command_line.md`.

use mlopt_cases::Knuth;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const DOT: &str = "\
func.func @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
";

/// The folder of one test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("mlopt-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("dot.mlir"), DOT).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    fn mlopt(&self, arguments: &[&str]) -> Outcome {
        run(Command::new(env!("CARGO_BIN_EXE_mlopt")).args(arguments).current_dir(&self.0))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
struct Outcome {
    status: i32,
    out: String,
    err: String,
}

fn run(command: &mut Command) -> Outcome {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    // A process that was killed by a signal has no status, and no test expects this.
    let status = output.status.code().unwrap_or_else(|| panic!("killed: {:?}", output.status));
    Outcome { status, out: text(output.stdout), err: text(output.stderr) }
}

/// Returns the passes and pipelines that `mlir-opt --help` lists, each with its options.
fn passes_of_mlir_opt() -> Vec<(String, Vec<String>)> {
    let prefix = std::env::var("MLIR_SYS_190_PREFIX").expect("set in .cargo/config.toml");
    let help = run(Command::new(format!("{prefix}/bin/mlir-opt")).arg("--help")).out;
    let mut passes: Vec<(String, Vec<String>)> = vec![];
    let lists = help.lines().skip_while(|line| line.trim() != "Passes:").take_while(|line| line.starts_with("    "));
    for line in lists {
        let Some(name) = line.trim_start().strip_prefix("--") else { continue };
        let name = name.split(['=', ' ']).next().unwrap().to_string();
        match line.len() - line.trim_start().len() {
            6 => passes.push((name, vec![])),
            8 => passes.last_mut().expect("options stand below their pass").1.push(name),
            indent => panic!("found {indent} blanks before --{name}"),
        }
    }
    passes
}

#[test]
fn every_option_of_every_pass_of_mlir_opt_is_known() {
    mlopt_lowering::register_passes();
    let check = |pipeline: String| mlopt_cli::commands::pipeline_check::check(&pipeline, "");
    let (mut known, mut options) = (0, 0);
    for (pass, names) in passes_of_mlir_opt() {
        if !mlopt_dialects::bridge::is_pass_name(&pass) {
            // Debian's mlir-opt has the test passes of MLIR.
            assert!(pass.split('-').any(|word| word == "test"), "{pass}");
            continue;
        }
        assert_eq!(check(format!("builtin.module({pass})")), Ok(()));
        known += 1;
        for name in names {
            // MLIR parses the value later, so the name alone suffices here.
            assert_eq!(check(format!("builtin.module({pass}{{{name}=1}})")), Ok(()));
            let (_, message) = check(format!("builtin.module({pass}{{{name}zz=1}})")).unwrap_err();
            assert!(message.contains(&format!("did you mean `{name}`?")) || name.len() < 4, "{message}");
            options += 1;
        }
    }
    assert!(known > 200 && options > 200, "found {known} passes with {options} options");
    // MLIR's parser decides: it ignores a value without a name.
    assert_eq!(check("builtin.module(canonicalize{=1 top-down=false})".into()), Ok(()));
}

#[test]
fn random_bytes_and_broken_bytecode_are_diagnosed() {
    let f = Folder::new("bytes");
    let mut random = Knuth(1);
    let noise: Vec<u8> = (0..5000).map(|_| random.bits() as u8).collect();
    f.write("noise.mlir", noise);
    for command in [&["noise.mlir"][..], &["run", "noise.mlir"]] {
        let noise = f.mlopt(command);
        assert!(noise.status == 1 && noise.err.starts_with("noise.mlir:1:"), "{noise:?}");
    }
    assert_eq!(f.mlopt(&["dot.mlir", "--emit-bytecode", "-o", "dot.mlirbc"]).status, 0);
    let good = fs::read(f.0.join("dot.mlirbc")).unwrap();
    let ran = f.mlopt(&["run", "dot.mlirbc", "--interpret", "--arg", "[1]", "--arg", "[2]"]);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "2.0\n", ""));
    for end in [4, 20, good.len() / 2, good.len() - 1] {
        f.write("cut.mlirbc", &good[..end]);
        for command in [&["cut.mlirbc"][..], &["run", "cut.mlirbc"]] {
            let cut = f.mlopt(command);
            assert!(cut.status == 1 && cut.err.starts_with("cut.mlirbc:0:0: error: "), "{end}: {cut:?}");
        }
    }
    // Some of these crash MLIR's reader. An internal error is reported in one line, without a stack dump.
    let mut crashes = 0;
    for _ in 0..150 {
        let mut bytes = good.clone();
        for _ in 0..2 {
            let at = 4 + random.below(bytes.len() - 4);
            bytes[at] = [0, 1, 0x7f, 0xff][random.below(4)];
        }
        f.write("odd.mlirbc", bytes);
        let odd = f.mlopt(&["odd.mlirbc", "-o", "out.mlir"]);
        if odd.status == 70 {
            crashes += 1;
            // glibc prints a line of its own before, if it finds its heap damaged.
            let lines: Vec<&str> = odd.err.lines().filter(|line| !line.starts_with("malloc(): ")).collect();
            assert!(lines.len() == 1 && lines[0].starts_with("odd.mlirbc: error: internal error: "), "{odd:?}");
        } else if odd.status != 0 {
            assert!(odd.err.contains("error: "), "{odd:?}");
        }
    }
    assert!(crashes > 0, "MLIR's reader has become robust: remove this and the sentence in the help of DESIGN");
}
