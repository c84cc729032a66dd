// Bundle adjustment by forward mode: the Jacobian of the projection of n points in the eleven parameters of the camera (rotation, centre,
// focal length, principal point, two coefficients of distortion), as differentiation leaves it and with the columns in any order.
// `units` is how many operations a point may cost after optimisation, by the evaluator's count: the columns are written out, share one
// loop over the points, and what they have in common is computed once. `passes/tests/asymptotics.rs` counts. A projection alone costs 70.
// RUN: mlopt %s --jvp --inline --egg-optimize | FileCheck %s

func.func private @cross(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a0 = array.get %a[%c0] : (tensor<3xf64>) -> f64
  %a1 = array.get %a[%c1] : (tensor<3xf64>) -> f64
  %a2 = array.get %a[%c2] : (tensor<3xf64>) -> f64
  %b0 = array.get %b[%c0] : (tensor<3xf64>) -> f64
  %b1 = array.get %b[%c1] : (tensor<3xf64>) -> f64
  %b2 = array.get %b[%c2] : (tensor<3xf64>) -> f64
  %p0 = arith.mulf %a1, %b2 : f64
  %q0 = arith.mulf %a2, %b1 : f64
  %r0 = arith.subf %p0, %q0 : f64
  %p1 = arith.mulf %a2, %b0 : f64
  %q1 = arith.mulf %a0, %b2 : f64
  %r1 = arith.subf %p1, %q1 : f64
  %p2 = arith.mulf %a0, %b1 : f64
  %q2 = arith.mulf %a1, %b0 : f64
  %r2 = arith.subf %p2, %q2 : f64
  %r = array.stack %r0, %r1, %r2 : (f64, f64, f64) -> tensor<3xf64>
  return %r : tensor<3xf64>
}

func.func private @dot(%a: tensor<3xf64>, %b: tensor<3xf64>) -> f64 {
  %p = arith.mulf %a, %b : tensor<3xf64>
  %s = array.sum %p : (tensor<3xf64>) -> f64
  return %s : f64
}

// x turned by |r| about the axis r.
func.func private @rotate(%r: tensor<3xf64>, %x: tensor<3xf64>) -> tensor<3xf64> {
  %one = arith.constant 1.0 : f64
  %sq = func.call @dot(%r, %r) : (tensor<3xf64>, tensor<3xf64>) -> f64
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
  %y = arith.addf %ab, %c : tensor<3xf64>
  return %y : tensor<3xf64>
}

func.func private @project(%camera: tensor<11xf64>, %point: tensor<3xf64>) -> tensor<2xf64> {
  %one = arith.constant 1.0 : f64
  %c0 = arith.constant 0 : index
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

// One loop, without a comparison of a column's number.
// CHECK-LABEL: func.func @per_point
// CHECK:         array.build (%{{.*}} < %{{.*}}) -> (tensor<?x2x11xf64>)
// CHECK-NOT:     arith.cmpi
// CHECK-NOT:     -> (tensor<?
// CHECK:         array.yield %{{.*}} : tensor<2x11xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @per_point(%camera: tensor<11xf64>, %points: tensor<?x3xf64>) -> tensor<?x2x11xf64> attributes {units = 400 : i64} {
  %n = array.length %points : tensor<?x3xf64>
  %r = array.build (%i < %n) -> (tensor<?x2x11xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %j = dual.jacobian @project(%camera, %point) wrt [0] : (tensor<11xf64>, tensor<3xf64>) -> tensor<2x11xf64>
    array.yield %j : tensor<2x11xf64>
  }
  return %r : tensor<?x2x11xf64>
}

// All points at once: the loop over the columns is the outer one.
func.func private @project_all(%camera: tensor<11xf64>, %points: tensor<?x3xf64>) -> tensor<?x2xf64> {
  %n = array.length %points : tensor<?x3xf64>
  %r = array.build (%i < %n) -> (tensor<?x2xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %p = func.call @project(%camera, %point) : (tensor<11xf64>, tensor<3xf64>) -> tensor<2xf64>
    array.yield %p : tensor<2xf64>
  }
  return %r : tensor<?x2xf64>
}
func.func @all_points(%camera: tensor<11xf64>, %points: tensor<?x3xf64>) -> tensor<?x2x11xf64> attributes {units = 400 : i64} {
  %j = dual.jacobian @project_all(%camera, %points) wrt [0] : (tensor<11xf64>, tensor<?x3xf64>) -> tensor<?x2x11xf64>
  return %j : tensor<?x2x11xf64>
}

