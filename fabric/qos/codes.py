"""What can be wrong with a lossless policy, or with what it asks of a switch."""

from fabric.diagnostics import Severity, code

DSCP_TWICE = code(
    "FAB301",
    "code point in two classes",
    why="A packet is in exactly one class: two claims would be settled differently by each product.",
    fix="Take the code point out of one of the classes.",
)
REST = code(
    "FAB302",
    "not exactly one class takes the rest",
    why="Every code point must have a class. `dscp: rest` names the one that takes all that are left.",
    fix="Give exactly one lossy class `dscp: rest`.",
)
QUEUE_TWICE = code(
    "FAB303",
    "two classes on one queue",
    why="Share, strictness and marking belong to a queue: two classes cannot have their own in one.",
    fix="Give each class a separate queue, or merge the two classes.",
)
TRAFFIC_CLASS_TWICE = code(
    "FAB304",
    "two classes with one traffic class",
    why="The traffic class is how a switch remembers the class between ingress and egress.",
    fix="Give each class a separate traffic class.",
)
PRIORITY_TWICE = code(
    "FAB305",
    "PFC priority twice",
    why="A pause frame stops a whole priority: two classes that share one stop each other.",
    fix="Give each lossless class a separate priority.",
)
NO_DROP_EMPTY = code(
    "FAB306",
    "PFC priority without a no-drop class",
    why="A priority is paused for the traffic of its class. Without code points, or for `rest`, the pause "
    "protects nothing, or everything.",
    fix="Name the code points of the class, or take its `priority` away.",
)
CNP = code(
    "FAB307",
    "congestion notifications have no safe class",
    why="Notifications must get through while data is paused: a CNP class that is missing, lossless or "
    "starved stops the control loop that ECN relies on.",
    fix="Name a lossy class in `cnp`, preferably a separate strict class (NVIDIA's default: DSCP 48, strict).",
)
SHARES = code(
    "FAB308",
    "shares do not add up",
    why="The classes that are not strict divide what the strict ones leave: their shares must make 100.",
    fix="Give each class either `strict: true` or a `share`, and let the shares add up to 100.",
)
ECN_CURVE = code(
    "FAB309",
    "marking curve runs backwards",
    why="Marking grows from kmin to kmax: a kmin of zero marks every packet, a kmax below kmin has no curve.",
    fix="Choose 0 < kmin < kmax, or `ecn: auto`.",
)
ECN_MISSING = code(
    "FAB310",
    "lossless class without ECN",
    why="Without marking, pausing is the only answer to congestion, and pauses spread back to the senders.",
    fix="Set `ecn: auto`, unless the hosts have a congestion control of their own.",
    severity=Severity.WARNING,
)
MANY_LOSSLESS = code(
    "FAB311",
    "more than two lossless classes",
    why="Every lossless class reserves headroom on every port: three and more leave little buffer to share.",
    fix="Use one lossless class for RDMA, and a second one only for traffic that must not wait behind it.",
    severity=Severity.WARNING,
)
NO_CODE_POINT = code(
    "FAB312",
    "class without code points",
    why="No packet can ever be in it, so its queue and share are lost.",
    fix="Name its code points, or remove the class.",
)
HEADROOM_UNFIT = code(
    "FAB320",
    "headroom does not fit the buffer",
    why="Headroom is reserved for what is still on its way when a port pauses its sender. More than there is "
    "cannot be reserved: packets of a lossless class would be lost.",
    fix="Shorten the cables, use fewer lossless classes or ports, or a switch with more buffer. A shared "
    "headroom pool takes less, and is lossless only as long as few ports pause at once.",
)
HEADROOM_LARGE = code(
    "FAB321",
    "headroom takes more than half of the buffer",
    why="What headroom takes is missing for bursts: queues reach their pause threshold sooner.",
    fix="State the true cable lengths, or use one lossless class.",
    severity=Severity.WARNING,
)
ASIC_UNKNOWN = code(
    "FAB322",
    "buffer constants of the ASIC are not known",
    why="Cell size and latencies decide how much headroom a port needs. Without them the largest published "
    "ones are taken.",
    fix="Nothing must be done. To do better, describe the model with its ASIC in `hardware/`.",
    severity=Severity.WARNING,
)
NO_TABLE_ROW = code(
    "FAB323",
    "vendor's headroom table has no row for this port",
    why="`headroom: vendor-table` takes the row of the same speed and the next longer cable; values between "
    "rows or beyond them are not invented.",
    fix="Use `headroom: safe`, or shorten the cable. The 802.3 formula is used meanwhile.",
    severity=Severity.WARNING,
)
KMIN_LOW = code(
    "FAB330",
    "marking starts too early for full speed",
    why="Below a seventh of what is in flight, a marked queue runs empty before the senders answer "
    "(DCTCP, SIGCOMM 2010, section 3.4).",
    fix="Raise kmin, or use `ecn: auto`.",
    severity=Severity.WARNING,
)
ECN_LATE = code(
    "FAB331",
    "ECN does not act before PFC",
    why="If ports pause before queues are marked, the senders never learn that they are too fast.",
    fix="Lower kmin, shorten the cables, use fewer lossless classes, or state a smaller `incast`.",
    severity=Severity.WARNING,
)
KMAX_HIGH = code(
    "FAB332",
    "marking ends above the pause threshold",
    why="Above the pause threshold nothing arrives any more: the upper part of the curve is dead.",
    fix="Lower kmax below the pause threshold that the message gives.",
)
WATCHDOG_POLL = code(
    "FAB340",
    "PFC watchdog polls too seldom",
    why="A state that lasts shorter than two polls cannot be told from a single unlucky look.",
    fix="Let `poll` be at most half of the shorter of `detect` and `restore`, or leave it out.",
)
WATCHDOG_TIME = code(
    "FAB341",
    "PFC watchdog times are unusual",
    why="Too short, and a full buffer that drains looks like a storm; too long, and the fabric has stopped "
    "before it acts.",
    fix="200 ms for both is the default here and on Junos.",
    severity=Severity.WARNING,
)
WATCHDOG_MISSING = code(
    "FAB342",
    "lossless class without PFC watchdog",
    why="One faulty NIC that pauses for ever stops its leaf, then its spines, then the fabric.",
    fix="Leave `watchdog` at its default. Where the product has no watchdog, accept the finding in state.yaml: "
    "`accept: [{finding: FAB342, reason: WHY}]`.",
    severity=Severity.WARNING,
)
TRIM = code(
    "FAB343",
    "packet trimming does not fit the classes",
    why="Only packets that would be dropped are cut, and what is left of them must reach the receiver: in a strict, "
    "lossy class that the receiver knows by its code point.",
    fix="Name lossy classes in `classes`, and a strict class with its own code point in `into`.",
)
SMALLEST_FRAME = code(
    "FAB344",
    "smallest frame is not a frame of RDMA data",
    why="Headroom counts with the buffer cells that small frames fill only in part. Frames are at least 64 bytes long, "
    "and RDMA data at most 4096.",
    fix="Write the frame of the RDMA MTU of the hosts: 1086B for 1024 bytes, 4158B for 4096; or `headroom: safe`.",
)
STRICT_UNLIMITED = code(
    "FAB346",
    "strict class without a maximum rate",
    why="A strict queue is served before all others, and hosts choose the code points of their packets: one host that "
    "marks its bulk traffic with DSCP 48 starves the RDMA data of every port that it sends to.",
    fix="Write `max_rate: 5`: Juniper's validated design gives congestion notifications 5 percent of a port.",
    severity=Severity.WARNING,
)
MAX_RATE = code(
    "FAB347",
    "maximum rate of a class that is not strict",
    why="Classes with a share divide what the strict ones leave; they cannot starve each other, and products have no "
    "common way to limit them.",
    fix="Remove `max_rate`, or make the class strict and remove its share.",
)
