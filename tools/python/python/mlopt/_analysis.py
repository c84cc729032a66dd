"""Properties of source trees that the translation needs: the names that are read and assigned, and the jumps."""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterable, Sequence
from typing import Any

Function = ast.FunctionDef | ast.Lambda


def names(node: Function) -> tuple[str, ...]:
    return tuple(a.arg for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])


def keyword_only(node: Function) -> frozenset[str]:
    return frozenset(a.arg for a in node.args.kwonlyargs)


def signature(f: Any) -> inspect.Signature:
    """Returns the parameters of a function itself, not those of one that it wraps."""
    plain = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    plain.__kwdefaults__ = f.__kwdefaults__
    return inspect.signature(plain)


def is_source(node: Function | ast.AsyncFunctionDef, code: types.CodeType, line: int) -> bool:
    """Checks whether a node, whose lines start after `line`, is the source of a code object."""
    # `functools.wraps` changes the name of a function, and not that of its code.
    decorators, name = ([], "<lambda>") if isinstance(node, ast.Lambda) else (node.decorator_list, node.name)
    first = min(n.lineno for n in (node, *decorators))
    if (name, first + line) != (code.co_name, code.co_firstlineno):
        return False
    count = code.co_argcount + code.co_kwonlyargcount
    return not isinstance(node, ast.Lambda) or names(node) == code.co_varnames[:count]


def code_names(f: Any) -> tuple[str, ...]:
    code = f.__code__
    return tuple(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def walk(node: ast.AST) -> Iterable[ast.AST]:
    """Returns a statement and the nodes inside of it, but not those of inner functions."""
    yield node
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        return
    for child in ast.iter_child_nodes(node):
        yield from walk(child)


def reads(statements: Iterable[ast.AST]) -> frozenset[str]:
    """Returns the names that are read, also in inner functions."""
    nodes = [n for s in statements for n in ast.walk(s)]
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return frozenset(
        names | {n.target.id for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    )


def assigned(statements: Iterable[ast.AST]) -> frozenset[str]:
    """Returns the names that statements assign."""
    nodes = [n for s in statements for n in walk(s)]
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    inner = {
        x.id
        for n in nodes
        if isinstance(n, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp)
        for g in n.generators
        for x in ast.walk(g.target)
        if isinstance(x, ast.Name)
    }
    plain = {n.id for n in assigned_outside(nodes)}
    return frozenset((names - inner) | (plain & inner) | {n.name for n in nodes if isinstance(n, ast.FunctionDef)})


def assigned_outside(nodes: Iterable[ast.AST]) -> Iterable[ast.Name]:
    """Returns the targets of assignments and loops, without those of comprehensions."""
    for n in nodes:
        targets: list[ast.expr] = []
        if isinstance(n, ast.Assign):
            targets = n.targets
        elif isinstance(n, ast.AugAssign | ast.AnnAssign | ast.For):
            targets = [n.target]
        for t in targets:
            yield from (x for x in ast.walk(t) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store))


def stored(target: ast.expr) -> frozenset[str]:
    """Returns the names of a target."""
    return frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name))


def kept(node: ast.AST) -> Iterable[ast.Lambda]:
    """Returns the functions that a value is or contains."""
    match node:
        case ast.Lambda():
            yield node
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts):
            for part in parts:
                yield from kept(part)
        case ast.IfExp(body=a, orelse=b):
            yield from kept(a)
            yield from kept(b)


def called(statements: Iterable[ast.AST]) -> frozenset[str]:
    """Returns the names that are called, iterated, or passed on as they are."""
    found: set[str] = set()
    for n in (n for s in statements for n in ast.walk(s)):
        values: list[ast.AST] = []
        match n:
            case ast.Call(func=func, args=args, keywords=keywords):
                while isinstance(func, ast.Subscript | ast.Attribute):
                    func = func.value
                values = [func, *args, *(k.value for k in keywords)]
            case ast.Assign(value=value):
                values = [value]
                while isinstance(values[0], ast.Subscript | ast.Attribute):
                    values = [values[0].value]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                values = list(parts)
            case ast.For(iter=value) | ast.comprehension(iter=value):
                values = [value]
        found |= {v.id for v in values if isinstance(v, ast.Name)}
    return frozenset(found)


def free(f: Function) -> frozenset[str]:
    """Returns the names that a function reads and does not assign."""
    own = set(names(f))
    if isinstance(f, ast.Lambda):
        return reads([f.body]) - own
    return reads(f.body) - own - assigned(f.body)


def definite(
    statements: Sequence[ast.stmt], skips: list[frozenset[str]] | None = None, before: frozenset[str] = frozenset()
) -> frozenset[str] | None:
    """Returns the names that are assigned on every path through statements, and `before`; None if their end is never
    reached. Adds to `skips` those that are assigned at each `continue`.
    """
    names = set(before)
    for s in statements:
        match s:
            case ast.Continue() if skips is not None:
                skips.append(frozenset(names))
                return None
            case ast.Return() | ast.Break() | ast.Continue():
                return None
            case ast.If(body=body, orelse=orelse):
                ends = [definite(side, skips, frozenset(names)) for side in (body, orelse)]
                sides = [found for found in ends if found is not None]
                if not sides:
                    return None
                names |= frozenset.intersection(*sides)
            case ast.While() if is_endless(s) and not has(s.body, ast.Break):
                return None
            case ast.For() | ast.While():
                pass
            case _:
                names |= assigned([s])
    return frozenset(names)


def is_endless(loop: ast.stmt) -> bool:
    """Checks for a loop whose condition is a constant that is true."""
    return isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and bool(loop.test.value)


def has(statements: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    """Checks whether statements of a loop contain a `return`, or a `break` or `continue` of the loop itself."""
    for s in statements:
        if isinstance(s, kind):
            return True
        if isinstance(s, ast.FunctionDef):
            continue
        if isinstance(s, ast.For | ast.While) and kind is not ast.Return:
            continue
        if any(has(getattr(s, part, []), kind) for part in ("body", "orelse")):
            return True
    return False


def jumps(sides: Sequence[Sequence[ast.stmt]]) -> bool:
    """Checks whether control can leave statements by a jump."""
    return any(has(side, kind) for side in sides for kind in (ast.Return, ast.Break, ast.Continue))
