"""The objective of a Gaussian mixture model, as in ADBench, and its gradient, in double precision."""
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

rng = np.random.default_rng(5)
n, d, k = 30, 3, 4
alphas, means = jnp.asarray(rng.standard_normal(k)), jnp.asarray(rng.standard_normal((k, d)))
icf = jnp.asarray(rng.standard_normal((k, d + d * (d - 1) // 2)) * 0.3)
x = jnp.asarray(rng.standard_normal((n, d)))
rows, cols = np.tril_indices(d, -1)


def objective(alphas, means, icf):
    logdiag, lower = icf[:, :d], icf[:, d:]
    q = jax.vmap(lambda a, l: jnp.diag(jnp.exp(a)).at[rows, cols].set(l))(logdiag, lower)
    diff = x[:, None, :] - means[None, :, :]
    z = jnp.einsum("kij,nkj->nki", q, diff)
    inner = alphas + logdiag.sum(1) - 0.5 * (z**2).sum(-1)
    prior = 0.5 * jnp.sum(jnp.exp(logdiag) ** 2) + 0.5 * jnp.sum(lower**2) - jnp.sum(logdiag)
    return jnp.sum(logsumexp(inner, axis=1)) - n * logsumexp(alphas) + prior


value, grads = jax.jit(jax.value_and_grad(objective, argnums=(0, 1, 2)))(alphas, means, icf)
results = {"value": value, "dalphas": grads[0], "dmeans": grads[1], "dicf": grads[2]}
