// Bundle adjustment: the residual of one observation, and its Jacobian in camera, point and weight. Numbers of @residual are
// those of ADBench's unit test (github.com/microsoft/ADBench), as in the vector `adbench_ba_test`; those of a camera that is
// not turned, where the general formula divides by zero, are the vector `ba_project_zero_rotation`.

// RUN: mlopt run %s --entry @residual_and_jacobian \
// RUN:   --arg '[1.797201, 0.590697, -0.635786, 90.85955, 29.361415, 28.777534, 211.628116, -0.284531, -14.762924, 0.058931, 0.069976]' \
// RUN:   --arg '[4.173048, 5.586898, 1.403869]' --arg 0.417022 --arg '[-525.672849, 161.811929]' \
// RUN:   | FileCheck %s --check-prefix=TURNED
// RUN: mlopt run %s --interpret --entry @residual_and_jacobian \
// RUN:   --arg '[1.797201, 0.590697, -0.635786, 90.85955, 29.361415, 28.777534, 211.628116, -0.284531, -14.762924, 0.058931, 0.069976]' \
// RUN:   --arg '[4.173048, 5.586898, 1.403869]' --arg 0.417022 --arg '[-525.672849, 161.811929]' \
// RUN:   | FileCheck %s --check-prefix=TURNED
// RUN: mlopt run %s --entry @projection_and_jacobian \
// RUN:   --arg '[0.0, 0.0, 0.0, 1.021724, 1.955114, 0.042948, 508.49345, -8.64518, 8.91405, -0.015819, -0.028402]' \
// RUN:   --arg '[0.421957, 0.506685, 5.073648]' \
// RUN:   | FileCheck %s --check-prefix=STRAIGHT
// RUN: mlopt run %s --interpret --entry @projection_and_jacobian \
// RUN:   --arg '[0.0, 0.0, 0.0, 1.021724, 1.955114, 0.042948, 508.49345, -8.64518, 8.91405, -0.015819, -0.028402]' \
// RUN:   --arg '[0.421957, 0.506685, 5.073648]' \
// RUN:   | FileCheck %s --check-prefix=STRAIGHT

func.func @cross(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = array.build (%i < 3) -> (tensor<3xf64>) {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %j = array.mod %i1, %c3 : index
    %k = array.mod %i2, %c3 : index
    %aj = array.get %a[%j] : (tensor<3xf64>) -> f64
    %ak = array.get %a[%k] : (tensor<3xf64>) -> f64
    %bj = array.get %b[%j] : (tensor<3xf64>) -> f64
    %bk = array.get %b[%k] : (tensor<3xf64>) -> f64
    %p = arith.mulf %aj, %bk : f64
    %q = arith.mulf %ak, %bj : f64
    %d = arith.subf %p, %q : f64
    array.yield %d : f64
  }
  return %r : tensor<3xf64>
}

func.func @dot(%a: tensor<3xf64>, %b: tensor<3xf64>) -> f64 {
  %p = arith.mulf %a, %b : tensor<3xf64>
  %s = array.sum %p : (tensor<3xf64>) -> f64
  return %s : f64
}

// x turned by |r| about the axis r; for r = 0 to first order, x + r × x, so that the derivative in r is there.
func.func @rotate(%r: tensor<3xf64>, %x: tensor<3xf64>) -> tensor<3xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sq = func.call @dot(%r, %r) : (tensor<3xf64>, tensor<3xf64>) -> f64
  %is_zero = arith.cmpf oeq, %sq, %zero : f64
  %rx = func.call @cross(%r, %x) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %straight = arith.addf %x, %rx : tensor<3xf64>
  %angle = math.sqrt %sq : f64
  %cos = math.cos %angle : f64
  %sin = math.sin %angle : f64
  %angles = array.replicate %angle : (f64) -> tensor<3xf64>
  %w = arith.divf %r, %angles : tensor<3xf64>
  %wx = func.call @cross(%w, %x) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %along = func.call @dot(%w, %x) : (tensor<3xf64>, tensor<3xf64>) -> f64
  %rest = arith.subf %one, %cos : f64
  %amount = arith.mulf %along, %rest : f64
  %cosines = array.replicate %cos : (f64) -> tensor<3xf64>
  %sines = array.replicate %sin : (f64) -> tensor<3xf64>
  %amounts = array.replicate %amount : (f64) -> tensor<3xf64>
  %a = arith.mulf %x, %cosines : tensor<3xf64>
  %b = arith.mulf %wx, %sines : tensor<3xf64>
  %c = arith.mulf %w, %amounts : tensor<3xf64>
  %ab = arith.addf %a, %b : tensor<3xf64>
  %turned = arith.addf %ab, %c : tensor<3xf64>
  %y = arith.select %is_zero, %straight, %turned : tensor<3xf64>
  return %y : tensor<3xf64>
}

