"""Cholesky factors, triangular and general solutions, inverse, determinant, with gradients, in double precision."""
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np

rng = np.random.default_rng(15)
a = jnp.asarray(rng.standard_normal((3, 5, 5)))
spd = a @ jnp.swapaxes(a, -1, -2) + 2 * jnp.eye(5)
b = jnp.asarray(rng.standard_normal((3, 5, 2)))
results = {
    "cholesky": jnp.linalg.cholesky(spd),
    "triangular": jsl.solve_triangular(jnp.linalg.cholesky(spd), b, lower=True),
    "transposed": jsl.solve_triangular(jnp.linalg.cholesky(spd), b, lower=True, trans="T"),
    "solve": jnp.linalg.solve(a, b),
    "cho_solve": jsl.cho_solve((jnp.linalg.cholesky(spd[0]), True), b[0]),
    "inv": jnp.linalg.inv(a),
    "det": jnp.linalg.det(a),
    "slogdet": jnp.linalg.slogdet(a)[1],
    "lu": jsl.lu(a[0])[2],
    "dchol": jax.jit(jax.grad(lambda s: jnp.sum(jnp.linalg.cholesky(s) ** 2 * jnp.arange(5.0))))(spd),
    "dsolve": jax.jit(jax.grad(lambda a: jnp.sum(jnp.linalg.solve(a, b) ** 2)))(a),
    "dlogdet": jax.jit(jax.grad(lambda s: jnp.sum(jnp.linalg.slogdet(s)[1])))(spd),
}
