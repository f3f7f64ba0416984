"""Reading YAML strictly, remembering the place of each value, and validating against a schema with places."""

from fabric.documents.places import Document, InvalidDocument, Place, Sources

__all__ = ["Document", "InvalidDocument", "Place", "Sources"]
