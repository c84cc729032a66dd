// Non-negative factors W·H of a matrix A, exponential model: L = Σ log Ã + A / Ã with Ã = W·H. The gradient in H is Wᵀ(1/Ã) - Wᵀ(A/Ã²);
// its two parts, one over the other, are the multiplicative update, which keeps H positive and does not make L larger (Liu et al., 2010).
// Value and gradients are those of the vector `nnmf_exponential`; the update and the smaller L are computed from the closed form.

// RUN: mlopt run %s --entry @step \
// RUN:   --arg '[[2.335577, 1.462513, 1.190626], [1.896486, 2.852375, 1.034811], [1.732729, 1.103785, 0.803024], [2.552658, 1.751569, 2.142927]]' \
// RUN:   --arg '[[1.829868, 1.395408], [0.747033, 1.123641], [1.051708, 1.664323], [1.772491, 0.796165]]' \
// RUN:   --arg '[[1.607583, 1.805176, 1.935637], [1.896872, 1.238727, 1.663255]]' | FileCheck %s
// RUN: mlopt run %s --interpret --entry @step \
// RUN:   --arg '[[2.335577, 1.462513, 1.190626], [1.896486, 2.852375, 1.034811], [1.732729, 1.103785, 0.803024], [2.552658, 1.751569, 2.142927]]' \
// RUN:   --arg '[[1.829868, 1.395408], [0.747033, 1.123641], [1.051708, 1.664323], [1.772491, 0.796165]]' \
// RUN:   --arg '[[1.607583, 1.805176, 1.935637], [1.896872, 1.238727, 1.663255]]' | FileCheck %s

func.func @product(%w: tensor<?x?xf64>, %h: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %n = array.length %w : tensor<?x?xf64>
  %m = array.length %h axis 1 : tensor<?x?xf64>
  %columns = array.transpose %h [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = array.build (%i < %n, %j < %m) -> (tensor<?x?xf64>) {
    %row = array.get %w[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %column = array.get %columns[%j] : (tensor<?x?xf64>) -> tensor<?xf64>
    %p = arith.mulf %row, %column : tensor<?xf64>
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %r : tensor<?x?xf64>
}
func.func @loss(%a: tensor<?x?xf64>, %w: tensor<?x?xf64>, %h: tensor<?x?xf64>) -> f64 {
  %model = func.call @product(%w, %h) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %log = math.log %model : tensor<?x?xf64>
  %ratio = arith.divf %a, %model : tensor<?x?xf64>
  %terms = arith.addf %log, %ratio : tensor<?x?xf64>
  %s = array.sum %terms axes [0, 1] : (tensor<?x?xf64>) -> f64
  return %s : f64
}
// H ⊙ (Wᵀ(A/Ã²)) / (Wᵀ(1/Ã)): the first part is the second minus the gradient.
func.func @updated(%a: tensor<?x?xf64>, %w: tensor<?x?xf64>, %h: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %gradient = dual.grad @loss(%a, %w, %h) wrt [2] mode reverse
    : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %model = func.call @product(%w, %h) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %ratio = arith.divf %model, %model : tensor<?x?xf64>
  %inverse = arith.divf %ratio, %model : tensor<?x?xf64>
  %turned = array.transpose %w [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %down = func.call @product(%turned, %inverse) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %up = arith.subf %down, %gradient : tensor<?x?xf64>
  %quotient = arith.divf %up, %down : tensor<?x?xf64>
  %next = arith.mulf %h, %quotient : tensor<?x?xf64>
  return %next : tensor<?x?xf64>
}

// CHECK:      22.594630703{{[0-9]*}}
// CHECK-NEXT: {{\[\[}}0.68502441 0.59827731]
// CHECK-NEXT:  [0.58259194 0.57192481]
// CHECK-NEXT:  [0.87744429 0.76539843]
// CHECK-NEXT:  [0.62725061 0.54458865]]
// CHECK-NEXT: {{\[\[}}0.59510366 0.68463176 0.79083606]
// CHECK-NEXT:  [0.58693031 0.59370447 0.80334183]]
// CHECK-NEXT: {{\[\[}}0.79347489 0.87263192 0.57995074]
// CHECK-NEXT:  [0.8964181  0.67205326 0.43838403]]
// CHECK-NEXT: 18.79678421{{[0-9]*}}
func.func @step(%a: tensor<?x?xf64>, %w: tensor<?x?xf64>, %h: tensor<?x?xf64>)
    -> (f64, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, f64) {
  %before, %gw, %gh = dual.value_and_grad @loss(%a, %w, %h) wrt [1, 2] mode reverse
    : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  %next = func.call @updated(%a, %w, %h) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %after = func.call @loss(%a, %w, %next) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> f64
  return %before, %gw, %gh, %next, %after : f64, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, f64
}
