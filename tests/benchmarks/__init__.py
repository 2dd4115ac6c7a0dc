"""Speed and memory beside what other tools take: `python -m tests.benchmarks [--full] [NAME …]`."""
