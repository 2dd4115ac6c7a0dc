"""Faults of a task's topics, documents, grades and runs."""
