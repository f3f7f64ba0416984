"""The routes of a network after BGP has converged: who reaches whom, over how many equal paths, what is dropped."""
