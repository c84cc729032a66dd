// RUN: mlopt run %s --node @app_pipe --input 'i=[1, 2, 0.5, ., -1, 1.5]' --chronogram | FileCheck %s --check-prefix=APP
// RUN: mlopt run %s --node @diff_app_pipe --input 'i=[1, 2, 0.5, -1, 1.5, 0.25]' --input 'bp=[0, 1, 1, 1, 1, 1]' --input 'gt=[., 1, 1, 4, 25, 0]' \
// RUN:   --input 'lr=[., 0.01, 0.01, 0.01, 0.01, 0.01]' --show x.k --show x.b --tail show --chronogram | FileCheck %s --check-prefix=TRAIN
// RUN: mlopt import-streams %S/app_pipe.rml2 --type i=f64 | mlopt run - --node @diff_app_pipe --input 'i=[1, 2, 0.5, -1, 1.5, 0.25]' --input 'bp=[0, 1, 1, 1, 1, 1]' \
// RUN:   --input 'gt=[., 1, 1, 4, 25, 0]' --show x.k --show x.b --tail show --chronogram | FileCheck %s --check-prefix=TRAIN
// RUN: mlopt run %s --node @by_hand --input i=random:10001xf64:seed=1:uniform=-1,2.5 --save %t.hand.safetensors --print none --tail show
// RUN: mlopt run %s --node @app_pipe --input 'i=[0, 3]' --load net=%t.hand.safetensors --show x.k --show x.b --chronogram | FileCheck %s --check-prefix=LEARNED
// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=lesson loss=loss},stream-train{node=lesson})' -o %t.mlir
// RUN: mlopt run %t.mlir --node @lesson_train --input i=random:10001xf64:seed=1:uniform=-1,2.5 --input update=true --input rate=0.01 --save %t.safetensors --print none --tail show
// RUN: mlopt run %s --node @app_pipe --input 'i=[0, 3]' --load net=%t.safetensors --show x.k --show x.b --chronogram | FileCheck %s --check-prefix=LEARNED
// A network in two stages that are separated by a delay, and 10,000 steps of gradient descent: with handwritten equations (spec/streams.md
// 8.1, 8.2), and with those of `stream-grad` and `stream-train`. Both learn (2·i - 3)². In the notation, `sgd` makes the same steps.

// LEARNED:      {{^}}x.k    2  2{{$}}
// LEARNED-NEXT: {{^}}x.b    -3  -3{{$}}

// APP: {{^}}o      0  1  4    .  0.25  1{{$}}
stream.node @dense(%i: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %k = stream.param "k" %one : f64
  %b = stream.param "b" %zero : f64
  %ki = arith.mulf %k, %i : f64
  %o = arith.addf %ki, %b : f64
  stream.yield %o : f64
}

stream.node @multiply(%i: f64) -> (o: f64) {
  %o = arith.mulf %i, %i : f64
  stream.yield %o : f64
}

stream.node @app_pipe(%i: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %x = stream.instance "x" @dense(%i) : (f64) -> f64
  %y = stream.fby %zero, %x : f64
  %o = stream.instance "o" @multiply(%y) : (f64) -> f64
  stream.yield %o : f64
}

// The expected output of a cycle is that of the sample of the previous cycle; the first cycle has none.
stream.node @truth(%i: f64) -> (gt: f64, is_there: i1) {
  %false = arith.constant false
  %true = arith.constant true
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %t = arith.mulf %two, %i : f64
  %u = arith.subf %t, %three : f64
  %square = arith.mulf %u, %u : f64
  %gt = stream.fby %zero, %square : f64
  %is_there = stream.fby %false, %true : i1
  stream.yield %gt, %is_there : f64, i1
}

// The error of each sample.
stream.node @lesson(%i: f64) -> (loss: f64) {
  %zero = arith.constant 0.0 : f64
  %o = stream.instance "net" @app_pipe(%i) : (f64) -> f64
  %gt, %is_there = stream.instance "truth" @truth(%i) : (f64) -> (f64, i1)
  %e = arith.subf %o, %gt : f64
  %square = arith.mulf %e, %e : f64
  %loss = stream.select %is_there, %square, %zero : f64
  stream.yield %loss : f64
}

