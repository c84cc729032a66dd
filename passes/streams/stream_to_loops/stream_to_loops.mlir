// RUN: mlopt %s --pass-pipeline='builtin.module(stream-to-loops)' | FileCheck %s

// Equations of one clock are grouped; a merge is what its arms yield; state changes only where its clock ticks.
// CHECK-LABEL: func.func @restarted(
// CHECK-SAME:  stream.arguments = ["input x", "input r", "state p"]
// CHECK-SAME:  stream.results = ["state p", "output s"]
// CHECK:       %[[Z:.*]] = arith.constant 0.0
// CHECK:       array.map_accum (%[[X:.*]] = %{{.*}}, %[[R:.*]] = %{{.*}}) iter_args(%[[P:.*]] = %{{.*}})
// CHECK-NEXT:    %[[S:.*]] = scf.if %[[R]] -> (f64) {
// CHECK-NEXT:      scf.yield %[[X]] : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[C:.*]] = arith.addf %[[P]], %[[X]] : f64
// CHECK-NEXT:      scf.yield %[[C]] : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    array.yield %[[S]], %[[S]] : f64, f64
// CHECK-LABEL: func.func @restarted_init() -> f64
// CHECK-SAME:    stream.results = ["state p"]
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    return %[[ZERO]]
stream.node @restarted(%x: f64, %r: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %p = stream.fby %zero, %s : f64
  %a = stream.when %x, %r : f64
  %y = stream.when %x, not %r : f64
  %b = stream.when %p, not %r : f64
  %c = arith.addf %b, %y : f64
  %s = stream.merge %r, %a, %c : f64
  stream.yield %s : f64
}

// The initial value is a stream: the state includes whether the clock has ticked. A mask marks the cycles with an output.
// CHECK-LABEL: func.func @first(
// CHECK-SAME:  stream.arguments = ["input x", "input c", "state p", "ticked p"]
// CHECK-SAME:  stream.results = ["state p", "ticked p", "output s", "presence s", "clock x"]
// CHECK:       iter_args(%[[P:.*]] = %{{.*}}, %[[TICKED:.*]] = %{{.*}})
// CHECK-NEXT:    %[[M:.*]]:3 = scf.if
// CHECK:           %[[FIRST:.*]] = arith.select %[[TICKED]], %[[P]], %{{.*}} : f64
// CHECK:           arith.addf %[[FIRST]],
// CHECK:       arith.ori %[[TICKED]], %[[M]]#
stream.node @first(%x: f64, %c: i1) -> (s: f64) {
  %two = arith.constant 2.0 : f64
  %y = stream.when %two, %c : f64
  %i = arith.mulf %x, %y : f64
  %p = stream.fby %i, %s : f64
  %s = arith.addf %p, %x : f64
  stream.yield %s : f64
}

// A node that looks ahead has a backward sweep too. A mask says where a value that waits for the future is known.
// CHECK-LABEL: func.func @suffix_sum(
// CHECK-SAME:  stream.arguments = ["input x", "input end", "post next", "post? next"]
// CHECK-SAME:  stream.results = ["output s", "output? s", "settled", "closed"]
// CHECK:       array.map_accum (%{{.*}}, %[[END:.*]] = %end : tensor<?xi1>, %{{.*}}, %[[KNOWN:.*]] = %{{.*}} : tensor<?xi1>)
// CHECK:         arith.select %[[END]], %{{.*}}, %[[KNOWN]] : i1
// CHECK-LABEL: func.func @suffix_sum_back(
// CHECK-SAME:  stream.arguments = ["input x", "input end"], stream.results = ["post next", "post? next"]
// CHECK:       array.reverse
stream.node @suffix_sum(%x: f64, %end: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}

// A division has a result for any divisor; the fault says that it is undefined.
// CHECK-LABEL: func.func @ratio(
// CHECK-SAME:  stream.results = ["output q", "fault"]
// CHECK:       arith.divsi
stream.node @ratio(%a: i64, %b: i64) -> (q: i64) {
  %q = stream.div %a, %b : i64
  stream.yield %q : i64
}

// A parameter is an argument; another function returns its initial value.
// CHECK-LABEL: func.func @scaled_parameters(%k0: f64) -> (f64, f64)
// CHECK-SAME:  stream.arguments = ["initial k0"], stream.results = ["parameter k", "parameter b"]
// CHECK:         return %k0, %{{.*}}
// CHECK-LABEL: func.func @scaled(%x: tensor<?xf64>, %k: f64, %b: f64)
// CHECK-SAME:  stream.arguments = ["input x", "parameter k", "parameter b"]
// CHECK:         arith.mulf %k, %{{.*}} : f64
stream.node @scaled(%x: f64) -> (y: f64) {
  %k0 = stream.initial "k0" "glorot_uniform" : f64
  %three = arith.constant 3.0 : f64
  %k = stream.param "k" %k0 : f64
  %b = stream.param "b" %three : f64
  %p = arith.mulf %k, %x : f64
  %y = arith.addf %p, %b : f64
  stream.yield %y : f64
}
