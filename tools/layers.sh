#!/bin/sh
# layers.sh -- fails if a file of src/ includes one that it may not know.
#
#   layers.sh base openlist map ...        the folders of the core, lowest first
#
# A file of the core includes files of its own folder and of those before it. The binding includes its own files and
# astar.h. A part (src/parts/NAME) includes its own files, and those of any folder of the core; the part workers runs
# what the part baking makes. The files lua_*.c and lua_*.h of a part are its binding. Every include of the project's
# own names its folder, as in "map/grid.h". Every folder may include the table rules/options.def.
set -u

failed=0
# Prints the includes in files "$2"... that the pattern $1 does not allow.
check() {
    allowed=$1
    shift
    grep -nE '^ *# *include "' /dev/null "$@" | grep -vE "\"($allowed)\"" && failed=1
}

# The table of options is read by all layers.
table='rules/options\.def'
core="astar\.h|$table"
for folder in "$@"; do
    core="$core|$folder/[a-z0-9_]+\.h"
    check "$core" "src/$folder"/*.[ch]
done
check "astar\.h|$table|binding/[a-z0-9_]+\.h" src/binding/*.[ch]
for folder in src/parts/*; do
    part=$(basename "$folder")
    own="parts/$part/[a-z0-9_]+\.h"
    [ "$part" = workers ] && own="$own|parts/baking/[a-z0-9_]+\.h"
    for file in "$folder"/*.[ch]; do
        case "$file" in
        */lua_*) check "astar\.h|$table|binding/[a-z0-9_]+\.h|parts/$part/lua_[a-z0-9_]+\.h" "$file" ;;
        *) check "$core|$own" "$file" ;;
        esac
    done
done
for folder in src/*/; do
    case " $* astar binding parts " in
    *" $(basename "$folder") "*) ;;
    *) echo "$folder is not among the folders: $*" && failed=1 ;;
    esac
done
[ $failed = 0 ] || echo "src/: an include leads up, see FOLDERS in the Makefile" >&2
exit $failed
