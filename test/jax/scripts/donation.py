"""Donated arguments: the old arrays are deleted, aliases of others stay intact."""
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial


@partial(jax.jit, donate_argnums=0)
def update(state, x):
    return {"sum": state["sum"] + x, "count": state["count"] + 1}, x * 2


state = {"sum": jnp.zeros(8), "count": jnp.int32(0)}
x = jnp.arange(8.0)
copy = None
for i in range(5):
    old = state
    kept = np.asarray(state["sum"]).copy()
    state, y = update(state, x)
    deleted = old["sum"].is_deleted()


@partial(jax.jit, donate_argnums=(0, 1))
def swap(a, b):
    return b, a


p, q = swap(jnp.arange(4.0), jnp.arange(4.0) + 10)
results = {**state, "y": y, "kept": kept, "deleted": np.array(deleted), "p": p, "q": q}
