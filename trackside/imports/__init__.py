"""Readers of files that organizers import: valid records are kept, faults are reported with their places."""
