//! Tests of the executable: its output, the errors that it reports, and its exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DOT: &str = "\
func.func @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @both(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %g = dual.grad @dot(%x, %y) wrt [0] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = func.call @dot(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> f64
  return %g, %s : tensor<?xf64>, f64
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

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Path {
        fs::write(self.0.join(name), bytes).unwrap();
        &self.0
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

impl Outcome {
    fn prints(&self, out: &str) {
        assert_eq!((self.status, self.out.as_str(), self.err.as_str()), (0, out, ""));
    }

    /// Checks that it printed one diagnostic and nothing else, with a non-zero status.
    #[track_caller]
    fn fails_with(&self, message: &str) {
        assert_ne!(self.status, 0, "{self:?}");
        assert_eq!(self.err.trim_end(), message);
        assert_eq!(self.out, "");
    }
}

#[test]
fn help_version_and_doctor() {
    let f = Folder::new("help");
    let help = f.mlopt(&["help"]);
    assert!(help.status == 0 && help.out.lines().count() < 30 && help.out.contains("mlopt run "), "{help:?}");
    let upstream = f.mlopt(&["--help"]);
    assert!(upstream.out.starts_with("`mlopt help` lists"), "{}", &upstream.out[..200]);
    assert!(upstream.out.contains("--pass-pipeline") && upstream.out.contains("--jvp"));
    let version = f.mlopt(&["--version"]);
    assert!(
        version.out.starts_with(concat!("mlopt ", env!("CARGO_PKG_VERSION"), "\nLLVM and MLIR 19.")),
        "{version:?}"
    );
    for name in ["run", "compile", "lsp", "reduce", "doctor"] {
        let long = f.mlopt(&[name, "--help"]);
        assert!(long.status == 0 && long.out.contains(&format!("\n  mlopt {name}")), "{long:?}");
        assert!(f.mlopt(&["help", name]).out.contains("Example"), "{name}");
    }
}

/// Checks the report for an invalid toolkit and an empty PATH: it states both, and suggests repairs.
#[test]
fn doctor_finds_what_is_there_and_repairs_what_is_not() {
    let f = Folder::new("doctor");
    let doctor = |path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mlopt"));
        command.arg("doctor").env("PATH", path).env("CUDA_HOME", &f.0).env("HOME", &f.0).env_remove("CC");
        run(command.env_remove("VIRTUAL_ENV").env_remove("CUDA_PATH"))
    };
    let bare = doctor("/nonexistent");
    assert_eq!(bare.status, 1, "no linker: {bare:?}");
    let line = |o: &Outcome, name: &str| o.out.lines().find(|l| l.contains(name)).map(String::from).unwrap_or_default();
    assert!(line(&bare, "LLVM").starts_with("✓ LLVM, MLIR   19."), "{bare:?}");
    assert!(line(&bare, "linker").starts_with('✗'), "{bare:?}");
    assert!(
        bare.out.contains("repair: apt-get install -y gcc") || bare.out.contains("repair: sudo apt-get install -y gcc")
    );

    fs::create_dir_all(f.0.join("nvvm/libdevice")).unwrap();
    f.write("nvvm/libdevice/libdevice.10.bc", "not bitcode");
    let fake = doctor("/usr/bin:/bin");
    assert!(line(&fake, "libdevice").starts_with("✗ libdevice"), "{fake:?}");
    f.write("nvvm/libdevice/libdevice.10.bc", b"BC\xc0\xde");
    assert!(line(&doctor("/usr/bin:/bin"), "libdevice").starts_with("✓ libdevice"), "{fake:?}");
}

/// Checks the report with a library in place of NVIDIA's driver, which has the functions that `doctor` calls.
#[test]
fn doctor_asks_the_gpu_driver() {
    let f = Folder::new("gpu");
    let driver = "
        int cuInit(unsigned flags) { return INIT; }
        int cuDriverGetVersion(int *v) { *v = 12040; return 0; }
        int cuDeviceGetCount(int *n) { *n = 1; return 0; }
        int cuDeviceGet(int *device, int ordinal) { *device = ordinal + 7; return 0; }
        int cuDeviceGetName(char *name, int length, int device) {
            const char *text = device == 7 ? \"Test GPU\" : \"wrong device\";
            for (int i = 0; i < length && (name[i] = text[i]); i++) {}
            return 0;
        }
        int cuDeviceGetAttribute(int *value, int attribute, int device) { *value = attribute == 75 ? 9 : 0; return 0; }
        int cuGetErrorString(int code, const char **text) { *text = \"no CUDA-capable device is detected\"; return 0; }
    ";
    f.write("driver.c", driver);
    let line = |init: &str| {
        let library = run(Command::new("cc")
            .current_dir(&f.0)
            .args(["-shared", "-fPIC", "driver.c", "-o", "libcuda.so.1"])
            .arg(init));
        assert_eq!(library.status, 0, "{library:?}");
        let doctor = run(Command::new(env!("CARGO_BIN_EXE_mlopt")).arg("doctor").env("LD_LIBRARY_PATH", &f.0));
        doctor.out.lines().find(|l| l.contains("GPU driver")).map(String::from).unwrap_or_default()
    };
    assert_eq!(line("-DINIT=0"), "✓ GPU driver   CUDA 12.4: Test GPU (sm_90)");
    assert_eq!(line("-DINIT=100"), "✗ GPU driver   cuInit: error 100, no CUDA-capable device is detected");
}

#[test]
fn runs_by_the_evaluator() {
    let f = Folder::new("interpret");
    f.mlopt(&["run", "dot.mlir", "--interpret", "--entry", "@dot", "--arg", "[1,2,3]", "--arg", "[4,5,6]"])
        .prints("32.0\n");
    let both = ["run", "dot.mlir", "--interpret", "--entry", "both", "--arg", "[1,2]", "--arg", "[4,5]"];
    f.mlopt(&both).prints("[4. 5.]\n14.0\n");
    f.mlopt(&[&both[..], &["--print", "repr", "--out", "r.npy"]].concat()).prints("array([4., 5.])\narray(14.)\n");
    f.mlopt(&[&both[..6], &["@r0.npy", "--arg", "@r0.npy", "--print=none", "--out=a.csv", "--out=b.csv"]].concat())
        .prints("");
    assert_eq!(fs::read_to_string(f.0.join("a.csv")).unwrap(), "4\n5\n");
    f.mlopt(&[&both[..6], &["@a.csv", "--arg", "zeros:2xf64"]].concat()).prints("[0. 0.]\n0.0\n");
}

/// Checks that each value is traced on one line with its position and op, and that the standard output has only the
/// results.
#[test]
fn traces_the_evaluator() {
    let f = Folder::new("trace");
    f.write(
        "rows.mlir",
        "func.func @rows(%x: tensor<2x8xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %n, %s:2 = array.map_accum (%r = %x : tensor<2x8xf64>) iter_args(%a = %zero) \
      -> (f64, tensor<2xf64>, tensor<2x8xf64>) {
    %t = array.sum %r : (tensor<8xf64>) -> f64
    array.yield %t, %t, %r : f64, f64, tensor<8xf64>
  }
  return %n : f64
}
",
    );
    let rows = "[[1,2,3,4,5,6,7,8],[0,0,0,0,0,0,0,0.5]]";
    let traced = f.mlopt(&["run", "rows.mlir", "--interpret", "--trace", "--arg", rows]);
    assert_eq!((traced.status, traced.out.as_str()), (0, "0.5\n"));
    let expected = "\
rows.mlir:2:11: arith.constant = 0.0 : f64
rows.mlir:4:10: array.sum = 36.0 : f64
rows.mlir:4:10: array.sum = 0.5 : f64
rows.mlir:3:14: array.map_accum#0 = 0.5 : f64
rows.mlir:3:14: array.map_accum#1 = [36.   0.5] : tensor<2xf64>
rows.mlir:3:14: array.map_accum#2 = [[1.  2.  3.  ... 6.  7.  8. ] [0.  0.  0.  ... 0.  0.  0.5]] : tensor<2x8xf64>
";
    assert_eq!(traced.err, expected);

    // Values computed before an error are traced.
    f.write(
        "fails.mlir",
        "func.func @fails(%x: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %z = arith.divsi %x, %zero : i64
  return %z : i64
}
",
    );
    let fails = f.mlopt(&["run", "fails.mlir", "--interpret", "--trace", "--arg", "1"]);
    let lines: Vec<&str> = fails.err.lines().collect();
    assert_eq!((fails.status, lines.len(), lines[0]), (1, 2, "fails.mlir:2:11: arith.constant = 0 : i64"), "{fails:?}");
    assert!(lines[1].contains("divides by zero"), "{fails:?}");
    let compiled = f.mlopt(&["run", "rows.mlir", "--trace", "--arg", rows]);
    assert!(compiled.status != 0 && compiled.err.contains("--interpret"), "{compiled:?}");
}

