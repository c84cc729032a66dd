"""Functions that are compiled from their source: values, derivatives, errors."""

import dataclasses
import inspect
import math
import pathlib
import re
import subprocess
import sys
from typing import Any

import mlopt
import numpy as np
import pytest
from source_programs import PROGRAMS, Point, Segment
from source_refused import REFUSED


def same(found: Any, expected: Any) -> bool:
    """Checks whether two results have the same structure, kinds and values, up to rounding."""
    if isinstance(expected, tuple | list):
        return (
            type(found) is type(expected)
            and len(found) == len(expected)
            and all(same(f, e) for f, e in zip(found, expected, strict=True))
        )
    if dataclasses.is_dataclass(expected):
        fields = [f.name for f in dataclasses.fields(expected)]
        return type(found) is type(expected) and all(same(getattr(found, f), getattr(expected, f)) for f in fields)
    x, y = np.asarray(found), np.asarray(expected)
    return x.shape == y.shape and x.dtype.kind == y.dtype.kind and np.allclose(x, y, rtol=1e-12, atol=1e-14)


def total(result: Any) -> float:
    """Returns the sum of the floats of a result."""
    return float(np.sum(result))


def differences(f: Any, arguments: tuple[Any, ...], k: int) -> Any:
    """Returns the gradient of the sum of a result by central differences."""
    x = np.asarray(arguments[k], float)
    gradient = np.zeros(x.shape)
    for position in np.ndindex(x.shape):
        values = []
        for sign in (1.0, -1.0):
            y = x.copy()
            y[position] += sign * 1e-6
            moved = [*arguments]
            moved[k] = y if x.shape else float(y)
            values.append(f(*moved))
        gradient[position] = (values[0] - values[1]) / 2e-6
    return gradient


@pytest.mark.parametrize(("f", "calls", "by"), PROGRAMS, ids=[p[0].__name__ for p in PROGRAMS])
def test_program(f: Any, calls: Any, by: Any) -> None:
    compiled = mlopt.function(f)
    for arguments in calls:
        assert same(compiled(*arguments), f(*arguments)), (arguments, compiled(*arguments), f(*arguments))
    if by:
        arguments = calls[0]
        found = mlopt.grad(compiled, argnums=by)(*arguments)
        for gradient, k in zip(found, by, strict=True):
            assert np.allclose(gradient, differences(f, arguments, k), rtol=1e-5, atol=1e-6), k


def test_there_are_a_hundred_programs() -> None:
    assert len(PROGRAMS) >= 100
    assert sum(bool(by) for _, _, by in PROGRAMS) >= 40
    assert len(REFUSED) >= 25


@pytest.mark.parametrize(("f", "arguments", "column", "text"), REFUSED, ids=[r[0].__name__ for r in REFUSED])
def test_refused(f: Any, arguments: Any, column: int, text: str) -> None:
    lines, first = inspect.getsourcelines(f.__code__)
    (line,) = [first + k for k, source in enumerate(lines) if source.rstrip().endswith("# here")]
    with pytest.raises(mlopt.Error) as caught:
        mlopt.function(f)(*arguments)
    found = caught.value.diagnostics[0]
    assert (found.file, found.line, found.column) == (f.__code__.co_filename, line, column), str(caught.value)
    assert re.sub(r"^'.*' op ", "", found.text).startswith(text), found.text
    assert str(caught.value).startswith(f"{found.file}:{line}:{column}: error: ")


# Derivatives of higher order.


@mlopt.function
def through_closures(x):
    def outer(a):
        def inner(b):
            return a * b * b

        return inner

    f = outer(x * x)
    return f(x) + outer(2.0)(x)


def test_derivatives_of_closures() -> None:
    first = mlopt.grad(through_closures)
    second = mlopt.grad(first)
    third = mlopt.grad(second)
    for x in (0.5, -1.5, 2.0):
        assert math.isclose(through_closures(x), x**4 + 2 * x**2)
        assert math.isclose(first(x), 4 * x**3 + 4 * x)
        assert math.isclose(second(x), 12 * x**2 + 4)
        assert math.isclose(third(x), 24 * x)


@mlopt.function
def through_while(x, n):
    y, k = x, 0
    while k < n:
        y = y * x
        k += 1
    return y


def test_derivatives_of_while() -> None:
    first = mlopt.grad(through_while)
    second = mlopt.grad(first)
    third = mlopt.grad(second)
    for x, n in ((1.5, 4), (-0.5, 3), (2.0, 0)):
        p = n + 1
        assert math.isclose(through_while(x, n), x**p)
        assert math.isclose(first(x, n), p * x ** (p - 1))
        assert math.isclose(second(x, n), p * (p - 1) * x ** (p - 2) if p > 1 else 0.0)
        assert math.isclose(third(x, n), p * (p - 1) * (p - 2) * x ** (p - 3) if p > 2 else 0.0)


