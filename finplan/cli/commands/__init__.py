"""The commands: a module per noun, imported when it is called."""
