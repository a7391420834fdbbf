#!/bin/sh
# need.sh -- what the Makefile needs of a system: finds it, or installs it.
#
#   need.sh interpreter      prints the path of Lua $LUA
#   need.sh headers          prints the compiler's option for its headers
#   need.sh lua              prints which Lua the headers in LUA_INCDIR are of
#   need.sh compiler         says what is missing where CC compiles nothing
#   need.sh libs             prints the linker's options for its library
#   need.sh install run      installs what building and running lack
#   need.sh install test     installs busted as well
#   need.sh install love     installs what building lacks, and LÖVE (with LUA=luajit)
#   need.sh service-lua      prints which Lua the HAProxy of this system has, 5.4 if there is no HAProxy
#   need.sh install service  installs HAProxy, and for its Lua what building lacks; etcd, and what the clients need
#   need.sh install windows  installs what building by mingw, as CC, lacks
#   need.sh install playground       installs what the page in wasm is made with
#   need.sh install playground-test  installs what it is tested with as well, a browser
#
# LUA (5.1, 5.2, 5.3, 5.4, 5.5 or luajit), CC and LUA_INCDIR come from the environment.
# 'install' is silent when nothing is missing. It calls apt-get only; where there is
# none it prints the names of the packages and fails.
set -u

service_lua() {
    PATH=$PATH:/usr/sbin haproxy -vv 2>/dev/null | sed -nE 's/^Built with Lua version : Lua (5\.[0-9]).*/\1/p' | grep . || echo 5.4
}

# HAProxy says which Lua it has once it is installed.
if [ "$*" = "install service" ]; then
    PATH=$PATH:/usr/sbin command -v haproxy >/dev/null || sh "$0" install haproxy || exit
    LUA=$(service_lua)
fi

LUA=${LUA:-5.4}
CC=${CC:-cc}
LUA_INCDIR=${LUA_INCDIR:-}

case $LUA in
5.1) apt="lua5.1 liblua5.1-0-dev" dnf="compat-lua compat-lua-devel" pacman=lua51 brew=lua@5.1 ;;
5.2) apt="lua5.2 liblua5.2-dev" dnf="" pacman=lua52 brew="" ;;
5.3) apt="lua5.3 liblua5.3-dev" dnf="" pacman=lua53 brew=lua@5.3 ;;
5.4) apt="lua5.4 liblua5.4-dev" dnf="lua lua-devel" pacman=lua brew=lua@5.4 ;;
5.5) apt="" dnf="" pacman="" brew="" ;;
luajit) apt="luajit libluajit-5.1-dev" dnf="luajit luajit-devel" pacman=luajit brew=luajit ;;
*)
    echo "LUA must be 5.1, 5.2, 5.3, 5.4, 5.5 or luajit, got $LUA" >&2
    exit 2
    ;;
esac

# The names that systems give to the interpreter, the pkg-config file and the
# folder of headers of one Lua, and how its interpreter introduces itself.
if [ "$LUA" = luajit ]; then
    title=LuaJIT abi=5.1 names="luajit luajit-2.1" banner="LuaJIT 2."
else
    title="Lua $LUA" abi=$LUA banner="Lua $LUA."
    names="lua$LUA lua-$LUA lua$(echo "$LUA" | tr -d .) lua"
fi

# Where Homebrew keeps what is not to be found on any path, such as an older Lua.
kegs=""
for prefix in ${HOMEBREW_PREFIX:-/opt/homebrew /usr/local}; do
    kegs="$kegs $prefix/opt/${brew:-lua@$LUA} $prefix/opt/lua"
done

interpreter() {
    for name in $names $(for keg in $kegs; do echo "$keg/bin/lua" "$keg/bin/lua$LUA"; done); do
        case $("$name" -v 2>&1) in
        "$banner"*)
            command -v "$name"
            return
            ;;
        esac
    done
    return 1
}

# The version that lua.h in the folder tells, as 5.4; from 5.5 on it gives it in parts. Nothing where it tells none.
version_of() {
    sed -nE 's/^# *define[[:space:]]+LUA_VERSION_(NUM[[:space:]]+50|MINOR_N[[:space:]]+)([0-9]).*/5.\2/p' \
        "$1/lua.h" 2>/dev/null
}

# Whether the folder holds the headers of this very Lua.
has_headers() {
    if [ "$LUA" = luajit ]; then
        [ -f "$1/luajit.h" ]
    else
        [ "$(version_of "$1")" = "$LUA" ]
    fi
}

lua() {
    if [ -f "$LUA_INCDIR/luajit.h" ]; then echo luajit; else version_of "$LUA_INCDIR"; fi
}

