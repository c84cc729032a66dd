// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=fit loss=loss},stream-train{node=fit})' | FileCheck %s
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=fit loss=loss},stream-train{node=fit})' -o %t.mlir
// RUN: mlopt run %t.mlir --node @fit_train --input 'x=[1, 2, -1, 0.5, 3]' --input 'gt=[1, 2, 3, 4, 5]' --input 'update=[1, 0, 1, 1, 0]' --input rate=0.1 --show layer.k --show layer.b --chronogram | FileCheck %s --check-prefix=SGD
// RUN: mlopt %t.mlir --differentiate --inline | mlopt run - --interpret --node @fit_train --input 'x=[1, 2, -1, 0.5, 3]' --input 'gt=[1, 2, 3, 4, 5]' --input 'update=[1, 0, 1, 1, 0]' --input rate=0.1 --show layer.k --show layer.b --chronogram | FileCheck %s --check-prefix=SGD
// RUN: mlopt run %t.mlir --node @fit_train --input 'x=[1, 2, -1]' --input 'gt=[1, 2, 3]' --input update=false --input rate=0.1 --chronogram --save %t.frozen.safetensors | FileCheck %s --check-prefix=FROZEN
// RUN: mlopt run %s --node @fit --input 'x=[1, 2, -1]' --input 'gt=[1, 2, 3]' --chronogram | FileCheck %s --check-prefix=FROZEN
// RUN: mlopt run %s --node @fit --input 'x=[1, 2, -1]' --input 'gt=[1, 2, 3]' --load %t.frozen.safetensors --chronogram | FileCheck %s --check-prefix=FROZEN
// RUN: mlopt run %t.mlir --node @fit_train --input 'x=[1, 2, -1, 0.5]' --input 'gt=[1, 2, 3, 4]' --input 'update=[1, 0, 1, 1]' --input rate=0.1 --save %t.safetensors --print none
// RUN: mlopt run %s --node @fit --input 'x=[3]' --input 'gt=[5]' --load %t.safetensors | FileCheck %s --check-prefix=SAVED
// RUN: mlopt run %t.mlir --node @fit_train --input 'x=[3]' --input 'gt=[5]' --input update=false --input rate=0 --set layer.k=2 --set layer.b=0 | FileCheck %s --check-prefix=SET
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=fit loss=loss},stream-train{node=fit optimiser=momentum})' | mlopt run - --node @fit_train --input 'x=[1, 2, -1, 0.5, 3]' --input 'gt=[1, 2, 3, 4, 5]' --input 'update=[1, 0, 1, 1, 0]' --input rate=0.1 --show layer.k --show layer.b --chronogram | FileCheck %s --check-prefix=MOMENTUM
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=fit loss=loss},stream-train{node=fit optimiser=adam})' -o %t.adam.mlir
// RUN: mlopt run %t.adam.mlir --node @fit_train --input 'x=[1, 2, -1, 0.5, 3]' --input 'gt=[1, 2, 3, 4, 5]' --input 'update=[1, 0, 1, 1, 0]' --input rate=0.1 --show layer.k --show layer.b --chronogram | FileCheck %s --check-prefix=ADAM
// RUN: mlopt run %t.adam.mlir --node @fit_train --input 'x=[1, 2]' --input 'gt=[1, 2]' --input 'update=[1, 0]' --input rate=0.1 --save %t.adam.safetensors --print none
// RUN: mlopt run %t.adam.mlir --node @fit_train --input 'x=[-1, 0.5, 3]' --input 'gt=[3, 4, 5]' --input 'update=[1, 1, 0]' --input rate=0.1 --load %t.adam.safetensors --show layer.k --chronogram | FileCheck %s --check-prefix=LATER
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=plane loss=loss},stream-train{node=plane})' | mlopt run - --node @plane_train --input 'x=[[1, 2], [0.5, -1], [3, 1]]' --input 'gt=[1, 2, 3]' --input update=true --input rate=0.1 --show w --chronogram | FileCheck %s --check-prefix=SGD2
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=plane loss=loss},stream-train{node=plane optimiser=momentum})' | mlopt run - --node @plane_train --input 'x=[[1, 2], [0.5, -1], [3, 1]]' --input 'gt=[1, 2, 3]' --input update=true --input rate=0.1 --show w --chronogram | FileCheck %s --check-prefix=MOMENTUM2
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=plane loss=loss},stream-train{node=plane optimiser=adam})' | mlopt run - --node @plane_train --input 'x=[[1, 2], [0.5, -1], [3, 1]]' --input 'gt=[1, 2, 3]' --input update=true --input rate=0.1 --show w --chronogram | FileCheck %s --check-prefix=ADAM2
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=plane loss=loss},stream-train{node=plane optimiser=@sign})' | mlopt run - --node @plane_train --input 'x=[[1, 2], [0.5, -1], [3, 1]]' --input 'gt=[1, 2, 3]' --input update=true --input rate=0.1 --show w --chronogram | FileCheck %s --check-prefix=SIGN
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=recurrent loss=loss},stream-train{node=recurrent})' -o %t.sequences.mlir
// RUN: mlopt run %t.sequences.mlir --node @recurrent_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input 'end=[0, 0, 1, 0, 1, 0, 0, 1]' --input update=true --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=SEQUENCES
// RUN: mlopt %t.sequences.mlir --differentiate --inline | mlopt run - --interpret --node @recurrent_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input 'end=[0, 0, 1, 0, 1, 0, 0, 1]' --input update=true --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=SEQUENCES
// RUN: mlopt run %t.sequences.mlir --node @recurrent_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input 'end=[0, 0, 1, 0, 1, 0, 0, 1]' --input 'update=[1, 1, 0, 1, 1, 1, 1, 1]' --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=BATCH
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=held loss=loss},stream-train{node=held})' | mlopt run - --node @held_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input 'end=[0, 0, 1, 0, 1, 0, 0, 1]' --input update=true --input rate=0.02 --show a --show b --chronogram | FileCheck %s --check-prefix=SEQUENCES
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=batches loss=loss},stream-train{node=batches end=batch_end})' | mlopt run - --node @batches_train --input 'x=[1, 2, 3, -1, 0.5, 2, 1, -2]' --input 'gt=[1, 1, 2, 0, 1, 2, 1, 0]' --input 'end=[0, 0, 1, 0, 1, 0, 0, 1]' --input 'batch_end=[., ., 0, ., 1, ., ., 1]' --input update=true --input rate=0.02 --show net.a --show net.b --chronogram | FileCheck %s --check-prefix=BATCHES
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=mixed loss=loss},stream-train{node=mixed optimiser=adam})' -o %t.mixed.mlir
// RUN: cat %t.mixed.mlir | FileCheck %s --check-prefix=TYPES
// RUN: mlopt run %t.mixed.mlir --node @mixed_train --input 'update=[1, 1, 1]' --input update_1=true --input rate=0.1 --show w --chronogram | FileCheck %s --check-prefix=MIXED
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=fit loss=loss},stream-train{node=fit optimiser=@parts})' | mlopt run - --node @fit_train --input 'x=[1, 2, -1, 0.5, 3]' --input 'gt=[1, 2, 3, 4, 5]' --input 'update=[1, 0, 1, 1, 0]' --input rate=0.1 --show layer.k --show layer.b --chronogram | FileCheck %s --check-prefix=SGD
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=expert loss=loss},stream-train{node=expert})' | mlopt run - --node @expert_train --input 'x=[2, -1, 3]' --input update=true --input rate=0.1 --show k --chronogram | FileCheck %s --check-prefix=EXPERT
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=piped},stream-train{node=piped})' | mlopt run - --node @piped_train --input 'x=[1, 2, 3]' --input 'o_ct=[0, 1, 1]' --input update=true --input rate=0.1 --show k --chronogram --tail show | FileCheck %s --check-prefix=PIPED
// Parameters that are updated. The numbers are those of the same computation in NumPy.

