"""Builds the demo's track on a real site: each step queries the database and adds the missing objects."""
