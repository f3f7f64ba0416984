"""An InfiniBand subnet as its managers must know it: GUIDs, LIDs, cables, partitions, service levels, managers."""
