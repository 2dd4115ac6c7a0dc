"""How long journeys wait for workers."""

WORKERS_PATIENCE = 300_000  # ms; a worker that loads torch on a busy machine takes a good part of them
