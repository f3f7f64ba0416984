"""Buffers that wait for each other, and who may make them wait."""
