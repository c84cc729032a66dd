// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=los})' 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=y})' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{node=fitt})' 2>&1 | FileCheck %s --check-prefix=NODE
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{optimiser=adamm})' 2>&1 | FileCheck %s --check-prefix=OPTIMISER
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{optimiser=@adam})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{optimiser=@fit})' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{optimiser=@sampled})' 2>&1 | FileCheck %s --check-prefix=SAMPLED
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{optimiser=@checked})' 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{optimiser=@parts})' 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=open loss=loss},stream-train)' 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit loss=loss},stream-train{end=x})' 2>&1 | FileCheck %s --check-prefix=END
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=two loss=loss},stream-train)' 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=two loss=loss},stream-train{end=c})' 2>&1 | FileCheck %s --check-prefix=WITHIN
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=sum loss=y},stream-train)' 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit truncate=0})' 2>&1 | FileCheck %s --check-prefix=CYCLES
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=fit truncate=x})' 2>&1 | FileCheck %s --check-prefix=STREAM
// RUN: not mlopt %s --pass-pipeline='builtin.module(stream-grad{node=slow truncate=c})' 2>&1 | FileCheck %s --check-prefix=CLOCK
// Nodes that cannot be trained, with the reason.

// LOSS: error: {{.*}}stream-grad: the option `loss` must name an output of the node, found `los`; expected one of `loss`, `y`
// NUMBER: error: {{.*}}stream-grad: the loss `y` must be a float scalar, found tensor<2xf64>
// NODE: error: {{.*}}stream-train: expected a node `@fitt_grad` with adjoints of parameters, found none; run `stream-grad` first
// OPTIMISER: error: {{.*}}stream-train: the option `optimiser` must be sgd, momentum, adam or a node of the program, as `@name`, found `adamm`
// UNKNOWN: error: {{.*}}as `@name`, found `@adam`
// TYPE: error: {{.*}}an optimiser must have type (f64, f64, f64) -> f64: it takes a parameter, its gradient and a learning rate, and returns the updated parameter; found (tensor<2xf64>) -> (f64, tensor<2xf64>)
// END: error: {{.*}}stream-train: the option `end` must name a Boolean stream of the node, found `x`
// CYCLES: error: {{.*}}stream-grad: the option `truncate`: expected a positive number of cycles, or the name of a Boolean stream, found `0`
// STREAM: error: {{.*}}stream-grad: the option `truncate`: expected a positive number of cycles, or the name of a Boolean stream, found `x`
stream.node @fit(%x: tensor<2xf64>) -> (loss: f64, y: tensor<2xf64>) {
  %w0 = arith.constant dense<[1.0, -1.0]> : tensor<2xf64>
  %w = stream.param "w" %w0 : tensor<2xf64>
  %y = arith.mulf %w, %x : tensor<2xf64>
  %loss = array.sum %y : (tensor<2xf64>) -> f64
  stream.yield %loss, %y : f64, tensor<2xf64>
}

// SAMPLED: error: 'stream.when' op not supported: the condition of this op must not depend on elements of the array that an optimiser updates; use `arith.select` instead
stream.node @sampled(%p: f64, %g: f64, %rate: f64) -> (next: f64) {
  %zero = arith.constant 0.0 : f64
  %is_up = arith.cmpf ogt, %g, %zero : f64
  %a = stream.when %p, %is_up : f64
  %b = stream.when %g, not %is_up : f64
  %next = stream.merge %is_up, %a, %b : f64
  stream.yield %next : f64
}

// OP: error: 'array.replicate' op not supported: an optimiser of arrays must use only ops of `arith`, `math` and `stream`, found 'array.replicate'
stream.node @checked(%p: f64, %g: f64, %rate: f64) -> (next: f64) {
  %gs = array.replicate %g : (f64) -> tensor<3xf64>
  %sum = array.sum %gs : (tensor<3xf64>) -> f64
  %next = arith.addf %p, %sum : f64
  stream.yield %next : f64
}

// PARTS: error: 'stream.instance' op expected a node without instances: run `stream-inline` first
stream.node @parts(%p: f64, %g: f64, %rate: f64) -> (next: f64) {
  %next = stream.instance "all" @sampled(%p, %g, %rate) : (f64, f64, f64) -> f64
  stream.yield %next : f64
}

// SIZES: error: not supported: 'stream.param': the parameter `w` must have static sizes
stream.node @open(%x: tensor<?xf64>) -> (loss: f64) {
  %w0 = stream.initial "w0" "glorot_uniform" : tensor<?xf64>
  %w = stream.param "w" %w0 : tensor<?xf64>
  %y = arith.mulf %w, %x : tensor<?xf64>
  %loss = array.sum %y : (tensor<?xf64>) -> f64
  stream.yield %loss : f64
}

// Two definitions of sequences: a step between two ends would precede its gradient.
// TWO: error: 'stream.node' op stream-train: the recurrences have several end conditions, {{.*}}, {{.*}}; set the option `end` to a stream that is true in every cycle in which all recurrences end together
// WITHIN: error: {{.*}}E-{{[A-Z]*}}: forward and backward recurrences depend on each other in {{.*}}; expected a condition that divides the cycles into sequences
stream.node @two(%x: f64, %c: i1, %d: i1) -> (loss: f64) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %k = stream.param "k" %one : f64
  %kx = arith.mulf %k, %x : f64
  %a_next = stream.post %a : f64
  %a_later = stream.select %c, %zero, %a_next : f64
  %a = arith.addf %kx, %a_later : f64
  %b_next = stream.post %b : f64
  %b_later = stream.select %d, %zero, %b_next : f64
  %b = arith.addf %kx, %b_later : f64
  %loss = arith.mulf %a, %b : f64
  stream.yield %loss : f64
}

// ENDLESS: error: 'stream.post' op E-PRODUCTIVITY: the gradient of a recurrence through `stream.fby` is computed backward from the end of the recurrence, but no condition ends the recurrence
stream.node @sum(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %k = stream.param "k" %one : f64
  %kx = arith.mulf %k, %x : f64
  %p = stream.fby %zero, %y : f64
  %y = arith.addf %p, %kx : f64
  stream.yield %y : f64
}

// CLOCK: error: {{.*}}E-CLOCK: the option `truncate`: `c` must be on the clock `. on c`, found `.`
// CLOCK: note: this delay is on the clock `. on c`
stream.node @slow(%x: f64, %c: i1) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %k = stream.param "k" %one : f64
  %kx = arith.mulf %k, %x : f64
  %s = stream.when %kx, %c : f64
  %p = stream.fby %zero, %y : f64
  %y = arith.addf %p, %s : f64
  stream.yield %y : f64
}
