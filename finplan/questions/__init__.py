"""Questions in words: a sentence, the names that a person knows and a day → what is asked; pure."""
