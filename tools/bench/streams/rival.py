"""The training of training.mlir in JAX: `rival.py x.npy target.npy kernel.npy LENGTH RATE`.

For each line on the standard input all sequences are trained on once more; the answer is a line with the seconds, and the losses of
the sequences."""
import json
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
x, target, kernel = (np.load(f) for f in sys.argv[1:4])
length, rate = int(sys.argv[4]), float(sys.argv[5])
cells = target.shape[1]
x, target = (a.reshape(-1, length, a.shape[1]) for a in (x, target))


def loss(kernel, x, target):
    def step(state, row):
        h, c = state
        z = kernel @ jnp.concatenate([row[0], h, jnp.ones(1)])
        i, f, o, a = z.reshape(4, cells)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(a)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), jnp.sum((h - row[1]) ** 2)

    zeros = jnp.zeros(cells)
    return jnp.sum(jax.lax.scan(step, (zeros, zeros), (x, target))[1])


@jax.jit
def train(kernel, x, target):
    def sequence(kernel, rows):
        value, gradient = jax.value_and_grad(loss)(kernel, *rows)
        return kernel - rate * gradient, value

    return jax.lax.scan(sequence, kernel, (x, target))


jax.block_until_ready(train(kernel, x, target))
for _ in sys.stdin:
    start = time.perf_counter()
    kernel, losses = jax.block_until_ready(train(kernel, x, target))
    seconds = time.perf_counter() - start
    print(json.dumps([seconds, losses.tolist()]), flush=True)
