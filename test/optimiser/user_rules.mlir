// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,%S/user.rules check-rules=true}))' | FileCheck %s
// RUN: mlopt explain %s --rules=all,%S/user.rules | FileCheck %s --check-prefix=EXPLAIN
// RUN: not mlopt explain %s --rules=all,%S/false.rules --check-rules 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=%S/ill_typed.rules}))' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not mlopt explain %s --rules=%S/none.rules 2>&1 | FileCheck %s --check-prefix=NONE
// Rules of users: used as alternatives, tried on random values, refused with their place.

// EXPLAIN:  log1p-of-expm1
// EXPLAIN:  law:  (log1p (expm1 x)) = x
// EXPLAIN:  when: the operators on the left carry reassoc, nnan, ninf, nsz
// FALSE:    error: --rules: {{.*}}false.rules:2:1: error: the rule `exp-of-sum` is false: for x = {{.*}}, y = {{.*}} the left is {{.*}}, the right
// TYPE:     user_rules.mlir:[[@LINE+7]]:1: error: egg-optimize: {{.*}}ill_typed.rules:3:8: error: `log` takes f64 or f32, found index
// NONE:     error: --rules: {{.*}}none.rules: No such file or directory

// Σ log1p(expm1(x)) is Σ x.
// CHECK-LABEL: func.func @f
// CHECK-NOT:     math.
// CHECK:         array.sum %{{.*}} : (tensor<?xf64>) -> f64
func.func @f(%x: tensor<?xf64>) -> f64 {
  %e = math.expm1 %x fastmath<fast> : tensor<?xf64>
  %l = math.log1p %e fastmath<fast> : tensor<?xf64>
  %s = array.sum %l : (tensor<?xf64>) -> f64
  return %s : f64
}
