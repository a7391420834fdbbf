#!/bin/sh
# cluster.sh -- the service on this machine: instances of one etcd and one haproxy each, on ports and in a folder of their own.
#
#   cluster.sh up [N]              makes N instances (3), starts them and waits until all answer
#   cluster.sh start WHAT I        starts what is not running; WHAT is etcd, haproxy or both
#   cluster.sh stop|kill WHAT I    by SIGTERM, waited for, or by SIGKILL
#   cluster.sh pause|resume WHAT I by SIGSTOP and SIGCONT
#   cluster.sh status              a line a process
#   cluster.sh down | clean        kills all it started; clean deletes the folder, too
#
# DIR (build/service), PORT (18700), HOSTS (an address an instance), IN (a command before each process, %d the instance),
# FOLD (1000), QUOTA (of etcd, bytes), THREADS (3), MASTER (-W: HAProxy's master process, which a reload needs),
# MODULE (the folder of the module). Instance I answers at PORT+I, its etcd at PORT+10+I, for the other
# etcds at PORT+20+I. Nothing but what its own pid files name is ever ended.
set -u

SERVICE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(dirname "$SERVICE")
DIR=${DIR:-$ROOT/build/service}
PORT=${PORT:-18700}
HOSTS=${HOSTS:-}
IN=${IN:-}
FOLD=${FOLD:-1000}
QUOTA=${QUOTA:-0}
THREADS=${THREADS:-3}
MASTER=${MASTER:-}
MODULE=${MODULE:-$ROOT/build/$(sh "$ROOT/tools/need.sh" service-lua)}

count() { cat "$DIR/count" 2>/dev/null || echo 0; }

host() {
    word=$(echo "$HOSTS" | tr -s ' ' '\n' | sed -n "${1}p")
    echo "${word:-127.0.0.1}"
}

client_of() { echo "$(host "$1"):$((PORT + 10 + $1))"; }
peer_of() { echo "http://$(host "$1"):$((PORT + 20 + $1))"; }

# The endpoints of all, that of $1 first.
endpoints() {
    list=$(client_of "$1")
    i=1
    while [ "$i" -le "$(count)" ]; do
        [ "$i" = "$1" ] || list=$list,$(client_of "$i")
        i=$((i + 1))
    done
    echo "$list"
}

peers() {
    list=""
    i=1
    while [ "$i" -le "$(count)" ]; do
        list=$list${list:+,}e$i=$(peer_of "$i")
        i=$((i + 1))
    done
    echo "$list"
}

# Whether the process of a pid file runs, and is that of this folder.
alive() {
    pid=$(cat "$DIR/$2/$1.pid" 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null &&
        tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$DIR/$2/"
}

# Runs a command in the background, its pid in $1.pid.
launch() {
    what=$1 i=$2
    shift 2
    # shellcheck disable=SC2059,SC2046,SC2086 # IN is a format, and a command of words
    set -- $(printf "$IN" "$i") "$@"
    (
        exec </dev/null >>"$DIR/$i/$what.log" 2>&1
        "$@" &
        echo $! >"$DIR/$i/$what.pid"
    )
}

start_etcd() {
    client=http://$(client_of "$1")
    launch etcd "$1" env GOMAXPROCS=2 etcd --name "e$1" --data-dir "$DIR/$1/etcd" --listen-client-urls "$client" --advertise-client-urls "$client" \
        --listen-peer-urls "$(peer_of "$1")" --initial-advertise-peer-urls "$(peer_of "$1")" --initial-cluster "$(peers)" \
        --heartbeat-interval 50 --election-timeout 500 --pre-vote --snapshot-count 2000 --auto-compaction-mode revision --auto-compaction-retention 10000 \
        --quota-backend-bytes "$QUOTA" --logger zap --log-level warn
}

start_haproxy() {
    : >"$DIR/$1/board.map"
    rm -f "$DIR/$1/drain"
    # malloc gives blocks above this size back at once; else it raises the bound by itself, and keeps what was long answers.
    launch haproxy "$1" env MALLOC_MMAP_THRESHOLD_=262144 ASTAR_SERVICE="$SERVICE" ASTAR_MODULE="$MODULE" ASTAR_LUA="$ROOT/lua" \
        ASTAR_SETTINGS="$SERVICE/settings.lua" ASTAR_BIND="$(host "$1"):$((PORT + $1))" ASTAR_THREADS="$THREADS" \
        ASTAR_TOKENS="$DIR/tokens.map" ASTAR_RUN="$DIR/$1" ASTAR_LOG=stdout ASTAR_FOLD="$FOLD" \
        ASTAR_ETCD="$(endpoints "$1")" haproxy ${MASTER:+"$MASTER"} -db -f "$DIR/$1/haproxy.cfg"
}

each() { # each FUNCTION WHAT I
    case $2 in
    both) "$1" etcd "$3" && "$1" haproxy "$3" ;;
    etcd | haproxy) "$1" "$2" "$3" ;;
    *) echo "cluster.sh: etcd, haproxy or both, got $2" >&2 && return 2 ;;
    esac
}

start_one() { alive "$1" "$2" || "start_$1" "$2"; }
kill_one() { ! alive "$1" "$2" || kill -KILL "$pid"; }
pause_one() { ! alive "$1" "$2" || kill -STOP "$pid"; }
resume_one() { ! alive "$1" "$2" || kill -CONT "$pid"; }

stop_one() {
    alive "$1" "$2" || return 0
    kill -TERM "$pid"
    n=0
    while kill -0 "$pid" 2>/dev/null && [ "$n" -lt 100 ]; do
        sleep 0.05
        n=$((n + 1))
    done
    kill_one "$1" "$2"
}

status_one() {
    state=stopped
    if alive "$1" "$2"; then
        state=running
        ! grep -q '^State:.T' "/proc/$pid/status" || state=paused
    fi
    echo "$1 $2 ${pid:--} $state"
}

all() { # all FUNCTION
    i=1
    while [ "$i" -le "$(count)" ]; do
        each "$1" both "$i"
        i=$((i + 1))
    done
}

token() { printf '%s %s\n' "$(printf %s "$1" | sha256sum | cut -d' ' -f1)" "$2"; }

prepare() {
    mkdir -p "$DIR"
    echo "$1" >"$DIR/count"
    { token ask-token ask:game && token ask2-token ask:other && token edit-token edit:tools && token admin-token admin:me; } >"$DIR/tokens.map"
    i=1
    while [ "$i" -le "$1" ]; do
        mkdir -p "$DIR/$i"
        cp "$SERVICE/haproxy.cfg" "$DIR/$i/haproxy.cfg"
        i=$((i + 1))
    done
}

wait_ready() {
    i=1
    while [ "$i" -le "$(count)" ]; do
        n=0
        # shellcheck disable=SC2059,SC2046 # IN is a format, and a command of words
        until $(printf "$IN" "$i") curl -fs -o /dev/null -m 1 "http://$(host "$i"):$((PORT + i))/readyz"; do
            n=$((n + 1))
            if [ "$n" -gt 150 ] || ! alive haproxy "$i"; then
                echo "instance $i does not come up, see $DIR/$i/*.log" >&2
                return 1
            fi
            sleep 0.1
        done
        i=$((i + 1))
    done
}

case ${1:-} in
up) prepare "${2:-3}" && all start_one && wait_ready ;;
start | stop | kill | pause | resume) each "$1_one" "${2:?etcd, haproxy or both}" "${3:?which instance}" ;;
status) all status_one ;;
down) all kill_one ;;
clean) all kill_one && rm -rf "$DIR" ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
