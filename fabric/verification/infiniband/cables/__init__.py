"""Nodes and cables that were found, held against the intent."""
