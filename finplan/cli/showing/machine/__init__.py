"""What is of the machine, and nobody's money, as lines: its checkup, and the key of its secrets."""
