"""Calls: values, memory, types of arguments."""

import array
import copy
import ctypes
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time

import mlopt
import numpy as np
import pytest

TYPES = {"f64": "float64", "f32": "float32", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "i1": "bool"}


def identity(ty):
    return mlopt.parse(f"func.func @f(%x: {ty}) -> {ty} {{ return %x : {ty} }}")["f"]


def test_numbers(square):
    assert square(3.0) == 9.0
    assert square(3) == 9.0
    assert square(np.float64(3)) == 9.0
    assert square(np.array(3.0)) == 9.0
    assert type(square(3.0)) is float


@pytest.mark.parametrize("ty", TYPES)
def test_element_types(ty):
    x = np.array([[1, 0, 1], [0, 1, 1]], TYPES[ty])
    result = identity(f"tensor<?x3x{ty}>")(x)
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(result, x)
    scalar = identity(ty)(x[0, 0])
    assert scalar == 1
    assert type(scalar) is {"f": float, "i": int, "b": bool}[x.dtype.kind]


def test_ranges_of_integers():
    assert identity("i8")(-128) == -128
    with pytest.raises(mlopt.ArgumentError, match="found 128, which is not in its range"):
        identity("i8")(128)
    with pytest.raises(mlopt.ArgumentError, match="not in its range"):
        identity("i64")(2**63)
    assert identity("i64")(-(2**63)) == -(2**63)


@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (8,), (9,), (31,), (1000,)])
def test_sizes(arrays, shape):
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=shape), rng.normal(size=shape)
    np.testing.assert_array_equal(arrays["add"](a, b), a + b)
    assert arrays["dot"](a, b) == pytest.approx(a @ b, rel=1e-12)


def test_several_results(arrays):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    copy, total = arrays["both"](x)
    np.testing.assert_array_equal(copy, x)
    assert total == 15.0


def test_results_whose_sizes_depend_on_values():
    module = mlopt.parse("(def f ((n i64)) (toarray (if (i< n 2) (list 1.0) (list 1.0 2.0 3.0))))", "f.lambda")
    np.testing.assert_array_equal(module["f"](1), [1.0])
    np.testing.assert_array_equal(module["f"](2), [1.0, 2.0, 3.0])
    out = np.zeros(3)
    assert module["f"](2, out=out) is out
    np.testing.assert_array_equal(out, [1.0, 2.0, 3.0])
    with pytest.raises(mlopt.ArgumentError, match="must be `tensor<1xf64>`, found `tensor<3xf64>`"):
        module["f"](1, out=out)


def test_results_are_written_in_place(arrays):
    a, b, out = np.arange(4.0), np.ones(4), np.zeros(4)
    assert arrays["add"](a, b, out=out) is out
    np.testing.assert_array_equal(out, a + b)
    x = np.ones((2, 3), np.float32)
    copy, total = np.zeros((2, 3), np.float32), np.zeros((), np.float32)
    results = arrays["both"](x, out=(copy, total))
    assert results[0] is copy and results[1] is total
    assert total == 6.0


def test_contiguous_arguments_are_not_copied(arrays):
    """No memory of the size of an argument is allocated."""
    import resource

    a = np.ones(1 << 25)  # 256 MiB
    dot = arrays["dot"]
    assert dot(a[:8], a[:8]) == 8.0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert dot(a, a) == len(a)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert grown < a.nbytes / 8


def test_arguments_with_strides_are_copied(arrays):
    x = np.arange(20.0)
    b = np.ones(10)
    assert arrays["dot"](x[::2], b) == x[::2].sum()
    assert arrays["dot"](x[9::-1], b) == x[9::-1].sum()
    assert arrays["dot"](np.broadcast_to(np.float64(2), (10,)), b) == 20.0
    transposed = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    np.testing.assert_array_equal(arrays["both"](transposed)[0], transposed)
    unaligned = np.frombuffer(b"\0" + np.arange(10.0).tobytes(), np.float64, offset=1)
    assert arrays["dot"](unaligned, b) == 45.0


