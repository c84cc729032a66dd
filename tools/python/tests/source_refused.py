"""Functions that are refused, each with its arguments, the column of the error in the line marked `# here`, and the
message.
"""
# ruff: noqa

import dataclasses
import functools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mlopt
import numpy as np

REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], int, str]] = []


def refused(column: int, text: str, *arguments: Any) -> Callable[[Any], Any]:
    def add(f: Any) -> Any:
        REFUSED.append((f, arguments, column, text))
        return f

    return add


COUNT = {"a": 1}


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Checked:
    x: float

    def __post_init__(self):
        assert self.x > 0


@dataclass
class Listed:
    values: list = field(default_factory=list)


V = np.array([1.0, 2.0])


@refused(5, "not supported: `x[0] = 1.0`: values do not change; build a new array or list, as in", V)
def assigns_to_an_element(x):
    x[0] = 1.0  # here
    return x


@refused(5, "not supported: `x[0] += 1.0`: values do not change;", V)
def changes_an_element(x):
    x[0] += 1.0  # here
    return x


@refused(
    5,
    "not supported: `p.x = 1.0`: values do not change; use a copy, `p = dataclasses.replace(p, x=…)`",
    Point(1.0, 2.0),
)
def assigns_to_a_field(p):
    p.x = 1.0  # here
    return p


@refused(5, "not supported: `values.append(x)`: values do not change; write `values = values + [value]`", [1.0], 2.0)
def appends(values, x):
    values.append(x)  # here
    return values


@refused(5, "not supported: `print`; return the value and print it outside of the function", 1.0)
def prints(x):
    print(x)  # here
    return x


@refused(5, "the value of `x + 1.0` is not used", 1.0)
def ignores_a_value(x):
    x + 1.0  # here
    return x


@refused(5, "the value of `helper(x)` is not used: functions have no effects", 1.0)
def ignores_a_call(x):
    helper(x)  # here
    return x


def helper(x):
    return x


@refused(5, "the value of `y` is never used", 1.0)
def never_reads(x):
    y = x * 2.0  # here
    return x


@refused(5, "the function `f` is never used", 1.0)
def never_calls(x):
    def f(a):  # here
        return a

    return x


@refused(12, "`y` may be unassigned here: assign it on every path, and before a loop", 1.0)
def assigned_on_one_path(x):
    if x > 0.0:
        y = x
    return y  # here


@refused(12, "`y` may be unassigned here", 3)
def assigned_in_a_loop(n):
    s = 0
    for i in range(n):
        y = i
        s += y
    return y + s  # here


@refused(12, "`i` may be unassigned here: the loop in line ", 3)
def reads_the_index_after_a_loop(n):
    s = 0
    for i in range(n):
        s += i
    return i + s  # here


@refused(9, "`y` is not assigned before", 1.0)
def reads_before_it_assigns(x):
    z = y + x  # here
    y = z
    return y


@refused(12, "`unknown_name` is not assigned before", 1.0)
def unknown(x):
    return unknown_name + x  # here


@refused(5, "`ends_without_return` can end without `return`: every path must return a value", 1.0)
def ends_without_return(x):
    if x > 0.0:  # here
        return x


@refused(5, "`return` without a value", 1.0)
def returns_nothing(x):
    return  # here


@refused(12, "not supported: `None`, a value of type `NoneType`; return a value on every path", 1.0)
def returns_none(x):
    return None  # here


@refused(5, "this statement is never reached", 1.0)
def unreachable(x):
    return x
    return x + 1.0  # here


@refused(5, "this loop has no effect: it changes no variable that is read later", 3)
def empty_loop(n):
    for _ in range(n):  # here
        pass
    return n


@refused(5, "this `if` has no effect: it assigns no variable that is read later", 3)
def empty_branch(n):
    if n > 0:  # here
        pass
    return n


@refused(12, "not supported: a dictionary; use a dataclass or a tuple", 3)
def dictionary(n):
    return {"a": n}  # here


@refused(12, "not supported: `COUNT`, a value of type `dict`; use numbers, arrays, tuples", 3)
def global_dictionary(n):
    return COUNT["a"] + n  # here


@refused(5, "not supported: `raise`; use `assert`", 3)
def raises(n):
    raise ValueError(n)  # here


@refused(5, "not supported: `try`; check the condition by `if`", 3)
def tries(n):
    try:  # here
        return 1 // n
    except ZeroDivisionError:
        return 0


