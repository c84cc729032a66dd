"""Special functions and their derivatives, in single precision."""
import jax
import jax.numpy as jnp
import jax.scipy.special as sp
import numpy as np

x = jnp.asarray(np.linspace(0.2, 3.0, 15).astype("f"))
u = jnp.asarray(np.linspace(-0.9, 0.9, 15).astype("f"))
functions = {
    "erf": (sp.erf, u), "erfc": (sp.erfc, u), "erf_inv": (sp.erfinv, u), "lgamma": (sp.gammaln, x),
    "digamma": (sp.digamma, x), "expm1": (jnp.expm1, u), "log1p": (jnp.log1p, u), "cbrt": (jnp.cbrt, x),
    "sinh": (jnp.sinh, u), "cosh": (jnp.cosh, u), "asin": (jnp.arcsin, u), "acos": (jnp.arccos, u),
    "atan": (jnp.arctan, u), "asinh": (jnp.arcsinh, u), "acosh": (jnp.arccosh, 1 + x), "atanh": (jnp.arctanh, u),
    "tan": (jnp.tan, u), "logistic": (jax.nn.sigmoid, u), "gelu": (jax.nn.gelu, u), "softplus": (jax.nn.softplus, u),
    "i0e": (sp.i0e, x), "i1e": (sp.i1e, x), "ndtri": (sp.ndtri, (u + 1) / 2), "entr": (sp.entr, x),
    "xlogy": (lambda x: sp.xlogy(x, x + 1), x), "exp2": (jnp.exp2, u), "logit": (sp.logit, (u + 1) / 2),
    "sinc": (jnp.sinc, u), "zeta": (lambda x: sp.zeta(x + 2, 1.5), x),
}
results = {name: f(v) for name, (f, v) in functions.items()}
without = {"zeta"}
for name, (f, v) in functions.items():
    if name not in without:
        results["d" + name] = jax.jit(jax.vmap(jax.grad(f)))(v)
results["atan2"] = jnp.arctan2(u, x)
results["gammainc"] = sp.gammainc(x, 2.0)
results["betainc"] = sp.betainc(2.0, 3.0, (u + 1) / 2)
results["remainder"] = jnp.remainder(5 * u, x)
results["fmod"] = jnp.fmod(5 * u, x)
results["nextafter"] = jnp.nextafter(u, x)
results["round"] = jnp.round(5 * u)
results["floor"] = jnp.floor(5 * u)
