"""Feeds bytes to the reader until it answers with anything but a document or findings.

    python -m tests.documents.fuzz_yaml [SECONDS]

With atheris installed the input follows the code's branches; else Hypothesis makes it.
"""

from __future__ import annotations

import importlib.util
import sys
import time

from fabric.diagnostics import FabricError
from fabric.documents.reading.strict_yaml import read_yaml
from fabric.intent.load import load_text


def feed(data: bytes) -> None:
    """Read the bytes as YAML and, if they are text, as a site."""
    try:
        read_yaml(data, "fuzz.yaml", "intent")
        load_text({"site.yaml": data.decode("utf-8", "replace")})
    except FabricError:
        return


def with_atheris(seconds: int) -> None:
    """Let atheris choose the bytes."""
    import atheris

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096"], feed)
    atheris.Fuzz()


def with_hypothesis(seconds: int) -> None:
    """Let Hypothesis choose the bytes, a batch at a time."""
    from hypothesis import given, settings
    from hypothesis import strategies as st

    from tests.intent.test_fuzz import SNIPPETS, scribbled

    snippets = st.lists(SNIPPETS, max_size=60).map("".join)
    texts = st.one_of(scribbled(), snippets).map(lambda text: text.encode("utf-8", "replace"))
    batch = settings(max_examples=2000, deadline=None, database=None)(
        given(st.one_of(st.binary(), texts))(feed)
    )
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        batch()


if __name__ == "__main__":
    budget = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    (with_atheris if importlib.util.find_spec("atheris") else with_hypothesis)(budget)
