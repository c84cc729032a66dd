// Losses and layers, written for arrays, with their gradients.

// RUN: mlopt run %s --entry @cross_entropy_and_gradient --arg '[0, 0.6931471805599453, 1.6094379124341003]' --arg 1 | FileCheck %s --check-prefix=ENTROPY
// RUN: mlopt run %s --entry @cross_entropy_and_gradient --arg '[0, 0.6931471805599453, 1.6094379124341003]' --arg 1 --interpret | FileCheck %s --check-prefix=ENTROPY
// RUN: mlopt run %s --entry @clusters_and_gradient --arg '[0, 1, 5, 6]' --arg '[0.5, 5]' | FileCheck %s --check-prefix=CLUSTERS
// RUN: mlopt run %s --entry @clusters_and_gradient --arg '[0, 1, 5, 6]' --arg '[0.5, 5]' --interpret | FileCheck %s --check-prefix=CLUSTERS
// RUN: mlopt run %s --entry @factors_and_gradient --arg '[[1, 2], [3, 4]]' --arg '[1, 2]' --arg '[1, 4]' | FileCheck %s --check-prefix=FACTORS
// RUN: mlopt run %s --entry @factors_and_gradient --arg '[[1, 2], [3, 4]]' --arg '[1, 2]' --arg '[1, 4]' --interpret | FileCheck %s --check-prefix=FACTORS
// RUN: mlopt run %s --entry @network_and_gradients \
// RUN:   --arg '[[0.342483, 0.201716, -0.022049], [-0.776354, 0.801135, -0.172111]]' \
// RUN:   --arg '[[-0.780542, -0.115898, -0.580873], [-0.644828, -0.697063, 0.630056], [0.541599, 0.06313, 0.750959], [-0.833795, 0.876625, 0.564127], [-0.733993, 0.925674, -0.21953], [-0.637584, -0.291709, 0.858102]]' \
// RUN:   --arg '[0.377746, 0.468134, 0.987214, -0.357791, -0.204536, -0.299213]' \
// RUN:   --arg '[[-0.352539, -0.322549, -0.901701, -0.561595, 0.31841, 0.601046], [0.107945, 0.251581, -0.975308, -0.997105, 0.129846, -0.007537]]' \
// RUN:   --arg '[0.928882, -0.047501]' \
// RUN:   --arg '[[-0.617524, 0.068415], [0.759766, -0.824278]]' \
// RUN:   | FileCheck %s --check-prefix=NETWORK
// RUN: mlopt run %s --interpret --entry @network_and_gradients \
// RUN:   --arg '[[0.342483, 0.201716, -0.022049], [-0.776354, 0.801135, -0.172111]]' \
// RUN:   --arg '[[-0.780542, -0.115898, -0.580873], [-0.644828, -0.697063, 0.630056], [0.541599, 0.06313, 0.750959], [-0.833795, 0.876625, 0.564127], [-0.733993, 0.925674, -0.21953], [-0.637584, -0.291709, 0.858102]]' \
// RUN:   --arg '[0.377746, 0.468134, 0.987214, -0.357791, -0.204536, -0.299213]' \
// RUN:   --arg '[[-0.352539, -0.322549, -0.901701, -0.561595, 0.31841, 0.601046], [0.107945, 0.251581, -0.975308, -0.997105, 0.129846, -0.007537]]' \
// RUN:   --arg '[0.928882, -0.047501]' \
// RUN:   --arg '[[-0.617524, 0.068415], [0.759766, -0.824278]]' \
// RUN:   | FileCheck %s --check-prefix=NETWORK
// RUN: mlopt run %s --entry @attention_and_jvp \
// RUN:   --arg '[[-0.027709, 0.812598], [-0.787345, 0.917434], [-0.197744, -0.713788]]' \
// RUN:   --arg '[[0.803771, -0.561735], [-0.945631, 0.476991], [-0.8441, 0.429123]]' \
// RUN:   --arg '[[0.331251, 0.542112], [0.582543, -0.365008], [-0.082241, -0.379179]]' \
// RUN:   --arg '[[-0.804784, 0.589028], [0.194377, -0.659944], [0.641061, -0.484728]]' \
// RUN:   | FileCheck %s --check-prefix=ATTENTION
// RUN: mlopt run %s --interpret --entry @attention_and_jvp \
// RUN:   --arg '[[-0.027709, 0.812598], [-0.787345, 0.917434], [-0.197744, -0.713788]]' \
// RUN:   --arg '[[0.803771, -0.561735], [-0.945631, 0.476991], [-0.8441, 0.429123]]' \
// RUN:   --arg '[[0.331251, 0.542112], [0.582543, -0.365008], [-0.082241, -0.379179]]' \
// RUN:   --arg '[[-0.804784, 0.589028], [0.194377, -0.659944], [0.641061, -0.484728]]' \
// RUN:   | FileCheck %s --check-prefix=ATTENTION

