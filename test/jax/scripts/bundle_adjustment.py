"""Residuals of bundle adjustment, as in ADBench, and their Jacobian by blocks, in double precision."""
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(6)
p = 6
cams = jnp.asarray(rng.standard_normal((p, 11)) * 0.1 + np.array([0.1] * 6 + [1.0] + [0.0] * 4))
points = jnp.asarray(rng.standard_normal((p, 3)) + np.array([0, 0, 5.0]))
weights, feats = jnp.asarray(rng.random(p)), jnp.asarray(rng.standard_normal((p, 2)))


def rotate(r, x):
    theta2 = jnp.dot(r, r)
    theta = jnp.sqrt(jnp.where(theta2 == 0, 1.0, theta2))
    w = r / theta
    cross = jnp.cross(w, x)
    turned = x * jnp.cos(theta) + cross * jnp.sin(theta) + w * jnp.dot(w, x) * (1 - jnp.cos(theta))
    return jnp.where(theta2 == 0, x + jnp.cross(r, x), turned)


def project(cam, x):
    xc = rotate(cam[:3], x - cam[3:6])
    q = xc[:2] / xc[2]
    r2 = q @ q
    return q * (1 + cam[9] * r2 + cam[10] * r2 * r2) * cam[6] + cam[7:9]


def residual(cam, x, w, feat):
    return jnp.concatenate([w * (project(cam, x) - feat), 1 - w[None] ** 2])


errors = jax.jit(jax.vmap(residual))(cams, points, weights, feats)
jacobians = jax.jit(jax.vmap(jax.jacrev(residual, argnums=(0, 1, 2))))(cams, points, weights, feats)
forward = jax.jit(jax.vmap(jax.jacfwd(residual, argnums=0)))(cams, points, weights, feats)
results = {"errors": errors, "dcam": jacobians[0], "dx": jacobians[1], "dw": jacobians[2], "forward": forward}
