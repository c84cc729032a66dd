"""Cumulative sums, interpolation, convolution, associative scan."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(13)
x = jnp.asarray(rng.standard_normal((3, 17)).astype("f"))
k = jnp.asarray(rng.standard_normal(5).astype("f"))
at = jnp.asarray(rng.random(8).astype("f") * 4)
compose = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
results = {
    "cumsum": jnp.cumsum(x, axis=1),
    "cumprod": jnp.cumprod(x[:, :6], axis=0),
    "cummax": jax.lax.cummax(x, axis=1),
    "logcumsumexp": jax.lax.cumlogsumexp(x, axis=1),
    "interp": jnp.interp(at, jnp.arange(5.0), k),
    "convolve": jnp.convolve(x[0], k, mode="same"),
    "full": jnp.convolve(x[0], k),
    "scan": jax.jit(lambda a, b: jax.lax.associative_scan(compose, (a, b)))(x[0], x[1])[1],
    "diff": jnp.diff(x, axis=1),
    "grad": jax.jit(jax.grad(lambda k: jnp.sum(jnp.cumsum(jnp.convolve(x[0], k)) ** 2)))(k),
    "roll": jnp.roll(x, 3, axis=1),
    "flip": x[:, ::-1],
}
