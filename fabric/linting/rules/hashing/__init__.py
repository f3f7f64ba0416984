"""Flows spread over all equal paths."""
