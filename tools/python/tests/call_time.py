"""Prints the time of calls, next to those of NumPy. Timing decides no test, so this is not one."""

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
