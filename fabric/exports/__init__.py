"""What belongs to no single device, in the formats of other tools: netlists, cable lists, Slurm topologies."""

from fabric.exports.export_kinds import KINDS, NAMES, Export, Exports, Kind, Source, export

__all__ = ["KINDS", "NAMES", "Export", "Exports", "Kind", "Source", "export"]
