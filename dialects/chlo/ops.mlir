// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// RUN: mlopt %s --emit-bytecode | mlopt | FileCheck %s
// Every op of `chlo` is preserved by printing and by bytecode.

// CHECK-LABEL: func.func @functions(
func.func @functions(%x: tensor<2x3xf32>) {
  // CHECK: "chlo.acos"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %acos = "chlo.acos"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.acosh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %acosh = "chlo.acosh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.asin"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %asin = "chlo.asin"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.asinh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %asinh = "chlo.asinh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.atan"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %atan = "chlo.atan"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.atanh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %atanh = "chlo.atanh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.bessel_i1e"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %bessel_i1e = "chlo.bessel_i1e"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.conj"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %conj = "chlo.conj"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.cosh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %cosh = "chlo.cosh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.digamma"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %digamma = "chlo.digamma"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.erf"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %erf = "chlo.erf"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.erf_inv"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %erf_inv = "chlo.erf_inv"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.erfc"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %erfc = "chlo.erfc"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.is_inf"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %is_inf = "chlo.is_inf"(%x) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: "chlo.is_neg_inf"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %is_neg_inf = "chlo.is_neg_inf"(%x) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: "chlo.is_pos_inf"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %is_pos_inf = "chlo.is_pos_inf"(%x) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: "chlo.lgamma"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %lgamma = "chlo.lgamma"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.sinh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sinh = "chlo.sinh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.square"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %square = "chlo.square"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.tan"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %tan = "chlo.tan"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.next_after"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %next_after = "chlo.next_after"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.polygamma"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %polygamma = "chlo.polygamma"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.zeta"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %zeta = "chlo.zeta"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "chlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf32>}> : () -> tensor<2xf32>
  %constant = "chlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  // CHECK: "chlo.top_k"(%{{.*}}) <{k = 2 : i64}> : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  %top:2 = "chlo.top_k"(%x) <{k = 2 : i64}> : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  // An operation that is not defined here is kept.
  // CHECK: "chlo.broadcast_add"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = "chlo.broadcast_add"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
