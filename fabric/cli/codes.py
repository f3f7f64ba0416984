"""What the command line itself can find wrong."""

from fabric.diagnostics import code

OTHER_FABRIC = code(
    "FAB900",
    "another distribution named fabric is installed over this one",
    why="The SSH library on PyPI is imported as `fabric` too. Both write into one folder of the environment, and "
    "the installer overwrites files without a word.",
    fix="Install each in a separate environment, with `pipx install` or `uv tool install`; the README says of what.",
)
USAGE = code(
    "FAB901",
    "the command line is wrong",
    why="A command, an option or an argument is not one that the program has.",
    fix="`fabric COMMAND --help` lists them, with examples.",
)
UNKNOWN_NAME = code(
    "FAB902",
    "no such thing in this site",
    why="A device, network, code, schema or reference site was named that does not exist.",
    fix="Take a name from the list that the message gives, or from `fabric show devices`.",
)
FILE_TROUBLE = code(
    "FAB903",
    "a file cannot be read or written",
    why="The operating system refused: the file is missing, is a folder, or is not ours to change.",
    fix="Look at the path and its permissions; `-C DIR` chooses the folder of the site.",
)
NOBODY_TO_ASK = code(
    "FAB904",
    "a question needs an answer and no terminal is attached",
    why="`fabric apply` changes a running network only after a person has read what it touches. A pipe or a CI job "
    "has no terminal.",
    fix="Review the saved plan first, then give `--yes`.",
)
NOT_EMPTY = code(
    "FAB905",
    "the folder is not empty",
    why="Existing files would be overwritten.",
    fix="Choose another folder, or remove the files yourself.",
)
NOT_LOCKED = code(
    "FAB906",
    "fabric.lock does not match the intent",
    why="With `--locked` (as CI uses it) no size may be decided anew: the committed lock must already hold it.",
    fix="Run `fabric compile` without `--locked`, look at the change of fabric.lock, and commit it.",
)
DEVICE_FAILED = code(
    "FAB907",
    "a device answered with an error or did not answer",
    why="Its answer is part of the message. Nothing after it in the same wave was started.",
    fix="Reach the device by hand, then run the command again: an interrupted apply resumes from its journal.",
)
REFUSED = code(
    "FAB908",
    "the request is understood and will not be carried out",
    why="Carrying it out would put the network or our own management access at risk, or would act on something stale.",
    fix="The message says what would make it acceptable.",
)
TOOL_MISSING = code(
    "FAB909",
    "an optional program or library is not installed",
    why="Some commands use tools that are not needed by the others.",
    fix="Install what the message names.",
)
NO_SANDBOX = code(
    "FAB910",
    "no sandbox is running",
    why="`--sandbox` and the commands below `fabric sandbox` talk to emulated devices that another process runs.",
    fix="Start it with `fabric sandbox up`: it runs until `fabric sandbox down`.",
)
NO_SIMULATION = code(
    "FAB911",
    "nothing to simulate",
    why="A simulated network is played by programs that run on this machine: the product's own, on the compiled files. "
    "For Ethernet there is `fabric sandbox up`.",
    fix="Simulate a site with an InfiniBand network whose subnet manager is run by us.",
)
WRONG_DEFAULTS = code(
    "FAB912",
    "a file of defaults is wrong",
    why="`fabric.toml` of a site, and `~/.config/fabric/config.toml`, give options other defaults. A misspelt key "
    "would do nothing, and what permits a change is typed by whoever is there, each time.",
    fix="Name tables by commands and keys by options, as `fabric COMMAND --help` lists them; leave a key out that no "
    "file may set.",
)
BUG = code(
    "FAB999",
    "a bug in fabric",
    why="An unexpected error. Your files and your network are as the message before it reports.",
    fix="Report it, with the file that the message names: it holds the traceback and no secret.",
)
