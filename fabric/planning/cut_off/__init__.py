"""Who has no path any more after a change, whichever way: by dead ports, withdrawn prefixes or P_Keys that are gone."""
