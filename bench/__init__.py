"""Time and memory of whole commands, as the operating system accounts them. `make bench` runs all of it."""
