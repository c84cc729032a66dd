// `mlopt reduce` shrinks a function of 200 ops to the one that fails, the function and its return.
// RUN: not mlopt %S/Inputs/fails.mlir --jvp 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: the derivative of `@f` depends on itself; remove this recursion
// RUN: mlopt reduce %S/Inputs/fails.mlir --reduce-ops=test=%S/Inputs/is_interesting.sh -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK:      func.func @f
// CHECK-NEXT:   dual.grad @f
// CHECK-NEXT:   return
// CHECK-NEXT: }
