"""One training step of a transformer block with layer normalisation, GELU, embeddings and weight decay."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(21)
v, d, t, b = 30, 16, 8, 2
f32 = lambda *s: jnp.asarray(rng.standard_normal(s).astype("f") * 0.2)
params = {
    "embed": f32(v, d),
    "pos": f32(t, d),
    "qkv": f32(d, 3 * d),
    "out": f32(d, d),
    "up": f32(d, 4 * d),
    "down": f32(4 * d, d),
    "g": f32(2, d),
}
tokens = jnp.asarray(rng.integers(0, v, (b, t + 1)).astype("i"))


def norm(x, g):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * (1 + g)


def loss(p, tokens):
    x = p["embed"][tokens[:, :-1]] + p["pos"]
    q, k, val = jnp.split(norm(x, p["g"][0]) @ p["qkv"], 3, -1)
    s = jnp.where(jnp.tri(t, dtype=bool), q @ k.mT / 4, -jnp.inf)
    x = x + jax.nn.softmax(s, -1) @ val @ p["out"]
    x = x + jax.nn.gelu(norm(x, p["g"][1]) @ p["up"]) @ p["down"]
    logits = jax.nn.log_softmax(x @ p["embed"].T)
    return -jnp.take_along_axis(logits, tokens[:, 1:, None], -1).mean()


@jax.jit
def step(p, tokens):
    value, g = jax.value_and_grad(loss)(p, tokens)
    size = jnp.sqrt(sum(jnp.vdot(x, x) for x in jax.tree.leaves(g)))
    scale = jnp.minimum(1.0, 1.0 / size)
    return value, size, jax.tree.map(lambda p, g: p * 0.999 - 0.3 * scale * g, p, g)


for _ in range(3):
    value, size, params = step(params, tokens)
results = {"loss": value, "size": size, **params}
