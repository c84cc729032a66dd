"""Derivatives and other transformations of functions, as functions.

Each adds a function to a copy of the program: a request, which the compiler replaces by code.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Sequence
from typing import Any, overload

from . import _errors
from ._mlopt import _TO_ARRAYS, Function, Module

Traced = Callable[..., Any]


def _parts(ty: str) -> tuple[list[str], str]:
    """Returns the sizes and the element type of a scalar or tensor in MLIR."""
    match = re.fullmatch(r"tensor<((?:(?:\d+|\?)x)*)(\w+)>", ty)
    if match is None:
        return [], ty
    return match[1].split("x")[:-1], match[2]


def _type(sizes: Sequence[str], element: str) -> str:
    return f"tensor<{'x'.join([*sizes, element])}>" if sizes else element


def _is_float(ty: str) -> bool:
    return _parts(ty)[1] in ("f32", "f64")


def _unsupported(text: str) -> _errors.Error:
    return _errors.Error(f"error: not supported: {text}", "not supported")


def _argument(text: str) -> _errors.ArgumentError:
    return _errors.ArgumentError(f"error: {text}", "argument")


def _positions(argnums: int | Sequence[int], inputs: Sequence[str], name: str) -> list[int]:
    """Returns the positions that `argnums` names, each of which must be that of a float argument."""
    chosen = [argnums] if isinstance(argnums, int) else list(argnums)
    positions = [k + len(inputs) if k < 0 else k for k in chosen]
    for given, k in zip(chosen, positions, strict=True):
        if not 0 <= k < len(inputs):
            raise _argument(f"argnums: `@{name}` has {len(inputs)} arguments, found position {given}")
    if not positions or len(set(positions)) < len(positions):
        raise _argument(f"argnums: expected different positions, found {chosen}")
    return positions


class _Request:
    """A function that is added to a module."""

    def __init__(self, function: Function, prefix: str, *, as_arrays: bool = True) -> None:
        module = function.module
        self.is_functional = module._is_functional
        if self.is_functional and as_arrays:
            module = module.run(_TO_ARRAYS)
            if module._is_functional:
                raise _unsupported(f"`@{function.__name__}` works with data that is not arrays; use `grad` here")
            self.is_functional = False
        self.module: Module = module
        self.callee = function.__name__
        self.inputs, self.results = module.signature(self.callee)
        taken = set(re.findall(r"@([\w$.]+)", module.text))
        self.name = f"{prefix}_{self.callee}"
        while self.name in taken:
            self.name += "_"

    def added(self, inputs: Sequence[str], results: Sequence[str], body: str, returned: Sequence[str]) -> Function:
        """Returns the function with this body, whose arguments are %0, %1 and so on."""
        parameters = ", ".join(f"%{k}: {ty}" for k, ty in enumerate(inputs))
        types = ", ".join(results)
        text = (
            f"func.func @{self.name}({parameters}) -> ({types}) {{\n"
            f"  {body}\n"
            f"  return {', '.join(returned)} : {types}\n"
            "}\n"
        )
        return self.module.extended(text, f"{self.name}.mlir").function(self.name)

    def request(
        self,
        op: str,
        results: Sequence[str],
        *,
        more: Sequence[str] = (),
        directions: str = "",
        clause: str = "",
        order: Sequence[int] | None = None,
    ) -> Function:
        """Returns the function that is one request with these results, returned in another order if one is given."""
        inputs = [*self.inputs, *more]
        values = [f"%{k}" for k in range(len(inputs))]
        count = len(self.inputs)
        after = f" {directions}({', '.join(values[count:])})" if directions else ""
        found = ["%r"] if len(results) == 1 else [f"%r#{k}" for k in range(len(results))]
        body = (
            f"%r{'' if len(results) == 1 else f':{len(results)}'} = {op} @{self.callee}({', '.join(values[:count])})"
            f"{after}{clause} : ({', '.join(inputs)}) -> ({', '.join(results)})"
        )
        order = range(len(results)) if order is None else order
        return self.added(inputs, [results[k] for k in order], body, [found[k] for k in order])

    def floats(self, types: Sequence[str]) -> list[str]:
        return [ty for ty in types if _is_float(ty)]


def _wrt(positions: Sequence[int]) -> str:
    return f" wrt [{', '.join(map(str, sorted(positions)))}]"


def _ranks(positions: Sequence[int]) -> list[int]:
    """Returns for each position its place among the sorted ones."""
    return [sorted(positions).index(k) for k in positions]


def _gradient(function: Function, argnums: int | Sequence[int], mode: str | None, *, with_value: bool) -> Function:
    prefix = "value_and_grad" if with_value else "grad"
    request = _Request(function, prefix, as_arrays=False)
    positions = _positions(argnums, request.inputs, request.callee)
    if request.is_functional:
        return _functional_gradient(request, positions, with_value=with_value)
    types = [request.inputs[k] for k in sorted(positions)]
    values = request.results if with_value else []
    order = [*range(len(values)), *(len(values) + k for k in _ranks(positions))]
    clause = _wrt(positions) + ("" if mode is None else f" mode {mode}")
    return request.request(f"dual.{prefix}", [*values, *types], clause=clause, order=order)


def _functional_gradient(request: _Request, positions: Sequence[int], *, with_value: bool) -> Function:
    """Returns the gradient of a function of a functional program. Its result types are inferred."""
    if list(positions) != sorted(positions):
        raise _argument(f"argnums: expected ascending positions for a functional program, found {list(positions)}")
    inputs = request.inputs
    open_type = "!lambda.any"
    attributes = [f"wrt = array<i64: {', '.join(map(str, positions))}>", f"arity = {len(inputs)} : i64"]
    attributes += ["value"] * with_value
    values = ", ".join(f"%{k}" for k in range(len(inputs)))
    body = (
        f"%f = lambda.ref @{request.callee} : {open_type}\n"
        f"  %g = lambda.grad %f {{{', '.join(attributes)}}} : ({open_type}) -> {open_type}\n"
        f"  %r = lambda.apply %g({values}) : {open_type} ({', '.join(inputs)}) -> {open_type}"
    )
    return request.added(inputs, [open_type], body, ["%r"])


def _pushed(function: Function) -> Function:
    request = _Request(function, "jvp")
    tangents = request.floats(request.inputs)
    results = [*request.results, *request.floats(request.results)]
    return request.request("dual.jvp", results, more=tangents, directions="tangents")


def _pulled(function: Function) -> Function:
    request = _Request(function, "vjp")
    cotangents = request.floats(request.results)
    results = [*request.results, *request.floats(request.inputs)]
    return request.request("dual.vjp", results, more=cotangents, directions="cotangents")


def _jacobian(function: Function, argnums: int | Sequence[int], mode: str | None) -> Function:
    request = _Request(function, "jacobian")
    positions = _positions(argnums, request.inputs, request.callee)
    columns = [_parts(request.inputs[k])[0] for k in sorted(positions)]
    rows = [_parts(ty) for ty in request.results]
    results = [_type([*row, *column], element) for row, element in rows for column in columns]
    order = [len(columns) * row + k for row in range(len(rows)) for k in _ranks(positions)]
    clause = _wrt(positions) + ("" if mode is None else f" mode {mode}")
    return request.request("dual.jacobian", results, clause=clause, order=order)


def _hessian(function: Function, argnums: int | Sequence[int]) -> Function:
    request = _Request(function, "hessian")
    positions = _positions(argnums, request.inputs, request.callee)
    sizes = [_parts(request.inputs[k])[0] for k in sorted(positions)]
    element = _parts(request.results[0])[1] if request.results else "f64"
    results = [_type([*x, *y], element) for x in sizes for y in sizes]
    ranks = _ranks(positions)
    order = [len(sizes) * x + y for x in ranks for y in ranks]
    return request.request("dual.hessian", results, clause=_wrt(positions), order=order)


def _mapped(function: Function, in_axes: int | None | Sequence[int | None], size: int | None) -> Function:
    request = _Request(function, "vmap")
    inputs, name = request.inputs, request.callee
    axes = [in_axes] * len(inputs) if in_axes is None or isinstance(in_axes, int) else list(in_axes)
    if len(axes) != len(inputs):
        raise _argument(f"in_axes: `@{name}` has {len(inputs)} arguments, found {len(axes)} axes")
    if all(axis is None for axis in axes):
        raise _argument("in_axes: at least one argument must have a mapped axis")
    mapped = "?" if size is None else str(size)
    types = []
    for k, (axis, ty) in enumerate(zip(axes, inputs, strict=True)):
        sizes, element = _parts(ty)
        rank = len(sizes) + 1
        if axis is not None and not -rank <= axis < rank:
            raise _argument(f"in_axes: axis {axis} of argument #{k} of `@{name}` must be from {-rank} to {rank - 1}")
        if axis is not None:
            axis = axes[k] = axis % rank
        types.append(ty if axis is None else _type([*sizes[:axis], mapped, *sizes[axis:]], element))
    results = [_type([mapped, *_parts(ty)[0]], _parts(ty)[1]) for ty in request.results]
    clause = f" in_axes [{', '.join('-1' if axis is None else str(axis) for axis in axes)}]"
    request.inputs = types
    function = request.request("array.vmap", results, clause=clause)
    return function.module.run("func.func(vmap)").function(function.__name__)


def _is_function(f: object) -> bool:
    return isinstance(f, Function)


def _traced(f: Traced, name: str, **options: Any) -> Traced:
    from . import _function, _jax

    compiled = _function.SourceFunction | _function.ArrayFunction
    if isinstance(f, compiled):
        return _function.transformed(f, name, **options)
    if isinstance(f, types.MethodType) and isinstance(f.__func__, compiled):
        # The positions do not count the object.
        if "argnums" not in options:
            text = f"`{name}` of a method of an object; transform the function of the class, and pass the object"
            raise _unsupported(text)
        argnums = options["argnums"]
        chosen = [k + 1 if k >= 0 else k for k in ([argnums] if isinstance(argnums, int) else argnums)]
        options["argnums"] = chosen[0] if isinstance(argnums, int) else chosen
        return types.MethodType(_function.transformed(f.__func__, name, **options), f.__self__)
    return _jax.transformed(f, name, **options)


@overload
def grad(f: Function, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Function: ...
@overload
def grad(f: Traced, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Traced: ...
def grad(f: Function | Traced, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Function | Traced:
    """Returns the gradient of a function with one result, a float, with respect to some of its arguments.

    `mode` is "forward", "reverse", or None: the compiler chooses.
    """
    if isinstance(f, Function):
        return _gradient(f, argnums, mode, with_value=False)
    return _traced(f, "grad", argnums=argnums, mode=mode)


@overload
def value_and_grad(f: Function, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Function: ...
@overload
def value_and_grad(f: Traced, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Traced: ...
def value_and_grad(
    f: Function | Traced, argnums: int | Sequence[int] = 0, *, mode: str | None = None
) -> Function | Traced:
    """Returns the function that computes a value and its gradient."""
    if isinstance(f, Function):
        return _gradient(f, argnums, mode, with_value=True)
    return _traced(f, "value_and_grad", argnums=argnums, mode=mode)


@overload
def jvp(f: Function) -> Function: ...
@overload
def jvp(f: Traced) -> Traced: ...
def jvp(f: Function | Traced) -> Function | Traced:
    """Returns the function from arguments and tangents of float arguments to results and tangents of float results."""
    return _pushed(f) if isinstance(f, Function) else _traced(f, "jvp")


@overload
def vjp(f: Function) -> Function: ...
@overload
def vjp(f: Traced) -> Traced: ...
def vjp(f: Function | Traced) -> Function | Traced:
    """Returns the function from arguments and cotangents of float results to results and cotangents of float
    arguments.
    """
    return _pulled(f) if isinstance(f, Function) else _traced(f, "vjp")


@overload
def jacobian(f: Function, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Function: ...
@overload
def jacobian(f: Traced, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Traced: ...
def jacobian(f: Function | Traced, argnums: int | Sequence[int] = 0, *, mode: str | None = None) -> Function | Traced:
    """Returns the function that computes, for each result and each chosen argument, all partial derivatives."""
    if isinstance(f, Function):
        return _jacobian(f, argnums, mode)
    return _traced(f, "jacobian", argnums=argnums, mode=mode)


@overload
def hessian(f: Function, argnums: int | Sequence[int] = 0) -> Function: ...
@overload
def hessian(f: Traced, argnums: int | Sequence[int] = 0) -> Traced: ...
def hessian(f: Function | Traced, argnums: int | Sequence[int] = 0) -> Function | Traced:
    """Returns the function that computes, for each pair of chosen arguments, all second partial derivatives of a
    function with one result, a float.
    """
    return _hessian(f, argnums) if isinstance(f, Function) else _traced(f, "hessian", argnums=argnums)


@overload
def vmap(f: Function, in_axes: int | None | Sequence[int | None] = 0, *, size: int | None = None) -> Function: ...
@overload
def vmap(f: Traced, in_axes: int | None | Sequence[int | None] = 0, *, size: int | None = None) -> Traced: ...
def vmap(
    f: Function | Traced, in_axes: int | None | Sequence[int | None] = 0, *, size: int | None = None
) -> Function | Traced:
    """Returns a function applied along an axis of its arguments; None is an argument that is the same in every call.

    The results are stacked along a new first axis. With a `size`, the axis has this many elements, else any number.
    """
    if isinstance(f, Function):
        return _mapped(f, in_axes, size)
    return _traced(f, "vmap", in_axes=in_axes, size=size)
