// RUN: mlopt %s --closure-convert=report=true --verify-diagnostics -o /dev/null

func.func @f(%x: f64, %c: i1) -> f64 {
  // expected-remark @+1 {{@f.once captures 1 value; there are only direct calls of it}}
  %once = lambda.lambda (%y: f64) -> f64 {
    %z = arith.addf %x, %y : f64
    lambda.return %z : f64
  }
  // expected-remark @+1 {{@f.scale captures 1 value; a closure of it is a variant of @closure, whose variants are @f.scale, @f.turn}}
  %scale = lambda.lambda (%y: f64) -> f64 {
    %z = arith.mulf %x, %y : f64
    lambda.return %z : f64
  }
  // expected-remark @+1 {{@f.turn captures 0 values; a closure of it is a variant of @closure, whose variants are @f.scale, @f.turn}}
  %turn = lambda.lambda (%y: f64) -> f64 {
    %z = math.sin %y : f64
    lambda.return %z : f64
  }
  // expected-remark @+1 {{@f.both captures 2 values; a closure of it is represented by its captures, tuple<f64, i1>}}
  %both = lambda.lambda (%y: f64) -> f64 {
    %z = arith.mulf %x, %y : f64
    %s = arith.select %c, %y, %z : f64
    lambda.return %s : f64
  }
  %a = lambda.apply %once(%x) : (f64) -> f64
  %g = lambda.switch %c, %scale, %turn : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
  %b = lambda.apply %g(%a) : (f64) -> f64
  %t = lambda.tuple %both, %b : ((f64) -> f64, f64) -> tuple<(f64) -> f64, f64>
  %h = lambda.get %t[0] : (tuple<(f64) -> f64, f64>) -> ((f64) -> f64)
  // expected-remark @+1 {{@f.both is called in tail position}}
  %y = lambda.apply %h(%b) : (f64) -> f64
  return %y : f64
}

// The report names the calls in tail position.
func.func private @g(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func @last(%x: f64, %c: i1) -> f64 {
  %y = lambda.if %c : i1 -> f64 {
    // expected-remark @+1 {{@g is called in tail position}}
    %z = func.call @g(%x) : (f64) -> f64
    lambda.yield %z : f64
  } else {
    %w = func.call @g(%x) : (f64) -> f64
    %z = math.sin %w : f64
    lambda.yield %z : f64
  }
  return %y : f64
}
