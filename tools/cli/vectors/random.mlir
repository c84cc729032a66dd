// Draws four uniform numbers, three after those, two after these, and four normal ones from the initial state.
func.func @f(%seed: i64) -> tuple<tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>> {
  %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
  %a = lambda.rng.uniform %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  %four = lambda.get %a[0] : (tuple<tensor<4xf64>, !lambda.rng>) -> tensor<4xf64>
  %s = lambda.get %a[1] : (tuple<tensor<4xf64>, !lambda.rng>) -> !lambda.rng
  %b = lambda.rng.uniform %s : (!lambda.rng) -> tuple<tensor<3xf64>, !lambda.rng>
  %three = lambda.get %b[0] : (tuple<tensor<3xf64>, !lambda.rng>) -> tensor<3xf64>
  %t = lambda.get %b[1] : (tuple<tensor<3xf64>, !lambda.rng>) -> !lambda.rng
  %c = lambda.rng.uniform %t : (!lambda.rng) -> tuple<tensor<2xf64>, !lambda.rng>
  %two = lambda.get %c[0] : (tuple<tensor<2xf64>, !lambda.rng>) -> tensor<2xf64>
  %d = lambda.rng.normal %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
  %normal = lambda.get %d[0] : (tuple<tensor<4xf64>, !lambda.rng>) -> tensor<4xf64>
  %all = lambda.tuple %four, %three, %two, %normal : (tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>)
    -> tuple<tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>>
  return %all : tuple<tensor<4xf64>, tensor<3xf64>, tensor<2xf64>, tensor<4xf64>>
}
