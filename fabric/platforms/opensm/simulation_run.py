"""A folder in which a subnet runs: ibsim plays its switches and hosts, the real OpenSM manages them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.platforms.opensm.simulation import simulated

SPARE = 8
"""Places that ibsim keeps beyond what the netlist has."""

RUN = r"""#!/bin/sh
# Plays this subnet: `./run help`. Written by `fabric compile --simulate DIR`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
state=$here/state
IBSIM_SOCKNAME=@socket@
export IBSIM_SOCKNAME

fail() { printf '%s\n' "$*" >&2; exit 1; }
umad() { ls /usr/lib/*/umad2sim/libumad2sim.so /usr/lib*/umad2sim/libumad2sim.so 2>/dev/null | head -n 1; }
need() { command -v "$1" >/dev/null || fail "$1 is missing: apt-get install opensm ibsim-utils infiniband-diags"; }
alive() { # NAME: it runs, and is not only waiting to be forgotten
    pid=$(cat "$state/$1.pid" 2>/dev/null) && kill -0 "$pid" 2>/dev/null || return 1
    ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null
}

wait_for() { # PROGRAM LOG WORDS
    tries=0
    until grep -q "$3" "$2" 2>/dev/null; do
        alive "$1" || fail "$1 ended: $(tail -n 5 "$2")"
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || fail "$1: no \"$3\" in two minutes, see $2"
        sleep 0.1
    done
}

manage() { # NAME NODE: OpenSM on one host, with the files that were compiled for it
    mkdir -p "$state/$1"
    cd "$here/$1"
    rm -f opensm.log
    SIM_HOST=$2 LD_PRELOAD=$(umad) OSM_CACHE_DIR=$here/$1/ OSM_TMP_DIR=$here/$1/ \
        opensm -F "$here/$1/opensm.conf" -f "$here/$1/opensm.log" </dev/null >"$state/$1/stdout" 2>&1 &
    echo $! >"$state/$1.pid"
    cd "$here"
}

start() {
    [ ! -d "$state" ] || fail "it runs already: ./run stop"
    need ibsim; need opensm; need ibnetdiscover
    [ -n "$(umad)" ] || fail "libumad2sim.so is missing: apt-get install ibsim-utils"
    mkdir "$state"
    mkfifo "$state/console"
    sleep 2147483647 </dev/null >"$state/console" 2>/dev/null & # at the end of its console ibsim would spin
    echo $! >"$state/_holder.pid"
    ibsim -s @sizes@ "$here/fabric.net" <"$state/console" >"$state/ibsim.log" 2>&1 &
    echo $! >"$state/_ibsim.pid"
    wait_for _ibsim "$state/ibsim.log" 'simulator ready'
@managers@
    echo "the subnet is up: ./run ibnetdiscover, ./run stop, ./run help"
}

end() { # NAME: mildly, then by force; an OpenSM that waits for an answer does not hear a mild word
    alive "$1" || return 0
    kill "$(cat "$state/$1.pid")" 2>/dev/null || true
    tries=0
    while alive "$1" && [ "$tries" -lt 30 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    ! alive "$1" || kill -9 "$(cat "$state/$1.pid")" 2>/dev/null || true
}

stop() {
    [ -d "$state" ] || fail "it does not run: ./run start"
    for name in @names@; do
        end "$name"
        rm -rf "$here/$name"/sys-*
    done
    for name in _holder _ibsim; do
        end "$name"
    done
    rm -rf "$state"
}

tool() { # a program of infiniband-diags, as if the subnet were real
    [ -d "$state" ] || fail "it does not run: ./run start"
    need "$1"
    mine=$(mktemp -d "$state/tool.XXXXXX") # the library leaves files where it runs
    cd "$mine"
    code=0
    LD_PRELOAD=$(umad) timeout 300 "$@" || code=$?
    rm -rf "$mine"
    return $code
}

sweeps() { cat "$here"/*/opensm.log 2>/dev/null | grep -c 'SUBNET UP' || true; }

change() { # COMMAND NODE PORT: change a cable, and wait until a manager has routed anew
    [ -d "$state" ] || fail "it does not run: ./run start"
    before=$(sweeps)
    printf '%s "%s"%s\n' "$1" "$2" "${3:+[$3]}" >"$state/console"
    tries=0
    until [ "$(sweeps)" -gt "$before" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || fail "no manager has routed anew in two minutes"
        sleep 0.1
    done
}

case "${1:-help}" in
    start | stop) "$1" ;;
    unplug) change Unlink "$2" "${3:-}" ;;
    plug) change ReLink "$2" "${3:-}" ;;
    save)
        out=${2:-$here/seen}
        mkdir -p "$out"; out=$(cd "$out" && pwd) # the tools run elsewhere
        tool ibnetdiscover >"$out/ibnetdiscover.txt"
        tool dump_lfts >"$out/dump_lfts.txt"
        tool saquery --smkey 1 PKTR >"$out/pkeys.txt"
        tool saquery -s >"$out/managers.txt"
        for lid in $(sed -n '/^IsSMdisabled/q; s/^.*EndPortLid\.*//p' "$out/managers.txt"); do
            echo "# sminfo lid $lid"
            tool sminfo "$lid" 2>"$state/sminfo" || true # that one does not answer is an answer
        done >"$out/sminfo.txt"
        echo "$out"
        ;;
    help) sed -n '/^## Commands/,$p' "$here/README.md" ;;
    *) tool "$@" ;;
