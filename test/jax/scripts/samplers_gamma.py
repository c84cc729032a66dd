"""Samplers with rejection loops: gamma, beta, Poisson, Dirichlet."""
import jax
import jax.numpy as jnp

k = jax.random.split(jax.random.key(8), 4)
results = {
    "gamma": jax.random.gamma(k[0], 2.5, (12,)),
    "beta": jax.random.beta(k[1], 2.0, 3.0, (12,)),
    "poisson": jax.random.poisson(k[2], 4.0, (12,)),
    "dirichlet": jax.random.dirichlet(k[3], jnp.array([1.0, 2.0, 3.0]), (4,)),
}