/// Checks traces of functions, tuples, lists, and tail calls.
#[test]
fn traces_functions_as_values() {
    let f = Folder::new("trace-functions");
    f.write(
        "twice.mlir",
        "func.func @twice(%x: f64) -> f64 {
  %f = lambda.lambda (%y: f64) -> f64 {
    %z = arith.mulf %x, %y : f64
    lambda.return %z : f64
  }
  %g = lambda.ref @half : (f64) -> f64
  %t = lambda.tuple %f, %g : ((f64) -> f64, (f64) -> f64) -> tuple<(f64) -> f64, (f64) -> f64>
  %nil = lambda.nil : () -> !lambda.list<f64>
  %l = lambda.cons %x, %nil : (f64, !lambda.list<f64>) -> !lambda.list<f64>
  %h = lambda.get %t[0] : (tuple<(f64) -> f64, (f64) -> f64>) -> ((f64) -> f64)
  %r = lambda.apply %h(%x) : (f64) -> f64
  return %r : f64
}
func.func private @half(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %y = arith.divf %x, %two : f64
  return %y : f64
}
",
    );
    let traced = f.mlopt(&["run", "twice.mlir", "--interpret", "--trace", "--arg", "3"]);
    assert_eq!((traced.status, traced.out.as_str()), (0, "9.0\n"), "{traced:?}");
    let expected = "\
twice.mlir:2:8: lambda.lambda = <function at twice.mlir:2:8> : (f64) -> f64
twice.mlir:7:8: lambda.ref = <function @half> : (f64) -> f64
twice.mlir:7:8: lambda.tuple = (<function at twice.mlir:2:8>, <function @half>) : tuple<(f64) -> f64, (f64) -> f64>
twice.mlir:8:10: lambda.nil = [] : !lambda.list<f64>
twice.mlir:9:8: lambda.cons = [3.0] : !lambda.list<f64>
twice.mlir:10:8: lambda.get = <function at twice.mlir:2:8> : (f64) -> f64
twice.mlir:3:10: arith.mulf = 9.0 : f64
twice.mlir:11:8: lambda.apply = 9.0 : f64
";
    assert_eq!(traced.err, expected);

    f.write(
        "slope.lambda",
        "(def main ((x f64) (n i64))\n  \
         ((grad 0 2 (lam (x n) (letrec ((go (lam (k a) (if (i< k 1) a (go (i- k 1) (* x a)))))) (go n 1.0)))) x n))\n",
    );
    let traced = f.mlopt(&["run", "slope.lambda", "--interpret", "--trace", "--arg", "3", "--arg", "2"]);
    assert_eq!((traced.status, traced.out.as_str()), (0, "6.0\n"), "{traced:?}");
    let products: Vec<&str> = traced.err.lines().filter_map(|l| l.split_once("arith.mulf = ")).map(|l| l.1).collect();
    assert_eq!(products, ["3.0 : f64", "9.0 : f64"], "{traced:?}");
}

