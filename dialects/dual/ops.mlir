// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// RUN: mlopt %s --emit-bytecode | mlopt | FileCheck %s
// RUN: mlopt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: mlopt %s --sccp | FileCheck %s --check-prefix=SCCP
// Every op of `dual` is preserved by printing, the generic form and bytecode.

func.func @f(%x: tensor<3xf64>, %y: f64, %n: index) -> f64 {
  return %y : f64
}

// CHECK-LABEL: func.func @requests
func.func @requests(%x: tensor<3xf64>, %y: f64, %n: index) -> (tensor<3xf64>, f64, tensor<3xf64>) {
  // CHECK: dual.grad @f(%{{.*}}, %{{.*}}, %{{.*}}) wrt [0] : (tensor<3xf64>, f64, index) -> tensor<3xf64>
  %g = dual.grad @f(%x, %y, %n) wrt [0] : (tensor<3xf64>, f64, index) -> tensor<3xf64>
  // Without `wrt`, the function is differentiated with respect to every float argument.
  // CHECK: %{{.*}}:2 = dual.grad @f(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<3xf64>, f64, index) -> (tensor<3xf64>, f64)
  %h:2 = dual.grad @f(%x, %y, %n) : (tensor<3xf64>, f64, index) -> (tensor<3xf64>, f64)
  // CHECK: dual.jvp @f(%{{.*}}, %{{.*}}, %{{.*}}) tangents(%{{.*}}) wrt [1] : (tensor<3xf64>, f64, index, f64) -> (f64, f64)
  %v:2 = dual.jvp @f(%x, %y, %n) tangents(%y) wrt [1] : (tensor<3xf64>, f64, index, f64) -> (f64, f64)
  // CHECK: dual.jacobian @f(%{{.*}}, %{{.*}}, %{{.*}}) wrt [0] : (tensor<3xf64>, f64, index) -> tensor<3xf64>
  %j = dual.jacobian @f(%x, %y, %n) wrt [0] : (tensor<3xf64>, f64, index) -> tensor<3xf64>
  return %j, %v#1, %g : tensor<3xf64>, f64, tensor<3xf64>
}

// The structural zero and a user's zero remain distinct: `canonicalize` merges equal constants only.
// CHECK-LABEL: func.func @constants
// FOLD-LABEL:  func.func @constants
func.func @constants() -> (f64, f64, f64, tensor<2xf32>, f64) {
  // CHECK: dual.zero : f64
  // CHECK: dual.one : f64
  // CHECK: dual.zero : tensor<2xf32>
  // FOLD-DAG: %[[ZERO:.*]] = dual.zero : f64
  // FOLD-DAG: %[[USER:.*]] = arith.constant 0.000000e+00 : f64
  // FOLD-DAG: %[[ONE:.*]] = dual.one : f64
  // FOLD-DAG: %[[ZEROS:.*]] = dual.zero : tensor<2xf32>
  // FOLD:     return %[[ZERO]], %[[USER]], %[[ONE]], %[[ZEROS]], %[[ZERO]]
  %a = dual.zero : f64
  %b = arith.constant 0.0 : f64
  %c = dual.one : f64
  %d = dual.zero : tensor<2xf32>
  %e = dual.zero : f64
  return %a, %b, %c, %d, %e : f64, f64, f64, tensor<2xf32>, f64
}

