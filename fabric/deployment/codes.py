"""What deployment can find: FAB700 to FAB799; FAB645 and FAB646 of saved configurations, FAB876 of subnet managers."""

from __future__ import annotations

from fabric.diagnostics import Severity, code

NO_SECRET = code(
    "FAB701",
    "a secret cannot be read",
    why="The intent contains no secrets: they are read from the environment or a file at the push. All "
    "that are missing are reported together, before any device is touched.",
    fix="Set the environment variable, or write the file, that the reference names.",
)
BAD_SECRET = code(
    "FAB702",
    "a secret holds characters that could change the configuration",
    why="A line break or a blank in a secret would become a separate line or word in the configuration.",
    fix="Choose a secret of printable characters without blanks.",
)
NO_ADDRESS = code(
    "FAB703",
    "a device has no management address",
    why="A device is reached at the management address of the inventory.",
    fix="Write `address` for the device in the inventory.",
)
NO_CREDENTIALS = code(
    "FAB704",
    "a device has no credentials",
    why="Each device logs in with the credentials it names, or with `default_credentials`.",
    fix="Name `default_credentials` in the inventory, or `credentials` for the device.",
)
WRONG_RECORD = code(
    "FAB705",
    "a line of the recorded certificates is wrong",
    why="`trust/certificates` holds a device and the SHA-256 of its certificate in each line. A device whose line is "
    "passed over would be trusted by the system's authorities instead.",
    fix="Correct the line (`leaf-0 sha256:` and 64 hexadecimal digits), or remove it and run `fabric trust --record`.",
)
NO_IDENTITY = code(
    "FAB707",
    "a device shows no key or certificate",
    why="Nobody answers at its management address, or not over the protocol that its product is reached by.",
    fix="Check the address and the port in the inventory, and that the device's API or SSH server is on.",
)
STALE = code(
    "FAB710",
    "the plan is stale",
    why="A plan is carried out exactly as it was approved. If intent, program or a device has changed since, "
    "what would happen is not what was approved.",
    fix="`fabric plan` makes it again: read it. `fabric drift` shows what somebody has typed since the last apply, "
    "`fabric history` which runs have changed devices.",
)
LOGIN_REFUSED = code(
    "FAB735",
    "a device refuses the login",
    why="Every device is asked before the first one is changed. This one answers, and does not accept the user and the "
    "password or key that the message names: they are wrong, or have changed on the device since. Nothing was changed.",
    fix="Correct the credentials in the inventory, or what they refer to, then type the same command again.",
)
PLAN_HAS_ERRORS = code(
    "FAB711",
    "the plan has errors",
    why="A plan with errors shows what would change, and why it must not be done like this.",
    fix="Solve what the plan reports, then plan again.",
)
NEEDS_ADOPT = code(
    "FAB712",
    "the first apply to a device needs `--adopt`",
    why="The device runs a configuration that this program did not write. Taking it over is decided once, by a person.",
    fix="Plan again, `fabric plan --adopt`, and read the diff of these devices. If they were applied before, this "
    "is not the journal that was applied with: set `FABRIC_JOURNAL` to that one.",
)
NOT_ALLOWED = code(
    "FAB713",
    "an impact must be allowed by name",
    why="Taking the sole path of a host, or touching our own management access, needs to be allowed by name.",
    fix="Allow it with `--allow isolating`, or for some devices with `--allow isolating:NAME` and "
    "`--allow lockout:NAME`; `*` and `?` in a name stand for others.",
)
WRONG_ALLOWANCE = code(
    "FAB734",
    "`--allow` names something that does not exist",
    why="`--allow` takes `isolating`, or `isolating:NAME` and `lockout:NAME`, of devices that the plan has. An entry "
    "that matches nothing would be taken for a permission.",
    fix="Write one of the words, or of the names, that the message lists.",
)
NO_TARGET = code(
    "FAB714",
    "a device of a plan or a run cannot be reached",
    why="The plan, or the run that is to be resumed or rolled back, changes a device without management access: it is "
    "no longer in the intent, for example after a tier was renamed, or the inventory has no address for it.",
    fix="Make the plan again, or give the device an address in the inventory. If it is no longer in the intent, "
    "restore the site's files as they were when the run was made: `fabric history` shows the commit.",
)
BAD_TIMER = code(
    "FAB715",
    "the revert timer is out of bounds",
    why="The device reverts by itself if a change is not confirmed. Timers of a day and more wrap around on "
    "some devices, and very short ones fire before the gate has looked.",
    fix="Choose a time that all devices keep and that lets the gate look: `--timer 300s` suits most networks.",
)
INVENTED = code(
    "FAB716",
    "the plan is for a subnet with made-up GUIDs",
    why="GUIDs that the inventory does not name are invented. The real ports have others, and would be members of no "
    "partition.",
    fix="Write the GUIDs of switches and adapters into the inventory, then plan again; or try it with `--sandbox`.",
)
LOCKED = code(
    "FAB720",
    "another run is changing the site",
    why="Two applies at once would gate against each other's changes. One that ran on another machine may be dead "
    "without this machine knowing: `fabric unlock RUN` shows what that run has left, and asks.",
    fix="Wait until the other one has finished. If it is dead, `fabric apply --resume` goes on with it, and "
    "`fabric rollback` takes it back.",
)
UNFINISHED = code(
    "FAB721",
    "an earlier run did not finish",
    why="A run that was killed may have left unconfirmed changes on devices.",
    fix="`fabric apply --resume` goes on with it. The message names its number: a rollback of that run takes it back.",
)
NO_RUN = code(
    "FAB722",
    "there is no such run",
    why="Resume and rollback work on a run of the journal: every `fabric apply` records one.",
    fix="Name a run of this journal, or none for the last one. If the run is in another journal, set "
    "`FABRIC_JOURNAL` to its URL.",
)
NO_WAY_BACK = code(
    "FAB723",
    "a device cannot be taken back to what it ran",
    why="What a device ran before it was adopted holds secrets that only the device knew. It keeps what it ran before "
    "its last commits, and no more; each is asked before the first one is changed. A subnet manager does not go "
    "back to a time without its files: it would open the subnet to everybody.",
    fix="Do what the message says, restore the device from a backup, or leave it out.",
)
NOT_AS_LEFT = code(
    "FAB724",
    "a device is not as the run left it",
    why="Every device of the run is asked before the first one is changed. If one does not answer, or somebody has "
    "changed it since, going on or going back would stop half way, with some devices new and some old.",
    fix="If a later run changed it, which the message names, take that one back first. If a commit waits there, try "
    "again when it was confirmed or has gone back. Else bring the device back to what the run left there (`fabric "
    "drift` shows the difference), then try again; or, if it is to stay as it is and the run did not finish, unlock "
    "the run by its number, which gives it up: then `fabric plan` shows what is left to do.",
)
NOT_ACCEPTED = code(
    "FAB736",
    "a device does not accept what it ran before",
    why="What each device shall run again is loaded there, and dropped, before the first one is changed. A device may "
    "not take it any more: its system is another version now, or the subnet's manager ran with files of somebody else "
    "that lack partitions, keys or a port, and would open the subnet with them.",
    fix="Nothing was changed, and the devices run what the run left there. If what the message names can be mended "
    "on the device, mend it and try again; else go forward: change the intent, `fabric plan` and `fabric apply`.",
)
CUT_OFF_NOW = code(
    "FAB737",
    "a change takes the last uplink, or the last path of a host, that is in service now",
    why="A plan is judged on configurations, in which a switch has all of its uplinks and a host both of its leaves. "
    "Where the sessions over the other uplinks are down now, the one that the change interrupts is the last; where the "
    "other leaf has no link to the host, no uplink, or does not answer, this one is. `fabric apply` looks again right "
    "before the wave, and does not push it. Of other planes only the leaves of the wave's own hosts are asked: with a "
    "dead leaf in one plane, change no leaf of another.",
    fix="Mend the links that are down first, or take it: `--allow isolating:NAME`.",
    severity=Severity.WARNING,
)
CHANGED_NOTHING = code(
    "FAB725",
    "a run has left nothing changed",
    why="An apply that fails takes everything back itself. `fabric rollback` without a number, typed after it, would "
    "take back an earlier run, which may have been a good one.",
    fix="Name the run that is to be taken back: `fabric history` lists them.",
)
LOST_JOURNAL = code(
    "FAB726",
    "devices run what the intent says, but the journal has no record of them",
    why="Every apply is recorded in the journal. Either that journal was lost, or another one was used, or somebody "
    "has loaded the compiled files by other means. Without it no run can be taken back, and lines that this program "
    "wrote and that are no longer in the intent count as somebody else's.",
    fix="Set `FABRIC_JOURNAL` to the journal that was used, or restore it. If there was none, `fabric plan --adopt` "
    "shows what would change when the devices are taken over.",
    severity=Severity.WARNING,
)
ADOPTS = code(
    "FAB730",
    "devices that run what the intent says are recorded as ours",
    why="The plan was made with `--adopt`, and these devices need no change. `fabric apply` writes down that they are "
    "ours, in a run of its own. From then on plans know which of their lines are ours, and a rollback what they ran "
    "before.",
    fix="Apply this saved plan: that records them, and changes no device. An apply without a saved plan does not.",
    severity=Severity.INFO,
)
JOURNAL_FAILED = code(
    "FAB727",
    "the journal cannot be read or written",
    why="Nothing is confirmed on a device that could not be written down before: nobody would know afterwards what it "
    "runs, or how to take it back. So a wave whose journal fails is taken back.",
    fix="Make room, let your user read and write the file and its folder, end whatever holds it, or bring the database "
    "back. Then `fabric apply --resume` goes on with a run that did not finish, and `fabric rollback` takes it back.",
)
KEPT_BY_ITSELF = code(
    "FAB731",
    "a device keeps a change that nobody has confirmed",
    why="A run that could not reach a device leaves it to the device's own timer, which takes the change back. It does "
    "not where the confirmation had arrived after all, where somebody else confirmed the commit, or where the device "
    "restarted and its product keeps a commit that waits. The next command that asks the devices finds it out.",
    fix="A rollback of its run takes it back with the rest; otherwise it stays, as what was applied last.",
    severity=Severity.WARNING,
)
LEFT_OPEN = code(
    "FAB732",
    "a device that was left to its timer cannot be asked",
    why="When it last answered, it ran what a failed run had pushed. Its own timer takes that back; whether it has is "
    "known once the device answers and no commit waits there any more.",
    fix="Bring the device back, or wait for its timer; then `fabric plan` finds out, and the same rollback takes "
    "back what it has kept.",
    severity=Severity.WARNING,
)
JOURNAL_DAMAGED = code(
    "FAB733",
    "the journal is damaged",
    why="Its file is not what was written there: a disk that failed, or something else has written into it. Part of it "
    "may still be readable, and would contradict the rest, so no command uses it: each looks at the whole file first.",
    fix="Restore a backup of the file, with no `-wal` and `-shm` of the damaged one beside it. Without one, `mv "
    "JOURNAL JOURNAL.damaged`; then `fabric plan --adopt` and `fabric apply` begin a new journal. The record of "
    "what devices ran before is lost with the old one: no run of it can be taken back or gone on with, commits that "
    "wait go back by the devices' own timers, and lines that were ours and are no longer in the intent count as "
    "somebody else's.",
)
OTHER_DEVICES = code(
    "FAB728",
    "a plan is for other devices",
    why="A sandbox plays each product, and a lab plays every switch with one of its own. What was planned for them is "
    "not what the site's own devices are to run, and the other way round.",
    fix="Give `fabric plan` and `fabric apply` the same of `--sandbox` and `--lab`, or neither to both.",
)
OUTSIDE_WINDOW = code(
    "FAB729",
    "no maintenance window is open",
    why="`deployment.windows` says when the network may be changed. A wave begins within a window only; one that has "
    "begun is carried out to its end.",
    fix="Wait for the window that is named. If it cannot wait, `--now REASON` begins now, and the reason is kept.",
)
EXECUTOR = code(
    "FAB740",
    "the workers of an executor cannot be used",
    why="`--executor` hands the work with devices to workers on other machines. All of them must be reached, and "
    "run the same version of this program and of Python as the machine on which the command is typed: they read and "
    "judge the same texts. So they are asked before the first device is. Beyond loopback they talk TLS, with "
    "certificates of one authority.",
    fix="Start the scheduler and its workers with this version and with certificates, or leave out `--executor`: "
    "then this machine asks the devices itself.",
)
UNMANAGED = code(
    "FAB876",
    "a subnet is not managed after a change of its managers",
    why="A subnet is managed if one of its managers is the master and has swept it with the new files, and the others "
    "stand by. Managers may stall when one hands over to another: then none sweeps, and nothing heals. Those that "
    "stall are restarted, alone and then together; if that does not help, the change of all managers of the subnet is "
    "taken back.",
    fix="Read the end of the manager's log on its host and restart it; then `fabric plan` and `fabric apply` again.",
)

