// RUN: mlopt %s --jvp | FileCheck %s --check-prefix=FORWARD
// RUN: mlopt %s --differentiate | FileCheck %s --check-prefix=REVERSE
// RUN: mlopt %s --differentiate > %t.mlir && mlopt %t.mlir > %t.again.mlir && mlopt --differentiate < %t.mlir | FileCheck %s --check-prefix=REVERSE
// RUN: mlopt %s --differentiate --mlir-print-debuginfo | FileCheck %s --check-prefix=PLACES
// RUN: mlopt %s --differentiate --mlir-print-debuginfo | mlopt --cse --canonicalize | FileCheck %s --check-prefix=KEPT
// RUN: mlopt %s --pass-pipeline='builtin.module(differentiate,func.func(egg-optimize))' | FileCheck %s --check-prefix=CHEAPEST
// RUN: mlopt %s --mlir-print-debuginfo | FileCheck %s --check-prefix=UNTOUCHED
// A derivative is named after its primal value; names are in locations, around the location of the primal op.

// Parsing and printing by MLIR are unchanged: only differentiation asks for names.
// UNTOUCHED-NOT: loc("{{[a-z]+}}"(

func.func @loss(%x: tensor<4xf64>, %w: f64) -> f64 {
  %s = math.sin %x : tensor<4xf64>
  %total = array.sum %s : (tensor<4xf64>) -> f64
  // A number is not a name.
  %0 = arith.mulf %total, %w : f64
  %scaled = math.exp %0 : f64
  return %scaled : f64
}

// FORWARD-LABEL: func.func @forward(%x: tensor<4xf64>, %w: f64, %dx: tensor<4xf64>)
// FORWARD-NEXT:    %s = math.sin %x
// FORWARD-NEXT:    %[[COS:.*]] = math.cos %x
// FORWARD-NEXT:    %s_t = arith.mulf %[[COS]], %dx
// FORWARD-NEXT:    %total = array.sum %s
// FORWARD-NEXT:    %total_t = array.sum %s_t
// FORWARD-NEXT:    %[[PRODUCT:[0-9]+]] = arith.mulf %total, %w
// FORWARD-NEXT:    %[[PRODUCT_T:[0-9]+]] = arith.mulf %w, %total_t
// FORWARD-NEXT:    %scaled = math.exp %[[PRODUCT]]
// FORWARD-NEXT:    %scaled_t = arith.mulf %scaled, %[[PRODUCT_T]]
// FORWARD-NEXT:    return %scaled, %scaled_t
func.func @forward(%x: tensor<4xf64>, %w: f64, %dx: tensor<4xf64>) -> (f64, f64) {
  %y:2 = dual.jvp @loss(%x, %w) tangents(%dx) wrt [0] : (tensor<4xf64>, f64, tensor<4xf64>) -> (f64, f64)
  return %y#0, %y#1 : f64, f64
}

// REVERSE-LABEL: func.func @reverse(%x: tensor<4xf64>, %w: f64)
// REVERSE:         %scaled = math.exp
// REVERSE:         %scaled_ct = dual.one
// REVERSE:         %w_ct = arith.mulf %total
// REVERSE:         %total_ct = arith.mulf %w
// REVERSE:         %s_ct = array.replicate %total_ct
// REVERSE:         %x_ct = arith.mulf %{{.*}}, %s_ct
// REVERSE:         return %x_ct, %w_ct
// Upstream passes keep names, except of constants, whose locations `canonicalize` drops.
// KEPT-LABEL:   func.func @reverse(%x: tensor<4xf64>, %w: f64)
// KEPT:           %total_ct = arith.mulf %w
// KEPT:           %x_ct = arith.mulf %{{.*}}, %s_ct
// CHEAPEST-LABEL: func.func @reverse(%x: tensor<4xf64>, %w: f64)
// CHEAPEST:         %x_ct =
// CHEAPEST:         return %x_ct, %w_ct
// PLACES-LABEL: func.func @reverse(%x: tensor<4xf64> loc("x"(#{{.*}})), %w: f64 loc("w"(#{{.*}})))
// PLACES:         %x_ct = arith.mulf {{.*}} loc(#[[X:.*]])
// PLACES-DAG:   #[[SIN:.*]] = loc("{{.*}}names.mlir":14:8)
// PLACES-DAG:   #[[X]] = loc("x_ct"(#[[SIN]]))
func.func @reverse(%x: tensor<4xf64>, %w: f64) -> (tensor<4xf64>, f64) {
  %gx, %gw = dual.grad @loss(%x, %w) mode reverse : (tensor<4xf64>, f64) -> (tensor<4xf64>, f64)
  return %gx, %gw : tensor<4xf64>, f64
}

