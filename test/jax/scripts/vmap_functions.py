"""`vmap` over several axes, of matrix products, gradients and conditionals."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(8)
a = jnp.asarray(rng.standard_normal((5, 3, 4)).astype("f"))
b = jnp.asarray(rng.standard_normal((4, 5)).astype("f"))
f = lambda m, v: jnp.tanh(m @ v).sum()
g = lambda x: jax.lax.cond(x > 0, lambda x: x * x, lambda x: -3 * x, x)
results = {
    "plain": jax.jit(jax.vmap(f, in_axes=(0, 1)))(a, b),
    "outer": jax.jit(jax.vmap(jax.vmap(f, (None, 1)), (0, None)))(a, b),
    "per_example": jax.jit(jax.vmap(jax.grad(f), (0, 1)))(a, b),
    "cond": jax.vmap(g)(b[0]),
    "cond_scalar": jax.jit(g)(b[0, 0]),
    "switch": jax.jit(lambda i, x: jax.lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x))(2, b[1]),
}
