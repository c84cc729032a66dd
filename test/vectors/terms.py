"""Writes terms.json: every term and primitive of the notation, with values and derivatives from closed forms.

The other file of vectors, arrays_vectors.json, holds programs; this one holds what they leave out: each primitive with the
conventions at its kinks, sizes zero and one, kinds other than f64, indices out of range, tuples everywhere, `deriv` of
arrays. Numbers come from Python's `math` and from formulas written beside them, never from mlopt.

    python3 terms.py > terms.json
"""

import json
import math

vectors = []


def number(x):
    if isinstance(x, float) and not math.isfinite(x):
        return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"
    return x


def array(data, shape=None, dtype=None):
    if not isinstance(data, list):
        data, shape = [data], []
    if dtype is None:
        first = data[0] if data else 0.0
        dtype = "bool" if isinstance(first, bool) else "i64" if isinstance(first, int) else "f64"
    return {"dtype": dtype, "shape": [len(data)] if shape is None else shape, "data": [number(x) for x in data]}


def vector(id, group, term, inputs, value, jacobians=None, note=None):
    """`jacobians`: by input, rows for outputs. Tangents and cotangents are fixed numbers; their products follow."""
    v = {"id": id, "group": group, "term": term, "inputs": inputs, "value": value}
    if note:
        v["note"] = note
    if jacobians:
        outputs = len(next(iter(jacobians.values())))
        cotangent = [0.5 - 0.75 * (k % 3) for k in range(outputs)]
        v["cotangent_flat"] = cotangent
        v["derivatives"] = {}
        for name, rows in jacobians.items():
            width = len(inputs[name]["data"])
            tangent = [1.0 - 0.625 * (k % 4) for k in range(width)]
            # What is chosen must not be multiplied by what is not finite elsewhere.
            dot = lambda a, b: sum(x * y for x, y in zip(a, b) if x != 0.0 and y != 0.0)
            v["derivatives"][name] = {
                "tangent_flat": tangent,
                "jvp_flat": [number(dot(row, tangent)) for row in rows],
                "vjp_flat": [number(dot([row[k] for row in rows], cotangent)) for k in range(width)],
                "jacobian": {"rows_out": outputs, "cols_in": width, "data": [number(x) for row in rows for x in row]},
            }
    vectors.append(v)


def diagonal(d):
    return [[x if i == j else 0.0 for j in range(len(d))] for i, x in enumerate(d)]


def select(rows, width):
    """Row k of the Jacobian has a one at column rows[k], or none."""
    return [[1.0 if j == r else 0.0 for j in range(width)] for r in rows]


# Elementwise primitives of one operand: value, derivative, points.
def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


UNARY = {
    "neg": (lambda x: -x, lambda x: -1.0, [-1.5, 0.25, 3.0]),
    "recip": (lambda x: 1 / x, lambda x: -1 / x**2, [-1.5, 0.25, 3.0]),
    "sq": (lambda x: x * x, lambda x: 2 * x, [-1.5, 0.0, 3.0]),
    "sqrt": (math.sqrt, lambda x: 0.5 / math.sqrt(x), [0.25, 2.0, 9.0]),
    "abs": (abs, lambda x: 1.0 if x >= 0 else -1.0, [-1.5, 0.0, 3.0]),
    "sign": (lambda x: math.copysign(1.0, x) if x else 0.0, lambda x: 0.0, [-1.5, 0.0, 3.0]),
    "exp": (math.exp, math.exp, [-1.5, 0.0, 3.0]),
    "log": (math.log, lambda x: 1 / x, [0.25, 1.0, 9.0]),
    "sin": (math.sin, math.cos, [-1.5, 0.0, 3.0]),
    "cos": (math.cos, lambda x: -math.sin(x), [-1.5, 0.0, 3.0]),
    "tan": (math.tan, lambda x: 1 + math.tan(x) ** 2, [-1.25, 0.0, 1.0]),
    "tanh": (math.tanh, lambda x: 1 - math.tanh(x) ** 2, [-1.5, 0.0, 0.5]),
    "sigmoid": (sigmoid, lambda x: sigmoid(x) * sigmoid(-x), [-800.0, -30.0, 0.0, 2.0, 800.0]),
    "relu": (lambda x: max(0.0, x), lambda x: 1.0 if x > 0 else 0.0, [-1.5, 0.0, 3.0]),
}
for name, (f, df, points) in UNARY.items():
    y, d = [f(x) for x in points], [df(x) for x in points]
    vector(f"{name}_array", "primitives", f"({name} x)", {"x": array(points)}, array(y), {"x": diagonal(d)})
    vector(f"{name}_scalar", "primitives", f"({name} x)", {"x": array(points[0])}, array(y[0]), {"x": [[d[0]]]})

