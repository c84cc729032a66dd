"""Trains a small classifier with Adam."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
sizes = [20, 16, 5]
params = [
    (jnp.asarray(rng.standard_normal((m, n)).astype("f") / np.sqrt(m)), jnp.zeros(n, jnp.float32))
    for m, n in zip(sizes, sizes[1:])
]
x = jnp.asarray(rng.standard_normal((32, 20)).astype("f"))
y = jnp.asarray(rng.integers(0, 5, 32).astype("i"))


def loss(params, x, y):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w + b) * jax.nn.one_hot(y, 5), axis=-1))


def adam(g, m, v, t, rate=1e-2, b1=0.9, b2=0.999, eps=1e-8):
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g * g
    return -rate * (m / (1 - b1**t)) / (jnp.sqrt(v / (1 - b2**t)) + eps), m, v


@jax.jit
def step(params, m, v, t, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    t = t + 1
    leaves, tree = jax.tree.flatten(params)
    new = [adam(g, mi, vi, t) for g, mi, vi in zip(jax.tree.leaves(grads), m, v)]
    leaves = [p + u for p, (u, _, _) in zip(leaves, new)]
    return value, jax.tree.unflatten(tree, leaves), [n[1] for n in new], [n[2] for n in new], t


m = [jnp.zeros_like(p) for p in jax.tree.leaves(params)]
v = [jnp.zeros_like(p) for p in jax.tree.leaves(params)]
t = jnp.float32(0)
losses = []
for _ in range(10):
    value, params, m, v, t = step(params, m, v, t, x, y)
    losses.append(float(value))
results = {"losses": np.array(losses, "f"), "w0": params[0][0], "b1": params[1][1]}
