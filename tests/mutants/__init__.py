"""Mutation testing: `make mutants` changes one thing at a time in a module and expects its tests to fail."""
