// A reading that is removed: the operation becomes an opaque term, and its meaning is unknown.
// RUN: mlopt --pass-pipeline='builtin.module(func.func(egg-optimize))' %s | FileCheck %s --check-prefix=READ
// RUN: mlopt --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,-read-transpose}))' %s | FileCheck %s --check-prefix=LEFT
// RUN: mlopt --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,-reading}))' %s | FileCheck %s --check-prefix=LEFT

// READ-LABEL: @twice
// READ-NEXT:  return %{{.*}} : tensor<?x?xf64>
// LEFT-LABEL: @twice
// LEFT-COUNT-2: array.transpose
// LEFT-NOT:   array.transpose
func.func @twice(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %t = array.transpose %m [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %u = array.transpose %t [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  // Equal operations are merged, also without a known meaning.
  %v = array.transpose %t [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %w = arith.maximumf %u, %v : tensor<?x?xf64>
  %c = arith.constant true
  %z = arith.select %c, %u, %w : tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
