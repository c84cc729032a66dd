// RUN: mlopt %s --symbol-dce | FileCheck %s
// MLIR does not count a type that names a `lambda.data` as a use of the symbol, but such data is kept; unused data is removed.

// CHECK: lambda.data @list {nil(), cons(f64, !lambda.data<@list>)}
// CHECK: lambda.data @alone {one()}
// CHECK-NOT: @unused
// CHECK: func.func @keep(%{{.*}}: !lambda.list<!lambda.data<@list>>)
lambda.data @list {nil(), cons(f64, !lambda.data<@list>)}
lambda.data @alone {one()} attributes {sym_visibility = "private"}
func.func private @unused(%x: f64) -> f64 {
  return %x : f64
}
func.func @keep(%x: !lambda.list<!lambda.data<@list>>) -> !lambda.list<!lambda.data<@list>> {
  return %x : !lambda.list<!lambda.data<@list>>
}
