"""The registration of the platform with JAX, without JAX."""

import sys
import types

import pytest
from jax_plugins import mlopt as plugin


@pytest.mark.parametrize("missing", ["_platform_specific_lowerings", "_platforms_with_donation", None])
def test_tables_of_another_version(monkeypatch, missing):
    """Tables that JAX does not have are a warning: programs without linear algebra run."""
    mlir = types.ModuleType("jax._src.interpreters.mlir")
    mlir._platform_specific_lowerings = {"cpu": {"lu": 1}, "mlopt": {}}
    mlir._platforms_with_donation = ["cpu"]
    linalg = types.ModuleType("jax._src.lax.linalg")
    linalg.lu_p = "lu"
    if missing:
        delattr(mlir, missing)
    parents = {name: types.ModuleType(name) for name in ("jax", "jax._src", "jax._src.interpreters", "jax._src.lax")}
    parents["jax._src.interpreters"].mlir = mlir
    parents["jax._src.lax"].linalg = linalg
    for name, module in {**parents, mlir.__name__: mlir, linalg.__name__: linalg}.items():
        monkeypatch.setitem(sys.modules, name, module)
    if missing:
        with pytest.warns(RuntimeWarning, match="linear algebra or donation is not supported with this version"):
            plugin._register_rules()
    else:
        plugin._register_rules()
        assert mlir._platform_specific_lowerings["mlopt"] == {"lu": 1}
        assert mlir._platforms_with_donation == ["cpu", "mlopt"]
