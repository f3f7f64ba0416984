"""What UFM does not support or must be told with care, and why."""

from fabric.diagnostics import Severity, code

UNSUPPORTED = code(
    "FAB586",
    "UFM has no way to say this",
    why="NVIDIA's documentation shows no such setting of UFM or of its subnet manager, and what no source shows is "
    "never written.",
    fix="Do what the hint says, or let OpenSM manage the subnet (`infiniband.platform`).",
)

CABLING = code(
    "FAB587",
    "The cabling to be enforced is not the one that was verified",
    why="With `topoconfig.conf` the subnet manager does not even discover links that the file does not list: a cable "
    "in a wrong port, or a wrong GUID, makes hosts disappear. So the file is written only for a cabling for which "
    "`fabric verify` found nothing, and only as long as that cabling is the design.",
    fix="Run `fabric verify` until it is clean, and write the digest of that cabling to `enforce_cabling`.",
)

BY_HAND = code(
    "FAB588",
    "Files that are put onto UFM's server by hand",
    why="UFM's REST API reads and writes partitions. `gv.cfg`, `opensm.conf` and the files that it names stand on the "
    "disk of the server, are read when UFM starts, and are replicated to the standby.",
    fix="Merge `gv.cfg` and `opensm.conf` into those under /opt/ufm/files/conf, copy the others there, restart UFM.",
    severity=Severity.INFO,
)

RATE = code(
    "FAB589",
    "UFM has no such rate",
    why="The rate of a partition's IPoIB group is one of a list, and the list that NVIDIA publishes ends at 300 Gb/s. "
    "Only the multicast group is limited by it, never RDMA.",
    fix="Nothing, unless multicast over IPoIB must be faster than that.",
    severity=Severity.INFO,
)
