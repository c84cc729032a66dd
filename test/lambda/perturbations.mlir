// RUN: mlopt run %s --entry @sum --arg 1.0 | FileCheck %s --check-prefix=SUM
// RUN: mlopt run %s --entry @sum --interpret --arg 1.0 | FileCheck %s --check-prefix=SUM
// RUN: mlopt run %s --entry @escapes --arg 3.0 | FileCheck %s --check-prefix=ESCAPES
// RUN: mlopt run %s --entry @escapes --interpret --arg 3.0 | FileCheck %s --check-prefix=ESCAPES
// RUN: mlopt %s --lambda-simplify --j-transform --lambda-simplify | FileCheck %s
// Nested derivatives. Perturbation confusion gives 2 for the first one.

// d/dx [x · d/dy (x + y)] = d/dx x.
// SUM: {{^}}1.0
// CHECK-LABEL: func.func @sum(%x: f64) -> f64 {
// CHECK-NEXT:    %[[C:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:    return %[[C]] : f64
func.func @sum(%x: f64) -> f64 {
  %f = lambda.lambda (%a: f64) -> f64 {
    %g = lambda.lambda (%b: f64) -> f64 {
      %s = arith.addf %a, %b : f64
      lambda.return %s : f64
    }
    %dg = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
    %one = arith.constant 1.0 : f64
    %slope = lambda.apply %dg(%one) : (f64) -> f64
    %y = arith.mulf %a, %slope : f64
    lambda.return %y : f64
  }
  %df = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %df(%x) : (f64) -> f64
  return %y : f64
}

// The derivative of y ↦ x y² is a function that escapes its scope and captures x: it maps 2 to 4x, whose derivative is 4.
// ESCAPES: {{^}}4.0
func.func @escapes(%x: f64) -> f64 {
  %slopes = lambda.lambda (%a: f64) -> (f64) -> f64 {
    %g = lambda.lambda (%b: f64) -> f64 {
      %q = arith.mulf %b, %b : f64
      %p = arith.mulf %a, %q : f64
      lambda.return %p : f64
    }
    %dg = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
    lambda.return %dg : (f64) -> f64
  }
  %f = lambda.lambda (%a: f64) -> f64 {
    %two = arith.constant 2.0 : f64
    %dg = lambda.apply %slopes(%a) : (f64) -> ((f64) -> f64)
    %y = lambda.apply %dg(%two) : (f64) -> f64
    lambda.return %y : f64
  }
  %df = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %df(%x) : (f64) -> f64
  return %y : f64
}
