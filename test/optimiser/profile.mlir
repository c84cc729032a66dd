// RUN: mlopt explain %s --profile=counts | FileCheck %s
// RUN: mlopt explain %s --profile | FileCheck %s --check-prefix=TIMES
// RUN: mlopt explain %s --profile=counts --rules=array | FileCheck %s --check-prefix=FEW
// RUN: mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{profile=counts}))' -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not mlopt %s --pass-pipeline='builtin.module(func.func(egg-optimize{profile=count}))' 2>&1 | FileCheck %s --check-prefix=WHAT
// RUN: not mlopt explain %s --profile --html %t.html 2>&1 | FileCheck %s --check-prefix=BOTH
// A profile of the rules: matches, applications, e-nodes added, and steps to the result.

// CHECK:       @f at {{.*}}profile.mlir:{{.*}} steps, cost {{[0-9]+}} before, {{[0-9]+}} after
// CHECK-NEXT:  rule set matches applied nodes steps{{$}}
// CHECK:       structural-zero ring 1 1 0 1{{$}}
// CHECK:       get-of-build array 1 1 0 1{{$}}
// CHECK:       factor choice {{[0-9]+ [0-9]+ [0-9]+}} 1{{$}}
// CHECK-NEXT:  {{[0-9]+}} rules without a match{{$}}
// TIMES:       rule set matches applied nodes steps ms{{$}}
// TIMES:       get-of-build array 1 1 0 1 {{[0-9]+\.[0-9]+$}}
// TIMES:       rules without a match {{[0-9]+\.[0-9]+$}}
// FEW-NOT:     factor
// FEW:         7 rules without a match
// REMARK:      remark: effects of the rules:
// REMARK-NEXT: rule set
// REMARK:      factor
// WHAT:        error: egg-optimize: unknown profile `count`; did you mean `counts`?
// BOTH:        error: the argument '--profile[=<COLUMNS>]' cannot be used with '--html <FILE>'

func.func @f(%x: tensor<9xf64>, %y: f64, %z: f64) -> tensor<9xf64> {
  %zero = dual.zero : f64
  %s = array.build (%i < 9) -> (tensor<9xf64>) {
    %a = array.get %x[%i] : (tensor<9xf64>) -> f64
    %b = math.exp %a : f64
    array.yield %b : f64
  }
  %e = array.build (%i < 9) -> (tensor<9xf64>) {
    %a = array.get %s[%i] : (tensor<9xf64>) -> f64
    %b = arith.mulf %a, %y fastmath<reassoc> : f64
    %c = arith.mulf %a, %z fastmath<reassoc> : f64
    %d = arith.addf %b, %c fastmath<reassoc> : f64
    %e = arith.addf %d, %zero : f64
    array.yield %e : f64
  }
  return %e : tensor<9xf64>
}
