// RUN: mlopt run %s --entry @appended --interpret --pass-pipeline='builtin.module()' --arg zeros:0x2xf64 --print repr | FileCheck %s --match-full-lines --check-prefix=APPENDED
// RUN: mlopt run %s --entry @misfit --interpret --pass-pipeline='builtin.module()' --arg zeros:0x2xf64 --print repr | FileCheck %s --match-full-lines --check-prefix=UNKNOWN
// RUN: mlopt run %s --entry @endless --interpret --pass-pipeline='builtin.module()' --arg zeros:0x2xf64 --print repr | FileCheck %s --match-full-lines --check-prefix=UNKNOWN
// RUN: mlopt run %s --entry @long --interpret --pass-pipeline='builtin.module()' --arg zeros:0x2xf64 --print repr | FileCheck %s --match-full-lines --check-prefix=LONG
// The rows of an array without rows have the sizes that its body would yield; if the body fails or never ends, the sizes
// are unknown.

// APPENDED:      array([0., 0.])
// APPENDED-NEXT: array([], shape=(0, 4), dtype=float64)
// APPENDED-NEXT: array([], shape=(0, 2), dtype=float64)
func.func @appended(%m: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3 : index
  %rows = array.length %m : tensor<?x?xf64>
  %columns = array.length %m axis 1 : tensor<?x?xf64>
  %init = array.replicate %zero, %columns : (f64) -> tensor<?xf64>
  %s, %e = array.map_accum (%a = %m : tensor<?x?xf64>) iter_args(%s = %init)
      -> (tensor<?xf64>, tensor<?x?xf64>) {
    %next = arith.addf %s, %a : tensor<?xf64>
    %row = array.append %s, %next : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    array.yield %next, %row : tensor<?xf64>, tensor<?xf64>
  }
  %b = array.build (%i < %rows) -> (tensor<?x?xf64>) {
    %a = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    array.yield %a : tensor<?xf64>
  }
  return %s, %e, %b : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// UNKNOWN:      array([0., 0.])
// UNKNOWN-NEXT: array([], shape=(0, 0), dtype=float64)
// UNKNOWN-NEXT: array([], shape=(0, 2), dtype=float64)
func.func @misfit(%m: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3 : index
  %rows = array.length %m : tensor<?x?xf64>
  %columns = array.length %m axis 1 : tensor<?x?xf64>
  %init = array.replicate %zero, %columns : (f64) -> tensor<?xf64>
  %s, %e = array.map_accum (%a = %m : tensor<?x?xf64>) iter_args(%s = %init)
      -> (tensor<?xf64>, tensor<?x?xf64>) {
    %next = arith.addf %s, %a : tensor<?xf64>
    %other = array.replicate %zero, %three : (f64) -> tensor<?xf64>
    %row = arith.addf %s, %other : tensor<?xf64>
    array.yield %next, %row : tensor<?xf64>, tensor<?xf64>
  }
  %b = array.build (%i < %rows) -> (tensor<?x?xf64>) {
    %a = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    array.yield %a : tensor<?xf64>
  }
  return %s, %e, %b : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @endless(%m: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3 : index
  %rows = array.length %m : tensor<?x?xf64>
  %columns = array.length %m axis 1 : tensor<?x?xf64>
  %init = array.replicate %zero, %columns : (f64) -> tensor<?xf64>
  %s, %e = array.map_accum (%a = %m : tensor<?x?xf64>) iter_args(%s = %init)
      -> (tensor<?xf64>, tensor<?x?xf64>) {
    %next = arith.addf %s, %a : tensor<?xf64>
    %always = arith.constant true
    %row = scf.while (%r = %next) : (tensor<?xf64>) -> tensor<?xf64> {
      scf.condition(%always) %r : tensor<?xf64>
    } do {
    ^bb0(%r: tensor<?xf64>):
      scf.yield %r : tensor<?xf64>
    }
    array.yield %next, %row : tensor<?xf64>, tensor<?xf64>
  }
  %b = array.build (%i < %rows) -> (tensor<?x?xf64>) {
    %a = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    array.yield %a : tensor<?xf64>
  }
  return %s, %e, %b : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// A body of 240,000 steps.
// LONG: array([], shape=(0, 2), dtype=float64)
func.func @long(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %count = arith.constant 80000 : index
  %rows = array.length %m : tensor<?x?xf64>
  %columns = array.length %m axis 1 : tensor<?x?xf64>
  %ones = array.build (%i < %rows, %j < %columns) -> (tensor<?x?xf64>) {
    array.yield %one : f64
  }
  %b = array.build (%i < %rows) -> (tensor<?x?xf64>) {
    %s = array.ifold (%k < %count) iter_args(%s = %zero) -> (f64) {
      %next = arith.addf %s, %one : f64
      array.yield %next : f64
    }
    %row = array.replicate %s, %columns : (f64) -> tensor<?xf64>
    array.yield %row : tensor<?xf64>
  }
  %z = arith.addf %b, %ones : tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
