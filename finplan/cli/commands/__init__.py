"""The commands: a module per noun, or for a few that belong together, imported when one is called."""
