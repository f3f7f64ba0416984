"""The journal of a site and its lock: SQLite in a file, or PostgreSQL by URL."""
