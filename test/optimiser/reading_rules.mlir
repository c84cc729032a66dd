// RUN: mlopt equiv %s %s --function @elementwise --with @elementwise.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @elementwise --with @elementwise.loops --pass-pipeline='builtin.module()' --rules=all,-read-elementwise | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @length --with @length.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @length --with @length.loops --pass-pipeline='builtin.module()' --rules=all,-read-length | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @length2 --with @length2.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @length2 --with @length2.loops --pass-pipeline='builtin.module()' --rules=all,-read-length | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @transpose --with @transpose.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @transpose --with @transpose.loops --pass-pipeline='builtin.module()' --rules=all,-read-transpose | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @reshape --with @reshape.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @reshape --with @reshape.loops --pass-pipeline='builtin.module()' --rules=all,-read-reshape | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @replicate --with @replicate.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @replicate --with @replicate.loops --pass-pipeline='builtin.module()' --rules=all,-read-replicate | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @reduction --with @reduction.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @reduction --with @reduction.loops --pass-pipeline='builtin.module()' --rules=all,-read-reduction | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @gather --with @gather.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @gather --with @gather.loops --pass-pipeline='builtin.module()' --rules=all,-read-gather | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @scatter --with @scatter.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @scatter --with @scatter.loops --pass-pipeline='builtin.module()' --rules=all,-read-scatter | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @slice --with @slice.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @slice --with @slice.loops --pass-pipeline='builtin.module()' --rules=all,-read-slice | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @reverse --with @reverse.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @reverse --with @reverse.loops --pass-pipeline='builtin.module()' --rules=all,-read-reverse | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @iota --with @iota.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @iota --with @iota.loops --pass-pipeline='builtin.module()' --rules=all,-read-iota | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @append --with @append.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @append --with @append.loops --pass-pipeline='builtin.module()' --rules=all,-read-append | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @one_hot --with @one_hot.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @one_hot --with @one_hot.loops --pass-pipeline='builtin.module()' --rules=all,-read-one-hot | FileCheck %s --check-prefix=OPEN
// RUN: mlopt equiv %s %s --function @fold --with @fold.loops --pass-pipeline='builtin.module()' --rules=index,array | FileCheck %s --check-prefix=EQUAL
// RUN: not mlopt equiv %s %s --function @fold --with @fold.loops --pass-pipeline='builtin.module()' --rules=all,-read-fold | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt equiv %s %s --function @reshape.not --with @reshape.not.loops --pass-pipeline='builtin.module()' --rules=all --points 0 | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt equiv %s %s --function @reshape.not2 --with @reshape.not2.loops --pass-pipeline='builtin.module()' --rules=all --points 0 | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt equiv %s %s --function @slice.not --with @slice.not.loops --pass-pipeline='builtin.module()' --rules=all --points 0 | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt equiv %s %s --function @append.not --with @append.not.loops --pass-pipeline='builtin.module()' --rules=all --points 0 | FileCheck %s --check-prefix=OPEN
// RUN: not mlopt equiv %s %s --function @fold.not --with @fold.not.loops --pass-pipeline='builtin.module()' --rules=all --points 0 | FileCheck %s --check-prefix=OPEN
// Readings of bulk operations: each operation is equal to its loops, proved by its reading with the rules of indices and
// arrays, but not by all other rules without it; and both sides compute the same values at random and special points.
// EQUAL: {{^}}equal
// OPEN:  {{^}}not known: no

func.func @elementwise(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %z = arith.mulf %a, %b : tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @elementwise.loops(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %a : tensor<?xf64>
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %y = array.get %b[%i] : (tensor<?xf64>) -> f64
    %p = arith.mulf %x, %y : f64
    array.yield %p : f64
  }
  return %z : tensor<?xf64>
}

func.func @length(%a: tensor<3xf64>) -> index {
  %v = array.build (%i < 7) -> (tensor<7xf64>) {
    %x = array.get %a[%i] : (tensor<3xf64>) -> f64
    array.yield %x : f64
  }
  %n = array.length %v : tensor<7xf64>
  return %n : index
}
func.func @length.loops(%a: tensor<3xf64>) -> index {
  %n = arith.constant 7 : index
  return %n : index
}

func.func @length2(%a: tensor<3xf64>, %m: index) -> index {
  %v = array.build (%i < %m) -> (tensor<?xf64>) {
    %x = array.get %a[%i] : (tensor<3xf64>) -> f64
    array.yield %x : f64
  }
  %n = array.length %v : tensor<?xf64>
  return %n : index
}
func.func @length2.loops(%a: tensor<3xf64>, %m: index) -> index {
  %zero = arith.constant 0 : index
  %n = arith.maxsi %m, %zero : index
  return %n : index
}

