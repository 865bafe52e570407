"""A2A 1.0: agents ask finplan in words, and are told what was understood beside the exact answer."""
