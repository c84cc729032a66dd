"""Reactive nodes."""

import os
import subprocess
import sys

import mlopt
import numpy as np
import pytest

TEXT = """
stream.node @total(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %before = stream.fby %zero, %y : f64
  %y = arith.addf %before, %x : f64
  stream.yield %y : f64
}
stream.node @suffix_sum(%x: f64, %end: i1) -> (s: f64) {
  %zero = arith.constant 0.0 : f64
  %next = stream.post %s : f64
  %rest = stream.select %end, %zero, %next : f64
  %s = arith.addf %x, %rest : f64
  stream.yield %s : f64
}
stream.node @rows(%x: tensor<2xf32>) -> (y: tensor<2xf32>) {
  %y = arith.addf %x, %x : tensor<2xf32>
  stream.yield %y : tensor<2xf32>
}
"""


def test_step():
    node = mlopt.Node(TEXT, "total", "nodes.mlir")
    assert [node.step(x=float(k)) for k in range(4)] == [{"y": y} for y in (0.0, 1.0, 3.0, 6.0)]
    assert node.step(x=None) == {"y": None}
    assert node.step(x=1) == {"y": 7.0}
    node.restart()
    assert node.step(x=1.0) == {"y": 1.0}
    assert (node.inputs["x"].dtype, node.outputs["y"].shape) == ("float64", ())
    assert "total" in node.memory


def test_run():
    node = mlopt.Node(mlopt.parse(TEXT, "nodes.mlir"), "@total")
    xs = np.random.default_rng(1).normal(size=10_000)
    for _ in range(2):
        np.testing.assert_allclose(node.run(x=xs)["y"], np.cumsum(xs), rtol=1e-9)
    assert node.run(x=[1, 2, None, 4])["y"] == [1.0, 3.0, None, 7.0]
    assert node.run(x=np.zeros(0))["y"].shape == (0,)


def test_nodes_that_look_ahead():
    node = mlopt.Node(TEXT, "suffix_sum")
    xs, ends = np.arange(1.0, 6.0), np.array([False, False, True, False, True])
    np.testing.assert_array_equal(node.run(x=xs, end=ends)["s"], [6.0, 5.0, 3.0, 9.0, 5.0])
    rows = [{"x": x, "end": bool(end)} for x, end in zip(xs, ends)]
    assert [row["s"] for row in node.iterate(rows)] == [6.0, 5.0, 3.0, 9.0, 5.0]
    with pytest.raises(mlopt.Error, match="depend on later cycles") as caught:
        node.step(x=1.0, end=True)
    assert caught.value.kind == "not supported"
    with pytest.raises(mlopt.Error, match="the inputs end before"):
        node.run(x=xs[:1], end=ends[:1])
    assert node.run(x=xs, end=ends)["s"][0] == 6.0


def test_arrays():
    node = mlopt.Node(TEXT, "rows")
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    np.testing.assert_array_equal(node.run(x=x)["y"], 2 * x)
    node.restart()
    np.testing.assert_array_equal(node.step(x=x[0])["y"], 2 * x[0])


def test_errors():
    with pytest.raises(mlopt.Error) as caught:
        mlopt.Node(TEXT.replace("%before, %x", "%y, %x"), "total", "n.mlir")
    found = caught.value.diagnostics[0]
    assert (found.file, found.line) == ("n.mlir", 5)
    with pytest.raises(mlopt.Error, match="unknown node `@totl`; did you mean `total`"):
        mlopt.Node(TEXT, "totl")
    node = mlopt.Node(TEXT, "total")
    for inputs, message in [
        ({}, "expected values of the input `x`"),
        ({"z": 1.0}, "the node has no input `z`; it has 'x'"),
        ({"x": "a"}, "must be float64"),
        ({"x": [1.0, 2.0]}, "must have shape ()"),
        ({"x": 1j}, "must be float64, found complex128"),
    ]:
        with pytest.raises(mlopt.ArgumentError) as caught:
            node.step(**inputs)
        assert message in str(caught.value)
    with pytest.raises(mlopt.ArgumentError, match="must be `tensor<3xf64>`, found `tensor<3xf32>`"):
        node.run(x=np.ones(3, "f4"))
    assert node.step(x=1.0) == {"y": 1.0}


def test_positions_of_modules():
    with pytest.raises(mlopt.Error) as caught:
        mlopt.Node(mlopt.parse(TEXT.replace("%before, %x", "%y, %x"), "n.mlir"), "total")
    found = caught.value.diagnostics[0]
    assert (found.file, found.line, found.source_line) == ("n.mlir", 5, "  %y = arith.addf %y, %x : f64")


SLOW = """
stream.node @slow(%x: f64) -> (y: f64) {
  %zero = arith.constant 0.0 : f64
  %before = stream.fby %zero, %y : f64
  %a = math.sin %before : f64
  %b = math.exp %a : f64
  %y = arith.addf %b, %x : f64
  stream.yield %y : f64
}
"""


def run(script, **options):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, **options)


def test_interrupts():
    """Ctrl-C ends a run, after which the node can be used again."""
    script = f"""
import mlopt, numpy as np, os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore Ctrl-C
node = mlopt.Node({SLOW!r}, "slow")
x = np.ones(3_000_000)
timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
timer.start()
try:
    while True:
        node.run(x=x)
except KeyboardInterrupt:
    node.restart()
    print(node.step(x=1.0))
"""
    assert run(script).stdout == "{'y': 2.0}\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork():
    """A child process has no thread of the node: it gets an error and does not wait for ever."""
    script = f"""
import mlopt, os
node = mlopt.Node({TEXT!r}, "total")
child = os.fork()
if child == 0:
    try:
        node.step(x=1.0)
    except mlopt.Error as error:
        print(error.kind, "fork" in str(error), flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(node.step(x=1.0))
"""
    assert run(script).stdout == "not supported True\n{'y': 1.0}\n"
