"""Sessions, timers, and what routers outside may send and learn."""
