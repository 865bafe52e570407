"""The published description of the interface, for programs and as a page for people."""
