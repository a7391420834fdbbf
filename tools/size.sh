#!/bin/sh
# size.sh -- how large a library is without its symbols: size.sh FILE LIMIT STRIP...
#
# Fails above the limit; STRIP are programs to try. Where none can strip it there is nothing to say.
set -u

file=$1 limit=$2
shift 2
for strip in "$@"; do
    "$strip" -o "$file.stripped" "$file" 2>/dev/null && break
    "$strip" -x -o "$file.stripped" "$file" 2>/dev/null && break # macOS
done
[ -f "$file.stripped" ] || exit 0
size=$(wc -c <"$file.stripped" | tr -d ' ')
rm -f "$file.stripped"
echo "$file: $size bytes stripped, $limit at most"
[ "$size" -le "$limit" ] || { echo "$file is too large" >&2; exit 1; }
