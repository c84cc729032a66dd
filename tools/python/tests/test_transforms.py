"""Derivatives and `vmap` of functions of a module, compared with finite differences and with NumPy."""

import mlopt
import numpy as np
import pytest

TEXT = """
func.func @f(%x: tensor<?xf64>, %w: f64) -> f64 {
  %s = math.sin %x : tensor<?xf64>
  %p = arith.mulf %s, %x : tensor<?xf64>
  %t = array.sum %p : (tensor<?xf64>) -> f64
  %v = math.exp %w : f64
  %z = arith.mulf %t, %v : f64
  return %z : f64
}
func.func @g(%x: tensor<3xf64>, %n: i64) -> tensor<3xf64> {
  %y = math.exp %x : tensor<3xf64>
  %k = arith.sitofp %n : i64 to f64
  %ks = array.replicate %k : (f64) -> tensor<3xf64>
  %z = arith.mulf %y, %ks : tensor<3xf64>
  return %z : tensor<3xf64>
}
"""


@pytest.fixture(scope="module")
def module():
    return mlopt.parse(TEXT, "f.mlir")


def difference(f, x, k, h=1e-6):
    """Returns the derivative of f at a list of arguments with respect to argument k, by central differences."""
    x = [np.asarray(v, float) for v in x]
    columns = []
    for index in np.ndindex(x[k].shape):
        step = np.zeros_like(x[k])
        step[index] = h
        high, low = ([*x[:k], x[k] + s, *x[k + 1 :]] for s in (step, -step))
        columns.append((np.asarray(f(*high)) - np.asarray(f(*low))) / (2 * h))
    return np.moveaxis(np.array(columns), 0, -1).reshape((*np.shape(columns[0]), *x[k].shape))


X, W = np.array([0.3, -1.2, 2.0, 0.1]), 0.4


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_grad(module, mode):
    f = module["f"]
    for k in range(2):
        np.testing.assert_allclose(mlopt.grad(f, k, mode=mode)(X, W), difference(f, [X, W], k), atol=1e-7)
    gw, gx = mlopt.grad(f, (1, 0), mode=mode)(X, W)
    np.testing.assert_allclose(gx, difference(f, [X, W], 0), atol=1e-7)
    np.testing.assert_allclose(gw, difference(f, [X, W], -1 % 2), atol=1e-7)
    value, gradient = mlopt.value_and_grad(f, -1, mode=mode)(X, W)
    assert (value, gradient) == (f(X, W), mlopt.grad(f, 1, mode=mode)(X, W))


def test_higher_derivatives(module):
    f = module["f"]
    of_w = mlopt.grad(f, 1)
    np.testing.assert_allclose(mlopt.grad(of_w, 0)(X, W), difference(of_w, [X, W], 0), atol=1e-7)
    third = mlopt.grad(mlopt.grad(of_w, 1), 1)
    np.testing.assert_allclose(third(X, W), f(X, W), rtol=1e-12)
    xx, xw, wx, ww = mlopt.hessian(f, (0, 1))(X, W)
    gradient = mlopt.grad(f)
    np.testing.assert_allclose(xx, difference(gradient, [X, W], 0), atol=1e-7)
    np.testing.assert_allclose(xw, difference(gradient, [X, W], 1), atol=1e-7)
    np.testing.assert_allclose(xw, wx, rtol=1e-12)
    assert ww == pytest.approx(f(X, W))


def test_jacobian(module):
    g = module["g"]
    x = np.array([0.1, 0.2, 0.3])
    for mode in (None, "forward", "reverse"):
        jacobian = mlopt.jacobian(g, mode=mode)
        np.testing.assert_allclose(jacobian(x, 2), np.diag(2 * np.exp(x)), rtol=1e-12)
    with pytest.raises(mlopt.Error, match="wrt"):
        mlopt.jacobian(g, 1)


def test_directions(module):
    g = module["g"]
    x, t = np.array([0.1, 0.2, 0.3]), np.array([1.0, -2.0, 0.5])
    y, y_t = mlopt.jvp(g)(x, 2, t)
    np.testing.assert_array_equal(y, g(x, 2))
    np.testing.assert_allclose(y_t, 2 * np.exp(x) * t, rtol=1e-12)
    y, x_ct = mlopt.vjp(g)(x, 2, t)
    np.testing.assert_allclose(x_ct, 2 * np.exp(x) * t, rtol=1e-12)


