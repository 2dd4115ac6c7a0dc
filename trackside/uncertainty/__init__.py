"""Intervals of a report by statistic, chosen by simulation (docs/simulations.md)."""