/// Checks that the default pipeline, the pipeline that `-v` prints, and the evaluator compute the same numbers.
#[test]
fn runs_compiled() {
    let f = Folder::new("compiled");
    let both = ["run", "dot.mlir", "--entry", "both", "--arg", "random:9xf64:seed=1", "--arg", "random:9xf64:seed=2"];
    let with = |more: &[&str]| f.mlopt(&[&both[..], more].concat());
    let compiled = with(&["-v", "--time"]);
    assert_eq!(compiled.status, 0, "{compiled:?}");
    let mut lines = compiled.err.lines();
    let pipeline = lines.next().unwrap().strip_prefix("--pass-pipeline='").unwrap().strip_suffix('\'').unwrap();
    assert!(pipeline.starts_with("builtin.module(differentiate,"), "{pipeline}");
    let steps: Vec<&str> = lines.map(|l| l.split(' ').next().unwrap()).collect();
    assert_eq!(steps, ["read", "passes", "compile", "call", "total"]);
    with(&["--pass-pipeline", pipeline]).prints(&compiled.out);
    with(&["--interpret"]).prints(&compiled.out);
    // The shapes do not match each other, which is detected at run time.
    let shapes = f.mlopt(&["run", "dot.mlir", "--entry", "dot", "--arg", "[1,2]", "--arg", "[1]"]);
    assert!(
        shapes.status == 1 && shapes.err.lines().count() == 1 && shapes.err.contains("different sizes"),
        "{shapes:?}"
    );
}

