// RUN: mlopt %s --pass-pipeline='builtin.module(stream-inline,stream-grad{node=network loss=loss},stream-train{node=network optimiser=adam end=batch_end})' -o %t.mlir
// RUN: mlopt run %t.mlir --node @network_train --inputs %S/digits.csv --input update=@%S/digits.csv:train --input rate=0.01 --horizon 256 --save %t.safetensors --print none \
// RUN:   --out %t.csv --plot smooth_loss=%t.svg && cat %t.csv | FileCheck %s
// RUN: cat %t.svg | FileCheck %s --check-prefix=PLOT
// RUN: mlopt run %s --node @network --inputs %S/digits.csv --input train=false --horizon 256 --load %t.safetensors --out accuracy=%t.all.csv && tail -n 1 %t.all.csv | FileCheck %s --check-prefix=ALL
// Handwritten digits, read row by row: a bidirectional LSTM with batch normalisation, and its training. See README.md.

// State that restarts after each end.
stream.node @fby_end(%end: i1, %i: tensor<16xf64>) -> (o: tensor<16xf64>) {
  %true = arith.constant true
  %zeros = arith.constant dense<0.0> : tensor<16xf64>
  %first = stream.fby %true, %end : i1
  %carried = stream.select %end, %zeros, %i : tensor<16xf64>
  %before = stream.fby %zeros, %carried : tensor<16xf64>
  %o = stream.select %first, %zeros, %before : tensor<16xf64>
  stream.yield %o : tensor<16xf64>
}

// The same backward in time.
stream.node @post_end(%end: i1, %i: tensor<16xf64>) -> (o: tensor<16xf64>) {
  %true = arith.constant true
  %zeros = arith.constant dense<0.0> : tensor<16xf64>
  %first = stream.fby %true, %end : i1
  %carried = stream.select %first, %zeros, %i : tensor<16xf64>
  %after = stream.post %carried : tensor<16xf64>
  %o = stream.select %end, %zeros, %after : tensor<16xf64>
  stream.yield %o : tensor<16xf64>
}

// The kernel times the input, extended by one.
stream.node @product(%x: tensor<8xf64>, %h: tensor<16xf64>) -> (z: tensor<64xf64>) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<64x25xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<64x25xf64>
  %one = arith.constant dense<1.0> : tensor<1xf64>
  %xh = array.append %x, %h : (tensor<8xf64>, tensor<16xf64>) -> tensor<24xf64>
  %xh1 = array.append %xh, %one : (tensor<24xf64>, tensor<1xf64>) -> tensor<25xf64>
  %z = array.build (%row < 64) -> (tensor<64xf64>) {
    %weights = array.get %kernel[%row] : (tensor<64x25xf64>) -> tensor<25xf64>
    %products = arith.mulf %weights, %xh1 : tensor<25xf64>
    %sum = array.sum %products : (tensor<25xf64>) -> f64
    array.yield %sum : f64
  }
  stream.yield %z : tensor<64xf64>
}

stream.node @sigmoid(%x: tensor<16xf64>) -> (y: tensor<16xf64>) {
  %ones = arith.constant dense<1.0> : tensor<16xf64>
  %minus = arith.negf %x : tensor<16xf64>
  %e = math.exp %minus : tensor<16xf64>
  %below = arith.addf %ones, %e : tensor<16xf64>
  %y = arith.divf %ones, %below : tensor<16xf64>
  stream.yield %y : tensor<16xf64>
}

