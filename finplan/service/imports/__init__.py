"""Imports of statement files: all or nothing, the same in a preview, undone exactly; see `imports`."""
