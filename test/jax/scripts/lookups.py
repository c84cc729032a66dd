"""Dynamic slices and updates, advanced indexing, padding, clamping, `select`, one-hot, tile and repeat."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(19)
x = jnp.asarray(rng.standard_normal((6, 7)).astype("f"))
i = jnp.asarray(np.array([5, 0, 3], "i"))
# The second window is partly outside.
starts = jnp.asarray(np.array([[0, 1], [4, 5]], "i"))
windows = jax.lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
updates = jnp.asarray(rng.standard_normal((2, 3, 4)).astype("f"))
results = {
    "windows": jax.jit(lambda x: jax.lax.scatter_add(x, starts, updates, windows))(x),
    "windows_set": jax.jit(lambda x: jax.lax.scatter(x, starts, updates, windows))(x),
    "windows_once": jax.jit(lambda x: jax.lax.scatter_mul(x, starts, updates, windows, unique_indices=True))(x),
    "slice": jax.jit(lambda x, i: jax.lax.dynamic_slice(x, (i, 2), (3, 4)))(x, 5),
    "update": jax.jit(lambda x, i: jax.lax.dynamic_update_slice(x, jnp.ones((2, 2)), (i, i)))(x, 6),
    "rows": x[i],
    "pairs": x[i, i[::-1]],
    "masked": jnp.where(x > 0, x, 0.1 * x),
    "pad": jnp.pad(x, ((1, 2), (0, 1)), constant_values=3),
    "edge": jnp.pad(x, 2, mode="edge"),
    "reflect": jnp.pad(x, 2, mode="reflect"),
    "lax_pad": jax.lax.pad(x, 0.5, ((1, -1, 2), (-2, 0, 0))),
    "clip": jnp.clip(x, -0.5, 0.5),
    "select": jnp.select([x > 1, x < -1], [x * 0 + 1, x * 0 - 1], x),
    "argmax": jnp.argmax(x, axis=1),
    "tile": jnp.tile(x, (2, 1)),
    "repeat": jnp.repeat(x, 2, axis=1),
    "repeat_at": jnp.repeat(x, i, axis=0, total_repeat_length=8) if x.shape[0] == 3 else jnp.repeat(x[:3], i, axis=0),
    "stack": jnp.stack([x, x + 1], axis=1),
    "nonzero": jnp.nonzero(x[0] > 0, size=5, fill_value=-1)[0],
    "grad": jax.jit(jax.grad(lambda x: jnp.sum(x[i] ** 3) + jax.lax.dynamic_slice(x, (4, 4), (3, 3)).sum()))(x),
    "take": jnp.take(x, i, axis=1),
    "strided": x[1::2, ::3],
    "loop": jax.jit(lambda x: jax.lax.fori_loop(0, 6, lambda k, a: a.at[k].multiply(k), x))(x),
    "map": jax.jit(lambda x: jax.lax.map(lambda r: jnp.sum(r * r), x))(x),
}
