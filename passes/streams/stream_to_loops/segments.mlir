// RUN: mlopt --pass-pipeline='builtin.module(stream-to-loops)' %s | FileCheck %s

// The mean of each sequence, and the distance of each cycle from it: forward to count and sum, backward to pass the mean, forward to sum
// the rest. `m` is constant within a sequence, and values that depend on it only are computed once.
// CHECK-LABEL: func.func @deviation_segment(
// CHECK-SAME:    %x: tensor<?xf64>, %end: tensor<?xi1>, %first: i1,
// CHECK-SAME:    stream.starts = ["first"]
// CHECK:         %[[SCALE:.*]] = math.exp %m
// The sums of the first pass start at the start of a sequence, not from the state.
// CHECK:         array.map_accum ({{.*}}) iter_args(%{{.*}} = %first, %{{.*}} = %cst, %{{.*}} = %cst)
// CHECK-NOT:       arith.select
// CHECK:           arith.divf
// CHECK:           array.yield
// CHECK:         %[[DOWN:.*]]:2 = array.map_accum ({{.*}}) iter_args(%[[LATER:.*]] =
// CHECK:           %[[MEAN:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LATER]]
// CHECK:           arith.mulf %{{.*}}, %[[SCALE]]
// CHECK:           array.yield %[[MEAN]]
// CHECK:         %[[OUT:.*]] = array.reverse %[[DOWN]]#1
// CHECK:         %[[SUM:.*]] = array.map_accum (%{{.*}} = %[[OUT]]
// CHECK:           array.yield
// Once, after the last cycle.
// CHECK:         %[[NEXT:.*]] = arith.addf %m, %[[SUM]] : f64
// CHECK:         return {{.*}}%[[SUM]], {{.*}}%[[NEXT]], {{.*}}%[[OUT]]

// CHECK-LABEL: func.func @deviation_ends(
// CHECK-SAME:    stream.results = ["end"]
// CHECK:         array.map_accum
stream.node @deviation(%x: f64, %end: i1) -> (d: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %true = arith.constant true
  %first = stream.fby %true, %end : i1

  // Sums restart.
  %n_before = stream.fby %zero, %n : f64
  %n_held = stream.select %first, %zero, %n_before : f64
  %n = arith.addf %n_held, %one : f64
  %s_before = stream.fby %zero, %s : f64
  %s_held = stream.select %first, %zero, %s_before : f64
  %s = arith.addf %s_held, %x : f64

  // The mean of the whole, in each cycle.
  %quotient = arith.divf %s, %n : f64
  %later = stream.post %mean : f64
  %mean = stream.select %end, %quotient, %later : f64

  // The rest, with a constant scale.
  %m_exp = math.exp %m : f64
  %apart = arith.subf %x, %mean : f64
  %scaled = arith.mulf %apart, %m_exp : f64
  %sum_before = stream.fby %zero, %sum : f64
  %sum_held = stream.select %first, %zero, %sum_before : f64
  %sum = arith.addf %sum_held, %scaled : f64

  %m = stream.fby %zero, %m_next : f64
  %changed = arith.addf %m, %sum : f64
  %m_next = stream.select %end, %changed, %m : f64
  stream.yield %scaled : f64
}

// A sequence that depends on the next one is computed by sweeps with masks.
// CHECK-LABEL: func.func @across(
// CHECK-NOT:   func.func @across_segment
// CHECK:       func.func @across_back(
stream.node @across(%x: f64, %end: i1) -> (o: f64, p: f64) {
  %zero = arith.constant 0.0 : f64
  %later = stream.post %o : f64
  %o = stream.select %end, %x, %later : f64
  %p = stream.post %x : f64
  stream.yield %o, %p : f64, f64
}
