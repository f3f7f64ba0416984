"""The fast environment prints what Jinja's own does."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import Environment, FileSystemLoader, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fabric.rendering.environment import OPTIONS, environment

MODEL = SimpleNamespace(
    name="leaf-0", ports=[SimpleNamespace(name="p1", mtu=9000), SimpleNamespace(name="p2", mtu=None)]
)
TEMPLATES = {
    "words": "host {{ config.name }} has {{ config.ports | length }} ports\n",
    "only a value": "{{ config.name }}",
    "only text": "a\n  b {# c #}\n",
    "braces and quotes": "{ 'a': \"{{ config.name }}\" }\\n\n",
    "per cent": "{{ config.name }} 100 % %s %(name)s %% {{ config.ports[0].mtu }}%\n",
    "a loop": "{% for port in config.ports %}\n{{ port.name }}{% if port.mtu %} mtu {{ port.mtu }}{% endif %}\n"
    "{% if loop.last %}\nend\n{% endif %}\n{% endfor %}\n",
    "a macro": "{% macro line(port) %}{{ port.name }} {{ port.mtu }};{% endmacro %}\n{{ line(config.ports[0]) }} "
    "{{ config.ports | map(attribute='name') | join('\\n') }}\n",
    "an include": "{% for port in config.ports %}{% include 'port' %}{% endfor %}x\n",
    "port": "<{{ port.name }}-{{ config.name }}>",
    "a filter over text": "{% filter indent(2) %}a\n{{ config.name }}{% endfilter %}",
    "nothing and a number": "{{ config.ports[1].mtu }}{{ 3 * 4 }}\n",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEMPLATES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def own(folder: Path) -> Environment:
    return ImmutableSandboxedEnvironment(loader=FileSystemLoader(folder), **OPTIONS)


@pytest.mark.parametrize("name", sorted(set(TEMPLATES) - {"port"}))
def test_every_form_of_a_template_prints_the_same(folder, name):
    fast, slow = (
        made.get_template(name).render(config=MODEL) for made in (environment((folder,)), own(folder))
    )

    assert fast == slow


@pytest.mark.parametrize(
    "text", ["{{ config.nam }}", "a {{ config.nam }}", "{% if config.nam %}a{% endif %}"]
)
def test_a_field_that_is_not_there_is_undefined(folder, text):
    (folder / "wrong").write_text(text)

    with pytest.raises(UndefinedError, match="nam"):
        environment((folder,)).get_template("wrong").render(config=MODEL)