# Of two operands, of which one may be a scalar: partial derivatives in both.
BINARY = {
    "+": (lambda a, b: a + b, lambda a, b: (1.0, 1.0)),
    "-": (lambda a, b: a - b, lambda a, b: (1.0, -1.0)),
    "*": (lambda a, b: a * b, lambda a, b: (b, a)),
    "/": (lambda a, b: a / b, lambda a, b: (1 / b, -a / b**2)),
    "pow": (lambda a, b: a**b, lambda a, b: (b * a ** (b - 1), math.log(a) * a**b)),
    "max": (max, lambda a, b: (1.0, 0.0) if a >= b else (0.0, 1.0)),
    "min": (min, lambda a, b: (1.0, 0.0) if a <= b else (0.0, 1.0)),
}
A, B, S = [0.5, 2.0, 3.0, 1.25], [1.5, 2.0, 0.75, -1.0], 2.0
for k, (name, (f, df)) in enumerate(BINARY.items()):
    word = ["add", "sub", "mul", "div", "pow", "max", "min"][k]
    d = [df(a, b) for a, b in zip(A, B)]
    vector(
        f"{word}_arrays", "primitives", f"({name} a b)", {"a": array(A), "b": array(B)},
        array([f(a, b) for a, b in zip(A, B)]),
        {"a": diagonal([p for p, _ in d]), "b": diagonal([q for _, q in d])},
    )
    d = [df(a, S) for a in A]
    vector(
        f"{word}_array_scalar", "primitives", f"({name} a s)", {"a": array(A), "s": array(S)},
        array([f(a, S) for a in A]),
        {"a": diagonal([p for p, _ in d]), "s": [[q] for _, q in d]},
        "a scalar beside an array stands for an array of it",
    )
    d = [df(S, a) for a in A]
    vector(
        f"{word}_number_array", "primitives", f"({name} 2.0 a)", {"a": array(A)}, array([f(S, a) for a in A]),
        {"a": diagonal([q for _, q in d])},
    )

