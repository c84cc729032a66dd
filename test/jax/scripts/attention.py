"""Causal multi-head attention: value and gradient."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(3)
b, t, heads, d = 2, 10, 2, 4
f32 = lambda *s: jnp.asarray(rng.standard_normal(s).astype("f") * 0.5)
x = f32(b, t, heads * d)
params = {name: f32(heads * d, heads * d) for name in ("q", "k", "v", "o")}


def attention(p, x):
    q, k, v = (jnp.reshape(x @ p[name], (b, t, heads, d)) for name in "qkv")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(jnp.float32(d))
    mask = jnp.tril(jnp.ones((t, t), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e30), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, t, -1) @ p["o"]


loss = lambda p, x: jnp.sum(jnp.sin(attention(p, x)))
out = jax.jit(attention)(params, x)
value, grads = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(params, x)
results = {"out": out, "loss": value, "dx": grads[1], **grads[0]}
