// RUN: mlopt %s --pass-pipeline='builtin.module(lambda-specialise,lambda-specialise)' | FileCheck %s

// A second run changes nothing: a private function with complete types that is called is not copied again.
// CHECK-LABEL: func.func @f(%{{.*}}: f64) -> f64 {
// CHECK-NEXT:    lambda.ref @square : (f64) -> f64
// CHECK-LABEL: func.func private @square(%{{.*}}: f64) -> f64 {
// CHECK:         lambda.lambda
// CHECK-NOT:   func.func
func.func private @square(%x: !lambda.any) -> !lambda.any {
  %times = lambda.lambda (%a: !lambda.any) -> !lambda.any {
    %b = lambda.prim "*"(%a, %x) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %b : !lambda.any
  }
  %y = lambda.apply %times(%x) : (!lambda.any) -> !lambda.any (!lambda.any) -> !lambda.any
  return %y : !lambda.any
}
func.func @f(%x: f64) -> !lambda.any {
  %square = lambda.ref @square : !lambda.any
  %y = lambda.apply %square(%x) : !lambda.any (f64) -> !lambda.any
  return %y : !lambda.any
}
