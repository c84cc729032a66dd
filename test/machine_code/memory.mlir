// RUN: mlopt check-calls %s --way plain --tolerance 1e-12
// A loop whose trip count depends on data allocates its memory itself, and reports a failed allocation: 8·2⁴⁶ bytes, and
// a product that overflows 63 bits.

// A row for each iteration, read in reverse: `%factor` times the number of iterations.
// CALL: @rows {limit} {factor} 0.5 for limit,factor = 0,1 1,1 5,3 -2,1 3,1
// CALL: @rows 4 {factor} 0.5 for factor = 17592186044416 2305843009213693951 \
//   fails: bytes of memory for an intermediate array
func.func @rows(%limit: index, %factor: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = scf.while (%i = %c0) : (index) -> index {
    %on = arith.cmpi slt, %i, %limit : index
    scf.condition(%on) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %n = arith.muli %k, %factor : index
  %a = array.iota %n : tensor<?xindex>
  %s, %rows = array.map_accum (%i = %a : tensor<?xindex>) iter_args(%t = %x) -> (f64, tensor<?xf64>) {
    %u = math.sin %t : f64
    array.yield %u, %u : f64, f64
  }
  %back = array.reverse %rows : tensor<?xf64>
  %z = array.fold (%e = %back : tensor<?xf64>) iter_args(%t = %s) -> (f64) {
    %u = arith.subf %e, %t : f64
    array.yield %u : f64
  }
  return %z : f64
}