# Integers, booleans, comparisons, conversions.
N, D = [-7, -6, -1, 0, 1, 6, 7, 5, -5], [3, 3, 3, 3, 3, -3, -3, 0, 0]
vector("div_floors", "discrete", "(div n d)", {"n": array(N), "d": array(D)},
       array([n // d if d else 0 for n, d in zip(N, D)]))
vector("mod_has_the_sign_of_the_divisor", "discrete", "(mod n d)", {"n": array(N), "d": array(D)},
       array([n % d if d else n for n, d in zip(N, D)]))
vector("div_mod_i32", "discrete", "(pair (div n d) (mod n d))",
       {"n": array(N, dtype="i32"), "d": array(D, dtype="i32")},
       {"pair": [array([n // d if d else 0 for n, d in zip(N, D)], dtype="i32"),
                 array([n % d if d else n for n, d in zip(N, D)], dtype="i32")]})
LEAST = -(2**63)
vector("integers_wrap", "discrete", "(stack (+ n 9223372036854775807) (- (neg n) 1) (div m -1) (* m 3))",
       {"n": array(1), "m": array(LEAST)}, array([LEAST, -2, LEAST, LEAST]))
vector("integer_max_min", "discrete", "(pair (max n 0) (min n d))", {"n": array(N), "d": array(D)},
       {"pair": [array([max(n, 0) for n in N]), array([min(n, d) for n, d in zip(N, D)])]})
COMPARE = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
for name, word in COMPARE.items():
    holds = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
             "==": lambda a, b: a == b, "!=": lambda a, b: a != b}[name]
    vector(f"{word}_floats", "discrete", f"({name} a 2.0)", {"a": array(A + [math.nan])},
           array([holds(a, 2.0) for a in A + [math.nan]]))
    vector(f"{word}_integers", "discrete", f"({name} n d)", {"n": array(N), "d": array(D)},
           array([holds(n, d) for n, d in zip(N, D)]))
P, Q = [True, True, False, False], [True, False, True, False]
vector("booleans", "discrete", "(pair (and p q) (pair (or p q) (pair (not p) (== p q))))", {"p": array(P), "q": array(Q)},
       {"pair": [array([p and q for p, q in zip(P, Q)]),
                 {"pair": [array([p or q for p, q in zip(P, Q)]),
                           {"pair": [array([not p for p in P]), array([p == q for p, q in zip(P, Q)])]}]}]})
vector("bool_beside_array", "discrete", "(and p (not false))", {"p": array(P)}, array(P))
F = [-1.5, -0.0, 0.999, 2.0, 1e300, -1e300, math.nan]
vector("floor_saturates", "discrete", "(floor x)", {"x": array(F)}, array([-2, 0, 0, 2, 2**63 - 1, LEAST, 0]))
vector("floor_has_no_derivative", "discrete", "(* x (i2f (floor x)))", {"x": array([-1.5, 0.5, 2.25])},
       array([3.0, 0.0, 4.5]), {"x": diagonal([-2.0, 0.0, 2.0])})
vector("i2f_kinds", "discrete", "(pair (i2f n) (i2f (iota 3)))", {"n": array(N)},
       {"pair": [array([float(n) for n in N]), array([0.0, 1.0, 2.0])]})
vector("mixed_integers", "discrete", "(build1 3 i (+ i (index n (i))))", {"n": array([5, -7, 9])}, array([5, -6, 11]),
       note="an index beside an i64 is an index")

# Constants and sizes.
vector("const_kinds", "sizes", "(pair (const f64 (2 2) (1.0 inf -2.5 nan)) (pair (const i64 (3) (1 -2 3)) (const bool () (true))))",
       {}, {"pair": [array([1.0, math.inf, -2.5, math.nan], [2, 2]), {"pair": [array([1, -2, 3]), array(True)]}]})
vector("numbers_alone", "sizes", "(pair 2.5 (pair 7 (pair (- (* 3 4) (div -7 2)) true)))", {},
       {"pair": [array(2.5), {"pair": [array(7), {"pair": [array(16), array(True)]}]}]})
vector("ieee", "sizes", "(pair (/ 1.0 x) (pair (log x) (sqrt (- x 1.0))))", {"x": array(0.0)},
       {"pair": [array(math.inf), {"pair": [array(-math.inf), array(math.nan)]}]})
E = {"dtype": "f64", "shape": [0], "data": []}
M = array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])
EYE6 = diagonal([1.0] * 6)
vector("empty_sum", "sizes", "(+ s (sumOuter e))", {"e": E, "s": array(1.5)}, array(1.5), {"s": [[1.0]], "e": [[]]})
vector("empty_prod", "sizes", "(* s (prodOuter e))", {"e": E, "s": array(1.5)}, array(1.5), {"s": [[1.0]]})
vector("empty_build", "sizes", "(build (0 3) (i j) (* s (index m (i j))))", {"m": M, "s": array(2.0)},
       array([], [0, 3], "f64"))
vector("empty_everywhere", "sizes",
       "(append (reverse e) (append (slice 2 0 x) (append (gather (0) x (i) (i)) (replicate 0 (index x (0))))))",
       {"e": E, "x": array([1.0, 2.0])}, E)
vector("empty_scatter", "sizes", "(scatter (2) e (i) (i))", {"e": E}, array([0.0, 0.0]))
vector("empty_read", "sizes", "(index e (0))", {"e": E}, array(0.0), {"e": [[]]})
vector("empty_fold", "sizes", "(fold (s x) (* s x) z e)", {"e": E, "z": array(3.0)}, array(3.0), {"z": [[1.0]]})
vector("empty_axis", "sizes", "(sumOuter (tr (1 0) m))", {"m": array([], [0, 3], "f64")}, E)
vector("one_row", "sizes", "(+ (sumOuter m) (maxOuter m))", {"m": array([3.0, -4.0], [1, 2])}, array([6.0, -8.0]),
       {"m": diagonal([2.0, 2.0])})
vector("loop_not_entered", "sizes", "(pair (ifold (s i) (* s 2.0) x 0) (ifold (s i) (* s 2.0) x -3))", {"x": array(1.5)},
       {"pair": [array(1.5), array(1.5)]}, {"x": [[1.0], [1.0]]})
vector("loop_count_at_run_time", "sizes", "(ifold (s i) (* s x) 1.0 n)", {"x": array(2.0), "n": array(5)}, array(32.0),
       {"x": [[80.0]]})
vector("sizes_are_computed", "sizes", "(build1 (+ (length m) (* 2 (length (index m (0))))) i i)", {"m": M},
       array(list(range(8))))

# Reading and writing.
vector("get_is_index", "access", "(+ (get (get m 1) 2) (index m (0 1)))", {"m": M}, array(8.0),
       {"m": [[0.0, 1.0, 0.0, 0.0, 0.0, 1.0]]})
vector("index_of_nothing", "access", "(index m ())", {"m": M}, M, {"m": EYE6})
vector("reads_outside", "access", "(build1 4 i (+ 1.0 (index x ((- i 1)))))", {"x": array([5.0, 6.0])},
       array([1.0, 6.0, 7.0, 1.0]), {"x": select([-1, 0, 1, -1], 2)})
vector("rows_outside", "access", "(pair (index m (2)) (index m (-1)))", {"m": M},
       {"pair": [array([0.0] * 3), array([0.0] * 3)]}, {"m": [[0.0] * 6] * 6})
vector("index_by_i32", "access", "(index x (k))", {"x": array([5.0, 6.0]), "k": array(1, dtype="i32")}, array(6.0),
       {"x": [[0.0, 1.0]]})
vector("gather_rows", "access", "(gather (2) m (i) ((- 1 i)))", {"m": M}, array([4.0, 5.0, 6.0, 1.0, 2.0, 3.0], [2, 3]),
       {"m": select([3, 4, 5, 0, 1, 2], 6)})
vector("gather_without_variables", "access", "(gather () m () (1 k))", {"m": M, "k": array(2)}, array(6.0),
       {"m": [[0.0] * 5 + [1.0]]})
vector("gather_without_indices", "access", "(gather (2 2) s (i j) ())", {"s": array(1.5)}, array([1.5] * 4, [2, 2]),
       {"s": [[1.0]] * 4})
vector("scatter_rows", "access", "(scatter (3) m (i) ((* 2 i)))", {"m": M}, array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0], [3, 3]),
       {"m": select([0, 1, 2, -1, -1, -1, 3, 4, 5], 6)})
