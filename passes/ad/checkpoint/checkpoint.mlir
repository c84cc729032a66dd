// RUN: mlopt %s --pass-pipeline='builtin.module(differentiate{report=true})' --verify-diagnostics -o /dev/null
// RUN: mlopt %s --pass-pipeline='builtin.module(differentiate{memory-budget=0})' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(differentiate{memory-budget=1})' | FileCheck %s --check-prefix=WHOLE
// RUN: mlopt %s --pass-pipeline='builtin.module(differentiate{memory-budget=0 report=true})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// 10,000 iterations with a state of 24 bytes: 240 kB in all; with a budget of zero, levels of segments.
func.func @f(%x: tensor<3xf64>) -> f64 {
  %n = arith.constant 10000 : index
  // expected-remark @+1 {{values of this loop that reverse mode keeps: tensor<10000x3xf64> (240000 bytes)}}
  %y = array.ifold (%i < %n) iter_args(%s = %x) -> (tensor<3xf64>) {
    %a = math.sin %s : tensor<3xf64>
    array.yield %a : tensor<3xf64>
  }
  %z = array.sum %y : (tensor<3xf64>) -> f64
  return %z : f64
}
// CHECK-LABEL: func.func @g
// CHECK-NOT:     tensor<10000x
// CHECK:         array.map_accum {{.*}} iter_args(%{{.*}} = %x) -> (tensor<3xf64>, tensor<6x3xf64>) {
// CHECK-NOT:     tensor<10000x
// CHECK:         %[[C:.*]] = math.cos %[[S:.*]] : tensor<3xf64>
// CHECK-NEXT:    %[[S_CT:.*]] = arith.mulf %[[C]], %{{.*}} : tensor<3xf64>
// CHECK-NEXT:    array.yield %[[S_CT]]
// CHECK-NOT:     tensor<10000x
// CHECK:         return %{{.*}} : tensor<3xf64>
// WHOLE-LABEL: func.func @g
// WHOLE:         tensor<10000x3xf64>
// WHOLE-NOT:     func.func private
// REPORT-NOT: 240000
// REPORT:     values of this loop that reverse mode keeps: tensor<{{[0-9]}}x3xf64> ({{[0-9]+}} bytes), in each iteration of the enclosing loop
func.func @g(%x: tensor<3xf64>) -> tensor<3xf64> {
  %g = dual.grad @f(%x) mode reverse : (tensor<3xf64>) -> tensor<3xf64>
  return %g : tensor<3xf64>
}
