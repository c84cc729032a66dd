// RUN: mlopt run %s --entry @pipeline --interpret --arg 3.0 | FileCheck %s --check-prefix=VALUE
// RUN: not mlopt run %s --entry @nobody --interpret 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// Tasks that communicate through channels, in the evaluator. Tokens order effects: each op with a token takes one and returns the next.

// Two tasks, each of which doubles the values that it receives.
// VALUE: 12.0
func.func @pipeline(%x: f64) -> f64 {
  %start = lambda.token : () -> !lambda.token
  %c0 = lambda.channel %start {buffer = 1 : i64} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  %in = lambda.get %c0[0] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.chan<f64>
  %t0 = lambda.get %c0[1] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.token
  %c1 = lambda.channel %t0 : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  %middle = lambda.get %c1[0] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.chan<f64>
  %t1 = lambda.get %c1[1] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.token
  %c2 = lambda.channel %t1 : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  %out = lambda.get %c2[0] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.chan<f64>
  %t2 = lambda.get %c2[1] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.token
  %double = lambda.lambda (%t: !lambda.token, %from: !lambda.chan<f64>, %to: !lambda.chan<f64>) -> none {
    %got = lambda.recv %t, %from : (!lambda.token, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
    %v = lambda.get %got[0] : (tuple<f64, !lambda.token>) -> f64
    %then = lambda.get %got[1] : (tuple<f64, !lambda.token>) -> !lambda.token
    %vv = arith.addf %v, %v : f64
    %sent = lambda.send %then, %to, %vv : (!lambda.token, !lambda.chan<f64>, f64) -> !lambda.token
    %u = lambda.unit
    lambda.return %u : none
  }
  %h0 = lambda.spawn %t2, %double, %in, %middle {device = "cpu:1"} : (!lambda.token, (!lambda.token, !lambda.chan<f64>, !lambda.chan<f64>) -> none, !lambda.chan<f64>, !lambda.chan<f64>) -> tuple<!lambda.task<none>, !lambda.token>
  %t3 = lambda.get %h0[1] : (tuple<!lambda.task<none>, !lambda.token>) -> !lambda.token
  %h1 = lambda.spawn %t3, %double, %middle, %out {device = "cpu:2"} : (!lambda.token, (!lambda.token, !lambda.chan<f64>, !lambda.chan<f64>) -> none, !lambda.chan<f64>, !lambda.chan<f64>) -> tuple<!lambda.task<none>, !lambda.token>
  %t4 = lambda.get %h1[1] : (tuple<!lambda.task<none>, !lambda.token>) -> !lambda.token
  %t5 = lambda.send %t4, %in, %x : (!lambda.token, !lambda.chan<f64>, f64) -> !lambda.token
  %got = lambda.recv %t5, %out : (!lambda.token, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
  %y = lambda.get %got[0] : (tuple<f64, !lambda.token>) -> f64
  return %y : f64
}

// A deadlock: the error names the channel on which a task waits for a message that is never sent.
// DEADLOCK: channels.mlir:[[# @LINE + 5]]:10: error: 'lambda.recv' op deadlock: all tasks wait; the program waits in 'lambda.recv' at {{.*}}channels.mlir:[[# @LINE + 5]]:10 for channel 0 ({{.*}}channels.mlir:[[# @LINE + 3]]:8)
func.func @nobody() -> f64 {
  %start = lambda.token : () -> !lambda.token
  %c = lambda.channel %start : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  %channel = lambda.get %c[0] : (tuple<!lambda.chan<f64>, !lambda.token>) -> !lambda.chan<f64>
  %got = lambda.recv %start, %channel : (!lambda.token, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
  %y = lambda.get %got[0] : (tuple<f64, !lambda.token>) -> f64
  return %y : f64
}
