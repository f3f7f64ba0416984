"""What OpenSM does not support, and why."""

from fabric.diagnostics import code

NAME = code(
    "FAB500",
    "A name that OpenSM cannot hold",
    why="The name of a partition has 31 characters in OpenSM; a longer one would be cut, and two could become one. "
    "`Default` is its own name for the partition of everybody, in any letters.",
    fix="Rename the tenant.",
)

RATE = code(
    "FAB501",
    "A rate that OpenSM has no number for",
    why="Rates are codes, and not every number has one. OpenSM 3.3.23 ends at 600 Gb/s.",
    fix="Use one of the rates that the hint names.",
)

ENGINE = code(
    "FAB502",
    "OpenSM's routing engine cannot route this subnet",
    why="OpenSM would find no roots or no tree; without `no_fallback` it would then use another engine "
    "in silence, which may make loops of credits in which all stops.",
    fix="Leave `engine` to `auto`, or choose one that fits.",
)

UFM_ONLY = code(
    "FAB503",
    "OpenSM cannot do this, UFM can",
    why="Aggregation trees (SHARP) are made by NVIDIA's aggregation manager, and adaptive routing by the engines "
    "`ar_updn` and `ar_ftree` of NVIDIA's subnet manager. The OpenSM of linux-rdma has neither.",
    fix="Let UFM manage the network (`infiniband.platform`), or leave the word out.",
)

PLANES = code(
    "FAB504",
    "OpenSM cannot manage ports of several planes",
    why="An XDR port is several inner ports, one on each ASIC of the switch, and the subnet manager must know which "
    "belong together. No source at hand says how OpenSM or a simulator is told.",
    fix="Let UFM manage the network, or use switches of NDR.",
)

FILE = code(
    "FAB505",
    "A file of OpenSM that our own reader does not understand",
    why="OpenSM opens every partition to everybody when `partitions.conf` has an error, and drops `qos-policy.conf` "
    "whole. So each file is read back, strictly, before any is written. This is a bug of this program, or a template "
    "of the site's own that says more than OpenSM knows.",
    fix="If the site has templates of its own, correct them; else report the line.",
)
