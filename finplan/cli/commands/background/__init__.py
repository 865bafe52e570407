"""The program in the background: starting and stopping it, and what it does by itself."""
