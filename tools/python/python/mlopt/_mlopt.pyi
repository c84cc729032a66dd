"""The extension module."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, final

from ._display import Drawing, Steps

__all__ = [
    "ArrayType",
    "Code",
    "Diagnostic",
    "Function",
    "Module",
    "Session",
    "Step",
    "_Node",
    "_TO_ARRAYS",
    "_Versions",
    "set_threads",
    "threads",
]

_TO_ARRAYS: str

@final
class Diagnostic:
    """A message about a position in a program."""

    def __new__(
        cls,
        severity: str,
        code: str | None,
        text: str,
        file: str | None,
        line: int | None,
        column: int | None,
        source_line: str | None,
        notes: list[Diagnostic],
        shown: str,
    ) -> Diagnostic:
        """Creates a diagnostic from its fields, for `pickle` and `copy`."""
    @staticmethod
    def error(text: str, file: str, line: int, column: int, source_line: str) -> Diagnostic:
        """Creates an error at a position."""
    @property
    def severity(self) -> str:
        """ "error", "warning", "remark" or "note"."""
    @property
    def code(self) -> str | None:
        """The name of the error or of the constraint that is violated, such as "shape-mismatch" or "C1"."""
    @property
    def text(self) -> str: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def source_line(self) -> str | None: ...
    @property
    def notes(self) -> list[Diagnostic]: ...

@final
class ArrayType:
    """The type of an argument or result."""

    @property
    def dtype(self) -> str:
        """NumPy's name of the type of the elements."""
    @property
    def shape(self) -> tuple[int | None, ...]:
        """The sizes, outermost first; None where the size is known only at run time."""

@final
class Session:
    """The compiler, with a cache of compiled code in files if a folder is given."""

    def __new__(cls, cache: bool | str | os.PathLike[str] | None = None) -> Session:
        """Creates a session. `cache` is a folder, or True for that of the user, or None."""
    def parse(self, source: str | bytes, name: str = "program.mlir", *, jax: bool = False) -> Module:
        """Parses a program; the extension of the name selects the notation.

        `jax` gives StableHLO the meaning of XLA: a scatter drops the whole update if a part of it is outside the array.
        """
    @property
    def cache_counts(self) -> tuple[int, int] | None:
        """The number of programs whose code was found in the cache, and of those that were compiled."""

@final
class Module:
    """A verified program, which does not change."""

    def run(self, pipeline: str | Sequence[str]) -> Module:
        """Runs passes on a copy of the program and returns it."""
    def compile(
        self,
        pipeline: str | Sequence[str] | None = None,
        *,
        target: str = "native",
        features: str = "",
        options: Mapping[str, str] | None = None,
        fast: bool = False,
    ) -> Code:
        """Compiles the program, by default with the default passes; `options` are options of these. If `fast`, sums and
        products may be computed in any order, as if no value were infinite or NaN."""
    def extended(self, text: str, name: str = "extension.mlir") -> Module:
        """Returns a copy with the functions of a text in MLIR."""
    @property
    def functions(self) -> list[str]:
        """The names of the public functions."""
    def signature(self, function: str) -> tuple[list[str], list[str]]:
        """The types of the arguments and results of a function, in MLIR."""
    def function(self, name: str) -> Function:
        """Returns a function, which is compiled when it is called."""
    def __getitem__(self, name: str, /) -> Function: ...
    @property
    def _is_functional(self) -> bool:
        """True if a function of the program works with functions or data that are not arrays."""
    @property
    def text(self) -> str:
        """The program as MLIR."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Warnings and remarks of the passes that have created the program."""
    def explain(self, function: str | None = None) -> Steps:
        """Returns the steps of the optimiser in the functions, or in one of them."""
    def dataflow(self, name: str | None = None, *, limit: int = 150) -> Drawing:
        """Draws the dataflow of a function or of a node, with at most `limit` boxes. Without a name, a program that has
        nodes is drawn by the node that no other one instantiates, and another program by all of its functions.
        """
    def export_c(
        self,
        folder: str | os.PathLike[str],
        name: str = "program",
        *,
        target: str = "x86-64",
        features: str = "",
    ) -> None:
        """Writes code for C programs to a folder: the object file `NAME.o` and its header `NAME.h`."""
    def _repr_html_(self) -> str:
        """The program as a part of a page, for notebooks."""

@final
class Step:
    """A step of the optimiser: code that a rule replaces."""

    @property
    def function(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def law(self) -> str:
        """The rule as an equation."""
    @property
    def forward(self) -> bool:
        """False if the rule was applied from the right side of the law to the left one."""
    @property
    def when(self) -> str:
        """The side condition, or an empty text."""
    @property
    def locations(self) -> list[str]:
        """The positions of the code."""
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...

@final
class Code:
    """Machine code in this process."""

    @property
    def functions(self) -> list[str]:
        """The names of the functions, sorted."""
    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The warnings and remarks of the compilation."""
    def function(self, name: str) -> Function:
        """Returns a function."""
    def __getitem__(self, name: str, /) -> Function: ...

@final
class Function:
    """A function, which is compiled when it is called for the first time."""

    @property
    def __name__(self) -> str: ...
    @property
    def module(self) -> Module:
        """The program that it is from."""
    @property
    def inputs(self) -> list[ArrayType]:
        """The types of the arguments."""
    @property
    def results(self) -> list[ArrayType]:
        """The types of the results."""
    def scratch_bytes(self, shapes: Sequence[Sequence[int]]) -> int:
        """Returns the bytes of scratch memory of a call with arguments of these shapes."""
    def __call__(self, *arguments: Any, out: Any = None) -> Any:
        """Calls the function. Results are numbers and arrays of NumPy; `out` is the memory of results, or a tuple."""

@final
class _Node:
    """A running node."""

    def __new__(cls, source: str | Module, name: str, node: str) -> _Node:
        """Compiles and starts the node of a program: a module, or MLIR with a name for messages."""
    @property
    def inputs(self) -> list[tuple[str, ArrayType]]:
        """The names and types of the inputs."""
    @property
    def outputs(self) -> list[tuple[str, ArrayType]]:
        """The names and types of the outputs."""
    @property
    def is_forward(self) -> bool:
        """True if outputs depend on no later cycle."""
    @property
    def memory(self) -> str:
        """The memory of the node, part by part."""
    def restart(self) -> None:
        """Starts again from the first cycle."""
    def feed(self, columns: dict[str, tuple[Any, bytes]], cycles: int, is_end: bool) -> dict[str, tuple[Any, bytes]]:
        """Appends cycles, and returns the outputs of the cycles that are known now."""

@final
class _Versions:
    """A program whose functions are compiled when they are called."""

    def __new__(cls, source: str, name: str, names: dict[type, str], classes: dict[str, type]) -> _Versions:
        """Reads a program. `names` has the name of the record of each dataclass, and `classes` the class of each name;
        classes of arguments are added to both.
        """
    def call(self, function: str, arguments: tuple[Any, ...]) -> Any:
        """Calls a function, which is compiled for the types of these arguments if it has not been."""
    def with_types(self, function: str, arguments: tuple[Any, ...]) -> tuple[str, str]:
        """Returns the program in MLIR, with a public function for arguments of these types, and its name."""

def set_threads(threads: int) -> None:
    """Sets the number of threads that execute a parallel loop of compiled code, the calling one included. 0 stands for
    the environment variable MLOPT_THREADS, or else the number of processors that the process may use. Results do not
    depend on it.
    """

def threads() -> int:
    """Returns the number of threads that execute a parallel loop of compiled code."""
