"""`trackside plan`, `estimate` and `replay`: the loop on plain files."""
