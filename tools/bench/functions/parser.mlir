// The same by hand: three loops inside each other.
func.func private @code(%text: tensor<?xf64>, %n: i64, %at: i64) -> f64 {
  %none = arith.constant 0.0 : f64
  %is = arith.cmpi slt, %at, %n : i64
  %c = scf.if %is -> (f64) {
    %i = arith.index_cast %at : i64 to index
    %c = array.get %text[%i] : (tensor<?xf64>) -> f64
    scf.yield %c : f64
  } else {
    scf.yield %none : f64
  }
  return %c : f64
}
func.func private @number(%text: tensor<?xf64>, %n: i64, %at: i64) -> (f64, i64) {
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %one = arith.constant 1 : i64
  %least = arith.constant 48.0 : f64
  %most = arith.constant 57.0 : f64
  %c0 = func.call @code(%text, %n, %at) : (tensor<?xf64>, i64, i64) -> f64
  %last:3 = scf.while (%v = %zero, %k = %at, %c = %c0) : (f64, i64, f64) -> (f64, i64, f64) {
    %a = arith.cmpf oge, %c, %least : f64
    %b = arith.cmpf ole, %c, %most : f64
    %is = arith.andi %a, %b : i1
    scf.condition(%is) %v, %k, %c : f64, i64, f64
  } do {
  ^bb0(%v: f64, %k: i64, %c: f64):
    %d = arith.subf %c, %least : f64
    %w = arith.mulf %ten, %v : f64
    %x = arith.addf %w, %d : f64
    %next = arith.addi %k, %one : i64
    %e = func.call @code(%text, %n, %next) : (tensor<?xf64>, i64, i64) -> f64
    scf.yield %x, %next, %e : f64, i64, f64
  }
  return %last#0, %last#1 : f64, i64
}
func.func private @term(%text: tensor<?xf64>, %n: i64, %at: i64) -> (f64, i64) {
  %one = arith.constant 1 : i64
  %star = arith.constant 42.0 : f64
  %first:2 = func.call @number(%text, %n, %at) : (tensor<?xf64>, i64, i64) -> (f64, i64)
  %last:2 = scf.while (%v = %first#0, %k = %first#1) : (f64, i64) -> (f64, i64) {
    %c = func.call @code(%text, %n, %k) : (tensor<?xf64>, i64, i64) -> f64
    %is = arith.cmpf oeq, %c, %star : f64
    scf.condition(%is) %v, %k : f64, i64
  } do {
  ^bb0(%v: f64, %k: i64):
    %behind = arith.addi %k, %one : i64
    %w:2 = func.call @number(%text, %n, %behind) : (tensor<?xf64>, i64, i64) -> (f64, i64)
    %p = arith.mulf %v, %w#0 : f64
    scf.yield %p, %w#1 : f64, i64
  }
  return %last#0, %last#1 : f64, i64
}
func.func @parser(%text: tensor<?xf64>, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %plus = arith.constant 43.0 : f64
  %first:2 = func.call @term(%text, %n, %zero) : (tensor<?xf64>, i64, i64) -> (f64, i64)
  %last:2 = scf.while (%v = %first#0, %k = %first#1) : (f64, i64) -> (f64, i64) {
    %c = func.call @code(%text, %n, %k) : (tensor<?xf64>, i64, i64) -> f64
    %is = arith.cmpf oeq, %c, %plus : f64
    scf.condition(%is) %v, %k : f64, i64
  } do {
  ^bb0(%v: f64, %k: i64):
    %behind = arith.addi %k, %one : i64
    %w:2 = func.call @term(%text, %n, %behind) : (tensor<?xf64>, i64, i64) -> (f64, i64)
    %p = arith.addf %v, %w#0 : f64
    scf.yield %p, %w#1 : f64, i64
  }
  return %last#0 : f64
}
