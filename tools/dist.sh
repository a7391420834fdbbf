#!/bin/sh
# dist.sh -- puts a release together: dist.sh FOLDER VERSION, HOMEPAGE being where its sources will lie
#
#   astar-VERSION.tar.gz             the sources, and build/amalgamation as amalgamation/
#   lua-astar-VERSION-1.rockspec     made of the one for what is in git; LuaRocks takes no dash in a version
#   lua-astar-VERSION-1.src.rock     both of the above
#   astar-VERSION-love.zip           a game for LÖVE, whose folder lib/ is for others to copy: all of the Lua in one
#                                    file, and the module for Linux and Windows on x86-64
#   astar-VERSION-amalgamation.zip   astar.h, astar.c and astar_lua.c
#   astar-VERSION-defold.zip         a project for Defold, whose folder astar/ is a native extension, see tools/defold
#   astar-VERSION-manual.zip         the site of the manual; where Sphinx is not there it is left out, which is said
#   astar-VERSION-playground.zip     the playground, likewise where emscripten and npm are not; PAGES= leaves both out
#   SHA256SUMS
#
# The same files give the same bytes: names are sorted, times are the last commit's, owners nobody. In what
# was unpacked of such an archive, where git knows nothing, every file counts. Needs GNU tar, and zip.
set -eu

folder=$1 version=$2
name=astar-$version
rock=lua-astar-$(echo "$version" | tr -d -)-1

command -v zip >/dev/null || { echo "needs zip (Debian: apt-get install zip)" >&2; exit 1; }
tar --version 2>/dev/null | grep -q GNU || { echo "needs GNU tar" >&2; exit 1; }

is_checkout=false
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] && is_checkout=true
if $is_checkout; then
    [ -z "$(git status --porcelain)" ] || echo "dist: there are changes that are not committed" >&2
fi

list_files() {
    if $is_checkout; then
        git ls-files
    else
        find . -type f ! -path './build/*' ! -path './amalgamation/*' | cut -c 3-
    fi
}

find_time() {
    if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
        echo "$SOURCE_DATE_EPOCH"
    elif $is_checkout; then
        git log -1 --format=%ct
    else
        date -r src/astar.h +%s
    fi
}

# Files of a folder, by their names within it, as a zip.
pack() {
    (
        cd "$1"
        find . -exec touch -d "@$time" {} +
        find . -type f | cut -c 3- | LC_ALL=C sort | TZ=UTC zip -q -X -@ "$2"
    )
}

add_sources() {
    mkdir -p "$work/$name/amalgamation"
    list_files | tar -cf - -T - | tar -xf - -C "$work/$name"
    cp build/amalgamation/astar.h build/amalgamation/astar.c build/amalgamation/astar_lua.c "$work/$name/amalgamation"
    tar -C "$work" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --format=ustar -cf - "$name" | gzip -n -9 >"$folder/$name.tar.gz"
}

# The modules of lua/astar by their names, as a rockspec has them.
list_modules() {
    for file in lua/astar/*.lua lua/astar/*/*.lua; do
        module=$(echo "${file#lua/}" | sed 's:/:.:g; s:\.lua$::; s:\.init$::')
        [ "$module" = astar.core.d ] || echo "    [\"$module\"] = \"$file\","
    done
}

write_rockspec() {
    sed -e '/^-- The Makefile rather/,$d' -e "s/^version = .*/version = \"${rock#lua-astar-}\"/" \
        -e "s|^  url = .*|  url = \"${HOMEPAGE:-file://.}/$name.tar.gz\",\\n  dir = \"$name\",|" lua-astar-scm-1.rockspec
    cat <<END
-- Of two files that turn fused multiply-adds off by themselves, which builtin has no option for: with those
-- routes could differ between machines.
build = {
  type = "builtin",
  modules = {
    ["astar.core"] = {
      sources = { "amalgamation/astar.c", "amalgamation/astar_lua.c" },
      incdirs = { "amalgamation" },
    },
$(list_modules)
  },
  platforms = {
    unix = { modules = { ["astar.core"] = { libraries = { "m" } } } },
  },
}
END
}