def truths(*values):
    """Truth values in memory with any bytes, as in a view of NumPy."""
    return np.array(values, np.uint8).view(bool)


COUNT = """
func.func @count(%c: tensor<?xi1>) -> i64 {
  %0 = arith.extui %c : tensor<?xi1> to tensor<?xi64>
  %z = array.sum %0 : (tensor<?xi64>) -> i64
  return %z : i64
}
"""


@pytest.mark.parametrize("size", [1, 7, 8, 9, 1000])
def test_truth_values(size):
    """Bytes other than 0 and 1 are true."""
    count = mlopt.parse(COUNT)["count"]
    values = np.random.default_rng(size).choice(np.array([0, 1, 2, 128, 255], np.uint8), size)
    x = values.view(bool)
    assert count(x) == count(x[::-1]) == count(memoryview(x)) == count(Tensor(x)) == np.count_nonzero(values)
    np.testing.assert_array_equal(identity("tensor<?xi1>")(x).view(np.uint8), values != 0)
    assert (x.view(np.uint8) == values).all()
    assert [identity("i1")(truths(byte)[0]) for byte in (0, 1, 2)] == [False, True, True]
    assert [identity("i1")(truths(byte).reshape(())) for byte in (0, 1, 2)] == [False, True, True]


def test_truth_values_are_not_copied():
    """No memory of the size of an argument is allocated if its bytes are 0 and 1."""
    import resource

    x = np.ones(1 << 27, bool)  # 128 MiB
    function = mlopt.parse("func.func @f(%c: tensor<?xi1>) -> index {\n  %n = array.length %c : tensor<?xi1>\n"
                           "  return %n : index\n}")["f"]
    assert function(x[:8]) == 8
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert function(x) == len(x)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert grown < x.nbytes / 8
    x[-1:].view(np.uint8)[0] = 2
    assert function(x) == len(x)


def test_read_only_arguments(arrays):
    a = np.ones(5)
    a.flags.writeable = False
    assert arrays["dot"](a, a) == 5.0


def test_buffers_of_other_objects(arrays):
    a = array.array("d", [1.0, 2.0, 3.0])
    assert arrays["dot"](a, memoryview(a)) == 14.0


def test_arrays_of_ctypes(arrays):
    """Their buffers have no strides."""
    three, x = ctypes.c_double * 3, np.ones(3)
    shared = multiprocessing.RawArray("d", 3)
    shared[:] = [1.0, 2.0, 3.0]
    for a in (three(1.0, 2.0, 3.0), shared):
        np.testing.assert_array_equal(arrays["add"](a, x), [2.0, 3.0, 4.0])
        assert arrays["dot"](a, a) == 14.0
        assert arrays["add"](x, x, out=a) is a
        assert list(a) == [2.0, 2.0, 2.0]
    rows = (ctypes.c_float * 3 * 2)((1, 2, 3), (4, 5, 6))
    copy, total = arrays["both"](rows)
    np.testing.assert_array_equal(copy, [[1, 2, 3], [4, 5, 6]])
    assert total == 21.0
    assert identity("f64")(ctypes.c_double(2.5)) == 2.5
    np.testing.assert_array_equal(identity("tensor<?xf64>")((ctypes.c_double * 0)()), [])
    # Memory that is not aligned is copied.
    inside = (ctypes.c_char * 25)()
    inside[1:] = np.arange(3.0).tobytes()
    assert arrays["dot"](three.from_buffer(inside, 1), x) == 3.0
    with pytest.raises(mlopt.ArgumentError, match="must be contiguous"):
        arrays["add"](x, x, out=three.from_buffer(inside, 1))
    with pytest.raises(mlopt.ArgumentError, match="found an array of"):
        arrays["dot"]((ctypes.c_double.__ctype_be__ * 3)(), x)


class Tensor:
    """An array that has DLPack only."""

    def __init__(self, x, device=(1, 0)):
        self.x, self.device = x, device

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


