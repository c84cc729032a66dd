// RUN: mlopt run %s --interpret --node @window --input 'x=[1, 2, 3, ., 4, 5]' --chronogram | FileCheck %s --check-prefix=WINDOW
// RUN: mlopt run %s --node @window --input 'x=[1, 2, 3, ., 4, 5]' --chronogram | FileCheck %s --check-prefix=WINDOW
// RUN: mlopt run %s --interpret --node @mlp --input 'x=[[0.91, -0.43, 0.3, 0.39], [-0.41, -1.0, 0.95, -0.4], [-0.37, 0.78, 0.17, -0.06]]' \
// RUN:   --initial 'y.kernel0=[[-0.83, -0.53, 0.6, 0.16], [-0.81, -0.13, -0.04, -0.68], [0.47, -0.77, -0.22, 0.03]]' \
// RUN:   --initial 'o.kernel0=[[-0.14, 0.17, 0.48]]' --chronogram --show y | FileCheck %s --check-prefix=MLP
// RUN: mlopt run %s --node @mlp --input 'x=[[0.91, -0.43, 0.3, 0.39], [-0.41, -1.0, 0.95, -0.4], [-0.37, 0.78, 0.17, -0.06]]' \
// RUN:   --initial 'y.kernel0=[[-0.83, -0.53, 0.6, 0.16], [-0.81, -0.13, -0.04, -0.68], [0.47, -0.77, -0.22, 0.03]]' \
// RUN:   --initial 'o.kernel0=[[-0.14, 0.17, 0.48]]' --chronogram --show y | FileCheck %s --check-prefix=MLP
// RUN: mlopt run %s --interpret --node @timeseries --input 'x=[0.5, -1, 2, 0.25, 1.5]' \
// RUN:   --initial 'o.y.kernel0=[[-0.83, -0.53, 0.6, 0.16], [-0.81, -0.13, -0.04, -0.68], [0.47, -0.77, -0.22, 0.03]]' \
// RUN:   --initial 'o.o.kernel0=[[-0.14, 0.17, 0.48]]' --chronogram --show w | FileCheck %s --check-prefix=SERIES
// RUN: mlopt run %s --node @timeseries --input 'x=[0.5, -1, 2, 0.25, 1.5]' \
// RUN:   --initial 'o.y.kernel0=[[-0.83, -0.53, 0.6, 0.16], [-0.81, -0.13, -0.04, -0.68], [0.47, -0.77, -0.22, 0.03]]' \
// RUN:   --initial 'o.o.kernel0=[[-0.14, 0.17, 0.48]]' --chronogram --show w | FileCheck %s --check-prefix=SERIES
// A network that reads the last four values of a series (spec/streams.md 8.4).

// Each delay reads the value of the one before it in the previous cycle.
// WINDOW:      {{^}}x      1          2          3          .  4          5{{$}}
// WINDOW-NEXT: {{^}}w      [1 0 0 0]  [2 1 0 0]  [3 2 1 0]  .  [4 3 2 1]  [5 4 3 2]{{$}}
stream.node @window(%x: f64) -> (w: tensor<4xf64>) {
  %zero = arith.constant 0.0 : f64
  %x1 = stream.fby %zero, %x : f64
  %x2 = stream.fby %zero, %x1 : f64
  %x3 = stream.fby %zero, %x2 : f64
  %w = array.stack %x, %x1, %x2, %x3 : (f64, f64, f64, f64) -> tensor<4xf64>
  stream.yield %w : tensor<4xf64>
}

stream.node @hidden_layer(%x: tensor<4xf64>) -> (o: tensor<3xf64>) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<3x4xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<3x4xf64>
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %bias = stream.param "bias" %zeros : tensor<3xf64>
  %weighted = array.build (%row < 3) -> (tensor<3xf64>) {
    %weights = array.get %kernel[%row] : (tensor<3x4xf64>) -> tensor<4xf64>
    %products = arith.mulf %weights, %x : tensor<4xf64>
    %sum = array.sum %products : (tensor<4xf64>) -> f64
    array.yield %sum : f64
  }
  %o = arith.addf %weighted, %bias : tensor<3xf64>
  stream.yield %o : tensor<3xf64>
}

stream.node @output_layer(%x: tensor<3xf64>) -> (o: f64) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<1x3xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<1x3xf64>
  %zero = arith.constant 0.0 : f64
  %bias = stream.param "bias" %zero : f64
  %weights = array.reshape %kernel : (tensor<1x3xf64>) -> tensor<3xf64>
  %products = arith.mulf %weights, %x : tensor<3xf64>
  %sum = array.sum %products : (tensor<3xf64>) -> f64
  %o = arith.addf %sum, %bias : f64
  stream.yield %o : f64
}

// MLP: {{^}}o      0.33816 {{ *}}0.096679 {{ *}}0.039491{{$}}
stream.node @mlp(%x: tensor<4xf64>) -> (o: f64) {
  %y = stream.instance "y" @hidden_layer(%x) : (tensor<4xf64>) -> tensor<3xf64>
  %zeros = arith.constant dense<0.0> : tensor<3xf64>
  %z = arith.maximumf %y, %zeros : tensor<3xf64>
  %o = stream.instance "o" @output_layer(%z) : (tensor<3xf64>) -> f64
  stream.yield %o : f64
}

// SERIES:      {{^}}x      0.5 {{ *}}-1 {{ *}}2 {{ *}}0.25 {{ *}}1.5{{$}}
// SERIES-NEXT: {{^}}o      0.1128 {{ *}}0.04755 {{ *}}0.768 {{ *}}0 {{ *}}0.0204{{$}}
// SERIES-NEXT: {{^}}w      [0.5 0 0 0]  [-1 0.5 0 0]  [2 -1 0.5 0]  [0.25 2 -1 0.5]  [1.5 0.25 2 -1]{{$}}
stream.node @timeseries(%x: f64) -> (o: f64) {
  %w = stream.instance "w" @window(%x) : (f64) -> tensor<4xf64>
  %o = stream.instance "o" @mlp(%w) : (tensor<4xf64>) -> f64
  stream.yield %o : f64
}