vector("scatter_outside_and_twice", "access", "(scatter (2) x (i) ((- (mod i 3) 1)))",
       {"x": array([1.0, 2.0, 4.0, 8.0, 16.0])}, array([18.0, 4.0]), {"x": [[0, 1.0, 0, 0, 1.0], [0, 0, 1.0, 0, 0]]})
vector("scatter_integers", "access", "(scatter (4) n (i) ((mod i 4)))", {"n": array(N)}, array([-11, 0, 6, 5]))
vector("scatter_without_variables", "access", "(scatter (2 2) x () (1 k))", {"x": array([3.0]), "k": array(0)},
       array([0.0, 0.0, 3.0, 0.0], [2, 2, 1]), {"x": [[0.0], [0.0], [1.0], [0.0]]})
vector("scatter_to_nothing", "access", "(scatter () m (i j) ())", {"m": M}, array(21.0), {"m": [[1.0] * 6]},
       note="no positions: a full sum")
vector("one_hot", "access", "(pair (oneHot (3) s (k)) (oneHot (2 2) s (k 5)))", {"s": array(1.5), "k": array(1)},
       {"pair": [array([0.0, 1.5, 0.0]), array([0.0] * 4, [2, 2])]}, {"s": [[0.0], [1.0]] + [[0.0]] * 5})
vector("one_hot_rows", "access", "(oneHot (2) x (1))", {"x": array([3.0, 4.0])}, array([0.0, 0.0, 3.0, 4.0], [2, 2]),
       {"x": select([-1, -1, 0, 1], 2)})

# Reductions, shapes, choices.
vector("sum_of_all", "arrays", "(+ (sum m) (sum s))", {"m": M, "s": array(0.5)}, array(21.5), {"m": [[1.0] * 6], "s": [[1.0]]})
vector("reductions_of_rows", "arrays", "(pair (sumOuter m) (pair (prodOuter m) (pair (maxOuter m) (minOuter m))))", {"m": M},
       {"pair": [array([5.0, 7.0, 9.0]), {"pair": [array([4.0, 10.0, 18.0]), {"pair": [array([4.0, 5.0, 6.0]), array([1.0, 2.0, 3.0])]}]}]},
       {"m": [[1.0 if j % 3 == i else 0.0 for j in range(6)] for i in range(3)]
             + [[[4.0, 5.0, 6.0, 1.0, 2.0, 3.0][j] if j % 3 == i else 0.0 for j in range(6)] for i in range(3)]
             + select([3, 4, 5], 6) + select([0, 1, 2], 6)})
