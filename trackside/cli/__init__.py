"""The command line: core on plain files, without a database, and a client of a site's API."""
