"""The command line: argv in, the daemon's answers out; a file per noun."""
