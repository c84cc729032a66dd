// RUN: mlopt run %s --entry @deep --interpret --pass-pipeline='builtin.module()' --arg 100000 | FileCheck %s --check-prefix=DEEP
// RUN: mlopt run %s --entry @deep --arg 100000 | FileCheck %s --check-prefix=DEEP
// RUN: not mlopt run %s --entry @endless --interpret --pass-pipeline='builtin.module()' --arg 1 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: mlopt run %s --entry @tail --interpret --pass-pipeline='builtin.module()' --arg 300000 | FileCheck %s --check-prefix=TAIL
// RUN: mlopt run %s --entry @tail --arg 300000 | FileCheck %s --check-prefix=TAIL
// RUN: mlopt run %s --entry @list --interpret --pass-pipeline='builtin.module()' --arg 1000000 | FileCheck %s --check-prefix=LIST
// RUN: mlopt run %s --entry @list --arg 1000000 | FileCheck %s --check-prefix=LIST
// RUN: mlopt run %s --entry @list --interpret --pass-pipeline='builtin.module()' --arg=-3 | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @list --arg=-3 | FileCheck %s --check-prefix=NONE
// RUN: mlopt run %s --entry @chain --interpret --pass-pipeline='builtin.module()' --arg 300000 --arg 1.0 | FileCheck %s --check-prefix=CHAIN
// RUN: mlopt run %s --entry @chain --arg 300000 --arg 1.0 | FileCheck %s --check-prefix=CHAIN
// RUN: mlopt run %s --entry @power --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=POWER
// RUN: mlopt run %s --entry @power --arg 1.0 | FileCheck %s --check-prefix=POWER
// Calls, recursion and long chains of values. Calls in tail position take no stack, other calls take frames of the
// evaluator and not of the process, and values are dropped without recursion.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

// f(n) = 1 + f(n - 1), not in tail position.
// DEEP: {{^}}100000{{$}}
func.func @deep(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %go = lambda.letrec {
    %down = lambda.lambda (%k: i64) -> i64 {
      %end = arith.cmpi sle, %k, %zero : i64
      %y = lambda.if %end : i1 -> i64 {
        lambda.yield %zero : i64
      } else {
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %down(%l) : (i64) -> i64
        %s = arith.addi %r, %one : i64
        lambda.yield %s : i64
      }
      lambda.return %y : i64
    }
    lambda.yield %down : (i64) -> i64
  } : (i64) -> i64
  %y = lambda.apply %go(%n) : (i64) -> i64
  return %y : i64
}

// ENDLESS: eval/recursion.mlir:[[#@LINE+2]]:8: error: 'func.call' op stack-overflow: calls and regions nest more than {{[0-9]+}} deep
func.func @endless(%n: i64) -> i64 {
  %m = func.call @endless(%n) : (i64) -> i64
  %s = arith.addi %m, %n : i64
  return %s : i64
}

// A loop of two functions that call each other in tail position, through a conditional.
// TAIL: {{^}}300000{{$}}
func.func @tail(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %even, %odd = lambda.letrec {
    %a = lambda.lambda (%k: i64, %s: i64) -> i64 {
      %end = arith.cmpi sle, %k, %zero : i64
      %y = lambda.if %end : i1 -> i64 {
        lambda.yield %s : i64
      } else {
        %l = arith.subi %k, %one : i64
        %r = lambda.apply %b(%l, %s) : (i64, i64) -> i64
        lambda.yield %r : i64
      }
      lambda.return %y : i64
    }
    %b = lambda.lambda (%k: i64, %s: i64) -> i64 {
      %t = arith.addi %s, %one : i64
      %r = lambda.apply %a(%k, %t) : (i64, i64) -> i64
      lambda.return %r : i64
    }
    lambda.yield %a, %b : (i64, i64) -> i64, (i64, i64) -> i64
  } : (i64, i64) -> i64, (i64, i64) -> i64
  %y = lambda.apply %even(%n, %zero) : (i64, i64) -> i64
  return %y : i64
}

// A negative number of iterations is none.
// LIST: {{^}}1000000{{$}}
// NONE: {{^}}0{{$}}
func.func @list(%n: i64) -> i64 {
  %nil = lambda.nil : () -> !lambda.list<i64>
  %l = lambda.for (%i < %n) iter_args(%a = %nil) : (i64, !lambda.list<i64>) -> (!lambda.list<i64>) {
    %b = lambda.cons %i, %a : (i64, !lambda.list<i64>) -> !lambda.list<i64>
    lambda.yield %b : !lambda.list<i64>
  }
  %k = lambda.length %l : (!lambda.list<i64>) -> i64
  return %k : i64
}

// Nested closures.
// CHAIN: {{^}}300001.0{{$}}
func.func @chain(%n: i64, %x: f64) -> f64 {
  %id = lambda.lambda (%u: f64) -> f64 {
    lambda.return %u : f64
  }
  %g = lambda.for (%i < %n) iter_args(%h = %id) : (i64, (f64) -> f64) -> ((f64) -> f64) {
    %k = lambda.lambda (%u: f64) -> f64 {
      %v = arith.addf %u, %x : f64
      %w = lambda.apply %h(%v) : (f64) -> f64
      lambda.return %w : f64
    }
    lambda.yield %k : (f64) -> f64
  }
  %y = lambda.apply %g(%x) : (f64) -> f64
  return %y : f64
}

// d/dx xⁿ = n at 1, through 100,000 nested calls.
// POWER: {{^}}100000.0{{$}}
func.func @power(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %zero = arith.constant 0 : i64
    %step = arith.constant 1 : i64
    %one = arith.constant 1.0 : f64
    %n = arith.constant 100000 : i64
    %power = lambda.letrec {
      %go = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
          lambda.yield %one : f64
        } else {
          %l = arith.subi %k, %step : i64
          %r = lambda.apply %go(%l) : (i64) -> f64
          %p = arith.mulf %x, %r : f64
          lambda.yield %p : f64
        }
        lambda.return %y : f64
      }
      lambda.yield %go : (i64) -> f64
    } : (i64) -> f64
    %y = lambda.apply %power(%n) : (i64) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}
