"""Fixtures: programs that several tests use."""

import mlopt
import pytest

ARRAYS = """
func.func @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
  %p = arith.mulf %a, %b : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  return %s : f64
}
func.func @add(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %z = arith.addf %a, %b : tensor<?xf64>
  return %z : tensor<?xf64>
}
func.func @both(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, f32) {
  %s = array.sum %a axes [0, 1] : (tensor<2x3xf32>) -> f32
  return %a, %s : tensor<2x3xf32>, f32
}
"""


@pytest.fixture(scope="session")
def arrays():
    return mlopt.parse(ARRAYS, "arrays.mlir")


@pytest.fixture(scope="session")
def square():
    return mlopt.parse("(def square ((x f64)) (* x x))", "square.terms")["square"]
