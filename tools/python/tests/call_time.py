"""Prints the time of calls, next to those of NumPy, and how many calls two threads make in the time of one.

Fails if calls take much longer than those of NumPy in the same process. It is no test: the machine must be idle."""

import sys
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
calls = ["square(2.0)", "add(a, b, out=z)", "np.add(a, b, out=z)", "add(a, b)", "np.add(a, b)"]
# In turn, because the speed of machines varies.
rounds = [[timeit.timeit(call, globals=globals(), number=2_000) / 2_000 for call in calls] for _ in range(200)]
times = dict(zip(calls, map(min, zip(*rounds))))
for call, seconds in times.items():
    print(f"{call:20} {seconds * 1e9:6.0f} ns")
slow = [call for call in times if times[call] > 1.3 * times["np.add(a, b)"]]

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
if slow:
    sys.exit(f"expected at most 1.3 times the time of NumPy, found more: {', '.join(slow)}")