// CHECK-LABEL: func.func @reverse
func.func @reverse(%x: tensor<3xf64>, %c: f64, %t: tensor<3xf64>) -> tensor<3xf64> {
  // CHECK: dual.vjp @loss(%{{.*}}) cotangents(%{{.*}}) wrt [0] : (tensor<3xf64>, f64) -> (f64, tensor<3xf64>)
  %y, %a = dual.vjp @loss(%x) cotangents(%c) wrt [0] : (tensor<3xf64>, f64) -> (f64, tensor<3xf64>)
  // CHECK: dual.grad @loss(%{{.*}}) mode reverse : (tensor<3xf64>) -> tensor<3xf64>
  %b = dual.grad @loss(%x) mode reverse : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK: dual.value_and_grad @loss(%{{.*}}) wrt [0] mode forward : (tensor<3xf64>) -> (f64, tensor<3xf64>)
  %z, %d = dual.value_and_grad @loss(%x) wrt [0] mode forward : (tensor<3xf64>) -> (f64, tensor<3xf64>)
  // CHECK: dual.hvp @loss(%{{.*}}) tangents(%{{.*}}) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %h = dual.hvp @loss(%x) tangents(%t) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  // CHECK: dual.stop_gradient %{{.*}} : tensor<3xf64>
  %s = dual.stop_gradient %h : tensor<3xf64>
  // CHECK: %[[D:.*]] = dual.linear (%[[T:.*]] = %{{.*}} : tensor<3xf64>) {
  // CHECK:   dual.yield %{{.*}} : f64
  // CHECK: } : <(tensor<3xf64>) -> f64>
  %m = dual.linear (%x_t = %x : tensor<3xf64>) {
    %y_t = array.sum %x_t : (tensor<3xf64>) -> f64
    dual.yield %y_t : f64
  } : !dual.delta<(tensor<3xf64>) -> f64>
  // CHECK: dual.transpose %[[D]](%{{.*}}) : (!dual.delta<(tensor<3xf64>) -> f64>, f64) -> tensor<3xf64>
  %r = dual.transpose %m(%c) : (!dual.delta<(tensor<3xf64>) -> f64>, f64) -> tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @loss(%x: tensor<3xf64>) -> f64 {
  %y = array.sum %x : (tensor<3xf64>) -> f64
  return %y : f64
}

// A region in place of a symbol, several results, and every mode.
// CHECK-LABEL: func.func @regions
func.func @regions(%x: tensor<3xf64>, %w: f64) -> (tensor<3xf64>, f64, f64) {
  // CHECK: %[[G:.*]] = dual.grad (%[[A:.*]] = %{{.*}} : tensor<3xf64>) {
  // CHECK:   array.sum %[[A]]
  // CHECK:   dual.yield %{{.*}} : f64
  // CHECK: } wrt [0] mode auto : (tensor<3xf64>) -> tensor<3xf64>
  %g = dual.grad (%a = %x : tensor<3xf64>) {
    %s = array.sum %a : (tensor<3xf64>) -> f64
    %y = arith.mulf %s, %w : f64
    dual.yield %y : f64
  } wrt [0] mode auto : (tensor<3xf64>) -> tensor<3xf64>
  // CHECK: dual.jvp (%{{.*}} = %{{.*}} : f64) {
  // CHECK: } tangents(%{{.*}}) : (f64, f64) -> (f64, f64)
  %t:2 = dual.jvp (%a = %w : f64) {
    dual.yield %a : f64
  } tangents(%w) : (f64, f64) -> (f64, f64)
  // CHECK: dual.hessian @two(%{{.*}}, %{{.*}}) : (f64, f64) -> (f64, f64, f64, f64)
  %h:4 = dual.hessian @two(%w, %w) : (f64, f64) -> (f64, f64, f64, f64)
  return %g, %t#1, %h#1 : tensor<3xf64>, f64, f64
}
// CHECK: func.func @two(%{{.*}}: f64, %{{.*}}: f64) -> f64 attributes {dual.jvp = @two_jvp}
func.func @two(%x: f64, %y: f64) -> f64 attributes {dual.jvp = @two_jvp} {
  %z = arith.mulf %x, %y : f64
  return %z : f64
}
func.func @two_jvp(%x: f64, %y: f64, %x_t: f64, %y_t: f64) -> (f64, f64) {
  %z = arith.mulf %x, %y : f64
  %a = arith.mulf %x, %y_t : f64
  %b = arith.mulf %x_t, %y : f64
  %z_t = arith.addf %a, %b : f64
  return %z, %z_t : f64, f64
}

// A constant that other passes materialise again is the same structural constant.
// SCCP-LABEL: func.func @branches
// SCCP-DAG:     %[[ZERO:.*]] = dual.zero : f64
// SCCP-DAG:     %[[ONE:.*]] = dual.one : f64
// SCCP:         return %[[ZERO]], %[[ONE]]
func.func @branches(%c: i1) -> (f64, f64) {
  %r:2 = scf.if %c -> (f64, f64) {
    %z = dual.zero : f64
    %o = dual.one : f64
    scf.yield %z, %o : f64, f64
  } else {
    %z = dual.zero : f64
    %o = dual.one : f64
    scf.yield %z, %o : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
