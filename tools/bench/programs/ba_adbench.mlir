// Bundle adjustment as in ADBench: for every observation the Jacobian of the weighted reprojection error in the eleven
// parameters of its camera (rotation (3), centre (3), focal length, principal point (2), two coefficients of distortion), its
// point and its weight. An observation is the number of its camera and that of its point.

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

func.func private @error(%camera: tensor<11xf64>, %point: tensor<3xf64>, %weight: f64, %seen: tensor<2xf64>) -> tensor<2xf64> {
  %p = func.call @project(%camera, %point) : (tensor<11xf64>, tensor<3xf64>) -> tensor<2xf64>
  %d = arith.subf %p, %seen : tensor<2xf64>
  %weights = array.replicate %weight : (f64) -> tensor<2xf64>
  %e = arith.mulf %weights, %d : tensor<2xf64>
  return %e : tensor<2xf64>
}

func.func @ba_adbench(%cameras: tensor<?x11xf64>, %points: tensor<?x3xf64>, %weights: tensor<?xf64>,
    %seen: tensor<?x2xf64>, %observations: tensor<?x2xf64>) -> tensor<?x2x15xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.length %observations : tensor<?x2xf64>
  %jacobians = array.build (%i < %n) -> (tensor<?x2x15xf64>) {
    %c = array.get %observations[%i, %c0] : (tensor<?x2xf64>) -> f64
    %x = array.get %observations[%i, %c1] : (tensor<?x2xf64>) -> f64
    %ci = array.floor %c : (f64) -> index
    %xi = array.floor %x : (f64) -> index
    %camera = array.get %cameras[%ci] : (tensor<?x11xf64>) -> tensor<11xf64>
    %point = array.get %points[%xi] : (tensor<?x3xf64>) -> tensor<3xf64>
    %weight = array.get %weights[%i] : (tensor<?xf64>) -> f64
    %uv = array.get %seen[%i] : (tensor<?x2xf64>) -> tensor<2xf64>
    %jc, %jx, %jw = dual.jacobian @error(%camera, %point, %weight, %uv) wrt [0, 1, 2] mode reverse
      : (tensor<11xf64>, tensor<3xf64>, f64, tensor<2xf64>) -> (tensor<2x11xf64>, tensor<2x3xf64>, tensor<2xf64>)
    %columns_c = array.transpose %jc [1, 0] : (tensor<2x11xf64>) -> tensor<11x2xf64>
    %columns_x = array.transpose %jx [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
    %column_w = array.stack %jw : (tensor<2xf64>) -> tensor<1x2xf64>
    %columns_cx = array.append %columns_c, %columns_x : (tensor<11x2xf64>, tensor<3x2xf64>) -> tensor<14x2xf64>
    %columns = array.append %columns_cx, %column_w : (tensor<14x2xf64>, tensor<1x2xf64>) -> tensor<15x2xf64>
    %block = array.transpose %columns [1, 0] : (tensor<15x2xf64>) -> tensor<2x15xf64>
    array.yield %block : tensor<2x15xf64>
  }
  return %jacobians : tensor<?x2x15xf64>
}