NO_PROGRAM = code(
    "FAB742",
    "a program that the gate asks is not there",
    why="It would be missed only once the first wave has been pushed, and that wave would be taken back.",
    fix="Name a program of the site's folder as `./NAME`, make it executable, or leave it out of "
    "`deployment.gate.commands`.",
)

HOLDS_SOME = code(
    "FAB743",
    "a device may hold some of a change that nobody has confirmed",
    why="A run has ended without knowing what the device runs. Asked since, it runs neither what it ran before nor "
    "the change alone: half of the change is there, or somebody has written something beside it. No gate has let that "
    "pass. What the change would have made ours counts as ours there until the device holds nothing of it.",
    fix="`fabric plan` shows what the intent does not say, and applying it takes that away; what the intent says "
    "stays, and `fabric plan --adopt`, applied, records a device that runs just that. `fabric rollback` takes half of "
    "a change back, if nothing else was written there.",
    severity=Severity.WARNING,
)

UNLOCKED = code(
    "FAB741",
    "a network that runs is held by no fabric.lock",
    why="Sizes, positions of switches and ports of attachments follow from the intent alone then. Whatever changes "
    "them, such as a unit more, may move cables, addresses and AS numbers of what runs; `fabric.lock` holds them.",
    fix="Let `fabric compile` write it from the intent as it was applied, and commit it; make the "
    "change after that.",
    severity=Severity.WARNING,
)
NOT_ITS_OWN = code(
    "FAB645",
    "a saved file is not the configuration of its device",
    why="It is empty, damaged, or one of another product. A plan would take it for what the device runs, and show as "
    "new or as foreign what is neither. So nothing is planned. A configuration with lines that this program does not "
    "know is still one of its device.",
    fix="Save the configuration of the device again. If the device is new, remove its files from the folder.",
)
NOT_WHOLE = code(
    "FAB646",
    "a file of a saved configuration is missing or empty",
    why="A product with several files is compared in all of them: what a file that was not saved would say, the plan "
    "would show as new.",
    fix="Save that file too. If the device has none, say so by a file with an empty line.",
)
