"""Arrays with shardings, and computations on the part of each device, on a mesh of one device."""
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))
rng = np.random.default_rng(0)
x = jax.device_put(rng.standard_normal((8, 6)).astype("f"), NamedSharding(mesh, P("data", None)))
w = jax.device_put(rng.standard_normal((6, 4)).astype("f"), NamedSharding(mesh, P(None, "model")))


@jax.jit
def loss(w, x):
    h = jax.lax.with_sharding_constraint(jnp.tanh(x @ w), NamedSharding(mesh, P("data", "model")))
    return jnp.mean(h**2)


@jax.jit
@functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("data"), P()), out_specs=(P(), P("data")))
def step(x, w):
    y = jnp.sin(x @ w)
    return jax.lax.pmean(jnp.mean(y), "data"), y - jax.lax.axis_index("data")


value, grad = jax.value_and_grad(loss)(w, x)
mean, y = step(x, w)
total = jax.jit(jnp.sum, out_shardings=NamedSharding(mesh, P()))(x)
results = {"value": value, "grad": grad, "mean": mean, "y": y, "total": total, "same": jax.jit(lambda x: x)(x)}
