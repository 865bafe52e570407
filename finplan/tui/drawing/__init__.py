"""Values drawn as styled text of a known width; pure, so that a page is the same wherever it stands."""
