// RUN: mlopt run %s --node @u --input 'n=[1, 5]' --input 'x=[0.5, 1]' --input c=1 --tail show --vcd %t.vcd --print none
// RUN: cat %t.vcd | FileCheck %s --match-full-lines --check-prefix=U
// RUN: mlopt run %s --node @f --input 'c=[true, false, true]' --input 'n=[5, 5, -1]' --input 'x=[0.25, 1, -0.0005]' --show a.b.k --show a.b.y --vcd %t.vcd --print none
// RUN: cat %t.vcd | FileCheck %s --match-full-lines --check-prefix=F
// RUN: printf '{"c":true,"n":5,"x":0.25}\n{"c":false,"n":5,"x":1}\n{"c":true,"n":-1,"x":-0.0005}\n' | mlopt run %s --node @f --inputs - --show a.b.k --show a.b.y --vcd %t.live.vcd --print none
// RUN: cmp %t.vcd %t.live.vcd
// RUN: mlopt run %s --node @g --input 'p=[true, ., false, false]' --input 'n=[[0, -2], ., [0, 3], [0, 3]]' --input 'c=[true, ., false, true]' --tail show --vcd %t.vcd --print none
// RUN: cat %t.vcd | FileCheck %s --match-full-lines --check-prefix=G
// RUN: mlopt run %s --node @h --input 'h=[[[0.25, inf]]]' --vcd %t.vcd --print none
// RUN: cat %t.vcd | FileCheck %s --match-full-lines --check-prefix=H
// RUN: mlopt run %s --node @h --input 'h=[[[0.25, inf]]]' --ticks 0 --vcd %t.vcd --print none
// RUN: cat %t.vcd | FileCheck %s --match-full-lines --check-prefix=NOTHING
// Traces for waveform viewers, which write changes only. They are the same if the inputs arrive one by one.

// Instances are scopes.
// F:      $timescale 1 ns $end
// F-NEXT: $scope module f $end
// F-NEXT: $var wire 1 ! c $end
// F-NEXT: $var wire 64 " n [63:0] $end
// F-NEXT: $var real 64 # x $end
// F-NEXT: $var wire 1 $ y?present $end
// F-NEXT: $var real 64 % y $end
// F-NEXT: $scope module a $end
// F-NEXT: $scope module b $end
// F-NEXT: $var real 64 & k $end
// F-NEXT: $var real 64 ' y $end
// F-NEXT: $upscope $end
// F-NEXT: $upscope $end
// F-NEXT: $upscope $end
// F-NEXT: $enddefinitions $end
// F-NEXT: #0
// F-NEXT: $dumpvars
// F-NEXT: 1!
// F-NEXT: b101 "
// F-NEXT: r0.25 #
// F-NEXT: 1$
// F-NEXT: r0.5 %
// F-NEXT: r2 &
// F-NEXT: r0.5 '
// F-NEXT: $end
// F-NEXT: #1
// F-NEXT: 0!
// F-NEXT: r1 #
// F-NEXT: 0$
// F-NEXT: rNaN %
// F-NEXT: r2 '
// F-NEXT: #2
// F-NEXT: 1!
// F-NEXT: b1111111111111111111111111111111111111111111111111111111111111111 "
// F-NEXT: r-0.0005 #
// F-NEXT: 1$
// F-NEXT: r-0.001 %
// F-NEXT: r-0.001 '
// F-NEXT: #3
stream.node @scale(%x: f64) -> (y: f64) {
  %two = arith.constant 2.0 : f64
  %k = stream.param "k" %two : f64
  %y = arith.mulf %k, %x : f64
  stream.yield %y : f64
}
stream.node @outer(%x: f64) -> (y: f64) {
  %y = stream.instance "b" @scale(%x) : (f64) -> f64
  stream.yield %y : f64
}
stream.node @f(%c: i1, %n: i64, %x: f64) -> (y: f64) {
  %a = stream.instance "a" @outer(%x) : (f64) -> f64
  %y = stream.when %a, %c : f64
  stream.yield %y : f64
}

