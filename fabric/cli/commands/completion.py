"""`fabric completion`: the shell completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from fabric.cli.command_classes import command
from fabric.cli.printing.command_output import Output
from fabric.cli.run import COMPLETE

WHERE = {
    "bash": '~/.bashrc: eval "$(fabric completion bash)"',
    "zsh": '~/.zshrc: eval "$(fabric completion zsh)"',
    "fish": "~/.config/fish/completions/fabric.fish",
}


@command("completion", examples=("fabric completion bash", "fabric completion fish"))
@click.argument("shell", type=click.Choice(tuple(WHERE)))
def run(shell: str) -> None:
    """Print the shell completion script."""
    from fabric.cli.app import fabric

    output = Output()
    chosen = get_completion_class(shell)
    if chosen is None:  # click knows all three; a future one may not
        message = f"click has no completion for {shell}"
        raise click.UsageError(message)
    script = chosen(fabric, {}, "fabric", COMPLETE).source()
    if output.is_text:
        output.raw(script)
    else:
        output.document({"shell": shell, "script": script})
    output.next(f"Put it into {WHERE[shell]}")
