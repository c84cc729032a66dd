// RUN: mlopt run %s --interpret --node @mixture_of_experts \
// RUN:   --input 'x=[[0.5, -0.3], [-0.4, 0.2], [0, 0.6], [-0.25, -1], [0.75, 0.5], [0, -0.5], [-1, 0.1]]' \
// RUN:   --initial 'o1.kernel0=[[0.55, -0.94], [0.41, -0.25]]' --chronogram --show o1 --show o2 --show o3 | FileCheck %s
// RUN: mlopt run %s --node @mixture_of_experts \
// RUN:   --input 'x=[[0.5, -0.3], [-0.4, 0.2], [0, 0.6], [-0.25, -1], [0.75, 0.5], [0, -0.5], [-1, 0.1]]' \
// RUN:   --initial 'o1.kernel0=[[0.55, -0.94], [0.41, -0.25]]' --chronogram --show g1 --show g2 --show g3 | FileCheck %s --check-prefix=GATES
// Three experts, each of which runs only in the cycles in which its gate is open (spec/streams.md 8.5).

// The second expert sums its inputs: only those of its own cycles 1, 3 and 6. In cycle 5 no gate is open.
// CHECK:      {{^}}o  {{ *}}[0.2785 0.14] {{ *}}[-0.23599 0.119475] {{ *}}[0 0.32223] {{ *}}[-0.1625 -0.2] {{ *}}[0.274449 0.367934] {{ *}}[0 0] {{ *}}[-1.72616 -0.690033]{{$}}
// CHECK-NEXT: {{^}}o1 {{ *}}[0.557 0.28] {{ *}}. {{ *}}. {{ *}}. {{ *}}[-0.0575 0.1825] {{ *}}. {{ *}}.{{$}}
// CHECK-NEXT: {{^}}o2 {{ *}}. {{ *}}[-0.4 0.2] {{ *}}. {{ *}}[-0.65 -0.8] {{ *}}. {{ *}}. {{ *}}[-1.65 -0.7]{{$}}
// CHECK-NEXT: {{^}}o3 {{ *}}. {{ *}}[-0.379949 0.197375] {{ *}}[0 0.53705] {{ *}}. {{ *}}[0.635149 0.462117] {{ *}}. {{ *}}[-0.761594 0.099668]{{$}}
// GATES:      {{^}}o  {{ *}}[0.2785 0.14] {{ *}}[-0.23599 0.119475] {{ *}}[0 0.32223] {{ *}}[-0.1625 -0.2] {{ *}}[0.274449 0.367934] {{ *}}[0 0] {{ *}}[-1.72616 -0.690033]{{$}}
// GATES-NEXT: {{^}}g1 {{ *}}0.5 {{ *}}0 {{ *}}0 {{ *}}0 {{ *}}0.75 {{ *}}0 {{ *}}0{{$}}
// GATES-NEXT: {{^}}g2 {{ *}}0 {{ *}}0.4 {{ *}}0 {{ *}}0.25 {{ *}}0 {{ *}}0 {{ *}}1{{$}}
// GATES-NEXT: {{^}}g3 {{ *}}0 {{ *}}0.2 {{ *}}0.6 {{ *}}0 {{ *}}0.5 {{ *}}0 {{ *}}0.1{{$}}

stream.node @gating_network(%x: tensor<2xf64>) -> (g1: f64, g2: f64, g3: f64) {
  %first = arith.constant 0 : index
  %second = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a = array.get %x[%first] : (tensor<2xf64>) -> f64
  %b = array.get %x[%second] : (tensor<2xf64>) -> f64
  %minus_a = arith.negf %a : f64
  %g1 = arith.maximumf %a, %zero : f64
  %g2 = arith.maximumf %minus_a, %zero : f64
  %g3 = arith.maximumf %b, %zero : f64
  stream.yield %g1, %g2, %g3 : f64, f64, f64
}

stream.node @linear_expert(%x: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<2x2xf64>
  %kernel = stream.param "kernel" %kernel0 : tensor<2x2xf64>
  %o = array.build (%row < 2) -> (tensor<2xf64>) {
    %weights = array.get %kernel[%row] : (tensor<2x2xf64>) -> tensor<2xf64>
    %products = arith.mulf %weights, %x : tensor<2xf64>
    %sum = array.sum %products : (tensor<2xf64>) -> f64
    array.yield %sum : f64
  }
  stream.yield %o : tensor<2xf64>
}

stream.node @adding_expert(%x: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %before = stream.fby %zeros, %o : tensor<2xf64>
  %o = arith.addf %x, %before : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

stream.node @squashing_expert(%x: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %o = math.tanh %x : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

// The output of an expert, weighted by its gate; zero if the gate is closed.
stream.node @gated(%gate: f64, %is_open: i1, %said: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %zeros = arith.constant dense<0.0> : tensor<2xf64>
  %merged = stream.merge %is_open, %said, %zeros : tensor<2xf64>
  %loudness = array.replicate %gate : (f64) -> tensor<2xf64>
  %o = arith.mulf %loudness, %merged : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}

stream.node @mixture_of_experts(%x: tensor<2xf64>) -> (o: tensor<2xf64>) {
  %zero = arith.constant 0.0 : f64
  %g1, %g2, %g3 = stream.instance "gates" @gating_network(%x) : (tensor<2xf64>) -> (f64, f64, f64)
  %c1 = arith.cmpf une, %g1, %zero : f64
  %c2 = arith.cmpf une, %g2, %zero : f64
  %c3 = arith.cmpf une, %g3, %zero : f64
  %x1 = stream.when %x, %c1 : tensor<2xf64>
  %x2 = stream.when %x, %c2 : tensor<2xf64>
  %x3 = stream.when %x, %c3 : tensor<2xf64>
  %o1 = stream.instance "o1" @linear_expert(%x1) : (tensor<2xf64>) -> tensor<2xf64>
  %o2 = stream.instance "o2" @adding_expert(%x2) : (tensor<2xf64>) -> tensor<2xf64>
  %o3 = stream.instance "o3" @squashing_expert(%x3) : (tensor<2xf64>) -> tensor<2xf64>
  %y1 = stream.instance "y1" @gated(%g1, %c1, %o1) : (f64, i1, tensor<2xf64>) -> tensor<2xf64>
  %y2 = stream.instance "y2" @gated(%g2, %c2, %o2) : (f64, i1, tensor<2xf64>) -> tensor<2xf64>
  %y3 = stream.instance "y3" @gated(%g3, %c3, %o3) : (f64, i1, tensor<2xf64>) -> tensor<2xf64>
  %y12 = arith.addf %y1, %y2 : tensor<2xf64>
  %o = arith.addf %y12, %y3 : tensor<2xf64>
  stream.yield %o : tensor<2xf64>
}
