"""Sort, argsort, sort by key with gradient, top-k, unique, median, searchsorted."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(11)
x = jnp.asarray(rng.standard_normal((4, 9)).astype("f"))
i = jnp.asarray(rng.integers(0, 6, 20).astype("i"))
values, indices = jax.jit(lambda x: jax.lax.top_k(x, 3))(x)
unique, inverse, counts = jnp.unique(i, return_inverse=True, return_counts=True)
results = {
    "sort": jnp.sort(x, axis=1),
    "sort0": jnp.sort(x, axis=0),
    "nan": jnp.sort(jnp.array([3.0, jnp.nan, -0.0, 0.0, -jnp.inf, 1.0])),
    "argsort": jnp.argsort(i),
    "descending": jnp.sort(i, descending=True),
    "grad": jax.jit(jax.grad(lambda x: jnp.sum(jnp.sort(x, axis=1) * jnp.arange(9.0))))(x),
    "top": values,
    "top_indices": indices,
    "unique": unique,
    "inverse": inverse,
    "counts": counts,
    "fixed": jax.jit(lambda i: jnp.unique(i, size=8, fill_value=-1))(i),
    "median": jnp.median(x, axis=1),
    "lexsort": jnp.lexsort((x[0], i[:9])),
    "searchsorted": jnp.searchsorted(jnp.sort(x[0]), x[1]),
}
