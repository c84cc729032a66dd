// RUN: mlopt run %s --node @year --input fahrenheit=@%S/seattle.csv:temp --chronogram --ticks 30 | FileCheck %s --check-prefix=FIRST
// RUN: mlopt run %s --node @year --input fahrenheit=@%S/seattle.csv:temp --out %t.csv && tail -n 1 %t.csv | FileCheck %s --check-prefix=LAST
// A room that is heated by a controller that learns a model of the room while it heats. See README.md.

// The room. The controller does not know its heat loss and the effect of heating, which change: after 250 days a window is open for
// four weeks. `t` is in °C, `u` in kW, a cycle is an hour.
stream.node @room(%outside: f64, %u: f64) -> (t: f64) {
  %start = arith.constant 12.0 : f64
  %hour0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %opened = arith.constant 6000 : i64
  %closed = arith.constant 6672 : i64
  %shut_loss = arith.constant 0.08 : f64
  %open_loss = arith.constant 0.2 : f64
  %gain = arith.constant 0.4 : f64

  %n = stream.fby %hour0, %n1 : i64
  %n1 = arith.addi %n, %one : i64
  %after = arith.cmpi sge, %n, %opened : i64
  %before = arith.cmpi slt, %n, %closed : i64
  %is_open = arith.andi %after, %before : i1
  %loss = stream.select %is_open, %open_loss, %shut_loss : f64

  %t = stream.fby %start, %next : f64
  %colder = arith.subf %outside, %t : f64
  %lost = arith.mulf %loss, %colder : f64
  %won = arith.mulf %gain, %u : f64
  %change = arith.addf %lost, %won : f64
  %next = arith.addf %t, %change : f64
  stream.yield %t : f64
}

// 20 °C from 6 to 22 o'clock, 16 °C at night.
stream.node @target() -> (target: f64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %day = arith.constant 24 : i64
  %six = arith.constant 6 : i64
  %ten = arith.constant 22 : i64
  %warm = arith.constant 20.0 : f64
  %cool = arith.constant 16.0 : f64
  %hour = stream.fby %zero, %next : i64
  %later = arith.addi %hour, %one : i64
  %is_midnight = arith.cmpi eq, %later, %day : i64
  %next = stream.select %is_midnight, %zero, %later : i64
  %after = arith.cmpi sge, %hour, %six : i64
  %before = arith.cmpi slt, %hour, %ten : i64
  %is_day = arith.andi %after, %before : i1
  %target = stream.select %is_day, %warm, %cool : f64
  stream.yield %target : f64
}

// Learning from the last hour: the room changed by `loss · colder + gain · u`. A step of normalised least mean squares
// (S. Haykin, Adaptive Filter Theory, chapter 6) towards the coefficients that explain the change.
stream.node @learner(%outside: f64, %t: f64, %u: f64) -> (loss: f64, gain: f64) {
  %zero = arith.constant 0.0 : f64
  %guess_loss = arith.constant 0.02 : f64
  %guess_gain = arith.constant 1.0 : f64
  %rate = arith.constant 0.5 : f64
  %small = arith.constant 1.0 : f64

  %colder_now = arith.subf %outside, %t : f64
  %colder = stream.fby %zero, %colder_now : f64
  %heat = stream.fby %zero, %u : f64
  %before = stream.fby %t, %t : f64
  %changed = arith.subf %t, %before : f64

  %loss_before = stream.fby %guess_loss, %loss : f64
  %gain_before = stream.fby %guess_gain, %gain : f64
  %e1 = arith.mulf %loss_before, %colder : f64
  %e2 = arith.mulf %gain_before, %heat : f64
  %expected = arith.addf %e1, %e2 : f64
  %error = arith.subf %changed, %expected : f64

  %s1 = arith.mulf %colder, %colder : f64
  %s2 = arith.mulf %heat, %heat : f64
  %s3 = arith.addf %s1, %s2 : f64
  %size = arith.addf %s3, %small : f64
  %scaled = arith.mulf %rate, %error : f64
  %step = arith.divf %scaled, %size : f64
  %d1 = arith.mulf %step, %colder : f64
  %d2 = arith.mulf %step, %heat : f64
  %loss = arith.addf %loss_before, %d1 : f64
  %gain = arith.addf %gain_before, %d2 : f64
  stream.yield %loss, %gain : f64, f64
}

