//! Tests of `mlopt compile --node`, which generates nodes for C programs, through the command line.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const NODES: &str = r#"
stream.node @gain(%x: f64, %c: i1, %y: f64) -> (s: f64, o: f64) {
  %zero = arith.constant 0.0 : f64
  %first = arith.constant 2.0 : f64
  %gain = stream.param "gain" %first : f64
  %before = stream.fby %zero, %s : f64
  %g = arith.mulf %gain, %x : f64
  %s = arith.addf %before, %g : f64
  %t = stream.when %s, %c : f64
  %o = arith.addf %t, %y : f64
  stream.yield %s, %o : f64, f64
}
stream.node @lag(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %x : f64
  %k = stream.param "k" %zero : f64
  %y = arith.addf %p, %k : f64
  stream.yield %y : f64
}
stream.node @lags(%x: f64) -> (a: f64, b: f64) {
  %a = stream.instance "first" @lag(%x) : (f64) -> f64
  %b = stream.instance "second" @lag(%a) : (f64) -> f64
  stream.yield %a, %b : f64, f64
}
stream.node @from(%x: f64) -> (y: f64) {
  %one = arith.constant 1.0 : f64
  %k = stream.param "k" %one : f64
  %y = stream.fby %k, %x : f64
  stream.yield %y : f64
}
stream.node @ahead(%x: f64) -> (y: f64) {
  %p = stream.post %x : f64
  %q = stream.post %p : f64
  %y = arith.addf %x, %q : f64
  stream.yield %y : f64
}
stream.node @next_sample(%x: f64, %c: i1) -> (o: f64) {
  %s = stream.when %x, %c : f64
  %n = stream.post %s : f64
  %zero = arith.constant 0.0 : f64
  %e = stream.when %zero, not %c : f64
  %o = stream.merge %c, %n, %e : f64
  stream.yield %o : f64
}
stream.node @rest(%x: f64, %end: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %scale = stream.param "scale" %zero : f64
  %next = stream.post %s : f64
  %later = stream.select %end, %scale, %next : f64
  %s = arith.addf %x, %later : f64
  stream.yield %s : f64
}
stream.node @gated(%x: f64, %c: i1, %y: f64) -> (o: f64) {
  %p = stream.post %x : f64
  %s = stream.when %p, %c : f64
  %t = stream.when %x, not %c : f64
  %u = arith.addf %s, %y : f64
  %o = stream.merge %c, %u, %t : f64
  stream.yield %o : f64
}
stream.node @quotient(%a: i64, %b: i64) -> (q: i64) {
  %q = stream.div %a, %b : i64
  stream.yield %q : i64
}
stream.node @next_quotient(%a: i64, %b: i64) -> (q: i64) {
  %d = stream.div %a, %b : i64
  %q = stream.post %d : i64
  stream.yield %q : i64
}
stream.node @count() -> (n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %before = stream.fby %zero, %n : i64
  %n = arith.addi %before, %one : i64
  stream.yield %n : i64
}
stream.node @turned(%w: tensor<2x2xf32>, %c: i1, %v: tensor<3xi32>) -> (t: tensor<2x2xf32>, u: tensor<3xi32>) {
  %zero = stream.constant dense<0.0> : tensor<2x2xf32>
  %t = stream.fby %zero, %n : tensor<2x2xf32>
  %n = array.transpose %w [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %u = arith.addi %v, %v : tensor<3xi32>
  stream.yield %t, %u : tensor<2x2xf32>, tensor<3xi32>
}
stream.node @exp(%double: f64) -> (cycle: f64) {
  %cycle = math.exp %double : f64
  stream.yield %cycle : f64
}
stream.node @counted(%x: f64, %end: i1, %bp: i1) -> (s: f64) {
  %xs = stream.when %x, %bp : f64
  %ends = stream.when %end, %bp : i1
  %later = stream.post %o : f64
  %more = arith.addf %xs, %later : f64
  %o = stream.select %ends, %xs, %more : f64
  %zero = arith.constant 0.0 : f64
  %none = stream.when %zero, not %bp : f64
  %s = stream.merge %bp, %o, %none : f64
  stream.yield %s : f64
} {stream.boundary = "end", stream.segment_constant = ["bp"]}
"#;

/// Nodes whose functions create arrays with a size given by a parameter or an input.
const BY_VALUES: &str = r#"
func.func private @g(%n: index) -> f64 {
  %u = array.build (%i < %n) -> (tensor<?xf64>) {
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f64
    %s = math.sin %f : f64
    array.yield %s : f64
  }
  %y = array.sum %u : (tensor<?xf64>) -> f64
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %u[%i] : (tensor<?xf64>) -> f64
    %d = arith.divf %a, %y : f64
    array.yield %d : f64
  }
  %q = array.sum %r : (tensor<?xf64>) -> f64
  return %q : f64
}
stream.node @parameter(%x: f64) -> (y: f64) {
  %n0 = arith.constant 100 : index
  %n = stream.param "n" %n0 : index
  %s = func.call @g(%n) : (index) -> f64
  %p = stream.post %x : f64
  %y = arith.addf %p, %s : f64
  stream.yield %y : f64
}
stream.node @input(%x: index) -> (y: f64) {
  %y = func.call @g(%x) : (index) -> f64
  stream.yield %y : f64
}
"#;

