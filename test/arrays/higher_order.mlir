// Second and third derivatives with reverse mode inside: forward over reverse, reverse over reverse, and both over forward. All orders of
// nesting give one number. The values are the vectors `second_derivative_exp2` and `hessian_rosenbrock`, and (12x + 8x³) eˣ² by hand.

// RUN: mlopt run %s --entry @bell --arg 0.4 | FileCheck %s --check-prefix=BELL
// RUN: mlopt run %s --entry @bell --arg 0.4 --interpret | FileCheck %s --check-prefix=BELL
// RUN: mlopt run %s --entry @valley --arg '[-0.430286, -0.395546, -0.961362, 0.684938]' --arg '[0.793812, 0.035204, 0.270813, 0.190648]' | FileCheck %s --check-prefix=VALLEY
// RUN: mlopt run %s --entry @valley --arg '[-0.430286, -0.395546, -0.961362, 0.684938]' --arg '[0.793812, 0.035204, 0.270813, 0.190648]' --interpret | FileCheck %s --check-prefix=VALLEY

//===-- eˣ². -------------------------------------------------------------------------------------------------------===//

func.func @exp_square(%x: f64) -> f64 {
  %xx = arith.mulf %x, %x : f64
  %y = math.exp %xx : f64
  return %y : f64
}
func.func @forward(%x: f64) -> f64 {
  %y = dual.grad @exp_square(%x) : (f64) -> f64
  return %y : f64
}
func.func @reverse(%x: f64) -> f64 {
  %y = dual.grad @exp_square(%x) mode reverse : (f64) -> f64
  return %y : f64
}
func.func @forward_reverse(%x: f64) -> f64 {
  %y = dual.grad @reverse(%x) : (f64) -> f64
  return %y : f64
}
func.func @reverse_reverse(%x: f64) -> f64 {
  %y = dual.grad @reverse(%x) mode reverse : (f64) -> f64
  return %y : f64
}
func.func @reverse_forward(%x: f64) -> f64 {
  %y = dual.grad @forward(%x) mode reverse : (f64) -> f64
  return %y : f64
}
// (2 + 4x²) eˣ² three times, then (12x + 8x³) eˣ² three times.
// BELL-COUNT-3: 3.09806869941{{[0-9]*}}
// BELL-COUNT-3: 6.23368974670{{[0-9]*}}
func.func @bell(%x: f64) -> (f64, f64, f64, f64, f64, f64) {
  %a = func.call @forward_reverse(%x) : (f64) -> f64
  %b = func.call @reverse_reverse(%x) : (f64) -> f64
  %c = func.call @reverse_forward(%x) : (f64) -> f64
  %d = dual.grad @forward_reverse(%x) mode reverse : (f64) -> f64
  %e = dual.grad @reverse_reverse(%x) mode reverse : (f64) -> f64
  %f = dual.grad @reverse_forward(%x) : (f64) -> f64
  return %a, %b, %c, %d, %e, %f : f64, f64, f64, f64, f64, f64
}

//===-- Rosenbrock's valley: the Hessian as a Jacobian of the gradient, and times a direction without it. ---------===//

func.func @rosenbrock(%x: tensor<4xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %hundred = arith.constant 100.0 : f64
  %c1 = arith.constant 1 : index
  %terms = array.build (%i < 3) -> (tensor<3xf64>) {
    %k = arith.addi %i, %c1 : index
    %a = array.get %x[%i] : (tensor<4xf64>) -> f64
    %b = array.get %x[%k] : (tensor<4xf64>) -> f64
    %aa = arith.mulf %a, %a : f64
    %d = arith.subf %b, %aa : f64
    %dd = arith.mulf %d, %d : f64
    %u = arith.mulf %hundred, %dd : f64
    %e = arith.subf %one, %a : f64
    %ee = arith.mulf %e, %e : f64
    %t = arith.addf %u, %ee : f64
    array.yield %t : f64
  }
  %s = array.sum %terms : (tensor<3xf64>) -> f64
  return %s : f64
}
func.func @gradient(%x: tensor<4xf64>) -> tensor<4xf64> {
  %g = dual.grad @rosenbrock(%x) mode reverse : (tensor<4xf64>) -> tensor<4xf64>
  return %g : tensor<4xf64>
}
// The Hessian forward over reverse, then reverse over reverse; its product with the direction by `dual.hvp`, then by a tangent of the gradient.
// VALLEY-COUNT-2: {{\[\[}} 382.39365016  172.1144        0.            0.        ]
// VALLEY:         {{\[}}309.60778355 206.73227818 359.73873774 142.26933092]
// VALLEY-NEXT:    {{\[}}309.60778355 206.73227818 359.73873774 142.26933092]
func.func @valley(%x: tensor<4xf64>, %t: tensor<4xf64>) -> (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %forward = dual.jacobian @gradient(%x) : (tensor<4xf64>) -> tensor<4x4xf64>
  %reverse = dual.jacobian @gradient(%x) mode reverse : (tensor<4xf64>) -> tensor<4x4xf64>
  %product = dual.hvp @rosenbrock(%x) tangents(%t) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %g, %g_t = dual.jvp @gradient(%x) tangents(%t) : (tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %forward, %reverse, %product, %g_t : tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>
}
