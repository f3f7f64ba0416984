"""`fabric mcp`: answer the questions of an assistant."""

from __future__ import annotations

from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.diagnostics import ToolMissing, with_extra


@command("mcp", examples=("fabric mcp -C my-site",), formats=("text",))
def run() -> None:
    """Answer the questions of an assistant about a site.

    A server of the Model Context Protocol over standard input and output, for assistants and editors that start it.
    Its tools read and compute: validate, show, configuration, why, where, lint, explain, models, schema, simulate,
    impact, plan against saved configurations, diff and size. None changes a file or a device, and none applies.
    """
    try:
        from fabric.assistant.server import server
    except ModuleNotFoundError as error:
        message = f"the package {error.name} is missing: {with_extra('assistant')}"
        raise ToolMissing(message) from None
    folder = current().site
    Output().note(f"answering questions about {folder.resolve()}; end with Ctrl-C")
    server(folder if folder.is_dir() else folder.parent).run(transport="stdio")
