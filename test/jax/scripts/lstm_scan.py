"""An LSTM by `lax.scan`, and its gradient."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(2)
n, d, steps, batch = 8, 5, 12, 3
f32 = lambda *s: jnp.asarray(rng.standard_normal(s).astype("f") * 0.4)
params = {"wx": f32(d, 4 * n), "wh": f32(n, 4 * n), "b": f32(4 * n), "wo": f32(n, 1)}
xs, ys = f32(steps, batch, d), f32(steps, batch)


def cell(p, carry, x):
    h, c = carry
    i, f, g, o = jnp.split(x @ p["wx"] + h @ p["wh"] + p["b"], 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), (h @ p["wo"])[:, 0]


def loss(p, xs, ys):
    start = (jnp.zeros((batch, n), jnp.float32),) * 2
    _, out = jax.lax.scan(lambda c, x: cell(p, c, x), start, xs)
    return jnp.mean((out - ys) ** 2)


value, grads = jax.jit(jax.value_and_grad(loss))(params, xs, ys)
results = {"loss": value, **grads}