@mlopt.function
def square_root(a):
    x = a
    while abs(x * x - a) > 1e-15 * a:
        x = 0.5 * (x + a / x)
    return x


def test_derivatives_of_newton() -> None:
    second = mlopt.grad(mlopt.grad(square_root))
    assert math.isclose(mlopt.grad(square_root)(4.0), 0.25, rel_tol=1e-9)
    assert math.isclose(second(4.0), -1 / 32, rel_tol=1e-6)


def cubed(x):
    return x * x * x


@mlopt.function
def derivatives_inside(x, n):
    slope = mlopt.grad(cubed)
    value, more = mlopt.value_and_grad(lambda a: a * cubed(a))(x)
    by_second = mlopt.grad(lambda a, b: a * b * b, argnums=1)(x, 2.0)
    both = mlopt.grad(lambda a, b: a * b * b, argnums=(0, 1))(x, 2.0)
    total = value + more + by_second + both[0] + both[1]
    for _ in range(n):
        total += slope(x) + mlopt.grad(slope)(x)
    return total


def test_derivatives_in_the_source() -> None:
    x, n = 1.5, 3
    expected = x**4 + 4 * x**3 + 4 * x + 4 + 4 * x + n * (3 * x**2 + 6 * x)
    assert math.isclose(derivatives_inside(x, n), expected)


# Transformations.


@mlopt.function
def bilinear(x, y, n):
    return x * x * y * n


def test_transformations_of_numbers() -> None:
    x, y, n = 1.5, 2.0, 3
    assert math.isclose(mlopt.grad(bilinear)(x, y, n), 2 * x * y * n)
    assert mlopt.grad(bilinear, argnums=(1, 0))(x, y, n) == (x * x * n, 2 * x * y * n)
    assert mlopt.grad(bilinear, argnums=-2)(x, y, n=n) == x * x * n
    assert mlopt.value_and_grad(bilinear, argnums=(0,))(x, y, n) == (x * x * y * n, (2 * x * y * n,))
    value, tangent = mlopt.jvp(bilinear)(x, y, n, 1.0, 0.5, None)
    assert math.isclose(value, 13.5) and math.isclose(tangent, 2 * x * y * n + 0.5 * x * x * n)
    value, cotangents = mlopt.vjp(bilinear)(x, y, n, 2.0)
    assert value == 13.5 and cotangents == (4 * x * y * n, 2 * x * x * n, None)
    assert mlopt.hessian(bilinear, argnums=(0, 1))(x, y, n) == ((2 * y * n, 2 * x * n), (2 * x * n, 0.0))


@mlopt.function
def wave(v, a):
    return np.sin(v) * a


@mlopt.function
def energy(v, a):
    return np.sum(np.sin(v) * a)


def test_transformations_of_arrays() -> None:
    v = np.array([0.5, 1.0, 2.0])
    assert np.allclose(mlopt.jacobian(wave)(v, 2.0), np.diag(2 * np.cos(v)))
    by_v, by_a = mlopt.jacobian(wave, argnums=(0, 1))(v, 2.0)
    assert by_v.shape == (3, 3) and np.allclose(by_a, np.sin(v))
    assert np.allclose(mlopt.hessian(energy)(v, 2.0), np.diag(-2 * np.sin(v)))
    rows = np.stack([v, 2 * v])
    assert np.allclose(mlopt.vmap(energy, in_axes=(0, None))(rows, 2.0), 2 * np.sin(rows).sum(1))
    assert np.allclose(mlopt.vmap(mlopt.grad(energy), in_axes=(0, None))(rows, 2.0), 2 * np.cos(rows))
    with pytest.raises(mlopt.Error, match="transform the function before"):
        mlopt.grad(mlopt.jacobian(wave))


@mlopt.function
def scaled_square(x, k=2.0):
    return x * x * k


