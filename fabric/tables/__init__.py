"""Lists as tables: columns that know how people and machines read them, and rows made when they are asked for."""