@refused(5, "not supported: `with`; write it outside of the function", 3)
def with_statement(n):
    with open("f"):  # here
        return n


@refused(5, "not supported: `global`; pass the value, and return the new one", 3)
def global_statement(n):
    global COUNT  # here
    COUNT = n
    return COUNT


@refused(5, "not supported: `import` in a function; import at the top of the file", 3)
def imports(n):
    import math  # here

    return math.sqrt(n)


@refused(5, "not supported: `del`; variables end with their function", 3)
def deletes(n):
    del n  # here
    return 1


@refused(12, "not supported: `random.random`; define it in Python, or compute it before", 3)
def random_number(n):
    return random.random() * n  # here


@refused(12, "not supported: a string; programs compute with numbers", 3)
def string(n):
    return f"{n}"  # here


@refused(12, "not supported: `n is 1`; compare values by `==`: objects have no identity", 3)
def identity(n):
    return n is 1  # here


@refused(25, "not supported: `*args`; take a tuple", 3)
def variable_arguments(*args):  # here
    return args[0]


@refused(12, "`helper` takes 1 arguments, found 2", 3)
def too_many(n):
    return helper(n, n)  # here


@refused(21, "`helper` has no parameter `y`", 3)
def unknown_keyword(n):
    return helper(y=n)  # here


@refused(12, "`helper` needs an argument `x`", 3)
def too_few(n):
    return helper() + n  # here


@refused(12, "not supported: `Checked`, which has `__post_init__`; compute fields in a function", 3.0)
def post_init(x):
    return Checked(x).x  # here


@refused(12, "not supported: the field `values` with a computed value; pass it to the constructor", 3.0)
def default_factory(x):
    return Listed().values  # here


@refused(12, "`Point` has no field `z`", 3.0)
def unknown_field(x):
    p = Point(x, x)
    return p.z  # here


@refused(5, "expected 2 values, found 3", 3.0)
def unpacks_wrongly(x):
    a, b = x, x, x  # here
    return a + b


@refused(9, "`i` is assigned again after this function, which would see the new value; pass it as an argument", 3)
def late_binding(n):
    i = n
    f = lambda x: x + i  # here
    i = i + 1
    return f(i)


@refused(9, "not supported: `else` of a loop; use a variable that `break` sets", 3)
def loop_else(n):
    for i in range(n):
        n = n + i
    else:
        n = 0  # here
    return n


@refused(15, "not supported: a computed message of `assert`; use a constant string", 3)
def computed_message(n):
    assert n, n + 1  # here
    return n


@refused(39, "`argnums` must name some of 1 arguments in ascending order, found 3", 3.0)
def wrong_argnums(x):
    return mlopt.grad(helper, argnums=3)(x)  # here


@refused(12, "not supported: a comprehension with two `for`; nest two comprehensions, or use loops", 3)
def two_generators(n):
    return [i * j for i in range(n) for j in range(n)]  # here


@refused(12, "not supported: the method `upper`; use a function, or annotate the variable with its dataclass", 3)
def unknown_method(n):
    return n.upper()  # here


# The compiler refuses these: their types do not agree.


@refused(
    12,
    "type-mismatch: the operands must have elements of one type, found f32 and f64; convert one",
    np.float32(1.0),
    1.5,
)
def two_precisions(x, y):
    return x + y  # here


@refused(12, "type-mismatch: expected an array or a number, found tuple<i64, i64>", (1, 2), 2)
def product_of_a_tuple(t, n):
    return t * n  # here


@refused(12, "index-out-of-bounds: a tuple of 2 values has no value 2", (1, 2))
def beyond_a_tuple(t):
    return t[2]  # here


@refused(5, "shape-mismatch: expected 3 values, found 2", (1, 2))
def unpacks_a_short_tuple(t):
    a, b, c = t  # here
    return a + b + c


@refused(12, "shape-mismatch: the operands must have", V, np.ones(3))
def different_sizes(v, w):
    return v + w  # here


@refused(5, "type-mismatch", 3, 0.5)
def changes_its_type(n, x):
    s = 0
    for i in range(n):  # here
        s = s * x + i
    return s


@refused(9, "assertion: assertion failed", np.array([1.0, -1.0]))
def asserts_in_a_loop(v):
    c = 0
    for x in v:
        assert x > 0.0  # here
        c += 1
    return c


@refused(17, "`a` is assigned again after this function, which would see the new value", 1.0)
def passes_a_function(a):
    g = applied(lambda z: z + a)  # here
    a = 100.0
    return g(2.0) + a


