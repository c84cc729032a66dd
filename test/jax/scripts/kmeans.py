"""k-means by `while_loop`, until the centres do not move."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(7)
points = jnp.asarray((rng.standard_normal((60, 2)) + rng.integers(0, 3, (60, 1)) * 4).astype("f"))


@jax.jit
def kmeans(points, centres):
    def step(state):
        centres, _, i = state
        distance = jnp.sum((points[:, None] - centres[None]) ** 2, -1)
        nearest = jnp.argmin(distance, axis=1)
        hot = jax.nn.one_hot(nearest, centres.shape[0])
        new = (hot.T @ points) / jnp.maximum(hot.sum(0), 1)[:, None]
        return new, jnp.max(jnp.abs(new - centres)), i + 1

    centres, move, i = jax.lax.while_loop(
        lambda s: (s[1] > 1e-5) & (s[2] < 100), step, (centres, jnp.float32(jnp.inf), 0)
    )
    distance = jnp.sum((points[:, None] - centres[None]) ** 2, -1)
    return centres, i, jnp.argmin(distance, axis=1)


centres, iterations, labels = kmeans(points, points[:3])
results = {"centres": centres, "iterations": iterations, "labels": labels}
