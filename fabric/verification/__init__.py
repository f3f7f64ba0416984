"""Checks of what was generated against independent sources: the vendors' own schemas."""

from fabric.verification.check_schemas import Check, Schemas, Verdict

__all__ = ["Check", "Schemas", "Verdict"]
