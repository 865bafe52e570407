"""The site: what a person meets in a browser, drawn without scripts, for a session of theirs or none."""
