// RUN: mlopt run %s --node @open --tail show --input 'x=[1, 0, 1, 1]' --input 'y=[., 5, 6, 7]' | FileCheck %s
// RUN: mlopt run %s --interpret --node @open --tail show --input 'x=[1, 0, 1, 1]' --input 'y=[., 5, 6, 7]' | FileCheck %s
// An input on a clock that looks ahead: its value is available before it is known whether the clock ticks.
// CHECK:      {"c":false,"cycle":0}
// CHECK-NEXT: {"c":true,"cycle":1,"u":12}
// CHECK-NEXT: {"c":true,"cycle":2,"u":13}
// CHECK-NEXT: {"cycle":3}
stream.node @open(%x: i1, %y: i64) -> (c: i1, u: i64) {
  %c = stream.post %x : i1
  %seven = arith.constant 7 : i64
  %sevens = stream.when %seven, %c : i64
  %u = arith.addi %sevens, %y : i64
  stream.yield %c, %u : i1, i64
}
