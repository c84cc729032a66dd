#!/bin/sh
# Shows that `mlopt` can take the place of `mlir-opt`, `mlopt lsp` of `mlir-lsp-server` and `mlopt reduce` of
# `mlir-reduce`: runs the tests of MLIR 19 with both and compares the verdicts.
#
# Usage: tools/drop-in.sh [MLOPT [TEST...]]
#   MLOPT  the executable, by default target/release/mlopt
#   TEST   only these tests, by their paths below mlir/test
# The sources come from Debian's source package llvm-toolchain-19 (164 MB), kept in target/drop-in. A folder of the
# sources that is there already can be named in LLVM_SOURCE (the one that has mlir/test).
# Needs: apt-get, unless LLVM_SOURCE is set; what tools/setup.sh installs; python3. DROP_IN_JOBS is the number of tests
# at a time, by default 1.
#
# Of each test file the RUN lines count that need no other program of LLVM than these three, FileCheck, not, count and
# split-file. The tests to pass are those that pass with Debian's mlir-opt-19 and with MLIR's own mlir-opt.cpp, compiled
# here without the dialects and passes that exist for MLIR's tests only. A test that fails with mlopt must be listed in
# drop-in.txt with the reason, and a listed one must fail.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
llvm=${MLIR_SYS_190_PREFIX:-/usr/lib/llvm-19}
mlopt=${1:-$project/target/release/mlopt}
[ $# -eq 0 ] || shift
[ -x "$mlopt" ] || { echo "drop-in: no mlopt: build it, or name it as the argument" >&2; exit 2; }
mlopt=$(cd "$(dirname "$mlopt")" && pwd)/$(basename "$mlopt")
for program in mlir-opt FileCheck split-file not count; do
    [ -x "$llvm/bin/$program" ] || { echo "drop-in: no $llvm/bin/$program: run tools/setup.sh" >&2; exit 2; }
done
work=$project/target/drop-in
mkdir -p "$work"

# The sources, without a change to the system's own lists of packages.
source=${LLVM_SOURCE:-$work/source}
if [ ! -d "$source/mlir/test" ]; then
    [ -z "${LLVM_SOURCE:-}" ] || { echo "drop-in: no folder $source/mlir/test" >&2; exit 2; }
    (
        mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/apt/parts"
        cd "$work/apt"
        echo 'deb-src http://deb.debian.org/debian stable main' > sources.list
        codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
        [ -z "$codename" ] || sed -i "s/stable/$codename/" sources.list
        set -- -o "Dir::Etc::SourceList=$work/apt/sources.list" -o "Dir::Etc::SourceParts=$work/apt/parts" \
            -o "Dir::State::Lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache"
        apt-get "$@" update
        apt-get "$@" source --download-only --tar-only llvm-toolchain-19
        mkdir -p "$work/unpacked"
        tar -C "$work/unpacked" --strip-components=1 --wildcards -xf llvm-toolchain-19_*.orig.tar.xz \
            '*/mlir/test' '*/mlir/tools/mlir-opt'
        mv "$work/unpacked" "$source"
        rm llvm-toolchain-19_*
    ) >&2
fi

plain=$work/mlir-opt
[ -x "$plain" ] || c++ -std=c++17 -fno-rtti -I"$llvm/include" -o "$plain" "$source/mlir/tools/mlir-opt/mlir-opt.cpp" \
    -L"$llvm/lib" -Wl,-rpath,"$llvm/lib" -lMLIR -lLLVM-19

exec python3 - "$project/tools/drop-in.txt" "$source" "$llvm" "$work" "$mlopt" "$plain" "$@" <<'PYTHON'
import json, os, resource, shlex, shutil, subprocess, sys

listed_in, source, llvm, work, mlopt, plain, *chosen = sys.argv[1:]
suite = os.path.join(work, "suite")
JUDGED = {"mlir-opt": [], "mlir-lsp-server": ["lsp"], "mlir-reduce": ["reduce"]}  # the subcommands of mlopt
USABLE = {"FileCheck", "not", "count", "split-file", *JUDGED}
USABLE |= set("cat cmp cp diff echo grep head mkdir printf rm sed sort tail tee touch tr true wc".split())


def programs(line):
    """The programs that a command line starts."""
    words = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    words.whitespace_split = True
    starts = True
    for word in words:
        if word in ("|", "&&", "||", ";", "|&"):
            starts = True
        elif starts and word != "env" and "=" not in word and not word.startswith("-"):
            yield word
            starts = word == "not"


def is_usable(line):
    try:
        return all(p in USABLE for p in programs(line)) and any(j in line for j in JUDGED)
    except ValueError:
        return False


def prepare(text):
    """The text without the RUN lines that need other programs: `R-N:` keeps lines and columns where they were."""
    lines, group, kept = text.split(b"\n"), [], 0
    for number, line in enumerate(lines):
        if b"RUN:" not in line:
            continue
        group.append(number)
        if line.rstrip().endswith(b"\\"):
            continue
        command = " ".join(lines[n].split(b"RUN:", 1)[1].decode(errors="replace").strip().rstrip("\\") for n in group)
        if is_usable(command):
            kept += 1
        else:
            for n in group:
                lines[n] = lines[n].replace(b"RUN:", b"R-N:", 1)
        group = []
    return b"\n".join(lines) if kept else None


def make_suite():
    tests = []
    shutil.rmtree(suite, ignore_errors=True)
    shutil.copytree(os.path.join(source, "mlir/test"), suite, ignore=shutil.ignore_patterns("lit.*"))
    for folder, _, files in os.walk(suite):
        if os.path.basename(folder) == "Inputs":
            continue
        for file in (f for f in files if f.endswith((".mlir", ".test"))):
            path = os.path.join(folder, file)
            text = prepare(open(path, "rb").read())
            if text is not None:
                open(path, "wb").write(text)
                tests.append(os.path.relpath(path, suite))
    with open(os.path.join(suite, "lit.cfg.py"), "w") as config:
        config.write(
            f"""import lit.formats, os
config.name = "drop-in"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_exec_root = {os.path.join(work, "output")!r}
config.available_features.add("noasserts")
config.environment["PATH"] = {os.path.join(work, "bin")!r} + os.pathsep + os.environ["PATH"]
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
config.substitutions += [("%mlir_src_root", {os.path.join(source, "mlir")!r}), ("%PATH%", config.environment["PATH"])]
"""
        )
    return sorted(tests)


def run(commands, tests):
    """Verdict and output of each test, with `commands` as the judged programs."""
    bin, results = os.path.join(work, "bin"), os.path.join(work, "lit.json")
    for folder in (bin, os.path.join(work, "output")):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    for tool in ("FileCheck", "not", "count", "split-file"):
        os.symlink(os.path.join(llvm, "bin", tool), os.path.join(bin, tool))
    for name, command in commands.items():
        with open(os.path.join(bin, name), "w") as script:
            script.write(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        os.chmod(os.path.join(bin, name), 0o755)
    lit = os.path.join(llvm, "build/utils/lit/lit.py")
    paths = [os.path.join(suite, t) for t in tests]
    command = [sys.executable, lit, "-q", "-j", os.environ.get("DROP_IN_JOBS", "1"), "-o", results]
    with open(os.path.join(work, "lit.log"), "w") as log:
        # A test that hangs fails after ten minutes of processor time.
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
        subprocess.run(command + paths, stdout=log, stderr=log, preexec_fn=limit)
    found = {t["name"].split(" :: ")[1]: t for t in json.load(open(results))["tests"]}
    return {t: (found[t]["code"] == "PASS", found[t]["output"]) for t in tests if t in found}


known = {}
for number, line in enumerate(open(listed_in), 1):
    name, _, reason = line.strip().partition(": ")
    if name and not name.startswith("#"):
        if not reason:
            sys.exit(f"{listed_in}:{number}: expected `TEST: REASON`, found `{line.strip()}`")
        known[name] = reason

tests = make_suite()
debian = {name: [os.path.join(llvm, "bin", name)] for name in JUDGED}
for title, commands in (("the programs of Debian", debian), ("mlir-opt without tests", {**debian, "mlir-opt": [plain]})):
    # The verdicts on MLIR's own programs are kept: they do not change.
    kept = os.path.join(work, f"pass-with-{title.replace(' ', '-')}.txt")
    if not os.path.exists(kept):
        passing = [t for t, (passed, _) in run(commands, tests).items() if passed]
        open(kept, "w").write("".join(f"{t}\n" for t in passing))
    tests = open(kept).read().split()
    print(f"{len(tests)} tests pass with {title}", flush=True)
tests = [t for t in tests if not chosen or t in chosen]
ours = run({name: [mlopt, *words] for name, words in JUDGED.items()}, tests)
fresh = [t for t in tests if not ours[t][0] and t not in known]
stale = [t for t in known if (t not in ours and not chosen) or (t in ours and ours[t][0])]
for t in fresh:
    print(f"\n==== {t} fails with mlopt:\n{ours[t][1][-3000:]}")
for t in stale:
    print(f"{t} is listed in drop-in.txt and " + ("passes" if t in ours else "is not among the tests"))
failed = sum(not ours[t][0] for t in tests)
print(f"{len(tests) - failed} of {len(tests)} pass with mlopt; {failed - len(fresh)} fail as listed, {len(fresh)} unlisted")
sys.exit(1 if fresh or stale or not tests else 0)
PYTHON
