"""Dropout with explicit keys: bits, values and gradient."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(10)
x = jnp.asarray(rng.standard_normal((6, 10)).astype("f"))
w = jnp.asarray(rng.standard_normal((10, 4)).astype("f"))
key = jax.random.key(42)


def layer(key, w, x, rate=0.4):
    h = jnp.tanh(x @ w)
    keep = jax.random.bernoulli(key, 1 - rate, h.shape)
    return jnp.where(keep, h / (1 - rate), 0), keep


keys = jax.random.split(key, 3)
out, keep = jax.jit(layer)(keys[0], w, x)
grad = jax.jit(jax.grad(lambda w: jnp.sum(layer(keys[1], w, x)[0] ** 2)))(w)
results = {"keys": jax.random.key_data(keys), "out": out, "keep": keep, "grad": grad}
