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
        digest = hashlib.sha256(text.encode()).hexdigest()
        while digest in seen:
            digest = hashlib.sha256(digest.encode()).hexdigest()
        seen.add(digest)
        yield digest
