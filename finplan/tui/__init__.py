"""The full-screen face: what a person looks at all day, drawn in a terminal; reaches the daemon over HTTP alone."""
