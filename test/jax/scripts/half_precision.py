"""bfloat16 and float16: mixed-precision layer, reductions, conversions."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(17)
x = jnp.asarray(rng.standard_normal((8, 6)).astype("f"))
w = jnp.asarray(rng.standard_normal((6, 3)).astype("f"))
results = {}
for t in (jnp.bfloat16, jnp.float16):
    name = jnp.dtype(t).name
    layer = lambda w, x: jnp.tanh((x.astype(t) + w.astype(t)[0, 0]) * 2).astype(jnp.float32).sum()
    results[name + "_to"] = x.astype(t)
    results[name + "_back"] = x.astype(t).astype(jnp.float32)
    results[name + "_add"] = x.astype(t) + x.astype(t)[::-1]
    # XLA does not round the intermediate values of a fusion (`xla_allow_excess_precision`), so the sum has only the
    # precision of its terms.
    results[name + "_loss"] = jax.jit(layer)(w, x).astype(t)
    results[name + "_grad"] = jax.jit(jax.grad(layer, argnums=1))(w, x)
    results[name + "_max"] = jnp.max(x.astype(t), axis=0)