//===-- log Σ eˣ - x[class], with the maximum taken out: the gradient is softmax minus one-hot. --------------------===//

func.func @cross_entropy(%x: tensor<?xf64>, %class: index) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %m = array.max %x : (tensor<?xf64>) -> f64
  %ms = array.replicate %m, %n : (f64) -> tensor<?xf64>
  %shifted = arith.subf %x, %ms : tensor<?xf64>
  %e = math.exp %shifted : tensor<?xf64>
  %z = array.sum %e : (tensor<?xf64>) -> f64
  %log = math.log %z : f64
  %total = arith.addf %m, %log : f64
  %own = array.get %x[%class] : (tensor<?xf64>) -> f64
  %loss = arith.subf %total, %own : f64
  return %loss : f64
}
// e^x = 1, 2, 5: the loss of class 1 is log (8/2).
// ENTROPY:      1.38629436{{[0-9]*}}
// ENTROPY-NEXT: [ 0.125 -0.75   0.625]
func.func @cross_entropy_and_gradient(%x: tensor<?xf64>, %class: index) -> (f64, tensor<?xf64>) {
  %loss = func.call @cross_entropy(%x, %class) : (tensor<?xf64>, index) -> f64
  %g = dual.grad @cross_entropy(%x, %class) : (tensor<?xf64>, index) -> tensor<?xf64>
  return %loss, %g : f64, tensor<?xf64>
}

//===-- Σ over points of the squared distance to the nearest centre. -----------------------------------------------===//

func.func @clusters(%points: tensor<?xf64>, %centres: tensor<?xf64>) -> f64 {
  %n = array.length %points : tensor<?xf64>
  %k = array.length %centres : tensor<?xf64>
  %distances = array.build (%c < %k, %i < %n) -> (tensor<?x?xf64>) {
    %x = array.get %points[%i] : (tensor<?xf64>) -> f64
    %y = array.get %centres[%c] : (tensor<?xf64>) -> f64
    %d = arith.subf %x, %y : f64
    %dd = arith.mulf %d, %d : f64
    array.yield %dd : f64
  }
  %nearest = array.min %distances : (tensor<?x?xf64>) -> tensor<?xf64>
  %cost = array.sum %nearest : (tensor<?xf64>) -> f64
  return %cost : f64
}
// 0.25 + 0.25 + 0 + 1; each centre is pulled by its own points only.
// CLUSTERS:      1.5
// CLUSTERS-NEXT: [ 0. -2.]
func.func @clusters_and_gradient(%points: tensor<?xf64>, %centres: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %cost = func.call @clusters(%points, %centres) : (tensor<?xf64>, tensor<?xf64>) -> f64
  %g = dual.grad @clusters(%points, %centres) wrt [1] : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %cost, %g : f64, tensor<?xf64>
}

//===-- Non-negative factors of rank 1: Σ log (wᵢhⱼ) + Aᵢⱼ / (wᵢhⱼ); in hⱼ: n/hⱼ - Σᵢ (Aᵢⱼ/wᵢ) / hⱼ². -----------===//

func.func @factors(%a: tensor<2x2xf64>, %w: tensor<2xf64>, %h: tensor<2xf64>) -> f64 {
  %terms = array.build (%i < 2, %j < 2) -> (tensor<2x2xf64>) {
    %wi = array.get %w[%i] : (tensor<2xf64>) -> f64
    %hj = array.get %h[%j] : (tensor<2xf64>) -> f64
    %m = arith.mulf %wi, %hj : f64
    %log = math.log %m : f64
    %aij = array.get %a[%i, %j] : (tensor<2x2xf64>) -> f64
    %q = arith.divf %aij, %m : f64
    %t = arith.addf %log, %q : f64
    array.yield %t : f64
  }
  %s = array.sum %terms axes [0, 1] : (tensor<2x2xf64>) -> f64
  return %s : f64
}
// log 64 + 3.5
// FACTORS:      7.65888308{{[0-9]*}}
// FACTORS-NEXT: [-0.5   0.25]
func.func @factors_and_gradient(%a: tensor<2x2xf64>, %w: tensor<2xf64>, %h: tensor<2xf64>) -> (f64, tensor<2xf64>) {
  %s = func.call @factors(%a, %w, %h) : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> f64
  %g = dual.grad @factors(%a, %w, %h) wrt [2] : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %s, %g : f64, tensor<2xf64>
}

//===-- Two layers with tanh between, and half the squared error: the vector `mlp_wide`. ---------------------------===//

