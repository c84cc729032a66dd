"""A program that the type checkers accept; what they must reject is marked."""

from typing import assert_type

import mlopt

module = mlopt.parse("(def f ((x f64)) (* x x))", "f.terms")
assert_type(module, mlopt.Module)
f = module["f"]
assert_type(module.explain()[0], mlopt.Step)
assert_type(module.explain()[:1], mlopt.Steps)
assert_type(module.dataflow("f", limit=10).svg, str)
assert_type(mlopt.grad(f), mlopt.Function)
assert_type(mlopt.hessian(mlopt.value_and_grad(f, argnums=(0,)), 0), mlopt.Function)
assert_type(module.run(["cse"]).compile(target="x86-64-v3")["f"], mlopt.Function)
assert_type(f.inputs[0].shape, tuple[int | None, ...])
try:
    f(1.0, out=None)
except mlopt.Error as error:
    assert_type([note.line for note in error.diagnostics[0].notes], list[int | None])


@mlopt.jit
def loss(x: float) -> float:
    return x * x


@mlopt.function
def cube(x: float) -> float:
    return x * x * x


loss(1.0)
assert_type(cube.notation(), str)
assert_type(cube.function(1.0), mlopt.Function)
mlopt.grad(cube)(1.0)
mlopt.function(1)  # type: ignore
module.run(1)  # type: ignore
mlopt.grad("f")  # type: ignore
