// RUN: mlopt view --egraph %s --function @f -o %t.svg
// RUN: FileCheck %s --input-file=%t.svg
// RUN: mlopt view --egraph %s --function @f > %t.again.svg
// RUN: cmp %t.svg %t.again.svg
// RUN: mlopt view --egraph %s --function @f --limit 2 -o %t.small.svg 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s --check-prefix=SMALL --input-file=%t.small.svg
// RUN: mlopt view --egraph %s -o %t.all.svg
// RUN: FileCheck %s --check-prefix=ALL --input-file=%t.all.svg
// RUN: not mlopt view --egraph %s --driver normalise 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlopt view %s 2>&1 | FileCheck %s --check-prefix=WHAT
// A picture of the e-graph: x·y + x·z and x·(y + z) are in one class, and the second is extracted.

// CHECK:      <svg
// CHECK:      >@f</text>
// CHECK:      classes, {{[0-9]+}} e-nodes</text>
// CHECK:      class="edge chosen"
// CHECK:      class="title" {{.*}}cost {{[0-9.]+}} result 0</text>
// CHECK-DAG:  class="plain" {{.*}}> addf reassoc #{{[0-9]+}} #{{[0-9]+}}</text>
// CHECK-DAG:  class="chosen" {{.*}}>▸ mulf reassoc %x #{{[0-9]+}}</text>
// CHECK:      class="chosen" {{.*}}>▸ addf reassoc %y %z</text>
// NOTE:       @f: 2 of {{[0-9]+}} classes are drawn, the cheapest term and the classes nearest to it
// SMALL:      2 of {{[0-9]+}} classes are drawn
// SMALL:      ▸ addf reassoc %y %z
// SMALL-NOT:  class="title"
// ALL:        >@f</text>
// ALL:        >@sum</text>
// ALL:        >▸ sum reassoc length(%v) #{{[0-9]+}}</text>
// ALL:        >▸ get %v i@0&lt;length(%v)</text>
// NONE:       view.mlir: error: expected an e-graph to draw, found none, because saturation did not run
// WHAT:       --egraph

func.func @f(%x: f64, %y: f64, %z: f64) -> f64 {
  %a = arith.mulf %x, %y fastmath<reassoc> : f64
  %b = arith.mulf %x, %z fastmath<reassoc> : f64
  %s = arith.addf %a, %b fastmath<reassoc> : f64
  return %s : f64
}

func.func @sum(%v: tensor<?xf64>) -> f64 {
  %w = math.sin %v : tensor<?xf64>
  %s = array.sum %w {fastmath = #arith.fastmath<reassoc>} : (tensor<?xf64>) -> f64
  return %s : f64
}