// Camera: rotation (3), centre (3), focal length, principal point (2), two coefficients of distortion.
func.func @project(%camera: tensor<11xf64>, %point: tensor<3xf64>) -> tensor<2xf64> {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %r = array.slice %camera from %c0 : (tensor<11xf64>) -> tensor<3xf64>
  %centre = array.slice %camera from %c3 : (tensor<11xf64>) -> tensor<3xf64>
  %from_camera = arith.subf %point, %centre : tensor<3xf64>
  %y = func.call @rotate(%r, %from_camera) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %depth = array.get %y[%c2] : (tensor<3xf64>) -> f64
  %depths = array.replicate %depth : (f64) -> tensor<2xf64>
  %xy = array.slice %y from %c0 : (tensor<3xf64>) -> tensor<2xf64>
  %q = arith.divf %xy, %depths : tensor<2xf64>
  %qq = arith.mulf %q, %q : tensor<2xf64>
  %rho = array.sum %qq : (tensor<2xf64>) -> f64
  %k0 = array.get %camera[%c9] : (tensor<11xf64>) -> f64
  %k1 = array.get %camera[%c10] : (tensor<11xf64>) -> f64
  %inner = arith.mulf %k1, %rho : f64
  %sum = arith.addf %k0, %inner : f64
  %bend = arith.mulf %sum, %rho : f64
  %factor = arith.addf %one, %bend : f64
  %focal = array.get %camera[%c6] : (tensor<11xf64>) -> f64
  %scale = arith.mulf %focal, %factor : f64
  %scales = array.replicate %scale : (f64) -> tensor<2xf64>
  %scaled = arith.mulf %q, %scales : tensor<2xf64>
  %principal = array.slice %camera from %c7 : (tensor<11xf64>) -> tensor<2xf64>
  %p = arith.addf %scaled, %principal : tensor<2xf64>
  return %p : tensor<2xf64>
}

func.func @residual(%camera: tensor<11xf64>, %point: tensor<3xf64>, %weight: f64, %seen: tensor<2xf64>) -> tensor<2xf64> {
  %p = func.call @project(%camera, %point) : (tensor<11xf64>, tensor<3xf64>) -> tensor<2xf64>
  %d = arith.subf %p, %seen : tensor<2xf64>
  %weights = array.replicate %weight : (f64) -> tensor<2xf64>
  %e = arith.mulf %weights, %d : tensor<2xf64>
  return %e : tensor<2xf64>
}

// TURNED:      [-0.26904885  0.25994479]
// TURNED-NEXT: {{\[\[}} 2.28877202e+02  6.34574811e+02 -7.82222866e+02  2.42892616e+00
// TURNED-NEXT:   -1.17828080e+01  2.54169312e+00 -1.03657085e+00  4.17022000e-01
// TURNED-NEXT:    0.00000000e+00 -3.50739521e+02 -9.12107774e+02]
// TURNED-NEXT:  [-1.20542436e+02 -3.85673241e+02  9.75476291e+01 -1.78372109e+00
// TURNED-NEXT:    4.15466799e+00  2.04025718e+00  3.49176397e-01  0.00000000e+00
// TURNED-NEXT:    4.17022000e-01  1.18149148e+02  3.07250109e+02]]
// TURNED-NEXT: {{\[\[}}-2.42892616 11.78280796 -2.54169312]
// TURNED-NEXT:  [ 1.78372109 -4.15466799 -2.04025718]]
// TURNED-NEXT: [-0.64516704  0.62333592]
func.func @residual_and_jacobian(%camera: tensor<11xf64>, %point: tensor<3xf64>, %weight: f64, %seen: tensor<2xf64>)
    -> (tensor<2xf64>, tensor<2x11xf64>, tensor<2x3xf64>, tensor<2xf64>) {
  %e = func.call @residual(%camera, %point, %weight, %seen)
    : (tensor<11xf64>, tensor<3xf64>, f64, tensor<2xf64>) -> tensor<2xf64>
  %jc, %jx, %jw = dual.jacobian @residual(%camera, %point, %weight, %seen) wrt [0, 1, 2]
    : (tensor<11xf64>, tensor<3xf64>, f64, tensor<2xf64>) -> (tensor<2x11xf64>, tensor<2x3xf64>, tensor<2xf64>)
  return %e, %jc, %jx, %jw : tensor<2xf64>, tensor<2x11xf64>, tensor<2x3xf64>, tensor<2xf64>
}

// STRAIGHT:      [ -69.15910468 -137.22624016]
// STRAIGHT-NEXT: {{\[\[}}-1.66059255e+01  5.14452309e+02  1.46140290e+02 -1.00834418e+02
// STRAIGHT-NEXT:    1.48049832e-01 -1.19789923e+01 -1.19006301e-01  1.00000000e+00
// STRAIGHT-NEXT:    0.00000000e+00 -5.88715830e+00 -5.71704903e-01]
// STRAIGHT-NEXT:  [-5.47679190e+02  1.66059255e+01 -6.05139247e+01  1.48049832e-01
// STRAIGHT-NEXT:   -1.00538184e+02 -2.89291005e+01 -2.87398570e-01  0.00000000e+00
// STRAIGHT-NEXT:    1.00000000e+00 -1.42174058e+01 -1.38065942e+00]]
// STRAIGHT-NEXT: {{\[\[}}100.83441767  -0.14804983  11.97899229]
// STRAIGHT-NEXT:  [ -0.14804983 100.53818401  28.92910051]]
func.func @projection_and_jacobian(%camera: tensor<11xf64>, %point: tensor<3xf64>)
    -> (tensor<2xf64>, tensor<2x11xf64>, tensor<2x3xf64>) {
  %p = func.call @project(%camera, %point) : (tensor<11xf64>, tensor<3xf64>) -> tensor<2xf64>
  %jc, %jx = dual.jacobian @project(%camera, %point) : (tensor<11xf64>, tensor<3xf64>) -> (tensor<2x11xf64>, tensor<2x3xf64>)
  return %p, %jc, %jx : tensor<2xf64>, tensor<2x11xf64>, tensor<2x3xf64>
}
