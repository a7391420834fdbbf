#!/bin/sh
# love.sh -- puts the LÖVE prototypes together: love.sh FOLDER CORE, the module for LuaJIT; LUA_PROGRAM is a Lua
#
# FOLDER/../lib becomes what a game copies: all of the Lua in one file, the module, and the two files of Jumper's names.
# Each becomes FOLDER/<name>, a whole game: its own files and astar's, the module for LuaJIT among them.
# FOLDER/gallery holds all of them, and a picture of each. art.lua and look.lua are in each, meter.lua in each that uses it.
set -eu

folder=$1 core=$2

add_astar() {
    cp -R lua/astar "$1/astar"
    cp "$core" "$1/astar/"
    rm -f "$1/astar/core.d.lua"
}

rm -rf "$folder"
mkdir -p "$folder"
for demo in examples/love/*/; do
    name=$(basename "$demo")
    cp -R "$demo" "$folder/$name"
    cp examples/love/art.lua examples/love/look.lua "$folder/$name"
    ! grep -q '"meter"' "$demo/main.lua" || cp examples/love/meter.lua "$folder/$name"
    add_astar "$folder/$name"
done
for demo in examples/love/*/; do
    name=$(basename "$demo")
    [ "$name" != gallery ] || continue
    cp -R "$demo" "$folder/gallery/$name"
    cp examples/love/*.lua "$folder/gallery"
    mkdir -p "$folder/gallery/pictures"
    cp "pictures/$name.png" "$folder/gallery/pictures/"
done

sh tools/one_file.sh "$(dirname "$folder")/lib" "$core"
