"""MCP Apps: pages that a host may show beside an answer, each one file that loads nothing."""
