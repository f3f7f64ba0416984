"""One module a command, imported when it is called. Each has one function `run`, which is the command."""