// A parameter is state that does not change without a step; gradients accumulate between steps.
// CHECK-LABEL: stream.node @fit_train(%x: f64, %gt: f64, %update: i1, %rate: f64) -> (loss: f64) {
// CHECK-NOT:     stream.param
// CHECK:         %layer.k.so_far = stream.fby %[[ZERO:[a-z_0-9]*]], %[[LEFT:[a-z_0-9.]*]] : f64
// CHECK:         %layer.k.sgd.g = stream.when %[[SUM:[0-9]*]], %update : f64
// CHECK:         %[[LEFT]] = stream.merge %update, %[[ZERO]], %{{.*}} : f64
// CHECK:         %layer.k = stream.fby %{{.*}}, %[[NEXT:[0-9]*]] : f64
// CHECK:         %layer.k.sgd.p = stream.when %layer.k, %update : f64
// CHECK:         %[[NEXT]] = stream.merge %update, %layer.k.sgd.next, %{{.*}} : f64
// CHECK:         stream.yield %{{.*}} : f64
// SGD:      {{^}}loss     0.25  0.04  12.25  8.2944  4.5796{{$}}
// SGD-NEXT: {{^}}layer.k  1     0.9   0.9    0.12    0.408{{$}}
// SGD-NEXT: {{^}}layer.b  0.5   0.4   0.4    1.06    1.636{{$}}
// MOMENTUM:      {{^}}loss     0.25  0.04  12.25  9.09022  18.2201{{$}}
// MOMENTUM-NEXT: {{^}}layer.k  1     0.9   0.9    0.03     -0.4515{{$}}
// MOMENTUM-NEXT: {{^}}layer.b  0.5   0.4   0.4    0.97     2.086{{$}}
// ADAM:      {{^}}loss     0.25  0.04  12.25  9.78202   4.45398{{$}}
// ADAM-NEXT: {{^}}layer.k  1     0.9   0.9    0.817673  0.782163{{$}}
// ADAM-NEXT: {{^}}layer.b  0.5   0.4   0.4    0.463542  0.543067{{$}}
// Without updates the node behaves like the original network, and the parameters are unchanged.
// FROZEN: {{^}}loss {{ *}}0.25  0.25  12.25{{$}}
// Trained parameters can be loaded by other nodes, and the optimiser resumes from its saved state.
// SAVED: {"cycle":0,"loss":4.5796
// SET: {"cycle":0,"loss":1.0}
// LATER: {{^}}layer.k  0.9    0.817673  0.782163{{$}}
stream.node @layer(%x: f64) -> (y: f64) {
  %one = arith.constant 1.0 : f64
  %half = arith.constant 0.5 : f64
  %k = stream.param "k" %one : f64
  %b = stream.param "b" %half : f64
  %kx = arith.mulf %k, %x : f64
  %y = arith.addf %kx, %b : f64
  stream.yield %y : f64
}
stream.node @fit(%x: f64, %gt: f64) -> (loss: f64) {
  %y = stream.instance "layer" @layer(%x) : (f64) -> f64
  %e = arith.subf %y, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}

