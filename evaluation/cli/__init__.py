"""The command line: the same core on plain files, without a database."""
