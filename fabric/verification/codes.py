"""Findings of the check against vendors' schemas, and of running networks held against the intent."""

from fabric.diagnostics import Severity, code

SCHEMA = code(
    "FAB830",
    "the vendor's schema refuses what is written",
    why="The text of a device was given to the vendor's own models, and they know no such statement, or not with such "
    "a value, or it names something that the text does not define. The device would refuse it, or part of it.",
    fix="If the message is about a value of the intent, change it. If the models are of another release than the "
    "devices run, give those of that release. Otherwise it is a bug of this program: please report the message.",
)
NOT_CHECKED = code(
    "FAB831",
    "devices were not checked against a schema",
    why="There are no models for their product in what was given, or none are published for it. What was not checked "
    "is named, so that silence is not taken for an approval.",
    fix="Name a folder that holds the models (`--yang DIR`, may be repeated), or the product's `--openapi FILE`.",
    severity=Severity.WARNING,
)
MISCABLED = code(
    "FAB832",
    "a cable is plugged in at the wrong place",
    why="Both ends are alive, but they do not reach what the intent says. The subnet manager routes over what it finds "
    "and says nothing; a NIC on another rail's leaf sends its collectives through the spines.",
    fix="Plug the cables that are named as the intent says. If the network is right, change intent or inventory.",
)
NO_LINK = code(
    "FAB833",
    "a cable of the intent has no link",
    why="The port is dark: the cable is out or broken, a transceiver is missing, or the adapter behind it has failed.",
    fix="Look at the lamps of both ends; reseat or replace cable and transceivers, or the adapter.",
)
NOT_MEANT = code(
    "FAB834",
    "a link is up that is not in the intent",
    why="Routes may run over it, and the balance of the tree is no longer what was planned.",
    fix="Take the cable out, or add it to the intent.",
)
LINK_RATE = code(
    "FAB835",
    "a link runs at another speed or width than planned",
    why="A lane that did not train, a wrong transceiver or a port held to a lower speed makes one slow path, and every "
    "collective waits for the slowest.",
    fix="Reseat or replace the cable; compare the transceivers and the ports' speed settings of both ends.",
)
DEAD_SWITCH = code(
    "FAB836",
    "a switch of the intent is not there",
    why="Nobody reaches it. What is connected through it alone is dark for the same reason and is not reported again.",
    fix="Look at its power and at its cables. If it was replaced, write the new GUID into the inventory.",
)
DEAD_HOST = code(
    "FAB837",
    "a host of the intent is not there",
    why="None of its adapters answers.",
    fix="Look at its power, and whether its adapters are in InfiniBand mode. If they were replaced, write their GUIDs "
    "into the inventory.",
)
UNKNOWN_NODE = code(
    "FAB838",
    "a connected node is not in the inventory",
    why="Its GUID is not in the site: a replaced adapter or switch, or a stranger. It is in no partition that was "
    "meant for it, and its LID is not the planned one.",
    fix="Write its GUIDs into the inventory if it belongs there, or unplug it.",
)
WRONG_NAME = code(
    "FAB839",
    "a node announces another name",
    why="Either its name is wrong, or the inventory has the GUIDs of two devices exchanged. Every finding by "
    "name then points at the wrong place.",
    fix="Compare the GUID on the device's label with the inventory, then correct the inventory or the device's name.",
)
WRONG_LID = code(
    "FAB840",
    "LIDs are not those of the plan",
    why="The subnet manager did not read guid2lid: it is in the wrong folder, is turned off, or another manager "
    "is the master. LIDs then move when things restart.",
    fix="Put guid2lid into the manager's cache folder before its first start, and look which manager is the master.",
)
PARTITION_TABLE = code(
    "FAB841",
    "a port's P_Keys are not those of its tenants",
    why="A key too much lets a port into a tenant's partition, a key too few shuts it out, and a full member where a "
    "limited one is meant reaches its fellow clients.",
    fix="Compare partitions.conf on the master with what `fabric compile` writes, and look for PARSE ERROR in its log.",
)
FAIL_OPEN = code(
    "FAB842",
    "every port may talk to every other",
    why="All ports are full members of the default partition and of no other: the subnet manager has fallen back to "
    "its built-in partitions, as it does when partitions.conf is missing or has an error anywhere.",
    fix="Look for PARSE ERROR in the master's log; put the compiled partitions.conf there and send SIGHUP.",
)
LANE_TABLE = code(
    "FAB843",
    "service levels are not on the virtual lanes of the plan",
    why="Packets of a class then share buffers and credits with others, or are dropped where their level has lane 15.",
    fix="Compare the `qos` lines of the master's configuration with the compiled ones, and restart it if they differ.",
)
LANE_WEIGHTS = code(
    "FAB844",
    "virtual lanes are not weighted as planned",
    why="The arbitration tables of a port decide how lanes share the link.",
    fix="Compare the `qos` lines of the master's configuration with the compiled ones, and restart it if they differ.",
)
NO_ROUTE = code(
    "FAB845",
    "routes do not arrive",
    why="A forwarding table has no entry for a LID that is there, sends it to a dark port, to a wrong end, or round in "
    "a circle.",
    fix="Look at the master's log for errors of the routing engine; a heavy sweep (SIGHUP) computes all routes anew.",
)
UNBALANCED = code(
    "FAB846",
    "a leaf's uplinks carry very unequal numbers of LIDs",
    why="Some uplink carries none, or more than twice its share: an engine that does not spread over parallel cables, "
    "or routes that were not computed anew after a repair.",
    fix="Use an engine that fits the layout (`engine: auto`), and have all routes computed anew.",
)
CREDIT_LOOP = code(
    "FAB847",
    "routes can wait for each other in a circle",
    why="Buffers of the links named depend on each other in a ring on one virtual lane: when all are full nothing "
    "moves any more, on lossless links for ever.",
    fix="Use an engine that is free of deadlock on this layout; look whether a wrong cable has bent the routes.",
)
NOT_SEEN = code(
    "FAB848",
    "the network cannot be checked for lack of an answer",
    why="A tool was not run, its output is missing or cannot be read. What was not looked at is named, so that silence "
    "is not taken for an approval.",
    fix="Give the outputs that docs/verify.md lists, or run `fabric verify` on a host of the subnet.",
)
WRONG_MODEL = code(
    "FAB849",
    "a node is of another kind than planned",
    why="It has this GUID, but it is not that switch or adapter.",
    fix="Compare the GUID with the inventory, and the model with the intent.",
)
DEAD_MANAGER = code(
    "FAB870",
    "a subnet manager of the intent does not answer",
    why="Its host is up and its port has a link, but no manager answers there, or none that is active. While "
    "the standby is away no manager takes over from the master; while the master is away the standby "
    "manages.",
    fix="Look on its host at the end of the manager's log, and start it. If it is no longer wanted, take it out "
    "of the intent.",
)
STRANGER_MANAGER = code(
    "FAB871",
    "a subnet manager runs that is not in the intent",
    why="Whoever has the highest priority, then the lowest GUID, becomes the master. A forgotten manager of a host or "
    "a switch takes over when ours are away or have a lower priority, with LIDs, partitions and routes of its own.",
    fix="Stop it where it runs. `keys.manager_key` in the intent keeps strangers' managers from becoming the master.",
)
NO_MASTER = code(
    "FAB872",
    "no subnet manager is the master",
    why="Nothing heals: a cable that fails now stays in the routes, and a host that starts gets no LID.",
    fix="Look at the end of each manager's log, and start them in the order of their priorities.",
)
LOST_MASTER = code(
    "FAB648",
    "ports name a subnet manager that is gone as their master",
    why="A master announces itself to every port. If a second one has done so and stopped, they keep its name until "
    "the first one sweeps again: nobody answers what their hosts ask the subnet's administration, and no path is "
    "found.",
    fix="Restart the manager that is the master: its first sweep updates all ports.",
)
TWO_MASTERS = code(
    "FAB873",
    "several subnet managers are the master at once",
    why="Both program all switches, each with its own tables. Managers with different SM_Keys ignore each other, and "
    "so do managers between which no route is left.",
    fix="`fabric plan`, then `fabric apply`, give all managers of the intent the same SM_Key (`keys.manager_key`). "
    "Stop a manager that is not in the intent. If their keys are equal, restart one after the other.",
)
WRONG_MASTER = code(
    "FAB874",
    "another subnet manager than the intended one is the master",
    why="The one with the higher priority is there and does not manage: a handover has stalled, or the master "
    "is configured not to give way.",
    fix="Restart the manager that should be standby; the other one takes over.",
)
MANAGER_PRIORITY = code(
    "FAB875",
    "a subnet manager runs with another priority than planned",
    why="The highest priority becomes the master. Somebody has changed it by hand, or it was not restarted since.",
    fix="`fabric plan` shows whether its files differ, and `fabric apply` restarts it with the right ones. If they do "
    "not differ, restart it.",
)
NO_ANSWER = code(
    "FAB850",
    "a switch of the intent does not answer",
    why="It could not be asked what it runs and sees, so nothing of it was verified but what its neighbours say.",
    fix="The message says why; reach the device by hand, then run the command again.",
)
PORT_MTU = code(
    "FAB851",
    "a port carries smaller packets than planned",
    why="Packets of the planned size are dropped at that port, while sessions and pings of the usual size go on. RDMA "
    "then stalls on whatever path has such a port.",
    fix="`fabric plan` shows whether the configuration differs, and `fabric apply` brings it back. If it does not "
    "differ, look at what else sets the port's MTU on that device.",
)
SESSION = code(
    "FAB852",
    "a BGP session is not as planned",
    why="Cables and ports of the link are as planned, so they are not the reason. Traffic takes fewer paths, or none.",
    fix="`fabric plan` shows whether the configuration of either end differs. If neither does, look at the log of both "
    "ends: a password, an address, or a process that has ended.",
)
QUEUES = code(
    "FAB853",
    "a device queues packets in another way than planned",
    why="What a device runs was read back: code points, queues, the priorities that PFC pauses, ECN's thresholds, the "
    "watchdog. Two ends that differ lose packets of a lossless class, or pause what must not be paused.",
    fix="`fabric drift` shows the lines, and `fabric plan` what brings them back.",
)
NARROW = code(
    "FAB854",
    "a switch reaches a prefix over fewer paths than planned",
    why="Cables, ports and sessions are as planned, and yet fewer next hops are in use, or none: a limit of paths, a "
    "policy, or a prefix that its owner no longer advertises.",
    fix="`fabric plan` shows whether the configuration of the switch, or of the prefix's owner, differs.",
)
HARDWARE_QUEUES = code(
    "FAB855",
    "a port treats packets in another way than configured",
    why="The device was asked what its hardware does: the priorities that PFC pauses, its watchdog, ECN's thresholds, "
    "the classes by DSCP, the shares of queues. That is not what its configuration says, so no diff shows it, and "
    "lossless traffic is lost or waits.",
    fix="Look at the log of the device for a refusal by the hardware, and for commands that write past the "
    "configuration. Configure the port anew: take its queueing off and put it back, or restart the drained device.",
)
HOST_END = code(
    "FAB856",
    "a host is not set up as the fabric declares it",
    why="The host's own verify program reads its NICs back: classes, pauses, shares, MTU, congestion control. Both "
    "ends of a cable are derived from one policy; where the NIC has another value than its switch, lossless traffic is "
    "dropped, or pauses what must not be paused.",
    fix="Run `fabric-roce-qos` on the host, or what else sets its NICs there; a driver that was loaded anew forgets "
    "them. If the switch's value is the wrong one, `fabric plan` shows it.",
)
