"""The documentation that comes with the program: read in the terminal, searched, or served as a site."""
