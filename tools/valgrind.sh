#!/bin/sh
# Runs compiled code under valgrind: 1,000 calls with changing sizes (lowering/tests/memory.rs), no error, no lost buffer.
# Needs valgrind (Debian: apt-get install valgrind). The code's target is capped at x86-64-v3, which valgrind understands.
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "valgrind.sh: expected valgrind on the PATH, found none: apt-get install valgrind" >&2; exit 1; }

profile=${1:---release}
[ "$profile" = --debug ] && profile=
binary=$(cargo test $profile -p mlopt-lowering --test all --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*all-[^"]*\)".*/\1/p' | tail -n 1)
[ -x "$binary" ] || { echo "valgrind.sh: the tests do not build; run: cargo test -p mlopt-lowering --test all --no-run" >&2; exit 1; }

# valgrind reads no debug information of newer compilers; the test needs none.
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip --strip-debug -o "$stripped" "$binary"
chmod +x "$stripped"

# MLIR and LLVM keep what they have registered until the process ends: only what nothing points to any more is lost.
valgrind --quiet --error-exitcode=1 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
    --smc-check=all-non-file --num-callers=30 "$stripped" --test-threads=1 memory::
echo "valgrind: no error and no lost buffer"
