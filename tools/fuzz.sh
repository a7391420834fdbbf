#!/bin/sh
# fuzz.sh -- runs the fuzzers of build/fuzz, two at a time, until they have had their inputs.
#
#   fuzz.sh [RUNS NAME...]
#
# RUNS inputs in all, shared out below; without arguments it is asked only whether there is a
# libFuzzer. What a fuzzer learns is kept in build/fuzz/corpus/NAME, begun with
# spec/fuzz/corpus/NAME. An input that breaks something is left as build/fuzz/NAME-crash-..., and
# its run ends with status 1. SEED in the environment repeats a run of the same commit.
set -u

mkdir -p build/fuzz
if ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer,address -o build/fuzz/try -x c - 2>/dev/null; then
    echo "make fuzz needs clang and its libFuzzer (Debian: apt-get install clang libclang-rt-14-dev)" >&2
    exit 1
fi
[ $# -gt 0 ] || exit 0
runs=$1
shift
seed=${SEED:-$$}
export ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=2

# Of a hundred inputs, how many each fuzzer gets, the slow ones fewer, and the bytes of the longest.
# Those stay short: what is found then is easy to read, and the next one comes sooner.
share() {
    case $1 in
    core) share=8 length=48 ;;
    api) share=4 length=48 ;;
    crowds) share=2 length=200 ;;
    graphs) share=12 length=160 ;;
    hexagons) share=6 length=160 ;;
    *) share=68 length=160 ;;
    esac
}

run() {
    name=$1
    share "$name"
    mkdir -p "build/fuzz/corpus/$name"
    build/fuzz/"$name" -runs=$((runs / 100 * share)) -max_len=$length \
        -timeout=20 -rss_limit_mb=2048 -detect_leaks=0 -entropic=0 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/$name-" -seed=$seed \
        "build/fuzz/corpus/$name" "spec/fuzz/corpus/$name" >"build/fuzz/$name.log" 2>&1
}

report() {
    if [ "$2" = 0 ]; then
        echo "$1: $(sed -n 's/^Done \(.*\)/\1/p' "build/fuzz/$1.log")"
    else
        grep -hE 'does not hold|ERROR|SUMMARY|runtime error|Test unit written' "build/fuzz/$1.log"
        echo "$1: FAILED with SEED=$seed, see build/fuzz/$1.log"
    fi
}

failed=0 total=$#
core=0
case " $* " in *" core "*) run core & core=$! ;; esac
for name in "$@"; do
    [ "$name" = core ] && continue
    run "$name"
    status=$?
    report "$name" $status
    [ $status = 0 ] || failed=$((failed + 1))
done
if [ $core != 0 ]; then
    wait $core
    status=$?
    report core $status
    [ $status = 0 ] || failed=$((failed + 1))
fi
echo "$((total - failed)) passed, $failed failed, 0 skipped"
[ $failed = 0 ]