header_folder() {
    if [ -n "$LUA_INCDIR" ]; then # taken at the user's word, unless lua.h says itself that it is another's
        [ -f "$LUA_INCDIR/lua.h" ] || return
        case $(version_of "$LUA_INCDIR") in
        "" | "$abi") echo "$LUA_INCDIR" ;;
        *) return 1 ;;
        esac
        return
    fi
    for folder in \
        $(for keg in $kegs; do echo "$keg/include" "$keg"/include/*; done) \
        $(for name in $names; do pkg-config --cflags-only-I "$name" 2>/dev/null; done | sed 's/-I//g') \
        $(for name in $names; do echo "/usr/include/$name" "/usr/local/include/$name" "/opt/homebrew/include/$name"; done) \
        /usr/local/include /usr/include; do
        has_headers "$folder" && echo "$folder" && return
    done
    return 1
}

tell_no_headers() {
    if [ -n "$LUA_INCDIR" ] && [ -f "$LUA_INCDIR/lua.h" ]; then
        echo "LUA_INCDIR=$LUA_INCDIR has the lua.h of Lua $(version_of "$LUA_INCDIR"), not of $title: set LUA to the same"
    elif [ -n "$LUA_INCDIR" ]; then
        echo "LUA_INCDIR=$LUA_INCDIR has no lua.h in it; without LUA_INCDIR the usual folders are searched"
    elif [ -z "$apt" ]; then
        echo "lua.h of $title was not found, and no package of it is known: install $title from its source, and set" \
            "LUA_INCDIR, or try another Lua, as make LUA=5.4"
    else
        echo "lua.h of $title was not found; 'make run LUA=$LUA' installs it, or set LUA_INCDIR"
    fi
}

# -isystem: no warnings about Lua's own macros.
headers() {
    if ! folder=$(header_folder); then
        tell_no_headers >&2
        return 1
    fi
    [ "$folder" = /usr/include ] || echo "-isystem $folder"
}

libs() {
    for name in $names; do
        pkg-config --libs "$name" 2>/dev/null && return
    done
    return 1
}

has_compiler() {
    echo '#include <stdio.h>' | $CC -fsyntax-only -x c - 2>/dev/null
}

compiler() {
    has_compiler && return
    if command -v "${CC%% *}" >/dev/null; then
        echo "'$CC' does not compile: is the C library's development package there (Debian: libc6-dev)?"
    else
        echo "no C compiler: ${CC%% *} was not found; 'make run' installs one (Debian, Ubuntu), or set CC"
    fi >&2
    return 1
}

has_busted() {
    lua=$(interpreter) && "$lua" -e 'require "busted.core"' 2>/dev/null
}

has_module() {
    lua=$(interpreter) && "$lua" -e "require '$1'" 2>/dev/null
}

# LÖVE has an interpreter of its own, as Windows has.
has_lua() {
    header_folder >/dev/null || return
    case $1 in
    love | windows) ;;
    *) interpreter >/dev/null ;;
    esac
}

# The Debian packages that $1, run, test, love, service, windows or playground, still lacks.
missing() {
    case $CC in
    *mingw*) compiler=gcc-mingw-w64-x86-64-posix ;;
    *clang*) compiler="clang libc6-dev" ;;
    *) compiler="gcc libc6-dev" ;;
    esac
    if [ "$1" = haproxy ]; then
        echo haproxy
        return
    fi
    if [ "$1" != playground ]; then # which compiles by emcc, with Lua's source
        has_compiler || echo "$compiler"
        has_lua "$1" || echo "$apt"
    fi
    case $1 in
    test) has_busted || [ -z "$apt" ] || echo lua-busted ;;
    love) command -v love >/dev/null || echo love ;;
    service)
        command -v etcd >/dev/null || echo etcd-server
        command -v etcdctl >/dev/null || echo etcd-client
        has_module cjson || echo lua-cjson
        has_module socket || echo lua-socket
        has_module ssl || echo lua-sec
        command -v curl >/dev/null || echo curl
        ;;
    playground | playground-test)
        command -v emcc >/dev/null || echo emscripten
        command -v node >/dev/null || echo nodejs
        command -v npm >/dev/null || echo npm
        command -v dpkg-source >/dev/null || echo dpkg-dev
        ;;
    esac
    [ "$1" != playground-test ] || command -v chromium >/dev/null || echo chromium
}

# Whether what $1, run or test, needs of a Lua that Debian has no package of is there.
has_unpackaged() {
    has_lua "$1" && { [ "$1" != test ] || has_busted; } && return
    cat >&2 <<END
make $1 LUA=$LUA needs $title, which no package is known of. Install it from its source, its program
on PATH and its headers in LUA_INCDIR; make test also needs: luarocks --lua-version=$abi install busted
END
    return 1
}

install() {
    [ -n "$apt" ] || has_unpackaged "$1" || return 1
    # shellcheck disable=SC2046 # one word a package
    set -- "$1" $(missing "$1")
    target=$1
    shift
    [ $# -gt 0 ] || return 0

    if ! command -v apt-get >/dev/null; then
        dnf_gcc=gcc pacman_gcc=gcc brew_gcc=gcc more=""
        case $target in
        windows) dnf_gcc=mingw64-gcc pacman_gcc=mingw-w64-gcc brew_gcc=mingw-w64 ;;
        test) more=" luarocks, then: luarocks --lua-version=$abi install busted" ;;
        love) more=" love" ;;
        playground*) more=" emscripten nodejs npm, for its test chromium; and Lua 5.4's source in LUA_SOURCE" ;;
        service) more=" etcd haproxy curl, and for HAProxy's Lua cjson, luasocket, luasec" ;;
        esac
        cat >&2 <<END
make $target needs packages that there is no apt-get here to install:
  apt     $*
  dnf     $dnf_gcc ${dnf:-($title: from source)}$more
  pacman  $pacman_gcc $pacman$more
  brew    $brew_gcc ${brew:-($title: from source)}$more
Install them and try again.
END
        return 1
    fi

    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    if [ -n "$sudo" ] && ! command -v sudo >/dev/null; then
        echo "Please install as root: apt-get install $*" >&2
        return 1
    fi
    echo "Installing with apt-get (a minute or so): $*"
    # The lists of packages may be old or absent; one source out of order need not matter.
    $sudo apt-get -qq update </dev/null
    $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install --no-install-recommends "$@" </dev/null >/dev/null
}

case "$*" in
service-lua) service_lua ;;
interpreter | headers | lua | compiler | libs | "install haproxy" | "install run" | "install test" | "install love" | "install service" | "install windows" | \
    "install playground" | "install playground-test") "$@" ;;
*)
    echo "usage: need.sh interpreter | headers | lua | compiler | libs | service-lua | install run | test | love | service | windows | playground | playground-test" >&2
    exit 2
    ;;
esac
