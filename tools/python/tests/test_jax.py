"""Functions that JAX traces, and scripts on the platform `mlopt`."""

import os
import subprocess
import sys

import mlopt
import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

RNG = np.random.default_rng(1)
P = {"w": RNG.normal(size=(3, 4)).astype("f4"), "b": RNG.normal(size=4).astype("f4")}
X = RNG.normal(size=(5, 3)).astype("f4")


def layer(p, x):
    return jnp.tanh(x @ p["w"] + p["b"])


def loss(p, x):
    return jnp.mean(layer(p, x) ** 2)


def same(found, expected):
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        scale = np.abs(b).max(initial=1e-3)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-5 * scale)


def test_values():
    f = mlopt.jit(loss)
    same(f(P, X), loss(P, X))
    same(f(P, X[:2]), loss(P, X[:2]))
    assert f.function(P, X).inputs[0].shape == (4,)
    assert isinstance(mlopt.jit(layer)(P, X), np.ndarray)


@pytest.mark.parametrize("argnums", [0, 1, (0, 1), (1, 0)])
def test_gradients(argnums):
    same(mlopt.grad(loss, argnums)(P, X), jax.grad(loss, argnums)(P, X))
    same(mlopt.value_and_grad(loss, argnums)(P, X), jax.value_and_grad(loss, argnums)(P, X))
    same(mlopt.jacobian(layer, argnums)(P, X), jax.jacobian(layer, argnums)(P, X))


def test_second_derivatives():
    same(mlopt.hessian(loss)(P, X), jax.hessian(loss)(P, X))
    f = lambda x: jnp.sin(x) ** 3  # noqa: E731
    same(mlopt.grad(mlopt.grad(mlopt.grad(f)))(0.7), jax.grad(jax.grad(jax.grad(f)))(0.7))


def test_directions():
    same(mlopt.jvp(layer)(P, X, P, X), jax.jvp(layer, (P, X), (P, X)))
    y, pull = jax.vjp(layer, P, X)
    same(mlopt.vjp(layer)(P, X, np.asarray(y)), (y, pull(y)))


def test_vmap():
    same(mlopt.vmap(mlopt.grad(loss), (None, 0))(P, X), jax.vmap(jax.grad(loss), (None, 0))(P, X))
    batches = np.stack([X, 2 * X, X], 1)
    same(mlopt.vmap(layer, (None, 1))(P, batches), jax.vmap(layer, (None, 1))(P, batches))


def test_inside_programs_of_jax():
    f = mlopt.jit(loss)
    ours = lambda p, x: 2 * f(p, jnp.sin(x))  # noqa: E731
    theirs = lambda p, x: 2 * loss(p, jnp.sin(x))  # noqa: E731
    same(jax.jit(ours)(P, X), theirs(P, X))
    same(jax.jit(jax.grad(ours, (0, 1)))(P, X), jax.grad(theirs, (0, 1))(P, X))
    cube = mlopt.jit(lambda x: jnp.sin(x) ** 3)
    same(jax.grad(jax.grad(cube))(0.7), jax.grad(jax.grad(lambda x: jnp.sin(x) ** 3))(0.7))
    same(jax.vmap(cube)(X[:, 0]), jnp.sin(X[:, 0]) ** 3)


def test_integers_have_signs():
    same(mlopt.jit(lambda x: x // 3)(np.array([0, 2**32 - 1], "u4")), np.array([0, (2**32 - 1) // 3], "u4"))
    bits = lambda x: jax.random.bits(jax.random.key(3), (4,)) + x  # noqa: E731
    same(mlopt.jit(bits)(np.uint32(3)), bits(np.uint32(3)))
    same(mlopt.jit(lambda x: x > 1)(np.arange(3, dtype="i4")), np.arange(3) > 1)
    scaled = mlopt.jit(lambda x, n: x * n)
    same(jax.grad(lambda x: scaled(x, 3))(2.0), np.float32(3))


def test_control_flow():
    def newton(x):
        return jax.lax.fori_loop(0, 6, lambda _, y: 0.5 * (y + x / y), x)

    same(mlopt.grad(newton)(9.0), jax.grad(newton)(9.0))


def test_windows_that_are_partly_outside_are_dropped():
    """The gradient of a gather that fills is a scatter, with XLA's rule."""
    numbers = jax.lax.GatherDimensionNumbers((1, 2), (), (0, 1))
    places = np.array([[0, 1], [4, 5]], "i4")
    weights = np.arange(1, 13, dtype="f4").reshape(2, 2, 3)

    def f(x):
        parts = jax.lax.gather(x, places, numbers, (2, 3), mode="fill", fill_value=0.0)
        return jnp.sum(parts * weights)

    x = np.ones((5, 6), "f4")
    same(mlopt.jit(jax.grad(f))(x), jax.grad(f)(x))
    same(mlopt.grad(f)(x), jax.grad(f)(x))


@jax.custom_vjp
def clipped(x):
    return x * 1.0


clipped.defvjp(lambda x: (x, None), lambda _, ct: (jnp.clip(ct, -0.1, 0.1),))


@jax.custom_jvp
def square(x):
    return x * x


square.defjvp(lambda x, t: (x[0] * x[0], 7 * x[0] * t[0]))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: jnp.sum(jax.lax.stop_gradient(x) * x),
        lambda x: jnp.sum((x + jax.lax.stop_gradient(jnp.round(x) - x)) ** 2),
        lambda x: jnp.sum(clipped(x) ** 2),
        lambda x: jnp.sum(square(x)),
        lambda x: jax.lax.scan(lambda y, z: (y + square(z), None), jnp.float32(0), x)[0],
        lambda x: jax.lax.cond(x[0] > 0, lambda x: jnp.sum(jax.jit(square)(x)), jnp.sum, x),
        lambda x: jax.nn.logsumexp(jax.nn.relu(x - 0.5)),
        lambda x: jnp.sum(jnp.linalg.solve(jnp.diag(x) + 1, x)),
    ],
)
def test_derivatives_that_functions_define(f):
    x = np.array([0.5, 1.5, -1.0], "f4")
    two = np.stack([x, 2 * x])
    same(mlopt.grad(f)(x), jax.grad(f)(x))
    same(mlopt.value_and_grad(f)(x), jax.value_and_grad(f)(x))
    same(mlopt.hessian(f)(x), jax.hessian(f)(x))
    same(mlopt.jacobian(mlopt.vmap(f))(two), jax.jacobian(jax.vmap(f))(two))
    same(mlopt.vmap(mlopt.grad(f))(two), jax.vmap(jax.grad(f))(two))
    ct = np.float32(2)
    same(mlopt.vjp(f)(x, ct), (f(x), jax.vjp(f, x)[1](ct)))
    along = lambda f: lambda t: f(t * x)  # noqa: E731
    same(jax.grad(mlopt.jit(f))(x), jax.grad(f)(x))
    second = jax.grad(jax.grad(along(f)))(np.float32(1.5))
    same(mlopt.grad(mlopt.grad(along(f)))(np.float32(1.5)), second)
    same(jax.grad(jax.grad(along(mlopt.jit(f))))(np.float32(1.5)), second)


