"""What makes a finding the same finding in the next run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from fabric.documents.print_findings import Finding


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """One for each finding, made of its code and its place in the model.

    Not of its line: moving a block of a file opens no alert anew. Equal ones are hashed on.
    """
    seen: set[str] = set()
    for finding in findings:
        text = f"{finding.code}\0{finding.path}"
        made = hashlib.sha256(text.encode()).hexdigest()
        while made in seen:
            made = hashlib.sha256(made.encode()).hexdigest()
        seen.add(made)
        yield made
