"""Faults of a collection, its grades and its runs, found before anything is judged or released."""