// The tangent of each column by itself, the columns first, in the middle, and last.
func.func @columns_first(%camera: tensor<11xf64>, %points: tensor<?x3xf64>) -> tensor<11x?x2xf64> attributes {units = 400 : i64} {
  %n = array.length %points : tensor<?x3xf64>
  %r = array.build (%k < 11, %i < %n) -> (tensor<11x?x2xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %t = array.build (%j < 11) -> (tensor<11xf64>) {
      %one = dual.one : f64
      %zero = dual.zero : f64
      %c = arith.cmpi eq, %j, %k : index
      %e = arith.select %c, %one, %zero : f64
      array.yield %e : f64
    }
    %p, %d = dual.jvp @project(%camera, %point) tangents(%t) wrt [0]
      : (tensor<11xf64>, tensor<3xf64>, tensor<11xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    array.yield %d : tensor<2xf64>
  }
  return %r : tensor<11x?x2xf64>
}
func.func @columns_between(%camera: tensor<11xf64>, %points: tensor<?x3xf64>) -> tensor<?x11x2xf64> attributes {units = 400 : i64} {
  %n = array.length %points : tensor<?x3xf64>
  %r = array.build (%i < %n, %k < 11) -> (tensor<?x11x2xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %t = array.build (%j < 11) -> (tensor<11xf64>) {
      %one = dual.one : f64
      %zero = dual.zero : f64
      %c = arith.cmpi eq, %j, %k : index
      %e = arith.select %c, %one, %zero : f64
      array.yield %e : f64
    }
    %p, %d = dual.jvp @project(%camera, %point) tangents(%t) wrt [0]
      : (tensor<11xf64>, tensor<3xf64>, tensor<11xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    array.yield %d : tensor<2xf64>
  }
  return %r : tensor<?x11x2xf64>
}
func.func @reversed(%camera: tensor<11xf64>, %points: tensor<?x3xf64>) -> tensor<2x11x?xf64> attributes {units = 400 : i64} {
  %c10 = arith.constant 10 : index
  %n = array.length %points : tensor<?x3xf64>
  %r = array.build (%axis < 2, %k < 11, %i < %n) -> (tensor<2x11x?xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %back = arith.subi %c10, %k : index
    %t = array.build (%j < 11) -> (tensor<11xf64>) {
      %one = dual.one : f64
      %zero = dual.zero : f64
      %c = arith.cmpi eq, %j, %back : index
      %e = arith.select %c, %one, %zero : f64
      array.yield %e : f64
    }
    %p, %d = dual.jvp @project(%camera, %point) tangents(%t) wrt [0]
      : (tensor<11xf64>, tensor<3xf64>, tensor<11xf64>) -> (tensor<2xf64>, tensor<2xf64>)
    %x = array.get %d[%axis] : (tensor<2xf64>) -> f64
    array.yield %x : f64
  }
  return %r : tensor<2x11x?xf64>
}

// The parameters by themselves.
func.func private @from_parts(%r: tensor<3xf64>, %centre: tensor<3xf64>, %f: f64, %principal: tensor<2xf64>, %k: tensor<2xf64>,
    %point: tensor<3xf64>) -> tensor<2xf64> {
  %c6 = arith.constant 6 : index
  %a = array.append %r, %centre : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
  %one = array.stack %f : (f64) -> tensor<1xf64>
  %b = array.append %a, %one : (tensor<6xf64>, tensor<1xf64>) -> tensor<7xf64>
  %c = array.append %b, %principal : (tensor<7xf64>, tensor<2xf64>) -> tensor<9xf64>
  %camera = array.append %c, %k : (tensor<9xf64>, tensor<2xf64>) -> tensor<11xf64>
  %p = func.call @project(%camera, %point) : (tensor<11xf64>, tensor<3xf64>) -> tensor<2xf64>
  return %p : tensor<2xf64>
}
func.func @parts(%r: tensor<3xf64>, %centre: tensor<3xf64>, %f: f64, %principal: tensor<2xf64>, %k: tensor<2xf64>, %points: tensor<?x3xf64>)
    -> (tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2xf64>, tensor<?x2x2xf64>, tensor<?x2x2xf64>)
    attributes {units = 400 : i64} {
  %n = array.length %points : tensor<?x3xf64>
  %z:5 = array.build (%i < %n) -> (tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2xf64>, tensor<?x2x2xf64>, tensor<?x2x2xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %j:5 = dual.jacobian @from_parts(%r, %centre, %f, %principal, %k, %point) wrt [0, 1, 2, 3, 4]
      : (tensor<3xf64>, tensor<3xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<3xf64>)
      -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>)
    array.yield %j#0, %j#1, %j#2, %j#3, %j#4
      : tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>
  }
  return %z#0, %z#1, %z#2, %z#3, %z#4
    : tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2xf64>, tensor<?x2x2xf64>, tensor<?x2x2xf64>
}

// The points move too: fourteen columns.
func.func @parts_and_points(%r: tensor<3xf64>, %centre: tensor<3xf64>, %f: f64, %principal: tensor<2xf64>, %k: tensor<2xf64>, %points: tensor<?x3xf64>)
    -> (tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2xf64>, tensor<?x2x2xf64>, tensor<?x2x2xf64>, tensor<?x2x3xf64>)
    attributes {units = 480 : i64} {
  %n = array.length %points : tensor<?x3xf64>
  %z:6 = array.build (%i < %n) -> (tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2xf64>, tensor<?x2x2xf64>, tensor<?x2x2xf64>,
      tensor<?x2x3xf64>) {
    %point = array.get %points[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
    %j:6 = dual.jacobian @from_parts(%r, %centre, %f, %principal, %k, %point) wrt [0, 1, 2, 3, 4, 5]
      : (tensor<3xf64>, tensor<3xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<3xf64>)
      -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x3xf64>)
    array.yield %j#0, %j#1, %j#2, %j#3, %j#4, %j#5
      : tensor<2x3xf64>, tensor<2x3xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x3xf64>
  }
  return %z#0, %z#1, %z#2, %z#3, %z#4, %z#5
    : tensor<?x2x3xf64>, tensor<?x2x3xf64>, tensor<?x2xf64>, tensor<?x2x2xf64>, tensor<?x2x2xf64>, tensor<?x2x3xf64>
}
