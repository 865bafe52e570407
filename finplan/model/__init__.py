"""Wire shapes: what crosses a boundary, a file per family, camelCase outside."""