def applied(f):
    return lambda x: f(f(x))


@refused(11, "`i` is assigned again after this function, which would see the new value", 1.0)
def functions_of_a_loop(x):
    fs = [lambda z: z + i for i in range(3)]  # here
    return sum([f(x) for f in fs])


@refused(12, "not supported: `max` along an axis", np.eye(2))
def maximum_along_an_axis(m):
    return np.max(m, 1)  # here


@refused(12, "assertion: not supported: `max` of an array of two or more axes", np.eye(2))
def maximum_of_a_matrix(m):
    return m.max()  # here


@refused(5, "type-mismatch: expected a float, found an integer; write the integer as a float, such as `0.0`", 3)
def integer_becomes_float(n):
    x = 0
    for _ in range(n):  # here
        x = x + 0.5
    return x


@refused(12, "type-mismatch: expected a float, found an integer; write the integer as a float, such as `0.0`", 3)
def integer_or_float(n):
    return 1 if n > 2 else 0.5  # here


@refused(12, "type-mismatch: expected f64, found tensor<2xf64>", np.eye(2))
def sum_of_rows(m):
    return sum(m)  # here


@refused(12, "type-mismatch: bit operations take integers and Booleans, found f64 and i64", 1.0, 2)
def bits_of_floats(x, n):
    return x & n  # here


@refused(12, "type-mismatch: expected an integer or an array of Booleans, found i1", True)
def inverted_boolean(c):
    return ~c  # here


@refused(12, "negative-shift: the count of a shift must not be negative", 1, -1)
def negative_shift(n, k):
    return n << k  # here


@refused(12, "not supported: the axis of this `sum`; use an integer", np.eye(2), 1)
def computed_axis(m, k):
    return m.sum(axis=k)  # here


def counted(f):
    @functools.wraps(f)
    def wrapper(*args):  # here
        return f(*args)

    return wrapper


@refused(18, "not supported: `*args`; take a tuple", 3)
@counted
def decorated(n):
    return n


def positions(n, *, k):
    return n + k


@refused(12, "`positions` takes 1 arguments by position, found 2", 3)
def names_by_position(n):
    return positions(n, n)  # here


@dataclass
class Radius:
    r: float

    def __init__(self, diameter):
        self.r = diameter / 2.0


@refused(12, "not supported: `Radius`, which has `__init__`; compute fields in a function", 3.0)
def own_constructor(x):
    return Radius(x).r  # here


@refused(12, "not supported: `replace` of `Radius`, which has `__init__`; compute fields in a function", Radius(2.0))
def replaces_with_own_constructor(a):
    return dataclasses.replace(a, r=1.0)  # here


@dataclass(init=False)
class Inherits(Point):
    z: float = 1.0


@refused(12, "not supported: `Inherits`, which has `__init__`; compute fields in a function", 3.0)
def inherited_constructor(x):
    return Inherits(x, x).z  # here


@dataclass
class Setter:
    x: float

    def __setattr__(self, name, value):
        object.__setattr__(self, name, 2.0 * value)


@refused(12, "not supported: `Setter`, which has `__setattr__`; compute fields in a function", 3.0)
def own_setter(x):
    return Setter(x).x  # here


@dataclass
class Partial:
    x: float
    y: float = field(default=1.0, init=False)


@refused(12, "not supported: `replace` of the field `y`; the constructor does not take it", Partial(1.0))
def replaces_a_fixed_field(a):
    return dataclasses.replace(a, y=2.0)  # here


@refused(12, "`Partial` takes 1 arguments, found 2", 3.0)
def passes_a_fixed_field(x):
    return Partial(x, x).x  # here


@dataclass
class Square:
    side: float

    @property
    def area(self):
        return self.side**2

    def scaled(self, k):
        return k * self.area


@dataclass
class Disc(Square):
    @property
    def area(self):
        return 3.14 * self.side**2


SHAPES = [Square(1.0)], Disc(2.0)


@refused(12, "not supported: the property `area`, which `Disc` and `Square` have; annotate the variable", *SHAPES)
def property_of_a_value(shapes, disc):
    return shapes[0].area + disc.area  # here


@dataclass
class Held:
    side: float
    scaled: float = 1.0


@refused(12, "not supported: the method `scaled`, which `Square` and `Held` have; annotate", [Square(1.0)], Held(2.0))
def method_or_field_of_a_value(shapes, other):
    return shapes[0].scaled(2.0) + other.side  # here
