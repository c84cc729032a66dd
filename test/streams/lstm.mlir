// RUN: mlopt run %s --interpret --node @lstm --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --initial 'h0=[0.27, -0.77]' \
// RUN:   --initial 'c0=[-0.53, 0.53]' \
// RUN:   --initial 'z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   | FileCheck %s --check-prefix=LSTM
// RUN: mlopt run %s --interpret --node @lstm_end --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --initial 'h0=[0.27, -0.77]' \
// RUN:   --initial 'c0=[-0.53, 0.53]' \
// RUN:   --initial 'z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   | FileCheck %s --check-prefix=END
// RUN: mlopt run %s --interpret --node @lstm_bi --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --initial 'forward.h0=[0.27, -0.77]' \
// RUN:   --initial 'forward.c0=[-0.53, 0.53]' \
// RUN:   --initial 'forward.z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   --initial 'h0=[-0.49, 0.67]' \
// RUN:   --initial 'c0=[-0.13, -0.9]' \
// RUN:   --initial 'z.kernel0=[[0.05, -0.07, 0.02, -0.35, 0], [-0.65, -0.4, 0.3, -0.87, 0], [0.27, -0.44, -0.63, -0.02, 0], [-0.29, -0.81, 0.42, 0.58, 0], [-0.91, 0.25, -0.5, -0.15, 0], [0.58, 0.06, -0.97, -0.96, 0], [-0.22, 0.79, -0.54, -0.11, 0], [-0.71, 0.62, -0.24, -0.29, 0]]' \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --interpret --node @train_lstm --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --input 'bp=[1, 1, 1, 0, 0, 1, 1, 1]' \
// RUN:   --input 'gt=[[0.78, -0.25], [0.45, 0.48], [-0.12, 0.71], ., ., [0.57, 0.89], [0.03, -0.44], [0.82, 0.73]]' \
// RUN:   --input 'lr=[0.1, 0.1, 0.1, ., ., 0.1, 0.1, 0.1]' \
// RUN:   --initial 'net.h0=[0.27, -0.77]' \
// RUN:   --initial 'net.c0=[-0.53, 0.53]' \
// RUN:   --initial 'net.z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   --show net.hp \
// RUN:   --show net.cp \
// RUN:   | FileCheck %s --check-prefix=TRAIN
// RUN: mlopt run %s --node @lstm --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --initial 'h0=[0.27, -0.77]' \
// RUN:   --initial 'c0=[-0.53, 0.53]' \
// RUN:   --initial 'z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   | FileCheck %s --check-prefix=LSTM
// RUN: mlopt run %s --node @lstm_end --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --initial 'h0=[0.27, -0.77]' \
// RUN:   --initial 'c0=[-0.53, 0.53]' \
// RUN:   --initial 'z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   | FileCheck %s --check-prefix=END
// RUN: mlopt run %s --node @lstm_bi --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --initial 'forward.h0=[0.27, -0.77]' \
// RUN:   --initial 'forward.c0=[-0.53, 0.53]' \
// RUN:   --initial 'forward.z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   --initial 'h0=[-0.49, 0.67]' \
// RUN:   --initial 'c0=[-0.13, -0.9]' \
// RUN:   --initial 'z.kernel0=[[0.05, -0.07, 0.02, -0.35, 0], [-0.65, -0.4, 0.3, -0.87, 0], [0.27, -0.44, -0.63, -0.02, 0], [-0.29, -0.81, 0.42, 0.58, 0], [-0.91, 0.25, -0.5, -0.15, 0], [0.58, 0.06, -0.97, -0.96, 0], [-0.22, 0.79, -0.54, -0.11, 0], [-0.71, 0.62, -0.24, -0.29, 0]]' \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --node @train_lstm --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --input 'bp=[1, 1, 1, 0, 0, 1, 1, 1]' \
// RUN:   --input 'gt=[[0.78, -0.25], [0.45, 0.48], [-0.12, 0.71], ., ., [0.57, 0.89], [0.03, -0.44], [0.82, 0.73]]' \
// RUN:   --input 'lr=[0.1, 0.1, 0.1, ., ., 0.1, 0.1, 0.1]' \
// RUN:   --initial 'net.h0=[0.27, -0.77]' \
// RUN:   --initial 'net.c0=[-0.53, 0.53]' \
// RUN:   --initial 'net.z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   --show net.hp \
// RUN:   --show net.cp \
// RUN:   | FileCheck %s --check-prefix=TRAIN
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=lesson loss=loss},stream-train{node=lesson})' | mlopt run - --node @lesson_train --chronogram \
// RUN:   --input 'x=[[0.91, -0.58], [0.66, -0.7], [0.03, -0.73], [0.38, 0.68], [-0.15, 0.91], [0.65, -0.32], [0.15, 0.51], [0.65, 0.87]]' \
// RUN:   --input 'end=[0, 0, 1, 0, 1, 1, 0, 1]' \
// RUN:   --input 'bp=[1, 1, 1, 0, 0, 1, 1, 1]' \
// RUN:   --input 'gt=[[0.78, -0.25], [0.45, 0.48], [-0.12, 0.71], ., ., [0.57, 0.89], [0.03, -0.44], [0.82, 0.73]]' \
// RUN:   --input 'update=[1, 1, 1, 0, 0, 1, 1, 1]' --input rate=0.1 \
// RUN:   --initial 'net.h0=[0.27, -0.77]' \
// RUN:   --initial 'net.c0=[-0.53, 0.53]' \
// RUN:   --initial 'net.z.kernel0=[[-0.71, 0.49, -0.72, 0.81, 0], [-0.55, 0.71, -0.39, 0.94, 0], [0.04, -0.36, -0.44, 0.21, 0], [-0.33, 0.36, -0.69, -0.5, 0], [0.74, 0.2, -0.48, -0.7, 0], [-0.73, -0.5, -0.23, 0.3, 0], [0.68, 0.55, -0.32, -0.7, 0], [-0.09, -0.12, 0.15, -0.25, 0]]' \
// RUN:   --show net.hp \
// RUN:   --show net.cp \
// RUN:   | FileCheck %s --check-prefix=PASSES
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=lesson loss=loss},stream-train{node=lesson},stream-inline,stream-to-loops)' \
// RUN:   | FileCheck %s --check-prefix=LOOPS
// A recurrent network with memory, over sequences of any length: forward, trained by back-propagation through time, and in both
// directions (spec/streams.md 8.8). The bias of a layer is the last column of its kernel.

