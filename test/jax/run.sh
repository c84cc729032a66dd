#!/usr/bin/env bash
# Runs the JAX scripts of this folder on mlopt and on JAX's CPU, and compares their results, for one or more versions of
# JAX: builds the plugin and installs each version from PyPI into a virtual environment.
#
#   test/jax/run.sh [VERSION...]        default: 0.9.2 0.10.2
#
# Environment: JAX_ENVIRONMENTS is the folder of the virtual environments, which are kept (default: target/jax).
set -euo pipefail
cd "$(dirname "$0")/../.."
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(0.9.2 0.10.2)
environments="${JAX_ENVIRONMENTS:-target/jax}"

cargo rustc --release --package mlopt-pjrt --crate-type cdylib
export MLOPT_PJRT_LIBRARY="$PWD/target/release/libmlopt_pjrt.so"
# JAX finds the package `jax_plugins.mlopt` there, as if it were installed.
export PYTHONPATH="$PWD/tools/python/python"
status=0
for version in "${versions[@]}"; do
    python="$environments/$version/bin/python"
    if [ ! -x "$python" ]; then
        python3 -m venv "$environments/$version"
        "$python" -m pip install --quiet "jax==$version" "jaxlib==$version" numpy flatbuffers
    fi
    echo "JAX $version"
    "$python" test/jax/run.py --expect test/jax/refused.txt || status=1
done
exit $status
