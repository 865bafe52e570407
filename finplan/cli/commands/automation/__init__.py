"""Commands for what finplan does by itself and tells others of."""
