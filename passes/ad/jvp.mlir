// RUN: mlopt %s --jvp --split-input-file --verify-diagnostics | FileCheck %s
// Every kind of op that forward mode supports; values are checked against differences in `tools/cli/tests`.

// A gradient is computed with one tangent for each input. Constant inputs have no tangent.
func.func @dot(%x: tensor<4xf64>, %y: tensor<4xf64>) -> f64 {
  %p = arith.mulf %x, %y : tensor<4xf64>
  %s = array.sum %p : (tensor<4xf64>) -> f64
  return %s : f64
}
// CHECK-LABEL: func.func @grad_dot
// CHECK-SAME:    %[[X:.*]]: tensor<4xf64>, %[[Y:.*]]: tensor<4xf64>
func.func @grad_dot(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK:      %[[G:.*]] = array.build (%[[I:.*]] < 4) -> (tensor<4xf64>) {
  // CHECK-NEXT:   %[[X_T:.*]] = array.build (%[[K:.*]] < 4) -> (tensor<4xf64>) {
  // CHECK-NEXT:     %[[HERE:.*]] = arith.cmpi eq, %[[I]], %[[K]] : index
  // CHECK-NEXT:     %[[ONE:.*]] = dual.one : f64
  // CHECK-NEXT:     %[[ZERO:.*]] = dual.zero : f64
  // CHECK-NEXT:     %[[HOT:.*]] = arith.select %[[HERE]], %[[ONE]], %[[ZERO]] : f64
  // CHECK-NEXT:     array.yield %[[HOT]] : f64
  // CHECK-NEXT:   }
  // CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
  // CHECK-NEXT:   %[[P_T:.*]] = arith.mulf %[[Y]], %[[X_T]]
  // CHECK-NEXT:   array.sum %[[P]]
  // CHECK-NEXT:   %[[S_T:.*]] = array.sum %[[P_T]]
  // CHECK-NEXT:   array.yield %[[S_T]] : f64
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[G]]
  %g = dual.grad @dot(%x, %y) wrt [0] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %g : tensor<4xf64>
}

// -----

