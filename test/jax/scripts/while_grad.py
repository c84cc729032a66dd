"""Fixed points by implicit differentiation, forward mode through `while_loop`, bisection and Newton's method."""
import jax
import jax.numpy as jnp
import numpy as np


def fixed_point(f, start):
    cond = lambda s: (jnp.abs(s[0] - s[1]) > 1e-6) & (s[2] < 200)
    return jax.lax.while_loop(cond, lambda s: (f(s[0]), s[0], s[2] + 1), (f(start), start, 0))[0]


kepler = lambda e: fixed_point(lambda x: 1.0 + e * jnp.sin(x), 1.0)


def bisect(c):
    def step(s):
        lo, hi = s
        mid = (lo + hi) / 2
        return jax.lax.cond(mid**3 < c, lambda: (mid, hi), lambda: (lo, mid))

    return jax.lax.fori_loop(0, 20, lambda i, s: step(s), (jnp.float32(0), c))


results = {
    "kepler": jax.jit(kepler)(0.3),
    "jvp": jax.jit(lambda e: jax.jvp(kepler, (e,), (1.0,))[1])(0.3),
    "bisect": jax.jit(bisect)(jnp.float32(5))[0],
    "batched": jax.jit(jax.vmap(kepler))(jnp.linspace(0.1, 0.6, 6)),
    "collatz": jax.jit(
        lambda n: jax.lax.while_loop(
            lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0)
        )[1]
    )(27),
}
