"""The compiler mlopt: programs over arrays and functions, with derivatives, become machine code.

    import mlopt

    module = mlopt.parse("(def f ((x f64)) (* x (sin x)))", "f.terms")
    f = module["f"]
    f(2.0), mlopt.grad(f)(2.0)

`parse` reads a program; a `Module` is transformed by `run` and compiled by `compile`, and its functions are called
with numbers and arrays. `jit` compiles functions that JAX traces, and `grad`, `value_and_grad`, `jvp`, `vjp`,
`jacobian`, `hessian` and `vmap` take functions of both kinds. A `Node` is a reactive program.
"""

from ._display import Drawing, Steps
from ._errors import ArgumentError, Error
from ._function import function
from ._jax import jit
from ._mlopt import ArrayType, Code, Diagnostic, Function, Module, Session, Step, set_threads, threads
from ._stream import Node
from ._transform import grad, hessian, jacobian, jvp, value_and_grad, vjp, vmap

__all__ = [
    "ArgumentError",
    "ArrayType",
    "Code",
    "Diagnostic",
    "Drawing",
    "Error",
    "Function",
    "Module",
    "Node",
    "Session",
    "Step",
    "Steps",
    "function",
    "grad",
    "hessian",
    "jacobian",
    "jit",
    "jvp",
    "parse",
    "set_threads",
    "threads",
    "value_and_grad",
    "vjp",
    "vmap",
]

_session = Session()


def parse(source: str | bytes, name: str = "program.mlir") -> Module:
    """Parses a program.

    The extension of the name selects the notation: `.lambda` for functional programs, `.terms` for array programs,
    and MLIR (with StableHLO) otherwise. Diagnostics show the name.
    """
    return _session.parse(source, name)
