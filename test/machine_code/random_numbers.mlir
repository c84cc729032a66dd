// RUN: mlopt check-calls %s --way plain --way optimised --tolerance 1e-14
// Random numbers in compiled functions: the states are those of the evaluator in all words, and so are uniform numbers.
// Logarithms, sines and cosines may differ in the last digit.

// Draws of every kind, one in each call of a recursion, consed to lists; and the final state.
// CALL: @draws {seed} {n} for seed,n = 7,0 42,5 -3,2
func.func @draws(%seed: i64, %n: i64)
    -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng> {
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %y = func.call @draw(%r, %n) : (!lambda.rng, i64)
      -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
  return %y : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
}
func.func private @draw(%r: !lambda.rng, %n: i64)
    -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng> {
  %zero = arith.constant 0 : i64
  %ends = arith.cmpi sle, %n, %zero : i64
  %y = lambda.if %ends : i1 -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng> {
    %nil = lambda.nil : () -> !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>
    %t = lambda.tuple %nil, %r : (!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng)
        -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
    lambda.yield %t : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
  } else {
    %one = arith.constant 1 : i64
    %m = arith.subi %n, %one : i64
    %a = lambda.rng.uniform %r : (!lambda.rng) -> tuple<f64, !lambda.rng>
    %x = lambda.get %a[0] : (tuple<f64, !lambda.rng>) -> f64
    %ra = lambda.get %a[1] : (tuple<f64, !lambda.rng>) -> !lambda.rng
    %b = lambda.rng.uniform %ra : (!lambda.rng) -> tuple<f32, !lambda.rng>
    %u = lambda.get %b[0] : (tuple<f32, !lambda.rng>) -> f32
    %rb = lambda.get %b[1] : (tuple<f32, !lambda.rng>) -> !lambda.rng
    %c = lambda.rng.uniform %rb : (!lambda.rng) -> tuple<tensor<3xf64>, !lambda.rng>
    %v = lambda.get %c[0] : (tuple<tensor<3xf64>, !lambda.rng>) -> tensor<3xf64>
    %rc = lambda.get %c[1] : (tuple<tensor<3xf64>, !lambda.rng>) -> !lambda.rng
    %d = lambda.rng.uniform %rc : (!lambda.rng) -> tuple<tensor<2x3xf32>, !lambda.rng>
    %w = lambda.get %d[0] : (tuple<tensor<2x3xf32>, !lambda.rng>) -> tensor<2x3xf32>
    %rd = lambda.get %d[1] : (tuple<tensor<2x3xf32>, !lambda.rng>) -> !lambda.rng
    %rest = func.call @draw(%rd, %m) : (!lambda.rng, i64)
        -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
    %l = lambda.get %rest[0] : (tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>)
        -> !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>
    %h = lambda.tuple %x, %u, %v, %w : (f64, f32, tensor<3xf64>, tensor<2x3xf32>)
        -> tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>
    %k = lambda.cons %h, %l : (tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>,
        !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>)
        -> !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>
    %t = lambda.tset %rest[0], %k : (tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>,
        !lambda.rng>, !lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>)
        -> tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
    lambda.yield %t : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
  }
  return %y : tuple<!lambda.list<tuple<f64, f32, tensor<3xf64>, tensor<2x3xf32>>>, !lambda.rng>
}

