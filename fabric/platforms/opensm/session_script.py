"""What runs on a subnet manager's host: a POSIX shell script that changes OpenSM's files, and takes them back.

Everything that must happen whoever dies in between is done there: the timer is started before the first file is
touched, what was written is compared with what was sent before OpenSM reads it, and OpenSM's log is watched.
"""

from __future__ import annotations

STATE = ".fabric"
"""Folder below that of the files: staged files, old files, the timer."""

SCRIPT = r"""#!/bin/sh
# control VERB: changes the files of OpenSM with a rollback. Written by fabric; `settings` stands beside it.
set -u
umask 077
trap '' HUP PIPE INT
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings"
home=$folder/.fabric
run=$(basename "$here")

fail() { printf '%s\n' "$*" >&2; exit 1; }
note() { printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$run" "$*" >>"$home/log"; }
locked() { exec 9>>"$home/lock"; flock -w 30 9 || fail "another change of these files is under way"; }
pending() { cat "$home/pending" 2>/dev/null || true; }
uptime_s() { cut -d. -f1 /proc/uptime; }

put() { # put FROM TO: beside it, on the disk, then in its place at once
    [ -e "$1" ] || { rm -f "$2"; return 0; }
    cmp -s "$1" "$2" && return 0
    cp "$1" "$2.fabric-new" && sync "$2.fabric-new" && mv -f "$2.fabric-new" "$2"
}

place() { # place FOLDER: every file of ours from there
    for name in $names; do put "$1/$name" "$folder/$name" || return 1; done
    sync "$folder"
}

keep_old() {
    mkdir -p "$here/old"
    for name in $names; do [ ! -e "$folder/$name" ] || cp -p "$folder/$name" "$here/old/" || return 1; done
    [ -e "$log" ] || : >"$here/never-ran"
    [ ! -e "$cache/$lids" ] || cp -p "$cache/$lids" "$here/old-cache-$lids"
}

merge() { # ours, and the LIDs that OpenSM gave to ports that we do not know
    cat "$here/new/$lids" "$cache/$lids" 2>/dev/null |
        awk 'NF == 3 && !($1 in port) && !($2 in lid) {port[$1]; lid[$2]; print; print ""}' >"$here/lids"
}

intact() { (cd "$folder" && sha256sum --check --status "$here/sums"); }

pin() { # Debian starts an OpenSM for each port that this file names, all of them unless it is told otherwise
    [ -n "$defaults" ] && [ -e "$defaults" ] || return 0
    ! grep -qxF "PORTS=\"$guid\"" "$defaults" || return 0
    cp "$defaults" "$here/old-defaults" || return 1
    { grep -v '^PORTS=' "$defaults"; printf 'PORTS="%s"\n' "$guid"; } >"$here/defaults"
    put "$here/defaults" "$defaults" || return 1
    mode=restart # the others end with it
    echo "mode=restart" >>"$here/settings"
}

unpin() { [ ! -e "$here/old-defaults" ] || put "$here/old-defaults" "$defaults"; }

mark() { [ -e "$log" ] && wc -c <"$log" || echo 0; }

said() { # what OpenSM has logged since the mark
    if grep -qF "$marker" "$log" 2>/dev/null; then
        sed "1,/$marker/d" "$log"
    elif [ "$marker" != no-such-line ] || [ "$(mark)" -lt "$from" ]; then
        cat "$log" 2>/dev/null
    else
        tail -c "+$((from + 1))" "$log" 2>/dev/null
    fi
}

troubles() { # of what is on the input: lines of trouble with files or routes, without time and thread
    grep -vE "$asked" | grep -E "$fatal|Failed to setup routing engine" | sed 's/^.*-> //'
}

renew() { # renew LIDS: make OpenSM read its files again
    known=$(tail -c 4000000 "$log" 2>/dev/null | grep -oE 'ERR [0-9A-F]{4}' | sort -u)
    tail -c 4000000 "$log" 2>/dev/null | troubles | sort -u >"$here/known"
    role=$(grep -oE 'Entering [A-Z_]+ state' "$log" 2>/dev/null | tail -n 1 | cut -d' ' -f2)
    marker=no-such-line
    from=$(mark)
    if [ "$mode" = reload ]; then
        sh -c "$reload" 9>&- >/dev/null 2>&1 </dev/null || { why="OpenSM does not run: $reload"; return 1; }
    else
        sh -c "$stop" 9>&- >/dev/null 2>&1 </dev/null
        mkdir -p "$cache"
        if ! put "$1" "$cache/$lids"; then why="cannot write $cache/$lids"; return 1; fi
        start_anew
    fi
}

start_anew() {
    # A log that is begun anew loses the mark: then all of it is new.
    marker="fabric-restart-$run-$(date +%s%N)"
    [ ! -e "$log" ] || printf '%s\n' "$marker" >>"$log"
    from=$(mark)
    role=""
    sh -c "$start" 9>&- >/dev/null 2>&1 </dev/null || { why="OpenSM does not start: $start"; return 1; }
}

look() { # the first wrong line since the files were changed
    . "$here/watching"
    if why=$(wrong "$(said)"); then fail "$why"; fi
}

wrong() { # the first line that must not be there; what others ask the administrator is not ours
    text=$(printf '%s\n' "$1" | grep -vE "$asked")
    printf '%s\n' "$text" | grep -m 1 -E "$always" && return 0
    # A root that was dead before is told at each computation of routes, and was as dead with the old files.
    printf '%s\n' "$text" | grep -E "$fatal|Failed to setup routing engine" | grep -v "'no_fallback'" |
        awk -v file="$here/known" '
            BEGIN { while ((getline line < file) > 0) known[line] }
            { said = $0; sub(/^.*-> /, "", said) }
            !(said in known) { print; found = 1; exit }
            END { exit !found }' && return 0
    for code in $(printf '%s\n' "$text" | grep -oE 'ERR [0-9A-F]{4}' | cut -d' ' -f2 | sort -u); do
        case "$known" in *"ERR $code"*) ;; *) printf '%s\n' "$text" | grep -m 1 "ERR $code"; return 0 ;; esac
    done
    return 1
}

watch() { # until the subnet is up again, or something is wrong
    began=$(uptime_s)
    since=$began
    again=$mode
    calm=3
    [ "$mode" = restart ] || calm=1
    while :; do
        new=$(said)
        now=$(printf '%s\n' "$new" | grep -oE 'Entering [A-Z_]+ state' | tail -n 1 | cut -d' ' -f2)
        if [ -n "$now" ] && [ "$now" != "$role" ]; then role=$now since=$(uptime_s); fi
        if why=$(wrong "$new"); then return 1; fi
        case "$role" in
            STANDBY) # after a start, the one that works may hand over a moment later
                [ $(($(uptime_s) - since)) -lt "$calm" ] || return 0 ;;
            *) printf '%s\n' "$new" |
                awk '/Entering MASTER state/ {up = 0} /SUBNET UP/ {up = 1} END {exit !up}' && return 0 ;;
        esac
        if [ "$again" = restart ] && is_stalled "$new"; then
            note "a manager in state $role that does not go on is started once more"
            again=no
            sh -c "$stop" 9>&- >/dev/null 2>&1 </dev/null
            start_anew || return 1
            since=$(uptime_s)
        elif [ "$again" = no ] && is_stalled "$new"; then # it waits for another manager: for who sees both to mend
            note "it has stalled again, in state $role"
            role=STALLED
            return 0
        fi
        if [ $(($(uptime_s) - began)) -ge "$patience" ]; then why="no SUBNET UP within $patience s"; return 1; fi
        sleep 0.2 # each look starts a dozen programs, on a host that computes routes meanwhile
    done
}

is_stalled() { # one that looks for others for long, or a master by handover that has said nothing since
    [ $(($(uptime_s) - since)) -ge "$stall" ] || return 1
    case $role in
        DISCOVERING) return 0 ;;
        MASTER) printf '%s\n' "$1" | grep -vE 'log_(trap_info|notice)' | tail -n 1 | grep -q 'Entering MASTER state' ;;
        *) return 1 ;;
    esac
}

back() { # the old files, as they were
    [ "$(cat "$home/last" 2>/dev/null)" != "$run" ] || rm -f "$home/last"
    if [ -e "$here/never-ran" ]; then # without files OpenSM would open the subnet to everybody
        sh -c "$stop" 9>&- >/dev/null 2>&1 </dev/null
        place "$here/old"
        unpin
        rm -f "$home/pending"
        note "reverted, and OpenSM ended, which had never run: $1"
        return 0
    fi
    place "$here/old" && unpin && renew "$here/old-cache-$lids"
    done=$?
    rm -f "$home/pending"
    [ $done = 0 ] && watch && note "reverted: $1"
}

claim() { # from here on, this run waits for its confirmation
    printf '%s\n' "$run" >"$home/pending.new" && sync "$home/pending.new" && mv "$home/pending.new" "$home/pending"
}

commit() { # commit SECONDS
    locked
    [ ! -e "$home/pending" ] || fail "another commit is pending: $(pending)"
    keep_old || fail "cannot keep the old files in $here"
    printf '%s %s\n' "$(($(uptime_s) + $1))" "$(cat /proc/sys/kernel/random/boot_id)" >"$here/deadline"
    claim || fail "cannot write below $home: nothing was changed"
    setsid sh "$0" timer "$1" 9>&- >/dev/null 2>&1 </dev/null &
    why="cannot write below $folder"
    if place "$here/new" && pin && { why="what was written is not what was sent"; intact; }; then
        merge
        if renew "$here/lids" && watch; then
            printf "marker='%s' from='%s' known='%s'\n" "$marker" "$from" "$known" >"$here/watching"
            note "committed, reverts in $1 s"
            echo "$role"
            return 0
        fi
    else
        mode=none
    fi
    said_why=$why # watching the rollback says other things
    if [ "$mode" = none ]; then place "$here/old"; unpin; rm -f "$home/pending"; else back "$why"; fi
    note "taken back: $said_why"
    fail "$said_why"
}

timer() { # timer SECONDS: outlives everybody
    left=$1
    while [ "$left" -gt 0 ]; do
        [ "$(pending)" = "$run" ] || exit 0
        sleep 1
        left=$((left - 1))
    done
    locked
    [ "$(pending)" != "$run" ] || back "not confirmed in time"
}

revert() {
    locked
    [ "$(pending)" = "$run" ] || [ "$(cat "$home/last" 2>/dev/null)" = "$run" ] || fail "$run cannot be taken back"
    [ "$(pending)" = "$run" ] || rm -f "$home/last"
    back "asked to" || fail "the old files are back, but: ${why:-OpenSM did not read them}"
    echo "$role"
}

overdue() { # its timer died with the host: take it back now
    read -r deadline boot <"$here/deadline" || return 0
    [ "$boot" = "$(cat /proc/sys/kernel/random/boot_id)" ] && [ "$(uptime_s)" -le "$((deadline + 5))" ] && return 0
    locked
    [ "$(pending)" != "$run" ] || back "its timer was gone"
}

confirm() {
    locked
    [ "$(pending)" = "$run" ] || fail "no pending commit found"
    printf '%s\n' "$run" >"$home/last"
    rm -f "$home/pending" || fail "cannot remove $home/pending: the change will be taken back"
    rm -rf "$here/new"
    note "confirmed"
    find "$home" -maxdepth 1 -name '*-fabric-*' | sort | head -n "-$kept" | xargs -r rm -rf
}

"$@"
"""
"""It takes `flock`, `setsid` (util-linux), `sync`, `sha256sum` (GNU coreutils): there on every Linux host."""

ALWAYS = ("PARSE ERROR", "retrying with default config", "Exiting SM")
"""What OpenSM logs when it has not understood its files (3.3.23, run): never to be lived with, new or not."""
FATAL = ("No routing engine able to", "ERR A[A-F][0-9A-F]{2}", "ERR 331A")
"""What it logs when it cannot do as told: a reason to go back only if it could before.

`ERR AB24: Root switch GUID … not found` stands there at each computation of routes while a root is dead, and
`ERR AB26: CN port … connected to switch …` while a host hangs on a spine: the old files say the same.
"""

ASKED = (
    "osm_(pkey_rec|slvl_rec|vlarb_rec|pr|mpr|mcmr|nr|lr|lftr|mftr|pir|sr|sir|smir|gir|infr|cpi)_rcv_process: ERR"
    "|smi_rcv_process_get_response: ERR 2F18"
)
"""OpenSM's complaint about what some host has asked: it can come at any time.

`ERR 2F18: Got SM … with sm_key … that doesn't match` is about another manager: a stranger's, or the other one of ours
while one has the new SM_Key and the other has not. Then both are masters, with equal tables.
"""
