// RUN: mlopt run %s --node @f --input 'x=[0, 1, 2, 3, 4, 5]' --input 'c=[1, 1, 0, 1, 1, 1]' --input 'd=[1, 0, 1, 0, 1, 0]' --plot %t.svg --print none
// RUN: cat %t.svg | FileCheck %s
// RUN: mlopt run %s --node @f --input 'x=[0, 1, nan, 3, inf, 5]' --input c=1 --input d=0 --plot y=%t.svg --print none
// RUN: cat %t.svg | FileCheck %s --check-prefix=GAPS
// RUN: mlopt run %s --node @h --input 'h=[[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]], [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]]' --plot %t.svg --print none
// RUN: cat %t.svg | FileCheck %s --check-prefix=ARRAY
// RUN: not mlopt run %s --node @f --input 'x=[nan, nan]' --input c=1 --input d=0 --plot %t.svg --print none 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not mlopt run %s --node @f --input 'x=[0]' --input c=1 --input d=0 --ticks 0 --plot %t.svg --print none 2>&1 | FileCheck %s --check-prefix=NOTHING
// Plots of streams: a line for each output, and a title, axes and a legend.

// NOTHING: error: {{.*}}.svg: nothing to plot: expected a series with at least one finite point

// A cycle without a value is a gap, and a single value between gaps is a dot. The last two lines are those of the legend.
// CHECK:         <svg
// CHECK:         {{^}}@f{{$}}
// CHECK:         {{^}}cycle{{$}}
// CHECK-NOT:     {{<polyline .*"#D55E00"|<circle}}
// CHECK-COUNT-2: <polyline {{.*}} stroke="#0072B2"
// CHECK-NOT:     {{<polyline|<circle .*"#0072B2"}}
// CHECK-COUNT-3: <circle {{.*}} fill="#D55E00"
// CHECK-NOT:     {{<polyline|<circle}}
// CHECK:         {{^}}y{{$}}
// CHECK:         {{^}}z{{$}}
// CHECK:         <polyline {{.*}} stroke="#0072B2"
// CHECK:         <polyline {{.*}} stroke="#D55E00"
// CHECK-NOT:     <polyline
// CHECK:         {{^}}</svg>

// So is a cycle with a value that is not finite. A single series needs no legend.
// GAPS:         {{^}}cycle{{$}}
// GAPS-COUNT-1: <polyline {{.*}} stroke="#0072B2"
// GAPS-NOT:     <polyline
// GAPS-COUNT-2: <circle {{.*}} fill="#0072B2"
// GAPS-NOT:     <circle
// GAPS-NOT:     {{^}}y{{$}}
stream.node @f(%x: f64, %c: i1, %d: i1) -> (y: f64, z: f64) {
  %y = stream.when %x, %c : f64
  %m = arith.negf %x : f64
  %z = stream.when %m, %d : f64
  stream.yield %y, %z : f64, f64
}

// Only the first elements of large arrays are drawn.
// ARRAY:     {{^}}g: 8 of 10 elements are drawn, the first ones{{$}}
// ARRAY:     {{^}}g[1][2]{{$}}
// ARRAY-NOT: {{^}}g[1][3]{{$}}
stream.node @h(%h: tensor<2x5xf64>) -> (g: tensor<2x5xf64>) {
  %g = arith.addf %h, %h : tensor<2x5xf64>
  stream.yield %g : tensor<2x5xf64>
}