func.func @steps(%x: tensor<8xf64>, %h: f64, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %acc, %power = array.ifold (%i < %n) iter_args(%a = %zero, %p = %h) -> (f64, f64) {
    %xi = array.get %x[%i] : (tensor<8xf64>) -> f64
    %step = arith.mulf %xi, %p : f64
    %next = arith.addf %a, %step : f64
    %q = math.exp %step : f64
    array.yield %next, %q : f64, f64
  }
  return %acc : f64
}

// In both modes, carried values and values in the bodies of loops have names; a recomputed value keeps its name.
// FORWARD-LABEL: func.func @along
// FORWARD:         %acc, %power, %acc_t, %power_t = array.ifold (%i < %n) iter_args(%a = %{{.*}}, %p = %h, %a_t = %{{.*}}, %p_t = %{{.*}})
// FORWARD:           arith.mulf %p, %xi_t
// FORWARD:           %step_t = arith.addf
// FORWARD:           %next_t = arith.addf %a_t, %step_t
// FORWARD:         return %acc_t
func.func @along(%x: tensor<8xf64>, %h: f64, %n: index, %x_t: tensor<8xf64>) -> f64 {
  %y:2 = dual.jvp @steps(%x, %h, %n) tangents(%x_t) wrt [0] : (tensor<8xf64>, f64, index, tensor<8xf64>) -> (f64, f64)
  return %y#1 : f64
}

// REVERSE-LABEL: func.func @back
// REVERSE:         iter_args(%p = %h)
// REVERSE:           %xi = array.get
// REVERSE:         array.map_accum (%i = %{{.*}} : tensor<?xindex>, %p = %{{.*}} : tensor<?xf64>) iter_args(%next_ct = %acc_ct, %q_ct = %{{.*}}, %[[X_CT:x_ct.*]] = %x_ct)
// REVERSE:           %step_ct = arith.mulf %q, %q_ct
// REVERSE:           %step_ct_{{[0-9]+}} = arith.addf %step_ct, %next_ct
// REVERSE:           %xi_ct = arith.mulf
// REVERSE:           %x_ct_{{[0-9]+}} = array.scatter %xi_ct into %[[X_CT]]
// REVERSE:         return %x_ct_{{[0-9]+}}
func.func @back(%x: tensor<8xf64>, %h: f64, %n: index) -> tensor<8xf64> {
  %gx = dual.grad @steps(%x, %h, %n) wrt [0] mode reverse : (tensor<8xf64>, f64, index) -> tensor<8xf64>
  return %gx : tensor<8xf64>
}

// Upstream loops, branches and several results too: `%both:2` names its first.
// FORWARD-LABEL: func.func @upstream
// FORWARD:         scf.for %k = {{.*}} iter_args(%sum = %{{.*}}, %sum_t = %{{.*}})
// FORWARD:           %[[BOTH:.*]]:2, %[[BOTH_T:.*]]:2 = scf.if
func.func @upstream(%x: f64, %n: index, %x_t: f64) -> f64 {
  %y:2 = dual.jvp (%v = %x : f64) {
    %zero = arith.constant 0.0 : f64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f64) {
      %positive = arith.cmpf ogt, %sum, %zero : f64
      %both:2 = scf.if %positive -> (f64, f64) {
        %t = arith.mulf %v, %sum : f64
        scf.yield %t, %v : f64, f64
      } else {
        scf.yield %sum, %v : f64, f64
      }
      %u = arith.addf %both#0, %both#1 : f64
      scf.yield %u : f64
    }
    dual.yield %r : f64
  } tangents(%x_t) : (f64, f64) -> (f64, f64)
  return %y#1 : f64
}

// The input itself has no names in its locations.
// UNTOUCHED:     func.func @loss(%arg0: tensor<4xf64> loc("{{.*}}names.mlir":{{[0-9]+}}:{{[0-9]+}}), %arg1: f64
// UNTOUCHED-NEXT:  %0 = math.sin %arg0 : tensor<4xf64> loc(
// UNTOUCHED-NOT: loc("{{[a-z]+}}"(