// A trained parameter: its new value is used in the cycle after a step.
stream.node @diff_param(%init: f64, %bp: i1, %d: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %o = stream.fby %init, %next : f64
  %step = stream.merge %bp, %d, %zero : f64
  %next = arith.addf %o, %step : f64
  stream.yield %o : f64
}

stream.node @diff_dense(%i: f64, %bp: i1, %do: f64) -> (o: f64, di: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %b = stream.instance "b" @diff_param(%zero, %bp, %do) : (f64, i1, f64) -> f64
  %k = stream.instance "k" @diff_param(%one, %bp, %dk) : (f64, i1, f64) -> f64
  %ki = arith.mulf %k, %i : f64
  %o = arith.addf %ki, %b : f64
  %ks = stream.when %k, %bp : f64
  %is = stream.when %i, %bp : f64
  %di = arith.mulf %ks, %do : f64
  %dk = arith.mulf %is, %do : f64
  stream.yield %o, %di : f64, f64
}

stream.node @diff_multiply(%i: f64, %bp: i1, %do: f64) -> (o: f64, di: f64) {
  %two = arith.constant 2.0 : f64
  %o = arith.mulf %i, %i : f64
  %is = stream.when %i, %bp : f64
  %d = arith.mulf %do, %two : f64
  %di = arith.mulf %d, %is : f64
  stream.yield %o, %di : f64, f64
}

// The stage before the register receives the signal, and the correction, one cycle earlier.
stream.node @diff_fby1(%init: f64, %i: f64, %bpo: i1, %do: f64) -> (o: f64, bpi: i1, di: f64) {
  %zero = arith.constant 0.0 : f64
  %o = stream.fby %init, %i : f64
  %bpi = stream.post %bpo : i1
  %s = stream.merge %bpo, %do, %zero : f64
  %next = stream.post %s : f64
  %di = stream.when %next, %bpi : f64
  stream.yield %o, %bpi, %di : f64, i1, f64
}

// TRAIN:      {{^}}o      0  1 {{ *}}4 {{ *}}0.0004  0.575171   0.839194{{$}}
// TRAIN-NEXT: {{^}}x.k    1  1 {{ *}}0.52 {{ *}}0.5216  1.26255    1.21643{{$}}
// TRAIN-NEXT: {{^}}x.b    0  0 {{ *}}-0.24 {{ *}}-0.2368 {{ *}}-0.977752  -1.0085{{$}}
stream.node @diff_app_pipe(%i: f64, %bp: i1, %gt: f64, %lr: f64) -> (o: f64) {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %x, %di = stream.instance "x" @diff_dense(%i, %bpi, %dx) : (f64, i1, f64) -> (f64, f64)
  %y, %bpi, %dx = stream.instance "y" @diff_fby1(%zero, %x, %bp, %dy) : (f64, f64, i1, f64) -> (f64, i1, f64)
  %o, %dy = stream.instance "o" @diff_multiply(%y, %bp, %do) : (f64, i1, f64) -> (f64, f64)
  %os = stream.when %o, %bp : f64
  %e = arith.subf %os, %gt : f64
  %g = arith.mulf %two, %e : f64
  %down = arith.negf %lr : f64
  %do = arith.mulf %down, %g : f64
  stream.yield %o : f64
}

stream.node @by_hand(%i: f64) -> (o: f64) {
  %rate = arith.constant 0.01 : f64
  %gt, %bp = stream.instance "truth" @truth(%i) : (f64) -> (f64, i1)
  %gts = stream.when %gt, %bp : f64
  %lr = stream.when %rate, %bp : f64
  %o = stream.instance "net" @diff_app_pipe(%i, %bp, %gts, %lr) : (f64, i1, f64, f64) -> f64
  stream.yield %o : f64
}
