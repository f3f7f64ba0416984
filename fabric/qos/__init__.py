"""Lossless arithmetic: classes, headroom, ECN, buffers, watchdog. Pure functions of numbers; no devices."""
