"""Programs that are compiled from their source, and arguments for each: Python runs the same functions.

`@program(arguments, …)` states the arguments of one or more calls. `by` are the positions of the arguments with respect
to which the first call is differentiated.
"""

import dataclasses
import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt as root
from typing import Any, ClassVar

import numpy as np

PROGRAMS: list[tuple[Callable[..., Any], tuple[tuple[Any, ...], ...], tuple[int, ...]]] = []


def program(*calls: tuple[Any, ...], by: tuple[int, ...] = ()) -> Callable[[Any], Any]:
    def add(f: Any) -> Any:
        PROGRAMS.append((f, calls, by))
        return f

    return add


RATE = 0.25
SIZES = (3, 4)
WEIGHTS = np.array([0.5, -1.0, 2.0])
TABLE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


# Arithmetic on integers, floats and Booleans.


@program((7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3))
def integer_division(a, b):
    return a // b, a % b, a * b - a + b


@program(
    (7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (1.0, 0.1), (5.0, math.inf), (-5.0, math.inf), (5.0, -math.inf),
    (0.7, 0.1), (6.0, 3.0), (-6.0, 3.0), (6.0, -3.0), (0.0, 2.0), (-0.0, 2.0), (1e300, 3e-5), (1e-300, -7.0),
    (2.0**53, 3.0),
)  # fmt: skip
def float_division(x, y):
    return x // y, x % y, x / y


@program((7.3, 2.2), (-7.3, 2.2), (7.3, -2.2), (-7.3, -2.2), (0.3, 2.0), by=(0, 1))
def remainders(x, y):
    return 3.0 * (x % y) + y * (x // y)


@program((-7.3, 2.2), by=(0, 1))
def remainders_below_zero(x, y):
    return (x % y) * (y % x)


@program((np.array([7.5, -1.0, 0.3]), 0.16), by=(0, 1))
def remainders_of_arrays(v, y):
    return np.sum(v % y) + np.sum(v // y)


@program((7.8,), (-7.75,), (-1e-20,), (1e300,), (-1.0,), (3.0,), by=(0,))
def divided_by_powers(x):
    return x % 1.0 + x % 2 + x % 0.25 + x // 1.0 - x // 4 + x % -0.5


@program((7, 2.5), (-7, 2.5), (True, 0.4))
def division_of_kinds(n, y):
    return n // y, n % y, divmod(n, y)[1]


@program((7, 2), (-9, 4))
def true_division(a, b):
    return a / b


@program((3, 0.5), (-2, 1.25), by=(1,))
def mixed(n, x):
    return n * x + n / 2 - x**2


@program((2.0,), (-1.5,), by=(0,))
def powers(x):
    return x**2 + x**3 - x**5 + x**1 - x**-2


@program((3, 4), (-2, 3), (5, 0))
def integer_power(a, b):
    return a**b


@program((2.5, 3), (-1.5, 2), by=(0,))
def float_to_integer_power(x, n):
    return x**n


@program((2.5, 1.5), by=(0, 1))
def float_power(x, y):
    return x**y


@program((3, 5), (5, 5), (6, 5))
def comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a >= b, a > b


@program((1.0, 2.0, 3.0), (1.0, 0.0, 3.0), (1.0, 5.0, 3.0))
def chain(a, b, c):
    return a < b <= c


@program((1, 2.0), (3, 3.0))
def compares_kinds(n, x):
    return n == x, n < x


@program(
    (2**53 + 1, 2.0**53), (2**53, 2.0**53), (2**63 - 1, 2.0**63), (-(2**63), -(2.0**63)), (2**62 + 1, 2.0**62),
    (-(2**62) - 1, -(2.0**62)), (3, math.nan), (3, math.inf), (3, -math.inf), (3, 3.5), (-3, -3.5),
)  # fmt: skip
def compares_exactly(n, x):
    below = n < x, n <= x, n == x, n != x, n >= x, n > x
    return below, (x < n, x <= n, x == n, x != n, x >= n, x > n)


@program((np.array([2**53 + 1, 4]), 2.0**53))
def compares_arrays_as_floats(v, x):
    return v == x, v > x, v < x


@program((True, False), (True, True), (False, False))
def booleans(a, b):
    return a and b, a or b, not a, a == b, a != b


@program((True, 2), (False, 3))
def boolean_counts(c, n):
    return c + n, c * n, n - c


@program((0, 5), (3, 5))
def or_returns_a_value(a, b):
    return a or b


@program((0.0, 5.0), (3.0, 5.0), by=(1,))
def and_returns_a_value(a, b):
    return a and b


@program((0,), (4,))
def truth_of_numbers(n):
    return 1 if n else 0


@program((0.0, 1.0), (2.0, 1.0))
def short_circuit(x, y):
    return x != 0.0 and y / x > 0.4


@program((3,), (-3,))
def unary(n):
    return -n, +n, abs(n), not n


@program((True,), (False,))
def signs_of_booleans(c):
    return -True, +True, -(c == True), -(not c)  # noqa: E712


@program((12, 10), (-12, 7), (0, -1))
def bits(a, b):
    return a & b, a | b, a ^ b, ~a, a << 3, a >> 1, (a ^ b) & 0xFF


@program((5, 0), (5, 3), (-5, 2), (-5, 70), (5, 63))
def shifts(a, n):
    return a >> n, 1 << min(n, 5)


@program((True, False), (True, True), (False, False))
def bits_of_booleans(a, b):
    return a & b, a | b, a ^ b, (a | b) & 6


@program((np.array([1.0, -2.0, 3.0]), np.array([6, 3, 5])))
def masks(v, n):
    inside = (v > 0.0) & (v < 2.5)
    return inside, (v < 0.0) | ~inside, n & 3, n | 8, n ^ n, ~n, n << 2, n >> 1, np.logical_not(inside), np.sum(inside)


@program((np.array([1.0, 0.0]),), (np.array([0.0, 0.0]),), (np.array([1.0, -2.0]),))
def any_and_all(v):
    return np.any(v > 0.0), np.all(v != 0.0), (v < 0.0).any(), v.all(), np.any(np.outer(v, v) < 0.0)


@program((11,), (255,))
def counts_bits(n):
    count = 0
    while n > 0:
        count += n & 1
        n >>= 1
    return count


@program((2.7,), (-2.7,), (4.0,))
def conversions(x):
    return int(x), float(int(x)), bool(x), math.floor(x), math.ceil(x)


@program((17, 5), (-17, 5))
def quotient_and_remainder(a, b):
    q, r = divmod(a, b)
    return q * b + r, q, r


@program((9, 4, 7), (1, 2, 3))
def largest_and_least(a, b, c):
    return max(a, b, c) - min(a, b, c)


@program((0.3, -0.7), by=(0, 1))
def maximum_of_floats(x, y):
    return max(x, y) * 3.0 + min(x, y)


# Functions of `math`.


@program((0.4,), by=(0,))
def elementary(x):
    return math.sin(x) * math.cos(x) + math.exp(-x) + math.log(x) + math.tanh(x) + root(x)


@program((0.4,), by=(0,))
def inverse(x):
    return math.asin(x) + math.acos(x) + math.atan(x) + math.sinh(x) + math.cosh(x) + math.tan(x)


@program((3.0, 4.0), by=(0, 1))
def norm(x, y):
    return math.hypot(x, y) + math.pow(x, 2.0) + math.fabs(-y)


@program((-3.0, 1e200), (1e-200, 1e-200), (0.0, 0.0), (math.inf, math.nan), (math.nan, -math.inf))
def norm_of_extremes(x, y):
    return math.hypot(x, y)


@program((5,))
def math_of_an_integer(n):
    return math.sqrt(n) + math.sin(n)


@program((2.0,), by=(0,))
def constants(x):
    return math.pi * x + math.e + RATE


@program((0.5,), by=(0,))
def small_steps(x):
    return math.log1p(x) + math.expm1(x) + math.erf(x)


# Branches.


@program((3.0,), (-3.0,), by=(0,))
def magnitude(x):
    if x < 0.0:
        x = -x
    return x


@program((-1.0,), (0.5,), (2.0,), by=(0,))
def three_ways(x):
    if x < 0.0:
        y = -x
    elif x < 1.0:
        y = x * x
    else:
        y = 2.0 * x - 1.0
    return y


@program((1.0,), (-1.0,), by=(0,))
def early_return(x):
    if x > 0.0:
        return x * 2.0
    y = x - 1.0
    return y * y


@program((1.0, 2.0), (-1.0, 2.0), (-1.0, -2.0), by=(0, 1))
def nested_returns(x, y):
    if x > 0.0:
        if y > 0.0:
            return x * y
        x = x + 1.0
    else:
        if y < 0.0:
            return x / y
    return x - y


@program((2, 3), (3, 2))
def swap(a, b):
    if a > b:
        a, b = b, a
    return a, b


@program((0.7,), (-0.7,), by=(0,))
def conditional_expression(x):
    return x * x if x > 0.0 else -x


@program((5,), (0,), (-5,))
def sign(n):
    return 1 if n > 0 else 0 if n == 0 else -1


@program((2,), (3,), (9,))
def member(n):
    return n in (2, 3, 5), n not in [2, 3, 5]


@program((1.0, True), (1.0, False), by=(0,))
def two_paths_join(x, c):
    y = 0.0
    if c:
        y = x * 3.0
        x = y + 1.0
    z = x + y
    return z * z


# Loops.


@program((10,), (0,))
def sum_of_range(n):
    s = 0
    for i in range(n):
        s += i
    return s


@program((2, 20, 3), (20, 2, -4), (5, 5, 1))
def range_of_three(a, b, c):
    s, count = 0, 0
    for i in range(a, b, c):
        s = s * 2 + i
        count += 1
    return s, count


@program((1.1, 6), by=(0,))
def product_in_a_loop(x, n):
    p = 1.0
    for _ in range(n):
        p *= x
    return p


@program((27,), (1,))
def collatz(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@program((2.0,), (9.0,), by=(0,))
def newton(a):
    x = a
    while abs(x * x - a) > 1e-13:
        x = 0.5 * (x + a / x)
    return x


@program((100, 3), (10, 20))
def breaks(n, k):
    s = 0
    for i in range(n):
        if i == k:
            break
        s += i
    return s


@program((12,))
def continues(n):
    s = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        s += i
    return s


@program((1000.0,), by=(0,))
def while_with_break(x):
    count = 0
    while True:
        if x < 1.0:
            break
        x = x / 2.0
        count += 1
    return x * count


@program((50, 7), (5, 7))
def returns_from_a_loop(n, k):
    for i in range(n):
        if i * i > k:
            return i
    return -1


@program((91,), (97,))
def least_divisor(n):
    d = 2
    while True:
        if n % d == 0:
            return d
        d += 1


@program((0.5, 4), by=(0,))
def returns_from_a_loop_of_floats(x, n):
    y = x
    for i in range(n):
        y = y * y + x
        if y > 2.0:
            return y + i
    return y


@program((4, 5))
def nested_loops(n, m):
    s = 0
    for i in range(n):
        for j in range(i, m):
            s += i * j
    return s


@program((6, 5))
def breaks_out_of_the_inner_loop(n, m):
    s = 0
    for i in range(n):
        for j in range(m):
            if j > i:
                break
            if (i + j) % 2:
                continue
            s += 10 * i + j
    return s


@program((1, 2), (5, 2), (-3, 1), (-100, 3))
def returns_from_nested_loops(a, b):
    for i in range(6):
        w = 0
        while w < 5 and a <= i:
            w += 1
            a = a + b
            if a < b:
                return -1
        b = a + i
    return a + b


@program((3,), (20,))
def breaks_after_a_display(n):
    s = 0
    for i in range(n):
        for c in (1, 2, 3):
            if (i + c) % 2:
                continue
            s += i * c
        if s > 40:
            break
        s += 1
    return s


@program((30,))
def prime_count(n):
    count = 0
    for i in range(2, n):
        is_prime = True
        d = 2
        while d * d <= i:
            if i % d == 0:
                is_prime = False
                break
            d += 1
        if is_prime:
            count += 1
    return count


@program((2.0,), by=(0,))
def loop_over_a_display(x):
    s = 0.0
    for c in (1.0, 2.0, 3.5):
        s = s * x + c
    return s


@program((1.5,))
def loop_over_pairs(x):
    s = 0.0
    for a, (b, n) in ((1.0, (2.0, 3)), (x, (0.5, 2))):
        s += a * b**n
    return s


@program((np.array([1.0, 2.0, 4.0]),), by=(0,))
def loop_over_an_array(v):
    s = 0.0
    for x in v:
        s = s * 0.5 + x * x
    return s


@program(([1.5, 2.5, 3.5],), ([1.0],))
def loop_over_a_list(values):
    s = 0.0
    for x in values:
        s += x * x
    return s


@program(((1.0, 2, 3.0),))
def loop_over_a_tuple(values):
    s = 0.0
    for x in values:
        s += x * 2
    return s


@program((np.array([1.0, 2.0, 4.0]),), by=(0,))
def enumerated(v):
    s = 0.0
    for i, x in enumerate(v, start=1):
        s += i * x
    return s


@program((np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.25, 2.0])), by=(0, 1))
def zipped(v, w):
    s = 0.0
    for a, b in zip(v, w):
        s += a * b * b
    return s


@program(([3, 1, 2, 9, 4],))
def first_large(values):
    for k, x in enumerate(values):
        if x > 4:
            return k
    return -1


@program((20,))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program((48, 36), (17, 5))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


# Functions.


@program((10,), (0,))
def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


@program((1.3, 5), by=(0,))
def power_by_recursion(x, n):
    if n == 0:
        return 1.0
    half = power_by_recursion(x, n // 2)
    if n % 2 == 0:
        return half * half
    return x * half * half


@program((2, 3))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@program((11,), (8,))
def mutual_recursion(n):
    return is_even(n), is_odd(n)


@program((9,), (4,))
def local_mutual_recursion(n):
    def even(k):
        return k == 0 or odd(k - 1)

    def odd(k):
        return k != 0 and even(k - 1)

    return even(n)


def scaled(x, factor=2.0, *, shift=0.0):
    return x * factor + shift


@program((3.0,), by=(0,))
def keywords_and_defaults(x):
    return scaled(x) + scaled(x, 3.0) + scaled(factor=4.0, x=x, shift=1.0) + scaled(x, shift=RATE)


@program((0.5,), by=(0,))
def closure(x):
    def outer(a):
        def inner(b):
            return a * math.sin(b)

        return inner

    return outer(x)(x) + outer(2.0)(x)


@program((0.5, 3), by=(0,))
def closure_in_a_loop(x, n):
    def outer(a):
        return lambda b: a * b + x

    s = x
    for i in range(n):
        s = outer(s)(x + i)
    return s


@program((2.0,), by=(0,))
def functions_as_values(x):
    def twice(f):
        return lambda a: f(f(a))

    def square(a):
        return a * a

    return twice(square)(x) + twice(lambda a: a + 1.0)(x)


@program((0.7,), by=(0,))
def known_functions_as_values(x):
    def apply(f, a):
        return f(a)

    return apply(math.sin, x) + apply(np.exp, x) + apply(scaled_by_three, x)


def scaled_by_three(x):
    return 3.0 * x


@program((3.0, 2), by=(0,))
def defaults_of_a_local_function(x, n):
    def f(a, b=x * 2.0, k=n):
        return a * b**k

    return f(x) + f(1.0, k=3)


@program((5,))
def local_recursion(n):
    def go(k, s):
        if k == 0:
            return s
        return go(k - 1, s + k)

    return go(n, 0)


@program((2.0,), by=(0,))
def a_pair_of_functions(x):
    pair = (lambda a: a * a, lambda a: a + 3.0)
    f, g = pair
    return f(g(x)) - g(f(x))


def make_adder(amount):
    def add(x):
        return x + amount

    return add


add_half = make_adder(0.5)


@program((2.0,), by=(0,))
def global_closure(x):
    return add_half(x) * make_adder(x)(1.0)


square = lambda x: x * x  # noqa: E731


@program((3.0,), by=(0,))
def global_lambda(x):
    return square(x) + square(x + 1.0)


# Tuples and lists.


@program((1.0, 2.0, 3), by=(0, 1))
def tuples(x, y, n):
    pair = (x, (y, n))
    a, (b, c) = pair
    return a * b + c + pair[0] - pair[1][0] + pair[-1][-1]


@program(((1.0, 2.0), (3, 4)))
def tuple_arguments(p, q):
    x, y = p
    return (x * q[0], y * q[1]), p + q


@program((5, 6))
def starred_display(a, b):
    first, *rest = [a, b, a + b]
    *start, last = (a, b, 7)
    return first, rest, start, last


@program(([4, 5, 6],), ([1],))
def starred_list(values):
    first, *rest = values
    return first, len(rest), rest + [first]


@program(([1.0, 2.0, 3.0],))
def list_functions(values):
    return sum(values), max(values), min(values), len(values), values[0], values[-1]


@program((4,))
def list_of_squares(n):
    return [i * i for i in range(n)]


@program((10,))
def filtered(n):
    return [i for i in range(n) if i % 3 == 1]


@program(([1.0, -2.0, 3.0],))
def mapped(values):
    return [x * x for x in values if x > 0.0], [-x for x in values]


@program(([1, 2, 3], [4, 5, 6]))
def comprehension_over_zip(a, b):
    return [x * y for x, y in zip(a, b)], sum([i * x for i, x in enumerate(a)])


@program(([3, 0, 2],), ([3, 1, 2],))
def all_and_any(values):
    return all([x > 0 for x in values]), any([x == 2 for x in values])


@program(([1, 2, 3, 4],))
def recursion_over_a_list(values):
    def total(rest):
        if not rest:
            return 0
        first, *others = rest
        return first + total(others)

    return total(values)


@program((5,))
def grows_a_list(n):
    values = [1]
    for i in range(n):
        values = [values[0] * (i + 1)] + values
    return values


@program(([1.0, 2.0],), by=())
def reduce_with_a_start(values):
    return functools.reduce(operator.add, values, 10.0)


# Dataclasses.


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0

    def norm(self):
        return math.sqrt(self.x * self.x + self.y * self.y)

    def moved(self, dx, dy=0.0):
        return Point(self.x + dx, self.y + dy)

    @property
    def total(self):
        return self.x + self.y


@dataclass
class Segment:
    start: Point
    end: Point

    def length(self):
        return Point(self.end.x - self.start.x, self.end.y - self.start.y).norm()


@program((3.0, 4.0), by=(0, 1))
def record(x, y):
    p = Point(x, y=y)
    return p.norm() + p.x * p.y + p.total


@program((Point(1.0, 2.0), 3.0), by=(1,))
def record_argument(p, dx):
    return p.moved(dx).moved(dx=1.0, dy=2.0).norm()


@program((Point(1.0, 2.0),))
def record_result(p):
    q = dataclasses.replace(p, x=p.y)
    return q, Segment(p, q)


@program((Segment(Point(0.0, 0.0), Point(3.0, 4.0)),))
def nested_records(s):
    return s.length() * 2.0, s.end.x


ORIGIN = Point(1.0, 1.0)


@program((2.0,), by=(0,))
def global_record(x):
    return ORIGIN.moved(x).norm()


@program((4,))
def record_in_a_loop(n):
    p = Point(0.0, 1.0)
    for i in range(n):
        p = p.moved(p.y, i * 0.5)
    return p


@program((Point(1.0, 2.0), Point(0.5, -1.0)))
def annotated(p: Point, q: Point) -> float:
    return p.x * q.x + p.y * q.y


# Arrays.


VECTOR = np.array([0.5, -1.0, 2.0])
MATRIX = np.array([[1.0, 0.5, -1.0], [2.0, -0.25, 3.0]])


@program((VECTOR,), (np.array([1.0]),), by=(0,))
def elementwise(v):
    return np.sum(np.sin(v) * np.exp(-v) + 2 * v - 1.0)


@program((MATRIX, VECTOR), by=(0, 1))
def product(m, v):
    return (m @ v).sum() + np.dot(v, v)


@program((MATRIX, VECTOR))
def broadcast(m, v):
    return m + v, m * 2, 1.0 - v, v / 2


@program((MATRIX,))
def axes(m):
    return m.sum(axis=0), np.sum(m, axis=1), m.mean(), np.mean(m, axis=0), m.T


@program((MATRIX,))
def shapes(m):
    n, k = m.shape
    return n * k, m.size, m.ndim, len(m), m.shape[1]


@program((VECTOR, 1), by=(0,))
def elements(v, i):
    return v[i] * v[0] + v[-1]


@program((MATRIX, 1, 2))
def elements_of_a_matrix(m, i, j):
    return m[i, j], m[i][j], m[i], m[:, j], m[0, :]


@program((VECTOR,))
def where(v):
    return np.where(v > 0.0, v, 0.0), np.maximum(v, 0.25), np.minimum(v, 1), np.abs(v), np.clip(v, -0.5, 1.0)


@program((VECTOR,))
def slices(v):
    return v[1:], v[:2], v[1:2], v[-2:]


@program((4,))
def new_arrays(n):
    return np.zeros(3), np.ones((2, 3)), np.full(2, 7.0), np.arange(n), np.zeros(n) + 1.0


@program((3,))
def progressions(n):
    return np.arange(1, 10, 3), np.arange(2, n + 2), np.eye(3)


@program((2.0, 3), by=(0,))
def array_of_a_display(x, n):
    v = np.array([x, x * x, 1.0])
    return np.sum(v * n)


@program((5, 0.5), by=(1,))
def array_of_a_comprehension(n, x):
    return np.sum(np.array([x * i for i in range(n)]))


@program((VECTOR,), by=(0,))
def global_arrays(v):
    return np.sum(WEIGHTS * v) + np.sum(TABLE @ v)


@program((VECTOR,))
def masks(v):
    return np.sum(v > 0.0), np.where(v > 0.0, 1, 0), v == v


@program((np.array([3, 1, 2]), 2))
def integer_arrays(v, n):
    return v + n, v * v, v // n, v % n, np.sum(v), v / 2


@program((np.array([1.0, 2.0], "f4"), 3))
def single_precision(v, n):
    return v * 2.0 + n, v.sum()


@program((MATRIX, VECTOR, 0.5), by=(0, 1, 2))
def layer(w, x, b):
    return np.sum(np.tanh(w @ x + b) ** 2)


@program((VECTOR, 5), by=(0,))
def power_iteration(v, n):
    for _ in range(n):
        v = TABLE.T @ (TABLE @ v)
        v = v / np.sqrt(np.sum(v * v))
    return v[0]


@program((VECTOR,))
def statistics(v):
    mean = np.mean(v)
    variance = np.mean((v - mean) ** 2)
    return mean, variance, np.max(v), np.min(v), v.max()


@program(([0.5, 1.5], 0.1))
def checked(values, x):
    assert len(values) == 2, "two values"
    assert x > 0.0
    return values[0] * x + values[1]


# Sizes that the program computes, beside sizes that the types of arguments determine.


@program((1.5, np.array([1.0, 2.0])), by=(0, 1))
def displays_beside_arguments(x, v):
    d = np.array([x, x * x])
    return np.sum(d * v) + d @ v + np.sum((d + np.array([1.0, 2.0])) * np.ones(len(v)))


@program((np.array([1.0, 2.0, 4.0]),), (np.array([1.0, 2.0, 4.0, 7.0, 9.0]),))
def slices_beside_slices(v):
    return v[1:] - v[:-1], v[1:] @ v[:-1], np.zeros(len(v)) + v, np.zeros(v.shape[0]) * v


@program((np.arange(5.0), np.ones(4)), by=(0, 1))
def slices_beside_arguments(v, w):
    return v[1:] @ w + np.sum(v[:-1] * w)


@program((np.array([1.0, 2.0, 4.0]),), by=(0,))
def comprehensions_beside_arguments(v):
    return np.sum(np.array([x * x for x in v]) * v * WEIGHTS)


@program((3, np.array([1.0, 2.0, 4.0])), by=(1,))
def computed_beside_arguments(n, v):
    return np.sum(np.maximum(np.ones(n) * 1.5, v) + np.where(v > 1.5, np.ones(n), v))


@program((1.5, True), (1.5, False))
def branches_of_sizes(x, c):
    return np.array([x, 2.0]) if c else np.zeros(3)[1:]


@program((1.5, 3), (1.5, 0), by=(0,))
def states_of_known_sizes(x, n):
    s = np.array([x, 0.0])
    for _ in range(n):
        s = s + 0.1 * (np.array([[0.0, 1.0], [-1.0, 0.0]]) @ s)
    return s[0]


@program((np.array([1.0, 2.0, 4.0]),), by=(0,))
def states_of_computed_sizes(v):
    s = np.zeros(len(v))
    for k in range(3):
        s = s + v * k
    return np.sum(s)


@program((0.5, np.array([1.0, 2.0])), by=(0, 1))
def rotation(t, v):
    return np.sum(np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]]) @ v)