// Each element of an array has its own step.
// SGD2:      {{^}}loss    4        1.21         1.2321{{$}}
// SGD2-NEXT: {{^}}w       [1 -1]   [1.4 -0.2]   [1.51 -0.42]{{$}}
// MOMENTUM2:      {{^}}loss    4        1.21         8.4681{{$}}
// MOMENTUM2-NEXT: {{^}}w       [1 -1]   [1.4 -0.2]   [1.87 0.3]{{$}}
// ADAM2:      {{^}}loss    4        0.3025       0.0987182{{$}}
// ADAM2-NEXT: {{^}}w       [1 -1]   [1.1 -0.9]   [1.17652 -0.843761]{{$}}
// SIGN:      {{^}}loss    4        0.3025       0.16{{$}}
// SIGN-NEXT: {{^}}w       [1 -1]   [1.1 -0.9]   [1.2 -1]{{$}}
stream.node @plane(%x: tensor<2xf64>, %gt: f64) -> (loss: f64) {
  %w0 = arith.constant dense<[1.0, -1.0]> : tensor<2xf64>
  %w = stream.param "w" %w0 : tensor<2xf64>
  %products = arith.mulf %w, %x : tensor<2xf64>
  %y = array.sum %products : (tensor<2xf64>) -> f64
  %e = arith.subf %y, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}