#[test]
fn enormous_arrays_are_refused() {
    let f = Folder::new("enormous");
    f.write(
        "ramp.mlir",
        "func.func @ramp(%n: index) -> tensor<?xindex> {
  %r = array.build (%i < %n) -> (tensor<?xindex>) {
    array.yield %i : index
  }
  return %r : tensor<?xindex>
}
",
    );
    let ramp = |n: &str, more: &[&str]| f.mlopt(&[&["run", "ramp.mlir", "--arg", n], more].concat());
    ramp("3", &[]).prints("[0 1 2]\n");
    for n in ["1000000000000000", "9223372036854775807"] {
        for more in [&[][..], &["--interpret"]] {
            let refused = ramp(n, more);
            assert!(refused.status == 1 && refused.err.starts_with("ramp.mlir:"), "{n} {more:?}: {refused:?}");
            assert_eq!(refused.err.lines().count(), 1, "{n} {more:?}: {refused:?}");
        }
    }
    let argument =
        f.mlopt(&["run", "dot.mlir", "--entry", "dot", "--arg", "zeros:1000000000000000xf64", "--arg", "[1]"]);
    assert!(argument.status == 1 && argument.err.contains("found an array of 8000000000000000 bytes"), "{argument:?}");
}

#[test]
fn compiles_to_every_form() {
    let f = Folder::new("compile");
    let emit = |form: &str, more: &[&str]| {
        let outcome = f.mlopt(&[&["compile", "dot.mlir", "--emit", form], more].concat());
        assert_eq!((outcome.status, outcome.err.as_str()), (0, ""), "{form}");
        outcome.out
    };
    assert!(emit("mlir", &[]).contains("llvm.func @dot("));
    assert!(emit("llvm", &[]).contains("define void @dot("));
    // Without --mcpu, the code runs on every x86-64 processor: it uses 128-bit registers only.
    let baseline = emit("asm", &[]);
    assert!(baseline.contains("dot:") && baseline.contains("%xmm") && !baseline.contains("%ymm"), "{baseline}");
    assert!(emit("asm", &["--mcpu=x86-64-v3"]).contains("%ymm"));
    assert!(emit("asm", &["--mattr=+avx2"]).contains("%ymm"));
    emit("obj", &["-o", "named.o"]);
    emit("obj", &[]);
    let objects = ["named.o", "dot.o"].map(|name| fs::read(f.0.join(name)).unwrap());
    assert!(objects[0].starts_with(b"\x7fELF") && objects[0] == objects[1]);
    let wrong =
        |option: &str, message: &str| f.mlopt(&["compile", "dot.mlir", "--emit=asm", option]).fails_with(message);
    wrong(
        "--mcpu=znver44",
        "error: --mcpu: unknown processor `znver44`; did you mean `znver4`?; expected `native` or LLVM's name of an \
         x86-64 processor",
    );
    wrong("--mattr=+awx2", "error: --mattr: unknown feature `awx2`; did you mean `avx2`?");
    wrong("--mattr=avx2", "error: --mattr: expected `+` or `-` before a feature, found `avx2`");
}

/// Calls the shared library through its header, from C.
#[test]
fn a_shared_library_is_called_from_c() {
    let f = Folder::new("shared");
    f.mlopt(&["compile", "dot.mlir", "--emit=shared"]).prints("");
    f.write(
        "main.c",
        r#"
        #include "libdot.h"
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            double x[] = {1, 2, 3}, y[] = {4, 5, 6}, result;
            int64_t answer[2];
            dot_sizes(x, y, answer, 3, 2);
            printf("%d ", answer[0] != 0);
            dot_sizes(x, y, answer, 3, 3);
            printf("%d ", (int)answer[0]);
            void *scratch = aligned_alloc(64, answer[1] / 64 * 64 + 64);
            dot(x, y, &result, scratch, 3, 3, answer[1]);
            free(scratch);
            printf("%g\n", result);
            return 0;
        }"#,
    );
    let built = run(Command::new("cc").current_dir(&f.0).args([
        "-Wall",
        "-Werror",
        "main.c",
        "-L.",
        "-ldot",
        "-Wl,-rpath,.",
        "-o",
        "main",
    ]));
    assert_eq!((built.status, built.err.as_str()), (0, ""));
    run(Command::new("./main").current_dir(&f.0)).prints("1 0 32\n");
}

