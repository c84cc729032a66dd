// RUN: mlopt %s --stream-inline --stream-grad | FileCheck %s
// RUN: mlopt %s --stream-inline --stream-grad --differentiate --inline --stream-plan | FileCheck %s --check-prefix=PLAN
// RUN: mlopt %s --stream-inline --stream-grad --differentiate --inline | mlopt run - --interpret --node @fby_end_grad --input 'end=[0, 0, 1, 1, 0, 1]' --input 'init=[1, 0, 9, 3, 5, 8]' --input 'i=[2, 6, 8, 5, 1, 4]' --input 'o_ct=[1, 2, 3, 4, 5, 6]' --chronogram | FileCheck %s --check-prefix=END
// RUN: mlopt %s --stream-inline --stream-grad --differentiate --inline | mlopt run - --interpret --node @trained_grad --input 'x=[1, 2, 3]' --input 'y_ct=[1, 10, 100]' --chronogram | FileCheck %s --check-prefix=TRAINED
// RUN: mlopt %s --stream-inline --stream-grad --differentiate --inline | mlopt run - --interpret --node @gated_grad --input 'x=[1, 2, ., 4]' --input 'c=[1, 0, ., 1]' --input 'y_ct=[1, 1, ., 1]' --input 'only_ct=[5, ., ., 7]' --chronogram | FileCheck %s --check-prefix=GATED
// RUN: mlopt %s --stream-inline --stream-grad --differentiate --inline | mlopt run - --node @expert_grad --input 'x=[2, -1, 3]' --input 'y_ct=[1, 10, 100]' --chronogram | FileCheck %s --check-prefix=EXPERT
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=gatde})' 2>&1 | FileCheck %s --check-prefix=NAME
// Adjoints run backward in time: `fby` and `post` are adjoint to each other, and so are `when` and `merge`.

// NAME: error: {{.*}}stream-grad: the option `node` must name a node of this module, found `gatde`

// The adjoint of a look back is a look ahead; that of the initial value is read in the first cycle.
// CHECK-LABEL: stream.node @back_grad(%i: f64, %e: f64, %y_ct: f64) -> (y: f64, i_ct: f64, e_ct: f64) {
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         %[[FIRST:.*]] = stream.fby %true, %false : i1
// CHECK-NEXT:    %i_ct = stream.select %[[FIRST]], %y_ct, %[[ZERO]] : f64
// CHECK-NEXT:    %e_ct = stream.post %y_ct {stream.adjoint} : f64
// CHECK-NEXT:    stream.yield %y, %i_ct, %e_ct : f64, f64, f64
stream.node @back(%i: f64, %e: f64) -> (y: f64) {
  %y = stream.fby %i, %e : f64
  stream.yield %y : f64
}

// CHECK-LABEL: stream.node @ahead_grad
// CHECK:         %e_ct = stream.fby %{{.*}}, %y_ct : f64
// PLAN-LABEL:  stream.node @ahead_grad
// PLAN:        } {stream.plan = "retimed"}
stream.node @ahead(%e: f64) -> (y: f64) {
  %y = stream.post %e : f64
  stream.yield %y : f64
}

// A value that is not selected does not contribute. The adjoint of a stream is on the clock of the stream.
// CHECK-LABEL: stream.node @gated_grad(%x: f64, %c: i1, %y_ct: f64, %only_ct: f64) -> (y: f64, only: f64, x_ct: f64) {
// CHECK:         stream.merge %c, %a_ct, %{{.*}} : f64
// CHECK-NEXT:    dual.vjp @gated_grad.equation(%a) cotangents(%square_ct) wrt [0]
// CHECK-NEXT:    stream.merge %c, %{{.*}}, %b_ct : f64
// CHECK:         %square_ct = stream.when %y_ct, %c : f64
// CHECK-NEXT:    %negated_ct = stream.when %y_ct, not %c : f64
// GATED:      {{^}}y       1  -2  .  16{{$}}
// GATED-NEXT: {{^}}only    2  .   .  8{{$}}
// GATED-NEXT: {{^}}x_ct    12  -1  .  22{{$}}
stream.node @gated(%x: f64, %c: i1) -> (y: f64, only: f64) {
  %a = stream.when %x, %c : f64
  %square = arith.mulf %a, %a : f64
  %b = stream.when %x, not %c : f64
  %negated = arith.negf %b : f64
  %y = stream.merge %c, %square, %negated : f64
  %only = arith.addf %a, %a : f64
  stream.yield %y, %only : f64, f64
}

// A parameter in an instance: its adjoint in each cycle, and its name.
// CHECK-LABEL: stream.node @trained_grad(%x: f64, %y_ct: f64) -> (y: f64, x_ct: f64, l_k_ct: f64) {
// CHECK:       stream.gradients = ["l.k = l_k_ct"]
// TRAINED:      {{^}}y       3  6   9{{$}}
// TRAINED-NEXT: {{^}}x_ct    3  30  300{{$}}
// TRAINED-NEXT: {{^}}l_k_ct  1  20  300{{$}}
stream.node @layer(%x: f64) -> (o: f64) {
  %three = arith.constant 3.0 : f64
  %k = stream.param "k" %three : f64
  %o = arith.mulf %k, %x : f64
  stream.yield %o : f64
}
stream.node @trained(%x: f64) -> (y: f64) {
  %l = stream.instance "l" @layer(%x) : (f64) -> f64
  stream.yield %l : f64
}

// Sequences end, so that the lookahead of adjoints is finite (the figures of spec/streams.md 7.2).
// PLAN-LABEL:  stream.node @fby_end_grad
// PLAN:        } {stream.plan = "retimed"}
// END:      {{^}}init_ct  1  0  0  4  5   0{{$}}
// END-NEXT: {{^}}i_ct     2  3  0  0  6   0{{$}}
stream.node @fby_end(%end: i1, %init: f64, %i: f64) -> (o: f64) {
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %zero = arith.constant 0.0 : f64
  %i1 = stream.select %end, %zero, %i : f64
  %p = stream.fby %zero, %i1 : f64
  %o = stream.select %rst, %init, %p : f64
  stream.yield %o : f64
}

// Integers and conditions have no adjoint: there are no contributions.
// CHECK-NOT: @counter_grad
stream.node @counter(%c: i1) -> (o: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %p = stream.fby %zero, %o : i64
  %next = arith.addi %p, %one : i64
  %o = stream.select %c, %next, %p : i64
  stream.yield %o : i64
}

// The clock of the parameter is unknown outside: where the parameter is absent, its adjoint is zero.
// EXPERT:      {{^}}x_ct   3  0   300{{$}}
// EXPERT-NEXT: {{^}}k_ct   2  0   300{{$}}
stream.node @expert(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3.0 : f64
  %is_positive = arith.cmpf ogt, %x, %zero : f64
  %xs = stream.when %x, %is_positive : f64
  %k = stream.param "k" %three : f64
  %kx = arith.mulf %k, %xs : f64
  %y = stream.merge %is_positive, %kx, %zero : f64
  stream.yield %y : f64
}