// A carried value that depends on the input carries its tangent; on a tie, `max` passes the derivative to operand 0.
func.func @max(%x: tensor<?xf64>, %n: index, %least: f64) -> f64 {
  %z = array.ifold (%i < %n) iter_args(%m = %least) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.maximumf %m, %e : f64
    array.yield %t : f64
  }
  return %z : f64
}
// CHECK-LABEL: func.func @directional
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[N:.*]]: index, %[[L:.*]]: f64, %[[X_T:.*]]: tensor<?xf64>
func.func @directional(%x: tensor<?xf64>, %n: index, %least: f64, %x_t: tensor<?xf64>) -> (f64, f64) {
  // CHECK:      %[[ZERO:.*]] = dual.zero : f64
  // CHECK-NEXT: %[[Z:.*]], %[[Z_T:.*]] = array.ifold (%[[I:.*]] < %[[N]]) iter_args(%[[M:.*]] = %[[L]], %[[M_T:.*]] = %[[ZERO]]) -> (f64, f64) {
  // CHECK-NEXT:   %[[E:.*]] = array.get %[[X]][%[[I]]]
  // CHECK-NEXT:   %[[E_T:.*]] = array.get %[[X_T]][%[[I]]]
  // CHECK-NEXT:   %[[T:.*]] = arith.maximumf %[[M]], %[[E]]
  // CHECK-NEXT:   %[[FIRST:.*]] = arith.cmpf oge, %[[M]], %[[E]]
  // CHECK-NEXT:   %[[T_T:.*]] = arith.select %[[FIRST]], %[[M_T]], %[[E_T]]
  // CHECK-NEXT:   array.yield %[[T]], %[[T_T]]
  // CHECK:      return %[[Z]], %[[Z_T]]
  %r:2 = dual.jvp @max(%x, %n, %least) tangents(%x_t) wrt [0]
      : (tensor<?xf64>, index, f64, tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// J[out..., in...]: the columns are computed, then the axes are permuted.
func.func @scale(%v: tensor<?xf64>, %s: tensor<2x3xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %e = array.get %s[%c0, %c0] : (tensor<2x3xf64>) -> f64
  %z = array.build (%i < %c0) -> (tensor<?xf64>) {
    %x = array.get %v[%i] : (tensor<?xf64>) -> f64
    %y = arith.mulf %x, %e : f64
    array.yield %y : f64
  }
  return %z : tensor<?xf64>
}
// CHECK-LABEL: func.func @jacobian
func.func @jacobian(%v: tensor<?xf64>, %s: tensor<2x3xf64>) -> tensor<?x2x3xf64> {
  // CHECK:      %[[C:.*]] = array.build (%[[I:.*]] < 2, %[[J:.*]] < 3) -> (tensor<2x3x?xf64>) {
  // CHECK:        arith.andi
  // CHECK:        %z, %z_t = array.build (%{{.*}} < %{{.*}}) -> (tensor<?xf64>, tensor<?xf64>) {
  // CHECK:      %[[T:.*]] = array.transpose %[[C]] [2, 0, 1] : (tensor<2x3x?xf64>) -> tensor<?x2x3xf64>
  // CHECK-NEXT: return %[[T]]
  %j = dual.jacobian @scale(%v, %s) wrt [1] : (tensor<?xf64>, tensor<2x3xf64>) -> tensor<?x2x3xf64>
  return %j : tensor<?x2x3xf64>
}

// -----

// Nested requests are expanded innermost first, so that their perturbations cannot be confused: d/dx (x · d/dy (x + y)).
func.func @add(%x: f64, %y: f64) -> f64 {
  %z = arith.addf %x, %y : f64
  return %z : f64
}
func.func @inner(%x: f64, %y: f64) -> f64 {
  %d = dual.grad @add(%x, %y) wrt [1] : (f64, f64) -> f64
  %z = arith.mulf %x, %d : f64
  return %z : f64
}
// CHECK-LABEL: func.func @nested
func.func @nested(%x: f64, %y: f64) -> f64 {
  // CHECK:      %[[X_T:.*]] = dual.one : f64
  // CHECK-NEXT: %[[D:.*]] = dual.one : f64
  // CHECK:      arith.mulf
  // CHECK-NEXT: %[[Z_T:.*]] = arith.mulf %[[D]], %[[X_T]] : f64
  // CHECK-NEXT: return %[[Z_T]]
  %g = dual.grad @inner(%x, %y) wrt [0] : (f64, f64) -> f64
  return %g : f64
}

// -----

// Calls are differentiated as if they were inlined, and only if an argument depends on the input.
func.func @square(%x: f64) -> f64 {
  %z = arith.mulf %x, %x : f64
  return %z : f64
}
func.func @calls(%x: f64, %y: f64) -> f64 {
  %a = func.call @square(%x) : (f64) -> f64
  %b = func.call @square(%y) : (f64) -> f64
  %z = arith.addf %a, %b : f64
  return %z : f64
}
// CHECK-LABEL: func.func @grad_calls
// CHECK-SAME:    %[[X:.*]]: f64, %[[Y:.*]]: f64
func.func @grad_calls(%x: f64, %y: f64) -> f64 {
  // CHECK:      %[[X_T:.*]] = dual.one : f64
  // CHECK-NEXT: arith.mulf %[[X]], %[[X]]
  // CHECK-NEXT: %[[L:.*]] = arith.mulf %[[X]], %[[X_T]]
  // CHECK-NEXT: %[[R:.*]] = arith.mulf %[[X]], %[[X_T]]
  // CHECK-NEXT: %[[A_T:.*]] = arith.addf %[[L]], %[[R]]
  // CHECK-NEXT: call @square(%[[Y]])
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: return %[[A_T]]
  %g = dual.grad @calls(%x, %y) wrt [0] : (f64, f64) -> f64
  return %g : f64
}

// -----

// A result that does not depend on the input has the structural zero as its derivative.
func.func @constant(%x: tensor<?xf64>, %y: f64) -> f64 {
  return %y : f64
}
// CHECK-LABEL: func.func @zero
func.func @zero(%x: tensor<?xf64>, %y: f64) -> tensor<?xf64> {
  // CHECK: array.build
  // CHECK:   %[[Z:.*]] = dual.zero : f64
  // CHECK:   %[[G:.*]] = dual.zero : f64
  // CHECK:   array.yield %[[G]] : f64
  %g = dual.grad @constant(%x, %y) wrt [0] : (tensor<?xf64>, f64) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

// -----

// Fast-math flags of an op are those of its derivative.
func.func @fast(%x: f64) -> f64 {
  %z = arith.divf %x, %x fastmath<arcp> : f64
  return %z : f64
}
// CHECK-LABEL: func.func @grad_fast
func.func @grad_fast(%x: f64) -> f64 {
  // CHECK-COUNT-3: arith.divf {{.*}} fastmath<arcp>
  %g = dual.grad @fast(%x) : (f64) -> f64
  return %g : f64
}

// -----

// The path from the result to the op without a rule.
func.func @no_rule(%x: f64, %c: i1) -> f64 {
  %a = arith.negf %x : f64
  %zero = arith.constant 0 : index
  // expected-error @+2 {{'tensor.from_elements' op cannot be differentiated: the op has no derivative rule; the op is on a path from an input to a differentiated result}}
  // expected-note @+1 {{an enclosing function may define its own derivative}}
  %t = tensor.from_elements %a : tensor<1xf64>
  %z = scf.if %c -> (f64) {
    // expected-note @+1 {{the value reaches the result through 'array.get'}}
    %e = array.get %t[%zero] : (tensor<1xf64>) -> f64
    // expected-note @+1 {{the value reaches the result through 'scf.yield'}}
    scf.yield %e : f64
  } else {
    scf.yield %x : f64
  }
  // expected-note @+1 {{`@no_rule` returns a value that depends on that op}}
  return %z : f64
}
func.func @grad_no_rule(%x: f64, %c: i1) -> f64 {
  // expected-note @+1 {{the derivative of `@no_rule` is requested here}}
  %g = dual.grad @no_rule(%x, %c) wrt [0] : (f64, i1) -> f64
  return %g : f64
}

// -----

// The same op is accepted if none of its operands depends on the input.
func.func @no_rule_needed(%x: f64, %y: f64, %n: i32) -> f64 {
  %t = tensor.from_elements %y : tensor<1xf64>
  %a = array.sum %t : (tensor<1xf64>) -> f64
  %z = arith.mulf %a, %x : f64
  return %z : f64
}
// CHECK-LABEL: func.func @grad_no_rule_needed
// CHECK:         %[[X_T:.*]] = dual.one : f64
// CHECK:         %[[ROW:.*]] = tensor.from_elements %{{.*}} : tensor<1xf64>
// CHECK-NEXT:    %[[A:.*]] = array.sum %[[ROW]]
// CHECK:         %[[Z_T:.*]] = arith.mulf %[[A]], %[[X_T]]
// CHECK-NEXT:    return %[[Z_T]]
func.func @grad_no_rule_needed(%x: f64, %y: f64, %n: i32) -> f64 {
  %g = dual.grad @no_rule_needed(%x, %y, %n) wrt [0] : (f64, f64, i32) -> f64
  return %g : f64
}

// -----

// An op with regions that captures a value that depends on the input is rejected, not treated as constant.
func.func @captured(%x: f64, %c: i1) -> f64 {
  // expected-error @+2 {{'scf.execute_region' op cannot be differentiated}}
  // expected-note @+1 {{an enclosing function may define its own derivative}}
  %z = scf.execute_region -> f64 {
    %y = arith.mulf %x, %x : f64
    scf.yield %y : f64
  }
  // expected-note @+1 {{`@captured` returns a value that depends on that op}}
  return %z : f64
}
func.func @grad_captured(%x: f64, %c: i1) -> f64 {
  // expected-note @+1 {{the derivative of `@captured` is requested here}}
  %g = dual.grad @captured(%x, %c) wrt [0] : (f64, i1) -> f64
  return %g : f64
}

// -----

func.func @recursive(%x: f64) -> f64 {
  // expected-error @+1 {{not supported: 'func.call': `@recursive` is recursive and cannot be differentiated; use a loop, such as `scf.while`}}
  %y = func.call @recursive(%x) : (f64) -> f64
  return %y : f64
}
func.func @grad_recursive(%x: f64) -> f64 {
  %g = dual.grad @recursive(%x) : (f64) -> f64
  return %g : f64
}

// -----

func.func @of_itself(%x: f64) -> f64 {
  // expected-error @+1 {{'dual.grad' op the derivative of `@of_itself` depends on itself; remove this recursion}}
  %g = dual.grad @of_itself(%x) : (f64) -> f64
  return %g : f64
}

// -----

// Branches and counted loops return tangents in addition to primals.
func.func @branch(%x: f64, %c: i1) -> f64 {
  %z = scf.if %c -> (f64) {
    %y = arith.mulf %x, %x : f64
    scf.yield %y : f64
  } else {
    scf.yield %x : f64
  }
  return %z : f64
}
// CHECK-LABEL: func.func @grad_branch
// CHECK:         %[[ONE:.*]] = dual.one
// CHECK:         %{{.*}}, %[[Z_T:.*]] = scf.if %{{.*}} -> (f64, f64) {
// CHECK:           arith.addf
// CHECK:         } else {
// CHECK:           scf.yield %{{.*}}, %[[ONE]]
// CHECK:         return %[[Z_T]]
func.func @grad_branch(%x: f64, %c: i1) -> f64 {
  %g = dual.grad @branch(%x, %c) wrt [0] : (f64, i1) -> f64
  return %g : f64
}

// -----

// Rows that depend on the input have rows of tangents, and emit them.
func.func @sums(%x: tensor<?xf64>, %zero: f64) -> tensor<?xf64> {
  %last, %sums = array.map_accum (%r = %x : tensor<?xf64>) iter_args(%a = %zero) -> (f64, tensor<?xf64>) {
    %b = arith.addf %a, %r : f64
    array.yield %b, %b : f64, f64
  }
  return %sums : tensor<?xf64>
}
// CHECK-LABEL: func.func @jvp_sums
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?xf64>, %[[ZERO:[a-z0-9]+]]: f64, %[[T:[a-z0-9]+]]: tensor<?xf64>
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}, %[[SUMS_T:.*]] = array.map_accum (%{{.*}} = %[[X]] : tensor<?xf64>, %{{.*}} = %[[T]] : tensor<?xf64>) iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %{{.*}}) -> (f64, f64, tensor<?xf64>, tensor<?xf64>)
// CHECK:         return %[[SUMS_T]]
func.func @jvp_sums(%x: tensor<?xf64>, %zero: f64, %t: tensor<?xf64>) -> tensor<?xf64> {
  %y, %y_t = dual.jvp @sums(%x, %zero) tangents(%t) wrt [0] : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y_t : tensor<?xf64>
}
