"""Fourier transforms: complex, real, two axes, and a gradient through one."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(14)
x = jnp.asarray(rng.standard_normal(16).astype("f"))
m = jnp.asarray(rng.standard_normal((4, 6)).astype("f"))
results = {
    "rfft": jnp.abs(jnp.fft.rfft(x)),
    "fft": jnp.fft.fft(x),
    "ifft": jnp.fft.ifft(jnp.fft.fft(x)).real,
    "irfft": jnp.fft.irfft(jnp.fft.rfft(x)),
    "fft2": jnp.fft.fft2(m),
    "grad": jax.jit(jax.grad(lambda x: jnp.sum(jnp.abs(jnp.fft.rfft(x)) ** 4)))(x),
}
