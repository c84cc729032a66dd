// RUN: mlopt test --stablehlo %s | FileCheck %s
// CHECK: right
// The initial value of a sum is one of its terms: 0 + -0 is 0, and -0 + -0 is -0. Paddings of 54 bits are exact.

module {
  func.func public @main() {
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %minus = "stablehlo.constant"() <{value = dense<-0.0> : tensor<f32>}> : () -> tensor<f32>
    %one = "stablehlo.constant"() <{value = dense<[[-0.0], [1.5]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
    %two = "stablehlo.constant"() <{value = dense<[[-0.0, -0.0], [1.5, -0.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %three = "stablehlo.constant"() <{value = dense<[-0.0, -0.0, 1.5]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %s0 = "stablehlo.reduce"(%one, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %s0b = "stablehlo.bitcast_convert"(%s0) : (tensor<2xf32>) -> tensor<2xi32>
    %s0e = "stablehlo.constant"() <{value = dense<[0, 1069547520]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%s0b, %s0e) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %s1 = "stablehlo.reduce"(%one, %minus) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %s1b = "stablehlo.bitcast_convert"(%s1) : (tensor<2xf32>) -> tensor<2xi32>
    %s1e = "stablehlo.constant"() <{value = dense<[-2147483648, 1069547520]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%s1b, %s1e) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %s2 = "stablehlo.reduce"(%two, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %s2b = "stablehlo.bitcast_convert"(%s2) : (tensor<2xf32>) -> tensor<2xi32>
    %s2e = "stablehlo.constant"() <{value = dense<[0, 1069547520]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%s2b, %s2e) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %s3 = "stablehlo.reduce"(%two, %minus) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %s3b = "stablehlo.bitcast_convert"(%s3) : (tensor<2xf32>) -> tensor<2xi32>
    %s3e = "stablehlo.constant"() <{value = dense<[-2147483648, 1069547520]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%s3b, %s3e) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %s4 = "stablehlo.reduce"(%three, %zero) <{dimensions = array<i64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %s4b = "stablehlo.bitcast_convert"(%s4) : (tensor<3xf32>) -> tensor<3xi32>
    %s4e = "stablehlo.constant"() <{value = dense<[0, 0, 1069547520]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%s4b, %s4e) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %w0 = "stablehlo.reduce_window"(%three, %zero) <{window_dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %w0b = "stablehlo.bitcast_convert"(%w0) : (tensor<3xf32>) -> tensor<3xi32>
    %w0e = "stablehlo.constant"() <{value = dense<[0, 0, 1069547520]> : tensor<3xi32>}> : () -> tensor<3xi32>
    "stablehlo.custom_call"(%w0b, %w0e) <{call_target_name = "check.expect_eq"}> : (tensor<3xi32>, tensor<3xi32>) -> ()
    %w1 = "stablehlo.reduce_window"(%three, %zero) <{window_dimensions = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
    %w1b = "stablehlo.bitcast_convert"(%w1) : (tensor<2xf32>) -> tensor<2xi32>
    %w1e = "stablehlo.constant"() <{value = dense<[0, 1069547520]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%w1b, %w1e) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %w2 = "stablehlo.reduce_window"(%three, %minus) <{window_dimensions = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
    %w2b = "stablehlo.bitcast_convert"(%w2) : (tensor<2xf32>) -> tensor<2xi32>
    %w2e = "stablehlo.constant"() <{value = dense<[-2147483648, 1069547520]> : tensor<2xi32>}> : () -> tensor<2xi32>
    "stablehlo.custom_call"(%w2b, %w2e) <{call_target_name = "check.expect_eq"}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    %p0 = "stablehlo.reduce_window"(%three, %minus) <{window_dimensions = array<i64: 1>,
        padding = dense<[[-9007199254740993, 9007199254740994]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
    %p0b = "stablehlo.bitcast_convert"(%p0) : (tensor<4xf32>) -> tensor<4xi32>
    %p0e = "stablehlo.constant"() <{value = dense<[-2147483648, -2147483648, -2147483648, -2147483648]> : tensor<4xi32>}> : () -> tensor<4xi32>
    "stablehlo.custom_call"(%p0b, %p0e) <{call_target_name = "check.expect_eq"}> : (tensor<4xi32>, tensor<4xi32>) -> ()
    return
  }
}
