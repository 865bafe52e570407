"""What agents are remembered for, beside how they are let in."""
