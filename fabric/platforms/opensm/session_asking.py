"""What a manager's host is asked of its subnet: shell scripts that run the tools of infiniband-diags there."""

from __future__ import annotations

import re
from typing import Any

ASK = """
key=$(sed -n "s/^sa_key //p" "$1/opensm.conf")
printf '%s\\n' "${key:-0x1}" | setsid -w timeout 60 "$2" --smkey x PKTR
"""
"""The SA_Key goes from the file to saquery's prompt: never among its arguments, never to us."""
MANAGERS = """
saquery=${1:+$1/}saquery sminfo=${1:+$1/}sminfo
command -v "$saquery" >/dev/null && command -v "$sminfo" >/dev/null || exit 0
said=$(timeout 60 "$saquery" -s 2>/dev/null)
timeout 20 "$sminfo" -D 0 2>/dev/null
printf '%s\\n# sminfo lid 0\\n' "$said"
timeout 20 "$sminfo" 2>/dev/null
for lid in $(printf '%s\\n' "$said" | sed -n '/^IsSMdisabled/q; s/^.*EndPortLid\\.*//p'); do
    echo "# sminfo lid $lid"
    timeout 20 "$sminfo" "$lid" 2>/dev/null
done
true
"""
"""The manager of this host by the direct route, which needs no master; the ports that say that a manager runs there;
the master that our own port names (LID 0), then each of those ports. A master that has ended answers neither `saquery`
nor LID 0. What does not answer leaves its line alone. Nothing at all: the host has not the programs."""
MANAGER = r"""
folder=$1 log=$2 sminfo=${3:+$3/}sminfo
guid=$(sed -n 's/^guid //p' "$folder/opensm.conf" 2>/dev/null)
lid=$(awk -v guid="$guid" '$1 == guid {print $2; exit}' "$folder/guid2lid" 2>/dev/null)
echo "lids $(grep -c . "$folder/guid2lid" 2>/dev/null)"
if command -v "$sminfo" >/dev/null; then
    echo asked
    timeout 20 "$sminfo" -D 0 2>/dev/null || { [ -z "$lid" ] || timeout 20 "$sminfo" "$lid" 2>/dev/null; }
    echo master
    timeout 20 "$sminfo" 2>/dev/null
fi
echo logged
log=$(printf '%s' "$log" | sed "s/{guid}/$guid/")
tail -c 4000000 "$log" 2>/dev/null | grep -oE 'Entering [A-Z_]+ state|SUBNET UP'
true
"""
"""What a manager says of itself: by the direct route from its own port to that port, which needs neither LIDs nor
routes (`sminfo -D 0`; run), else by its LID. Then the master that this port knows, and what OpenSM has logged."""
LOCKED = """
mkdir -p "$1" && exec 9>>"$1/lock" && flock -w 30 9 || { echo "another change of the files is under way" >&2; exit 1; }
sh -c "$2" 9>&- >/dev/null 2>&1 </dev/null || { echo "it fails: $2" >&2; exit 1; }
"""
"""Under the lock of the script that changes the files: it may be taking them back at this moment."""


def manager_state(text: str) -> dict[str, Any]:
    """What `MANAGER` has printed, by the names of `ManagerState`.

    A host without `sminfo` is believed what OpenSM has logged there. A master whose log does not tell when it became
    one (it was begun anew since) has swept.
    """
    answers, _, logged = text.partition("logged\n")
    own, _, above = answers.partition("asked\n")[2].partition("master\n")
    lines = logged.splitlines()
    entered = [number for number, line in enumerate(lines) if line.startswith("Entering ")]
    is_up = not entered or UP in lines[entered[-1] :]
    state: dict[str, Any] = {"role": "silent", "swept": is_up}
    if answer := ANSWER.search(own):
        state |= {"role": STATES.get(answer[3], "not active"), "guid": int(answer[1], 16)}
        state["priority"] = int(answer[2])
    elif "asked\n" not in answers and entered:
        state["role"] = LOGGED.get(lines[entered[-1]].split()[1], "discovering")
    if (answer := ANSWER.search(above)) and STATES.get(answer[3]) == "master":
        state["master"] = int(answer[1], 16)
    lids = re.search(r"lids (\d+)", answers)
    return state | {"quiet_s": STALL_S + (int(lids[1]) if lids else 0) // PORTS_PER_S}


UP = "SUBNET UP"
ANSWER = re.compile(r"sm guid 0x([0-9a-f]+), activity count \d+ priority (\d+) state (\d+)")
STATES = {"0": "not active", "1": "discovering", "2": "standby", "3": "master"}
LOGGED = {"MASTER": "master", "STANDBY": "standby", "DISCOVERING": "discovering", "NOT": "not active"}
STALL_S, PORTS_PER_S = 5, 500
"""A manager that has logged nothing for so long, and for a second more for each 500 LIDs, has stalled: in 3 of 12
handovers the new master never swept (3.3.23, run). Discovering 16,378 HCAs took 7 s."""