@program((1,), (3,))
def identities(n):
    return np.eye(n), np.array([np.zeros(n) + i for i in range(n)])


# The range of a loop, and the values that `enumerate` counts from, are evaluated once.


@program((2, 5), (0, 0))
def range_of_variables_that_change(a, n):
    s = 0
    for i in range(a, n):
        s += i
        a += 10
        n += 1
    return s, a, n


@program((5,))
def steps_that_change(n):
    k, s = n, 0
    for i in range(k, 0, -1):
        k = k + 1
        s = 3 * s + i + k
    return s, k


@program((VECTOR, 2))
def enumerate_from_a_variable(v, s):
    t = 0.0
    for k, x in enumerate(v, s * 2):
        s = s + 1
        t += k * x
    return t, s


@dataclass(frozen=True)
class Shape:
    size: float

    def area(self):
        return self.size

    def shown(self):
        return self.area() + 0.5


@dataclass(frozen=True)
class Square(Shape):
    def area(self):
        return self.size * self.size


@dataclass(frozen=True)
class Circle(Shape):
    def area(self):
        return 3.0 * self.size * self.size


@program((2.0,), by=(0,))
def inherited_methods(x):
    return Square(x).shown() * 100.0 + Circle(x).shown()


def area_of(shape):
    return shape.area()


