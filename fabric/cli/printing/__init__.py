"""How commands print: tables, findings, progress and documents, in a terminal, in a pipe, and for machines."""
