"""QIF, Quicken's old format."""
