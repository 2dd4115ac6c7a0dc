"""Speed and memory compared with other tools: `python -m tests.benchmarks [--full] [NAME …]`."""