func.func @transpose(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %z = array.transpose %m [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
func.func @transpose.loops(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = array.length %m axis 0 : tensor<?x?xf64>
  %c = array.length %m axis 1 : tensor<?x?xf64>
  %z = array.build (%i < %c, %j < %r) -> (tensor<?x?xf64>) {
    %x = array.get %m[%j, %i] : (tensor<?x?xf64>) -> f64
    array.yield %x : f64
  }
  return %z : tensor<?x?xf64>
}

func.func @reshape(%m: tensor<?x4xf64>) -> tensor<?xf64> {
  %r = array.length %m : tensor<?x4xf64>
  %four = arith.constant 4 : index
  %n = arith.muli %r, %four : index
  %z = array.reshape %m sizes(%n) : (tensor<?x4xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @reshape.loops(%m: tensor<?x4xf64>) -> tensor<?xf64> {
  %r = array.length %m : tensor<?x4xf64>
  %four = arith.constant 4 : index
  %n = arith.muli %r, %four : index
  %z = array.build (%k < %n) -> (tensor<?xf64>) {
    %i = array.div %k, %four : index
    %j = array.mod %k, %four : index
    %x = array.get %m[%i, %j] : (tensor<?x4xf64>) -> f64
    array.yield %x : f64
  }
  return %z : tensor<?xf64>
}

func.func @replicate(%x: f64, %n: index) -> tensor<?xf64> {
  %z = array.replicate %x, %n : (f64) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @replicate.loops(%x: f64, %n: index) -> tensor<?xf64> {
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    array.yield %x : f64
  }
  return %z : tensor<?xf64>
}

func.func @reduction(%m: tensor<?x?xf64>) -> tensor<?xf64> {
  %z = array.sum %m axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @reduction.loops(%m: tensor<?x?xf64>) -> tensor<?xf64> {
  %r = array.length %m axis 0 : tensor<?x?xf64>
  %z = array.build (%i < %r) -> (tensor<?xf64>) {
    %row = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %s = array.sum %row : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?xf64>
}

func.func @gather(%a: tensor<?xf64>) -> tensor<5xf64> {
  %two = arith.constant 2 : index
  %z = array.gather %a : tensor<?xf64> (%i < 5) -> (tensor<5xf64>) {
    %p = arith.muli %i, %two : index
    array.yield %p : index
  }
  return %z : tensor<5xf64>
}
func.func @gather.loops(%a: tensor<?xf64>) -> tensor<5xf64> {
  %two = arith.constant 2 : index
  %z = array.build (%i < 5) -> (tensor<5xf64>) {
    %p = arith.muli %i, %two : index
    %x = array.get %a[%p] : (tensor<?xf64>) -> f64
    array.yield %x : f64
  }
  return %z : tensor<5xf64>
}

func.func @scatter(%x: tensor<3x2xf64>, %a: tensor<4x2xf64>) -> tensor<4x2xf64> {
  %two = arith.constant 2 : index
  %z = array.scatter %x into %a : tensor<3x2xf64> into tensor<4x2xf64> (%k) {
    %p = arith.muli %k, %two : index
    array.yield %p : index
  }
  return %z : tensor<4x2xf64>
}
func.func @scatter.loops(%x: tensor<3x2xf64>, %a: tensor<4x2xf64>) -> tensor<4x2xf64> {
  %two = arith.constant 2 : index
  %z = array.scatter %x into %a : tensor<3x2xf64> into tensor<4x2xf64> (%k, %l) {
    %p = arith.muli %k, %two : index
    array.yield %p, %l : index, index
  }
  return %z : tensor<4x2xf64>
}

func.func @slice(%a: tensor<?xf64>, %s: index, %n: index) -> tensor<?xf64> {
  %z = array.slice %a from %s size %n : (tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @slice.loops(%a: tensor<?xf64>, %s: index, %n: index) -> tensor<?xf64> {
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %p = arith.addi %s, %i : index
    %x = array.get %a[%p] : (tensor<?xf64>) -> f64
    array.yield %x : f64
  }
  return %z : tensor<?xf64>
}

func.func @reverse(%a: tensor<?xf64>) -> tensor<?xf64> {
  %z = array.reverse %a : tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @reverse.loops(%a: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %a : tensor<?xf64>
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %z = array.build (%i < %n) -> (tensor<?xf64>) {
    %p = arith.subi %last, %i : index
    %x = array.get %a[%p] : (tensor<?xf64>) -> f64
    array.yield %x : f64
  }
  return %z : tensor<?xf64>
}

func.func @iota() -> tensor<5xindex> {
  %z = array.iota : tensor<5xindex>
  return %z : tensor<5xindex>
}
func.func @iota.loops() -> tensor<5xindex> {
  %z = array.build (%i < 5) -> (tensor<5xindex>) {
    array.yield %i : index
  }
  return %z : tensor<5xindex>
}

func.func @append(%a: tensor<?xf64>, %b: tensor<3xf64>) -> tensor<?xf64> {
  %z = array.append %a, %b : (tensor<?xf64>, tensor<3xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @append.loops(%a: tensor<?xf64>, %b: tensor<3xf64>) -> tensor<?xf64> {
  %n = array.length %a : tensor<?xf64>
  %three = arith.constant 3 : index
  %both = arith.addi %n, %three : index
  %z = array.build (%i < %both) -> (tensor<?xf64>) {
    %first = arith.cmpi slt, %i, %n : index
    %at = arith.subi %i, %n : index
    %x = array.get %a[%i] : (tensor<?xf64>) -> f64
    %y = array.get %b[%at] : (tensor<3xf64>) -> f64
    %e = arith.select %first, %x, %y : f64
    array.yield %e : f64
  }
  return %z : tensor<?xf64>
}

func.func @one_hot(%x: f64, %p: index) -> tensor<5xf64> {
  %z = array.one_hot %x at [%p] : (f64) -> tensor<5xf64>
  return %z : tensor<5xf64>
}
func.func @one_hot.loops(%x: f64, %p: index) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %z = array.build (%i < 5) -> (tensor<5xf64>) {
    %here = arith.cmpi eq, %i, %p : index
    %e = arith.select %here, %x, %zero : f64
    array.yield %e : f64
  }
  return %z : tensor<5xf64>
}

func.func @fold(%a: tensor<?xf64>, %x: f64) -> f64 {
  %z = array.fold (%r = %a : tensor<?xf64>) iter_args(%s = %x) -> (f64) {
    %e = math.exp %s : f64
    %t = arith.mulf %e, %r : f64
    array.yield %t : f64
  }
  return %z : f64
}
func.func @fold.loops(%a: tensor<?xf64>, %x: f64) -> f64 {
  %n = array.length %a : tensor<?xf64>
  %z = array.ifold (%i < %n) iter_args(%s = %x) -> (f64) {
    %r = array.get %a[%i] : (tensor<?xf64>) -> f64
    %e = math.exp %s : f64
    %t = arith.mulf %e, %r : f64
    array.yield %t : f64
  }
  return %z : f64
}

// Operations that violate the condition of a reading, and the result that the reading would have without it.
func.func @reshape.not(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = array.length %m axis 0 : tensor<?x?xf64>
  %c = array.length %m axis 1 : tensor<?x?xf64>
  %z = array.reshape %m sizes(%c, %r) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}
func.func @reshape.not.loops(%m: tensor<?x?xf64>) -> tensor<?x?xf64> {
  return %m : tensor<?x?xf64>
}

// Only the number of all elements is guaranteed.
func.func @reshape.not2(%m: tensor<?x?xf64>, %n: index) -> index {
  %z = array.reshape %m sizes(%n) : (tensor<?x?xf64>) -> tensor<?xf64>
  %l = array.length %z : tensor<?xf64>
  return %l : index
}
func.func @reshape.not2.loops(%m: tensor<?x?xf64>, %n: index) -> index {
  %l = array.length %m : tensor<?x?xf64>
  return %l : index
}

func.func @slice.not(%a: tensor<8xf64>) -> tensor<4xf64> {
  %z = tensor.extract_slice %a[0] [4] [2] : tensor<8xf64> to tensor<4xf64>
  return %z : tensor<4xf64>
}
func.func @slice.not.loops(%a: tensor<8xf64>) -> tensor<4xf64> {
  %z = array.build (%i < 4) -> (tensor<4xf64>) {
    %x = array.get %a[%i] : (tensor<8xf64>) -> f64
    array.yield %x : f64
  }
  return %z : tensor<4xf64>
}

func.func @append.not(%a: tensor<2x2xf64>, %b: tensor<2x0xf64>) -> tensor<2x2xf64> {
  %z = tensor.concat dim(1) %a, %b : (tensor<2x2xf64>, tensor<2x0xf64>) -> tensor<2x2xf64>
  return %z : tensor<2x2xf64>
}
func.func @append.not.loops(%a: tensor<2x2xf64>, %b: tensor<2x0xf64>) -> tensor<2x2xf64> {
  return %a : tensor<2x2xf64>
}

func.func @fold.not(%a: tensor<3xf64>, %x: f64) -> tensor<3xf64> {
  %z:2 = array.map_accum (%r = %a : tensor<3xf64>) iter_args(%s = %x) -> (f64, tensor<3xf64>) {
    %t = arith.mulf %s, %r : f64
    array.yield %t, %t : f64, f64
  }
  return %z#1 : tensor<3xf64>
}
func.func @fold.not.loops(%a: tensor<3xf64>, %x: f64) -> tensor<3xf64> {
  %z = array.build (%i < 3) -> (tensor<3xf64>) {
    %r = array.get %a[%i] : (tensor<3xf64>) -> f64
    %t = arith.mulf %x, %r : f64
    array.yield %t : f64
  }
  return %z : tensor<3xf64>
}