class OldTensor(Tensor):
    """An array that has DLPack only, in a version that takes no argument."""

    def __dlpack__(self):
        return self.x.__dlpack__()


def test_dlpack(arrays):
    x = np.arange(10.0)
    references = sys.getrefcount(x)
    for _ in range(3):
        assert arrays["dot"](Tensor(x), Tensor(x)) == x @ x
        assert arrays["dot"](Tensor(x[::2]), Tensor(x[::-2])) == x[::2] @ x[::-2]
        assert arrays["dot"](OldTensor(x), OldTensor(x[::-1])) == x @ x[::-1]
    assert sys.getrefcount(x) == references
    # Memory that is not aligned is copied.
    unaligned = np.zeros(81, np.uint8)[1:].view(np.float64)
    unaligned[:] = x
    for protocol in (Tensor, OldTensor):
        assert arrays["dot"](protocol(unaligned), protocol(unaligned[::-1])) == x @ x[::-1]
    with pytest.raises(mlopt.ArgumentError, match="must be in the memory of the CPU, found one on DLPack's device 2"):
        arrays["dot"](Tensor(x, (2, 0)), x)
    with pytest.raises(mlopt.ArgumentError, match="must be `tensor<[?]xf64>`, found an array of uint8"):
        arrays["dot"](Tensor(x.view(np.uint8)), x)
    with pytest.raises(mlopt.ArgumentError, match="must be `tensor<[?]xf64>`, found `tensor<10xi64>`"):
        arrays["dot"](Tensor(x.astype(int)), x)

    class Broken(Tensor):
        def __dlpack__(self, **_):
            raise KeyError("broken")

    with pytest.raises(mlopt.ArgumentError, match="must be an array `tensor<[?]xf64>`: 'broken'"):
        arrays["dot"](Broken(x), x)


@pytest.mark.skipif(tuple(map(int, np.__version__.split(".")[:2])) < (2, 1), reason="NumPy exports no such array")
def test_dlpack_of_read_only_arrays(arrays):
    x = np.arange(10.0)
    x.flags.writeable = False
    assert arrays["dot"](Tensor(x), Tensor(x[::-1])) == x @ x[::-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "`@dot` takes 2 arguments, found 0"),
        ((np.ones(3), np.ones(3, "f4")), "argument #1 of `@dot` must be `tensor<?xf64>`, found `tensor<3xf32>`"),
        ((np.ones(3), np.ones((3, 1))), "argument #1 of `@dot` must be `tensor<?xf64>`, found `tensor<3x1xf64>`"),
        ((np.ones(3), 1.0), "argument #1 of `@dot` must be `tensor<?xf64>`, found `float`, which has neither"),
        ((np.ones(3), [1.0]), "argument #1 of `@dot` must be `tensor<?xf64>`, found `list`, which has neither"),
        ((np.ones(3, ">f8"), np.ones(3)), "argument #0 of `@dot` must be `tensor<?xf64>`, found an array of"),
        ((np.ones(3, "u4"), np.ones(3)), "argument #0 of `@dot` must be `tensor<?xf64>`, found an array of uint32"),
        ((np.ones(3, "c8"), np.ones(3)), "argument #0 of `@dot` must be `tensor<?xf64>`, found an array of complex64"),
        ((np.ones(3, "f2"), np.ones(3)), "argument #0 of `@dot` must be `tensor<?xf64>`, found `tensor<3xf16>`"),
    ],
)
def test_wrong_arguments(arrays, arguments, message):
    with pytest.raises(mlopt.ArgumentError) as caught:
        arrays["dot"](*arguments)
    assert message in str(caught.value)
    assert caught.value.kind == "argument"
    assert message in caught.value.diagnostics[0].text
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, mlopt.Error)
    assert arrays["dot"](np.ones(3), np.ones(3)) == 3.0