def test_transformations_take_defaults() -> None:
    assert mlopt.hessian(scaled_square)(1.0) == 4.0
    assert mlopt.hessian(scaled_square)(1.0, k=3.0) == 6.0
    assert mlopt.jacobian(scaled_square)(1.0) == 4.0
    assert mlopt.hessian(scaled_square).function(1.0)(1.0, 2.0) == 4.0
    assert scaled_square.function(3.0)(3.0, 2.0) == scaled_square.function(3.0, k=2.0)(3.0, 2.0) == 18.0
    assert "@py.scaled_square" in scaled_square.module(1.0).text
    assert len(scaled_square.explain(1.0, k=1.0)) == len(scaled_square.explain(1.0))
    xs = np.array([1.0, 2.0])
    assert mlopt.vmap(scaled_square)(xs).tolist() == [2.0, 8.0]
    assert mlopt.vmap(scaled_square)(xs, k=xs).tolist() == [1.0, 8.0]
    assert mlopt.vmap(scaled_square, in_axes=(0,))(xs).tolist() == [2.0, 8.0]
    assert mlopt.vmap(scaled_square, in_axes=(0, None))(xs, k=5.0).tolist() == [5.0, 20.0]
    for form, directions in ((mlopt.jvp, (1.0,)), (mlopt.vjp, (1.0,))):
        with pytest.raises(mlopt.ArgumentError, match=r"`scaled_square` takes . arguments by position after"):
            form(scaled_square)(1.0, *directions)


def structures() -> list[type]:
    """Returns two classes that print alike."""
    return [dataclasses.make_dataclass("Pair", [("a", float), ("b", float)], frozen=True) for _ in range(2)]


@mlopt.function
def weighted(p):
    return p.a * p.a + 10.0 * p.b


def test_structures_of_arguments_select_programs() -> None:
    hessian = mlopt.jacobian(weighted)
    for cls in structures():
        found = hessian(cls(a=1.0, b=3.0))
        assert type(found) is cls and (found.a, found.b) == (2.0, 10.0)


def test_axes_from_the_end() -> None:
    rows = np.arange(6.0).reshape(2, 3)
    assert mlopt.vmap(energy, in_axes=(-1, None))(rows, 2.0).shape == (3,)
    assert np.allclose(mlopt.vmap(energy, in_axes=(-2, None))(rows, 2.0), mlopt.vmap(energy, (0, None))(rows, 2.0))
    with pytest.raises(mlopt.ArgumentError, match="argument #0 with 2 axes has no axis 2"):
        mlopt.vmap(energy, in_axes=(2, None))(rows, 2.0)


@pytest.mark.parametrize(
    ("f", "arguments", "text"),
    [
        (mlopt.grad(scaled_square), (1, 2.0), "must contain a float, found type i64"),
        (mlopt.grad(wave), (np.ones(3), 2.0), "must be one float, found"),
        (mlopt.value_and_grad(wave), (np.ones(3), 2.0), "must be one float, found"),
    ],
)
def test_errors_of_derivatives_have_the_place_of_the_function(f: Any, arguments: Any, text: str) -> None:
    with pytest.raises(mlopt.Error) as caught:
        f(*arguments)
    for found in caught.value.diagnostics:
        assert (found.file, found.line) == (__file__, line_of(f._f, "def ")), str(caught.value)
    assert text in caught.value.diagnostics[0].text


@mlopt.function
def length(s: Segment):
    return s.length()


def test_gradients_are_records() -> None:
    gradient = mlopt.grad(length)(Segment(Point(0.0, 0.0), Point(3.0, 4.0)))
    assert same(gradient, Segment(Point(-0.6, -0.8), Point(0.6, 0.8)))


def test_types_of_arguments() -> None:
    @mlopt.function
    def double(x):
        return x + x

    assert double(2) == 4 and type(double(2)) is int
    assert double(2.5) == 5.0
    assert double(True) == 2
    assert double((1, 2)) == (1, 2, 1, 2)
    assert double([1.0]) == [1.0, 1.0]
    assert double(np.ones((2, 2))).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert double(np.arange(3)).tolist() == [0, 2, 4]
    assert double(np.ones(5)[::2]).tolist() == [2.0, 2.0, 2.0]
    assert double(np.ones(7, "f4")).dtype == np.float32
    with pytest.raises(mlopt.ArgumentError, match="argument #0 of `double` must be a number"):
        double("text")
    with pytest.raises(mlopt.Error, match="argument 0 of `<lambda>` contains an empty list"):
        mlopt.function(lambda xs: len(xs))([])
    with pytest.raises(mlopt.ArgumentError, match="missing a required argument"):
        double()
    with pytest.raises(mlopt.ArgumentError, match="more than 64 bits"):
        double(2**70)
    assert double(3) == 6


def line_of(f: Any, text: str) -> int:
    lines, first = inspect.getsourcelines(f)
    return next(first + k for k, line in enumerate(lines) if text in line)


@mlopt.function
def with_assertion(x, flag):
    assert x > 0.0, "x must be positive"
    if flag:
        return 1.0
    return math.log(x)


@mlopt.function
def element(v, i):
    return v[i] * 2.0


@mlopt.function
def quotient(a, b):
    return a // b


@mlopt.function
def of_a_list(values, k):
    return values[k] + 1


@mlopt.function
def added_zeros(n, v):
    return np.zeros(n) + v