// A user-defined optimiser for one number: a step of constant size.
stream.node @sign(%p: f64, %g: f64, %rate: f64) -> (next: f64) {
  %zero = arith.constant 0.0 : f64
  %is_up = arith.cmpf ogt, %g, %zero : f64
  %back = arith.negf %rate : f64
  %step = arith.select %is_up, %back, %rate : f64
  %next = arith.addf %p, %step : f64
  stream.yield %next : f64
}

// A gradient is known at the end of a sequence, and parameters are updated there: `update` is read there only.
// SEQUENCES:      {{^}}loss    0     2.25  5.0625  0.218556  0.715251  1.16656   0.158561  0.684158{{$}}
// SEQUENCES-NEXT: {{^}}a       0.5   0.5   0.5     0.17      0.17      0.154185  0.154185  0.154185{{$}}
// SEQUENCES-NEXT: {{^}}b       1     1     1       0.4675    0.4675    0.459964  0.459964  0.459964{{$}}
// BATCH:      {{^}}loss    0     2.25  5.0625  1     1     1.31103  0.212844  0.616187{{$}}
// BATCH-NEXT: {{^}}a       0.5   0.5   0.5     0.5   0.5   0.13     0.13      0.13{{$}}
// BATCH-NEXT: {{^}}b       1     1     1       1     1     0.4275   0.4275    0.4275{{$}}
stream.node @recurrent(%x: f64, %gt: f64, %end: i1) -> (loss: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %a = stream.param "a" %half : f64
  %b = stream.param "b" %one : f64
  %first = stream.fby %true, %end : i1
  %carried = stream.select %end, %zero, %h : f64
  %p = stream.fby %zero, %carried : f64
  %before = stream.select %first, %zero, %p : f64
  %ah = arith.mulf %a, %before : f64
  %bx = arith.mulf %b, %x : f64
  %h = arith.addf %ah, %bx : f64
  %e = arith.subf %h, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}

// The same with parameters that the node itself holds through a sequence (spec/streams.md 8.6): the whole gradient is in the first cycle.
stream.node @fby_end(%end: i1, %init: f64, %i: f64) -> (o: f64) {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %rst = stream.fby %true, %end : i1
  %i1 = stream.select %end, %zero, %i : f64
  %q = stream.fby %init, %i1 : f64
  %o = stream.select %rst, %init, %q : f64
  stream.yield %o : f64
}
stream.node @param_end(%end: i1, %p: f64) -> (o: f64) {
  %o = stream.instance "o" @fby_end(%end, %p, %o) : (i1, f64, f64) -> f64
  stream.yield %o : f64
}
stream.node @held(%x: f64, %gt: f64, %end: i1) -> (loss: f64) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %ap = stream.param "a" %half : f64
  %bp = stream.param "b" %one : f64
  %a = stream.instance "held_a" @param_end(%end, %ap) : (i1, f64) -> f64
  %b = stream.instance "held_b" @param_end(%end, %bp) : (i1, f64) -> f64
  %before = stream.instance "before" @fby_end(%end, %zero, %h) : (i1, f64, f64) -> f64
  %ah = arith.mulf %a, %before : f64
  %bx = arith.mulf %b, %x : f64
  %h = arith.addf %ah, %bx : f64
  %e = arith.subf %h, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}

