"""`jax.export`: a function is serialised, read again and called, also with its gradient."""
import jax
import jax.export
import jax.numpy as jnp
import numpy as np

f = lambda x: jnp.sum(jnp.sin(x) * jnp.cumsum(x))
x = jnp.arange(6, dtype=jnp.float32)
exported = jax.export.export(jax.jit(f))(jax.ShapeDtypeStruct((6,), jnp.float32))
again = jax.export.deserialize(exported.serialize(vjp_order=1))
results = {"direct": f(x), "again": again.call(x), "grad": jax.grad(again.call)(x)}
