"""Whether a judge favours a family of runs: run-blind judges, excess grades, and the declared tests."""
