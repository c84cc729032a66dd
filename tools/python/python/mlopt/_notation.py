"""The meaning of names of Python, NumPy and this package in programs: how calls become terms of the notation.

Each entry takes the translator, the call and the translated arguments, and returns a term.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from . import _transform

if TYPE_CHECKING:
    from ._expressions import Arguments
    from ._expressions import Expressions as Body

Handler = Callable[["Body", ast.Call, "Arguments"], str]

#: Functions on floats, elementwise on arrays, by their names in NumPy and `math`.
_FLOATS = {
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "exp": "exp",
    "log": "log",
    "sqrt": "sqrt",
    "tanh": "tanh",
    "sinh": "sinh",
    "cosh": "cosh",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "log1p": "log1p",
    "expm1": "expm1",
    "erf": "erf",
}

#: Operations with two operands, by their names in NumPy and `operator`.
_BINARY = {
    "add": "add",
    "subtract": "sub",
    "sub": "sub",
    "multiply": "mul",
    "mul": "mul",
    "divide": "div",
    "true_divide": "div",
    "truediv": "div",
    "floor_divide": "floordiv",
    "floordiv": "floordiv",
    "mod": "mod",
    "remainder": "mod",
    "power": "power",
    "pow": "power",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
    "eq": "eq",
    "ne": "ne",
    "matmul": "@",
    "dot": "@",
    "outer": "outer",
    "and_": "bitand",
    "or_": "bitor",
    "xor": "bitxor",
    "lshift": "shl",
    "rshift": "shr",
    "bitwise_and": "bitand",
    "bitwise_or": "bitor",
    "bitwise_xor": "bitxor",
    "left_shift": "shl",
    "right_shift": "shr",
}

#: Definitions in the notation that translated programs use.
PRELUDE = {
    "keep": "(def keep (p l) (if (empty? l) l "
    "(if (bool (p (head l))) (cons (head l) (keep p (tail l))) (keep p (tail l)))))",
    "every": "(def every (l) (fold (lam (a x) (and a (bool x))) true l))",
    "some": "(def some (l) (fold (lam (a x) (or a (bool x))) false l))",
    "maximum": "(def maximum (a b) (select (ge a b) a (select (ne a a) a b)))",
    "minimum": "(def minimum (a b) (select (le a b) a (select (ne a a) a b)))",
    # Of numbers that are not negative: the squares of their quotients by the larger one do not overflow.
    "hypot": "(def hypot (a b) (let ((m (select (lt a b) b a))) (if (and (lt 0.0 m) (lt m inf)) "
    "(let ((p (div a m)) (q (div b m))) (mul m (sqrt (add (mul p p) (mul q q))))) "
    "(select (eq a inf) a (select (eq b inf) b (add a b))))))",
    # The largest whole number that is not above x, of the type of x. The quotient of an infinite number is NaN.
    "whole": "(def whole (x) (let ((q (floordiv x 1))) (select (eq q q) q x)))",
    "size": "(def size (s) (fold (lam (a n) (mul a n)) 1 s))",
}


def is_number(term: str) -> bool:
    """Checks for a literal, which no assignment in a loop changes."""
    return term.lstrip("-")[:1].isdigit()


def is_integer(term: str) -> bool:
    """Checks for the literal of an integer."""
    return term.lstrip("-").isdigit()


def _term(name: str, least: int, most: int | None = None) -> Handler:
    """Returns the handler of a function that is an operation of the notation."""

    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        return f"({name} {' '.join(arguments.exactly(least, most))})"

    return handler


def _real(name: str) -> Handler:
    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        (x,) = arguments.exactly(1)
        return f"({name} (real {x}))"

    return handler


def _template(text: str, count: int, *, prelude: Sequence[str] = (), iterates: bool = False) -> Handler:
    """Returns the handler of a function with a fixed number of arguments, which replace {0}, {1}, …; an argument that
    occurs more than once is bound to a name.
    """

    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        values = arguments.exactly(count)
        for definition in prelude:
            body.program.needs(definition)
        names, bindings = [], []
        for k, value in enumerate(values):
            if text.count(f"{{{k}}}") > 1:
                name = body.fresh()
                bindings.append(f"({name} {value})")
                value = name
            names.append(value)
        term = text.format(*names)
        return f"(let ({' '.join(bindings)}) {term})" if bindings else term

    handler.iterates = iterates  # type: ignore[attr-defined]
    return handler


def _log(body: Body, call: ast.Call, arguments: Arguments) -> str:
    x, *base = arguments.exactly(1, 2)
    return f"(div (log (real {x})) (log (real {base[0]})))" if base else f"(log (real {x}))"


def _extreme(name: str) -> Handler:
    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        first, *rest = arguments.exactly(1, None)
        comparison = {"max": "gt", "min": "lt"}[name]
        if not rest:
            values, a, b = body.fresh(), body.fresh(), body.fresh()
            step = f"(lam ({a} {b}) (select ({comparison} {b} {a}) {b} {a}))"
            return f"(let (({values} {first})) (fold {step} (item {values} 0) {values}))"
        for other in rest:
            a, b = body.fresh(), body.fresh()
            first = f"(let (({a} {first}) ({b} {other})) (select ({comparison} {b} {a}) {b} {a}))"
        return first

    handler.iterates = True  # type: ignore[attr-defined]
    return handler


def _array_extreme(name: str) -> Handler:
    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        if len(arguments.terms) != 1 or arguments.keywords:
            body.refuse(call, f"`{name}` along an axis", "use a comprehension over rows, or `np.maximum`")
        values, a, b = body.fresh(), body.fresh(), body.fresh()
        function = {"max": "maximum", "min": "minimum"}[name]
        body.program.needs(function)
        step = f"(lam ({a} {b}) ({function} {a} {b}))"
        term = f"(fold {step} (item {values} 0) {values})"
        text = f"not supported: `{name}` of an array of two or more axes; take it of each row"
        test = f"(eq (len (shape {values})) 1)"
        return f'(let (({values} {arguments.terms[0]})) (check {test} "assertion" "{text}" {term}))'

    return handler


def _sum(body: Body, call: ast.Call, arguments: Arguments) -> str:
    values, *start = arguments.exactly(1, 2)
    name = body.fresh()
    first = start[0] if start else f"(zero {name})"
    return f"(let (({name} {values})) (fold (lam (a x) (add a x)) {first} {name}))"


_sum.iterates = True  # type: ignore[attr-defined]


def _reduction(name: str) -> Handler:
    """Returns the handler of `sum` or `mean` of an array, with an optional axis."""

    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        x, *rest = arguments.named(["x", "axis"], 1)
        axis = rest[0] if rest else None
        if axis is not None and not is_integer(axis):
            body.refuse(call, f"the axis of this `{name}`", "use an integer, which may be negative")
        a = body.fresh()
        total = f"(sum {a})" if axis is None else f"(sum-along {axis} {a})"
        if name == "mean":
            body.program.needs("size")
            count = f"(size (shape {a}))" if axis is None else f"(item (shape {a}) {axis})"
            total = f"(div {total} {count})"
        return f"(let (({a} {x})) {total})"

    return handler


def _sizes(body: Body, shape: ast.expr) -> list[str]:
    if isinstance(shape, ast.Tuple | ast.List):
        return [body.expr(n) for n in shape.elts]
    return [body.expr(shape)]


def _element(body: Body, call: ast.Call, default: str) -> str:
    """Returns the conversion that the keyword `dtype` names."""
    for keyword in call.keywords:
        if keyword.arg == "dtype":
            return body.dtype(keyword.value)
        body.refuse(keyword.value, f"the keyword argument `{keyword.arg}` of an array", "leave it out")
    return default


def _filled(value: str | None) -> Handler:
    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        wanted = 1 if value is None else 0
        if len(call.args) != 1 + wanted:
            arguments.exactly(1 + wanted)
        default = "" if value is None else "f64"
        element = _element(body, call, default)
        filler = body.expr(call.args[1]) if value is None else value
        filler = f"({element} {filler})" if element else filler
        for n in reversed(_sizes(body, call.args[0])):
            filler = f"(replicate {n} {filler})"
        return filler

    handler.reads_arguments = False  # type: ignore[attr-defined]
    return handler


def _array(body: Body, call: ast.Call, arguments: Arguments) -> str:
    if len(call.args) != 1:
        arguments.exactly(1)
    element = _element(body, call, "")
    term = _rows(body, call.args[0])
    return f"({element} {term})" if element else term


def _rows(body: Body, node: ast.expr) -> str:
    """Returns an array of the values of a display, a comprehension or a list."""
    if isinstance(node, ast.List | ast.Tuple):
        return _display(body, node)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        counted = body.counted_comprehension(node)
        if counted is not None:
            return counted
    return f"(toarray (tolist {body.sequence(node)}))"


def _display(body: Body, node: ast.List | ast.Tuple) -> str:
    """Returns an array of the values of a display, in which literals have the type of the others: floats, if any."""
    leaves = list(_leaves(node))
    if any(isinstance(leaf, ast.Starred) for leaf in leaves):
        return f"(toarray {body.list_of(node.elts)})"
    terms = {id(leaf): body.expr(leaf) for leaf in leaves}
    literals = {id(leaf) for leaf in leaves if is_number(terms[id(leaf)])}
    others = [leaf for leaf in leaves if id(leaf) not in literals]
    floats = [leaf for leaf in leaves if id(leaf) in literals and not is_integer(terms[id(leaf)])]
    integers = [leaf for leaf in leaves if id(leaf) in literals and is_integer(terms[id(leaf)])]
    bindings: list[tuple[str, str]] = []
    sizes = _sizes_of(node)
    if literals and not others and sizes is not None:
        constants = [repr(float(terms[id(x)])) if floats else terms[id(x)] for x in leaves]
        element = "f64" if floats else "i64"
        return f"(dense array<{'x'.join(map(str, sizes))}x{element}> {' '.join(constants)})"
    if literals and others:
        for leaf in others:
            name = body.fresh()
            bindings.append((name, terms[id(leaf)]))
            terms[id(leaf)] = name
        like = functools.reduce(
            lambda b, a: f"(select true {a} {b})", [terms[id(x)] for x in [*(floats or integers)[:1], *others]]
        )
        name = body.fresh()
        bindings.append((name, like))
        terms = {key: f"(select true {term} {name})" for key, term in terms.items()}

    def rows(part: ast.expr) -> str:
        if isinstance(part, ast.List | ast.Tuple):
            return f"(toarray (list {' '.join(rows(e) for e in part.elts)}))"
        return terms[id(part)]

    term = rows(node) if node.elts else "(toarray (nil))"
    return f"(let ({' '.join(f'({n} {v})' for n, v in bindings)}) {term})" if bindings else term


def _sizes_of(node: ast.expr) -> list[int] | None:
    """Returns the sizes of nested displays, whose parts must have the same sizes."""
    if not isinstance(node, ast.List | ast.Tuple):
        return []
    parts = [_sizes_of(part) for part in node.elts]
    return None if not parts or any(p is None or p != parts[0] for p in parts) else [len(parts), *(parts[0] or [])]


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    """Returns the values of nested displays."""
    if isinstance(node, ast.List | ast.Tuple):
        for part in node.elts:
            yield from _leaves(part)
    else:
        yield node


_array.reads_arguments = False  # type: ignore[attr-defined]


def _arange(body: Body, call: ast.Call, arguments: Arguments) -> str:
    bindings, start, stop, step = body.bounds(call)
    element = _element(body, call, "")
    distance = stop if start == "0" else f"(sub {stop} {start})"
    count = stop if is_integer(distance) and step == "1" else f"(ceildiv {distance} {step})"
    term = f"(iota {count})"
    if step != "1":
        # NumPy's step is the difference of the first two values.
        difference = step if start == "0" else f"(sub (add {start} {step}) {start})"
        term = f"(mul {term} {difference})"
    if start != "0":
        term = f"(add {start} {term})"
    if not is_integer(stop):
        # A float among the numbers makes all of them floats.
        term = f"(select true {term} {stop})"
    term = f"({element} {term})" if element else term
    return f"(let ({' '.join(f'({n} {v})' for n, v in bindings)}) {term})" if bindings else term


_arange.reads_arguments = False  # type: ignore[attr-defined]


def _replace(body: Body, call: ast.Call, arguments: Arguments) -> str:
    if len(call.args) != 1 or any(k.arg is None for k in call.keywords):
        body.refuse(call, "this call of `replace`", "pass the object, then fields by name")
    record = body.expr(call.args[0])
    cls = body.class_of(call.args[0])
    for c in list(body.program.names) if cls is None else filter(dataclasses.is_dataclass, [cls]):
        body.check_construction(call, c, f"`replace` of `{c.__name__}`")
        for f in dataclasses.fields(c):
            if not f.init and f.name in (k.arg for k in call.keywords):
                body.refuse(call, f"`replace` of the field `{f.name}`", "the constructor does not take it")
    if not call.keywords:
        return record
    fields = " ".join(f"({k.arg} {body.expr(k.value)})" for k in call.keywords)
    return f"(with {record} {fields})"


_replace.reads_arguments = False  # type: ignore[attr-defined]


def _derivative(form: str) -> Handler:
    def handler(body: Body, call: ast.Call, arguments: Arguments) -> str:
        return body.derivative(form, call)

    handler.reads_arguments = False  # type: ignore[attr-defined]
    handler.form = form  # type: ignore[attr-defined]
    return handler


def _list(body: Body, call: ast.Call, arguments: Arguments) -> str:
    (x,) = arguments.exactly(1)
    return f"(tolist {x})"


_list.iterates = True  # type: ignore[attr-defined]


def _map(body: Body, call: ast.Call, arguments: Arguments) -> str:
    f, xs = arguments.exactly(2)
    return f"(maplist {f} (tolist {xs}))"


_map.iterates = True  # type: ignore[attr-defined]


def _reduce(body: Body, call: ast.Call, arguments: Arguments) -> str:
    f, xs, start = arguments.exactly(3)
    return f"(fold {f} {start} {xs})"


_reduce.iterates = True  # type: ignore[attr-defined]


def _filter(body: Body, call: ast.Call, arguments: Arguments) -> str:
    f, xs = arguments.exactly(2)
    body.program.needs("keep")
    return f"(keep {f} (tolist {xs}))"


_filter.iterates = True  # type: ignore[attr-defined]


#: The numbers of arguments of the functions that these functions take first.
for _handler, _arity in ((_map, 1), (_filter, 1), (_reduce, 2)):
    _handler.arity = _arity  # type: ignore[attr-defined]

_ANY = _template("(gt (sum (bool {0})) 0)", 1)
_ALL = _template("(eq (sum (bool {0})) (size (shape {0})))", 1, prelude=["size"])


def _table() -> dict[Any, Handler]:
    table: dict[Any, Handler] = {
        builtins.abs: _term("abs", 1),
        builtins.len: _template("(len {0})", 1, iterates=True),
        builtins.float: _term("f64", 1),
        builtins.int: _term("i64", 1),
        builtins.bool: _term("bool", 1),
        builtins.pow: _term("power", 2),
        builtins.divmod: _template("(tuple (floordiv {0} {1}) (mod {0} {1}))", 2),
        builtins.max: _extreme("max"),
        builtins.min: _extreme("min"),
        builtins.sum: _sum,
        builtins.all: _template("(every {0})", 1, prelude=["every"], iterates=True),
        builtins.any: _template("(some {0})", 1, prelude=["some"], iterates=True),
        builtins.list: _list,
        builtins.map: _map,
        builtins.filter: _filter,
        functools.reduce: _reduce,
        operator.neg: _term("neg", 1),
        operator.invert: _term("invert", 1),
        operator.getitem: _term("item", 2),
        math.log: _log,
        math.fabs: _template("(abs (real {0}))", 1),
        math.floor: _template("(i64 (floor (real {0})))", 1),
        math.ceil: _template("(i64 (ceil (real {0})))", 1),
        math.trunc: _term("i64", 1),
        math.pow: _template("(power (real {0}) (real {1}))", 2),
        math.hypot: _template("(hypot (abs (real {0})) (abs (real {1})))", 2, prelude=["hypot"]),
        math.isnan: _template("(ne {0} {0})", 1),
        dataclasses.replace: _replace,
        _transform.grad: _derivative("grad"),
        _transform.value_and_grad: _derivative("vgrad"),
        _transform.jvp: _derivative("jvp"),
    }
    for name, term in _FLOATS.items():
        if hasattr(math, name) and name != "log":
            table[getattr(math, name)] = _real(term)
    for name, term in _BINARY.items():
        if hasattr(operator, name):
            table[getattr(operator, name)] = _term(term, 2)
    try:
        import numpy as np
    except ImportError:
        return table
    for name, term in _FLOATS.items():
        if hasattr(np, name):
            table[getattr(np, name)] = _real(term)
    for name, term in _BINARY.items():
        if hasattr(np, name):
            table[getattr(np, name)] = _term(term, 2)
    table |= {
        np.abs: _term("abs", 1),
        np.negative: _term("neg", 1),
        np.invert: _term("invert", 1),
        np.logical_and: _template("(bitand (bool {0}) (bool {1}))", 2),
        np.logical_or: _template("(bitor (bool {0}) (bool {1}))", 2),
        np.logical_xor: _template("(bitxor (bool {0}) (bool {1}))", 2),
        np.logical_not: _template("(bitxor (bool {0}) true)", 1),
        np.square: _template("(mul {0} {0})", 1),
        np.reciprocal: _template("(div 1.0 {0})", 1),
        np.sign: _template("(select (gt {0} 0) 1 (select (lt {0} 0) -1 (select (eq {0} 0) 0 {0})))", 1),
        np.floor: _template("(whole {0})", 1, prelude=["whole"]),
        np.ceil: _template("(neg (whole (neg {0})))", 1, prelude=["whole"]),
        np.maximum: _template("(maximum {0} {1})", 2, prelude=["maximum"]),
        np.minimum: _template("(minimum {0} {1})", 2, prelude=["minimum"]),
        np.clip: _template("(minimum (maximum {0} {1}) {2})", 3, prelude=["minimum", "maximum"]),
        np.where: _term("select", 3),
        np.isnan: _template("(ne {0} {0})", 1),
        np.sum: _reduction("sum"),
        np.mean: _reduction("mean"),
        np.any: _ANY,
        np.all: _ALL,
        np.max: _array_extreme("max"),
        np.min: _array_extreme("min"),
        np.transpose: _term("transpose", 1),
        np.zeros: _filled("0"),
        np.ones: _filled("1"),
        np.full: _filled(None),
        np.zeros_like: _template("(fill (zero {0}) {0})", 1),
        np.ones_like: _template("(fill (add 1 (zero {0})) {0})", 1),
        np.arange: _arange,
        np.array: _array,
        np.asarray: _array,
        np.stack: _array,
        np.linspace: _template("(add {0} (mul (div (sub {1} {0}) (select (gt {2} 1) (sub {2} 1) 1)) (iota {2})))", 3),
        np.eye: _template("(map (lam (i) (map (lam (j) (select (eq i j) 1.0 0.0)) (iota {0}))) (iota {0}))", 1),
        np.linalg.norm: _template("(sqrt (sum (mul (real {0}) (real {0}))))", 1),
        np.float64: _term("f64", 1),
        np.float32: _term("f32", 1),
        np.int64: _term("i64", 1),
    }
    return table


@functools.cache
def table() -> dict[Any, Handler]:
    """Returns the handlers of functions that are not translated from their source."""
    return _table()


#: The methods and attributes of arrays.
METHODS: dict[str, Handler] = {
    "sum": _reduction("sum"),
    "mean": _reduction("mean"),
    "any": _ANY,
    "all": _ALL,
    "dot": _term("@", 2),
    "max": _array_extreme("max"),
    "min": _array_extreme("min"),
    "transpose": _term("transpose", 1),
    "copy": _template("{0}", 1),
    "item": _template("{0}", 1),
}
ATTRIBUTES = {
    "T": "(transpose {0})",
    "shape": "(shape {0})",
    "size": "(size (shape {0}))",
    "ndim": "(len (shape {0}))",
}

BINARY_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "power",
    ast.MatMult: "@",
    ast.BitAnd: "bitand",
    ast.BitOr: "bitor",
    ast.BitXor: "bitxor",
    ast.LShift: "shl",
    ast.RShift: "shr",
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}

#: The methods that define operators, of the left and of the right operand.
METHODS_OF_OPERATORS: dict[type[ast.operator | ast.unaryop | ast.cmpop], tuple[str, str | None]] = {
    ast.Add: ("__add__", "__radd__"),
    ast.Sub: ("__sub__", "__rsub__"),
    ast.Mult: ("__mul__", "__rmul__"),
    ast.Div: ("__truediv__", "__rtruediv__"),
    ast.FloorDiv: ("__floordiv__", "__rfloordiv__"),
    ast.Mod: ("__mod__", "__rmod__"),
    ast.Pow: ("__pow__", "__rpow__"),
    ast.MatMult: ("__matmul__", "__rmatmul__"),
    ast.BitAnd: ("__and__", "__rand__"),
    ast.BitOr: ("__or__", "__ror__"),
    ast.BitXor: ("__xor__", "__rxor__"),
    ast.LShift: ("__lshift__", "__rlshift__"),
    ast.RShift: ("__rshift__", "__rrshift__"),
    ast.USub: ("__neg__", None),
    ast.UAdd: ("__pos__", None),
    ast.Invert: ("__invert__", None),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
    ast.Eq: ("__eq__", "__eq__"),
    ast.NotEq: ("__ne__", "__ne__"),
}

METHODS_OF_COMPARISONS = [METHODS_OF_OPERATORS[op] for op in (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)]

#: The methods that define functions of one argument.
METHODS_OF_FUNCTIONS: dict[Any, str] = {builtins.len: "__len__", builtins.abs: "__abs__"}
