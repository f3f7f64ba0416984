"""An exception becomes one message with its code, and the exit code 1."""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from fabric import __version__
from fabric.cli import codes
from fabric.cli.common_options import Settings, terminal_width
from fabric.cli.printing.fold_text import folded
from fabric.cli.printing.write_tables import FORMAT_VERSION, as_json, printable
from fabric.cli.session_commands import complete
from fabric.cli.stop import Stop
from fabric.diagnostics import Code, DeviceError, Invalid, JournalFailed, Refused, ToolMissing
from fabric.file_access import denied
from fabric.resources import private_files, scratch

DISTRIBUTION = "fabric-as-code"
KINDS: tuple[tuple[type[BaseException], Code], ...] = (
    (Refused, codes.REFUSED),
    (DeviceError, codes.DEVICE_FAILED),
    (JournalFailed, codes.REFUSED),  # its text brings a code of its own along
    (ToolMissing, codes.TOOL_MISSING),
    (click.ClickException, codes.USAGE),
    (OSError, codes.FILE_TROUBLE),
)
"""The first that fits gives the code."""


FULL = (errno.ENOSPC, errno.EDQUOT)
NOT_OURS = (errno.EACCES, errno.EPERM)

OWN_CODE = re.compile(r"^(FAB[0-9]{3,4}): (.*)$", re.DOTALL)


def report(error: BaseException, settings: Settings) -> int:
    """Tell the user what went wrong; always returns 1."""
    if isinstance(error, Invalid):
        from fabric.cli.printing.findings import print_findings

        print_findings(error.diagnostics, settings, getattr(error, "sources", None))
        return 1
    if settings.debug:
        click.echo(printable("".join(traceback.format_exception(error))).rstrip(), err=True)
    code, *texts = describe(error, settings)
    message, hint = complete(texts[0] or "", settings), complete(texts[1] or "", settings) or None
    if settings.format == "json":
        with suppress(OSError):  # it may be what has failed: the message below is read all the same
            # On one line: it may end a stream that has an object a line.
            error_record = {"code": code, "message": message, "hint": hint}
            sys.stdout.write(as_json({"format_version": FORMAT_VERSION, "error": error_record}) + "\n")
    _print(f"error: {code}: {message}", hint, settings)
    return 1


def _print(message: str, hint: str | None, settings: Settings) -> None:
    """The message and the hint on stderr, folded where somebody reads it."""
    width = terminal_width(sys.stderr)
    lines = folded(printable(message), width)
    lines[0] = lines[0].replace("error:", click.style("error:", fg="red", bold=True), 1)
    if hint:
        first, *rest = folded(f"    hint: {printable(hint)}", width, indent=10)
        lines += [first.replace("hint:", click.style("hint:", fg="cyan"), 1), *rest]
    click.echo("\n".join(lines), err=True, color=settings.colored(sys.stderr))


def describe(error: BaseException, settings: Settings) -> tuple[str, str, str | None]:
    """Code, message and hint of an exception."""
    if isinstance(error, Stop):
        return error.code.code, str(error), error.hint
    known = next((code for kind, code in KINDS if isinstance(error, kind)), None)
    if known is None:
        return _bug(error, settings)
    if isinstance(error, click.ClickException):
        return known.code, *_usage(error)
    if isinstance(error, OSError):
        return known.code, *_file(error)
    # Some refusals bring the code of their own package along in the text.
    own = OWN_CODE.match(str(error))
    code, message = own.groups() if own else (known.code, str(error))
    return code, message, getattr(error, "hint", None)


def _usage(error: click.ClickException) -> tuple[str, str | None]:
    context = getattr(error, "ctx", None)
    message = " ".join(error.format_message().split())
    message = message.rstrip(".")
    if not message[:2].isupper():  # an argument's own name, as in the help
        message = message[:1].lower() + message[1:]
    return message, f"try `{context.command_path} --help`" if context else None


def _file(error: OSError) -> tuple[str, str | None]:
    what = (error.strerror or str(error)).lower()
    if error.errno in NOT_OURS and error.filename and (known := denied(Path(os.fsdecode(error.filename)))):
        return f"{os.fsdecode(error.filename)}: {what}: {known.reason}", known.hint
    if error.errno not in FULL:
        return (f"{error.filename}: {what}" if error.filename else what), None
    return (
        f"{error.filename or 'the output, or a file beside it'}: {what}",
        "make room there, then run it again",
    )


def _bug(error: BaseException, settings: Settings) -> tuple[str, str, str]:
    where = _keep(error, settings)
    message = f"this is a bug in fabric {__version__}: {type(error).__name__} (details in {where})"
    return codes.BUG.code, message, f"please report it with that file{_issues()}"


def _issues() -> str:
    """Where to report, as the installed distribution says it."""
    from importlib.metadata import PackageNotFoundError, metadata  # slow, and only a bug needs it

    try:
        urls = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    addresses = [url.partition(", ")[2] for url in urls if url.lower().startswith("issues,")]
    return f": {addresses[0]}" if addresses else ""


def _keep(error: BaseException, settings: Settings) -> Path:
    """Write the traceback below `.fabric/` of the site, or where that cannot be, among temporary files."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    name = f"bug-{stamp}-{os.getpid()}.txt"
    text = f"fabric {__version__}, Python {sys.version}\n" + printable(
        "".join(traceback.format_exception(error))
    )
    try:
        target = scratch(settings.site) / name
        _write_private(target, text)
    except OSError:
        target = Path(tempfile.gettempdir()) / name
        _write_private(target, text)
    return target


def _write_private(target: Path, text: str) -> None:
    with private_files():
        target.write_text(text, encoding="utf-8")
