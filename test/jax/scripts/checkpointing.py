"""`jax.checkpoint` in a scan of layers, `custom_vjp`, `custom_jvp`, stop_gradient, higher derivatives."""
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(20)
ws = jnp.asarray(rng.standard_normal((5, 6, 6)).astype("f") * 0.4)
x = jnp.asarray(rng.standard_normal(6).astype("f"))


@jax.checkpoint
def layer(h, w):
    return jnp.tanh(w @ h) + h, jnp.sum(h)


@jax.custom_vjp
def clip_gradient(x):
    return x


clip_gradient.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -0.1, 0.1),))


@jax.custom_jvp
def softabs(x):
    return jnp.sqrt(x * x + 1e-3)


softabs.defjvp(lambda p, t: (softabs(*p), p[0] / softabs(*p) * t[0]))


def loss(ws, x):
    h, sums = jax.lax.scan(layer, x, ws)
    return jnp.sum(softabs(clip_gradient(h))) + jnp.sum(jax.lax.stop_gradient(sums) * x[0])


value, grads = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(ws, x)
third = jax.jit(jax.grad(jax.grad(jax.grad(lambda t: jnp.sin(t) * jnp.exp(t)))))(0.5)
results = {"value": value, "dws": grads[0], "dx": grads[1], "third": third}