@program((Square(2.0), Circle(3.0)), (Circle(2.0), Square(3.0)), (Square(2.0), Square(3.0)))
def classes_of_arguments(a, b):
    return a.area() * 100.0 + b.area(), area_of(a) - area_of(b)


def area_of_shape(shape: Shape):
    return shape.area()


@program((Circle(2.0),), (Square(2.0),))
def subclasses_of_annotations(s: Shape):
    return area_of_shape(s) + s.area()


@program((3,))
def long_display(n):
    s = 0
    for c in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20):
        if c % 3 == 0:
            continue
        s += c * n
    return s


@program((0.5, 1.5, 1), (0.5, 1.5, 2), (0.0, 1.0, 5))
def spaced(a, b, n):
    return np.linspace(a, b, n)


@program((np.array([1.0, np.nan, 3.0]),))
def extremes_of_nan(v):
    return np.isnan(np.max(v)), np.isnan(np.min(v))


# Iteration over what only iterates, and membership.


@program((5,), (0,))
def ranges_as_values(n):
    return sum(range(n)), list(range(n)), sum(range(1, n, 2)), list(range(n, 0, -2)), len(range(2, n + 5))


@program(([1.0, 2.0], [3.0, 5.0, 7.0]))
def zips_as_values(a, b):
    return list(zip(a, b)), list(enumerate(a, 1)), [x * y for x, y in zip(a, reversed(b))]


