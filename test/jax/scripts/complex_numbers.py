"""Complex arithmetic: a Mandelbrot iteration, polynomial roots by Newton, absolute values and angles."""
import jax
import jax.numpy as jnp
import numpy as np

re, im = np.meshgrid(np.linspace(-2, 0.5, 8), np.linspace(-1, 1, 6))
c = jnp.asarray((re + 1j * im).astype("complex64"))


def escape(c):
    def step(i, s):
        z, n = s
        z = jnp.where(jnp.abs(z) < 2, z * z + c, z)
        return z, n + (jnp.abs(z) < 2)

    return jax.lax.fori_loop(0, 20, step, (jnp.zeros_like(c), jnp.zeros(c.shape, jnp.int32)))[1]


newton = lambda z: jax.lax.fori_loop(0, 15, lambda i, z: z - (z**3 - 1) / (3 * z**2), z)
results = {
    "mandelbrot": jax.jit(escape)(c),
    "newton": jax.jit(newton)(jnp.array([1 + 1j, -1 + 0.5j, -1 - 0.5j], jnp.complex64)),
    "exp": jnp.exp(1j * c),
    "angle": jnp.angle(c + 0.1),
    "real": c.real,
    "conj": jnp.conj(c) * c,
}
