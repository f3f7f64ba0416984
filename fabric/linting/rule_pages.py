"""`docs/rules/`: a page a lint rule, and the list of them. Written by `python -m fabric.cli.reference`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import groupby

from fabric.linting.registry import group_of, rules
from fabric.linting.rule import Example, Rule

MADE = "<!-- Made by `python -m fabric.cli.reference`; a test holds it to the program. -->\n"


def rule_pages() -> Mapping[str, str]:
    """File name to text."""
    pages = {f"{rule.name}.md": "\n".join(_page(rule)) for rule in rules()}
    return {"README.md": "\n".join(_index()), **pages}


def _index() -> Iterator[str]:
    yield f"# Lint rules\n\n{MADE}"
    yield "What `fabric lint` judges by: what is legal but unwise. A rule may be disagreed with: accept its finding in"
    yield "`state.yaml`, with a reason and a day.\n"
    for group, of_group in groupby(rules(), key=group_of):
        yield f"## {group}\n"
        yield f"{import_module(f'fabric.linting.rules.{group}').__doc__}\n"
        yield "| code | rule | severity | finds |\n|---|---|---|---|"
        for rule in of_group:
            code = rule.code
            yield f"| {code.code} | [{rule.name}]({rule.name}.md) | {code.severity.value} | {code.title} |"
        yield ""


def _page(rule: Rule) -> Iterator[str]:
    yield f"# {rule.name}\n\n{MADE}"
    yield f"**{rule.code.code}** ({rule.code.severity.value}, {group_of(rule)}): {rule.code.title}\n"
    yield f"**Finds.** {' '.join(rule.condition.split())}\n"
    yield f"**Why.** {rule.code.why}\n"
    yield f"**How to fix it.** {rule.code.fix}\n"
    yield f"**Source.** {rule.source}\n"
    yield "## Found in\n"
    yield from _example(rule.fails)
    yield "\n## Not found in\n"
    yield from _example(rule.passes)


def _example(example: Example) -> Iterator[str]:
    yield f"The sound site `{example.site}`{', with this laid over `site.yaml`' if example.change else ''}:"
    if example.change:
        yield f"\n```yaml\n{example.change.strip()}\n```"
    for name, text in example.files.items():
        yield f"\n`{name}`:\n\n```yaml\n{text.strip()}\n```"
    yield ""
