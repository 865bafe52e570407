"""A household taken along whole: collected for an export, put into another home, and taken back."""
