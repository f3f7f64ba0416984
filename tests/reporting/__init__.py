"""The report of a site, and the drawings in it."""
