"""Runs unchanged JAX scripts on JAX's CPU and on mlopt, and compares their results.

    python test/jax/run.py [SCRIPT ...]

Each script leaves a dictionary `results` of arrays. Integers and booleans must be equal, floating-point numbers must
agree relative to the largest one of their array. The last line is `right N, refused N, wrong N`; a script is refused if
an exception names an operation that is not supported. `--expect FILE` names a file with the scripts that are expected
to be refused; any other outcome than the expected one makes the exit status 1.

JAX, NumPy and the plugin (tools/python/python, with MLOPT_PJRT_LIBRARY) must be installed for this Python.
"""

import argparse
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile

import numpy as np

SCRIPTS = pathlib.Path(__file__).with_name("scripts")
#: The tolerances relative to the largest number of an array, by the bits of the fraction.
TOLERANCES = {
    "float64": 1e-12,
    "complex128": 1e-12,
    "float32": 1e-5,
    "complex64": 1e-5,
    "float16": 2**-9,
    "bfloat16": 2**-6,
}


def save(script, out):
    """Runs a script on the platform that JAX_PLATFORMS names, and saves its results."""
    results = runpy.run_path(script, run_name="__main__")["results"]
    arrays = {}
    for name, value in results.items():
        value = np.asarray(value)
        arrays[f"{value.dtype.name}/{name}"] = value.astype("float32") if value.dtype.name == "bfloat16" else value
    np.savez(out, **arrays)


def run(script, platform, out):
    """Returns the error of a script, or None."""
    environment = os.environ | {"JAX_PLATFORMS": platform}
    command = [sys.executable, __file__, "--save", out, script]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "the script did not end in 600 seconds"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("For simplicity, JAX")]
    errors = [line for line in lines if "Error: " in line or "Error:" in line and not line.startswith(" ")]
    return (errors or lines or [f"exit status {done.returncode}"])[-1]


def difference(name, want, have):
    """Describes how two arrays differ, or returns None."""
    kind = name.split("/")[0]
    if want.shape != have.shape or want.dtype != have.dtype:
        return f"{name}: expected {want.dtype}{want.shape}, found {have.dtype}{have.shape}"
    if kind not in TOLERANCES:
        wrong = int((want != have).sum())
        return f"{name}: {wrong} of {want.size} elements differ" if wrong else None
    finite = np.isfinite(want)
    if not np.array_equal(want[~finite], have[~finite], equal_nan=True) or not np.isfinite(have[finite]).all():
        return f"{name}: infinities or NaNs differ"
    scale = np.abs(want[finite]).max(initial=0.0) or 1.0
    error = np.abs(want[finite] - have[finite]).max(initial=0.0) / scale
    return f"{name}: differs by {error:.1e} of the scale" if error > TOLERANCES[kind] else None


def compare(script):
    """Returns the outcome of a script, and its reason."""
    with tempfile.TemporaryDirectory() as folder:
        files = {platform: os.path.join(folder, platform + ".npz") for platform in ("cpu", "mlopt")}
        if error := run(script, "cpu", files["cpu"]):
            return "wrong", f"fails on JAX's CPU: {error}"
        if error := run(script, "mlopt", files["mlopt"]):
            return ("refused" if "not supported" in error or "NotImplemented" in error else "wrong"), error
        want, have = np.load(files["cpu"]), np.load(files["mlopt"])
        if sorted(want) != sorted(have):
            return "wrong", f"expected results {sorted(want)}, found {sorted(have)}"
        differences = [text for name in want if (text := difference(name, want[name], have[name]))]
        return ("wrong", "; ".join(differences)) if differences else ("right", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", nargs="*", help="the scripts; all by default")
    parser.add_argument("--expect", metavar="FILE", help="the scripts that are expected to be refused, one a line")
    parser.add_argument("--save", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.save:
        return save(arguments.scripts[0], arguments.save)
    scripts = arguments.scripts or sorted(map(str, SCRIPTS.glob("*.py")))
    lines = pathlib.Path(arguments.expect).read_text().splitlines() if arguments.expect else []
    expected = {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}
    counts = {"right": 0, "refused": 0, "wrong": 0}
    surprises = []
    for script in scripts:
        name = pathlib.Path(script).stem
        outcome, reason = compare(script)
        counts[outcome] += 1
        print(f"{name}: {outcome}" + (f": {reason}" if reason else ""), flush=True)
        if outcome != ("refused" if name in expected else "right"):
            surprises.append(name)
    if surprises:
        print("not as expected:", ", ".join(surprises))
    print(", ".join(f"{outcome} {count}" for outcome, count in counts.items()))
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
