"""The finding that all platforms share."""

from fabric.diagnostics import code

UNSUPPORTED = code(
    "FAB579",
    "The product does not support this",
    why="Its manual or its models have no setting for the feature on this hardware and release, or no published source "
    "shows the syntax: a line that no source shows is never sent to a switch. What cannot be said is an error, so that "
    "nothing of the intent gets lost.",
    fix="Do what the hint says, or give the tier a platform that supports it (`docs/platforms.md` lists them).",
)
