"""The Lorenz system by `fori_loop` (with a gradient) and an adaptive method by `while_loop`, in double precision."""
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np


def lorenz(s, p):
    x, y, z = s
    return jnp.stack([p[0] * (y - x), x * (p[1] - z) - y, x * y - p[2] * z])


def rk4(s, p, h):
    k1 = lorenz(s, p)
    k2 = lorenz(s + h / 2 * k1, p)
    k3 = lorenz(s + h / 2 * k2, p)
    k4 = lorenz(s + h * k3, p)
    return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


start, p = jnp.array([1.0, 1.0, 1.0]), jnp.array([10.0, 28.0, 8 / 3])
fixed = lambda p: jax.lax.fori_loop(0, 50, lambda i, s: rk4(s, p, 0.01), start)


@jax.jit
def adaptive(p, end):
    def step(state):
        t, h, s, n = state
        h = jnp.minimum(h, end - t)
        error = jnp.max(jnp.abs(rk4(s, p, h) - rk4(rk4(s, p, h / 2), p, h / 2)))
        ok = error < 1e-7
        s = jnp.where(ok, rk4(rk4(s, p, h / 2), p, h / 2), s)
        factor = jnp.clip(0.9 * (1e-7 / (error + 1e-300)) ** 0.2, 0.2, 3.0)
        return jnp.where(ok, t + h, t), h * factor, s, n + 1

    return jax.lax.while_loop(lambda s: s[0] < end, step, (jnp.float64(0), jnp.float64(0.01), start, 0))


t, h, s, n = adaptive(p, 0.4)
results = {
    "fixed": jax.jit(fixed)(p),
    "grad": jax.jit(jax.grad(lambda p: jnp.sum(fixed(p))))(p),
    "t": t,
    "s": s,
    "n": n,
}
