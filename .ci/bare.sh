#!/bin/sh
# bare.sh -- runs the README's two commands on a machine that has git and make and nothing else: bare.sh [SUITE].
#
# The machine is a chroot that debootstrap makes of a Debian, bookworm by default, with the mirror and the settings of
# apt that this machine uses. It has /proc, no /dev/pts and no terminal, and the last commit is cloned into it. The base
# system stays in a cache folder for a month. The last line is 'N passed, N failed, N skipped'; what a machine cannot
# do, because this is not root or there is no debootstrap, is one skip.
set -u
cd "$(dirname "$0")/.." || exit 1

suite=${1:-bookworm}
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/astar-ci
base=$cache/$suite

skip() {
    echo "the bare machine is skipped: $*"
    echo "0 passed, 0 failed, 1 skipped"
    exit
}

[ "$(id -u)" = 0 ] || skip "needs root"
command -v debootstrap >/dev/null || skip "needs debootstrap"
# Mounts that are made in there end with it.
unshare --mount --pid --fork true 2>/dev/null || skip "needs the right to mount"

root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT

# ---- the base system ----

# The mirror of this machine that has the suite; else the one that debootstrap knows.
# shellcheck disable=SC2016 # apt-get's words
mirror() {
    apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }'
}

make_base() {
    rm -rf "$base" "$base.new"
    mkdir -p "$base.new"
    # shellcheck disable=SC2046 # no mirror, no argument
    debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$base.new" $(mirror) >"$base.log" 2>&1 &&
        mv "$base.new" "$base"
}

if [ -z "$(find "$base" -maxdepth 0 -mtime -30 2>/dev/null)" ]; then
    echo "debootstrap makes $suite in $base"
    make_base || { tail -n 5 "$base.log"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
    touch "$base"
fi
cp -a "$base/." "$root"

# ---- what the machine has of this one: how it reaches the network, and the sources ----

cp /etc/resolv.conf /etc/hosts "$root/etc"
apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https|ftp|Retries|Check-|ForceIPv)' \
    >"$root/etc/apt/apt.conf.d/90of-the-host"
git -c safe.directory='*' clone -q --depth 1 "file://$PWD" "$root/root/astar" || exit 1

# ---- the two commands ----

passed=0 failed=0 skipped=0

# Runs a command in the folder of the sources, with a proxy if this machine has one.
run_there() {
    printf '\n=== %s on a bare %s\n' "$*" "$suite"
    started=$(date +%s)
    # shellcheck disable=SC2016 # for the shell in there
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy:+"http_proxy=$http_proxy"} \
        ${https_proxy:+"https_proxy=$https_proxy"} \
        unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" sh -c "cd /root/astar && $*"' \
        "$root" "$@" </dev/null >"$root/log" 2>&1
    status=$?
    cat "$root/log"
    echo "$*: status $status after $(($(date +%s) - started)) s"
    return $status
}

if run_there make run && grep -q . "$root/log"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
run_there make test
status=$?
# shellcheck disable=SC2046 # three numbers
set -- $(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$root/log" | tail -n 1)
[ $# = 3 ] || set -- 0 1 0
[ $status = 0 ] || [ "$2" != 0 ] || set -- "$1" 1 "$3"
passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