esac
"""

README = """# The subnet of network `@network@`, simulated

@size@. Nothing here touches a network: `ibsim` plays switches and hosts on this machine, and the real OpenSM
manages them with the compiled files. It needs the packages opensm, ibsim-utils and infiniband-diags.

    ./run start
    ./run ibnetdiscover
    ./run stop

The files differ from the compiled ones in these lines only, because ibsim 0.10 knows no more:

- MTU 2048 instead of 4096, and rates of at most 200 Gb/s, in partitions.conf;
- port GUIDs are the adapter's GUID plus the number of the port;
- no M_Key (the tools could not set ports), and 1 as SA_Key;
- OpenSM's log and dumps stand beside its files.

## Commands

    ./run start                 ibsim, then @names@; returns when the subnet is up
    ./run stop                  ends all of it
    ./run TOOL ARGUMENTS        ibnetdiscover, dump_lfts, smpquery, "saquery --smkey 1 PKTR" and the others
    ./run save [DIR]            output of ibnetdiscover, dump_lfts, sminfo and the P_Key tables, for `fabric verify`
    ./run unplug NODE [PORT]    takes a cable out, or all of a node: NODE is `S-GUID` or `H-GUID` as in fabric.net
    ./run plug NODE [PORT]      puts it back; both return when a manager has routed anew
"""


def simulation(managers: Sequence[tuple[SubnetManager, str]], folder: Path) -> dict[str, str]:
    """The files of a subnet's managers, a script that runs them beside `fabric.net`, and a page on how."""
    subnet = managers[0][0].subnet
    files = {
        f"{manager.name}/{name}": text
        for manager, printed in managers
        for name, text in simulated(printed, subnet, folder / manager.name).items()
    }
    names = " ".join(manager.name for manager, _ in managers)
    words = {
        "socket": f"fabric-{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}",
        "sizes": sizes(subnet),
        "managers": "\n".join(_start(manager, first=not i) for i, (manager, _) in enumerate(managers)),
        "names": names,
        "network": subnet.network,
        "size": f"{len(subnet.switches):,} switches, {len(subnet.ends):,} HCA ports, {len(subnet.links):,} cables",
    }
    return files | {"run": _filled(RUN, words), "README.md": _filled(README, words)}


def sizes(subnet: Subnet) -> str:
    """Options of ibsim that give it room for a subnet."""
    switches = len(subnet.switches) + SPARE
    ports = sum(switch.ports + 1 for switch in subnet.switches) + 2 * len(subnet.ends) + SPARE
    return f"-N {switches + len(subnet.ends)} -S {switches} -P {ports}"


def _start(manager: SubnetManager, *, first: bool) -> str:
    """One manager after the other: two that start at once may both wait for ever."""
    node = next(end.node_guid for end in manager.subnet.ends if end.port_guid == manager.port_guid)
    line = "SUBNET UP" if first else "Entering"
    return (
        f"    manage {manager.name} H-{node:016x}\n"
        f"    wait_for {manager.name} \"$here/{manager.name}/opensm.log\" '{line}'"
    )


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text
