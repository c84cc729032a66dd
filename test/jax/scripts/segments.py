"""Segment sums, scatters with several combinators, histograms."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(12)
data = jnp.asarray(rng.standard_normal((24, 3)).astype("f"))
ids = jnp.asarray(rng.integers(0, 6, 24).astype("i"))
total = jax.jit(lambda d: jax.ops.segment_sum(d, ids, num_segments=6))
results = {
    "sum": total(data),
    "max": jax.ops.segment_max(data, ids, num_segments=6),
    "prod": jax.ops.segment_prod(data, ids, num_segments=6),
    "grad": jax.jit(jax.grad(lambda d: jnp.sum(total(d) ** 2)))(data),
    "set": jnp.zeros(6).at[jnp.array([1, 3])].set(jnp.array([5.0, 6.0])),
    "multiply": jnp.ones(6).at[ids].multiply(2.0),
    "drop": jnp.zeros(6).at[jnp.array([2, 9])].add(1.0, mode="drop"),
    "window": jnp.zeros((5, 5)).at[1:3, 2:4].set(7.0),
    "bincount": jnp.bincount(ids, length=8),
    "histogram": jnp.histogram(data[:, 0], bins=5, range=(-2, 2))[0],
}
