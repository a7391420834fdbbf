#!/bin/sh
# progress.sh -- shows what make is at: progress.sh NUMBER TOTAL NAME, or progress.sh WORD NAME.
#
# The first says that a file is compiled: on a terminal '[ 37/241] NAME' in one line, which the next one is written
# over, elsewhere now and then. The cursor waits at the line's start, so that a warning begins there. TOTAL is how many
# were not there; where NUMBER is beyond it, what is out of date is compiled again and only counted. The second, that
# something is put together of them, is a line of its own.
set -u

is_terminal=false
[ -t 1 ] && [ "${TERM:-dumb}" != dumb ] && is_terminal=true

if [ $# = 2 ]; then
    ! $is_terminal || printf '\r\033[K'
    echo "$1 $2"
    exit
fi

number=$1 name=$3
of="/$2"
[ "$1" -le "$2" ] || of=""
if $is_terminal; then
    printf '\r[%3d%s] %s\033[K\r' "$number" "$of" "$name"
elif [ $((number % 50)) = 0 ] || [ "$number" = "$2" ] || { [ -z "$of" ] && [ "$number" -lt 10 ]; }; then
    echo "[$number$of] $name"
fi
