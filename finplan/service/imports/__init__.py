"""Importing statement files: all or nothing, the same in a preview, and undone exactly."""
