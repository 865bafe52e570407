"""What a person reads: answers drawn as lines and pages of a known width."""
