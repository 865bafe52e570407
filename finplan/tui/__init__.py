"""The whole screen: what a person looks at all day in a terminal; reaches the daemon over HTTP alone."""
