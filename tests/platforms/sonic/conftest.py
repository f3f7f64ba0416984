"""What is not collected."""

from __future__ import annotations

collect_ignore = ["test_fabric.py"]
"""Until the platform of its laboratory has a table."""