def test_derivatives_that_functions_define_for_trees():
    def f(p, x):
        return {"a": jax.lax.stop_gradient(p["w"]) @ p["w"].T, "b": x * p["b"][:3]}

    same(mlopt.jacobian(f, (1, 0))(P, X), jax.jacobian(f, (1, 0))(P, X))
    same(mlopt.jvp(f)(P, X, P, X), jax.jvp(f, (P, X), (P, X)))
    scaled = mlopt.jit(lambda x, n: (n + 1, square(x) * n))
    same(jax.grad(lambda x: scaled(x, 3)[1])(np.float32(2)), np.float32(42))


def test_refusals():
    for run, message in [
        (lambda: mlopt.grad(layer)(P, X), "grad: the function must return one float scalar, found float32[5, 4]"),
        (lambda: mlopt.grad(lambda x: x * 2.0)(3), "derivatives require floats, found an argument of int32"),
        (lambda: mlopt.grad(loss, 2)(P, X), "argnums: the function has 2 arguments, found position 2"),
        (lambda: mlopt.jit(lambda x: x)(np.ones(2, "f2")), "not supported: arguments and results of float16"),
        (lambda: mlopt.jit(jnp.fft.fft)(X), "not supported: arguments and results of complex64"),
        (lambda: mlopt.vjp(layer)(P, X, X), "vjp: expected directions float32[5, 4], found float32[5, 3]"),
        (lambda: mlopt.vmap(loss, (0,))(P, X), "in_axes: the function has 2 arguments, found 1 axes"),
    ]:
        with pytest.raises(mlopt.Error) as caught:
            run()
        assert message in str(caught.value)
    with pytest.raises(TypeError, match="expected a function, found `int`"):
        mlopt.jit(3)


def test_unsupported_operations_name_the_line():
    def f(x):
        return jax.pure_callback(np.sin, x, x)

    with pytest.raises(mlopt.Error) as caught:
        mlopt.jit(f)(np.float32(1))
    assert any("test_jax.py" in (d.file or "") for d in caught.value.diagnostics), caught.value


def test_the_platform():
    """JAX finds the plugin of the installed wheel."""
    script = (
        "import jax, jax.numpy as jnp\n"
        "print(jax.devices()[0].platform, jax.grad(lambda x: jnp.sum(x * x))(jnp.arange(3.0)))"
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("MLOPT_PJRT_LIBRARY", "PYTHONPATH")}
    environment["JAX_PLATFORMS"] = "mlopt"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "mlopt [0. 2. 4.]\n", done.stderr


def test_arguments_by_name() -> None:
    @mlopt.jit
    def scaled(x, k=2.0, *, z=1.0):
        return jnp.sum(x) * k * z

    x = np.ones(3, "f4")
    assert scaled(x) == scaled(x, k=2.0) == scaled(k=2.0, x=x) == 6.0
    assert mlopt.grad(scaled)(x, k=3.0).tolist() == [3.0] * 3
    with pytest.raises(mlopt.ArgumentError, match="`z` cannot be given by position"):
        scaled(x, z=2.0)
    with pytest.raises(mlopt.ArgumentError, match="unexpected keyword argument"):
        scaled(x, q=2.0)


def test_axes_from_the_end() -> None:
    m = np.arange(6, dtype="f4").reshape(2, 3)
    assert mlopt.vmap(mlopt.jit(jnp.sum), in_axes=-1)(m).tolist() == [3.0, 5.0, 7.0]
    with pytest.raises(mlopt.ArgumentError, match="found 2"):
        mlopt.vmap(mlopt.jit(jnp.sum), in_axes=2)(m)