@program(([1.0, 2.0], [3.0, 5.0]))
def enumerates_a_zip(a, b):
    total = 0.0
    for k, (x, y) in enumerate(zip(a, b)):
        total += k * x * y
    for (j, x), y in zip(enumerate(a, 1), b):
        total += j * x - y
    return total


@program((4,))
def counts_down(n):
    s = 0
    for k in reversed(range(n)):
        s = 10 * s + k
    return s, max(range(n)), min(k * k for k in range(1, n))


@program((3,), (7,), (-1,), (5,), (0,))
def in_a_range(n):
    return n in range(5), n not in range(1, 7, 2), n in range(6, -1, -3), n in range(0)


@program((2.0,), (2.5,), (-1.0,))
def float_in_a_range(x):
    return x in range(5), x in range(-5, 5, 2)


@program((3,), (7,))
def membership_of_iterators(n):
    return n in list(range(5)), n in reversed(range(4)), n in [k + 4 for k in range(5)]


@program((3, 1.5), (0, 1.5), (-1, 1.5))
def repeated_values(n, x):
    return [x] * n + n * [0.0] + [1.0] * 2, [(n, x)] * 2


# Loops whose condition is constant.


@program((1000.0,), (3.0,), by=(0,))
def endless_loop(x):
    while True:
        x = x / 2.0
        if x < 1.0:
            return x


