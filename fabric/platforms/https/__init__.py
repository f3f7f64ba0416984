"""HTTPS to devices: who answers there, and requests over one connection."""
