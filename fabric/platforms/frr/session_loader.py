"""First lines of what is sent to a switch: they load the other modules, and answer as long as the connection stands.

Python is started, and a package compiled, once a connection; each request has a process of its own, which goes on when
the connection is gone. Standard library of Python 3.9 only; `session_program` adds the last line, which calls `start`.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def start(package: str, sources: Mapping[str, str], program: str) -> None:
    """Load a package of modules that are in no file, in the order of their imports, and call `main` of its `main`."""
    parent = ""
    for word in package.split("."):
        parent = f"{parent}.{word}" if parent else word
        sys.modules[parent] = types.ModuleType(parent)
        sys.modules[parent].__path__ = []
    for name, source in sources.items():
        module = sys.modules[f"{package}.{name}"] = types.ModuleType(f"{package}.{name}")
        setattr(sys.modules[package], name, module)
        exec(compile(source, name, "exec"), module.__dict__)  # noqa: S102  # our own text
    sys.modules[f"{package}.main"].main(program, serve)


def serve(answer: Answer) -> None:
    """A line of JSON for each request and each answer, until there are no more. A line that is cut short is ignored."""
    for line in iter(sys.stdin.buffer.readline, b""):
        if not line.endswith(b"\n"):
            return
        process = os.fork()
        if not process:
            _one(answer, line)
        _, status = os.waitpid(process, 0)
        if status:
            sys.exit(1)


def _one(answer: Answer, line: bytes) -> None:
    """Answer a request and end this process."""
    status = 1
    try:
        text = json.dumps(answer(json.loads(line)))
        with suppress(BrokenPipeError):  # nobody listens any more; what was asked for is done
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
        status = 0
    except Exception:  # noqa: BLE001  # a bug, told as Python would
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)