/// Calls functions of data from C: numbers, arrays, and tuples of them; stops with their messages, deep recursion on
/// threads with small stacks, and no leaked memory.
#[test]
fn functions_of_data_are_called_from_c() {
    let f = Folder::new("data-in-c");
    f.write(
        "data.lambda",
        "(def power ((x f64) (n i64)) (letrec ((go (lam (k) (if (i< k 1) 1.0 (* x (go (i- k 1))))))) (go n)))
(def grown ((a array<?xf64>) (p tuple<i64,array<2xf64>>)) (letrec ((go (lam (k) (if (i= k 0) a (let ((b (go (i- k 1))))
  (aset (* (sin b) (fill (itof k) b)) (imod k 3) (sum b))))))) (tuple (go (get 0 p)) (i< (get 0 p) 2)
  (scale (aget (go (get 0 p)) 0) (get 1 p)))))
(def pick ((a array<4xf64>) (n i64)) (letrec ((go (lam (k) (if (i= k 0) 0.0 (+ (aget a k) (go (i- k 1))))))) (go n)))
(def exp ((x f64) (n i64)) (letrec ((go (lam (k) (if (i< k 1) x (+ 1.0 (go (i- k 1))))))) (go n)))
(def twice ((x f64)) (* x 2.0))
",
    );
    let compiled = f.mlopt(&["compile", "data.lambda", "--emit=shared"]);
    assert_eq!((compiled.status, compiled.out.as_str()), (0, ""), "{compiled:?}");
    assert!(compiled.err.contains("declares it as `mlopt_exp`"), "{compiled:?}");
    f.write(
        "main.c",
        r#"
        #define _GNU_SOURCE
        #include "libdata.h"
        #include <malloc.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        static int64_t grow(int show) {
            double a[] = {0.5, -1, 2}, s[] = {1, 10}, *b, scaled[2];
            int64_t n = 4, size;
            bool few;
            int64_t status = grown(a, &n, s, &b, &few, scaled, 3, &size, NULL, 0);
            if (show) printf("%d %d %g %g %g %d %g %g\n", (int)status, (int)size, b[0], b[1], b[2], few,
                scaled[0], scaled[1]);
            free(b);
            return status;
        }
        static void *deep(void *unused) {
            char message[80];
            double x = 1, y = 0;
            int64_t n = 100, status = power(&x, &n, &y, message, sizeof message);
            printf("%d %g ", (int)status, y);
            n = 100000000;
            status = power(&x, &n, &y, message, sizeof message);
            printf("%d %s\n", status > 0, message);
            return unused;
        }
        int main(void) {
            char message[200] = "";
            double x = 2, y, a[] = {1, 2, 3, 4};
            int64_t n = 10;
            int64_t status = power(&x, &n, &y, message, sizeof message);
            printf("%d %g %s\n", (int)status, y, message);
            grow(1);
            for (int k = 0; k < 1000; k++) grow(0);
            size_t before = mallinfo2().uordblks;
            for (int k = 0; k < 1000; k++) grow(0);
            printf("%d\n", mallinfo2().uordblks == before);
            n = 3;
            status = pick(a, &n, &y, message, sizeof message);
            printf("%d %g\n", (int)status, y);
            n = 4;
            status = pick(a, &n, &y, message, sizeof message);
            printf("%d %s\n", status > 0, message);
            status = mlopt_exp(&x, &n, &y, NULL, 0);
            printf("%d %g\n", (int)status, y);
            deep(NULL);
            pthread_attr_t little;
            pthread_attr_init(&little);
            pthread_attr_setstacksize(&little, 1 << 20);
            pthread_t thread;
            pthread_create(&thread, &little, deep, NULL);
            pthread_join(thread, NULL);
            return 0;
        }"#,
    );
    let built = run(Command::new("cc").current_dir(&f.0).args([
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pthread",
        "main.c",
        "-L.",
        "-ldata",
        "-Wl,-rpath,.",
        "-o",
        "main",
    ]));
    assert_eq!((built.status, built.err.as_str()), (0, ""));
    let called = run(Command::new("./main").current_dir(&f.0));
    let lines: Vec<&str> = called.out.lines().collect();
    assert_eq!(lines[0], "0 1024 ", "{called:?}");
    let grown = f.mlopt(&["run", "data.lambda", "--entry", "grown", "--arg", "[0.5, -1, 2]", "--arg", "(4, [1, 10])"]);
    assert_eq!(grown.out, "([-1.8362273 9.29091503 2.72816504], False, [ -1.8362273 -18.36227297])\n", "{grown:?}");
    assert_eq!(lines[1], "0 3 -1.83623 9.29092 2.72817 0 -1.83623 -18.3623", "{called:?}");
    assert_eq!(lines[2..4], ["1", "0 9"], "{called:?}");
    assert_eq!(lines[4], "1 data.lambda:5:80: index-out-of-bounds: index 4 on axis 0 of extent 4", "{called:?}");
    assert_eq!(lines[5], "0 6", "{called:?}");
    let overflow = "0 1 1 data.lambda:1:30: stack-overflow: `@power.go` overflows the stack by its recurs";
    assert_eq!(lines[6..], [overflow; 2], "{called:?}");

    // A type without an equivalent in C is rejected, with its position.
    f.write(
        "lists.lambda",
        "(def f ((l list<f64>)) (letrec ((go (lam (l) (if (empty? l) 0.0 (+ (head l) (go (tail l))))))) (go l)))\n",
    );
    let refused = f.mlopt(&["compile", "lists.lambda", "--emit=obj"]);
    let expected = "lists.lambda:1:6: error: not supported: 'llvm.func': `@f` in code for other programs: a list in a \
                    value of type !lambda.list<f64>; pass and return arrays (`tolist`, `toarray`), or make the \
                    function private";
    assert!(refused.status == 1 && refused.err.starts_with(expected), "{refused:?}");
}

