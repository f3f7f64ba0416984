"""What runs on the switch: sent with each connection, or kept there for the timer. Standard library of Python 3.9 only.

frr-reload.py, which comes with FRR, takes Python too. Everything that must happen whoever dies in between happens
here: one request is one process, which goes on when the SSH connection is gone.

Nothing is written to the places from which a switch starts until the change is confirmed; what runs is made to follow
copies below `STATE`. So a restart of the switch always brings what it ran before.
"""
