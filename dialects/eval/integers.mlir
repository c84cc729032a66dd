// RUN: mlopt check-calls %s --way eval
// Integers of every width: they wrap, and unsigned ops read them as unsigned numbers. The results are listed; nothing is
// compiled.

// CALL: @wraps [127, -128, -128] [1, -1, 2] -> [-128, 127, -126] [126, -127, 126] [127, -128, 0]
func.func @wraps(%x: tensor<?xi8>, %y: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) {
  %a = arith.addi %x, %y : tensor<?xi8>
  %b = arith.subi %x, %y : tensor<?xi8>
  %c = arith.muli %x, %y : tensor<?xi8>
  return %a, %b, %c : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>
}

// CALL: @wraps_16 32767 2 -> -32767 -2
func.func @wraps_16(%x: i16, %y: i16) -> (i16, i16) {
  %a = arith.addi %x, %y : i16
  %c = arith.muli %x, %y : i16
  return %a, %c : i16, i16
}

// CALL: @divisions -7 2 -> -3 -1 -4 -3 124 1 125
// CALL: @divisions -128 127 -> -1 -1 -2 -1 1 1 2
// CALL: @divisions -128 -1 fails: 'arith.divsi' op divides -128 by -1, which overflows and is undefined
// CALL: @divisions 1 0 fails: 'arith.divsi' op divides by zero, which is undefined
func.func @divisions(%x: i8, %y: i8) -> (i8, i8, i8, i8, i8, i8, i8) {
  %a = arith.divsi %x, %y : i8
  %b = arith.remsi %x, %y : i8
  %c = arith.floordivsi %x, %y : i8
  %d = arith.ceildivsi %x, %y : i8
  %e = arith.divui %x, %y : i8
  %f = arith.remui %x, %y : i8
  %g = arith.ceildivui %x, %y : i8
  return %a, %b, %c, %d, %e, %f, %g : i8, i8, i8, i8, i8, i8, i8
}

// The least integer divided by -1 is itself; nothing is undefined.
// CALL: @total [-128, -128, 7, -7, 5] [-1, 3, -2, 2, 0] -> [-128, -43, -4, -4, 0] [0, 1, -1, 1, 5]
func.func @total(%x: tensor<5xi8>, %y: tensor<5xi8>) -> (tensor<5xi8>, tensor<5xi8>) {
  %a = array.div %x, %y : tensor<5xi8>
  %b = array.mod %x, %y : tensor<5xi8>
  return %a, %b : tensor<5xi8>, tensor<5xi8>
}

// CALL: @order -1 1 -> 1 -1 -1 1 true false false true
func.func @order(%x: i16, %y: i16) -> (i16, i16, i16, i16, i1, i1, i1, i1) {
  %a = arith.maxsi %x, %y : i16
  %b = arith.minsi %x, %y : i16
  %c = arith.maxui %x, %y : i16
  %d = arith.minui %x, %y : i16
  %e = arith.cmpi slt, %x, %y : i16
  %f = arith.cmpi sge, %x, %y : i16
  %g = arith.cmpi ult, %x, %y : i16
  %h = arith.cmpi uge, %x, %y : i16
  return %a, %b, %c, %d, %e, %f, %g, %h : i16, i16, i16, i16, i1, i1, i1, i1
}

// `true` is -1 for signed ops.
// CALL: @booleans true false -> false true true false true false
func.func @booleans(%x: i1, %y: i1) -> (i1, i1, i1, i1, i1, i1) {
  %a = arith.maxsi %x, %y : i1
  %b = arith.minsi %x, %y : i1
  %c = arith.maxui %x, %y : i1
  %d = arith.minui %x, %y : i1
  %e = arith.cmpi slt, %x, %y : i1
  %f = arith.cmpi ult, %x, %y : i1
  return %a, %b, %c, %d, %e, %f : i1, i1, i1, i1, i1, i1
}

// CALL: @bits -2 1 -> -4 -1 127 0 -1 -1
// CALL: @bits 65 7 -> -128 0 0 1 71 70
// CALL: @bits 1 8 fails: 'arith.shli' op shifts by 8, expected a distance from 0 to 7
// CALL: @bits 1 -1 fails: 'arith.shli' op shifts by -1, expected a distance from 0 to 7
func.func @bits(%x: i8, %y: i8) -> (i8, i8, i8, i8, i8, i8) {
  %a = arith.shli %x, %y : i8
  %b = arith.shrsi %x, %y : i8
  %c = arith.shrui %x, %y : i8
  %d = arith.andi %x, %y : i8
  %e = arith.ori %x, %y : i8
  %f = arith.xori %x, %y : i8
  return %a, %b, %c, %d, %e, %f : i8, i8, i8, i8, i8, i8
}

// CALL: @counts [-1, 0, 1, -128, 40] -> [8, 0, 1, 1, 2] [0, 8, 7, 0, 2] [0, 8, 0, 7, 3] [1, 0, 1, -128, 40]
func.func @counts(%x: tensor<5xi8>) -> (tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>) {
  %a = math.ctpop %x : tensor<5xi8>
  %b = math.ctlz %x : tensor<5xi8>
  %c = math.cttz %x : tensor<5xi8>
  %d = math.absi %x : tensor<5xi8>
  return %a, %b, %c, %d : tensor<5xi8>, tensor<5xi8>, tensor<5xi8>, tensor<5xi8>
}

