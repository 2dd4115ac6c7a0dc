"""Findings as files: tables, figures, JSON, and the bundle from which a report can be recomputed."""
