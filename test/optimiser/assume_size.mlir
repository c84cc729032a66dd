// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize))' | FileCheck %s --check-prefix=SHORT
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{assume-size=10000}))' | FileCheck %s --check-prefix=LONG
// RUN: mlopt explain %s --assume-size=10000 | FileCheck %s --check-prefix=SAME
// RUN: mlopt equiv %s %s --assume-size=10000 | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{assume-size=0}))' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not mlopt explain %s --assume-size=0 2>&1 | FileCheck %s --check-prefix=RANGE
// A table of a thousand exponentials is profitable only if more than a thousand are read: %n of them are.

// SHORT-LABEL: func.func @read
// SHORT:         array.build
// SHORT:           math.exp
// SHORT:           array.yield
// LONG-LABEL:  func.func @read
// LONG-NEXT:     math.exp %{{.*}} : tensor<1000xf64>
// LONG:          array.build
// LONG-NOT:      math.exp
// SAME:        @read at {{.*}} 0 steps
// EQUAL:       equal: both functions are the same term
// ZERO:        error: egg-optimize: `assume-size` must be positive, found 0
// RANGE:       error: invalid value '0' for '--assume-size <N>'

func.func @read(%x: tensor<1000xf64>, %at: tensor<?xindex>) -> tensor<?xf64> {
  %e = math.exp %x : tensor<1000xf64>
  %n = array.length %at : tensor<?xindex>
  %r = array.build (%i < %n) -> (tensor<?xf64>) {
    %k = array.get %at[%i] : (tensor<?xindex>) -> index
    %y = array.get %e[%k] : (tensor<1000xf64>) -> f64
    array.yield %y : f64
  }
  return %r : tensor<?xf64>
}