// Absent is z, undetermined is x, and an array has a variable for each element.
// G:      $timescale 1 ns $end
// G-NEXT: $scope module g $end
// G-NEXT: $var wire 1 ! p $end
// G-NEXT: $var wire 32 " n[0] [31:0] $end
// G-NEXT: $var wire 32 # n[1] [31:0] $end
// G-NEXT: $var wire 1 $ c $end
// G-NEXT: $var wire 1 % q $end
// G-NEXT: $var wire 32 & s[0] [31:0] $end
// G-NEXT: $var wire 32 ' s[1] [31:0] $end
// G-NEXT: $upscope $end
// G-NEXT: $enddefinitions $end
// G-NEXT: #0
// G-NEXT: $dumpvars
// G-NEXT: 1!
// G-NEXT: b0 "
// G-NEXT: b11111111111111111111111111111110 #
// G-NEXT: 1$
// G-NEXT: 0%
// G-NEXT: b0 &
// G-NEXT: b11111111111111111111111111111110 '
// G-NEXT: $end
// G-NEXT: #1
// G-NEXT: z!
// G-NEXT: bz "
// G-NEXT: bz #
// G-NEXT: z$
// G-NEXT: z%
// G-NEXT: bz &
// G-NEXT: bz '
// G-NEXT: #2
// G-NEXT: 0!
// G-NEXT: b0 "
// G-NEXT: b11 #
// G-NEXT: 0$
// G-NEXT: 0%
// G-NEXT: #3
// G-NEXT: 1$
// G-NEXT: x%
// G-NEXT: b0 &
// G-NEXT: b11 '
// G-NEXT: #4
stream.node @g(%p: i1, %n: tensor<2xi32>, %c: i1) -> (q: i1, s: tensor<2xi32>) {
  %q = stream.post %p : i1
  %s = stream.when %n, %c : tensor<2xi32>
  stream.yield %q, %s : i1, tensor<2xi32>
}

// H:      $timescale 1 ns $end
// H-NEXT: $scope module h $end
// H-NEXT: $var real 64 ! h[0][0] $end
// H-NEXT: $var real 64 " h[0][1] $end
// H-NEXT: $var real 64 # h2[0][0] $end
// H-NEXT: $var real 64 $ h2[0][1] $end
// H-NEXT: $upscope $end
// H-NEXT: $enddefinitions $end
// H-NEXT: #0
// H-NEXT: $dumpvars
// H-NEXT: r0.25 !
// H-NEXT: rinf "
// H-NEXT: r0.5 #
// H-NEXT: rinf $
// H-NEXT: $end
// H-NEXT: #1
// NOTHING:      $timescale 1 ns $end
// NOTHING-NEXT: $scope module h $end
// NOTHING-NEXT: $var real 64 ! h[0][0] $end
// NOTHING-NEXT: $var real 64 " h[0][1] $end
// NOTHING-NEXT: $var real 64 # h2[0][0] $end
// NOTHING-NEXT: $var real 64 $ h2[0][1] $end
// NOTHING-NEXT: $upscope $end
// NOTHING-NEXT: $enddefinitions $end
// NOTHING-NEXT: #0
// NOTHING-NOT: {{.+}}
stream.node @h(%h: tensor<1x2xf32>) -> (h2: tensor<1x2xf32>) {
  %h2 = arith.addf %h, %h : tensor<1x2xf32>
  stream.yield %h2 : tensor<1x2xf32>
}

// Undetermined numbers: an integer is x, and so is the presence of a float.
// U:      #0
// U-NEXT: $dumpvars
// U:      b101 [[M:.]]
// U-NEXT: 1[[PRESENT:.]]
// U-NEXT: r1 [[Y:.]]
// U-NEXT: $end
// U-NEXT: #1
// U:      bx [[M]]
// U-NEXT: x[[PRESENT]]
// U-NEXT: rNaN [[Y]]
// U-NEXT: #2
stream.node @u(%n: i32, %x: f64, %c: i1) -> (m: i32, y: f64) {
  %m = stream.post %n : i32
  %w = stream.when %x, %c : f64
  %y = stream.post %w : f64
  stream.yield %m, %y : i32, f64
}
