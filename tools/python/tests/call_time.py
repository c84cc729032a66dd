"""Prints the time of calls, next to those of NumPy, and how many calls two threads make in the time of one.

Timing decides no test, so this is not one."""

import threading
import time
import timeit

import mlopt
import numpy as np

module = mlopt.parse(
    """func.func @square(%x: f64) -> f64 { %z = arith.mulf %x, %x : f64 return %z : f64 }
       func.func @add(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
         %z = arith.addf %a, %b : tensor<?xf64>
         return %z : tensor<?xf64>
       }"""
)
square, add = module["square"], module["add"]
a, b, z = np.ones(8), np.ones(8), np.ones(8)
for call in ["square(2.0)", "add(a, b, out=z)", "np.add(a, b, out=z)", "add(a, b)", "np.add(a, b)"]:
    seconds = min(timeit.repeat(call, globals=globals(), number=20_000, repeat=20)) / 20_000
    print(f"{call:20} {seconds * 1e9:6.0f} ns")

work = mlopt.parse(
    """func.func @f(%a: tensor<?xf64>) -> f64 {
         %s = math.sin %a : tensor<?xf64>
         %z = array.sum %s : (tensor<?xf64>) -> f64
         return %z : f64
       }"""
)["f"]


def seconds(threads, calls=200):
    """Returns the time in which each of some threads calls the function."""
    loop = lambda a: [work(a) for _ in range(calls)]
    all_threads = [threading.Thread(target=loop, args=(np.ones(20_000),)) for _ in range(threads)]
    start = time.perf_counter()
    [thread.start() for thread in all_threads]
    [thread.join() for thread in all_threads]
    return time.perf_counter() - start


work(np.ones(20_000))
one, two = (min(seconds(threads) for _ in range(5)) for threads in (1, 2))
print(f"two threads make {2 * one / two:.2f} times the calls of one")
