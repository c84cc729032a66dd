"""Exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._mlopt import Diagnostic


class Error(Exception):
    """A failure, with the diagnostics that explain it.

    `kind` is "program", "not supported", "pipeline", "target", "unknown function", "argument", "stopped" (a check of
    the program failed), "memory", "file" or "internal" (a bug of the compiler).
    """

    def __init__(self, text: str, kind: str = "internal", diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text, kind, diagnostics)
        self.kind: str = kind
        self.diagnostics: list[Diagnostic] = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])


class ArgumentError(Error, TypeError):
    """Arguments or the memory of results have a wrong number, element type, shape or layout."""