#[test]
fn wrong_arguments_are_named() {
    let f = Folder::new("arguments");
    let dot = |a: &[&str]| f.mlopt(&[&["run", "dot.mlir", "--interpret", "--entry", "@dot"], a].concat());
    dot(&["--arg", "[1,2]"]).fails_with(
        "dot.mlir:1:1: error: expected 2 of `--arg`, one per parameter (%x: tensor<?xf64>, %y: tensor<?xf64>), found 1",
    );
    dot(&["--arg", "[1,2]", "--arg", "[[1]]"]).fails_with(
        "dot.mlir:1:1: error: argument 1 (%y), `[[1]]`: expected tensor<?xf64>, found shape [1, 1] (2 axes, not 1)",
    );
    dot(&["--arg", "[1,true]", "--arg", "[1]"])
        .fails_with("dot.mlir:1:1: error: argument 0 (%x), `[1,true]`: expected a number (f64), found `true` at [1]");
    dot(&["--arg", "[1,2", "--arg", "[1]"]).fails_with(
        "dot.mlir:1:1: error: argument 0 (%x), `[1,2`: column 5: expected `,` or `]`, found the end of the text",
    );
    dot(&["--arg", "@no.npy", "--arg", "[1]"])
        .fails_with("dot.mlir:1:1: error: argument 0 (%x), `@no.npy`: no.npy: No such file or directory (os error 2)");
    f.write("bad.npy", "hello");
    dot(&["--arg", "@bad.npy", "--arg", "[1]"]).fails_with(
        "dot.mlir:1:1: error: argument 0 (%x), `@bad.npy`: bad.npy: not an .npy file: expected it to start with the \
         bytes \\x93NUMPY, found hello",
    );
    f.write("bad.csv", "a,b\n1,2\n3,x\n");
    dot(&["--arg", "@bad.csv:a", "--arg", "@bad.csv:b"]).fails_with(
        "dot.mlir:1:1: error: argument 1 (%y), `@bad.csv:b`: bad.csv: line 3 (row 1), column `b`: expected a \
         number, found `x`",
    );
    // The shapes match the parameters but not each other.
    let shapes = dot(&["--arg", "[1,2]", "--arg", "[1]"]);
    assert!(shapes.status == 1 && shapes.err.starts_with("dot.mlir:2:8: error: "), "{shapes:?}");
}

