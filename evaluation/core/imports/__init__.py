"""Files that organizers bring: read record by record, faults noted with their places, the rest kept."""
