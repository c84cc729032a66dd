"""A residual block with batch normalisation and max pooling: value, gradient, updated statistics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

rng = np.random.default_rng(1)
f32 = lambda *s: jnp.asarray(rng.standard_normal(s).astype("f") * 0.3)
params = {
    "k1": f32(3, 3, 4, 8),
    "k2": f32(3, 3, 8, 8),
    "k3": f32(1, 1, 4, 8),
    "g1": f32(8),
    "b1": f32(8),
    "w": f32(8, 3),
}
x = jnp.asarray(rng.standard_normal((2, 8, 8, 4)).astype("f"))
y = jnp.asarray(np.array([0, 2], "i"))


def conv(x, k, stride=1):
    return lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def norm(x, g, b):
    mean = x.mean((0, 1, 2))
    var = x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(var + 1e-5) * g + b, mean, var


def net(p, x):
    h, mean, var = norm(conv(x, p["k1"], 2), p["g1"], p["b1"])
    h = conv(jax.nn.relu(h), p["k2"])
    h = jax.nn.relu(h + conv(x, p["k3"], 2))
    h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return h.mean((1, 2)) @ p["w"], (mean, var)


def loss(p, x, y):
    logits, stats = net(p, x)
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(2), y]), stats


(value, stats), grads = jax.jit(jax.value_and_grad(loss, has_aux=True))(params, x, y)
results = {"loss": value, "mean": stats[0], "var": stats[1], **{"d" + k: g for k, g in grads.items()}}