#[test]
fn wrong_entries_and_outputs_are_named() {
    let f = Folder::new("entry");
    f.mlopt(&["run", "dot.mlir", "--interpret"])
        .fails_with("dot.mlir: error: expected `--entry`, one of the functions: `@dot`, `@both`");
    f.mlopt(&["run", "dot.mlir", "--interpret", "--entry", "@dott"])
        .fails_with("dot.mlir: error: no function `@dott`; did you mean `@dot`?; the program has `@dot`, `@both`");
    f.mlopt(&["run", "dot.mlir", "--interpret", "--entry", "dot", "--out", "r.txt"])
        .fails_with("error: --out: expected a file name ending in .npy or .csv, found `r.txt`");
    f.mlopt(&["run", "no.mlir"])
        .fails_with("no.mlir: error: cannot read the program: No such file or directory (os error 2)");
    f.write("empty.mlir", "");
    f.mlopt(&["run", "empty.mlir"]).fails_with("empty.mlir: error: the program has no function to call");
    f.write("memref.mlir", "func.func @f(%x: memref<3xf64>) {\n  return\n}\n");
    f.mlopt(&["run", "memref.mlir"]).fails_with(
        "memref.mlir:1:14: error: parameter %x of `@f` cannot be given on a command line: expected scalars and tensors \
         of f32, f64, i1, i32, i64 and index, found memref<3xf64>",
    );
    f.write("declared.mlir", "func.func private @f(f64)\n");
    f.mlopt(&["run", "declared.mlir", "--entry", "f"])
        .fails_with("declared.mlir:1:1: error: `@f` is a declaration: expected a function with a body");
}

#[test]
fn unknown_names_get_a_suggestion() {
    let f = Folder::new("names");
    f.mlopt(&["dot.mlir", "--pass-pipeline=builtin.module(jvp,func.func(cannonicalize,cse))"]).fails_with(
        "--pass-pipeline:1:30: error: unknown pass `cannonicalize`; did you mean `canonicalize`?; expected the name of \
         a pass or pipeline",
    );
    f.mlopt(&["dot.mlir", "--pass-pipeline", "builtin.module(jpv)"]).fails_with(
        "--pass-pipeline:1:16: error: unknown pass `jpv`; did you mean `jvp`?; expected the name of a pass or pipeline",
    );
    f.mlopt(&["dot.mlir", "--pass-pipeline=builtin.module(func.func(cse,canonicalize{tpo-down=true}))"]).fails_with(
        "--pass-pipeline:1:43: error: pass `canonicalize` has no option `tpo-down`; did you mean `top-down`?; expected \
         `disable-patterns`, `enable-patterns`, `max-iterations`, `max-num-rewrites`, `region-simplify`, \
         `test-convergence`, `top-down`",
    );
    f.mlopt(&["dot.mlir", "--cse=fast=1"])
        .fails_with("--cse: error: pass `cse` has no option `fast`; it has no options");
    f.mlopt(&["dot.mlir", "--vjp=fast=1"]).fails_with(
        "--vjp: error: pipeline `vjp` has no option `fast`; it has no options; list its passes to set their options",
    );
    f.mlopt(&["run", "dot.mlir", "--pass-pipeline=builtin.module(jpv)"]).fails_with(
        "--pass-pipeline:1:16: error: unknown pass `jpv`; did you mean `jvp`?; expected the name of a pass or pipeline",
    );
    f.mlopt(&["rum", "dot.mlir"])
        .fails_with("error: no subcommand or file `rum`; did you mean `run`?; `mlopt help` lists the subcommands");
    f.mlopt(&["help", "complie"])
        .fails_with("error: no subcommand `complie`; did you mean `compile`?; `mlopt help` lists them");
    let flag = f.mlopt(&["dot.mlir", "--cannonicalize"]);
    assert!(flag.status == 1 && flag.err.contains("Did you mean '--canonicalize'?"), "{flag:?}");
    let option = f.mlopt(&["run", "--entri", "f"]);
    assert!(option.status == 2 && option.err.contains("a similar argument exists: '--entry'"), "{option:?}");
    // A valid pipeline passes the check.
    let right =
        f.mlopt(&["dot.mlir", "--pass-pipeline=builtin.module(jvp,func.func(canonicalize{top-down=false},cse))"]);
    assert!(right.status == 0 && right.out.contains("array.build"), "{right:?}");
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
    mlopt::register_passes();
    let check = |pipeline: String| mlopt::cli::pipeline_check::check(&pipeline, "");
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
    // A linear congruential generator; the quality of the bytes does not matter.
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    let noise: Vec<u8> = (0..5000).map(|_| next() as u8).collect();
    f.write("noise.mlir", noise);
    for command in [&["noise.mlir"][..], &["run", "noise.mlir"]] {
        let noise = f.mlopt(command);
        assert!(noise.status == 1 && noise.err.starts_with("noise.mlir:1:"), "{noise:?}");
    }
    let written = run(Command::new(env!("CARGO_BIN_EXE_mlopt"))
        .args(["dot.mlir", "--emit-bytecode", "-o", "dot.mlirbc"])
        .current_dir(&f.0));
    assert_eq!(written.status, 0);
    let good = fs::read(f.0.join("dot.mlirbc")).unwrap();
    f.mlopt(&["run", "dot.mlirbc", "--interpret", "--entry", "dot", "--arg", "[1]", "--arg", "[2]"]).prints("2.0\n");
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
            let at = 4 + next() % (bytes.len() - 4);
            bytes[at] = [0, 1, 0x7f, 0xff][next() % 4];
        }
        f.write("odd.mlirbc", bytes);
        let odd = f.mlopt(&["odd.mlirbc", "-o", "out.mlir"]);
        if odd.status == 70 {
            crashes += 1;
            assert!(
                odd.err.starts_with("odd.mlirbc: error: internal error: ") && odd.err.lines().count() == 1,
                "{odd:?}"
            );
        } else if odd.status != 0 {
            assert!(odd.err.contains("error: "), "{odd:?}");
        }
    }
    assert!(crashes > 0, "MLIR's reader has become robust: remove this and the sentence in the help of DESIGN");
}

