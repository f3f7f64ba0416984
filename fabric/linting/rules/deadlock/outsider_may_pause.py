"""What is not ours does not pause our switches."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.border_examples import SESSION, SITE
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted

BGP = "{" + ", ".join(f"{key}: {value}" for key, value in SESSION.items()) + "}"


def _router(lossless: str) -> Example:
    return Example("two-tier", SITE.replace("BGP}", f"{BGP}, lossless: {lossless}}}"))


@rule(
    "FAB1203",
    "outsider-may-pause",
    "A router outside may pause the lossless classes of the fabric",
    why="Pauses spread to the senders, whoever begins. A router that is slow, or has a defect, stops hosts that send "
    "nothing to it; and what is beyond it may lead back, which no proof about our own switches covers.",
    fix="Remove `lossless`: ports of routers then carry the classes without pauses.",
    source="Guo et al., RDMA over Commodity Ethernet at Scale (SIGCOMM 2016), section 4.3: pause frames from one "
    "NIC stopped a part of the network",
    fails=_router("true"),
    passes=_router("false"),
)
def outsider_may_pause(site: Linted) -> Iterator[Found]:
    """An attachment of kind `router` has `lossless: true`, and a class of its network's policy has a `priority`."""
    for name, attachment in site.intent.site.attachments.items():
        policy = site.networks[attachment.network].policy
        if attachment.kind != "router" or not attachment.lossless or policy is None:
            continue
        paused = [each for each, chosen in policy.classes.items() if chosen.priority is not None]
        if paused:
            yield Found(
                Origin(("attachments", name, "lossless")),
                f"{name} may pause {', '.join(paused)} on {attachment.links} ports",
                value=True,
                fix=False,
            )
