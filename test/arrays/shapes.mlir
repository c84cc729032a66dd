// Arrays from arrays: slices, reversal, transposes, reshapes, stacks. All linear: the tangent is rearranged likewise.

// RUN: mlopt %s --jvp | FileCheck %s
// RUN: mlopt run %s --entry @palindrome_and_jacobian --arg '[1, 2, 3, 4]' | FileCheck %s --check-prefix=PALINDROME
// RUN: mlopt run %s --entry @palindrome_and_jacobian --arg '[1, 2, 3, 4]' --interpret | FileCheck %s --check-prefix=PALINDROME
// RUN: mlopt run %s --entry @self_convolution_and_gradient --arg '[1, 2, 3, 4]' | FileCheck %s --check-prefix=SELF
// RUN: mlopt run %s --entry @self_convolution_and_gradient --arg '[1, 2, 3, 4]' --interpret | FileCheck %s --check-prefix=SELF
// RUN: mlopt run %s --entry @columns_of_blocks --arg '[1, 2, 3, 4, 5, 6, 7, 8]' | FileCheck %s --check-prefix=BLOCKS
// RUN: mlopt run %s --entry @columns_of_blocks --arg '[1, 2, 3, 4, 5, 6, 7, 8]' --interpret | FileCheck %s --check-prefix=BLOCKS
// RUN: mlopt run %s --entry @polar_and_jacobian --arg 2 --arg 0.5 | FileCheck %s --check-prefix=POLAR
// RUN: mlopt run %s --entry @polar_and_jacobian --arg 2 --arg 0.5 --interpret | FileCheck %s --check-prefix=POLAR
// RUN: mlopt run %s --entry @outer_and_jvp --arg '[1, 2]' --arg '[3, 4, 5]' | FileCheck %s --check-prefix=OUTER
// RUN: mlopt run %s --entry @outer_and_jvp --arg '[1, 2]' --arg '[3, 4, 5]' --interpret | FileCheck %s --check-prefix=OUTER

//===-- The first half, then the first half reversed. ----------------------------------------------------------------===//

func.func @palindrome(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %half = array.slice %x from %c0 : (tensor<4xf64>) -> tensor<2xf64>
  %back = array.reverse %half : tensor<2xf64>
  %z = array.append %half, %back : (tensor<2xf64>, tensor<2xf64>) -> tensor<4xf64>
  return %z : tensor<4xf64>
}
// PALINDROME:      [1. 2. 2. 1.]
// PALINDROME-NEXT: {{\[\[}}1. 0. 0. 0.]
// PALINDROME-NEXT:  [0. 1. 0. 0.]
// PALINDROME-NEXT:  [0. 1. 0. 0.]
// PALINDROME-NEXT:  [1. 0. 0. 0.]]
func.func @palindrome_and_jacobian(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4x4xf64>) {
  %z = func.call @palindrome(%x) : (tensor<4xf64>) -> tensor<4xf64>
  %j = dual.jacobian @palindrome(%x) : (tensor<4xf64>) -> tensor<4x4xf64>
  return %z, %j : tensor<4xf64>, tensor<4x4xf64>
}

//===-- Σ xᵢ x₍ₙ₋₁₋ᵢ₎: the gradient is 2 · reverse x. -----------------------------------------------------------===//

func.func @self_convolution(%x: tensor<?xf64>) -> f64 {
  %back = array.reverse %x : tensor<?xf64>
  %p = arith.mulf %x, %back : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
// SELF:      20.0
// SELF-NEXT: [8. 6. 4. 2.]
func.func @self_convolution_and_gradient(%x: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %s = func.call @self_convolution(%x) : (tensor<?xf64>) -> f64
  %g = dual.grad @self_convolution(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %s, %g : f64, tensor<?xf64>
}

//===-- Two blocks of 2 × 2, their axes turned: [k][b][r] = [b][r][k]. --------------------------------------------===//

// BLOCKS:      {{\[\[\[}}1. 3.]
// BLOCKS-NEXT:   [5. 7.]]
// BLOCKS-EMPTY:
// BLOCKS-NEXT:  {{\[\[}}2. 4.]
// BLOCKS-NEXT:   [6. 8.]]]
func.func @columns_of_blocks(%x: tensor<8xf64>) -> tensor<2x2x2xf64> {
  %blocks = array.reshape %x : (tensor<8xf64>) -> tensor<2x2x2xf64>
  %turned = array.transpose %blocks [2, 0, 1] : (tensor<2x2x2xf64>) -> tensor<2x2x2xf64>
  return %turned : tensor<2x2x2xf64>
}

//===-- (r cos φ, r sin φ) as a stack; the Jacobian is a stack of gradients. ----------------------------------------===//

func.func @polar(%r: f64, %phi: f64) -> tensor<2xf64> {
  %c = math.cos %phi : f64
  %s = math.sin %phi : f64
  %x = arith.mulf %r, %c : f64
  %y = arith.mulf %r, %s : f64
  %z = array.stack %x, %y : (f64, f64) -> tensor<2xf64>
  return %z : tensor<2xf64>
}
// CHECK-LABEL: func.func @polar_and_jacobian
// CHECK:         array.stack
// CHECK:         array.stack
// CHECK-NOT:     dual.jacobian
// ∂/∂r = (cos φ, sin φ), ∂/∂φ = (-y, x).
// POLAR:      [1.75516512 0.95885108]
// POLAR-NEXT: [0.87758256 0.47942554]
// POLAR-NEXT: [-0.95885108  1.75516512]
func.func @polar_and_jacobian(%r: f64, %phi: f64) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %z = func.call @polar(%r, %phi) : (f64, f64) -> tensor<2xf64>
  %jr, %jp = dual.jacobian @polar(%r, %phi) : (f64, f64) -> (tensor<2xf64>, tensor<2xf64>)
  return %z, %jr, %jp : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

//===-- u vᵀ without a loop: copies of both, one of them turned. Sizes are known when the program runs. -------------===//

func.func @outer(%u: tensor<?xf64>, %v: tensor<?xf64>) -> tensor<?x?xf64> {
  %n = array.length %u : tensor<?xf64>
  %m = array.length %v : tensor<?xf64>
  %rows = array.replicate %v, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %columns = array.replicate %u, %m : (tensor<?xf64>) -> tensor<?x?xf64>
  %turned = array.transpose %columns [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %z = arith.mulf %turned, %rows : tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
// It is linear in u: along u the derivative is the value.
// OUTER:      {{\[\[}} 3.  4.  5.]
// OUTER-NEXT:  [ 6.  8. 10.]]
// OUTER-NEXT: {{\[\[}} 3.  4.  5.]
// OUTER-NEXT:  [ 6.  8. 10.]]
func.func @outer_and_jvp(%u: tensor<?xf64>, %v: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %z, %z_t = dual.jvp @outer(%u, %v) tangents(%u) wrt [0]
    : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %z, %z_t : tensor<?x?xf64>, tensor<?x?xf64>
}
