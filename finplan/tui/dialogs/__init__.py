"""What is asked before a screen: a category, a line of text, the parts of a row, a file; Escape asks nothing."""
