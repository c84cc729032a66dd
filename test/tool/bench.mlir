// The benchmark programs compute the values of the reference evaluator, for all sizes at once and specialised for the sizes that
// run; an unknown name is rejected.

// RUN: mlopt bench --size tiny dot_grad stream_lms bn_grad | FileCheck %s
// Objects are linked whose contractions have tiles of the same names.
// RUN: mlopt bench lstm_train mlp_step --any-size --library %t.so
// RUN: test -s %t.so
// RUN: not mlopt bench nnmf_gard 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK:      program compile call error
// CHECK-NEXT: dot_grad {{.*}} 0.0e0
// CHECK-NEXT: stream_lms
// CHECK-NEXT: bn_grad
// CHECK-NEXT: bn_grad_f32
// UNKNOWN: error: unknown benchmark `nnmf_gard`
