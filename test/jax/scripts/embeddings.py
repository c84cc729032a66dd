"""Looks up rows of a table by index, and the gradient, which adds to rows."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(4)
table = jnp.asarray(rng.standard_normal((50, 8)).astype("f"))
w = jnp.asarray(rng.standard_normal((8, 50)).astype("f") * 0.3)
tokens = jnp.asarray(rng.integers(0, 50, (4, 7)).astype("i"))


def loss(table, w, tokens):
    h = table[tokens].mean(axis=1)
    logits = jax.nn.log_softmax(h @ w)
    return -jnp.mean(jnp.take_along_axis(logits, tokens[:, :1], axis=1))


value, (dtable, dw) = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(table, w, tokens)
results = {
    "loss": value,
    "dtable": dtable,
    "dw": dw,
    "clip": jnp.take(table, jnp.array([-3, 70]), axis=0, mode="clip"),
    "fill": jnp.take(table, jnp.array([49, 70]), axis=0, mode="fill", fill_value=0),
}
