"""JSON Schema from the typed models, and validation of documents against it."""
