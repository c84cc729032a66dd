"""Seven samplers of `jax.random`, the raw bits, and the generator `rbg` with a key that is a constant."""
import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(7)
k = jax.random.split(key, 9)
results = {
    "bits": jax.random.bits(k[0], (17,)),
    "bits8": jax.random.bits(k[0], (17,), jnp.uint8),
    "uniform": jax.random.uniform(k[1], (5, 7)),
    "normal": jax.random.normal(k[2], (33,)),
    "randint": jax.random.randint(k[3], (20,), -5, 100),
    "bernoulli": jax.random.bernoulli(k[4], 0.3, (20,)),
    "permutation": jax.random.permutation(k[5], 12),
    "categorical": jax.random.categorical(k[6], jnp.log(jnp.array([0.1, 0.2, 0.3, 0.4])), shape=(16,)),
    "exponential": jax.random.exponential(k[7], (9,)),
    "truncated": jax.random.truncated_normal(k[8], -1.0, 1.0, (9,)),
    "fold_in": jax.random.fold_in(key, 5),
    "rbg": jax.jit(lambda: jax.random.normal(jax.random.key(3, impl="rbg"), (8,)))(),
}
