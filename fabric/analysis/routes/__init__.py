"""Which routes the BGP of a network comes to: who reaches whom, over how many equal paths, and what drops the rest."""