// Batches of sequences: the end of a batch is the end of a sequence, because `batch_end` is on the clock of the ends. The node looks ahead
// for the mean of the losses of a batch.
// BATCHES:      {{^}}net.a {{ *}}0.5 {{ *}}0.5 {{ *}}0.5 {{ *}}0.5 {{ *}}0.5 {{ *}}0.13 {{ *}}0.13 {{ *}}0.13{{$}}
// BATCHES-NEXT: {{^}}net.b {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}1 {{ *}}0.4275 {{ *}}0.4275 {{ *}}0.4275{{$}}
stream.node @batches(%x: f64, %gt: f64, %end: i1, %batch_end: i1) -> (loss: f64) {
  %zero = arith.constant 0.0 : f64
  %own = stream.instance "net" @recurrent_losses(%x, %gt, %end) : (f64, f64, i1) -> f64
  %others = stream.instance "others" @fby_end(%end, %zero, %sum) : (i1, f64, f64) -> f64
  %sum = arith.addf %own, %others : f64
  %sums = stream.when %sum, %end : f64
  %later_sum = stream.post %all : f64
  %later = stream.select %batch_end, %zero, %later_sum : f64
  %all = arith.addf %sums, %later : f64
  %first = stream.instance "first" @batch_start(%batch_end) : (i1) -> i1
  %loss_of_batch = stream.select %first, %all, %zero : f64
  %loss = stream.merge %end, %loss_of_batch, %zero : f64
  stream.yield %loss : f64
}
stream.node @batch_start(%end: i1) -> (first: i1) {
  %true = arith.constant true
  %first = stream.fby %true, %end : i1
  stream.yield %first : i1
}
stream.node @recurrent_losses(%x: f64, %gt: f64, %end: i1) -> (loss: f64) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %a = stream.param "a" %half : f64
  %b = stream.param "b" %one : f64
  %before = stream.instance "before" @fby_end(%end, %zero, %h) : (i1, f64, f64) -> f64
  %ah = arith.mulf %a, %before : f64
  %bx = arith.mulf %b, %x : f64
  %h = arith.addf %ah, %bx : f64
  %e = arith.subf %h, %gt : f64
  %loss = arith.mulf %e, %e : f64
  stream.yield %loss : f64
}

// An input with a name that is taken; parameters of two precisions with one rate; a parameter that is not used.
// TYPES: stream.node @mixed_train(%update: f64, %update_1: i1, %rate: f64) -> (loss: f64) {
// TYPES: arith.truncf %{{.*}} : f64 to f32
// MIXED: {{^}}loss {{ *}}1 {{ *}}0.81 {{ *}}0.640{{[0-9]*}}{{$}}
stream.node @mixed(%update: f64) -> (loss: f64) {
  %one = arith.constant 1.0 : f64
  %one_f32 = arith.constant 1.0 : f32
  %k = stream.param "k" %one : f64
  %w = stream.param "w" %one_f32 : f32
  %unused = stream.param "unused" %one : f64
  %kx = arith.mulf %k, %update : f64
  %wide = arith.extf %w : f32 to f64
  %loss = arith.mulf %kx, %wide : f64
  stream.yield %loss : f64
}

// An optimiser that consists of instances.
stream.node @part(%p: f64, %s: f64) -> (next: f64) {
  %next = arith.subf %p, %s : f64
  stream.yield %next : f64
}
stream.node @parts(%p: f64, %g: f64, %rate: f64) -> (next: f64) {
  %s = arith.mulf %g, %rate : f64
  %next = stream.instance "part" @part(%p, %s) : (f64, f64) -> f64
  stream.yield %next : f64
}

// A parameter that is used in some cycles only: in the others its gradient is zero, and its value is unchanged.
// EXPERT: {{^}}k       3     2.6  2.6{{$}}
stream.node @expert(%x: f64) -> (loss: f64) {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %is_positive = arith.cmpf ogt, %x, %zero : f64
  %xs = stream.when %x, %is_positive : f64
  %k = stream.param "k" %three : f64
  %kx = arith.mulf %k, %xs : f64
  %kx2 = arith.mulf %kx, %two : f64
  %loss = stream.merge %is_positive, %kx2, %zero : f64
  stream.yield %loss : f64
}

// The gradient is known one cycle later: no sequences are needed.
// PIPED: {{^}}k {{ *}}1 {{ *}}0.9 {{ *}}0.7{{$}}
stream.node @piped(%x: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %k = stream.param "k" %one : f64
  %kx = arith.mulf %k, %x : f64
  %o = stream.fby %zero, %kx : f64
  stream.yield %o : f64
}
