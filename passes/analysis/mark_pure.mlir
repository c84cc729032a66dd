// RUN: mlopt %s --mark-pure | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(mark-pure,func.func(egg-optimize))' | FileCheck %s --check-prefix=OPT
// Functions of pure operations and of calls of such functions are pure, and no others.

// CHECK:       func.func private @outside(f64) -> f64{{$}}
func.func private @outside(f64) -> f64
// An attribute of a function without a body is trusted.
// CHECK-LABEL: func.func private @declared(f64) -> f64
// CHECK-SAME:    array.pure
func.func private @declared(f64) -> f64 attributes {array.pure}

// CHECK-LABEL: func.func @leaf
// CHECK-SAME:    array.pure
func.func @leaf(%x: f64) -> (f64, f64) {
  %y = math.sin %x : f64
  %z = func.call @declared(%y) : (f64) -> f64
  return %y, %z : f64, f64
}

// CHECK-LABEL: func.func @impure(
// CHECK-SAME:    %[[X:.*]]: f64) -> f64 {
// CHECK-NEXT:    call @outside(%[[X]]) : (f64) -> f64
func.func @impure(%x: f64) -> f64 {
  %y = func.call @outside(%x) : (f64) -> f64
  return %y : f64
}
// An attribute that no longer holds is removed.
// CHECK-LABEL: func.func @caller_of_impure(
// CHECK-SAME:    %[[X:.*]]: f64) -> f64 {
// CHECK-NEXT:    call @impure(%[[X]]) : (f64) -> f64
func.func @caller_of_impure(%x: f64) -> f64 attributes {array.pure} {
  %y = func.call @impure(%x) {array.pure} : (f64) -> f64
  return %y : f64
}

// A recursion may not terminate.
// CHECK-LABEL: func.func @even
// CHECK-NOT:     array.pure
// CHECK:       func.func @odd
// CHECK-NOT:     array.pure
// CHECK:       func.func @below_recursion
func.func @even(%x: f64) -> f64 {
  %y = func.call @odd(%x) : (f64) -> f64
  return %y : f64
}
func.func @odd(%x: f64) -> f64 {
  %y = func.call @even(%x) : (f64) -> f64
  return %y : f64
}
// CHECK-NOT:     array.pure
// CHECK:         return
func.func @below_recursion(%x: f64) -> f64 {
  %y = func.call @even(%x) : (f64) -> f64
  return %y : f64
}

// A division may trap, a loop may not terminate.
// CHECK-LABEL: func.func @division(
// CHECK-SAME:    %[[X:.*]]: i64, %[[Y:.*]]: i64) -> i64 {
// CHECK-NEXT:    arith.divsi %[[X]], %[[Y]]
func.func @division(%x: i64, %y: i64) -> i64 {
  %z = arith.divsi %x, %y : i64
  return %z : i64
}
// CHECK-LABEL: func.func @search(
// CHECK-SAME:    %{{.*}}: f64) -> f64 {
// CHECK-NEXT:    scf.while
func.func @search(%x: f64) -> f64 {
  %y = scf.while (%s = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %s, %x : f64
    scf.condition(%c) %s : f64
  } do {
  ^bb0(%s: f64):
    scf.yield %s : f64
  }
  return %y : f64
}

// CHECK-LABEL: func.func @branches
// CHECK-SAME:    array.pure
func.func @branches(%c: i1, %x: f64) -> f64 {
  %y = scf.if %c -> (f64) {
    %a:2 = func.call @leaf(%x) : (f64) -> (f64, f64)
    scf.yield %a#1 : f64
  } else {
    scf.yield %x : f64
  }
  return %y : f64
}

// Equal calls are merged, calls that do not depend on the index leave the loop, and an unused call is removed.
// OPT-LABEL: func.func @calls
// OPT-NEXT:    %[[A:.*]]:2 = call @leaf(%{{.*}}) {array.pure}
// OPT-NOT:     call
// OPT:         return
func.func @calls(%x: f64, %v: tensor<8xf64>) -> tensor<8xf64> {
  %zero = arith.constant 0.0 : f64
  %is_positive = arith.cmpf ogt, %x, %zero : f64
  %unused = func.call @branches(%is_positive, %x) : (i1, f64) -> f64
  %r = array.build (%i < 8) -> (tensor<8xf64>) {
    %a:2 = func.call @leaf(%x) : (f64) -> (f64, f64)
    %b:2 = func.call @leaf(%x) : (f64) -> (f64, f64)
    %e = array.get %v[%i] : (tensor<8xf64>) -> f64
    %f = arith.mulf %e, %a#0 : f64
    %g = arith.addf %f, %b#1 : f64
    array.yield %g : f64
  }
  return %r : tensor<8xf64>
}
// OPT-LABEL: func.func @impure_calls
// OPT:         call @outside
// OPT:         call @outside
// OPT:         return
func.func @impure_calls(%x: f64) -> f64 {
  %a = func.call @outside(%x) : (f64) -> f64
  %b = func.call @outside(%x) : (f64) -> f64
  %c = arith.addf %a, %b : f64
  return %c : f64
}