def test_wrong_results(arrays):
    add, a = arrays["add"], np.ones(3)
    frozen = np.ones(3)
    frozen.flags.writeable = False
    for out, message in [
        (frozen, "must be a writable array `tensor<?xf64>`"),
        (np.ones(4), "must be `tensor<3xf64>`, found `tensor<4xf64>`"),
        (np.ones(3, "f4"), "must be `tensor<?xf64>`, found `tensor<3xf32>`"),
        (np.ones(6)[::2], "must be contiguous and row-major"),
        (a, "overlaps an argument or another result"),
        ((np.ones(3), np.ones(3)), "`@add` has 1 results, found memory for 2"),
        (1.0, "must be `tensor<?xf64>`, found `float`"),
    ]:
        with pytest.raises(mlopt.ArgumentError) as caught:
            add(a, np.ones(3), out=out)
        assert message in str(caught.value)
    np.testing.assert_array_equal(frozen, np.ones(3))
    memory = np.zeros(10)
    with pytest.raises(mlopt.ArgumentError, match="overlaps"):
        add(memory[:6], np.ones(6), out=memory[4:])
    np.testing.assert_array_equal(add(memory[:5], np.ones(5), out=memory[5:]), np.ones(5))
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        add(a, a, into=a)


def test_sizes_that_do_not_fit(arrays):
    with pytest.raises(mlopt.ArgumentError) as caught:
        arrays["dot"](np.ones(3), np.ones(4))
    found = caught.value.diagnostics[0]
    assert (found.code, found.file, found.line, found.column) == ("shape-mismatch", "arrays.mlir", 3, 8)


def test_a_program_that_stops_itself():
    module = mlopt.parse("(def f ((x i64)) (head (if (i< x 1) (nil f64) (list 1.0))))", "f.lambda")
    f = module["f"]
    assert f(1) == 1.0
    with pytest.raises(mlopt.Error) as caught:
        f(0)
    assert caught.value.kind == "stopped"
    assert caught.value.diagnostics[0].file == "f.lambda"
    assert f(1) == 1.0


def test_many_shapes_in_turn(arrays):
    for _ in range(3):
        for n in range(20):
            assert arrays["dot"](np.ones(n), np.ones(n)) == n


def test_threads(arrays):
    """Threads share functions and get their own values."""
    dot, add = arrays["dot"], arrays["add"]
    wrong = []

    def work(k):
        a = np.full(100 + k % 3, float(k))
        for _ in range(300):
            if dot(a, a) != k * k * len(a) or not (add(a, a) == 2 * k).all():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_the_lock_is_released_in_calls():
    """While a long call runs, another thread of Python runs, too."""
    text = "(def f ((n i64)) (for i n ((x 0.0)) (next (+ (sin x) 1.0)) x))"
    f = mlopt.parse(text, "f.lambda")["f"]
    f(1)
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    f(20_000_000)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(start < t < end for t in ticks) >= 1


def test_threads_compile_at_once():
    values = {}

    def work(k):
        module = mlopt.parse(f"(def f ((x f64)) (* x {k}.0))", "f.terms")
        values[k] = module["f"](2.0)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert values == {k: 2.0 * k for k in range(8)}


def test_functions_outlive_their_module():
    f = mlopt.parse("(def f ((x f64)) (* x x))", "f.terms").compile()["f"]
    assert f(3.0) == 9.0
    assert repr(f) == "<mlopt.Function @f(f64) -> (f64)>"
    assert [str(ty) for ty in f.inputs + f.results] == ["f64", "f64"]


