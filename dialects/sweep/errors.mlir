// RUN: mlopt %s --verify-diagnostics --split-input-file
// One rejected program for each numbered constraint of `sweep.td`, and for the syntax.

func.func @nest_c1(%n: index) -> f64 {
  // expected-error @+1 {{'sweep.nest' op (C1) region arguments must be [index], found [index, f64]}}
  %z = "sweep.nest"(%n) <{kinds = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index, %a: f64):
    "sweep.yield"(%a) : (f64) -> ()
  }) : (index) -> f64
  return %z : f64
}

// -----

func.func @nest_c2_kinds(%n: index) -> index {
  // expected-error @+1 {{'sweep.nest' op (C2) `kinds` must have 1 entries of 0, 1 or 2, found [3]}}
  %z = "sweep.nest"(%n) <{kinds = array<i64: 3>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index):
    "sweep.yield"(%i) : (index) -> ()
  }) : (index) -> index
  return %z : index
}

// -----

func.func @nest_c2_inits(%n: index) -> index {
  // expected-error @+1 {{'sweep.nest' op (C2) expected one init for each of 1 folds, found 0}}
  %z = "sweep.nest"(%n) <{kinds = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index):
    "sweep.yield"(%i) : (index) -> ()
  }) : (index) -> index
  return %z : index
}

// -----

func.func @nest_c3_count(%n: index) -> index {
  // expected-error @+1 {{'sweep.nest' op (C3) must yield 1 values, found 0}}
  %z = sweep.nest (%i < %n) -> (sum index) {
    sweep.yield
  }
  return %z : index
}

// -----

func.func @nest_c3_type(%n: index, %a: f64) -> tensor<?xf32> {
  // expected-error @+1 {{'sweep.nest' op (C3) result #0 (Map) of type tensor<?xf32> does not fit f64}}
  %z = sweep.nest (%i < %n) -> (map tensor<?xf32>) {
    sweep.yield %a : f64
  }
  return %z : tensor<?xf32>
}

// -----

func.func @nest_c4(%n: index, %a: i1) -> i1 {
  // expected-error @+1 {{'sweep.nest' op (C4) a sum must be a number, found i1}}
  %z = sweep.nest (%i < %n) -> (sum i1) {
    sweep.yield %a : i1
  }
  return %z : i1
}

// -----

func.func @nest_syntax_kind(%n: index) -> index {
  // expected-error @+1 {{expected `map`, `sum` or `fold`, found `product`}}
  %z = sweep.nest (%i < %n) -> (product index) {
    sweep.yield %i : index
  }
  return %z : index
}

// -----

func.func @nest_syntax_fold(%n: index) -> index {
  // expected-error @+1 {{expected one carried value for each `fold` result: 0 values, 1 results}}
  %z = sweep.nest (%i < %n) -> (fold index) {
    sweep.yield %i : index
  }
  return %z : index
}
