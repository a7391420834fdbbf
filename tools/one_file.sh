#!/bin/sh
# one_file.sh -- makes the folder that a game copies: one_file.sh FOLDER CORE..., modules named *.so or *.dll
#
#   astar.lua        all of the Lua in one file, the twin in plain Lua too
#   astar_core.so    the module beside it, for each system that is given
#   jumper/          the two files that stand in for Jumper's
#
# LUA_PROGRAM is the Lua that runs tools/one_file.lua, lua5.4 by default.
set -eu

folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
# shellcheck disable=SC2046 # names without blanks
"${LUA_PROGRAM:-lua5.4}" tools/one_file.lua whole \
    $(find lua/astar -name '*.lua' ! -name core.d.lua | LC_ALL=C sort) >"$folder/astar.lua"
for core in "$@"; do
    cp "$core" "$folder/astar_core.${core##*.}"
done
cp -R examples/jumper "$folder/jumper"
