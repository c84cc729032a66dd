#!/usr/bin/env bash
# Makes sure that everything the build and the tests need is installed; installs what is missing and says what.
#
#   tools/setup.sh          check, install what is missing
#   tools/setup.sh --check  check only; exit 1 when something is missing
#
# Debian 12 and 13, Ubuntu 24.04: missing packages come from apt, as root or through sudo. Running it again is free.
# Elsewhere: LLVM and MLIR 19 may stand anywhere; name the place in the variables of .cargo/config.toml.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
fail() {
    printf 'setup: error: %s\n' "$@" >&2
    exit 1
}

# What apt must have installed, and why.
packages=(
    llvm-19-dev      # LLVM's libraries and headers; brings llvm-19
    libmlir-19-dev   # MLIR's libraries and headers
    mlir-19-tools    # mlir-tblgen compiles the dialects; mlir-opt is what tests compare with
    libclang-19-dev  # bindgen reads MLIR's C headers through it
    libpolly-19-dev  # llvm-config lists it among LLVM's static libraries
    libzstd-dev      # the same
    zlib1g-dev       # the same
    llvm-19-tools    # FileCheck and lit: the tests compare our runner with them
    pkg-config       # tests build C programs with the installed library
    g++              # compiles the bridge; brings gcc and libc6-dev, which link Rust and `--emit=shared`
    valgrind         # a test runs compiled code under it
    ca-certificates  # cargo fetches crates over https
)

by_hand() {
    cat >&2 <<'TEXT'
setup: error: I can install packages only where `apt-get` and `dpkg` are (Debian 12 or 13, Ubuntu 24.04). Here, install by hand:
  * LLVM and MLIR 19.1, static libraries and headers, with mlir-tblgen, mlir-opt and FileCheck; libclang 19
  * the static libraries that `llvm-config --system-libs` lists (zlib, zstd, ...)
  * a C++17 compiler as `c++`, and `cc`
  * valgrind, pkg-config
Then set these four variables to where they are; they win over .cargo/config.toml:
  MLIR_SYS_190_PREFIX, TABLEGEN_190_PREFIX, LLVM_SYS_191_PREFIX: the prefix of LLVM 19 (the folder that has bin/llvm-config)
  LIBCLANG_PATH: the folder that has libclang.so
TEXT
    exit 1
}

# True when version $1 is at least version $2.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

check_machine() {
    local machine
    machine="$(uname -sm)"
    [ "$machine" = "Linux x86_64" ] || fail "not supported: this is $machine; mlopt targets Linux x86_64"
}

check_rust() {
    local needed found
    needed="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)"
    [ -f "${CARGO_HOME:-$HOME/.cargo}/env" ] && . "${CARGO_HOME:-$HOME/.cargo}/env"
    command -v cargo >/dev/null || fail "no cargo found; install Rust $needed or newer from https://rustup.rs"
    found="$(rustc --version | awk '{print $2}')" || fail "rustc does not start; \`rustup toolchain list\` shows what is installed"
    at_least "${found%%-*}" "$needed" ||
        fail "Rust $needed or newer is needed, found $found; run \`rustup update stable && rustup default stable\`"
}

# Formatting and lints, which the minimal profile of rustup lacks. Builds and tests need neither.
check_components() {
    local component absent=()
    for component in fmt clippy; do
        cargo "$component" --version >/dev/null 2>&1 || absent+=("${component/#fmt/rustfmt}")
    done
    [ "${#absent[@]}" -eq 0 ] && return
    if [ "${1:-}" = --check ]; then
        fail "not installed: ${absent[*]}; run \`rustup component add ${absent[*]}\`"
    elif command -v rustup >/dev/null && rustup component add "${absent[@]}" >/dev/null 2>&1; then
        say "installed with rustup: ${absent[*]}"
    else
        say "no ${absent[*]}: \`make format\` and \`make lint\` need the packages of that name, or rustup"
    fi
}

# The packages that are not installed, one line each.
missing() {
    local package
    for package in "${packages[@]}"; do
        case "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" in
            installed) ;;
            *) echo "$package" ;;
        esac
    done
}

install() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            fail "these packages are missing, and I am neither root nor is there sudo: $*" "run as root: apt-get install $*"
        as_root=(sudo)
        say "using sudo to install"
    fi
    say "installing with apt-get: $*"
    # An index that cannot be refreshed (someone's extra source is down) matters only if a package is then not found.
    "${as_root[@]}" apt-get update -qq || say "apt-get update reported an error; trying with the index that is there"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" ||
        fail "apt-get could not install: $*" \
            "LLVM 19 is packaged in Debian 12 (12.9 or newer), Debian 13 and Ubuntu 24.04; is the \`main\` (Ubuntu: \`universe\`) component enabled?"
}

# An LLVM 19 named by the variables instead of by packages.
own_llvm() {
    local prefix="${MLIR_SYS_190_PREFIX:-}"
    [ -n "$prefix" ] && [ "$prefix" != /usr/lib/llvm-19 ] || return 1
    case "$("$prefix/bin/llvm-config" --version 2>/dev/null)" in
        19.1.*) ;;
        *) fail "MLIR_SYS_190_PREFIX is $prefix, but $prefix/bin/llvm-config is not that of LLVM 19.1" ;;
    esac
    [ -x "$prefix/bin/mlir-tblgen" ] || fail "MLIR_SYS_190_PREFIX is $prefix, but there is no $prefix/bin/mlir-tblgen"
    command -v c++ >/dev/null || fail "no C++ compiler: \`c++\` is not on the PATH"
}

# NVIDIA's assembler, from the wheel on PyPI, for the tests of GPU code. Those say that they need it where it is missing.
offer_ptxas() {
    local venv="$HOME/.local/share/mlopt/cuda"
    command -v ptxas >/dev/null && return
    compgen -G "$venv/lib/python*/site-packages/nvidia/cuda_nvcc/bin/ptxas" >/dev/null && return
    [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas" ] && return
    if python3 -m venv "$venv" >/dev/null 2>&1 && "$venv/bin/pip" install -q nvidia-cuda-nvcc-cu12 >/dev/null 2>&1; then
        say "installed ptxas in $venv"
    else
        say "no ptxas: tests that assemble GPU code will be skipped, and say so (\`mlopt doctor\` says how to get it)"
    fi
}

check_machine
check_rust
check_components "${1:-}"
[ "${1:-}" = --check ] || offer_ptxas
if own_llvm; then
    say "using LLVM at $MLIR_SYS_190_PREFIX"
    exit 0
fi
command -v dpkg-query >/dev/null && command -v apt-get >/dev/null || by_hand
mapfile -t absent < <(missing)
if [ "${#absent[@]}" -eq 0 ]; then
    say "everything is installed"
elif [ "${1:-}" = --check ]; then
    fail "not installed: ${absent[*]}"
else
    install "${absent[@]}"
    mapfile -t absent < <(missing)
    [ "${#absent[@]}" -eq 0 ] || fail "still not installed: ${absent[*]}"
    say "everything is installed"
fi
