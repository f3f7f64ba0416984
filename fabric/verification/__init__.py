"""Whether what was made is right, asked of somebody else: of the vendors' own schemas."""

from fabric.verification.check_schemas import Check, Schemas, Verdict

__all__ = ["Check", "Schemas", "Verdict"]
