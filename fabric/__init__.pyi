# What `_HOMES` of the module says, for type checkers and editors; a test holds both together.

from fabric.api import apply as apply
from fabric.api import export as export
from fabric.api import observe as observe
from fabric.api import plan as plan
from fabric.api import report as report
from fabric.compiler import Compiled as Compiled
from fabric.compiler import compile as compile  # noqa: A004  # it is called so there
from fabric.compiler import derive as derive
from fabric.compiler import expand as expand
from fabric.compiler import load as load
from fabric.compiler import render as render
from fabric.deployment import Workplace as Workplace
from fabric.devices.model import Switch as Switch
from fabric.devices.site_devices import Devices as Devices
from fabric.diagnostics import DeviceError as DeviceError
from fabric.diagnostics import Diagnostic as Diagnostic
from fabric.diagnostics import FabricError as FabricError
from fabric.diagnostics import Invalid as Invalid
from fabric.diagnostics import Refused as Refused
from fabric.intent.model import Intent as Intent
from fabric.planning.model import Plan as Plan
from fabric.platforms.base import Artifact as Artifact
from fabric.platforms.base import Platform as Platform
from fabric.topology.model import Topology as Topology

__version__: str
