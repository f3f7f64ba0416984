"""The classes behind every command: common options, examples, late loading, and help with both."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from keyword import iskeyword
from typing import Any, NoReturn

import click

from fabric.cli.common_options import columns_option, common_options, current
from fabric.cli.defaults_file import defaults

Body = Callable[..., int | None]
TEXT_OR_JSON = ("text", "json")
TABLES = "csv"
"""The format of the commands whose results are tables."""


class Command(click.Command):
    """A command with common options and examples. Its function returns the exit code; None is 0."""

    def __init__(
        self,
        *arguments: Any,
        examples: tuple[str, ...] = (),
        formats: tuple[str, ...] = TEXT_OR_JSON,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.examples = examples
        self.formats = formats
        self.common = common_options(formats)
        if TABLES in formats:
            self.common.insert(2, columns_option())
        self.params += self.common

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with the defaults that files give; help and completion need none."""
        if not ctx.resilient_parsing and not {"-h", "--help"}.intersection(args):
            ctx.default_map = defaults(self, ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """As click does, after a look at a `--format` that stood before the command."""
        chosen = current().format
        if chosen not in self.formats:
            ctx.fail(f"there is no format '{chosen}' here: known: {', '.join(self.formats)}")
        code = super().invoke(ctx)
        if current().columns and not current().has_tables:
            click.echo("--columns has done nothing: no table was printed", err=True)
        return code

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Own options first, the common ones below."""
        self.format_own_options(ctx, formatter)
        _write_options("Common options", self.common, ctx, formatter)

    def format_own_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options that only this command has, and its formats."""
        own = [p for p in self.get_params(ctx) if p not in self.common]
        _write_options("Options", own, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The examples."""
        write_examples(self.examples, formatter)


def _write_options(
    heading: str, options: Sequence[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    records = (option.get_help_record(ctx) for option in options if isinstance(option, click.Option))
    rows = [record for record in records if record]
    if rows:
        with formatter.section(heading):
            formatter.write_dl(rows)


def write_examples(examples: tuple[str, ...], formatter: click.HelpFormatter) -> None:
    """The examples section of a help text."""
    if examples:
        with formatter.section("Examples"):
            for line in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def command(
    name: str, *, examples: tuple[str, ...], formats: tuple[str, ...] = TEXT_OR_JSON
) -> Callable[[Body], Command]:
    """Make a function a `Command`; its docstring is the help."""

    def make(body: Body) -> Command:
        new_command: Command = click.command(name, cls=Command, examples=examples, formats=formats)(body)
        return new_command

    return make


class LateGroup(click.Group):
    """A group whose commands are modules, imported when called. `rows`: (section, name, short help)."""

    def __init__(
        self,
        *arguments: Any,
        package: str,
        rows: tuple[tuple[str, str, str], ...],
        examples: tuple[str, ...] = (),
        formats: tuple[str, ...] = TEXT_OR_JSON,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.package = package
        self.rows = rows
        self.examples = examples
        self.common = common_options(formats)
        self.params += self.common

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; nothing at all asks for the help."""
        if not args and not ctx.resilient_parsing:  # completion asks what could follow
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Every command in the order of the help."""
        return [name for _section, name, _help in self.rows]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = cmd_name.replace("-", "_")
        module = f"{name}_" if iskeyword(name) else name  # `import` cannot be the name of a module
        loaded: click.Command = importlib.import_module(f"{self.package}.{module}").run
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is none."""
        name = args[0]
        if name not in self.list_commands(ctx):
            self._fail(ctx, name)
        return super().resolve_command(ctx, args)

    def _fail(self, ctx: click.Context, name: str) -> NoReturn:
        close = get_close_matches(name, self.list_commands(ctx), n=1, cutoff=0.5)
        known = ", ".join(self.list_commands(ctx))
        tip = f"did you mean '{close[0]}'?" if close else f"known: {known}"
        ctx.fail(f"there is no command '{name}': {tip}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section, then the options."""
        width = max(len(name) for name in self.list_commands(ctx))
        for section in dict.fromkeys(section for section, _name, _help in self.rows):
            with formatter.section(section):
                formatter.write_dl(
                    [(name.ljust(width), text) for at, name, text in self.rows if at == section]
                )
        records = [p.get_help_record(ctx) for p in self.get_params(ctx)]
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The examples."""
        write_examples(self.examples, formatter)
