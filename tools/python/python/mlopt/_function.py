"""Functions that are compiled from their source."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from . import _analysis, _errors, _source, _transform
from ._display import Steps
from ._expressions import PLAIN, Signature, dataclass_of
from ._mlopt import Function, Module, Session, _Versions

_session = Session()

#: Transformations that become functions over arrays: they need the shapes of arguments.
_ON_ARRAYS = ("jacobian", "hessian", "vmap")


def _argument(text: str) -> _errors.ArgumentError:
    return _errors.ArgumentError(f"error: {text}", "argument")


@dataclass(frozen=True)
class _Transform:
    """A transformation: its name, and the positions of the arguments that it concerns."""

    name: str
    argnums: int | tuple[int, ...] = 0

    def define(self, program: _source.Program, f: str, count: int) -> tuple[str, int]:
        """Adds the definition of the transformed function of `count` arguments. Returns its name and arity."""
        wrt = [self.argnums] if isinstance(self.argnums, int) else list(self.argnums)
        suffix = f".{'.'.join(map(str, wrt))}" if self.name in ("grad", "value_and_grad") else ""
        name = f"{f}.{self.name}{suffix}{'' if isinstance(self.argnums, int) else '.'}"
        more = {"jvp": count, "vjp": 1}.get(self.name, 0)
        names = [f"x{k}" for k in range(count + more)]
        given = " ".join(names[:count])
        if self.name == "jvp":
            term = f"((jvp {f}) {' '.join(names)})"
        elif self.name == "vjp":
            cotangents = f"((get 1 p) {names[count]})"
            cotangents = f"(tuple {cotangents})" if count == 1 else cotangents
            term = f"(let ((p ((vjp {f}) {given}))) (tuple (get 0 p) {cotangents}))"
        else:
            term = self._gradient(f, count, given, wrt)
        # Errors in the derivative have the position of the function.
        at = program.places[name] = program.places[f]
        program.definitions.setdefault(name, at(f"(def {name} ({' '.join(names)}) {at(term)})"))
        return name, count + more

    def _gradient(self, f: str, count: int, given: str, wrt: Sequence[int]) -> str:
        if any(not -count <= k < count for k in wrt) or len({k % count for k in wrt}) < max(len(wrt), 1):
            raise _argument(f"argnums: expected different positions of {count} arguments, found {list(wrt)}")
        chosen = [k % count for k in wrt]
        positions = sorted(chosen)
        form = "grad" if self.name == "grad" else "vgrad"
        term = f"(({form} ({' '.join(map(str, positions))}) {count} {f}) {given})"
        if isinstance(self.argnums, int) or (len(chosen) > 1 and chosen == positions):
            return term
        # The parts in the order of `argnums`.
        gradient = "r" if form == "grad" else "(get 1 r)"
        parts = [gradient] if len(chosen) == 1 else [f"(get {positions.index(k)} {gradient})" for k in chosen]
        ordered = f"(tuple {' '.join(parts)})"
        return f"(let ((r {term})) {ordered if form == 'grad' else f'(tuple (get 0 r) {ordered})'})"


class SourceFunction:
    """A function that is compiled from its source, once for each combination of argument types."""

    def __init__(self, f: Callable[..., Any], transforms: tuple[_Transform, ...] = ()) -> None:
        functools.update_wrapper(self, f)
        self._f = f
        self._signature = _analysis.signature(f)
        self._transforms = transforms
        #: The programs, by the dataclasses of arguments, with the name of the function in each.
        self._programs: dict[Any, tuple[_Versions, str]] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        arguments = self._positional(arguments, named)
        versions, name = self._program(arguments)
        return versions.call(name, arguments)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Returns the function as a method of an object."""
        return self if instance is None else types.MethodType(self, instance)

    @property
    def plain(self) -> Any:
        """The function itself, or None if this is a derivative of it."""
        return None if self._transforms else self._f

    def module(self, *arguments: Any, **named: Any) -> Module:
        """Returns the program for arguments of these types."""
        arguments = self._positional(arguments, named)
        versions, name = self._program(arguments)
        text, _ = versions.with_types(name, arguments)
        return _session.parse(text, f"{self._f.__name__}.mlir")

    def function(self, *arguments: Any, **named: Any) -> Function:
        """Returns the compiled function for arguments of these types. It takes and returns all numbers and arrays of
        arguments, also of those with defaults, and results, one after another.
        """
        arguments = self._positional(arguments, named)
        versions, name = self._program(arguments)
        text, entry = versions.with_types(name, arguments)
        return _session.parse(text, f"{self._f.__name__}.mlir").function(entry)

    def explain(self, *arguments: Any, **named: Any) -> Steps:
        """Returns the steps of the optimiser for arguments of these types."""
        return self.module(*arguments, **named).explain()

    def notation(self, *arguments: Any) -> str:
        """Returns the program in the notation of functions. Arguments are needed only for their dataclasses."""
        return self._translated(frozenset(_classes(arguments)), arguments)[0].text

    def transformed(self, name: str, argnums: int | Sequence[int] = 0) -> SourceFunction:
        chosen = argnums if isinstance(argnums, int) else tuple(argnums)
        return SourceFunction(self._f, (*self._transforms, _Transform(name, chosen)))

    def defined(self, program: _source.Program, classes: Sequence[type | None] = ()) -> str:
        """Returns the name of the definition in a program, to which it is added, for arguments of these classes."""
        name, signature = program.function(self._f, classes)
        count = len(signature.parameters)
        for transform in self._transforms:
            name, count = transform.define(program, name, count)
        return name

    def signature(self, program: _source.Program) -> Signature:
        """Returns the parameters of the function in a program."""
        _, signature = program.function(self._f)
        if all(t.name in ("grad", "value_and_grad") for t in self._transforms):
            return signature
        return Signature(tuple(f"x{k}" for k in range(self._count(len(signature.parameters)))), {})

    def _count(self, count: int) -> int:
        """Returns the number of arguments after the transformations of a function of `count` arguments."""
        for t in self._transforms:
            count += {"jvp": count, "vjp": 1}.get(t.name, 0)
        return count

    def _positional(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        return self.bound(arguments, named)[0]

    def bound(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[bool, ...]]:
        """Returns all arguments by position, and which of them are given: the others have defaults."""
        if any(t.name in ("jvp", "vjp") for t in self._transforms):
            count = self._count(len(_analysis.code_names(self._f)))
            if named or len(arguments) != count:
                text = f"`{self._f.__name__}` takes {count} arguments by position after `jvp` and `vjp`"
                found = f"{len(arguments)}{''.join(f' and `{n}`' for n in named)}"
                raise _argument(f"{text}, without defaults: all arguments, then tangents or cotangents; found {found}")
            return arguments, (True,) * count
        try:
            bound = self._signature.bind(*arguments, **named)
        except TypeError as error:
            raise _argument(f"`{self._f.__name__}`: {error}") from error
        given = set(bound.arguments)
        bound.apply_defaults()
        return tuple(bound.arguments.values()), tuple(n in given for n in bound.arguments)

    def _translated(self, classes: frozenset[type], arguments: Sequence[Any]) -> tuple[_source.Program, str]:
        program = _source.Program(sorted(classes, key=lambda c: (c.__module__, c.__qualname__)))
        name = self.defined(program, [dataclass_of(type(x)) or PLAIN for x in arguments])
        # A class that is found late has methods that calls before it could mean.
        if program.names.keys() != classes:
            return self._translated(frozenset(program.names), arguments)
        return program, name

    def _program(self, arguments: tuple[Any, ...]) -> tuple[_Versions, str]:
        """Returns the program for arguments of these classes, and the name of the function in it."""
        classes = frozenset(_classes(arguments))
        # The classes of arguments select methods: their positions matter.
        key = classes and (classes, tuple(dataclass_of(type(x)) for x in arguments))
        found = self._programs.get(key)
        if found is None:
            program, name = self._translated(classes, arguments)
            versions = _Versions(program.text, self._f.__name__, program.names, program.classes)
            # Without a lock, which could be held when the process forks. All threads use the first program.
            found = self._programs.setdefault(key, (versions, re.sub(r"[^A-Za-z0-9$._-]", "_", name)))
        return found


def _classes(values: Sequence[Any]) -> Iterator[type]:
    """Returns the dataclasses of values and of their parts."""
    for x in values:
        if isinstance(x, tuple | list):
            yield from _classes(x)
        elif dataclasses.is_dataclass(x) and not isinstance(x, type):
            yield type(x)
            yield from _classes([getattr(x, f.name) for f in dataclasses.fields(x)])


# Transformations of functions over arrays.


def _leaves(x: Any) -> list[Any]:
    """Returns the numbers and arrays of a value, in order."""
    if isinstance(x, tuple):
        return [leaf for part in x for leaf in _leaves(part)]
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return [leaf for f in dataclasses.fields(x) for leaf in _leaves(getattr(x, f.name))]
    if isinstance(x, list):
        raise _errors.Error("error: not supported: lists here; use tuples or arrays", "not supported")
    return [x]


def _rebuilt(like: Any, leaves: Iterator[Any]) -> Any:
    """Returns a value of the structure of `like`."""
    if isinstance(like, tuple):
        return tuple(_rebuilt(part, leaves) for part in like)
    if dataclasses.is_dataclass(like) and not isinstance(like, type):
        made = object.__new__(type(like))
        for f in dataclasses.fields(like):
            object.__setattr__(made, f.name, _rebuilt(getattr(like, f.name), leaves))
        return made
    return next(leaves)


def _key(x: Any) -> Any:
    """Returns the structure of a value, and the types and shapes of its numbers and arrays."""
    if isinstance(x, tuple):
        return tuple, *map(_key, x)
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return type(x), *(_key(getattr(x, f.name)) for f in dataclasses.fields(x))
    return type(x), getattr(x, "shape", None), getattr(x, "dtype", None)


class ArrayFunction:
    """The Jacobian, the Hessian or the map of a function that is compiled from its source."""

    def __init__(self, f: SourceFunction, name: str, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, f)
        self._f = f
        self._name = name
        self._options = options
        self._functions: dict[Any, tuple[Function, Any]] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        arguments, given = self._f.bound(arguments, named)
        leaves = _leaves(arguments)
        key = given, _key(arguments)
        if key not in self._functions:
            self._functions[key] = self._build(arguments, given)
        function, like = self._functions[key]
        found = function(*leaves)
        results = iter(found if isinstance(found, tuple) else (found,))
        return _rebuilt(like, results)

    def function(self, *arguments: Any, **named: Any) -> Function:
        """Returns the compiled function for arguments of these types, which takes and returns all numbers and arrays
        of arguments, also of those with defaults, and results, one after another.
        """
        return self._build(*self._f.bound(arguments, named))[0]

    def _build(self, arguments: tuple[Any, ...], given: tuple[bool, ...]) -> tuple[Function, Any]:
        """Returns the function, and a value of the structure of its result."""
        if self._name == "vmap":
            return self._mapped(arguments, given)
        argnums = self._options["argnums"]
        chosen = [argnums] if isinstance(argnums, int) else list(argnums)
        if any(not -len(arguments) <= k < len(arguments) for k in chosen):
            raise _argument(f"argnums: the function has {len(arguments)} arguments, found {chosen}")
        ends = [0]
        for x in arguments:
            ends.append(ends[-1] + len(_leaves(x)))
        chosen = [k % len(arguments) for k in chosen]
        positions = [p for k in chosen for p in range(ends[k], ends[k + 1])]
        function = self._f.function(*arguments)
        by_argument = arguments[chosen[0]] if isinstance(argnums, int) else tuple(arguments[k] for k in chosen)
        if self._name == "hessian":
            return _transform.hessian(function, positions), _paired(by_argument, by_argument)
        result = self._f(*arguments)
        return _transform.jacobian(function, positions, mode=self._options["mode"]), _paired(result, by_argument)

    def _mapped(self, arguments: tuple[Any, ...], given: tuple[bool, ...]) -> tuple[Function, Any]:
        import numpy as np

        in_axes = self._options["in_axes"]
        axes = [in_axes] * sum(given) if in_axes is None or isinstance(in_axes, int) else list(in_axes)
        if len(axes) == sum(given):
            # Defaults are the same for every element.
            rest = iter(axes)
            axes = [next(rest) if is_given else None for is_given in given]
        if len(axes) != len(arguments):
            raise _argument(f"in_axes: the function has {len(arguments)} arguments, found {len(axes)} axes")
        first, sizes = [], set()
        flat: list[int | None] = []
        for k, (x, axis) in enumerate(zip(arguments, axes, strict=True)):
            rows = []
            for leaf in _leaves(x):
                if axis is None:
                    flat.append(None)
                    rows.append(leaf)
                    continue
                rank = np.ndim(leaf)
                if not -rank <= axis < rank:
                    raise _argument(f"in_axes: argument #{k} with {rank} axes has no axis {axis}")
                flat.append(axis % rank)
                sizes.add(np.shape(leaf)[axis])
                rows.append(np.take(leaf, 0, axis) if np.shape(leaf)[axis] else None)
            first.append(_rebuilt(x, iter(rows)))
        if len(sizes) != 1 or 0 in sizes:
            raise _argument(f"in_axes: expected mapped axes of one size, at least 1, found {sorted(sizes)}")
        function = _transform.vmap(self._f.function(*first), flat, size=self._options["size"])
        return function, self._f(*first)


def _paired(outer: Any, inner: Any) -> Any:
    """Returns the structure with `inner` at each leaf of `outer`."""
    return _rebuilt(outer, iter([inner] * len(_leaves(outer))))


def transformed(f: SourceFunction | ArrayFunction, name: str, **options: Any) -> SourceFunction | ArrayFunction:
    """Returns a transformed function."""
    if isinstance(f, ArrayFunction):
        text = f"error: not supported: `{name}` of a Jacobian, a Hessian or a map; transform the function before"
        raise _errors.Error(text, "not supported")
    if name in _ON_ARRAYS:
        return ArrayFunction(f, name, options)
    return f.transformed(name, options.get("argnums", 0))


def function(f: Callable[..., Any]) -> SourceFunction:
    """Compiles a function of Python from its source, with the functions and dataclasses that it uses.

    The first call for a combination of argument types compiles. Derivatives are those of the program: through loops,
    recursion and closures, of any order. What the compiler does not support is an `mlopt.Error` with file, line and
    column.
    """
    if isinstance(f, SourceFunction):
        return f
    if not inspect.isfunction(f):
        raise TypeError(f"expected a function, found `{type(f).__name__}`")
    return SourceFunction(f)
