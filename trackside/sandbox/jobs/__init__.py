"""Sandbox jobs: one module per job, with ``prepare`` (called before memory is limited) and ``run``."""
