"""Devices of which the journal knows nothing, and that run what is intended: told, and recorded as ours."""
