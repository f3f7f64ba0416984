"""Reading YAML strictly, remembering where each value stands, and validating against a schema with places."""

from fabric.documents.places import Document, Place, Sources

__all__ = ["Document", "Place", "Sources"]
