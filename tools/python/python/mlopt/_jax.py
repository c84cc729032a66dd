"""Functions that JAX traces, compiled and differentiated by mlopt."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import _errors, _transform
from ._mlopt import Function, Session

#: The newest version of StableHLO that is read.
_STABLEHLO = "1.17.0"

#: Primitives of JAX with a derivative of their own, which their lowering to StableHLO loses.
_OWN_DERIVATIVES = frozenset(
    {
        "custom_jvp_call",
        "custom_lin",
        "custom_linear_solve",
        "custom_transpose_call",
        "custom_vjp_call",
        "custom_vjp_call_jaxpr",
        "linear_call",
        "stop_gradient",
    }
)

_session = Session()

Leaves = Sequence[Any]


def _jax() -> Any:
    try:
        import jax
    except ImportError as error:
        text = "error: functions of Python require JAX: pip install 'mlopt[jax]'"
        raise _errors.Error(text, "not supported") from error
    return jax


@dataclass(frozen=True)
class _Program:
    """A function of arrays, with the structure of its arguments and results."""

    function: Function
    #: For each argument, its tree and its arrays (shape and dtype).
    arguments: list[tuple[Any, list[Any]]]
    results: list[Any]
    #: Builds the result from its arrays.
    rebuild: Callable[[list[Any]], Any]
    #: The function in JAX, if JAX must differentiate it.
    source: Callable[..., Any] | None = None

    def derived(self, transform: Callable[..., Function], *arguments: Any, **options: Any) -> Function:
        """Returns the transformed function, or the function itself if JAX must differentiate it: `_build` compiles the
        derivative of JAX.
        """
        return self.function if self.source else transform(self.function, *arguments, **options)

    def leaves(self) -> list[Any]:
        return [leaf for _, leaves in self.arguments for leaf in leaves]

    def positions(self, argnums: int | Sequence[int]) -> list[int]:
        """Returns the positions of the arrays of arguments, which must be floats."""
        ends = [0]
        for _, leaves in self.arguments:
            ends.append(ends[-1] + len(leaves))
        chosen: list[int] = []
        for number in _list(argnums):
            if not -len(self.arguments) <= number < len(self.arguments):
                raise _argument(f"argnums: the function has {len(self.arguments)} arguments, found position {number}")
            k = number % len(self.arguments)
            chosen += range(ends[k], ends[k + 1])
        for k in chosen:
            if self.leaves()[k].dtype.kind != "f":
                raise _argument(f"derivatives require floats, found an argument of {self.leaves()[k].dtype}")
        return chosen

    def regroup(self, argnums: int | Sequence[int]) -> Callable[[list[Any]], Any]:
        """Returns the function that builds arguments from their arrays: one, or a tuple if `argnums` is a sequence."""
        jax = _jax()
        trees = [self.arguments[k] for k in _list(argnums)]

        def build(arrays: list[Any]) -> Any:
            built, start = [], 0
            for tree, leaves in trees:
                built.append(jax.tree.unflatten(tree, arrays[start : start + len(leaves)]))
                start += len(leaves)
            return built[0] if isinstance(argnums, int) else tuple(built)

        return build


def _argument(text: str) -> _errors.ArgumentError:
    return _errors.ArgumentError(f"error: {text}", "argument")


def _list(argnums: int | Sequence[int]) -> list[int]:
    return [argnums] if isinstance(argnums, int) else list(argnums)


def _array(shape: Sequence[int], dtype: Any) -> Any:
    return _jax().ShapeDtypeStruct(tuple(shape), dtype)


def _described(x: Any) -> Any:
    """Returns shape and dtype of an argument as JAX sees it."""
    import numpy as np

    jax = _jax()
    is_python = isinstance(x, bool | int | float | complex) and not isinstance(x, np.generic)
    shape, dtype = (x.shape, x.dtype) if hasattr(x, "dtype") else (np.shape(x), np.result_type(x))
    dtype = jax.dtypes.canonicalize_dtype(dtype)
    return jax.ShapeDtypeStruct(shape, dtype, weak_type=is_python or getattr(x, "weak_type", False))


# The arguments of a transformed function, and those of the function that is transformed.


def _inner(name: str, options: dict[str, Any], arguments: list[tuple[Any, list[Any]]]) -> list[tuple[Any, list[Any]]]:
    if name == "jvp":
        if len(arguments) % 2 > 0:
            raise _argument(f"jvp: expected as many tangents as arguments, found {len(arguments)} in all")
        return arguments[: len(arguments) // 2]
    if name == "vjp":
        if not arguments:
            raise _argument("vjp: expected the cotangent of the result as the last argument")
        return arguments[:-1]
    if name == "vmap":
        axes = _axes(options["in_axes"], len(arguments))
        return [
            (tree, [_without(leaf, axis) for leaf in leaves])
            for (tree, leaves), axis in zip(arguments, axes, strict=True)
        ]
    return arguments


def _axes(in_axes: int | None | Sequence[int | None], count: int) -> list[int | None]:
    axes = [in_axes] * count if in_axes is None or isinstance(in_axes, int) else list(in_axes)
    if len(axes) != count:
        raise _argument(f"in_axes: the function has {count} arguments, found {len(axes)} axes")
    return axes


def _without(leaf: Any, axis: int | None) -> Any:
    if axis is None:
        return leaf
    rank = len(leaf.shape)
    if not -rank <= axis < rank:
        raise _argument(f"in_axes: expected an axis of an array of shape {leaf.shape}, found {axis}")
    return _array(leaf.shape[: axis % rank] + leaf.shape[axis % rank + 1 :], leaf.dtype)


def _applied(program: _Program, name: str, options: dict[str, Any], outer: list[tuple[Any, list[Any]]]) -> _Program:
    """Returns the program of a transformed function."""
    leaves, results = program.leaves(), program.results
    if name in ("grad", "value_and_grad"):
        positions = program.positions(options["argnums"])
        _check_scalar(program, name)
        build = program.regroup(options["argnums"])
        function = program.derived(getattr(_transform, name), positions, mode=options["mode"])
        gradients = [leaves[k] for k in positions]
        if name == "grad":
            return replace(program, function=function, results=gradients, rebuild=build)

        def with_value(arrays: list[Any]) -> Any:
            return program.rebuild(arrays[:1]), build(arrays[1:])

        return replace(program, function=function, results=[*results, *gradients], rebuild=with_value)
    if name == "jacobian":
        positions = program.positions(options["argnums"])
        function = program.derived(_transform.jacobian, positions, mode=options["mode"])
        build, columns = program.regroup(options["argnums"]), len(positions)
        arrays = [_array(row.shape + leaves[k].shape, row.dtype) for row in results for k in positions]

        def by_result(all: list[Any]) -> Any:
            return program.rebuild([build(all[start : start + columns]) for start in range(0, len(all), columns)])

        return replace(program, function=function, results=arrays, rebuild=by_result)
    if name == "hessian":
        positions = program.positions(options["argnums"])
        _check_scalar(program, name)
        function = program.derived(_transform.hessian, positions)
        build, columns = program.regroup(options["argnums"]), len(positions)
        arrays = [_array(leaves[x].shape + leaves[y].shape, leaves[x].dtype) for x in positions for y in positions]

        def by_pair(all: list[Any]) -> Any:
            return build([build(all[start : start + columns]) for start in range(0, len(all), columns)])

        return replace(program, function=function, results=arrays, rebuild=by_pair)
    if name == "vmap":
        axes = _axes(options["in_axes"], len(outer))
        sizes = {x.shape[axis] for (_, xs), axis in zip(outer, axes, strict=True) if axis is not None for x in xs}
        if len(sizes) != 1:
            raise _argument(f"in_axes: expected mapped axes of one size, found {sorted(sizes)}")
        (size,) = sizes
        flat = [
            None if axis is None else axis % len(x.shape) for (_, xs), axis in zip(outer, axes, strict=True) for x in xs
        ]
        function = program.derived(_transform.vmap, flat, size=size)
        arrays = [_array((size, *x.shape), x.dtype) for x in results]
        return replace(program, function=function, arguments=outer, results=arrays)
    every = program.positions(range(len(program.arguments)))
    if any(x.dtype.kind != "f" for x in results):
        raise _argument(f"{name}: expected results that are floats, found {[str(x.dtype) for x in results]}")
    count = len(results)
    if name == "jvp":
        function, more, build = program.derived(_transform.jvp), results, program.rebuild
    else:
        function, more = program.derived(_transform.vjp), [leaves[k] for k in every]
        build = program.regroup(range(len(program.arguments)))
    expected = leaves if name == "jvp" else results
    given = [leaf for _, xs in outer[len(program.arguments) :] for leaf in xs]
    if [(x.shape, x.dtype) for x in given] != [(x.shape, x.dtype) for x in expected]:
        found, wanted = ([f"{x.dtype}{list(x.shape)}" for x in xs] for xs in (given, expected))
        raise _argument(f"{name}: expected directions {', '.join(wanted)}, found {', '.join(found)}")
    return _Program(
        function, outer, [*results, *more], lambda arrays: (program.rebuild(arrays[:count]), build(arrays[count:]))
    )


def _by_jax(f: Callable[..., Any], name: str, options: dict[str, Any]) -> Callable[..., Any]:
    """Returns a function that JAX transforms, with the results of `_applied` in their order."""
    jax = _jax()
    transformed: Callable[..., Any]
    if name == "vmap":
        in_axes = options["in_axes"]
        transformed = jax.vmap(f, in_axes if in_axes is None or isinstance(in_axes, int) else tuple(in_axes))
        return transformed
    if name == "jvp":
        return lambda *xs: jax.jvp(f, xs[: len(xs) // 2], xs[len(xs) // 2 :])
    if name == "vjp":

        def pulled(*xs: Any) -> Any:
            value, pull = jax.vjp(f, *xs[:-1])
            return value, pull(xs[-1])

        return pulled
    argnums = options["argnums"]
    argnums = argnums if isinstance(argnums, int) else tuple(argnums)
    if name == "jacobian":
        name = "jacfwd" if options["mode"] == "forward" else "jacrev"
    transformed = getattr(jax, name)(f, argnums)
    return transformed


def _has_own_derivatives(jaxpr: Any) -> bool:
    """Checks whether a program of JAX contains a derivative that its lowering to StableHLO loses."""

    def inside(parameter: Any) -> bool:
        if isinstance(parameter, list | tuple):
            return any(inside(x) for x in parameter)
        inner = getattr(parameter, "jaxpr", parameter)
        return hasattr(inner, "eqns") and _has_own_derivatives(inner)

    return any(
        equation.primitive.name in _OWN_DERIVATIVES or any(inside(x) for x in equation.params.values())
        for equation in jaxpr.eqns
    )


def _check_scalar(program: _Program, name: str) -> None:
    shapes = [x.shape for x in program.results]
    if shapes != [()] or program.results[0].dtype.kind != "f":
        found = ", ".join(f"{x.dtype}{list(x.shape)}" for x in program.results)
        raise _argument(f"{name}: the function must return one float scalar, found {found}")


class Traced:
    """A function of Python that JAX traces when it is called with arguments of new shapes or types."""

    def __init__(self, f: Callable[..., Any], transforms: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]) -> None:
        functools.update_wrapper(self, f)
        self._f = f
        self._transforms = transforms
        self._programs: dict[Any, _Program] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        jax = _jax()
        arguments = self._positional(arguments, named)
        program, leaves = self._program(arguments)
        if any(isinstance(x, jax.core.Tracer) for x in leaves):
            return program.rebuild(_call_in_jax(program, leaves))
        return program.rebuild(_call(program.function, leaves, program.leaves(), program.results))

    def function(self, *arguments: Any, **named: Any) -> Function:
        """Returns the compiled function for arguments of these shapes and types. It takes and returns all arrays of
        arguments and results, one after another.
        """
        return self._program(self._positional(arguments, named))[0].function

    def _positional(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """Returns the given arguments by position: those with defaults are no arguments of the program."""
        if not named:
            return arguments
        name = getattr(self._f, "__name__", "function")
        if any(t in ("jvp", "vjp") for t, _ in self._transforms):
            raise _argument("`jvp` and `vjp` take arguments by position")
        try:
            bound = inspect.signature(self._f).bind(*arguments, **named)
        except (TypeError, ValueError) as error:
            raise _argument(f"`{name}`: {error}") from error
        if bound.kwargs:
            found = ", ".join(f"`{n}`" for n in bound.kwargs)
            raise _argument(f"`{name}`: {found} cannot be given by position; pass all arguments before by position")
        return bound.args

    def _program(self, arguments: tuple[Any, ...]) -> tuple[_Program, list[Any]]:
        jax = _jax()
        leaves, tree = jax.tree.flatten(arguments)
        described = [_described(x) for x in leaves]
        key = (tree, *((x.shape, x.dtype, x.weak_type) for x in described))
        program = self._programs.get(key)
        if program is None:
            outer, start = [], 0
            for argument in arguments:
                subtree = jax.tree.structure(argument)
                outer.append((subtree, described[start : start + subtree.num_leaves]))
                start += subtree.num_leaves
            program = self._programs[key] = _build(self._f, self._transforms, outer)
        return program, leaves


def _build(
    f: Callable[..., Any],
    transforms: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...],
    outer: list[tuple[Any, list[Any]]],
) -> _Program:
    """Returns the program of a function after transformations, the last one outermost."""
    if not transforms:
        return _trace(f, outer)
    *before, (name, pairs) = transforms
    options = dict(pairs)
    program = _build(f, tuple(before), _inner(name, options, outer))
    applied = _applied(program, name, options, outer)
    if program.source is None:
        return applied
    source = _by_jax(program.source, name, options)
    return replace(applied, function=_trace(source, outer).function, source=source)


def _trace(f: Callable[..., Any], arguments: list[tuple[Any, list[Any]]]) -> _Program:
    jax = _jax()
    from jaxlib.mlir.dialects import stablehlo

    for _, leaves in arguments:
        for leaf in leaves:
            _machine_type(leaf.dtype)
    values = [jax.tree.unflatten(tree, leaves) for tree, leaves in arguments]
    # Compiled code takes all arguments, also those that are not used.
    traced = jax.jit(f, keep_unused=True).trace(*values)
    lowered = traced.lower(lowering_platforms=("cpu",))
    name = getattr(f, "__name__", "function")
    version = min(_STABLEHLO, stablehlo.get_current_version(), key=lambda text: [int(n) for n in text.split(".")])
    # Attributes of other dialects do not change the meaning of a program, and are read, too.
    artifact = stablehlo.serialize_portable_artifact(
        lowered.compiler_ir("stablehlo"), version, allow_other_dialects=True
    )
    results = jax.tree.leaves(lowered.out_info)
    for leaf in results:
        _machine_type(leaf.dtype)
    module = _session.parse(artifact, f"{name}.mlir", jax=True)
    rebuild = functools.partial(jax.tree.unflatten, lowered.out_tree)
    return _Program(
        module.function("main"),
        arguments,
        [_array(x.shape, x.dtype) for x in results],
        rebuild,
        f if _has_own_derivatives(traced.jaxpr.jaxpr) else None,
    )


def _machine_type(dtype: Any) -> Any:
    """Returns the type of elements in compiled code, in which integers have no sign."""
    import numpy as np

    dtype = np.dtype(dtype)
    if dtype.kind in "bi" or dtype in (np.float32, np.float64):
        return dtype
    if dtype.kind == "u":
        return np.dtype(f"int{8 * dtype.itemsize}")
    raise _errors.Error(f"error: not supported: arguments and results of {dtype}", "not supported")


def _call(function: Function, arguments: Leaves, types: Leaves, results: Leaves) -> list[Any]:
    """Calls a function with arrays, and returns arrays of NumPy."""
    import numpy as np

    arrays = [np.asarray(x, ty.dtype).view(_machine_type(ty.dtype)) for x, ty in zip(arguments, types, strict=True)]
    found = function(*arrays)
    found = (found,) if len(results) == 1 else found or ()
    return [np.asarray(x, _machine_type(ty.dtype)).view(ty.dtype) for x, ty in zip(found, results, strict=True)]


def _call_in_jax(program: _Program, arguments: Leaves) -> list[Any]:
    """Calls a function in a program of JAX, which differentiates it by the derivative of `_pulled`."""
    import numpy as np

    jax = _jax()
    types, results = program.leaves(), program.results

    def value(*xs: Any) -> Any:
        return jax.pure_callback(
            lambda *ys: _call(program.function, ys, types, results), list(results), *xs, vmap_method="sequential"
        )

    call = jax.custom_vjp(value)

    def forward(*xs: Any) -> tuple[Any, tuple[Any, ...]]:
        return call(*xs), xs

    def backward(xs: tuple[Any, ...], cotangents: list[Any]) -> tuple[Any, ...]:
        given = [*xs, *(cotangents[k] for k in _floats(results))]
        rest = iter(_call_in_jax(_pulled(program), given)[len(results) :])
        return tuple(
            next(rest) if ty.dtype.kind == "f" else np.zeros(ty.shape, jax.dtypes.float0) for ty in types
        )

    call.defvjp(forward, backward)
    return list(call(*arguments))


def _floats(types: Leaves) -> list[int]:
    return [k for k, ty in enumerate(types) if ty.dtype.kind == "f"]


def _pulled(program: _Program) -> _Program:
    """Returns the function from the arrays of arguments, and cotangents of the results that are floats, to the arrays
    of the results, and cotangents of the arguments that are floats.
    """
    import numpy as np

    jax = _jax()
    types, results = program.leaves(), program.results
    inputs, outputs = _floats(types), _floats(results)
    leaf = jax.tree.structure(0)
    arguments = [(leaf, [ty]) for ty in [*types, *(results[k] for k in outputs)]]
    source = program.source
    if source is None:
        arrays = [*results, *(types[k] for k in inputs)]
        return _Program(_transform.vjp(program.function), arguments, arrays, list)

    def pulled(*xs: Any) -> Any:
        def of_floats(*floats: Any) -> Any:
            leaves = list(xs[: len(types)])
            for k, x in zip(inputs, floats, strict=True):
                leaves[k] = x
            trees, start = [], 0
            for tree, inner in program.arguments:
                trees.append(jax.tree.unflatten(tree, leaves[start : start + len(inner)]))
                start += len(inner)
            return jax.tree.leaves(source(*trees))

        found, pull = jax.vjp(of_floats, *(xs[k] for k in inputs))
        given = iter(xs[len(types) :])
        cotangents = [
            next(given) if ty.dtype.kind == "f" else np.zeros(ty.shape, jax.dtypes.float0) for ty in results
        ]
        return [*found, *pull(cotangents)]

    return replace(_trace(pulled, arguments), source=pulled)


def transformed(f: Callable[..., Any], name: str, **options: Any) -> Traced:
    """Returns a transformed function of Python."""
    options.pop("size", None)
    pairs = tuple(options.items())
    if isinstance(f, Traced):
        return Traced(f._f, (*f._transforms, (name, pairs)))
    if not callable(f):
        raise TypeError(f"expected a function, found `{type(f).__name__}`")
    return Traced(f, ((name, pairs),))


def jit(f: Callable[..., Any]) -> Traced:
    """Compiles a function of Python that JAX can trace.

    Arguments and results are trees of arrays. The results are arrays of NumPy; inside other programs of JAX, they are
    values of JAX, and JAX differentiates the function by the derivative of mlopt.
    """
    if isinstance(f, Traced):
        return f
    if not callable(f):
        raise TypeError(f"expected a function, found `{type(f).__name__}`")
    return Traced(f, ())