@program((1000.0,), (3.0,))
def endless_loop_by_number(x):
    k = 0
    while 1:
        x = x / 2.0
        k += 1
        if x < 1.0:
            return x, k


@program((10,))
def endless_loop_with_break(n):
    while 1:
        n -= 3
        if n < 0:
            break
    return n


# Arrays from numbers, and their types.


@program((3, 2.5), (0, -1.0), by=(1,))
def mixed_displays(n, x):
    return np.sum(np.array([1, 2.5]) * x) + np.sum(np.array([0, x]))


@program((3, 2.5))
def mixed_displays_as_values(n, x):
    return np.array([1, 2.5]), np.array([0, x]), np.array([[1, n], [x, 2]]), np.array([n, 1]), np.array([True, 2])


@program((np.array([7.5, -7.5, 2.0]),), by=(0,))
def constant_displays(v):
    m = np.array([[1, -2.5, 3], [0.5, 1e3, -1]])
    return np.sum(v * np.array([1.5, 2, -1.0])) + np.sum(m @ v) + np.array([1, 2, 3])[1]


@program((0.0, 1.0, 0.1), (0.1, 1.2, 0.1), (1.0, 1.3, 0.1), (1.1, 0.0, -0.1), (2.0, 1.0, 0.5))
def float_ranges(a, b, d):
    return np.arange(a, b, d)


