"""The Jinja2 environments: a fast one for shipped templates, a sandboxed one for a site's own."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    Template,
    UndefinedError,
    nodes,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fabric.resources import resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jinja2.runtime import Context

OPTIONS: dict[str, Any] = {
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,  # the output is no HTML; values cannot carry lines or escapes (see documents.words)
    "auto_reload": False,
    "cache_size": 400,
}


def environment(folders: Sequence[Path] = (), *, site_templates: Path | None = None) -> Environment:
    """The environment for shipped templates, those of other distributions (`folders`), and a site's own.

    A site's template replaces the shipped one of the same name. It comes from outside, so it runs in the
    sandbox, without a bytecode cache, and ten times slower.
    """
    if site_templates is None:
        return _trusted(tuple(folders))
    loader = ChoiceLoader([FileSystemLoader(site_templates), *_loaders(tuple(folders))])
    return ImmutableSandboxedEnvironment(loader=loader, **OPTIONS)


@cache
def _trusted(folders: tuple[Path, ...]) -> Environment:
    return _Fast(  # no HTML; see OPTIONS
        loader=ChoiceLoader(_loaders(folders)), bytecode_cache=_bytecode_cache(), **OPTIONS
    )


class _Formatting(CodeGenerator):
    """Code that hands over all that stands between two statements at once, and asks models for their fields directly.

    Jinja's own hands over each `{{ }}` alone, through every template around it, and looks for keys of mappings too:
    printing then takes 1.8 times as long.
    """

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802  # Jinja's name
        """Several pieces of text in one: of `"mtu %s" % (mtu,)` Python makes a single operation."""
        if frame.buffer is not None or frame.require_output_check or len(node.nodes) == 1:
            super().visit_Output(node, frame)
            return
        values = [child for child in node.nodes if not isinstance(child, nodes.TemplateData)]
        pieces = [
            child.data.replace("%", "%%") if isinstance(child, nodes.TemplateData) else "%s"
            for child in node.nodes
        ]
        self.writeline(f"yield {''.join(pieces)!r} % (", node)
        inner = frame.copy()
        for child in values:
            self.newline(child)
            self.visit(child, inner)
            self.write(",")
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  # Jinja's name
        """`config.name` as Python reads it."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")


class _Whole(Template):
    """A template that hands over its text at once: else each piece would go through every template around it."""

    @classmethod
    def _from_namespace(cls, *parts: Any) -> Template:
        template = super()._from_namespace(*parts)
        pieces = template.root_render_func

        def whole(context: Context) -> Iterator[str]:
            yield "".join(pieces(context))

        template.root_render_func = whole
        return template


class _Fast(Environment):
    code_generator_class = _Formatting
    template_class = _Whole

    def handle_exception(self, source: str | None = None) -> NoReturn:
        """A field that a model has not is undefined, as everywhere in Jinja."""
        try:
            super().handle_exception(source)
        except AttributeError as error:
            raise UndefinedError(str(error)) from error


def _loaders(folders: tuple[Path, ...]) -> list[BaseLoader]:
    return [FileSystemLoader(folder) for folder in (resource("templates"), *folders)]


def _bytecode_cache() -> BytecodeCache | None:
    """A cache of compiled templates that only this user can write: its files are executed.

    None where no such folder can be had; templates are then compiled anew, in some 80 ms.
    """
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "fabric-as-code" / "templates"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return None
    private = status.st_uid == os.getuid() and not status.st_mode & 0o022
    return FileSystemBytecodeCache(str(folder), "formatting_%s.cache") if private else None
