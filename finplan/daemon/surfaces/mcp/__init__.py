"""MCP: agents are offered tools for tasks, made of rows of the table; loaded when first asked."""
