"""The command line program: `program` reads the arguments, `commands` holds a file a command."""
