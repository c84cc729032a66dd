// RUN: mlopt %s --jvp > %t.0.mlir
// RUN: mlopt %t.0.mlir --pass-pipeline='builtin.module(func.func(normalise-terms))' > %t.1.mlir
// RUN: mlopt %t.1.mlir --pass-pipeline='builtin.module(func.func(contract-sums))' > %t.2.mlir
// RUN: mlopt %t.2.mlir --pass-pipeline='builtin.module(func.func(unroll-small-loops))' > %t.3.mlir
// RUN: mlopt %t.3.mlir --pass-pipeline='builtin.module(func.func(saturate-terms))' > %t.4.mlir
// RUN: mlopt %t.4.mlir --pass-pipeline='builtin.module(func.func(place-terms))' > %t.5.mlir
// RUN: mlopt %t.0.mlir --pass-pipeline='builtin.module(func.func(normalise-terms,contract-sums,unroll-small-loops,saturate-terms,place-terms))' > %t.all.mlir
// RUN: cmp %t.5.mlir %t.all.mlir
// RUN: FileCheck %s --input-file=%t.5.mlir
// RUN: mlopt run %t.0.mlir --entry @gradient --arg '[1, 2, 3]' --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[0.5, -1]' --interpret | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %t.1.mlir --entry @gradient --arg '[1, 2, 3]' --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[0.5, -1]' --interpret | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %t.2.mlir --entry @gradient --arg '[1, 2, 3]' --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[0.5, -1]' --interpret | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %t.3.mlir --entry @gradient --arg '[1, 2, 3]' --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[0.5, -1]' --interpret | FileCheck %s --check-prefix=VALUE
// RUN: mlopt run %t.5.mlir --entry @gradient --arg '[1, 2, 3]' --arg '[[1, 2, 3], [4, 5, 6]]' --arg '[0.5, -1]' | FileCheck %s --check-prefix=VALUE
// The phases of egg-optimize one by one. Each prints, parses, and preserves the value; the result is that of the one pipeline.

// M x - y has length 2; the gradient of its square is 2 Mᵀ (M x - y).
// VALUE:       [291. 384. 477.]
// CHECK-LABEL: func.func @gradient
// CHECK-NOT:     arith.select
// CHECK:         %[[D:.*]] = array.build (%{{.*}} < 2) -> (tensor<2xf64>) {
// CHECK-NOT:     arith.select
// CHECK:         %[[G:.*]] = array.build (%[[J:.*]] < 3) -> (tensor<3xf64>) {
// CHECK-NEXT:      array.ifold (%[[I:.*]] < %c2) iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64) {
// CHECK-NEXT:        %[[E:.*]] = array.get %[[D]][%[[I]]]
// CHECK-NEXT:        %[[M:.*]] = array.get %arg1[%[[I]], %[[J]]]
// CHECK-NEXT:        %[[P:.*]] = arith.mulf %[[E]], %[[M]]
// CHECK-NEXT:        %[[TWICE:.*]] = arith.addf %[[P]], %[[P]]
// CHECK-NEXT:        arith.addf %[[ACC]], %[[TWICE]]
// CHECK-NOT:     arith.select
// CHECK:         return %[[G]]

func.func private @squares(%x: tensor<3xf64>, %m: tensor<2x3xf64>, %y: tensor<2xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %rows = arith.constant 2 : index
  %columns = arith.constant 3 : index
  %s = array.ifold (%i < %rows) iter_args(%a = %zero) -> (f64) {
    %r = array.ifold (%j < %columns) iter_args(%b = %zero) -> (f64) {
      %e = array.get %m[%i, %j] : (tensor<2x3xf64>) -> f64
      %z = array.get %x[%j] : (tensor<3xf64>) -> f64
      %p = arith.mulf %e, %z : f64
      %q = arith.addf %b, %p : f64
      array.yield %q : f64
    }
    %t = array.get %y[%i] : (tensor<2xf64>) -> f64
    %d = arith.subf %r, %t : f64
    %q = arith.mulf %d, %d : f64
    %b = arith.addf %a, %q : f64
    array.yield %b : f64
  }
  return %s : f64
}

func.func @gradient(%x: tensor<3xf64>, %m: tensor<2x3xf64>, %y: tensor<2xf64>) -> tensor<3xf64> {
  %g = dual.grad @squares(%x, %m, %y) wrt [0] mode forward : (tensor<3xf64>, tensor<2x3xf64>, tensor<2xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}
