// Run-time errors have a location in the file, whatever the names of locations.
// RUN: not mlopt run %s --entry @sizes --arg '[1, 2, 3, 4]' --arg '[1]' 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: `@sizes`: operands of 'arith.addf' have different sizes ({{.*}}places.mlir:[[#@LINE+7]]:8)
// RUN: not mlopt run %s --entry @check --arg '[1, 2, 3, 4]' --arg 9 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not mlopt run %s --entry @check --arg '[1, 2, 3, 4]' --arg 9 --interpret 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: {{^}}f.py:3:4: error: index-out-of-bounds: index 9 of extent 4

func.func @sizes(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {

  %s = arith.addf %x, %y : tensor<?xf64>
  return %s : tensor<?xf64>
}
func.func @check(%x: tensor<4xf64>, %i: index) -> f64 {
  %n = arith.constant 4 : index
  %is = arith.cmpi ult, %i, %n : index
  array.check %is, "index-out-of-bounds", "index {} of extent {}"(%i, %n : index, index) loc("jit(f)/get"("f.py":3:4))
  %y = array.get %x[%i] : (tensor<4xf64>) -> f64
  return %y : f64
}