T = array([2.0, 7.0, 7.0, 1.0, 1.0])
vector("ties_go_to_the_first", "arrays", "(pair (pair (argmaxOuter x) (argminOuter x)) (pair (maxOuter x) (minOuter x)))",
       {"x": T}, {"pair": [{"pair": [array(1), array(3)]}, {"pair": [array(7.0), array(1.0)]}]})
vector("tie_derivatives", "arrays", "(stack (maxOuter x) (minOuter x))", {"x": T}, array([7.0, 1.0]), {"x": select([1, 3], 5)})
vector("arg_of_rows", "arrays", "(argmaxOuter (tr (1 0) m))", {"m": array([1.0, 9.0, 3.0, 8.0, 8.0, 6.0], [2, 3])}, array([1, 0]))
vector("integer_reductions", "arrays", "(stack (sumOuter n) (maxOuter n) (minOuter n) (prodOuter (slice 0 3 n)))", {"n": array(N)},
       array([0, 7, -7, -42]))
vector("tr_of_leading_axes", "arrays", "(tr (1 0) t)", {"t": array([float(k) for k in range(12)], [2, 3, 2])},
       array([0.0, 1.0, 6.0, 7.0, 2.0, 3.0, 8.0, 9.0, 4.0, 5.0, 10.0, 11.0], [3, 2, 2]),
       {"t": select([0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11], 12)})
vector("tr_cyclic", "arrays", "(tr (2 0 1) t)", {"t": array([float(k) for k in range(6)], [1, 2, 3])},
       array([0.0, 3.0, 1.0, 4.0, 2.0, 5.0], [3, 1, 2]), {"t": select([0, 3, 1, 4, 2, 5], 6)})
vector("tr_of_nothing", "arrays", "(tr () s)", {"s": array(2.0)}, array(2.0), {"s": [[1.0]]})
vector("reshape_to_scalar", "arrays", "(reshape () (slice 1 1 x))", {"x": array([3.0, 4.0])}, array(4.0), {"x": [[0.0, 1.0]]})
vector("reshape_from_scalar", "arrays", "(reshape (1 1) s)", {"s": array(2.0)}, array([2.0], [1, 1]), {"s": [[1.0]]})
vector("reshape_flat", "arrays", "(reverse (reshape (6) m))", {"m": M}, array([6.0, 5.0, 4.0, 3.0, 2.0, 1.0]),
       {"m": select([5, 4, 3, 2, 1, 0], 6)})
vector("replicate_rows", "arrays", "(replicate 2 (index m (1)))", {"m": M}, array([4.0, 5.0, 6.0] * 2, [2, 3]),
       {"m": select([3, 4, 5] * 2, 6)})
vector("stack_rows", "arrays", "(stack (index m (1)) (* 2.0 (index m (0))))", {"m": M},
       array([4.0, 5.0, 6.0, 2.0, 4.0, 6.0], [2, 3]),
       {"m": select([3, 4, 5], 6) + [[2 * x for x in row] for row in select([0, 1, 2], 6)]})
vector("stack_numbers", "arrays", "(stack 1.0 s 2.0)", {"s": array(0.25)}, array([1.0, 0.25, 2.0]), {"s": [[0.0], [1.0], [0.0]]})
vector("append_rows", "arrays", "(append m (slice 0 1 m))", {"m": M}, array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 2.0, 3.0], [3, 3]),
       {"m": select([0, 1, 2, 3, 4, 5, 0, 1, 2], 6)})
vector("select_mask", "arrays", "(select (> x 0.0) (sqrt x) -1.0)", {"x": array([4.0, -4.0, 0.0])}, array([2.0, -1.0, -1.0]),
       {"x": diagonal([0.25, 0.0, 0.0])}, "what is not chosen has no derivative, though it is infinite")
vector("select_scalar_mask", "arrays", "(select p x (neg x))", {"p": array(False), "x": array([1.0, 2.0])}, array([-1.0, -2.0]),
       {"x": diagonal([-1.0, -1.0])})
vector("cond_of_arrays", "arrays", "(cond (< s 0.0) m (* 2.0 m))", {"m": M, "s": array(1.0)},
       array([2.0, 4.0, 6.0, 8.0, 10.0, 12.0], [2, 3]), {"m": diagonal([2.0] * 6), "s": [[0.0]] * 6})
