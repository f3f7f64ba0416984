"""Header fields of the hash in examples and fixes."""

FIELDS = ["src_ip", "dst_ip", "src_port", "dst_port", "protocol"]
"""The default."""


def hashed_by(fields: str) -> str:
    """A change of an example: these fields are hashed."""
    return f"networks: {{compute: {{routing: {{hashing: {{fields: [{fields}]}}}}}}}}"
