#!/bin/sh
# clients.sh -- the binding, the C examples and spec/c are clients of the C API: fails where one includes
# more of src/ than astar.h.
#
# Besides that they include headers of their own. What some include of the core as yet stands below, to be
# taken off the list as soon as it has gone from the file.
set -u

exceptions='
src/binding/lua_finder.c search/raycast.h
src/binding/lua_nearest.c search/nearest.h
src/binding/lua_path.c search/path_validity.h
src/binding/lua_path.c search/repair.h
src/binding/lua_query.h search/workspace.h
'

# Lines of a file and what it includes of the project.
found=$(for file in src/binding/*.[ch] examples/*.c spec/c/*.[ch]; do
    sed -n "s|^ *# *include \"\(.*\)\".*|$file \1|p" "$file"
done | grep -vE '^src/binding/.* binding/[a-z0-9_]+\.h$|^spec/c/.* check\.h$| astar\.h$')

failed=0
echo "$found" | grep . | grep -vxF "$exceptions" && echo "includes more of src/ than astar.h" >&2 && failed=1
echo "$exceptions" | grep . | grep -vxF "$found" && echo "gone: take it off tools/clients.sh" >&2 && failed=1
exit $failed