vector("dot_and_matmul", "arrays", "(dot (index (matmul m (tr (1 0) m)) (0)) v)", {"m": M, "v": array([1.0, 10.0])}, array(334.0),
       {"m": [[42.0, 54.0, 66.0, 10.0, 20.0, 30.0]], "v": [[14.0, 32.0]]})
vector("matmul_of_integers", "arrays", "(matmul n n)", {"n": array([1, 2, 3, 4], [2, 2])}, array([7, 10, 15, 22], [2, 2]))

# Tuples.
vector("pairs_of_arrays", "tuples", "(let p (zip x y) (let q (index p (1)) (+ (fst q) (* 10.0 (snd q)))))",
       {"x": array([1.0, 2.0]), "y": array([3.0, 4.0])}, array(42.0), {"x": [[0.0, 1.0]], "y": [[0.0, 10.0]]})
vector("build_of_pairs", "tuples", "(let p (build1 3 i (pair i (index x ((- 2 i))))) (pair (fst p) (reverse (snd p))))",
       {"x": array([1.0, 2.0, 3.0])}, {"pair": [array([0, 1, 2]), array([1.0, 2.0, 3.0])]})
vector("cond_of_pairs", "tuples", "(snd (cond (> s 0.0) (pair 1 s) (pair 2 (neg s))))", {"s": array(-1.5)}, array(1.5), {"s": [[-1.0]]})
vector("fold_of_zip", "tuples", "(fold (s p) (+ s (* (fst p) (snd p))) 0.0 (zip x y))",
       {"x": array([1.0, 2.0]), "y": array([3.0, 4.0])}, array(11.0), {"x": [[3.0, 4.0]], "y": [[1.0, 2.0]]})
vector("ifold_of_nested_pairs", "tuples",
       "(let r (ifold (s i) (pair (pair (snd (fst s)) (fst (fst s))) (+ (snd s) i)) (pair (pair x y) 0) 3) (pair (fst r) (snd r)))",
       {"x": array(1.0), "y": array(2.0)}, {"pair": [{"pair": [array(2.0), array(1.0)]}, array(3)]})
vector("map_accum_of_pairs", "tuples",
       "(let r (mapAccumL (s x) (pair (+ s x) (pair s (* 2.0 x))) 0.0 x) (stack (fst r) (sum (fst (snd r))) (sum (snd (snd r)))))",
       {"x": array([1.0, 10.0, 100.0])}, array([111.0, 12.0, 222.0]),
       {"x": [[1.0, 1.0, 1.0], [2.0, 1.0, 0.0], [2.0, 2.0, 2.0]]})
vector("map_accum_of_rows", "tuples", "(let r (mapAccumL (s r) (pair (+ s r) (sumOuter s)) (replicate 3 0.0) m) (pair (fst r) (snd r)))",
       {"m": M}, {"pair": [array([5.0, 7.0, 9.0]), array([0.0, 6.0])]},
       {"m": [[1.0 if j % 3 == i else 0.0 for j in range(6)] for i in range(3)] + [[0.0] * 6, [1.0] * 3 + [0.0] * 3]})
vector("fold_with_array_state", "tuples", "(fold (s r) (* s r) (index m (0)) m)", {"m": M}, array([4.0, 20.0, 54.0]),
       {"m": [[8.0 * 1 if (i, j) == (0, 0) else 20.0 if (i, j) == (1, 1) else 36.0 if (i, j) == (2, 2)
               else 1.0 if (i, j) == (0, 3) else 4.0 if (i, j) == (1, 4) else 9.0 if (i, j) == (2, 5) else 0.0
               for j in range(6)] for i in range(3)]})
vector("shadowing", "tuples", "(let x (* x 2.0) (let x (+ x 1.0) (sumOuter (build1 2 x (i2f x)))))", {"x": array(5.0)}, array(1.0))
vector("names", "tuples", "(let x' (+ x? 1.0) (let 2x (* x' x') 2x))", {"x?": array(2.0)}, array(9.0), {"x?": [[6.0]]})

# Derivatives inside terms.
vector("deriv_of_array", "deriv", "(deriv (* x (sumOuter v)) v)", {"v": array([1.0, 2.0]), "x": array(3.0)},
       {"pair": [array([9.0, 9.0]), array([3.0, 3.0])]}, {"x": [[3.0], [3.0], [1.0], [1.0]], "v": [[3.0, 3.0]] * 2 + [[0.0, 0.0]] * 2},
       "one pair for each position of v: the value, and the derivative in it")
