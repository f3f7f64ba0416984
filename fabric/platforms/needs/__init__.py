"""What a switch needs of its product, held against the capabilities once, before anything is lowered."""
