"""Pages for a browser, drawn from the same answers that programs get."""
