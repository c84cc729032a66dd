"""Reactive nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _errors
from ._mlopt import ArrayType, Module, _Node

_PRESENT = 1
_ABSENT = 0


class Node:
    """A reactive node, which computes outputs from inputs cycle by cycle.

    `source` is a program in MLIR with nodes, as text or as a module, and `node` the name of one of them. A value that
    is absent in a cycle is None.
    """

    def __init__(self, source: str | Module, node: str, name: str = "program.mlir") -> None:
        self._node = _Node(source, name, node)
        self._inputs = dict(self._node.inputs)

    @property
    def inputs(self) -> dict[str, ArrayType]:
        """The types of the inputs in a cycle, by name."""
        return dict(self._inputs)

    @property
    def outputs(self) -> dict[str, ArrayType]:
        """The types of the outputs in a cycle, by name."""
        return dict(self._node.outputs)

    @property
    def memory(self) -> str:
        """The memory of the node, part by part, and why it is bounded."""
        return self._node.memory

    def restart(self) -> None:
        """Starts again from the first cycle."""
        self._node.restart()

    def step(self, **inputs: Any) -> dict[str, Any]:
        """Runs one cycle. Returns its outputs."""
        if not self._node.is_forward:
            text = "the outputs of this node depend on later cycles, so it runs by `run` or `iterate`"
            raise _errors.Error(f"error: not supported: {text}", "not supported")
        (outputs,) = self._rows(self._fed({name: [x] for name, x in inputs.items()}, 1, is_end=False))
        return outputs

    def iterate(self, cycles: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Runs the node from the first cycle on. Yields the outputs of each cycle as soon as they are known."""
        self.restart()
        for inputs in cycles:
            yield from self._rows(self._fed({name: [x] for name, x in inputs.items()}, 1, is_end=False))
        nothing: dict[str, Any] = {name: [] for name in self._inputs}
        yield from self._rows(self._fed(nothing, 0, is_end=True))

    def run(self, **inputs: Any) -> dict[str, Any]:
        """Runs the node from the first cycle to the end of its inputs, of which the first axis are the cycles.

        Returns an array for each output, or a list with None if it is absent in some cycles.
        """
        self.restart()
        lengths = {name: len(x) for name, x in inputs.items()}
        if len(set(lengths.values())) > 1:
            raise _argument(f"inputs must have the same number of cycles, found {lengths}")
        found = self._fed(inputs, next(iter(lengths.values()), 0), is_end=True)
        return {
            name: rows if all(mark == _PRESENT for mark in marks) else _with_absent(name, rows, marks)
            for name, (rows, marks) in found.items()
        }

    def _fed(self, inputs: Mapping[str, Any], cycles: int, *, is_end: bool) -> dict[str, tuple[Any, bytes]]:
        unknown = [name for name in inputs if name not in self._inputs]
        if unknown:
            raise _argument(f"the node has no input `{unknown[0]}`; it has {', '.join(map(repr, self._inputs))}")
        columns = {name: _column(values, self._inputs[name]) for name, values in inputs.items()}
        return self._node.feed(columns, cycles, is_end)

    def _rows(self, found: dict[str, tuple[Any, bytes]]) -> Iterator[dict[str, Any]]:
        count = max((len(marks) for _, marks in found.values()), default=0)
        for k in range(count):
            cells = {name: (rows[k : k + 1], marks[k : k + 1]) for name, (rows, marks) in found.items()}
            yield {name: _with_absent(name, rows, marks)[0] for name, (rows, marks) in cells.items()}


def _argument(text: str) -> _errors.ArgumentError:
    return _errors.ArgumentError(f"error: {text}", "argument")


def _column(values: Any, ty: ArrayType) -> tuple[Any, bytes]:
    """Returns the rows of an input, and for each whether it is present."""
    import numpy as np

    if not isinstance(values, Sequence):
        return values, bytes([_PRESENT]) * len(values)
    marks = bytes(_ABSENT if x is None else _PRESENT for x in values)
    rows = np.zeros((len(values), *(n or 0 for n in ty.shape)), ty.dtype)
    for k, x in enumerate(values):
        if x is not None:
            value = np.asarray(x)
            if value.shape != rows[k].shape:
                raise _argument(f"a value of an input must have shape {rows[k].shape}, found {value.shape}")
            if not np.can_cast(value.dtype, rows.dtype, "same_kind"):
                raise _argument(f"a value of an input must be {ty.dtype}, found {value.dtype}")
            rows[k] = value
    return rows, marks


def _with_absent(name: str, rows: Any, marks: bytes) -> list[Any]:
    """Returns the values of an output, None where it is absent."""
    if any(mark not in (_PRESENT, _ABSENT) for mark in marks):
        raise _errors.Error(f"error: the inputs end before the output `{name}` is known", "stopped")
    return [(x.item() if x.ndim == 0 else x) if mark == _PRESENT else None for x, mark in zip(rows, marks, strict=True)]
