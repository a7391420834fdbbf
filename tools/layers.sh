#!/bin/sh
# layers.sh -- the folders of src/ are layers: fails where a file includes one of a later layer.
#
#   layers.sh base openlist map ... binding        the layers, lowest first
#
# Every include of the project's own names its folder, as in "map/grid.h"; "astar.h" is anyone's.
set -u

allowed='astar\.h' failed=0
for layer in "$@"; do
    allowed="$allowed|$layer/[a-z0-9_]+\.h"
    grep -nE '^ *# *include "' "src/$layer"/*.[ch] | grep -vE "\"($allowed)\"" && failed=1
done
for folder in src/*/; do
    case " $* astar " in # of which astar.h is made
    *" $(basename "$folder") "*) ;;
    *) echo "$folder is not among the layers: $*" && failed=1 ;;
    esac
done
[ $failed = 0 ] || echo "src/: an include leads up, see LAYERS in the Makefile" >&2
exit $failed
