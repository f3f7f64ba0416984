"""Links whose two ends must change together: which they are, and the phases in which they do."""
