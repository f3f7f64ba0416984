"""What a host's NICs cannot be told, and why."""

from fabric.diagnostics import Severity, code

NIC_KIND = code(
    "FAB590",
    "No source shows how to configure this NIC",
    why="For Broadcom Thor2 (bnxt) no public source shows the arguments of its QoS tools, and its firmware sends "
    "congestion notifications with priority 7 (Juniper/jvd, data_center/aidc), not with the priority of the class. "
    "A line that no source shows is never written.",
    fix="Declare the owner `operator` and configure the NIC with its vendor's controller, or use another NIC.",
)

CLASSES = code(
    "FAB591",
    "A NIC cannot hold these classes",
    why="A NIC has eight priorities and eight traffic classes (IEEE 802.1Q), and only DSCP tells classes apart.",
    fix="Change the classes of the policy as the hint says.",
)

IDENTITY = code(
    "FAB592",
    "The operating system's name of a NIC is not known",
    why="Files of a host name interfaces and RDMA devices. Their names depend on the slots of the machine and are "
    "never guessed.",
    fix="Name interface and RDMA device of the NIC in the settings of the host group.",
)

SCHEDULING = code(
    "FAB593",
    "The NIC cannot schedule these classes",
    why="The bandwidth of all ETS traffic classes must add up to 100 percent, or the driver refuses it (IEEE 802.1Qaz; "
    "mlx5 driver).",
    fix="Give each class a share or make it strict; the shares must add up to 100.",
)

ROCE_CLASS = code(
    "FAB594",
    "It is not clear which class carries RoCE",
    why="ToS and congestion control are set for one class: the one that PFC pauses, else the one that ECN marks.",
    fix="Keep one such class in the policy of the hosts' ports, and one class for CNP.",
)

CONGESTION_CONTROL = code(
    "FAB595",
    "In-kernel DCB cannot set congestion control",
    why="The `dcb` tool sets classes, PFC and scheduling. The DSCP of congestion notifications and the parameters of "
    "DCQCN have no interface in the kernel.",
    fix="See that the firmware sends congestion notifications with the DSCP of the message.",
    severity=Severity.WARNING,
)

ADDRESS = code(
    "FAB596",
    "A port of a host has no address or no gateway",
    why="Each rail gets a routing table of its own, chosen by the source address.",
    fix="Give the network `addressing` with prefixes for host links.",
)

ORDER = code(
    "FAB597",
    "Not every NIC places packets that come out of order",
    why="Adaptive routing and packet spraying reorder packets; a NIC that cannot place them takes it for loss and "
    "sends again.",
    fix="Declare `out_of_order` for every NIC of the network if it is true, or turn adaptive routing off.",
)

PARAMETER = code(
    "FAB598",
    "The NIC has no such congestion control parameter",
    why="Only parameters that public documents show are written.",
    fix="Use one of the names in the hint, with a whole number that is not negative.",
)

SHARED = code(
    "FAB599",
    "One tool sets all NICs of this kind alike",
    why="`nicctl update qos` without a port sets every port of every card.",
    fix="Give the networks of these NICs policies with equal classes.",
)
