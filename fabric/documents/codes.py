"""What can be wrong with a file before anybody asks what it means."""

from fabric.diagnostics import code

UNREADABLE = code(
    "FAB001",
    "file cannot be read",
    why="The file does not exist, is a folder, or may not be read by this user.",
    fix="Check the path. Paths in `include`, `lossless` and the CSV keys are relative to the site's folder.",
)
NOT_TEXT = code(
    "FAB002",
    "file is not plain UTF-8 text",
    why="Other encodings, byte-order marks and control characters change what a reviewer sees or carry "
    "commands into terminals and devices.",
    fix="Save the file as UTF-8 without a byte-order mark and remove control characters.",
)
TOO_BIG = code(
    "FAB003",
    "file is beyond a limit",
    why="Limits on size, depth and number of values keep a wrong or hostile file from taking all memory.",
    fix="Split the site over files with `include`, or give large inventories as CSV.",
)
SYNTAX = code(
    "FAB004",
    "not YAML",
    why="The file breaks the grammar of YAML at this place.",
    fix="Look at the place shown and at the lines just above it: mostly a quote or bracket is open, or an "
    "indentation does not match.",
)
TAB = code(
    "FAB005",
    "tab where YAML requires spaces",
    why="YAML forbids tabs in indentation, as their width is not defined.",
    fix="Indent with spaces, two a level.",
)
DUPLICATE_KEY = code(
    "FAB006",
    "duplicate key in one mapping",
    why="Most readers keep the last one in silence, so one of the two values would be lost.",
    fix="Keep one of them.",
)
AMBIGUOUS = code(
    "FAB007",
    "unquoted value that readers of YAML understand differently",
    why="YAML 1.1 reads `no` as false, `010` as eight, `1:20` as eighty and `2026-01-01` as a date; YAML 1.2 "
    "reads some of them as text. Here only JSON's numbers, `true`, `false` and `null` are not text.",
    fix="Put the value into quotes if it is text, or write it in JSON's way if it is a number or truth value.",
)
UNSUPPORTED = code(
    "FAB008",
    "YAML feature that is not used here",
    why="Tags, merge keys, directives, several documents in a file and keys that are not texts make files that "
    "a reviewer cannot read at a glance, and differ between readers.",
    fix="Write the values out, or split the site over files with `include`.",
)
ALIAS = code(
    "FAB009",
    "alias to something that is not there",
    why="`*name` repeats the value marked `&name` before it; a value cannot contain itself.",
    fix="Mark the value with `&name` above its first use.",
)
CSV = code(
    "FAB010",
    "not the CSV that is expected",
    why="A table has one row of column names, then rows with as many cells.",
    fix="Check the commas and quotes of the row; quote cells that contain commas.",
)
EMPTY = code(
    "FAB011",
    "file is empty",
    why="An empty file is mostly a mistake of a script that should have filled it.",
    fix="Fill or remove it.",
)
WRONG_TYPE = code(
    "FAB020",
    "value of the wrong kind",
    why="Each key takes one kind of value: text, whole number, truth value, list or mapping.",
    fix="See docs/intent.md for what the key takes. Quantities are text with a unit, such as 400G or 40m.",
)
UNKNOWN_KEY = code(
    "FAB021",
    "unknown key",
    why="An unknown key is mostly a misspelt one; ignoring it would lose its value.",
    fix="Correct the spelling. docs/intent.md lists the keys of every mapping.",
)
MISSING_KEY = code(
    "FAB022",
    "required key is missing",
    why="There is no sound default for it.",
    fix="Add it. docs/intent.md has an example of each.",
)
NOT_A_CHOICE = code(
    "FAB023",
    "value is not one of the choices",
    why="The key takes one of a few words.",
    fix="Use one of the words listed.",
)
OUT_OF_RANGE = code(
    "FAB024",
    "number out of range",
    why="No product takes the value, or a standard forbids it.",
    fix="Choose a number within the bounds shown.",
)
WRONG_FORM = code(
    "FAB025",
    "text of the wrong form",
    why="The text goes into names, addresses or configuration lines, which allow only some characters. "
    "Line ends and control characters could inject lines of their own.",
    fix="Write it as the hint shows.",
)
SECRET = code(
    "FAB027",
    "secret where a reference or hash is expected",
    why="The contents of these files end up in git, in logs and in reviews. The value is not shown here either.",
    fix="Put the secret into the environment or a file and write `env:NAME` or `file:PATH`; of a user's password, "
    "write the hash that `mkpasswd -m sha-512` prints. Change the secret if the file was ever shared.",
)
WRONG_LENGTH = code(
    "FAB026",
    "list of the wrong length",
    why="The key takes a certain number of items.",
    fix="Add or remove items.",
)
INVALID = code(
    "FAB029",
    "value breaks a rule of the model",
    why="The value passes the schema, yet the model refuses it.",
    fix="See docs/intent.md for what the key takes.",
)
UNMERGED = code(
    "FAB647",
    "a file holds both versions of a merge",
    why="Git marks the lines where two branches differ, and leaves both versions in the file until the conflict is "
    "resolved. No reader could tell which one is meant.",
    fix="Keep one of the versions, and remove the lines of marks. A `fabric.lock` is best taken whole from one branch "
    "(`git checkout --ours fabric.lock`), then `fabric compile` completes it.",
)