// State that restarts after each end.
stream.node @fby_end(%end: i1, %init: tensor<2xf64>, %i: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %i1 = stream.select %end, %zeros, %i : tensor<2xf64>
  %p = stream.fby %init, %i1 : tensor<2xf64>
  %o = stream.select %rst, %init, %p : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// The same with adjoints, which run backward from the end to the first cycle of a sequence.
stream.node @diff_fby_end(%end: i1, %init: tensor<2xf64>, %i: tensor<2xf64>, %bp: i1, %do: tensor<2xf64>) -> (o: tensor<2xf64>, dinit: tensor<2xf64>, di: tensor<2xf64>) {
  %o = stream.instance "o" @fby_end(%end, %init, %i) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %first = stream.when %rst, %bp : i1
  %last = stream.when %end, %bp : i1
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %do_first = stream.when %do, %first : tensor<2xf64>
  %dinit = stream.merge %first, %do_first, %zeros : tensor<2xf64>
  %do_rest = stream.when %do, not %first : tensor<2xf64>
  %dp = stream.merge %first, %zeros, %do_rest : tensor<2xf64>
  %dp_next = stream.post %dp : tensor<2xf64>
  %di_rest = stream.when %dp_next, not %last : tensor<2xf64>
  %di = stream.merge %last, %zeros, %di_rest : tensor<2xf64>
  stream.yield %o, %dinit, %di : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// A trained parameter: its new value is used in the cycle after a correction.
stream.node @diff_param(%init: tensor<2xf64>, %bp: i1, %d: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %o = stream.fby %init, %next : tensor<2xf64>
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %step = stream.merge %bp, %d, %zeros : tensor<2xf64>
  %next = arith.addf %o, %step : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// State that restarts after each end.
stream.node @fby_end_kernel(%end: i1, %init: tensor<8x5xf64>, %i: tensor<8x5xf64>) -> (o: tensor<8x5xf64>) {
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %zeros = arith.constant dense<0.0> : tensor<8x5xf64>
  %i1 = stream.select %end, %zeros, %i : tensor<8x5xf64>
  %p = stream.fby %init, %i1 : tensor<8x5xf64>
  %o = stream.select %rst, %init, %p : tensor<8x5xf64>
  stream.yield %o : tensor<8x5xf64>
}

// The same with adjoints, which run backward from the end to the first cycle of a sequence.
stream.node @diff_fby_end_kernel(%end: i1, %init: tensor<8x5xf64>, %i: tensor<8x5xf64>, %bp: i1, %do: tensor<8x5xf64>) -> (o: tensor<8x5xf64>, dinit: tensor<8x5xf64>, di: tensor<8x5xf64>) {
  %o = stream.instance "o" @fby_end_kernel(%end, %init, %i) : (i1, tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  %true = arith.constant true
  %rst = stream.fby %true, %end : i1
  %first = stream.when %rst, %bp : i1
  %last = stream.when %end, %bp : i1
  %zeros = arith.constant dense<0.0> : tensor<8x5xf64>
  %do_first = stream.when %do, %first : tensor<8x5xf64>
  %dinit = stream.merge %first, %do_first, %zeros : tensor<8x5xf64>
  %do_rest = stream.when %do, not %first : tensor<8x5xf64>
  %dp = stream.merge %first, %zeros, %do_rest : tensor<8x5xf64>
  %dp_next = stream.post %dp : tensor<8x5xf64>
  %di_rest = stream.when %dp_next, not %last : tensor<8x5xf64>
  %di = stream.merge %last, %zeros, %di_rest : tensor<8x5xf64>
  stream.yield %o, %dinit, %di : tensor<8x5xf64>, tensor<8x5xf64>, tensor<8x5xf64>
}

// A trained parameter: its new value is used in the cycle after a correction.
stream.node @diff_param_kernel(%init: tensor<8x5xf64>, %bp: i1, %d: tensor<8x5xf64>) -> (o: tensor<8x5xf64>) {
  %o = stream.fby %init, %next : tensor<8x5xf64>
  %zeros = arith.constant dense<0.0> : tensor<8x5xf64>
  %step = stream.merge %bp, %d, %zeros : tensor<8x5xf64>
  %next = arith.addf %o, %step : tensor<8x5xf64>
  stream.yield %o : tensor<8x5xf64>
}

// The kernel times the input, extended by one.
stream.node @product(%kernel: tensor<8x5xf64>, %x: tensor<2xf64>, %h: tensor<2xf64>) -> (z: tensor<8xf64>) {
  %one = arith.constant dense<1.0> : tensor<1xf64>
  %xh = array.append %x, %h : (tensor<2xf64>, tensor<2xf64>) -> tensor<4xf64>
  %xh1 = array.append %xh, %one : (tensor<4xf64>, tensor<1xf64>) -> tensor<5xf64>
  %z = array.build (%row < 8) -> (tensor<8xf64>) {
    %weights = array.get %kernel[%row] : (tensor<8x5xf64>) -> tensor<5xf64>
    %products = arith.mulf %weights, %xh1 : tensor<5xf64>
    %sum = array.sum %products : (tensor<5xf64>) -> f64
    array.yield %sum : f64
  }
  stream.yield %z : tensor<8xf64>
}

stream.node @layer(%x: tensor<2xf64>, %h: tensor<2xf64>) -> (z: tensor<8xf64>) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<8x5xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<8x5xf64>
  %z = stream.instance "z" @product(%kernel, %x, %h) : (tensor<8x5xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<8xf64>
  stream.yield %z : tensor<8xf64>
}

stream.node @sigmoid(%x: tensor<2xf64>) -> (y: tensor<2xf64>) {
  %ones = arith.constant dense<1.0> : tensor<2xf64>
  %minus = arith.negf %x : tensor<2xf64>
  %e = math.exp %minus : tensor<2xf64>
  %below = arith.addf %ones, %e : tensor<2xf64>
  %y = arith.divf %ones, %below : tensor<2xf64>
  stream.yield %y : tensor<2xf64>
}

// The forget, input and output gates, and the candidate state.
stream.node @gates(%z: tensor<8xf64>) -> (forget: tensor<2xf64>, in: tensor<2xf64>, out: tensor<2xf64>, candidate: tensor<2xf64>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %rows = array.reshape %z : (tensor<8xf64>) -> tensor<4x2xf64>
  %z0 = array.get %rows[%i0] : (tensor<4x2xf64>) -> tensor<2xf64>
  %z1 = array.get %rows[%i1] : (tensor<4x2xf64>) -> tensor<2xf64>
  %z2 = array.get %rows[%i2] : (tensor<4x2xf64>) -> tensor<2xf64>
  %z3 = array.get %rows[%i3] : (tensor<4x2xf64>) -> tensor<2xf64>
  %forget = stream.instance "forget" @sigmoid(%z0) : (tensor<2xf64>) -> tensor<2xf64>
  %in = stream.instance "in" @sigmoid(%z1) : (tensor<2xf64>) -> tensor<2xf64>
  %out = stream.instance "out" @sigmoid(%z2) : (tensor<2xf64>) -> tensor<2xf64>
  %candidate = math.tanh %z3 : tensor<2xf64>
  stream.yield %forget, %in, %out, %candidate : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

stream.node @cell(%z: tensor<8xf64>, %c: tensor<2xf64>) -> (h_next: tensor<2xf64>, c_next: tensor<2xf64>) {
  %forget, %in, %out, %candidate = stream.instance "gates" @gates(%z) : (tensor<8xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  %kept = arith.mulf %forget, %c : tensor<2xf64>
  %new = arith.mulf %in, %candidate : tensor<2xf64>
  %c_next = arith.addf %kept, %new : tensor<2xf64>
  %shown = math.tanh %c_next : tensor<2xf64>
  %h_next = arith.mulf %out, %shown : tensor<2xf64>
  stream.yield %h_next, %c_next : tensor<2xf64>, tensor<2xf64>
}

// LSTM:      {{^}}h_next {{ *}}[0.166569 0.0573958] {{ *}}[0.0289002 0.0289662] {{ *}}[-0.0901349 0.0339785] {{ *}}[0.0898994 -0.0143403] {{ *}}[0.119746 -0.0294148] {{ *}}[0.119861 -0.00929561] {{ *}}[0.134307 -0.01627] {{ *}}[0.251888 -0.0255477]{{$}}
stream.node @lstm(%x: tensor<2xf64>) -> (h_next: tensor<2xf64>) {
  %h0 = stream.initial "h0" "orthogonal" : tensor<2xf64>
  %c0 = stream.initial "c0" "orthogonal" : tensor<2xf64>
  %hp = stream.param "hp" %h0 : tensor<2xf64>
  %cp = stream.param "cp" %c0 : tensor<2xf64>
  %h = stream.fby %hp, %h_next : tensor<2xf64>
  %c = stream.fby %cp, %c_next : tensor<2xf64>
  %z = stream.instance "z" @layer(%x, %h) : (tensor<2xf64>, tensor<2xf64>) -> tensor<8xf64>
  %h_next, %c_next = stream.instance "cell" @cell(%z, %c) : (tensor<8xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  stream.yield %h_next : tensor<2xf64>
}

// Each sequence starts from the same state.
// END:      {{^}}h_next {{ *}}[0.166569 0.0573958] {{ *}}[0.0289002 0.0289662] {{ *}}[-0.0901349 0.0339785] {{ *}}[0.089095 0.0731688] {{ *}}[0.101595 0.0498458] {{ *}}[0.127093 0.0701711] {{ *}}[0.055733 0.0948422] {{ *}}[0.20591 0.022343]{{$}}
stream.node @lstm_end(%x: tensor<2xf64>, %end: i1) -> (h_next: tensor<2xf64>) {
  %h0 = stream.initial "h0" "orthogonal" : tensor<2xf64>
  %c0 = stream.initial "c0" "orthogonal" : tensor<2xf64>
  %hp = stream.param "hp" %h0 : tensor<2xf64>
  %cp = stream.param "cp" %c0 : tensor<2xf64>
  %h = stream.instance "h" @fby_end(%end, %hp, %h_next) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %c = stream.instance "c" @fby_end(%end, %cp, %c_next) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %z = stream.instance "z" @layer(%x, %h) : (tensor<2xf64>, tensor<2xf64>) -> tensor<8xf64>
  %h_next, %c_next = stream.instance "cell" @cell(%z, %c) : (tensor<8xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  stream.yield %h_next : tensor<2xf64>
}

stream.node @post_end(%end: i1, %init: tensor<2xf64>, %i: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %q = stream.post %i : tensor<2xf64>
  %o = stream.select %end, %init, %q : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// The past, and the future up to the end of the sequence: a second cell runs backward in time.
// BOTH:      {{^}}o {{ *}}[0.00500973 -0.376784] {{ *}}[-0.129401 -0.383458] {{ *}}[-0.231917 -0.236279] {{ *}}[0.211532 0.0858803] {{ *}}[0.275854 0.0305513] {{ *}}[0.0574443 -0.220184] {{ *}}[0.183806 0.0975334] {{ *}}[0.322949 -0.0693416]{{$}}
stream.node @lstm_bi(%x: tensor<2xf64>, %end: i1) -> (o: tensor<2xf64>) {
  %past = stream.instance "forward" @lstm_end(%x, %end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  %h0 = stream.initial "h0" "orthogonal" : tensor<2xf64>
  %c0 = stream.initial "c0" "orthogonal" : tensor<2xf64>
  %hp = stream.param "hp" %h0 : tensor<2xf64>
  %cp = stream.param "cp" %c0 : tensor<2xf64>
  %h = stream.instance "h" @post_end(%end, %hp, %future) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %c = stream.instance "c" @post_end(%end, %cp, %c_future) : (i1, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %z = stream.instance "z" @layer(%x, %h) : (tensor<2xf64>, tensor<2xf64>) -> tensor<8xf64>
  %future, %c_future = stream.instance "cell" @cell(%z, %c) : (tensor<8xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  %o = arith.addf %past, %future : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// The layer with a kernel that is trained once per sequence: it is constant from the first cycle on, and the gradients of all cycles
// are summed there.
stream.node @diff_layer(%x: tensor<2xf64>, %h: tensor<2xf64>, %end: i1, %bp: i1, %dz: tensor<8xf64>) -> (z: tensor<8xf64>, dh: tensor<2xf64>) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<8x5xf64>
  %learnt = stream.instance "learnt" @diff_param_kernel(%kernel0, %bp, %dlearnt) : (tensor<8x5xf64>, i1, tensor<8x5xf64>) -> tensor<8x5xf64>
  %kernel, %dlearnt, %dheld = stream.instance "kernel" @diff_fby_end_kernel(%end, %learnt, %kernel, %bp, %dkernel)
    : (i1, tensor<8x5xf64>, tensor<8x5xf64>, i1, tensor<8x5xf64>) -> (tensor<8x5xf64>, tensor<8x5xf64>, tensor<8x5xf64>)
  %z = stream.instance "z" @product(%kernel, %x, %h) : (tensor<8x5xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<8xf64>
  %xs = stream.when %x, %bp : tensor<2xf64>
  %hs = stream.when %h, %bp : tensor<2xf64>
  %kernels = stream.when %kernel, %bp : tensor<8x5xf64>
  %one = arith.constant dense<1.0> : tensor<1xf64>
  %xh = array.append %xs, %hs : (tensor<2xf64>, tensor<2xf64>) -> tensor<4xf64>
  %xh1 = array.append %xh, %one : (tensor<4xf64>, tensor<1xf64>) -> tensor<5xf64>
  %here = array.build (%row < 8, %column < 5) -> (tensor<8x5xf64>) {
    %d = array.get %dz[%row] : (tensor<8xf64>) -> f64
    %e = array.get %xh1[%column] : (tensor<5xf64>) -> f64
    %product = arith.mulf %d, %e : f64
    array.yield %product : f64
  }
  // The kernel is used here, and held for later cycles.
  %dkernel = arith.addf %here, %dheld : tensor<8x5xf64>
  %columns = array.transpose %kernels [1, 0] : (tensor<8x5xf64>) -> tensor<5x8xf64>
  %dxh1 = array.build (%column < 5) -> (tensor<5xf64>) {
    %weights = array.get %columns[%column] : (tensor<5x8xf64>) -> tensor<8xf64>
    %products = arith.mulf %weights, %dz : tensor<8xf64>
    %sum = array.sum %products : (tensor<8xf64>) -> f64
    array.yield %sum : f64
  }
  %two = arith.constant 2 : index
  %dh = array.slice %dxh1 from %two : (tensor<5xf64>) -> tensor<2xf64>
  stream.yield %z, %dh : tensor<8xf64>, tensor<2xf64>
}

// y·(1 - y)·d, the cotangent through a sigmoid.
stream.node @diff_sigmoid(%y: tensor<2xf64>, %d: tensor<2xf64>) -> (dx: tensor<2xf64>) {
  %ones = arith.constant dense<1.0> : tensor<2xf64>
  %rest = arith.subf %ones, %y : tensor<2xf64>
  %slope = arith.mulf %y, %rest : tensor<2xf64>
  %dx = arith.mulf %slope, %d : tensor<2xf64>
  stream.yield %dx : tensor<2xf64>
}

// (1 - y²)·d, the cotangent through a hyperbolic tangent.
stream.node @diff_tanh(%y: tensor<2xf64>, %d: tensor<2xf64>) -> (dx: tensor<2xf64>) {
  %ones = arith.constant dense<1.0> : tensor<2xf64>
  %square = arith.mulf %y, %y : tensor<2xf64>
  %slope = arith.subf %ones, %square : tensor<2xf64>
  %dx = arith.mulf %slope, %d : tensor<2xf64>
  stream.yield %dx : tensor<2xf64>
}

stream.node @diff_cell(%z: tensor<8xf64>, %c: tensor<2xf64>, %bp: i1, %dh_next: tensor<2xf64>, %dc_next: tensor<2xf64>)
    -> (h_next: tensor<2xf64>, c_next: tensor<2xf64>, dz: tensor<8xf64>, dc: tensor<2xf64>) {
  %h_next, %c_next = stream.instance "cell" @cell(%z, %c) : (tensor<8xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  %zs = stream.when %z, %bp : tensor<8xf64>
  %cs = stream.when %c, %bp : tensor<2xf64>
  %c_nexts = stream.when %c_next, %bp : tensor<2xf64>
  %forget, %in, %out, %candidate = stream.instance "gates" @gates(%zs) : (tensor<8xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  %shown = math.tanh %c_nexts : tensor<2xf64>
  %dshown = arith.mulf %dh_next, %out : tensor<2xf64>
  %dc_shown = stream.instance "dc_shown" @diff_tanh(%shown, %dshown) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  // Memory is an output, and state.
  %dc_sum = arith.addf %dc_next, %dc_shown : tensor<2xf64>
  %dforget = arith.mulf %dc_sum, %cs : tensor<2xf64>
  %din = arith.mulf %dc_sum, %candidate : tensor<2xf64>
  %dout = arith.mulf %dh_next, %shown : tensor<2xf64>
  %dcandidate = arith.mulf %dc_sum, %in : tensor<2xf64>
  %dz0 = stream.instance "dz0" @diff_sigmoid(%forget, %dforget) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %dz1 = stream.instance "dz1" @diff_sigmoid(%in, %din) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %dz2 = stream.instance "dz2" @diff_sigmoid(%out, %dout) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %dz3 = stream.instance "dz3" @diff_tanh(%candidate, %dcandidate) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %rows = array.stack %dz0, %dz1, %dz2, %dz3 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<4x2xf64>
  %dz = array.reshape %rows : (tensor<4x2xf64>) -> tensor<8xf64>
  %dc = arith.mulf %dc_sum, %forget : tensor<2xf64>
  stream.yield %h_next, %c_next, %dz, %dc : tensor<2xf64>, tensor<2xf64>, tensor<8xf64>, tensor<2xf64>
}

stream.node @diff_lstm(%x: tensor<2xf64>, %end: i1, %bp: i1, %dh_used: tensor<2xf64>) -> (h_next: tensor<2xf64>) {
  %h0 = stream.initial "h0" "orthogonal" : tensor<2xf64>
  %c0 = stream.initial "c0" "orthogonal" : tensor<2xf64>
  %hp = stream.instance "hp" @diff_param(%h0, %bp, %dhp) : (tensor<2xf64>, i1, tensor<2xf64>) -> tensor<2xf64>
  %cp = stream.instance "cp" @diff_param(%c0, %bp, %dcp) : (tensor<2xf64>, i1, tensor<2xf64>) -> tensor<2xf64>
  %h, %dhp, %dh_later = stream.instance "h" @diff_fby_end(%end, %hp, %h_next, %bp, %dh) : (i1, tensor<2xf64>, tensor<2xf64>, i1, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  %c, %dcp, %dc_later = stream.instance "c" @diff_fby_end(%end, %cp, %c_next, %bp, %dc) : (i1, tensor<2xf64>, tensor<2xf64>, i1, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  // The result is used outside, and in the next cycle.
  %dh_next = arith.addf %dh_used, %dh_later : tensor<2xf64>
  %z, %dh = stream.instance "z" @diff_layer(%x, %h, %end, %bp, %dz) : (tensor<2xf64>, tensor<2xf64>, i1, i1, tensor<8xf64>) -> (tensor<8xf64>, tensor<2xf64>)
  %h_next, %c_next, %dz, %dc = stream.instance "cell" @diff_cell(%z, %c, %bp, %dh_next, %dc_later)
    : (tensor<8xf64>, tensor<2xf64>, i1, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<8xf64>, tensor<2xf64>)
  stream.yield %h_next : tensor<2xf64>
}

// Learns from the first sequence, not from the second, and from the two after it. Initial states of sequences are trained too: in
// the cycle after the first of a sequence.
// TRAIN:      {{^}}h_next {{ *}}[0.166569 0.0573958] {{ *}}[0.0289002 0.0289662] {{ *}}[-0.0901349 0.0339785] {{ *}}[0.105276 0.0775493] {{ *}}[0.108759 0.0590923] {{ *}}[0.158949 0.0812894] {{ *}}[0.0835861 0.10987] {{ *}}[0.223165 0.0386828]{{$}}
// TRAIN-NEXT: {{^}}net.hp {{ *}}[0.27 -0.77] {{ *}}[0.257587 -0.794927] {{ *}}[0.257587 -0.794927] {{ *}}[0.257587 -0.794927] {{ *}}[0.257587 -0.794927] {{ *}}[0.257587 -0.794927] {{ *}}[0.247836 -0.809997] {{ *}}[0.249309 -0.814464]{{$}}
// TRAIN-NEXT: {{^}}net.cp {{ *}}[-0.53 0.53] {{ *}}[-0.516328 0.528936] {{ *}}[-0.516328 0.528936] {{ *}}[-0.516328 0.528936] {{ *}}[-0.516328 0.528936] {{ *}}[-0.516328 0.528936] {{ *}}[-0.505974 0.53932] {{ *}}[-0.500369 0.533937]{{$}}
stream.node @train_lstm(%x: tensor<2xf64>, %end: i1, %bp: i1, %gt: tensor<2xf64>, %lr: f64) -> (h_next: tensor<2xf64>) {
  %h_next = stream.instance "net" @diff_lstm(%x, %end, %bp, %d) : (tensor<2xf64>, i1, i1, tensor<2xf64>) -> tensor<2xf64>
  %h = stream.when %h_next, %bp : tensor<2xf64>
  %error = arith.subf %h, %gt : tensor<2xf64>
  %minus_two = arith.constant -2.0 : f64
  %rate = arith.mulf %minus_two, %lr : f64
  %rates = array.replicate %rate : (f64) -> tensor<2xf64>
  %d = arith.mulf %rates, %error : tensor<2xf64>
  stream.yield %h_next : tensor<2xf64>
} {stream.boundary = "end", stream.segment_constant = ["bp"]}

// The same by passes: the results are the same in every cycle, and parameters are those at the start of sequences.
// PASSES:      {{^}}h_next {{ *}}[0.166569 0.0573958] {{ *}}[0.0289002 0.0289662] {{ *}}[-0.0901349 0.0339785] {{ *}}[0.105276 0.0775493] {{ *}}[0.108759 0.0590923] {{ *}}[0.158949 0.0812894] {{ *}}[0.0835861 0.10987] {{ *}}[0.223165 0.0386828]{{$}}
// PASSES:      {{^}}net.hp {{ *}}[0.27 -0.77] {{ *}}[0.27 -0.77] {{ *}}[0.27 -0.77] {{ *}}[0.257587 -0.794927] {{ *}}[0.257587 -0.794927] {{ *}}[0.257587 -0.794927] {{ *}}[0.247836 -0.809997] {{ *}}[0.247836 -0.809997]{{$}}
// PASSES-NEXT: {{^}}net.cp {{ *}}[-0.53 0.53] {{ *}}[-0.53 0.53] {{ *}}[-0.53 0.53] {{ *}}[-0.516328 0.528936] {{ *}}[-0.516328 0.528936] {{ *}}[-0.516328 0.528936] {{ *}}[-0.505974 0.53932] {{ *}}[-0.505974 0.53932]{{$}}
// `bp` is declared constant within a sequence, so whole sequences are computed at once.
// LOOPS: func.func @lesson_train_segment(
stream.node @lesson(%x: tensor<2xf64>, %end: i1, %bp: i1, %gt: tensor<2xf64>) -> (h_next: tensor<2xf64>, loss: f64) {
  %zero = arith.constant 0.0 : f64
  %h_next = stream.instance "net" @lstm_end(%x, %end) : (tensor<2xf64>, i1) -> tensor<2xf64>
  %h = stream.when %h_next, %bp : tensor<2xf64>
  %e = arith.subf %h, %gt : tensor<2xf64>
  %squares = arith.mulf %e, %e : tensor<2xf64>
  %error = array.sum %squares : (tensor<2xf64>) -> f64
  %loss = stream.merge %bp, %error, %zero : f64
  stream.yield %h_next, %loss : tensor<2xf64>, f64
} {stream.boundary = "end", stream.segment_constant = ["bp"]}
