#!/bin/sh
# specs.sh -- runs files of specs in several processes at once: RUN='command' specs.sh FOLDER JOBS FILE...
#
# RUN is a shell command that runs busted; the options below and the name of one file are appended to it. A FILE that is
# a folder stands for all *_spec.lua in it. For each file FOLDER gets NAME.log, all that its process printed, and
# NAME.result, what a user is to see of that (see spec/support/summary.lua). As each file ends, a line with its counts
# and its time is printed, and below it what failed or was skipped. The last line is the sum, which FOLDER/summary gets,
# too:
#
#     12 passed, 1 failed, 0 skipped
#
# A process that dies counts as a failure, and so does a run without any test.
set -u

CLOSING='^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
LAST_LINES="^FAILED |^[0-9.]+ s\$|$CLOSING" # of a result: the title of each failure, the time, the counts

# Prints the name by which FOLDER has a file: spec/world/save_spec.lua is world_save_spec.
name_of() {
    name=${1#spec/}
    echo "${name%.lua}" | tr / _
}

# Prints the sum of the closing lines in the files as three numbers.
sum() {
    grep -hE "$CLOSING" "$@" 2>/dev/null |
        awk '{ passed += $1; failed += $3; skipped += $5 } END { print passed + 0, failed + 0, skipped + 0 }'
}

# ---- one file: specs.sh --file FOLDER FILE, called by xargs ----

run_file() {
    folder=$1 file=$2
    name=$(name_of "$file")
    log=$folder/$name.log result=$folder/$name.result
    : >"$folder/$name.running"
    eval "$RUN -o spec/support/summary.lua"' -Xoutput "$result" -Xoutput "$log" "$file"' >"$log" 2>&1 </dev/null
    status=$?
    rm "$folder/$name.running"
    # A process that died before its last test has left no closing line, one that died later a line without failures.
    if ! grep -qsE "$CLOSING" "$result" || { [ $status != 0 ] && grep -q '^[0-9]* passed, 0 failed' "$result"; }; then
        title="the process ended with status $status"
        {
            printf '\n  FAILED %s; the end of %s:\n' "$title" "$log"
            tail -n 18 "$log" | sed 's/^/    /'
            printf '\nFAILED %s: %s\n0 passed, 1 failed, 0 skipped\n' "$file" "$title"
        } >>"$result"
    fi
    echo "$file"
}

if [ "$1" = --file ]; then
    run_file "$2" "$3"
    exit 0
fi

# ---- all files ----

folder=$1 jobs=$2
shift 2
mkdir -p "$folder"
rm -f "$folder"/*.running "$folder"/*.result "$folder"/*.log "$folder/summary"
started=$(date +%s)

# A file that was run before is expected to take as long again, another one a second for each 4000 bytes.
list_longest_first() {
    for file in "$@"; do
        if [ -d "$file" ]; then find "$file" -name '*_spec.lua'; else echo "$file"; fi
    done | while read -r file; do
        if [ -f "$file" ]; then size=$(wc -c <"$file"); else size=0; fi
        echo "$(name_of "$file") $size $file"
    done | awk -v times="$folder/times" '
        BEGIN { while ((getline <times) > 0) seconds[$1] = $2 }
        { print $1 in seconds ? seconds[$1] : $2 / 4000, $3 }' | sort -rn | cut -d' ' -f2
}

show_file() {
    number=$1 count=$2 file=$3
    result=$folder/$(name_of "$file").result
    # shellcheck disable=SC2046 # three numbers
    set -- $(sum "$result")
    [ "$*" != "0 0 0" ] || return # a file without a test that was asked for
    words="$1 passed"
    [ "$2" = 0 ] || words="$words, $2 FAILED"
    [ "$3" = 0 ] || words="$words, $3 skipped"
    seconds=$(grep -E '^[0-9.]+ s$' "$result")
    printf '[%*d/%d] %-36s %9s  %s\n' ${#count} "$number" "$count" "$file" "$seconds" "$words"
    grep -vE "$LAST_LINES" "$result"
}

tell_running() {
    for file in "$folder"/*.running; do
        [ ! -f "$file" ] || echo "stopped in $(basename "$file" .running), test $(tail -n 1 "${file%.running}.log")"
    done
    exit 1
}
trap tell_running INT TERM

list_longest_first "$@" >"$folder/files"
count=$(($(wc -l <"$folder/files")))
xargs -n 1 -P "$jobs" sh "$0" --file "$folder" <"$folder/files" | {
    number=0
    while read -r file; do
        number=$((number + 1))
        show_file "$number" "$count" "$file"
    done
}

printf '\n%d s in all\n' $(($(date +%s) - started))
cat "$folder"/*.result | grep '^FAILED '
for result in "$folder"/*.result; do
    seconds=$(sed -nE 's/^([0-9.]+) s$/\1/p' "$result")
    [ -z "$seconds" ] || echo "$(basename "$result" .result) $seconds"
done >>"$folder/times"

# shellcheck disable=SC2046 # three numbers
set -- $(sum "$folder"/*.result)
if [ $(($1 + $2)) = 0 ]; then
    echo "No test ran."
    set -- 0 1 "$3"
fi
echo "$1 passed, $2 failed, $3 skipped" >"$folder/summary"
echo
cat "$folder/summary"
[ "$2" = 0 ]