@program((2.5, 3), (0.0, 0))
def float_ranges_of_one(x, n):
    return np.arange(x), np.arange(n), np.arange(0, x), np.arange(1, n + 4), np.arange(n, 0, -2), np.arange(5.0)


@program((np.array([0.5, 1.5, -2.0], np.float32), 0.1))
def single_precision(v, x):
    return v * x, v + 1, x - v, v / 2, v**2, np.maximum(v, x), v > x


@program((np.array([3, 4]),), (np.array([1.0, 2.0]),))
def norm_of_integers(v):
    return np.linalg.norm(v)


@program((np.arange(6.0).reshape(2, 3),), by=(0,))
def sums_from_the_end(m):
    return np.sum(m.sum(axis=-1) * m.sum(-1)) + np.sum(np.mean(m, axis=-2)) + m.sum(axis=None)


# Operators and methods of dataclasses.


@dataclass(frozen=True)
class Complex:
    re: float
    im: float = 0.0

    def __add__(self, other):
        return Complex(self.re + other.re, self.im + other.im)

    def __mul__(self, other: "Complex") -> "Complex":
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def __rmul__(self, scale):
        return Complex(scale * self.re, scale * self.im)

    def __neg__(self):
        return Complex(-self.re, -self.im)

    def __sub__(self, other):
        return self + -other

    def __abs__(self):
        return root(self.re * self.re + self.im * self.im)

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __getitem__(self, k):
        return self.im if k == 1 else self.re

    def __call__(self, x):
        return self.re + self.im * x

    @staticmethod
    def of(angle):
        return Complex(math.cos(angle), math.sin(angle))

    @property
    def conjugate(self):
        return Complex(self.re, -self.im)


