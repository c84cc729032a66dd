"""Translation of functions from their source to the notation of functional programs (docs/functions.md).

A body is translated from its end: each statement becomes a term that contains the terms of the statements after it.
An assignment is a binding, a loop is `for`, `while`, `fold`, or, if it contains `return`, a recursive function. What
Python executes and the notation cannot express is refused with its position; nothing is ignored.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NoReturn

from . import _analysis, _expressions, _notation
from ._expressions import (
    PLAIN,
    REFUSED,
    Bound,
    Jumps,
    Scope,
    Signature,
    fields_of,
    member,
    promised,
    refused,
    short,
    tuple_,
)

_Statement = ast.stmt
_Loop = ast.For | ast.While


@dataclass(frozen=True)
class _Rest:
    """The term after a list of statements, and the variables that it reads."""

    term: Callable[[Scope], str]
    reads: frozenset[str]
    #: The variables that it assigns.
    assigns: frozenset[str] = frozenset()
    #: True if the term may be repeated.
    is_small: bool = True


class _Join:
    """A point that several paths reach, and the variables that all of them assign."""

    def __init__(self, name: str, common: Sequence[str]) -> None:
        self.name = name
        self.common = common
        #: The variables at the end of each path.
        self.ends: list[Scope] = []

    def values(self, scope: Scope) -> list[str]:
        """Returns the values of the variables at the end of a path."""
        self.ends.append(scope)
        return [scope[n].name for n in self.common]

    def call(self, scope: Scope) -> str:
        """Returns the call of the rest of the program at the end of a path."""
        return f"({' '.join([self.name, *self.values(scope)])})"


class Program:
    """The definitions of a function and of all functions and classes that it uses."""

    def __init__(self, classes: Iterable[type] = ()) -> None:
        self.definitions: dict[str, str] = {}
        self.names: dict[type, str] = {}
        self.classes: dict[str, type] = {}
        self._functions: dict[Any, str] = {}
        self._signatures: dict[str, Signature] = {}
        self._returned: dict[Any, type | None] = {}
        self.count = 0
        #: What gives a term the position of each function.
        self.places: dict[str, Callable[[str], str]] = {}
        for cls in classes:
            self.record(cls)

    @property
    def text(self) -> str:
        return "\n".join(self.definitions.values()) + "\n"

    def record(self, cls: type) -> str:
        """Returns the name of the record of a dataclass."""
        if cls not in self.names:
            name = cls.__name__
            while name in self.classes:
                name += "_"
            self.names[cls] = name
            self.classes[name] = cls
        return self.names[cls]

    @property
    def _is_ambiguous(self) -> bool:
        """True if a dataclass has a field or a method with the name of one of arrays."""
        names = [*_notation.ATTRIBUTES, *_notation.METHODS]
        return any(n in fields_of(cls) or member(cls, n) is not None for cls in self.names for n in names)

    def needs(self, name: str) -> None:
        """Adds a definition of the prelude."""
        self.definitions.setdefault(name, _notation.PRELUDE[name])

    def function(self, f: Any, arguments: Sequence[type | None] = ()) -> tuple[str, Signature]:
        """Returns the name of the definition of a function, which is translated once, and its parameters."""
        known = [c if c is not PLAIN or self._is_ambiguous else None for c in arguments]
        while known and known[-1] is None:
            known.pop()
        # Functions with one code may have other defaults, closures and modules.
        key = f, tuple(known)
        if key not in self._functions:
            # A name with a point is not one of a variable.
            stem = "py." + re.sub(r"\W|[^\x00-\x7f]", "_", f.__name__)
            name, count = stem, 1
            while name in self.definitions:
                count += 1
                name = f"{stem}.{count}"
            self._functions[key] = name
            self.definitions[name] = ""  # The order of definitions is that of their first use.
            Definition(self, f, name, known).translate(self._signatures)
        name = self._functions[key]
        return name, self._signatures[name]

    def returned(self, f: Any, cls: type | None = None) -> type | None:
        """Returns the dataclass of the results of a function, or of a method of `cls`, as far as the function tells."""
        from . import _function

        f = f.plain if isinstance(f, _function.SourceFunction) else f
        if f is None:
            return None
        key = f, cls
        if key not in self._returned:
            self._returned[key] = None  # A recursive call tells nothing.
            self._returned[key] = Definition(self, f, f.__name__, [cls]).returned()
        return self._returned[key]


def _source(f: Any) -> tuple[ast.AST, str, int, int]:
    """Returns the tree of a function, its file, and what to add to its lines and columns."""
    # The code is that of the function itself: `inspect` would follow `__wrapped__`, which decorators set.
    code = f.__code__
    file = inspect.getsourcefile(code) or code.co_filename
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError) as error:
        text = f"the source of `{f.__name__}` is not available; define it in a file, not in the interpreter"
        raise refused(text, file, code.co_firstlineno, 1) from error
    text = textwrap.dedent("".join(lines))
    indent = len(lines[0]) - len(lines[0].lstrip())
    try:
        tree: ast.AST = ast.parse(text)
    except SyntaxError:
        # A part of an expression.
        return _file_of_lambda(f, file), file, 0, 0
    return tree, file, first - 1, indent


def _file_of_lambda(f: Any, file: str) -> ast.AST:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError as error:
        text = f"the source of `{f.__name__}` cannot be read: {error}"
        raise refused(text, file, f.__code__.co_firstlineno, 1) from error


class Definition:
    """A function of a module, or a method, and its translation."""

    def __init__(self, program: Program, f: Any, name: str, arguments: Sequence[type | None]) -> None:
        self.program = program
        self.f = f
        self.name = name
        tree, self.file, self.line, self.column = _source(f)
        self.hints = arguments
        nodes = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda | ast.AsyncFunctionDef)]
        nodes = [n for n in nodes if _analysis.is_source(n, f.__code__, self.line)]
        if len(nodes) != 1:
            text = f"the source of `{f.__name__}` is not unique in its line; define it by `def`"
            raise refused(text, self.file, f.__code__.co_firstlineno, 1)
        self.node = nodes[0]

    def translate(self, signatures: dict[str, Signature]) -> None:
        body = Body(self.program, self)
        self.program.places[self.name] = lambda term: body.marked(self.node, term)
        if isinstance(self.node, ast.AsyncFunctionDef):
            body.refuse(self.node, "`async def`", "use `def`")
        names = body.parameters(self.node)
        defaults = {}
        for parameter in _analysis.signature(self.f).parameters.values():
            if parameter.default is not parameter.empty:
                defaults[parameter.name] = parameter
        terms = {n: body.constant(self.node, p.default, f"the default of `{n}`") for n, p in defaults.items()}
        signatures[self.name] = Signature(tuple(names), terms, _analysis.keyword_only(self.node))
        scope = {n: Bound(body.name(n)) for n in names}
        hints = self._annotations()
        for k, n in enumerate(names):
            cls = self.hints[k] if k < len(self.hints) else None
            scope[n] = replace(scope[n], cls=cls or promised(hints.get(n)))
        term = body.function(self.node, scope)
        definition = f"(def {self.name} ({body.marked_parameters(self.node)}) {term})"
        self.program.definitions[self.name] = body.marked(self.node, definition)

    def returned(self) -> type | None:
        """Returns the dataclass of all results, if the annotation or each `return` states it."""
        cls = promised(self._annotations().get("return"))
        if cls is not None or isinstance(self.node, ast.AsyncFunctionDef):
            return cls
        body = Body(self.program, self)
        names = _analysis.names(self.node)
        body.scope = {n: Bound(n, cls) for n, cls in zip_longest(names, self.hints[: len(names)])}
        if isinstance(self.node, ast.Lambda):
            return body.class_of(self.node.body)
        body.local_names = _analysis.assigned(self.node.body)
        results = [s.value for part in self.node.body for s in _analysis.walk(part) if isinstance(s, ast.Return)]
        found = {None if value is None else body.class_of(value) for value in results}
        return found.pop() if len(found) == 1 else None

    def _annotations(self) -> dict[str, Any]:
        if hasattr(self.f, "__wrapped__"):
            # `functools.wraps` has replaced the annotations by those of another function.
            body, arguments = Body(self.program, self), self.node.args
            given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            hints = {a.arg: body.static(a.annotation) for a in given}
            return hints | {"return": body.static(getattr(self.node, "returns", None))}
        try:
            return typing.get_type_hints(self.f)
        except Exception:  # An annotation may name what does not exist, and has no meaning here.
            return {}

    def lookup(self, name: str) -> Any:
        """Returns the value of a name that is not a variable of the function; raises `KeyError` if there is none."""
        code = self.f.__code__
        if name in code.co_freevars:
            return self.f.__closure__[code.co_freevars.index(name)].cell_contents
        if name in self.f.__globals__:
            return self.f.__globals__[name]
        builtins = self.f.__globals__["__builtins__"]
        return (builtins if isinstance(builtins, dict) else vars(builtins))[name]


class Body(_expressions.Expressions):
    """The translation of the body of a definition, with the functions inside of it."""

    # Functions.

    def function(self, node: _analysis.Function, scope: Scope) -> str:
        """Returns the term of the body of a function, in whose scope the parameters are."""
        if isinstance(node, ast.Lambda):
            return self.value_of(node, scope)

        def missing(_: Scope) -> str:
            last = node.body[-1]
            self.wrong(last, f"`{node.name}` can end without `return`: every path must return a value")

        for child in (c for s in node.body for c in _analysis.walk(s)):
            if isinstance(child, ast.Global | ast.Nonlocal | ast.Delete | ast.Yield | ast.YieldFrom | ast.Await):
                self.refuse(child, *REFUSED[type(child)])
        self._check_uses(node)
        before = self.local_names
        called, self.called = self.called, self.called | _analysis.called(node.body)
        self.local_names = before | _analysis.assigned(node.body)
        try:
            return self.within(scope, Jumps(), lambda: self.block(node.body, _Rest(missing, frozenset())))
        finally:
            self.local_names, self.called = before, called

    def _check_uses(self, node: ast.FunctionDef) -> None:
        """Refuses variables that are assigned and never read."""
        read = _analysis.reads(node.body)
        for statement in node.body:
            for child in _analysis.walk(statement):
                names: list[ast.Name] = []
                if isinstance(child, ast.Assign):
                    names = [t for t in child.targets if isinstance(t, ast.Name)]
                elif isinstance(child, ast.AugAssign | ast.AnnAssign) and isinstance(child.target, ast.Name):
                    names = [child.target]
                elif isinstance(child, ast.FunctionDef) and child.name not in read:
                    self.wrong(child, f"the function `{child.name}` is never used")
                for name in names:
                    if name.id not in read and not name.id.startswith("_"):
                        self.wrong(name, f"the value of `{name.id}` is never used")

    # Statements.

    def block(self, statements: Sequence[_Statement], rest: _Rest) -> str:
        """Returns the term of statements and of what follows them."""
        if not statements:
            return rest.term(self.scope)
        # Functions that follow each other may call each other.
        size = 1
        while isinstance(statements[0], ast.FunctionDef) and isinstance(_at(statements, size), ast.FunctionDef):
            size += 1
        others, jumps = statements[size:], self.jumps
        after = _Rest(
            lambda scope: self.within(scope, jumps, lambda: self.block(others, rest)),
            _analysis.reads(others) | rest.reads,
            _analysis.assigned(others) | rest.assigns,
            not others and rest.is_small,
        )
        group = [s for s in statements[:size] if isinstance(s, ast.FunctionDef)]
        return self.nested(group, others, after) if group else self.statement(statements[0], others, after)

    def statement(self, node: _Statement, others: Sequence[_Statement], after: _Rest) -> str:
        match node:
            case ast.Return(value=None):
                self.wrong(node, "`return` without a value: every path must return a value")
            case ast.Return(value=ast.expr() as value):
                self._check_end(others)
                return self.expr(value)
            case ast.Assign(targets=targets, value=value):
                return self.assign(node, targets, value, others, after)
            case ast.AnnAssign(target=target, value=value, annotation=annotation):
                if value is None:
                    self.refuse(node, "a declaration without a value", "assign a value")
                return self.assign(node, [target], value, others, after, self.static(annotation))
            case ast.AugAssign(target=target, op=op, value=value):
                if not isinstance(target, ast.Name):
                    self.refuse_target(target, node)
                return self.assign(node, [target], self.changed(node, target, op, value), others, after)
            case ast.If():
                return self.choice(node, after)
            case ast.For() | ast.While():
                return self.loop(node, after)
            case ast.Break():
                if self.jumps.stop is None:
                    self.wrong(node, "`break` outside of a loop")
                self._check_end(others)
                return self.jumps.stop(self.scope)
            case ast.Continue():
                if self.jumps.skip is None:
                    self.wrong(node, "`continue` outside of a loop")
                self._check_end(others)
                return self.jumps.skip(self.scope)
            case ast.Assert():
                return self.assertion(node, after)
            case ast.Pass():
                return after.term(self.scope)
            case ast.Expr(value=ast.Constant(value=str())):
                return after.term(self.scope)
            case ast.Expr(value=ast.Call() as call):
                self.refuse_effect(call)
                self.wrong(node, f"the value of `{short(node)}` is not used: functions have no effects")
            case ast.Expr():
                self.wrong(node, f"the value of `{short(node)}` is not used")
        kind, instead = REFUSED.get(type(node), (type(node).__name__, "write it without"))
        self.refuse(node, kind, instead)

    def changed(self, node: ast.AugAssign, target: ast.Name, op: ast.operator, value: ast.expr) -> ast.expr:
        """Returns the new value of the target of an operator such as `+=`."""
        read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        method = _notation.METHODS_OF_OPERATORS[type(op)][0].replace("__", "__i", 1)
        if member(self.class_of(read), method) is None:
            return ast.copy_location(ast.BinOp(read, op, value), node)
        called = ast.copy_location(ast.Attribute(read, method, ast.Load()), node)
        return ast.copy_location(ast.Call(called, [value], []), node)

    def _check_end(self, others: Sequence[_Statement]) -> None:
        if others:
            self.wrong(others[0], "this statement is never reached")

    def assign(
        self,
        node: ast.stmt,
        targets: Sequence[ast.expr],
        value: ast.expr,
        others: Sequence[_Statement],
        after: _Rest,
        cls: type | None = None,
    ) -> str:
        if isinstance(value, ast.Lambda):
            again = self.jumps.loops if any(n in self.scope for n in _analysis.assigned([node])) else frozenset()
            self._check_captures(value, after.assigns | again)
        cls = self.class_of(value) or promised(cls)
        signature = None
        if isinstance(value, ast.Lambda):
            signature = Signature(tuple(self.parameters(value)), {})
        if (
            len(targets) == 1
            and isinstance(targets[0], ast.Tuple | ast.List)
            and isinstance(value, ast.Tuple | ast.List)
        ):
            return self.assign_each(node, targets[0], value, after)
        # A function inside of the value may live as long as the target, if the target is called or passed on.
        names = _analysis.assigned([node])
        again = self.jumps.loops if names & self.scope.keys() else frozenset()
        before, self.later = self.later, (after.assigns | again if names & self.called else frozenset())
        try:
            term = self.expr(value)
        finally:
            self.later = before
        if len(targets) == 1:
            return self.bind(targets[0], term, after.term, node, cls, signature)
        shared = self.fresh()
        work = after.term
        for target in reversed(targets):
            work = self._bound_later(target, shared, work, node, cls)
        return f"(let (({shared} {term})) {work(self.scope)})"

    def _bound_later(
        self, target: ast.expr, term: str, work: Callable[[Scope], str], node: ast.stmt, cls: type | None
    ) -> Callable[[Scope], str]:
        return lambda scope: self.within(scope, self.jumps, lambda: self.bind(target, term, work, node, cls))

    def assign_each(
        self, node: ast.stmt, target: ast.Tuple | ast.List, value: ast.Tuple | ast.List, after: _Rest
    ) -> str:
        """Assigns the values of a display to targets: all values come first."""
        if any(isinstance(e, ast.Starred) for e in value.elts):
            return self.bind(target, self.expr(value), after.term, node)
        parts: list[tuple[ast.expr, str, type | None]] = []
        names, bindings = [], []
        for e in value.elts:
            name = self.fresh()
            names.append((name, self.class_of(e)))
            bindings.append(f"({name} {self.expr(e)})")
        stars = [k for k, t in enumerate(target.elts) if isinstance(t, ast.Starred)]
        count = len(target.elts)
        if not stars and count != len(names):
            self.wrong(node, f"expected {count} values, found {len(names)}")
        if stars:
            (k,) = stars
            extra = len(names) - count + 1
            if extra < 0:
                self.wrong(node, f"expected {count - 1} values at least, found {len(names)}")
            starred = target.elts[k]
            assert isinstance(starred, ast.Starred)
            rest = f"(list {' '.join(n for n, _ in names[k : k + extra])})"
            parts = [(t, n, c) for t, (n, c) in zip(target.elts[:k], names[:k], strict=True)]
            parts.append((starred.value, rest, None))
            parts += [(t, n, c) for t, (n, c) in zip(target.elts[k + 1 :], names[k + extra :], strict=True)]
        else:
            parts = [(t, n, c) for t, (n, c) in zip(target.elts, names, strict=True)]
        work = after.term
        for t, term, cls in reversed(parts):
            work = self._bound_later(t, term, work, node, cls)
        return f"(let ({' '.join(bindings)}) {work(self.scope)})"

    # Branches.

    def choice(self, node: ast.If, after: _Rest) -> str:
        condition = self.truth(node.test)
        sides = [node.body, node.orelse]
        assigned = _analysis.assigned(node.body) | _analysis.assigned(node.orelse)
        joined = sorted(assigned & after.reads)
        leaves = [_analysis.definite(side) is None for side in sides]
        is_path = _analysis.jumps(sides) or any(
            isinstance(n, ast.Assert) for side in sides for s in side for n in _analysis.walk(s)
        )
        if not is_path and not joined:
            self.wrong(node, "this `if` has no effect: it assigns no variable that is read later")
        if is_path and (any(leaves) or after.is_small):
            terms = [self.block(side, after) for side in sides]
            return self.at(node, f"(if {condition} {terms[0]} {terms[1]})")
        common = [
            n for n in joined if all(self._is_assigned(n) or n in (_analysis.definite(side) or ()) for side in sides)
        ]
        join = _Join(self.fresh("join"), common)

        def end(scope: Scope) -> str:
            return join.call(scope) if is_path else tuple_(join.values(scope))

        terms = [self.block(side, _Rest(end, after.reads, after.assigns)) for side in sides]
        chosen = self.at(node, f"(if {condition} {terms[0]} {terms[1]})")
        scope = self.joined(join, assigned)
        rest = after.term(scope)
        if is_path:
            return self.defined(join, rest, chosen)
        return self._unpacked([self.name(n) for n in common], chosen, rest)

    def joined(self, join: _Join, assigned: frozenset[str]) -> Scope:
        """Returns the variables after paths that assign these names, whose terms are known."""
        scope = dict(self.scope)
        for n in assigned:
            known = {found[n].cls for found in join.ends if n in found}
            cls = known.pop() if len(known) == 1 else None
            missing = "" if n in join.common else "assign it on every path, and before a loop"
            scope[n] = Bound(self.name(n), cls, missing=missing)
        return scope

    def defined(self, join: _Join, rest: str, term: str) -> str:
        """Returns a term that calls the function of a join, whose body is `rest`."""
        names = " ".join(self.name(n) for n in join.common)
        return f"(let (({join.name} (lam ({names}) {rest}))) {term})"

    def _is_assigned(self, name: str) -> bool:
        return _is_bound(self.scope, name)

    def _unpacked(self, names: Sequence[str], term: str, rest: str) -> str:
        """Binds names to the values of a tuple, or to the value if there is one."""
        if len(names) == 1:
            return f"(let (({names[0]} {term})) {rest})"
        if not names:
            return rest
        whole = self.fresh()
        parts = " ".join(f"({n} (get {k} {whole}))" for k, n in enumerate(names))
        return f"(let (({whole} {term}) {parts}) {rest})"

    def assertion(self, node: ast.Assert, after: _Rest) -> str:
        text = "assertion failed"
        match node.msg:
            case None:
                text += f": {ast.unparse(node.test)}"
            case ast.Constant(value=str() as message):
                text += f": {message}"
            case other:
                self.refuse(other, "a computed message of `assert`", "use a constant string")
        if "{}" in text:
            self.refuse(node, "`{}` in the message of `assert`", "write the message without")
        condition = self.fresh("ok")
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

        def checked(term: str) -> str:
            return self.at(node, f'(check {condition} "assertion" "{text}" {term})')

        # The variables that the condition reads get their values after the check: their later uses depend on it.
        read = [n for n in sorted(_analysis.reads([node]) & after.reads) if self._is_assigned(n)]
        names = [self.scope[n].name for n in read if self.scope[n].signature is None]
        rest = after.term(self.scope)
        test = f"({condition} {self.truth(node.test)})"
        if not names:
            return f"(let ({test}) {checked(rest)})"
        return f"(let ({test}) {self._unpacked(names, checked(tuple_(names)), checked(rest))})"

    def nested(self, group: Sequence[ast.FunctionDef], others: Sequence[_Statement], after: _Rest) -> str:
        """Translates functions in a function, which may call each other."""
        from . import _function

        scope, bindings = dict(self.scope), []
        for f in group:
            for decorator in f.decorator_list:
                if self.static(decorator) is not _function.function:
                    self.refuse(decorator, "a decorator of a nested function", "call it on the function")
            again = self.jumps.loops if f.name in self.scope else frozenset()
            self._check_captures(f, (after.assigns | again) - {g.name for g in group})
            names, defaults = self.parameters(f), {}
            given = f.args
            positional = [a.arg for a in [*given.posonlyargs, *given.args]]
            pairs = list(zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True))
            pairs += [(a.arg, d) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d is not None]
            for name, default in pairs:
                own = self.fresh(f"{f.name}.{name}")
                bindings.append(f"({own} {self.expr(default)})")
                defaults[name] = own
            signature = Signature(tuple(names), defaults, _analysis.keyword_only(f))
            scope[f.name] = Bound(self.name(f.name), signature=signature)
        members = []
        for f in group:
            names = self.parameters(f)
            inner = scope | {n: Bound(self.name(n), self._annotated(f, n)) for n in names}
            term = self.function(f, inner)
            name = self.marked(f, self.name(f.name))
            members.append(f"({name} {self.at(f, f'(lam ({self.marked_parameters(f)}) {term})')})")
        is_recursive = any(_analysis.free(f) & {g.name for g in group} for f in group)
        form = "letrec" if is_recursive else "let"
        term = f"({form} ({' '.join(members)}) {after.term(scope)})"
        return f"(let ({' '.join(bindings)}) {term})" if bindings else term

    def _annotated(self, f: ast.FunctionDef, name: str) -> type | None:
        for a in [*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs]:
            if a.arg == name and a.annotation is not None:
                return promised(self.static(a.annotation))
        return None

    # Loops.

    def loop(self, node: _Loop, after: _Rest) -> str:
        if node.orelse:
            self.refuse(node.orelse[0], "`else` of a loop", "use a variable that `break` sets")
        displays = self._displays(node)
        if displays is not None and not _analysis.has(node.body, ast.Break) and not _is_long(node, len(displays)):
            return self.unrolled(node, displays, after)
        assigned = _analysis.assigned([node])
        reads = after.reads | _analysis.reads([node])
        carried = [n for n in sorted(assigned & reads) if self._is_assigned(n)]
        names = [self.scope[n].name for n in carried]
        inside = dict(self.scope)
        for n in carried:
            inside[n] = replace(inside[n], signature=None)
        outside = dict(inside)
        for n in assigned - set(carried):
            line = self.place(node)[0]
            missing = f"the loop in line {line} may have no iteration; assign it before the loop"
            outside[n] = Bound(self.name(n), missing=missing)
        outer = self.scope
        self.scope = inside
        try:
            if _analysis.has(node.body, ast.Return):
                return self.recursive(node, names, carried, outside, reads, after)
            if not carried:
                self.wrong(node, "this loop has no effect: it changes no variable that is read later")
            term = self.at(node, self.repeated(node, carried, reads))
        finally:
            self.scope = outer
        return self._unpacked(names, term, after.term(outside))

    def body_of(
        self,
        node: _Loop,
        bind: Callable[[Callable[[Scope], str]], str],
        go_on: Callable[[Scope], str],
        stop: Callable[[Scope], str],
        reads: frozenset[str],
    ) -> str:
        """Returns the term of the body: `go_on` is the term of its end and of `continue`, `stop` that of `break`."""
        jumps = Jumps(stop, go_on, self.jumps.loops | _analysis.assigned([node]))

        def work(scope: Scope) -> str:
            return self.within(scope, jumps, lambda: self.block(node.body, _Rest(go_on, reads)))

        return bind(work)

    def repeated(self, node: _Loop, carried: Sequence[str], reads: frozenset[str]) -> str:
        """Returns the term of a loop without `return`, whose value is that of the carried variables."""
        state = self.fresh("s")
        names = [self.scope[n].name for n in carried]

        def values(scope: Scope) -> list[str]:
            return [scope[n].name for n in carried]

        def opened(extra: Sequence[str], rest: str) -> str:
            return self._unpacked([*extra, *names], state, rest)

        def nothing(_: Scope) -> str:
            return self.wrong(node, "internal error: a loop without `break` must not stop")

        breaks = _analysis.has(node.body, ast.Break)
        if isinstance(node, ast.While):
            condition = self.truth(node.test)
            if not breaks:
                body = self.body_of(node, lambda work: work(self.scope), lambda s: tuple_(values(s)), nothing, reads)
                test, step = opened([], condition), opened([], body)
                return f"(while (({state} {tuple_(names)})) {test} (next {step}) {state})"
            going = self.fresh("go")
            body = self.body_of(
                node,
                lambda work: work(self.scope),
                lambda s: tuple_(["true", *values(s)]),
                lambda s: tuple_(["false", *values(s)]),
                reads,
            )
            test = opened([going], f"(if {going} {condition} false)")
            end = opened([going], tuple_(names))
            return f"(while (({state} {tuple_(['true', *names])})) {test} (next {opened([going], body)}) {end})"
        source = self.iterable(node.iter)
        if source.values is not None and not breaks:
            # The function of a fold takes the carried variables and the next value.
            x = self.fresh("x")
            if source.counter is None:
                body = self.body_of(
                    node,
                    lambda work: self.bind(node.target, x, work, node.target),
                    lambda s: tuple_(values(s)),
                    nothing,
                    reads,
                )
                return f"(fold (lam ({state} {x}) {opened([], body)}) {tuple_(names)} {source.values})"
            k = self.fresh("k")
            pair = f"(tuple {k} {x})"
            body = self.body_of(
                node,
                lambda work: self.bind(node.target, pair, work, node.target),
                lambda s: tuple_([f"(add {k} 1)", *values(s)]),
                nothing,
                reads,
            )
            folded = (
                f"(fold (lam ({state} {x}) {opened([k], body)}) {tuple_([source.counter, *names])} {source.values})"
            )
            return f"(let (({state} {folded})) {opened([k], tuple_(names))})"
        k = self.fresh("k")
        if not breaks:
            body = self.body_of(
                node,
                lambda work: self.bind(node.target, source.item(k), work, node.target),
                lambda s: tuple_(values(s)),
                nothing,
                reads,
            )
            term = f"(for {k} {source.count} (({state} {tuple_(names)})) (next {opened([], body)}) {state})"
            return source.wrapped(term)
        going, count = self.fresh("go"), self.fresh("n")
        body = self.body_of(
            node,
            lambda work: self.bind(node.target, source.item(k), work, node.target),
            lambda s: tuple_(["true", f"(add {k} 1)", *values(s)]),
            lambda s: tuple_(["false", k, *values(s)]),
            reads,
        )
        extra = [going, k]
        test = opened(extra, f"(if {going} (lt {k} {count}) false)")
        end = opened(extra, tuple_(names))
        loop = f"(while (({state} {tuple_(['true', '0', *names])})) {test} (next {opened(extra, body)}) {end})"
        return source.wrapped(f"(let (({count} {source.count})) {loop})")

    def recursive(
        self,
        node: _Loop,
        names: Sequence[str],
        carried: Sequence[str],
        outside: Scope,
        reads: frozenset[str],
        after: _Rest,
    ) -> str:
        """Returns the term of a loop with `return`, a function that calls itself for the next iteration."""
        function = self.fresh("loop")
        is_endless = _analysis.is_endless(node)
        breaks = _analysis.has(node.body, ast.Break)
        leave = self.fresh("after")

        def call(f: str, extra: Sequence[str], scope: Scope) -> str:
            return f"({' '.join([f, *extra, *(scope[n].name for n in carried)])})"

        if is_endless and not breaks:
            end, rest = "", ""
        else:
            rest = after.term(outside)
            end = call(leave, [], self.scope) if breaks else rest
        if isinstance(node, ast.While):
            body = self.body_of(
                node,
                lambda work: work(self.scope),
                lambda s: call(function, [], s),
                lambda s: call(leave, [], s),
                reads,
            )
            term = body if is_endless else f"(if {self.truth(node.test)} {body} {end})"
            start, parameters, source = [], list(names), None
        else:
            source = self.iterable(node.iter)
            k, count = self.fresh("k"), self.fresh("n")
            body = self.body_of(
                node,
                lambda work: self.bind(node.target, source.item(k), work, node.target),
                lambda s: call(function, [f"(add {k} 1)"], s),
                lambda s: call(leave, [], s),
                reads,
            )
            term = f"(if (lt {k} {count}) {body} {end})"
            start, parameters = ["0"], [k, *names]
        term = (
            f"(letrec (({function} (lam ({' '.join(parameters)}) {self.at(node, term)})))"
            f" {call(function, start, self.scope)})"
        )
        if breaks:
            term = f"(let (({leave} (lam ({' '.join(names)}) {rest}))) {term})"
        return term if source is None else source.wrapped(f"(let (({count} {source.count})) {term})")

    def _displays(self, node: _Loop) -> list[str] | None:
        """Returns the values of an iterable whose number is known: a display, or `zip` or `enumerate` of displays."""
        if not isinstance(node, ast.For):
            return None
        match node.iter:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if not any(isinstance(e, ast.Starred) for e in parts):
                return [self.expr(e) for e in parts]
        return None

    def unrolled(self, node: _Loop, values: Sequence[str], after: _Rest) -> str:
        assert isinstance(node, ast.For)
        bindings = [(self.fresh(), value) for value in values]
        reads = after.reads | _analysis.reads([node])
        assigned = _analysis.assigned([node])
        loops = self.jumps.loops | assigned
        skips: list[frozenset[str]] = []
        end = _analysis.definite(node.body, skips)
        definite = frozenset.intersection(*skips, *([] if end is None else [end])) if skips else frozenset()
        definite |= _analysis.stored(node.target)

        def step(k: int, scope: Scope) -> str:
            if k == len(bindings):
                return after.term(scope)

            def go_on(scope: Scope) -> str:
                return step(k + 1, scope)

            def body(scope: Scope, go_on: Callable[[Scope], str], is_small: bool) -> str:
                next_ = _Rest(go_on, reads, after.assigns, is_small)
                return self.within(scope, Jumps(None, go_on, loops), lambda: self.block(node.body, next_))

            def work(scope: Scope) -> str:
                if not skips:
                    return body(scope, go_on, k + 1 == len(bindings) and after.is_small)
                # The steps after this one occur once: each `continue` returns the variables, or calls these steps.
                common = [n for n in sorted(assigned & reads) if n in definite or _is_bound(scope, n)]
                join = _Join(self.fresh("join"), common)
                is_value = bool(common) and not _analysis.has(node.body, ast.Return)
                term = body(scope, (lambda s: tuple_(join.values(s))) if is_value else join.call, True)
                rest = go_on(self.within(scope, self.jumps, lambda: self.joined(join, assigned)))
                if is_value:
                    return self._unpacked([self.name(n) for n in common], term, rest)
                return self.defined(join, rest, term)

            return self.within(scope, self.jumps, lambda: self.bind(node.target, bindings[k][0], work, node.target))

        term = step(0, self.scope)
        return f"(let ({' '.join(f'({n} {v})' for n, v in bindings)}) {term})" if bindings else term


def _is_long(node: _Loop, count: int) -> bool:
    """Checks whether an unrolled loop has too many paths: with `return`, each `continue` repeats the steps after it."""
    skips: list[frozenset[str]] = []
    _analysis.definite(node.body, skips)
    return _analysis.has(node.body, ast.Return) and (1 + len(skips)) ** count > 64


def _is_bound(scope: Scope, name: str) -> bool:
    return name in scope and not scope[name].missing


def _at(statements: Sequence[_Statement], k: int) -> _Statement | None:
    return statements[k] if k < len(statements) else None
