#!/bin/sh
# cross.sh -- the same routes on other processors: builds the module for each, runs it under qemu
# on that machine's own Lua, and compares the hash over its routes with this machine's.
#
#   cross.sh armhf s390x     32-bit ARM; 64-bit and big-endian
#
# Debian's name of the architecture picks its cross compiler; its Lua comes out of Debian's packages,
# unpacked under build/cross, where apt also keeps its lists: nothing of the system is changed.
set -eu

hash=spec/support/route_hash.lua
packages="lua5.4 liblua5.4-0 liblua5.4-dev libreadline8 libtinfo6"

# The compiler's and qemu's names for an architecture, and the package of its C library.
describe() {
    case $1 in
    armhf) triplet=arm-linux-gnueabihf processor=arm ;;
    arm64) triplet=aarch64-linux-gnu processor=aarch64 ;;
    s390x) triplet=s390x-linux-gnu processor=s390x ;;
    i386) triplet=i686-linux-gnu processor=i386 ;;
    *)
        echo "cross.sh: knows armhf, arm64, s390x and i386, got $1" >&2
        exit 2
        ;;
    esac
    compiler=$triplet-gcc root=build/cross/$1/root
    libraries=$triplet
    [ "$1" != i386 ] || libraries=i386-linux-gnu
}

check_tools() {
    missing=""
    command -v "$compiler" >/dev/null ||
        missing="gcc-$(echo $triplet | tr _ -) libc6-dev-$1-cross"
    command -v qemu-$processor >/dev/null || missing="$missing qemu-user"
    [ -z "$missing" ] && return
    echo "$1: needs packages of Debian: apt-get install --no-install-recommends $missing" >&2
    exit 1
}

# Fetches and unpacks that architecture's Lua once.
fetch_lua() {
    [ -x "$root/usr/bin/lua5.4" ] && return
    arch=$1 top=$PWD
    mkdir -p build/cross/lists/partial build/cross/cache "build/cross/$arch"
    set -- -qq -o Dir::State::lists="$top/build/cross/lists" -o Dir::Cache="$top/build/cross/cache" \
        -o APT::Architectures::="$(dpkg --print-architecture)" -o APT::Architectures::="$arch" \
        -o APT::Sandbox::User=root
    apt-get "$@" update 2>/dev/null || true # a source that lacks this architecture is no matter
    # shellcheck disable=SC2046 # a word a package
    (cd "build/cross/$arch" && apt-get "$@" download $(for name in $packages; do echo "$name:$arch"; done))
    for package in build/cross/"$arch"/*.deb; do dpkg-deb -x "$package" "$root"; done
}

# Prints the hash by the module built for an architecture.
hash_of() {
    make -s BUILD="build/cross/$1" CORE_BUILD="build/cross/$1/core" CC="$compiler" LUA=5.4 SANITIZE= \
        CPPFLAGS="-isystem $root/usr/include/$libraries" >/dev/null
    qemu-$processor -L /usr/$triplet \
        -E LD_LIBRARY_PATH="$root/usr/lib/$libraries:$root/lib/$libraries" \
        "$root/usr/bin/lua5.4" $hash "build/cross/$1"
}

make -s LUA=5.4 SANITIZE= >/dev/null
expected=$(lua5.4 $hash build/5.4)
echo "here: $expected"
failed=0
for arch in "$@"; do
    describe "$arch"
    check_tools "$arch"
    fetch_lua "$arch"
    got=$(hash_of "$arch")
    echo "$arch: $got"
    [ "$got" = "$expected" ] || failed=$((failed + 1))
done
echo "$(($# - failed)) passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