// The forget, input and output gates, and the candidate state.
stream.node @cell(%x: tensor<8xf64>, %h: tensor<16xf64>, %c: tensor<16xf64>) -> (h_next: tensor<16xf64>, c_next: tensor<16xf64>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %z = stream.instance "z" @product(%x, %h) : (tensor<8xf64>, tensor<16xf64>) -> tensor<64xf64>
  %rows = array.reshape %z : (tensor<64xf64>) -> tensor<4x16xf64>
  %z0 = array.get %rows[%i0] : (tensor<4x16xf64>) -> tensor<16xf64>
  %z1 = array.get %rows[%i1] : (tensor<4x16xf64>) -> tensor<16xf64>
  %z2 = array.get %rows[%i2] : (tensor<4x16xf64>) -> tensor<16xf64>
  %z3 = array.get %rows[%i3] : (tensor<4x16xf64>) -> tensor<16xf64>
  %forget = stream.instance "forget" @sigmoid(%z0) : (tensor<16xf64>) -> tensor<16xf64>
  %in = stream.instance "in" @sigmoid(%z1) : (tensor<16xf64>) -> tensor<16xf64>
  %out = stream.instance "out" @sigmoid(%z2) : (tensor<16xf64>) -> tensor<16xf64>
  %candidate = math.tanh %z3 : tensor<16xf64>
  %kept = arith.mulf %forget, %c : tensor<16xf64>
  %new = arith.mulf %in, %candidate : tensor<16xf64>
  %c_next = arith.addf %kept, %new : tensor<16xf64>
  %shown = math.tanh %c_next : tensor<16xf64>
  %h_next = arith.mulf %out, %shown : tensor<16xf64>
  stream.yield %h_next, %c_next : tensor<16xf64>, tensor<16xf64>
}

// Downward: the state after the rows so far.
stream.node @down(%x: tensor<8xf64>, %end: i1) -> (h_next: tensor<16xf64>) {
  %h = stream.instance "h" @fby_end(%end, %h_next) : (i1, tensor<16xf64>) -> tensor<16xf64>
  %c = stream.instance "c" @fby_end(%end, %c_next) : (i1, tensor<16xf64>) -> tensor<16xf64>
  %h_next, %c_next = stream.instance "cell" @cell(%x, %h, %c) : (tensor<8xf64>, tensor<16xf64>, tensor<16xf64>) -> (tensor<16xf64>, tensor<16xf64>)
  stream.yield %h_next : tensor<16xf64>
}

// Upward: the state after the remaining rows, in reverse order.
stream.node @up(%x: tensor<8xf64>, %end: i1) -> (h_next: tensor<16xf64>) {
  %h = stream.instance "h" @post_end(%end, %h_next) : (i1, tensor<16xf64>) -> tensor<16xf64>
  %c = stream.instance "c" @post_end(%end, %c_next) : (i1, tensor<16xf64>) -> tensor<16xf64>
  %h_next, %c_next = stream.instance "cell" @cell(%x, %h, %c) : (tensor<8xf64>, tensor<16xf64>, tensor<16xf64>) -> (tensor<16xf64>, tensor<16xf64>)
  stream.yield %h_next : tensor<16xf64>
}

// The value of the first cycle of a sequence, in all of its cycles.
stream.node @hold(%x: tensor<16xf64>, %end: i1) -> (held: tensor<16xf64>) {
  %true = arith.constant true
  %first = stream.fby %true, %end : i1
  %before = stream.instance "before" @fby_end(%end, %held) : (i1, tensor<16xf64>) -> tensor<16xf64>
  %held = stream.select %first, %x, %before : tensor<16xf64>
  stream.yield %held : tensor<16xf64>
}

// The mean of a batch, in each of its cycles.
stream.node @mean(%x: tensor<32xf64>, %batch_end: i1) -> (mean: tensor<32xf64>) {
  %true = arith.constant true
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<32xf64>
  %first = stream.fby %true, %batch_end : i1

  %counted = stream.fby %zero, %count : f64
  %others = stream.select %first, %zero, %counted : f64
  %count = arith.addf %others, %one : f64

  %carried = stream.select %batch_end, %zeros, %sum : tensor<32xf64>
  %summed = stream.fby %zeros, %carried : tensor<32xf64>
  %before = stream.select %first, %zeros, %summed : tensor<32xf64>
  %sum = arith.addf %before, %x : tensor<32xf64>

  %counts = array.replicate %count : (f64) -> tensor<32xf64>
  %so_far = arith.divf %sum, %counts : tensor<32xf64>
  %all = stream.when %so_far, %batch_end : tensor<32xf64>
  %next = stream.post %mean : tensor<32xf64>
  %later = stream.when %next, not %batch_end : tensor<32xf64>
  %mean = stream.merge %batch_end, %all, %later : tensor<32xf64>
  stream.yield %mean : tensor<32xf64>
}