#[test]
fn large_and_deep_programs_end() {
    let f = Folder::new("deep");
    let mut many = "func.func @f(%x: f64) -> f64 {\n  %0 = arith.addf %x, %x : f64\n".to_string();
    (1..100_000).for_each(|i| many += &format!("  %{i} = arith.addf %{}, %x : f64\n", i - 1));
    many += "  return %99999 : f64\n}\n";
    f.write("many.mlir", many);
    f.mlopt(&["many.mlir", "--canonicalize", "--cse", "-o", "out.mlir"]).prints("");
    f.mlopt(&["run", "many.mlir", "--interpret", "--arg", "1"]).prints("100001.0\n");

    let (open, close) = ("  scf.if %c {\n".repeat(10_000), "  }\n".repeat(10_000));
    let deep = format!("func.func @f(%c: i1) -> i1 {{\n{open}{close}  return %c : i1\n}}\n");
    f.write("deep.mlir", deep);
    f.mlopt(&["deep.mlir", "--cse", "-o", "out.mlir"]).prints("");
    f.mlopt(&["run", "deep.mlir", "--interpret", "--arg", "true"]).prints("True\n");
}

/// Checks that deeply nested loops are compiled without LLVM's optimiser, whose time is cubic in their depth, with a
/// message.
#[test]
fn deeply_nested_loops_run() {
    let f = Folder::new("loops");
    let depth = 1000;
    let mut text = "func.func @f(%a0: f64, %n: index) -> f64 {\n".to_string();
    for k in 1..=depth {
        let before = k - 1;
        text += &format!("%s{k} = array.ifold (%i{k} < %n) iter_args(%a{k} = %a{before}) -> (f64) {{\n");
    }
    text += &format!("%s{} = arith.addf %a{depth}, %a0 : f64\n", depth + 1);
    for k in (1..=depth).rev() {
        text += &format!("array.yield %s{} : f64\n}}\n", k + 1);
    }
    f.write("loops.mlir", text + "return %s1 : f64\n}\n");
    let ran = f.mlopt(&["run", "loops.mlir", "--arg", "1", "--arg", "1"]);
    assert_eq!(ran.out, "2.0\n");
    assert!(
        ran.err.contains("warning: loops are nested 1000 deep, more than 64: compiled without optimisation"),
        "{}",
        ran.err
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let f = Folder::new("pipe");
    let mlopt = env!("CARGO_BIN_EXE_mlopt");
    let piped = run(Command::new("sh")
        .args(["-c", &format!("{mlopt} --help | head -1; {mlopt} help | true")])
        .current_dir(&f.0));
    assert_eq!((piped.out.lines().count(), piped.err.as_str()), (1, ""));
}
