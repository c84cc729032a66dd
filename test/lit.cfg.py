# Runs the same test files under LLVM's lit, with LLVM's FileCheck, split-file and not: see tools/lit-compat.sh.
# Our own runner (mlopt test) does not read this file; what it knows by itself is repeated here.
import os
import shutil
import subprocess

import lit.formats

config.name = "mlopt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Output", "target", "lit.cfg.py"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = lit_config.params.get("output", os.path.join(config.test_source_root, "Output"))

programs = [lit_config.params["mlopt_dir"], lit_config.params.get("llvm_tools", "/usr/lib/llvm-19/bin")]
config.environment["PATH"] = os.pathsep.join(programs + [config.environment["PATH"]])
config.environment["LC_ALL"] = "C"

# The features of tools/cli/test/features.rs.
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
for program in ["valgrind", "python3", "clang-19"]:
    if shutil.which(program):
        config.available_features.add(program)
# mlopt looks for it in more places than the PATH, and knows whether it has found it.
if "\u2713 ptxas" in subprocess.run(
    [os.path.join(lit_config.params["mlopt_dir"], "mlopt"), "doctor"], capture_output=True, encoding="utf-8"
).stdout:
    config.available_features.add("ptxas")