stream.node @normal(%x: tensor<32xf64>, %mean: tensor<32xf64>, %var: tensor<32xf64>) -> (y: tensor<32xf64>) {
  %epsilon = arith.constant dense<0.001> : tensor<32xf64>
  %above = arith.subf %x, %mean : tensor<32xf64>
  %var1 = arith.addf %var, %epsilon : tensor<32xf64>
  %spread = math.sqrt %var1 : tensor<32xf64>
  %y = arith.divf %above, %spread : tensor<32xf64>
  stream.yield %y : tensor<32xf64>
}

// An average of batch statistics, for inference on single images: moves by a tenth at the end of each batch.
stream.node @average(%x: tensor<32xf64>, %start: tensor<32xf64>, %learn: i1) -> (average: tensor<32xf64>) {
  %tenth = arith.constant dense<0.1> : tensor<32xf64>
  %average = stream.fby %start, %next : tensor<32xf64>
  %missing = arith.subf %x, %average : tensor<32xf64>
  %part = arith.mulf %tenth, %missing : tensor<32xf64>
  %moved = arith.addf %average, %part : tensor<32xf64>
  %next = stream.select %learn, %moved, %average : tensor<32xf64>
  stream.yield %average : tensor<32xf64>
}

// Batch normalisation (S. Ioffe and C. Szegedy, ICML 2015): by the statistics of the batch, or by their average.
stream.node @batch_norm(%x: tensor<32xf64>, %batch_end: i1, %train: i1) -> (y: tensor<32xf64>, alone: tensor<32xf64>) {
  %zeros = arith.constant dense<0.0> : tensor<32xf64>
  %ones = arith.constant dense<1.0> : tensor<32xf64>
  %mean = stream.instance "mean" @mean(%x, %batch_end) : (tensor<32xf64>, i1) -> tensor<32xf64>
  %above = arith.subf %x, %mean : tensor<32xf64>
  %square = arith.mulf %above, %above : tensor<32xf64>
  %var = stream.instance "var" @mean(%square, %batch_end) : (tensor<32xf64>, i1) -> tensor<32xf64>
  %y = stream.instance "normal" @normal(%x, %mean, %var) : (tensor<32xf64>, tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>

  %learn = arith.andi %batch_end, %train : i1
  %means = stream.instance "means" @average(%mean, %zeros, %learn) : (tensor<32xf64>, tensor<32xf64>, i1) -> tensor<32xf64>
  %vars = stream.instance "vars" @average(%var, %ones, %learn) : (tensor<32xf64>, tensor<32xf64>, i1) -> tensor<32xf64>
  %alone = stream.instance "alone" @normal(%x, %means, %vars) : (tensor<32xf64>, tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
  stream.yield %y, %alone : tensor<32xf64>, tensor<32xf64>
}

// The score of each digit. Scale and offset of the normalisation are part of the kernel.
stream.node @logits(%kernel: tensor<10x33xf64>, %f: tensor<32xf64>) -> (z: tensor<10xf64>) {
  %one = arith.constant dense<1.0> : tensor<1xf64>
  %f1 = array.append %f, %one : (tensor<32xf64>, tensor<1xf64>) -> tensor<33xf64>
  %z = array.build (%row < 10) -> (tensor<10xf64>) {
    %weights = array.get %kernel[%row] : (tensor<10x33xf64>) -> tensor<33xf64>
    %products = arith.mulf %weights, %f1 : tensor<33xf64>
    %sum = array.sum %products : (tensor<33xf64>) -> f64
    array.yield %sum : f64
  }
  stream.yield %z : tensor<10xf64>
}

// -log of the probability of the label.
stream.node @cross_entropy(%z: tensor<10xf64>, %label: index) -> (loss: f64) {
  %e = math.exp %z : tensor<10xf64>
  %total = array.sum %e : (tensor<10xf64>) -> f64
  %log = math.log %total : f64
  %own = array.get %z[%label] : (tensor<10xf64>) -> f64
  %loss = arith.subf %log, %own : f64
  stream.yield %loss : f64
}

// An exponential moving average of the losses.
stream.node @smooth(%x: f64) -> (y: f64) {
  %part = arith.constant 0.01 : f64
  %before = stream.fby %x, %y : f64
  %missing = arith.subf %x, %before : f64
  %step = arith.mulf %part, %missing : f64
  %y = arith.addf %before, %step : f64
  stream.yield %y : f64
}

// The share of images that are classified correctly, since the last training image, or since the end of the table.
stream.node @share(%is_right: i1, %train: i1, %epoch_end: i1) -> (share: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %again = arith.ori %train, %epoch_end : i1
  %right = arith.select %is_right, %one, %zero : f64
  %rights_before = stream.fby %zero, %rights_kept : f64
  %rights = arith.addf %rights_before, %right : f64
  %rights_kept = stream.select %again, %zero, %rights : f64
  %all_before = stream.fby %zero, %all_kept : f64
  %all = arith.addf %all_before, %one : f64
  %all_kept = stream.select %again, %zero, %all : f64
  %share = arith.divf %rights, %all : f64
  stream.yield %share : f64
}

// One pass over the table. The numbers are those of NumPy from the same start: the loss of the last training image, the
// accuracy for the other images, and for all images without further training.
// CHECK: {{^}}11519,0.588195486{{[0-9]*}},
// CHECK: {{^}}14375,,,0.812324929{{[0-9]*}}{{$}}
// PLOT: <svg
// ALL: {{^}}14375,0.804674457{{[0-9]*}}{{$}}

// A cycle is a row of an image; `end` marks the last row. There `label` is the digit and `train` says whether to learn from it,
// `batch_end` marks the last image of a batch and `epoch_end` the last image of the table. `loss` is present for training images, and
// is smoothed for plots; `accuracy` is present at the end of the table.
stream.node @network(%x: tensor<8xf64>, %end: i1, %label: i64, %train: i1, %batch_end: i1, %epoch_end: i1)
    -> (loss: f64, smooth_loss: f64, accuracy: f64) {
  %white = arith.constant dense<16.0> : tensor<8xf64>
  %row = arith.divf %x, %white : tensor<8xf64>
  %down = stream.instance "down" @down(%row, %end) : (tensor<8xf64>, i1) -> tensor<16xf64>
  %up = stream.instance "up" @up(%row, %end) : (tensor<8xf64>, i1) -> tensor<16xf64>
  // Both have read the whole image: one in the last cycle, the other in the first.
  %first = stream.instance "first" @hold(%up, %end) : (tensor<16xf64>, i1) -> tensor<16xf64>
  %both = array.append %down, %first : (tensor<16xf64>, tensor<16xf64>) -> tensor<32xf64>
  %seen = stream.when %both, %end : tensor<32xf64>
  %normal, %alone = stream.instance "norm" @batch_norm(%seen, %batch_end, %train)
    : (tensor<32xf64>, i1, i1) -> (tensor<32xf64>, tensor<32xf64>)

  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<10x33xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<10x33xf64>
  %index = arith.index_cast %label : i64 to index
  %z = stream.instance "z" @logits(%kernel, %normal) : (tensor<10x33xf64>, tensor<32xf64>) -> tensor<10xf64>
  %entropy = stream.instance "entropy" @cross_entropy(%z, %index) : (tensor<10xf64>, index) -> f64
  %loss = stream.when %entropy, %train : f64
  %smooth_loss = stream.instance "smooth" @smooth(%loss) : (f64) -> f64

  %z_alone = stream.instance "z_alone" @logits(%kernel, %alone) : (tensor<10x33xf64>, tensor<32xf64>) -> tensor<10xf64>
  %guess = array.argmax %z_alone : (tensor<10xf64>) -> index
  %is_right = arith.cmpi eq, %guess, %index : index
  %share = stream.instance "share" @share(%is_right, %train, %epoch_end) : (i1, i1, i1) -> f64
  %accuracy = stream.when %share, %epoch_end : f64
  stream.yield %loss, %smooth_loss, %accuracy : f64, f64, f64
}
