#!/bin/sh
# amalgamate.sh -- all of astar in three files: amalgamate.sh FOLDER CORE.c... -- BINDING.c...
#
# Writes FOLDER/astar.h, the C API with the headers of src/astar/ that it includes; FOLDER/astar.c, the sources
# before the --; and FOLDER/astar_lua.c, the Lua binding, the sources after it. Each of the two .c files holds every
# header that it needs once, where it is first included, but templates (_template.h) and tables (.def) each time.
# astar.h says which parts were left out, those in WITHOUT.
set -eu

folder=$1
shift

# Prints the sources named by their paths below src/, and what they include, as one. What a source defines
# before its first include is for the system's headers, so it stands at the top, once; astar.h stays a file.
merge() {
    awk -v opening=tools/amalgamation_opening.h '
    function add(name,    line, quoted, for_system, defines) {
        if (name in done && name !~ /_template\.h$|\.def$/)
            return
        done[name] = 1
        banner = name
        for_system = name ~ /\.c$/
        while ((getline line <("src/" name)) > 0) {
            split(line, quoted, "\"")
            if (line ~ /^ *# *include/)
                for_system = 0
            if (for_system && line ~ /^#/) {
                sub(/ *\/\/.*/, "", line)
                defines = defines line "\n"
            } else if (line ~ /^ *# *include "/ && quoted[2] != "astar.h") {
                add(quoted[2])
                banner = name " again"
            } else if (pass == 2 && line ~ /^ *# *include </)
                say("ASTAR_OTHERS\n" line "\nASTAR_OWN")
            else if (pass == 2)
                say(line)
        }
        close("src/" name)
        if (pass == 1 && !(defines in done))
            printf "%s", defines
        done[defines] = 1
    }
    # A file is named where its first line stands, and where it goes on after one that it includes.
    function say(line) {
        if (banner != "" && line != "") {
            printf "\n// -- %s\n", banner
            banner = ""
        }
        print line
    }
    BEGIN {
        while ((getline line <opening) > 0)
            print line
        for (pass = 1; pass <= 2; pass++) {
            for (i = 1; i < ARGC; i++)
                add(ARGV[i])
            split("", done)
        }
    }' "$@"
}

core="" binding="" is_core=1
for file in "$@"; do
    if [ "$file" = -- ]; then
        is_core=0
    elif [ $is_core = 1 ]; then
        core="$core ${file#src/}"
    else
        binding="$binding ${file#src/}"
    fi
done

mkdir -p "$folder"
awk -v without="${WITHOUT:-}" '
    function put(name,    line) {
        while ((getline line <("src/" name)) > 0)
            print line
        print ""
    }
    split($0, quoted, "\"") && /^#include "/ { put(quoted[2]) }
    !/^#include "/ && !/clang-format o/
    /^#define ASTAR_H$/ {
        for (i = split(without, parts, " "); i >= 1; i--)
            print "#define ASTAR_HAS_" toupper(parts[i]) " 0"
    }' src/astar.h >"$folder/astar.h"
# shellcheck disable=SC2086 # one word a file
{
    merge $core >"$folder/astar.c"
    merge $binding >"$folder/astar_lua.c"
}
