"""What a shell offers while a command line is typed; nothing is started or changed for it."""
