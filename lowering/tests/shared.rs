//! A shared library and its header, used from C as documented in `docs/abi.md`.

use crate::common::*;
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::{Target, header, link_shared};
use std::process::Command;

const PROGRAM: &str = "
func.func @scale(%x: tensor<?x2xf64>, %a: f64, %n: index) -> (tensor<?x2xf64>, f64, tensor<?xi1>) {
  %m = array.length %x : tensor<?x2xf64>
  %y = array.build (%i < %m, %j < 2) -> (tensor<?x2xf64>) {
    %e = array.get %x[%i, %j] : tensor<?x2xf64> -> f64
    %p = math.tanh %e : f64
    %q = arith.mulf %p, %a : f64
    array.yield %q : f64
  }
  %t = array.sum %y : (tensor<?x2xf64>) -> tensor<2xf64>
  %s = array.sum %t : (tensor<2xf64>) -> f64
  %odd = array.build (%i < %n) -> (tensor<?xi1>) {
    %b = arith.index_cast %i : index to i64
    %c = arith.trunci %b : i64 to i1
    array.yield %c : i1
  }
  return %y, %s, %odd : tensor<?x2xf64>, f64, tensor<?xi1>
}
";

const CALLER: &str = r#"
#include "scale.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const double x[3][2] = {{0.0, 1.0}, {2.0, 3.0}, {-1.0, 0.5}};
  const double a = 2.0;
  const int64_t n = 3;
  int64_t answer[4];
  scale_sizes(&x[0][0], &a, &n, answer, 3);
  if (answer[0] != 0 || answer[2] != 3 || answer[3] != 3) return 1;
  void *scratch = aligned_alloc(64, answer[1] + 64);
  double *y = malloc(answer[2] * 2 * sizeof(double)), s;
  bool *odd = malloc(answer[3]);
  scale(&x[0][0], &a, &n, y, &s, odd, scratch, 3, answer[2], answer[3], answer[1]);
  printf("%.6f %.6f %.6f %d%d%d\n", y[1], y[4], s, odd[0], odd[1], odd[2]);
  int64_t absurd = INT64_MAX;
  scale_sizes(&x[0][0], &a, &absurd, answer, 3);
  printf("%d\n", answer[0] > 0);
  free(scratch); free(y); free(odd);
  return 0;
}
"#;

#[test]
fn called_from_c() {
    let folder = std::env::temp_dir().join(format!("mlopt-shared-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let context = context();
    let module = parse(&context, PROGRAM);
    let target = Target::named("x86-64", "").unwrap();
    target.describe(module_op(&module));
    lower(module_op(&module)).unwrap();
    let library = folder.join("libscale.so");
    link_shared(module_op(&module), &target, &library, None).unwrap();
    let text = header(module_op(&module), "scale").unwrap();
    assert!(text.contains("/* status 1: an extent of 'array.build' is too large"), "{text}");
    std::fs::write(folder.join("scale.h"), text).unwrap();
    std::fs::write(folder.join("main.c"), CALLER).unwrap();

    let cc = std::env::var("CC").unwrap_or("cc".into());
    let built = Command::new(cc)
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "main.c",
            "-o",
            "main",
            "-L.",
            "-lscale",
            "-Wl,-rpath,$ORIGIN",
            "-lm",
        ])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(folder.join("main")).output().unwrap();
    let t = |x: f64| 2.0 * x.tanh();
    let sum = t(0.0) + t(1.0) + t(2.0) + t(3.0) + t(-1.0) + t(0.5);
    assert_eq!(String::from_utf8_lossy(&run.stdout), format!("{:.6} {:.6} {sum:.6} 010\n1\n", t(1.0), t(-1.0)));
    std::fs::remove_dir_all(&folder).unwrap();
}
