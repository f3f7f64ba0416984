"""Queueing modes: profiles, their queues, the traffic manager's profiles.

Source: the command reference (https://www.arista.com/en/um-eos), and the templates of aristanetworks/avd.
"""

from __future__ import annotations

from fabric.platforms.eos.emulator.grammar import Rule

QUEUE: tuple[Rule, ...] = (
    Rule(pattern="no priority", key="priority"),
    Rule(pattern="priority strict", key="priority"),
    Rule(pattern="bandwidth percent <1-100>"),
    Rule(pattern="shape rate <1-100> percent"),
    Rule(pattern="bandwidth guaranteed (percent <1-100>|<1-4294967295> (kbps|pps)|<1-4294967295>)"),
    Rule(pattern="shape rate <1-4294967295> [(kbps|percent|pps)]"),
    Rule(pattern="random-detect ecn count"),
    Rule(
        pattern="random-detect ecn minimum-threshold <1-256000000>"
        " (segments|bytes|kbytes|mbytes|milliseconds|microseconds) maximum-threshold <1-256000000>"
        " (segments|bytes|kbytes|mbytes|milliseconds|microseconds) [max-mark-probability <1-100>] [weight <0-15>]"
    ),
)

PROFILE: tuple[Rule, ...] = (
    Rule(pattern="qos trust (cos|dscp|disabled)"),
    Rule(pattern="qos cos <0-7>"),
    Rule(pattern="qos dscp <0-63>"),
    Rule(pattern="shape rate <1-4294967295> [(kbps|percent|pps)]"),
    Rule(pattern="priority-flow-control on"),
    Rule(pattern="priority-flow-control priority <*0-7> (drop|no-drop)"),
    Rule(pattern="priority-flow-control pause watchdog", toggle="off"),
    Rule(
        pattern="priority-flow-control pause watchdog port timer timeout <0.01-60.0>"
        " polling-interval (<0.005-30.0>|auto) recovery-time <0.01-60.0> [forced]"
    ),
    Rule(pattern="priority-flow-control pause watchdog port action (drop|notify-only)"),
    Rule(pattern="tx-queue <*0-7>", enters="queue", group="queue"),
    Rule(pattern="uc-tx-queue <*0-7>", enters="queue", group="queue"),
    Rule(pattern="mc-tx-queue <*0-7>", enters="queue", group="queue"),
)

FRACTION = "(<fraction>|<1-8>)"
SIZE = "[(bytes|cells)] <0-8388608>"

MODES: dict[str, tuple[Rule, ...]] = {
    "qos-profile": PROFILE,
    "queue": QUEUE,
    "mmu-profile": (
        Rule(pattern=f"ingress threshold {FRACTION}"),
        Rule(pattern=f"ingress (*reserved|*headroom|*resume) {SIZE}"),
        Rule(pattern=f"ingress priority-group <*0-7> *threshold {FRACTION}"),
        Rule(pattern=f"ingress priority-group <*0-7> (*reserved|*headroom|*resume) {SIZE}"),
        Rule(pattern=f"egress unicast queue <*0-7> (*reserved {SIZE}|*threshold {FRACTION})"),
        Rule(pattern=f"egress multicast queue <*0-7> (*reserved {SIZE}|*threshold {FRACTION})"),
    ),
    "load-balance": (Rule(pattern="load-balance sand profile <*name>", enters="sand-profile"),),
    "sand-profile": (
        Rule(pattern="fields udp dst-port <1-65535> payload bytes <word>"),
        Rule(pattern="hash (*ip|*ipv6) <text>"),
    ),
}
