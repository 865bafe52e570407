"""Whatever lets somebody in: found by its hash, listed, used and ended."""
