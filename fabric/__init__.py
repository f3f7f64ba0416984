"""fabric: AI/GPU back-end networks as code.

The pipeline (`load`, `expand`, `derive`, `render`, `compile`, `plan`, `apply`), its types, and its errors.
Names are imported when first used, so that `import fabric` costs nothing; type checkers read them in `__init__.pyi`.
"""

from __future__ import annotations

from fabric.late_names import late_names

__version__ = "0.1.0"

_HOMES = {
    "Artifact": "fabric.platforms.base",
    "Compiled": "fabric.compiler",
    "DeviceError": "fabric.diagnostics",
    "Devices": "fabric.devices.site_devices",
    "Diagnostic": "fabric.diagnostics",
    "FabricError": "fabric.diagnostics",
    "Intent": "fabric.intent.model",
    "Invalid": "fabric.diagnostics",
    "Plan": "fabric.planning.model",
    "Platform": "fabric.platforms.base",
    "Refused": "fabric.diagnostics",
    "Switch": "fabric.devices.model",
    "Topology": "fabric.topology.model",
    "Workplace": "fabric.deployment",
    "apply": "fabric.api",
    "compile": "fabric.compiler",
    "derive": "fabric.compiler",
    "expand": "fabric.compiler",
    "export": "fabric.api",
    "load": "fabric.compiler",
    "observe": "fabric.api",
    "plan": "fabric.api",
    "render": "fabric.compiler",
    "report": "fabric.api",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # computed from the table above, and held sorted by a test
__getattr__ = late_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
