// RUN: mlopt %s --stream-inline | FileCheck %s
// RUN: mlopt run %s --node @fit --input 'x=[1, 2, -1, 0.5]' --input 'gt=[1, 2, 3, 4]' --chronogram --show k | FileCheck %s --check-prefix=FIT
// RUN: mlopt run %s --node @lines --input 'g=[[1, 2], [0.5, -1], [3, 1]]' --chronogram | FileCheck %s --check-prefix=LINES
// Predefined optimisers: of numbers, and of arrays element by element.

// The gradient of (k·x - gt)², written by hand.
// CHECK-LABEL: stream.node @fit
// CHECK-NOT:     stream.instance
// CHECK:         %new.v = stream.fby
// FIT: {{^}}k {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}0.2{{$}}
stream.node @fit(%x: f64, %gt: f64) -> (error: f64) {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %rate = arith.constant 0.1 : f64
  %k = stream.fby %one, %new : f64
  %y = arith.mulf %k, %x : f64
  %error = arith.subf %y, %gt : f64
  %slope = arith.mulf %error, %x : f64
  %g = arith.mulf %two, %slope : f64
  %new = stream.instance "new" @momentum(%k, %g, %rate) : (f64, f64, f64) -> f64
  stream.yield %error : f64
}

// Two shapes, each with its own state; a node of the program has priority.
// CHECK-LABEL: stream.node @lines
// CHECK:         %p_step.m = stream.fby %{{.*}}, %{{.*}} : tensor<2xf64>
// CHECK:         %p_step.m_power = stream.fby
// CHECK:         %p_step.v = stream.fby %{{.*}}, %{{.*}} : tensor<2xf64>
// CHECK:         %p_step.next = arith.subf %p, %{{.*}} : tensor<2xf64>
// CHECK:         %q = stream.fby %{{.*}}, %q_step.next : f64
// CHECK-NEXT:    %q_step.next = arith.subf %q, %first : f64
// CHECK-NEXT:    stream.yield %p, %q
// LINES:      {{^}}p {{ *}}[0 0] {{ *}}[-0.1 -0.1] {{ *}}[-0.193218 -0.126634]{{$}}
// LINES-NEXT: {{^}}q {{ *}}0 {{ *}}-1 {{ *}}-1.5{{$}}
stream.node @lines(%g: tensor<2xf64>) -> (p: tensor<2xf64>, q: f64) {
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %zero = arith.constant 0.0 : f64
  %i = arith.constant 0 : index
  %rate = arith.constant 0.1 : f64
  %p = stream.fby %zeros, %next : tensor<2xf64>
  %next = stream.instance "p_step" @adam(%p, %g, %rate) : (tensor<2xf64>, tensor<2xf64>, f64) -> tensor<2xf64>
  %first = array.get %g[%i] : (tensor<2xf64>) -> f64
  %q = stream.fby %zero, %q_next : f64
  %q_next = stream.instance "q_step" @sgd(%q, %first, %rate) : (f64, f64, f64) -> f64
  stream.yield %p, %q : tensor<2xf64>, f64
}

stream.node @sgd(%p: f64, %g: f64, %rate: f64) -> (next: f64) {
  %next = arith.subf %p, %g : f64
  stream.yield %next : f64
}
