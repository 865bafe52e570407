"""Pictures of money as SVG, drawn from values alone: the same values make the same bytes."""
