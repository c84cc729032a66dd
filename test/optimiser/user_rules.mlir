// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=all,%S/user.rules check-rules=true}))' | FileCheck %s
// RUN: mlopt explain %s --rules=all,%S/user.rules | FileCheck %s --check-prefix=EXPLAIN
// RUN: not mlopt explain %s --rules=all,%S/false.rules --check-rules 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=%S/ill_typed.rules}))' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not mlopt explain %s --rules=%S/none.rules 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: mlopt explain %s --rules=all,,%S/true.rules, --check-rules | FileCheck %s --check-prefix=TRUE
// RUN: not mlopt explain %s --rules=%S/overflow.rules --check-rules 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not mlopt explain %s --rules=%S/successor.rules --check-rules 2>&1 | FileCheck %s --check-prefix=SUCCESSOR
// RUN: not mlopt explain %s --rules=%S/empty.rules --check-rules 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mlopt explain %s --rules=%S/number.rules 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{rules=al}))' 2>&1 | FileCheck %s --check-prefix=ALL
// User rules: used as alternatives, tested on random values, rejected with their location.

// EXPLAIN:  log1p-of-expm1
// EXPLAIN:  law:  (log1p (expm1 x)) = x
// EXPLAIN:  when: the operators on the left carry reassoc, nnan, ninf, nsz
// FALSE:    error: --rules: {{.*}}false.rules:2:1: error: the rule `exp-of-sum` is false: for x = {{.*}}, y = {{.*}} the left side is {{.*}}, but the right side is
// TYPE:     user_rules.mlir:[[@LINE+13]]:1: error: egg-optimize: {{.*}}ill_typed.rules:3:8: error: `log` takes f64 or f32, found index
// NONE:     error: --rules: {{.*}}none.rules: No such file or directory
// TRUE:      @f at {{.*}} steps
// OVERFLOW:  error: --rules: {{.*}}overflow.rules:2:1: error: the rule `div-of-product` is false: for i = {{.*}} the left side is {{.*}}, but the right side is
// SUCCESSOR: error: --rules: {{.*}}successor.rules:2:1: error: the rule `below-itself` is false: for i = 9223372036854775807 the left side is 1, but the right side is 0
// EMPTY:     error: --rules: {{.*}}empty.rules:2:1: error: the rule `max-from-first` is false: for {{.*}} the left side is -inf, but the right side is 0.0
// NUMBER:    error: --rules: {{.*}}number.rules:1:7: error: expected the name of the rule, found `inf`, which is parsed as a number
// ALL:       error: egg-optimize: unknown rule set `al`; did you mean `all`?

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
