// RUN: mlopt run %s --interpret --node @mean_var \
// RUN:   --input 'x=[[0.61, 0.62], [0.03, -0.43], [-0.89, -0.23], [-0.18, -0.91], [-0.9, 1], [0.3, -0.53], [-0.13, 0.95]]' \
// RUN:   --input 'batch_end=[0, 0, 1, 0, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=MEAN
// RUN: mlopt run %s --interpret --node @batch_norm \
// RUN:   --input 'x=[[0.61, 0.62], [0.03, -0.43], [-0.89, -0.23], [-0.18, -0.91], [-0.9, 1], [0.3, -0.53], [-0.13, 0.95]]' \
// RUN:   --input 'batch_end=[0, 0, 1, 0, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=NORM
// RUN: mlopt run %s --node @batch_norm \
// RUN:   --input 'x=[[0.61, 0.62], [0.03, -0.43], [-0.89, -0.23], [-0.18, -0.91], [-0.9, 1], [0.3, -0.53], [-0.13, 0.95]]' \
// RUN:   --input 'batch_end=[0, 0, 1, 0, 0, 0, 1]' --chronogram | FileCheck %s --check-prefix=NORM
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=batch_norm},differentiate,inline)' \
// RUN:   | mlopt run - --node @batch_norm_grad \
// RUN:   --input 'x=[[0.61, 0.62], [0.03, -0.43], [-0.89, -0.23], [-0.18, -0.91], [-0.9, 1], [0.3, -0.53], [-0.13, 0.95]]' \
// RUN:   --input 'batch_end=[0, 0, 1, 0, 0, 0, 1]' \
// RUN:   --input 'y_ct=[[0.8, 0.69], [-0.22, -0.01], [0.35, -0.88], [0.11, -0.46], [0.76, -0.87], [0.36, 0.74], [-0.55, 0.79]]' \
// RUN:   --chronogram | FileCheck %s --check-prefix=GRAD
// Batch normalisation: mean and variance of a batch are known at its end, and used in all of its cycles (spec/streams.md 8.7).

// A state that restarts after each end.
stream.node @fby_end(%end: i1, %init: tensor<2xf64>, %i: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %i1 = stream.select %end, %zeros, %i : tensor<2xf64>
  %p = stream.fby %init, %i1 : tensor<2xf64>
  %o = stream.select %rst, %init, %p : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// The value at an end, in all cycles up to it.
stream.node @backfill(%i: tensor<2xf64>, %bp: i1) -> (o: tensor<2xf64>) {
  %last = stream.when %i, %bp : tensor<2xf64>
  %next = stream.post %o : tensor<2xf64>
  %later = stream.when %next, not %bp : tensor<2xf64>
  %o = stream.merge %bp, %last, %later : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// The sum of a batch so far.
stream.node @total(%x: tensor<2xf64>, %end: i1) -> (sum: tensor<2xf64>) {
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %before = stream.instance "before" @fby_end(%end, %zeros, %sum) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %sum = arith.addf %x, %before : tensor<2xf64>
  stream.yield %sum : tensor<2xf64>
}

// The mean of a batch, in each of its cycles.
stream.node @mean(%x: tensor<2xf64>, %end: i1) -> (mean: tensor<2xf64>) {
  %ones = arith.constant dense<1.0> : tensor<2xf64>
  %one = stream.select %end, %ones, %ones : tensor<2xf64>
  %count = stream.instance "count" @total(%one, %end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  %sum = stream.instance "sum" @total(%x, %end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  %so_far = arith.divf %sum, %count : tensor<2xf64>
  %mean = stream.instance "mean" @backfill(%so_far, %end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  stream.yield %mean : tensor<2xf64>
}

// MEAN:      {{^}}mean {{ *}}[-0.0833333 -0.0133333]  [-0.0833333 -0.0133333]  [-0.0833333 -0.0133333]  [-0.2275 0.1275] {{ *}}[-0.2275 0.1275] {{ *}}[-0.2275 0.1275] {{ *}}[-0.2275 0.1275]{{$}}
// MEAN-NEXT: {{^}}var {{ *}}[0.381422 0.207222] {{ *}}[0.381422 0.207222] {{ *}}[0.381422 0.207222] {{ *}}[0.185569 0.736619] {{ *}}[0.185569 0.736619] {{ *}}[0.185569 0.736619] {{ *}}[0.185569 0.736619]{{$}}
stream.node @mean_var(%x: tensor<2xf64>, %batch_end: i1) -> (mean: tensor<2xf64>, var: tensor<2xf64>) {
  %mean = stream.instance "mean" @mean(%x, %batch_end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  %above = arith.subf %x, %mean : tensor<2xf64>
  %square = arith.mulf %above, %above : tensor<2xf64>
  %var = stream.instance "var" @mean(%square, %batch_end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  stream.yield %mean, %var : tensor<2xf64>, tensor<2xf64>
}

// A parameter that is constant within a batch.
stream.node @param_end(%end: i1, %p: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %o = stream.instance "o" @fby_end(%end, %p, %o) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// NORM: {{^}}y {{ *}}[1.12117 1.38793] {{ *}}[0.183268 -0.913114] {{ *}}[-1.30444 -0.47482] {{ *}}[0.10997 -1.20801] {{ *}}[-1.55694 1.0159] {{ *}}[1.22125 -0.765561] {{ *}}[0.225728 0.957679]{{$}}
// GRAD: {{^}}x_ct {{ *}}[0.550592 0.254358] {{ *}}[-0.896567 1.04777] {{ *}}[0.345975 -1.30213] {{ *}}[-0.0844457 -0.642378] {{ *}}[0.594851 -1.03037] {{ *}}[1.04471 0.772629] {{ *}}[-1.55512 0.900116]{{$}}
stream.node @batch_norm(%x: tensor<2xf64>, %batch_end: i1) -> (y: tensor<2xf64>) {
  %mean, %var = stream.instance "mean" @mean_var(%x, %batch_end) : (tensor<2xf64>, i1) -> (tensor<2xf64>, tensor<2xf64>)
  %ones = arith.constant dense<1.0> : tensor<2xf64>
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %gamma0 = stream.param "gamma0" %ones : tensor<2xf64>
  %beta0 = stream.param "beta0" %zeros : tensor<2xf64>
  %gamma = stream.instance "gamma" @param_end(%batch_end, %gamma0) : (i1, tensor<2xf64>) -> tensor<2xf64>
  %beta = stream.instance "beta" @param_end(%batch_end, %beta0) : (i1, tensor<2xf64>) -> tensor<2xf64>
  %epsilon = arith.constant dense<0.001> : tensor<2xf64>
  %above = arith.subf %x, %mean : tensor<2xf64>
  %spread2 = arith.addf %var, %epsilon : tensor<2xf64>
  %spread = math.sqrt %spread2 : tensor<2xf64>
  %scaled = arith.mulf %gamma, %above : tensor<2xf64>
  %normal = arith.divf %scaled, %spread : tensor<2xf64>
  %y = arith.addf %normal, %beta : tensor<2xf64>
  stream.yield %y : tensor<2xf64>
}
