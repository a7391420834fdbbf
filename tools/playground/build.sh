#!/bin/sh
# build.sh SITE PARTS AMALGAMATION -- makes the playground in the folder SITE: a page that needs no server. What it is made
# of lies in PARTS from one build to the next: Lua's source, objects, npm's packages.
#
# Lua's source is Debian's, or in LUA_SOURCE, a folder with lua.h, lapi.c and so on.
set -eu

here=tools/playground site=$1 parts=$2 amalgamation=$3
mkdir -p "$site" "$parts/lua" "$parts/obj"
whole_parts=$(cd "$parts" && pwd) whole_here=$(cd $here && pwd)

# By lists of packages of its own, so that the system's stay as they are.
fetch_lua() {
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mkdir -p "$parts/apt/lists/partial" "$parts/apt/cache/archives/partial"
    # A system of another name has the package's source at the same place, but may not know who signed it.
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $codename main" \
        >"$parts/apt/sources.list"
    set -- -qq -o Dir::Etc::sourcelist="$whole_parts/apt/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$whole_parts/apt/lists" -o Dir::Cache="$whole_parts/apt/cache" -o APT::Sandbox::User=root
    apt-get "$@" update
    (cd "$parts/apt" && apt-get "$@" source lua5.4 >/dev/null)
    cp "$parts"/apt/lua5.4-*/src/*.[ch] "$parts/lua"
    echo '#define DEB_HOST_MULTIARCH "wasm"' >"$parts/lua/lua5.4-deb-multiarch.h" # where no module is looked for
}

# Compiles what is newer than its object: compile SOURCE OBJECT FLAGS...
compile() {
    source=$1 object=$2
    shift 2
    [ "$object" -nt "$source" ] && return
    echo "  emcc $source"
    emcc -Os -ffp-contract=off "$@" -c "$source" -o "$object"
}

# A copy that is touched only where it differs.
copy() {
    cmp -s "$1" "$2" || cp "$1" "$2"
}

if [ -n "${LUA_SOURCE:-}" ]; then
    cp "$LUA_SOURCE"/*.[ch] "$parts/lua"
elif [ ! -f "$parts/lua/lua.h" ]; then
    fetch_lua
fi
for file in astar.h astar.c astar_lua.c; do
    copy "$amalgamation/$file" "$parts/$file"
done
# All of Lua by one call: emcc takes longer to start than to compile one of its files.
set --
for source in "$whole_parts"/lua/*.c; do
    case $source in
    */lua.c | */luac.c | */onelua.c | */ltests.c) ;;
    *) [ "$parts/obj/$(basename "$source" .c).o" -nt "$source" ] || set -- "$@" "$source" ;;
    esac
done
if [ $# -gt 0 ]; then
    echo "  emcc Lua's $# files"
    (cd "$parts/obj" && emcc -O2 -ffp-contract=off -DLUA_COMPAT_5_3 -c "$@")
fi
for source in "$parts/astar.c" "$parts/astar_lua.c" $here/host.c; do
    compile "$source" "$parts/obj/$(basename "$source" .c).o" -DASTAR_NO_THREADS -I"$parts/lua"
done

# -O1: Debian's emscripten lacks what more of it needs. The worker gets the bytes of lua.wasm from the page, because a page from the
# disk may not fetch them.
emcc -O1 "$parts"/obj/*.o -o "$parts/lua.js" -sMODULARIZE=1 -sEXPORT_NAME=createLua -sENVIRONMENT=worker \
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=256MB -sTOTAL_STACK=4MB -sEXPORTED_FUNCTIONS=_malloc,_free \
    -sEXPORTED_RUNTIME_METHODS=ccall,cwrap,stringToUTF8,lengthBytesUTF8

if ! cmp -s $here/package.json "$parts/package.json" || [ ! -d "$parts/node_modules" ]; then
    rm -rf "$parts/node_modules" "$parts/package-lock.json"
    (cd "$parts" && cp "$whole_here/package.json" . && npm install --no-audit --no-fund --loglevel=error)
fi

node $here/modules.mjs lua/astar $here/recorder.lua >"$parts/modules.json"
node $here/calls.mjs lua/astar/core.d.lua >"$parts/calls.json"
export NODE_PATH="$whole_parts/node_modules"
esbuild="$parts/node_modules/.bin/esbuild --bundle --minify --format=iife --target=es2022 --charset=utf8 --log-level=warning"
$esbuild $here/worker.js --alias:lua.js="$whole_parts/lua.js" --alias:modules.json="$whole_parts/modules.json" \
    --outfile="$parts/worker.js"
$esbuild $here/main.js --alias:calls.json="$whole_parts/calls.json" --outfile="$parts/page.js"
# Both are packed: servers often send files as they are, and the folder is small on the disk as well.
node $here/pack.mjs astarWorker "$parts/worker.js" "$parts/lua.wasm" >"$site/astar.js"
node $here/pack.mjs astarPage "$parts/page.js" >"$site/page.js"
cp $here/index.html $here/style.css $here/unpack.js "$site"
echo "$site/index.html"