// A power wraps; a negative power is rounded to zero.
// CALL: @power [3, 2, -1, -1, 1, 2] [6, 8, -3, -2, -5, -1] -> [-39, 0, -1, 1, 1, 0]
// CALL: @power [0, 0, 0, 0, 0, 0] [0, 0, 0, 0, 0, -1] fails: 'math.ipowi' op raises zero to the power -1, which is undefined
func.func @power(%x: tensor<6xi8>, %n: tensor<6xi8>) -> tensor<6xi8> {
  %z = math.ipowi %x, %n : tensor<6xi8>
  return %z : tensor<6xi8>
}

// CALL: @widened -2 true -> -2 65534 -2 254 -2 4294967294 -1 1
func.func @widened(%x: i8, %p: i1) -> (i16, i64, index, index, i64, i64, i8, i8) {
  %a = arith.extsi %x : i8 to i16
  %b = arith.extui %a : i16 to i64
  %c = arith.index_cast %x : i8 to index
  %d = arith.index_castui %x : i8 to index
  %e = arith.extsi %a : i16 to i32
  %f = arith.extsi %e : i32 to i64
  %g = arith.extui %e : i32 to i64
  %h = arith.extsi %p : i1 to i8
  %i = arith.extui %p : i1 to i8
  return %a, %b, %c, %d, %f, %g, %h, %i : i16, i64, index, index, i64, i64, i8, i8
}

// CALL: @narrowed 511 -> -1 true 511
// CALL: @narrowed 40000 -> 64 false -25536
func.func @narrowed(%x: i32) -> (i8, i1, i16) {
  %a = arith.trunci %x : i32 to i8
  %b = arith.trunci %x : i32 to i1
  %c = arith.trunci %x : i32 to i16
  return %a, %b, %c : i8, i1, i16
}

// CALL: @to_floats -1 true -> -1.0 255.0 -1.0 1.0
func.func @to_floats(%x: i8, %p: i1) -> (f64, f32, f64, f32) {
  %a = arith.sitofp %x : i8 to f64
  %b = arith.uitofp %x : i8 to f32
  %c = arith.sitofp %p : i1 to f64
  %d = arith.uitofp %p : i1 to f32
  return %a, %b, %c, %d : f64, f32, f64, f32
}

// An integer of 64 bits is rounded once: 2⁶⁰ + 2³⁶ + 1 is above the middle between two numbers of f32.
// CALL: @rounded_once 1152921573326323713 -> 1152921642045800448.0 1152921642045800448.0
func.func @rounded_once(%x: i64) -> (f32, f32) {
  %a = arith.sitofp %x : i64 to f32
  %b = arith.uitofp %x : i64 to f32
  return %a, %b : f32, f32
}

// CALL: @of_floats -128.9 255.9 -> -128 -1
// CALL: @of_floats 127.9 -0.9 -> 127 0
// CALL: @of_floats 128.0 0.0 fails: 'arith.fptosi' op converts 128 to an integer, which is out of range and undefined
// CALL: @of_floats 0.0 256.0 fails: 'arith.fptoui' op converts 256 to an integer, which is out of range and undefined
// CALL: @of_floats 0.0 -1.0 fails: 'arith.fptoui' op converts -1 to an integer, which is out of range and undefined
func.func @of_floats(%x: f64, %y: f64) -> (i8, i8) {
  %a = arith.fptosi %x : f64 to i8
  %b = arith.fptoui %y : f64 to i8
  return %a, %b : i8, i8
}

// CALL: @floor [-128.5, 127.5, -0.5, 1e10] -> [-128, 127, -1, 127] [-129, 127, -1, 32767]
func.func @floor(%x: tensor<4xf64>) -> (tensor<4xi8>, tensor<4xi16>) {
  %a = array.floor %x : (tensor<4xf64>) -> tensor<4xi8>
  %b = array.floor %x : (tensor<4xf64>) -> tensor<4xi16>
  return %a, %b : tensor<4xi8>, tensor<4xi16>
}

// CALL: @same_bits 1.0 -1.0 -> 1065353216 -4616189618054758400 1.0
func.func @same_bits(%x: f32, %y: f64) -> (i32, i64, f32) {
  %a = arith.bitcast %x : f32 to i32
  %b = arith.bitcast %y : f64 to i64
  %c = arith.bitcast %a : i32 to f32
  return %a, %b, %c : i32, i64, f32
}

// CALL: @reductions [100, 100, -128] -> 72 0 100 -128 0 2
// CALL: @reductions [] -> 0 1 -128 127 0 0
func.func @reductions(%x: tensor<?xi8>) -> (i8, i8, i8, i8, index, index) {
  %a = array.sum %x : (tensor<?xi8>) -> i8
  %b = array.prod %x : (tensor<?xi8>) -> i8
  %c = array.max %x : (tensor<?xi8>) -> i8
  %d = array.min %x : (tensor<?xi8>) -> i8
  %e = array.argmax %x : (tensor<?xi8>) -> index
  %f = array.argmin %x : (tensor<?xi8>) -> index
  return %a, %b, %c, %d, %e, %f : i8, i8, i8, i8, index, index
}

// Constants of narrow types, equal and different elements.
// CALL: @constants -> -7 [-7, -7, -7] [300, -300, 0]
func.func @constants() -> (i8, tensor<3xi8>, tensor<3xi16>) {
  %a = arith.constant -7 : i8
  %b = arith.constant dense<-7> : tensor<3xi8>
  %c = arith.constant dense<[300, -300, 0]> : tensor<3xi16>
  return %a, %b, %c : i8, tensor<3xi8>, tensor<3xi16>
}
