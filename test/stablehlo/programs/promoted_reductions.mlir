// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// The function of a reduction may have more bits than the elements: i8 in i32, f16 in f32.

module {
  func.func public @main() {
    %i = "stablehlo.constant"() <{value = dense<[[100, 100, 100], [-1, 2, -3]]> : tensor<2x3xi8>}> : () -> tensor<2x3xi8>
    %x = "stablehlo.constant"() <{value = dense<[[2048.0, 1.0, 1.0, 1.0]]> : tensor<1x4xf16>}> : () -> tensor<1x4xf16>
    %zi = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> tensor<i8>
    %zx = "stablehlo.constant"() <{value = dense<0.0> : tensor<f16>}> : () -> tensor<f16>
    %r = "stablehlo.reduce"(%i, %zi) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%c) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi32>
    %er = "stablehlo.constant"() <{value = dense<[300, -2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%r, %er) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %w = "stablehlo.reduce_window"(%i, %zi) <{window_dimensions = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%c) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi8>, tensor<i8>) -> tensor<2x2xi32>
    %ew = "stablehlo.constant"() <{value = dense<[[200, 200], [1, -1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    "stablehlo.custom_call"(%w, %ew) <{call_target_name = "check.expect_eq"}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> ()
    %s = "stablehlo.reduce"(%x, %zx) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf16>, tensor<f16>) -> tensor<1xf32>
    %es = "stablehlo.constant"() <{value = dense<[2051.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    "stablehlo.custom_call"(%s, %es) <{call_target_name = "check.expect_eq"}> : (tensor<1xf32>, tensor<1xf32>) -> ()
    return
  }
}
