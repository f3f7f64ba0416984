"""Print `inputs.yaml` with Arista AVD's own templates: `python -m tests.platforms.eos.stanzas.render`.

The printed files are what AVD's `eos_cli_config_gen` (Apache-2.0, https://github.com/aristanetworks/avd) makes
of them; the version stands in each.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent


def main() -> None:
    """Write one file a section."""
    import pyavd

    for name, config in yaml.safe_load((FOLDER / "inputs.yaml").read_text()).items():
        result = pyavd.validate_structured_config(config).validation_result
        problems = [(violation.path, violation.message) for violation in result.violations]
        assert not problems, (name, problems)
        text = pyavd.get_device_config(config)
        head = f"! pyavd {version('pyavd')}, eos_cli_config_gen, from inputs.yaml: {name}\n"
        (FOLDER / f"avd-{name}.cfg").write_text(head + text.strip("\n") + "\n")


if __name__ == "__main__":
    main()
