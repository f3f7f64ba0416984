"""Nornir's inventory straight from a site: `InventoryPlugin: fabric`, with the site's folder as its one option."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fabric import api

if TYPE_CHECKING:
    from nornir.core.inventory import Inventory


class FabricInventory:
    """The site as `fabric export nornir` writes it. Logins are the user's own, in Nornir's defaults or transforms."""

    def __init__(self, site: str = ".") -> None:
        self.site = Path(site)

    def load(self) -> Inventory:
        """Compile the site. `fabric.diagnostics.Invalid` if it has errors."""
        from nornir.plugins.inventory import SimpleInventory

        compiled = api.open_site(self.site)
        exports = api.export(compiled.intent, compiled.topology, ["nornir"])
        with TemporaryDirectory() as folder:
            for file in exports.files:
                (Path(folder) / Path(file.path).name).write_text(file.text, encoding="utf-8")
            files = {f"{name}_file": f"{folder}/{name}s.yaml" for name in ("host", "group")}
            return SimpleInventory(**files, defaults_file=f"{folder}/defaults.yaml").load()
