#!/bin/sh
# size.sh -- prints the size of a library without its symbols: size.sh FILE STRIP...
#
# STRIP are the programs to try, in order. Prints nothing if none of them can strip the file.
set -u

file=$1
shift
for strip in "$@"; do
    "$strip" -o "$file.stripped" "$file" 2>/dev/null && break
    "$strip" -x -o "$file.stripped" "$file" 2>/dev/null && break # macOS
done
[ -f "$file.stripped" ] || exit 0
echo "$file: $(wc -c <"$file.stripped" | tr -d ' ') bytes stripped"
rm -f "$file.stripped"
