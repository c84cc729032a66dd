"""Writes numpy_print.txt: arrays and what numpy prints for them. Usage: python numpy_print.py > numpy_print.txt

Each case is `= DTYPE SHAPE BITS...` (SHAPE as 2x3, `-` for a scalar; one hexadecimal word per element) or
`~ DTYPE SHAPE START STEP` (element i is START + i * STEP), then the lines of `str`, each after `s|`, and of `repr`,
each after `r|`.
"""

import numpy as np

rng = np.random.default_rng(2)
WORD = {1: np.uint8, 4: np.uint32, 8: np.uint64}
print(f"# numpy {np.__version__}, written by numpy_print.py")


def lines(x):
    for mark, text in (("s", str(x)), ("r", repr(x))):
        for line in text.split("\n"):
            print(f"{mark}|{line}")


def shape_text(shape):
    return "x".join(map(str, shape)) or "-"


def case(x, dtype=None):
    x = np.asarray(x, dtype)
    bits = np.ascontiguousarray(x).reshape(-1).view(WORD[x.dtype.itemsize])
    print("=", x.dtype.str[1:], shape_text(x.shape), *(f"{int(b):x}" for b in bits))
    lines(x)


def ramp(dtype, shape, start, step):
    x = (start + np.arange(int(np.prod(shape))) * step).astype(dtype).reshape(shape)
    print("~", x.dtype.str[1:], shape_text(shape), start, step)
    lines(x)


floats = [
    0.0, -0.0, 1.0, -1.0, 3.0, 0.1, 1 / 3, 2 / 3, 1e-4, 9.9999e-5, 1e-5, 1.5e-7, 1e15, 1e16, 1.5e16, 123456789.0,
    1e22, 1e23, 1e100, -1e-100, 5e-324, 1.7976931348623157e308, float("nan"), float("inf"), float("-inf"), 0.5, 2.5,
    1234.5678, 1e8, 99999999.0, 1e6, 999999.0, 1e7, 16777216.0, 3.4028234e38, 1e-45,
]
for v in floats:
    case(v, "f8")
    if abs(v) < 3.5e38 or not np.isfinite(v):
        case(v, "f4")
for v in (0, -1, 7, 2**31 - 1, -(2**31)):
    case(v, "i4")
for v in (0, -1, 2**63 - 1, -(2**63)):
    case(v, "i8")
case(True), case(False)

for t in ("f8", "f4"):
    case([1, 2, 3], t), case([1.5, 2, -3.25], t), case([0.1, 0.2, 0.30000000000000004], t)
    case([1e-5, 1], t), case([1, 1001], t), case([1, 1000], t), case([1e8, 1e8], t), case([99999999.0, 1e5], t)
    case([1e6, 2e6], t), case([999999, 999999.5], t), case([1e16, 2e16], t), case([0, 0, 0], t), case([-0.0, 0], t)
    case([np.nan, 1, 2], t), case([np.inf, -np.inf, np.nan], t), case([np.nan], t), case([np.inf, 1e10], t)
    case([-np.inf, 1e10], t), case([np.nan, 1e-10, 1], t), case([-np.inf, 1], t), case([np.inf, 12345.678], t)
    case([-np.inf, 0.25], t), case([np.nan, -1], t), case([0.00010001, 0.05], t), case([1e-4, 0.1], t)
    case([1e30, 1e-30], t), case([-1e30, 1e-3], t), case([123456.789, 1000], t), case([2 / 3, 1 / 3], t)
    case([0.123456785, 0.5], t), case([0.999999999, 1], t), case([1.000000005, 2], t), case([9.9999999999, 1e-9], t)
    case([[1, 2], [3, 4]], t), case([[1.5, np.nan], [-np.inf, 4]], t), case([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], t)
    case(np.zeros((0,)), t), case(np.zeros((0, 3)), t), case(np.zeros((3, 0)), t), case(np.zeros((2, 0, 4)), t)
    case(np.arange(30) / 7, t), case(np.arange(60) / 8, t), case((np.arange(24) - 12).reshape(2, 3, 4) / 3, t)
    case(np.arange(40).reshape(2, 20) / 9, t), case([[1e-7, 1e7]] * 3, t), case([1.25], t), case([[[[7.5]]]], t)
    case(np.arange(20) * 1e-9, t), case(np.full(13, -1e200 if t == "f8" else -1e20), t)
    ramp(t, (1001,), 0.0, 0.5), ramp(t, (1000,), 0.0, 0.25), ramp(t, (40, 40), -3.0, 0.5), ramp(t, (2, 600), 1.0, 1.0)
    ramp(t, (600, 2), 1.0, 1.0), ramp(t, (11, 10, 12), 0.0, 0.125), ramp(t, (7, 7, 7, 7), 0.0, 1.0)
    ramp(t, (5000,), 1.0, 1024.0), ramp(t, (6, 200), -1.0, 0.5), ramp(t, (1, 1, 2000), 5.0, -0.5)
    for n in (1, 2, 5, 9, 17):
        for scale in (1e-12, 1e-3, 1, 1e3, 1e6, 1e12):
            case(rng.normal(size=n) * scale, t)
    for _ in range(12):
        case(10.0 ** rng.uniform(-4, 3, size=6) * rng.choice([-1, 1], 6), t)
        case(rng.integers(-9999, 9999, size=(3, 3)) / 2.0 ** rng.integers(0, 14), t)
    # Random bit patterns: every exponent, subnormal numbers too.
    word = WORD[np.dtype(t).itemsize]
    for _ in range(40):
        x = rng.integers(0, np.iinfo(word).max, size=4, dtype=word, endpoint=True).view(t)
        case(x)
        case(x[0])

for t in ("i4", "i8"):
    case([1, 2, 3], t), case([-1, 10, 100], t), case([], t), case([[1, -20], [300, 4]], t), case([0], t)
    case([2**31 - 1, -(2**31)], t), case(np.arange(60), t), case(np.arange(27).reshape(3, 3, 3) - 9, t)
    ramp(t, (1001,), 0, 1), ramp(t, (50, 50), -100, 3), ramp(t, (9, 9, 9, 9), 0, 1), ramp(t, (1000,), 0, 1)
    case(rng.integers(-(2**31), 2**31, size=(4, 5)), t)
case([2**63 - 1, -(2**63)], "i8")
case([True, False]), case([[True, True], [False, True]]), case([True]), case(np.zeros((0, 2), bool))
case(rng.integers(0, 2, size=40).astype(bool)), case(rng.integers(0, 2, size=(30, 40)).astype(bool))
