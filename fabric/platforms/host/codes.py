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
    why="Only the priority tells the classes of a NIC apart (IEEE 802.1Q): it is `priority` of a paused class, and "
    "`traffic_class` of another.",
    fix="Change the classes of the policy as the hint says.",
)

SCHEDULING = code(
    "FAB593",
    "The NIC cannot schedule these classes",
    why="The bandwidth of all ETS traffic classes must add up to 100 percent, or the driver refuses it (IEEE 802.1Qaz; "
    "mlx5 driver). A class with none of it can starve.",
    fix="Give each class a share above 0 or make it strict, and at least one class a share.",
)

ROCE_CLASS = code(
    "FAB594",
    "It is not clear which class carries RoCE",
    why="ToS and congestion control are set for the classes that PFC pauses, else for those that ECN marks; "
    "congestion notifications have one class.",
    fix="Keep such a class in the policy of the hosts' ports, and one class for CNP.",
)

SEVERAL_ROCE = code(
    "FAB450",
    "Several RoCE classes on a NIC that takes one",
    why="No public source shows more than one no-drop priority, or DCQCN for more than one class, set by `nicctl`.",
    fix="Keep one RoCE class in the policy of the hosts' ports, or let a controller of yours set the NICs "
    "(`owner: operator`).",
)

COLLECTIVE_CLASS = code(
    "FAB451",
    "Collectives in a class that carries no RoCE",
    why="NCCL sends with the DSCP of one class; of another one the switches would neither pause nor mark.",
    fix="Name a class that has `priority`, or `ecn` where none has, or leave `traffic_class` out.",
)

CONGESTION_CONTROL = code(
    "FAB595",
    "In-kernel DCB cannot set congestion control",
    why="The `dcb` tool sets classes, PFC and scheduling. The DSCP of congestion notifications and the parameters of "
    "DCQCN have no interface in the kernel.",
    fix="See that the firmware sends congestion notifications with the DSCP of the message.",
    severity=Severity.WARNING,
)

TAKEN = code(
    "FAB596",
    "A name or number of a host's network files is taken",
    why="Bonds are called `bond0`, `bond1` and so on. Each rail has a routing table of its own, chosen by the source "
    "address, and tables 253 to 255 are those of Linux.",
    fix="Give the ports other names, write another `first_table`, or declare `network_files: none`.",
)

ORDER = code(
    "FAB597",
    "Nothing is written onto this NIC for packets that take several paths",
    why="The NIC is declared to place packets that come out of order. For ConnectX and BlueField a register says that "
    "packets may take several paths; for other NICs no public source shows a switch.",
    fix="See in the vendor's manual that the NIC does it without being told, or set it with the vendor's controller.",
    severity=Severity.WARNING,
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

PARTITION = code(
    "FAB592",
    "The collectives of a host have no one partition",
    why="NCCL uses one place in the ports' P_Key tables for all NICs of a host. Only a key that is declared to stand "
    "first has a place that does not change: others move when tenants do.",
    fix="Put all NICs of the host into one tenant as full members, with `index0: true` in its partition.",
)

PATH_LEVELS = code(
    "FAB584",
    "NCCL does not ask for the service level of a path",
    why="These routing engines are free of credit loops only if every packet has the service level that the subnet "
    "manager gives for its path. NCCL and UCX use one level for all.",
    fix="Use an engine that needs no levels (`ftree`, `updn`), or programs that ask for path records.",
    severity=Severity.WARNING,
)

NO_TENANT = code(
    "FAB585",
    "A host has no partition for its collectives",
    why="Where a subnet has tenants, everybody is a limited member of the default partition: two such hosts do not "
    "reach each other, only the subnet managers and servers that are full members.",
    fix="Put the host into a tenant before it gets jobs. A spare may stay outside.",
    severity=Severity.WARNING,
)
