"""Sandbox jobs: one module per job, with ``run``, and ``prepare`` for what to do before memory is limited."""
