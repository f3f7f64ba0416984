"""The intent language: a typed model of a site, read from YAML with the place of every value."""
