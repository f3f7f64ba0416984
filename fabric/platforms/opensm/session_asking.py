"""What a manager's host is asked of its subnet: shell scripts that run the tools of infiniband-diags there."""

from __future__ import annotations

ASK = """
key=$(sed -n "s/^sa_key //p" "$1/opensm.conf")
printf '%s\\n' "${key:-0x1}" | setsid -w timeout 60 "$2" --smkey x PKTR
"""
"""The SA_Key goes from the file to saquery's prompt: never among its arguments, never to us."""
MANAGERS = """
saquery=${1:+$1/}saquery sminfo=${1:+$1/}sminfo
command -v "$saquery" >/dev/null && command -v "$sminfo" >/dev/null || exit 0
said=$(timeout 60 "$saquery" -s 2>/dev/null)
printf '%s\\n# sminfo lid 0\\n' "$said"
timeout 20 "$sminfo" 2>/dev/null
for lid in $(printf '%s\\n' "$said" | sed -n '/^IsSMdisabled/q; s/^.*EndPortLid\\.*//p'); do
    echo "# sminfo lid $lid"
    timeout 20 "$sminfo" "$lid" 2>/dev/null
done
true
"""
"""The ports that say that a manager runs there, then the master of our own port (LID 0), then each of those ports.
What does not answer leaves its line alone. Nothing at all: the host has not the programs."""
