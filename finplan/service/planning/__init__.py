"""The plan and what rests on it: built, shown, explained, the live snapshot, the questions."""
