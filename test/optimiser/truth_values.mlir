// The order of truth values: `true` is -1 for signed comparisons, and the greatest value for unsigned ones.
// RUN: mlopt %s --egg-optimize=driver=egg -o %t.mlir
// RUN: mlopt run %s --entry @order --arg true --interpret | FileCheck %s --check-prefix=TRUE
// RUN: mlopt run %t.mlir --entry @order --arg true --interpret | FileCheck %s --check-prefix=TRUE
// RUN: mlopt run %s --entry @order --arg true | FileCheck %s --check-prefix=TRUE
// RUN: mlopt run %s --entry @order --arg false --interpret | FileCheck %s --check-prefix=FALSE
// RUN: mlopt run %t.mlir --entry @order --arg false --interpret | FileCheck %s --check-prefix=FALSE
// RUN: mlopt run %s --entry @order --arg false | FileCheck %s --check-prefix=FALSE

// TRUE:       False
// TRUE-NEXT:  True
// TRUE-NEXT:  False
// TRUE-NEXT:  False
// TRUE-NEXT:  True
// FALSE:      False
// FALSE-NEXT: True
// FALSE-NEXT: True
// FALSE-NEXT: False
// FALSE-NEXT: True
func.func @order(%p: i1) -> (i1, i1, i1, i1, i1) {
  %no = arith.constant false
  %yes = arith.constant true
  %less = arith.cmpi slt, %no, %yes : i1
  %at_most = arith.cmpi sle, %yes, %no : i1
  %not = arith.xori %p, %yes : i1
  %above = arith.cmpi sgt, %p, %yes : i1
  %of_other = arith.cmpi slt, %no, %not : i1
  %unsigned = arith.cmpi ult, %no, %yes : i1
  return %less, %at_most, %above, %of_other, %unsigned : i1, i1, i1, i1, i1
}