@program((0.5, 1.5), by=(0, 1))
def operators_of_classes(x, y):
    a, b = Complex(x, y), Complex(y, 2.0)
    c = 2.0 * (a * b + a) - b
    c += a
    return abs(c.conjugate) + c[1] * c[0] + (a + b)(3.0) + Complex.of(x).im


@program((Complex(1.0, 2.0), Complex(0.5, -1.0)))
def operators_of_arguments(a, b):
    return a + b, a * b, -a, a - b, 3.0 * a, a < b, a > b, abs(a)


@dataclass(frozen=True)
class Sized:
    size: float
    shape: float
    T: float

    def sum(self):
        return self.size + self.shape + self.T


@program((Sized(2.0, 3.0, 5.0), np.array([[1.0, 2.0, 3.0]])))
def names_of_arrays_as_fields(s, m):
    n = np.outer(m[0], m[0])
    return s.size * m.size, s.shape + m.shape[1], s.T * m.T, s.sum() + m.sum(), n.T, n.sum()


# Functions with one code, and functions that decorators return.


def scaled_by(factor):
    def f(x, k=factor, *, shift=factor):
        return x * k + shift

    return f


DOUBLED, TRIPLED = scaled_by(2.0), scaled_by(3.0)
HALVES = [lambda x, k=k: x * k for k in (0.5, 0.25)]
HALF, QUARTER = HALVES


@program((1.5,), by=(0,))
def functions_with_one_code(x):
    return DOUBLED(x) + 10.0 * TRIPLED(x) + 100.0 * HALF(x) + 1000.0 * QUARTER(x) + TRIPLED(x, shift=x)


@dataclass
class Near:
    x: float

    def distance(self):
        return self.x


@dataclass
class Far:
    x: float

    def distance(self):
        return 100.0 * self.x


def maker(cls):
    def make(x):
        return cls(x)

    return make


NEAR, FAR = maker(Near), maker(Far)


@program((1.5,), by=(0,))
def results_of_functions_with_one_code(x):
    return NEAR(x).distance() + FAR(x).distance()


