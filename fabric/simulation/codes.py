"""What can be wrong with a question about a network's traffic."""

from fabric.diagnostics import code

NO_JOB = code(
    "FAB860",
    "a job does not fit the network",
    why="Traffic crosses the network between the NICs of two hosts or more. A job has whole hosts, and no more GPUs "
    "than are installed without the spares.",
    fix="Name fewer GPUs, a multiple of those of one host, or another network.",
)
NO_HOST = code(
    "FAB861",
    "a list of hosts is wrong",
    why="A job runs on hosts of the network, each of them once, in the order of its ranks. A list that is empty, or in "
    "which a name or range is wrong, would be another job.",
    fix="Write host names as `fabric show devices` lists them: one a line, as a Slurm host list (`gpu-0-[0-7]`), or as "
    "CSV whose first line names the column `host`.",
)
CUT_OFF = code(
    "FAB862",
    "hosts of a job cannot reach each other",
    why="Each NIC port sends to the same NIC port of another host. Rails or planes that do not meet, excluded links, "
    "drained switches, and leaves that do not advertise their hosts leave no route between them.",
    fix="Bring the links back, set `routing.advertise_host_links` to `aggregate`, or choose hosts that have a route to "
    "each other: without links between rails, those of one rail.",
)
NO_PATHS = code(
    "FAB863",
    "jobs whose packets are sprayed are not compared",
    why="What two jobs take of each other follows from the links on which their flows meet. Sprayed packets use all "
    "links evenly, and share them by the congestion control of the NICs, of which nothing is known here.",
    fix="Name a hash (`--hash mixer`), or simulate each job alone: the loads of links add up.",
)
NOT_ITS_TABLES = code(
    "FAB864",
    "forwarding tables are not those of the subnet",
    why="Flows are placed by the tables of every switch, at the LIDs of the ports of the job. Half a dump, or that of "
    "another subnet, would give loads that no network has.",
    fix="Name the whole output of `dump_lfts`, of `ibroute` for each switch, or OpenSM's opensm-lfts.dump, taken while "
    "all hosts of the job are up; and write the GUIDs of switches and adapters into the inventory.",
)
DEGREES = code(
    "FAB866",
    "degrees of parallelism do not fit the job",
    why="Groups of all dimensions are alike: their degrees multiply to the GPUs of the job, a tensor-parallel group "
    "lies in one scale-up domain (NVLink or its like), and pipeline stages and blocks of experts are whole hosts or "
    "even parts of one.",
    fix="Give `--tp`, `--pp` and `--dp` whose product is the number of GPUs, and an `--ep` that divides `--dp`.",
)
