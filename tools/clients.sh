#!/bin/sh
# clients.sh -- the binding, the C examples and spec/c are clients of the C API: fails where one includes
# more of src/ than astar.h.
#
# Besides that they include headers of their own.
set -u

# What a file includes of the project.
found=$(for file in src/binding/*.[ch] examples/*.c spec/c/*.[ch]; do
    sed -n "s|^ *# *include \"\(.*\)\".*|$file \1|p" "$file"
done | grep -vE '^src/binding/.* binding/[a-z0-9_]+\.h$|^spec/c/.* (check|path_calls)\.h$| astar\.h$')

[ -z "$found" ] && exit
echo "$found"
echo "includes more of src/ than astar.h" >&2
exit 1