def test_vmap(module):
    f, g = module["f"], module["g"]
    xs = np.random.default_rng(2).normal(size=(5, 4))
    np.testing.assert_allclose(mlopt.vmap(f, (0, None))(xs, W), [f(x, W) for x in xs], rtol=1e-12)
    np.testing.assert_allclose(mlopt.vmap(f, (1, None))(np.ascontiguousarray(xs.T), W), [f(x, W) for x in xs])
    ws = np.linspace(0, 1, 5)
    np.testing.assert_allclose(mlopt.vmap(f)(xs, ws), [f(x, w) for x, w in zip(xs, ws)], rtol=1e-12)
    rows = np.random.default_rng(3).normal(size=(5, 3))
    mapped = mlopt.vmap(g, (0, None), size=5)
    assert mapped.results[0].shape == (5, 3)
    np.testing.assert_allclose(mapped(rows, 2), 2 * np.exp(rows), rtol=1e-12)
    each = mlopt.vmap(mlopt.grad(f), (0, None))
    np.testing.assert_allclose(each(xs, W), [mlopt.grad(f)(x, W) for x in xs], rtol=1e-12)


def test_the_program_is_not_changed(module):
    before = module.text
    mlopt.grad(module["f"])
    assert module.text == before
    assert module.functions == ["f", "g"]


LAMBDA = """
(def power ((x f64) (n i64)) (if (i= n 0) 1.0 (* x (power x (i- n 1)))))
(def newton ((x f64)) (while ((y x)) (< 1e-12 (abs (- (* y y) x))) (next (* 0.5 (+ y (/ x y)))) y))
(def curve ((x f64) (y f64)) ((lam (g) (g (g y))) (lam (z) (* x (sin z)))))
"""


def test_functional_programs():
    """Recursion, a `while` and closures, with derivatives up to the third order."""
    module = mlopt.parse(LAMBDA, "f.lambda")
    power = module["power"]
    first = mlopt.grad(power)
    second = mlopt.grad(first)
    third = mlopt.grad(second)
    assert [f(2.0, 5) for f in (power, first, second, third)] == [32.0, 80.0, 160.0, 240.0]
    assert mlopt.value_and_grad(power)(2.0, 5) == (32.0, 80.0)
    newton = module["newton"]
    assert newton(9.0) == pytest.approx(3)
    assert mlopt.grad(newton)(9.0) == pytest.approx(1 / 6)
    assert mlopt.grad(mlopt.grad(newton))(9.0) == pytest.approx(-1 / 108)
    curve = module["curve"]
    by_x, by_y = mlopt.grad(curve, (0, 1))(0.7, 1.1)
    assert by_x == pytest.approx(float(difference(curve, [0.7, 1.1], 0)), abs=1e-8)
    assert by_y == pytest.approx(float(difference(curve, [0.7, 1.1], 1)), abs=1e-8)
    twice = mlopt.grad(mlopt.grad(curve, 1), 0)
    assert twice(0.7, 1.1) == pytest.approx(float(difference(mlopt.grad(curve, 1), [0.7, 1.1], 0)), abs=1e-7)


def test_functional_programs_as_arrays():
    module = mlopt.parse("(def f ((x f64) (y f64)) (* x (sin y)))", "f.lambda")
    f = module["f"]
    np.testing.assert_allclose(mlopt.vmap(f)(np.arange(3.0), np.ones(3)), np.arange(3) * np.sin(1.0))
    assert mlopt.jvp(f)(2.0, 0.5, 1.0, 0.0) == pytest.approx((2 * np.sin(0.5), np.sin(0.5)))
    assert mlopt.hessian(f, (0, 1))(2.0, 0.5)[1] == pytest.approx(np.cos(0.5))
    # A list of numbers becomes an array.
    total = mlopt.parse("(def total ((l list<f64>)) (fold (lam (a b) (+ a (* b b))) 0.0 l))", "f.lambda")["total"]
    np.testing.assert_allclose(mlopt.hessian(total)(np.ones(3)), 2 * np.eye(3))


def test_wrong_requests(module):
    f, g = module["f"], module["g"]
    for request, message in [
        (lambda: mlopt.grad(f, 2), "argnums: `@f` has 2 arguments, found position 2"),
        (lambda: mlopt.grad(f, (0, 0)), "argnums: expected different positions"),
        (lambda: mlopt.grad(g), "(C3) `@g` must return one float scalar"),
        (lambda: mlopt.vmap(f, (0,)), "in_axes: `@f` has 2 arguments, found 1 axes"),
        (lambda: mlopt.vmap(f, None), "at least one argument must have a mapped axis"),
        (lambda: mlopt.vmap(f, (2, 0)), "axis 2 of argument #0 of `@f` must be from -2 to 1"),
    ]:
        with pytest.raises(mlopt.Error) as caught:
            request()
        assert message in str(caught.value)
