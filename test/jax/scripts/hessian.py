"""Hessians of Rosenbrock's function and of a logistic regression."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(9)
rosenbrock = lambda x: jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
x = jnp.asarray(rng.standard_normal(6).astype("f"))
data = jnp.asarray(rng.standard_normal((20, 4)).astype("f"))
label = jnp.asarray(rng.integers(0, 2, 20).astype("f"))
logistic = lambda w: jnp.mean(jnp.logaddexp(0.0, data @ w) - label * (data @ w))
w = jnp.zeros(4, jnp.float32)
for _ in range(3):
    w = w - jax.jit(lambda w: jax.hessian(logistic)(w) @ jax.grad(logistic)(w))(w)
results = {
    "rosenbrock": jax.jit(jax.hessian(rosenbrock))(x),
    "logistic": jax.jit(jax.hessian(logistic))(w),
    "w": w,
    "hvp": jax.jit(lambda x, v: jax.jvp(jax.grad(rosenbrock), (x,), (v,))[1])(x, jnp.ones_like(x)),
}