def doubled(f):
    @functools.wraps(f)
    def wrapper(y, scale=2.0):
        return scale * f(Near(y))

    return wrapper


@doubled
def distance(y: Far):
    return y.distance() + 1.0


@program((1.5,), by=(0,))
def calls_what_a_decorator_returns(x):
    return distance(x) + distance(x, scale=3.0)


@program((1.5,), (1.5, 4.0), by=(0,))
@doubled
def decorated_twice(y):
    return y.x * y.x


# `continue` in loops over displays.


@program((3.5,), (30.0,), (0.0,), by=(0,))
def continues_in_nested_displays(x):
    s, last = 0.0, x
    for a in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0):
        for b in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0):
            last = a
            if x > a * b:
                continue
            s += a * b * x
            if s > 100.0:
                continue
            if s > 50.0:
                s -= b
                continue
            s += 1.0
    return s + last


@program((3.5,), (0.3,), (30.0,), by=(0,))
def continues_and_returns_in_a_display(x):
    s, t, last = 0.0, 0.0, x
    for a in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
        t = a * x
        if x > a:
            continue
        s += a
        if s > 10.0:
            continue
        s += a * t
        if s > 20.0:
            return s + t
        last = a
    return s + t + last


@program((2, 0.5), (0, 0.5), by=(1,))
def continues_over_values_of_many_types(n, x):
    s = 0.0
    for a in (n, x, 2, 1.5, n, x, 3.0):
        if a > 1.75:
            continue
        s += a * x
    return s


# What dataclasses define.


@dataclass(frozen=True)
class Counter:
    value: float

    def __add__(self, step):
        return Counter(self.value + step)

    def __iadd__(self, step):
        return Counter(self.value + 10.0 * step)


@program((1.5,), by=(0,))
def operators_in_place(x):
    a = Counter(x)
    a += 2.0
    a = a + x
    for _ in range(3):
        a += x
    return a.value


@dataclass(frozen=True)
class Options:
    scale: float = field(kw_only=True)
    x: float
    fixed: float = field(default=3.0, init=False)
    last: float = 4.0
    values: list = field(default_factory=list)
    RATE: ClassVar[float] = 7.0


@program((1.5,))
def constructors_of_fields(x):
    a = Options(x, 5.0, [x], scale=2.0)
    return a, a.scale + 10.0 * a.x + 100.0 * a.last + a.fixed, dataclasses.replace(a, scale=x)


@program((Options(1.0, scale=2.0, values=[1.0]), True), (Options(1.0, scale=2.0, values=[1.0]), False))
def class_variables(a: Options, c):
    return a if c else Options(a.RATE, scale=Options.RATE, values=[0.5])


@dataclass
class Metre:
    x: float

    def __add__(self, other):
        return 1.0 * self.x

    def __lt__(self, other):
        return self.x < other.x

    def __gt__(self, other):
        return self.x > other.x + 10.0


@dataclass
class Foot(Metre):
    def __radd__(self, other):
        return 0.3048 * self.x


@program((2.0,))
def operators_of_derived_classes(x):
    return Metre(x) + Foot(x), Foot(x) + Metre(x), Metre(x) < Foot(x + 1.0), Foot(x) < Metre(x + 1.0)


# Names of Python and NumPy.


@program((np.array([2, -4, 0, 1]),), (np.array([2.5, -4.5, 0.0, np.inf, -np.inf, -0.25]),), (3,), (-2.5,), (7.0,))
def whole_numbers(v):
    return np.sign(v), np.floor(v), np.ceil(v)


@program((np.array([2.5, -4.25, 0.5]),), by=(0,))
def derivatives_of_whole_numbers(v):
    return np.sum((v - np.floor(v)) * np.ceil(v) + np.sign(v) * v)


@program((np.array([1, 2, -1]), 1, 0), (np.array([1.5, np.inf, -1.0]), 2.0, -3.0), (np.array([1.5, -4.0]), -3.0, 1.0))
def clipped(v, a, b):
    return np.clip(v, a, b)


@program(([1.0, 3.0, 2.0],), by=(0,))
def folds_of_known_functions(xs):
    biggest = functools.reduce(max, xs, 0.0)
    return biggest + functools.reduce(min, xs, 9.0) + sum(map(abs, xs)) + sum(filter(abs, xs))


@dataclass
class Shape:
    side: float

    @property
    def area(self):
        return self.side**2

    def scaled(self, k):
        return k * self.side


@dataclass
class Cube(Shape):
    height: float = 1.0


@program(([Shape(1.0)], Cube(2.0)), ([Shape(3.0), Shape(0.5)], Cube(2.0)))
def inherited_members_of_values(shapes, cube):
    return shapes[0].area + shapes[0].scaled(2.0) + cube.area + cube.scaled(3.0)


@program((Foot(1.0), (1.0,)), ((1.0,), Foot(1.0)))
def positions_of_objects(p, q):
    return p + q
