#!/usr/bin/env bash
# Shows that README.md's commands suffice on a bare Debian 12: makes one with debootstrap, gives it `git`, `make`
# and rustup's Rust, clones the last commit into it, and runs there the lines of README.md's `sh setup` block.
#
#   tools/fresh-debian.sh [--sudo] [--twice] [--keep] [--setup-only] [--suite bookworm] [--mirror URL] [--root DIR]
#
#   --sudo        runs the block as a user who may use sudo, instead of as root
#   --twice       runs the block a second time: the commands must be idempotent
#   --keep        leaves the new root in place and says where
#   --setup-only  runs tools/setup.sh instead of the block: minutes, not half an hour
#   --mirror URL  the Debian archive; default: the one that this machine's apt uses
#   --root DIR    where to make it; default: a new folder under /var/tmp (needs about 12 GB)
#
# Run as root; needs `debootstrap`. What belongs to the network of this machine (resolver, proxies, certificates, apt's
# and cargo's settings) is taken along; everything else is as debootstrap makes it.
set -euo pipefail
repository="$(cd "$(dirname "$0")/.." && pwd)"

suite=bookworm mirror="" root="" sudo=false twice=false keep=false setup_only=false
while [ $# -gt 0 ]; do
    case "$1" in
        --sudo) sudo=true ;;
        --twice) twice=true ;;
        --keep) keep=true ;;
        --setup-only) setup_only=true ;;
        --suite) suite="$2"; shift ;;
        --mirror) mirror="$2"; shift ;;
        --root) root="$2"; shift ;;
        *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done

say() { printf 'fresh-debian: %s\n' "$*"; }
fail() { printf 'fresh-debian: error: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || fail "run as root: debootstrap and chroot need it"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
command -v rustc >/dev/null || fail "no Rust on this machine to take along"

# The first Debian archive among apt's sources, in either of the two formats.
host_mirror() {
    { cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
        grep -oE '^(URIs: |deb (\[.*\] )?)https?://[^ ]+/debian/?( |$)' | grep -oE 'https?://[^ ]+' | head -n 1
}
mirror="${mirror:-$(host_mirror || true)}"
mirror="${mirror:-http://deb.debian.org/debian}"
root="${root:-$(mktemp -d /var/tmp/mlopt-debian.XXXXXX)}"
mkdir -p "$root"
chmod 755 "$root"
user=root home=/root given=(git make)
if $sudo; then user=newcomer home=/home/newcomer given+=(sudo); fi
clone=$home/mlopt

cleanup() {
    mountpoint -q "$root/proc" && umount "$root/proc"
    if $keep; then say "kept in $root"; else rm -rf --one-file-system "$root"; fi
}
trap cleanup EXIT

# One line of shell in the new root, as a login of user $1 there would run it.
inside() {
    chroot --userspec="$1" "$root" env -i HOME=$home USER="$1" TERM=dumb LANG=C.UTF-8 \
        PATH=$home/.cargo/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "${network[@]}" bash -c "$2"
}

# Variables that only say how to reach the network. Certificates are handed over as one bundle.
network=(RUSTUP_AUTO_INSTALL=0)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY all_proxy; do
    [ -n "${!name:-}" ] && network+=("$name=${!name}")
done

say "a fresh Debian ($suite) from $mirror in $root"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log" >&2; fail "debootstrap did not succeed; its log is $root.log"; }
rm -f "$root.log"
mount -t proc proc "$root/proc"

cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/hosts "$root/etc/hosts"
apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|Force)[A-Za-z0-9:-]* ' >"$root/etc/apt/apt.conf.d/90network" || true
bundle="${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}"
if [ -f "$bundle" ]; then
    mkdir -p "$root/opt"
    cp -L "$bundle" "$root/opt/certificates.crt"
    network+=(SSL_CERT_FILE=/opt/certificates.crt CARGO_HTTP_CAINFO=/opt/certificates.crt)
fi
inside root "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${given[*]}" >/dev/null 2>&1 ||
    fail "${given[*]} could not be installed in the new root"
if $sudo; then
    inside root "useradd --create-home --shell /bin/bash $user"
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
fi

# rustup's Rust is given there: the launchers, the settings, and the toolchain in use here, without its documentation.
toolchain="$(rustc --print sysroot)"
cargo_home="${CARGO_HOME:-$HOME/.cargo}"
mkdir -p "$root$home/.cargo" "$root$home/.rustup/toolchains"
cp -a "$cargo_home/bin" "$root$home/.cargo/bin"
[ -f "$cargo_home/config.toml" ] && cp "$cargo_home/config.toml" "$root$home/.cargo/config.toml"
tar -C "$(dirname "$toolchain")" --exclude=share/doc -cf - "$(basename "$toolchain")" | tar -C "$root$home/.rustup/toolchains" -xf -
printf 'version = "12"\ndefault_toolchain = "%s"\nprofile = "minimal"\n' "$(basename "$toolchain")" >"$root$home/.rustup/settings.toml"

git clone --quiet --no-hardlinks "$repository" "$root$clone"
say "cloned $(git -C "$repository" log -1 --format='%h %s')"
[ $user = root ] || inside root "chown -R $user:$user $home"
say "installed by hand: $(inside $user 'cat /etc/debian_version; rustc --version; git --version; make --version | head -n 1' | paste -sd ';')"

if $setup_only; then
    commands=(tools/setup.sh)
else
    mapfile -t commands < <(awk '/^```sh setup$/ { on = 1; next } /^```/ { on = 0 } on' "$root$clone/README.md")
fi
[ "${#commands[@]}" -gt 0 ] || fail "README.md has no \`sh setup\` block"

verdict=0
run_all() {
    local command start status
    for command in "${commands[@]}"; do
        say "\$ $command"
        start=$SECONDS
        status=0
        inside $user "cd $clone && $command" || status=$?
        summary+=("$1: \`$command\`: exit $status after $((SECONDS - start)) s")
        [ $status -eq 0 ] || { verdict=1; return; }
    done
}
summary=()
run_all "first run"
if $twice && [ $verdict -eq 0 ]; then run_all "second run"; fi
# What runs leave behind must be ignored by git.
[ -z "$(inside $user "git -C $clone status --porcelain")" ] || { summary+=("the clone is no longer clean"); verdict=1; }
printf 'fresh-debian: %s\n' "${summary[@]}"
if [ $verdict -eq 0 ]; then say "passed"; else say "failed"; fi
exit $verdict
