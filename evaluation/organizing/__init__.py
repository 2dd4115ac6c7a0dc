"""What organizers do: setting up, imports, track files, audit, the pages over everything."""
