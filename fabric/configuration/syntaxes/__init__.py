"""How texts are written: each syntax divides a text into pieces, reads a piece as a tree, and prints a tree."""
