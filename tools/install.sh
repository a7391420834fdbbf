#!/bin/sh
# install.sh -- what make install says to whoever calls it.
#
#   install.sh check TARGET FOLDER...                  fails, in one line that names PREFIX=, where it may not write
#   install.sh paths LUADIR LIBDIR [INTERPRETER]       prints the two export lines that make require "astar" work, where
#                                                      the interpreter, or without one a usual Lua, does not look there
set -u

check() {
    target=$1
    shift
    for folder in "$@"; do
        parent=$folder
        while [ ! -e "$parent" ] && [ "$parent" != / ] && [ "$parent" != . ]; do parent=$(dirname "$parent"); done
        if [ ! -d "$parent" ] || [ ! -w "$parent" ]; then
            echo "make $target may not write to $folder: run it as root, or choose a folder of yours, as in" \
                "make $target PREFIX=\$HOME/.local" >&2
            return 1
        fi
    done
}

# Whether Lua searches both folders by itself.
is_searched() {
    if [ -n "${3:-}" ]; then
        LUADIR=$1 LIBDIR=$2 "$3" -e '
            local luadir, libdir = os.getenv "LUADIR", os.getenv "LIBDIR"
            local function has(list, template) return (";" .. list .. ";"):find(";" .. template .. ";", 1, true) end
            os.exit(has(package.path, luadir .. "/?.lua") and has(package.path, luadir .. "/?/init.lua")
                and has(package.cpath, libdir .. "/?.so") and 0 or 1)'
    else
        case $1 in
        /usr/local/share/lua/* | /usr/share/lua/*) ;;
        *) return 1 ;;
        esac
    fi
}

# What a user has in the variables already stays; two semicolons at the end stand for Lua's own folders.
paths() {
    is_searched "$@" && return
    echo "Lua does not search there by itself. These lines, in ~/.profile for instance, make require \"astar\" work:"
    echo "export LUA_PATH=\"$1/?.lua;$1/?/init.lua;\${LUA_PATH:-;}\""
    echo "export LUA_CPATH=\"$2/?.so;\${LUA_CPATH:-;}\""
}

case ${1:-} in
check | paths) "$@" ;;
*)
    echo "usage: install.sh check TARGET FOLDER... | paths LUADIR LIBDIR [INTERPRETER]" >&2
    exit 2
    ;;
esac
