"""MT940 and MT942, SWIFT's account statement and its interim report."""