add_rock() {
    mkdir -p "$work/rock"
    write_rockspec >"$work/rock/$rock.rockspec"
    cp "$folder/$name.tar.gz" "$work/rock"
    cp "$work/rock/$rock.rockspec" "$folder"
    pack "$work/rock" "$folder/$rock.src.rock"
}

add_game() {
    game=$work/love/$name-love
    mkdir -p "$game"
    sh tools/one_file.sh "$game/lib" build/luajit/astar/core.so build/windows/luajit/astar/core.dll
    cp LICENSE "$game/lib"
    cp examples/love/click_to_walk/*.lua examples/love/art.lua examples/love/look.lua "$game"
    sed 's/require "astar"/require "lib.astar"/' examples/love/click_to_walk/main.lua >"$game/main.lua"
    export SOURCE_DATE_EPOCH="$time" # which strip writes into a DLL
    strip "$game/lib/astar_core.so"
    "${WINDOWS_STRIP:-strip}" "$game/lib/astar_core.dll"
    pack "$work/love" "$folder/$name-love.zip"
}

add_amalgamation() {
    mkdir -p "$work/amalgamation/$name-amalgamation"
    cp build/amalgamation/astar.h build/amalgamation/astar.c build/amalgamation/astar_lua.c LICENSE \
        "$work/amalgamation/$name-amalgamation"
    pack "$work/amalgamation" "$folder/$name-amalgamation.zip"
}

# Prints all files of Lua but the twin, what draws with LÖVE, and the annotations.
list_core_files() {
    for file in lua/astar/*.lua lua/astar/*/*.lua; do
        case $file in
        */core.d.lua | */astar/love* | */astar/plain/*) ;;
        *) echo "$file" ;;
        esac
    done
}

add_defold() {
    project=$work/defold/$name-defold
    mkdir -p "$project"
    cp -R tools/defold/. "$project"
    cp build/amalgamation/astar.c build/amalgamation/astar_lua.c "$project/astar/src"
    cp build/amalgamation/astar.h "$project/astar/include"
    cp LICENSE "$project/astar"
    # shellcheck disable=SC2046 # names without blanks
    $LUA_PROGRAM tools/one_file.lua core $(list_core_files) >"$project/astar/astar.lua"
    mkdir -p "$project/astar/api"
    $LUA_PROGRAM tools/script_api.lua >"$project/astar/api/astar.script_api"
    pack "$work/defold" "$folder/$name-defold.zip"
}

# Another target of the Makefile, by itself: run_make WHAT TARGET... Where it fails that is said, with why.
run_make() {
    what=$1
    shift
    if ! env -u MAKEFLAGS -u MFLAGS SOURCE_DATE_EPOCH="$time" PYTHONHASHSEED=0 "${MAKE:-make}" -s "$@" >"$work/log" 2>&1; then
        tail -n 4 "$work/log" >&2
        echo "dist: no $what: make $1 failed, as above" >&2
        return 1
    fi
}

add_playground() {
    for tool in emcc npm node; do
        command -v $tool >/dev/null || { echo "dist: no playground: it needs emscripten, node and npm" >&2; return 0; }
    done
    run_make playground playground || return 0
    mkdir -p "$work/playground"
    cp -R build/playground "$work/playground/$name-playground"
    pack "$work/playground" "$folder/$name-playground.zip"
}

add_manual() {
    mkdir -p "$work/manual"
    run_make manual docs SITE="$work/manual/$name-manual" || return 0
    rm -f "$work/manual/$name-manual/.buildinfo"
    pack "$work/manual" "$folder/$name-manual.zip"
}

rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
time=$(find_time)
add_sources
add_rock
add_game
add_amalgamation
add_defold
for page in ${PAGES:-}; do
    "add_$page"
done
(cd "$folder" && sha256sum -- * >"$work/SHA256SUMS" && cp "$work/SHA256SUMS" . && cat SHA256SUMS)
