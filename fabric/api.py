"""The pipeline on one screen. The command line, tests and other programs call these; nothing else does the work.

    YAML ─load→ Intent ─expand→ Topology ─derive→ Devices ─render→ Artifacts ┐
                                                  running network ─observe→ Observations ┴─plan→ Plan ─apply→ Result
"""
