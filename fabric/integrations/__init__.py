"""Plug-ins for other programs, found by their entry points. Nothing here is imported by ours."""
