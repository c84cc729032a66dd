// RUN: mlopt run %s --entry @reversed --arg '[1.0, 2.0, 3.0]' | FileCheck %s --check-prefix=REVERSED
// RUN: mlopt run %s --entry @reversed --interpret --arg '[1.0, 2.0, 3.0]' | FileCheck %s --check-prefix=REVERSED
// RUN: mlopt run %s --entry @reversed --arg '[]' | FileCheck %s --check-prefix=EMPTY
// RUN: mlopt run %s --entry @weights --arg '[2.0, 3.0, 5.0]' | FileCheck %s --check-prefix=WEIGHTS
// RUN: mlopt run %s --entry @weights --interpret --arg '[2.0, 3.0, 5.0]' | FileCheck %s --check-prefix=WEIGHTS
// RUN: mlopt run %s --entry @weights --arg '[0.0, 3.0, 5.0]' | FileCheck %s --check-prefix=ZERO
// RUN: not mlopt run %s --entry @second --arg '[1.0]' 2>&1 | FileCheck %s --check-prefix=STOP
// RUN: not mlopt run %s --entry @second --interpret --arg '[1.0]' 2>&1 | FileCheck %s --check-prefix=STOP
// Lists are cells that share their tails, also in machine code. The head of an empty list is an error with its location.

// REVERSED: [3.0, 2.0, 1.0]
// EMPTY:    []
func.func @reversed(%l: !lambda.list<f64>) -> !lambda.list<f64> {
  %nil = lambda.nil : () -> !lambda.list<f64>
  %f = lambda.lambda (%done: !lambda.list<f64>, %x: f64) -> !lambda.list<f64> {
    %more = lambda.cons %x, %done : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    lambda.return %more : !lambda.list<f64>
  }
  %r = lambda.fold %f, %nil, %l : ((!lambda.list<f64>, f64) -> !lambda.list<f64>, !lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
  return %r : !lambda.list<f64>
}

// The derivative of a product by each factor is the product of the others; there is no division, so zeros are allowed.
// WEIGHTS: [15.0, 10.0, 6.0]
// ZERO:    [15.0, 0.0, 0.0]
func.func @weights(%l: !lambda.list<f64>) -> !lambda.list<f64> {
  %product = lambda.lambda (%m: !lambda.list<f64>) -> f64 {
    %one = arith.constant 1.0 : f64
    %times = lambda.lambda (%p: f64, %x: f64) -> f64 {
      %q = arith.mulf %p, %x : f64
      lambda.return %q : f64
    }
    %p = lambda.fold %times, %one, %m : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> f64
    lambda.return %p : f64
  }
  %g = lambda.grad %product : ((!lambda.list<f64>) -> f64) -> ((!lambda.list<f64>) -> !lambda.list<f64>)
  %w = lambda.apply %g(%l) : (!lambda.list<f64>) -> !lambda.list<f64>
  return %w : !lambda.list<f64>
}

// STOP: lists.mlir:[[# @LINE + 3]]:8: error: {{.*}}empty-list
func.func @second(%l: !lambda.list<f64>) -> f64 {
  %rest = lambda.tail %l : (!lambda.list<f64>) -> !lambda.list<f64>
  %x = lambda.head %rest : (!lambda.list<f64>) -> f64
  return %x : f64
}
