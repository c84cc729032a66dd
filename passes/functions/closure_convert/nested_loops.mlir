// RUN: mlopt %s --closure-convert | FileCheck %s

// The inner function of a loop of both captures a parameter of the outer one, whose next value is another one: the loop
// carries both.
// CHECK-LABEL: func.func @nested_loops(
// CHECK:       func.func private @nested_loops.{{.*}}.loop(
// CHECK:         } do (%{{[^,]*}}, %{{[^,]*}}, %[[OWN:[^,]*]], %{{[^,]*}}, %[[COPY:[^,]*]], %{{[^,]*}}, %{{[^,]*}}) {
// CHECK:           arith.cmpi slt, %[[OWN]], %{{.*}} : i64
// CHECK:           arith.cmpi sle, %{{.*}}, %[[COPY]] : i64
func.func @nested_loops(%a: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %outer = lambda.letrec {
    %go = lambda.lambda (%k: i64, %x: i64) -> i64 {
      %six = arith.constant 6 : i64
      %c = arith.cmpi slt, %k, %six : i64
      %y = lambda.if %c : i1 -> i64 {
        %inner = lambda.letrec {
          %step = lambda.lambda (%z: i64) -> i64 {
            %d = arith.cmpi sle, %z, %k : i64
            %v = lambda.if %d : i1 -> i64 {
              %w = arith.addi %z, %six : i64
              %r = lambda.apply %step(%w) : (i64) -> i64
              lambda.yield %r : i64
            } else {
              %one = arith.constant 1 : i64
              %l = arith.addi %k, %one : i64
              %r = lambda.apply %go(%l, %z) : (i64, i64) -> i64
              lambda.yield %r : i64
            }
            lambda.return %v : i64
          }
          lambda.yield %step : (i64) -> i64
        } : (i64) -> i64
        %r = lambda.apply %inner(%x) : (i64) -> i64
        lambda.yield %r : i64
      } else {
        lambda.yield %x : i64
      }
      lambda.return %y : i64
    }
    lambda.yield %go : (i64, i64) -> i64
  } : (i64, i64) -> i64
  %r = lambda.apply %outer(%zero, %a) : (i64, i64) -> i64
  return %r : i64
}
