"""Arrays of every element type travel to the device and back; transposed, strided and empty ones too."""
import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(18)
base = rng.integers(0, 100, (3, 4, 5))
types = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
results = {}
for t in [*types, jnp.bfloat16]:
    a = base.astype(t)
    results[jnp.dtype(t).name] = jax.device_put(a)
    results[jnp.dtype(t).name + "T"] = jax.device_put(a.transpose(2, 0, 1))
    results[jnp.dtype(t).name + "s"] = jax.device_put(a[::-1, ::2, 1:4])
results["empty"] = jax.device_put(np.zeros((0, 3)))
results["scalar"] = jax.device_put(np.float64(2.5))
results["asarray"] = np.asarray(jnp.asarray(base)).copy()
