"""`fabric lsp`: serve an editor."""

from __future__ import annotations

from fabric.cli.command_classes import command
from fabric.diagnostics import ToolMissing, with_extra


@command("lsp", examples=("fabric lsp",), formats=("text",))
def run() -> None:
    """Serve an editor: findings, completion and definitions while a site is written.

    A language server over standard input and output, for editors that start it (`fabric docs editors` has their
    settings). It checks what `fabric validate` checks, with the texts as they stand in the editor, and changes no file.
    A file belongs to the nearest folder above it with a `site.yaml`.
    """
    try:
        from fabric.editor.server import server
    except ModuleNotFoundError as error:
        message = f"the package {error.name} is missing: {with_extra('editor')}"
        raise ToolMissing(message) from None
    server().start_io()