/// The start of every C program: functions that print, and functions that count allocations if the linker wraps the
/// allocator.
const BEGIN: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int allocations;
#ifdef COUNT
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n) { allocations++; return __real_malloc(n); }
void *__real_calloc(size_t n, size_t m);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_calloc(size_t n, size_t m) { allocations++; return __real_calloc(n, m); }
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n) { allocations++; return __real_realloc(p, n); }
void *__real_aligned_alloc(size_t a, size_t n);
void *__wrap_aligned_alloc(size_t a, size_t n);
void *__wrap_aligned_alloc(size_t a, size_t n) { allocations++; return __real_aligned_alloc(a, n); }
int __wrap_posix_memalign(void **p, size_t a, size_t n);
int __real_posix_memalign(void **p, size_t a, size_t n);
int __wrap_posix_memalign(void **p, size_t a, size_t n) { allocations++; return __real_posix_memalign(p, a, n); }
#endif
static inline const char *cell(mlopt_presence is, double value) {
  static char text[32];
  if (is == MLOPT_PRESENT) snprintf(text, sizeof text, "%g", value);
  return is == MLOPT_PRESENT ? text : is == MLOPT_ABSENT ? "." : "?";
}
"#;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("mlopt-embedding-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("n.mlir"), NODES).unwrap();
        Folder(path)
    }

    fn run(&self, command: &str, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(command);
        let output = command.args(arguments).current_dir(&self.0).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let status = output.status.code().unwrap_or_else(|| panic!("killed: {:?}", output.status));
        (status, text(output.stdout), text(output.stderr))
    }

    fn mlopt(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run(env!("CARGO_BIN_EXE_mlopt"), arguments)
    }

    /// Compiles a node to `NAME.o` and `NAME.h`. Returns the memory report.
    #[track_caller]
    fn compile(&self, node: &str, options: &[&str]) -> String {
        let (name, object) = (format!("@{node}"), format!("{node}.o"));
        let arguments = [&["compile", "n.mlir", "--node", &name, "--memory-report", "-o", &object], options].concat();
        let (status, out, err) = self.mlopt(&arguments);
        assert_eq!((status, out.as_str()), (0, ""), "{err}");
        err
    }

    /// Returns the output of a program with these statements in `main`, compiled as C and as C++ without warnings.
    #[track_caller]
    fn program(&self, node: &str, functions: &str, main: &str) -> String {
        let text = format!("#include \"{node}.h\"\n{BEGIN}{functions}\nint main(void) {{\n{main}\nreturn 0;\n}}\n");
        fs::write(self.0.join("main.c"), text).unwrap();
        // Optimised as in production: the assumptions of the optimiser must hold.
        let warnings = ["-O2", "-Wall", "-Wextra", "-pedantic", "-Werror"];
        let object = format!("{node}.o");
        let link = ["-x", "none", &object, "-lm", "-o", "main"];
        let (c, cpp) = (["-std=c99", "-x", "c", "main.c"], ["-std=c++11", "-x", "c++", "main.c"]);
        let wraps =
            ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"].map(|f| format!("-Wl,--wrap={f}"));
        let counts: Vec<&str> = std::iter::once("-DCOUNT").chain(wraps.iter().map(String::as_str)).collect();
        let mut printed = Vec::new();
        for (compiler, language, more) in [("c++", &cpp[..], &[][..]), ("cc", &c[..], &counts[..])] {
            let built = self.run(compiler, &[language, &warnings[..], more, &link[..]].concat());
            assert_eq!(built, (0, String::new(), String::new()), "{compiler}");
            let (status, out, err) = self.run("./main", &[]);
            assert_eq!((status, err.as_str()), (0, ""), "{compiler}: {out}");
            printed.push(out);
        }
        assert_eq!(printed[0], printed[1], "C++ and C");
        printed.swap_remove(1)
    }

    /// Returns one output of `mlopt run`, cycle by cycle; `.` is absent.
    #[track_caller]
    fn ran(&self, node: &str, inputs: &[&str], output: &str) -> String {
        let name = format!("@{node}");
        let mut arguments = vec!["run", "n.mlir", "--node", &name];
        inputs.iter().for_each(|i| arguments.extend(["--input", i]));
        let (_, out, _) = self.mlopt(&arguments);
        let cell = |line: &str| {
            let json: serde_json::Value = serde_json::from_str(line).unwrap();
            json[output].as_f64().map_or(".".to_string(), |x| x.to_string())
        };
        out.lines().map(cell).collect::<Vec<_>>().join(" ")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the last number of the line that begins with `begin`.
fn number(report: &str, begin: &str) -> String {
    let line = report.lines().find(|l| l.starts_with(begin)).unwrap_or_else(|| panic!("no `{begin}` in\n{report}"));
    line.split_whitespace().last().unwrap_or_default().to_string()
}

#[test]
fn a_forward_node_keeps_its_state_in_a_static_block() {
    let f = Folder::new("forward");
    let report = f.compile("gain", &[]);
    let printed = f.program(
        "gain",
        "static unsigned char memory[GAIN_MEMORY];",
        r#"
  gain_node *node = gain_init(memory, sizeof memory);
  double x[] = {1, 2, 3, 4}, y[] = {10, 0, 30, 0}, value;
  int start = allocations;
  for (int run = 0; run < 2; run++) {
    for (int n = 0; n < 5; n++) {
      gain_in in = {0, false, false, 0};
      gain_out out;
      if (n < 4) {
        in.x = x[n];
        in.c = in.has_y = n % 2 == 0;
        in.y = y[n];
      }
      mlopt_status status = gain_step(node, n == 2 ? NULL : &in);
      int count = 0;
      while (gain_take(node, &out)) {
        printf("%d:%s", (int)out.cycle, cell(out.s_is, out.s));
        printf(",%s ", cell(out.o_is, out.o));
        count++;
      }
      if (status != MLOPT_OK || count != 1) return 1;
    }
    printf("%s", mlopt_code(gain_flush(node)));
    gain_in late = {1, false, false, 0};
    printf(" %s\n", mlopt_code(gain_step(node, &late)));
    gain_reset(node);
    gain_get_param(node, "gain", &value, sizeof value);
    value += 1;
    printf("%d %d %d %d\n", (int)gain_set_param(node, "gain", &value, sizeof value) == MLOPT_OK,
           (int)gain_set_param(node, "gian", &value, sizeof value) == MLOPT_NAME,
           (int)gain_set_param(node, "gain", &value, 4) == MLOPT_SIZE,
           (int)gain_get_param(node, "gian", &value, sizeof value) == MLOPT_NAME);
  }
  printf("%d allocations, %d bytes\n", allocations - start, (int)gain_memory());
  if (gain_init(memory, sizeof memory - 1) || gain_init(NULL, sizeof memory)) return 2;
"#,
    );
    let total = number(&report, "total");
    let set = "1 1 1 1\n";
    assert_eq!(
        printed,
        format!(
            "0:2,12 1:6,. 2:.,. 3:14,. 4:14,. OK ENDED\n{set}0:3,13 1:9,. 2:.,. 3:21,. 4:21,. OK ENDED\n\
             {set}0 allocations, {total} bytes\n"
        )
    );
}

/// Checks that a node stops if a condition changes within a sequence in which it must be constant, after returning the
/// previous cycles.
#[test]
fn a_broken_promise_is_said() {
    let f = Folder::new("promise");
    f.compile("counted", &["--horizon=8"]);
    let run = |end: &str, bp: &str| {
        f.program(
            "counted",
            "static unsigned char memory[COUNTED_MEMORY];",
            &format!(
                r#"
  counted_node *node = counted_init(memory, sizeof memory);
  bool end[] = {{{end}}}, bp[] = {{{bp}}};
  for (int n = 0; n < 6; n++) {{
    counted_in in = {{1, end[n], bp[n]}};
    counted_out out;
    printf("%s ", mlopt_code(counted_step(node, &in)));
    while (counted_take(node, &out)) printf("%d:%s ", (int)out.cycle, cell(out.s_is, out.s));
  }}
  printf("%d", (int)counted_stop(node)->cycle);
"#
            ),
        )
    };
    assert_eq!(run("0, 0, 1, 0, 1, 1", "1, 1, 1, 0, 0, 1"), "OK OK OK 0:3 1:2 2:1 OK 3:0 OK 4:0 OK 5:1 0");
    let broken = run("0, 0, 1, 0, 0, 1", "0, 0, 0, 1, 1, 0");
    assert_eq!(broken, "OK 0:0 OK 1:0 OK 2:0 OK OK E-RT-CLOCK 3:? 4:? 5");
}

/// Checks that a node of class `Forward` stops with the same code and in the same cycle as a run.
#[test]
fn a_forward_node_is_stopped_in_the_cycle() {
    let f = Folder::new("forward-stops");
    f.compile("gain", &[]);
    let main = |has: &str| {
        format!(
            r#"
  gain_node *node = gain_init(memory, sizeof memory);
  for (int n = 0; n < 4; n++) {{
    gain_in in = {{1, n != 1, {has}, 5}};
    gain_out out;
    printf("%s ", mlopt_code(gain_step(node, &in)));
    while (gain_take(node, &out)) printf("%g ", out.s);
  }}
  printf("in %d at %s, %s", (int)gain_stop(node)->cycle, gain_stop(node)->stream, mlopt_code(gain_flush(node)));
  gain_reset(node);
  printf(", %s\n", mlopt_code(gain_stop(node)->status));
"#
        )
    };
    let memory = "static unsigned char memory[GAIN_MEMORY];";
    let early = f.program("gain", memory, &main("true"));
    assert_eq!(early, "OK 2 E-RT-CLOCK E-RT-CLOCK E-RT-CLOCK in 1 at y, E-RT-CLOCK, OK\n");
    let late = f.program("gain", memory, &main("n < 2 && n != 1"));
    assert_eq!(late, "OK 2 OK 4 E-RT-CLOCK E-RT-CLOCK in 2 at y, E-RT-CLOCK, OK\n");
    f.compile("quotient", &[]);
    let divided = f.program(
        "quotient",
        "static unsigned char memory[QUOTIENT_MEMORY];",
        r#"
  quotient_node *node = quotient_init(memory, sizeof memory);
  for (int n = 0; n < 3; n++) {
    quotient_in in = {-7, 1 - n};
    quotient_out out;
    printf("%s ", mlopt_code(quotient_step(node, &in)));
    while (quotient_take(node, &out)) printf("%d ", (int)out.q);
  }
  printf("in %d at %s\n", (int)quotient_stop(node)->cycle, quotient_stop(node)->stream);
"#,
    );
    assert_eq!(divided, "OK -7 E-RT-OP E-RT-OP in 1 at q\n");
}

#[test]
fn instances_have_parameters_and_state_by_path() {
    let f = Folder::new("paths");
    f.compile("lags", &[]);
    let printed = f.program(
        "lags",
        "static unsigned char memory[LAGS_MEMORY];",
        r#"
  lags_node *node = lags_init(memory, sizeof memory);
  double value = 10;
  lags_out out;
  if (lags_set_param(node, "second.k", &value, sizeof value) != MLOPT_OK) return 1;
  for (int n = 1; n < 5; n++) {
    lags_in in = {(double)n};
    if (n == 4) {
      value = -1;
      if (lags_set_param(node, "first.p", &value, sizeof value) != MLOPT_OK) return 2;
    }
    if (lags_step(node, &in) != MLOPT_OK) return 3;
    while (lags_take(node, &out)) printf("%g,%g ", out.a, out.b);
  }
  lags_get_param(node, "first.p", &value, sizeof value);
  printf("%g\n", value);
"#,
    );
    assert_eq!(printed, "0,10 1,10 2,11 -1,12 4\n");
}

#[test]
fn delays_start_from_parameters_that_are_set() {
    let f = Folder::new("from");
    f.compile("from", &[]);
    let printed = f.program(
        "from",
        "static unsigned char memory[FROM_MEMORY];",
        r#"
  from_node *node = from_init(memory, sizeof memory);
  double value = 5;
  from_out out;
  for (int run = 0; run < 3; run++) {
    if (from_set_param(node, run < 2 ? "k" : "y", &value, sizeof value) != MLOPT_OK) return 1;
    for (int n = 1; n < 3; n++) {
      from_in in = {(double)n};
      if (from_step(node, &in) == MLOPT_OK && from_take(node, &out)) printf("%g ", out.y);
    }
    from_reset(node);
    value++;
  }
  printf("%d\n", allocations);
"#,
    );
    assert!(printed.starts_with("5 1 6 1 7 1 "), "{printed}");
    let run = |set: &[&str]| {
        let given = ["run", "n.mlir", "--node", "@from", "--input", "x=[1, 2]", "--chronogram"];
        f.mlopt(&[&given[..], set].concat()).1.lines().last().unwrap_or_default().to_string()
    };
    assert_eq!(run(&["--set", "k=5"]), "y      5  1");
    assert_eq!(run(&["--set", "k=5", "--set", "y=7"]), "y      7  1");
    assert_eq!(run(&["--set", "y=7", "--set", "k=5"]), "y      7  1");
}

#[test]
fn nodes_without_inputs_and_odd_names() {
    let f = Folder::new("odd");
    f.compile("count", &[]);
    let printed = f.program(
        "count",
        "static unsigned char memory[COUNT_MEMORY];",
        "count_node *node = count_init(memory, sizeof memory);
  count_out out;
  for (int n = 0; n < 3; n++)
    if (count_step(node) == MLOPT_OK && count_take(node, &out)) printf(\"%d \", (int)out.n);",
    );
    assert_eq!(printed, "1 2 3 ");
    f.compile("exp", &[]);
    let printed = f.program(
        "exp",
        "static unsigned char memory[MLOPT_EXP_MEMORY];",
        "mlopt_exp_node *node = mlopt_exp_init(memory, sizeof memory);
  mlopt_exp_in in = {1};
  mlopt_exp_out out;
  if (mlopt_exp_step(node, &in) == MLOPT_OK && mlopt_exp_take(node, &out)) printf(\"%g\", out.cycle_);",
    );
    assert_eq!(printed, "2.71828");
}

#[test]
fn arrays_are_pointers() {
    let f = Folder::new("arrays");
    f.compile("turned", &[]);
    let printed = f.program(
        "turned",
        "static unsigned char memory[TURNED_MEMORY];",
        r#"
  turned_node *node = turned_init(memory, sizeof memory);
  float w[4] = {1, 2, 3, 4};
  int32_t v[3] = {1, 2, 3};
  turned_in in = {w, true, v};
  turned_out out;
  if (turned_step(node, &in) != MLOPT_OK || turned_step(node, &in) != MLOPT_OK || !turned_take(node, &out)) return 1;
  printf("%g %g %g %g, %d, ", out.t[0], out.t[1], out.t[2], out.t[3], (int)out.u[2]);
  if (turned_step(node, NULL) != MLOPT_OK || !turned_take(node, &out) || out.t) return 2;
  in.w = NULL;
  printf("%s ", mlopt_code(turned_step(node, &in)));
  printf("at %s\n", turned_stop(node)->stream);
"#,
    );
    assert_eq!(printed, "1 3 2 4, 6, E-RT-CLOCK at w\n");
}

/// Returns statements that run a node with look-ahead on the numbers from 1 on; `inputs` sets the other inputs.
fn look_ahead(node: &str, cycles: usize, horizon: &str, inputs: &str, output: &str) -> String {
    let comma = if horizon.is_empty() { "" } else { ", " };
    format!(
        r#"
  size_t bytes = {node}_memory({horizon});
  unsigned char *block = (unsigned char *)malloc(bytes + 1);
  block[bytes] = 0x5a;
  int start = allocations;
  {node}_node *node = {node}_init(block, bytes{comma}{horizon});
  {node}_out out;
  if (!node || {node}_init(block, bytes - 1{comma}{horizon})) return 1;
  node = {node}_init(block, bytes{comma}{horizon});
  for (int run = 0; run < 2; run++) {{
    for (int n = 0; n < {cycles}; n++) {{
      {node}_in in;
      memset(&in, 0, sizeof in);
      {inputs}
      if ({node}_step(node, &in) != MLOPT_OK) break;
      while ({node}_take(node, &out)) printf("%s ", cell(out.{output}_is, (double)out.{output}));
    }}
    mlopt_status status = {node}_flush(node);
    printf("| ");
    while ({node}_take(node, &out)) printf("%s ", cell(out.{output}_is, (double)out.{output}));
    const mlopt_stop *stop = {node}_stop(node);
    printf("%s %d %d %s\n", mlopt_code(status), (int)stop->cycle, (int)stop->start, stop->stream);
    {node}_reset(node);
  }}
  printf("%d allocations, %d bytes\n", allocations - start, (int)bytes);
  if (block[bytes] != 0x5a) return 2;
  free(block);
"#
    )
}

#[track_caller]
fn twice(printed: &str, expected: &str, report: &str) {
    let bytes = number(report, "total");
    assert_eq!(printed, format!("{expected}\n{expected}\n0 allocations, {bytes} bytes\n"));
}

#[test]
fn a_retimed_node_waits_as_long_as_it_looks_ahead() {
    let f = Folder::new("retimed");
    let report = f.compile("ahead", &[]);
    let printed = f.program("ahead", "", &look_ahead("ahead", 5, "", "in.x = n + 1;", "y"));
    twice(&printed, "4 6 8 | ? ? E-RT-UNTERMINATED 5 3 y", &report);
    assert_eq!(f.ran("ahead", &["x=[1, 2, 3, 4, 5]"], "y"), "4 6 8 . .");
    assert!(report.contains("the node looks ahead by 2 cycles"), "{report}");
    let report = f.compile("ahead", &["--horizon", "2"]);
    let printed = f.program("ahead", "", &look_ahead("ahead", 5, "", "in.x = n + 1;", "y"));
    twice(&printed, "| ? ? E-RT-HORIZON 2 0 ", &report);
}

#[test]
fn a_waiting_node_hands_out_what_samples_decide() {
    let f = Folder::new("waiting");
    let set = "in.x = n + 1; in.c = n == 0 || n == 3;";
    let report = f.compile("next_sample", &["--horizon", "8"]);
    let printed = f.program("next_sample", "", &look_ahead("next_sample", 5, "", set, "o"));
    twice(&printed, "4 0 0 | ? 0 E-RT-UNTERMINATED 5 3 o", &report);
    assert_eq!(f.ran("next_sample", &["x=[1, 2, 3, 4, 5]", "c=[1, 0, 0, 1, 0]"], "o"), "4 0 0 . 0");
    // Without --horizon, the program sets the number of cycles.
    let report = f.compile("next_sample", &[]);
    assert!(report.contains("no bound without --horizon"), "{report}");
    let printed = f.program("next_sample", "", &look_ahead("next_sample", 5, "4", set, "o"));
    assert!(printed.starts_with("4 0 0 | ? 0 E-RT-UNTERMINATED 5 3 o\n"), "{printed}");
    let printed = f.program("next_sample", "", &look_ahead("next_sample", 5, "2", set, "o"));
    assert!(printed.starts_with("| ? 0 E-RT-HORIZON 2 0 \n"), "{printed}");
}

#[test]
fn a_segmented_node_hands_out_sequences() {
    let f = Folder::new("segmented");
    let set = "in.x = n + 1; in.end = n == 2 || n == 4;";
    let report = f.compile("rest", &["--horizon", "3"]);
    let printed = f.program("rest", "", &look_ahead("rest", 5, "", set, "s"));
    twice(&printed, "6 5 3 9 5 | OK 5 5 ", &report);
    assert_eq!(f.ran("rest", &["x=[1, 2, 3, 4, 5]", "end=[0, 0, 1, 0, 1]"], "s"), "6 5 3 9 5");
    let printed = f.program("rest", "", &look_ahead("rest", 5, "", "in.x = n + 1; in.end = n == 0 || n == 4;", "s"));
    twice(&printed, "1 | ? ? ? E-RT-HORIZON 4 1 `end`", &report);
    let printed = f.program("rest", "", &look_ahead("rest", 4, "", "in.x = n + 1; in.end = n == 1;", "s"));
    twice(&printed, "3 2 | ? ? E-RT-UNTERMINATED 4 2 s", &report);
    // A parameter takes effect from the first unknown cycle on.
    let set = "double five = 5;
      in.x = n + 1; in.end = n == 2 || n == 4;
      if (n == 3 && rest_set_param(node, \"scale\", &five, sizeof five) != MLOPT_OK) return 3;";
    let printed = f.program("rest", "", &look_ahead("rest", 5, "", set, "s"));
    assert!(printed.starts_with("6 5 3 14 10 | OK 5 5 \n11 10 8 14 10 |"), "{printed}");
}

#[test]
fn nodes_that_look_ahead_are_stopped_where_runs_are() {
    let f = Folder::new("stops");
    let report = f.compile("gated", &["--horizon", "8"]);
    let set = |has: &str| format!("in.x = n + 1; in.c = n != 1; in.y = 10; in.has_y = {has};");
    let early = f.program("gated", "", &look_ahead("gated", 4, "", &set("true"), "o"));
    twice(&early, "| 12 E-RT-CLOCK 1 1 y", &report);
    let late = f.program("gated", "", &look_ahead("gated", 4, "", &set("n == 0"), "o"));
    twice(&late, "12 2 | E-RT-CLOCK 2 2 y", &report);
    assert_eq!(f.ran("gated", &["x=[1, 2, 3, 4]", "c=[1, 0, 1, 1]", "y=[10, ., ., .]"], "o"), "12 2");
    let report = f.compile("next_quotient", &[]);
    let set = "in.a = 6; in.b = 3 - n;";
    let printed = f.program("next_quotient", "", &look_ahead("next_quotient", 6, "", set, "q"));
    let run = f.ran("next_quotient", &["a=[6, 6, 6, 6, 6, 6]", "b=[3, 2, 1, 0, -1, -2]"], "q");
    // Streams that need an undefined quotient are not returned.
    assert!(run.starts_with("3 6 "), "{run}");
    twice(&printed, &format!("{run} | E-RT-OP 3 3 d"), &report);
}

/// Checks that cycles without activity are returned in order, and need no memory.
#[test]
fn quiet_cycles_wait_for_those_before_them() {
    let f = Folder::new("quiet");
    f.compile("rest", &["--horizon", "2"]);
    let main = r#"
  rest_node *node = rest_init(memory, sizeof memory);
  rest_out out;
  for (int n = 0; n < 12; n++) {
    rest_in in = {1, n == 11 || n == 1};
    if (rest_step(node, n == 1 || n == 2 || n == 11 ? &in : NULL) != MLOPT_OK) return 1;
    printf("(");
    while (rest_take(node, &out)) printf("%d:%s ", (int)out.cycle, cell(out.s_is, out.s));
    printf(")");
  }
"#;
    let printed = f.program("rest", "static unsigned char memory[REST_MEMORY];", main);
    assert_eq!(printed, "(0:. )(1:1 )()()()()()()()()()(2:2 3:. 4:. 5:. 6:. 7:. 8:. 9:. 10:. 11:1 )");
}

#[test]
fn what_cannot_be_compiled_says_why() {
    let f = Folder::new("refused");
    let fails = |arguments: &[&str], message: &str| {
        let (status, _, err) = f.mlopt(&[&["compile", "n.mlir"], arguments].concat());
        assert_ne!(status, 0);
        assert_eq!(err.trim_end(), message);
    };
    fails(&["--node", "@gian"], "n.mlir: error: unknown node `@gian`; did you mean `gain`?");
    fails(&["--node", "@rest", "--initial", "k=1"], "n.mlir:45:1: error: --initial: the node has no initial value `k`");
    fails(&["--node", "@rest", "--emit=ptx"], "error: --emit: `ptx` and `cubin` require `--target=nvptx`");
    fails(
        &["--node", "@rest", "--target=nvptx"],
        "error: --node: expected `--target=x86-64`, because nodes run on processors",
    );
    fails(
        &["--node", "@rest", "--horizon", "4294967295", "--memory-report", "--mcpu=haswel"],
        "error: --mcpu: unknown processor `haswel`; did you mean `haswell`?; expected `native` or LLVM's name of an \
         x86-64 processor",
    );
    f.mlopt(&["compile", "n.mlir", "--node", "@rest", "--horizon", "2", "-o", "rest.o"]);
    fs::write(f.0.join("n.mlir"), BY_VALUES).unwrap();
    let why = "not supported: the amount of memory that a cycle needs depends on values of streams; use arrays whose \
               sizes do not depend on them";
    fails(&["--node", "@parameter", "-o", "values.o"], &format!("n.mlir:18:1: error: {why}"));
    fails(&["--node", "@input", "-o", "values.o"], &format!("n.mlir:26:1: error: {why}"));
    assert!(!f.0.join("values.o").exists() && f.0.join("rest.h").exists());
}
