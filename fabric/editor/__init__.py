"""What an editor asks while a site is written, over the Language Server Protocol. Nothing here changes a file."""
