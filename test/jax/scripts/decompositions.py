"""QR, symmetric eigenvalues, singular values, pseudo-inverse, least squares, in double precision. Signs are fixed."""
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(16)
a = jnp.asarray(rng.standard_normal((6, 4)))
s = jnp.asarray(rng.standard_normal((5, 5)))
s = s + s.T
q, r = jnp.linalg.qr(a)
sign = jnp.sign(jnp.diagonal(r))
w, v = jnp.linalg.eigh(s)
u, d, vt = jnp.linalg.svd(a, full_matrices=False)
results = {
    "q": q * sign,
    "r": r * sign[:, None],
    "eigenvalues": w,
    "projector": v[:, :2] @ v[:, :2].T,
    "singular": d,
    "low_rank": (u[:, :2] * d[:2]) @ vt[:2],
    "singular_only": jnp.linalg.svd(a, compute_uv=False),
    "eigvalsh": jnp.linalg.eigvalsh(s),
    "pinv": jnp.linalg.pinv(a),
    "lstsq": jnp.linalg.lstsq(a, jnp.arange(6.0))[0],
    "norm": jnp.linalg.norm(a, 2),
    "deig": jax.jit(jax.grad(lambda s: jnp.sum(jnp.linalg.eigh(s)[0] ** 3)))(s),
    "dqr": jax.jit(jax.grad(lambda a: jnp.sum(jnp.abs(jnp.linalg.qr(a)[1]))))(a),
    "dsvd": jax.jit(jax.grad(lambda a: jnp.linalg.svd(a, compute_uv=False)[0]))(a),
}