// x·wᵀ + b
func.func @layer(%x: tensor<2x?xf64>, %w: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<2x?xf64> {
  %n = array.length %w : tensor<?x?xf64>
  %y = array.build (%i < 2, %j < %n) -> (tensor<2x?xf64>) {
    %row = array.get %x[%i] : (tensor<2x?xf64>) -> tensor<?xf64>
    %column = array.get %w[%j] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %column : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    %bj = array.get %b[%j] : (tensor<?xf64>) -> f64
    %t = arith.addf %bj, %s : f64
    array.yield %t : f64
  }
  return %y : tensor<2x?xf64>
}
func.func @network(%x: tensor<2x?xf64>, %w1: tensor<?x?xf64>, %b1: tensor<?xf64>, %w2: tensor<?x?xf64>, %b2: tensor<?xf64>,
    %target: tensor<2x?xf64>) -> f64 {
  %half = arith.constant 0.5 : f64
  %a = func.call @layer(%x, %w1, %b1) : (tensor<2x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
  %h = math.tanh %a : tensor<2x?xf64>
  %y = func.call @layer(%h, %w2, %b2) : (tensor<2x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
  %d = arith.subf %y, %target : tensor<2x?xf64>
  %dd = arith.mulf %d, %d : tensor<2x?xf64>
  %s = array.sum %dd axes [0, 1] : (tensor<2x?xf64>) -> f64
  %loss = arith.mulf %half, %s : f64
  return %loss : f64
}
// NETWORK:      0.651750097607{{[0-9]*}}
// NETWORK-NEXT: [-0.1320457  -0.07961884  0.67676356  0.40300181  0.02138269 -0.23976276]
// NETWORK-NEXT: [-0.26637379 -0.58440528]
func.func @network_and_gradients(%x: tensor<2x?xf64>, %w1: tensor<?x?xf64>, %b1: tensor<?xf64>, %w2: tensor<?x?xf64>,
    %b2: tensor<?xf64>, %target: tensor<2x?xf64>) -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %loss = func.call @network(%x, %w1, %b1, %w2, %b2, %target)
    : (tensor<2x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<2x?xf64>) -> f64
  %g1, %g2 = dual.grad @network(%x, %w1, %b1, %w2, %b2, %target) wrt [2, 4]
    : (tensor<2x?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<2x?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>)
  return %loss, %g1, %g2 : f64, tensor<?xf64>, tensor<?xf64>
}

//===-- softmax (q kᵀ / √width) v: the vector `attention`. --------------------------------------------------------===//

func.func @attention(%q: tensor<?x?xf64>, %k: tensor<?x?xf64>, %v: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %n = array.length %q : tensor<?x?xf64>
  %m = array.length %k : tensor<?x?xf64>
  %width = array.length %q axis 1 : tensor<?x?xf64>
  %d = array.length %v axis 1 : tensor<?x?xf64>
  %width_i = arith.index_cast %width : index to i64
  %width_f = arith.sitofp %width_i : i64 to f64
  %scale = math.sqrt %width_f : f64
  %scores = array.build (%i < %n, %j < %m) -> (tensor<?x?xf64>) {
    %qi = array.get %q[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %kj = array.get %k[%j] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %qi, %kj : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    %t = arith.divf %s, %scale : f64
    array.yield %t : f64
  }
  %top = array.max %scores axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %tops = array.replicate %top, %m : (tensor<?xf64>) -> tensor<?x?xf64>
  %turned = array.transpose %tops [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %shifted = arith.subf %scores, %turned : tensor<?x?xf64>
  %e = math.exp %shifted : tensor<?x?xf64>
  %z = array.sum %e axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %columns = array.transpose %v [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = array.build (%i < %n, %c < %d) -> (tensor<?x?xf64>) {
    %ei = array.get %e[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %vc = array.get %columns[%c] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %ei, %vc : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    %zi = array.get %z[%i] : (tensor<?xf64>) -> f64
    %t = arith.divf %s, %zi : f64
    array.yield %t : f64
  }
  return %r : tensor<?x?xf64>
}
// ATTENTION:      {{\[\[}} 0.27124833 -0.17769807]
// ATTENTION-NEXT:  [ 0.27077198 -0.2883641 ]
// ATTENTION-NEXT:  [ 0.28133926 -0.00928511]]
// ATTENTION-NEXT: {{\[\[}}-0.00755732 -0.21242742]
// ATTENTION-NEXT:  [-0.00156315  0.05353941]
// ATTENTION-NEXT:  [ 0.01588198  0.24445316]]
func.func @attention_and_jvp(%q: tensor<?x?xf64>, %k: tensor<?x?xf64>, %v: tensor<?x?xf64>, %t: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r, %r_t = dual.jvp @attention(%q, %k, %v) tangents(%t) wrt [0]
    : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r, %r_t : tensor<?x?xf64>, tensor<?x?xf64>
}