// A state is split in every call; the leaves of the tree are states in a list.
// CALL: @splits 5 {n} for n = 0 1 6 63
func.func @splits(%seed: i64, %n: i64) -> !lambda.list<!lambda.rng> {
  %first = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %drawn = lambda.rng.uniform %first : (!lambda.rng) -> tuple<tensor<9xf64>, !lambda.rng>
  %r = lambda.get %drawn[1] : (tuple<tensor<9xf64>, !lambda.rng>) -> !lambda.rng
  %nil = lambda.nil : () -> !lambda.list<!lambda.rng>
  %y = func.call @leaves(%r, %n, %nil) : (!lambda.rng, i64, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
  return %y : !lambda.list<!lambda.rng>
}
// CALL: @too_many_splits 5 63 fails: too-many-splits: found a state after 64 splits, expected at most 63
func.func @too_many_splits(%seed: i64, %n: i64) -> !lambda.list<!lambda.rng> {
  %first = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %split = lambda.rng.split %first : (!lambda.rng) -> tuple<!lambda.rng, !lambda.rng>
  %r = lambda.get %split[1] : (tuple<!lambda.rng, !lambda.rng>) -> !lambda.rng
  %nil = lambda.nil : () -> !lambda.list<!lambda.rng>
  %y = func.call @leaves(%r, %n, %nil) : (!lambda.rng, i64, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
  return %y : !lambda.list<!lambda.rng>
}
func.func private @leaves(%r: !lambda.rng, %n: i64, %l: !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng> {
  %zero = arith.constant 0 : i64
  %ends = arith.cmpi sle, %n, %zero : i64
  %y = lambda.if %ends : i1 -> !lambda.list<!lambda.rng> {
    %k = lambda.cons %r, %l : (!lambda.rng, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
    lambda.yield %k : !lambda.list<!lambda.rng>
  } else {
    %two = arith.constant 2 : i64
    %one = arith.constant 1 : i64
    %m = arith.subi %n, %one : i64
    %few = arith.subi %n, %two : i64
    %s = lambda.rng.split %r : (!lambda.rng) -> tuple<!lambda.rng, !lambda.rng>
    %a = lambda.get %s[0] : (tuple<!lambda.rng, !lambda.rng>) -> !lambda.rng
    %b = lambda.get %s[1] : (tuple<!lambda.rng, !lambda.rng>) -> !lambda.rng
    %deep = arith.constant 9 : i64
    %is_deep = arith.cmpi sgt, %n, %deep : i64
    %left = lambda.if %is_deep : i1 -> !lambda.list<!lambda.rng> {
      lambda.yield %l : !lambda.list<!lambda.rng>
    } else {
      %k = func.call @leaves(%a, %few, %l) : (!lambda.rng, i64, !lambda.list<!lambda.rng>) -> !lambda.list<!lambda.rng>
      lambda.yield %k : !lambda.list<!lambda.rng>
    }
    %both = func.call @leaves(%b, %m, %left) : (!lambda.rng, i64, !lambda.list<!lambda.rng>)
        -> !lambda.list<!lambda.rng>
    lambda.yield %both : !lambda.list<!lambda.rng>
  }
  return %y : !lambda.list<!lambda.rng>
}

// Two normal numbers, from a state that was sent through a channel.
// CALL: @sent 11
func.func @sent(%seed: i64) -> tuple<f64, tensor<2xf64>, !lambda.rng> {
  %t0 = lambda.token : () -> !lambda.token
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %first = lambda.rng.uniform %r : (!lambda.rng) -> tuple<f64, !lambda.rng>
  %next = lambda.get %first[1] : (tuple<f64, !lambda.rng>) -> !lambda.rng
  %made = lambda.channel %t0 {buffer = 1 : i64, dest = "cpu:1"} : (!lambda.token)
      -> tuple<!lambda.chan<!lambda.rng>, !lambda.token>
  %c = lambda.get %made[0] : (tuple<!lambda.chan<!lambda.rng>, !lambda.token>) -> !lambda.chan<!lambda.rng>
  %t1 = lambda.get %made[1] : (tuple<!lambda.chan<!lambda.rng>, !lambda.token>) -> !lambda.token
  %t2 = lambda.send %t1, %c, %next : (!lambda.token, !lambda.chan<!lambda.rng>, !lambda.rng) -> !lambda.token
  %got = lambda.recv %t2, %c : (!lambda.token, !lambda.chan<!lambda.rng>) -> tuple<!lambda.rng, !lambda.token>
  %s = lambda.get %got[0] : (tuple<!lambda.rng, !lambda.token>) -> !lambda.rng
  %a = lambda.rng.normal %s : (!lambda.rng) -> tuple<f64, !lambda.rng>
  %x = lambda.get %a[0] : (tuple<f64, !lambda.rng>) -> f64
  %u = lambda.get %a[1] : (tuple<f64, !lambda.rng>) -> !lambda.rng
  %b = lambda.rng.normal %u : (!lambda.rng) -> tuple<tensor<2xf64>, !lambda.rng>
  %v = lambda.get %b[0] : (tuple<tensor<2xf64>, !lambda.rng>) -> tensor<2xf64>
  %w = lambda.get %b[1] : (tuple<tensor<2xf64>, !lambda.rng>) -> !lambda.rng
  %y = lambda.tuple %x, %v, %w : (f64, tensor<2xf64>, !lambda.rng) -> tuple<f64, tensor<2xf64>, !lambda.rng>
  return %y : tuple<f64, tensor<2xf64>, !lambda.rng>
}
