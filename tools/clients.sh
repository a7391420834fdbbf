#!/bin/sh
# clients.sh -- the C examples and spec/c are clients of the C API: fails if one includes more of src/ than astar.h.
#
# Programs of spec/c include headers of their own folder as well. tools/layers.sh checks the binding.
set -u

# What a file includes of the project.
found=$(for file in examples/*.c spec/c/*.[ch]; do
    sed -n "s|^ *# *include \"\(.*\)\".*|$file \1|p" "$file"
done | grep -vE '^spec/c/.* (check|expect|path_calls)\.h$| astar\.h$')

[ -z "$found" ] && exit
echo "$found"
echo "includes more of src/ than astar.h" >&2
exit 1