// Clamps the power to 0 to 12 kW.
stream.node @limited(%x: f64) -> (u: f64) {
  %zero = arith.constant 0.0 : f64
  %most = arith.constant 12.0 : f64
  %a = arith.maximumf %x, %zero : f64
  %u = arith.minimumf %a, %most : f64
  stream.yield %u : f64
}

// Heats with the power that reaches the target in an hour, according to the learned model.
stream.node @adaptive(%outside: f64, %t: f64, %target: f64) -> (u: f64, loss: f64, gain: f64) {
  %least = arith.constant 0.05 : f64
  %learner:2 = stream.instance "learner" @learner(%outside, %t, %u) : (f64, f64, f64) -> (f64, f64)
  %colder = arith.subf %outside, %t : f64
  %lost = arith.mulf %learner#0, %colder : f64
  %missing = arith.subf %target, %t : f64
  %needed = arith.subf %missing, %lost : f64
  %gain = arith.maximumf %learner#1, %least : f64
  %wanted = arith.divf %needed, %gain : f64
  %u = stream.instance "limit" @limited(%wanted) : (f64) -> f64
  stream.yield %u, %learner#0, %learner#1 : f64, f64, f64
}

// A proportional controller, which does not learn: the same kW for each missing degree.
stream.node @proportional(%t: f64, %target: f64) -> (u: f64) {
  %factor = arith.constant 1.5 : f64
  %missing = arith.subf %target, %t : f64
  %wanted = arith.mulf %factor, %missing : f64
  %u = stream.instance "limit" @limited(%wanted) : (f64) -> f64
  stream.yield %u : f64
}

// The sum of missing degrees.
stream.node @discomfort(%t: f64, %target: f64) -> (total: f64) {
  %zero = arith.constant 0.0 : f64
  %missing = arith.subf %target, %t : f64
  %cold = arith.maximumf %missing, %zero : f64
  %before = stream.fby %zero, %total : f64
  %total = arith.addf %before, %cold : f64
  stream.yield %total : f64
}

// Two rooms in the same weather, with one controller each.
// FIRST:      {{^}}cycle {{.*$}}
// FIRST:      {{^}}target       16    16       16       16       16       16       20
// FIRST-NEXT: {{^}}t            12    13.032   14.2423  15.3368  16.1286
// FIRST:      {{^}}loss         0.02  0.165391  0.240329
// LAST: 8758,16,20,0,0.0800000000003{{[0-9]*}},0.400000000001{{[0-9]*}},1406.45185957{{[0-9]*}},18.17695255385{{[0-9]*}},0,8620.04780141{{[0-9]*}}
stream.node @year(%fahrenheit: f64)
    -> (target: f64, t: f64, u: f64, loss: f64, gain: f64, cold: f64, t_fixed: f64, u_fixed: f64, cold_fixed: f64) {
  %freezing = arith.constant 32.0 : f64
  %degree = arith.constant 1.8 : f64
  %above = arith.subf %fahrenheit, %freezing : f64
  %outside = arith.divf %above, %degree : f64
  %target = stream.instance "clock" @target() : () -> f64

  %t = stream.instance "room" @room(%outside, %c#0) : (f64, f64) -> f64
  %c:3 = stream.instance "controller" @adaptive(%outside, %t, %target) : (f64, f64, f64) -> (f64, f64, f64)
  %cold = stream.instance "cold" @discomfort(%t, %target) : (f64, f64) -> f64

  %t_fixed = stream.instance "other_room" @room(%outside, %u_fixed) : (f64, f64) -> f64
  %u_fixed = stream.instance "other_controller" @proportional(%t_fixed, %target) : (f64, f64) -> f64
  %cold_fixed = stream.instance "other_cold" @discomfort(%t_fixed, %target) : (f64, f64) -> f64
  stream.yield %target, %t, %c#0, %c#1, %c#2, %cold, %t_fixed, %u_fixed, %cold_fixed
    : f64, f64, f64, f64, f64, f64, f64, f64, f64
}
