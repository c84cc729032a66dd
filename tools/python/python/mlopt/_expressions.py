"""Translation of expressions of Python to terms of the notation."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import linecache
import types
import typing
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from . import _analysis, _errors, _notation
from ._mlopt import Diagnostic

if typing.TYPE_CHECKING:
    from ._source import Definition, Program

#: Words with a meaning in the notation, which variables must not shadow.
RESERVED = frozenset(
    """
    lam let letrec if tuple get record field with list nil while for next grad vgrad jvp vjp pullback dual the do spawn
    spawn-n channel send recv close join print read check dense at compose cons head tail empty? length concat tolist
    toarray stop covector pair-with opaque map map2 maplist fold scan walk aget aset neg max min pow powi sqrt abs exp
    log sin cos tan tanh sign sigmoid relu floor itof imod idiv2 and or not sum dot mv vm mm outer transpose scale fill
    asin acos atan sinh cosh log1p expm1 erf ceil add sub mul div floordiv mod power lt le gt ge eq ne select real f64
    f32 i64 bool item unpack len shape iota replicate zero ceildiv bitand bitor bitxor shl shr invert true false inf
    nan
    """.split()
) | frozenset(_notation.PRELUDE)


@dataclass(frozen=True)
class Signature:
    """The parameters of a known function; a default is a term."""

    parameters: tuple[str, ...]
    defaults: dict[str, str]
    #: The last parameters, which are given by name only.
    keyword_only: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Bound:
    """A variable: its name in the notation, and what is known of its value."""

    name: str
    cls: type | None = None
    signature: Signature | None = None
    #: Why some path to this point does not assign it, and what to do; empty if all assign it.
    missing: str = ""


Scope = dict[str, Bound]

_T = typing.TypeVar("_T")


@dataclass(frozen=True)
class Jumps:
    """The terms of `break` and `continue` in the innermost loop; None outside of loops."""

    stop: Callable[[Scope], str] | None = None
    skip: Callable[[Scope], str] | None = None
    #: The variables that enclosing loops assign.
    loops: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Arguments:
    """The translated arguments of a call of a known function."""

    body: Expressions
    call: ast.Call
    terms: list[str]
    keywords: dict[str, str]

    def exactly(self, least: int, most: int | None = -1) -> list[str]:
        """Returns the arguments, which must have this number and no names."""
        most = least if most == -1 else most
        count = len(self.terms)
        if self.keywords or count < least or (most is not None and count > most):
            name = ast.unparse(self.call.func)
            wanted = f"{least}" if most == least else f"{least} or more"
            found = f"{count} and {', '.join(self.keywords)}" if self.keywords else f"{count}"
            self.body.refuse(self.call, f"this call of `{name}`", f"pass {wanted} arguments by position, not {found}")
        return self.terms

    def named(self, names: Sequence[str], least: int) -> list[str]:
        """Returns arguments by position or by these names."""
        terms = list(self.terms)
        for name in names[len(terms) :]:
            if name in self.keywords:
                terms.append(self.keywords[name])
            else:
                break
        used = len(self.terms) + sum(name in self.keywords for name in names[len(self.terms) : len(terms)])
        if len(terms) < least or len(terms) > len(names) or used != len(self.terms) + len(self.keywords):
            text = f"pass {' and '.join(f'`{n}`' for n in names)} only"
            self.body.refuse(self.call, f"this call of `{ast.unparse(self.call.func)}`", text)
        return terms


@dataclass(frozen=True)
class Iteration:
    """How a loop goes over values: bindings before the loop, the number of iterations, and the value of each."""

    bindings: list[tuple[str, str]]
    count: str
    item: Callable[[str], str]
    #: The values as one term, for a fold.
    values: str | None = None
    #: The first number of `enumerate`.
    counter: str | None = None

    def wrapped(self, term: str) -> str:
        if not self.bindings:
            return term
        return f"(let ({' '.join(f'({n} {v})' for n, v in self.bindings)}) {term})"


UNKNOWN = object()

#: The class of values that are no dataclasses.
PLAIN = object

#: Functions whose values can only be iterated.
ITERATORS = (range, enumerate, zip, reversed)

#: The types of elements by NumPy's names.
_ELEMENTS = {
    "float64": "f64",
    "float32": "f32",
    "int64": "i64",
    "int32": "i32",
    "bool": "bool",
}

#: Methods of lists and dictionaries that change them, and what to write instead.
CHANGES = {
    "append": "write `{0} = {0} + [value]`",
    "extend": "write `{0} = {0} + values`",
    "insert": "build a new list",
    "pop": "use `first, *rest = {0}`",
    "remove": "use a comprehension",
    "sort": "compute a new list",
    "reverse": "compute a new list",
    "update": "use a dataclass and `dataclasses.replace`",
    "fill": "use `np.full`",
}

#: Statements and expressions that are not translated, and what to write instead.
REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.AsyncFor: ("`async for`", "use `for`"),
    ast.AsyncFunctionDef: ("`async def`", "use `def`"),
    ast.AsyncWith: ("`async with`", "write it without"),
    ast.Await: ("`await`", "call the function"),
    ast.ClassDef: ("a class in a function", "define a dataclass outside of it"),
    ast.Delete: ("`del`", "variables end with their function"),
    ast.Dict: ("a dictionary", "use a dataclass or a tuple"),
    ast.DictComp: ("a dictionary", "use a list or a dataclass"),
    ast.Global: ("`global`", "pass the value, and return the new one"),
    ast.Import: ("`import` in a function", "import at the top of the file"),
    ast.ImportFrom: ("`import` in a function", "import at the top of the file"),
    ast.JoinedStr: ("a string", "programs compute with numbers"),
    ast.Match: ("`match`", "use `if`"),
    ast.Nonlocal: ("`nonlocal`", "return the new value"),
    ast.Raise: ("`raise`", "use `assert`"),
    ast.Set: ("a set", "use a list"),
    ast.SetComp: ("a set", "use a list"),
    ast.Try: ("`try`", "check the condition by `if`"),
    ast.With: ("`with`", "write it outside of the function"),
    ast.Yield: ("`yield`", "return a list"),
    ast.YieldFrom: ("`yield from`", "return a list"),
}


def refused(text: str, file: str, line: int, column: int) -> _errors.Error:
    """Returns the error for source that is refused."""
    diagnostic = Diagnostic.error(text, file, line, column, linecache.getline(file, line).rstrip("\n"))
    return _errors.Error(f"{file}:{line}:{column}: error: {text}", "not supported", [diagnostic])


class Expressions:
    """The translation of expressions in the scope of variables."""

    def __init__(self, program: Program, definition: Definition) -> None:
        self.program = program
        self.definition = definition
        self.scope: Scope = {}
        self.jumps = Jumps()
        #: The names that the functions around the current term assign.
        self.local_names: frozenset[str] = frozenset()
        #: The names in function position or passed on in the functions around the current term.
        self.called: frozenset[str] = frozenset()
        #: The variables that are assigned again while a function in the current statement lives.
        self.later: frozenset[str] = frozenset()

    # Positions and names.

    def place(self, node: ast.AST) -> tuple[int, int]:
        line = getattr(node, "lineno", 1) + self.definition.line
        return line, getattr(node, "col_offset", 0) + self.definition.column + 1

    def refuse(self, node: ast.AST, what: str, instead: str) -> NoReturn:
        raise refused(f"not supported: {what}; {instead}", self.definition.file, *self.place(node))

    def wrong(self, node: ast.AST, text: str) -> NoReturn:
        raise refused(text, self.definition.file, *self.place(node))

    def at(self, node: ast.AST, term: str) -> str:
        """Returns a term with the position of a node."""
        return self.marked(node, term) if term.startswith("(") else term

    def marked(self, node: ast.AST, name: str) -> str:
        """Returns a name with the position of a node."""
        file = self.definition.file.replace("\\", "\\\\").replace('"', '\\"')
        line, column = self.place(node)
        return f'(at "{file}" {line} {column} {name})'

    def marked_parameters(self, node: _analysis.Function) -> str:
        """Returns the parameters of a function, with their positions."""
        given = node.args
        return " ".join(self.marked(a, self.name(a.arg)) for a in [*given.posonlyargs, *given.args, *given.kwonlyargs])

    def fresh(self, stem: str = "t") -> str:
        self.program.count += 1
        return f"{stem}'{self.program.count}"

    def name(self, name: str) -> str:
        return f"{name}'" if name in RESERVED else name

    def within(self, scope: Scope, jumps: Jumps, work: Callable[[], _T]) -> _T:
        """Runs `work` with other variables and jumps."""
        before = self.scope, self.jumps
        self.scope, self.jumps = scope, jumps
        try:
            return work()
        finally:
            self.scope, self.jumps = before

    def parameters(self, node: _analysis.Function) -> list[str]:
        """Returns the names of the parameters of a function."""
        given = node.args
        if given.vararg is not None:
            self.refuse(given.vararg, f"`*{given.vararg.arg}`", "take a tuple")
        if given.kwarg is not None:
            self.refuse(given.kwarg, f"`**{given.kwarg.arg}`", "take a dataclass")
        return list(_analysis.names(node))

    def lambda_(self, node: ast.Lambda) -> str:
        if node.args.defaults or any(node.args.kw_defaults):
            self.refuse(node, "a default argument of `lambda`", "use `def`")
        names = self.parameters(node)
        self._check_captures(node, self.later)
        scope = self.scope | {n: Bound(self.name(n)) for n in names}
        return f"(lam ({self.marked_parameters(node)}) {self.value_of(node, scope)})"

    def value_of(self, node: ast.Lambda, scope: Scope) -> str:
        """Returns the term of the body of a `lambda`, in whose scope the parameters are."""
        return self.within(scope, Jumps(), lambda: self.expr(node.body))

    def _check_captures(self, node: _analysis.Function, later: frozenset[str], is_new: bool = False) -> None:
        """Refuses a function that captures a variable to which Python would assign again before a call."""
        for name in sorted(_analysis.free(node) & (later if is_new else later & self.scope.keys())):
            text = f"`{name}` is assigned again after this function, which would see the new value"
            self.wrong(node, f"{text}; pass it as an argument")

    # Targets.

    def bind(
        self,
        target: ast.expr,
        term: str,
        work: Callable[[Scope], str],
        node: ast.AST,
        cls: type | None = None,
        signature: Signature | None = None,
    ) -> str:
        """Binds a target to a term in the term that `work` returns."""
        match target:
            case ast.Name(id=name):
                own = self.name(name)
                scope = self.scope | {name: Bound(own, cls, signature)}
                return f"(let (({own} {term})) {work(scope)})"
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                stars = [k for k, part in enumerate(parts) if isinstance(part, ast.Starred)]
                if stars and stars != [len(parts) - 1]:
                    self.refuse(target, "a starred target that is not the last one", "use indices")
                whole = self.fresh()
                start = f"(tolist {term})" if stars else f"(unpack {term} {len(parts)})"
                bindings = [f"({whole} {self.at(node, start)})"]
                terms: list[tuple[ast.expr, str]] = []
                for k, part in enumerate(parts):
                    if isinstance(part, ast.Starred):
                        terms.append((part.value, whole))
                    elif stars:
                        tail = self.fresh()
                        head = self.fresh()
                        bindings += [f"({head} (head {whole}))", f"({tail} (tail {whole}))"]
                        terms.append((part, head))
                        whole = tail
                    else:
                        terms.append((part, f"(item {whole} {k})"))
                for part, value in reversed(terms):
                    work = self._bound_pattern(part, self.at(node, value), work, node)
                return f"(let ({' '.join(bindings)}) {work(self.scope)})"
        self.refuse_target(target, node)

    def _bound_pattern(
        self, target: ast.expr, term: str, work: Callable[[Scope], str], node: ast.AST
    ) -> Callable[[Scope], str]:
        return lambda scope: self.within(scope, self.jumps, lambda: self.bind(target, term, work, node))

    def refuse_target(self, target: ast.expr, node: ast.AST) -> NoReturn:
        text = short(node)
        match target:
            case ast.Subscript(value=value):
                of = ast.unparse(value)
                instead = f"build a new array or list, as in `np.where(np.arange(len({of})) == i, value, {of})`"
                self.refuse(node, f"`{text}`: values do not change", instead)
            case ast.Attribute(value=value, attr=attr):
                of = ast.unparse(value)
                instead = f"use a copy, `{of} = dataclasses.replace({of}, {attr}=…)`"
                self.refuse(node, f"`{text}`: values do not change", instead)
        self.refuse(node, f"the target of `{text}`", "assign to variables or tuples of variables")

    # Iteration.

    def iterable(self, node: ast.expr) -> Iteration:
        """Returns how a loop goes over the values of an expression."""
        called = self.static(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and called is range:
            bindings, start, count, step = self.progression(node)

            def number(k: str) -> str:
                scaled = k if step == "1" else f"(mul {k} {step})"
                return scaled if start == "0" else f"(add {start} {scaled})"

            return Iteration(bindings, self.at(node, count), number)
        if isinstance(node, ast.Call) and called is zip:
            if node.keywords or not node.args:
                self.refuse(node, "this call of `zip`", "pass the sequences only")
            sources = [self.iterable(x) for x in node.args]
            count = sources[0].count
            for source in sources[1:]:
                a, b = self.fresh(), self.fresh()
                count = f"(let (({a} {count}) ({b} {source.count})) (select (lt {b} {a}) {b} {a}))"
            bindings = [binding for source in sources for binding in source.bindings]
            return Iteration(bindings, count, lambda k: f"(tuple {' '.join(s.item(k) for s in sources)})")
        if isinstance(node, ast.Call) and called is reversed:
            if node.keywords or len(node.args) != 1:
                self.refuse(node, "this call of `reversed`", "pass a sequence")
            source, n = self.iterable(node.args[0]), self.fresh()
            return Iteration([*source.bindings, (n, source.count)], n, lambda k: source.item(f"(sub (sub {n} 1) {k})"))
        if isinstance(node, ast.Call) and called is enumerate:
            if node.keywords and [k.arg for k in node.keywords] != ["start"] or not 1 <= len(node.args) <= 2:
                self.refuse(node, "this call of `enumerate`", "pass a sequence, and the first number")
            given = [*node.args[1:], *(k.value for k in node.keywords)]
            first, start = self.expr(given[0]) if given else "0", self.fresh()
            source = self.iterable(node.args[0])
            return Iteration(
                [(start, first), *source.bindings],
                source.count,
                lambda k: f"(tuple {k if first == '0' else f'(add {start} {k})'} {source.item(k)})",
                source.values if source.counter is None else None,
                first,
            )
        # The values of a display have one type, and may be chosen by their number.
        values = self.list_of(node.elts) if isinstance(node, ast.Tuple | ast.List) else self.expr(node)
        name = self.fresh()
        return Iteration([(name, values)], f"(len {name})", lambda k: f"(item {name} {k})", values)

    def is_iterator(self, node: ast.expr) -> bool:
        """Checks for a call whose values can only be iterated."""
        return isinstance(node, ast.Call) and self.static(node.func) in ITERATORS

    def sequence(self, node: ast.expr) -> str:
        """Returns the values that a loop goes over as an array or a list."""
        if not self.is_iterator(node):
            return self.expr(node)
        assert isinstance(node, ast.Call)
        source, k = self.iterable(node), self.fresh("k")
        item, count = source.item(k), f"(iota {source.count})"
        if self.static(node.func) is range:
            term = count if item == k else f"(map (lam ({k}) {item}) {count})"
        else:
            term = f"(maplist (lam ({k}) {item}) (tolist {count}))"
        return source.wrapped(self.at(node, term))

    def progression(self, call: ast.Call) -> tuple[list[tuple[str, str]], str, str, str]:
        """Returns bindings, and the terms of the first value, the count and the step of a range."""
        bindings, start, stop, step = self.bounds(call)
        if step == "1":
            return bindings, start, stop if start == "0" else f"(sub {stop} {start})", step
        return bindings, start, f"(neg (floordiv (sub {start} {stop}) {step}))", step

    def bounds(self, call: ast.Call) -> tuple[list[tuple[str, str]], str, str, str]:
        """Returns bindings, and the terms of the start, the stop and the step of a range, each a name or a number."""
        if not 1 <= len(call.args) <= 3 or any(k.arg != "dtype" for k in call.keywords):
            self.refuse(call, f"this call of `{ast.unparse(call.func)}`", "pass one to three numbers")
        terms = [self.expr(a) for a in call.args]
        terms = ["0", terms[0], "1"] if len(terms) == 1 else [*terms, "1"][:3]
        bindings = [(self.fresh(), term) for term in terms if not _notation.is_number(term)]
        names = iter([name for name, _ in bindings])
        start, stop, step = (term if _notation.is_number(term) else next(names) for term in terms)
        return bindings, start, stop, step

    # Comprehensions.

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> str:
        """Returns the list of the values of a comprehension."""
        (generator,) = self._generators(node)
        source = self.iterable(generator.iter)
        x = self.fresh("x")
        if source.values is not None and source.counter is None:
            values, item = f"(tolist {source.values})", x
            bindings: list[tuple[str, str]] = []
        else:
            values, item, bindings = f"(tolist (iota {source.count}))", source.item(x), source.bindings
        for condition in generator.ifs:
            self.program.needs("keep")
            later = self._later(lambda c=condition: self.truth(c))  # type: ignore[misc]
            test = self.bind(generator.target, item, later, node)
            values = f"(keep (lam ({x}) {test}) {values})"
        for f in _analysis.kept(node.elt):
            self._check_captures(f, _analysis.stored(generator.target), True)
        term = self.bind(generator.target, item, self._later(lambda: self.expr(node.elt)), node)
        found = self.at(node, f"(maplist (lam ({x}) {term}) {values})")
        return Iteration(bindings, "", lambda k: k).wrapped(found)

    def counted_comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> str | None:
        """Returns the array of the values of a comprehension over `range`, or None for another one."""
        (generator,) = self._generators(node)
        source = self.iterable(generator.iter)
        if source.values is not None or generator.ifs:
            return None
        k = self.fresh("k")
        term = self.bind(generator.target, source.item(k), self._later(lambda: self.expr(node.elt)), node)
        return source.wrapped(self.at(node, f"(map (lam ({k}) {term}) (iota {source.count}))"))

    def _later(self, work: Callable[[], str]) -> Callable[[Scope], str]:
        return lambda scope: self.within(scope, self.jumps, work)

    def _generators(self, node: ast.ListComp | ast.GeneratorExp) -> list[ast.comprehension]:
        if len(node.generators) > 1:
            self.refuse(node, "a comprehension with two `for`", "nest two comprehensions, or use loops")
        return node.generators

    # Expressions.

    def expr(self, node: ast.expr) -> str:
        """Returns the term of an expression."""
        return self.at(node, self._expr(node))

    def _expr(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=value):
                return self.constant(node, value, f"`{short(node)}`")
            case ast.Name():
                return self.variable(node)
            case ast.BinOp():
                return self.arithmetic(node)
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(node, op, operand)
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp(op=op, values=values):
                return self.short_circuit(op, values)
            case ast.IfExp(test=test, body=a, orelse=b):
                return f"(if {self.truth(test)} {self.expr(a)} {self.expr(b)})"
            case ast.Lambda():
                return self.lambda_(node)
            case ast.Tuple(elts=parts):
                self._check_display(node, parts)
                return f"(tuple {' '.join(self.expr(e) for e in parts)})" if parts else "(tuple)"
            case ast.List(elts=parts):
                self._check_display(node, parts)
                return self.list_of(parts)
            case ast.ListComp() | ast.GeneratorExp():
                return self.comprehension(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Call():
                return self.call(node)
            case ast.NamedExpr():
                self.refuse(node, "`:=`", "assign before")
            case ast.Starred():
                self.refuse(node, "a starred expression here", "list the values")
        kind, instead = REFUSED.get(type(node), (f"`{short(node)}`", "write it without"))
        self.refuse(node, kind, instead)

    def _check_display(self, node: ast.expr, parts: Sequence[ast.expr]) -> None:
        for part in parts:
            if isinstance(part, ast.Starred) and isinstance(node, ast.Tuple):
                self.refuse(part, "a starred value in a tuple", "add tuples by `+`")

    def list_of(self, parts: Sequence[ast.expr]) -> str:
        """Returns the list of the values of a display."""
        if not any(isinstance(e, ast.Starred) for e in parts):
            return f"(list {' '.join(self.expr(e) for e in parts)})" if parts else "(nil)"
        term = "(nil)"
        for e in reversed(parts):
            if isinstance(e, ast.Starred):
                term = f"(concat (tolist {self.expr(e.value)}) {term})"
            else:
                term = f"(cons {self.expr(e)} {term})"
        return term

    def truth(self, node: ast.expr) -> str:
        """Returns the term of a condition."""
        if isinstance(node, ast.BoolOp):
            term = self.truth(node.values[-1])
            for value in reversed(node.values[:-1]):
                branches = f"{term} false" if isinstance(node.op, ast.And) else f"true {term}"
                term = f"(if {self.truth(value)} {branches})"
            return self.at(node, term)
        term = self.expr(node)
        match node:
            case ast.Compare() | ast.Constant(value=bool()) | ast.UnaryOp(op=ast.Not()):
                return term
        return self.at(node, f"(bool {term})")

    def variable(self, node: ast.Name) -> str:
        bound = self.scope.get(node.id)
        if bound is not None:
            if bound.missing:
                self.wrong(node, f"`{node.id}` may be unassigned here: {bound.missing}")
            return bound.name
        found = self.static(node)
        if found is UNKNOWN:
            self.wrong(node, f"`{node.id}` is not assigned before")
        return self.constant(node, found, f"`{node.id}`")

    def static(self, node: ast.AST | None) -> Any:
        """Returns the object that a name or an attribute of a module denotes, or `UNKNOWN`."""
        match node:
            case ast.Name(id=name):
                if name in self.scope or name in self.local_names:
                    return UNKNOWN
                try:
                    return self.definition.lookup(name)
                except (KeyError, ValueError):
                    return UNKNOWN
            case ast.Attribute(value=value, attr=attr):
                of = self.static(value)
                if isinstance(of, types.ModuleType):
                    return getattr(of, attr, UNKNOWN)
                if dataclass_of(of) is not None:
                    found = inspect.getattr_static(of, attr, UNKNOWN)
                    return found.__func__ if isinstance(found, staticmethod) else found
            case ast.Constant(value=str(name)):
                return self.static(ast.parse(name, mode="eval").body)
        return UNKNOWN

    def class_of(self, node: ast.expr) -> type | None:
        """Returns the dataclass of the value of an expression, or `PLAIN` for another value, if it is known."""
        match node:
            case ast.Constant() | ast.Compare():
                return PLAIN
            case ast.Name(id=name) if name in self.scope:
                return self.scope[name].cls
            case ast.Name():
                found = self.static(node)
                return None if found is UNKNOWN else dataclass_of(type(found)) or PLAIN
            case ast.Call():
                return self._class_of_call(node)
            case ast.Attribute(value=value, attr=attr):
                cls = self.class_of(value)
                if cls is None or dataclass_of(cls) is None:
                    return cls
                property_ = inspect.getattr_static(cls, attr, None)
                if isinstance(property_, property) and property_.fget is not None:
                    return self.program.returned(property_.fget, cls)
                return promised(hints_of(cls).get(attr))
            case ast.IfExp(body=a, orelse=b):
                found = self.class_of(a)
                return found if found is self.class_of(b) else None
            case ast.BinOp(left=a, op=op, right=b):
                return self._class_of_operator(_notation.METHODS_OF_OPERATORS[type(op)], [a, b])
            case ast.UnaryOp(op=op, operand=a):
                return self._class_of_operator(_notation.METHODS_OF_OPERATORS.get(type(op)), [a])
            case ast.Subscript(value=a, slice=b):
                found = self._class_of_operator(("__getitem__", None), [a, b])
                return None if found is PLAIN else found
        return None

    def _class_of_call(self, node: ast.Call) -> type | None:
        from . import _function

        called = self.static(node.func)
        if called is dataclasses.replace and node.args:
            return self.class_of(node.args[0])
        if dataclass_of(called) is not None:
            return called  # type: ignore[no-any-return]
        if isinstance(called, types.FunctionType | _function.SourceFunction):
            return self.program.returned(called)
        if called is not UNKNOWN:
            return PLAIN if str(getattr(called, "__module__", "")).split(".")[0] in ("numpy", "math") else None
        if isinstance(node.func, ast.Attribute):
            cls = self.class_of(node.func.value)
            method = member(cls, node.func.attr)
            return None if method is None else self.program.returned(method, cls)
        return None

    def _class_of_operator(self, names: tuple[str, str | None] | None, operands: Sequence[ast.expr]) -> type | None:
        classes = [self.class_of(x) for x in operands]
        found = operator_method(names, classes)
        if found is not None:
            return self.program.returned(found[0], found[1])
        return PLAIN if all(cls is PLAIN for cls in classes) else None

    def overloaded(
        self, node: ast.AST, names: tuple[str, str | None] | None, operands: Sequence[ast.expr]
    ) -> str | None:
        """Returns the call of the method of a dataclass that defines an operator; None if no operand has one."""
        classes = [self.class_of(x) for x in operands]
        found = operator_method(names, classes)
        if found is None:
            return None
        method, owner, order = found
        f, signature = self.program.function(method, [classes[k] for k in order])
        if len(signature.parameters) != len(order):
            self.wrong(node, f"`{owner.__name__}.{method.__name__}` must take {len(order)} arguments")
        return f"({' '.join([f, *(self.expr(operands[k]) for k in order)])})"

    def constant(self, node: ast.AST, value: Any, what: str) -> str:
        """Returns the term of an object that exists before the program runs."""
        from . import _function

        match value:
            case bool():
                return "true" if value else "false"
            case int():
                if not -(2**63) <= value < 2**63:
                    self.refuse(node, f"the integer {value}", "integers have 64 bits")
                return str(value)
            case float():
                return repr(float(value))
            case tuple():
                return f"(tuple {' '.join(self.constant(node, x, what) for x in value)})"
            case list():
                return f"(list {' '.join(self.constant(node, x, what) for x in value)})" if value else "(nil)"
            case types.FunctionType():
                return self.program.function(value)[0]
            case _function.SourceFunction():
                return value.defined(self.program)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = (
                f"({f.name} {self.constant(node, getattr(value, f.name), what)})" for f in dataclasses.fields(value)
            )
            return f"(record {self.program.record(type(value))} {' '.join(fields)})"
        handler = self.handler(value)
        if handler is not None:
            return self.as_value(node, value, what)
        if hasattr(value, "__array__") and hasattr(value, "dtype"):
            return self.dense(node, value, what)
        kind = type(value).__name__
        instead = "use numbers, arrays, tuples, lists, dataclasses and functions"
        if value is None:
            instead = "return a value on every path, and use numbers in place of None"
        self.refuse(node, f"{what}, a value of type `{kind}`", instead)

    def as_value(self, node: ast.AST, value: Any, what: str, arities: Sequence[int] = (1, 2)) -> str:
        """Returns a known function as a value: a function of the first of these numbers of arguments that it takes."""
        handler = self.handler(value)
        assert handler is not None
        for count in arities:
            names = [f"a{k}" for k in range(count)]
            text = f"f({', '.join(names)})"
            call = ast.parse(text, mode="eval").body
            assert isinstance(call, ast.Call)
            for part in ast.walk(call):
                ast.copy_location(part, node)
            arguments = Arguments(self, call, names, {})
            try:
                term = handler(self, call, arguments)
            except _errors.Error:
                continue
            return f"(lam ({' '.join(names)}) {term})"
        self.refuse(node, f"{what} as a value", "wrap it in a `lambda`")

    def dense(self, node: ast.AST, value: Any, what: str) -> str:
        element = _ELEMENTS.get(str(value.dtype))
        if element is None:
            self.refuse(node, f"{what}, an array of {value.dtype}", "convert it")
        flat = [self.constant(node, x, what) for x in value.reshape(-1).tolist()]
        if not value.shape:
            return flat[0] if element in ("f64", "i64", "bool") else f"(the {element} {flat[0]})"
        return f"(dense array<{'x'.join(map(str, value.shape))}x{element}> {' '.join(flat)})"

    def arithmetic(self, node: ast.BinOp) -> str:
        overloaded = self.overloaded(node, _notation.METHODS_OF_OPERATORS.get(type(node.op)), [node.left, node.right])
        if overloaded is not None:
            return overloaded
        match node:
            case (
                ast.BinOp(op=ast.Mult(), left=ast.List(elts=[value]), right=count)
                | ast.BinOp(op=ast.Mult(), left=count, right=ast.List(elts=[value]))
            ) if not isinstance(value, ast.Starred):
                x, k = self.fresh(), self.fresh("k")
                values = f"(maplist (lam ({k}) {x}) (tolist (iota {self.expr(count)})))"
                return f"(let (({x} {self.expr(value)})) {values})"
        name = _notation.BINARY_OPERATORS[type(node.op)]
        left, right = self.expr(node.left), self.expr(node.right)
        if name != "power":
            return f"({name} {left} {right})"
        match node.right:
            case ast.Constant(value=int(n)) if 0 < n <= 64 and not isinstance(n, bool):
                return self._power(left, n)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(n))) if 0 < n <= 64:
                return f"(div 1.0 {self._power(left, n)})"
        return f"(power {left} {right})"

    def _power(self, x: str, n: int) -> str:
        """Returns a product of n factors by repeated squaring."""
        base = self.fresh()
        bindings, square, term = [f"({base} {x})"], base, ""
        while True:
            if n % 2:
                term = f"(mul {term} {square})" if term else square
            n //= 2
            if not n:
                return f"(let ({' '.join(bindings)}) {term})"
            following = self.fresh()
            bindings.append(f"({following} (mul {square} {square}))")
            square = following

    def unary(self, node: ast.UnaryOp, op: ast.unaryop, operand: ast.expr) -> str:
        overloaded = self.overloaded(node, _notation.METHODS_OF_OPERATORS.get(type(op)), [operand])
        if overloaded is not None:
            return overloaded
        match op, operand:
            case ast.USub(), ast.Constant(value=int() | float() as n):
                return self.constant(node, -n, "the number")
            case ast.USub(), ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return f"(mul -1 {self.expr(operand)})"
            case ast.USub(), _:
                return f"(neg {self.expr(operand)})"
            case ast.UAdd(), _:
                return f"(mul 1 {self.expr(operand)})"
            case ast.Invert(), _:
                return f"(invert {self.expr(operand)})"
        return f"(not {self.truth(operand)})"

    def comparison(self, node: ast.Compare) -> str:
        values = [node.left, *node.comparators]
        if len(node.ops) == 1:
            method = _notation.METHODS_OF_OPERATORS.get(type(node.ops[0]))
            overloaded = self.overloaded(node, method, values)
            if overloaded is not None:
                return f"(bool {overloaded})"
            return self._compared(node, node.ops[0], self.expr(values[0]), values[1], None)
        # In a chain, a value is computed once, and only if the comparisons before hold.
        term, name = "", self.fresh()
        first = self.expr(values[0])
        opened = [f"(let (({name} {first}))"]
        for k, op in enumerate(node.ops):
            following = self.fresh()
            opened.append(f"(let (({following} {self.expr(values[k + 1])}))")
            test = self._compared(node, op, name, values[k + 1], following)
            is_last = k + 1 == len(node.ops)
            opened.append(test if is_last else f"(if {test}")
            name = following
        term = " ".join(opened)
        # Each `if` that is not the last ends in `false`.
        for k in range(len(node.ops)):
            term += ")" if k == 0 else " false))"
        return term + ")"

    def _compared(self, node: ast.Compare, op: ast.cmpop, left: str, right: ast.expr, name: str | None) -> str:
        match op, right:
            case ((ast.In() | ast.NotIn()), (ast.Tuple(elts=parts) | ast.List(elts=parts))):
                x, term = self.fresh(), "false"
                for part in reversed(parts):
                    term = f"(if (eq {x} {self.expr(part)}) true {term})"
                found = f"(let (({x} {left})) {term})"
                return found if isinstance(op, ast.In) else f"(not {found})"
            case ((ast.In() | ast.NotIn()), ast.Call()) if self.static(right.func) is range:
                x, d = self.fresh(), self.fresh()
                bindings, start, count, step = self.progression(right)
                q = self.fresh()
                inside = f"(let (({q} (floordiv {d} {step}))) (if (ge {q} 0) (lt {q} {count}) false))"
                opened = " ".join(f"({n} {v})" for n, v in [*bindings, (x, left), (d, f"(sub {x} {start})")])
                found = f"(let ({opened}) (if (eq (mod {d} {step}) 0) {inside} false))"
                return found if isinstance(op, ast.In) else f"(not {found})"
            case ((ast.In() | ast.NotIn()), _):
                self.program.needs("some")
                x, y = self.fresh(), self.fresh()
                values = f"(tolist {self.sequence(right)})"
                found = f"(let (({x} {left})) (some (maplist (lam ({y}) (eq {x} {y})) {values})))"
                return found if isinstance(op, ast.In) else f"(not {found})"
            case ((ast.Is() | ast.IsNot()), _):
                self.refuse(node, f"`{short(node)}`", "compare values by `==`: objects have no identity")
        return f"({_notation.COMPARISONS[type(op)]} {left} {name or self.expr(right)})"

    def short_circuit(self, op: ast.boolop, values: Sequence[ast.expr]) -> str:
        term = self.expr(values[-1])
        is_and = isinstance(op, ast.And)
        for value in reversed(values[:-1]):
            name = self.fresh()
            if isinstance(value, ast.Compare) or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
                first = self.truth(value)
                term = f"(if {first} {term} false)" if is_and else f"(if {first} true {term})"
            else:
                branches = f"{term} {name}" if is_and else f"{name} {term}"
                term = f"(let (({name} {self.expr(value)})) (if (bool {name}) {branches}))"
        return term

    def subscript(self, node: ast.Subscript) -> str:
        overloaded = self.overloaded(node, ("__getitem__", None), [node.value, node.slice])
        if overloaded is not None:
            return overloaded
        of, index = self.expr(node.value), node.slice
        indices = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        match indices:
            case [ast.Slice() as part]:
                return self.slice(node, of, part)
            case [ast.Slice(lower=None, upper=None, step=None), last] if not isinstance(last, ast.Slice):
                return f"(item (transpose {of}) {self.expr(last)})"
            case [first, ast.Slice(lower=None, upper=None, step=None)] if not isinstance(first, ast.Slice):
                return f"(item {of} {self.expr(first)})"
        for i in indices:
            if isinstance(i, ast.Slice):
                self.refuse(i, f"this slice of `{short(node.value)}`", "use `[:, j]`, `[i, :]` or a slice of rows")
            of = self.at(node, f"(item {of} {self.expr(i)})")
        return of

    def slice(self, node: ast.Subscript, of: str, part: ast.Slice) -> str:
        """Returns some rows of an array."""
        if part.step is not None:
            self.refuse(part, "a slice with a step", "use a comprehension over `range`")
        x, n, a, b, k = (self.fresh() for _ in range(5))
        length = f"(item (shape {x}) 0)"

        def bound(given: ast.expr | None, default: str) -> str:
            if given is None:
                return default
            i = self.fresh()
            counted = f"(select (lt {i} 0) (add {n} {i}) {i})"
            return f"(let (({i} {self.expr(given)})) {counted})"

        self.program.needs("minimum")
        self.program.needs("maximum")
        start = f"(maximum 0 (minimum {n} {bound(part.lower, '0')}))"
        stop = f"(minimum {n} {bound(part.upper, n)})"
        if part.lower is None:
            start = "0"
        rows = f"(map (lam ({k}) (item {x} (add {k} {a}))) (iota (sub {b} {a})))"
        return f"(let (({x} {of}) ({n} {length}) ({a} {start}) ({b} {stop})) {rows})"

    def attribute(self, node: ast.Attribute) -> str:
        found = self.static(node)
        if found is not UNKNOWN:
            return self.constant(node, found, f"`{short(node)}`")
        constant = self.static(node.value)
        if constant is not UNKNOWN and dataclasses.is_dataclass(constant) and not isinstance(constant, type):
            self.program.record(type(constant))
        name = node.attr
        # The translation of the object tells which dataclasses there are.
        of, cls = self.expr(node.value), self.class_of(node.value)
        owners = [cls] if cls is not None else list(self.program.names)
        properties = [c for c in owners if isinstance(inspect.getattr_static(c, name, None), property)]
        fields = [c for c in owners if name in fields_of(c)]
        if properties and not fields:
            found = {inspect.getattr_static(c, name).fget for c in properties}
            if len(found) > 1:
                self.ambiguous(node, f"the property `{name}`", properties)
            # Objects of several classes may have one property.
            owner = properties[0] if len(properties) == 1 else None
            return f"({self.program.function(found.pop(), [owner])[0]} {of})"
        if name in _notation.ATTRIBUTES and not fields:
            if name == "size":
                self.program.needs("size")
            return _notation.ATTRIBUTES[name].format(of)
        constants = [c for c in owners if name in class_variables(c)]
        if len(constants) == 1 and not fields:
            value = inspect.getattr_static(constants[0], name, None)
            return self.constant(node, value, f"`{short(node)}`")
        if cls is not None and dataclass_of(cls) is not None and not fields:
            self.wrong(node, f"`{cls.__name__}` has no field `{name}`")
        return f"(field {name} {of})"

    # Calls.

    def refuse_effect(self, call: ast.Call) -> None:
        if isinstance(call.func, ast.Name) and call.func.id == "print":
            self.refuse(call, "`print`", "return the value and print it outside of the function")
        if isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES:
            instead = CHANGES[call.func.attr].format(ast.unparse(call.func.value))
            self.refuse(call, f"`{short(call)}`: values do not change", instead)

    def handler(self, called: Any) -> _notation.Handler | None:
        return _notation.table().get(called) if isinstance(called, Hashable) else None

    def call(self, node: ast.Call) -> str:
        from . import _function

        called = self.static(node.func)
        overloaded = None
        if not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args):
            overloaded = self.overloaded(node, ("__call__", None), [node.func, *node.args])
            of = _notation.METHODS_OF_FUNCTIONS.get(called) if isinstance(called, Hashable) else None
            if overloaded is None and of is not None and len(node.args) == 1:
                overloaded = self.overloaded(node, (of, None), node.args)
        if overloaded is not None:
            return overloaded
        if isinstance(node.func, ast.Name) and node.func.id in self.scope:
            bound = self.scope[node.func.id]
            f = self.variable(node.func)
            if bound.signature is not None:
                return f"({' '.join([f, *self.mapped(node, bound.signature, node.func.id)])})"
            return f"({' '.join([f, *self.positional(node)])})"
        if called is not UNKNOWN:
            handler = self.handler(called)
            if handler is not None:
                return handler(self, node, self.arguments(node, handler))
            if isinstance(called, _function.SourceFunction):
                called = called.plain or called
            if isinstance(called, _function.SourceFunction):
                f = called.defined(self.program)
                return f"({' '.join([f, *self.mapped(node, called.signature(self.program), f)])})"
            if isinstance(called, types.FunctionType):
                f, signature = self.program.function(called, self.classes(node, _analysis.code_names(called)))
                return f"({' '.join([f, *self.mapped(node, signature, called.__name__)])})"
            if dataclasses.is_dataclass(called) and isinstance(called, type):
                return self.construct(node, called)
            self.refuse_effect(node)
            instead = "define it in Python, or compute it before"
            if called in ITERATORS:
                instead = "iterate over it, or make it a list"
            self.refuse(node, f"`{ast.unparse(node.func)}`", instead)
        if isinstance(node.func, ast.Attribute):
            return self.method(node, node.func)
        if isinstance(node.func, ast.Name):
            return self.variable(node.func)
        if isinstance(node.func, ast.Call):
            inner = self.handler(self.static(node.func.func))
            form = getattr(inner, "form", None)
            if form is not None:
                return f"({' '.join([self.derivative(form, node.func, len(node.args)), *self.positional(node)])})"
        return f"({' '.join([self.expr(node.func), *self.positional(node)])})"

    def classes(self, node: ast.Call, names: Sequence[str]) -> list[type | None]:
        """Returns the classes of the arguments of a call, by the parameters, as far as they are known."""
        if any(isinstance(a, ast.Starred) for a in node.args):
            return []
        given = dict(zip(names, map(self.class_of, node.args), strict=False))
        given |= {k.arg: self.class_of(k.value) for k in node.keywords if k.arg}
        return [given.get(n) for n in names]

    def arguments(self, node: ast.Call, handler: _notation.Handler) -> Arguments:
        if not getattr(handler, "reads_arguments", True):
            return Arguments(self, node, [""] * len(node.args), {})
        terms = self.spread(node, self.sequence if getattr(handler, "iterates", False) else self.expr)
        arity = getattr(handler, "arity", None)
        if arity is not None and node.args and self.handler(function := self.static(node.args[0])) is not None:
            terms[0] = self.as_value(node.args[0], function, f"`{short(node.args[0])}`", [arity])
        for k in node.keywords:
            if k.arg is None:
                self.refuse(k.value, "`**` in a call", "pass the arguments by name")
        # None stands for the default.
        given = [k for k in node.keywords if not (isinstance(k.value, ast.Constant) and k.value.value is None)]
        return Arguments(self, node, terms, {k.arg: self.expr(k.value) for k in given if k.arg})

    def spread(self, node: ast.Call, translated: Callable[[ast.expr], str] | None = None) -> list[str]:
        """Returns the arguments by position; a starred display stands for its values."""
        translated = translated or self.expr
        terms = []
        for a in node.args:
            match a:
                case ast.Starred(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                    terms += [self.expr(e) for e in parts]
                case ast.Starred():
                    self.refuse(a, "`*` in a call", "pass the values one by one")
                case _:
                    terms.append(translated(a))
        return terms

    def positional(self, node: ast.Call) -> list[str]:
        if node.keywords:
            text = "the function is not known here: pass arguments by position"
            self.refuse(node, f"arguments by name in `{short(node)}`", text)
        return self.spread(node)

    def mapped(self, node: ast.Call, signature: Signature, name: str) -> list[str]:
        """Returns the arguments in the order of the parameters, with defaults."""
        names = signature.parameters
        terms = self.spread(node)
        most = len(names) - len(signature.keyword_only)
        if len(terms) > most:
            by_position = " by position" if signature.keyword_only else ""
            self.wrong(node, f"`{name}` takes {most} arguments{by_position}, found {len(terms)}")
        given = dict(zip(names, terms, strict=False))
        for k in node.keywords:
            if k.arg is None:
                self.refuse(k.value, "`**` in a call", "pass the arguments by name")
            if k.arg not in names:
                self.wrong(k.value, f"`{name}` has no parameter `{k.arg}`")
            if k.arg in given:
                self.wrong(k.value, f"`{name}` gets its argument `{k.arg}` twice")
            given[k.arg] = self.expr(k.value)
        for n in names:
            if n not in given:
                if n not in signature.defaults:
                    self.wrong(node, f"`{name}` needs an argument `{n}`")
                given[n] = signature.defaults[n]
        return [given[n] for n in names]

    def construct(self, node: ast.Call, cls: type) -> str:
        self.check_construction(node, cls, f"`{cls.__name__}`")
        names, keyword_only = [], set()
        for p in _constructor(cls):
            names.append(p.name)
            if p.kind is p.KEYWORD_ONLY:
                keyword_only.add(p.name)
        # A parameter without argument has an empty term.
        signature = Signature(tuple(names), {f.name: "" for f in _with_default(cls)}, frozenset(keyword_only))
        given = dict(zip(names, self.mapped(node, signature, cls.__name__), strict=True))
        terms = []
        for f in dataclasses.fields(cls):
            term = given.get(f.name, "")
            if not term and f.default is dataclasses.MISSING:
                self.refuse(node, f"the field `{f.name}` with a computed value", "pass it to the constructor")
            terms.append(term or self.constant(node, f.default, f"the default of `{f.name}`"))
        fields = " ".join(f"({n} {t})" for n, t in zip(fields_of(cls), terms, strict=True))
        return f"(record {self.program.record(cls)} {fields})"

    def check_construction(self, node: ast.AST, cls: type, what: str) -> None:
        """Refuses to make an object of a class that does more than to set its fields."""
        name = own_construction(cls)
        if name is not None:
            self.refuse(node, f"{what}, which has `{name}`", "compute fields in a function")

    def method(self, node: ast.Call, func: ast.Attribute) -> str:
        name, of = func.attr, func.value
        # The translation of the object tells which dataclasses there are.
        receiver, cls = self.expr(of), self.class_of(of)
        owners = [cls] if cls is not None else list(self.program.names)
        found = [(c, method) for c in owners if (method := member(c, name)) is not None]
        fields = [c for c in owners if name in fields_of(c)]
        if found and (len({method for _, method in found}) > 1 or fields):
            self.ambiguous(node, f"the method `{name}`", [*(c for c, _ in found), *fields])
        if found:
            # Objects of several classes may have one method.
            (owner, method), is_known = found[0], len(found) == 1
            is_static = isinstance(inspect.getattr_static(owner, name), staticmethod)
            own, given = ([], []) if is_static else ([owner if is_known else None], [receiver])
            classes = self.classes(node, _analysis.code_names(method)[len(own) :])
            f, signature = self.program.function(method, [*own, *classes])
            rest = replace(signature, parameters=signature.parameters[len(own) :])
            return f"({' '.join([f, *given, *self.mapped(node, rest, name)])})"
        is_plain = dataclass_of(cls) is None
        if is_plain and name == "astype" and len(node.args) == 1:
            return f"({self.dtype(node.args[0])} {receiver})"
        if is_plain and name in _notation.METHODS:
            handler = _notation.METHODS[name]
            arguments = self.arguments(node, handler)
            return handler(self, node, replace(arguments, terms=[receiver, *arguments.terms]))
        if is_plain and any(name in fields_of(c) for c in self.program.names):
            return f"({' '.join([self.attribute(func), *self.positional(node)])})"
        self.refuse_effect(node)
        text = f" of `{cls.__name__}`" if cls is not None and not is_plain else ""
        self.refuse(node, f"the method `{name}`{text}", "use a function, or annotate the variable with its dataclass")

    def ambiguous(self, node: ast.AST, what: str, classes: Sequence[type]) -> NoReturn:
        names = " and ".join(f"`{c.__name__}`" for c in classes)
        self.refuse(node, f"{what}, which {names} have", "annotate the variable with its class")

    def dtype(self, node: ast.expr) -> str:
        """Returns the conversion to a type of elements."""
        name = node.value if isinstance(node, ast.Constant) else getattr(self.static(node), "__name__", None)
        element = _ELEMENTS.get({"float": "float64", "int": "int64"}.get(str(name), str(name)))
        if element not in ("f64", "f32", "i64", "bool"):
            self.refuse(node, f"elements of type `{short(node)}`", "use float, int, bool or np.float32")
        return element

    def derivative(self, form: str, call: ast.Call, count: int | None = None) -> str:
        """Returns the derivative of a function, as a function."""
        keywords = {k.arg: k.value for k in call.keywords}
        argnums = keywords.pop("argnums", None) or (call.args[1] if len(call.args) == 2 else None)
        if keywords or not 1 <= len(call.args) <= 2:
            self.refuse(call, f"this call of `{ast.unparse(call.func)}`", "pass a function, and `argnums`")
        f = call.args[0]
        arity = self.arity(f) or count or 1
        term = self.expr(f)
        if form == "jvp":
            return f"(jvp {term})"
        positions: Any = 0
        if argnums is not None:
            try:
                positions = ast.literal_eval(argnums)
            except ValueError:
                self.refuse(argnums, "computed `argnums`", "use a constant")
        chosen = [positions] if isinstance(positions, int) else list(positions)
        chosen = [k + arity if k < 0 else k for k in chosen]
        if not chosen or chosen != sorted(set(chosen)) or not 0 <= chosen[0] <= chosen[-1] < arity:
            text = f"`argnums` must name some of {arity} arguments in ascending order, found {positions}"
            self.wrong(argnums or call, text)
        if isinstance(positions, tuple | list) and len(chosen) == 1:
            self.refuse(argnums or call, "a tuple of one position", "use an integer")
        return f"({form} ({' '.join(map(str, chosen))}) {arity} {term})"

    def arity(self, node: ast.expr) -> int | None:
        """Returns the number of arguments of a function, if it is known."""
        from . import _function

        match node:
            case ast.Lambda():
                return len(_analysis.names(node))
            case ast.Name(id=name) if name in self.scope:
                signature = self.scope[name].signature
                return None if signature is None else len(signature.parameters)
            case ast.Call(func=func) if getattr(self.handler(self.static(func)), "form", None) is not None:
                return self.arity(node.args[0])
        found = self.static(node)
        if isinstance(found, _function.SourceFunction):
            return len(found.signature(self.program).parameters)
        return len(_analysis.code_names(found)) if isinstance(found, types.FunctionType) else None


def short(node: ast.AST) -> str:
    """Returns the first line of the source of a node, shortened."""
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 40 else text[:39] + "…"


def tuple_(terms: Sequence[str]) -> str:
    return terms[0] if len(terms) == 1 else f"(tuple {' '.join(terms)})"


def dataclass_of(found: Any) -> type | None:
    return found if isinstance(found, type) and dataclasses.is_dataclass(found) else None


def promised(found: Any) -> type | None:
    """Returns the dataclass that an annotation names, if no other class can take its place."""
    cls = dataclass_of(found)
    return cls if cls is not None and not cls.__subclasses__() else None


def fields_of(cls: type | None) -> list[str]:
    return [f.name for f in dataclasses.fields(cls)] if dataclass_of(cls) is not None else []  # type: ignore[arg-type]


def class_variables(cls: type) -> list[str]:
    """Returns the names that a dataclass annotates with `ClassVar`."""
    found = getattr(cls, "__dataclass_fields__", {})
    return [n for n in found.keys() - set(fields_of(cls)) if inspect.getattr_static(cls, n, UNKNOWN) is not UNKNOWN]


def _with_default(cls: type) -> list[dataclasses.Field[Any]]:
    missing = dataclasses.MISSING
    return [f for f in dataclasses.fields(cls) if f.default is not missing or f.default_factory is not missing]


def _constructor(cls: type) -> list[inspect.Parameter]:
    """Returns the parameters of `__init__` without the object."""
    return list(inspect.signature(cls.__init__).parameters.values())[1:]  # type: ignore[misc]


def own_construction(cls: type) -> str | None:
    """Returns the name of what a dataclass defines such that a new object has other values than those of its fields."""
    for name in ("__new__", "__post_init__", "__init__", "__setattr__"):
        found = getattr(cls, name, None)
        if found is not getattr(object, name, None) and not is_generated(found):
            return name
    if type(cls).__call__ is not type.__call__:
        return f"{type(cls).__name__}.__call__"
    # The constructor of a base class does not know the fields.
    if {p.name for p in _constructor(cls)} != {f.name for f in dataclasses.fields(cls) if f.init}:
        return "__init__"
    for f in dataclasses.fields(cls):
        if isinstance(inspect.getattr_static(cls, f.name, None), property):
            return f.name
    return None


def is_generated(found: Any) -> bool:
    """Checks for a method that `dataclass` has generated, which has no source."""
    return isinstance(found, types.FunctionType) and found.__code__.co_filename == "<string>"


def member(cls: type | None, name: str) -> types.FunctionType | None:
    """Returns the method of a dataclass that its source defines, with or without a decorator."""
    from . import _function

    found: Any = inspect.getattr_static(cls, name, None) if dataclass_of(cls) is not None else None
    if isinstance(found, staticmethod):
        found = found.__func__
    if isinstance(found, _function.SourceFunction):
        found = found.plain
    return found if isinstance(found, types.FunctionType) and not is_generated(found) else None


def operator_method(
    names: Sequence[str | None] | None, classes: Sequence[type | None]
) -> tuple[types.FunctionType, type, Sequence[int]] | None:
    """Returns the method that an operator of these names calls for operands of these classes, its class, and the
    numbers of the operands in the order of its parameters; None if there is none.
    """
    order = list(range(len(classes)))
    names = names or ()
    if _is_reflected_first(names, classes):
        names, order = names[::-1], order[::-1]
    for name in names:
        cls = classes[order[0]]
        method = None if name is None else member(cls, name)
        if method is not None and cls is not None:
            return method, cls, order
        order = order[::-1]
    return None


def _is_reflected_first(names: Sequence[str | None], classes: Sequence[type | None]) -> bool:
    """Checks for an operator whose right operand has a class derived from that of the left one, and its own method."""
    if len(names) != 2 or len(classes) != 2 or names[1] is None:
        return False
    left, right = map(dataclass_of, classes)
    if left is None or right is None or left is right or not issubclass(right, left):
        return False
    method = member(right, names[1])
    # Comparisons do not ask whether the method is inherited.
    is_comparison = names in _notation.METHODS_OF_COMPARISONS
    return method is not None and (is_comparison or method is not member(left, names[1]))


def hints_of(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls)
    except Exception:  # An annotation may name what does not exist, and has no meaning here.
        return {}