def test_types(arrays):
    ty = arrays["both"].inputs[0]
    assert (ty.dtype, ty.shape, str(ty)) == ("float32", (2, 3), "tensor<2x3xf32>")
    assert arrays["add"].results[0].shape == (None,)
    assert arrays["add"].scratch_bytes([[4], [4]]) == 0


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_elements_of_16_bits(name):
    ty, short = (np.float16, "f16") if name == "float16" else (pytest.importorskip("ml_dtypes").bfloat16, "bf16")
    text = f"""func.func @f(%x: tensor<?x{short}>, %c: {short}) -> (tensor<?x{short}>, {short}) {{
      %n = array.length %x : tensor<?x{short}>
      %d = array.replicate %c, %n : ({short}) -> tensor<?x{short}>
      %y = arith.mulf %x, %d : tensor<?x{short}>
      return %y, %c : tensor<?x{short}>, {short}
    }}"""
    y, c = mlopt.parse(text)["f"](np.array([1, 2, 3], ty), 1.5)
    assert y.dtype == ty and y.tolist() == [1.5, 3.0, 4.5]
    assert c == 1.5


def test_copies_that_exceed_the_memory():
    """Strides of 0 make arrays that are larger than any memory."""
    f = mlopt.parse("func.func @f(%x: tensor<?x?xf64>) -> tensor<?x?xf64> { return %x : tensor<?x?xf64> }")["f"]
    giant = np.broadcast_to(np.float64(1), (1 << 29, 1 << 28))
    with pytest.raises(mlopt.Error, match="expected memory for a copy of an argument of shape") as caught:
        f(giant)
    assert caught.value.kind == "memory"
    np.testing.assert_array_equal(f(np.broadcast_to(np.float64(1), (2, 3))), np.ones((2, 3)))


def test_errors_are_copied_and_pickled():
    with pytest.raises(mlopt.Error) as caught:
        mlopt.parse("func.func @f() { return }\nfunc.func @f() { return }", "f.mlir")
    for copied in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
        assert (type(copied), str(copied), copied.kind) == (mlopt.Error, str(caught.value), "program")
        found = copied.diagnostics[0]
        assert (found.file, found.line, found.severity, str(found)) == ("f.mlir", 2, "error", str(found))
        assert found.notes[0].line == 1


def test_memory_of_results_without_buffer(arrays):
    class Shared:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **_):
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    x = np.arange(3.0)
    np.testing.assert_array_equal(arrays["add"](Shared(x), x), 2 * x)
    with pytest.raises(mlopt.ArgumentError, match="`Shared`, which has no writable buffer"):
        arrays["add"](x, x, out=Shared(x.copy()))


SCRATCH = """func.func @f(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %last, %sums = array.map_accum (%e = %x : tensor<?xf64>) iter_args(%a = %zero) -> (f64, tensor<?xf64>) {
    %b = arith.addf %a, %e : f64
    array.yield %b, %b : f64, f64
  }
  %m = array.max %sums : (tensor<?xf64>) -> f64
  %n = array.length %sums : tensor<?xf64>
  %k = array.build (%i < %n) -> (tensor<?xf64>) {
    %s = array.get %sums[%i] : (tensor<?xf64>) -> f64
    %d = arith.subf %s, %m : f64
    array.yield %d : f64
  }
  %z = array.sum %k : (tensor<?xf64>) -> f64
  return %z : f64
}"""


def test_scratch_memory_of_many_shapes_is_freed():
    """A function keeps the scratch memory of its last call, and little more."""
    f = mlopt.parse(SCRATCH)["f"]
    size = 8_000_000
    if f.scratch_bytes([[size]]) < 8 * size:
        pytest.fail("the program was meant to need scratch memory")

    def resident():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    x = np.ones(size + 8)
    f(x[:size])
    before = resident()
    for k in range(8):
        f(x[: size + k])
    assert resident() - before < 3 * f.scratch_bytes([[size]])


def test_scratch_memory_of_varying_sizes_is_freed():
    """A process keeps about as much memory as its calls have used at once."""
    program = """
import mlopt, numpy as np, os, pathlib
f = mlopt.parse('''%s''')["f"]
def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
x = np.ones(200_000)
f(x)
before = resident()
for k in range(1000):
    f(x[: 100_000 + k * 7919 %% 100_000])
print(resident() - before)
""" % SCRATCH
    grown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert int(grown) < 64
