"""What runs on the switch: sent with each connection, or kept there for the timer. Standard library of Python 3.9 only.

Everything that must happen whoever dies in between happens here: one request is one process, which goes on when the
SSH connection is gone. What it asks of the switch goes through `Machine`, which the sandbox's switch implements too.

CONFIG_DB and FRR change together, under one timer. Nothing from which a switch starts is written before the
confirmation, so a restart brings what ran before: CONFIG_DB starts from `config_db.json`, FRR from its own file.
"""
