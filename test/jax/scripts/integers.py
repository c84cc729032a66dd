"""Arithmetic of small, unsigned and boolean types, shifts, conversions that saturate, bit casts."""
import jax
import jax.numpy as jnp
import numpy as np

types = [jnp.int8, jnp.int16, jnp.int32, jnp.uint8, jnp.uint16, jnp.uint32]
results = {}
for t in types:
    a = jnp.asarray(np.array([1, 7, 100, 120, 3], t))
    b = jnp.asarray(np.array([3, 2, 50, 9, 127], t))
    name = np.dtype(t).name
    results[name + "+"] = a + b
    results[name + "*"] = a * b
    results[name + "//"] = a // b
    results[name + "%"] = a % b
    results[name + "-"] = b - a
    results[name + "<<"] = a << jnp.minimum(b, 5)
    results[name + ">>"] = (b - a) >> 1
    results[name + "sum"] = jnp.sum(a * b)
    results[name + "max"] = jnp.max(b - a)
    results[name + "clz"] = jax.lax.clz(a)
    results[name + "pop"] = jax.lax.population_count(b - a)
    results[name + "f32"] = (b - a).astype(jnp.float32)
    results["from_f32" + name] = jnp.array([-1.5, 0.7, 3e9, jnp.nan, 200.0], jnp.float32).astype(t)
p = jnp.array([True, False, True])
results |= {"and": p & ~p, "xor": p ^ True, "any": jnp.any(p), "all": jnp.all(p), "sum": jnp.sum(p)}
results["bitcast"] = jax.lax.bitcast_convert_type(jnp.array([1.0, -2.5], jnp.float32), jnp.uint32)
results["bitcast8"] = jax.lax.bitcast_convert_type(jnp.array([1.0, -2.5], jnp.float32), jnp.uint8)
