"""Registers mlopt with JAX: `JAX_PLATFORMS=mlopt python train.py` runs an unchanged script on it.

JAX finds this package through the entry point group `jax_plugins` and calls `initialize`. The platform `mlopt` has one
device, the CPU of the process.
"""

import importlib.util
import os
import pathlib
import warnings

#: The environment variable with the path of the plugin's library, for development.
LIBRARY = "MLOPT_PJRT_LIBRARY"


def _library_path():
    """Returns the library that exports `GetPjrtApi`: the extension module of the package `mlopt`, or one beside us."""
    if given := os.environ.get(LIBRARY):
        if not pathlib.Path(given).is_file():
            raise FileNotFoundError(f"{LIBRARY}: expected the path of a library, found {given}")
        return given
    beside = pathlib.Path(__file__).with_name("libmlopt_pjrt.so")
    if beside.is_file():
        return str(beside)
    try:
        extension = importlib.util.find_spec("mlopt._mlopt")
    except ModuleNotFoundError:
        extension = None
    if extension is None or extension.origin is None:
        raise FileNotFoundError(f"expected {beside}, the package `mlopt`, or {LIBRARY} with the path of the plugin")
    return extension.origin


#: Primitives whose rule for the CPU calls LAPACK. The rules for other platforms are missing, or expand to iterations
#: of their own; with these rules, mlopt sees one operation, `lapack_dgesdd_ffi` and the like.
_LAPACK = (
    "eig_p",
    "eigh_p",
    "geqp3_p",
    "geqrf_p",
    "hessenberg_p",
    "householder_product_p",
    "lu_p",
    "ormqr_p",
    "schur_p",
    "svd_p",
    "tridiagonal_p",
    "tridiagonal_solve_p",
)


def _register_rules():
    """Lowers the primitives of linear algebra for mlopt as for the CPU.

    The tables belong to JAX, which may change them. Programs without these primitives run without the rules.
    """
    try:
        from jax._src.interpreters import mlir
        from jax._src.lax import linalg

        cpu = mlir._platform_specific_lowerings["cpu"]
        for name in _LAPACK:
            # Not every version of JAX has every primitive.
            primitive = getattr(linalg, name, None)
            if primitive in cpu:
                mlir._platform_specific_lowerings["mlopt"][primitive] = cpu[primitive]
        if "mlopt" not in mlir._platforms_with_donation:
            mlir._platforms_with_donation.append("mlopt")
    except (AttributeError, ImportError, KeyError, TypeError) as error:
        text = f"mlopt: linear algebra or donation is not supported with this version of JAX: {error!r}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def initialize():
    """Registers the platform, if JAX is asked for it. JAX calls this once, before it creates its backends.

    Without `mlopt` in JAX_PLATFORMS (or in the option `jax_platforms`), nothing is loaded and nothing changes.
    """
    import jax
    from jax._src import xla_bridge

    if "mlopt" not in (jax.config.jax_platforms or "").split(","):
        return
    xla_bridge.register_plugin("mlopt", library_path=_library_path(), options=None)
    _register_rules()
