#!/bin/sh
# Shows that the test files are ordinary lit tests: runs them under LLVM's own lit, with LLVM's FileCheck, split-file
# and not, and compares the verdict on every test with that of `mlopt test`.
#
# Usage: tools/lit-compat.sh [MLOPT]     MLOPT is the executable, by default target/release/mlopt, else target/debug/mlopt
# Needs: python3, and llvm-19-tools (which has lit; a lit from PyPI is put into a temporary folder otherwise).
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
llvm=${MLIR_SYS_190_PREFIX:-/usr/lib/llvm-19}
mlopt=${1:-$project/target/release/mlopt}
[ -x "$mlopt" ] || mlopt=$project/target/debug/mlopt
[ -x "$mlopt" ] || { echo "lit-compat: no mlopt: build it, or name it as the argument" >&2; exit 2; }
mlopt=$(cd "$(dirname "$mlopt")" && pwd)/$(basename "$mlopt")
for program in FileCheck split-file not; do
    [ -x "$llvm/bin/$program" ] || { echo "lit-compat: no $llvm/bin/$program: install llvm-19-tools" >&2; exit 2; }
done
command -v python3 > /dev/null || { echo "lit-compat: no python3" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lit=$llvm/build/utils/lit/lit.py
if [ ! -f "$lit" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet 'lit==19.*'
    lit=$work/venv/bin/lit
fi

# lit reads the configuration above the tests and writes beside it: a folder of links keeps both out of the project.
mkdir "$work/suite" "$work/output" "$work/bin"
ln -s "$mlopt" "$work/bin/mlopt"
cp "$project/test/lit.cfg.py" "$work/suite/lit.cfg.py"
for folder in dialects passes lowering test; do
    [ ! -d "$project/$folder" ] || ln -s "$project/$folder" "$work/suite/$folder"
done
# test/lit.cfg.py would start a suite of its own.
rm "$work/suite/test"
mkdir "$work/suite/test"
for entry in "$project"/test/*; do
    [ "$(basename "$entry")" = lit.cfg.py ] || ln -s "$entry" "$work/suite/test/"
done

# Their verdicts decide below, not their exit statuses.
python3 "$lit" -q --param "mlopt_dir=$work/bin" --param "llvm_tools=$llvm/bin" --param "output=$work/output" \
    --output "$work/lit.json" "$work/suite" > "$work/lit.log" 2>&1 || true
[ -f "$work/lit.json" ] || { cat "$work/lit.log"; exit 2; }
(cd "$project" && "$mlopt" test --verdicts "$work/verdicts" dialects passes lowering test > "$work/ours.log" 2>&1) || true
[ -f "$work/verdicts" ] || { cat "$work/ours.log"; exit 2; }

python3 - "$work/lit.json" "$work/verdicts" <<'PYTHON'
import json, sys

words = {"PASS": "pass", "UNSUPPORTED": "skip"}
lit = {t["name"].split(" :: ")[1]: words.get(t["code"], "fail") for t in json.load(open(sys.argv[1]))["tests"]}
ours = {}
for line in open(sys.argv[2]):
    verdict, name = line.rstrip("\n").split(" ", 1)
    if name.endswith((".mlir", ".test")):
        ours[name] = verdict
different = sorted(n for n in lit.keys() | ours.keys() if lit.get(n) != ours.get(n))
for name in different:
    print(f"{name}: lit says {lit.get(name)}, mlopt test says {ours.get(name)}")
count = {v: list(ours.values()).count(v) for v in ("pass", "fail", "skip")}
print(f"{len(ours)} tests: {count['pass']} pass, {count['fail']} fail, {count['skip']} skipped under mlopt test; "
      f"{len(different)} verdicts differ under lit")
sys.exit(1 if different or not ours else 0)
PYTHON