vector("deriv_of_matrix", "deriv", "(snd (deriv (sum (* m m)) m))", {"m": M}, array([2.0, 4.0, 6.0, 8.0, 10.0, 12.0], [2, 3]),
       {"m": diagonal([2.0] * 6)})
vector("deriv_layout", "deriv", "(snd (deriv (build1 3 i (* (index v (0)) (pow (index v (1)) (i2f i)))) v))", {"v": array([5.0, 2.0])},
       array([1.0, 2.0, 4.0, 0.0, 5.0, 20.0], [2, 3]), note="[input][output], as D.2 has it")
vector("deriv_of_pair", "deriv", "(let d (deriv (pair (* x x) 3) x) (stack (snd (fst d)) (i2f (snd (snd d)))))", {"x": array(4.0)},
       array([8.0, 0.0]), {"x": [[2.0], [0.0]]}, "what is no float has derivative zero")
vector("deriv_inside_build", "deriv", "(build1 3 i (snd (deriv (* x (* x (index v (i)))) x)))", {"x": array(3.0), "v": array([1.0, 2.0, 3.0])},
       array([6.0, 12.0, 18.0]), {"x": [[2.0], [4.0], [6.0]], "v": diagonal([6.0] * 3)})
vector("deriv_inside_loop", "deriv", "(ifold (y i) (- y (/ (- (* y y) x) (snd (deriv (* y y) y)))) 1.0 6)", {"x": array(2.0)},
       array(math.sqrt(2.0)), {"x": [[0.5 / math.sqrt(2.0)]]}, "Newton's method")
vector("deriv_of_a_let", "deriv", "(let y (* x x) (snd (deriv (* y (* y x)) y)))", {"x": array(2.0)}, array(16.0), {"x": [[24.0]]},
       "y varies, x does not: 2yx = 2x³")
vector("deriv_three_times", "deriv", "(snd (deriv (snd (deriv (snd (deriv (pow x 4.0) x)) x)) x))", {"x": array(-1.5)}, array(-36.0),
       {"x": [[24.0]]})

# Single precision: numbers take the kind of what they meet.
vector("f32_everywhere", "f32", "(sumOuter (build1 3 i (* 2.0 (exp (index x (i))))))",
       {"x": array([0.5, -1.0, 0.25], dtype="f32")}, array(2 * (math.exp(0.5) + math.exp(-1.0) + math.exp(0.25)), dtype="f32") | {"dtype": "f32"},
       {"x": [[2 * math.exp(0.5), 2 * math.exp(-1.0), 2 * math.exp(0.25)]]})
vector("f32_beside_f64", "f32", "(pair (ifold (s i) (+ s (index x (i))) 0.0 2) (* 0.5 y))",
       {"x": array([0.5, 0.25], dtype="f32"), "y": array(3.0)},
       {"pair": [array(0.75) | {"dtype": "f32"}, array(1.5)]})
vector("f32_conversions", "f32", "(* x (i2f (floor (+ x 0.5))))", {"x": array([1.75, -0.75], dtype="f32")},
       array([3.5, 0.75], dtype="f32"), {"x": diagonal([2.0, -1.0])})

# Second derivatives of a scalar.
vectors.append({
    "id": "hessian_of_product", "group": "hessian", "term": "(* (sin (index x (0))) (sq (index x (1))))",
    "inputs": {"x": array([0.5, 2.0])},
    "hessian_wrt": "x",
    "hessian": array([-4 * math.sin(0.5), 4 * math.cos(0.5), 4 * math.cos(0.5), 2 * math.sin(0.5)], [2, 2]),
    "hvp_direction": [1.0, -0.5],
    "hvp": [-4 * math.sin(0.5) - 2 * math.cos(0.5), 4 * math.cos(0.5) - math.sin(0.5)],
})

header = {
    "format": "arrays-vectors-1",
    "source": "closed forms; terms.py",
    "tolerance": {"f64_rel": 1e-9, "f64_abs": 1e-11, "f32_rel": 0.0002, "f32_abs": 1e-05},
}
print('{"header": %s,\n"vectors": [' % json.dumps(header))
print(",\n".join(json.dumps(v, ensure_ascii=False) for v in vectors))
print("]}")