@mlopt.function
def endless(n):
    return 0 if n == -1 else 1 + endless(n + 1)


@pytest.mark.parametrize(
    ("f", "arguments", "text", "line", "column"),
    [
        (with_assertion, (-1.0, False), "assertion: assertion failed: x must be positive", "assert x", 5),
        (with_assertion, (-1.0, True), "assertion: assertion failed: x must be positive", "assert x", 5),
        (element, (np.ones(3), 3), "index-out-of-bounds: index 3 must be at least 0 and below 3", "return", 12),
        (element, (np.ones(3), -1), "index-out-of-bounds", "return", 12),
        (quotient, (1, 0), "division-by-zero: an integer is divided by zero", "return", 12),
        (of_a_list, ([1, 2], 2), "empty-list", "return", 12),
        (added_zeros, (2, np.ones(3)), "shape-mismatch: the operands have different sizes", "return", 12),
        (added_zeros, (1, np.ones(3)), "shape-mismatch: the operands have different sizes", "return", 12),
        (endless, (0,), "", "return", 1),
    ],
)
def test_errors_at_run_time(f: Any, arguments: Any, text: str, line: str, column: int) -> None:
    with pytest.raises(mlopt.Error) as caught:
        f(*arguments)
    found = caught.value.diagnostics[0]
    assert caught.value.kind == "stopped"
    assert text in found.text
    assert found.file == __file__
    if text:
        assert (found.line, found.column) == (line_of(f._f, line), column)


def test_the_program_is_shown() -> None:
    assert "(def py.energy (" in energy.notation()
    v = np.ones(3)
    assert 'lambda.prim "sin"' in energy.module(v, 2.0).text
    assert energy.function(v, 2.0)(v, 2.0) == energy(v, 2.0)
    assert isinstance(energy.explain(v, 2.0), mlopt.Steps)
    assert energy.__name__ == "energy"


def test_threads_share_a_function() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: through_while(1.5, k), range(40)))
    assert np.allclose(found, [1.5 ** (k + 1) for k in range(40)])


IN_A_CHILD = """
import os, signal
import mlopt

@mlopt.function
def square(x):
    return x * x

assert square(2.0) == 4.0
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(0 if square(3.0) == 9.0 and mlopt.grad(square)(3.0) == 6.0 and square(2) == 4 else 1)
assert os.waitpid(child, 0)[1] == 0
assert square(4.0) == 16.0
"""


def test_a_child_process_has_its_own_compiler(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "fork.py"
    program.write_text(IN_A_CHILD)
    subprocess.run([sys.executable, program], check=True, timeout=120)


def test_only_functions_are_compiled() -> None:
    with pytest.raises(TypeError, match="expected a function, found `int`"):
        mlopt.function(3)  # type: ignore[arg-type]
    assert mlopt.function(energy) is energy


# Methods.


@dataclasses.dataclass(frozen=True)
class Spring:
    stiffness: float

    @mlopt.function
    def energy(self, x, rest=1.0):
        return 0.5 * self.stiffness * (x - rest) ** 2

    def twice(self, x):
        return 2.0 * self.energy(x)


def test_methods_are_compiled() -> None:
    spring = Spring(3.0)
    assert math.isclose(spring.energy(2.5), 0.5 * 3.0 * 1.5**2)
    assert math.isclose(spring.energy(2.5, rest=2.0), 0.5 * 3.0 * 0.25)
    assert math.isclose(Spring.energy(spring, 2.5), spring.energy(2.5))
    assert math.isclose(mlopt.function(lambda s, x: s.twice(x))(spring, 2.5), 2.0 * spring.energy(2.5))
    # The positions of a method do not count the object.
    assert math.isclose(mlopt.grad(spring.energy)(2.5), 3.0 * 1.5)
    slope, at = mlopt.grad(spring.energy, argnums=(0, 1))(2.5, 1.0)
    assert math.isclose(slope, -at)
    assert math.isclose(mlopt.grad(Spring.energy)(spring, 2.5).stiffness, 0.5 * 1.5**2)
    with pytest.raises(mlopt.Error, match="transform the function of the class"):
        mlopt.jvp(spring.energy)


@mlopt.function
def divided(x, y):
    return x // y, x % y


def test_zeros_of_divisions_have_signs() -> None:
    for x, y in ((0.0, 2.0), (-0.0, 2.0), (1.0, 2.0), (4.0, 2.0)):
        for found, expected in zip(divided(x, y), (x // y, x % y), strict=True):
            assert (found, math.copysign(1.0, found)) == (expected, math.copysign(1.0, expected)), (x, y)
    assert divided(1.0, 0.0)[0] == math.inf and math.isnan(divided(1.0, 0.0)[1])
